/*
 * board.c - hexapawn on a page: a 3x3 chess board with pawns.
 * SPDX-License-Identifier: MIT
 *
 * Cells are numbered as the squares of rules.h, from a1. A move is two clicks, from and to.
 */
#include "games/pictures.h"
#include "games/hexapawn/rules.h"

static const struct qv_piece pieces[] = {
	{ .name = "white pawn", .body = picture_pawn, .detail = picture_pawn_folds,
	  .paint = QV_PAINT_LIGHT, .seat = HEXAPAWN_WHITE },
	{ .name = "black pawn", .body = picture_pawn, .detail = picture_pawn_folds,
	  .paint = QV_PAINT_DARK, .seat = HEXAPAWN_BLACK },
	{ .name = NULL },
};

static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	qv_add_squares(l, 3, 3);
	l->turnable = true;
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct hexapawn *s = state;
	int n = 0;
	for (int16_t i = 0; i < 9; i++)
		for (int16_t seat = 0; seat < 2; seat++)
			if (s->pawns[seat] >> i & 1)
				list[n++] = (struct qv_standing){ i, seat, 1 };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)(move & 15);
	cells[1] = (int16_t)(move >> HEXAPAWN_TO);
	return 2;
}

/* The pawn that has reached the far rank. */
static int marks(const void *state, int16_t *cells)
{
	const struct hexapawn *s = state;
	int n = 0;
	for (int seat = 0; seat < 2; seat++)
		for (int left = s->pawns[seat] & hexapawn_goal[seat]; left; left &= left - 1)
			cells[n++] = (int16_t)bits_lowest((uint64_t)left);
	return n;
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	char text[] = ".../.../... w";
	for (int i = 0; i < count; i++)
		text[4 * (2 - list[i].cell / 3) + list[i].cell % 3] = "Pp"[list[i].piece];
	text[12] = "wb"[seat];
	return hexapawn_position_parse(state, options, text, error);
}

const struct qv_board hexapawn_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .marks = marks,
	.set_up = set_up,
};
