/*
 * buckets.h - how fast somebody may ask: a bucket of tokens for each name, filled at a steady rate.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_BUCKETS_H
#define SERVER_API_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

enum { BUCKETS_NAME = 96 };

struct buckets;
struct buckets *buckets_new(void);           /* NULL: no memory */
void buckets_free(struct buckets *b);        /* NULL is fine */

/*
 * Takes a token of that name, which is cut to BUCKETS_NAME. False: there is none. A full bucket
 * holds `burst` tokens and gets `per_minute` in a minute. A new name has a full bucket. Without
 * memory for one: true, so that nobody is locked out by others. One thread.
 */
bool buckets_take(struct buckets *b, const char *name, double per_minute, double burst,
		  int64_t now_ms);

#endif
