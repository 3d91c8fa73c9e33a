/*
 * solver.c - reversi solved: by the exact endgame search.
 * SPDX-License-Identifier: MIT
 *
 * Who wins is an easier question than by how much, so the margin is found only where it is asked
 * for. Plies to the end say little in reversi; the two-player search finds them if it can.
 */
#include "games/reversi/solver.h"

#include "games/reversi/endgame.h"
#include "games/reversi/rules.h"

_Static_assert((int)ENDGAME_PASS == (int)REVERSI_PASS, "moves are the same");

struct reversi_solver {
	struct qv_solver base;
	struct solver_setup setup;         /* for the search below */
	struct qv_solver *search;          /* finds distances; NULL until one is asked for */
	struct endgame endgame;
};

static enum qv_status add_distance(struct reversi_solver *v, const void *state,
				   const struct qv_solve_limits *limits, struct qv_solution *out,
				   struct qv_error *error)
{
	enum qv_status status = QV_OK;
	struct qv_solution found = { .in = -1, .move = QV_NO_MOVE };
	if (!v->search) {
		v->setup.rules = &v->base.rules;
		status = search_solver_new(&v->setup, &v->search, error);
	}
	if (status == QV_OK)
		status = v->search->ops->solve(v->search, state, limits, &found, error);
	out->nodes += found.nodes;
	out->in = found.in;
	if (found.move != QV_NO_MOVE && !limits->margin)
		out->move = found.move;    /* the one that hurries, or delays */
	return status;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct reversi_solver *v = (struct reversi_solver *)base;
	const struct reversi *s = state;
	const int most = limits->margin ? ENDGAME_MOST : 1;
	const struct endgame_answer answer =
		endgame_solve(&v->endgame, s->mover, s->other, -most, most, limits->stop);
	out->nodes = v->endgame.nodes;
	if (v->endgame.stopped)
		return qv_fail(error, QV_STOPPED, "solve: stopped");
	out->value = answer.score > 0 ? QV_VALUE_WIN :
		     answer.score < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
	out->move = (qv_move)answer.move;
	out->has_margin = limits->margin;
	out->margin = limits->margin ? answer.score : 0;
	if (limits->distance && out->value != QV_VALUE_DRAW)
		return add_distance(v, state, limits, out, error);
	return QV_OK;
}

static void reversi_solver_free(struct qv_solver *base)
{
	struct reversi_solver *v = (struct reversi_solver *)base;
	if (v->search)
		v->search->ops->free(v->search);
	endgame_release(&v->endgame, base->allocator);
	mem_free(base->allocator, v, sizeof *v);
}

static int32_t final_margin(const void *state)
{
	const struct reversi *s = state;
	return endgame_final(s->mover, s->other);
}

static const struct solver_ops ops = { .solve = solve,
				       .free = reversi_solver_free,
				       .margin = final_margin };

enum qv_status reversi_solver_new(const struct solver_setup *setup, struct qv_solver **out,
				  struct qv_error *error)
{
	struct reversi_solver *v = mem_new(setup->allocator, 1, sizeof *v);
	if (!v)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	v->base = (struct qv_solver){ &ops, setup->allocator, *setup->rules };
	v->setup = *setup;
	if (endgame_init(&v->endgame, setup->allocator, setup->hash_bytes) != QV_OK) {
		reversi_solver_free(&v->base);
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory for the table");
	}
	*out = &v->base;
	return QV_OK;
}
