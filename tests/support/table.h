/*
 * table.h - what tests of a game in progress share: a table to sit at, a clock that goes when it
 * is told to, and one file in memory.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_TABLE_H
#define TEST_TABLE_H

#include "support/desk.h"

#include <stdlib.h>

#include "terminal/dialogue.h"

struct box { /* a file in memory */
	char path[TALK_PATH], data[1 << 16];
	size_t size;
	bool there;
};

struct table {
	struct qv_context *context;
	struct qv_rules rules;
	struct talk talk;
	struct box box;
	int64_t now; /* milliseconds */
	char *text;  /* what was said last; ours */
};

static inline int64_t table_now(void *ctx)
{
	return ((struct table *)ctx)->now;
}

static inline enum qv_status box_save(void *ctx, const char *path, const char *data, size_t size,
				      bool over, struct qv_error *error)
{
	struct box *box = ctx;
	if (size > sizeof box->data)
		return qv_fail(error, QV_IO, "box: full");
	if (box->there && !over)
		return qv_fail(error, QV_ILLEGAL, "%s: is there already", path);
	snprintf(box->path, sizeof box->path, "%s", path);
	memcpy(box->data, data, size);
	box->size = size;
	box->there = true;
	return QV_OK;
}

static inline enum qv_status box_load(void *ctx, const char *path, struct string *out,
				      struct qv_error *error)
{
	const struct box *box = ctx;
	if (!box->there || strcmp(box->path, path) != 0)
		return qv_fail(error, QV_IO, "%s: is not there", path);
	string_add(out, box->data, box->size);
	return out->failed ? qv_fail(error, QV_NO_MEMORY, "box: out of memory") : QV_OK;
}

static inline enum qv_status table_try(struct table *t, const struct qv_context *context,
				       const char *game, struct session_setup setup,
				       struct qv_error *error)
{
	assert_int_equal(qv_rules_parse(context, game, &t->rules, error), QV_OK);
	setup.context = context;
	setup.rules = &t->rules;
	setup.defaults = (struct qv_defaults){
		.size = sizeof(struct qv_defaults), .seed = 1, .threads = 1, .hash_mb = 1
	};
	setup.no_times = true;
	setup.now_ms = table_now;
	setup.now_ctx = t;
	t->talk = (struct talk){ .screen = { .width = 80 },
				 .files = { box_save, box_load, &t->box } };
	return session_new(&setup, &t->talk.session, error);
}

static inline void table_open(struct table *t, struct qv_context *context, const char *game,
			      struct session_setup setup)
{
	struct qv_error error = { "" };
	*t = (struct table){ .context = context, .now = 1000 };
	if (table_try(t, context, game, setup, &error) != QV_OK)
		fail_msg("%s", error.text);
	talk_begin(&t->talk);
}

static inline void table_close(struct table *t)
{
	string_release(&t->talk.out);
	session_free(t->talk.session);
	free(t->text);
}

/* What was said since the last time. */
static inline const char *heard(struct table *t)
{
	free(t->text);
	assert_false(t->talk.out.failed);
	t->text = calloc(1, t->talk.out.length + 1);
	assert_non_null(t->text);
	if (t->talk.out.length)
		memcpy(t->text, t->talk.out.data, t->talk.out.length);
	string_release(&t->talk.out);
	return t->text;
}

/* Lets the computer and the dice do theirs, until somebody is asked. */
static inline enum talk_next settle(struct table *t)
{
	for (;;) {
		const enum talk_next next = talk_next(&t->talk);
		if (next == TALK_THINK)
			talk_think(&t->talk);
		else if (next == TALK_ROLL)
			talk_roll(&t->talk);
		else
			return next;
	}
}

/* A line, and what comes of it. */
static inline const char *say(struct table *t, const char *line)
{
	settle(t);
	heard(t);
	talk_line(&t->talk, line);
	settle(t);
	return heard(t);
}

static inline void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in: %s", part, text);
}

static inline int ply(const struct table *t)
{
	return qv_record_ply(session_record(t->talk.session));
}

static inline void assert_position(struct table *t, const char *expected)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	session_game(t->talk.session)->position_text(session_state(t->talk.session), &out);
	assert_string_equal(text, expected);
}

static inline int setup(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static inline int teardown(void **state)
{
	qv_context_free(*state);
	return 0;
}

#define SEATS(...)                       \
	(struct session_setup)           \
	{                                \
		.seats = { __VA_ARGS__ } \
	}
#define FIRST "alphabeta:depth=1,tt=0"
#define HINT "hint alphabeta:depth=1,tt=0"

#endif
