/*
 * table.h - the transposition table ("refutation table" in the book), shared by threads without
 * locks.
 * SPDX-License-Identifier: MIT
 *
 * An entry is two words, key ^ data and data (Hyatt's lockless hashing): if another thread's store
 * tears it, the key no longer matches.
 *
 *    data:  63......32 31.....24 23..22 21     20..16     15........0
 *             value      depth    bound proven generation place in the move list
 *
 * Wins are stored relative to the position, not to the root. The move is stored as its index in the
 * game's move list, since a move may need all of its 64 bits.
 */
#ifndef SEARCH_TABLE_H
#define SEARCH_TABLE_H

#include <stdatomic.h>

#include "base/memory.h"

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

enum { TABLE_NO_MOVE = 0xffff, TABLE_MAX_DEPTH = 255, TABLE_CLUSTER = 4 };

struct table_entry {
	int32_t value;
	int depth, place;
	enum bound bound;
	bool proven;
};

struct table_slot {
	_Atomic uint64_t key, data;
};

struct table {
	struct table_slot *slots;
	uint64_t clusters;         /* of TABLE_CLUSTER slots, one cache line each */
	unsigned generation;
	size_t bytes;
	void *block;
	const struct qv_allocator *allocator;
};

/* Allocates `bytes`, but at least one cluster. {0} is a valid table to release. */
enum qv_status table_init(struct table *t, const struct qv_allocator *allocator, size_t bytes);
void table_release(struct table *t);
void table_clear(struct table *t);         /* writes all of its memory */
/* Starts a new generation: entries of older ones are replaced first. */
static inline void table_new_search(struct table *t)
{
	t->generation = (t->generation + 1) & 31;
}

static inline struct table_slot *table_cluster(const struct table *t, uint64_t key)
{
	/* The high half of key * clusters maps the key evenly without a division. */
	return t->slots + (uint64_t)(((unsigned __int128)key * t->clusters) >> 64) * TABLE_CLUSTER;
}

static inline void table_prefetch(const struct table *t, uint64_t key)
{
	__builtin_prefetch(table_cluster(t, key));
}

/* Any thread. False: no entry for this key, and *out is unchanged. */
static inline bool table_get(const struct table *t, uint64_t key, struct table_entry *out)
{
	struct table_slot *slot = table_cluster(t, key);
	for (int i = 0; i < TABLE_CLUSTER; i++) {
		const uint64_t data = atomic_load_explicit(&slot[i].data, memory_order_relaxed);
		if ((atomic_load_explicit(&slot[i].key, memory_order_relaxed) ^ data) != key ||
		    !data)
			continue;
		*out = (struct table_entry){
			.value = (int32_t)(uint32_t)(data >> 32),
			.depth = (int)(data >> 24 & 255),
			.bound = (enum bound)(data >> 22 & 3),
			.proven = data >> 21 & 1,
			.place = (int)(data & 0xffff),
		};
		return true;
	}
	return false;
}

/* Occupancy in permille: entries of the current search among the first 1,000. */
int table_permille(const struct table *t);

/*
 * Any thread. Replaces the same position, otherwise the oldest and shallowest entry of the cluster.
 */
void table_put(struct table *t, uint64_t key, const struct table_entry *e);

#endif
