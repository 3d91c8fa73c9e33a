/*
 * pace.h - when a search must end: nodes, evaluations, time, and the caller's stop.
 * SPDX-License-Identifier: MIT
 *
 * A recursion compares its count of nodes with check_at, which costs nothing, and asks pace_poll
 * only when it gets there:
 *   if (nodes >= p->check_at && pace_poll(p, nodes, evals))
 *           return 0;
 */
#ifndef SEARCH_PACE_H
#define SEARCH_PACE_H

#include "search/settings.h"

struct pace {
	uint64_t check_at; /* ask pace_poll when the nodes get there */
	bool stopped;	   /* the search must end now */
	bool was_stopped;  /* ... because the caller said so */
	uint64_t node_limit, eval_limit;
	int evals_a_node; /* a node costs at most so many; 0: they are not limited */
	const atomic_bool *stop;
	const atomic_bool *ponder; /* set: no time runs yet; NULL: it does */
	int64_t started_us, deadline_us;
	int64_t time_us, aim_us; /* at most, and what it should take; 0: not said */
	bool enough;		 /* it would have ended if time ran */

	/* Of the iterations so far: the best move, its score, and for how many it has been best. */
	qv_move best;
	int32_t score;
	int steady;

	/* How often to look at the clock. */
	uint64_t interval, polled_nodes;
	int64_t polled_at;
};

/* The clock runs from now on. Of the player's own limits and the caller's the smaller ones hold. */
void pace_start(struct pace *p, const struct settings *own, const struct qv_limits *limits,
		int evals_a_node);
/* Before the first node: leaves one of several workers its share; the first has what is over. */
void pace_share(struct pace *p, int id, int workers);
/* True if the search must stop now, and it stays so. Otherwise sets the next check_at. */
bool pace_poll(struct pace *p, uint64_t nodes, uint64_t evals);
/*
 * After a whole iteration: whether the next is not worth its time. There is a time to aim at; one
 * best move all along needs less of it, one that has just changed or lost its value more.
 */
bool pace_enough(struct pace *p, const struct qv_answer *so_far);
/* For a search without iterations: the time to aim at is all it gets. */
void pace_aim(struct pace *p);
double pace_seconds(const struct pace *p);

/* The smaller of the two depths and `most`; where neither is given, `most`. */
int pace_depth(const struct settings *own, const struct qv_limits *limits, int most);

#endif
