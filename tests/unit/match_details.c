/*
 * match_details.c - how players search by their specs, and the openings and scores of games.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdlib.h>

#include "match/details.h"

static void test_details__searchers_are_named_by_their_specs(void **state)
{
	(void)state;
	static const struct {
		const char *game, *spec, *searcher, *evaluator;
		int64_t depth;
	} list[] = {
		{ "reversi", "lurgee", "iterative negascout", "lurgee", 5 },
		{ "reversi", "lurgee:search=negamax,iterate=0,depth=3,eval=greed", "negamax",
		  "greed", 3 },
		{ "connect4", "alphabeta:nodes=100,eval=none", "iterative alphabeta", "none", 0 },
		{ "connect4", "level:2,ladder=lurgee", "iterative negascout", "lurgee", 10 },
		{ "connect4", "random", "random", "", 0 },
		{ "connect4", "uci:option.Hash=1,cmd=./engine", "uci", "", 0 },
	};
	struct qv_context *context = qv_context_new(NULL);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct qv_rules rules;
		assert_int_equal(qv_rules_parse(context, list[i].game, &rules, NULL), QV_OK);
		const struct match_searcher s = match_searcher(rules.game, list[i].spec);
		assert_string_equal(s.searcher, list[i].searcher);
		assert_string_equal(s.evaluator, list[i].evaluator);
		assert_int_equal(s.depth, list[i].depth);
	}
	qv_context_free(context);
}

struct counted {
	struct match_plan plan;
	struct match_details details;
};

static bool add_game(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct counted *c = ctx;
	struct qv_error error;
	(void)totals;
	const struct named_opening *opening = NULL;
	assert_int_equal(details_add(&c->details, &c->plan, game, &opening, &error), QV_OK);
	assert_non_null(opening);
	return true;
}

/* In reversi the second ply always has one of three names, chosen by the player in seat 2. */
static void test_details__openings_and_scores_are_counted(void **state)
{
	(void)state;
	struct qv_context *context = qv_context_new(NULL);
	static const struct match_player players[] = { { "A", "random" }, { "B", "random" } };
	struct counted c = {
		.plan = { .players = players, .player_count = 2, .games = 4, .seed = 1 }
	};
	struct match_totals totals;
	struct qv_error error;
	assert_int_equal(qv_rules_parse(context, "reversi", &c.plan.rules, NULL), QV_OK);
	assert_int_equal(details_init(&c.details, context, &c.plan, &error), QV_OK);
	const struct match_run run = { .listener = { .game = add_game, .ctx = &c } };
	assert_int_equal(match_run(context, &c.plan, &run, &totals, &error), QV_OK);
	const struct match_details d = c.details;
	assert_int_equal(d.score_count, 4);
	for (int player = 0; player < 2; player++) {
		int64_t sum = 0, families = 0;
		for (size_t i = 0; i < d.score_count; i++)
			sum += d.scores[i][player];
		assert_int_equal(sum, totals.total[player].scores);
		for (int i = 0; i < d.opening_count; i++)
			if (strcmp(d.openings[i].name, "Parallel") == 0 ||
			    strcmp(d.openings[i].name, "Diagonal") == 0 ||
			    strcmp(d.openings[i].name, "Perpendicular") == 0)
				families += d.openings[i].counts[player];
		assert_int_equal(families, 2);
	}
	/* Each game has one last opening, with its result. */
	int64_t games = 0, results = 0;
	for (int i = 0; i < d.opening_count; i++) {
		const struct named_opening *o = &d.openings[i];
		games += o->games;
		results += o->draws + o->wins[0] + o->wins[1];
		assert_int_equal(o->eco.text[0], '\0');
	}
	assert_int_equal(games, 4);
	assert_int_equal(results, 4);
	for (int i = 1; i < d.opening_count; i++)
		assert_true(d.openings[i - 1].name < d.openings[i].name);
	totals_release(&totals);
	details_release(&c.details);
	details_release(&c.details);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_details__searchers_are_named_by_their_specs),
		cmocka_unit_test(test_details__openings_and_scores_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
