/*
 * rank.h - numbers for sets of squares of a given size (the combinatorial number system), for
 * indexes of
 * SPDX-License-Identifier: MIT
 *
 * positions.
 *
 * The sets of k squares below n have the numbers 0 to rank_choose(n, k) - 1: {a < b < c} has the
 * number choose(a, 1) + choose(b, 2) + choose(c, 3).
 */
#ifndef BASE_RANK_H
#define BASE_RANK_H

#include "base/bits.h"

/* The number of k-element subsets of n elements; exact as long as it fits into 64 bits. */
static inline uint64_t rank_choose(int n, int k)
{
	uint64_t ways = 1;
	for (int i = 1; i <= k; i++)
		ways = ways * (uint64_t)(n - k + i) / (uint64_t)i;
	return k > n ? 0 : ways;
}

/* The number of the set among all sets of the same size. */
static inline uint64_t rank_of(uint64_t set)
{
	uint64_t rank = 0;
	for (int k = 1; set; set = bits_rest(set), k++)
		rank += rank_choose(bits_lowest(set), k);
	return rank;
}

/* The set of k squares with this number: the inverse of rank_of. */
static inline uint64_t rank_set(uint64_t rank, int k)
{
	uint64_t set = 0;
	for (; k > 0; k--) {
		int square = k - 1;
		while (rank_choose(square + 1, k) <= rank)
			square++;
		rank -= rank_choose(square, k);
		set |= UINT64_C(1) << square;
	}
	return set;
}

/* Renumbers the squares of `set` as if the squares of `gone` did not exist. */
static inline uint64_t rank_squeeze(uint64_t set, uint64_t gone)
{
	uint64_t out = 0;
	for (; set; set = bits_rest(set)) {
		const uint64_t below = (UINT64_C(1) << bits_lowest(set)) - 1;
		out |= UINT64_C(1) << bits_count(~gone & below);
	}
	return out;
}

/* The inverse: square i of `set` becomes the i-th square that is not in `gone`. */
static inline uint64_t rank_spread(uint64_t set, uint64_t gone)
{
	uint64_t out = 0, free = ~gone;
	for (int i = 0; set >> i; i++, free = bits_rest(free))
		if (set >> i & 1)
			out |= free & (0 - free);
	return out;
}

#endif
