/*
 * buckets.c - buckets of tokens in a table by name; those that are full again are forgotten.
 * SPDX-License-Identifier: MIT
 */
#include "server/buckets.h"

#include <stdlib.h>
#include <string.h>

#include "quevedo.h"

enum { LISTS = 1024, SWEEP = 4096 };

struct bucket {
	char name[BUCKETS_NAME];
	double tokens, per_ms, burst;
	int64_t seen_ms;
	struct bucket *next;
};

struct buckets {
	struct bucket *lists[LISTS];
	int count, sweep_at;
};

struct buckets *buckets_new(void)
{
	struct buckets *b = calloc(1, sizeof *b);
	if (b)
		b->sweep_at = SWEEP;
	return b;
}

void buckets_free(struct buckets *b)
{
	if (!b)
		return;
	for (int i = 0; i < LISTS; i++)
		while (b->lists[i]) {
			struct bucket *next = b->lists[i]->next;
			free(b->lists[i]);
			b->lists[i] = next;
		}
	free(b);
}

static void fill(struct bucket *bucket, int64_t now)
{
	bucket->tokens += (double)(now - bucket->seen_ms) * bucket->per_ms;
	if (bucket->tokens > bucket->burst)
		bucket->tokens = bucket->burst;
	bucket->seen_ms = now;
}

/* Forgets the full ones; looks again when there are twice as many as are left. */
static void sweep(struct buckets *b, int64_t now)
{
	for (int i = 0; i < LISTS; i++)
		for (struct bucket **at = &b->lists[i]; *at;) {
			struct bucket *bucket = *at;
			fill(bucket, now);
			if (bucket->tokens < bucket->burst) {
				at = &bucket->next;
				continue;
			}
			*at = bucket->next;
			free(bucket);
			b->count--;
		}
	b->sweep_at = 2 * b->count > SWEEP ? 2 * b->count : SWEEP;
}

static struct bucket *find(struct buckets *b, const char *name, double burst, int64_t now)
{
	char cut[BUCKETS_NAME] = "";
	strncpy(cut, name, sizeof cut - 1);
	struct bucket **list = &b->lists[qv_hash_bytes(cut, strlen(cut)) % LISTS];
	for (struct bucket *bucket = *list; bucket; bucket = bucket->next)
		if (strcmp(bucket->name, cut) == 0)
			return bucket;
	struct bucket *new = calloc(1, sizeof *new);
	if (!new)
		return NULL;
	memcpy(new->name, cut, sizeof cut);
	new->tokens = burst;
	new->seen_ms = now;
	new->next = *list;
	*list = new;
	b->count++;
	return new;
}

bool buckets_take(struct buckets *b, const char *name, double per_minute, double burst,
		  int64_t now_ms)
{
	if (b->count >= b->sweep_at)
		sweep(b, now_ms);
	struct bucket *bucket = find(b, name, burst, now_ms);
	if (!bucket)
		return true;
	bucket->per_ms = per_minute / 60000;
	bucket->burst = burst;
	fill(bucket, now_ms);
	if (bucket->tokens < 1)
		return false;
	bucket->tokens -= 1;
	return true;
}
