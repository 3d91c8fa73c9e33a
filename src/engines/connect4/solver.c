/*
 * solver.c - connect-four solved: first whether either side can force a win, then how soon.
 * SPDX-License-Identifier: MIT
 */
#include "engines/connect4/solver.h"

#include "engines/connect4/prover.h"

struct c4_solver {
	struct qv_solver base;
	struct c4_prover prover;
	struct c4 at;
	uint64_t nodes;
};

/* Whether that player can force a four while at most `last` discs stand. */
static bool wins_by(struct c4_solver *v, bool first, int last)
{
	v->prover.last = last;
	c4_prover_clear(&v->prover);
	const bool won = first ? c4_first_wins(&v->prover, &v->at) : c4_second_wins(&v->prover, &v->at);
	v->nodes += v->prover.nodes;
	return won;
}

/*
 * The fewest discs with which the winner can have his four: he makes it with an odd number if he
 * began, with an even one if not. Short wins are cheap to look for, so those come first; then
 * the gap is halved.
 */
static int fewest_discs(struct c4_solver *v, bool first)
{
	const int discs = bits_count(v->at.all);
	int low = discs + ((discs % 2 == 0) == first ? -1 : 0);      /* not by then */
	int high = first ? C4_SQUARES - 1 : C4_SQUARES;              /* by then, it is proven */
	for (int steps = 1; high - low > 2; steps++) {
		const int half = (high - low) / 4 * 2;
		const int middle = low + (steps <= 2 && half > 4 ? 4 : half > 2 ? half : 2);
		const bool won = wins_by(v, first, middle);
		if (v->prover.stopped)
			return -1;
		if (won)
			high = middle;
		else
			low = middle;
	}
	return high;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct c4_solver *v = (struct c4_solver *)base;
	memcpy(&v->at, state, sizeof v->at);
	v->nodes = 0;
	v->prover.stop = limits->stop;
	v->prover.stopped = false;
	const int discs = bits_count(v->at.all);
	const bool first_moves = discs % 2 == 0;
	bool winner_first = true, won = wins_by(v, true, C4_SQUARES);
	if (!won && !v->prover.stopped) {
		winner_first = false;
		won = wins_by(v, false, C4_SQUARES);
	}
	out->value = v->prover.stopped ? QV_VALUE_UNKNOWN :
		     !won              ? QV_VALUE_DRAW :
		     winner_first == first_moves ? QV_VALUE_WIN : QV_VALUE_LOSS;
	if (won && limits->distance && !v->prover.stopped) {
		const int end = fewest_discs(v, winner_first);
		out->in = end < 0 ? -1 : end - discs;
	}
	out->nodes = v->nodes;
	return v->prover.stopped ? qv_fail(error, QV_STOPPED, "solve: stopped") : QV_OK;
}

static void c4_solver_free(struct qv_solver *base)
{
	struct c4_solver *v = (struct c4_solver *)base;
	c4_prover_release(&v->prover, base->allocator);
	mem_free(base->allocator, v, sizeof *v);
}

static const struct solver_ops ops = { solve, c4_solver_free };

enum qv_status c4_solver_new(const struct solver_setup *setup, struct qv_solver **out,
			     struct qv_error *error)
{
	struct c4_solver *v = mem_new(setup->allocator, 1, sizeof *v);
	if (!v)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	v->base = (struct qv_solver){ &ops, setup->allocator, *setup->rules };
	if (c4_prover_init(&v->prover, setup->allocator, setup->hash_bytes) != QV_OK) {
		mem_free(setup->allocator, v, sizeof *v);
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory for the table");
	}
	*out = &v->base;
	return QV_OK;
}
