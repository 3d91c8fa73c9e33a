/*
 * endgame_table.h - reversi: the table of what is known of positions in the endgame.
 * SPDX-License-Identifier: MIT
 *
 * An entry holds both boards, so a hit is never another's, and bounds of the final difference of
 * discs, which hold whatever was asked: the table need not be cleared. Four entries share a bucket;
 * one of an earlier question is replaced, or the one that cost least.
 */
#ifndef GAMES_REVERSI_ENDGAME_TABLE_H
#define GAMES_REVERSI_ENDGAME_TABLE_H

#include "base/memory.h"

enum { KNOWN_NO_MOVE = 64, KNOWN_WAYS = 4 };

struct known {
	uint64_t mine, theirs;             /* both 0: there is none */
	int8_t lower, upper;
	uint8_t move[2];                   /* the best and the one before it, or KNOWN_NO_MOVE */
	uint8_t cost;                      /* about the logarithm of the nodes that it took */
	uint8_t round;                     /* the question it was last used in */
};

struct known_table {
	struct known *slots;
	size_t count;                      /* a multiple of KNOWN_WAYS, at least one bucket */
	int bits;                          /* there are 2^bits buckets */
	uint8_t round;
};

enum qv_status known_init(struct known_table *t, const struct qv_allocator *allocator,
			  size_t bytes);
void known_release(struct known_table *t, const struct qv_allocator *allocator);
void known_forget(struct known_table *t);

static inline struct known *known_bucket(const struct known_table *t, uint64_t mine,
					 uint64_t theirs)
{
	uint64_t h = mine * UINT64_C(0x9e3779b97f4a7c15) + theirs * UINT64_C(0xd1342543de82ef95);
	h = (h ^ h >> 32) * UINT64_C(0xda942042e4dd58b5);
	return t->slots + (size_t)(h >> 1 >> (63 - t->bits)) * KNOWN_WAYS;
}

/* The entry of the position in its bucket; NULL: there is none. */
static inline struct known *known_in(struct known *bucket, uint64_t mine, uint64_t theirs)
{
	for (int i = 0; i < KNOWN_WAYS; i++)
		if (bucket[i].mine == mine && bucket[i].theirs == theirs)
			return bucket + i;
	return NULL;
}

/* The moves of an entry, which may be replaced while they are searched. */
struct known_moves {
	int first, second;
};

static inline struct known_moves known_moves(const struct known *entry)
{
	if (!entry)
		return (struct known_moves){ KNOWN_NO_MOVE, KNOWN_NO_MOVE };
	return (struct known_moves){ entry->move[0], entry->move[1] };
}

/* What a search has shown: the score is exact between the limits, else a bound. */
struct known_news {
	int low, high, score, move;
	uint8_t cost;
};

void known_store(const struct known_table *t, struct known *bucket, uint64_t mine, uint64_t theirs,
		 const struct known_news *news);

#endif
