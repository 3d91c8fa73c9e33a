/*
 * score_search.h - connect-four: an exact score, and a move that gets it, by null-window tests.
 * SPDX-License-Identifier: MIT
 *
 * A score tells how soon the game ends: 43 minus the number of discs on the board at the end,
 * negative if the side to move loses, 0 for a draw.
 */
#ifndef GAMES_CONNECT4_SCORE_SEARCH_H
#define GAMES_CONNECT4_SCORE_SEARCH_H

#include "games/connect4/order.h"

enum { C4_SQUARES = C4_WIDTH * C4_HEIGHT };

/* A score, or a bound if it lies outside the limits, and a move that gets it. */
struct c4_score {
	int score;
	qv_move move;
};

/* The score of a win that ends the game with this number of discs on the board. */
static inline int c4_score_win(int discs)
{
	return C4_SQUARES + 1 - discs;
}

/* The number of discs on the board at the end, for a score that is not 0. */
static inline int c4_score_end(int score)
{
	return C4_SQUARES + 1 - (score > 0 ? score : -score);
}

/* How to test a position, and which alphas to test. */
struct c4_score_test {
	void *ctx;
	/*
	 * The side to move cannot make four at once. A result above alpha is a lower bound of the
	 * score, any other an upper bound.
	 */
	int (*above)(void *ctx, const struct c4 *at, int discs, int alpha);
	/* the next alpha to test: at least low, below high */
	int (*next_alpha)(int low, int high);
	/* Whether the score of a position is known without a search. NULL: never. */
	bool (*known)(const void *ctx, const struct c4 *at, int discs, int *score);
	const bool *stopped; /* then results are meaningless */
};

/*
 * The score within these limits, if it is known to be at least `sure`. The game must not be over.
 * Among the moves that get it, one with a known score comes first, then the order of order.h
 * decides, so the move does not depend on earlier searches.
 */
struct c4_score c4_find_score(const struct c4_score_test *test, const struct c4 *at, int lowest,
			      int highest, int sure);

#endif
