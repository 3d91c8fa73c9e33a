/*
 * text.c - positions and moves of hexapawn as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the three ranks from the top and the side to move: `ppp/.../PPP w`. A move is
 * `a1-a2`. The checks refuse what no game can reach, except positions with too few pawns, which are
 * useful for study.
 */
#include "base/scan.h"
#include "games/hexapawn/rules.h"

static const char pawn_letter[2] = { 'P', 'p' };
static const char side_letter[2] = { 'w', 'b' };
static const char *const side_name[2] = { "White", "Black" };

static void put_square(struct qv_text *out, int square)
{
	qv_put_char(out, (char)('a' + square % 3));
	qv_put_char(out, (char)('1' + square / 3));
}

void hexapawn_move_text(const struct hexapawn *s, qv_move move, struct qv_text *out)
{
	(void)s;
	put_square(out, (int)(move & 15));
	qv_put_char(out, '-');
	put_square(out, (int)(move >> HEXAPAWN_TO));
}

/* Accepts column and row of both squares, as the 1983 program asked for them: 1,1 1,2. */
bool hexapawn_move_parse(const struct hexapawn *s, const char *text, qv_move *move)
{
	int squares[2];
	(void)s;
	for (int i = 0; i < 2; i++) {
		int column, row;
		text += i ? strspn(text, " ") : 0;
		if (!scan_count(&text, 3, &column) || !scan_literal(&text, ",") ||
		    !scan_count(&text, 3, &row) || !column || !row)
			return false;
		squares[i] = 3 * (row - 1) + column - 1;
	}
	if (*text)
		return false;
	*move = hexapawn_move(1 << squares[0], 1 << squares[1]);
	return true;
}

static char square_letter(const struct hexapawn *s, int square)
{
	for (int seat = 0; seat < 2; seat++)
		if (s->pawns[seat] >> square & 1)
			return pawn_letter[seat];
	return '.';
}

void hexapawn_position_text(const struct hexapawn *s, struct qv_text *out)
{
	for (int row = 2; row >= 0; row--) {
		for (int column = 0; column < 3; column++)
			qv_put_char(out, square_letter(s, 3 * row + column));
		qv_put_char(out, row ? '/' : ' ');
	}
	qv_put_char(out, side_letter[s->turn]);
}

/* Refuses what no game can reach. */
static enum qv_status check(const struct hexapawn *s, struct qv_error *error)
{
	const int mover = s->turn, other = 1 - mover;
	for (int seat = 0; seat < 2; seat++)
		if (bits_count(s->pawns[seat]) > 3)
			return qv_fail(error, QV_ILLEGAL, "position: %s has more than three pawns",
				       side_name[seat]);
	if (!s->pawns[other])
		return qv_fail(error, QV_ILLEGAL, "position: %s has just moved but has no pawn",
			       side_name[other]);
	if (s->pawns[mover] & hexapawn_goal[mover])
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has already won and cannot be to move",
			       side_name[mover]);
	if (bits_count(s->pawns[other] & hexapawn_goal[other]) > 1)
		return qv_fail(
			error, QV_ILLEGAL,
			"position: %s has two pawns on the far rank, but the first one ends the game",
			side_name[other]);
	return QV_OK;
}

enum qv_status hexapawn_position_parse(struct hexapawn *s, const int64_t *options, const char *text,
				       struct qv_error *error)
{
	struct hexapawn read = { .blocked = (uint8_t)options[0] };
	for (int row = 2; row >= 0; row--, text++) {
		for (int column = 0; column < 3; column++, text++) {
			if (*text == 'P' || *text == 'p')
				read.pawns[*text == 'p'] |= (uint16_t)(1 << (3 * row + column));
			else if (*text != '.')
				return qv_fail(
					error, QV_BAD_INPUT,
					"position: rank %d: expected three squares of 'P', 'p' or '.'",
					row + 1);
		}
		if (*text != (row ? '/' : ' '))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: rank %d must be followed by '%c'", row + 1,
				       row ? '/' : ' ');
	}
	if ((text[0] != 'w' && text[0] != 'b') || text[1])
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the side to move, w or b, at the end");
	read.turn = text[0] == 'b';
	const enum qv_status status = check(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

void hexapawn_draw(const struct hexapawn *s, bool unicode, struct qv_text *out)
{
	for (int row = 2; row >= 0; row--) {
		qv_put_char(out, (char)('1' + row));
		for (int column = 0; column < 3; column++) {
			const char letter = square_letter(s, 3 * row + column);
			qv_put_char(out, ' ');
			if (unicode)
				qv_put(out, letter == 'P' ? "♙" : letter == 'p' ? "♟" : "·");
			else
				qv_put_char(out, letter);
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "  a b c\n");
}
