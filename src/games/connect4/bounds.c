/*
 * bounds.c - connect-four: memory of the table of score bounds.
 * SPDX-License-Identifier: MIT
 *
 * The table may be large, and most positions need little of it. So it can start with a few buckets,
 * whose memory is quickly in the cache, and grow to its full size when a search gets long.
 */
#include "games/connect4/bounds.h"

#include <stdatomic.h>

enum qv_status c4_table_init(struct c4_table *t, const struct qv_allocator *allocator, size_t bytes)
{
	enum { LEAST_BITS = 12, MOST_BITS = 32 };
	const size_t bucket = C4_BOUNDS_BUCKET * sizeof *t->slots;
	*t = (struct c4_table){ .bits = LEAST_BITS };
	while (t->bits < MOST_BITS && bytes / bucket >> (t->bits + 1))
		t->bits++;
	t->slots = mem_new(allocator, (size_t)1 << t->bits, bucket);
	if (!t->slots)
		return QV_NO_MEMORY;
	mem_prefer_large_pages(t->slots, bucket << t->bits);
	t->most_bits = t->bits;
	return QV_OK;
}

void c4_table_begin_small(struct c4_table *t)
{
	enum { SMALL_BITS = 16 };          /* two megabytes, which is a large page */
	t->bits = t->most_bits < SMALL_BITS ? t->most_bits : SMALL_BITS;
}

/*
 * The bucket is the upper part of the key. So the entries of an old bucket go to the new buckets
 * whose numbers start with its number. Working from the last bucket down, no new bucket overwrites
 * an old one that has not been moved yet.
 */
void c4_table_grow(struct c4_table *t)
{
	const int more = t->most_bits - t->bits, tag_bits = C4_BOUNDS_KEY_BITS - t->bits - more;
	for (uint64_t i = UINT64_C(1) << t->bits; more > 0 && i-- > 0;) {
		_Atomic uint64_t *old = t->slots + i * C4_BOUNDS_BUCKET;
		uint64_t words[C4_BOUNDS_BUCKET];
		for (int k = 0; k < C4_BOUNDS_BUCKET; k++) {
			words[k] = atomic_load_explicit(&old[k], memory_order_relaxed);
			atomic_store_explicit(&old[k], 0, memory_order_relaxed);
		}
		for (int k = 0; k < C4_BOUNDS_BUCKET; k++) {
			const uint64_t tag = words[k] >> 20, bucket = i << more | tag >> tag_bits;
			const uint64_t rest = tag & ((UINT64_C(1) << tag_bits) - 1);
			if (words[k])
				atomic_store_explicit(&t->slots[bucket * C4_BOUNDS_BUCKET + (uint64_t)k],
						      rest << 20 | (words[k] & 0xfffff),
						      memory_order_relaxed);
		}
	}
	t->bits = t->most_bits;
}

void c4_table_release(struct c4_table *t, const struct qv_allocator *allocator)
{
	mem_free(allocator, t->slots, C4_BOUNDS_BUCKET * sizeof *t->slots << t->most_bits);
	*t = (struct c4_table){ 0 };
}
