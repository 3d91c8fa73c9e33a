/*
 * table_search.h - the value of positions that are in no space but lead into one: a search that remembers.
 * SPDX-License-Identifier: MIT
 *
 * An index may hold the last part of a game only, as that of nine men's morris, which has none of
 * the positions with men in hand. What comes before it is searched to the tables, with cut-offs at
 * win, draw and loss; images of a position count as one. Repetition and counters are not looked at,
 * as in the tables.
 */
#ifndef SOLVE_TABLE_SEARCH_H
#define SOLVE_TABLE_SEARCH_H

#include "solve/probe.h"

enum { ABOVE_PLIES = 40 };         /* the tables are further away than any game should have them */

struct above;

struct above_limits {
	const atomic_bool *stop;   /* may be NULL */
	int64_t until_us;          /* by clock_us; 0: no end */
};

/*
 * The tables must outlive it. `bytes` is for what it remembers. What above_keep has written beside
 * the tables it knows from the beginning.
 */
enum qv_status above_new(struct qv_tables *tables, size_t bytes, struct above **out,
			 struct qv_error *error);
void above_free(struct above *a);  /* NULL is fine */

/*
 * The value for the side to move, and a move that keeps it; no distance. The game goes on, and the
 * position is in no space. QV_STOPPED: out->move, if it was set, does not lose; QV_IO: a table that
 * is needed is not there; QV_UNKNOWN: the tables are too far away.
 */
enum qv_status above_solve(struct above *a, const void *state,
			   const struct above_limits *limits, struct qv_solution *out,
			   struct qv_error *error);

/* Writes what it remembers beside the tables. */
enum qv_status above_keep(const struct above *a, struct qv_error *error);

#endif
