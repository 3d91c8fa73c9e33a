/*
 * draw.c - backgammon for a terminal, as seat 1 sees the board.
 * SPDX-License-Identifier: MIT
 *
 *     13 14 15 16 17 18 |  |19 20 21 22 23 24     Five men of a stack are shown, or their number in
 *      O           X    |  | X              O     the fifth row. Men of seat 1 on the bar are in the
 *                       |  |                      upper half, where they enter.
 *     12 11 10  9  8  7 |  | 6  5  4  3  2  1
 */
#include "games/backgammon/rules.h"

enum { ROWS = 5, HALF = 12, QUARTER = 6 };

static const char *symbol(int seat, bool unicode)
{
	return unicode ? (seat ? "●" : "○") : (seat ? "X" : "O");
}

/* Row 0 is at the edge of the board, row ROWS - 1 in the middle. */
static void draw_stack(int seat, int men, int row, bool unicode, struct qv_text *out)
{
	if (men <= row)
		qv_put_char(out, ' ');
	else if (row == ROWS - 1 && men > ROWS)
		qv_put_int(out, men);
	else
		qv_put(out, symbol(seat, unicode));
}

/* The point of seat 1 in a column of a half. */
static int point_at(bool upper, int column)
{
	return upper ? HALF + 1 + column : HALF - column;
}

static void draw_row(const struct backgammon *s, bool upper, int row, bool unicode,
		     struct qv_text *out)
{
	for (int column = 0; column < HALF; column++) {
		const int point = point_at(upper, column);
		const int other = s->men[1][BACKGAMMON_BAR - point];
		const int men = other ? other : s->men[0][point];
		if (column == QUARTER) {
			const int bar = s->men[!upper][BACKGAMMON_BAR];
			qv_put(out, row == ROWS - 1 && bar > 9 ? "|" : "| ");
			draw_stack(!upper, bar, row, unicode, out);
			qv_put_char(out, '|');
		}
		qv_put(out, row == ROWS - 1 && men > 9 ? "" : " ");
		draw_stack(other > 0, men, row, unicode, out);
		qv_put(out, column + 1 < HALF ? " " : "\n");
	}
}

static void draw_numbers(bool upper, struct qv_text *out)
{
	for (int column = 0; column < HALF; column++) {
		const int point = point_at(upper, column);
		qv_put(out, column == QUARTER ? "|  |" : "");
		qv_put(out, point < 10 ? " " : "");
		qv_put_int(out, point);
		qv_put(out, column + 1 < HALF ? " " : "\n");
	}
}

void backgammon_draw(const struct backgammon *s, bool unicode, struct qv_text *out)
{
	char id[BACKGAMMON_ID + 1];
	draw_numbers(true, out);
	for (int row = 0; row < ROWS; row++)
		draw_row(s, true, row, unicode, out);
	qv_put(out, "                  |  |\n");
	for (int row = ROWS; row-- > 0;)
		draw_row(s, false, row, unicode, out);
	draw_numbers(false, out);
	for (int seat = 0; seat < 2; seat++) {
		qv_put(out, symbol(seat, unicode));
		qv_put(out, ": off ");
		qv_put_int(out, s->men[seat][BACKGAMMON_OFF]);
		qv_put(out, ", pips ");
		qv_put_int(out, backgammon_pips(s->men[seat]));
		if (s->phase == BACKGAMMON_MOVE && s->turn == seat) {
			qv_put(out, ", rolled ");
			qv_put_int(out, 10 * s->dice[0] + s->dice[1]);
		} else if (s->phase == BACKGAMMON_ROLL && s->turn == seat) {
			qv_put(out, backgammon_has_ended(s) ? ", lost" : ", to roll");
		}
		qv_put_char(out, '\n');
	}
	backgammon_write_id(s, id);
	qv_put(out, "ID: ");
	qv_put(out, id);
	qv_put_char(out, '\n');
}
