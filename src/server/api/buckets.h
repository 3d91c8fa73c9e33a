/*
 * buckets.h - rate limits: a token bucket for each name, filled at a steady rate.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_BUCKETS_H
#define SERVER_API_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

enum { BUCKETS_NAME = 96 };

struct buckets;
struct buckets *buckets_new(void);           /* NULL: out of memory */
void buckets_free(struct buckets *b);        /* NULL is fine */

/*
 * Takes a token from the bucket of that name, which is cut to BUCKETS_NAME. False: the bucket is
 * empty. A full bucket holds `burst` tokens and gains `per_minute` of them per minute. A new name
 * has a full bucket. Returns true if there is no memory for a new bucket, so that nobody is locked
 * out by others. For one thread.
 */
bool buckets_take(struct buckets *b, const char *name, double per_minute, double burst,
		  int64_t now_ms);

#endif
