/*
 * followup.h - connect-four: bounds from always replying in the same column, without a search.
 * SPDX-License-Identifier: MIT
 *
 * Call a column odd if it has an odd number of empty squares; its next square is then in an even
 * row. A player who is not to move and always replies in the same column gets the even rows of the
 * even columns and leaves the odd rows. Odd columns are taken in pairs: when the opponent plays the
 * next square of one, the reply is the next square of its partner, and both columns are even from
 * there. So of each pair of next squares each side gets one, but cannot choose which.
 */
#ifndef GAMES_CONNECT4_FOLLOWUP_H
#define GAMES_CONNECT4_FOLLOWUP_H

#include "games/connect4/threats.h"

/* The whole columns of these squares, which are in even rows, at most one per column. */
static inline uint64_t c4_whole_columns(uint64_t even_squares)
{
	return ((even_squares >> 1 | even_squares >> 3 | even_squares >> 5) & C4_BOTTOM) *
	       ((1 << C4_HEIGHT) - 1);
}

/*
 * Four next squares can be paired in three ways. Bit i of the result: pairing the first with number
 * i + 1 leaves no four in the set with one square of each pair.
 */
static inline unsigned c4_safe_pairings(uint64_t set, uint64_t nexts)
{
	uint64_t square[4];
	for (int i = 0; i < 4; i++, nexts = bits_rest(nexts))
		square[i] = nexts & (0 - nexts);
	unsigned ways = 7;
	for (int i = 0; i < 3 && ways; i++)
		for (int j = i + 1; j < 4; j++)
			/* these two must be a pair */
			if (c4_has_four(set | square[i] | square[j]))
				ways &= 1U << (i == 0 ? j - 1 : 5 - i - j);
	return ways;
}

/*
 * Whether an even number of next squares can be paired so that the set, with one of each pair, has
 * no four.
 */
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

/*
 * Whether the set, without one of each pair, has a four however an even number of next squares is
 * paired.
 */
static inline bool c4_pairs_leave_four(uint64_t set, uint64_t nexts)
{
	if (c4_has_four(set & ~nexts))
		return true;
	if (bits_count(nexts) != 2)
		return false;
	const uint64_t one = nexts & (0 - nexts);
	return c4_has_four(set ^ one) && c4_has_four(set ^ (nexts ^ one));
}

/* The first player is to move, and the second can prevent a four by following up. */
static inline bool c4_first_is_held(uint64_t first, uint64_t open, uint64_t playable)
{
	return c4_pairs_give_none(first | (open & C4_ODD_ROWS), playable & C4_EVEN_ROWS);
}

/* The first player is to move, and the second, by following up, gets a four and allows none. */
static inline bool c4_second_is_sure(uint64_t first, uint64_t second, uint64_t open,
				     uint64_t playable)
{
	return c4_pairs_leave_four(second | (open & C4_EVEN_ROWS), playable & C4_EVEN_ROWS) &&
	       c4_first_is_held(first, open, playable);
}

/*
 * The second player is to move; `threats` are the first player's. If one is in an odd row of an odd
 * column, the first player follows up everywhere, there too, until the second must play below it.
 * On the way the second must not get a four from the odd rows elsewhere or the even rows below it
 * here.
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
