/*
 * plan.c - reversi: a plan of training from text.
 * SPDX-License-Identifier: MIT
 */
#include "base/text.h"
#include "learn/reversi/train.h"

enum { WORD_MOST = 32 };

static const struct key {
	const char *name;
	int64_t preset, min, max;
} keys[] = {
	{ "rounds", 6, 1, 99 },	      { "games", 20000, 1, 10000000 },
	{ "depth", 4, 1, 20 },	      { "solve", 14, 0, 30 },
	{ "remember", 4, 1, 99 },     { "iterations", 20, 1, 1000 },
	{ "penalty", 64, 1, 100000 }, { "least", 16, 0, 100000 },
};
enum { KEYS = sizeof keys / sizeof *keys };

static void take(const int64_t *values, struct train_plan *out)
{
	out->rounds = (int)values[0];
	out->games = values[1];
	out->depth = (int)values[2];
	out->solve = (int)values[3];
	out->remember = (int)values[4];
	out->fit = (struct fit_plan){ (int)values[5], (int)values[6], (int)values[7] };
}

static enum qv_status find_key(const char *name, int *out, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	for (int i = 0; i < KEYS; i++) {
		if (strcmp(keys[i].name, name) == 0) {
			*out = i;
			return QV_OK;
		}
		text_nearest_try(&near, keys[i].name);
	}
	return qv_fail(error, QV_UNKNOWN, "plan: no key '%.40s'%s%s", name,
		       near.best ? "; the nearest is " : "", near.best ? near.best : "");
}

/* `name=value`, in a buffer of its own. */
static enum qv_status read_pair(char *pair, int64_t *values, bool *seen, struct qv_error *error)
{
	int at = 0;
	char *value = strchr(pair, '=');
	if (!value)
		return qv_fail(error, QV_BAD_INPUT, "plan: '%.40s' is not KEY=N", pair);
	*value++ = '\0';
	enum qv_status status = find_key(pair, &at, error);
	if (status != QV_OK)
		return status;
	if (seen[at])
		return qv_fail(error, QV_BAD_INPUT, "plan: %s is given twice", pair);
	seen[at] = true;
	if (!text_to_int(value, keys[at].min, keys[at].max, &values[at]))
		return qv_fail(error, QV_BAD_INPUT,
			       "plan: %s=%.40s: a number from %lld to %lld is expected", pair,
			       value, (long long)keys[at].min, (long long)keys[at].max);
	return QV_OK;
}

enum qv_status train_plan_parse(const char *text, struct train_plan *out, struct qv_error *error)
{
	int64_t values[KEYS];
	bool seen[KEYS] = { false };
	for (int i = 0; i < KEYS; i++)
		values[i] = keys[i].preset;
	for (const char *rest = text; *text && rest;) {
		char pair[WORD_MOST];
		const char *comma = strchr(rest, ',');
		const size_t length = comma ? (size_t)(comma - rest) : strlen(rest);
		if (length >= sizeof pair)
			return qv_fail(error, QV_BAD_INPUT, "plan: '%.40s' is not KEY=N", rest);
		memcpy(pair, rest, length);
		pair[length] = '\0';
		const enum qv_status status = read_pair(pair, values, seen, error);
		if (status != QV_OK)
			return status;
		rest = comma ? comma + 1 : NULL;
	}
	take(values, out);
	return QV_OK;
}

void train_plan_text(const struct train_plan *p, char *out, size_t size)
{
	snprintf(
		out, size,
		"rounds=%d,games=%lld,depth=%d,solve=%d,remember=%d,iterations=%d,penalty=%d,least=%d",
		p->rounds, (long long)p->games, p->depth, p->solve, p->remember, p->fit.iterations,
		p->fit.penalty, p->fit.least);
}
