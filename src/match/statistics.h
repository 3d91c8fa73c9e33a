/*
 * statistics.h - statistics of the results between two players: score, Elo, LOS, with errors.
 * SPDX-License-Identifier: MIT
 *
 * The formulas, and what is shown where they are undefined (no games, 0 %, 100 %), are in
 * docs/match.md. Every figure is finite, whatever the counts.
 */
#ifndef MATCH_STATISTICS_H
#define MATCH_STATISTICS_H

#include "quevedo.h"

/* Single games, from the view of one of the two players. */
struct tally {
	uint64_t wins, draws, losses;
};

/* Pairs of games from the same opening with the seats exchanged, from the view of one player. */
struct pair_tally {
	uint64_t ll, ld, wl, dd, wd, ww;
};

/* The figures of one player against the other. */
struct statistics {
	uint64_t count;            /* games, or pairs */
	bool bounded;              /* an extreme score, for which the formulas are undefined */
	double score, score_error; /* 0 to 1; 0.5 without games */
	double elo, elo_error;     /* the error is half of the 95 % interval */
	double nelo, nelo_error;   /* normalised Elo */
	double los;                /* likelihood of superiority, 0 to 1 */
	double draw_ratio;         /* drawn games, or pairs that ended even; 0 to 1 */
	double pairs_ratio;        /* pairs won to pairs lost; 1 for single games */
};

/* From single games, or from pairs, whose results vary less. */
struct statistics statistics_of_games(const struct tally *t);
struct statistics statistics_of_pairs(const struct pair_tally *t);
/*
 * For games with any number of seats, in which every two players meet. Meetings in one game are not
 * independent: each has the weight 2 / seats, as in ratings.h. With two seats it is the same as
 * statistics_of_games.
 */
struct statistics statistics_of_meetings(const struct tally *t, int seats);

/* Adds a game in which this player got `points` and the other player `other`. */
void tally_add(struct tally *t, int32_t points, int32_t other);
/* Adds a pair of games; half points per game: 0 lost, 1 drawn, 2 won. */
void pair_tally_add(struct pair_tally *t, int first, int second);
/* How many games or pairs were counted. */
uint64_t tally_games(const struct tally *t);
uint64_t pair_tally_pairs(const struct pair_tally *t);

/*
 * Results and luck of one player in a game with chance, both in points (quevedo/luck.h). Each entry
 * is the mean of a round, since the games of a round share their dice.
 */
struct luck_tally {
	int64_t rounds;
	double result, luck;		 /* sums */
	double results, lucks, products; /* sums of squares and products */
};
void luck_tally_add(struct luck_tally *t, double result, double luck);

/*
 * The mean result as it is, and without luck: result - factor * luck. Errors are half of the 95 %
 * interval. Luck has mean 0, so a factor that is chosen in advance adds no bias. From
 * LUCK_LEAST_ROUNDS rounds on, the factor is the one that makes the error smallest in these rounds.
 * Its bias is smaller than the error by a factor of the order of the square root of the rounds.
 */
struct luck_figures {
	double mean, error;
	double luck, factor;
	double adjusted, adjusted_error;
};
enum { LUCK_LEAST_ROUNDS = 100 };
struct luck_figures luck_figures_of(const struct luck_tally *t);

/* Converts a score (0 < s < 1) to an Elo difference, and back. */
double elo_of_score(double score);
double score_of_elo(double elo);

#endif
