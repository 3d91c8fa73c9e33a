/*
 * player_1983.h - the 1983 book's program for noughts and crosses: one ply, and two positions by
 * heart.
 * SPDX-License-Identifier: MIT
 *
 * The sum of a line counts 1 for each own mark and -1 for each of the opponent's. Each sum has a
 * weight, and a move is worth the weights of the eight lines after it. The lines of the listing
 * that held the weights are lost. The weights here are a reconstruction that agrees with everything
 * the text says about the program; with them it never loses.
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
 * Known by heart: the empty board, and the centre held against two opposite corners, where the
 * evaluation would choose a corner and lose.
 */
static bool noughts_1983_has_reply(const void *state)
{
	const struct noughts *s = state;
	const int me = noughts_seat(s), mine = s->stones[me], theirs = s->stones[1 - me];
	return !noughts_occupied(s) ||
	       (mine == 1 << CENTRE && (theirs == 0x101 || theirs == 0x044));
}

/* The moves known by heart: the centre of the empty board, else an edge square. */
static bool noughts_1983_is_reply(const void *state, qv_move move)
{
	return noughts_occupied(state) ? move & 1 : move == CENTRE;
}

static const struct one_ply_program noughts_program_1983 = {
	noughts_1983_score, noughts_1983_has_reply, noughts_1983_is_reply, false
};

#endif
