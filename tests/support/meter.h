/*
 * meter.h - an allocator that watches: it knows what is out, refuses what it is told to, and hands
 * out no zeros.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_METER_H
#define TEST_METER_H

#include <pthread.h>
#include <stdlib.h>

#include "quevedo.h"

struct meter {
	pthread_mutex_t lock;
	int64_t calls;      /* that ask for memory, since it was armed */
	int64_t fail_at;    /* the number of the call that fails, from 1; 0: none */
	bool from_there_on; /* ... and all after it */
	bool failed;
	int64_t blocks, bytes; /* out */
	int64_t wrong_sizes;   /* blocks given back with another size than they have */
};

enum { METER_HEADER = 64 }; /* keeps the alignment, and the size */

static inline struct meter meter_make(void)
{
	return (struct meter){ .lock = PTHREAD_MUTEX_INITIALIZER };
}

static inline void meter_arm(struct meter *m, int64_t fail_at, bool from_there_on)
{
	m->calls = 0;
	m->fail_at = fail_at;
	m->from_there_on = from_there_on;
	m->failed = false;
}

static inline bool meter_refuses(struct meter *m)
{
	m->calls++;
	const bool refuse =
		m->fail_at && (m->from_there_on ? m->calls >= m->fail_at : m->calls == m->fail_at);
	m->failed |= refuse;
	return refuse;
}

static inline size_t meter_size(const unsigned char *block)
{
	size_t size = 0;
	if (block)
		memcpy(&size, block - METER_HEADER, sizeof size);
	return size;
}

static inline void *meter_move(struct meter *m, unsigned char *block, size_t old_size,
			       size_t new_size)
{
	unsigned char *moved = NULL;
	if (new_size) {
		moved = aligned_alloc(METER_HEADER, (new_size + 2 * METER_HEADER - 1) /
							    METER_HEADER * METER_HEADER);
		if (!moved)
			return NULL;
		moved += METER_HEADER;
		memcpy(moved - METER_HEADER, &new_size, sizeof new_size);
		memset(moved, 0xa5, new_size); /* nobody may count on zeros */
		if (block)
			memcpy(moved, block, old_size < new_size ? old_size : new_size);
	}
	m->blocks += (moved != NULL) - (block != NULL);
	m->bytes += (int64_t)new_size - (int64_t)old_size;
	if (block) {
		memset(block, 0x5a, old_size);
		free(block - METER_HEADER);
	}
	return moved;
}

static inline void *meter_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	struct meter *m = ctx;
	void *moved = NULL;
	pthread_mutex_lock(&m->lock);
	m->wrong_sizes += meter_size(block) != old_size;
	if (!new_size || !meter_refuses(m))
		moved = meter_move(m, block, meter_size(block), new_size);
	pthread_mutex_unlock(&m->lock);
	return moved;
}

#endif
