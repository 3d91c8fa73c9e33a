/*
 * duel_watch.c - how the two-player searches report their visits to a listener (quevedo/visit.h).
 * SPDX-License-Identifier: MIT
 *
 * Only called if w->listener is set, so nothing here has to be fast. A listener of branches, nodes
 * and leaves need not have the functions for visits.
 */
#include "search/duel_inline.h"
#include "search/visit.h"

void duel_watch_order(struct duel_worker *w, int ply, bool by_rule, qv_move table_move)
{
	w->watch[ply].by_rule = by_rule;
	w->watch[ply].table_move = table_move;
}

/* Only what has put the move in front counts, so a counted move must be the one of the list. */
void duel_watch_move(struct duel_worker *w, int ply, qv_move move, bool listed)
{
	struct duel_watch *watch = &w->watch[ply];
	watch->move = move;
	watch->flags = 0;
	if (!listed || !watch->by_rule)
		return;
	if (watch->table_move == move)
		watch->flags |= QV_VISIT_TABLE;
	if (duel_has_kept(w, ply) && w->kept[ply] == move)
		watch->flags |= QV_VISIT_KEPT;
	for (int k = 0; k < w->killers; k++)
		if (w->plies[ply].killers[k] == move)
			watch->flags |= QV_VISIT_KILLER;
}

/* The first root move is the best one of the iteration before, or of the kept line. */
void duel_watch_root_move(struct duel_worker *w, int i, qv_move move)
{
	const bool best = w->found && move == w->best_move;
	const bool kept = w->kept_length && move == w->kept[0];
	w->watch[0].move = move;
	w->watch[0].flags = i == 0 && (best || kept) ? QV_VISIT_KEPT : 0;
}

void duel_watch_enter(const struct duel_worker *w, const void *state, int seat, int ply, int depth,
		      int32_t alpha, int32_t beta, unsigned flags)
{
	const struct duel_watch *above = &w->watch[ply ? ply - 1 : 0];
	const struct qv_visit visit = {
		.state = state,
		.move = ply && !(flags & QV_VISIT_PASS) ? above->move : QV_NO_MOVE,
		.ply = ply,
		.depth = depth,
		.seat = seat,
		.alpha = visit_edge(alpha, DUEL_INFINITE),
		.beta = visit_edge(beta, DUEL_INFINITE),
		.flags = flags | (ply && !(flags & QV_VISIT_PASS) ? above->flags : 0),
	};
	visit_enter(w->listener, &visit);
}

void duel_watch_why(const struct duel_worker *w, int ply, enum qv_why why, int32_t number)
{
	visit_why(w->listener, ply, why, number);
}

/* A search that was stopped does not leave its nodes. */
void duel_watch_leave(const struct duel_worker *w, int ply, int32_t value, qv_move best)
{
	if (!w->budget.stopped)
		visit_leave(w->listener, ply, visit_edge(value, DUEL_INFINITE), best);
}

void duel_watch_drop(struct duel_worker *w, const void *state, int seat, int ply, int depth,
		     int32_t alpha, int32_t beta, int32_t value)
{
	duel_watch_enter(w, state, seat, ply, depth, alpha, beta, 0);
	duel_watch_why(w, ply, QV_WHY_HARD, value);
	duel_watch_leave(w, ply, value, QV_NO_MOVE);
}
