/*
 * record.h - what the tests of records share: contexts with a counting allocator, short ways to
 * play, equality.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_RECORD_H
#define TEST_RECORD_H

#include "support/check.h"

#include <stdlib.h>

#include "record/record.h"

/* An allocator that counts what is out, by the sizes it is told, and fails one call. */
struct meter {
	int until_failure;         /* 0: never fails */
	bool failed;
	int64_t blocks, bytes;
};

static inline void *meter_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	struct meter *m = ctx;
	if (new_size && m->until_failure && --m->until_failure == 0) {
		m->failed = true;
		return NULL;
	}
	m->blocks += (new_size != 0) - (block != NULL);
	m->bytes += (int64_t)new_size - (int64_t)old_size;
	if (!new_size) {
		free(block);
		return NULL;
	}
	unsigned char *moved = realloc(block, new_size);
	if (moved && new_size > old_size)
		memset(moved + old_size, 0xa5, new_size - old_size); /* nobody may count on zeros */
	return moved;
}

static inline struct qv_context *new_context(struct meter *m)
{
	const struct qv_allocator allocator = { meter_resize, m };
	struct qv_context *context = qv_context_new(m ? &allocator : NULL);
	assert_non_null(context);
	struct qv_error error = { "" };
	if (qv_context_load(context, TOY_PLUGIN, &error) != QV_OK)
		fail_msg("%s", error.text);
	return context;
}

static inline int setup(void **state)
{
	*state = new_context(NULL);
	return 0;
}

static inline int teardown(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* The journal; the caller frees it. */
static inline char *saved(const struct qv_record *r)
{
	struct qv_text text = { NULL, 0, 0 };
	qv_record_save(r, &text);
	text = (struct qv_text){ malloc(text.length + 1), text.length + 1, 0 };
	qv_record_save(r, &text);
	assert_int_equal(text.length + 1, text.size);
	return text.data;
}

static inline struct qv_record *new_record(const struct qv_context *context, const char *game,
					   const char *position)
{
	struct qv_rules rules;
	struct qv_record *r = NULL;
	assert_int_equal(qv_rules_parse(context, game, &rules, NULL), QV_OK);
	assert_int_equal(qv_record_new(context, &rules, position, &r, NULL), QV_OK);
	return r;
}

static inline struct qv_record *load(const struct qv_context *context, const char *journal)
{
	struct qv_record *r = NULL;
	struct qv_error error = { "" };
	if (qv_record_load(context, journal, strlen(journal), &r, &error) != QV_OK)
		fail_msg("%s\n%s", error.text, journal);
	return r;
}

static inline void play(struct qv_record *r, const char *text)
{
	qv_move move;
	const struct qv_game *game = qv_record_rules(r)->game;
	assert_int_equal(qv_move_parse(game, qv_record_state(r), text, &move, NULL), QV_OK);
	assert_int_equal(qv_record_play(r, move, -1, NULL), QV_OK);
}

/* Plays moves that are one character each. */
static inline void play_all(struct qv_record *r, const char *moves)
{
	for (; *moves; moves++)
		play(r, (char[]){ *moves, '\0' });
}

static inline void undo(struct qv_record *r, int plies, int expected)
{
	int done = -1;
	assert_int_equal(qv_record_undo(r, plies, &done), QV_OK);
	assert_int_equal(done, expected);
}

static inline void redo(struct qv_record *r, int plies, int expected)
{
	int done = -1;
	assert_int_equal(qv_record_redo(r, plies, &done), QV_OK);
	assert_int_equal(done, expected);
}

static inline void assert_position(const struct qv_record *r, const char *expected)
{
	char text[QV_POSITION_TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	qv_record_rules(r)->game->position_text(qv_record_state(r), &out);
	assert_string_equal(text, expected);
}

static inline void assert_saved(const struct qv_record *r, const char *expected)
{
	char *journal = saved(r);
	assert_string_equal(journal, expected);
	free(journal);
}

static inline void assert_same(const struct qv_record *a, const struct qv_record *b)
{
	const struct qv_game *game = qv_record_rules(a)->game;
	int32_t points[2][QV_MAX_SEATS] = { { 0 } };
	assert_ptr_equal(game, qv_record_rules(b)->game);
	assert_memory_equal(qv_record_state(a), qv_record_state(b), game->state_size);
	assert_int_equal(qv_record_ply(a), qv_record_ply(b));
	for (int i = 0; i < qv_record_ply(a); i++)
		assert_int_equal(qv_record_move(a, i), qv_record_move(b, i));
	assert_int_equal(qv_record_result(a, points[0]), qv_record_result(b, points[1]));
	assert_memory_equal(points[0], points[1], sizeof points[0]);
	assert_int_equal(qv_record_variations(a), qv_record_variations(b));
	for (int i = 0; i < qv_record_variations(a); i++)
		assert_int_equal(qv_record_variation(a, i), qv_record_variation(b, i));
	for (int seat = 0; seat < game->seats; seat++)
		assert_int_equal(qv_record_clock_left(a, seat), qv_record_clock_left(b, seat));
	assert_int_equal(!qv_record_note_text(a), !qv_record_note_text(b));
	if (qv_record_note_text(a))
		assert_string_equal(qv_record_note_text(a), qv_record_note_text(b));
}

/* Saving, loading and saving again gives the same bytes, and the same record. */
static inline void assert_round_trip(const struct qv_context *context, const struct qv_record *r)
{
	char *journal = saved(r);
	struct qv_record *again = load(context, journal);
	assert_saved(again, journal);
	assert_same(r, again);
	qv_record_free(again);
	free(journal);
}

#endif
