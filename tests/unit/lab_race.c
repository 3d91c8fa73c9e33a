/*
 * lab_race.c - temporal-difference learning of Race!: the value it learns is the evaluation, its
 * gradient is right, the same plan gives the same weights, in slices, too, and these beat the ones
 * it began with.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

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

/* A training that is written down and continued after each slice is the same as a whole one. */
static void test_race__slices_give_the_same_curve(void **state)
{
	static const int64_t slices[] = { 1, 49, 70, 30, 0 };
	int32_t weights[RACE_WEIGHTS], last[RACE_WEIGHTS];
	struct curve c = { .count = 0 };
	struct race_progress progress = { 0 };
	struct race_job job = { .progress = &progress, .point = on_point, .ctx = &c };
	(void)state;
	const struct curve whole = run("games=200,every=50", 1, weights);
	assert_int_equal(race_plan_parse("games=200,every=50", &job.plan, NULL), QV_OK);
	job.plan.seed = 1;
	for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
		char text[256] = "";
		race_progress_text(&progress, &(struct qv_text){ text, sizeof text, 0 });
		progress = (struct race_progress){ 0 };
		assert_int_equal(race_progress_parse(text, &job.plan, &progress, NULL), QV_OK);
		job.slice = slices[i];
		assert_int_equal(race_train(&job, last, NULL), QV_OK);
	}
	assert_int_equal(progress.games, 200);
	assert_int_equal(c.count, whole.count);
	for (int i = 0; i < c.count; i++) {
		assert_int_equal(c.points[i].games, whole.points[i].games);
		assert_true(c.points[i].error == whole.points[i].error);
		assert_memory_equal(c.points[i].weights, whole.points[i].weights, sizeof last);
	}
	assert_memory_equal(last, weights, sizeof last);
	/* Beyond the plan, beyond all numbers, and no progress at all. */
	static const struct race_progress wrong[] = { { .games = 201 },
						      { .weights = { [RACE_W_HOME] = 1e300 } },
						      { .squares = NAN },
						      { .positions = -1 } };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char text[256] = "";
		race_progress_text(&wrong[i], &(struct qv_text){ text, sizeof text, 0 });
		assert_int_equal(race_progress_parse(text, &job.plan, &progress, NULL),
				 QV_BAD_INPUT);
	}
	assert_int_equal(race_progress_parse("12", &job.plan, &progress, NULL), QV_BAD_INPUT);
}

/* Writes the progress down and reads it again. */
static enum qv_status reread(struct race_progress *p, const struct race_plan *plan)
{
	char text[256] = "";
	race_progress_text(p, &(struct qv_text){ text, sizeof text, 0 });
	return race_progress_parse(text, plan, p, NULL);
}

/* A progress comes from outside: its weights must not overflow an evaluation, nor learning them. */
static void test_race__weights_stay_within_their_bounds(void **state)
{
	static const int signs[][3] = { { 1, 1, 1 }, { -1, -1, 1 }, { 1, -1, 1 }, { -1, 1, -1 } };
	struct race_progress p = {
		.games = 1,
		.weights = { [RACE_W_STEP] = 9e8, [RACE_W_ENTERED] = 9e8, [RACE_W_RISK] = 9e8 }
	};
	struct race_job job = { .progress = &p };
	int32_t weights[RACE_WEIGHTS];
	(void)state;
	assert_int_equal(race_plan_parse("games=20,rate=1000,lambda=100", &job.plan, NULL), QV_OK);
	assert_int_equal(reread(&p, &job.plan), QV_BAD_INPUT);
	p.weights[RACE_W_STEP] = p.weights[RACE_W_ENTERED] = p.weights[RACE_W_RISK] = 0;
	for (int i = 0; i < RACE_WEIGHTS; i++) {
		p.weights[i] = nextafter(RACE_WEIGHT_MOST, INFINITY);
		assert_int_equal(reread(&p, &job.plan), QV_BAD_INPUT);
		p.weights[i] = -p.weights[i];
		assert_int_equal(reread(&p, &job.plan), QV_BAD_INPUT);
		p.weights[i] = 0;
	}
	for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
		p = (struct race_progress){ .games = 1 };
		for (int i = 0; i < RACE_WEIGHTS; i++)
			p.weights[i] = signs[k][i % 3] * RACE_WEIGHT_MOST;
		for (job.slice = 1; p.games < job.plan.games;) {
			assert_int_equal(reread(&p, &job.plan), QV_OK);
			assert_int_equal(race_train(&job, weights, NULL), QV_OK);
			for (int i = 0; i < RACE_WEIGHTS; i++)
				assert_true(abs(weights[i]) <= RACE_WEIGHT_MOST);
		}
	}
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
	struct qv_flag stop = { 1 };
	int32_t weights[RACE_WEIGHTS];
	struct race_job job = { .stop = &stop };
	struct qv_error error = { "" };
	(void)state;
	assert_int_equal(race_plan_parse("", &job.plan, NULL), QV_OK);
	assert_int_equal(race_train(&job, weights, &error), QV_STOPPED);
	/* Also during the tests, the first of which come before any game. */
	struct curve c = { .count = 0 };
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, "race", &rules, NULL), QV_OK);
	assert_int_equal(qv_player_new(context, &rules, "book", NULL, &job.opponent, NULL), QV_OK);
	assert_int_equal(race_plan_parse("games=1,test=1000000", &job.plan, NULL), QV_OK);
	job.point = on_point;
	job.ctx = &c;
	assert_int_equal(race_train(&job, weights, &error), QV_STOPPED);
	assert_int_equal(c.count, 0);
	/* So does the end of its time. */
	job.stop = NULL;
	job.until_us = 1;
	assert_int_equal(race_train(&job, weights, &error), QV_STOPPED);
	assert_int_equal(c.count, 0);
	qv_player_free(job.opponent);
	qv_context_free(context);
	assert_int_equal(race_plan_parse("rate=0", &job.plan, &error), QV_BAD_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_race__the_value_is_the_evaluation),
		cmocka_unit_test(test_race__the_same_plan_gives_the_same_weights),
		cmocka_unit_test(test_race__slices_give_the_same_curve),
		cmocka_unit_test(test_race__weights_stay_within_their_bounds),
		cmocka_unit_test(test_race__learned_weights_beat_untrained_ones),
		cmocka_unit_test(test_race__a_stop_ends_it),
	};
	return cmocka_run_group_tests_name("lab_race", tests, NULL, NULL);
}
