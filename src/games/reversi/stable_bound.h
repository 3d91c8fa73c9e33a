/*
 * stable_bound.h - reversi: stable discs as a bound for the endgame search.
 * SPDX-License-Identifier: MIT
 *
 * Not all stable discs are found, but those found are certain. So a side with n of them ends at
 * least 2n - 64 discs ahead.
 */
#ifndef GAMES_REVERSI_STABLE_BOUND_H
#define GAMES_REVERSI_STABLE_BOUND_H

#include <stdint.h>

enum { STABLE_EDGES = 6561 };              /* all edges: three to the eighth */

struct stable_edges {
	uint16_t ternary[256];             /* the bits of a byte as digits in base 3 */
	/* my stable discs, by digits 1 for mine and 2 for theirs */
	uint8_t stable[STABLE_EDGES];
};

/* Fills the table of edges. */
void stable_edges_init(struct stable_edges *t);

/* My stable discs, as far as they are found. */
uint64_t stable_discs(const struct stable_edges *t, uint64_t mine, uint64_t theirs);

#endif
