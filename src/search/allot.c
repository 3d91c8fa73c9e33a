/*
 * allot.c - time management: how long to think about a move under a time control.
 * SPDX-License-Identifier: MIT
 *
 * The time left, plus the increments to come, is divided by the moves to go (30 if the time control
 * does not say). Three quarters of that share is the aim; the hard limit is four shares, but never
 * more than 40 to 95 % of the clock. Pure arithmetic: no clock is read here.
 */
#include "search/allot.h"

enum {
	MOVES_LEFT = 30,  /* estimate of the moves to the end of a game */
	MOVES_MOST = 40,  /* plan at most this many moves ahead */
	AIM_PERCENT = 75, /* of a share, since a started iteration is usually finished */
	SHARES_MOST = 4,  /* most shares for one move */
};

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* The percentage of the time left that one move may take. */
static int percent_at_most(const struct allot_clock *c, int64_t left)
{
	if (c->moves == 1)
		return 95;
	if (c->moves)
		return 70;
	return c->added_ms >= left / 4 ? 70 : 40; /* a large increment refills the clock */
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
