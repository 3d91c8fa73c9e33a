/*
 * last_plies.h - reversi: the last one to four empty squares, where most of the time is spent.
 * SPDX-License-Identifier: MIT
 *
 * All functions test whether the score is above alpha: a result above it is a lower bound, any
 * other an upper bound. Playing first in a region with an odd number of empty squares means playing
 * last there too, so such regions are tried first. A region is a quarter of the board.
 */
#ifndef GAMES_REVERSI_LAST_PLIES_H
#define GAMES_REVERSI_LAST_PLIES_H

#include "games/reversi/endgame.h"

enum { LAST_NONE = 127 };                  /* more than any score */

#define LAST_BIT(square) (UINT64_C(1) << (square))

/* The quarter of the board that the square is in. */
static inline uint64_t last_quarter(int square)
{
	return UINT64_C(0x0f0f0f0f) << (square & 36);
}

/* Whether two squares are in the same quarter. */
static inline bool last_together(int a, int b)
{
	return ((a ^ b) & 36) == 0;
}

/* One empty square. */
static inline int last_1(struct endgame *e, uint64_t mine, int square, int alpha)
{
	const int score = 2 * bits_count(mine) - 62;             /* if the square becomes mine */
	const int turned = flip_count(&e->counts, mine, square);
	e->nodes++;
	if (turned || score <= alpha)
		return score + 2 * turned;
	const int lost = flip_count(&e->counts, ~(mine | LAST_BIT(square)), square);
	return lost ? score - 2 - 2 * lost : score > 0 ? score : score - 2;
}

/* The discs that a move turns over; 0: it is not legal. */
static inline uint64_t last_flips(const struct endgame *e, uint64_t mine, uint64_t theirs,
				  int square)
{
	return e->rays.around[square] & theirs ? flips(&e->rays, mine, theirs, square) : 0;
}

/* Two empty squares, tried by the side to move; -LAST_NONE: it has no legal move. */
static inline int last_2_moves(struct endgame *e, uint64_t mine, uint64_t theirs, int a, int b,
			       int alpha)
{
	int best = -LAST_NONE;
#pragma GCC unroll 2
	for (int i = 0; i < 2; i++) {
		const uint64_t turned = last_flips(e, mine, theirs, i ? b : a);
		if (!turned)
			continue;
		const int score = -last_1(e, theirs ^ turned, i ? a : b, -alpha - 1);
		best = score > best ? score : best;
		if (best > alpha)
			return best;
	}
	return best;
}

static inline int last_2(struct endgame *e, uint64_t mine, uint64_t theirs, int a, int b, int alpha)
{
	e->nodes++;
	const int score = last_2_moves(e, mine, theirs, a, b, alpha);
	if (score != -LAST_NONE)
		return score;
	const int passed = last_2_moves(e, theirs, mine, a, b, -alpha - 1);
	return passed != -LAST_NONE ? -passed : endgame_final(mine, theirs);
}

/* Three empty squares, in the order in which they are tried. */
struct last_three {
	int at[3];
};

/* A square alone in its quarter comes first. */
static inline struct last_three last_order(int a, int b, int c)
{
	if (last_together(a, b))
		return (struct last_three){ { c, a, b } };
	if (last_together(a, c))
		return (struct last_three){ { b, a, c } };
	return (struct last_three){ { a, b, c } };
}

/* Three empty squares, tried by the side to move; -LAST_NONE: it has no legal move. */
static inline int last_3_moves(struct endgame *e, uint64_t mine, uint64_t theirs,
			       struct last_three t, int alpha)
{
	int best = -LAST_NONE;
#pragma GCC unroll 3
	for (int i = 0; i < 3; i++) {
		const uint64_t turned = last_flips(e, mine, theirs, t.at[i]);
		if (!turned)
			continue;
		const int score = -last_2(e, theirs ^ turned, mine | turned | LAST_BIT(t.at[i]),
					  t.at[i == 0], t.at[i == 2 ? 1 : 2], -alpha - 1);
		best = score > best ? score : best;
		if (best > alpha)
			return best;
	}
	return best;
}

static inline int last_3(struct endgame *e, uint64_t mine, uint64_t theirs, struct last_three t,
			 int alpha)
{
	e->nodes++;
	const int score = last_3_moves(e, mine, theirs, t, alpha);
	if (score != -LAST_NONE)
		return score;
	const int passed = last_3_moves(e, theirs, mine, t, -alpha - 1);
	return passed != -LAST_NONE ? -passed : endgame_final(mine, theirs);
}

/* Four empty squares: those in odd quarters first; if three are together, the single one. */
static inline void last_4_order(uint64_t empty, uint64_t odd, int *at)
{
	int n = 0;
	for (uint64_t set = empty & odd; set; set = bits_rest(set))
		at[n++] = bits_lowest(set);
	for (uint64_t set = empty & ~odd; set; set = bits_rest(set))
		at[n++] = bits_lowest(set);
	if ((empty & ~odd) || last_together(at[0], at[1]) + last_together(at[1], at[2]) +
					      last_together(at[2], at[3]) == 0)
		return;
	for (int i = 1; i < 4; i++)
		if (!last_together(at[i], at[0]) && !last_together(at[i], at[i == 1 ? 2 : 1])) {
			const int alone = at[i];
			at[i] = at[0];
			at[0] = alone;
			return;
		}
}

/* Four empty squares, tried by the side to move; -LAST_NONE: it has no legal move. */
static inline int last_4_moves(struct endgame *e, uint64_t mine, uint64_t theirs, const int *at,
			       int alpha)
{
	static const uint8_t others[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
	int best = -LAST_NONE;
	for (int i = 0; i < 4; i++) {
		const uint64_t turned = last_flips(e, mine, theirs, at[i]);
		if (!turned)
			continue;
		const uint8_t *o = others[i];
		const int score = -last_3(e, theirs ^ turned, mine | turned | LAST_BIT(at[i]),
					  last_order(at[o[0]], at[o[1]], at[o[2]]), -alpha - 1);
		if (score > alpha)
			return score;
		best = score > best ? score : best;
	}
	return best;
}

/* `odd` is the set of quarters with an odd number of empty squares. */
static int last_4(struct endgame *e, uint64_t mine, uint64_t theirs, uint64_t odd, int alpha)
{
	int at[4];
	e->nodes++;
	last_4_order(~(mine | theirs), odd, at);
	const int score = last_4_moves(e, mine, theirs, at, alpha);
	if (score != -LAST_NONE)
		return score;
	const int passed = last_4_moves(e, theirs, mine, at, -alpha - 1);
	return passed != -LAST_NONE ? -passed : endgame_final(mine, theirs);
}

#endif
