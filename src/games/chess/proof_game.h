/*
 * proof_game.h - chess puzzles: which games lead from the start to a position in exactly N plies?
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CHESS_PROOF_GAME_H
#define GAMES_CHESS_PROOF_GAME_H

#include "base/memory.h"
#include "games/chess/rules.h"

enum { CHESS_MOST_PROOF = 40 };

struct chess_proof {
	const struct chess *target; /* the placement of the pieces; the rest only as requested */
	int plies;		    /* exactly this many */
	bool rights;		    /* castling rights must be the target's too */
	size_t hash_bytes;	    /* of the table of counts */
	const atomic_bool *stop;    /* may be NULL */
	/* Called for each game with its `plies` moves; returns false to stop. NULL: only count. */
	bool (*game)(void *ctx, const qv_move *moves);
	void *ctx;
};

/*
 * Counts all such games. QV_STOPPED: the counts are meaningless. QV_BAD_INPUT: plies out of range.
 */
enum qv_status chess_proof_games(const struct qv_allocator *a, const struct chess_proof *how,
				 uint64_t *games, uint64_t *nodes, struct qv_error *error);

#endif
