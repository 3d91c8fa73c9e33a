/*
 * table_spots.h - solvers and players at positions that endgame tables contain, and at others.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_TABLE_SPOTS_H
#define TEST_TABLE_SPOTS_H

#include "support/search.h"
#include "support/tables.h"

/* Opens the tables of a game by its name; folder may be NULL. */
static inline struct qv_tables *spot_tables(const struct qv_context *context, const char *game,
					    const char *folder)
{
	const struct spot s = spot_at(context, game, NULL);
	return tables_open(context, &s.rules, folder);
}

/* The solver finds the value and the distance, which is -1 for a draw. */
static inline void spot_solves_to(const struct spot *s, enum qv_value value, int in)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	struct qv_solver *solver;
	struct qv_solution found = { .size = sizeof found };
	assert_int_equal(qv_solver_new(s->context, &s->rules, 1 << 20, &solver, NULL), QV_OK);
	assert_int_equal(qv_solver_solve(solver, s->state, &limits, &found, NULL), QV_OK);
	assert_int_equal(found.value, value);
	assert_int_equal(found.in, in);
	qv_solver_free(solver);
}

/* Plays both sides to the end, which comes exactly when the first answer says. */
static inline void spot_ends_in(const struct spot *start, const char *spec, int plies)
{
	struct qv_player *player = player_new(start, spec);
	struct spot s = *start;
	int32_t points[QV_MAX_SEATS];
	for (int left = plies; left > 0; left--) {
		struct qv_answer a = { .size = sizeof a };
		const struct qv_limits limits = limits_at(&s);
		assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &a, NULL), QV_OK);
		assert_true(a.proven);
		assert_true(a.table_hits > 0);
		assert_int_equal(a.score, left % 2 ? QV_WIN - left : left - QV_WIN);
		spot_play(&s, a.move);
	}
	assert_int_equal(s.rules.game->result(s.state, points), QV_ENDED);
	qv_player_free(player);
}

/* A player that first tries a proof searches a position outside the tables as it does without. */
static inline struct qv_answer spot_searches_alike(const struct spot *s, const char *with_proof,
						   const char *without_proof)
{
	struct qv_answer with = { .size = sizeof with }, without = { .size = sizeof without };
	struct qv_player *one = player_new(s, with_proof), *other = player_new(s, without_proof);
	const struct qv_limits limits = limits_at(s);
	assert_int_equal(qv_player_think(one, s->state, &limits, NULL, &with, NULL), QV_OK);
	assert_int_equal(qv_player_think(other, s->state, &limits, NULL, &without, NULL), QV_OK);
	assert_int_equal(with.move, without.move);
	assert_int_equal(with.nodes, without.nodes);
	assert_int_equal(with.table_hits, without.table_hits);
	qv_player_free(one);
	qv_player_free(other);
	return with;
}

#endif
