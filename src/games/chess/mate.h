/*
 * mate.h - chess problems: mate in N moves, exactly and with every way to do it.
 * SPDX-License-Identifier: MIT
 *
 * Every move of both sides is looked at, so what is found is forced, and what is not found is not
 * there. As problems have it, repetition and the fifty-move rule are not looked at.
 */
#ifndef GAMES_CHESS_MATE_H
#define GAMES_CHESS_MATE_H

#include "base/memory.h"
#include "games/chess/rules.h"

enum { CHESS_MOST_MATE = 50 };

struct chess_mate {
	int moves; /* of the side to move, the last one mates; 0: none found */
	int key_count;
	qv_move keys[CHESS_MAX_MOVES]; /* every first move that mates in so many */
	int line_length;
	qv_move line[2 * CHESS_MOST_MATE]; /* from the first key, with the longest defence */
	uint64_t nodes;			   /* moves played */
};

/*
 * The fewest moves, up to `most`. QV_STOPPED: the stop came first; out->nodes is right. hash_bytes
 * is for a table of what is known, at least some thousand.
 */
enum qv_status chess_mate(const struct qv_allocator *a, const struct chess *s, int most,
			  size_t hash_bytes, const atomic_bool *stop, struct chess_mate *out,
			  struct qv_error *error);

#endif
