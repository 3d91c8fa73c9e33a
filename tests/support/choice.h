/*
 * choice.h - what a literal program would choose, and a player that must choose the same.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_CHOICE_H
#define TEST_CHOICE_H

#include "support/desk.h"

#include <stdio.h>

enum { CHOICE_MOST = 9, CHOICE_DRAWS = 600 };

static inline struct qv_answer ask(struct qv_player *player, const struct desk *d)
{
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	if (qv_player_think(player, d->state, NULL, NULL, &answer, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_true(qv_move_legal(d->rules.game, d->state, answer.move));
	assert_int_equal(answer.depth, 1);
	assert_int_equal(answer.line_length, 1);
	assert_true(answer.line[0] == answer.move);
	assert_true(answer.considered > 0 && answer.considered == answer.evals);
	assert_false(answer.proven);
	return answer;
}

static inline void set_position(struct desk *d, const char *text)
{
	struct qv_error error = { "" };
	if (qv_position_parse(&d->rules, text, d->state, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
}

static inline void name_of(const struct desk *d, qv_move move, char name[QV_MOVE_TEXT])
{
	struct qv_text out = { name, QV_MOVE_TEXT, 0 };
	d->rules.game->move_text(d->state, move, &out);
}

/* A literal program's view: the names of its best moves, and their score. */
struct choice {
	char names[CHOICE_MOST][16];
	int count, score;
};

static inline void consider(struct choice *c, const char *name, int score)
{
	if (c->count && score < c->score)
		return;
	if (c->count && score > c->score)
		c->count = 0;
	c->score = score;
	assert_true(c->count < CHOICE_MOST);
	snprintf(c->names[c->count++], sizeof c->names[0], "%s", name);
}

static inline int place_in(const struct choice *c, const char *name)
{
	for (int i = 0; i < c->count; i++)
		if (strcmp(c->names[i], name) == 0)
			return i;
	return -1;
}

/* Over many draws the player makes all of those moves and no other; `plain` makes the first. */
static inline void assert_same_choice(struct qv_player *player, struct qv_player *plain,
			       const struct desk *d, const struct choice *expected)
{
	bool seen[CHOICE_MOST] = { false };
	char name[QV_MOVE_TEXT];
	for (int left = expected->count, draws = 0; left; draws++) {
		const struct qv_answer answer = ask(player, d);
		name_of(d, answer.move, name);
		const int place = place_in(expected, name);
		assert_int_equal(answer.score, expected->score);
		assert_true(place >= 0 && draws < CHOICE_DRAWS);
		left -= !seen[place];
		seen[place] = true;
	}
	for (int i = 0; i < 3; i++) {
		name_of(d, ask(plain, d).move, name);
		assert_string_equal(name, expected->names[0]);
	}
}

#endif
