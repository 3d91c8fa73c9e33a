/*
 * plays.h - what the tests and the fuzzer of plays share: a host whose luck is known, short ways to
 * ask, and the store that a play is rebuilt from.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_PLAYS_H
#define TEST_PLAYS_H

#include <stdlib.h>

#include "server/api/game_json.h"
#include "server/api/secrets.h"

/* A play and everything it ever said. */
struct table {
	const struct qv_context *context;
	struct hosted_callbacks host;
	struct qv_random luck;
	struct hosted_game *play;
	char **lines;
	size_t count;
	int64_t now;
	int64_t second; /* the time of day, since 1970 */
	struct qv_error error;
};

static inline void table_random(void *ctx, void *bytes, size_t size)
{
	struct qv_random *luck = ctx;
	for (size_t i = 0; i < size; i++)
		((unsigned char *)bytes)[i] = (unsigned char)qv_random_next(luck);
}

/* Each bit is turned round: anything but what was drawn. */
static inline void table_secret(void *ctx, const char *game, const unsigned char drawn[DICE_SECRET],
				unsigned char out[DICE_SECRET])
{
	(void)ctx, (void)game;
	for (int i = 0; i < DICE_SECRET; i++)
		out[i] = (unsigned char)~drawn[i];
}

static inline uint64_t table_roll(void *ctx, const struct dice *dice, uint64_t weights)
{
	(void)ctx;
	return dice_number(dice, weights);
}

/* Levels and `random` may sit down here. */
static inline enum qv_status table_check(void *ctx, const struct qv_rules *rules, const char *spec,
					 struct qv_error *error)
{
	(void)ctx, (void)rules;
	if (strncmp(spec, "level:", 6) == 0 || strcmp(spec, "random") == 0)
		return QV_OK;
	return qv_fail(error, QV_UNKNOWN, "spec: not at this table");
}

static inline int64_t table_second(void *ctx)
{
	const struct table *t = (const struct table *)((char *)ctx - offsetof(struct table, luck));
	return t->second;
}

/* Stores what waits, as a server would. */
static inline void table_store(struct table *t)
{
	const size_t count = hosted_lines(t->play);
	t->lines = realloc(t->lines, (t->count + count + 1) * sizeof *t->lines);
	for (size_t i = 0; i < count; i++) {
		const char *line = hosted_line(t->play, i);
		t->lines[t->count + i] = malloc(strlen(line) + 1);
		memcpy(t->lines[t->count + i], line, strlen(line) + 1);
	}
	t->count += count;
	hosted_lines_taken(t->play);
}

static inline enum verdict table_open(struct table *t, const struct qv_context *context,
			     const struct hosted_setup *setup)
{
	*t = (struct table){ .context = context, .luck = { .key = 7 }, .now = 1000 };
	t->host = (struct hosted_callbacks){ table_random, table_secret, table_roll, table_check, table_second, &t->luck };
	const enum verdict verdict = hosted_new(context, &t->host, setup, t->now, &t->play, &t->error);
	if (verdict == VERDICT_OK)
		table_store(t);
	return verdict;
}

static inline void table_close(struct table *t)
{
	hosted_free(t->play);
	for (size_t i = 0; i < t->count; i++)
		free(t->lines[i]);
	free(t->lines);
}

static inline enum verdict table_move(struct table *t, const char *user, const char *move)
{
	const struct hosted_user who = { user, user };
	const enum verdict verdict = hosted_move(t->play, &who, move, t->now, &t->error);
	table_store(t);
	return verdict;
}

static inline enum verdict table_act(struct table *t, const char *user, const char *action)
{
	const struct hosted_user who = { user, user };
	json_t *body = json_loads(action, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
	const enum verdict verdict = hosted_act(t->play, &who, body, t->now, &t->error);
	json_decref(body);
	table_store(t);
	return verdict;
}

/* The whole of Play; NULL: no memory, or what was written is no JSON. */
static inline json_t *table_json(const struct hosted_game *p, const char *user, unsigned connected,
				 int64_t now)
{
	struct string rest = game_line_and_tree(p);
	char *text = game_text(game_head_json(p, user, connected, now), &rest);
	json_t *json = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
	string_release(&rest);
	free(text);
	return json;
}

/* What a user sees, as text; the caller frees it. */
static inline char *table_seen(const struct hosted_game *p, const char *user, int64_t now)
{
	json_t *json = table_json(p, user, 1, now);
	char *text = json ? json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
	json_decref(json);
	return text;
}

/* The play again from what was stored; NULL: it was refused. */
static inline struct hosted_game *table_again(struct table *t)
{
	struct hosted_game *again = NULL;
	if (hosted_load(t->context, &t->host, (const char *const *)t->lines, t->count, t->now, &again,
		      &t->error) != VERDICT_OK)
		return NULL;
	return again;
}

/*
 * Is the play what its lines make of it? A running clock starts anew when it is loaded, so both are
 * looked at from before any clock began.
 */
static inline bool table_same(struct table *t, const char *user)
{
	struct hosted_game *again = table_again(t);
	if (!again)
		return false;
	char *one = table_seen(t->play, user, 0), *two = table_seen(again, user, 0);
	const bool same = one && two && strcmp(one, two) == 0 && hosted_lines(again) == 0 &&
			  hosted_lines_before(again) == t->count;
	if (!same && one && two)
		fprintf(stderr, "%s\n%s\n%zu %zu\n", one, two, hosted_lines(again), t->count);
	free(one);
	free(two);
	hosted_free(again);
	return same;
}

#endif
