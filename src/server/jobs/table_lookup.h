/*
 * table_lookup.h - endgame tables for the workers.
 * SPDX-License-Identifier: MIT
 *
 * A solver that has searched above the tables of a game keeps what it found, so it is kept for the
 * next request: the second question about an opening is answered sooner. Safe from any thread.
 */
#ifndef SERVER_JOBS_TABLE_LOOKUP_H
#define SERVER_JOBS_TABLE_LOOKUP_H

#include "quevedo.h"

struct table_lookup;
/* folder: the tables of all games; NULL: no tables. Returns NULL if out of memory. */
struct table_lookup *table_lookup_new(const struct qv_context *context, const char *folder);
/* All solvers must have been given back. NULL is fine. */
void table_lookup_free(struct table_lookup *d);

/*
 * A solver for these rules, the caller's until it is given back; NULL: no tables that would help.
 */
struct qv_solver *table_lookup_take(struct table_lookup *d, const struct qv_rules *rules);
void table_lookup_give_back(struct table_lookup *d, struct qv_solver *solver); /* NULL is fine */

/* Do the tables give the value of this position within some milliseconds? */
bool table_lookup_knows(struct table_lookup *d, const struct qv_rules *rules, const void *state);
/* Is the game too large to be solved by search, and are its tables missing here? */
bool table_lookup_lacks_tables(const struct table_lookup *d, const struct qv_rules *rules);
/*
 * Is `perfect` a good player here: with tables for these rules, or a solved game that needs none?
 */
bool table_lookup_makes_perfect(const struct table_lookup *d, const struct qv_rules *rules);

#endif
