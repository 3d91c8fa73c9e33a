/*
 * prove.c - proof search: its values and moves are those of minimax, stamped and over the plug-in
 * interface; where positions can come back, its wins are played out against every reply.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

/* ---- by definition ---- */

/* 1, 0 or -1 for the seat to move; for games whose positions never come back. */
static int literal(const struct spot *s)
{
	const struct qv_game *g = s->rules.game;
	int32_t points[QV_MAX_SEATS];
	qv_move list[SPOT_MOVES];
	int best = -1;
	if (g->result(s->state, points) != QV_GOING)
		return sign(points_value(s, points, 0));
	const int seat = g->seat(s->state), n = spot_moves(s, list);
	for (int i = 0; i < n && best < 1; i++) {
		struct spot next = *s;
		g->play(next.state, list[i]);
		const int value = literal(&next);
		const int mine = g->seat(next.state) == seat ? value : -value;
		best = mine > best ? mine : best;
	}
	return best;
}

static int after(const struct spot *s, qv_move move)
{
	const struct qv_game *g = s->rules.game;
	struct spot next = *s;
	assert_true(qv_move_legal(g, s->state, move));
	g->play(next.state, move);
	const int value = literal(&next);
	return g->seat(next.state) == g->seat(s->state) ? value : -value;
}

/* ---- asking ---- */

static struct qv_solver *prover(const struct spot *s, size_t bytes)
{
	struct qv_solver *solver = NULL;
	struct qv_error error = { "" };
	if (qv_solver_new_by(s->context, &s->rules, QV_BY_PROOF, bytes, &solver, &error) != QV_OK)
		fail_msg("%s", error.text);
	return solver;
}

static struct qv_solution solution(struct qv_solver *solver, const struct spot *s)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = false };
	struct qv_solution out = { .size = sizeof out };
	assert_int_equal(qv_solver_solve(solver, s->state, &limits, &out, NULL), QV_OK);
	return out;
}

static int value_of(const struct qv_solution *s)
{
	assert_int_not_equal(s->value, QV_VALUE_UNKNOWN);
	return s->value == QV_VALUE_WIN ? 1 : s->value == QV_VALUE_LOSS ? -1 : 0;
}

static void check(struct qv_solver *solver, const struct spot *s, int *seen)
{
	char text[QV_POSITION_TEXT];
	const struct qv_solution found = solution(solver, s);
	const int expected = literal(s);
	if (value_of(&found) != expected || after(s, found.move) != expected)
		fail_msg("%s: %d, proven %d", spot_text(s, text), expected, value_of(&found));
	seen[expected + 1]++;
}

/*
 * Random positions from a number of plies on, each with a kept and with a new table, by the game's
 * own stamp and by the one for plug-ins, which a copy of the game gets.
 */
static void check_game(const struct qv_context *context, const char *name, int plies, int games)
{
	struct qv_random random = { 11, 0 };
	const struct spot start = spot_at(context, name, NULL);
	const struct qv_game copy = *start.rules.game;
	struct spot stranger = start;
	stranger.rules.game = &copy;
	struct qv_solver *kept = prover(&start, 1 << 16), *theirs = prover(&stranger, 1 << 16);
	int seen[3] = { 0, 0, 0 };
	for (int64_t k = scaled(games); k > 0; k--) {
		struct spot s = start;
		for (int i = 0; i < plies && spot_wander(&s, &random); i++)
			;
		if (plies > 9 && !spot_wander(&s, &random))
			continue;              /* a game that ended early leaves too much to try */
		struct spot t = s;
		t.rules.game = &copy;
		check(kept, &s, seen);
		check(theirs, &t, seen);
	}
	qv_solver_free(kept);
	qv_solver_free(theirs);
	assert_true(seen[0] + seen[1] + seen[2] > 0);
}

static void test_prove__noughts_and_hexapawn_are_minimax(void **state)
{
	for (int plies = 2; plies < 7; plies++)
		check_game(*state, "noughts", plies, 100);
	for (int plies = 0; plies < 5; plies++) {
		check_game(*state, "hexapawn", plies, 50);
		check_game(*state, "hexapawn:blocked=draw", plies, 50);
	}
}

/* A random game rarely gets that far: the ones that do are taken. */
static void check_late(const struct qv_context *context, const char *name, int empties, int wanted)
{
	struct qv_random random = { 12, 0 };
	const struct spot start = spot_at(context, name, NULL);
	const struct qv_game copy = *start.rules.game;
	struct qv_solver *solver = prover(&start, 1 << 20);
	int seen[3] = { 0, 0, 0 };
	for (int tries = 0; seen[0] + seen[1] + seen[2] < 2 * wanted && tries < 20000; tries++) {
		struct spot s = start;
		int plies = 0;
		while (plies < start.rules.game->max_plies - empties && spot_wander(&s, &random))
			plies++;
		if (plies < start.rules.game->max_plies - empties)
			continue;
		check(solver, &s, seen);
		s.rules.game = &copy;
		struct qv_solver *other = prover(&s, 1 << 12);
		check(other, &s, seen);
		qv_solver_free(other);
	}
	qv_solver_free(solver);
	assert_true(seen[0] > 0 && seen[2] > 0);
}

static void test_prove__late_connect4_is_minimax(void **state)
{
	check_late(*state, "connect4", 10, (int)scaled(100) + 10);
}

static void test_prove__late_reversi_is_minimax(void **state)
{
	int seen[3] = { 0, 0, 0 };
	struct qv_random random = { 13, 0 };
	const struct spot start = spot_at(*state, "reversi", NULL);
	struct qv_solver *solver = prover(&start, 1 << 20);
	for (int64_t k = scaled(100) + 5; k > 0; k--) {
		struct spot s = start;
		for (int plies = 0; plies < 53 && spot_wander(&s, &random); plies++)
			;
		const uint64_t *discs = (const uint64_t *)(const void *)s.state;
		if (__builtin_popcountll(discs[0] | discs[1]) >= 56)
			check(solver, &s, seen);
	}
	qv_solver_free(solver);
	assert_true(seen[0] + seen[1] + seen[2] > 0);
}

/* Counted moves; two seats out of turn; a counter that ends the game. */
static void test_prove__toys_are_minimax(void **state)
{
	check_game(*state, "toy-counted", 3, 60);
	check_game(*state, "toy-quiet", 6, 30);
}

/* ---- positions that come back ---- */

/* The winner plays what the solver says, the other everything; it must end, and well. */
static void play_out(struct qv_solver *solver, const struct spot *s, int winner, int plies)
{
	const struct qv_game *g = s->rules.game;
	char text[QV_POSITION_TEXT];
	int32_t points[QV_MAX_SEATS];
	qv_move list[SPOT_MOVES];
	if (g->result(s->state, points) != QV_GOING) {
		assert_int_equal(qv_winner(g, points), winner);
		return;
	}
	if (!plies)
		fail_msg("the win does not come: %s", spot_text(s, text));
	int n = 1;
	if (g->seat(s->state) == winner) {
		const struct qv_solution found = solution(solver, s);
		assert_int_equal(found.value, QV_VALUE_WIN);
		list[0] = found.move;
	} else {
		n = spot_moves(s, list);
	}
	for (int i = 0; i < n; i++) {
		struct spot next = *s;
		assert_true(qv_move_legal(g, s->state, list[i]));
		g->play(next.state, list[i]);
		play_out(solver, &next, winner, plies - 1);
	}
}

/* Whether that seat can force a win within so many plies; repetition is not looked at. */
static bool wins_within(const struct spot *s, int seat, int plies)
{
	const struct qv_game *g = s->rules.game;
	int32_t points[QV_MAX_SEATS];
	qv_move list[SPOT_MOVES];
	if (g->result(s->state, points) != QV_GOING)
		return qv_winner(g, points) == seat;
	if (!plies)
		return false;
	const bool chooses = g->seat(s->state) == seat;
	const int n = spot_moves(s, list);
	for (int i = 0; i < n; i++) {
		struct spot next = *s;
		g->play(next.state, list[i]);
		if (wins_within(&next, seat, plies - 1) == chooses)
			return chooses;
	}
	return !chooses;
}

static void check_cycles(const struct qv_context *context, const char *name, int games)
{
	struct qv_random random = { 14, 0 };
	const struct spot start = spot_at(context, name, NULL);
	struct qv_solver *solver = prover(&start, 1 << 20);
	int wins = 0, draws = 0;
	for (int64_t k = scaled(games) + 3; k > 0; k--) {
		const struct spot s = spot_random(context, start.rules.game, 8, &random);
		const int mover = s.rules.game->seat(s.state);
		const struct qv_solution found = solution(solver, &s);
		assert_int_not_equal(found.value, QV_VALUE_UNKNOWN);
		const int winner = found.value == QV_VALUE_WIN ? mover : 1 - mover;
		wins += found.value != QV_VALUE_DRAW;
		draws += found.value == QV_VALUE_DRAW;
		if (found.value != QV_VALUE_DRAW) {
			play_out(solver, &s, winner, 40);
			winner == mover ? (void)0 : assert_false(wins_within(&s, mover, 6));
		} else {
			assert_false(wins_within(&s, 0, 7));
			assert_false(wins_within(&s, 1, 7));
		}
	}
	qv_solver_free(solver);
	assert_true(wins + draws > 0);
}

static void test_prove__wins_are_real_where_positions_come_back(void **state)
{
	check_cycles(*state, "toy-repeat", 60);
	check_cycles(*state, "toy-sling", 30);
}

/* All positions of a game from its start on, and their values by going backwards from the ends. */
enum { MOST_MET = 1 << 14 };
struct met {
	struct spot at;                    /* any of them: only its state changes */
	unsigned char states[MOST_MET][64];
	int value[MOST_MET], count;
};

static int meet(struct met *m)
{
	const size_t size = m->at.rules.game->state_size;
	int i = 0;
	while (i < m->count && memcmp(m->states[i], m->at.state, size) != 0)
		i++;
	assert_true(i < MOST_MET && size <= sizeof m->states[0]);
	memcpy(m->states[i], m->at.state, size);
	m->count += i == m->count;
	return i;
}

/* The value by those of the positions that follow; 0 while it is open. Meets them all. */
static int look_ahead(struct met *m, int number)
{
	const struct qv_game *g = m->at.rules.game;
	int32_t points[QV_MAX_SEATS];
	qv_move list[SPOT_MOVES];
	memcpy(m->at.state, m->states[number], g->state_size);
	if (g->result(m->at.state, points) != QV_GOING)
		return sign(points_value(&m->at, points, 0));
	const int seat = g->seat(m->at.state), n = spot_moves(&m->at, list);
	int best = -1;
	for (int i = 0; i < n; i++) {
		memcpy(m->at.state, m->states[number], g->state_size);
		g->play(m->at.state, list[i]);
		const int next = m->value[meet(m)];
		const int mine = g->seat(m->at.state) == seat ? next : -next;
		best = mine > best ? mine : best;
	}
	return best;
}

/* In any order with one table: a no that holds on one path only must not be kept in it. */
static void check_every_position(const struct qv_context *context, const char *name)
{
	struct met *m = calloc(1, sizeof *m);
	struct qv_random random = { 17, 0 };
	assert_non_null(m);
	m->at = spot_at(context, name, NULL);
	meet(m);
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < m->count; i++) {
			const int before = m->value[i];
			m->value[i] = look_ahead(m, i);
			changed |= m->value[i] != before;
		}
	}
	struct qv_solver *solver = prover(&m->at, 1 << 20);
	int seen[3] = { 0, 0, 0 };
	for (int64_t k = scaled(4000); k > 0; k--) {
		const int i = (int)qv_random_below(&random, (uint64_t)m->count);
		memcpy(m->at.state, m->states[i], m->at.rules.game->state_size);
		const struct qv_solution found = solution(solver, &m->at);
		assert_int_equal(value_of(&found), m->value[i]);
		seen[m->value[i] + 1]++;
	}
	qv_solver_free(solver);
	print_message("%s: %d positions\n", name, m->count);
	free(m);
	assert_true(seen[0] && seen[1] && seen[2]);
}

static void test_prove__every_position_of_a_game_that_goes_round(void **state)
{
	check_every_position(*state, "toy-sling");
	check_every_position(*state, "toy-repeat");
}

/* Its search need not get to the end there; what it calls proven must be so all the same. */
static void check_perfect(const struct qv_context *context, const char *name, int games)
{
	struct qv_random random = { 16, 0 };
	const struct spot start = spot_at(context, name, NULL);
	struct qv_solver *solver = prover(&start, 1 << 20);
	struct qv_player *perfect = NULL;
	int open = 0;
	assert_int_equal(qv_player_new(context, &start.rules, "perfect:tt=1", NULL, &perfect, NULL),
			 QV_OK);
	for (int64_t k = scaled(games) + 3; k > 0; k--) {
		const struct spot s = spot_random(context, start.rules.game, 8, &random);
		const struct qv_solution found = solution(solver, &s);
		const struct qv_limits limits = { .size = sizeof limits, .stop = NULL };
		struct qv_answer answer = { .size = sizeof answer };
		assert_int_equal(qv_player_think(perfect, s.state, &limits, NULL, &answer, NULL), QV_OK);
		assert_true(qv_move_legal(s.rules.game, s.state, answer.move));
		if (answer.proven)
			assert_int_equal(sign(answer.score), value_of(&found));
		else
			assert_int_equal(found.value, QV_VALUE_DRAW);
		open += !answer.proven;
	}
	qv_player_free(perfect);
	qv_solver_free(solver);
	assert_true(open > 0);
}

static void test_prove__a_perfect_player_claims_what_is_proven_only(void **state)
{
	check_perfect(*state, "toy-repeat", 20);
	check_perfect(*state, "toy-sling", 20);
}

/* ---- the rest ---- */

static void test_prove__a_stop_leaves_the_value_unknown(void **state)
{
	static const char *const games[] = { "reversi", "noughts3d" };
	for (int i = 0; i < 2; i++) {
		const struct spot s = spot_at(*state, games[i], NULL);
		const struct qv_flag stop = { 1 };
		const struct qv_solve_limits limits = { .size = sizeof limits, .stop = &stop };
		struct qv_solution out = { .size = sizeof out };
		struct qv_solver *solver = prover(&s, 1 << 20);
		assert_int_equal(qv_solver_solve(solver, s.state, &limits, &out, NULL), QV_STOPPED);
		assert_int_equal(out.value, QV_VALUE_UNKNOWN);
		assert_true(out.move == QV_NO_MOVE);
		qv_solver_free(solver);
	}
}

static void test_prove__refuses_a_distance_and_dice(void **state)
{
	const struct spot s = spot_at(*state, "noughts", NULL), dice = spot_at(*state, "race", NULL);
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	struct qv_solution out = { .size = sizeof out };
	struct qv_solver *solver = prover(&s, 1 << 20), *none;
	assert_int_equal(qv_solver_solve(solver, s.state, &limits, &out, NULL), QV_UNSUPPORTED);
	qv_solver_free(solver);
	assert_int_equal(qv_solver_new_by(*state, &dice.rules, QV_BY_PROOF, 1, &none, NULL),
			 QV_UNSUPPORTED);
	assert_int_equal(qv_solver_new_by(*state, &s.rules, QV_BY_OWN, 1, &none, NULL),
			 QV_UNSUPPORTED);
}

/* Late positions of the cube, where its own solver must be right both ways. */
static void test_prove__late_noughts3d_is_minimax(void **state)
{
	struct qv_random random = { 15, 0 };
	const struct spot start = spot_at(*state, "noughts3d", NULL);
	struct qv_solver *own = NULL;
	assert_int_equal(qv_solver_new_by(*state, &start.rules, QV_BY_OWN, 1 << 20, &own, NULL), QV_OK);
	int seen[3] = { 0, 0, 0 }, found = 0;
	for (int tries = 0; found < scaled(60) + 3 && tries < 20000; tries++) {
		struct spot s = start;
		int plies = 0;
		while (plies < 56 && spot_wander(&s, &random))
			plies++;
		if (plies < 56)
			continue;
		found++;
		check(own, &s, seen);
	}
	qv_solver_free(own);
	assert_true(found > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prove__noughts_and_hexapawn_are_minimax),
		cmocka_unit_test(test_prove__late_connect4_is_minimax),
		cmocka_unit_test(test_prove__late_reversi_is_minimax),
		cmocka_unit_test(test_prove__toys_are_minimax),
		cmocka_unit_test(test_prove__wins_are_real_where_positions_come_back),
		cmocka_unit_test(test_prove__every_position_of_a_game_that_goes_round),
		cmocka_unit_test(test_prove__a_perfect_player_claims_what_is_proven_only),
		cmocka_unit_test(test_prove__a_stop_leaves_the_value_unknown),
		cmocka_unit_test(test_prove__refuses_a_distance_and_dice),
		cmocka_unit_test(test_prove__late_noughts3d_is_minimax),
	};
	return cmocka_run_group_tests_name("prove", tests, setup, teardown);
}
