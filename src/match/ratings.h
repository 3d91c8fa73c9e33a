/*
 * ratings.h - Elo ratings of several players from all results between them.
 * SPDX-License-Identifier: MIT
 *
 * The ratings of greatest likelihood (Bradley and Terry; a draw is half a win and half a loss):
 * each player's expected score against all it met is the score it had. docs/match.md has the
 * rest.
 */
#ifndef MATCH_RATINGS_H
#define MATCH_RATINGS_H

#include "match/statistics.h"

struct rating {
	double elo;                /* the mean of its group is 0 */
	double error;              /* half of the 95 % interval, against that mean */
	/*
	 * Players who met, or met others who met, share a group, numbered from 0; between groups
	 * ratings say nothing.
	 */
	int group;
	bool bounded;              /* some of its results were too one-sided for the method */
};

/*
 * meetings[a * players + b], a < b, are a's results against b. Of games of more seats each two
 * players of a game count as having met, and a game weighs as much as `seats` - 1 of them. out has
 * room for all players; every figure is finite. Fails only for want of memory.
 */
enum qv_status ratings_of_meetings(const struct qv_allocator *a, int players,
				   const struct tally *meetings, int seats, struct rating *out);

#endif
