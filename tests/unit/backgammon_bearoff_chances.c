/*
 * backgammon_bearoff_chances.c - the chances that the bear-off tables give: known ones, and the
 * approximate ones measured by the exact ones.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/bearoff_chances.h"

#include "support/bearoff_tables.h"
#include "support/meter.h"

#include <math.h>

static void check_chances(const char *text, double win, double win_gammon, double lose_gammon)
{
	const struct backgammon s = bearoff_position(text);
	struct backgammon_chances c;
	assert_true(bearoff_chances(tables, &s, &c));
	assert_true(fabs((double)c.of[BACKGAMMON_WIN_ANY] - win) < 1e-5);
	assert_true(fabs((double)c.of[BACKGAMMON_WIN_GAMMON] - win_gammon) < 1e-5);
	assert_true(fabs((double)c.of[BACKGAMMON_LOSE_GAMMON] - lose_gammon) < 1e-5);
	assert_true(c.of[BACKGAMMON_WIN_BACKGAMMON] == 0 && c.of[BACKGAMMON_LOSE_BACKGAMMON] == 0);
}

static void test_bearoff_chances__known_chances(void **unused)
{
	(void)unused;
	check_chances("6:1,off:14 1:1,off:14 1 -", 27 / 36.0, 0, 0);
	check_chances("1:1,off:14 6:1,off:14 2 -", 27 / 36.0, 0, 0);
	/* The other seat has no man off. */
	check_chances("1:1,off:14 6:15 1 -", 1, 1, 0);
	/* One roll to save the gammon: a six, 51, 42, 33 or 22. */
	check_chances("6:15 1:1,off:14 1 -", 0, 0, 19 / 36.0);
	/* Seven men, so by the one-sided table: two doubles win if the other rolls none between. */
	check_chances("1:7,off:8 1:4,off:11 1 -", 5 / 216.0, 0, 0);
}

static void test_bearoff_chances__other_positions_have_none(void **unused)
{
	(void)unused;
	struct backgammon_chances c;
	static const char *const texts[] = {
		"24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 -", "7:1,off:14 6:1,off:14 1 -",
		"6:1,off:14 7:1,off:14 1 -", "6:1,off:14 bar:1,off:14 1 -", "6:1,off:14 off:15 1 -"
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct backgammon s = bearoff_position(texts[i]);
		assert_false(bearoff_chances(tables, &s, &c));
	}
}

/*
 * The one-sided table ignores the other seat, so it never does better than perfect play of both,
 * but it errs about both. docs/tables.md has these figures.
 */
static void test_bearoff_chances__approximation_is_near(void **unused)
{
	(void)unused;
	const struct bearoff *one = backgammon_one_sided(tables);
	const struct two_sided *two = backgammon_two_sided(tables);
	double sum = 0, most = 0;
	struct backgammon s = { .phase = BACKGAMMON_ROLL };
	for (int mine = 1; mine < TWO_SIDED_SIDE; mine++) {
		bearoff_men(mine, s.men[0]);
		for (int theirs = 1; theirs < TWO_SIDED_SIDE; theirs++) {
			struct backgammon_chances c;
			bearoff_men(theirs, s.men[1]);
			one_sided_chances(one, &s, &c);
			const double exact =
				(1 + two_sided_equity(two, &s, TWO_SIDED_CUBELESS)) / 2;
			const double off = fabs((double)c.of[BACKGAMMON_WIN_ANY] - exact);
			sum += off;
			most = fmax(most, off);
		}
	}
	sum /= (TWO_SIDED_SIDE - 1) * (TWO_SIDED_SIDE - 1);
	print_message("win chances are off by %.6f on average and by %.6f at most\n", sum, most);
	assert_true(sum < 0.001 && most < 0.02);
}

/* Without the two-sided table the one-sided is used; without that there are none. */
static void test_bearoff_chances__do_without_memory(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	const struct backgammon s = bearoff_position("6:1,off:14 1:1,off:14 1 -");
	struct backgammon_chances c;
	struct backgammon_tables *poor = backgammon_tables_new(&allocator);
	assert_non_null(poor);
	meter_arm(&meter, 1, true);
	assert_false(bearoff_chances(poor, &s, &c));
	meter_arm(&meter, 1, false);
	assert_true(bearoff_chances(poor, &s, &c));
	assert_true(fabs((double)c.of[BACKGAMMON_WIN_ANY] - 0.75) < 1e-5);
	backgammon_tables_free(poor);
	assert_int_equal(meter.blocks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bearoff_chances__known_chances),
		cmocka_unit_test(test_bearoff_chances__other_positions_have_none),
		cmocka_unit_test(test_bearoff_chances__approximation_is_near),
		cmocka_unit_test(test_bearoff_chances__do_without_memory),
	};
	return cmocka_run_group_tests(tests, tables_setup, tables_teardown);
}
