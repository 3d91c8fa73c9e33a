/*
 * allot.c - how long to think about a move when a clock runs.
 * SPDX-License-Identifier: MIT
 */
#include "search/allot.h"

enum {
	MOVES_LEFT = 30,  /* of a game, as far as anybody can say */
	MOVES_MOST = 40,  /* further ahead nothing is kept */
	AIM_PERCENT = 75, /* of a share: an iteration that is begun is ended too */
	SHARES_MOST = 4,  /* for one move */
};

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* The part of what is left that one move may take, in percent. */
static int percent_at_most(const struct allot_clock *c, int64_t left)
{
	if (c->moves == 1)
		return 95;
	if (c->moves)
		return 70;
	return c->added_ms >= left / 4 ? 70 : 40; /* what is taken is soon given back */
}

static int64_t least(int64_t a, int64_t b)
{
	return a > 0 && a < b ? a : b;
}

void allot(const struct allot_clock *c, struct qv_limits *limits)
{
	const int64_t week = INT64_C(7) * 24 * 3600 * 1000;
	const int64_t added = clamped(c->added_ms, 0, week), lag = clamped(c->lag_ms, 0, week);
	const int64_t left = clamped(c->left_ms, 0, week) - lag;
	const int64_t moves = c->moves > 0 ? clamped(c->moves, 1, MOVES_MOST) : MOVES_LEFT;
	const int64_t usable = left > 1 ? left : 1;
	const int64_t all = usable + (moves - 1) * (added - lag);
	const int64_t share = all / moves > 1 ? all / moves : 1;
	const int64_t most = clamped(usable / 100 * percent_at_most(c, usable) +
					     usable % 100 * percent_at_most(c, usable) / 100,
				     1, share * SHARES_MOST);
	const int64_t aim = clamped(share * AIM_PERCENT / 100, 1, most);
	limits->time_ms = least(limits->time_ms, most);
	limits->aim_ms = least(limits->aim_ms, aim);
}
