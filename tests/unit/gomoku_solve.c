/*
 * gomoku_solve.c - go-moku's solver: wins and losses by threats are proven at once, and agree with
 * a search of all moves.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdio.h>
#include <string.h>

#include "games/gomoku/rules.h"
#include "support/scale.h"

enum { HASH = 1 << 20, MOST_NODES = 1000000 };

static struct qv_solution solve_by(struct desk *d, const struct qv_context *context,
				   enum qv_solve_by by, bool distance)
{
	const struct qv_solve_limits limits = { .size = sizeof limits,
						.distance = distance,
						.nodes = MOST_NODES };
	struct qv_solver *solver;
	struct qv_solution out = { .size = sizeof out };
	assert_int_equal(qv_solver_new_by(context, &d->rules, by, HASH, &solver, NULL), QV_OK);
	qv_solver_solve(solver, d->state, &limits, &out, NULL);
	qv_solver_free(solver);
	return out;
}

/* Every position with a win by fours is won, and the exact distance is known up to five plies. */
static void test_solve__wins_by_fours(void **state)
{
	FILE *file = fopen(TEST_DATA "/gomoku-fours.txt", "r");
	char line[2048], rule[16], position[1024];
	int moves, read = 0, exact = 0;
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		struct desk d;
		char game[64];
		int rows = 1;
		if (sscanf(line, "%15s %d %1023[^\n]", rule, &moves, position) != 3 || moves < 1)
			continue;
		for (const char *c = position; (c = strchr(c, '/')); c++)
			rows++;
		snprintf(game, sizeof game, "gomoku:size=%d,rule=%s", rows, rule);
		desk_open(&d, *state, game, position);
		const bool distance = moves <= 3;
		const struct qv_solution s = solve_by(&d, *state, QV_BY_ANY, distance);
		assert_int_equal(s.value, QV_VALUE_WIN);
		assert_true(qv_move_legal(d.rules.game, d.state, s.move));
		if (distance && s.in != 2 * moves - 1)
			fail_msg("%s: %d", position, s.in);
		read++;
		exact += distance;
		desk_close(&d);
	}
	fclose(file);
	assert_true(read > 60 && exact > 4);
}

/* Nobody has a four here; only threats decide, long before a search of all moves could. */
static void test_solve__threats_on_a_large_board(void **state)
{
	static const struct {
		const char *moves;
		enum qv_value value;
	} positions[] = {
		/* Two open threes that cross at an empty point, h8. */
		{ "h6 a1 h7 o15 f8 a15 g8 o1", QV_VALUE_WIN },
		/* An open three and a four at once. */
		{ "h6 h5 h7 o15 h8 a15 f9 o1 g9 a1", QV_VALUE_WIN },
		/* Two open threes apart: one of them becomes a straight four. */
		{ "d4 a15 e4 o15 f4 a1 k10 o1 k11 h15 k12", QV_VALUE_LOSS },
	};
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
		struct desk d;
		desk_open(&d, *state, "gomoku", positions[i].moves);
		const struct qv_solution s = solve_by(&d, *state, QV_BY_ANY, false);
		if (s.value != positions[i].value)
			fail_msg("%s: %d", positions[i].moves, (int)s.value);
		assert_true(qv_move_legal(d.rules.game, d.state, s.move));
		desk_close(&d);
	}
}

/* Fills the board at random without a five, up to `empty` points; false: that cannot be done. */
static bool fill_board(struct qv_random *r, int empty, struct gomoku *s)
{
	qv_move list[GOMOKU_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	while (s->size * s->size - s->count > empty) {
		struct gomoku next = *s;
		int n = gomoku_moves(s, list);
		for (next.winner = 1; n > 0 && next.winner; n--) {
			const int i = (int)qv_random_below(r, (uint64_t)n);
			next = *s;
			gomoku_play(&next, list[i]);
			list[i] = list[n - 1];
		}
		*s = next;
		if (gomoku_result(s, points) != QV_GOING)
			return false;
	}
	return true;
}

/* On nearly full boards a search of all moves decides: value and distance are the same. */
static void test_solve__agrees_with_a_search(void **state)
{
	static const char *const rules[] = { "freestyle", "exact", "renju" };
	struct qv_random r = { qv_random_key(8, 1), 0 };
	int seen[4] = { 0 };
	const int64_t positions = scaled(300);
	for (int64_t done = 0; done < positions;) {
		struct desk d;
		char game[64];
		snprintf(game, sizeof game, "gomoku:size=9,rule=%s", rules[done % 3]);
		desk_open(&d, *state, game, "start");
		if (fill_board(&r, 6 + (int)(done / 3 % 4), d.state)) {
			const struct qv_solution own = solve_by(&d, *state, QV_BY_OWN, true);
			const struct qv_solution all = solve_by(&d, *state, QV_BY_SEARCH, true);
			if (own.value != all.value || own.in != all.in) {
				char text[QV_POSITION_TEXT];
				struct qv_text out = { text, sizeof text, 0 };
				d.rules.game->position_text(d.state, &out);
				fail_msg("%s %s: value %d in %d, by search %d in %d", game, text,
					 (int)own.value, own.in, (int)all.value, all.in);
			}
			seen[own.value]++;
			done++;
		}
		desk_close(&d);
	}
	if (positions >= 300) /* a small sample may miss one */
		assert_true(seen[QV_VALUE_WIN] && seen[QV_VALUE_DRAW] && seen[QV_VALUE_LOSS]);
}

static bool stop_soon(void *ctx, uint64_t nodes)
{
	(void)ctx;
	return nodes < 500;
}

/* Limits hold while threats are searched; a win that was found stays when its distance is missing. */
static void test_solve__stops(void **state)
{
	/* The last position has a win by fours in nine moves. */
	static const char *const positions[] = {
		"start", "h8 i9 g9 i7 i8",
		("x3xxx8/1o1xxo9/2o12/1x3x9/4o1o8/15/xoo3xoo1x4/5xo1oxox3/o6o2x4/x9x4/15/1oo1x10/"
		 "1x1o11/15/5o9 o")
	};
	for (int i = 0; i < 3; i++) {
		const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true,
							.nodes = i ? 2000 : 0,
							.watch = i ? NULL : stop_soon };
		struct desk d;
		struct qv_solver *solver;
		struct qv_solution out = { .size = sizeof out };
		desk_open(&d, *state, "gomoku", positions[i]);
		assert_int_equal(qv_solver_new(*state, &d.rules, HASH, &solver, NULL), QV_OK);
		assert_int_equal(qv_solver_solve(solver, d.state, &limits, &out, NULL), QV_STOPPED);
		assert_int_equal(out.value, i == 2 ? QV_VALUE_WIN : QV_VALUE_UNKNOWN);
		assert_int_equal(out.in, -1);
		assert_int_equal(out.move == QV_NO_MOVE, i != 2);
		qv_solver_free(solver);
		desk_close(&d);
	}
}

static int set_up(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static int tear_down(void **state)
{
	qv_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_solve__wins_by_fours),
		cmocka_unit_test(test_solve__threats_on_a_large_board),
		cmocka_unit_test(test_solve__agrees_with_a_search),
		cmocka_unit_test(test_solve__stops),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
