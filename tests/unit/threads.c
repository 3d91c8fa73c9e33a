/*
 * threads.c - several threads: sharing a table, stopped by another, side by side on one context.
 * SPDX-License-Identifier: MIT
 *
 * The build that watches for races runs this program.
 */
#include "support/desk.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "base/flag.h"
#include "support/scale.h"

enum { SPEC = 128 };

static void put_spec(char spec[SPEC], const char *kind, int depth, int threads, const char *more)
{
	snprintf(spec, SPEC, "%s:depth=%d,tt=1,threads=%d%s", kind, depth, threads, more);
}

/* Plays the answer's line on a copy; every move must be legal. The winner at its end, -1 for a
 * draw, -2 if it goes on. */
static int replay(const struct desk *d, const struct qv_answer *answer)
{
	const struct qv_game *game = d->rules.game;
	int32_t points[QV_MAX_SEATS];
	void *state = qv_state_new(d->context, game);
	memcpy(state, d->state, game->state_size);
	assert_true(answer->line_length >= 1 && answer->line[0] == answer->move);
	for (int i = 0; i < answer->line_length; i++) {
		assert_true(qv_move_legal(game, state, answer->line[i]));
		game->play(state, answer->line[i]);
	}
	const int winner = game->result(state, points) == QV_GOING ? -2 : qv_winner(game, points);
	qv_state_free(d->context, game, state);
	return winner;
}

/* ---- Forced positions ---- */

/* The winner of the game by its proven score. */
static int winner_by_score(const struct desk *d, const struct qv_answer *answer)
{
	const int seat = d->rules.game->seat(d->state);
	return answer->score > 0 ? seat : answer->score < 0 ? 1 - seat : -1;
}

/*
 * With one thread the search proves the position, and so it does with more: the same winner, by a
 * line that shows it. What another thread has found may be a longer way to the same end, unless the
 * table counts entries of the same depth alone.
 */
static bool check_forced(const struct desk *d, const char *kind, int depth, const char *table)
{
	char spec[SPEC];
	put_spec(spec, kind, depth, 1, table);
	const struct qv_answer alone = desk_ask(d, spec, 1, NULL);
	if (!alone.proven)
		return false;
	for (int threads = 2; threads <= 4; threads += 2) {
		put_spec(spec, kind, depth, threads, table);
		const struct qv_answer answer = desk_ask(d, spec, 1, NULL);
		const int winner = winner_by_score(d, &answer), end = replay(d, &answer);
		if (!answer.proven || winner != winner_by_score(d, &alone) ||
		    (*table && answer.score != alone.score))
			fail_msg("%s %s: %d with one thread, %d with %d", d->rules.game->name, spec,
				 alone.score, answer.score, threads);
		if (end != winner)
			fail_msg("%s %s: the line of the proven score %d, %d plies, ends with %d",
				 d->rules.game->name, spec, answer.score, answer.line_length, end);
	}
	return true;
}

static void check_forced_positions(const char *game, int plies, int depth, int64_t positions,
				   int64_t least)
{
	static const char *const kinds[] = { "alphabeta", "negascout", "mtdf" };
	struct qv_context *context = desk_context(NULL);
	struct qv_random random = { .key = 1 };
	struct desk d;
	int64_t forced = 0;
	desk_open(&d, context, game, "start");
	for (int64_t i = 0; i < positions; i++) {
		desk_wander(&d, &random, plies);
		forced += check_forced(&d, kinds[i % 3], depth, i & 1 ? ",tt-exact=1" : "");
	}
	print_message("%s: %lld forced positions of %lld\n", game, (long long)forced,
		      (long long)positions);
	assert_true(forced >= least);
	desk_close(&d);
	qv_context_free(context);
}

static void test_threads__same_answer_on_forced_positions(void **unused)
{
	(void)unused;
	check_forced_positions("noughts", 2, 9, scaled(60), scaled(60));
	check_forced_positions("connect4", 26, 12, scaled(90), scaled(50));
	check_forced_positions("reversi", 52, 12, scaled(60), scaled(50));
	check_forced_positions("toy-quiet", 8, 12, scaled(60), scaled(20));
	check_forced_positions("toy-counted", 3, 12, scaled(60), scaled(20));
}

/* ---- Values ---- */

static void check_exact_values(const char *game, int plies, int depth, int64_t positions)
{
	static const char *const kinds[] = { "alphabeta", "negascout", "mtdf" };
	struct qv_context *context = desk_context(NULL);
	struct qv_random random = { .key = 2 };
	struct desk d;
	desk_open(&d, context, game, "start");
	for (int64_t i = 0; i < positions; i++) {
		char spec[SPEC];
		desk_wander(&d, &random, (int)qv_random_below(&random, (uint64_t)plies));
		snprintf(spec, sizeof spec, "minimax:depth=%d", depth);
		const int32_t value = desk_ask(&d, spec, 1, NULL).score;
		put_spec(spec, kinds[i % 3], depth, 2 + (int)(i & 2), ",tt-exact=1,quiet=0");
		const struct qv_answer answer = desk_ask(&d, spec, 1, NULL);
		if (answer.score != value)
			fail_msg("%s %s: %d, by minimax %d", game, spec, answer.score, value);
		replay(&d, &answer);
	}
	desk_close(&d);
	qv_context_free(context);
}

static void test_threads__exact_table_gives_minimax_values(void **unused)
{
	(void)unused;
	check_exact_values("noughts", 6, 6, scaled(60));
	check_exact_values("connect4", 30, 5, scaled(60));
	check_exact_values("reversi", 50, 4, scaled(60));
	check_exact_values("toy-quiet", 10, 4, scaled(60));
	check_exact_values("toy-repeat", 10, 5, scaled(60));
}

/* ---- Stops ---- */

struct stopper {
	struct qv_flag stop, ready;
	int64_t after_us;
	pthread_t thread;
};

static void *stop_later(void *arg)
{
	struct stopper *s = arg;
	const struct timespec wait = { 0, s->after_us * 1000 };
	flag_set(&s->ready, true);
	if (s->after_us)
		nanosleep(&wait, NULL);
	flag_set(&s->stop, true);
	return NULL;
}

static void stopper_start(struct stopper *s, int64_t after_us)
{
	flag_set(&s->stop, false);
	flag_set(&s->ready, false);
	s->after_us = after_us;
	assert_int_equal(pthread_create(&s->thread, NULL, stop_later, s), 0);
	while (!flag_is_set(&s->ready))
		sched_yield();
}

static void check_stopped_answer(const struct desk *d, enum qv_status status,
				 const struct qv_answer *answer, const struct qv_error *error)
{
	assert_true(status == QV_OK || status == QV_STOPPED);
	if (status == QV_STOPPED)
		assert_string_equal(error->text, "search: stopped");
	assert_true(qv_move_legal(d->rules.game, d->state, answer->move));
	replay(d, answer);
}

/* At any moment: one answer, and a legal move. The same player goes on to think whole afterwards.
 */
static void check_stops(const char *game, const char *spec, int64_t rounds, int64_t least)
{
	struct qv_context *context = desk_context(NULL);
	struct qv_random random = { .key = 3 };
	struct desk d;
	int64_t stopped = 0;
	desk_open(&d, context, game, "start");
	struct qv_player *player = desk_player(&d, spec, 1);
	for (int64_t i = 0; i < rounds; i++) {
		struct stopper s;
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_error error = { "" };
		desk_wander(&d, &random, (int)qv_random_below(&random, 20));
		stopper_start(&s, (int64_t)qv_random_below(&random, 3000));
		const struct qv_limits limits = { .size = sizeof limits, .stop = &s.stop };
		memset(&answer, 0x5a, sizeof answer);
		const enum qv_status status =
			qv_player_think(player, d.state, &limits, NULL, &answer, &error);
		pthread_join(s.thread, NULL);
		check_stopped_answer(&d, status, &answer, &error);
		stopped += status == QV_STOPPED;
	}
	print_message("%s %s: %lld of %lld were stopped\n", game, spec, (long long)stopped,
		      (long long)rounds);
	assert_true(stopped >= least);
	qv_player_free(player);
	desk_close(&d);
	qv_context_free(context);
}

static void test_stop__at_any_moment_one_legal_answer(void **unused)
{
	(void)unused;
	check_stops("reversi", "alphabeta:depth=60,tt=1,threads=2", scaled(60), 1);
	check_stops("reversi", "mtdf:depth=60,tt=1,random=1", scaled(60), 1);
	check_stops("connect4", "negascout:depth=42,tt=1,threads=3", scaled(60), 1);
	check_stops("connect4", "minimax:depth=30", scaled(60), 1);
	check_stops("connect4", "minimax:depth=30,iterate=1", scaled(60), 1);
	check_stops("connect4",
		    "alphabeta:depth=30,tt=0,iterate=0,sort=0,killers=0,history=0,keep-line=0",
		    scaled(60), 1);
	check_stops("reversi", "alphabeta:depth=30,tt=1,top=4,razor=1,threads=2", scaled(60), 1);
	check_stops("toy-repeat", "negascout:depth=60,tt=1,threads=2", scaled(60),
		    0); /* a small game: it may be done */
}

static void test_stop__before_the_start_still_answers(void **unused)
{
	static const char *const games[] = { "noughts", "connect4", "reversi", "toy-quiet",
					     "toy-repeat" };
	static const char *const specs[] = {
		"minimax:depth=20",
		"negamax:depth=20",
		"alphabeta:depth=40,tt=1,threads=2",
		"negascout:depth=40,tt=0",
		"mtdf:depth=40,tt=1",
		"random",
	};
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	const struct qv_flag stop = { 1 };
	const struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
	for (int i = 0; i < 5 * 6; i++) {
		struct desk d;
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_error error = { "" };
		desk_open(&d, context, games[i % 5], "start");
		struct qv_player *player = desk_player(&d, specs[i / 5], 1);
		for (int again = 0; again < 2; again++) {
			const enum qv_status status =
				qv_player_think(player, d.state, &limits, NULL, &answer, &error);
			check_stopped_answer(&d, status, &answer, &error);
			assert_true(answer.nodes < 10000);
		}
		qv_player_free(player);
		desk_close(&d);
	}
	qv_context_free(context);
}

/* ---- Side by side ---- */

/* A player of its own, on a context that another thread uses too. */
struct side {
	const struct qv_context *context;
	const char *game, *spec;
	int64_t rounds;
	uint64_t key, digest;
	pthread_t thread;
};

static uint64_t digest_of(const struct qv_answer *answer)
{
	return qv_mix(answer->move + qv_mix(answer->nodes + qv_mix((uint64_t)answer->score)));
}

static void *play_side(void *arg)
{
	struct side *s = arg;
	struct qv_random random = { .key = s->key };
	struct desk d;
	desk_open(&d, s->context, s->game, "start");
	struct qv_player *player = desk_player(&d, s->spec, s->key);
	s->digest = 0;
	for (int64_t i = 0; i < s->rounds; i++) {
		struct qv_answer answer = { .size = sizeof answer };
		desk_wander(&d, &random, (int)qv_random_below(&random, 30));
		assert_int_equal(qv_player_think(player, d.state, NULL, NULL, &answer, NULL),
				 QV_OK);
		s->digest = qv_mix(s->digest + digest_of(&answer));
	}
	qv_player_free(player);
	desk_close(&d);
	return NULL;
}

static void test_threads__players_side_by_side_do_not_disturb(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct side sides[] = {
		{ .game = "reversi", .spec = "alphabeta:depth=4,tt=1" },
		{ .game = "reversi", .spec = "negascout:depth=4,tt=1,random=1" },
		{ .game = "connect4", .spec = "mtdf:depth=5,tt=1" },
		{ .game = "toy-repeat", .spec = "alphabeta:depth=4,tt=1" },
		{ .game = "toy-counted", .spec = "minimax:depth=2" },
		{ .game = "connect4", .spec = "random" },
	};
	enum { SIDES = sizeof sides / sizeof *sides };
	uint64_t alone[SIDES];
	for (int i = 0; i < SIDES; i++) {
		sides[i].context = context;
		sides[i].rounds = scaled(50);
		sides[i].key = (uint64_t)i;
		play_side(&sides[i]);
		alone[i] = sides[i].digest;
	}
	for (int i = 0; i < SIDES; i++)
		assert_int_equal(pthread_create(&sides[i].thread, NULL, play_side, &sides[i]), 0);
	for (int i = 0; i < SIDES; i++)
		pthread_join(sides[i].thread, NULL);
	for (int i = 0; i < SIDES; i++)
		assert_true(sides[i].digest == alone[i]);
	qv_context_free(context);
}

/* ---- Limits ---- */

/* Two threads share what is allowed; the helper may be slow to start, the first one never is. */
static void test_threads__node_limit_is_shared(void **unused)
{
	static const uint64_t limits_of_nodes[] = { 1, 2, 3, 100, 1000, 50000, 200000 };
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "reversi", "start");
	for (int threads = 1; threads <= 4; threads++)
		for (size_t i = 0; i < sizeof limits_of_nodes / sizeof *limits_of_nodes; i++) {
			char spec[SPEC];
			const uint64_t most = limits_of_nodes[i],
				       width = (uint64_t)d.rules.game->max_moves;
			const struct qv_limits limits = { .size = sizeof limits, .nodes = most };
			put_spec(spec, "alphabeta", 60, threads, "");
			const struct qv_answer answer = desk_ask(&d, spec, 1, &limits);
			assert_true(answer.nodes <=
				    most + (uint64_t)threads); /* the shares are rounded up */
			assert_true(answer.nodes + width >= most / (uint64_t)threads);
			assert_true(qv_move_legal(d.rules.game, d.state, answer.move));
		}
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Perft ---- */

struct counter {
	const struct desk *desk;
	int threads;
	uint64_t leaves;
	pthread_t thread;
};

static void *count_leaves(void *arg)
{
	struct counter *c = arg;
	const struct qv_perft_limits limits = { .size = sizeof limits,
						.depth = 7,
						.hash_bytes = 1 << 18,
						.threads = c->threads };
	qv_perft(c->desk->context, c->desk->rules.game, c->desk->state, &limits, &c->leaves, NULL);
	return NULL;
}

static void test_perft__threads_within_threads(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	struct counter counters[4];
	desk_open(&d, context, "reversi", "start");
	for (int i = 0; i < 4; i++) {
		counters[i] = (struct counter){ .desk = &d, .threads = i };
		assert_int_equal(
			pthread_create(&counters[i].thread, NULL, count_leaves, &counters[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(counters[i].thread, NULL);
		assert_int_equal(counters[i].leaves, 55092);
	}
	desk_close(&d);
	qv_context_free(context);
}

static void test_perft__stopped_by_another_thread(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct qv_random random = { .key = 4 };
	struct desk d;
	desk_open(&d, context, "reversi", "start");
	for (int64_t i = scaled(20); i; i--) {
		struct stopper s;
		uint64_t leaves = 0;
		stopper_start(&s, (int64_t)qv_random_below(&random, 5000));
		const struct qv_perft_limits limits = { .size = sizeof limits,
							.depth = 30,
							.hash_bytes = i % 2 ? 1 << 16 : 0,
							.threads = (int)(i % 4),
							.stop = &s.stop };
		assert_int_equal(qv_perft(context, d.rules.game, d.state, &limits, &leaves, NULL),
				 QV_STOPPED);
		pthread_join(s.thread, NULL);
	}
	desk_close(&d);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads__same_answer_on_forced_positions),
		cmocka_unit_test(test_threads__exact_table_gives_minimax_values),
		cmocka_unit_test(test_stop__at_any_moment_one_legal_answer),
		cmocka_unit_test(test_stop__before_the_start_still_answers),
		cmocka_unit_test(test_threads__players_side_by_side_do_not_disturb),
		cmocka_unit_test(test_threads__node_limit_is_shared),
		cmocka_unit_test(test_perft__threads_within_threads),
		cmocka_unit_test(test_perft__stopped_by_another_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
