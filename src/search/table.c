/*
 * table.c - the transposition table: allocation and replacement.
 * SPDX-License-Identifier: MIT
 *
 * Clusters of four entries fill one cache line. A new position replaces the entry with the least
 * depth, where each generation of age counts as eight plies less.
 */
#include "search/table.h"

#include <stdatomic.h>

enum { LINE = sizeof(struct table_slot) * TABLE_CLUSTER };
_Static_assert(LINE == 64, "a cluster is one cache line");

enum qv_status table_init(struct table *t, const struct qv_allocator *allocator, size_t bytes)
{
	*t = (struct table){ .allocator = allocator, .clusters = bytes / LINE ? bytes / LINE : 1 };
	t->bytes = (size_t)t->clusters * LINE + LINE;
	t->block = mem_new(allocator, t->bytes, 1);
	if (!t->block)
		return QV_NO_MEMORY;
	t->slots = (struct table_slot *)(((uintptr_t)t->block + LINE - 1) / LINE * LINE);
	return QV_OK;
}

void table_release(struct table *t)
{
	if (t->block)
		mem_free(t->allocator, t->block, t->bytes);
	*t = (struct table){ 0 };
}

void table_clear(struct table *t)
{
	memset(t->block, 0, t->bytes);
	t->generation = 0;
}

void table_put(struct table *t, uint64_t key, const struct table_entry *e)
{
	struct table_slot *slot = table_cluster(t, key), *victim = slot;
	int least = INT32_MAX;
	for (int i = 0; i < TABLE_CLUSTER; i++) {
		const uint64_t data = atomic_load_explicit(&slot[i].data, memory_order_relaxed);
		if ((atomic_load_explicit(&slot[i].key, memory_order_relaxed) ^ data) == key) {
			victim = &slot[i];
			break;
		}
		const unsigned age = (t->generation - (unsigned)(data >> 16)) & 31;
		const int worth = data ? (int)(data >> 24 & 255) - 8 * (int)age : INT32_MIN;
		if (worth < least) {
			least = worth;
			victim = &slot[i];
		}
	}
	const uint64_t data = (uint64_t)(uint32_t)e->value << 32 | (uint64_t)e->depth << 24 |
			      (uint64_t)e->bound << 22 | (uint64_t)e->proven << 21 |
			      (uint64_t)t->generation << 16 | (uint64_t)e->place;
	atomic_store_explicit(&victim->key, key ^ data, memory_order_relaxed);
	atomic_store_explicit(&victim->data, data, memory_order_relaxed);
}

int table_permille(const struct table *t)
{
	enum { SAMPLE = 1000 };
	const uint64_t slots = t->clusters * TABLE_CLUSTER;
	const int count = slots < SAMPLE ? (int)slots : SAMPLE;
	int used = 0;
	for (int i = 0; i < count; i++) {
		const uint64_t data = atomic_load_explicit(&t->slots[i].data, memory_order_relaxed);
		used += data && (data >> 16 & 31) == t->generation;
	}
	return count ? used * SAMPLE / count : 0;
}
