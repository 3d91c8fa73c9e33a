/*
 * match_equity.h - the match equity table of backgammon: the chance to win the match at each score.
 * SPDX-License-Identifier: MIT
 *
 * It is computed from three figures for two equal players: how many wins are gammons, how efficient
 * the cube is, and what the free drop after the Crawford game is worth. No table from elsewhere is
 * used. The figures are such that the result is within 0.005 of the published tables.
 */
#ifndef BACKGAMMON_MATCH_EQUITY_H
#define BACKGAMMON_MATCH_EQUITY_H

#include <stdbool.h>

enum { MATCH_EQUITY_POINTS = 64 };

struct match_equity {
	/*
	 * By the points that a seat and its opponent still need, at the start of a game. If one of
	 * them needs one point and the other more, it is the Crawford game.
	 */
	double before[MATCH_EQUITY_POINTS + 1][MATCH_EQUITY_POINTS + 1];
	/* After the Crawford game: of a seat that needs so many, against one that needs one. */
	double after[MATCH_EQUITY_POINTS + 1];
};

/* Computes the table for matches of up to so many points. */
void match_equity_compute(struct match_equity *t, int points);

/*
 * The chance of a seat that needs `mine` points, within those of the table; 0 or less: it has won.
 * after_crawford: the Crawford game has been played, or the match has none.
 */
double match_equity_at(const struct match_equity *t, int mine, int theirs, bool after_crawford);

#endif
