/*
 * solver.c - solves connect-four.
 * SPDX-License-Identifier: MIT
 *
 * Early positions come from the shipped tables. Others are searched for their exact score: first by
 * the search that is fast for easy positions (quick_score.c), and if that takes too many nodes by
 * the one with the large table and several threads (exact_score.c).
 */
#include "games/connect4/solver.h"

#include "games/connect4/exact_score.h"

enum {
	EASY_NODES = 1 << 16, /* some thousandths of a second */
	/* up to here the tables help, and the quick search does not */
	HARD_DISCS = 11,
};

struct c4_solver {
	struct qv_solver base;
	struct c4_scorer scorer;
	struct c4_table table;
	struct c4_exact hard;
	struct c4_early early[C4_EARLY_TABLES]; /* each is read when it is first needed */
	bool without_early;
	int threads;
	uint64_t easy_nodes;
};

/*
 * The quick search first, then the exact search if that takes too long. With as many discs as a
 * table has, the score may be known, and only a move that gets it is missing. False: stopped.
 */
static bool find_score(struct c4_solver *v, const struct c4 *at, bool distance,
		       struct c4_score *out, uint64_t *nodes)
{
	const int discs = bits_count(at->all), most = distance ? C4_SQUARES : 1;
	const struct c4_early *here = discs <= C4_EARLY_MOST ? v->hard.early[discs] : NULL;
	const int known = here ? c4_early_score(here, at) : C4_EARLY_UNKNOWN;
	const int lowest = known == C4_EARLY_UNKNOWN ? -most : known - 1;
	const int highest = known == C4_EARLY_UNKNOWN ? most : known;
	bool found = false;
	*nodes = 0;
	if (discs > HARD_DISCS) {
		*out = c4_score(&v->scorer, at, lowest, highest);
		*nodes = v->scorer.nodes;
		found = !v->scorer.stopped;
	}
	if (!found) {
		v->hard.before = *nodes;
		*out = c4_parallel_score(&v->hard, &v->table, v->threads, v->base.allocator, at,
					 lowest, highest);
		*nodes += v->hard.nodes;
		found = !v->hard.stopped;
	}
	if (known != C4_EARLY_UNKNOWN)
		out->score = known;
	return found;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct c4_solver *v = (struct c4_solver *)base;
	const struct c4 *at = state;
	const int discs = bits_count(at->all);
	/* The tables help up to one disc more than the last of them has. */
	const bool early = !v->without_early && discs <= c4_early_plies[C4_EARLY_TABLES - 1] + 1;
	struct c4_score found;
	for (int i = 0; early && i < C4_EARLY_TABLES; i++) {
		if (v->early[i].codes)
			continue;
		const enum qv_status status = c4_early_shipped(&v->early[i], i, error);
		if (status != QV_OK)
			return status;
		v->hard.early[v->early[i].plies] = &v->early[i];
	}
	v->scorer.limits = v->hard.limits = limits;
	v->scorer.most_nodes = v->easy_nodes;
	v->threads = limits->threads;
	if (!find_score(v, at, limits->distance, &found, &out->nodes))
		return qv_fail(error, QV_STOPPED, "solve: stopped");
	out->value = found.score > 0   ? QV_VALUE_WIN
		     : found.score < 0 ? QV_VALUE_LOSS
				       : QV_VALUE_DRAW;
	out->in = found.score ? c4_score_end(found.score) - discs : -1;
	out->move = found.move;
	return QV_OK;
}

static void c4_solver_free(struct qv_solver *base)
{
	struct c4_solver *v = (struct c4_solver *)base;
	c4_table_release(&v->table, base->allocator);
	c4_scorer_release(&v->scorer, base->allocator);
	mem_free(base->allocator, v, sizeof *v);
}

void c4_solver_set_easy_nodes(struct qv_solver *base, uint64_t nodes)
{
	((struct c4_solver *)base)->easy_nodes = nodes;
}

void c4_solver_disable_early(struct qv_solver *base)
{
	struct c4_solver *v = (struct c4_solver *)base;
	v->without_early = true;
	for (int i = 0; i < C4_EARLY_TABLES; i++) {
		v->hard.early[c4_early_plies[i]] = NULL;
		v->early[i].codes = NULL;
	}
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
	v->hard.table = &v->table;
	if (c4_scorer_init(&v->scorer, setup->allocator) != QV_OK ||
	    c4_table_init(&v->table, setup->allocator, setup->hash_bytes) != QV_OK) {
		c4_solver_free(&v->base);
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory for the table");
	}
	c4_table_begin_small(&v->table);
	*out = &v->base;
	return QV_OK;
}
