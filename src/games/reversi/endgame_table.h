/*
 * endgame_table.h - reversi: the transposition table of the endgame search.
 * SPDX-License-Identifier: MIT
 *
 * An entry holds both sides' discs, so a hit is always the same position. Its bounds of the final
 * disc difference stay true whatever search found them, so the table need not be cleared. Four
 * entries share a bucket. An entry from an earlier search is replaced first, then the one that cost
 * least.
 */
#ifndef GAMES_REVERSI_ENDGAME_TABLE_H
#define GAMES_REVERSI_ENDGAME_TABLE_H

#include "base/memory.h"

enum { ENDGAME_NO_MOVE = 64, ENDGAME_WAYS = 4 };

struct endgame_entry {
	uint64_t mine, theirs; /* both 0: the entry is empty */
	int8_t lower, upper;
	uint8_t move[2];		   /* the best and the one before it, or ENDGAME_NO_MOVE */
	uint8_t cost;                      /* about the logarithm of the nodes that it took */
	uint8_t round;			   /* the search that last used it */
};

struct endgame_table {
	struct endgame_entry *slots;
	size_t count;			   /* a multiple of ENDGAME_WAYS, at least one bucket */
	int bits;                          /* there are 2^bits buckets */
	uint8_t round;
};

/* Allocates the table, at most `bytes` large; QV_NO_MEMORY on failure. */
enum qv_status endgame_table_init(struct endgame_table *t, const struct qv_allocator *allocator,
				  size_t bytes);
void endgame_table_release(struct endgame_table *t, const struct qv_allocator *allocator);
void endgame_table_clear(struct endgame_table *t);

static inline struct endgame_entry *endgame_table_bucket(const struct endgame_table *t,
							 uint64_t mine, uint64_t theirs)
{
	uint64_t h = mine * UINT64_C(0x9e3779b97f4a7c15) + theirs * UINT64_C(0xd1342543de82ef95);
	h = (h ^ h >> 32) * UINT64_C(0xda942042e4dd58b5);
	return t->slots + (size_t)(h >> 1 >> (63 - t->bits)) * ENDGAME_WAYS;
}

/* The entry of the position in its bucket, or NULL. */
static inline struct endgame_entry *endgame_table_find(struct endgame_entry *bucket, uint64_t mine,
						       uint64_t theirs)
{
	for (int i = 0; i < ENDGAME_WAYS; i++)
		if (bucket[i].mine == mine && bucket[i].theirs == theirs)
			return bucket + i;
	return NULL;
}

/* The moves of an entry, copied because the entry may be replaced during the search. */
struct endgame_moves {
	int first, second;
};

static inline struct endgame_moves endgame_moves(const struct endgame_entry *entry)
{
	if (!entry)
		return (struct endgame_moves){ ENDGAME_NO_MOVE, ENDGAME_NO_MOVE };
	return (struct endgame_moves){ entry->move[0], entry->move[1] };
}

/* The result of a search: exact between the limits, otherwise a bound. */
struct endgame_bounds {
	int low, high, score, move;
	uint8_t cost;
};

/* Stores a result in the bucket of the position. */
void endgame_table_store(const struct endgame_table *t, struct endgame_entry *bucket, uint64_t mine,
			 uint64_t theirs, const struct endgame_bounds *result);

#endif
