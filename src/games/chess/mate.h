/*
 * mate.h - chess problems: mate in N moves, with all solutions.
 * SPDX-License-Identifier: MIT
 *
 * Every move of both sides is tried, so a mate that is found is forced, and a mate that is not
 * found does not exist. As usual for problems, repetition and the fifty-move rule are ignored.
 */
#ifndef GAMES_CHESS_MATE_H
#define GAMES_CHESS_MATE_H

#include "base/memory.h"
#include "games/chess/rules.h"

enum { CHESS_MOST_MATE = 50 };

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
 * QV_STOPPED: stopped first, and only out->nodes is valid. QV_BAD_INPUT: `most` is out of range.
 */
enum qv_status chess_mate(const struct qv_allocator *a, const struct chess *s, int most,
			  size_t hash_bytes, const atomic_bool *stop, struct chess_mate *out,
			  struct qv_error *error);

#endif
