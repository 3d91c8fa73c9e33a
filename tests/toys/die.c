/*
 * die.c - a race with a loaded die, for chance nodes whose outcomes are not equally likely.
 * SPDX-License-Identifier: MIT
 *
 * Two runners start on field 0. Each turn is a throw of 1, 2 or 3, with weights 3, 2 and 1, and
 * then a choice: step one field, or run as many as the die shows (with a 1 there is only the
 * step). Who lands on field 9 wins; who goes beyond it loses. A move is a number of fields, a
 * throw is what the die shows.
 */
#include "toys/toys.h"

enum { GOAL = 9, FACES = 3 };

struct die {
	uint8_t at[2];
	uint8_t turn;
	uint8_t roll;              /* 0: still to be thrown */
};
_Static_assert(sizeof(struct die) == 4, "no padding");

static void die_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct die *)state = (struct die){ { 0, 0 }, 0, 0 };
}

static enum qv_outcome die_result(const void *state, int32_t *points)
{
	const struct die *s = state;
	for (int seat = 0; seat < 2; seat++) {
		if (s->at[seat] < GOAL)
			continue;
		points[seat] = s->at[seat] == GOAL;
		points[1 - seat] = s->at[seat] != GOAL;
		return QV_ENDED;
	}
	return QV_GOING;
}

static int die_seat(const void *state)
{
	const struct die *s = state;
	int32_t points[2];
	const bool throws = s->roll == 0 && die_result(s, points) == QV_GOING;
	return throws ? QV_CHANCE : s->turn;
}

static int die_moves(const void *state, qv_move *list)
{
	const struct die *s = state;
	int32_t points[2];
	if (die_result(s, points) != QV_GOING)
		return 0;
	int n = 0;
	if (s->roll == 0)
		for (int face = 1; face <= FACES; face++)
			list[n++] = (qv_move)face;
	else
		list[n++] = 1;
	if (s->roll > 1)
		list[n++] = s->roll;
	return n;
}

static void die_play(void *state, qv_move move)
{
	struct die *s = state;
	if (s->roll == 0) {
		s->roll = (uint8_t)move;
		return;
	}
	s->at[s->turn] = (uint8_t)(s->at[s->turn] + move);
	s->turn ^= 1;
	s->roll = 0;
}

static uint32_t die_weight(const void *state, qv_move outcome)
{
	(void)state;
	return (uint32_t)(FACES + 1 - outcome);
}

static uint64_t die_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct die));
}

static void die_move_text(const void *state, qv_move move, struct qv_text *out)
{
	const struct die *s = state;
	if (s->roll == 0) {
		qv_put(out, "roll ");
		qv_put_int(out, (int64_t)move);
	} else {
		qv_put(out, move == 1 ? "step" : "run");
	}
}

/* `4 6 1 -`: where the two are, whose turn, and the throw or `-`. */
static void die_position_text(const void *state, struct qv_text *out)
{
	const struct die *s = state;
	for (int seat = 0; seat < 2; seat++) {
		qv_put_int(out, s->at[seat]);
		qv_put_char(out, ' ');
	}
	qv_put_int(out, s->turn + 1);
	qv_put_char(out, ' ');
	qv_put_char(out, s->roll ? (char)('0' + s->roll) : '-');
}

static enum qv_status die_position_parse(const int64_t *options, const char *text, void *state,
					 struct qv_error *error)
{
	(void)options;
	int at[2], turn, roll = 0;
	if (!toy_read_number(&text, GOAL + FACES - 1, &at[0]) || !toy_read_char(&text, ' ') ||
	    !toy_read_number(&text, GOAL + FACES - 1, &at[1]) || !toy_read_char(&text, ' ') ||
	    !toy_read_number(&text, 2, &turn) || turn == 0 || !toy_read_char(&text, ' '))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: two fields and the seat are expected");
	if (!toy_read_char(&text, '-') && (!toy_read_number(&text, FACES, &roll) || roll == 0))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: after the seat comes a throw or '-'");
	if (*text)
		return qv_fail(error, QV_BAD_INPUT, "position: nothing may follow the throw");
	if (at[turn - 1] >= GOAL || (at[2 - turn] >= GOAL && roll))
		return qv_fail(error, QV_ILLEGAL, "position: field %d ends the game", GOAL);
	*(struct die *)state = (struct die){ { (uint8_t)at[0], (uint8_t)at[1] },
					     (uint8_t)(turn - 1),
					     (uint8_t)roll };
	return QV_OK;
}

const struct qv_game toy_die = {
	QV_HEAD(qv_game), .name = "toy-die", .title = "Race with a loaded die",
	.seats = 2, .chance = true, .state_size = sizeof(struct die),
	.max_moves = FACES, .max_plies = 2 * (2 * GOAL - 1), .win = 100 * GOAL,
	.start = die_start, .seat = die_seat, .moves = die_moves, .play = die_play,
	.result = die_result, .hash = die_hash, .weight = die_weight,
	.move_text = die_move_text, .position_text = die_position_text,
	.position_parse = die_position_parse,
};
