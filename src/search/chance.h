/*
 * chance.h - expectiminimax for two seats and dice: what the driver (chance.c) and the stamped
 * recursion (chance.inc.h) share.
 * SPDX-License-Identifier: MIT
 *
 * Values are doubles in [-win, win]: `win` is the value of a won game (qv_game.win), and
 * evaluations beyond it are clamped. Star1 and Star2 pruning depend on that bound.
 */
#ifndef SEARCH_CHANCE_H
#define SEARCH_CHANCE_H

#include <math.h>

#include "search/budget.h"
#include "search/root.h"
#include "search/slots.h"
#include "search/table.h"
#include "search/visit.h"

enum {
	CHANCE_MAX_PLY = 128,  /* moves and dice rolls together; no line is longer */
	CHANCE_MAX_DEPTH = 60, /* moves */
	CHANCE_KILLERS = 2,    /* moves that caused a cut-off, for each ply */
	CHANCE_HISTORY = 32,   /* positions of earlier searches that count as repeated */
	CHANCE_SAMPLES = 72,   /* sampled chains between two looks at the mean */
};

/* Deducted from a win for each ply, so that the sooner of two sure wins is better. */
#define CHANCE_HURRY (1.0 / 256)
/* The width of a null window. */
#define CHANCE_NULL (1.0 / 4096)

/* A chance node: the outcomes of one dice roll. */
struct chance_odds {
	int count;
	double total;                      /* sum of the weights */
	double *weight, *lower, *upper;    /* each outcome's weight and value bounds */
	double *first;             /* each outcome's value of Star2's probe; NAN: not probed */
};

struct chance_ply {
	struct chance_odds odds;
	int32_t *ranks;            /* of the moves; INT32_MIN: tried already */
	double first;              /* the value of the next node's first move; NAN: not known */
	qv_move best;		   /* for a listener: the best move of the node */
	qv_move killers[CHANCE_KILLERS];   /* used with the table */
};

struct chance_search {
	/* Switches, fixed for each search. */
	const struct qv_game *game;
	const void *weights;
	const struct qv_evaluation *custom;        /* NULL: the stamp's own evaluation, inlined */
	const struct qv_listener *listener;	   /* NULL: no callback for single nodes */
	unsigned flags;		   /* for the listener: QV_VISIT_... of the next visit */
	int beyond;		   /* ... plies of the quiescence search above it */
	int star;                  /* 0: no pruning at chance nodes; 1: Star1; 2: Star2 */
	bool sort, quiet, twofold, contempt;
	bool exact;                /* table entries count at their own depth only */
	int chance_cost;           /* extra plies for a move that starts a chain of outcomes */
	int samples;		   /* of such chains at the root; 0: they are searched */
	struct table *table;       /* NULL: none */
	double scale;              /* of values in the table */
	double win;

	/* Counters. */
	uint64_t nodes, evals;
	uint64_t cut;              /* positions not searched because of CHANCE_MAX_PLY */
	uint64_t recalled;	   /* values from the table, which may rest on evaluations */
	struct budget budget;

	/* The root: its moves, the best so far, and whether that ends the game with a win. */
	void *root_state;
	struct root_moves root;
	bool found, best_ends;
	qv_move best_move;
	double best_value;
	double *values;            /* of the root's moves, for margin and blunder; else NULL */
	size_t values_room;        /* capacity of values */
	double spread;             /* moves this far below the best need exact values */
	bool blunders;             /* this time it plays the worst move */
	struct qv_random random_numbers;
	qv_move chosen;            /* by the last complete iteration, for margin and blunder */
	double chosen_value;

	uint64_t path[CHANCE_HISTORY + CHANCE_MAX_PLY]; /* hashes up to this position; 0: chance */
	int path_root;             /* where the root is in it; the roots of earlier searches precede it */
	int root_seat;
	double repeat_loss;        /* what a repetition costs that seat */
	struct chance_ply *plies;
	struct slot *slots;        /* for plug-ins; NULL for stamped games */

	/* The driver's own. */
	const struct chance_ops *ops;
	const struct qv_allocator *allocator;
	struct settings settings;
	struct arena arena;
	struct table room;         /* behind `table` */
	int max_depth;
	bool deepen;               /* iterative deepening */
};

/* The functions of a stamp. */
struct chance_ops {
	bool dynamic;              /* needs slots */
	/* Searches the root's moves to that depth; sets best_* as they get better. */
	void (*search)(struct chance_search *c, int depth);
};

/* Takes all memory but for the root's moves; free it with chance_free. */
enum qv_status chance_new(const struct search_setup *setup, struct chance_search **out,
			  struct qv_error *error);
void chance_free(struct chance_search *c);     /* NULL is fine */
/* Before a new game: forgets the last one; random numbers restart from the seed. */
void chance_forget(struct chance_search *c, uint64_t seed);
/*
 * Searches within the smaller of the caller's limits and the settings'. QV_STOPPED: limits->stop
 * was set; *out is then the best answer so far. A player must be to move (QV_ILLEGAL otherwise).
 */
enum qv_status chance_run(struct chance_search *c, const void *state,
			  const struct qv_limits *limits, const struct qv_listener *listener,
			  struct qv_answer *out, struct qv_error *error);

/* Clamps an evaluation to the value of a won game. */
static inline double chance_cut(const struct chance_search *c, double value)
{
	return value > c->win ? c->win : value < -c->win ? -c->win : value;
}

/* Called before each node: true if the search must stop now. */
static inline bool chance_must_stop(struct chance_search *c)
{
	return c->nodes >= c->budget.check_at && budget_poll(&c->budget, c->nodes, c->evals);
}

/* ---- repetition: inline, for the template ---- */

/* Notes the position of a ply; true: a player was to move in it before. */
static inline bool chance_repeats(struct chance_search *c, uint64_t key, int ply)
{
	const int at = c->path_root + ply;
	c->path[at] = key;
	for (int i = at - 2; key && ply && i >= 0; i--)
		if (c->path[i] == key)
			return true;
	return false;
}

/* ---- the transposition table: inline, for the template ---- */

/* Wins are stored relative to the position, since they are worth less at each ply. */
static inline double chance_shift(const struct chance_search *c, double value, int ply)
{
	return value > c->win - 1    ? value + ply * CHANCE_HURRY
	       : value < 1 - c->win ? value - ply * CHANCE_HURRY
				     : value;
}

/* Looks a position up. True: *value decides the window. Else *place may be a move to try first. */
static inline bool chance_recall(const struct chance_search *c, uint64_t key, int depth, int ply,
				 double alpha, double beta, double *value, int *place)
{
	struct table_entry e;
	if (!table_get(c->table, key, &e))
		return false;
	*place = e.place;
	*value = chance_shift(c, e.value / c->scale, -ply);
	return (c->exact ? e.depth == depth : e.depth >= depth) &&
	       (e.bound == BOUND_EXACT ||
				    (e.bound == BOUND_LOWER && *value >= beta) ||
				    (e.bound == BOUND_UPPER && *value <= alpha));
}

static inline void chance_store(struct chance_search *c, uint64_t key, int depth, int ply,
				double value, enum bound bound, int place)
{
	const struct table_entry e = {
		.value = (int32_t)lround(chance_shift(c, value, ply) * c->scale),
		.depth = depth,
		.place = place,
		.bound = bound,
	};
	table_put(c->table, key, &e);
}

/* Remembers a move that caused a cut-off. */
static inline void chance_remember(struct chance_search *c, int ply, qv_move move)
{
	qv_move *killers = c->plies[ply].killers;
	if (killers[0] == move)
		return;
	killers[1] = killers[0];
	killers[0] = move;
}

/* ---- visits: inline, for the template ---- */

/* Reports what happens at the node that the listener entered last. */
static inline void chance_why(const struct chance_search *c, int ply, enum qv_why why,
			      double number)
{
	if (c->listener)
		visit_why(c->listener, ply, why, number);
}

/* ---- chance nodes: inline, for the template ---- */

struct chance_window {
	double alpha, beta;
};

#define CHANCE_EVERYTHING ((struct chance_window){ -INFINITY, INFINITY })

/* The window as the other seat sees it. */
static inline struct chance_window chance_turned(struct chance_window window)
{
	return (struct chance_window){ -window.beta, -window.alpha };
}

/*
 * The weighted average, always summed in the order of the list. Rounding is monotone, so the
 * average of bounds, summed in the same order, is a bound of the computed average to the last bit.
 */
static inline double chance_average(const struct chance_odds *o, const double *values)
{
	double sum = 0;
	for (int i = 0; i < o->count; i++)
		sum += o->weight[i] * values[i];
	return sum / o->total;
}

/* The window of outcome i: outside it the average leaves the window whatever the others' values. */
static inline struct chance_window chance_window_of(const struct chance_odds *o, int i,
						    struct chance_window window)
{
	double most = 0, least = 0;
	for (int j = 0; j < o->count; j++) {
		if (j == i)
			continue;
		most += o->weight[j] * o->upper[j];
		least += o->weight[j] * o->lower[j];
	}
	return (struct chance_window){ (o->total * window.alpha - most) / o->weight[i],
				       (o->total * window.beta - least) / o->weight[i] };
}

/* Whether the bounds put the average outside the window; *bound is then the fail-soft value. */
static inline bool chance_decided(const struct chance_odds *o, struct chance_window window,
				  double *bound)
{
	*bound = chance_average(o, o->upper);
	if (*bound <= window.alpha)
		return true;
	*bound = chance_average(o, o->lower);
	return *bound >= window.beta;
}

/* Narrows the bounds of outcome i by a search result: exact inside its window, a bound outside. */
static inline void chance_learn(struct chance_odds *o, int i, struct chance_window window,
				double value)
{
	if (value > window.alpha && value > o->lower[i])
		o->lower[i] = value;
	if (value < window.beta && value < o->upper[i])
		o->upper[i] = value;
}

/* Values for listeners and answers. */
static inline int32_t chance_rounded(double value)
{
	return value > QV_MAX_EVAL    ? QV_MAX_EVAL
	       : value < -QV_MAX_EVAL ? -QV_MAX_EVAL
				      : (int32_t)lround(value);
}

#endif
