/*
 * order_key.h - move ordering by one integer key: rank, then place in the list, then array index.
 * SPDX-License-Identifier: MIT
 *
 * Higher keys come first; 0 is no key. The index in the low bits gives the move of the highest key
 * without another search.
 */
#ifndef LURGEE_ORDER_KEY_H
#define LURGEE_ORDER_KEY_H

#include <stdint.h>

enum {
	ORDER_RANK = 24,           /* bit offsets of the parts */
	ORDER_PLACE = 8,
	ORDER_MOST = 256,          /* moves in an array */
	ORDER_PLAIN = 64,          /* added to a game's rank, which is below 64 */
};

/* The key of a move. `place` is below 2^16, `index` below ORDER_MOST. */
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
