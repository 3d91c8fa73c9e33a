/*
 * review_words.h - what reviews of games and evaluation bars need to know about a game.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_REVIEW_WORDS_H
#define GAMES_REVIEW_WORDS_H

#include "quevedo.h"

struct review_words {
	/* The score of the strongest player at which the odds of a win are e to 1; 0: estimated. */
	double slope;
	const char *unit; /* in which scores are shown, as "pawns"; NULL: as they are */
	double one;	  /* the score that is worth one of them */
	const char *goal; /* how every win ends, as "four in a row"; NULL: in several ways */
	bool mate;	  /* ... by mate, which is counted in moves, not plies */
	/* Moves that are worth much in themselves, separated by blanks, and what they take. */
	const char *prizes, *prize;
};

/* Those of a game; a game without any has empty ones. */
const struct review_words *review_words(const struct qv_game *game);

#endif
