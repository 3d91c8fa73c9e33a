/*
 * multi.h - the searches for several seats (max^n, paranoid, best-reply): what the driver (multi.c)
 * and the stamped recursions (multi.inc.h) share.
 * SPDX-License-Identifier: MIT
 *
 * Every position has a value for each seat. At the end of a game the seat with the most points has
 * won, seats that share the most points have drawn, the others have lost. A win is QV_WIN minus
 * plies; with dice it is qv_game.win, as in chance.h.
 */
#ifndef SEARCH_MULTI_H
#define SEARCH_MULTI_H

#include "search/chance.h"
#include "search/budget.h"
#include "search/root.h"
#include "search/slots.h"

enum {
	MULTI_MAX_PLY = QV_MAX_LINE, /* moves and dice rolls; no line is longer */
	MULTI_MAX_DEPTH = 100,	     /* moves */
	MULTI_NOBODY = -1,	     /* best-reply: no opponent has replied yet */
};

/* The values of a position, one for each seat. */
struct multi_values {
	double of[QV_MAX_SEATS];
	unsigned winners; /* a bit for each seat proven to win or draw; 0: not proven */
};

struct multi_ply {
	qv_move *line; /* principal variation from here */
	int line_length;
	int32_t *ranks; /* of the moves; INT32_MIN: tried already */
	int first;	/* no hash before this place can recur */
	/* For a listener: the best move of the node, and the seat whose values the visit has. */
	qv_move best;
	int seat;
};

/* What the opponents are assumed to play for. */
enum multi_variant { MULTI_MAXN, MULTI_PARANOID, MULTI_BRS };
struct multi {
	/* Switches, fixed for each search. */
	const struct qv_game *game;
	const void *weights;
	const struct qv_evaluation *custom; /* NULL: the stamp's own evaluation, inlined */
	void (*seats)(const void *state, const void *weights, int32_t *values); /* or NULL */
	const struct qv_listener *listener; /* NULL: no callback for single nodes */
	enum multi_variant variant;
	bool prune, sort, random, repeats;
	double win;   /* with chance: the value of a win */
	double bound; /* evaluations are clamped to it */

	/* Counters. */
	uint64_t nodes, evals;
	uint64_t cut; /* positions not searched because of MULTI_MAX_PLY */
	bool rests;   /* a position of the game before the root was repeated */
	struct budget budget;

	/* The root, and the best move so far of the iteration that found it. */
	void *root_state;
	struct root_moves root;
	int me;		       /* the seat that is to move there */
	bool found, best_ends; /* it ends the game with a win */
	qv_move best_move;
	struct multi_values best; /* paranoid, best-reply: only the one of `me` */
	qv_move *best_line;
	int best_length;
	struct qv_random random_numbers;

	/* Repetition: hashes of the game so far, then of the plies from the root. */
	uint64_t *hashes;
	size_t hash_room; /* capacity of hashes */
	int history_count;

	struct multi_ply *plies;
	struct slot *slots; /* for plug-ins; NULL for stamped games */

	/* The driver's own. */
	const struct multi_ops *ops;
	const struct qv_allocator *allocator;
	struct settings settings;
	struct arena arena;
	int max_depth;
	bool deepen; /* iterative deepening */
};

/* The functions of a stamp. */
struct multi_ops {
	bool dynamic; /* needs slots */
	/* Searches the root's moves to that depth; sets best_* as they get better. */
	void (*search)(struct multi *m, int depth);
};

/* Allocates all memory but for the root's moves and the history; free it with multi_free. */
enum qv_status multi_new(const struct search_setup *setup, struct multi **out,
			 struct qv_error *error);
void multi_free(struct multi *m);   /* NULL is fine */
/* As chance_run (chance.h), for two to four seats. */
enum qv_status multi_run(struct multi *m, const void *state, const struct qv_limits *limits,
			 const struct qv_listener *listener, struct qv_answer *out,
			 struct qv_error *error);

/* ---- inline, for the template ---- */

/* Called before each node: true if the search must stop now. */
static inline bool multi_must_stop(struct multi *m)
{
	return m->nodes >= m->budget.check_at && budget_poll(&m->budget, m->nodes, m->evals);
}

/* Sets the values of an ended game at that ply: sooner wins are better. */
static inline void multi_set_ended(const struct multi *m, const int32_t *points, int ply,
				   struct multi_values *out)
{
	const double win = root_averages(m->game) ? m->win - ply * CHANCE_HURRY : QV_WIN - ply;
	out->winners = root_winners(m->game->seats, points);
	const bool shared = out->winners & (out->winners - 1);
	for (int seat = 0; seat < m->game->seats; seat++)
		out->of[seat] = !(out->winners >> seat & 1) ? -win : shared ? 0 : win;
	if (m->game->stakes && !shared) {
		const double part = root_part(m->game, points);
		out->of[0] += (part - (part > 0 ? 1 : -1)) * m->win;
		out->of[1] = -out->of[0];
	}
}

/* Whether no move at this ply can have a higher value: an immediate win. */
static inline bool multi_is_most(const struct multi *m, double value, int ply)
{
	return value >= (root_averages(m->game) ? m->win : QV_WIN - (ply + 1));
}

/* Whether a child is proven to end like the first one; with two seats, whether it is proven. */
static inline bool multi_agree(const struct multi *m, unsigned winners, unsigned first)
{
	return winners && (m->game->seats == 2 || winners == first);
}

/* The line of this ply becomes the move and the line of the next ply. */
static inline void multi_extend_line(struct multi *m, int ply, qv_move move)
{
	struct multi_ply *here = &m->plies[ply];
	const struct multi_ply *next = here + 1;
	here->line[0] = move;
	for (int i = 0; i < next->line_length; i++)
		here->line[i + 1] = next->line[i];
	here->line_length = next->line_length + 1;
}

static inline void multi_new_best(struct multi *m, qv_move move, const struct multi_values *values)
{
	multi_extend_line(m, 0, move);
	m->found = true;
	m->best_move = move;
	m->best = *values;
	m->best_length = m->plies[0].line_length;
	memcpy(m->best_line, m->plies[0].line, (size_t)m->best_length * sizeof *m->best_line);
}

/* Clamps an evaluation to m->bound. */
static inline double multi_cut(const struct multi *m, int32_t value)
{
	return value > m->bound ? m->bound : value < -m->bound ? -m->bound : value;
}

/* Values for listeners. */
static inline int32_t multi_rounded(double value)
{
	return value > QV_WIN ? QV_WIN : value < -QV_WIN ? -QV_WIN : (int32_t)lround(value);
}

/* Reports what happens at the node that the listener entered last. */
static inline void multi_why(const struct multi *m, int ply, enum qv_why why,
			     const struct multi_values *values)
{
	if (__builtin_expect(m->listener != NULL, 0))
		visit_why(m->listener, ply, why, values->of[m->plies[ply].seat]);
}

/* How often the hash at `place` occurs before it; *oldest: its first occurrence. */
static inline int multi_times(const struct multi *m, int first, int place, int *oldest)
{
	int times = 0;
	for (int i = place - 1; i >= first; i--)
		if (m->hashes[i] == m->hashes[place]) {
			times++;
			*oldest = i;
		}
	return times;
}

#endif
