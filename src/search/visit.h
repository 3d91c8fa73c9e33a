/*
 * visit.h - how the searches report their visits to a listener (quevedo/visit.h).
 * SPDX-License-Identifier: MIT
 *
 * Each function accepts a listener without that callback. The searches call them only if there is
 * a listener at all, so that a search which nobody watches pays for one test of a pointer.
 */
#ifndef SEARCH_VISIT_H
#define SEARCH_VISIT_H

#include <math.h>

#include "quevedo.h"

static inline void visit_enter(const struct qv_listener *l, const struct qv_visit *visit)
{
	if (l->enter)
		l->enter(l->ctx, visit);
}

static inline void visit_why(const struct qv_listener *l, int ply, enum qv_why why, double number)
{
	if (l->why)
		l->why(l->ctx, ply, why, number);
}

static inline void visit_values(const struct qv_listener *l, int ply, const double *values)
{
	if (l->values)
		l->values(l->ctx, ply, values);
}

static inline void visit_leave(const struct qv_listener *l, int ply, double value, qv_move best)
{
	if (l->leave)
		l->leave(l->ctx, ply, value, best);
}

/* A bound of a window in whole points: `most` and beyond is open. */
static inline double visit_edge(int32_t bound, int32_t most)
{
	return bound >= most ? (double)INFINITY : bound <= -most ? -(double)INFINITY : bound;
}

/* The root of a program that looks one or two plies ahead: a full window. */
static inline void visit_enter_root(const struct qv_listener *l, const void *state, int seat,
				    int depth)
{
	visit_enter(l, &(struct qv_visit){ .state = state,
					   .move = QV_NO_MOVE,
					   .depth = depth,
					   .seat = seat,
					   .alpha = -INFINITY,
					   .beta = INFINITY });
}

#endif
