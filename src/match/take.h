/*
 * take.h - values out of JSON that may hold anything.
 * SPDX-License-Identifier: MIT
 *
 * The first value that is wrong is remembered, and what is taken is then a zero: take all, and
 * check the status once.
 */
#ifndef MATCH_TAKE_H
#define MATCH_TAKE_H

#include <jansson.h>

#include "quevedo.h"

struct taker {
	const json_t *object;      /* what it takes from; NULL, or no object: nothing is there */
	enum qv_status status;
	struct qv_error *error;
};

void take_wrong(struct taker *t, const char *key, const char *what);
int64_t take_int(struct taker *t, const char *key, int64_t min, int64_t max);
bool take_bool(struct taker *t, const char *key);
const char *take_text(struct taker *t, const char *key);   /* "" if it is wrong */
/* An array of at most `most`; NULL: it is none. */
const json_t *take_list(struct taker *t, const char *key, size_t most);

#endif
