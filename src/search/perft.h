/*
 * perft.h - perft, counting leaves: the driver around the stamped recursion, with an optional hash
 * table and threads.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_PERFT_H
#define SEARCH_PERFT_H

#include "base/flag.h"
#include "search/slots.h"

struct perft_table;

/* One thread's count in progress. */
struct perft_run {
	const struct qv_game *game;
	struct slot *slots;
	struct perft_table *table;         /* NULL: none */
	const struct qv_flag *stop;           /* NULL: never */
};

/* The number of leaves at exactly that depth. After a stop the result is meaningless. */
typedef uint64_t perft_fn(struct perft_run *run, const void *state, int depth);

enum { PERFT_MAX_DEPTH = 100 };

/* The table is shared by threads without locks. get is false if there is no entry. */
bool perft_table_get(const struct perft_table *t, uint64_t hash, int depth, uint64_t *leaves);
void perft_table_put(struct perft_table *t, uint64_t hash, int depth, uint64_t leaves);

static inline bool perft_stopped(const struct perft_run *run)
{
	return flag_is_set(run->stop);
}

/* Counts with `count`, the stamp's function. QV_STOPPED: limits->stop was set. */
enum qv_status perft_count(const struct qv_allocator *allocator, const struct qv_game *game,
			   perft_fn *count, const void *state, const struct qv_perft_limits *limits,
			   uint64_t *leaves, struct qv_error *error);

#endif
