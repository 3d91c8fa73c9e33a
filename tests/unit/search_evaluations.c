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
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
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
		    "weights: line 1: no weight 'opened'; did you mean 'open'?");
	write_file(path, "\nopen = 0 1 4\n");
	must_refuse(&s, spec, QV_BAD_INPUT, "weights: line 2: open takes 4 values, not 3");
	write_file(path, "open 0 1 4 16\n");
	must_refuse(&s, spec, QV_BAD_INPUT, "weights: line 1: expected '='");
	assert_int_equal(remove(path), 0);
	must_refuse(&s, spec, QV_IO, "");
	const struct spot reversi = spot_at(*state, "reversi", NULL);
	must_refuse(&reversi, "alphabeta:eval=material,weights=none", QV_UNSUPPORTED,
		    "weights=none:");
}

static void test_search_evaluations__one_weight_can_be_set(void **state)
{
	const struct spot s = spot_at(*state, "noughts", "x...o.... x");
	const struct qv_answer usual = think(&s, "alphabeta:depth=2,tt=0", NULL, NULL);
	/* Its own weights are 0 1 4 16; without any of them nothing is worth anything. */
	assert_int_equal(think(&s, "alphabeta:depth=2,tt=0,weight=open[2]:1", NULL, NULL).score,
			 usual.score);
	assert_int_not_equal(
		think(&s, "alphabeta:depth=2,tt=0,weight=open[3]:400", NULL, NULL).score,
		usual.score);
	must_refuse(&s, "alphabeta:weight=open:1", QV_BAD_INPUT,
		    "weight open: give an index, open[1] to open[4]");
	must_refuse(&s, "alphabeta:weight=open[0]:1", QV_BAD_INPUT, "weight open[0]: give an index");
	must_refuse(&s, "alphabeta:weight=open[5]:1", QV_BAD_INPUT, "weight open[5]: give an index");
	must_refuse(&s, "alphabeta:weight=open[1:1", QV_BAD_INPUT, "weight open[1: give an index");
	must_refuse(&s, "alphabeta:weight=opem[1]:1", QV_UNKNOWN,
		    "weight opem[1]: the evaluation lines has none; did you mean 'open'?");
	must_refuse(&s, "alphabeta:weight=open[1]:70000", QV_BAD_INPUT,
		    "weight=open[1]:70000: '70000' is not a number");
	must_refuse(&s, "alphabeta:weight=open[1]", QV_BAD_INPUT, "weight=open[1]: expected NAME:N");
	must_refuse(&s, "alphabeta:weight=:1", QV_BAD_INPUT, "weight=:1: expected NAME:N");
	must_refuse(&s, "mcts:weight=open[1]:1", QV_UNKNOWN, "player mcts: no option 'weight'");
	const struct spot reversi = spot_at(*state, "reversi", NULL);
	must_refuse(&reversi, "alphabeta:eval=material,weight=corner[1]:1", QV_UNSUPPORTED,
		    "weight=corner[1]:1: this evaluation has no weights");
	must_refuse(&reversi, "alphabeta:phases=1,weight=corner[1]:1", QV_UNSUPPORTED, "phases:");
}

/* ---- the conformance suite on material, phases and scores of moves ---- */

static const struct qv_game *whole;

static int32_t negative_material(const void *state, int seat)
{
	return -whole->material(state, seat);
}

static int32_t first_seats_material(const void *state, int seat)
{
	(void)seat;
	return whole->material(state, 0);
}

static int fourth_phase(const void *state)
{
	(void)state;
	return QV_PHASES;
}

static int32_t all_moves_alike(const void *state, qv_move move, const void *weights)
{
	(void)state, (void)move, (void)weights;
	return 0;
}

static int32_t too_good_a_move(const void *state, qv_move move, const void *weights)
{
	(void)state, (void)move, (void)weights;
	return QV_MAX_EVAL + 1;
}

static void must_break(const struct spot *s, const struct qv_game *broken, const char *start)
{
	struct qv_error error = { "" };
	struct qv_rules rules = s->rules;
	const struct qv_conformance how = { .size = sizeof how, .seed = 5, .games = 3 };
	rules.game = broken;
	assert_int_equal(qv_conform(s->context, &rules, &how, &error), QV_ILLEGAL);
	if (strncmp(error.text, start, strlen(start)) != 0)
		fail_msg("'%s' does not begin with '%s'", error.text, start);
}

static void test_search_evaluations__what_is_wrong_with_them_is_noticed(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	struct qv_evaluation table[3] = { s.rules.game->evaluations[0],
					  s.rules.game->evaluations[1] };
	whole = s.rules.game;
	struct qv_game broken = *whole;
	broken.material = negative_material;
	must_break(&s, &broken, "material: the material of seat 0 is -2, out of bounds");
	broken.material = first_seats_material;
	must_break(&s, &broken, "material: evaluation material is not the difference");
	broken = *whole;
	broken.phase = fourth_phase;
	must_break(&s, &broken, "phase: the phase is 3");
	broken.phase = NULL;
	must_break(&s, &broken, "evaluation-table: evaluation default: phase_weights need phase");
	broken = *whole;
	broken.evaluations = table;
	table[1].move = all_moves_alike;
	must_break(&s, &broken, "move-scores: evaluation material ranks moves unlike");
	table[1].move = too_good_a_move;
	must_break(&s, &broken, "move-scores: evaluation material scores a move 268435457");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_evaluations__the_evaluation_can_be_chosen),
		cmocka_unit_test(test_search_evaluations__weights_can_be_read),
		cmocka_unit_test(test_search_evaluations__one_weight_can_be_set),
		cmocka_unit_test(test_search_evaluations__what_is_wrong_with_them_is_noticed),
	};
	return cmocka_run_group_tests_name("search_evaluations", tests, setup, teardown);
}
