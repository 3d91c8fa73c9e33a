/*
 * endgame.h - reversi: the exact final disc difference, when not too many squares are empty.
 * SPDX-License-Identifier: MIT
 *
 * A score is the discs of the side to move minus those of the opponent at the end of the game, with
 * best play by both. Empty squares count for the winner. All scores are even.
 */
#ifndef GAMES_REVERSI_ENDGAME_H
#define GAMES_REVERSI_ENDGAME_H

#include "base/memory.h"
#include "games/reversi/flips.h"

/* ---- Stable discs ---- */

enum { STABLE_EDGES = 6561 }; /* all edges: three to the eighth */

struct stable_edges {
	uint16_t ternary[256]; /* the bits of a byte as digits in base 3 */
	/* my stable discs, by digits 1 for mine and 2 for theirs */
	uint8_t stable[STABLE_EDGES];
};

/* Fills the table of edges. */
void stable_edges_init(struct stable_edges *t);

/*
 * My stable discs, as far as they are found: not all, but those found are certain. So a side with n
 * of them ends at least 2n - 64 discs ahead.
 */
uint64_t stable_discs(const struct stable_edges *t, uint64_t mine, uint64_t theirs);

/* ---- The transposition table ---- */

enum { ENDGAME_NO_MOVE = 64, ENDGAME_WAYS = 4 };

/*
 * An entry holds both sides' discs, so a hit is always the same position. Its bounds of the final
 * disc difference stay true whatever search found them, so the table need not be cleared. Four
 * entries share a bucket. An entry from an earlier search is replaced first, then the one that cost
 * least.
 */
struct endgame_entry {
	uint64_t mine, theirs; /* both 0: the entry is empty */
	int8_t lower, upper;
	uint8_t move[2]; /* the best and the one before it, or ENDGAME_NO_MOVE */
	uint8_t cost;	 /* about the logarithm of the nodes that it took */
	uint8_t round;	 /* the search that last used it */
};

struct endgame_table {
	struct endgame_entry *slots;
	size_t count; /* a multiple of ENDGAME_WAYS, at least one bucket */
	int bits;     /* there are 2^bits buckets */
	uint8_t round;
};

/* ---- The search ---- */

enum { ENDGAME_MOST = 64, ENDGAME_PASS = 64 };

/* The solver: its tables, and the search that is running. */
struct endgame {
	struct flip_rays rays;
	struct flip_counts counts;
	struct stable_edges edges;
	struct endgame_table tables[2]; /* the second: positions with few empty squares */
	uint64_t nodes, poll_at;
	const struct qv_solve_limits *limits; /* NULL: none */
	int64_t deadline_us;               /* by clock_us; kept until it is set again; 0: none */
	bool stopped;                      /* then scores are meaningless */
};

/*
 * Allocates the tables, at most hash_bytes; QV_NO_MEMORY on failure. Release with endgame_release.
 */
enum qv_status endgame_init(struct endgame *e, const struct qv_allocator *allocator,
			    size_t hash_bytes);
/* Frees the tables; also after endgame_init has failed. */
void endgame_release(struct endgame *e, const struct qv_allocator *allocator);
/*
 * Clears the tables, as after endgame_init: the next result, its move too, depends on the position
 * alone.
 */
void endgame_forget(struct endgame *e);

struct endgame_answer {
	int score;
	int move;                          /* a square or ENDGAME_PASS */
};

/*
 * The score within these limits, or a bound if it lies outside, and a move that gets it. The game
 * must not be over. Counts nodes from 0, and sets stopped.
 */
struct endgame_answer endgame_solve(struct endgame *e, uint64_t mine, uint64_t theirs, int low,
				    int high, const struct qv_solve_limits *limits);

/* The score of a finished game. */
static inline int endgame_final(uint64_t mine, uint64_t theirs)
{
	const int my_discs = bits_count(mine), their_discs = bits_count(theirs);
	return my_discs > their_discs ? 64 - 2 * their_discs :
	       my_discs < their_discs ? 2 * my_discs - 64 : 0;
}

#endif
