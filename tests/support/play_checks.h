/*
 * play_checks.h - games on the server for cmocka: tables of users, what they see, what they are refused.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_PLAY_CHECKS_H
#define TEST_PLAY_CHECKS_H

#include "support/check.h"

#include "support/plays.h"

static inline int begin(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	assert_non_null(context);
	assert_int_equal(qv_context_load(context, TOY_PLUGIN, NULL), QV_OK);
	*state = context;
	return 0;
}

static inline int end(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* A table for a game; seats are words: a name is that person, "open", or a spec with ':'. */
static inline struct table *open_table(void **state, const char *game, const char *const *seats,
				       const char *clock, struct table *t)
{
	static struct qv_rules rules;
	struct hosted_setup setup = { .id = "abc",
				    .owner = "ann",
				    .rules = &rules,
				    .clock = clock,
				    .created = 5,
				    .owner_name = "ann" };
	assert_int_equal(qv_rules_parse(*state, game, &rules, NULL), QV_OK);
	for (int i = 0; seats && seats[i]; i++, setup.seat_count++) {
		const struct hosted_user who = { seats[i], seats[i] };
		const bool person = strcmp(seats[i], "open") != 0 && !strchr(seats[i], ':');
		assert_true(hosted_seat_read(&setup.seats[i], person ? "human" : seats[i], &who));
	}
	if (table_open(t, *state, &setup) != VERDICT_OK)
		fail_msg("%s", t->error.text);
	assert_true(table_same(t, "ann"));
	return t;
}

#define SEATS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A refusal changes nothing and has a reason. */
static inline void refused(struct table *t, const char *user, const char *action,
			   enum verdict verdict)
{
	char *before = table_seen(t->play, user, t->now);
	const size_t lines = t->count;
	t->error.text[0] = '\0';
	const enum verdict got = table_act(t, user, action);
	if (got != verdict)
		fail_msg("%s by %s: %d %s", action, user, got, t->error.text);
	assert_true(strchr(t->error.text, ':') != NULL);
	char *after = table_seen(t->play, user, t->now);
	assert_string_equal(before, after);
	assert_int_equal(t->count, lines);
	free(before);
	free(after);
}

static inline void move_refused(struct table *t, const char *user, const char *move,
				enum verdict verdict)
{
	char *before = table_seen(t->play, user, t->now);
	assert_int_equal(table_move(t, user, move), verdict);
	char *after = table_seen(t->play, user, t->now);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static inline void done(struct table *t, const char *user, const char *action)
{
	const enum verdict verdict = table_act(t, user, action);
	if (verdict != VERDICT_OK)
		fail_msg("%s by %s: %d %s", action, user, verdict, t->error.text);
	assert_true(table_same(t, user));
}

static inline void moved(struct table *t, const char *user, const char *move)
{
	if (table_move(t, user, move) != VERDICT_OK)
		fail_msg("%s by %s: %s", move, user, t->error.text);
	assert_true(table_same(t, user));
}

/* A value of what ann sees: "line.0.move" and the like. */
static inline json_t *seen(const struct table *t, const char *path)
{
	json_t *root = table_json(t->play, "ann", 1, t->now), *at = root;
	char key[64];
	while (*path) {
		const size_t length = strcspn(path, ".");
		snprintf(key, sizeof key, "%.*s", (int)length, path);
		at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key))
				       : json_object_get(at, key);
		path += length + (path[length] == '.');
	}
	json_incref(at);
	json_decref(root);
	return at;
}

static inline void sees_text(const struct table *t, const char *path, const char *expected)
{
	json_t *value = seen(t, path);
	if (expected)
		assert_string_equal(json_string_value(value), expected);
	else
		assert_true(json_is_null(value));
	json_decref(value);
}

static inline void sees_number(const struct table *t, const char *path, int64_t expected)
{
	json_t *value = seen(t, path);
	if (!json_is_integer(value) || json_integer_value(value) != expected)
		fail_msg("%s is %lld, not %lld", path, (long long)json_integer_value(value),
			 (long long)expected);
	json_decref(value);
}

static inline void sees_count(const struct table *t, const char *path, size_t expected)
{
	json_t *value = seen(t, path);
	assert_true(json_is_array(value));
	assert_int_equal(json_array_size(value), expected);
	json_decref(value);
}

/* The computer's answer: its first legal move. */
static inline void computer_moves(struct table *t)
{
	struct hosted_think think;
	qv_move list[QV_MAX_MOVES];
	assert_true(hosted_wants_think(t->play, t->now, &think));
	const struct qv_record *r = hosted_record(t->play);
	qv_record_rules(r)->game->moves(qv_record_state(r), list);
	assert_int_equal(hosted_computer_move(t->play, think.turn, list[0], 0.25, t->now, NULL), VERDICT_OK);
	table_store(t);
	assert_true(table_same(t, "ann"));
}

#endif
