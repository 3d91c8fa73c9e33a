/*
 * board.c - noughts and crosses on a page: four grid lines, crosses and noughts.
 * SPDX-License-Identifier: MIT
 *
 * The pieces are SVG paths from games/pictures.h. A cell is the number of its square, so a click, a
 * mark and a move are the same number.
 */
#include "games/pictures.h"
#include "games/noughts/rules.h"

static const struct qv_piece pieces[] = {
	{ .name = "cross", .body = picture_cross, .detail = picture_cross_shine,
	  .paint = QV_PAINT_BLUE, .seat = 0 },
	{ .name = "nought", .body = picture_ring, .detail = picture_ring_shine,
	  .paint = QV_PAINT_RED, .seat = 1 },
	{ .name = NULL },
};

static void layout(const int64_t *options, struct qv_layout *l)
{
	enum { MARGIN = 15, END = MARGIN + 300 };
	(void)options;
	l->width = l->height = END + MARGIN;
	for (int i = 0; i < 9; i++) {
		const char name[2] = { (char)('1' + i), '\0' };
		const int row = i / 3, column = i % 3;
		struct qv_cell *cell = qv_add_cell(l, name, MARGIN + 50 + 100 * column,
						   MARGIN + 50 + 100 * row);
		cell->row = (int16_t)row;
		cell->column = (int16_t)column;
	}
	for (int i = 1; i < 3; i++) {
		qv_add_line(l, MARGIN + 100 * i, MARGIN, MARGIN + 100 * i, END);
		qv_add_line(l, MARGIN, MARGIN + 100 * i, END, MARGIN + 100 * i);
	}
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct noughts *s = state;
	int n = 0;
	for (int16_t i = 0; i < 9; i++)
		if (noughts_occupied(s) >> i & 1)
			list[n++] = (struct qv_standing){ i, s->stones[1] >> i & 1, 1 };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)move;
	return 1;
}

/* The squares of completed lines, highlighted at the end of a game. */
static int marks(const void *state, int16_t *cells)
{
	const struct noughts *s = state;
	int n = 0, lines = 0;
	for (int seat = 0; seat < 2; seat++)
		for (int i = 0; i < NOUGHTS_LINES; i++)
			if (!(noughts_lines[i] & ~s->stones[seat]))
				lines |= noughts_lines[i];
	for (; lines; lines &= lines - 1)
		cells[n++] = (int16_t)bits_lowest((uint64_t)lines);
	return n;
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	char text[] = "......... x";
	for (int i = 0; i < count; i++)
		text[list[i].cell] = "xo"[list[i].piece];
	text[10] = "xo"[seat];
	return noughts_position_parse(state, options, text, error);
}

const struct qv_board noughts_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .marks = marks,
	.set_up = set_up,
};
