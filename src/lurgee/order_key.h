/*
 * order_key.h - moves put in order by one number each: rank, then place in a list, then where the
 * move stands in an array.
 * SPDX-License-Identifier: MIT
 *
 * Higher keys come first; 0 is no key. The last part makes the move of the highest key known
 * without a search for it.
 */
#ifndef LURGEE_ORDER_KEY_H
#define LURGEE_ORDER_KEY_H

#include <stdint.h>

enum {
	ORDER_RANK = 24,           /* where the parts begin */
	ORDER_PLACE = 8,
	ORDER_MOST = 256,          /* moves in an array */
	ORDER_PLAIN = 64,          /* rank 0 of a game; its ranks are below 64 */
};

static inline uint32_t order_key(int rank, unsigned place, int index)
{
	return (uint32_t)(ORDER_PLAIN + rank) << ORDER_RANK | place << ORDER_PLACE |
	       (uint32_t)index;
}

/* The highest of n, or 0. */
static inline uint32_t order_highest(const uint32_t *keys, int n)
{
	uint32_t best = 0;
	for (int i = 0; i < n; i++)
		best = keys[i] > best ? keys[i] : best;
	return best;
}

#endif
