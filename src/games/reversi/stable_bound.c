/*
 * stable_bound.c - reversi: stable discs as a bound for the endgame search.
 * SPDX-License-Identifier: MIT
 *
 * The edges come from a table of all 3^8 edges, made from the fullest down. From the stable discs
 * of the edges, stability spreads inwards along full lines and neighbours.
 */
#include "games/reversi/stable_bound.h"

#include "base/bits.h"
#include "games/reversi/stable.h"

/* ---- sides of the board ---- */

/* The discs on an edge. */
struct edge {
	unsigned mine, theirs;
};

/* The edge after a disc on the empty square `at`. */
static struct edge edge_after(struct edge e, int at, bool i_move)
{
	const unsigned mover = i_move ? e.mine : e.theirs, other = i_move ? e.theirs : e.mine;
	unsigned turned = 0;
	for (int step = -1; step <= 1; step += 2) {
		unsigned row = 0;
		int next = at + step;
		for (; next >= 0 && next < 8 && (other >> next & 1); next += step)
			row |= 1U << next;
		if (next >= 0 && next < 8 && (mover >> next & 1))
			turned |= row;
	}
	const unsigned moved = mover | turned | 1U << at, left = other & ~turned;
	return i_move ? (struct edge){ moved, left } : (struct edge){ left, moved };
}

static unsigned edge_number(const struct stable_edges *t, struct edge e)
{
	return t->ternary[e.mine] + 2U * t->ternary[e.theirs];
}

/*
 * My discs that stay whatever is played. A disc may be put on any empty square, because one off the
 * edge may make the move legal. Edges with fewer empty squares are already done.
 */
static unsigned edge_stable(const struct stable_edges *t, struct edge e)
{
	unsigned stable = e.mine;
	for (int at = 0; at < 8; at++) {
		if ((e.mine | e.theirs) >> at & 1)
			continue;
		for (int i_move = 0; i_move < 2; i_move++) {
			const struct edge next = edge_after(e, at, i_move != 0);
			stable &= t->stable[edge_number(t, next)];
		}
	}
	return stable;
}

void stable_edges_init(struct stable_edges *t)
{
	for (int i = 0; i < 256; i++) {
		t->ternary[i] = 0;
		for (int at = 7; at >= 0; at--)
			t->ternary[i] = (uint16_t)(3 * t->ternary[i] + (i >> at & 1));
	}
	for (int empty = 0; empty <= 8; empty++)
		for (unsigned mine = 0; mine < 256; mine++)
			for (unsigned theirs = 0; theirs < 256; theirs++) {
				const struct edge e = { mine, theirs };
				if (!(mine & theirs) && bits_count(mine | theirs) == 8 - empty)
					t->stable[edge_number(t, e)] = (uint8_t)edge_stable(t, e);
			}
}

/* ---- the board ---- */

static unsigned left_column(uint64_t b)
{
	return (unsigned)((b & REVERSI_LEFT) * UINT64_C(0x0102040810204080) >> 56);
}

static uint64_t as_left_column(unsigned byte)
{
	const uint64_t spread = byte * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
	return (spread + UINT64_C(0x007f7f7f7f7f7f7f)) >> 7 & REVERSI_LEFT;
}

static uint64_t on_edges(const struct stable_edges *t, uint64_t mine, uint64_t theirs)
{
	const struct edge top = { mine & 0xff, theirs & 0xff };
	const struct edge bottom = { (unsigned)(mine >> 56), (unsigned)(theirs >> 56) };
	const struct edge left = { left_column(mine), left_column(theirs) };
	const struct edge right = { left_column(mine >> 7), left_column(theirs >> 7) };
	return t->stable[edge_number(t, top)] |
	       (uint64_t)t->stable[edge_number(t, bottom)] << 56 |
	       as_left_column(t->stable[edge_number(t, left)]) |
	       as_left_column(t->stable[edge_number(t, right)]) << 7;
}

uint64_t stable_discs(const struct stable_edges *t, uint64_t mine, uint64_t theirs)
{
	const uint64_t inner = UINT64_C(0x007e7e7e7e7e7e00);
	const struct reversi_full_lines full = reversi_find_full_lines(mine | theirs);
	uint64_t stable = on_edges(t, mine, theirs);
	stable |= full.row & full.column & full.falling & full.rising & mine & inner;
	if (!stable)
		return 0;
	for (uint64_t before = 0; before != stable;) {
		before = stable;
		const uint64_t row = stable >> 1 | stable << 1 | full.row;
		const uint64_t column = stable >> 8 | stable << 8 | full.column;
		const uint64_t falling = stable >> 9 | stable << 9 | full.falling;
		const uint64_t rising = stable >> 7 | stable << 7 | full.rising;
		stable |= row & column & falling & rising & mine & inner;
	}
	return stable;
}
