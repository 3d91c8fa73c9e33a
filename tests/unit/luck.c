/*
 * luck.c - equity, luck and reviews: luck has mean 0, results split into luck and skill, ended games
 * are exact, and what is refused.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include <math.h>

enum { MOST_PLIES = 4000 };

static const char *const games[] = { "race", "warptrog", "backgammon", "toy-die" };

static struct qv_roll_luck luck_of(const struct spot *s, qv_move outcome)
{
	struct qv_roll_luck luck = { .size = sizeof luck };
	struct qv_error error = { "" };
	if (qv_luck(s->context, s->rules.game, s->state, outcome, &luck, &error) != QV_OK)
		fail_msg("%s", error.text);
	return luck;
}

/* The weighted mean of the luck of all outcomes, for each seat. */
static void check_mean(const struct spot *s)
{
	const struct qv_game *g = s->rules.game;
	static qv_move list[QV_MAX_MOVES];
	const int n = g->moves(s->state, list);
	double sum = 0, total = 0;
	for (int i = 0; i < n; i++) {
		const struct qv_roll_luck luck = luck_of(s, list[i]);
		const double weight = g->weight(s->state, list[i]);
		assert_true(luck.of[0] == -luck.of[1]);
		assert_true(luck.seat == 0 || luck.seat == 1);
		sum += weight * luck.of[0];
		total += weight;
	}
	if (fabs(sum / total) > 1e-12)
		fail_msg("%s: the mean of luck is %g", g->name, sum / total);
}

/* Plays a random game and visits every position of it; returns the result for seat 0. */
static double walk_game(struct spot *s, struct qv_random *random, bool means, double *luck)
{
	const struct qv_game *g = s->rules.game;
	static qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	*luck = 0;
	for (int ply = 0; ply < MOST_PLIES; ply++) {
		if (g->result(s->state, points) != QV_GOING)
			break;
		const int n = g->moves(s->state, list);
		qv_move move = list[qv_random_below(random, (uint64_t)n)];
		if (g->seat(s->state) == QV_CHANCE) {
			if (means && ply % 8 == 0)
				check_mean(s);
			*luck += luck_of(s, move).of[0];
		}
		g->play(s->state, move);
	}
	double equities[QV_MAX_SEATS];
	assert_int_equal(qv_equity(s->context, g, s->state, equities, NULL), QV_OK);
	return equities[0];
}

static void test_luck__has_mean_zero_at_every_roll(void **state)
{
	struct qv_random random = { 3, 0 };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (int64_t left = scaled(i == 2 ? 2 : 6); left > 0; left--) {
			struct spot s = spot_at(*state, games[i], NULL);
			double luck;
			walk_game(&s, &random, true, &luck);
		}
}

/* The equity of an ended game is its result: 1 or -1, or the margin, also above the stakes. */
static void test_luck__ended_games_are_exact(void **state)
{
	static const struct {
		const char *game, *position;
		double equity;
	} cases[] = {
		{ "race", "18,18,18,18 0,5,9,13 2 -", 1 },
		{ "toy-die", "9 3 2 -", 1 },
		{ "toy-die", "3 9 1 -", -1 },
		{ "toy-die", "11 3 2 -", -1 },
		{ "backgammon", "off:15 6:14,off:1 2 -", 1 },
		{ "backgammon", "off:15 6:15 2 -", 2 },
		{ "backgammon", "off:15 24:15 2 -", 3 },
		{ "backgammon", "24:15 off:15 1 -", -3 },
		{ "backgammon:cube=1", "off:15 6:14,off:1 2 - cube 4 1", 4 },
		{ "backgammon:cube=1", "off:15 24:15 2 - cube 2 2", 6 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot s = spot_at(*state, cases[i].game, cases[i].position);
		double equities[QV_MAX_SEATS];
		assert_int_equal(qv_equity(s.context, s.rules.game, s.state, equities, NULL),
				 QV_OK);
		if (equities[0] != cases[i].equity || equities[1] != -cases[i].equity)
			fail_msg("%s %s: %g", cases[i].game, cases[i].position, equities[0]);
	}
}

/* By hand: the loaded die has no evaluation, so only rolls that decide the game count. */
static void test_luck__a_hand_computed_roll(void **state)
{
	/* Seat 1 on 7: with a 2, weight 2 of 6, it runs home; else nothing is known. */
	const struct spot s = spot_at(*state, "toy-die", "7 0 1 -");
	assert_true(fabs(luck_of(&s, 2).of[0] - (1 - 1.0 / 3)) < 1e-12);
	assert_true(fabs(luck_of(&s, 1).of[0] + 1.0 / 3) < 1e-12);
	assert_true(fabs(luck_of(&s, 3).of[0] + 1.0 / 3) < 1e-12);
	assert_int_equal(luck_of(&s, 2).seat, 0);
	/* Seat 2 on 8 wins with any roll: no roll is lucky. */
	const struct spot sure = spot_at(*state, "toy-die", "0 8 2 -");
	for (qv_move face = 1; face <= 3; face++)
		assert_true(luck_of(&sure, face).of[1] == 0);
	assert_int_equal(luck_of(&sure, 1).seat, 1);
}

/* A Trog's landing is the luck of the side that warps, though the other side moves next. */
static void test_luck__belongs_to_the_seat_that_rolls(void **state)
{
	struct spot s = spot_at(*state, "warptrog", NULL);
	const struct qv_game *g = s.rules.game;
	qv_move warp, list[64];
	assert_int_equal(qv_move_parse(g, s.state, "warp", &warp, NULL), QV_OK);
	g->play(s.state, warp);
	assert_int_equal(g->seat(s.state), QV_CHANCE);
	const int n = g->moves(s.state, list);
	for (int i = 0; i < n; i++)
		assert_int_equal(luck_of(&s, list[i]).seat, 0);
}

/* The mean of a game's luck is 0 within four standard errors, though one seat moves first. */
static void test_luck__is_unbiased(void **state)
{
	struct qv_random random = { 5, 0 };
	const int64_t count = scaled(400);
	double sum = 0, squares = 0;
	for (int64_t i = 0; i < count; i++) {
		struct spot s = spot_at(*state, "race", NULL);
		double luck;
		walk_game(&s, &random, false, &luck);
		sum += luck;
		squares += luck * luck;
	}
	const double mean = sum / (double)count;
	assert_true(fabs(mean) < 4 * sqrt(squares) / (double)count);
}

static void test_luck__reviews_compare_moves(void **state)
{
	/* On 7 with a 2: to run wins at once; to step gives it away. */
	struct spot s = spot_at(*state, "toy-die", "7 0 1 2");
	struct qv_move_review review = { .size = sizeof review };
	assert_int_equal(qv_review(s.context, s.rules.game, s.state, 2, &review, NULL), QV_OK);
	assert_true(review.loss == 0 && review.best == 2);
	assert_int_equal(qv_review(s.context, s.rules.game, s.state, 1, &review, NULL), QV_OK);
	assert_true(review.loss > 0.5 && review.best == 2);
	/* In every position the best move loses nothing. */
	struct qv_random random = { 7, 0 };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		s = spot_at(*state, games[i], NULL);
		const struct qv_game *g = s.rules.game;
		for (int ply = 0; ply < 60; ply++) {
			static qv_move list[QV_MAX_MOVES];
			int32_t points[QV_MAX_SEATS];
			if (g->result(s.state, points) != QV_GOING)
				break;
			const int n = g->moves(s.state, list);
			const qv_move move = list[qv_random_below(&random, (uint64_t)n)];
			if (g->seat(s.state) != QV_CHANCE) {
				assert_int_equal(
					qv_review(s.context, g, s.state, move, &review, NULL),
					QV_OK);
				assert_true(review.loss >= 0 && review.loss <= 6);
				assert_int_equal(qv_review(s.context, g, s.state, review.best,
							   &review, NULL),
						 QV_OK);
				assert_true(review.loss == 0);
			}
			g->play(s.state, move);
		}
	}
}

static void test_luck__losses_have_names(void **unused)
{
	(void)unused;
	static const struct {
		double loss;
		const char *name, *sign;
	} cases[] = {
		{ 0, "", "" },
		{ 0.0399, "", "" },
		{ 0.04, "doubtful", "?!" },
		{ 0.0799, "doubtful", "?!" },
		{ 0.08, "bad", "?" },
		{ 0.1599, "bad", "?" },
		{ 0.16, "very bad", "??" },
		{ 2, "very bad", "??" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(qv_loss_name(cases[i].loss), cases[i].name);
		assert_string_equal(qv_loss_sign(cases[i].loss), cases[i].sign);
	}
}

static void test_luck__what_is_refused(void **state)
{
	struct qv_roll_luck luck = { .size = sizeof luck };
	struct qv_move_review review = { .size = sizeof review };
	struct qv_error error = { "" };
	const struct spot moves = spot_at(*state, "toy-die", "7 0 1 2"),
			  rolls = spot_at(*state, "toy-die", "7 0 1 -");
	const struct qv_game *g = moves.rules.game;
	assert_int_equal(qv_luck(*state, g, moves.state, 1, &luck, &error), QV_ILLEGAL);
	assert_string_equal(error.text, "luck: chance is not to move");
	assert_int_equal(qv_luck(*state, g, rolls.state, 4, &luck, &error), QV_ILLEGAL);
	assert_int_equal(qv_review(*state, g, rolls.state, 1, &review, &error), QV_ILLEGAL);
	assert_string_equal(error.text, "review: chance is to move");
	assert_int_equal(qv_review(*state, g, moves.state, 3, &review, &error), QV_ILLEGAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_luck__has_mean_zero_at_every_roll),
		cmocka_unit_test(test_luck__ended_games_are_exact),
		cmocka_unit_test(test_luck__a_hand_computed_roll),
		cmocka_unit_test(test_luck__belongs_to_the_seat_that_rolls),
		cmocka_unit_test(test_luck__is_unbiased),
		cmocka_unit_test(test_luck__reviews_compare_moves),
		cmocka_unit_test(test_luck__losses_have_names),
		cmocka_unit_test(test_luck__what_is_refused),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
