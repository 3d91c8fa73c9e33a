/*
 * budget.h - what a search may use (nodes, evaluations, time), the caller's stop flag, and how long
 * to search for a move under a time control.
 * SPDX-License-Identifier: MIT
 *
 * A recursion compares its node count with check_at, which costs next to nothing, and calls
 * budget_poll only when it is reached:
 *   if (nodes >= p->check_at && budget_poll(p, nodes, evals))
 *           return 0;
 */
#ifndef SEARCH_BUDGET_H
#define SEARCH_BUDGET_H

#include "search/settings.h"

struct budget {
	uint64_t check_at; /* call budget_poll at this node count */
	bool stopped;	   /* the search must end now */
	bool was_stopped;  /* ... because of the caller's stop flag or `watch` */
	uint64_t node_limit, eval_limit;
	int evals_a_node; /* most evaluations that a node costs; 0: evaluations are not limited */
	const struct qv_flag *stop;
	const struct qv_flag *ponder; /* while true, the clock does not run; NULL: it runs */
	bool (*watch)(void *ctx, uint64_t nodes); /* false ends the search; may be NULL */
	void *watch_ctx;
	int64_t started_us, deadline_us;
	int64_t time_us, aim_us; /* hard and soft time limit; 0: none */
	bool enough;		 /* the soft limit was reached while pondering */

	/*
	 * The last iteration's best move and score, and for how many iterations it has been best.
	 */
	qv_move best;
	int32_t score;
	int steady;

	/* How often to look at the clock. */
	uint64_t interval, polled_nodes;
	int64_t polled_at;
};

/*
 * Whether the player's limit does not count: its spec has none, so it is the kind's default, and the
 * caller sets one that the kind obeys.
 */
bool budget_yields(const struct settings *own, const struct qv_limits *limits);
/*
 * Starts the clock. The smaller of the player's own limits and the caller's apply, or the caller's
 * alone (budget_yields).
 */
void budget_start(struct budget *p, const struct settings *own, const struct qv_limits *limits,
		  int evals_a_node);
/* Before the first node: divides the limits among workers; worker 0 also gets the remainder. */
void budget_divide(struct budget *p, int id, int workers);
/* True if the search must stop now, and it stays so. Otherwise sets the next check_at. */
bool budget_poll(struct budget *p, uint64_t nodes, uint64_t evals);
/*
 * After a complete iteration: true if the next one should not be started. The soft time limit is
 * lowered if the best move has been stable, and raised if it has changed or its score has dropped.
 */
bool budget_enough(struct budget *p, const struct qv_answer *so_far);
/* For a search without iterations: makes the soft time limit the hard one. */
void budget_aim(struct budget *p);
double budget_seconds(const struct budget *p);     /* since budget_start */

/*
 * The smallest of the two depth limits, if they count (as in budget_start), and `most`. A search to
 * `most` has no limit of depth, so it deepens step by step.
 */
int budget_depth(const struct settings *own, const struct qv_limits *limits, int most);

/* ---- time allocation ---- */

enum { MOVE_LAG_MS = 30 };        /* default for lag_ms */

struct move_clock {
	int64_t left_ms;           /* may be negative */
	int64_t added_ms;          /* increment after each move */
	int64_t lag_ms;            /* overhead of each move besides thinking, as on a network */
	int moves;                 /* to the next time control; 0: the time is for the whole game */
};

/*
 * How long to search for a move: one rule for protocols, matches, games at the terminal and on the
 * server. A move should take one share of the clock (aim_ms) and may take at most several
 * (time_ms); the search decides after each iteration where between the two it stops (budget_enough). Sets both
 * limits, to at least 1; a smaller limit that is already set stays.
 */
void allocate_time(const struct move_clock *clock, struct qv_limits *limits);

#endif
