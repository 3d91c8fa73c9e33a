/*
 * text.c - positions and moves of Race! as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the squares of each seat's pieces, the seat to move and its roll, or - before it:
 * `0,3,3,18 0,0,7,12 2 5`. Squares are in ascending order, so that each position has one text.
 */
#include "base/scan.h"
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

/*
 * Accepts the number of a piece, 1 to 4, as the 1983 program asked for it, and its 0 for no move.
 * Pieces on the same square are interchangeable here, so they are numbered by their order on the
 * track, from the start.
 */
bool race_move_parse(const struct race *s, const char *text, qv_move *move)
{
	if (!s->roll || text[0] < '0' || text[0] > '0' + RACE_PIECES || text[1])
		return false;
	*move = text[0] == '0' ? RACE_PASS : s->at[s->turn][text[0] - '1'];
	return true;
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

/* ---- Reading ---- */

enum qv_status race_position_parse(struct race *s, const int64_t *options, const char *text,
				   struct qv_error *error)
{
	struct race read;
	(void)options;
	for (int i = 0; i < 2 * RACE_PIECES; i++) {
		const int place = i % RACE_PIECES;
		uint8_t *at = read.at[i / RACE_PIECES];
		int square;
		if (!scan_count(&text, RACE_HOME, &square) ||
		    *text++ != (place + 1 < RACE_PIECES ? ',' : ' '))
			return qv_fail(
				error, QV_BAD_INPUT,
				"position: expected four squares from 0 to %d with commas, a blank, "
				"and four more",
				RACE_HOME);
		at[place] = (uint8_t)square;
		if (place && at[place] < at[place - 1])
			return qv_fail(error, QV_BAD_INPUT,
				       "position: the squares must be in ascending order");
	}
	if ((text[0] != '1' && text[0] != '2') || text[1] != ' ')
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected the seat to move, 1 or 2, after the squares, and "
			"a blank");
	if ((text[2] != '-' && (text[2] < '1' || text[2] > '6')) || text[3])
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected a roll from 1 to 6, or '-' before the roll, at the end");
	read.turn = (uint8_t)(text[0] - '1');
	read.roll = text[2] == '-' ? 0 : (uint8_t)(text[2] - '0');
	/* Refuse what no game can reach. */
	const uint32_t both = race_squares(&read, 0) & race_squares(&read, 1);
	if (both)
		return qv_fail(error, QV_ILLEGAL, "position: both seats have pieces on square %d",
			       bits_lowest(both));
	if (race_is_home(&read, 0) && race_is_home(&read, 1))
		return qv_fail(error, QV_ILLEGAL, "position: both seats have all pieces home");
	if (race_has_ended(&read) && read.roll)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the game is over, so there can be no roll");
	*s = read;
	return QV_OK;
}

/* ---- Drawing ---- */

/* A line for each seat: the pieces on the start, on each square of the track, and home. */
void race_draw(const struct race *s, bool unicode, struct qv_text *out)
{
	qv_put(out, "                 11111111\n"
		    "  start 12345678901234567 home\n");
	for (int seat = 0; seat < 2; seat++) {
		qv_put_int(out, seat + 1);
		for (int square = RACE_START; square <= RACE_HOME; square++) {
			const bool track = RACE_TRACK >> square & 1;
			const int pieces = race_pieces_on(s, seat, square);
			qv_put(out, track && square > RACE_ENTRY ? "" : "   ");
			if (pieces || !track)
				qv_put_int(out, pieces);
			else
				qv_put(out, unicode ? "·" : ".");
		}
		qv_put_char(out, '\n');
	}
	if (s->roll) {
		qv_put(out, "rolled: ");
		qv_put_int(out, s->roll);
		qv_put_char(out, '\n');
	}
}
