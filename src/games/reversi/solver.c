/*
 * solver.c - reversi: the exact endgame search for `solve`, and for players that search (solve=N).
 * SPDX-License-Identifier: MIT
 *
 * Who wins is an easier question than by how much, so `solve` finds the margin only on request.
 * Plies to the end say little in reversi; the two-player search finds them if it can.
 *
 * For a player, the finisher first finds who wins, then by how much if there is time; a known win
 * or draw is kept in any case. A loss is reported only once its margin is known, because until then
 * the ordinary search finds a move that makes it harder for the opponent.
 */
#include "games/reversi/solver.h"

#include "games/reversi/endgame.h"
#include "games/reversi/pattern.h"

_Static_assert((int)ENDGAME_PASS == (int)REVERSI_PASS, "moves are the same");

struct reversi_solver {
	struct qv_solver base;
	struct distance_search distance;
	struct endgame endgame;
};

/* solver_ops.solve */
static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct reversi_solver *v = (struct reversi_solver *)base;
	const struct reversi *s = state;
	const int most = limits->margin ? ENDGAME_MOST : 1;
	const struct endgame_answer answer =
		endgame_solve(&v->endgame, s->mover, s->other, -most, most, limits);
	out->nodes = v->endgame.nodes;
	if (v->endgame.stopped)
		return qv_fail(error, QV_STOPPED, "solve: stopped");
	out->value = answer.score > 0 ? QV_VALUE_WIN :
		     answer.score < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
	out->move = (qv_move)answer.move;
	out->has_margin = limits->margin;
	out->margin = limits->margin ? answer.score : 0;
	return distance_add(&v->distance, state, limits, out, error);
}

static void reversi_solver_free(struct qv_solver *base)
{
	struct reversi_solver *v = (struct reversi_solver *)base;
	distance_release(&v->distance);
	endgame_release(&v->endgame, base->allocator);
	mem_free(base->allocator, v, sizeof *v);
}

/* solver_ops.margin */
static int32_t final_margin(const struct qv_solver *solver, const void *state)
{
	(void)solver;
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
	v->distance.setup = *setup;
	v->distance.setup.rules = &v->base.rules;
	if (endgame_init(&v->endgame, setup->allocator, setup->hash_bytes) != QV_OK) {
		reversi_solver_free(&v->base);
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory for the table");
	}
	*out = &v->base;
	return QV_OK;
}

/* ---- for players ---- */

struct finisher {
	struct endgame endgame;
	const struct qv_allocator *allocator;
};

static void finisher_free(void *finisher)
{
	struct finisher *f = finisher;
	if (!f)
		return;
	endgame_release(&f->endgame, f->allocator);
	mem_free(f->allocator, f, sizeof *f);
}

static enum qv_status finisher_make(const struct qv_allocator *allocator, size_t hash_bytes,
				    void **out)
{
	struct finisher *f = mem_new(allocator, 1, sizeof *f);
	if (!f)
		return QV_NO_MEMORY;
	f->allocator = allocator;
	if (endgame_init(&f->endgame, allocator, hash_bytes) != QV_OK) {
		finisher_free(f);
		return QV_NO_MEMORY;
	}
	*out = f;
	return QV_OK;
}

static void finisher_forget(void *finisher)
{
	endgame_forget(&((struct finisher *)finisher)->endgame);
}

/* Solves within the limits and counts the nodes; false: no result in time. */
static bool ask(struct finisher *f, const struct reversi *s, int low, int high,
		const struct qv_flag *stop, struct endgame_answer *answer, struct qv_answer *out)
{
	const struct qv_solve_limits limits = { .stop = stop };
	*answer = endgame_solve(&f->endgame, s->mover, s->other, low, high, &limits);
	out->nodes += f->endgame.nodes;
	return !f->endgame.stopped;
}

/* Plays on to the end of the game with best moves for both sides; false: no time for that. */
static bool extend(struct finisher *f, struct reversi s, int score, const struct qv_flag *stop,
		   struct qv_answer *out)
{
	int32_t points[QV_MAX_SEATS];
	struct endgame_answer next;
	for (reversi_play(&s, out->move); reversi_result(&s, points) == QV_GOING;
	     reversi_play(&s, (qv_move)next.move)) {
		score = -score;
		if (!ask(f, &s, score - 1, score + 1, stop, &next, out))
			return false;
		out->line[out->line_length++] = (qv_move)next.move;
	}
	return true;
}

/* finisher_ops.finish: fills in *out; false: no result in time. */
static bool finish(void *finisher, const void *state, int64_t deadline_us,
		   const struct qv_flag *stop, struct qv_answer *out)
{
	struct finisher *f = finisher;
	const struct reversi *s = state;
	struct endgame_answer winner, best;
	f->endgame.deadline_us = deadline_us;
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (!ask(f, s, -1, 1, stop, &winner, out))
		return false;
	best = winner;
	const bool exact =
		winner.score == 0 || ask(f, s, winner.score > 0 ? 0 : -ENDGAME_MOST,
					 winner.score > 0 ? ENDGAME_MOST : 0, stop, &best, out);
	if (!exact && winner.score < 0)
		return false;
	if (!exact)
		best = winner;
	out->move = out->line[0] = (qv_move)best.move;
	out->line_length = 1;
	out->proven = exact && extend(f, *s, best.score, stop, out);
	out->depth = out->line_length;
	out->score = best.score * PATTERN_DISC;
	if (out->proven)
		out->score = best.score > 0   ? QV_WIN - out->line_length
			     : best.score < 0 ? out->line_length - QV_WIN
					      : 0;
	out->considered = out->nodes;
	return true;
}

const struct finisher_ops reversi_finisher = { finisher_make, finisher_free, finisher_forget,
					       finish };
