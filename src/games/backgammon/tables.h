/*
 * tables.h - the bear-off tables that all players of a context share.
 * SPDX-License-Identifier: MIT
 *
 * Each table is computed when it is first needed, in a fraction of a second. All functions may be
 * called from several threads.
 */
#ifndef BACKGAMMON_TABLES_H
#define BACKGAMMON_TABLES_H

#include "games/backgammon/bearoff.h"
#include "games/backgammon/two_sided.h"
#include "search/engine.h"

struct backgammon_tables;

/* NULL: not enough memory. The allocator must outlive the tables. */
struct backgammon_tables *backgammon_tables_new(const struct qv_allocator *allocator);
void backgammon_tables_free(struct backgammon_tables *tables); /* NULL is fine */

extern const struct shared_ops backgammon_shared; /* the same two, for struct engine */

/* NULL: not enough memory. Valid as long as `tables`. */
const struct bearoff *backgammon_one_sided(struct backgammon_tables *tables);
const struct two_sided *backgammon_two_sided(struct backgammon_tables *tables);

#endif
