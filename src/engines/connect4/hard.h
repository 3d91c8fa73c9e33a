/*
 * hard.h - connect-four: the exact score of hard positions.
 * SPDX-License-Identifier: MIT
 *
 * The same questions as score.h asks, for many more nodes: a position and its mirror image are one,
 * the table is large, and the next positions are looked up in it before any of them is searched.
 */
#ifndef CONNECT4_HARD_H
#define CONNECT4_HARD_H

#include "engines/connect4/ask.h"
#include "engines/connect4/bounds.h"
#include "engines/connect4/early.h"

struct c4_hard {
	const struct c4_table *table;     /* borrowed; others may use it too */
	const struct c4_early *early[C4_EARLY_MOST + 1]; /* by discs, NULL: none; a search ends at it */
	const atomic_bool *stop;          /* NULL: never */
	uint64_t nodes;
	bool stopped;                     /* then no answer means anything */
	int habit[2][C4_WIDTH * C4_STRIDE];     /* for each side, how often a square was good */
};

/* The score between these limits; the game goes on. Sets nodes and stopped. */
struct c4_score c4_hard_score(struct c4_hard *h, const struct c4 *at, int lowest, int highest);

#endif
