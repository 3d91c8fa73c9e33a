/*
 * proof_game.h - chess puzzles: which games lead from the start to a position in so many plies?
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CHESS_PROOF_GAME_H
#define GAMES_CHESS_PROOF_GAME_H

#include "base/memory.h"
#include "games/chess/rules.h"

enum { CHESS_MOST_PROOF = 40 };

struct chess_proof {
	const struct chess *target; /* where the men stand; the rest only as asked */
	int plies;		    /* exactly so many */
	bool rights;		    /* castling rights must be the target's too */
	size_t hash_bytes;	    /* of the table of counts */
	const atomic_bool *stop;    /* may be NULL */
	/* Told of each game, `plies` moves; false: enough. May be NULL: they are only counted. */
	bool (*game)(void *ctx, const qv_move *moves);
	void *ctx;
};

/* Counts all of them. QV_STOPPED: the counts are of no use. */
enum qv_status chess_proof_games(const struct qv_allocator *a, const struct chess_proof *how,
				 uint64_t *games, uint64_t *nodes, struct qv_error *error);

#endif
