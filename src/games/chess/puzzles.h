/*
 * puzzles.h - chess puzzles: mate in N with all solutions, and proof games.
 * SPDX-License-Identifier: MIT
 *
 * Every move of both sides is tried, so a mate or a game that is found is real, and one that is not
 * found does not exist. As usual for puzzles, repetition and the fifty-move rule are ignored. Both
 * searches may run on any thread.
 */
#ifndef GAMES_CHESS_PUZZLES_H
#define GAMES_CHESS_PUZZLES_H

#include "base/memory.h"
#include "games/chess/rules.h"

enum { CHESS_MOST_MATE = 50, CHESS_MOST_PROOF = 40 };

struct chess_mate {
	int moves; /* of the side to move, the last one mates; 0: none found */
	int key_count;
	qv_move keys[CHESS_MAX_MOVES]; /* every first move that mates in `moves` */
	int line_length;
	qv_move line[2 * CHESS_MOST_MATE]; /* from the first key, with the longest defence */
	uint64_t nodes;			   /* moves played */
};

/*
 * Finds the shortest mate, up to `most` moves. hash_bytes: size of a table, at least some thousand.
 * limits: stop, nodes and watch apply; may be NULL. QV_STOPPED: they ended it, and only out->nodes
 * is valid. QV_BAD_INPUT: `most` is out of range.
 */
enum qv_status chess_mate(const struct qv_allocator *a, const struct chess *s, int most,
			  size_t hash_bytes, const struct qv_solve_limits *limits,
			  struct chess_mate *out, struct qv_error *error);

/* Which games lead from the start to a position in exactly N plies? */
struct chess_proof {
	const struct chess *target; /* the placement of the pieces; the rest only as requested */
	int plies;		    /* exactly this many */
	bool rights;		    /* castling rights must be the target's too */
	size_t hash_bytes;	    /* of the table of counts */
	const struct qv_solve_limits *limits; /* stop, nodes and watch apply; may be NULL */
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
