/*
 * solver.c - connect-four solved: by its exact score if that is easy; if not, first whether either
 * side can force a win, then how soon.
 * SPDX-License-Identifier: MIT
 */
#include "engines/connect4/solver.h"

#include "engines/connect4/order.h"
#include "engines/connect4/prover.h"
#include "engines/connect4/score.h"

enum { EASY_NODES = 1 << 18 };      /* a hundredth of a second */

struct c4_solver {
	struct qv_solver base;
	struct c4_scorer scorer;
	struct c4_prover prover;
	struct c4 at;
	struct c4_order list;
	uint64_t nodes;
	uint64_t easy_nodes;
	qv_move move;                      /* the last that showed what it had to: see wins_by */
};

static bool wins_after(struct c4_solver *v, bool first, uint64_t move)
{
	struct c4 next = v->at;
	c4_play(&next, move);
	if (c4_has_four(next.mover ^ next.all))
		return (c4_seat(&v->at) == 0) == first && bits_count(next.all) <= v->prover.last;
	if (next.all == C4_BOARD)
		return false;
	return first ? c4_first_wins(&v->prover, &next) : c4_second_wins(&v->prover, &next);
}

/*
 * Whether that player can force a four while at most `last` discs stand. If it goes as the side to
 * move wants, v->move is a move that wins so, or holds.
 */
static bool wins_by(struct c4_solver *v, const atomic_bool *stop, bool first, int last)
{
	const bool attacks = (c4_seat(&v->at) == 0) == first;
	bool won = !attacks;
	c4_prover_start(&v->prover, last, stop);
	for (int i = 0; i < v->list.count && won != attacks; i++) {
		won = wins_after(v, first, v->list.move[i]);
		if (v->prover.stopped)
			break;
		if (won == attacks)
			v->move = v->list.move[i];
	}
	v->nodes += v->prover.nodes;
	return won;
}

/*
 * The fewest discs with which the winner can have his four: he makes it with an odd number if he
 * began, with an even one if not. Short wins are cheap to look for, so those come first; then
 * the gap is halved.
 */
static int fewest_discs(struct c4_solver *v, const atomic_bool *stop, bool first)
{
	const int discs = bits_count(v->at.all);
	int low = discs + ((discs % 2 == 0) == first ? -1 : 0);      /* not by then */
	int high = first ? C4_SQUARES - 1 : C4_SQUARES;              /* by then, it is proven */
	for (int steps = 1; high - low > 2; steps++) {
		const int half = (high - low) / 4 * 2;
		const int middle = low + (steps <= 2 && half > 4 ? 4 : half > 2 ? half : 2);
		const bool won = wins_by(v, stop, first, middle);
		if (v->prover.stopped)
			return -1;
		if (won)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* The hard way. The first move of the list stands for all when every move loses as soon. */
static void prove(struct c4_solver *v, const struct qv_solve_limits *limits,
		  struct qv_solution *out)
{
	const int discs = bits_count(v->at.all);
	const bool first_moves = discs % 2 == 0;
	c4_order_moves(&v->list, c4_playable(&v->at), v->at.mover, v->at.all);
	v->move = v->list.move[0];
	bool winner_first = true, won = wins_by(v, limits->stop, true, C4_SQUARES);
	if (!won && !v->prover.stopped) {
		winner_first = false;
		won = wins_by(v, limits->stop, false, C4_SQUARES);
	}
	if (v->prover.stopped)
		return;
	out->value = !won                        ? QV_VALUE_DRAW :
		     winner_first == first_moves ? QV_VALUE_WIN : QV_VALUE_LOSS;
	if (won && limits->distance) {
		const int end = fewest_discs(v, limits->stop, winner_first);
		out->in = end < 0 ? -1 : end - discs;
	}
	out->move = v->move;
}

/* The easy way. False: it was not easy. */
static bool score(struct c4_solver *v, const struct qv_solve_limits *limits,
		  struct qv_solution *out)
{
	const int most = limits->distance ? C4_SQUARES : 1;
	v->scorer.stop = limits->stop;
	v->scorer.most_nodes = v->easy_nodes;
	const struct c4_score found = c4_score(&v->scorer, &v->at, -most, most);
	v->nodes = v->scorer.nodes;
	if (v->scorer.stopped)
		return false;
	out->value = found.score > 0 ? QV_VALUE_WIN :
		     found.score < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
	out->in = found.score ? c4_score_end(found.score) - bits_count(v->at.all) : -1;
	out->move = found.move;
	return true;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct c4_solver *v = (struct c4_solver *)base;
	memcpy(&v->at, state, sizeof v->at);
	v->prover.stopped = false;
	if (!score(v, limits, out))
		prove(v, limits, out);
	out->nodes = v->nodes;
	return v->prover.stopped ? qv_fail(error, QV_STOPPED, "solve: stopped") : QV_OK;
}

static void c4_solver_free(struct qv_solver *base)
{
	struct c4_solver *v = (struct c4_solver *)base;
	c4_prover_release(&v->prover, base->allocator);
	c4_scorer_release(&v->scorer, base->allocator);
	mem_free(base->allocator, v, sizeof *v);
}

void c4_solver_call_easy(struct qv_solver *base, uint64_t nodes)
{
	((struct c4_solver *)base)->easy_nodes = nodes;
}

static const struct solver_ops ops = { .solve = solve, .free = c4_solver_free };

enum qv_status c4_solver_new(const struct solver_setup *setup, struct qv_solver **out,
			     struct qv_error *error)
{
	struct c4_solver *v = mem_new(setup->allocator, 1, sizeof *v);
	if (!v)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	v->base = (struct qv_solver){ &ops, setup->allocator, *setup->rules };
	v->easy_nodes = EASY_NODES;
	if (c4_scorer_init(&v->scorer, setup->allocator) != QV_OK ||
	    c4_prover_init(&v->prover, setup->allocator, setup->hash_bytes) != QV_OK) {
		c4_solver_free(&v->base);
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory for the table");
	}
	*out = &v->base;
	return QV_OK;
}
