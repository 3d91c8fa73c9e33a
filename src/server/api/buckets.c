/*
 * buckets.c - token buckets in a hash map by name.
 * SPDX-License-Identifier: MIT
 *
 * A bucket is filled when it is used, from the time that has passed. A full one says no more than
 * none, so full ones are dropped in a sweep whenever their number has doubled: the cost of a sweep
 * is spread over the additions, and memory is bounded by the names in use.
 */
#include "server/api/buckets.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

enum { SWEEP = 4096 };

struct bucket {
	char name[BUCKETS_NAME];
	double tokens, per_minute, burst;
	int64_t seen_ms;
};

struct buckets {
	struct map by_name;
	size_t sweep_at; /* number of buckets that triggers a sweep */
};

struct buckets *buckets_new(void)
{
	struct buckets *b = malloc(sizeof *b);
	if (b)
		*b = (struct buckets){
			.by_name = { .allocator = &mem_malloc,
				     .text_at = offsetof(struct bucket, name) },
			.sweep_at = SWEEP,
		};
	return b;
}

void buckets_free(struct buckets *b)
{
	struct bucket *bucket;
	if (!b)
		return;
	for (size_t at = 0; (bucket = map_next(&b->by_name, &at));)
		free(bucket);
	map_release(&b->by_name);
	free(b);
}

static void fill(struct bucket *bucket, int64_t now)
{
	bucket->tokens += (double)(now - bucket->seen_ms) * bucket->per_minute / 60000;
	if (bucket->tokens > bucket->burst)
		bucket->tokens = bucket->burst;
	bucket->seen_ms = now;
}

/* Drops the full ones; the next sweep comes when there are twice as many as are left. */
static void sweep(struct buckets *b, int64_t now)
{
	struct bucket *bucket;
	for (size_t at = 0; (bucket = map_next(&b->by_name, &at));) {
		fill(bucket, now);
		if (bucket->tokens < bucket->burst)
			continue;
		map_remove_text(&b->by_name, bucket);
		free(bucket);
	}
	b->sweep_at = 2 * b->by_name.count > SWEEP ? 2 * b->by_name.count : SWEEP;
}

static struct bucket *find(struct buckets *b, const char *name, double burst, int64_t now)
{
	char cut[BUCKETS_NAME] = "";
	strncpy(cut, name, sizeof cut - 1);
	struct bucket *bucket = map_find_text(&b->by_name, cut);
	if (bucket || !(bucket = calloc(1, sizeof *bucket)))
		return bucket;
	memcpy(bucket->name, cut, sizeof cut);
	bucket->tokens = burst;
	bucket->seen_ms = now;
	if (map_add_text(&b->by_name, bucket))
		return bucket;
	free(bucket);
	return NULL;
}

bool buckets_take(struct buckets *b, const char *name, double per_minute, double burst,
		  int64_t now_ms)
{
	if (b->by_name.count >= b->sweep_at)
		sweep(b, now_ms);
	struct bucket *bucket = find(b, name, burst, now_ms);
	if (!bucket)
		return true;
	bucket->per_minute = per_minute;
	bucket->burst = burst;
	fill(bucket, now_ms);
	if (bucket->tokens < 1)
		return false;
	bucket->tokens -= 1;
	return true;
}
