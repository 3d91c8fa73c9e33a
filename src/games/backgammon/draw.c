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

/* What a seat has done, or has to do. */
static void draw_turn(const struct backgammon *s, int seat, struct qv_text *out)
{
	const bool mine = s->turn == seat, beavered = s->flags & BACKGAMMON_BEAVERED;
	switch (s->phase) {
	case BACKGAMMON_MOVE:
		if (mine) {
			qv_put(out, ", rolled ");
			qv_put_int(out, 10 * s->dice[0] + s->dice[1]);
		}
		break;
	case BACKGAMMON_ROLL:
		if (mine)
			qv_put(out, backgammon_has_ended(s) ? ", lost" : ", to roll");
		break;
	case BACKGAMMON_CUBE:
		qv_put(out, mine ? ", to roll or double" : "");
		break;
	case BACKGAMMON_ANSWER:
		if (mine != beavered) {
			qv_put(out, beavered ? ", beavers to " : ", doubles to ");
			qv_put_int(out, 2 << s->cube);
		}
		break;
	case BACKGAMMON_OVER:
		qv_put(out, mine ? ", won" : ", lost");
		break;
	default:
		break;
	}
}

static void draw_stakes(const struct backgammon *s, bool unicode, struct qv_text *out)
{
	if (!(s->flags & BACKGAMMON_HAS_CUBE))
		return;
	qv_put(out, "cube: ");
	qv_put_int(out, 1 << s->cube);
	qv_put(out, s->owner == BACKGAMMON_MIDDLE ? " in the middle" : " owned by ");
	qv_put(out, s->owner == BACKGAMMON_MIDDLE ? "" : symbol(s->owner, unicode));
	qv_put_char(out, '\n');
	if (!s->match)
		return;
	qv_put(out, "match to ");
	qv_put_int(out, s->match);
	for (int seat = 0; seat < 2; seat++) {
		qv_put(out, seat ? ", " : ": ");
		qv_put(out, symbol(seat, unicode));
		qv_put_char(out, ' ');
		qv_put_int(out, s->score[seat]);
	}
	qv_put(out, s->flags & BACKGAMMON_CRAWFORD_GAME ? ", Crawford game\n" : "\n");
}

void backgammon_draw(const struct backgammon *s, bool unicode, struct qv_text *out)
{
	char id[BACKGAMMON_ID + 1], match_id[BACKGAMMON_MATCH_ID + 1];
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
		draw_turn(s, seat, out);
		qv_put_char(out, '\n');
	}
	draw_stakes(s, unicode, out);
	backgammon_write_id(s, id);
	qv_put(out, "ID: ");
	qv_put(out, id);
	if (s->flags & BACKGAMMON_HAS_CUBE) {
		backgammon_write_match_id(s, match_id);
		qv_put_char(out, ':');
		qv_put(out, match_id);
	}
	qv_put_char(out, '\n');
}
