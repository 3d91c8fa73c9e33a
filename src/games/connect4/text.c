/*
 * text.c - positions and moves of connect-four as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the six rows from the top and the side to move, with `x` for Red, who moves first,
 * and `o` for Yellow. The columns played, as digits, are accepted too. The checks refuse positions
 * that no game can reach by their discs, such as two separate fours.
 */
#include "games/connect4/rules.h"

static const char side_letter[2] = { 'x', 'o' };

static uint64_t square(int column, int row)
{
	return UINT64_C(1) << (column * C4_STRIDE + row);
}

void c4_move_text(const struct c4 *s, qv_move move, struct qv_text *out)
{
	(void)s;
	qv_put_char(out, (char)('1' + bits_lowest(move) / C4_STRIDE));
}

static char square_letter(const struct c4 *s, int column, int row)
{
	if (!(s->all & square(column, row)))
		return '.';
	const bool movers = s->mover & square(column, row);
	return side_letter[movers ? c4_seat(s) : 1 - c4_seat(s)];
}

void c4_position_text(const struct c4 *s, struct qv_text *out)
{
	for (int row = C4_HEIGHT - 1; row >= 0; row--) {
		for (int column = 0; column < C4_WIDTH; column++)
			qv_put_char(out, square_letter(s, column, row));
		qv_put_char(out, row ? '/' : ' ');
	}
	qv_put_char(out, side_letter[c4_seat(s)]);
}

/* Plays the columns of the text. */
static enum qv_status parse_columns(struct c4 *s, const char *text, struct qv_error *error)
{
	struct c4 read = { 0, 0 };
	for (int i = 0; text[i]; i++) {
		int32_t points[2];
		if (text[i] < '1' || text[i] > '7')
			return qv_fail(error, QV_BAD_INPUT, "position: a column must be 1 to 7");
		if (c4_result(&read, points) != QV_GOING)
			return qv_fail(error, QV_ILLEGAL,
				       "position: the game is over after %d moves", i);
		const uint64_t column = UINT64_C(0x3f) << (text[i] - '1') * C4_STRIDE;
		const uint64_t move = c4_playable(&read) & column;
		if (!move)
			return qv_fail(error, QV_ILLEGAL, "position: move %d: column %c is full",
				       i + 1, text[i]);
		c4_play(&read, move);
	}
	*s = read;
	return QV_OK;
}

/* Refuses positions that no game can reach. */
static enum qv_status check(const uint64_t discs[2], char side, struct qv_error *error)
{
	const uint64_t all = discs[0] | discs[1];
	if (all & C4_BOARD & ~(all << 1 | C4_BOTTOM))
		return qv_fail(error, QV_ILLEGAL, "position: a disc has an empty place below it");
	const int ahead = bits_count(discs[0]) - bits_count(discs[1]);
	if (ahead != 0 && ahead != 1)
		return qv_fail(
			error, QV_ILLEGAL,
			"position: x moves first, so x must have as many discs as o, or one more");
	if (side != side_letter[ahead])
		return qv_fail(error, QV_ILLEGAL,
			       "position: the number of discs shows that it is %c's turn",
			       side_letter[ahead]);
	if (c4_has_four(discs[ahead]))
		return qv_fail(error, QV_ILLEGAL,
			       "position: the side to move already has four in a row");
	/* Without the disc that was played last, the winner has no four. */
	const uint64_t winner = discs[1 - ahead], tops = all & ~(all >> 1);
	bool possible = !c4_has_four(winner);
	for (uint64_t left = winner & tops; left && !possible; left = bits_rest(left))
		possible = !c4_has_four(winner & ~(left & (0 - left)));
	if (!possible)
		return qv_fail(error, QV_ILLEGAL,
			       "position: no single last move can have completed these fours");
	return QV_OK;
}

enum qv_status c4_position_parse(struct c4 *s, const int64_t *options, const char *text,
				 struct qv_error *error)
{
	uint64_t discs[2] = { 0, 0 };
	(void)options;
	if (text[0] >= '0' && text[0] <= '9')
		return parse_columns(s, text, error);
	for (int row = C4_HEIGHT - 1; row >= 0; row--, text++) {
		for (int column = 0; column < C4_WIDTH; column++, text++) {
			if (*text == 'x' || *text == 'o')
				discs[*text == 'o'] |= square(column, row);
			else if (*text != '.')
				return qv_fail(
					error, QV_BAD_INPUT,
					"position: row %d: expected seven places of 'x', 'o' or '.'",
					row + 1);
		}
		if (*text != (row ? '/' : ' '))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: row %d must be followed by '%c'", row + 1,
				       row ? '/' : ' ');
	}
	if ((text[0] != 'x' && text[0] != 'o') || text[1])
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the side to move, x or o, at the end");
	const enum qv_status status = check(discs, text[0], error);
	if (status == QV_OK)
		*s = (struct c4){ discs[text[0] == 'o'], discs[0] | discs[1] };
	return status;
}

void c4_draw(const struct c4 *s, bool unicode, struct qv_text *out)
{
	for (int row = C4_HEIGHT - 1; row >= 0; row--) {
		qv_put(out, unicode ? "│" : "|");
		for (int column = 0; column < C4_WIDTH; column++) {
			const char letter = square_letter(s, column, row);
			qv_put_char(out, ' ');
			if (unicode)
				qv_put(out, letter == 'x' ? "●" : letter == 'o' ? "○" : "·");
			else
				qv_put_char(out, letter == 'x' ? 'X' : letter == 'o' ? 'O' : '.');
		}
		qv_put(out, unicode ? " │\n" : " |\n");
	}
	qv_put(out, unicode ? "└───────────────┘\n" : "+---------------+\n");
	qv_put(out, "  1 2 3 4 5 6 7\n");
	qv_put(out, unicode ? "  ● Red  ○ Yellow\n" : "  X Red  O Yellow\n");
}
