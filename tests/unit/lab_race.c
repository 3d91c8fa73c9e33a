/*
 * lab_race.c - temporal-difference learning of Race!: the value it learns is the evaluation, its
 * gradient is right, the same plan gives the same weights, and these beat the ones it began with.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <math.h>

#include "learn/race/train.h"
#include "support/scale.h"

/* A position of a random game. */
static struct race wander(struct qv_random *random)
{
	const int64_t options[QV_MAX_OPTIONS] = { 0 };
	struct race s;
	race_start(&s, options);
	for (uint64_t left = qv_random_below(random, 150); left && !race_has_ended(&s); left--) {
		qv_move list[RACE_MAX_MOVES];
		race_play(&s, list[qv_random_below(random, (uint64_t)race_moves(&s, list))]);
	}
	return s;
}

static void test_race__the_value_is_the_evaluation(void **state)
{
	struct qv_random random = { 4, 0 };
	(void)state;
	for (int64_t i = scaled(3000); i > 0; i--) {
		const struct race s = wander(&random);
		double w[RACE_WEIGHTS], gradient[RACE_WEIGHTS], other[RACE_WEIGHTS];
		for (int k = 0; k < RACE_WEIGHTS; k++)
			w[k] = race_weights[k];
		const double value = race_value(&s, w, gradient);
		const int32_t evaluation = race_evaluate(&s, race_weights);
		/* The evaluation rounds the risk of each seat. */
		assert_true(fabs(value - (s.turn ? -evaluation : evaluation)) < 2);
		for (int k = 0; k < RACE_WEIGHTS; k++) {
			const double before = w[k];
			w[k] += 0.5;
			const double slope = (race_value(&s, w, other) - value) / 0.5;
			w[k] = before;
			assert_true(fabs(slope - gradient[k]) < 1e-6);
		}
	}
}

struct curve {
	struct race_point points[20];
	int count;
};

static void on_point(void *ctx, const struct race_point *p)
{
	struct curve *c = ctx;
	assert_true(c->count < 20);
	c->points[c->count++] = *p;
}

static struct curve run(const char *text, uint64_t seed, int32_t weights[RACE_WEIGHTS])
{
	struct curve c = { .count = 0 };
	struct race_job job = { .point = on_point, .ctx = &c };
	assert_int_equal(race_plan_parse(text, &job.plan, NULL), QV_OK);
	job.plan.seed = seed;
	assert_int_equal(race_train(&job, weights, NULL), QV_OK);
	return c;
}

static void test_race__the_same_plan_gives_the_same_weights(void **state)
{
	int32_t first[RACE_WEIGHTS], again[RACE_WEIGHTS], other[RACE_WEIGHTS];
	/* Of any machine and compiler: all arithmetic is exact. */
	static const int32_t expected[RACE_WEIGHTS] = { 4, 35, 10, 0, 0, 1 };
	(void)state;
	run("games=200,every=50", 1, first);
	const struct curve c = run("games=200,every=50", 1, again);
	run("games=200,every=50", 2, other);
	assert_int_equal(c.count, 5);
	assert_memory_equal(first, again, sizeof first);
	assert_memory_equal(first, c.points[4].weights, sizeof first);
	assert_memory_not_equal(first, other, sizeof first);
	for (int i = 0; i < RACE_WEIGHTS; i++)
		assert_int_equal(first[i], expected[i]);
}

/* Untrained weights win half of such games; the bound is many standard deviations away. */
static void test_race__learned_weights_beat_untrained_ones(void **state)
{
	static const int32_t untrained[RACE_WEIGHTS] = { 0 };
	int32_t weights[RACE_WEIGHTS];
	(void)state;
	const struct curve c = run("games=1000,every=250", 3, weights);
	const int64_t won = race_duel(weights, untrained, 4000, 5);
	assert_true(won > 2400);
	assert_true(race_duel(untrained, untrained, 4000, 5) < 2200);
	/* And the value is a better prediction of the result than none, whose error is 1. */
	assert_true(c.points[c.count - 1].error < 0.95);
}

static void test_race__a_stop_ends_it(void **state)
{
	atomic_bool stop = true;
	int32_t weights[RACE_WEIGHTS];
	struct race_job job = { .stop = &stop };
	struct qv_error error = { "" };
	(void)state;
	assert_int_equal(race_plan_parse("", &job.plan, NULL), QV_OK);
	assert_int_equal(race_train(&job, weights, &error), QV_STOPPED);
	assert_int_equal(race_plan_parse("rate=0", &job.plan, &error), QV_BAD_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_race__the_value_is_the_evaluation),
		cmocka_unit_test(test_race__the_same_plan_gives_the_same_weights),
		cmocka_unit_test(test_race__learned_weights_beat_untrained_ones),
		cmocka_unit_test(test_race__a_stop_ends_it),
	};
	return cmocka_run_group_tests_name("lab_race", tests, NULL, NULL);
}
