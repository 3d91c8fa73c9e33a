/*
 * solver.h - the interface of solvers, which prove the values of positions: a game's own solver, or
 * one for any game.
 * SPDX-License-Identifier: MIT
 *
 * A kind of solver is a struct that begins with struct qv_solver, and one const struct solver_ops.
 */
#ifndef SEARCH_SOLVER_H
#define SEARCH_SOLVER_H

#include "base/flag.h"
#include "base/memory.h"
#include "search/engine.h"

struct solver_ops {
	/*
	 * The game has not ended; *out is initialised with an unknown value, in -1, no margin and
	 * no move. Fills in value, nodes, the move if it is known, and, if wanted, `in` and margin.
	 * QV_STOPPED as in qv_solver_solve.
	 */
	enum qv_status (*solve)(struct qv_solver *s, const void *state,
				const struct qv_solve_limits *limits, struct qv_solution *out,
				struct qv_error *error);
	void (*free)(struct qv_solver *s);
	/* The margin of a game that has ended. NULL: this solver finds no margins. */
	int32_t (*margin)(const struct qv_solver *s, const void *state);
	/* A distance takes another search, which may never end: `perfect` does without distances. */
	bool slow_distance;
};

/*
 * For solvers, every few hundred or thousand nodes: whether the limits end the run. `nodes` counts
 * all nodes of the run.
 */
static inline bool solve_must_stop(const struct qv_solve_limits *limits, uint64_t nodes)
{
	return flag_is_set(limits->stop) ||
	       (limits->nodes && nodes >= limits->nodes) ||
	       (limits->watch && !limits->watch(limits->ctx, nodes));
}

struct qv_solver {
	const struct solver_ops *ops;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
};

/* The arguments of a solver's constructor. All borrowed; it copies what it keeps. */
struct solver_setup {
	const struct qv_allocator *allocator;
	const struct engine *engine;
	const struct qv_rules *rules;
	size_t hash_bytes;                 /* size of the table; a solver may use a little more */
	const char *tables;		   /* folder of endgame tables; NULL: none */
	const struct qv_prober *prober;	   /* other tables; must outlive the solver; NULL: none */
};

/* Proof search: any game of two seats for which the engine has it. Finds no distance. */
enum qv_status prove_solver_new(const struct solver_setup *setup, struct qv_solver **out,
				struct qv_error *error);

/* Iterative deepening by negascout until the value is proven: any game of two seats. */
enum qv_status search_solver_new(const struct solver_setup *setup, struct qv_solver **out,
				 struct qv_error *error);

/* That search, for a game's own solver that finds values but no distances. */
struct distance_search {
	struct solver_setup setup; /* its pointers must stay valid */
	struct qv_solver *search;  /* NULL until a distance is requested */
};

/*
 * Completes *out, whose value is known: if the limits request the distance of a win or loss, adds
 * it and the move that wins soonest or loses latest. The move stays if *out has a margin.
 */
enum qv_status distance_add(struct distance_search *d, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error);
void distance_release(struct distance_search *d);

#endif
