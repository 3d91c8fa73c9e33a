/*
 * three.c - three seats that do not move in turn: the move says who is next.
 * SPDX-License-Identifier: MIT
 *
 * Twelve coins lie in a row. A move takes 1, 2 or 3 of them from the front; the mover keeps the
 * last one taken, the others are lost, and the turn passes that many seats on: after 3 the same
 * seat moves again. Most money wins. A move is the number of coins.
 */
#include "toys/toys.h"

enum { SEATS = 3, COINS = 12 };

static const uint8_t coin_values[COINS] = { 1, 3, 2, 5, 1, 2, 4, 1, 3, 2, 1, 5 };

struct three {
	uint8_t left;              /* coins in the row */
	uint8_t turn;
	uint8_t money[SEATS];
};
_Static_assert(sizeof(struct three) == 5, "no padding");

static void three_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct three *)state = (struct three){ COINS, 0, { 0, 0, 0 } };
}

static int three_seat(const void *state)
{
	return ((const struct three *)state)->turn;
}

static int three_count(const void *state)
{
	const struct three *s = state;
	return s->left < 3 ? s->left : 3;
}

static int three_moves(const void *state, qv_move *list)
{
	const int n = three_count(state);
	for (int i = 0; i < n; i++)
		list[i] = (qv_move)(i + 1);
	return n;
}

static void three_play(void *state, qv_move move)
{
	struct three *s = state;
	s->left = (uint8_t)(s->left - move);
	s->money[s->turn] = (uint8_t)(s->money[s->turn] + coin_values[COINS - 1 - s->left]);
	s->turn = (uint8_t)((s->turn + move) % SEATS);
}

static enum qv_outcome three_result(const void *state, int32_t *points)
{
	const struct three *s = state;
	if (s->left)
		return QV_GOING;
	for (int seat = 0; seat < SEATS; seat++)
		points[seat] = s->money[seat];
	return QV_ENDED;
}

static uint64_t three_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct three));
}

static void three_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move);
}

/* `12 1 0 0 0`: coins left, the seat to move, the money of each. */
static void three_position_text(const void *state, struct qv_text *out)
{
	const struct three *s = state;
	qv_put_int(out, s->left);
	qv_put_char(out, ' ');
	qv_put_int(out, s->turn + 1);
	for (int seat = 0; seat < SEATS; seat++) {
		qv_put_char(out, ' ');
		qv_put_int(out, s->money[seat]);
	}
}

static enum qv_status three_position_parse(const int64_t *options, const char *text, void *state,
					   struct qv_error *error)
{
	(void)options;
	int left, turn, money[SEATS], kept = 0, taken = 0;
	if (!toy_read_number(&text, COINS, &left) || !toy_read_char(&text, ' ') ||
	    !toy_read_number(&text, SEATS, &turn) || turn == 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: coins left and the seat are expected");
	for (int seat = 0; seat < SEATS; seat++) {
		if (!toy_read_char(&text, ' ') || !toy_read_number(&text, 99, &money[seat]))
			return qv_fail(error, QV_BAD_INPUT, "position: the money of %d is missing",
				       seat + 1);
		kept += money[seat];
	}
	if (*text)
		return qv_fail(error, QV_BAD_INPUT, "position: nothing may follow the money");
	for (int i = 0; i < COINS - left; i++)
		taken += coin_values[i];
	if (kept > taken)
		return qv_fail(error, QV_ILLEGAL, "position: only %d has been taken so far", taken);
	*(struct three *)state = (struct three){ (uint8_t)left, (uint8_t)(turn - 1),
		{ (uint8_t)money[0], (uint8_t)money[1], (uint8_t)money[2] } };
	return QV_OK;
}

/* How far each is ahead of the best of the others. */
static void three_seats(const void *state, const void *weights, int32_t *values)
{
	const struct three *s = state;
	(void)weights;
	for (int seat = 0; seat < SEATS; seat++) {
		const int32_t next = s->money[(seat + 1) % SEATS];
		const int32_t last = s->money[(seat + 2) % SEATS];
		values[seat] = s->money[seat] - (next > last ? next : last);
	}
}

static int32_t three_evaluate(const void *state, const void *weights)
{
	int32_t values[SEATS];
	three_seats(state, weights, values);
	return values[three_seat(state)];
}

static int32_t three_rank(const void *state, qv_move move)
{
	const struct three *s = state;
	return coin_values[COINS - s->left + (int)move - 1];
}

static const struct qv_evaluation three_evaluations[] = {
	{ .name = "lead", .help = "how far each is ahead of the best of the others",
	  .evaluate = three_evaluate, .seats = three_seats },
	{ .name = NULL },
};

const struct qv_game toy_three = {
	QV_HEAD(qv_game), .name = "toy-three", .title = "Coins for three",
	.seats = SEATS, .state_size = sizeof(struct three), .max_moves = 3, .max_plies = COINS,
	.start = three_start, .seat = three_seat, .moves = three_moves, .play = three_play,
	.result = three_result, .hash = three_hash, .count = three_count, .rank = three_rank,
	.evaluations = three_evaluations,
	.move_text = three_move_text, .position_text = three_position_text,
	.position_parse = three_position_parse,
};
