/*
 * allot.h - time management: how long to think about a move under a time control. One rule for
 * protocols, matches, games at the terminal and on the server.
 * SPDX-License-Identifier: MIT
 *
 * A move should take one share of the clock and may take at most several. The search decides after
 * each iteration where between the two it stops (pace_enough).
 */
#ifndef SEARCH_ALLOT_H
#define SEARCH_ALLOT_H

#include "quevedo.h"

enum { ALLOT_LAG_MS = 30 };        /* default for lag_ms */

struct allot_clock {
	int64_t left_ms;           /* may be negative */
	int64_t added_ms;          /* increment after each move */
	int64_t lag_ms;            /* overhead of each move besides thinking, as on a network */
	int moves;                 /* to the next time control; 0: the time is for the whole game */
};

/* Sets limits->aim_ms and time_ms, to at least 1; a smaller limit that is already set stays. */
void allot(const struct allot_clock *clock, struct qv_limits *limits);

#endif
