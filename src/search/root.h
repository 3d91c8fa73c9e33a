/*
 * root.h - the root's moves, in the order in which a search tries them.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_ROOT_H
#define SEARCH_ROOT_H

#include "base/memory.h"

struct root_moves {
	qv_move *list;
	int count, capacity;
};

/*
 * Lists the moves that the limits allow, a counted move once for each of its numbers; sort: by the
 * game's rank, highest first. QV_NO_MEMORY leaves the old list. Release it with root_release.
 */
enum qv_status root_list(struct root_moves *r, const struct qv_allocator *a,
			 const struct qv_game *game, const void *state, bool sort,
			 const struct qv_limits *limits);
void root_release(struct root_moves *r, const struct qv_allocator *a);

/* Moves a listed move to the front; the others keep their order. */
void root_put_first(struct root_moves *r, qv_move move);

/* The index of the highest rank not yet picked, which is then marked as picked. */
static inline int root_pick(int32_t *ranks, int n)
{
	int best = 0;
	for (int i = 1; i < n; i++)
		if (ranks[i] > ranks[best])
			best = i;
	ranks[best] = INT32_MIN;
	return best;
}

#endif
