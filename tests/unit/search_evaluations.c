/*
 * search_evaluations.c - which evaluation a search asks, and weights from files.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

enum { SETS = 30 };

static void must_refuse(const struct spot *s, const char *spec, enum qv_status expected,
			const char *start)
{
	struct qv_error error = { "" };
	struct qv_player *player = NULL;
	const struct qv_defaults defaults = { .seed = 1, .threads = 1, .hash_mb = 1 };
	assert_int_equal(qv_player_new(s->context, &s->rules, spec, &defaults, &player, &error),
			 expected);
	assert_null(player);
	if (strncmp(error.text, start, strlen(start)) != 0)
		fail_msg("%s: '%s' does not begin with '%s'", spec, error.text, start);
}

static void test_search_evaluations__the_evaluation_can_be_chosen(void **state)
{
	struct qv_random random = { 27, 0 };
	const struct qv_game *reversi = spot_at(*state, "reversi", NULL).rules.game;
	for (int k = 0; k < SETS; k++) {
		struct spot s = spot_random(*state, reversi, 30, &random);
		const struct qv_game by_discs = { .evaluations = reversi->evaluations + 1 };
		const struct qv_answer discs =
			think(&s, "alphabeta:depth=3,tt=0,eval=material", NULL, NULL);
		struct qv_game copy = *reversi;
		copy.evaluations = by_discs.evaluations;
		s.rules.game = &copy;
		assert_int_equal(discs.score, literal_value(&s, 3, 0));
	}
	const struct spot s = spot_at(*state, "reversi", NULL);
	must_refuse(&s, "alphabeta:eval=materiel", QV_UNKNOWN,
		    "eval=materiel: reversi has no such evaluation");
	must_refuse(&s, "alphabeta:eval=", QV_BAD_INPUT, "eval=:");
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void test_search_evaluations__weights_can_be_read(void **state)
{
	char spec[128], path[] = "weights-XXXXXX";
	const struct spot s = spot_at(*state, "noughts", "x...o.... x");
	const struct qv_answer usual = think(&s, "alphabeta:depth=2,tt=0", NULL, NULL);
	const int fd = mkstemp(path);
	assert_true(fd >= 0);
	FILE *made = fdopen(fd, "w");
	assert_non_null(made);
	fclose(made);
	snprintf(spec, sizeof spec, "alphabeta:depth=2,tt=0,weights=%s", path);
	write_file(path, "# ten times the usual\nopen = 0 10 40 160\n");
	assert_true(usual.score != 0);
	assert_int_equal(think(&s, spec, NULL, NULL).score, 10 * usual.score);
	write_file(path, "open = 0 0 0 0\n");
	assert_int_equal(think(&s, spec, NULL, NULL).score, 0);
	write_file(path, "");
	assert_int_equal(think(&s, spec, NULL, NULL).score, usual.score);
	write_file(path, "opened = 1\n");
	must_refuse(&s, spec, QV_UNKNOWN,
		    "weights: line 1: no weight 'opened'; the nearest is open");
	write_file(path, "\nopen = 0 1 4\n");
	must_refuse(&s, spec, QV_BAD_INPUT, "weights: line 2: open takes 4 values, not 3");
	write_file(path, "open 0 1 4 16\n");
	must_refuse(&s, spec, QV_BAD_INPUT, "weights: line 1: '=' is expected");
	assert_int_equal(remove(path), 0);
	must_refuse(&s, spec, QV_IO, "");
	const struct spot reversi = spot_at(*state, "reversi", NULL);
	must_refuse(&reversi, "alphabeta:eval=material,weights=none", QV_UNSUPPORTED,
		    "weights=none:");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_evaluations__the_evaluation_can_be_chosen),
		cmocka_unit_test(test_search_evaluations__weights_can_be_read),
	};
	return cmocka_run_group_tests_name("search_evaluations", tests, setup, teardown);
}
