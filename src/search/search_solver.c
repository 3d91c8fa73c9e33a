/*
 * search_solver.c - solves by iterative deepening of the two-player search until the value is
 * proven.
 * SPDX-License-Identifier: MIT
 *
 * Finds the distance, too, at no extra cost: a win is first seen at the depth at which it ends.
 */
#include "search/margin.h"
#include "search/player_kind.h"
#include "search/root.h"
#include "search/solver.h"

struct search_solver {
	struct qv_solver base;
	struct qv_player *player;
	struct margin_search margin; /* for games with stakes */
};

static enum qv_status solve(struct qv_solver *s, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct qv_player *player = ((struct search_solver *)s)->player;
	struct qv_answer answer;
	const struct qv_limits how = { .nodes = limits->nodes,
				       .stop = limits->stop,
				       .watch = limits->watch,
				       .watch_ctx = limits->ctx };
	enum qv_status status =
		player->ops->think(player, state, &how, limits->listener, &answer, error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	out->nodes = answer.nodes;
	if (!answer.proven)
		return limits->nodes ? qv_fail(error, QV_STOPPED, "solve: stopped") : status;
	out->value = answer.score > QV_MAX_EVAL	   ? QV_VALUE_WIN
		     : answer.score < -QV_MAX_EVAL ? QV_VALUE_LOSS
						   : QV_VALUE_DRAW;
	out->move = answer.move;
	if (out->value != QV_VALUE_DRAW)
		out->in = QV_WIN - (answer.score < 0 ? -answer.score : answer.score);
	if (limits->margin && s->ops->margin)
		return margin_find(&((struct search_solver *)s)->margin, state, limits, out, error);
	return status;
}

static int32_t final_margin(const struct qv_solver *s, const void *state)
{
	const struct qv_game *game = s->rules.game;
	int32_t points[QV_MAX_SEATS];
	game->result(state, points);
	return game->seat(state) ? -root_margin(game, points) : root_margin(game, points);
}

static void search_solver_free(struct qv_solver *s)
{
	struct search_solver *self = (struct search_solver *)s;
	if (self->player)
		self->player->ops->free(self->player);
	margin_release(&self->margin);
	mem_free(s->allocator, self, sizeof *self);
}

static const struct solver_ops ops = { .solve = solve, .free = search_solver_free },
			       margin_ops = { .solve = solve,
					      .free = search_solver_free,
					      .margin = final_margin };

enum qv_status search_solver_new(const struct solver_setup *setup, struct qv_solver **out,
				 struct qv_error *error)
{
	struct settings settings;
	const size_t mb = setup->hash_bytes >> 20;
	enum qv_status status = kind_settings(&negascout_kind, "", NULL, &settings, error);
	if (status != QV_OK)
		return status;
	settings.depth = 0;
	settings.nodes = INT64_MAX / 2;    /* a limit is required; this one is never reached */
	settings.tt = mb > 0 ? (int64_t)mb : 1;
	struct search_solver *self = mem_new(setup->allocator, 1, sizeof *self);
	if (!self)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	*self = (struct search_solver){
		.base = { margin_applies(setup->rules->game) ? &margin_ops : &ops,
			  setup->allocator, *setup->rules },
		.margin = { .allocator = setup->allocator,
			    .game = setup->rules->game,
			    .table_bytes = setup->hash_bytes / 2 },
	};
	const struct player_setup how = { .allocator = setup->allocator,
					  .engine = setup->engine,
					  .rules = setup->rules,
					  .settings = &settings };
	status = duel_player_new(&how, &self->player, error);
	if (status != QV_OK) {
		search_solver_free(&self->base);
		return status;
	}
	*out = &self->base;
	return QV_OK;
}

/* ---- Distances for other solvers ---- */

enum qv_status distance_add(struct distance_search *d, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	enum qv_status status = QV_OK;
	struct qv_solution found = { .in = -1, .move = QV_NO_MOVE };
	if (!limits->distance || out->value == QV_VALUE_DRAW)
		return QV_OK;
	if (!d->search)
		status = search_solver_new(&d->setup, &d->search, error);
	if (status == QV_OK)
		status = d->search->ops->solve(d->search, state, limits, &found, error);
	out->nodes += found.nodes;
	out->in = found.in;
	if (found.move != QV_NO_MOVE && !out->has_margin)
		out->move = found.move;
	return status;
}

void distance_release(struct distance_search *d)
{
	if (d->search)
		d->search->ops->free(d->search);
	d->search = NULL;
}
