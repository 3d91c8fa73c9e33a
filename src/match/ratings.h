/*
 * ratings.h - Elo ratings of several players from all results between them.
 * SPDX-License-Identifier: MIT
 *
 * Maximum likelihood in the Bradley-Terry model, with a draw as half a win and half a loss: each
 * player's expected score against all opponents equals its actual score. docs/match.md has the
 * details.
 */
#ifndef MATCH_RATINGS_H
#define MATCH_RATINGS_H

#include "match/statistics.h"

struct rating {
	double elo;                /* the mean of its group is 0 */
	double error;              /* half of the 95 % interval around that mean */
	/*
	 * Players connected by meetings share a group, numbered from 0; ratings of different groups
	 * cannot be compared.
	 */
	int group;
	bool bounded;              /* some results were too one-sided and were regularised */
};

/*
 * meetings[a * players + b], a < b, are a's results against b. In a game of more than two seats
 * every two players count as having met, and the game has the weight of `seats` - 1 meetings. out
 * has room for all players; every figure is finite. QV_NO_MEMORY is the only failure.
 */
enum qv_status ratings_of_meetings(const struct qv_allocator *a, int players,
				   const struct tally *meetings, int seats, struct rating *out);

#endif
