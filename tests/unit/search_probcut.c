/*
 * search_probcut.c - Multi-ProbCut: it saves most of the nodes, its errors are those of the searches,
 * and what it calls proven is true.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

enum { GAMES = 24 };

/* A position of a game between shallow searches after eight random moves and so many more. */
static struct spot spot_played(const struct qv_context *context, int plies,
			       struct qv_random *random)
{
	struct spot s = spot_start(context, spot_at(context, "reversi", NULL).rules.game);
	int32_t points[QV_MAX_SEATS];
	for (int ply = 0; ply < 8 + plies; ply++) {
		if (ply < 8) {
			spot_wander(&s, random);
			continue;
		}
		struct spot next = s;
		spot_play(&next, think(&s, "negascout:eval=pattern,depth=2", NULL, NULL).move);
		if (spot_ended(&next, points))
			break;
		s = next;
	}
	return s;
}

static void test_search_probcut__saves_most_nodes_and_keeps_the_value_nearly(void **state)
{
	struct qv_random random = { 5, 0 };
	uint64_t whole = 0, cut = 0;
	int64_t differences = 0;
	for (int i = 0; i < GAMES; i++) {
		const struct spot s = spot_played(*state, i, &random);
		const struct qv_answer plain =
			think(&s, "negascout:eval=pattern,depth=8", NULL, NULL);
		const struct qv_answer quick =
			think(&s, "negascout:eval=pattern,depth=8,probcut=100", NULL, NULL);
		assert_int_equal(quick.depth, plain.depth);
		whole += plain.nodes;
		cut += quick.nodes;
		differences += labs((long)plain.score - quick.score);
	}
	assert_true(cut * 3 < whole);
	/* Eighths of a disc; a ply more or less changes a value by about two discs. */
	assert_in_range(differences / GAMES, 0, 16);
	/* Far more confidence than a value needs: nearly every node is searched, and the value is the same. */
	const struct spot s = spot_played(*state, 12, &random);
	assert_int_equal(think(&s, "negascout:eval=pattern,depth=8,probcut=1000", NULL, NULL).score,
			 think(&s, "negascout:eval=pattern,depth=8", NULL, NULL).score);
}

/* The table of errors against searches that it was not made from: a shallow one is seldom far off. */
static void test_search_probcut__errors_are_those_of_searches(void **state)
{
	struct qv_random random = { 17, 0 };
	int beyond_one = 0, beyond_three = 0;
	const int count = 60;
	for (int i = 0; i < count; i++) {
		const struct spot s = spot_played(*state, i % 30, &random);
		const int32_t shallow =
			think(&s, "negascout:eval=pattern,depth=3", NULL, NULL).score;
		const int32_t deep = think(&s, "negascout:eval=pattern,depth=7", NULL, NULL).score;
		/* By the table the error of 3 plies for 7 is 22 to 35 eighths while 14 to 56 squares are empty. */
		const long off = labs((long)deep - shallow);
		beyond_one += off > 28;
		beyond_three += off > 3 * 35;
	}
	/* About a third of all values are more than one standard error off, hardly any three. */
	assert_in_range(beyond_one, count / 10, count / 2);
	assert_in_range(beyond_three, 0, count / 20);
}

static void test_search_probcut__what_it_calls_proven_is_true(void **state)
{
	struct qv_random random = { 23, 0 };
	int proven = 0;
	for (int i = 0; i < GAMES; i++) {
		const struct spot s = spot_played(*state, 42 + i % 6, &random);
		const struct qv_answer truth =
			think(&s, "alphabeta:eval=pattern,depth=20", NULL, NULL);
		const struct qv_answer bold =
			think(&s, "negascout:eval=pattern,depth=20,probcut=20", NULL, NULL);
		assert_true(truth.proven);
		proven += bold.proven;
		if (bold.proven)
			assert_int_equal(sign(bold.score), sign(truth.score));
	}
	assert_true(proven > 0);
}

static void enter(void *ctx, const struct qv_visit *visit)
{
	(void)ctx;
	assert_non_null(visit->state);
}

static void count_cuts(void *ctx, int ply, enum qv_why why, double number)
{
	int *cuts = ctx;
	(void)ply, (void)number;
	*cuts += why == QV_WHY_FUTILE;
}

static void test_search_probcut__a_listener_sees_cuts_and_changes_nothing(void **state)
{
	const char *const spec = "negascout:eval=pattern,depth=7,probcut=100";
	struct qv_random random = { 29, 0 };
	int cuts = 0;
	const struct qv_listener listener = { .size = sizeof listener,
					      .enter = enter, .why = count_cuts,
					      .ctx = &cuts };
	for (int i = 0; i < 4; i++) {
		const struct spot s = spot_played(*state, 6 * i, &random);
		const struct qv_answer alone = think(&s, spec, NULL, NULL);
		const struct qv_answer watched = think(&s, spec, NULL, &listener);
		assert_true(same_answer(&alone, &watched));
	}
	assert_in_range(cuts, 10, 100000);
}

static void test_search_probcut__needs_known_errors(void **state)
{
	const struct {
		const char *game, *spec, *why;
	} refused[] = {
		{ "connect4", "negascout:probcut=100",
		  "probcut: the errors of this evaluation of connect4 are not known" },
		{ "reversi", "negascout:probcut=100",
		  "probcut: the errors of this evaluation of reversi are not known" },
		{ "reversi", "negascout:eval=pattern,stack=1,probcut=100",
		  "stack: cannot be combined with probcut" },
	};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const struct spot s = spot_at(*state, refused[i].game, NULL);
		const struct qv_defaults defaults = { .size = sizeof defaults, .seed = 1 };
		struct qv_player *player = NULL;
		struct qv_error error = { "" };
		assert_int_equal(qv_player_new(s.context, &s.rules, refused[i].spec, &defaults,
					       &player, &error),
				 QV_UNSUPPORTED);
		assert_non_null(strstr(error.text, refused[i].why));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_probcut__saves_most_nodes_and_keeps_the_value_nearly),
		cmocka_unit_test(test_search_probcut__errors_are_those_of_searches),
		cmocka_unit_test(test_search_probcut__what_it_calls_proven_is_true),
		cmocka_unit_test(test_search_probcut__a_listener_sees_cuts_and_changes_nothing),
		cmocka_unit_test(test_search_probcut__needs_known_errors),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
