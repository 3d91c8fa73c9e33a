/*
 * tune.c - one weight varied: ranges from text, the matches, reproducibility, stopping.
 * SPDX-License-Identifier: MIT
 */
#include "match/tune.h"

#include "base/flag.h"
#include "support/near.h"

static const char quick[] = "alphabeta:depth=1,random=1,tt=0";

static struct tune_range range_of(const char *text)
{
	struct tune_range r;
	struct qv_error error;
	if (tune_range_parse(text, &r, &error) != QV_OK)
		fail_msg("%s", error.text);
	return r;
}

static void test_tune__ranges(void **state)
{
	(void)state;
	struct tune_range r = range_of("corner[2]=-10:11:5");
	assert_string_equal(r.name, "corner[2]");
	assert_true(r.from == -10 && r.to == 11 && r.step == 5 && r.count == 5);
	r = range_of("a=7:7:65536");
	assert_int_equal(r.count, 1);
	r = range_of("a=1:1000:1");
	assert_int_equal(r.count, TUNE_VALUES);
	static const char *const wrong[] = { "",	  "a",	      "=0:1:1",	   "a=",
					     "a=0",	  "a=0:1",    "a=0:1:",	   "a=0:1:0",
					     "a=0:1:-1",  "a=1:0:1",  "a=0:1001:1", "a=0:65537:99",
					     "a=0:1:1:1", "a=0 :1:1", "a==0:1:1" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct qv_error error = { "" };
		r.count = -7;
		assert_int_not_equal(tune_range_parse(wrong[i], &r, &error), QV_OK);
		assert_non_null(strstr(error.text, "weight: "));
		assert_int_equal(r.count, -7);
	}
}

struct stage {
	struct qv_context *context;
	struct tune_job job;
	struct tune_value values[8];
	struct tune_outcome outcome;
	struct qv_error error;
	int told;
	struct qv_flag stop;
};

static void open_stage(struct stage *s, const char *game, const char *range)
{
	memset(s, 0, sizeof *s);
	s->context = qv_context_new(NULL);
	assert_int_equal(qv_rules_parse(s->context, game, &s->job.rules, NULL), QV_OK);
	s->job.range = range_of(range);
	s->job.player = quick;
	s->job.games = 20;
	s->job.seed = 1;
	s->job.random_plies = 3;
}

static enum qv_status run(struct stage *s)
{
	return tune_run(s->context, &s->job, s->values, &s->outcome, &s->error);
}

static void count_games(void *ctx, int number, const struct match_totals *so_far)
{
	struct stage *s = ctx;
	assert_in_range(number, 0, s->job.range.count - 1);
	assert_true(so_far->games >= 1);
	s->told++;
	if (number == 1)
		flag_set(&s->stop, true);
}

static void test_tune__the_same_games_for_any_number_of_jobs(void **state)
{
	(void)state;
	struct stage one, two;
	open_stage(&one, "connect4", "threat=0:20:10");
	open_stage(&two, "connect4", "threat=0:20:10");
	two.job.jobs = 3;
	assert_int_equal(run(&one), QV_OK);
	assert_int_equal(run(&two), QV_OK);
	assert_int_equal(one.outcome.done, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(one.values[i].value, 10 * i);
		assert_int_equal(tally_games(&one.values[i].games), 20);
		assert_memory_equal(&one.values[i].games, &two.values[i].games,
				    sizeof one.values[i].games);
		assert_near(one.values[i].statistics.elo, two.values[i].statistics.elo, 0);
	}
	qv_context_free(one.context);
	qv_context_free(two.context);
}

/* The same value as the player has: both play alike, and pairs without chance come out even. */
static void test_tune__the_value_of_now_changes_nothing(void **state)
{
	(void)state;
	struct stage s;
	char range[64];
	open_stage(&s, "connect4", "threat=0:0:1");
	assert_int_equal(run(&s), QV_OK);
	snprintf(range, sizeof range, "threat=%d:%d:1", (int)s.outcome.current,
		 (int)s.outcome.current);
	s.job.range = range_of(range);
	s.job.player = "alphabeta:depth=2,tt=0";
	assert_int_equal(run(&s), QV_OK);
	assert_true(s.values[0].current);
	assert_int_equal(s.values[0].games.wins, s.values[0].games.losses);
	qv_context_free(s.context);
}

static void test_tune__stops(void **state)
{
	(void)state;
	struct stage s;
	open_stage(&s, "connect4", "threat=0:20:10");
	s.job.stop = &s.stop;
	s.job.game = count_games;
	s.job.ctx = &s;
	assert_int_equal(run(&s), QV_STOPPED);
	assert_true(s.outcome.done >= 1 && s.outcome.done < 3);
	assert_true(s.told > 20);
	qv_context_free(s.context);
}

static void check_refused(const char *game, const char *range, const char *player, int64_t games,
			  const char *why)
{
	struct stage s;
	open_stage(&s, game, range);
	s.job.player = player;
	s.job.games = games;
	assert_int_not_equal(run(&s), QV_OK);
	assert_int_equal(s.outcome.done, 0);
	if (!strstr(s.error.text, why))
		fail_msg("%s", s.error.text);
	qv_context_free(s.context);
}

static void test_tune__refuses(void **state)
{
	(void)state;
	char longest[TUNE_SPEC];
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	check_refused("connect4", "treat=0:1:1", quick, 2, "did you mean 'threat'?");
	check_refused("reversi", "corner=0:1:1", quick, 2, "corner[1] to corner[3]");
	check_refused("connect4", "threat=0:1:1", quick, 3, "odd");
	check_refused("connect4", "threat=0:1:1", "random", 2, "no option 'weight'");
	check_refused("connect4", "threat=0:1:1", "alphabeta:weight=threat:1", 2, "given twice");
	check_refused("connect4", "threat=0:1:1", longest, 2, "longer than");
	check_refused("diagram", "a=0:1:1", quick, 2, "evaluation");
	check_refused("reversi", "a=0:1:1", "alphabeta:eval=material", 2, "has no weights");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tune__ranges),
		cmocka_unit_test(test_tune__the_same_games_for_any_number_of_jobs),
		cmocka_unit_test(test_tune__the_value_of_now_changes_nothing),
		cmocka_unit_test(test_tune__stops),
		cmocka_unit_test(test_tune__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
