/*
 * svg.c - a traced tree as a picture.
 * SPDX-License-Identifier: MIT
 *
 * Every node is a box with its move, its value and, if its moves were searched, its window. Leaves
 * (of the picture) stand side by side in their order; a parent is centred over its children. Small
 * trees hang from the top as in textbooks. Wide ones grow to the right, with a row for each leaf, so
 * that a page can be scrolled. The font is monospaced, so the size of a box can be computed.
 */
#include "trace/trace.h"

#include "base/svg.h"

enum {
	LINE = 14, /* height of a line of text, in pixels */
	PAD = 5,
	GAP = 8, /* inside a box; between neighbours */
	LEVEL = 34,
	COLUMN = 40, /* between generations, hanging and growing to the right */
	MARGIN = 12,
	WIDEST = 1600,	/* wider trees grow to the right */
	MOST_STUBS = 3, /* moves not tried that get a box each; more share one */
};

static const double letter = 7.3; /* width; a little more than 0.6 of the size of the font */

/* A box: of a node, or of moves that were not tried there. */
struct box {
	int node, stub; /* stub: -1, or the number of the move not tried */
	int parent;	/* the box it hangs from; -1: none */
	int width, height;
	double x, y; /* of its middle */
};

struct picture {
	const struct trace *t;
	const struct qv_game *game;
	int root_seat;
	struct box *boxes; /* preorder */
	int count, room;
	bool rightward;
	int level_size[QV_MAX_LINE + 4]; /* the largest box of each generation, along its way */
	int level_start[QV_MAX_LINE + 4];
	int levels;
	double across; /* where the next leaf goes */
	struct string *out;
};

/* ---- What a box says ---- */

static int stub_count(const struct trace_node *n)
{
	return n->untried_count > MOST_STUBS ? 1 : n->untried_count;
}

static struct trace_label stub_name(const struct picture *p, const struct box *b)
{
	const struct trace_node *n = &p->t->nodes[b->node];
	struct trace_label w;
	if (n->untried_count > MOST_STUBS)
		snprintf(w.text, sizeof w.text, "%d more", n->untried_count);
	else
		snprintf(w.text, sizeof w.text, "%.60s", trace_untried(p->t, n, b->stub));
	return w;
}

/* The lines of a node's box; returns how many. */
static int box_lines(const struct picture *p, const struct box *b, struct trace_label lines[4])
{
	const struct trace_node *n = &p->t->nodes[b->node];
	int count = 0;
	if (b->stub >= 0) {
		lines[count++] = stub_name(p, b);
		return count;
	}
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

static int ply_of(const struct picture *p, const struct box *b)
{
	return p->t->nodes[b->node].ply + (b->stub >= 0);
}

static void measure(struct picture *p, struct box *b)
{
	struct trace_label lines[4];
	const int count = box_lines(p, b, lines);
	int longest = 0, total = 0;
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
}

static int add_box(struct picture *p, int node, int stub, int parent)
{
	p->boxes[p->count] = (struct box){ .node = node, .stub = stub, .parent = parent };
	measure(p, &p->boxes[p->count]);
	return p->count++;
}

static double breadth(const struct picture *p, const struct box *b)
{
	return p->rightward ? b->height : b->width;
}

static double *across_of(const struct picture *p, struct box *b)
{
	return p->rightward ? &b->y : &b->x;
}

/* A box without any below it: beside the last. */
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

static void lay_out(struct picture *p, bool rightward)
{
	p->rightward = rightward;
	p->count = p->levels = 0;
	p->across = MARGIN;
	memset(p->level_size, 0, sizeof p->level_size);
	place(p, 0, -1);
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

static double length_of(const struct picture *p)
{
	return p->level_start[p->levels - 1] + p->level_size[p->levels - 1] + MARGIN;
}

/* ---- Drawing ---- */

/* From the middle of the parent's near side to that of the child; a bar across it if cut. */
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
	const double x = x1 + 0.7 * (x2 - x1), y = y1 + 0.7 * (y2 - y1);
	const double dx = p->rightward ? 0 : 6, dy = p->rightward ? 6 : 0;
	string_addf(p->out, "<path class=\"c\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x - dx, y - dy,
		    x + dx, y + dy);
}

static void draw_lines(const struct picture *p, const struct box *b)
{
	struct trace_label lines[4];
	const int count = box_lines(p, b, lines);
	double x = b->x - b->width / 2.0 + PAD, y = b->y - b->height / 2.0 + PAD + LINE - 4;
	if (p->rightward)
		y -= 2;
	for (int i = 0; i < count; i++) {
		static const char *const classes[] = { "m", "v", "w", "w" };
		string_addf(p->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>",
			    b->stub >= 0 ? "w" : classes[i], p->rightward ? x : b->x, y,
			    p->rightward ? "" : " text-anchor=\"middle\"");
		svg_add_text(p->out, lines[i].text, SVG_WHOLE);
		string_addf(p->out, "</text>");
		x += (double)(strlen(lines[i].text) + 2) * letter;
		y += p->rightward ? 0 : LINE;
	}
}

static void draw_title(const struct picture *p, const struct box *b)
{
	const struct trace_node *n = &p->t->nodes[b->node];
	string_addf(p->out, "<title>");
	if (b->stub >= 0) {
		for (int k = 0; k < n->untried_count; k++) {
			string_addf(p->out, "%s", k ? " " : "");
			svg_add_text(p->out, trace_untried(p->t, n, k), SVG_WHOLE);
		}
		string_addf(p->out, ": not looked at</title>");
		return;
	}
	svg_add_text(p->out, trace_name(p->t, n), SVG_WHOLE);
	string_addf(p->out, ": ");
	svg_add_text(p->out, trace_value(n).text, SVG_WHOLE);
	if (n->ply)
		string_addf(p->out, " in %s", trace_window(n).text);
	string_addf(p->out, "%s</title>", n->cut ? ", a cut-off" : "");
}

/* Whose move led to the box: the root's seat, those after it in turn, or chance. */
static const char *colour_of(const struct picture *p, const struct trace_node *n)
{
	static const char *const others[] = { "n own", "n", "n third", "n fourth" };
	const int seats = p->game->seats;
	if (!n->ply)
		return "n root";
	return n->seat == QV_CHANCE ? "n dice" : others[(n->seat - p->root_seat + seats) % seats];
}

static void draw_box(const struct picture *p, const struct box *b)
{
	const struct trace_node *n = &p->t->nodes[b->node];
	string_addf(p->out, "<g>");
	draw_title(p, b);
	string_addf(p->out,
		    "<rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" "
		    "rx=\"%d\"/>",
		    b->stub >= 0 ? "s" : colour_of(p, n), b->stub < 0 && n->best ? " b" : "",
		    b->x - b->width / 2.0, b->y - b->height / 2.0, b->width, b->height,
		    n->kind == TRACE_LEAF ? 8 : 2);
	draw_lines(p, b);
	string_addf(p->out, "</g>\n");
}

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

/* Where there are more than two seats, or dice. */
static const char more_style[] =
	"<style>"
	".n.third{fill:#fbefff;stroke:#8250df}.n.fourth{fill:#fff8c5;stroke:#9a6700}"
	".n.dice{fill:#dafbe1;stroke:#1a7f37}"
	"@media(prefers-color-scheme:dark){.n.third{fill:#271052;stroke:#a371f7}"
	".n.fourth{fill:#3b2300;stroke:#d29922}.n.dice{fill:#033a16;stroke:#2ea043}}"
	"</style>\n";

static bool needs_more(const struct picture *p)
{
	return p->game->seats > 2 || p->game->chance;
}

/* Which colour is whose. */
static void add_key(const struct picture *p, struct string *caption)
{
	static const char *const colours[] = { "Blue", "orange", "purple", "yellow" };
	for (int i = 0; i < p->game->seats; i++)
		string_addf(caption, "%s%s: seat %d", i ? ", " : "", colours[i],
			    (p->root_seat + i) % p->game->seats + 1);
	string_addf(caption, "%s.\n", p->game->chance ? ", green: chance" : "");
}

/* What stands below the picture, a line each. */
static void make_caption(const struct picture *p, struct string *caption)
{
	string_addf(caption, "%s\nMove %s, value %s; %llu nodes, %llu leaves, %llu cut-offs.\n",
		    p->t->setup.player, p->t->move, trace_value(&p->t->nodes[0]).text,
		    (unsigned long long)p->t->made, (unsigned long long)p->t->leaves,
		    (unsigned long long)p->t->cuts);
	if (needs_more(p))
		add_key(p, caption);
	trace_add_remarks(p->t, caption, "", "\n");
}

/* How many lines; *longest: of them, in letters. */
static int caption_size(const struct string *caption, size_t *longest)
{
	int rows = 0;
	*longest = 0;
	for (const char *line = caption->data; line && *line; rows++) {
		const size_t length = strcspn(line, "\n");
		*longest = length > *longest ? length : *longest;
		line += length + 1;
	}
	return rows;
}

static void draw_caption(const struct picture *p, const struct string *caption, double y)
{
	for (const char *line = caption->data; line && *line; y += LINE) {
		const size_t length = strcspn(line, "\n");
		char text[512];
		snprintf(text, sizeof text, "%.*s",
			 (int)(length < sizeof text ? length : sizeof text - 1), line);
		string_addf(p->out, "<text class=\"w\" x=\"%d\" y=\"%.1f\">", MARGIN, y);
		svg_add_text(p->out, text, SVG_WHOLE);
		string_addf(p->out, "</text>\n");
		line += length + 1;
	}
}

static void draw(const struct picture *p)
{
	struct string caption = { .allocator = p->t->setup.allocator };
	size_t longest;
	make_caption(p, &caption);
	const int rows = caption_size(&caption, &longest);
	const double least = 2.0 * MARGIN + (double)longest * letter;
	const double breadth_used = p->across + MARGIN, length = length_of(p);
	const double drawn = p->rightward ? length : breadth_used - GAP;
	const double width = drawn < least ? least : drawn;
	const double below = p->rightward ? breadth_used : length;
	const double height = below + rows * LINE + MARGIN;
	svg_begin(p->out, width, height, p->t->setup.player);
	string_addf(p->out, "%s%s<rect class=\"p\" width=\"100%%\" height=\"100%%\"/>\n", style,
		    needs_more(p) ? more_style : "");
	string_addf(p->out, "<g transform=\"translate(%.1f 0)\">\n",
		    p->rightward ? 0 : (width - drawn) / 2);
	for (int i = 1; i < p->count; i++)
		draw_edge(p, &p->boxes[i]);
	for (int i = 0; i < p->count; i++)
		draw_box(p, &p->boxes[i]);
	string_addf(p->out, "</g>\n");
	draw_caption(p, &caption, below + LINE);
	string_addf(p->out, "</svg>\n");
	p->out->failed |= caption.failed;
	string_release(&caption);
}

enum qv_status trace_svg(const struct trace *t, struct string *out, struct qv_error *error)
{
	const struct qv_allocator *a = t->setup.allocator;
	struct picture p = { .t = t, .game = t->setup.rules.game, .out = out };
	p.root_seat = p.game->seat(t->setup.root);
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
