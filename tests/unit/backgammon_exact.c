/*
 * backgammon_exact.c - inside the two-sided bear-off table the player `equity` plays perfectly: its
 * turns, its doubles and its answers to doubles, whatever its plies.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/bearoff.h"
#include "games/backgammon/two_sided.h"
#include "support/check.h"
#include "support/scale.h"

#include <math.h>

enum { SAMPLE = 400, SEED = 17 };
#define NEAR 1e-7 /* points; the table itself is off by less than 1e-8 */

static struct two_sided *table;
static struct qv_context *context;
static struct qv_player *player;

static int setup(void **unused)
{
	(void)unused;
	table = two_sided_new(&mem_malloc);
	context = qv_context_new(NULL);
	return table && context ? 0 : -1;
}

static int teardown(void **unused)
{
	(void)unused;
	qv_context_free(context);
	two_sided_free(&mem_malloc, table);
	return 0;
}

/* A random position with the cube at 1, 2 or 4 as seat 1, which is `turn`, sees it. */
static struct backgammon deal(struct qv_random *random, enum two_sided_cube cube)
{
	static const uint8_t owners[TWO_SIDED_CUBES] = { BACKGAMMON_MIDDLE, 0, BACKGAMMON_MIDDLE,
							 1 };
	const bool turned = cube == TWO_SIDED_OWNED || cube == TWO_SIDED_THEIRS;
	struct backgammon s = {
		.cube = turned ? (uint8_t)(1 + qv_random_below(random, 2)) : 0,
		.owner = owners[cube],
		.flags = cube == TWO_SIDED_CUBELESS ? 0 : BACKGAMMON_HAS_CUBE,
	};
	for (int seat = 0; seat < 2; seat++)
		bearoff_men(1 + (int)qv_random_below(random, TWO_SIDED_SIDE - 1), s.men[seat]);
	return s;
}

static struct qv_answer ask(const struct backgammon *s)
{
	const struct qv_limits limits = { .size = sizeof limits };
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error;
	assert_int_equal(qv_player_think(player, s, &limits, NULL, &answer, &error), QV_OK);
	return answer;
}

/* Scores are in thousandths of a point, the cube included. */
static void check_score(const struct qv_answer *answer, const struct backgammon *s, double equity)
{
	assert_true(fabs(answer->score - 1000 * ldexp(equity, s->cube)) < 0.501);
}

static void check_turn(struct backgammon s, enum two_sided_cube cube, struct qv_random *random)
{
	/* As the other seat sees it. */
	static const enum two_sided_cube seen[TWO_SIDED_CUBES] = {
		[TWO_SIDED_CUBELESS] = TWO_SIDED_CUBELESS,
		[TWO_SIDED_OWNED] = TWO_SIDED_THEIRS,
		[TWO_SIDED_CENTRED] = TWO_SIDED_CENTRED,
		[TWO_SIDED_THEIRS] = TWO_SIDED_OWNED,
	};
	const uint8_t one = (uint8_t)(1 + qv_random_below(random, BACKGAMMON_FACES));
	const uint8_t two = (uint8_t)(1 + qv_random_below(random, BACKGAMMON_FACES));
	qv_move list[BACKGAMMON_MAX_MOVES];
	double best = -2, played = -2;
	s.phase = BACKGAMMON_MOVE;
	s.dice[0] = one > two ? one : two;
	s.dice[1] = one > two ? two : one;
	const struct qv_answer answer = ask(&s);
	for (int n = backgammon_moves(&s, list); n > 0; n--) {
		struct backgammon after = s;
		backgammon_play(&after, list[n - 1]);
		const double value = -two_sided_decide(table, &after, seen[cube]).equity;
		best = fmax(best, value);
		if (list[n - 1] == answer.move)
			played = value;
	}
	assert_true(played > best - NEAR);
	check_score(&answer, &s, best);
}

/* The decisions before the roll of seat 1, and of seat 2 after a double. */
static void check_cube(struct backgammon s, enum two_sided_cube cube)
{
	const struct two_sided_decision d = two_sided_decide(table, &s, cube);
	const double doubled = fmin(d.take, 1);
	s.phase = BACKGAMMON_CUBE;
	struct qv_answer answer = ask(&s);
	if (fabs(doubled - d.roll) > NEAR)
		assert_int_equal(answer.move, d.doubles ? BACKGAMMON_DOUBLE : BACKGAMMON_DO_ROLL);
	check_score(&answer, &s, d.equity);
	backgammon_play(&s, BACKGAMMON_DOUBLE);
	answer = ask(&s);
	if (answer.move == BACKGAMMON_BEAVER)
		assert_true(d.take < 0);
	else if (fabs(d.take - 1) > NEAR)
		assert_int_equal(answer.move, d.takes ? BACKGAMMON_TAKE : BACKGAMMON_DROP);
}

static void check_player(const char *game, const char *spec)
{
	struct qv_random random = { qv_random_key(SEED, 0), 0 };
	struct qv_rules rules;
	struct qv_error error;
	assert_int_equal(qv_rules_parse(context, game, &rules, &error), QV_OK);
	assert_int_equal(qv_player_new(context, &rules, spec, NULL, &player, &error), QV_OK);
	for (int64_t n = scaled(SAMPLE); n > 0; n--) {
		const enum two_sided_cube cube =
			(enum two_sided_cube)qv_random_below(&random, TWO_SIDED_CUBES);
		const struct backgammon s = deal(&random, cube);
		check_turn(s, cube, &random);
		if (cube == TWO_SIDED_OWNED || cube == TWO_SIDED_CENTRED)
			check_cube(s, cube);
	}
	qv_player_free(player);
}

static void test_exact__turns_and_doubles(void **unused)
{
	(void)unused;
	check_player("backgammon:cube=1", "equity:0");
	check_player("backgammon:cube=1", "equity:2");
}

/* With six men or fewer there are no gammons. */
static void test_exact__jacoby_changes_nothing(void **unused)
{
	(void)unused;
	struct qv_random random = { qv_random_key(SEED, 1), 0 };
	struct qv_rules rules;
	struct qv_error error;
	assert_int_equal(qv_rules_parse(context, "backgammon:cube=1,jacoby=1", &rules, &error),
			 QV_OK);
	assert_int_equal(qv_player_new(context, &rules, "equity:1", NULL, &player, &error), QV_OK);
	for (int64_t n = scaled(SAMPLE); n > 0; n--) {
		struct backgammon s = deal(&random, TWO_SIDED_CENTRED);
		s.flags |= BACKGAMMON_JACOBY | BACKGAMMON_BEAVERS;
		check_turn(s, TWO_SIDED_CENTRED, &random);
		check_cube(s, TWO_SIDED_CENTRED);
	}
	qv_player_free(player);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact__turns_and_doubles),
		cmocka_unit_test(test_exact__jacoby_changes_nothing),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
