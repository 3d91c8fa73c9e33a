/*
 * allot.h - how long to think about a move when a clock runs: one rule for protocols, matches,
 * games at the terminal and on the server.
 * SPDX-License-Identifier: MIT
 *
 * A share of the clock is what a move should take, several such what it may take at most; how near
 * to which it ends is the search's to say (pace_enough).
 */
#ifndef SEARCH_ALLOT_H
#define SEARCH_ALLOT_H

#include "quevedo.h"

enum { ALLOT_LAG_MS = 30 };        /* lost on the way, unless somebody knows better */

struct allot_clock {
	int64_t left_ms;           /* may be less than nothing */
	int64_t added_ms;          /* after each move */
	int64_t lag_ms;            /* lost with each move besides what is thought */
	int moves;                 /* to be made before more comes; 0: the clock is for all of them */
};

/* Sets limits->aim_ms and time_ms, to less than they are or from 0; both are 1 at the least. */
void allot(const struct allot_clock *clock, struct qv_limits *limits);

#endif
