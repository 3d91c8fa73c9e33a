/*
 * solve.c - the value of a position: by the game's own solver, or by deepening until it is proven.
 * SPDX-License-Identifier: MIT
 */
#include "base/clock.h"
#include "engines/context.h"

/* Without a limit a search would take its preset depth; this one is never reached. */
static const char deepening[] = "negascout:nodes=4000000000000000000,tt=%zu";

static enum qv_value value_of(int32_t score)
{
	return score > QV_MAX_EVAL ? QV_VALUE_WIN : score < -QV_MAX_EVAL ? QV_VALUE_LOSS : QV_VALUE_DRAW;
}

static enum qv_status solve_by_search(const struct qv_context *context, const struct qv_rules *rules,
				      const void *state, const struct qv_solve_limits *limits,
				      struct qv_solution *out, struct qv_error *error)
{
	char spec[80];
	struct qv_player *player;
	struct qv_answer answer;
	const struct qv_limits how = { .stop = limits->stop };
	const size_t mb = limits->hash_bytes >> 20;
	snprintf(spec, sizeof spec, deepening, mb > 0 ? mb : (size_t)1);
	enum qv_status status = qv_player_new(context, rules, spec, NULL, &player, error);
	if (status != QV_OK)
		return status;
	status = qv_player_think(player, state, &how, NULL, &answer, error);
	qv_player_free(player);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	out->nodes = answer.nodes;
	out->value = answer.proven ? value_of(answer.score) : QV_VALUE_UNKNOWN;
	if (out->value == QV_VALUE_WIN || out->value == QV_VALUE_LOSS)
		out->in = QV_WIN - (answer.score < 0 ? -answer.score : answer.score);
	return status;
}

/* A game that has ended is solved. */
static bool has_ended(const struct qv_game *game, const void *state, struct qv_solution *out)
{
	int32_t points[QV_MAX_SEATS];
	if (game->result(state, points) == QV_GOING)
		return false;
	const int winner = qv_winner(game, points);
	out->value = winner < 0                  ? QV_VALUE_DRAW :
		     winner == game->seat(state) ? QV_VALUE_WIN : QV_VALUE_LOSS;
	out->in = winner < 0 ? -1 : 0;
	return true;
}

enum qv_status qv_solve(const struct qv_context *context, const struct qv_rules *rules,
			const void *state, const struct qv_solve_limits *limits,
			struct qv_solution *out, struct qv_error *error)
{
	const struct qv_game *game = rules->game;
	const struct engine *engine = context_engine(game);
	struct qv_solution found = { .in = -1 };
	const int64_t started = clock_us();
	if (game->seats != 2 || game->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "solve: for two seats without chance, which %s is not", game->name);
	enum qv_status status = QV_OK;
	if (has_ended(game, state, &found))
		;
	else if (engine->solve)
		status = engine->solve(context_allocator(context), state, limits, &found, error);
	else
		status = solve_by_search(context, rules, state, limits, &found, error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	if (!limits->distance)
		found.in = -1;
	found.seconds = (double)(clock_us() - started) / 1e6;
	*out = found;
	return status;
}
