/*
 * solver.c - connect-four solved: first whether either side can force a win, then how soon.
 * SPDX-License-Identifier: MIT
 */
#include "engines/connect4/solver.h"

#include "engines/connect4/prover.h"

struct solver {
	struct c4_prover prover;
	struct c4 at;
	uint64_t nodes;
};

/* Whether that player can force a four while at most `last` discs stand. */
static bool wins_by(struct solver *v, bool first, int last)
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
static int fewest_discs(struct solver *v, bool first)
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

enum qv_status c4_solve(const struct qv_allocator *allocator, const void *state,
			const struct qv_solve_limits *limits, struct qv_solution *out,
			struct qv_error *error)
{
	struct solver v = { .nodes = 0 };
	memcpy(&v.at, state, sizeof v.at);
	if (c4_prover_init(&v.prover, allocator, limits->hash_bytes) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory for the table");
	v.prover.stop = limits->stop;
	const int discs = bits_count(v.at.all);
	const bool first_moves = discs % 2 == 0;
	bool winner_first = true, won = wins_by(&v, true, C4_SQUARES);
	if (!won && !v.prover.stopped) {
		winner_first = false;
		won = wins_by(&v, false, C4_SQUARES);
	}
	out->value = v.prover.stopped ? QV_VALUE_UNKNOWN :
		     !won             ? QV_VALUE_DRAW :
		     winner_first == first_moves ? QV_VALUE_WIN : QV_VALUE_LOSS;
	out->in = -1;
	if (won && limits->distance && !v.prover.stopped) {
		const int end = fewest_discs(&v, winner_first);
		out->in = end < 0 ? -1 : end - discs;
	}
	out->nodes = v.nodes;
	const bool stopped = v.prover.stopped;
	c4_prover_release(&v.prover, allocator);
	return stopped ? qv_fail(error, QV_STOPPED, "solve: stopped") : QV_OK;
}
