/*
 * thicket.h - a game of hashes, for any number of seats, with or without dice: no order of turns,
 * and many equal values, so that every tie rule shows.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_THICKET_H
#define TEST_THICKET_H

#include "support/search.h"

struct thicket {
	uint64_t key;
	uint8_t seats, dice, ply, zero[5];
};
_Static_assert(sizeof(struct thicket) == 16, "no padding");

enum { THICKET_PLIES = 7, BUSHY = 3 };

static inline uint64_t thicket_number(const struct thicket *s, uint64_t what, uint64_t below)
{
	return qv_random_below_at(s->key, what, below);
}

static inline enum qv_outcome thicket_result(const void *state, int32_t *points)
{
	const struct thicket *s = state;
	if (s->ply < THICKET_PLIES && (s->ply < 2 || thicket_number(s, 1, 7)))
		return QV_GOING;
	for (int seat = 0; seat < s->seats; seat++)
		points[seat] = (int32_t)thicket_number(s, 10 + (uint64_t)seat, 3);
	return QV_ENDED;
}

static inline int thicket_seat(const void *state)
{
	const struct thicket *s = state;
	int32_t points[QV_MAX_SEATS];
	const bool throws = s->dice && s->ply && !thicket_number(s, 2, 4);
	return throws && thicket_result(s, points) == QV_GOING
		       ? QV_CHANCE
		       : (int)thicket_number(s, 3, s->seats);
}

static inline int thicket_moves(const void *state, qv_move *list)
{
	int32_t points[QV_MAX_SEATS];
	if (thicket_result(state, points) != QV_GOING)
		return 0;
	const int n = 1 + (int)thicket_number(state, 4, BUSHY);
	for (int i = 0; i < n; i++)
		list[i] = (qv_move)i;
	return n;
}

static inline void thicket_play(void *state, qv_move move)
{
	struct thicket *s = state;
	s->key = qv_random_key(s->key, move);
	s->ply++;
}

static inline uint32_t thicket_weight(const void *state, qv_move outcome)
{
	return 1 + (uint32_t)thicket_number(state, 20 + outcome, 4);
}

static inline int32_t thicket_rank(const void *state, qv_move move)
{
	return (int32_t)thicket_number(state, 30 + move, 2);
}

static inline void thicket_values(const void *state, const void *weights, int32_t *values)
{
	const struct thicket *s = state;
	(void)weights;
	for (int seat = 0; seat < s->seats; seat++)
		values[seat] = (int32_t)thicket_number(s, 40 + (uint64_t)seat, 9) - 4;
}

static inline int32_t thicket_evaluate(const void *state, const void *weights)
{
	int32_t values[QV_MAX_SEATS];
	thicket_values(state, weights, values);
	return values[thicket_seat(state)];
}

static const struct qv_evaluation thicket_evaluations[] = {
	{ .name = "each", .evaluate = thicket_evaluate, .seats = thicket_values },
	{ .name = "one", .evaluate = thicket_evaluate },
	{ .name = NULL },
};

static inline struct qv_game thicket_game(int seats, bool dice)
{
	return (struct qv_game){ QV_HEAD(qv_game),
				 .name = "thicket",
				 .title = "Thicket",
				 .seats = seats,
				 .chance = dice,
				 .win = 50,
				 .state_size = sizeof(struct thicket),
				 .max_moves = BUSHY,
				 .evaluations = thicket_evaluations,
				 .seat = thicket_seat,
				 .moves = thicket_moves,
				 .play = thicket_play,
				 .result = thicket_result,
				 .weight = thicket_weight,
				 .rank = thicket_rank };
}

static inline struct spot thicket_spot(const struct qv_context *context, const struct qv_game *game,
				       struct qv_random *random)
{
	struct spot s = { .context = context, .rules = { .game = game } };
	const struct thicket at = { .key = qv_random_next(random),
				    .seats = (uint8_t)game->seats,
				    .dice = game->chance };
	memcpy(s.state, &at, sizeof at);
	return s;
}

#endif
