/*
 * glicko.h - Glicko-2 ratings (Mark Glickman, "Example of the Glicko-2 system", 2013).
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_GLICKO_H
#define MATCH_GLICKO_H

struct glicko {
	double rating;	   /* on the scale of Elo */
	double deviation;  /* > 0; the rating is within two of these with 95 % */
	double volatility; /* > 0; how much the results vary; 0.06 for a new player */
};

/* A result against an opponent, whose rating does not change by it. */
struct glicko_result {
	double rating, deviation;
	double score; /* 1: won, 0.5: draw, 0: lost */
};

/* The deviation of a new player, and the most that any has. */
#define GLICKO_MOST_DEVIATION 350.0

/* The rating after the results of one rating period. Without results only the deviation grows. */
struct glicko glicko_rate(struct glicko before, const struct glicko_result *results, int count);

#endif
