/*
 * hashed.h - the positions of a game that has no index: all that can be reached, numbered in the
 * order in which a breadth-first search finds them, and found again by their hash.
 * SPDX-License-Identifier: MIT
 *
 * They take the place of an index, so that tables can be built, checked and probed for any small
 * game of two players without chance. All positions are in memory, and so are their moves while
 * the table is built. Nothing is assumed about whose turn it is after a move, nor who has won when
 * the game ends. So the codes of such a table hold the plies and the winner separately: 2 * plies
 * + 1 is a loss and 2 * plies + 2 a win, for the side to move.
 */
#ifndef SOLVE_HASHED_H
#define SOLVE_HASHED_H

#include "base/flag.h"
#include "base/memory.h"

struct values;

/* Limits of memory: positions, and bytes of all states together. */
#define HASHED_MOST (UINT64_C(1) << 23)
#define HASHED_BYTES (UINT64_C(1) << 30)

struct hashed {
	const struct qv_allocator *allocator;
	struct qv_game game;   /* the game with these positions as its index */
	unsigned char *states; /* one after another, not aligned */
	size_t count, room;
	uint32_t *table;   /* open addressing: the number of a position plus one; 0: free */
	size_t table_size; /* a power of two */
	uint64_t digest;   /* of all states: another program has other numbers */
};

/*
 * Finds all positions. QV_UNSUPPORTED: the game has not two seats, or has chance, or there are too
 * many positions; QV_ILLEGAL: the game contradicts itself. Free it with hashed_free.
 */
enum qv_status hashed_new(const struct qv_allocator *allocator, const struct qv_rules *rules,
			  struct hashed **out, struct qv_error *error);
void hashed_free(struct hashed *h); /* NULL is fine */
/* The bytes that it takes, and those that hashed_solve takes besides, as far as is known. */
uint64_t hashed_bytes(const struct hashed *h);

/*
 * Computes the code of every position. *too_far: they do not fit the width of the values. `stop`
 * may be NULL; QV_STOPPED: it was set.
 */
enum qv_status hashed_solve(const struct hashed *h, struct values *values, const struct qv_flag *stop,
			    bool *too_far, struct qv_error *error);

#endif
