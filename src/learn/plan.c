/*
 * plan.c - a plan of training from text.
 * SPDX-License-Identifier: MIT
 */
#include "learn/plan.h"

#include "base/scan.h"
#include "base/text.h"

enum { WORD_MOST = 32, KEYS_MOST = 64 };

struct reader {
	const struct plan_key *keys;
	int count;
	int64_t *values;
	bool seen[KEYS_MOST];
	struct qv_error *error;
};

static enum qv_status find_key(const struct reader *r, const char *name, int *out)
{
	struct text_nearest near = text_nearest_to(name);
	for (int i = 0; i < r->count; i++) {
		if (strcmp(r->keys[i].name, name) == 0) {
			*out = i;
			return QV_OK;
		}
		text_nearest_try(&near, r->keys[i].name);
	}
	return qv_fail(r->error, QV_UNKNOWN, "plan: no key '%.40s'%s%s", name,
		       near.best ? "; the nearest is " : "", near.best ? near.best : "");
}

/* `name=value`, in a buffer of its own. */
static enum qv_status read_pair(struct reader *r, char *pair)
{
	int at = 0;
	char *value = pair;
	scan_cut(&value, '=');
	if (!value)
		return qv_fail(r->error, QV_BAD_INPUT, "plan: '%.40s' is not KEY=N", pair);
	enum qv_status status = find_key(r, pair, &at);
	if (status != QV_OK)
		return status;
	if (r->seen[at])
		return qv_fail(r->error, QV_BAD_INPUT, "plan: %s is given twice", pair);
	r->seen[at] = true;
	const struct plan_key *key = &r->keys[at];
	if (!text_to_int(value, key->min, key->max, &r->values[at]))
		return qv_fail(r->error, QV_BAD_INPUT,
			       "plan: %s=%.40s: a number from %lld to %lld is expected", pair,
			       value, (long long)key->min, (long long)key->max);
	return QV_OK;
}

enum qv_status plan_parse(const char *text, const struct plan_key *keys, int count, int64_t *values,
			  struct qv_error *error)
{
	struct reader r = { .keys = keys, .count = count, .values = values, .error = error };
	for (int i = 0; i < count; i++)
		values[i] = keys[i].preset;
	for (const char *rest = text; *text && rest;) {
		char pair[WORD_MOST];
		const char *comma = strchr(rest, ',');
		const size_t length = comma ? (size_t)(comma - rest) : strlen(rest);
		if (length >= sizeof pair)
			return qv_fail(error, QV_BAD_INPUT, "plan: '%.40s' is not KEY=N", rest);
		memcpy(pair, rest, length);
		pair[length] = '\0';
		const enum qv_status status = read_pair(&r, pair);
		if (status != QV_OK)
			return status;
		rest = comma ? comma + 1 : NULL;
	}
	return QV_OK;
}
