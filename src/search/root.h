/*
 * root.h - the moves that a search begins with, in the order in which it tries them.
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
 * Every move, a counted one with each of its numbers, those that the game ranks high first if
 * `sort`; only those that the limits allow. QV_NO_MEMORY leaves the old list.
 */
enum qv_status root_list(struct root_moves *r, const struct qv_allocator *a,
			 const struct qv_game *game, const void *state, bool sort,
			 const struct qv_limits *limits);
void root_release(struct root_moves *r, const struct qv_allocator *a);

/* That move comes first from now on; the others keep their order. */
void root_put_first(struct root_moves *r, qv_move move);

/* The place of the highest rank not yet tried, which then counts as tried. */
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
