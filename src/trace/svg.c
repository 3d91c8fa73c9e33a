/*
 * svg.c - a traced tree as a picture.
 * SPDX-License-Identifier: MIT
 *
 * Every node is a box with its move, its value and, if its moves were searched, its window. Leaves
 * (of the picture) stand side by side in their order; a parent is centred over its children. Small
 * trees hang from the top as in textbooks. Wide ones grow to the right, with a row for each leaf,
 * so that a page can be scrolled. The font is monospaced, so the size of a box can be computed.
 */
#include "trace/trace.h"

#include "base/svg.h"

/* Sizes in pixels, unless noted. */
enum {
	LINE = 14, /* height of a line of text, in pixels */
	PAD = 5,
	GAP = 8, /* inside a box; between neighbours */
	LEVEL = 34,
	COLUMN = 40, /* between generations that grow down or to the right */
	MARGIN = 12,
	WIDEST = 1600,	/* wider trees grow to the right */
	MOST_STUBS = 3, /* moves not tried that get a box each; more share one */
};

/* SVG cannot measure text, so all texts have a font of known width. */
static const double letter = 7.3; /* width; a little more than 0.6 of the size of the font */

/* A box: of a node, or of moves that were not tried there. */
struct box {
	int node, stub;	   /* stub: -1, or the number of the move that was not tried */
	int parent;	   /* the box above it; -1: none */
	int width, height; /* pixels */
	double x, y;	   /* of its centre */
};

/* The whole picture while it is made. A position is `across` or along the direction of growth. */
struct picture {
	const struct trace *t;
	const struct qv_game *game;
	int root_seat;
	struct box *boxes; /* preorder */
	int count, room;
	bool rightward; /* the tree grows to the right, not downwards */
	/* Size and start of each generation, in the direction in which the tree grows. */
	int level_size[QV_MAX_LINE + 4], level_start[QV_MAX_LINE + 4];
	int levels;
	double across; /* where the next leaf goes, in the other direction */
	struct string *out;
};

/* ---- What a box says ---- */

/* The number of boxes for moves that were not tried: one each, or one for all. */
static int stub_count(const struct trace_node *n)
{
	return n->untried_count > MOST_STUBS ? 1 : n->untried_count;
}

/* Writes the lines of a box and returns their number. */
static int box_lines(const struct picture *p, const struct box *b, struct trace_label lines[4])
{
	const struct trace_node *n = &p->t->nodes[b->node];
	int count = 0;
	if (b->stub >= 0 && n->untried_count > MOST_STUBS)
		snprintf(lines[0].text, sizeof lines->text, "%d more", n->untried_count);
	else if (b->stub >= 0)
		snprintf(lines[0].text, sizeof lines->text, "%.60s",
			 trace_untried(p->t, n, b->stub));
	if (b->stub >= 0)
		return 1;
	snprintf(lines[count++].text, sizeof lines->text, "%.60s", trace_name(p->t, n));
	lines[count++] = trace_value(n);
	if (n->ply && n->kind == TRACE_INNER)
		lines[count++] = trace_window(n);
	if (n->hidden)
		snprintf(lines[count++].text, sizeof lines->text, "+%llu nodes",
			 (unsigned long long)n->hidden);
	return count;
}

/* ---- Where boxes stand ---- */

/* The generation of a box; a stub is one below its node. */
static int ply_of(const struct picture *p, const struct box *b)
{
	return p->t->nodes[b->node].ply + (b->stub >= 0);
}

/* Adds a box, with its size, and makes its generation large enough. Returns its index. */
static int add_box(struct picture *p, int node, int stub, int parent)
{
	struct box *b = &p->boxes[p->count];
	*b = (struct box){ .node = node, .stub = stub, .parent = parent };
	struct trace_label lines[4];
	const int count = box_lines(p, b, lines);
	int longest = 0, total = 0;
	/* Side by side the lines have two blanks between them. */
	for (int i = 0; i < count; i++) {
		const int length = (int)strlen(lines[i].text);
		longest = length > longest ? length : longest;
		total += length + 2 * (i > 0);
	}
	b->width = (int)((p->rightward ? total : longest) * letter) + 2 * PAD;
	b->height = (p->rightward ? 1 : count) * LINE + 2 * PAD - (p->rightward ? 4 : 0);
	const int ply = ply_of(p, b), along = p->rightward ? b->width : b->height;
	if (along > p->level_size[ply])
		p->level_size[ply] = along;
	if (ply >= p->levels)
		p->levels = ply + 1;
	return p->count++;
}

/* The size of a box across the direction of growth. */
static double breadth(const struct picture *p, const struct box *b)
{
	return p->rightward ? b->height : b->width;
}

/* The coordinate of a box across the direction of growth. */
static double *across_of(const struct picture *p, struct box *b)
{
	return p->rightward ? &b->y : &b->x;
}

/* Places a box without children beside the last one. */
static void place_leaf(struct picture *p, struct box *b)
{
	*across_of(p, b) = p->across + breadth(p, b) / 2;
	p->across += breadth(p, b) + (p->rightward ? 4 : GAP);
}

/* Makes the boxes of a node and of all below it. */
static void place(struct picture *p, int node, int parent)
{
	const struct trace_node *n = &p->t->nodes[node];
	const int box = add_box(p, node, -1, parent);
	const double from = p->across;
	double first = 0, last = 0;
	for (int i = node + 1; i < n->end; i = p->t->nodes[i].end) {
		const int child = p->count;
		place(p, i, box);
		last = *across_of(p, &p->boxes[child]);
		first = i == node + 1 ? last : first;
	}
	/* Moves that were not tried stand after the children. */
	for (int k = 0; k < stub_count(n); k++) {
		struct box *stub = &p->boxes[add_box(p, node, k, box)];
		place_leaf(p, stub);
		last = *across_of(p, stub);
	}
	struct box *b = &p->boxes[box];
	if (p->count == box + 1) {
		place_leaf(p, b);
		return;
	}
	/* Over the middle of its children, unless it is broader than all of them. */
	*across_of(p, b) = (first + last) / 2;
	const double short_by = from + breadth(p, b) / 2 - *across_of(p, b);
	for (int i = box; short_by > 0 && i < p->count; i++)
		*across_of(p, &p->boxes[i]) += short_by;
	if (short_by > 0)
		p->across += short_by;
	const double end = *across_of(p, b) + breadth(p, b) / 2 + (p->rightward ? 4 : GAP);
	if (p->across < end)
		p->across = end;
}

/* Places all boxes: across while they are made, along when all generations are known. */
static void lay_out(struct picture *p, bool rightward)
{
	p->rightward = rightward;
	p->count = p->levels = 0;
	p->across = MARGIN;
	memset(p->level_size, 0, sizeof p->level_size);
	place(p, 0, -1);
	/* Only now is the largest box of each generation known. */
	int start = MARGIN;
	for (int ply = 0; ply < p->levels; ply++) {
		p->level_start[ply] = start;
		start += p->level_size[ply] + (rightward ? COLUMN : LEVEL);
	}
	for (int i = 0; i < p->count; i++) {
		struct box *b = &p->boxes[i];
		const int ply = ply_of(p, b);
		if (rightward)
			b->x = p->level_start[ply] + b->width / 2.0;
		else
			b->y = p->level_start[ply] + b->height / 2.0;
	}
}

/* ---- Drawing ---- */

/* The line from the parent to the child; with a bar across it before moves that were cut off. */
static void draw_edge(const struct picture *p, const struct box *b)
{
	const struct box *from = &p->boxes[b->parent];
	const struct trace_node *n = &p->t->nodes[b->node];
	const double x1 = from->x + (p->rightward ? from->width / 2.0 : 0),
		     y1 = from->y + (p->rightward ? 0 : from->height / 2.0),
		     x2 = b->x - (p->rightward ? b->width / 2.0 : 0),
		     y2 = b->y - (p->rightward ? 0 : b->height / 2.0);
	string_addf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
		    b->stub >= 0 ? "e s"
		    : n->best	 ? "e b"
				 : "e",
		    x1, y1, x2, y2);
	if (b->stub < 0 || !p->t->nodes[n->last_child].cut)
		return;
	/* The bar is nearer to the child. */
	const double x = x1 + 0.7 * (x2 - x1), y = y1 + 0.7 * (y2 - y1);
	const double dx = p->rightward ? 0 : 6, dy = p->rightward ? 6 : 0;
	string_addf(p->out, "<path class=\"c\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x - dx, y - dy,
		    x + dx, y + dy);
}

/* The rectangle with its lines, and as a tooltip what does not fit into it. */
static void draw_box(const struct picture *p, const struct box *b)
{
	static const char *const classes[] = { "m", "v", "w", "w" };
	/* The colour shows whose move led to the box, counted from the seat of the root. */
	static const char *const seats[] = { "n own", "n", "n third", "n fourth" };
	const struct trace_node *n = &p->t->nodes[b->node];
	struct trace_label lines[4];
	const int count = box_lines(p, b, lines), seat_count = p->game->seats;
	const bool stub = b->stub >= 0;
	string_addf(p->out, "<g><title>");
	if (stub) {
		for (int k = 0; k < n->untried_count; k++) {
			string_addf(p->out, "%s", k ? " " : "");
			svg_add_text(p->out, trace_untried(p->t, n, k), SVG_WHOLE);
		}
		string_addf(p->out, ": not looked at</title>");
	} else {
		svg_add_text(p->out, trace_name(p->t, n), SVG_WHOLE);
		string_addf(p->out, ": ");
		svg_add_text(p->out, trace_value(n).text, SVG_WHOLE);
		if (n->ply)
			string_addf(p->out, " in %s", trace_window(n).text);
		string_addf(p->out, "%s</title>", n->cut ? ", a cut-off" : "");
	}
	string_addf(p->out,
		    "<rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" "
		    "rx=\"%d\"/>",
		    stub      ? "s"
		    : !n->ply ? "n root"
		    : n->seat == QV_CHANCE
			    ? "n dice"
			    : seats[(n->seat - p->root_seat + seat_count) % seat_count],
		    !stub && n->best ? " b" : "", b->x - b->width / 2.0, b->y - b->height / 2.0,
		    b->width, b->height, n->kind == TRACE_LEAF ? 8 : 2);
	/* The lines stand side by side in a tree that grows to the right, else below each other. */
	double x = b->x - b->width / 2.0 + PAD,
	       y = b->y - b->height / 2.0 + PAD + LINE - (p->rightward ? 6 : 4);
	for (int i = 0; i < count; i++) {
		string_addf(p->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>",
			    stub ? "w" : classes[i], p->rightward ? x : b->x, y,
			    p->rightward ? "" : " text-anchor=\"middle\"");
		svg_add_text(p->out, lines[i].text, SVG_WHOLE);
		string_addf(p->out, "</text>");
		x += (double)(strlen(lines[i].text) + 2) * letter;
		y += p->rightward ? 0 : LINE;
	}
	string_addf(p->out, "</g>\n");
}

/* Light colours, and dark ones where the reader prefers them. */
static const char style[] =
	"<style>"
	"svg{background:#fff}.p{fill:#fff}"
	"text{font:12px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#1b1f24}"
	".m{font-weight:bold}.w{fill:#57606a}"
	".e{fill:none;stroke:#8c959f}.e.b{stroke:#1b1f24;stroke-width:3}.e.s{stroke-dasharray:4 3}"
	".c{fill:none;stroke:#cf222e;stroke-width:3}"
	".n{fill:#fff1e5;stroke:#bc4c00}.n.own{fill:#ddf4ff;stroke:#0969da}.n.root{fill:#f6f8fa;"
	"stroke:#57606a}.n.b{stroke-width:3}.s{fill:none;stroke:#8c959f;stroke-dasharray:4 3}"
	"@media(prefers-color-scheme:dark){svg{background:#0d1117}.p{fill:#0d1117}"
	"text{fill:#e6edf3}.w{fill:#9da7b1}.e.b{stroke:#e6edf3}.c{stroke:#ff7b72}"
	".n{fill:#3d2313;stroke:#db6d28}.n.own{fill:#0c2d52;stroke:#58a6ff}"
	".n.root{fill:#21262d;stroke:#8b949e}}"
	"</style>\n";

/* Added if there are more than two seats, or dice. */
static const char more_style[] =
	"<style>"
	".n.third{fill:#fbefff;stroke:#8250df}.n.fourth{fill:#fff8c5;stroke:#9a6700}"
	".n.dice{fill:#dafbe1;stroke:#1a7f37}"
	"@media(prefers-color-scheme:dark){.n.third{fill:#271052;stroke:#a371f7}"
	".n.fourth{fill:#3b2300;stroke:#d29922}.n.dice{fill:#033a16;stroke:#2ea043}}"
	"</style>\n";

/* Draws the edges first, so that the boxes cover their ends, and the caption below the tree. */
static void draw(const struct picture *p)
{
	static const char *const colours[] = { "Blue", "orange", "purple", "yellow" };
	const bool more = p->game->seats > 2 || p->game->chance;
	/* The caption has one sentence per line; with more colours also whose they are. */
	struct string caption = { .allocator = p->t->setup.allocator };
	string_addf(&caption, "%s\nMove %s, value %s; %llu nodes, %llu leaves, %llu cut-offs.\n",
		    p->t->setup.player, p->t->move, trace_value(&p->t->nodes[0]).text,
		    (unsigned long long)p->t->made, (unsigned long long)p->t->leaves,
		    (unsigned long long)p->t->cuts);
	for (int i = 0; more && i < p->game->seats; i++)
		string_addf(&caption, "%s%s: seat %d", i ? ", " : "", colours[i],
			    (p->root_seat + i) % p->game->seats + 1);
	if (more)
		string_addf(&caption, "%s.\n", p->game->chance ? ", green: chance" : "");
	trace_add_remarks(p->t, &caption, "\n");
	size_t longest = 0;
	int rows = 0;
	for (const char *line = caption.data; line && *line; rows++) {
		const size_t length = strcspn(line, "\n");
		longest = length > longest ? length : longest;
		line += length + 1;
	}
	/* The picture is as wide as the tree or its caption; the tree is centred. */
	const int last = p->levels - 1;
	const double length = p->level_start[last] + p->level_size[last] + MARGIN;
	const double least = 2.0 * MARGIN + (double)longest * letter;
	const double breadth_used = p->across + MARGIN;
	const double drawn = p->rightward ? length : breadth_used - GAP;
	const double width = drawn < least ? least : drawn;
	const double below = p->rightward ? breadth_used : length;
	svg_begin(p->out, width, below + rows * LINE + MARGIN, p->t->setup.player);
	string_addf(p->out, "%s%s<rect class=\"p\" width=\"100%%\" height=\"100%%\"/>\n", style,
		    more ? more_style : "");
	string_addf(p->out, "<g transform=\"translate(%.1f 0)\">\n",
		    p->rightward ? 0 : (width - drawn) / 2);
	for (int i = 1; i < p->count; i++)
		draw_edge(p, &p->boxes[i]);
	for (int i = 0; i < p->count; i++)
		draw_box(p, &p->boxes[i]);
	string_addf(p->out, "</g>\n");
	double y = below + LINE;
	for (const char *line = caption.data; line && *line; y += LINE) {
		char text[512];
		const size_t bytes = strcspn(line, "\n");
		snprintf(text, sizeof text, "%.*s",
			 (int)(bytes < sizeof text ? bytes : sizeof text - 1), line);
		string_addf(p->out, "<text class=\"w\" x=\"%d\" y=\"%.1f\">", MARGIN, y);
		svg_add_text(p->out, text, SVG_WHOLE);
		string_addf(p->out, "</text>\n");
		line += bytes + 1;
	}
	string_addf(p->out, "</svg>\n");
	p->out->failed |= caption.failed;
	string_release(&caption);
}

/* Laid out downwards first. If that is too wide, the layout is done again to the right. */
enum qv_status trace_svg(const struct trace *t, struct string *out, struct qv_error *error)
{
	const struct qv_allocator *a = t->setup.allocator;
	struct picture p = { .t = t, .game = t->setup.rules.game, .out = out };
	p.root_seat = p.game->seat(t->setup.root);
	/* A box for each node and for its stubs. */
	for (int i = 0; i < t->count; i++)
		p.room += 1 + stub_count(&t->nodes[i]);
	p.boxes = mem_new(a, (size_t)p.room, sizeof *p.boxes);
	if (!p.boxes)
		return qv_fail(error, QV_NO_MEMORY, "tree: out of memory");
	lay_out(&p, false);
	if (p.across > WIDEST)
		lay_out(&p, true);
	draw(&p);
	mem_free(a, p.boxes, (size_t)p.room * sizeof *p.boxes);
	return QV_OK;
}
