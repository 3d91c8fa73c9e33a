/*
 * board_svg.c - a position as a picture.
 * SPDX-License-Identifier: MIT
 *
 * It draws the layers of quevedo/board.h on top of each other: ground, cells, marks, lines, labels,
 * pieces. User interfaces do the same with their own colours (docs/boards.md).
 */
#include "formats/board_svg.h"

#include <stdlib.h>

#include "base/svg.h"
#include "core/context.h"
#include "formats/starmap_svg.h"

enum {
	RIM = 10,
	PIXELS = 480, /* the longer side of the picture */
	LABEL = 22,   /* the usual size of labels */
};

/* The colour of each tone, and of a label on it. */
static const struct {
	const char *fill, *label;
} tones[QV_TONES] = {
	[QV_TONE_NONE] = { "#fbfaf6", "#77727f" },   [QV_TONE_LIGHT] = { "#f2dfc0", "#8a6038" },
	[QV_TONE_DARK] = { "#bb8d62", "#fbeed6" },   [QV_TONE_FELT] = { "#23865a", "#e4f4ea" },
	[QV_TONE_WOOD] = { "#6f4425", "#ecd3ae" },   [QV_TONE_FRAME] = { "#2563c4", "#dce9ff" },
	[QV_TONE_HOLE] = { "#153b7d", "#dce9ff" },   [QV_TONE_TRAY] = { "#1a6443", "#e4f4ea" },
};

static const struct {
	const char *fill, *outline, *detail;
} paints[QV_PAINTS] = {
	[QV_PAINT_LIGHT] = { "#fdfaf3", "#453c33", "#453c33" },
	[QV_PAINT_DARK] = { "#34302e", "#120f0e", "#8d857d" },
	[QV_PAINT_RED] = { "#dd4036", "#8c1b15", "#f59a8f" },
	[QV_PAINT_YELLOW] = { "#f9ca3a", "#a87408", "#cf9a16" },
	[QV_PAINT_BLUE] = { "#3373d6", "#173f85", "#9cc2fb" },
	[QV_PAINT_GREEN] = { "#37a866", "#15613a", "#9fe0bb" },
	[QV_PAINT_GREY] = { "#8f949d", "#4b4f57", "#c9ccd2" },
};

struct picture {
	const struct qv_board *board;
	struct qv_layout layout;
	struct string *out;
};

/* A plug-in may pass an invalid tone. */
static unsigned tone_of(unsigned tone)
{
	return tone < QV_TONES ? tone : 0;
}

/* ---- Cells ---- */

/* Starts the element of a cell's outline; the caller closes it. */
static void begin_shape(struct string *out, const struct qv_cell *c)
{
	const double w = c->width / 2.0, h = c->height / 2.0, s = c->slant / 2.0;
	if (c->shape == QV_ELLIPSE)
		string_addf(out, "<ellipse cx='%d' cy='%d' rx='%g' ry='%g'", c->x, c->y, w, h);
	else if (c->shape == QV_HEXAGON)
		string_addf(out, "<path d='M%d %gl%g %gv%gl%g %gl%g %gv%gz'", c->x, c->y - h, w,
			    h / 2, h, -w, h / 2, -w, -h / 2, -h);
	else if (c->shape == QV_TRIANGLE || c->shape == QV_TRIANGLE_DOWN)
		string_addf(out, "<path d='M%g %gh%dL%d %gz'", c->x - w,
			    c->shape == QV_TRIANGLE ? c->y + h : c->y - h, c->width, c->x,
			    c->shape == QV_TRIANGLE ? c->y - h : c->y + h);
	else if (c->slant)
		string_addf(out, "<path d='M%g %gh%dl%g %dh%dz'", c->x - w + s, c->y - h, c->width,
			    -2 * s, c->height, -c->width);
	else
		string_addf(out, "<rect x='%g' y='%g' width='%d' height='%d'%s", c->x - w, c->y - h,
			    c->width, c->height, c->tone == QV_TONE_TRAY ? " rx='12'" : "");
}

/* Writes the head of the document. */
static void put_head(struct picture *p, const struct qv_game *game, const char *position)
{
	const struct qv_layout *l = &p->layout;
	const int longer = l->width > l->height ? l->width : l->height;
	string_addf(p->out,
		    "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
		    "viewBox='0 0 %d %d' role='img'>\n<title>",
		    PIXELS * l->width / longer, PIXELS * l->height / longer, l->width, l->height);
	svg_add_text(p->out, game->title, SVG_WHOLE);
	string_addf(p->out, ": ");
	svg_add_text(p->out, position, SVG_WHOLE);
	string_addf(p->out, "</title>\n");
}

/* Writes the ground and the cells. */
static void put_ground(struct picture *p)
{
	const struct qv_layout *l = &p->layout;
	string_addf(p->out, "<rect width='%d' height='%d' rx='%d' fill='%s'/>\n", l->width,
		    l->height, RIM, tones[tone_of(l->ground)].fill);
	for (const struct qv_cell *c = l->cells; c < l->cells + l->cell_count; c++) {
		if (c->shape == QV_POINT || tone_of(c->tone) == QV_TONE_NONE)
			continue;
		begin_shape(p->out, c);
		string_addf(p->out, " fill='%s'/>\n", tones[tone_of(c->tone)].fill);
	}
}

/* Marks cells. In round cells the piece covers the whole cell, so they get a ring on top of it. */
static void put_marks(struct picture *p, const int16_t *cells, int count, bool round)
{
	for (int i = 0; i < count; i++) {
		const struct qv_cell *c = &p->layout.cells[cells[i]];
		if ((c->shape == QV_ELLIPSE || c->shape == QV_POINT) != round)
			continue;
		begin_shape(p->out, c);
		string_addf(p->out, round ? " fill='none' stroke='#fff' stroke-width='8'/>\n"
					  : " fill='#ffd83d' fill-opacity='.6'/>\n");
	}
}

/* ---- Lines and labels ---- */

/* A line without length is a dot. */
static void put_lines_and_labels(struct picture *p)
{
	const struct qv_layout *l = &p->layout;
	string_addf(p->out, "<g stroke='#0d1a14' stroke-opacity='.62' stroke-linecap='round'>\n");
	for (const struct qv_line *i = l->lines; i < l->lines + l->line_count; i++)
		string_addf(p->out, "<path d='M%d %dL%d %d' stroke-width='%s'/>\n", i->x1, i->y1,
			    i->x2, i->y2, i->x1 == i->x2 && i->y1 == i->y2 ? "15" : "4");
	const int size = l->label_size ? l->label_size : LABEL;
	string_addf(p->out,
		    "</g>\n<g font-family='sans-serif' font-size='%d' font-weight='600' "
		    "text-anchor='middle'>\n",
		    size);
	for (const struct qv_label *i = l->labels; i < l->labels + l->label_count; i++) {
		/* Its colour depends on the topmost cell beneath it. */
		unsigned tone = l->ground;
		for (const struct qv_cell *c = l->cells; c < l->cells + l->cell_count; c++)
			if (c->tone && 2 * abs(i->x - c->x) <= c->width &&
			    2 * abs(i->y - c->y) <= c->height)
				tone = c->tone;
		string_addf(p->out, "<text x='%d' y='%d' fill='%s'>", i->x, i->y + size * 8 / LABEL,
			    tones[tone_of(tone)].label);
		svg_add_text(p->out, i->text, SVG_WHOLE);
		string_addf(p->out, "</text>\n");
	}
	string_addf(p->out, "</g>\n");
}

/* ---- Pieces ---- */

/* Starts a path element; the caller adds attributes and closes it. */
static void begin_path(struct string *out, const char *d)
{
	string_addf(out, "<path d='");
	svg_add_text(out, d, SVG_WHOLE);
	string_addf(out, "' ");
}

static unsigned paint_of(const struct qv_piece *piece)
{
	return piece->paint < QV_PAINTS ? piece->paint : 0;
}

/*
 * Draws a piece with a shadow below it. Its paths are in hundredths of the cell, whose slant and
 * size the matrix applies.
 */
static void put_piece_at(struct picture *p, const struct qv_cell *c, const struct qv_piece *piece,
			 int y)
{
	const unsigned paint = paint_of(piece);
	const int smaller = c->width < c->height ? c->width : c->height;
	string_addf(p->out,
		    "<g transform='matrix(%g 0 %g %g %d %d)' stroke-width='3' "
		    "stroke-linejoin='round' stroke-linecap='round'>",
		    (c->slant ? c->width : smaller) / 100.0, -c->slant / 100.0,
		    (c->slant ? c->height : smaller) / 100.0, c->x, y);
	begin_path(p->out, piece->body);
	string_addf(p->out, "transform='translate(0 3)' fill='#000' stroke='#000' opacity='.28'/>");
	begin_path(p->out, piece->body);
	string_addf(p->out, "fill='%s' stroke='%s'/>", paints[paint].fill, paints[paint].outline);
	if (piece->detail) {
		begin_path(p->out, piece->detail);
		string_addf(p->out, "fill='none' stroke='%s'/>", paints[paint].detail);
	}
	string_addf(p->out, "</g>\n");
}

/* Draws as many pieces as fit, and their number on the last one if there are more. */
static void put_stack(struct picture *p, const struct qv_cell *c, const struct qv_standing *s)
{
	const struct qv_piece *piece = &p->board->pieces[s->piece];
	const int room = 1 + 100 * (c->height - c->width) / (QV_STACK_STEP * c->width);
	const int up = c->stack == QV_STACK_UP ? 1 : -1;
	int y = 0;
	for (int i = 0; i < s->count && i < room; i++) {
		y = c->y + up * ((c->height - c->width) / 2 - i * QV_STACK_STEP * c->width / 100);
		put_piece_at(p, c, piece, y);
	}
	if (s->count > room)
		string_addf(p->out,
			    "<text x='%d' y='%d' font-family='sans-serif' font-size='44' "
			    "font-weight='700' text-anchor='middle' fill='%s'>%d</text>\n",
			    c->x, y + 15, paints[paint_of(piece)].detail, s->count);
}

/* Several pieces are a stack, or get their number in a corner. */
static void put_pieces(struct picture *p, const struct qv_standing *s)
{
	const struct qv_cell *c = &p->layout.cells[s->cell];
	if (c->stack) {
		put_stack(p, c, s);
		return;
	}
	put_piece_at(p, c, &p->board->pieces[s->piece], c->y);
	const int x = c->x + c->width / 2 - 20, y = c->y + c->height / 2 - 20;
	if (s->count != 1)
		string_addf(p->out,
			    "<circle cx='%d' cy='%d' r='17' fill='#2b2724' stroke='#fff' "
			    "stroke-width='2.5'/>"
			    "<text x='%d' y='%d' font-family='sans-serif' font-size='23' "
			    "font-weight='700' text-anchor='middle' fill='#fff'>%d</text>\n",
			    x, y, x, y + 8, s->count);
}

/* ---- The whole ---- */

/* Marks on square cells lie under the pieces, those on round cells above them. */
static void put_board(struct picture *p, const void *state)
{
	struct qv_standing standing[QV_MAX_CELLS];
	int16_t marks[QV_MAX_CELLS];
	const int count = p->board->stand(state, standing);
	const int marked = p->board->marks ? p->board->marks(state, marks) : 0;
	put_ground(p);
	put_marks(p, marks, marked, false);
	put_lines_and_labels(p);
	for (int i = 0; i < count; i++)
		put_pieces(p, &standing[i]);
	put_marks(p, marks, marked, true);
}

enum qv_status board_svg(const struct qv_rules *rules, const void *state, struct string *out,
			 struct qv_error *error)
{
	struct picture p = { .board = rules->game->board, .out = out };
	if (!p.board)
		return qv_fail(error, QV_UNSUPPORTED, "%s: the game has no board",
			       rules->game->name);
	char position[QV_POSITION_TEXT] = "";
	struct qv_text text = { position, sizeof position, 0 };
	rules->game->position_text(state, &text);
	board_layout(rules, &p.layout);
	put_head(&p, rules->game, position);
	if (starmap_is(p.board))
		starmap_add(state, out);
	else
		put_board(&p, state);
	string_addf(out, "</svg>\n");
	return QV_OK;
}
