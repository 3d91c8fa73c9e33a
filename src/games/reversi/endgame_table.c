/*
 * endgame_table.c - reversi: the transposition table of the endgame search.
 * SPDX-License-Identifier: MIT
 */
#include "games/reversi/endgame_table.h"

enum { MOST_BITS = 36, NO_DISCS = 64 };

enum qv_status endgame_table_init(struct endgame_table *t, const struct qv_allocator *allocator,
				  size_t bytes)
{
	const size_t buckets = bytes / (ENDGAME_WAYS * sizeof *t->slots);
	int bits = 0;
	while (bits < MOST_BITS && (size_t)2 << bits <= buckets)
		bits++;
	t->count = (size_t)ENDGAME_WAYS << bits;
	t->bits = bits;
	t->slots = mem_new(allocator, t->count, sizeof *t->slots);
	if (!t->slots)
		return QV_NO_MEMORY;
	mem_prefer_large_pages(t->slots, t->count * sizeof *t->slots);
	return QV_OK;
}

void endgame_table_release(struct endgame_table *t, const struct qv_allocator *allocator)
{
	mem_free(allocator, t->slots, t->count * sizeof *t->slots);
	t->slots = NULL;
}

void endgame_table_clear(struct endgame_table *t)
{
	memset(t->slots, 0, t->count * sizeof *t->slots);
	t->round = 0;
}

/* The entry to replace: one from an earlier search, or the cheapest. */
static struct endgame_entry *cheapest(const struct endgame_table *t, struct endgame_entry *bucket)
{
	struct endgame_entry *found = bucket;
	int least = INT32_MAX;
	for (int i = 0; i < ENDGAME_WAYS; i++) {
		const int worth = bucket[i].cost + (bucket[i].round == t->round ? 256 : 0);
		if (worth < least) {
			least = worth;
			found = bucket + i;
		}
	}
	return found;
}

void endgame_table_store(const struct endgame_table *t, struct endgame_entry *bucket, uint64_t mine,
			 uint64_t theirs, const struct endgame_bounds *result)
{
	struct endgame_entry *entry = endgame_table_find(bucket, mine, theirs);
	if (!entry) {
		entry = cheapest(t, bucket);
		*entry = (struct endgame_entry){
			mine, theirs, -NO_DISCS, NO_DISCS, { ENDGAME_NO_MOVE, ENDGAME_NO_MOVE },
			0,    0
		};
	}
	if (result->score < result->high && result->score < entry->upper)
		entry->upper = (int8_t)result->score;
	if (result->score > result->low && result->score > entry->lower)
		entry->lower = (int8_t)result->score;
	if (result->score > result->low && entry->move[0] != result->move) {
		entry->move[1] = entry->move[0];
		entry->move[0] = (uint8_t)result->move;
	} else if (entry->move[0] == ENDGAME_NO_MOVE) {
		entry->move[0] = (uint8_t)result->move;
	}
	entry->cost = result->cost;
	entry->round = t->round;
}
