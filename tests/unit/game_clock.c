/*
 * game_clock.c - tests of the clocks of a game: each kind of time control, when flags fall, and what
 * is left after one is taken back.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include "core/game_clock.h"

static struct game_clock clock_with(struct time_control control)
{
	struct game_clock c;
	game_clock_init(&c, &control);
	return c;
}

static void test_game_clock__base_and_increment(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){ .base_ms = 5000, .added_ms = 200 });
	assert_true(game_clock_on(&c));
	assert_int_equal(game_clock_due(&c), -1);
	game_clock_start(&c, 1, 100);
	assert_int_equal(game_clock_due(&c), 5101);
	assert_int_equal(game_clock_left(&c, 1, 1100), 4000);
	assert_int_equal(game_clock_left(&c, 0, 1100), 5000);
	assert_true(game_clock_stop(&c, 1100));
	assert_true(game_clock_stop(&c, 9999)); /* it does not run */
	assert_int_equal(c.spent_ms, 1000);
	game_clock_moved(&c, 1);
	assert_int_equal(c.spent_ms, 0);
	assert_int_equal(game_clock_left(&c, 1, 0), 4200);
	assert_int_equal(game_clock_moves_to_go(&c, 1), 0);
}

/* The last millisecond may be used, the one after it not. */
static void test_game_clock__a_flag_falls_past_its_time(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){ .base_ms = 1000 });
	game_clock_start(&c, 0, 0);
	assert_true(game_clock_stop(&c, 1000));
	assert_int_equal(game_clock_left(&c, 0, 0), 0);
	game_clock_start(&c, 0, 1000);
	assert_int_equal(game_clock_due(&c), 1001);
	assert_false(game_clock_stop(&c, 1001));
	assert_int_equal(game_clock_left(&c, 0, 0), -1);
}

static void test_game_clock__grace(void **state)
{
	(void)state;
	struct game_clock late =
		clock_with((struct time_control){ .base_ms = 100, .added_ms = 7, .grace_ms = 50 });
	assert_true(game_clock_charge(&late, 0, 150000));
	game_clock_moved(&late, 0);
	assert_int_equal(game_clock_left(&late, 0, 0), 7); /* nobody owes time */
	assert_false(game_clock_charge(&late, 1, 150001));
	struct game_clock strict =
		clock_with((struct time_control){ .base_ms = 100, .grace_ms = -1 });
	game_clock_start(&strict, 0, 0);
	assert_int_equal(game_clock_due(&strict), 100);
	assert_true(game_clock_charge(&strict, 0, 99000));
	assert_false(game_clock_charge(&strict, 0, 1000));
}

static void test_game_clock__time_for_each_move(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){ .move_ms = 100, .grace_ms = 50 });
	assert_false(game_clock_on(&c));
	for (int move = 0; move < 100; move++) {
		assert_true(game_clock_charge(&c, 0, 150000));
		game_clock_moved(&c, 0);
	}
	assert_false(game_clock_charge(&c, 0, 150001));
}

static void test_game_clock__no_clock_never_ends(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){ 0 });
	game_clock_start(&c, 0, 0);
	assert_true(game_clock_stop(&c, INT64_C(1) << 40));
	assert_true(c.spent_ms == INT64_C(1) << 40); /* counted for the record */
	game_clock_new_turn(&c);
	assert_int_equal(c.spent_ms, 0);
}

static void test_game_clock__periods(void **state)
{
	(void)state;
	struct game_clock c =
		clock_with((struct time_control){ .base_ms = 1000, .period_moves = 3 });
	for (int move = 0; move < 7; move++) {
		assert_int_equal(game_clock_moves_to_go(&c, 0), 3 - move % 3);
		assert_true(game_clock_charge(&c, 0, 100000));
		game_clock_moved(&c, 0);
	}
	assert_int_equal(game_clock_left(&c, 0, 0), 1000 - 700 + 2 * 1000);
	assert_int_equal(game_clock_left(&c, 1, 0), 1000);
	game_clock_unmove(&c, 0, 2);
	assert_int_equal(game_clock_moves_to_go(&c, 0), 1);
	game_clock_unmove(&c, 0, 100);
	assert_int_equal(game_clock_moves_to_go(&c, 0), 3);
}

/* 3/1:2/0.5+0.01:10: the last stage has no moves, so nothing more is added. */
static void test_game_clock__stages(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){
		.base_ms = 1000,
		.period_moves = 3,
		.later_count = 2,
		.later = { { 500, 10, 2 }, { 10000, 0, 0 } } });
	static const int to_go[] = { 3, 2, 1, 2, 1, 0, 0 }, stages[] = { 0, 0, 0, 1, 1, 2, 2 };
	static const int left[] = { 900, 800, 1200, 1110, 11020, 10920, 10820 };
	for (int move = 0; move < 7; move++) {
		assert_int_equal(game_clock_moves_to_go(&c, 0), to_go[move]);
		assert_int_equal(game_clock_stage(&c, 0), stages[move]);
		assert_int_equal(game_clock_added(&c, 0), stages[move] == 1 ? 10 : 0);
		assert_true(game_clock_charge(&c, 0, 100000));
		game_clock_moved(&c, 0);
		assert_int_equal(game_clock_left(&c, 0, 0), left[move]);
	}
	assert_int_equal(game_clock_stage(&c, 1), 0);
	assert_int_equal(game_clock_left(&c, 1, 0), 1000);
	/* A last stage with moves is repeated. */
	c = clock_with((struct time_control){
		.base_ms = 1000, .period_moves = 1, .later_count = 1, .later = { { 500, 0, 2 } } });
	for (int move = 0; move < 5; move++)
		game_clock_moved(&c, 0);
	assert_int_equal(game_clock_left(&c, 0, 0), 1000 + 3 * 500);
	assert_int_equal(game_clock_moves_to_go(&c, 0), 2);
}

static void test_game_clock__the_first_move_is_free(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){
		.base_ms = 1000, .added_ms = 10, .first_ms = 60000, .grace_ms = -1 });
	game_clock_start(&c, 0, 0);
	assert_int_equal(game_clock_due(&c), 60000);
	assert_true(game_clock_charge(&c, 0, 59999000));
	assert_false(game_clock_charge(&c, 0, 60000000));
	game_clock_moved(&c, 0);
	assert_int_equal(game_clock_left(&c, 0, 0), 1000);
	game_clock_start(&c, 1, 0);
	assert_int_equal(game_clock_due(&c), 1000);
	assert_false(game_clock_stop(&c, 1000));
}

/* Many moves of less than a millisecond are paid for. */
static void test_game_clock__counts_microseconds(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){ .base_ms = 10 });
	for (int move = 0; move < 20; move++)
		assert_true(game_clock_charge(&c, 0, 500));
	assert_false(game_clock_charge(&c, 0, 1));
}

static void test_game_clock__taken_over_and_taken_back(void **state)
{
	(void)state;
	struct game_clock c = clock_with((struct time_control){ .base_ms = 5000 });
	game_clock_set(&c, 0, 0);
	game_clock_set(&c, 1, -3);
	game_clock_set(&c, 2, 1);
	game_clock_take_over(&c, 1);
	game_clock_take_over(&c, 2);
	assert_int_equal(game_clock_left(&c, 1, 0), 5000);
	assert_int_equal(game_clock_left(&c, 2, 0), 1);
	game_clock_set(&c, 1, -3);
	game_clock_take_back(&c);
	assert_int_equal(game_clock_left(&c, 0, 0), GAME_CLOCK_TAKEN_BACK_MS);
	assert_int_equal(game_clock_left(&c, 1, 0), GAME_CLOCK_TAKEN_BACK_MS);
	assert_int_equal(game_clock_left(&c, 2, 0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_game_clock__base_and_increment),
		cmocka_unit_test(test_game_clock__a_flag_falls_past_its_time),
		cmocka_unit_test(test_game_clock__grace),
		cmocka_unit_test(test_game_clock__time_for_each_move),
		cmocka_unit_test(test_game_clock__no_clock_never_ends),
		cmocka_unit_test(test_game_clock__periods),
		cmocka_unit_test(test_game_clock__stages),
		cmocka_unit_test(test_game_clock__the_first_move_is_free),
		cmocka_unit_test(test_game_clock__counts_microseconds),
		cmocka_unit_test(test_game_clock__taken_over_and_taken_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
