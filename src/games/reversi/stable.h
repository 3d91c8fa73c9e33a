/*
 * stable.h - reversi: discs that can never be turned over, by looking at their neighbours.
 * SPDX-License-Identifier: MIT
 *
 * A disc can be turned over along one of its four lines, between two enemy discs. It is safe on a
 * line that is full, on a line that ends beside it, and beside a stable disc of its own colour. A
 * disc that is safe on all four lines is stable. There are other stable discs, which are harder to
 * find.
 */
#ifndef REVERSI_STABLE_H
#define REVERSI_STABLE_H

#include "games/reversi/rules.h"

#define REVERSI_RIGHT (REVERSI_LEFT << 7)

/* The squares of full lines, for the four directions. */
struct reversi_full_lines {
	uint64_t row, column, falling, rising;
};

/*
 * Spreads the empty squares along the diagonals both ways, by one, two and four steps down and to
 * the right. What they do not reach is full.
 */
static inline uint64_t reversi_full_falling(uint64_t discs)
{
	uint64_t on = ~discs, back = ~discs;
	on |= on << 9 & ~REVERSI_LEFT;
	back |= back >> 9 & ~REVERSI_RIGHT;
	on |= on << 18 & ~(REVERSI_LEFT * 0x03);
	back |= back >> 18 & ~(REVERSI_LEFT * 0xc0);
	on |= on << 36 & ~(REVERSI_LEFT * 0x0f);
	back |= back >> 36 & ~(REVERSI_LEFT * 0xf0);
	return ~(on | back);
}

/* The same for down and to the left. */
static inline uint64_t reversi_full_rising(uint64_t discs)
{
	uint64_t on = ~discs, back = ~discs;
	on |= on << 7 & ~REVERSI_RIGHT;
	back |= back >> 7 & ~REVERSI_LEFT;
	on |= on << 14 & ~(REVERSI_LEFT * 0xc0);
	back |= back >> 14 & ~(REVERSI_LEFT * 0x03);
	on |= on << 28 & ~(REVERSI_LEFT * 0xf0);
	back |= back >> 28 & ~(REVERSI_LEFT * 0x0f);
	return ~(on | back);
}

/* Finds the full lines in all four directions. */
static inline struct reversi_full_lines reversi_find_full_lines(uint64_t discs)
{
	struct reversi_full_lines full;
	uint64_t row = discs;
	row &= row >> 4;
	row &= row >> 2;
	row &= row >> 1;
	full.row = (row & REVERSI_LEFT) * 0xff;
	uint64_t column = discs;
	column &= column >> 32 | column << 32;
	column &= column >> 16 | column << 48;
	column &= column >> 8 | column << 56;
	full.column = column;
	full.falling = reversi_full_falling(discs);
	full.rising = reversi_full_rising(discs);
	return full;
}

/* My stable discs: grows the set until nothing changes. */
static inline uint64_t reversi_stable(uint64_t mine, uint64_t theirs)
{
	const uint64_t ends = UINT64_C(0xff000000000000ff), sides = REVERSI_LEFT | REVERSI_RIGHT;
	const struct reversi_full_lines full = reversi_find_full_lines(mine | theirs);
	uint64_t stable = 0, before;
	do {
		before = stable;
		/*
		 * Bits that a shift carries around the edge land on an edge, where these lines end
		 * anyway.
		 */
		const uint64_t row = stable >> 1 | stable << 1 | full.row | sides;
		const uint64_t column = stable >> 8 | stable << 8 | full.column | ends;
		const uint64_t falling = stable >> 9 | stable << 9 | full.falling | ends | sides;
		const uint64_t rising = stable >> 7 | stable << 7 | full.rising | ends | sides;
		stable = row & column & falling & rising & mine;
	} while (stable != before);
	return stable;
}

#endif
