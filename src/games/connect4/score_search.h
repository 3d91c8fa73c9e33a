/*
 * score_search.h - connect-four: an exact score, and a move that gets it, by null-window tests.
 * SPDX-License-Identifier: MIT
 *
 * A score tells how soon the game ends: 43 minus the number of discs on the board at the end,
 * negative if the side to move loses, 0 for a draw.
 */
#ifndef GAMES_CONNECT4_SCORE_SEARCH_H
#define GAMES_CONNECT4_SCORE_SEARCH_H

#include <stdatomic.h>

#include "base/memory.h"
#include "games/connect4/evaluate.h"

enum { C4_SQUARES = C4_WIDTH * C4_HEIGHT };

/* A score, or a bound if it lies outside the limits, and a move that gets it. */
struct c4_score {
	int score;
	qv_move move;
};

/* What is known about a score: low <= score <= high. */
struct c4_bounds {
	int low, high;
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

/* ---- The order of moves ---- */

/* Moves, and the number of threats that each makes. */
struct c4_order {
	uint64_t move[C4_WIDTH];
	int threats[C4_WIDTH];
	int count;
};

/* Columns from the middle outwards: the middle is in most fours. */
static const int c4_from_middle[C4_WIDTH] = { 3, 2, 4, 1, 5, 0, 6 };

/* Sorts a set of moves; among equals the one nearest the middle comes first. */
static inline void c4_order_moves(struct c4_order *list, uint64_t moves, uint64_t mine,
				  uint64_t all)
{
	list->count = 0;
	for (int i = 0; i < C4_WIDTH; i++) {
		const uint64_t move = moves & C4_COLUMN(c4_from_middle[i]);
		if (!move)
			continue;
		const int threats = bits_count(c4_threats(mine | move, all | move));
		int at = list->count++;
		for (; at > 0 && list->threats[at - 1] < threats; at--) {
			list->move[at] = list->move[at - 1];
			list->threats[at] = list->threats[at - 1];
		}
		list->move[at] = move;
		list->threats[at] = threats;
	}
}

/* ---- The search ---- */

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
 * Among the moves that get it, one with a known score comes first, then the order of
 * c4_order_moves decides, so the move does not depend on earlier searches.
 */
struct c4_score c4_find_score(const struct c4_score_test *test, const struct c4 *at, int lowest,
			      int highest, int sure);

/*
 * ---- quick_score.c: positions that are not too hard ----
 *
 * The table keeps a lower and an upper bound for each position. They stay true whatever search
 * found them, so it is never cleared:
 *
 *    63......14 13....7 6....0
 *    position   lower   upper       both plus 64
 */

enum { C4_SCORE_BITS = 16 };

struct c4_scorer {
	uint64_t *slots; /* 2^C4_SCORE_BITS */
	uint64_t nodes, most_nodes;
	const struct qv_solve_limits *limits; /* NULL: none */
	bool stopped;		 /* by most_nodes or the limits; then scores are meaningless */
};

/* Allocates the table; QV_NO_MEMORY on failure. Release with c4_scorer_release. */
enum qv_status c4_scorer_init(struct c4_scorer *s, const struct qv_allocator *allocator);
void c4_scorer_release(struct c4_scorer *s, const struct qv_allocator *allocator);

/* The score within these limits. The game must not be over. Sets nodes and stopped. */
struct c4_score c4_score(struct c4_scorer *s, const struct c4 *at, int lowest, int highest);

#endif
