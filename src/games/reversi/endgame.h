/*
 * endgame.h - reversi: the exact final disc difference, when not too many squares are empty.
 * SPDX-License-Identifier: MIT
 *
 * A score is the discs of the side to move minus those of the opponent at the end of the game, with
 * best play by both. Empty squares count for the winner. All scores are even.
 */
#ifndef GAMES_REVERSI_ENDGAME_H
#define GAMES_REVERSI_ENDGAME_H

#include "games/reversi/flips.h"
#include "games/reversi/endgame_table.h"
#include "games/reversi/stable_bound.h"

enum { ENDGAME_MOST = 64, ENDGAME_PASS = 64 };

struct endgame {
	struct flip_rays rays;
	struct flip_counts counts;
	struct stable_edges edges;
	struct endgame_table table, near;    /* near: positions with few empty squares */
	uint64_t nodes, poll_at;
	const atomic_bool *stop;           /* NULL: never */
	int64_t deadline_us;               /* by clock_us; kept until it is set again; 0: none */
	bool stopped;                      /* then scores are meaningless */
};

/*
 * Allocates the tables, at most hash_bytes; QV_NO_MEMORY on failure. Release with endgame_release.
 */
enum qv_status endgame_init(struct endgame *e, const struct qv_allocator *allocator,
			    size_t hash_bytes);
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
				    int high, const atomic_bool *stop);

/* The score of a finished game. */
static inline int endgame_final(uint64_t mine, uint64_t theirs)
{
	const int my_discs = bits_count(mine), their_discs = bits_count(theirs);
	return my_discs > their_discs ? 64 - 2 * their_discs :
	       my_discs < their_discs ? 2 * my_discs - 64 : 0;
}

#endif
