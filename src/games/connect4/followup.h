/*
 * followup.h - connect-four: what always answering in the same column gives, without a search.
 * SPDX-License-Identifier: MIT
 *
 * Call a column odd if an odd number of its squares is free: its next square is in an even row.
 * Who is not to move and answers in the same column gets the even rows of the even columns and
 * leaves the odd rows. Odd columns he takes two by two: when the other plays the next square of
 * one, he plays that of its partner, and both columns are even above. So of each pair of next
 * squares each side gets one, and may not choose which.
 */
#ifndef GAMES_CONNECT4_FOLLOWUP_H
#define GAMES_CONNECT4_FOLLOWUP_H

#include "games/connect4/threats.h"

/* The whole columns of these squares, at most one in each and all in even rows. */
static inline uint64_t c4_whole_columns(uint64_t even_squares)
{
	return ((even_squares >> 1 | even_squares >> 3 | even_squares >> 5) & C4_BOTTOM) *
	       ((1 << C4_HEIGHT) - 1);
}

/*
 * Four next squares can be paired in three ways. Bit i of the answer: pairing the first with the
 * i+1-st leaves no four in the set with one square of each pair.
 */
static inline unsigned c4_safe_pairings(uint64_t set, uint64_t nexts)
{
	uint64_t square[4];
	for (int i = 0; i < 4; i++, nexts = bits_rest(nexts))
		square[i] = nexts & (0 - nexts);
	unsigned ways = 7;
	for (int i = 0; i < 3 && ways; i++)
		for (int j = i + 1; j < 4; j++)
			if (c4_has_four(set | square[i] | square[j]))   /* must be a pair */
				ways &= 1U << (i == 0 ? j - 1 : 5 - i - j);
	return ways;
}

/* An even number of next squares can be paired so that the set, with one of each, has no four. */
static inline bool c4_pairs_give_none(uint64_t set, uint64_t nexts)
{
	if (!c4_has_four(set | nexts))
		return true;
	const int n = bits_count(nexts);
	if (n < 2 || n > 4)
		return false;
	if (n == 4)
		return !c4_has_four(set) && c4_safe_pairings(set, nexts);
	const uint64_t one = nexts & (0 - nexts);
	return !c4_has_four(set | one) && !c4_has_four(set | (nexts ^ one));
}

/* However an even number of next squares is paired, the set without one of each has a four. */
static inline bool c4_pairs_leave_four(uint64_t set, uint64_t nexts)
{
	if (c4_has_four(set & ~nexts))
		return true;
	if (bits_count(nexts) != 2)
		return false;
	const uint64_t one = nexts & (0 - nexts);
	return c4_has_four(set ^ one) && c4_has_four(set ^ (nexts ^ one));
}

/* The first player is to move, and the second, by following up, gives him no four. */
static inline bool c4_first_is_held(uint64_t first, uint64_t open, uint64_t playable)
{
	return c4_pairs_give_none(first | (open & C4_ODD_ROWS), playable & C4_EVEN_ROWS);
}

/* The first player is to move, and the second, by following up, gets a four and gives none. */
static inline bool c4_second_is_sure(uint64_t first, uint64_t second, uint64_t open,
				     uint64_t playable)
{
	return c4_pairs_leave_four(second | (open & C4_EVEN_ROWS), playable & C4_EVEN_ROWS) &&
	       c4_first_is_held(first, open, playable);
}

/*
 * The second player is to move; threats are the first player's. If one is in an odd row of an odd
 * column, the first player follows up everywhere, there too, until the second must play under
 * it. He must give no four on the way: the odd rows elsewhere, and here the even ones below.
 */
static inline bool c4_first_waits(uint64_t second, uint64_t open, uint64_t playable,
				  uint64_t threats)
{
	const uint64_t nexts = playable & C4_EVEN_ROWS;
	threats &= C4_ODD_ROWS & c4_whole_columns(nexts);
	for (; threats; threats = bits_rest(threats)) {
		const uint64_t square = threats & (0 - threats);
		const uint64_t column = c4_whole_columns(square << 1);
		const uint64_t set = second | (open & C4_ODD_ROWS & ~column) |
				     (open & C4_EVEN_ROWS & column & (square - 1));
		if (c4_pairs_give_none(set, nexts & ~column))
			return true;
	}
	return false;
}

#endif
