/*
 * solo.c - frogs and toads: one seat.
 * SPDX-License-Identifier: MIT
 *
 * Three frogs look right, three toads look left: `FFF.TTT`. An animal steps into the empty cell
 * before it, or jumps into it over one of the other kind. The game ends when nobody can move, with
 * a point if all have changed places. That takes 15 moves, and there are two ways. A move is the
 * cell the animal leaves.
 */
#include "toys/toys.h"

enum { CELLS = 7 };

static const char solo_first[] = "FFF.TTT", solo_last[] = "TTT.FFF";

struct solo {
	char cell[CELLS];
};
_Static_assert(sizeof(struct solo) == CELLS, "no padding");

static void solo_start(const int64_t *options, void *state)
{
	(void)options;
	memcpy(((struct solo *)state)->cell, solo_first, CELLS);
}

static int solo_seat(const void *state)
{
	(void)state;
	return 0;
}

/* Where the animal on a cell goes; -1: nowhere. */
static int solo_target(const struct solo *s, int cell)
{
	const char other = s->cell[cell] == 'F' ? 'T' : 'F';
	const int ahead = s->cell[cell] == 'F' ? 1 : -1;
	int to = cell + ahead;
	if (s->cell[cell] == '.')
		return -1;
	if (to >= 0 && to < CELLS && s->cell[to] == other)
		to += ahead;
	return to >= 0 && to < CELLS && s->cell[to] == '.' ? to : -1;
}

static int solo_moves(const void *state, qv_move *list)
{
	int n = 0;
	for (int cell = 0; cell < CELLS; cell++)
		if (solo_target(state, cell) >= 0)
			list[n++] = (qv_move)cell;
	return n;
}

static void solo_play(void *state, qv_move move)
{
	struct solo *s = state;
	s->cell[solo_target(s, (int)move)] = s->cell[move];
	s->cell[move] = '.';
}

static enum qv_outcome solo_result(const void *state, int32_t *points)
{
	const struct solo *s = state;
	qv_move list[CELLS];
	if (solo_moves(s, list))
		return QV_GOING;
	points[0] = memcmp(s->cell, solo_last, CELLS) == 0;
	return QV_ENDED;
}

static uint64_t solo_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct solo));
}

static void solo_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move + 1);
}

static void solo_position_text(const void *state, struct qv_text *out)
{
	for (int cell = 0; cell < CELLS; cell++)
		qv_put_char(out, ((const struct solo *)state)->cell[cell]);
}

static enum qv_status solo_position_parse(const int64_t *options, const char *text, void *state,
					  struct qv_error *error)
{
	(void)options;
	int frogs = 0, toads = 0;
	if (strlen(text) != CELLS)
		return qv_fail(error, QV_BAD_INPUT, "position: %d cells are expected", CELLS);
	for (int cell = 0; cell < CELLS; cell++) {
		frogs += text[cell] == 'F';
		toads += text[cell] == 'T';
		if (!strchr("FT.", text[cell]))
			return qv_fail(error, QV_BAD_INPUT, "position: a cell is 'F', 'T' or '.'");
	}
	if (frogs != 3 || toads != 3)
		return qv_fail(error, QV_ILLEGAL,
			       "position: there are three frogs and three toads");
	memcpy(((struct solo *)state)->cell, text, CELLS);
	return QV_OK;
}

const struct qv_game toy_solo = {
	QV_HEAD(qv_game), .name = "toy-solo", .title = "Frogs and toads",
	.seats = 1, .state_size = sizeof(struct solo), .max_moves = CELLS, .max_plies = 15,
	.start = solo_start, .seat = solo_seat, .moves = solo_moves, .play = solo_play,
	.result = solo_result, .hash = solo_hash,
	.move_text = solo_move_text, .position_text = solo_position_text,
	.position_parse = solo_position_parse,
};
