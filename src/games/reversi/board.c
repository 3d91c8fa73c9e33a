/*
 * board.c - reversi on a page: green felt in a wooden frame, and two-sided discs.
 * SPDX-License-Identifier: MIT
 *
 * Cells are numbered as the squares of rules.h, from a1 at the top left.
 */
#include "games/pictures.h"
#include "games/reversi/rules.h"

static const struct qv_piece pieces[] = {
	{ .name = "black disc", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_DARK, .seat = 0 },
	{ .name = "white disc", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_LIGHT, .seat = 1 },
	{ .name = NULL },
};

static void layout(const int64_t *options, struct qv_layout *l)
{
	enum { MARGIN = 50, END = MARGIN + 800 };
	(void)options;
	l->width = l->height = END + MARGIN;
	l->ground = QV_TONE_WOOD;
	for (int i = 0; i < 64; i++) {
		const int column = i % 8, row = i / 8;
		const char name[3] = { (char)('a' + column), (char)('1' + row) };
		struct qv_cell *cell = qv_add_cell(l, name, MARGIN + 50 + 100 * column,
						   MARGIN + 50 + 100 * row);
		cell->row = (int16_t)row;
		cell->column = (int16_t)column;
		cell->tone = QV_TONE_FELT;
	}
	for (int i = 0; i <= 8; i++) {
		qv_add_line(l, MARGIN + 100 * i, MARGIN, MARGIN + 100 * i, END);
		qv_add_line(l, MARGIN, MARGIN + 100 * i, END, MARGIN + 100 * i);
	}
	for (int i = 0; i < 4; i++) {
		const int x = MARGIN + (i % 2 ? 600 : 200), y = MARGIN + (i / 2 ? 600 : 200);
		qv_add_line(l, x, y, x, y);
	}
	for (int i = 0; i < 8; i++) {
		const char column[2] = { (char)('a' + i) }, row[2] = { (char)('1' + i) };
		qv_add_label(l, column, MARGIN + 50 + 100 * i, MARGIN / 2);
		qv_add_label(l, row, MARGIN / 2, MARGIN + 50 + 100 * i);
	}
}

static uint64_t discs(const struct reversi *s, int seat)
{
	return (uint64_t)seat == s->seat ? s->mover : s->other;
}

static int stand(const void *state, struct qv_standing *list)
{
	int n = 0;
	for (int16_t i = 0; i < 64; i++)
		for (int16_t seat = 0; seat < 2; seat++)
			if (discs(state, seat) >> i & 1)
				list[n++] = (struct qv_standing){ i, seat, 1 };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)move;
	return move != REVERSI_PASS;
}

static int32_t score(const void *state, int seat)
{
	return bits_count(discs(state, seat));
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	char text[64 + 3] = { [64] = ' ', "XO"[seat], '\0' };
	memset(text, '-', 64);
	for (int i = 0; i < count; i++)
		text[list[i].cell] = "XO"[list[i].piece];
	return reversi_position_parse(state, options, text, error);
}

const struct qv_board reversi_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .score = score,
	.set_up = set_up, .notions = reversi_terms,
};
