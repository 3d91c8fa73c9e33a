/*
 * flips.c - reversi: fills the tables of flips.h.
 * SPDX-License-Identifier: MIT
 *
 * The tables take about 20 kB and are built once for each solver.
 */
#include "games/reversi/flips.h"

/* The squares from `square`, without it, by steps to the edge of the board. */
static uint64_t ray_from(int square, int right, int down)
{
	uint64_t ray = 0;
	int column = (square & 7) + right, row = (square >> 3) + down;
	for (; column >= 0 && column < 8 && row >= 0 && row < 8; column += right, row += down)
		ray |= UINT64_C(1) << (8 * row + column);
	return ray;
}

void flip_rays_init(struct flip_rays *t)
{
	static const int steps[FLIP_RAYS][2] = { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
	for (int square = 0; square < 64; square++) {
		t->around[square] = 0;
		for (int i = 0; i < FLIP_RAYS; i++) {
			const int right = steps[i][0], down = steps[i][1];
			const int next = 8 * down + right;
			t->ray[square][i][0] = ray_from(square, right, down);
			t->ray[square][i][1] = ray_from(63 - square, right, down);
			if (t->ray[square][i][0])
				t->around[square] |= UINT64_C(1) << (square + next);
			if (t->ray[square][i][1])
				t->around[square] |= UINT64_C(1) << (square - next);
		}
	}
}

/*
 * Counts enemy discs between the place and my nearest disc on one side; none if I have no disc
 * there.
 */
static int turned_in_line(int place, unsigned mine, int step)
{
	for (int at = place + step, n = 0; at >= 0 && at < 8; at += step, n++)
		if (mine >> at & 1)
			return n;
	return 0;
}

void flip_counts_init(struct flip_counts *t)
{
	for (int place = 0; place < 8; place++)
		for (unsigned mine = 0; mine < 256; mine++)
			t->turned[place][mine] = (uint8_t)(turned_in_line(place, mine, 1) +
							   turned_in_line(place, mine, -1));
	for (int square = 0; square < 64; square++) {
		t->diagonal[square][0] = ray_from(square, 1, 1) | ray_from(square, -1, -1);
		t->diagonal[square][1] = ray_from(square, 1, -1) | ray_from(square, -1, 1);
	}
}
