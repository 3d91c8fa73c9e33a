/*
 * solve.c - the public functions of solvers: choosing one, and solving a position.
 * SPDX-License-Identifier: MIT
 *
 * A solver is the game's own, the two-player search of increasing depth, or df-pn. Chess looks a
 * position up in its endgame tables before it searches. Positions where
 * the game has ended are handled here, so that no solver sees them.
 */
#include "base/clock.h"
#include "base/sized.h"
#include "core/context.h"
#include "core/table_solver.h"
#include "games/registry.h"
#include "search/solver.h"

enum qv_status defaults_in(const struct qv_defaults *from, struct qv_defaults *to,
			   struct qv_error *error)
{
	*to = (struct qv_defaults){ 0 };
	enum qv_status status = sized_in("qv_defaults", to, sizeof *to, from, error);
	if (status == QV_OK && to->prober)
		status = sized_check("qv_prober", to->prober, error);
	return status;
}

/* A position is searched only if nothing in the game is random. */
static enum qv_status refuse_dice(const struct qv_game *game, struct qv_error *error)
{
	return qv_fail(error, QV_UNSUPPORTED,
		       "solve: needs a game of two players without dice; %s is not one",
		       game->name);
}

enum qv_status solver_for(const struct solver_setup *setup, struct qv_solver **out,
			  struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	if (game->index && setup->engine->tables_alone)
		return tables_first_new(setup, out, error);
	if (game->seats != 2 || game->chance)
		return refuse_dice(game, error);
	return (setup->engine->solver ? setup->engine->solver : search_solver_new)(setup, out, error);
}

/* A game without df-pn compiled for it uses the one compiled for plug-ins. */
enum qv_status qv_solver_new_by(const struct qv_context *context, const struct qv_rules *rules,
				enum qv_solve_by by, size_t hash_bytes, struct qv_solver **out,
				struct qv_error *error)
{
	const struct engine *engine = context_engine(rules->game);
	const bool proof = by == QV_BY_PROOF;
	const struct solver_setup setup = { context_allocator(context),
					    proof && !engine->prove ? &plugin_engine : engine,
					    rules,
					    hash_bytes,
					    NULL,
					    NULL };
	const struct qv_game *game = rules->game;
	if (by == QV_BY_ANY)
		return solver_for(&setup, out, error);
	if (game->seats != 2 || game->chance)
		return refuse_dice(game, error);
	if (by == QV_BY_OWN && !engine->solver)
		return qv_fail(error, QV_UNSUPPORTED, "solve: %s has no solver of its own",
			       game->name);
	if (proof && !setup.engine->prove) /* a build without plug-ins */
		return qv_fail(error, QV_UNSUPPORTED, "solve: %s has no proof search", game->name);
	return (proof ? prove_solver_new : by == QV_BY_OWN ? engine->solver : search_solver_new)(
		&setup, out, error);
}

enum qv_status qv_solver_new(const struct qv_context *context, const struct qv_rules *rules,
			     size_t hash_bytes, struct qv_solver **out, struct qv_error *error)
{
	return qv_solver_new_by(context, rules, QV_BY_ANY, hash_bytes, out, error);
}

enum qv_status qv_solver_new_with(const struct qv_context *context, const struct qv_rules *rules,
				  const struct qv_defaults *defaults, size_t hash_bytes,
				  struct qv_solver **out, struct qv_error *error)
{
	struct qv_defaults known;
	const enum qv_status status = defaults_in(defaults, &known, error);
	const struct solver_setup setup = { context_allocator(context),
					    context_engine(rules->game),
					    rules,
					    hash_bytes,
					    known.tables,
					    known.prober };
	return status == QV_OK ? solver_for(&setup, out, error) : status;
}

void qv_solver_free(struct qv_solver *solver)
{
	if (solver)
		solver->ops->free(solver);
}

enum qv_status qv_solver_solve(struct qv_solver *solver, const void *state,
			       const struct qv_solve_limits *limits, struct qv_solution *out,
			       struct qv_error *error)
{
	struct qv_solve_limits how;
	struct qv_listener listener;
	struct qv_solution found;
	enum qv_status status = sized_check("qv_solution", out, error);
	if (status == QV_OK)
		status = sized_in("qv_solve_limits", &how, sizeof how, limits, error);
	if (status == QV_OK && how.listener) {
		status = sized_in("qv_listener", &listener, sizeof listener, how.listener, error);
		how.listener = &listener;
	}
	if (status == QV_OK)
		status = solver_run(solver, state, &how, &found, error);
	if (status == QV_OK || status == QV_STOPPED)
		sized_out(out, &found, sizeof found);
	return status;
}

enum qv_status solver_run(struct qv_solver *solver, const void *state,
			  const struct qv_solve_limits *limits, struct qv_solution *out,
			  struct qv_error *error)
{
	struct qv_solution found = { .in = -1, .move = QV_NO_MOVE };
	const int64_t started = clock_us();
	const struct qv_game *game = solver->rules.game;
	int32_t points[QV_MAX_SEATS];
	enum qv_status status = QV_OK;
	if (game->result(state, points) == QV_GOING) {
		status = solver->ops->solve(solver, state, limits, &found, error);
	} else {
		/* No solver sees an ended game. */
		const int winner = qv_winner(game, points);
		found.value = winner < 0		    ? QV_VALUE_DRAW
			      : winner == game->seat(state) ? QV_VALUE_WIN
							    : QV_VALUE_LOSS;
		found.in = winner < 0 ? -1 : 0;
		found.has_margin = limits->margin && solver->ops->margin;
		if (found.has_margin)
			found.margin = solver->ops->margin(solver, state);
	}
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	/* Some solvers fill in a distance even if none was wanted. */
	if (!limits->distance)
		found.in = -1;
	found.seconds = (double)(clock_us() - started) / 1e6;
	*out = found;
	return status;
}
