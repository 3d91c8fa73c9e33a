/*
 * buckets.h - how fast somebody may ask: a bucket of tokens for each name, filled at a steady rate.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_BUCKETS_H
#define SERVER_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

enum { BUCKETS_NAME = 96 };

struct buckets;
struct buckets *buckets_new(void);           /* NULL: no memory */
void buckets_free(struct buckets *b);        /* NULL is fine */

/*
 * Takes a token of that name. False: there is none, and for how many seconds is none of our
 * business. A full bucket holds `burst`, and gets `per_minute` in a minute. A name that was never
 * heard, or not for long, has a full one. Without memory: true, so that nobody is locked out by
 * others.
 */
bool buckets_take(struct buckets *b, const char *name, double per_minute, double burst,
		  int64_t now_ms);

#endif
