/*
 * backgammon_equity.c - the player kind `equity`: its values are those of a literal recursion, and
 * its decisions are legal and reproducible and keep to their limits.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/equity.h"

#include "core/context.h"
#include "core/player.h"
#include "support/search.h"

#include <math.h>

/* With contact; in a race; the last men. */
#define CONTACT "24:1,20:1,13:5,8:3,6:5 bar:1,24:1,13:4,8:4,6:4,4:1"
#define RACE "8:2,6:5,5:4,3:2,2:2 7:3,6:4,4:4,2:4"
#define TINY "3:1,1:2,off:12 4:1,2:1,off:13"

/* ---- The literal recursion ---- */

struct literal {
	struct cube_view root; /* of seat 0; replies are chosen by a dead cube */
	struct backgammon_tables *tables;
};

static void literal_static(const struct literal *l, const struct backgammon *s,
			   struct backgammon_chances *out)
{
	if (!l->tables || !bearoff_chances(l->tables, s, out))
		backgammon_chances(backgammon_nets(), s, out);
}

static double literal_dead(const struct literal *l, const struct backgammon *s)
{
	struct cube_view v = s->turn ? cube_turned(&l->root) : l->root;
	struct backgammon_chances c;
	v.jacoby = false;
	literal_static(l, s, &c);
	return cube_dead_worth(&v, &c);
}

/* The value for s->turn, which is to roll, in a view; all 36 rolls, one after the other. */
static double by_definition(const struct literal *l, const struct backgammon *s, int plies,
			    bool doubles, struct cube_view v, struct backgammon_chances *mean)
{
	if (plies == 0 || backgammon_has_ended(s)) {
		literal_static(l, s, mean);
		return cube_worth(&v, mean, cube_life(s));
	}
	double value = 0, sum[BACKGAMMON_OUTPUTS] = { 0 };
	for (int roll = 0; roll < 36; roll++) {
		struct backgammon rolled = *s, best = *s;
		struct backgammon_chances c;
		qv_move list[BACKGAMMON_MAX_MOVES];
		const int one = roll / 6 + 1, two = roll % 6 + 1;
		rolled.phase = BACKGAMMON_MOVE;
		rolled.dice[0] = (uint8_t)(one > two ? one : two);
		rolled.dice[1] = (uint8_t)(one > two ? two : one);
		const int n = backgammon_moves(&rolled, list);
		for (int i = 0; i < n; i++) {
			struct backgammon next = rolled;
			backgammon_play(&next, list[i]);
			if (i == 0 || literal_dead(l, &next) < literal_dead(l, &best) - 1e-9)
				best = next;
		}
		value -= by_definition(l, &best, plies - 1, true, cube_turned(&v), &c) / 36;
		c = backgammon_flip(&c);
		for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
			sum[k] += (double)c.of[k] / 36;
	}
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		mean->of[k] = (float)sum[k];
	if (!doubles || !cube_can_double(&v))
		return value;
	struct backgammon_chances unused;
	const struct cube_offer o = { value,
				      by_definition(l, s, plies, false, cube_doubled(&v), &unused),
				      cube_points(&v, 1) };
	return cube_should_double(&v, &o) ? cube_offer_worth(&v, &o) : value;
}

static struct backgammon state_of(const struct spot *s)
{
	struct backgammon state;
	memcpy(&state, s->state, sizeof state);
	return state;
}

/* Chances and values of a state without dice are those of the literal recursion. */
static void check_literal(const struct spot *s, int plies, size_t megabytes)
{
	static struct match_equity table;
	const struct backgammon state = state_of(s), plain = equity_plain(&state);
	if (state.match)
		match_equity_compute(&table, state.match);
	const struct cube_view v = cube_view_of(&state, state.turn, &table);
	const struct literal l = { state.turn ? cube_turned(&v) : v, NULL };
	const struct cube_view views[] = { v, cube_doubled(&v) };
	const struct settings settings = { 0 };
	const struct qv_limits limits = { .size = sizeof limits };
	struct equity e;
	assert_int_equal(equity_init(&e, &mem_malloc, NULL, megabytes), QV_OK);
	budget_start(&e.budget, &settings, &limits, 1);
	equity_aim(&e, &plain, &v);
	for (int doubles = 0; doubles < 2; doubles++) {
		struct backgammon_chances found, expected;
		double worth[2];
		equity_look_ahead(&e, &plain, plies, doubles, views, 2, &found, worth);
		for (int i = 0; i < 2; i++) {
			const double value =
				by_definition(&l, &plain, plies, doubles, views[i], &expected);
			if (fabs(value - worth[i]) > 1e-5)
				fail_msg("%d plies: %f, by definition %f", plies, worth[i], value);
		}
		for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
			assert_true(fabsf(found.of[k] - expected.of[k]) < 1e-5F);
	}
	equity_release(&e);
}

static void test_equity__is_the_literal_mean_of_replies(void **state)
{
	static const char *const positions[] = { CONTACT " 2 -", RACE " 1 -", TINY " 1 -",
						 "6:15 1:15 2 -" };
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
		const struct spot s = spot_at(*state, "backgammon", positions[i]);
		for (int plies = 0; plies < 2; plies++) {
			check_literal(&s, plies, 0);
			check_literal(&s, plies, 1);
		}
	}
	const struct spot s = spot_at(*state, "backgammon", TINY " 1 -");
	check_literal(&s, 2, 1);
	check_literal(&s, 3, 1);
}

static void test_equity__turns_the_cube_within_the_look_ahead(void **state)
{
	static const char *const games[] = { "backgammon:cube=1", "backgammon:cube=1,jacoby=1",
					     "backgammon:cube=1,beavers=1", "backgammon:match=3" };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		const struct spot tiny = spot_at(*state, games[i], TINY " 1 -");
		check_literal(&tiny, 1, 0);
		check_literal(&tiny, 2, 0);
		const struct spot race = spot_at(*state, games[i], RACE " 2 -");
		check_literal(&race, 1, 1);
	}
	const struct spot s =
		spot_at(*state, "backgammon:match=7", CONTACT " 1 - cube 2 1 match 7 5 3");
	check_literal(&s, 1, 1);
}

/* ---- Turns ---- */

/* The best value, by definition, after any turn, in a money game without a cube. */
static double best_turn(const struct spot *s, int plies)
{
	const struct engine *engine = context_engine(s->rules.game);
	const struct backgammon state = state_of(s), plain = equity_plain(&state);
	const struct cube_view v = cube_view_of(&state, state.turn, NULL);
	const struct literal l = { state.turn ? cube_turned(&v) : v,
				   context_shared(s->context, engine) };
	qv_move list[BACKGAMMON_MAX_MOVES];
	double best = -INFINITY;
	for (int i = 0, n = backgammon_moves(&plain, list); i < n; i++) {
		struct backgammon next = plain;
		struct backgammon_chances c;
		backgammon_play(&next, list[i]);
		best = fmax(best, -by_definition(&l, &next, plies, true, cube_turned(&v), &c));
	}
	return best;
}

static void test_player__finds_the_best_turn(void **state)
{
	static const char *const dice[] = { "1 21", "1 33", "2 61", "2 11" };
	for (size_t i = 0; i < sizeof dice / sizeof *dice; i++)
		for (int plies = 0; plies <= 2; plies++) {
			char text[QV_POSITION_TEXT], spec[64];
			snprintf(text, sizeof text, "%s %s", "8:1,1:2,off:12 7:1,2:2,off:12",
				 dice[i]);
			snprintf(spec, sizeof spec, "equity:%d,filter=none", plies);
			const struct spot s = spot_at(*state, "backgammon", text);
			const struct qv_answer a = think(&s, spec, NULL, NULL);
			assert_true(fabs(a.score - 1000 * best_turn(&s, plies)) <= 0.51);
			assert_int_equal(a.depth, plies);
			assert_true(a.evals > 0 && a.nodes > 0);
		}
}

static void test_player__filters_look_at_fewer_turns(void **state)
{
	static const char *const filters[] = {
		"tiny", "narrow", "normal", "large", "huge", "none"
	};
	const struct spot s = spot_at(*state, "backgammon", CONTACT " 1 21");
	uint64_t last = 0;
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		char spec[64];
		snprintf(spec, sizeof spec, "equity:1,filter=%s", filters[i]);
		const struct qv_answer a = think(&s, spec, NULL, NULL);
		assert_true(a.nodes >= last);
		last = a.nodes;
	}
	assert_true(think(&s, "equity:1,filter=tiny", NULL, NULL).nodes < last);
}

static void test_player__reads_its_spec(void **state)
{
	const struct spot s = spot_at(*state, "backgammon", TINY " 1 21");
	assert_int_equal(think(&s, "equity", NULL, NULL).depth, 2);
	assert_int_equal(think(&s, "equity:1", NULL, NULL).depth, 1);
	assert_int_equal(think(&s, "equity:depth=1", NULL, NULL).depth, 1);
	assert_int_equal(think(&s, "equity:plies=0,tt=0", NULL, NULL).depth, 0);
	struct string help = { .allocator = &mem_malloc };
	assert_true(player_kind_help("equity", &help));
	assert_non_null(strstr(help.data, "plies=N (default 2)"));
	string_release(&help);
	const struct spot race = spot_at(*state, "race", NULL);
	struct qv_player *player;
	struct qv_error error;
	assert_int_equal(qv_player_new(*state, &race.rules, "equity:1", NULL, &player, &error),
			 QV_UNSUPPORTED);
	assert_int_equal(qv_player_new(*state, &s.rules, "equity:9", NULL, &player, &error),
			 QV_BAD_INPUT);
}

static void test_player__keeps_its_limits(void **state)
{
	const struct spot s = spot_at(*state, "backgammon", CONTACT " 1 21");
	for (int nodes = 1; nodes < 20000; nodes = nodes * 3 + 1) {
		const struct qv_limits limits = { .size = sizeof limits, .nodes = (uint64_t)nodes };
		const struct qv_answer a = think(&s, "equity:2", &limits, NULL);
		assert_true(a.nodes <= (uint64_t)nodes);
	}
	const struct qv_limits evals = { .size = sizeof evals, .evals = 500 };
	assert_true(think(&s, "equity:2", &evals, NULL).evals <= 500);
	const struct qv_limits soon = { .size = sizeof soon, .time_ms = 1 };
	think(&s, "equity:3,filter=none", &soon, NULL);
	/* A stop is reported, and the answer is legal all the same. */
	const struct qv_flag stop = { 1 };
	const struct qv_limits stopped = { .size = sizeof stopped, .stop = &stop };
	struct qv_player *player = player_new(&s, "equity:2");
	struct qv_answer a = { .size = sizeof a };
	struct qv_error error;
	assert_int_equal(qv_player_think(player, s.state, &stopped, NULL, &a, &error), QV_STOPPED);
	assert_true(qv_move_legal(s.rules.game, s.state, a.move));
	/* Chance is not the player's to move. */
	const struct spot roll = spot_at(*state, "backgammon", CONTACT " 1 -");
	assert_int_equal(qv_player_think(player, roll.state, &stopped, NULL, &a, &error),
			 QV_ILLEGAL);
	qv_player_free(player);
}

static void test_player__errs_as_it_is_told(void **state)
{
	const struct spot s = spot_at(*state, "backgammon", CONTACT " 1 21");
	qv_move list[SPOT_MOVES];
	int32_t worst = INT32_MAX;
	const int32_t best = think(&s, "equity:0", NULL, NULL).score;
	for (int i = 0, n = spot_moves(&s, list); i < n; i++) {
		const int32_t score = think_only(&s, "equity:0", 0, list[i]).score;
		worst = score < worst ? score : worst;
		assert_true(score <= best);
	}
	assert_int_equal(think(&s, "equity:0,blunder=100", NULL, NULL).score, worst);
	bool differs[2] = { false, false };
	struct qv_player *players[2] = { player_new(&s, "equity:0,noise=300"),
					 player_new(&s, "equity:0,margin=400") };
	const struct qv_limits limits = { .size = sizeof limits };
	for (int i = 0; i < 50; i++)
		for (int k = 0; k < 2; k++) {
			const int32_t score = ask(players[k], &s, &limits, NULL).score;
			differs[k] |= score != best;
			assert_true(score <= best && (k == 0 || score >= best - 401));
		}
	assert_true(differs[0] && differs[1]);
	qv_player_free(players[0]);
	qv_player_free(players[1]);
	/* A win is taken even so. */
	for (uint64_t seed = 1; seed <= 20; seed++) {
		char spec[64];
		const struct spot win =
			spot_at(*state, "backgammon", "6:1,1:1,off:13 1:1,off:14 1 61");
		snprintf(spec, sizeof spec, "equity:0,noise=%d", (int)seed * 500);
		assert_int_equal(think(&win, spec, NULL, NULL).score, 1000);
	}
}

/* ---- The static estimate ---- */

static double estimate(void **state, const char *game, const char *position)
{
	const struct spot s = spot_at(*state, game, position);
	const double value = equity_estimate(s.state, 0);
	assert_true(value == -equity_estimate(s.state, 1));
	return value;
}

static void test_equity__estimates_every_phase(void **state)
{
	static struct match_equity t;
	match_equity_compute(&t, 5);
	assert_true(estimate(state, "backgammon", NULL) == 0);
	assert_true(estimate(state, "backgammon:match=5", NULL) == 0);
	/* Between games: the score alone. */
#define MEN "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 "
	assert_true(estimate(state, "backgammon:match=5", MEN "- - cube 1 - match 5 3 0") ==
		    2 * match_equity_at(&t, 2, 5, false) - 1);
	assert_true(
		estimate(state, "backgammon:match=5", MEN "- - cube 1 - match 5 4 3 crawford") ==
		2 * match_equity_at(&t, 1, 2, false) - 1);
	assert_true(estimate(state, "backgammon:match=5", MEN "- - cube 1 - match 5 4 3") ==
		    2 * match_equity_at(&t, 1, 2, true) - 1);
	/* Without a cube: what the nets say, with a roll or without. */
	const struct spot s = spot_at(*state, "backgammon", CONTACT " 1 -");
	struct backgammon_chances c;
	backgammon_chances(backgammon_nets(), (const void *)s.state, &c);
	assert_true(fabs(estimate(state, "backgammon", CONTACT " 1 -") -
			 (double)backgammon_equity(&c)) < 1e-6);
	assert_true(estimate(state, "backgammon", CONTACT " 1 31") ==
		    estimate(state, "backgammon", CONTACT " 1 -"));
	/* A double that is dropped is worth a point, a beaver that is dropped costs two. */
	assert_true(estimate(state, "backgammon:cube=1", "1:1,off:14 6:15 1 double") == 1);
	assert_true(estimate(state, "backgammon:cube=1,beavers=1",
			     "6:8,off:7 1:1,off:14 1 beaver cube 2 2") == -2);
}

/* ---- The cube ---- */

static void check_decision(void **state, const char *game, const char *position, const char *spec,
			   const char *expected)
{
	const struct spot s = spot_at(*state, game, position);
	const struct qv_answer a = think(&s, spec, NULL, NULL);
	char text[QV_MOVE_TEXT];
	if (strcmp(move_text(&s, a.move, text), expected) != 0)
		fail_msg("%s %s: %s, not %s", game, position, text, expected);
}

static void test_player__decides_about_the_cube(void **state)
{
	static const char *const specs[] = { "equity:0", "equity:1", "equity:2" };
	for (int i = 0; i < 3; i++) {
		/* 29 of 36 rolls win: double, and drop. */
		check_decision(state, "backgammon:cube=1", "4:1,1:1,off:13 1:2,off:13 1 -",
			       specs[i], "double");
		check_decision(state, "backgammon:cube=1", "4:1,1:1,off:13 1:2,off:13 1 double",
			       specs[i], "drop");
		/* Hardly a roll wins: roll, and take or beaver a double of such a seat. */
		check_decision(state, "backgammon:cube=1", "6:8,off:7 1:1,off:14 1 -", specs[i],
			       "roll");
		check_decision(state, "backgammon:cube=1", "6:8,off:7 1:1,off:14 1 double",
			       specs[i], "take");
		check_decision(state, "backgammon:cube=1,beavers=1",
			       "5:1,3:1,off:13 1:1,off:14 1 double", specs[i], "beaver");
		check_decision(state, "backgammon:cube=1,beavers=1",
			       "5:1,3:1,off:13 1:1,off:14 1 beaver cube 2 2", specs[i], "take");
		check_decision(state, "backgammon:cube=1,beavers=1",
			       "6:8,off:7 1:1,off:14 1 beaver cube 2 2", specs[i], "drop");
		/* After the Crawford game the seat behind doubles, whatever it has. */
		check_decision(state, "backgammon:match=5",
			       "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 - cube 1 - match 5 2 4",
			       specs[i], "double");
	}
}

/* Plays a whole game of equity against itself and hashes its states. */
static uint64_t play_out(void **state, const char *game, const char *spec, uint64_t seed)
{
	struct spot s = spot_at(*state, game, NULL);
	struct qv_player *player = player_new(&s, spec);
	struct qv_random random = { .key = qv_random_key(seed, 0) };
	const struct qv_game *g = s.rules.game;
	const struct qv_limits limits = { .size = sizeof limits };
	int32_t points[2];
	uint64_t hash = 0;
	int decisions = 0;
	while (g->result(s.state, points) == QV_GOING) {
		qv_move list[BACKGAMMON_MAX_MOVES];
		if (g->seat(s.state) == QV_CHANCE) {
			const int n = g->moves(s.state, list);
			g->play(s.state, list[qv_random_below(&random, (uint64_t)n)]);
			continue;
		}
		decisions += state_of(&s).phase > BACKGAMMON_MOVE;
		g->play(s.state, ask(player, &s, &limits, NULL).move);
		hash = hash * 31 + g->hash(s.state);
	}
	assert_true(decisions > 0);
	qv_player_free(player);
	return hash;
}

static void test_player__plays_matches(void **state)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		const uint64_t hash = play_out(state, "backgammon:match=5", "equity:0", seed);
		assert_true(hash == play_out(state, "backgammon:match=5", "equity:0,tt=0", seed));
		play_out(state, "backgammon:match=5", "equity:0,noise=100,blunder=5", seed);
		play_out(state, "backgammon:cube=1,jacoby=1,beavers=1", "equity:0", seed);
	}
	play_out(state, "backgammon:cube=1", "equity:1", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equity__is_the_literal_mean_of_replies),
		cmocka_unit_test(test_equity__turns_the_cube_within_the_look_ahead),
		cmocka_unit_test(test_player__finds_the_best_turn),
		cmocka_unit_test(test_player__filters_look_at_fewer_turns),
		cmocka_unit_test(test_player__reads_its_spec),
		cmocka_unit_test(test_player__keeps_its_limits),
		cmocka_unit_test(test_player__errs_as_it_is_told),
		cmocka_unit_test(test_equity__estimates_every_phase),
		cmocka_unit_test(test_player__decides_about_the_cube),
		cmocka_unit_test(test_player__plays_matches),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
