/*
 * prove_solver.c - solves by proof-number search.
 * SPDX-License-Identifier: MIT
 *
 * Two searches decide the value: can the side to move force a win? If not, can the opponent? If
 * neither can, the position is a draw. Finds no distance.
 */
#include "search/prove.h"
#include "search/solver.h"

struct prove_solver {
	struct qv_solver base;
	struct prove *prove;
};

static enum prove_verdict search(struct prove_solver *v, const void *state, int attacker,
			      const struct qv_solve_limits *limits, struct qv_solution *out)
{
	const enum prove_verdict verdict = prove_win(v->prove, state, attacker, 0, limits->stop);
	out->nodes += v->prove->nodes;
	out->move = v->prove->move;
	return verdict;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct prove_solver *v = (struct prove_solver *)base;
	if (limits->distance)
		return qv_fail(error, QV_UNSUPPORTED, "distance: not found by proof-number search");
	const int mover = base->rules.game->seat(state);
	enum prove_verdict verdict = search(v, state, mover, limits, out);
	if (verdict == PROVE_YES) {
		out->value = QV_VALUE_WIN;
	} else if (verdict == PROVE_NO) {
		verdict = search(v, state, 1 - mover, limits, out);
		out->value = verdict == PROVE_YES ? QV_VALUE_LOSS :
			     verdict == PROVE_NO  ? QV_VALUE_DRAW : QV_VALUE_UNKNOWN;
	}
	if (verdict == PROVE_UNKNOWN)
		out->move = QV_NO_MOVE;
	return v->prove->stopped ? qv_fail(error, QV_STOPPED, "solve: stopped") : QV_OK;
}

static void prove_solver_free(struct qv_solver *base)
{
	struct prove_solver *v = (struct prove_solver *)base;
	prove_free(v->prove);
	mem_free(base->allocator, v, sizeof *v);
}

static const struct solver_ops ops = { .solve = solve, .free = prove_solver_free };

enum qv_status prove_solver_new(const struct solver_setup *setup, struct qv_solver **out,
				struct qv_error *error)
{
	struct prove_solver *v = mem_new(setup->allocator, 1, sizeof *v);
	if (!v)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	v->base = (struct qv_solver){ &ops, setup->allocator, *setup->rules };
	const struct prove_setup how = { setup->rules->game, setup->engine->prove, setup->allocator,
					 setup->hash_bytes, NULL };
	enum qv_status status = prove_new(&how, &v->prove, error);
	if (status != QV_OK) {
		mem_free(setup->allocator, v, sizeof *v);
		return status;
	}
	*out = &v->base;
	return QV_OK;
}
