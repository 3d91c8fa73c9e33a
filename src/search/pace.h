/*
 * pace.h - the limits of a search: nodes, evaluations, time, and the caller's stop flag.
 * SPDX-License-Identifier: MIT
 *
 * A recursion compares its node count with check_at, which costs next to nothing, and calls
 * pace_poll only when it is reached:
 *   if (nodes >= p->check_at && pace_poll(p, nodes, evals))
 *           return 0;
 */
#ifndef SEARCH_PACE_H
#define SEARCH_PACE_H

#include "search/settings.h"

struct pace {
	uint64_t check_at; /* call pace_poll at this node count */
	bool stopped;	   /* the search must end now */
	bool was_stopped;  /* ... because the caller set the stop flag */
	uint64_t node_limit, eval_limit;
	int evals_a_node; /* most evaluations that a node costs; 0: evaluations are not limited */
	const atomic_bool *stop;
	const atomic_bool *ponder; /* while true, the clock does not run; NULL: it runs */
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

/* Starts the clock. The smaller of the player's own limits and the caller's apply. */
void pace_start(struct pace *p, const struct settings *own, const struct qv_limits *limits,
		int evals_a_node);
/* Before the first node: divides the limits among workers; worker 0 also gets the remainder. */
void pace_share(struct pace *p, int id, int workers);
/* True if the search must stop now, and it stays so. Otherwise sets the next check_at. */
bool pace_poll(struct pace *p, uint64_t nodes, uint64_t evals);
/*
 * After a complete iteration: true if the next one should not be started. The soft time limit is
 * lowered if the best move has been stable, and raised if it has changed or its score has dropped.
 */
bool pace_enough(struct pace *p, const struct qv_answer *so_far);
/* For a search without iterations: makes the soft time limit the hard one. */
void pace_aim(struct pace *p);
double pace_seconds(const struct pace *p);     /* since pace_start */

/* The smallest of the two depth limits and `most`; a depth of 0 is no limit. */
int pace_depth(const struct settings *own, const struct qv_limits *limits, int most);

#endif
