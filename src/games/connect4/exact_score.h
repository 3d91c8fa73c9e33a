/*
 * exact_score.h - connect-four: the exact score of hard positions.
 * SPDX-License-Identifier: MIT
 *
 * The same questions as score.h asks, for many more nodes: a position and its mirror image are one,
 * the table is large, and the next positions are looked up in it before any of them is searched.
 * The tables of early positions are looked into on the way: for the positions they are of, for
 * those right before them, and for a bound of those right after them.
 */
#ifndef GAMES_CONNECT4_EXACT_SCORE_H
#define GAMES_CONNECT4_EXACT_SCORE_H

#include "games/connect4/score_search.h"
#include "games/connect4/bounds.h"
#include "games/connect4/early.h"

enum {
	C4_BUSY = 1 << 10,
	C4_LONG_NODES = 1 << 16,          /* some hundredths of a second */
};

/* What several threads are at: the question, and keys of positions, so that each takes others. */
struct c4_busy {
	atomic_int alpha;                 /* of the positions after the first move */
	_Atomic uint64_t keys[C4_BUSY];
};

struct c4_hard {
	const struct c4_table *table;     /* borrowed; others may use it too */
	struct c4_busy *busy;             /* NULL: nobody else searches the same */
	bool helps;                       /* it follows the question, and stops when there is another */
	int alpha;                        /* the question, as in struct c4_busy */
	const struct c4_early *early[C4_EARLY_MOST + 1]; /* by discs, NULL: none; a search ends at it */
	const atomic_bool *stop;          /* NULL: never */
	/* Called once, after C4_LONG_NODES; it may let the table grow. NULL: not so. */
	void (*when_long)(void *ctx);
	void *ctx;
	uint64_t nodes;
	bool stopped;                     /* then no answer means anything */
	int habit[2][C4_WIDTH * C4_STRIDE];     /* for each side, how often a square was good */
};

/* The score between these limits; the game goes on. Sets nodes and stopped. */
struct c4_score c4_hard_score(struct c4_hard *h, const struct c4 *at, int lowest, int highest);

/* Searches what another thread is asked of the same position, until it is stopped. */
void c4_hard_help(struct c4_hard *h, const struct c4 *at);

#endif
