/*
 * exact_score.h - connect-four: the exact score of hard positions.
 * SPDX-License-Identifier: MIT
 *
 * The same null-window tests as quick_score.c, made for many more nodes: a position and its mirror
 * image share an entry, the table is large, and children are looked up before any is searched. The
 * tables of early positions give exact scores for their own number of discs and one disc less, and
 * a bound for one disc more.
 */
#ifndef GAMES_CONNECT4_EXACT_SCORE_H
#define GAMES_CONNECT4_EXACT_SCORE_H

#include <stdatomic.h>

#include "games/connect4/bounds.h"
#include "games/connect4/early.h"

enum {
	C4_BUSY = 1 << 10,
	C4_LONG_NODES = 1 << 16,          /* some hundredths of a second */
};

/*
 * What several threads are working on: the current alpha, and keys of positions, so that each
 * thread takes different ones.
 */
struct c4_busy {
	atomic_int alpha;                 /* for the positions after the first move */
	_Atomic uint64_t keys[C4_BUSY];
};

struct c4_exact {
	const struct c4_table *table;     /* borrowed; other threads may use it too */
	struct c4_busy *busy;             /* NULL: no other thread searches the same position */
	/* a helper: it follows busy->alpha, and stops when that changes */
	bool helps;
	int alpha;                        /* the one in struct c4_busy that it works on */
	/* by discs; NULL: none. The search ends there */
	const struct c4_early *early[C4_EARLY_MOST + 1];
	const struct qv_flag *stop;          /* NULL: never */
	const struct qv_solve_limits *limits; /* not of helpers; NULL: none */
	uint64_t before;                  /* nodes that the limits count, too */
	/* Called once, after C4_LONG_NODES; it may let the table grow. May be NULL. */
	void (*when_long)(void *ctx);
	void *ctx;
	uint64_t nodes;
	bool stopped;                     /* then scores are meaningless */
	int history[2][C4_WIDTH * C4_STRIDE];     /* for each side, how often a square was good */
};

/* The score within these limits. The game must not be over. Sets nodes and stopped. */
struct c4_score c4_exact_score(struct c4_exact *h, const struct c4 *at, int lowest, int highest);

/*
 * The same score as c4_exact_score, found by several threads. `table` is the one
 * that h uses. When the search gets long, the table grows and the other threads start. A thread
 * that cannot be started costs only speed. h->nodes becomes the sum over all threads.
 */
struct c4_score c4_parallel_score(struct c4_exact *h, struct c4_table *table, int threads,
				  const struct qv_allocator *allocator, const struct c4 *at,
				  int lowest, int highest);

#endif
