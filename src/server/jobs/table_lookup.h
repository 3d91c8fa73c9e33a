/*
 * tables.h - tables of solved games that the workers look things up in.
 * SPDX-License-Identifier: MIT
 *
 * What has been found above the tables of a game is kept for the next who asks about it, so the
 * second question about an opening is answered sooner. Any thread may take and give back.
 */
#ifndef SERVER_JOBS_TABLES_H
#define SERVER_JOBS_TABLES_H

#include "quevedo.h"

struct table_lookup;
/* `folder` holds the tables of all games; NULL: there are none. NULL comes back: no memory. */
struct table_lookup *table_lookup_new(const struct qv_context *context, const char *folder);
void table_lookup_free(struct table_lookup *d); /* all have been given back; NULL is fine */

/* A solver for as long as one likes; NULL: no tables that would help. */
struct qv_solver *table_lookup_take(struct table_lookup *d, const struct qv_rules *rules);
void table_lookup_give_back(struct table_lookup *d, struct qv_solver *solver); /* NULL is fine */

/* Whether the tables know what a position is worth, at once. */
bool table_lookup_knows(struct table_lookup *d, const struct qv_rules *rules, const void *state);
/* Whether the game is too large to be searched and has no tables of these rules here. */
bool table_lookup_lacks_tables(const struct table_lookup *d, const struct qv_rules *rules);
/*
 * Whether the player `perfect` can be recommended: tables of these rules are there, or the game is
 * solved and needs none.
 */
bool table_lookup_makes_perfect(const struct table_lookup *d, const struct qv_rules *rules);

#endif
