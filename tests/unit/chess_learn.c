/*
 * chess_learn.c - the tuner of chess: lessons, the curve, the fit, and whole short runs.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "games/chess/evaluate.h"
#include "learn/chess/train.h"
#include "search/weights.h"
#include "support/search.h"

static void test_chess_learn__positions_come_back(void **state)
{
	struct qv_random random = { 3, 0 };
	for (int k = (int)scaled(300); k > 0; k--) {
		const struct qv_game *game = spot_at(*state, "chess", NULL).rules.game;
		const struct spot s = spot_random(*state, game, 150, &random);
		struct chess here, again;
		struct lesson lesson;
		memcpy(&here, s.state, sizeof here);
		lesson_pack(&here, &lesson);
		assert_true(lesson_unpack(&lesson, &again));
		assert_memory_equal(here.board, again.board, sizeof here.board);
		assert_memory_equal(here.kind, again.kind, sizeof here.kind);
		assert_memory_equal(here.side, again.side, sizeof here.side);
		assert_int_equal(chess_evaluate(&here, chess_weights),
				 chess_evaluate(&again, chess_weights));
	}
	struct chess nothing;
	struct lesson broken = { .occupied = ~UINT64_C(0) };
	assert_false(lesson_unpack(&broken, &nothing));
	broken.occupied = 0;
	assert_false(lesson_unpack(&broken, &nothing));
	memset(&broken, 0xff, sizeof broken);
	assert_false(lesson_unpack(&broken, &nothing));
}

static void test_chess_learn__the_curve(void **state)
{
	(void)state;
	for (int i = -400; i <= 400; i++) {
		const double x = i / 10.0;
		assert_true(fabs(chess_logistic(x) - 1 / (1 + exp(-x))) < 1e-13);
	}
}

/* Games that white wins whenever it has more pawns teach that pawns are good. */
static void test_chess_learn__the_fit_goes_down(void **state)
{
	enum { GAMES = 160 };
	static struct lessons games[GAMES];
	struct qv_random random = { 9, 0 };
	const struct qv_game *game = spot_at(*state, "chess", NULL).rules.game;
	int32_t weights[2 * CHESS_WEIGHTS];
	struct fit_news news;
	struct qv_error error = { "" };
	for (int i = 0; i < GAMES; i++) {
		games[i] = (struct lessons){ .count = LESSONS_A_GAME };
		for (int k = 0; k < LESSONS_A_GAME; k++) {
			const struct spot s = spot_random(*state, game, 120, &random);
			struct chess here;
			memcpy(&here, s.state, sizeof here);
			lesson_pack(&here, &games[i].list[k]);
			const int more = bits_count(chess_of(&here, 0, CHESS_PAWN)) -
					 bits_count(chess_of(&here, 1, CHESS_PAWN));
			games[i].list[k].result = (uint8_t)(more > 0 ? 2 : more < 0 ? 0 : 1);
		}
	}
	memcpy(weights, chess_weights, sizeof weights);
	const struct fit_job job = { .games = games,
				     .count = GAMES,
				     .round = GAMES,
				     .iterations = 40,
				     .step = 200,
				     .threads = 2,
				     .allocator = &mem_malloc };
	assert_int_equal(chess_fit(&job, weights, &news, &error), QV_OK);
	assert_true(news.after < news.before);
	assert_true(weights[0] + weights[1] > chess_weights[0] + chess_weights[1]);
	games[1].list[0].occupied = 1;
	assert_int_equal(chess_fit(&job, weights, &news, &error), QV_BAD_INPUT);
}

/* ---- whole runs ---- */

struct heard {
	int rounds;
	uint64_t hash[4];
	bool resumed[4];
};

static void on_round(void *ctx, const struct chess_round *round)
{
	struct heard *h = ctx;
	h->hash[h->rounds] = round->round.hash;
	h->resumed[h->rounds++] = round->round.resumed;
}

static struct heard run(const char *folder, const char *plan, int threads, enum qv_status expected)
{
	struct heard heard = { .rounds = 0 };
	struct chess_job job = {
		.folder = folder, .threads = threads, .ctx = &heard, .round = on_round
	};
	int32_t weights[2 * CHESS_WEIGHTS];
	struct qv_error error = { "" };
	job.plan.seed = 1;
	assert_int_equal(chess_plan_parse(plan, &job.plan, &error), QV_OK);
	memcpy(weights, chess_weights, sizeof weights);
	assert_int_equal(chess_train(&job, &mem_malloc, weights, &error), expected);
	return heard;
}

static void remove_folder(const char *folder)
{
	static const char *const names[] = { "weights", "round-1.games", "round-1.weights",
					     "round-2.games", "round-2.weights" };
	char path[256];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		remove(path);
	}
	rmdir(folder);
}

static void test_chess_learn__runs_are_the_same_bit_for_bit(void **state)
{
	char one[] = "/tmp/chess-learn-XXXXXX", two[] = "/tmp/chess-learn-XXXXXX";
	static const char plan[] = "rounds=2,games=8,nodes=60,iterations=6,penalty=10";
	(void)state;
	assert_non_null(mkdtemp(one));
	assert_non_null(mkdtemp(two));
	const struct heard first = run(one, plan, 1, QV_OK);
	run(two, "rounds=1,games=8,nodes=60,iterations=6,penalty=10", 3, QV_OK);
	const struct heard second = run(two, plan, 2, QV_OK);
	assert_int_equal(first.rounds, 2);
	assert_int_equal(second.rounds, 2);
	assert_true(second.resumed[0] && !second.resumed[1]);
	for (int i = 0; i < 2; i++)
		assert_true(first.hash[i] == second.hash[i]);
	assert_true(first.hash[0] != first.hash[1]);
	run(one, "rounds=2,games=8,nodes=61,iterations=6,penalty=10", 1, QV_BAD_INPUT);
	remove_folder(one);
	remove_folder(two);
}

/* The weights as text are what `weights=FILE` reads. */
static void test_chess_learn__weights_in_writing(void **state)
{
	static char text[1 << 16];
	int32_t weights[2 * CHESS_WEIGHTS] = { 0 };
	struct qv_error error = { "" };
	const struct qv_evaluation *e = spot_at(*state, "chess", NULL).rules.game->evaluations;
	const size_t length = chess_weights_text(chess_weights, text, sizeof text);
	assert_true(length > 0);
	assert_int_equal(weights_read(e, text, length, weights, &error), QV_OK);
	assert_memory_equal(weights, chess_weights, sizeof weights);
	assert_true(chess_weights_text(chess_weights, text, 100) == 0);
}

static void test_chess_learn__bad_plans(void **state)
{
	struct chess_plan plan = { .seed = 0 };
	struct qv_error error = { "" };
	(void)state;
	assert_int_equal(chess_plan_parse("rounds=0", &plan, &error), QV_BAD_INPUT);
	assert_int_equal(chess_plan_parse("round=1", &plan, &error), QV_UNKNOWN);
	assert_int_equal(chess_plan_parse("nodes", &plan, &error), QV_BAD_INPUT);
	assert_int_equal(chess_plan_parse("", &plan, &error), QV_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chess_learn__positions_come_back),
		cmocka_unit_test(test_chess_learn__the_curve),
		cmocka_unit_test(test_chess_learn__the_fit_goes_down),
		cmocka_unit_test(test_chess_learn__runs_are_the_same_bit_for_bit),
		cmocka_unit_test(test_chess_learn__weights_in_writing),
		cmocka_unit_test(test_chess_learn__bad_plans),
	};
	return cmocka_run_group_tests_name("chess_learn", tests, setup, teardown);
}
