/*
 * score_search.h - connect-four: an exact score, and a move that gets it, by asking again and again whether
 * the score is above a number.
 * SPDX-License-Identifier: MIT
 *
 * A score counts how soon: 43 minus the discs on the board at the end, negative if the side to
 * move loses, 0 for a draw.
 */
#ifndef GAMES_CONNECT4_SCORE_SEARCH_H
#define GAMES_CONNECT4_SCORE_SEARCH_H

#include "games/connect4/order.h"

enum { C4_SQUARES = C4_WIDTH * C4_HEIGHT };

/* The score, or which side of the limits it lies on, and a move that gets it. */
struct c4_score {
	int score;
	qv_move move;
};

/* The game ends with so many discs on the board, and the side to move wins. */
static inline int c4_score_win(int discs)
{
	return C4_SQUARES + 1 - discs;
}

/* How many discs are on the board at the end, for a score that is not 0. */
static inline int c4_score_end(int score)
{
	return C4_SQUARES + 1 - (score > 0 ? score : -score);
}

/* Who answers. */
struct c4_asked {
	void *ctx;
	/*
	 * The side to move has no four to make at once: a score above alpha only if the true one is at
	 * least as high, one not above it only if the true one is at most as high.
	 */
	int (*above)(void *ctx, const struct c4 *at, int discs, int alpha);
	int (*question)(int low, int high);    /* the next alpha: at least low, below high */
	/* Whether the score of a position needs no search. NULL: of none. */
	bool (*known)(const void *ctx, const struct c4 *at, int discs, int *score);
	const bool *stopped;                   /* then no answer means anything */
};

/*
 * The score between these limits, which is at least `sure`; the game goes on. Of the moves that get
 * it one that is known comes first, then the order of order.h decides, whatever was asked before.
 */
struct c4_score c4_ask(const struct c4_asked *asked, const struct c4 *at, int lowest, int highest,
		       int sure);

#endif
