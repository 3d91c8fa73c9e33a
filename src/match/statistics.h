/*
 * statistics.h - what the results of two players say: score, Elo, LOS, with their errors.
 * SPDX-License-Identifier: MIT
 *
 * The formulae, and what is shown where they have no value (no games, 0 %, 100 %), are in
 * docs/match.md. Every figure is finite, whatever the counts.
 */
#ifndef MATCH_STATISTICS_H
#define MATCH_STATISTICS_H

#include "quevedo.h"

/* Single games, as one of two players sees them. */
struct tally {
	uint64_t wins, draws, losses;
};

/* Pairs of games from the same opening with the seats exchanged, as one player sees them. */
struct pair_tally {
	uint64_t ll, ld, wl, dd, wd, ww;
};

struct statistics {
	uint64_t count;            /* games, or pairs */
	bool bounded;              /* an extreme, where the formulae have no value */
	double score, score_error; /* 0 to 1; 0.5 without games */
	double elo, elo_error;     /* the error is half of the 95 % interval */
	double nelo, nelo_error;   /* normalised Elo */
	double los;                /* likelihood of superiority, 0 to 1 */
	double draw_ratio;         /* drawn games, or pairs that ended even; 0 to 1 */
	double pairs_ratio;        /* pairs won to pairs lost; 1 for single games */
};

struct statistics statistics_of_games(const struct tally *t);
struct statistics statistics_of_pairs(const struct pair_tally *t);
/*
 * Of games of any number of seats, in each of which every two players met. Meetings in one game
 * hang together: each weighs 2 / seats, as for the ratings. Of two seats it is statistics_of_games.
 */
struct statistics statistics_of_meetings(const struct tally *t, int seats);

/* Adds one game that gave this player `points` against `other`'s. */
void tally_add(struct tally *t, int32_t points, int32_t other);
/* Adds a pair of games; half points per game: 0 lost, 1 drawn, 2 won. */
void pair_tally_add(struct pair_tally *t, int first, int second);
/* The same results as the opponent sees them. */
struct tally tally_mirror(const struct tally *t);
struct pair_tally pair_tally_mirror(const struct pair_tally *t);
uint64_t tally_games(const struct tally *t);
uint64_t pair_tally_pairs(const struct pair_tally *t);

/* The Elo difference that a score (0 < s < 1) stands for, and back. */
double elo_of_score(double score);
double score_of_elo(double elo);

/*
 * For people, as the other tools print it: Elo, nElo, LOS, ratios, games; with the pentanomial line
 * where `pairs` is not NULL, which then gives the Elo. Several lines, each ended.
 */
void statistics_print(const struct tally *games, const struct pair_tally *pairs,
		      struct qv_text *out);

#endif
