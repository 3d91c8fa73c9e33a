/*
 * backgammon_rollout.c - roll-outs against what is known exactly.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/rollout.h"

#include "games/backgammon/tables.h"
#include "support/check.h"

#include <math.h>

static const struct settings unlimited = { 0 };

static struct backgammon position(const char *text)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	struct backgammon s;
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(context, "backgammon", &rules, &error), QV_OK);
	if (qv_position_parse(&rules, text, &s, &error) != QV_OK)
		fail_msg("%s", error.text);
	qv_context_free(context);
	return equity_plain(&s);
}

/* Rolls out some blocks with a new evaluator. */
static struct rollout_result roll_out(const struct rollout *r, struct backgammon_tables *tables,
				      int64_t first, struct rollout_block *blocks, int64_t count)
{
	struct equity e;
	const struct qv_limits limits = { 0 };
	assert_int_equal(equity_init(&e, &mem_malloc, tables, 1), QV_OK);
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
	struct backgammon_tables *tables = backgammon_tables_new(&mem_malloc);
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
	backgammon_tables_free(tables);
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
	const atomic_bool stop = true;
	const struct qv_limits limits = { .stop = &stop };
	struct rollout_block block;
	struct equity e;
	(void)state;
	assert_int_equal(equity_init(&e, &mem_malloc, NULL, 0), QV_OK);
	budget_start(&e.budget, &unlimited, &limits, 0);
	assert_false(rollout_block(&r, &e, 0, &block));
	equity_release(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_endings), cmocka_unit_test(test_unbiased),
		cmocka_unit_test(test_blocks),	      cmocka_unit_test(test_symmetric),
		cmocka_unit_test(test_stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
