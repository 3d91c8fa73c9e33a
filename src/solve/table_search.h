/*
 * table_search.h - a search that solves positions before the tables: it ends when it reaches them.
 * SPDX-License-Identifier: MIT
 *
 * Tables may cover only the last part of a game. In nine men's morris, for example, no space holds
 * positions with men still to be placed. Such positions are solved by an alpha-beta search down to
 * the tables, with a transposition table in which symmetric positions share an entry. As in the
 * tables, repetitions and move counters are ignored.
 */
#ifndef SOLVE_TABLE_SEARCH_H
#define SOLVE_TABLE_SEARCH_H

#include "solve/probe.h"

enum { TABLE_SEARCH_PLIES = 40 }; /* most plies to the tables; more than any game needs */

struct table_search;

struct table_search_limits {
	const atomic_bool *stop;   /* may be NULL */
	int64_t until_us;	   /* deadline by clock_us; 0: none */
};

/*
 * The tables must outlive the search. `bytes` is the size of its transposition table. Loads what
 * table_search_save has written beside the tables; QV_BAD_INPUT if that file is damaged.
 */
enum qv_status table_search_new(struct qv_tables *tables, size_t bytes, struct table_search **out,
				struct qv_error *error);
void table_search_free(struct table_search *a); /* NULL is fine */

/*
 * The value for the side to move, and a move that keeps it; no distance. The game must not have
 * ended, and the position must be in no space. QV_STOPPED: out->move, if it was set, does not lose;
 * QV_IO: a table that is needed is missing; QV_UNKNOWN: the tables are too many plies away.
 */
enum qv_status table_search_solve(struct table_search *a, const void *state,
				  const struct table_search_limits *limits, struct qv_solution *out,
				  struct qv_error *error);

/* Writes the bounds found so far to start.qva beside the tables. */
enum qv_status table_search_save(const struct table_search *a, struct qv_error *error);

#endif
