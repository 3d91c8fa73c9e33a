/*
 * endgame_table.c - reversi: the table of what is known of positions in the endgame.
 * SPDX-License-Identifier: MIT
 */
#include "games/reversi/endgame_table.h"

enum { MOST_BITS = 36, NO_DISCS = 64 };

enum qv_status known_init(struct known_table *t, const struct qv_allocator *allocator,
			  size_t bytes)
{
	const size_t buckets = bytes / (KNOWN_WAYS * sizeof *t->slots);
	int bits = 0;
	while (bits < MOST_BITS && (size_t)2 << bits <= buckets)
		bits++;
	t->count = (size_t)KNOWN_WAYS << bits;
	t->bits = bits;
	t->slots = mem_new(allocator, t->count, sizeof *t->slots);
	if (!t->slots)
		return QV_NO_MEMORY;
	mem_prefer_large_pages(t->slots, t->count * sizeof *t->slots);
	return QV_OK;
}

void known_release(struct known_table *t, const struct qv_allocator *allocator)
{
	mem_free(allocator, t->slots, t->count * sizeof *t->slots);
	t->slots = NULL;
}

void known_forget(struct known_table *t)
{
	memset(t->slots, 0, t->count * sizeof *t->slots);
	t->round = 0;
}

/* The entry to give up: one of an earlier question, or that took least. */
static struct known *cheapest(const struct known_table *t, struct known *bucket)
{
	struct known *found = bucket;
	int least = INT32_MAX;
	for (int i = 0; i < KNOWN_WAYS; i++) {
		const int worth = bucket[i].cost + (bucket[i].round == t->round ? 256 : 0);
		if (worth < least) {
			least = worth;
			found = bucket + i;
		}
	}
	return found;
}

void known_store(const struct known_table *t, struct known *bucket, uint64_t mine, uint64_t theirs,
		 const struct known_news *news)
{
	struct known *entry = known_in(bucket, mine, theirs);
	if (!entry) {
		entry = cheapest(t, bucket);
		*entry = (struct known){ mine, theirs, -NO_DISCS, NO_DISCS,
					 { KNOWN_NO_MOVE, KNOWN_NO_MOVE }, 0, 0 };
	}
	if (news->score < news->high && news->score < entry->upper)
		entry->upper = (int8_t)news->score;
	if (news->score > news->low && news->score > entry->lower)
		entry->lower = (int8_t)news->score;
	if (news->score > news->low && entry->move[0] != news->move) {
		entry->move[1] = entry->move[0];
		entry->move[0] = (uint8_t)news->move;
	} else if (entry->move[0] == KNOWN_NO_MOVE) {
		entry->move[0] = (uint8_t)news->move;
	}
	entry->cost = news->cost;
	entry->round = t->round;
}
