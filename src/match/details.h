/*
 * details.h - what the statistics of a match show besides the totals: how each player searches, the
 * named openings that were played, and the score of each game.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_DETAILS_H
#define MATCH_DETAILS_H

#include "book/book.h"
#include "match/match.h"

/* How a player searches, by its spec. An empty text or 0: it has no such thing. */
struct match_searcher {
	char searcher[48];  /* "iterative negascout", or the kind of player */
	char evaluator[32]; /* name of its evaluation */
	int64_t depth;	    /* depth limit of its spec */
};
/* A level is described as the player that it stands for. */
struct match_searcher match_searcher(const struct qv_game *game, const char *spec);

/* An opening that has a name in the built-in book. */
struct named_opening {
	const char *name; /* belongs to the book */
	struct book_eco eco;
	int64_t counts[MATCH_MAX_PLAYERS]; /* how often the moves of each player reached it */
	/* The games in which no later position has a name; wins are counted by seat. */
	int64_t games, draws, wins[QV_MAX_SEATS];
};

/* {0} is valid and empty. */
struct match_details {
	const struct qv_context *context;
	struct book book;		/* not initialized: the game has no book with names */
	uint32_t plies;			/* of the longest line */
	struct named_opening *openings; /* those that occurred, in the order of the book */
	int opening_count;
	size_t opening_room;
	/* With two players, for games of two seats that the rules ended: the points of each. */
	int32_t (*scores)[2];
	size_t score_count, score_room;
};
/* The context must outlive the details. Release them on failure, too. */
enum qv_status details_init(struct match_details *d, const struct qv_context *context,
			    const struct match_plan *plan, struct qv_error *error);
void details_release(struct match_details *d);
/*
 * Counts a game of the plan. *opening becomes the last named one of the game, valid until the next
 * call, or NULL.
 */
enum qv_status details_add(struct match_details *d, const struct match_plan *plan,
			   const struct match_game *game, const struct named_opening **opening,
			   struct qv_error *error);

#endif
