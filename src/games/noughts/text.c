/*
 * text.c - positions and moves of noughts and crosses as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the nine squares and the side to move: `x..oo..x. x`. The side is redundant, but it
 * makes a position readable and lets the parser check the numbers of marks.
 */
#include "games/noughts/rules.h"

static const char side_letter[2] = { 'x', 'o' };

void noughts_move_text(const struct noughts *s, qv_move move, struct qv_text *out)
{
	(void)s;
	qv_put_char(out, (char)('1' + move));
}

static char square_letter(const struct noughts *s, int square)
{
	return s->stones[0] >> square & 1 ? 'x' : s->stones[1] >> square & 1 ? 'o' : '.';
}

void noughts_position_text(const struct noughts *s, struct qv_text *out)
{
	for (int i = 0; i < 9; i++)
		qv_put_char(out, square_letter(s, i));
	qv_put_char(out, ' ');
	qv_put_char(out, side_letter[noughts_seat(s)]);
}

enum qv_status noughts_position_parse(struct noughts *s, const int64_t *options, const char *text,
				      struct qv_error *error)
{
	(void)options;
	struct noughts read = { { 0, 0 } };
	for (int i = 0; i < 9; i++) {
		if (text[i] == 'x' || text[i] == 'o')
			read.stones[text[i] == 'o'] |= (uint16_t)(1 << i);
		else if (text[i] != '.')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected nine squares of 'x', 'o' or '.'");
	}
	const char *side = text + 9;
	if (side[0] != ' ' || (side[1] != 'x' && side[1] != 'o') || side[2])
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected a blank and the side to move, x or o, at the end");
	const int ahead = bits_count(read.stones[0]) - bits_count(read.stones[1]);
	if (ahead != 0 && ahead != 1)
		return qv_fail(
			error, QV_ILLEGAL,
			"position: x moves first, so x must have as many marks as o, or one more");
	if (side[1] != side_letter[ahead])
		return qv_fail(error, QV_ILLEGAL,
			       "position: the number of marks shows that it is %c's turn",
			       side_letter[ahead]);
	if (noughts_has_line(read.stones[ahead]))
		return qv_fail(error, QV_ILLEGAL,
			       "position: the side to move already has three in a row");
	*s = read;
	return QV_OK;
}

void noughts_draw(const struct noughts *s, bool unicode, struct qv_text *out)
{
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			const int square = row * 3 + column;
			const char letter = square_letter(s, square);
			const char number = (char)('1' + square);
			qv_put(out, column ? (unicode ? "│ " : "| ") : " ");
			qv_put_char(out, letter == 'x' ? 'X' : letter == 'o' ? 'O' : number);
			qv_put_char(out, ' ');
		}
		qv_put_char(out, '\n');
		if (row < 2)
			qv_put(out, unicode ? "───┼───┼───\n" : "---+---+---\n");
	}
}
