/*
 * clocks.c - time for a move by a clock: never too much of it, and a search that ends when it has
 * thought enough, or thinks on while no time runs.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/flag.h"
#include "search/budget.h"

static void test_allot__is_always_within_the_clock(void **state)
{
	(void)state;
	static const int64_t lefts[] = {
		INT64_MIN, -5000, -1, 0, 1, 29, 30, 31, 99, 100, 1000, 60000, 7200000, INT64_MAX / 4
	};
	static const int64_t addeds[] = { -7, 0, 1, 10, 1000, 60000, INT32_MAX };
	for (size_t i = 0; i < sizeof lefts / sizeof *lefts; i++)
		for (size_t k = 0; k < sizeof addeds / sizeof *addeds; k++)
			for (int moves = 0; moves < 100; moves += 1 + moves / 3)
				for (int64_t lag = 0; lag < 200; lag += 50) {
					const struct move_clock clock = { lefts[i], addeds[k], lag,
									   moves };
					struct qv_limits limits = { .size = sizeof limits };
					allocate_time(&clock, &limits);
					assert_true(limits.aim_ms >= 1);
					assert_true(limits.aim_ms <= limits.time_ms);
					assert_true(limits.time_ms == 1 ||
						    limits.time_ms < lefts[i] - lag);
				}
}

/* Whoever takes the most that is allowed at every move never loses on time. */
static void test_allot__lasts_for_the_game(void **state)
{
	(void)state;
	static const struct {
		int64_t base, added;
		int moves;
	} terms[] = { { 1000, 0, 0 },	{ 60000, 0, 0 }, { 1000, 100, 0 },
		      { 100, 1000, 0 }, { 4000, 0, 40 }, { 60000, 1000, 9 } };
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
		for (int greedy = 0; greedy < 2; greedy++) {
			int64_t left = terms[i].base;
			for (int move = 0; move < 200; move++) {
				const int n =
					terms[i].moves ? terms[i].moves - move % terms[i].moves : 0;
				const struct move_clock clock = { left, terms[i].added, 5, n };
				struct qv_limits limits = { .size = sizeof limits };
				allocate_time(&clock, &limits);
				left -= (greedy ? limits.time_ms : limits.aim_ms) + (left > 50);
				if (left < 0 && left > -2 && limits.time_ms == 1)
					left = 0; /* nothing was left to give */
				if (left < 0)
					fail_msg("terms %zu: %lld left after move %d", i,
						 (long long)left, move);
				left += terms[i].added + (n == 1 ? terms[i].base : 0);
			}
		}
}

static void test_allot__a_longer_clock_gives_more(void **state)
{
	(void)state;
	int64_t before = 0;
	for (int64_t left = 1000; left < 10000000; left *= 2) {
		const struct move_clock clock = { .left_ms = left };
		struct qv_limits limits = { .size = sizeof limits };
		allocate_time(&clock, &limits);
		assert_true(limits.aim_ms > before && limits.aim_ms >= left / 100);
		before = limits.aim_ms;
	}
	struct qv_limits limits = { .size = sizeof limits, .time_ms = 7 };
	allocate_time(&(struct move_clock){ .left_ms = 60000 }, &limits);
	assert_int_equal(limits.time_ms, 7);
}

/* ---- Enough ---- */

static bool enough_after(struct budget *p, qv_move move, int32_t score, int iterations)
{
	const struct qv_answer answer = { .size = sizeof answer, .move = move, .score = score };
	bool enough = false;
	for (int i = 0; i < iterations; i++)
		enough = budget_enough(p, &answer);
	return enough;
}

/* The start lies in the past, so that no test waits for a clock. */
static struct budget begun(int64_t ago_ms, int64_t aim_ms)
{
	const struct settings own = { 0 };
	const struct qv_limits limits = { .size = sizeof limits,
					  .time_ms = INT32_MAX,
					  .aim_ms = aim_ms };
	struct budget p;
	budget_start(&p, &own, &limits, 1);
	p.started_us -= ago_ms * 1000;
	return p;
}

static void test_pace__a_steady_move_ends_sooner(void **state)
{
	(void)state;
	const int64_t hour = 3600000;
	struct budget p = begun(hour, hour * 10 / 8);
	assert_false(enough_after(&p, 1, 0, 3));
	assert_true(enough_after(&p, 1, 0, 9));
	assert_false(enough_after(&p, 2, 0, 1));
	p = begun(hour * 3, hour);
	assert_true(enough_after(&p, 1, 0, 1));
	p = begun(hour, hour);
	assert_true(enough_after(&p, 1, 100, 9));
	assert_false(enough_after(&p, 1, 0, 1)); /* what it was worth is gone */
	p = begun(hour, 0);
	assert_false(enough_after(&p, 1, 0, 99));
}

static void test_pace__no_time_runs_while_it_ponders(void **state)
{
	(void)state;
	const struct settings own = { 0 };
	struct qv_flag ponder;
	flag_set(&ponder, true);
	const struct qv_limits limits = {
		.size = sizeof limits, .time_ms = 1, .aim_ms = 1, .ponder = &ponder
	};
	const struct timespec moment = { 0, 3000000 };
	struct budget p;
	budget_start(&p, &own, &limits, 1);
	nanosleep(&moment, NULL);
	assert_false(budget_poll(&p, 1, 1));
	assert_false(enough_after(&p, 1, 0, 9));
	assert_false(budget_poll(&p, 2, 2));
	flag_set(&ponder, false);
	assert_true(budget_poll(&p, 3, 3)); /* it had thought enough before */

	flag_set(&ponder, true);
	budget_start(&p, &own, &limits, 1);
	assert_false(budget_poll(&p, 1, 1));
	flag_set(&ponder, false);
	assert_false(budget_poll(&p, 2, 2)); /* from here on it has its millisecond */
	nanosleep(&moment, NULL);
	assert_true(budget_poll(&p, 3, 3));
}

/* ---- Whole searches ---- */

static void *clear_soon(void *ponder)
{
	const struct timespec moment = { 0, 20000000 };
	nanosleep(&moment, NULL);
	qv_flag_clear(ponder);
	return NULL;
}

/* Every kind of search thinks on while it ponders, and ends by its time when that runs. */
static void test_players__ponder(void **state)
{
	(void)state;
	static const struct {
		const char *game, *spec;
	} players[] = { { "reversi", "negascout:depth=99" },
			{ "reversi", "mcts:nodes=99999999999" },
			{ "reversi", "maxn:depth=99" },
			{ "reversi", "lurgee:depth=60" } };
	struct qv_context *context = desk_context(NULL);
	for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
		const struct qv_defaults defaults = {
			.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
		};
		struct qv_player *player = NULL;
		struct qv_error error = { "" };
		struct qv_answer answer = { .size = sizeof answer };
		struct desk d;
		pthread_t other;
		struct qv_flag ponder;
		desk_open(&d, context, players[i].game, "start");
		if (qv_player_new(context, &d.rules, players[i].spec, &defaults, &player, &error) !=
		    QV_OK)
			fail_msg("%s", error.text);
		flag_set(&ponder, true);
		const struct qv_limits limits = {
			.size = sizeof limits, .time_ms = 5, .aim_ms = 2, .ponder = &ponder
		};
		assert_int_equal(pthread_create(&other, NULL, clear_soon, &ponder), 0);
		assert_int_equal(qv_player_think(player, d.state, &limits, NULL, &answer, &error),
				 QV_OK);
		assert_false(flag_is_set(&ponder)); /* it did not end before */
		assert_true(qv_move_legal(d.rules.game, d.state, answer.move));
		pthread_join(other, NULL);
		qv_player_free(player);
		desk_close(&d);
	}
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_allot__is_always_within_the_clock),
		cmocka_unit_test(test_allot__lasts_for_the_game),
		cmocka_unit_test(test_allot__a_longer_clock_gives_more),
		cmocka_unit_test(test_pace__a_steady_move_ends_sooner),
		cmocka_unit_test(test_pace__no_time_runs_while_it_ponders),
		cmocka_unit_test(test_players__ponder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
