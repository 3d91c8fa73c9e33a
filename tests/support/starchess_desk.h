/*
 * starchess_desk.h - the rules of Star Chess, twins' galaxies as states, and players to ask, for
 * tests.
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_STARCHESS_DESK_H
#define SUPPORT_STARCHESS_DESK_H

#include "games/starchess/rules.h"
#include "support/check.h"
#include "support/starchess.h"

struct desk {
	const struct qv_context *context;
	struct qv_rules rules;
};

static inline struct desk desk_at(const struct qv_context *context)
{
	struct desk d = { .context = context };
	assert_int_equal(qv_rules_parse(context, "starchess", &d.rules, NULL), QV_OK);
	return d;
}

static inline struct starchess state_of(const struct desk *d, const struct twin_galaxy *g)
{
	char text[1024];
	struct starchess s;
	struct qv_error error = { "" };
	twin_starchess_write(g, text, sizeof text);
	if (qv_position_parse(&d->rules, text, &s, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static inline struct qv_answer ask(const struct desk *d, const struct starchess *s,
				   const char *spec)
{
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	if (qv_player_new(d->context, &d->rules, spec, NULL, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	assert_int_equal(qv_player_think(player, s, NULL, NULL, &answer, NULL), QV_OK);
	qv_player_free(player);
	return answer;
}

#endif
