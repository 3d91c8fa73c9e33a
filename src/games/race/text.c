/*
 * text.c - positions and moves of Race! as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the squares of each seat's pieces, the seat to move and its roll, or - before it:
 * `0,3,3,18 0,0,7,12 2 5`. Squares are in ascending order, so that each position has one text.
 */
#include "games/race/rules.h"

void race_move_text(const struct race *s, qv_move move, struct qv_text *out)
{
	if (!s->roll) {
		qv_put(out, "roll ");
		qv_put_int(out, (int64_t)move);
	} else if (move == RACE_PASS) {
		qv_put(out, "pass");
	} else {
		qv_put_int(out, (int64_t)move);
		qv_put_char(out, '-');
		qv_put_int(out, race_target((int)move, s->roll));
	}
}

void race_position_text(const struct race *s, struct qv_text *out)
{
	for (int seat = 0; seat < 2; seat++)
		for (int i = 0; i < RACE_PIECES; i++) {
			qv_put_int(out, s->at[seat][i]);
			qv_put_char(out, i + 1 < RACE_PIECES ? ',' : ' ');
		}
	qv_put_char(out, (char)('1' + s->turn));
	qv_put_char(out, ' ');
	qv_put_char(out, s->roll ? (char)('0' + s->roll) : '-');
}

/* ---- reading ---- */

/* Reads a square from 0 to 18, without leading zeros, and the character after it. */
static bool read_square(const char **text, char after, uint8_t *out)
{
	const char *t = *text;
	if (*t < '0' || *t > '9')
		return false;
	int square = *t++ - '0';
	if (square == 1 && *t >= '0' && *t <= '8')
		square = 10 + (*t++ - '0');
	if (*t != after)
		return false;
	*text = t + 1;
	*out = (uint8_t)square;
	return true;
}

static enum qv_status read_pieces(const char **text, uint8_t at[RACE_PIECES],
				  struct qv_error *error)
{
	for (int i = 0; i < RACE_PIECES; i++) {
		if (!read_square(text, i + 1 < RACE_PIECES ? ',' : ' ', &at[i]))
			return qv_fail(
				error, QV_BAD_INPUT,
				"position: expected four squares from 0 to %d with commas, a blank, "
				"and four more",
				RACE_HOME);
		if (i && at[i] < at[i - 1])
			return qv_fail(error, QV_BAD_INPUT,
				       "position: the squares must be in ascending order");
	}
	return QV_OK;
}

static enum qv_status check(const struct race *s, struct qv_error *error)
{
	if (race_squares(s, 0) & race_squares(s, 1))
		return qv_fail(error, QV_ILLEGAL, "position: both seats have pieces on square %d",
			       bits_lowest(race_squares(s, 0) & race_squares(s, 1)));
	if (race_is_home(s, 0) && race_is_home(s, 1))
		return qv_fail(error, QV_ILLEGAL, "position: both seats have all pieces home");
	if (race_has_ended(s) && s->roll)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the game is over, so there can be no roll");
	return QV_OK;
}

enum qv_status race_position_parse(struct race *s, const int64_t *options, const char *text,
				   struct qv_error *error)
{
	(void)options;
	struct race read;
	enum qv_status status = QV_OK;
	for (int seat = 0; seat < 2 && status == QV_OK; seat++)
		status = read_pieces(&text, read.at[seat], error);
	if (status != QV_OK)
		return status;
	if ((text[0] != '1' && text[0] != '2') || text[1] != ' ')
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected the seat to move, 1 or 2, after the squares, and "
			"a blank");
	read.turn = (uint8_t)(text[0] - '1');
	text += 2;
	if ((text[0] != '-' && (text[0] < '1' || text[0] > '6')) || text[1])
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected a roll from 1 to 6, or '-' before the roll, at the end");
	read.roll = text[0] == '-' ? 0 : (uint8_t)(text[0] - '0');
	status = check(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/* ---- drawing ---- */

static int pieces_on(const struct race *s, int seat, int square)
{
	int pieces = 0;
	for (int i = 0; i < RACE_PIECES; i++)
		pieces += s->at[seat][i] == square;
	return pieces;
}

static void draw_seat(const struct race *s, int seat, bool unicode, struct qv_text *out)
{
	qv_put_int(out, seat + 1);
	qv_put(out, "   ");
	qv_put_int(out, pieces_on(s, seat, RACE_START));
	qv_put(out, "   ");
	for (int square = RACE_ENTRY; square < RACE_HOME; square++) {
		const int pieces = pieces_on(s, seat, square);
		if (pieces)
			qv_put_int(out, pieces);
		else
			qv_put(out, unicode ? "·" : ".");
	}
	qv_put(out, "   ");
	qv_put_int(out, pieces_on(s, seat, RACE_HOME));
	qv_put_char(out, '\n');
}

void race_draw(const struct race *s, bool unicode, struct qv_text *out)
{
	qv_put(out, "                 11111111\n"
		    "  start 12345678901234567 home\n");
	for (int seat = 0; seat < 2; seat++)
		draw_seat(s, seat, unicode, out);
	if (s->roll) {
		qv_put(out, "rolled: ");
		qv_put_int(out, s->roll);
		qv_put_char(out, '\n');
	}
}
