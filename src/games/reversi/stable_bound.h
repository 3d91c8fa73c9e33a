/*
 * stable_bound.h - reversi: discs that can never be turned again.
 * SPDX-License-Identifier: MIT
 *
 * Not all of them are found. What is found is sure, so who has n of them gets at least 2n - 64 more
 * discs than the other.
 */
#ifndef GAMES_REVERSI_STABLE_BOUND_H
#define GAMES_REVERSI_STABLE_BOUND_H

#include <stdint.h>

enum { STABLE_EDGES = 6561 };              /* a side of the board: three to the eighth */

struct stable_edges {
	uint16_t ternary[256];             /* the bits of a byte as digits to base 3 */
	uint8_t stable[STABLE_EDGES];      /* of mine, by digits 1 for mine and 2 for theirs */
};

void stable_edges_init(struct stable_edges *t);

/* The stable discs of mine, as far as they are seen. */
uint64_t stable_discs(const struct stable_edges *t, uint64_t mine, uint64_t theirs);

#endif
