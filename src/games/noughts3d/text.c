/*
 * text.c - positions and moves of 3D noughts and crosses as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is 64 cells and the side to move. Level A comes first, in each level row 1, in each
 * row column a. A move is column, row and level: `a1A`.
 */
#include "games/noughts3d/rules.h"

static const char side_letter[2] = { 'x', 'o' };

void n3_move_text(const struct n3 *s, qv_move move, struct qv_text *out)
{
	(void)s;
	const int square = bits_lowest(move);
	qv_put_char(out, (char)('a' + (square & 3)));
	qv_put_char(out, (char)('1' + (square >> 2 & 3)));
	qv_put_char(out, (char)('A' + (square >> 4)));
}

static char square_letter(const struct n3 *s, int square)
{
	const int mover = n3_seat(s);
	return s->mine >> square & 1   ? side_letter[mover]
	       : s->theirs >> square & 1 ? side_letter[1 - mover]
					 : '.';
}

void n3_position_text(const struct n3 *s, struct qv_text *out)
{
	for (int i = 0; i < N3_SQUARES; i++)
		qv_put_char(out, square_letter(s, i));
	qv_put_char(out, ' ');
	qv_put_char(out, side_letter[n3_seat(s)]);
}

/* Refuses positions that no game can reach. */
static enum qv_status check(const uint64_t stones[2], char side, struct qv_error *error)
{
	const int ahead = bits_count(stones[0]) - bits_count(stones[1]);
	if (ahead != 0 && ahead != 1)
		return qv_fail(
			error, QV_ILLEGAL,
			"position: x moves first, so x must have as many marks as o, or one more");
	if (side != side_letter[ahead])
		return qv_fail(error, QV_ILLEGAL,
			       "position: the number of marks shows that it is %c's turn",
			       side_letter[ahead]);
	if (n3_has_four(stones[ahead]))
		return qv_fail(error, QV_ILLEGAL,
			       "position: the side to move already has four in a line");
	/* Without the mark that was made last, the winner has no four. */
	const uint64_t winner = stones[1 - ahead];
	bool possible = !n3_has_four(winner);
	for (uint64_t left = winner; left && !possible; left = bits_rest(left))
		possible = !n3_has_four(winner & ~(left & (0 - left)));
	if (!possible)
		return qv_fail(error, QV_ILLEGAL,
			       "position: no single last move can have completed these fours");
	return QV_OK;
}

enum qv_status n3_position_parse(struct n3 *s, const int64_t *options, const char *text,
				 struct qv_error *error)
{
	uint64_t stones[2] = { 0, 0 };
	(void)options;
	for (int i = 0; i < N3_SQUARES; i++) {
		if (text[i] == 'x' || text[i] == 'o')
			stones[text[i] == 'o'] |= UINT64_C(1) << i;
		else if (!text[i])
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected 64 cells, but there are only %d", i);
		else if (text[i] != '.')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: cell %d: expected 'x', 'o' or '.'", i + 1);
	}
	const char *side = text + N3_SQUARES;
	if (side[0] != ' ' || (side[1] != 'x' && side[1] != 'o') || side[2])
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected a blank and the side to move, x or o, at the end");
	const enum qv_status status = check(stones, side[1], error);
	if (status == QV_OK)
		*s = (struct n3){ stones[side[1] == 'o'], stones[side[1] == 'x'] };
	return status;
}

/* The four levels side by side, 39 columns wide. */
void n3_draw(const struct n3 *s, bool unicode, struct qv_text *out)
{
	qv_put(out, "  A         B         C         D\n");
	for (int row = 0; row < N3_SIDE; row++) {
		qv_put_char(out, (char)('1' + row));
		for (int i = 0; i < N3_SIDE * N3_SIDE; i++) {
			const int level = i / N3_SIDE, column = i % N3_SIDE;
			const char letter = square_letter(s, 16 * level + 4 * row + column);
			const char *empty = unicode ? "·" : ".";
			qv_put(out, level && !column ? "   " : " ");
			qv_put(out, letter == 'x' ? "X" : letter == 'o' ? "O" : empty);
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "  a b c d   a b c d   a b c d   a b c d\n");
}
