/*
 * board.c - minichess on a page.
 * SPDX-License-Identifier: MIT
 *
 * Cells are the squares, by their numbers. A move is two clicks, from and to. A pawn that reaches
 * the last rank becomes a queen without asking, because there is no other promotion.
 */
#include "games/pictures.h"
#include "games/minichess/rules.h"

enum { SIDE = MINICHESS_KINDS - 1, PIECES = 2 * SIDE }; /* White's by kind, then Black's */

static const struct qv_piece pieces[PIECES + 1] = {
	PICTURE_CHESS_SET("white", MINICHESS_WHITE, QV_PAINT_LIGHT),
	PICTURE_CHESS_SET("black", MINICHESS_BLACK, QV_PAINT_DARK),
	{ .name = NULL },
};

/* The slots of struct qv_board (quevedo/board.h). */
static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	qv_add_squares(l, MINICHESS_FILES, MINICHESS_RANKS);
	l->turnable = true;
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct minichess *s = state;
	int n = 0;
	for (uint32_t left = s->side[0] | s->side[1]; left; left &= left - 1) {
		const int square = bits_lowest(left), seat = (int)(s->side[1] >> square & 1);
		const int number = SIDE * seat + minichess_kind_at(s, square) - 1;
		list[n++] = (struct qv_standing){ (int16_t)square, (int16_t)number, .count = 1 };
	}
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)minichess_from(move);
	cells[1] = (int16_t)minichess_to(move);
	return 2;
}

/* Kings that could be captured if it were the opponent's turn. */
static int marks(const void *state, int16_t *cells)
{
	const struct minichess *s = state;
	int n = 0;
	for (int seat = 0; seat < 2; seat++) {
		const uint32_t king = minichess_of(s, seat, MINICHESS_KING);
		if (king & minichess_attacks(s, 1 - seat))
			cells[n++] = (int16_t)bits_lowest(king);
	}
	return n;
}

/*
 * Goes through the position text, so that the editor refuses what position_parse refuses. The move
 * number is 1, unless White's king is missing, which cannot be before move 2.
 */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	static const char letters[PIECES + 1] = "PNBRQKpnbrqk";
	char text[] = "1 W/...../...../...../...../...../.....";
	enum { RANKS = sizeof "1 W/" - 1, RANK = MINICHESS_FILES + 1, WHITE_KING = 5 };
	bool white_king = false;
	/* The text has the top rank first. */
	for (int i = 0; i < count; i++) {
		const int rank = list[i].cell / MINICHESS_FILES,
			  file = list[i].cell % MINICHESS_FILES;
		text[RANKS + RANK * (MINICHESS_RANKS - 1 - rank) + file] = letters[list[i].piece];
		white_king |= list[i].piece == WHITE_KING;
	}
	text[0] = seat == 0 && !white_king ? '2' : '1';
	text[2] = "WB"[seat];
	return minichess_position_parse(state, options, text, error);
}

const struct qv_board minichess_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .marks = marks,
	.set_up = set_up,
};
