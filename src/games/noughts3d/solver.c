/*
 * solver.c - solves 3D noughts and crosses by the shipped strategy and the proof search with the
 * game's hooks.
 * SPDX-License-Identifier: MIT
 *
 * The hooks know the strategy, so the proof search ends wherever a line joins it. For each side the
 * search first tries to prove a win with the ten best moves only. That proves most won positions.
 * If it decides nothing, all moves are tried, which may take forever in the opening. The table is
 * kept from position to position, so that walking through a proof finds each move at once.
 */
#include "games/noughts3d/solver.h"

#include "games/noughts3d/proof_hooks.h"

#define G(f) n3_##f
#define G_STATE struct n3
#define G_MAX_MOVES N3_SQUARES
#define G_ALTERNATES 1
#define G_HAS_RANK 1
#define G_HAS_COUNT 1
#define G_HAS_PROVE_KEY 1
#define G_HAS_FORCED 1
#define G_HAS_CANDIDATES 1
#define G_HAS_REPLIES 1
#include "search/prove.inc.h"

enum {
	BEST_MOVES = 10,
	ALL_MOVES = 0,
	CROSSES = 0,	       /* a seat */
	STRATEGY_NODES = 2000, /* enough for every position that the strategy wins */
};

struct n3_solver {
	struct qv_solver base;
	struct n3_tools *tools;
	struct prove *prove;
	struct distance_search distance;
};

/*
 * Tries to prove that the noughts, who are to move, lose. Within a few nodes that succeeds wherever
 * the crosses follow the strategy; the question whether the noughts win may take forever there.
 */
static bool prove_loss(struct n3_solver *v, const void *state, const struct qv_solve_limits *limits,
		       struct qv_solution *out)
{
	struct qv_solve_limits few = *limits;
	if (!few.nodes || few.nodes > STRATEGY_NODES)
		few.nodes = STRATEGY_NODES;
	const enum prove_verdict verdict =
		prove_win(v->prove, state, CROSSES, BEST_MOVES, &few, out->nodes);
	out->nodes += v->prove->nodes;
	if (verdict == PROVE_YES)
		out->value = QV_VALUE_LOSS;
	return verdict == PROVE_YES;
}

/*
 * Tries to prove a win for either side. Returns whether that decides; with all moves it does,
 * unless stopped.
 */
static bool prove_either(struct n3_solver *v, const void *state, int width,
			 const struct qv_solve_limits *limits, struct qv_solution *out)
{
	const int mover = n3_seat(state);
	enum prove_verdict verdict = prove_win(v->prove, state, mover, width, limits, out->nodes);
	out->nodes += v->prove->nodes;
	if (verdict == PROVE_YES) {
		out->value = QV_VALUE_WIN;
		out->move = v->prove->move;
	}
	if (verdict != PROVE_NO)
		return true;
	verdict = prove_win(v->prove, state, 1 - mover, width, limits, out->nodes);
	out->nodes += v->prove->nodes;
	if (verdict == PROVE_NO && width != ALL_MOVES)
		return false;
	out->value = verdict == PROVE_YES ? QV_VALUE_LOSS :
		     verdict == PROVE_NO  ? QV_VALUE_DRAW : QV_VALUE_UNKNOWN;
	if (verdict == PROVE_NO)
		out->move = v->prove->move;
	return true;
}

/*
 * A move in a lost position: one after which the opponent has no win by threats, if there is one,
 * and of these the one of the highest rank.
 */
static qv_move resist(struct n3_solver *v, const struct n3 *s)
{
	enum { HOLDS = 1 << 24 }; /* above all ranks */
	qv_move list[N3_SQUARES], best = QV_NO_MOVE, first;
	int32_t most = -1;
	int n = n3_replies(s, v->tools, list);
	if (!n)
		n = n3_moves(s, list);
	for (int i = 0; i < n; i++) {
		struct n3 next = *s;
		n3_play(&next, list[i]);
		const int32_t worth = n3_rank(s, list[i]) +
				      (n3_wins_by_threats(&next, v->tools, &first) ? 0 : HOLDS);
		if (worth > most) {
			most = worth;
			best = list[i];
		}
	}
	return best;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct n3_solver *v = (struct n3_solver *)base;
	if (!(n3_seat(state) != CROSSES && prove_loss(v, state, limits, out)) &&
	    !prove_either(v, state, BEST_MOVES, limits, out))
		prove_either(v, state, ALL_MOVES, limits, out);
	if (out->value == QV_VALUE_UNKNOWN)
		return qv_fail(error, QV_STOPPED, "solve: stopped");
	if (out->value == QV_VALUE_LOSS)
		out->move = resist(v, state);
	return distance_add(&v->distance, state, limits, out, error);
}

static void n3_solver_free(struct qv_solver *base)
{
	struct n3_solver *v = (struct n3_solver *)base;
	distance_release(&v->distance);
	prove_free(v->prove);
	mem_free(base->allocator, v->tools, sizeof *v->tools);
	mem_free(base->allocator, v, sizeof *v);
}

void n3_solver_disable_strategy(struct qv_solver *base)
{
	((struct n3_solver *)base)->tools->strategy = (struct n3_strategy){ NULL, 0 };
}

static const struct solver_ops ops = { .solve = solve,
				       .free = n3_solver_free,
				       .slow_distance = true };

enum qv_status n3_solver_new(const struct solver_setup *setup, struct qv_solver **out,
			     struct qv_error *error)
{
	struct n3_solver *v = mem_new(setup->allocator, 1, sizeof *v);
	if (!v)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	v->base = (struct qv_solver){ &ops, setup->allocator, *setup->rules };
	v->distance.setup = *setup;
	v->distance.setup.rules = &v->base.rules;
	v->tools = mem_new(setup->allocator, 1, sizeof *v->tools);
	enum qv_status status = QV_OK;
	if (!v->tools) {
		status = qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	} else {
		n3_tools_init(v->tools);
		status = n3_strategy_shipped(&v->tools->strategy, error);
	}
	if (status == QV_OK) {
		const struct prove_setup how = { setup->rules->game, &n3_prove_ops,
						 setup->allocator, setup->hash_bytes, v->tools };
		status = prove_new(&how, &v->prove, error);
	}
	if (status == QV_OK)
		*out = &v->base;
	else
		n3_solver_free(&v->base);
	return status;
}
