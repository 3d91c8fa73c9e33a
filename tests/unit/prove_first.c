/*
 * prove_first.c - players that prove a position before they search (key `prove`), which the
 * strongest player and the top level of some games do; and the limits of `perfect`.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include "core/context.h"

/* The value for the side to move, and its distance. */
static struct qv_solution solved(struct qv_solver *solver, const struct spot *s)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	struct qv_solution found = { .size = sizeof found };
	assert_int_equal(qv_solver_solve(solver, s->state, &limits, &found, NULL), QV_OK);
	return found;
}

/* Checks that the answer has the solver's value and distance, and that its move keeps both. */
static void check_answer(struct qv_solver *solver, const struct spot *s,
			 const struct qv_answer *a)
{
	const struct qv_solution here = solved(solver, s);
	struct spot next = *s;
	assert_true(a->proven);
	assert_false(a->unsolved);
	spot_play(&next, a->move);
	const struct qv_solution after = solved(solver, &next);
	if (here.value == QV_VALUE_DRAW) {
		assert_int_equal(a->score, 0);
		assert_int_equal(after.value, QV_VALUE_DRAW);
		return;
	}
	const bool wins = here.value == QV_VALUE_WIN;
	assert_int_equal(a->score, wins ? QV_WIN - here.in : here.in - QV_WIN);
	assert_int_equal(after.value, wins ? QV_VALUE_LOSS : QV_VALUE_WIN);
	assert_int_equal(after.in, here.in - 1);
}

static void test_strongest__agrees_with_the_solver(void **state)
{
	/* Connect-four: late positions, which the solver answers within the nodes of the player. */
	static const struct {
		const char *game;
		int least, plies, positions;
	} games[] = { { "noughts", 0, 8, 150 }, { "hexapawn", 0, 6, 150 },
		      { "hexapawn:blocked=draw", 0, 6, 50 }, { "connect4", 18, 36, 80 } };
	struct qv_random random = { 16, 1 };
	for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
		const struct spot start = spot_at(*state, games[g].game, NULL);
		struct qv_solver *solver;
		char spec[STRONGEST_SPEC];
		assert_int_equal(qv_solver_new(*state, &start.rules, 1 << 22, &solver, NULL),
				 QV_OK);
		strongest_player(start.rules.game, "time=60s", spec);
		struct qv_player *player = player_new(&start, spec);
		for (int64_t left = scaled(games[g].positions); left > 0; left--) {
			struct spot s = start;
			int plies = 0;
			const int goal = games[g].least +
					 (int)qv_random_below(&random,
							      (uint64_t)(games[g].plies -
									 games[g].least + 1));
			while (plies < goal && spot_wander(&s, &random))
				plies++;
			if (plies < games[g].least)
				continue;
			const struct qv_limits limits = limits_at(&s);
			const struct qv_answer a = ask(player, &s, &limits, NULL);
			check_answer(solver, &s, &a);
		}
		qv_player_free(player);
		qv_solver_free(solver);
	}
}

static void test_strongest__names_a_known_win_of_connect4(void **state)
{
	const struct spot s = spot_at(*state, "connect4", "424442");
	const struct qv_limits limits = limits_at(&s);
	char spec[STRONGEST_SPEC];
	strongest_player(s.rules.game, "time=60s", spec);
	struct qv_player *player = player_new(&s, spec);
	const struct qv_answer a = ask(player, &s, &limits, NULL);
	assert_true(a.proven);
	assert_int_equal(a.score, QV_WIN - 29);
	qv_player_free(player);
}

/* With some root moves left out, the value is that of the others. */
static void test_prove__respects_the_root_moves(void **state)
{
	const struct spot s = spot_at(*state, "noughts", "xx.oo.... x");
	struct qv_limits limits = limits_at(&s);
	struct qv_player *player = player_new(&s, "negascout:depth=1,prove=100000");
	qv_move only;
	assert_int_equal(ask(player, &s, &limits, NULL).score, QV_WIN - 1);
	assert_int_equal(qv_move_parse(s.rules.game, s.state, "9", &only, NULL), QV_OK);
	limits.only = &only;
	limits.only_count = 1;
	const struct qv_answer a = ask(player, &s, &limits, NULL);
	assert_int_equal(a.move, only);
	assert_true(a.proven);
	assert_int_equal(a.score, 2 - QV_WIN);
	qv_player_free(player);
}

/* Without a proof the player answers exactly as it does without the key. */
static void test_prove__searches_if_the_nodes_are_too_few(void **state)
{
	const struct spot s = spot_at(*state, "connect4", "1234567123456");
	const struct qv_limits limits = limits_at(&s);
	struct qv_player *plain = player_new(&s, "negascout:depth=5,tt=1"),
			 *proves = player_new(&s, "negascout:depth=5,tt=1,prove=1");
	const struct qv_answer one = ask(plain, &s, &limits, NULL);
	for (int i = 0; i < 2; i++) {
		const struct qv_answer other = ask(proves, &s, &limits, NULL);
		assert_false(other.proven);
		assert_int_equal(other.move, one.move);
		assert_int_equal(other.score, one.score);
		assert_int_equal(other.depth, 5);
		qv_player_new_game(proves);
	}
	qv_player_free(plain);
	qv_player_free(proves);
}

/* The top level's game depends on nothing but the position: neither on earlier games nor on time. */
static void test_levels__the_top_level_repeats_its_games(void **state)
{
	struct spot s = spot_at(*state, "connect4", "12345");
	const char *const *level = qv_levels(s.rules.game);
	while (level[1])
		level++;
	struct qv_player *used = player_new(&s, *level), *fresh = player_new(&s, *level);
	struct qv_limits limits = limits_at(&s);
	const struct spot other = spot_at(*state, "connect4", "12344321");
	ask(used, &other, &limits, NULL);
	qv_player_new_game(used);
	for (int i = 0; i < 4; i++) {
		const struct qv_answer a = ask(used, &s, &limits, NULL),
				       b = ask(fresh, &s, &limits, NULL);
		assert_int_equal(a.move, b.move);
		assert_int_equal(a.score, b.score);
		assert_int_equal(a.nodes, b.nodes);
		spot_play(&s, a.move);
	}
	qv_player_free(used);
	qv_player_free(fresh);
}

/* ---- The limits of `perfect` ---- */

/* A position of noughts3d that neither the strategy nor few nodes decide. */
static const char cube[] = ".x.............................................................. o";

static void test_perfect__gives_up_without_a_score(void **state)
{
	static const struct {
		const char *game, *position, *spec;
	} cases[] = { { "connect4", "1234567123456", "perfect:nodes=2" },
		      { "reversi", NULL, "perfect:nodes=20000" },
		      { "noughts3d", cube, "perfect:time=1ms" },
		      { "chess", NULL, "perfect:nodes=2000" } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot s = spot_at(*state, cases[i].game, cases[i].position);
		const struct qv_limits limits = limits_at(&s);
		struct qv_player *player = player_new(&s, cases[i].spec);
		struct qv_answer a = { .size = sizeof a };
		assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &a, NULL), QV_OK);
		assert_true(a.unsolved);
		assert_false(a.proven);
		assert_true(qv_move_legal(s.rules.game, s.state, a.move));
		qv_player_free(player);
	}
}

static bool no_more(void *ctx, uint64_t nodes)
{
	(void)nodes;
	++*(int *)ctx;
	return false;
}

static void test_perfect__can_be_ended_by_its_watcher(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	int calls = 0;
	struct qv_limits limits = limits_at(&s);
	struct qv_player *player = player_new(&s, "perfect");
	struct qv_answer a = { .size = sizeof a };
	limits.watch = no_more;
	limits.watch_ctx = &calls;
	assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &a, NULL), QV_STOPPED);
	assert_true(a.unsolved);
	assert_true(calls > 0);
	qv_player_free(player);
}

/* Ends a search after some nodes, as a clock may. */
static bool until_nodes(void *most, uint64_t nodes)
{
	return nodes < *(const uint64_t *)most;
}

/*
 * The value and the move are known after a few nodes; the line to the end takes a million more. An
 * end during the line keeps the proof.
 */
static void test_prove__keeps_a_proof_without_the_whole_line(void **state)
{
	static const char *const positions[] = { "445", "123456712" }, *const moves[] = { "3",
											  "4" };
	for (int i = 0; i < 2; i++) {
		const struct spot s = spot_at(*state, "connect4", positions[i]);
		char spec[STRONGEST_SPEC], move[QV_MOVE_TEXT];
		uint64_t most = 200000;
		struct qv_limits limits = limits_at(&s);
		limits.watch = until_nodes;
		limits.watch_ctx = &most;
		strongest_player(s.rules.game, "time=60s", spec);
		const struct qv_answer a = think(&s, spec, &limits, NULL);
		assert_true(a.proven);
		assert_string_equal(move_text(&s, a.move, move), moves[i]);
	}
}

/* A proof that the caller ends is tried again; one that its own limit ends is not. */
static void test_prove__tries_again_after_a_stop(void **state)
{
	const struct spot s = spot_at(*state, "connect4", "1234567123456");
	uint64_t most = 1;
	struct qv_limits limits = limits_at(&s);
	struct qv_player *player = player_new(&s, "negascout:depth=2,prove=100000000");
	struct qv_answer a = { .size = sizeof a };
	limits.watch = until_nodes;
	limits.watch_ctx = &most;
	qv_player_think(player, s.state, &limits, NULL, &a, NULL);
	assert_false(a.proven);
	most = UINT64_MAX;
	assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &a, NULL), QV_OK);
	assert_true(a.proven);
	qv_player_free(player);
}

/* ---- Solvers ---- */

struct watcher {
	uint64_t last;
	int calls, most;
};

static bool watch(void *ctx, uint64_t nodes)
{
	struct watcher *w = ctx;
	assert_true(nodes >= w->last);
	w->last = nodes;
	return ++w->calls < w->most;
}

static void test_solvers__stop_at_their_limits(void **state)
{
	static const struct {
		const char *game, *position;
		enum qv_solve_by by;
	} cases[] = { { "connect4", "1234567123456", QV_BY_OWN }, { "reversi", NULL, QV_BY_OWN },
		      { "noughts3d", cube, QV_BY_OWN }, { "connect4", NULL, QV_BY_SEARCH },
		      { "morris", NULL, QV_BY_PROOF } };
	enum { NODES = 50000, SLACK = 20000 };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot s = spot_at(*state, cases[i].game, cases[i].position);
		struct watcher watcher = { .most = 3 };
		const struct qv_solve_limits counted = { .size = sizeof counted, .nodes = NODES },
					     watched = { .size = sizeof watched,
							 .watch = watch,
							 .ctx = &watcher };
		struct qv_solver *solver;
		struct qv_solution found = { .size = sizeof found };
		assert_int_equal(qv_solver_new_by(*state, &s.rules, cases[i].by, 1 << 22, &solver,
						  NULL),
				 QV_OK);
		assert_int_equal(qv_solver_solve(solver, s.state, &watched, &found, NULL),
				 QV_STOPPED);
		assert_int_equal(found.value, QV_VALUE_UNKNOWN);
		assert_true(watcher.calls >= 3);
		assert_int_equal(qv_solver_solve(solver, s.state, &counted, &found, NULL),
				 QV_STOPPED);
		assert_int_equal(found.value, QV_VALUE_UNKNOWN);
		assert_true(found.nodes < NODES + SLACK);
		qv_solver_free(solver);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strongest__agrees_with_the_solver),
		cmocka_unit_test(test_strongest__names_a_known_win_of_connect4),
		cmocka_unit_test(test_prove__respects_the_root_moves),
		cmocka_unit_test(test_prove__searches_if_the_nodes_are_too_few),
		cmocka_unit_test(test_levels__the_top_level_repeats_its_games),
		cmocka_unit_test(test_perfect__gives_up_without_a_score),
		cmocka_unit_test(test_perfect__can_be_ended_by_its_watcher),
		cmocka_unit_test(test_prove__keeps_a_proof_without_the_whole_line),
		cmocka_unit_test(test_prove__tries_again_after_a_stop),
		cmocka_unit_test(test_solvers__stop_at_their_limits),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
