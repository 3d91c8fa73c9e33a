/*
 * solve.c - proven values: connect-four's own solver against public test sets, others by search.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quevedo.h"
#include "support/meter.h"
#include "support/scale.h"

struct desk {
	struct qv_context *context;
	struct qv_rules rules;
	void *state;
};

static struct desk sit_down(const char *game, const char *position)
{
	struct desk d = { .context = qv_context_new(NULL) };
	assert_non_null(d.context);
	assert_int_equal(qv_rules_parse(d.context, game, &d.rules, NULL), QV_OK);
	d.state = qv_state_new(d.context, d.rules.game);
	assert_non_null(d.state);
	assert_int_equal(qv_position_parse(&d.rules, position, d.state, NULL), QV_OK);
	return d;
}

static void stand_up(struct desk *d)
{
	qv_state_free(d->context, d->rules.game, d->state);
	qv_context_free(d->context);
}

/* One position with a solver of its own. */
static enum qv_status solve_once(const struct desk *d, const struct qv_solve_limits *limits,
				 struct qv_solution *out)
{
	struct qv_solver *solver;
	enum qv_status status = qv_solver_new(d->context, &d->rules, 1 << 20, &solver, NULL);
	if (status != QV_OK)
		return status;
	status = qv_solver_solve(solver, d->state, limits, out, NULL);
	qv_solver_free(solver);
	return status;
}

static struct qv_solution solve(const struct desk *d, bool distance)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = distance };
	struct qv_solution s = { .size = sizeof s };
	assert_int_equal(solve_once(d, &limits, &s), QV_OK);
	return s;
}

/*
 * The sets' score: 22 minus the discs that the winner has on the board at the end, negative if
 * the side to move loses.
 */
static int plies_by_score(int discs, int score)
{
	const int winners = 22 - abs(score);
	const bool first_wins = (discs % 2 == 0) == (score > 0);
	return (first_wins ? 2 * winners - 1 : 2 * winners) - discs;
}

static void check_set(const char *path, long most)
{
	struct desk d = sit_down("connect4", NULL);
	char line[256], columns[64];
	int score;
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	long count = 0;
	while (count < most && fgets(line, sizeof line, file)) {
		if (line[0] == '#')
			continue;
		assert_int_equal(sscanf(line, "%60s %d", columns, &score), 2);
		count++;
		assert_int_equal(qv_position_parse(&d.rules, columns, d.state, NULL), QV_OK);
		const struct qv_solution s = solve(&d, true);
		const enum qv_value expected = score > 0 ? QV_VALUE_WIN :
					       score < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
		if (s.value != expected ||
		    s.in != (score ? plies_by_score((int)strlen(columns), score) : -1))
			fail_msg("%s: value %d in %d, score %d", columns, (int)s.value, s.in, score);
	}
	assert_int_equal(count, most);
	fclose(file);
	stand_up(&d);
}

static void test_solve__connect4_matches_the_public_sets(void **state)
{
	(void)state;
	check_set(TEST_DATA "/connect4-end-easy.txt", 200);
	check_set(TEST_DATA "/connect4-middle-easy.txt", scaled(200));
	check_set(TEST_DATA "/connect4-begin-easy.txt", scaled(100));
}

/* The mirror image of a position has the same value and distance. */
static void test_solve__connect4_does_not_tell_left_from_right(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{ "4411225566", "4477663322" },
		{ "12345671234567", "76543217654321" },
		{ "1122112233", "7766776655" },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct desk a = sit_down("connect4", pairs[i][0]);
		struct desk b = sit_down("connect4", pairs[i][1]);
		const struct qv_solution sa = solve(&a, true), sb = solve(&b, true);
		assert_int_equal(sa.value, sb.value);
		assert_int_equal(sa.in, sb.in);
		assert_true(sa.value != QV_VALUE_UNKNOWN);
		stand_up(&a);
		stand_up(&b);
	}
}

static void test_solve__small_games_have_their_known_values(void **state)
{
	(void)state;
	static const struct {
		const char *game, *position;
		enum qv_value value;
		int in;
	} known[] = {
		{ "noughts", NULL, QV_VALUE_DRAW, -1 },
		{ "noughts", "xo....... x", QV_VALUE_WIN, 5 },
		{ "noughts", "xx.oo.... x", QV_VALUE_WIN, 1 },
		{ "noughts", "xxxoo.... o", QV_VALUE_LOSS, 0 },
		{ "noughts", "x.o.x.xo. o", QV_VALUE_LOSS, 2 },
		{ "connect4", "1212121", QV_VALUE_LOSS, 0 },
		{ "connect4", "121212", QV_VALUE_WIN, 1 },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct desk d = sit_down(known[i].game, known[i].position);
		const struct qv_solution s = solve(&d, true);
		assert_int_equal(s.value, known[i].value);
		assert_int_equal(s.in, known[i].in);
		assert_int_equal(solve(&d, false).in, -1);
		stand_up(&d);
	}
}

static void test_solve__a_stop_leaves_the_value_unknown(void **state)
{
	(void)state;
	static const char *const games[] = { "connect4", "reversi" };
	for (int i = 0; i < 2; i++) {
		struct desk d = sit_down(games[i], NULL);
		const struct qv_flag stop = { 1 };
		const struct qv_solve_limits limits = { .size = sizeof limits, .stop = &stop };
		struct qv_solution s = { .size = sizeof s };
		assert_int_equal(solve_once(&d, &limits, &s), QV_STOPPED);
		assert_int_equal(s.value, QV_VALUE_UNKNOWN);
		stand_up(&d);
	}
}

static void test_solve__survives_without_memory(void **state)
{
	(void)state;
	struct meter meter = meter_make();
	const struct qv_allocator few = { meter_resize, &meter };
	for (int n = 1; n < 8; n++) {
		meter_arm(&meter, 0, false);
		struct desk d = { .context = qv_context_new(&few) };
		assert_int_equal(qv_rules_parse(d.context, "connect4", &d.rules, NULL), QV_OK);
		d.state = qv_state_new(d.context, d.rules.game);
		assert_int_equal(qv_position_parse(&d.rules, "1212123", d.state, NULL), QV_OK);
		meter_arm(&meter, n, true);
		const struct qv_solve_limits limits = { .size = sizeof limits, .distance = false };
		struct qv_solution s = { .size = sizeof s };
		const enum qv_status status = solve_once(&d, &limits, &s);
		assert_int_equal(status, n > 3 ? QV_OK : QV_NO_MEMORY);
		stand_up(&d);
		assert_int_equal(meter.blocks, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_solve__connect4_matches_the_public_sets),
		cmocka_unit_test(test_solve__connect4_does_not_tell_left_from_right),
		cmocka_unit_test(test_solve__small_games_have_their_known_values),
		cmocka_unit_test(test_solve__a_stop_leaves_the_value_unknown),
		cmocka_unit_test(test_solve__survives_without_memory),
	};
	return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}
