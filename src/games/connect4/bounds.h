/*
 * bounds.h - connect-four: a table of lower and upper bounds of scores, which threads may share.
 * SPDX-License-Identifier: MIT
 *
 * Bounds stay true whatever search found them, so the table is never cleared. A slot is one word,
 * so no thread sees half of one:
 *
 *    63......20 19...14 13....7 6....0
 *    tag        work    lower   upper       both plus 64
 *
 * Tag and bucket together are the mixed number of the position, so a hit is always the same
 * position.
 */
#ifndef GAMES_CONNECT4_BOUNDS_H
#define GAMES_CONNECT4_BOUNDS_H

#include <stdatomic.h>

#include "games/connect4/score_search.h"

enum {
	C4_BOUNDS_BUCKET = 4,      /* slots examined for a position */
	C4_BOUNDS_KEY_BITS = 49,
	C4_BOUNDS_OFFSET = 64,
	C4_BOUNDS_MASK = 127,
	C4_BOUNDS_WORK = 63,
};

struct c4_table {
	_Atomic uint64_t *slots;
	int bits;                  /* 2^bits buckets are in use */
	int most_bits;             /* 2^most_bits are allocated */
};

/* Allocates the table, at most `bytes`, with all buckets in use. QV_NO_MEMORY on failure. */
enum qv_status c4_table_init(struct c4_table *t, const struct qv_allocator *allocator,
			     size_t bytes);
/*
 * c4_table_begin_small lets an empty table start with few buckets. c4_table_grow makes all of them
 * usable and keeps the entries; no other thread may use the table meanwhile.
 */
void c4_table_begin_small(struct c4_table *t);
void c4_table_grow(struct c4_table *t);
void c4_table_release(struct c4_table *t, const struct qv_allocator *allocator);

/*
 * The mixed number of a position. Multiplying by an odd number and folding in the top half are
 * reversible, so no two positions share a key. The top bits are the bucket, the rest the tag.
 */
static inline uint64_t c4_table_key(uint64_t number)
{
	const uint64_t mask = (UINT64_C(1) << C4_BOUNDS_KEY_BITS) - 1;
	const uint64_t spread = number * UINT64_C(0x9e3779b97f4a7c15) & mask;
	return (spread ^ spread >> 25) * UINT64_C(0xbf58476d1ce4e5b9) & mask;
}

/* The first slot of the key's bucket. */
static inline _Atomic uint64_t *c4_table_place(const struct c4_table *t, uint64_t key)
{
	return t->slots + (key >> (C4_BOUNDS_KEY_BITS - t->bits)) * C4_BOUNDS_BUCKET;
}

static inline uint64_t c4_table_tag(const struct c4_table *t, uint64_t key)
{
	return key & ((UINT64_C(1) << (C4_BOUNDS_KEY_BITS - t->bits)) - 1);
}

/* Narrows the bounds to those stored for the key. */
static inline void c4_table_look(const struct c4_table *t, uint64_t key, struct c4_bounds *b)
{
	_Atomic uint64_t *slot = c4_table_place(t, key);
	const uint64_t tag = c4_table_tag(t, key);
	for (int i = 0; i < C4_BOUNDS_BUCKET; i++) {
		const uint64_t word = atomic_load_explicit(&slot[i], memory_order_relaxed);
		if (word >> 20 != tag || !(word >> 14 & C4_BOUNDS_WORK))
			continue;
		const int low = (int)(word >> 7 & C4_BOUNDS_MASK) - C4_BOUNDS_OFFSET;
		const int high = (int)(word & C4_BOUNDS_MASK) - C4_BOUNDS_OFFSET;
		b->low = low > b->low ? low : b->low;
		b->high = high < b->high ? high : b->high;
		return;
	}
}

/* Stores bounds in place of the entry that took the least work. */
static inline void c4_table_keep(const struct c4_table *t, uint64_t key, struct c4_bounds b,
				 uint64_t nodes)
{
	_Atomic uint64_t *slot = c4_table_place(t, key), *victim = slot;
	const uint64_t tag = c4_table_tag(t, key);
	uint64_t work = (uint64_t)(64 - __builtin_clzll(nodes | 1)), least = C4_BOUNDS_WORK + 1;
	for (int i = 0; i < C4_BOUNDS_BUCKET; i++) {
		const uint64_t word = atomic_load_explicit(&slot[i], memory_order_relaxed);
		const uint64_t old = word >> 14 & C4_BOUNDS_WORK;
		if (word >> 20 == tag && old) {
			victim = &slot[i];
			work = old > work ? old : work;
			break;
		}
		if (old < least) {
			least = old;
			victim = &slot[i];
		}
	}
	atomic_store_explicit(victim,
			      tag << 20 | work << 14 | (uint64_t)(b.low + C4_BOUNDS_OFFSET) << 7 |
				      (uint64_t)(b.high + C4_BOUNDS_OFFSET),
			      memory_order_relaxed);
}

#endif
