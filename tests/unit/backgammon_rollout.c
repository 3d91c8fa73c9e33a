/*
 * backgammon_rollout.c - roll-outs against what is known exactly.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/rollout.h"

#include "support/bearoff_tables.h"
#include "support/near.h"
#include "support/scale.h"

#include <math.h>

static const struct settings unlimited = { 0 };

static struct backgammon position(const char *text)
{
	const struct backgammon s = bearoff_position(text);
	return equity_plain(&s);
}

/* Rolls out some blocks with a new evaluator. */
static struct rollout_result roll_out(const struct rollout *r, struct backgammon_tables *shared,
				      int64_t first, struct rollout_block *blocks, int64_t count)
{
	struct equity e;
	const struct qv_limits limits = { .size = sizeof limits };
	assert_int_equal(equity_init(&e, &mem_malloc, shared, 1), QV_OK);
	budget_start(&e.budget, &unlimited, &limits, 0);
	for (int64_t i = 0; i < count; i++)
		assert_true(rollout_block(r, &e, first + i, &blocks[i]));
	equity_release(&e);
	return rollout_sum(blocks, count);
}

/* Where the static evaluation is exact, so is every game without its luck. */
static void test_exact_endings(void **state)
{
	static const char *const positions[] = {
		"6:2,5:1,off:12 4:2,1:2,off:11 1 -",
		"3:1,1:1,off:13 2:2,off:13 2 -",
		"6:3,4:3,off:9 6:2,5:2,1:2,off:9 1 -",
	};
	struct rollout_block blocks[2];
	(void)state;
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
		const struct rollout r = { .start = position(positions[i]), .seed = i };
		struct backgammon_chances exact;
		struct equity e;
		const struct rollout_result result = roll_out(&r, tables, 0, blocks, 2);
		assert_int_equal(equity_init(&e, &mem_malloc, tables, 0), QV_OK);
		equity_static(&e, &r.start, &exact);
		equity_release(&e);
		assert_true(fabs(result.mean[ROLLOUT_EQUITY] - (double)backgammon_equity(&exact)) <
			    1e-4);
		assert_true(result.error[ROLLOUT_EQUITY] < 1e-4);
		assert_int_equal(result.games, 2 * ROLLOUT_BLOCK);
	}
}

/* Games with and without their luck have the same mean, but not the same error. */
static void test_unbiased(void **state)
{
	enum { BLOCKS = 40 };
	const struct rollout r = { .start = position("6:2,5:1,off:12 4:2,1:2,off:11 1 -"),
				   .seed = 1 },
			     plain = { .start = r.start, .seed = 1, .plain = true };
	struct rollout_block blocks[BLOCKS], others[BLOCKS];
	(void)state;
	const struct rollout_result with = roll_out(&r, NULL, 0, blocks, BLOCKS);
	const struct rollout_result without = roll_out(&plain, NULL, 0, others, BLOCKS);
	for (int k = 0; k < ROLLOUT_VALUES; k++)
		assert_true(fabs(with.mean[k] - without.mean[k]) <=
			    4 * hypot(with.error[k], without.error[k]));
	assert_true(with.error[ROLLOUT_EQUITY] < without.error[ROLLOUT_EQUITY] / 2);
	assert_true(rollout_difference_error(blocks, blocks, BLOCKS) == 0);
	assert_true(rollout_difference_error(blocks, others, BLOCKS) > 0);
}

/* A block depends on its number alone. */
static void test_blocks(void **state)
{
	struct rollout r = { .start = position("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 -"),
			     .seed = 7,
			     .truncate = 3 };
	struct rollout_block all[3], one;
	(void)state;
	roll_out(&r, NULL, 0, all, 3);
	roll_out(&r, NULL, 2, &one, 1);
	assert_memory_equal(&one, &all[2], sizeof one);
	r.plies = 1;
	r.truncate = 1;
	const struct rollout_result deep = roll_out(&r, NULL, 0, all, 1);
	assert_true(fabs(deep.mean[BACKGAMMON_WIN_ANY] - 0.525) < 0.02);
}

/* The other seat's values are the same ones turned round. */
static void test_symmetric(void **state)
{
	struct rollout_block block;
	(void)state;
	struct rollout r = { .start = position("24:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 1 -"),
			     .seed = 3,
			     .truncate = 4 };
	const struct rollout_result one = roll_out(&r, NULL, 0, &block, 1);
	r.start = position("24:2,13:5,8:3,6:5 24:1,13:5,8:3,6:6 2 -");
	const struct rollout_result other = roll_out(&r, NULL, 0, &block, 1);
	for (int k = 0; k < ROLLOUT_VALUES; k++)
		assert_true(one.mean[k] == other.mean[k] && one.error[k] == other.error[k]);
}

/* A stop ends the block. */
static void test_stop(void **state)
{
	const struct rollout r = { .start = position("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 -") };
	const struct qv_flag stop = { 1 };
	const struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
	struct rollout_block block;
	struct equity e;
	(void)state;
	assert_int_equal(equity_init(&e, &mem_malloc, NULL, 0), QV_OK);
	budget_start(&e.budget, &unlimited, &limits, 0);
	assert_false(rollout_block(&r, &e, 0, &block));
	equity_release(&e);
}

/* ---- With the cube ---- */

/* A roll-out for money with the cube in some hands, at 2 if they are of a seat. */
static struct rollout with_cube(const char *text, enum two_sided_cube cube)
{
	static const int owners[TWO_SIDED_CUBES] = { 0, 1, 0, -1 };
	struct rollout r = { .start = position(text),
			     .seed = 5,
			     .cubeful = true,
			     .rolls_first = true,
			     .cube = { .value = owners[cube] ? 2 : 1,
				       .owner = owners[cube],
				       .live = cube != TWO_SIDED_CUBELESS } };
	r.unit = r.cube;
	return r;
}

/* In a match, with the cube at 1 in the middle. */
static struct rollout in_match(const char *text, int mine, int theirs, bool crawford,
			       struct match_equity *table)
{
	struct rollout r = with_cube(text, TWO_SIDED_CENTRED);
	match_equity_compute(table, mine > theirs ? mine : theirs);
	r.cube.match = table;
	r.cube.away[0] = mine;
	r.cube.away[1] = theirs;
	r.cube.live = !crawford;
	r.cube.after_crawford = crawford;
	r.unit = r.cube;
	return r;
}

/* The equities of the two-sided table: without the luck at once, with it within their error. */
static void test_cubeful__exact_endings(void **state)
{
	enum { BLOCKS = 30 };
	static const char *const positions[] = {
		"6:2,5:1,off:12 4:2,1:2,off:11 1 -",
		"3:1,1:1,off:13 2:2,off:13 2 -",
		"6:3,4:3,off:9 6:2,5:2,1:2,off:9 1 -",
		"5:2,2:2,off:11 6:2,3:1,off:12 2 -",
	};
	const struct two_sided *table = backgammon_two_sided(tables);
	struct rollout_block blocks[BLOCKS];
	(void)state;
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
		for (int cube = 0; cube < TWO_SIDED_CUBES; cube++) {
			struct rollout r = with_cube(positions[i], (enum two_sided_cube)cube);
			const double exact =
				two_sided_equity(table, &r.start, (enum two_sided_cube)cube);
			struct rollout_result result = roll_out(&r, tables, 0, blocks, 1);
			assert_near(result.mean[ROLLOUT_EQUITY], exact, 1e-6);
			assert_near(result.error[ROLLOUT_EQUITY], 0, 1e-6);
			r.plain = true;
			result = roll_out(&r, tables, 0, blocks, BLOCKS);
			assert_near(result.mean[ROLLOUT_EQUITY], exact,
				    3 * result.error[ROLLOUT_EQUITY]);
			assert_true(result.error[ROLLOUT_EQUITY] < 0.1);
		}
}

/* A double at once, and the points of the cube before it. */
static void test_cubeful__doubles(void **state)
{
	const struct two_sided *table = backgammon_two_sided(tables);
	struct rollout_block block;
	(void)state;
	struct rollout r = with_cube("6:1,off:14 1:1,off:14 1 -", TWO_SIDED_OWNED);
	r.rolls_first = false;
	const struct two_sided_decision d = two_sided_decide(table, &r.start, TWO_SIDED_OWNED);
	assert_true(d.doubles && d.takes);
	assert_near(roll_out(&r, tables, 0, &block, 1).mean[ROLLOUT_EQUITY], d.equity, 1e-6);
	/* The same after the double, in points of the cube before it. */
	r.cube = cube_doubled(&r.unit);
	assert_near(roll_out(&r, tables, 0, &block, 1).mean[ROLLOUT_EQUITY], d.take, 1e-6);
	/* Dropped doubles win 1 point without a roll. The chances are those of the position. */
	struct rollout sure = with_cube("1:4,off:11 1:3,off:12 1 -", TWO_SIDED_CENTRED);
	sure.rolls_first = false;
	const struct rollout_result won = roll_out(&sure, tables, 0, &block, 1);
	assert_true(won.mean[ROLLOUT_EQUITY] == 1 && won.error[ROLLOUT_EQUITY] == 0);
	assert_near(won.mean[BACKGAMMON_WIN_ANY], 31 / 36.0, 1e-6);
	struct match_equity match;
	struct rollout five = in_match("1:4,off:11 1:3,off:12 1 -", 5, 3, false, &match);
	five.rolls_first = false;
	assert_near(roll_out(&five, tables, 0, &block, 1).mean[ROLLOUT_EQUITY], 1, 1e-9);
}

/* Games with and without their luck have the same mean, for money and in a match. */
static void test_cubeful__unbiased(void **state)
{
	enum { BLOCKS = 30 };
	static const char text[] = "6:5,5:3,3:2,off:5 6:4,4:4,2:3,off:4 1 -";
	struct rollout_block blocks[BLOCKS];
	struct match_equity match;
	(void)state;
	if (scaled(100) < 20) /* with sanitizers */
		skip();
	for (int i = 0; i < 2; i++) {
		struct rollout r = i ? in_match(text, 4, 3, false, &match)
				     : with_cube(text, TWO_SIDED_CENTRED);
		const struct rollout_result with = roll_out(&r, NULL, 0, blocks, BLOCKS / 5);
		r.plain = true;
		const struct rollout_result without = roll_out(&r, NULL, 0, blocks, BLOCKS);
		for (int k = 0; k < ROLLOUT_VALUES; k++)
			assert_near(with.mean[k], without.mean[k],
				    4 * hypot(with.error[k], without.error[k]) + 1e-9);
		assert_true(with.error[ROLLOUT_EQUITY] < without.error[ROLLOUT_EQUITY]);
	}
}

/* A cube that nobody can turn changes nothing but what the results are worth. */
static void test_cubeful__dead_cube(void **state)
{
	static const char contact[] = "24:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 1 -";
	static const char ending[] = "6:2,5:1,off:12 4:2,1:2,off:11 1 -";
	struct rollout_block block;
	struct match_equity match;
	(void)state;
	struct rollout r = with_cube(contact, TWO_SIDED_CUBELESS);
	const struct rollout cubeless = { .start = r.start, .seed = r.seed, .truncate = 4 };
	r.truncate = cubeless.truncate;
	const struct rollout_result with = roll_out(&r, NULL, 0, &block, 1);
	const struct rollout_result without = roll_out(&cubeless, NULL, 0, &block, 1);
	for (int k = 0; k < ROLLOUT_VALUES; k++) {
		assert_near(with.mean[k], without.mean[k], 1e-5);
		assert_near(with.error[k], without.error[k], 1e-5);
	}
	/* The Crawford game: the chances at the score. Gammons count for one seat only. */
	struct rollout crawford = in_match(contact, 4, 1, true, &match);
	crawford.truncate = cubeless.truncate;
	const struct rollout_result seen = roll_out(&crawford, NULL, 0, &block, 1);
	struct backgammon_chances mean;
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		mean.of[k] = (float)seen.mean[k];
	assert_near(seen.mean[ROLLOUT_EQUITY],
		    rollout_points(&crawford.unit, cube_dead_worth(&crawford.cube, &mean)), 1e-5);
	/* Without gammons the equities are the same. */
	crawford = in_match(ending, 4, 1, true, &match);
	const struct rollout plain = { .start = crawford.start, .seed = crawford.seed };
	assert_near(roll_out(&crawford, NULL, 0, &block, 1).mean[ROLLOUT_EQUITY],
		    roll_out(&plain, NULL, 0, &block, 1).mean[ROLLOUT_EQUITY], 1e-5);
}

/* With the cube, too, a block depends on its number alone, and the seats are alike. */
static void test_cubeful__blocks(void **state)
{
	struct rollout_block all[3], one;
	(void)state;
	struct rollout r = with_cube("24:1,13:5,8:3,6:6 24:2,13:5,8:3,6:5 1 -", TWO_SIDED_CENTRED);
	r.truncate = 3;
	r.cube.jacoby = r.unit.jacoby = true;
	roll_out(&r, NULL, 0, all, 3);
	roll_out(&r, NULL, 2, &one, 1);
	assert_memory_equal(&one, &all[2], sizeof one);
	r.start = position("24:2,13:5,8:3,6:5 24:1,13:5,8:3,6:6 2 -");
	roll_out(&r, NULL, 2, &one, 1);
	assert_memory_equal(&one, &all[2], sizeof one);
	r.plies = 1;
	r.truncate = 1;
	/* With one turn, all blocks have the same rolls. */
	const double deep = roll_out(&r, NULL, 0, &one, 1).mean[ROLLOUT_EQUITY];
	assert_near(deep, roll_out(&r, NULL, 0, all, 3).mean[ROLLOUT_EQUITY], 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_endings),
		cmocka_unit_test(test_unbiased),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_symmetric),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_cubeful__exact_endings),
		cmocka_unit_test(test_cubeful__doubles),
		cmocka_unit_test(test_cubeful__unbiased),
		cmocka_unit_test(test_cubeful__dead_cube),
		cmocka_unit_test(test_cubeful__blocks),
	};
	return cmocka_run_group_tests(tests, tables_setup, tables_teardown);
}
