/*
 * player_1983.h - the 1983 book's noughts and crosses: one ply, and two positions known by heart.
 * SPDX-License-Identifier: MIT
 *
 * A line's sum, own men 1 each and the opponent's -1 each, has a weight, and the position after the
 * move is worth the weights of the eight lines together. The lines of the listing that held the
 * weights are lost: these are a reconstruction, which agrees with all that the text says of the
 * program, and with which it never loses.
 */
#ifndef GAMES_NOUGHTS_PLAYER_1983_H
#define GAMES_NOUGHTS_PLAYER_1983_H

#include "games/noughts/rules.h"
#include "search/one_ply.h"

enum { LOWEST_SUM = -3, SUMS = 7, CENTRE = 4 };

static const int32_t noughts_1983_weights[SUMS] = {
	[-2 - LOWEST_SUM] = -12, [-1 - LOWEST_SUM] = -2, [0 - LOWEST_SUM] = 0,
	[1 - LOWEST_SUM] = 1,	 [2 - LOWEST_SUM] = 4,	 [3 - LOWEST_SUM] = 100,
};

static int32_t noughts_1983_score(const void *state, qv_move move, bool literal)
{
	const struct noughts *s = state;
	const int me = noughts_seat(s), mine = s->stones[me] | 1 << move,
		  theirs = s->stones[1 - me];
	int32_t sum = 0;
	(void)literal;
	for (int i = 0; i < NOUGHTS_LINES; i++)
		sum += noughts_1983_weights[bits_count((uint64_t)(mine & noughts_lines[i])) -
			       bits_count((uint64_t)(theirs & noughts_lines[i])) - LOWEST_SUM];
	return sum;
}

/*
 * The empty board; and the centre held against two opposite corners, where the evaluation would
 * choose a corner and lose.
 */
static bool noughts_1983_knows(const void *state)
{
	const struct noughts *s = state;
	const int me = noughts_seat(s), mine = s->stones[me], theirs = s->stones[1 - me];
	return !noughts_occupied(s) ||
	       (mine == 1 << CENTRE && (theirs == 0x101 || theirs == 0x044));
}

/* Then the centre, or one of the edges. */
static bool noughts_1983_prefers(const void *state, qv_move move)
{
	return noughts_occupied(state) ? move & 1 : move == CENTRE;
}

static const struct one_ply_program noughts_program_1983 = { noughts_1983_score, noughts_1983_knows, noughts_1983_prefers, false };

#endif
