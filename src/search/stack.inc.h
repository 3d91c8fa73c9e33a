/*
 * stack.inc.h - template: the two-player search with an explicit stack, as in the book, for
 * languages without recursion.
 * SPDX-License-Identifier: MIT
 *
 * Visits the same nodes as duel_node, in the same order and with the same values. Frame p of
 * w->frames is the node at ply p; its position is in slot p - 1, its moves in slot p. The loop does
 * one of three things: it opens a node, tries its next move (which opens a node one ply deeper), or
 * returns a value to the parent.
 */
#if G_DYNAMIC
#define G_STORED(name, slots, ply) G_CHILD(name, slots, ply)
#else
#define G_STORED(name, slots, ply) G_STATE *const name = (slots)[ply].state
#endif

/* Whether a move is first searched with a null window (negascout). */
static inline bool G(stack_scouts)(const struct duel_worker *w, int32_t alpha, int32_t beta,
				   bool later)
{
	return w->scout && later && alpha + 1 < beta;
}

/* Whether the null window left the value open, so that the move must be searched again. */
static inline bool G(stack_asks_again)(const struct duel_worker *w, int32_t alpha, int32_t beta,
				       int depth, int32_t v)
{
	return v > alpha && v < beta && !w->budget.stopped && depth;
}

/* Sets depth and window of a child's frame, by the kind of search. */
static void G(stack_hand_down)(struct duel_worker *w, int ply, int depth, int32_t alpha,
			       int32_t beta, bool turns, bool scouted)
{
	struct stack_frame *f = &w->frames[ply];
	if (!w->prune) {
		alpha = -DUEL_INFINITE;
		beta = DUEL_INFINITE;
	} else if (scouted) {
		beta = alpha + 1;
	} else if (!w->deep) {
		beta = DUEL_INFINITE;
	}
	f->depth = depth;
	f->alpha = turns ? -beta : alpha;
	f->beta = turns ? -alpha : beta;
}

/* What happens at a node that is opened. True: *value is its value. */
static bool G(stack_begin)(struct duel_worker *w, int ply, int32_t *value)
{
	G_STORED(s, w->slots, ply - 1);
	struct stack_frame *f = &w->frames[ply];
	struct table_entry entry = { .place = TABLE_NO_MOVE };
	int32_t points[QV_MAX_SEATS];
	if (!f->depth) {
		*value = G(duel_horizon)(w, s, ply, f->alpha, f->beta);
		return true;
	}
	w->plies[ply].line_length = 0;
	if (G(result)(s, points) != QV_GOING) {
		*value = duel_ended_value(G(leaf_points)(s, points), ply);
		duel_tell(w, ply, QV_WHY_ENDED, *value);
		return true;
	}
	f->older_repeated = w->oldest_repeated;
	if (G_HAS_REPEATED)
		w->oldest_repeated = INT_MAX;
	bool known = G(duel_repeats)(w, s, ply, value);
	if (known)
		duel_tell(w, ply, QV_WHY_REPEATED, *value);
	if (!known && w->table && f->depth > 1) {
		f->key = G(duel_table_key)(w, s, ply);
		known = duel_look_up(w, f->key, f->depth, ply, f->alpha, f->beta, &entry);
		*value = entry.value;
		if (known)
			duel_tell(w, ply, QV_WHY_TABLE, *value);
	}
	if (known) {
		duel_leave_path(w, ply, f->older_repeated);
		return true;
	}
	f->n = G(moves)(s, w->slots[ply].moves);
	f->guessed = w->unproven + w->evals;
	f->scored = w->ordered || duel_has_kept(w, ply) || entry.place < f->n;
	if (w->listener)
		duel_watch_order(w, ply, f->scored,
				 entry.place < f->n ? w->slots[ply].moves[entry.place]
						    : QV_NO_MOVE);
	if (f->scored)
		G(duel_order)(w, s, w->slots[ply].moves, f->n, ply, entry.place);
	f->cursor = (struct duel_cursor){ 0 };
	f->low = f->alpha;
	f->best = -DUEL_INFINITE;
	f->place = TABLE_NO_MOVE;
	f->later = false;
	return false;
}

/*
 * Opens the node at a ply, whose frame has its window and depth. flags: how, for a listener. True:
 * *value is its value.
 */
static bool G(stack_open)(struct duel_worker *w, int ply, int32_t *value, unsigned flags)
{
	G_STORED(s, w->slots, ply - 1);
	const struct stack_frame *f = &w->frames[ply];
	if (w->listener)
		duel_watch_enter(w, G_BYTES(s), G(seat)(s), ply, f->depth, f->alpha, f->beta,
				 flags);
	return G(stack_begin)(w, ply, value);
}

/* Closes a node after its last move or a cut-off: stores and returns its value. */
static int32_t G(stack_close)(struct duel_worker *w, int ply)
{
	const struct stack_frame *f = &w->frames[ply];
	const bool path_bound = w->oldest_repeated < w->path_root + ply;
	if (w->table && f->depth > 1 && !path_bound)
		duel_store(w, f->key, f->depth, ply, f->best, f->alpha, f->beta, f->place,
			   f->guessed == w->unproven + w->evals);
	duel_leave_path(w, ply, f->older_repeated);
	if (f->best > f->alpha && f->best < f->beta)
		duel_add_best(&w->plies[ply], w->killers, w->plies[ply].line[0]);
	return f->best;
}

/* Plays the node's next move into the slot of its ply; false: no more moves, or stopped. */
static bool G(stack_try_next)(struct duel_worker *w, int ply)
{
	G_STORED(s, w->slots, ply - 1);
	G_STORED(child, w->slots, ply);
	struct stack_frame *f = &w->frames[ply];
	const struct qv_listener *l = w->listener;
	f->move = G(duel_next)(w, s, w->slots[ply].moves, f->n, ply, f->scored, &f->cursor);
	if (f->move == QV_NO_MOVE || (w->nodes >= w->budget.check_at && duel_poll(w)))
		return false;
	G(copy_play)(child, s, f->move);
	w->nodes++;
	G(duel_note_move)(w, s, f->move, child, ply);
	if (l && l->branch)
		l->branch(l->ctx, G_BYTES(s), f->move, ply, w->literal ? -DUEL_INFINITE : f->low,
			  f->beta);
	if (l)
		duel_watch_move(w, ply, f->move,
				!w->literal && f->move == w->slots[ply].moves[f->cursor.place]);
	f->turns = G(duel_turns)(s, child);
	f->scouted = G(stack_scouts)(w, f->low, f->beta, f->later);
	G(stack_hand_down)(w, ply + 1, f->depth - 1, f->low, f->beta, f->turns, f->scouted);
	return true;
}

/* Processes the value of the move just searched. True: a beta cut-off. */
static bool G(stack_take)(struct duel_worker *w, int ply, int32_t v)
{
	G_STORED(s, w->slots, ply - 1);
	struct stack_frame *f = &w->frames[ply];
	const struct qv_listener *l = w->listener;
	f->later = true;
	if (l && l->node)
		l->node(l->ctx, f->move, ply, v, v >= f->beta);
	if (v <= f->best)
		return false;
	f->best = v;
	f->place = f->cursor.place;
	if (v <= f->low)
		return false;
	f->low = v;
	duel_extend_line(w, ply, f->move);
	if (v < f->beta)
		return false;
	duel_tell(w, ply, QV_WHY_CUT, v);
	if (w->ordered)
		G(duel_reward)(w, s, f->move, f->depth, ply);
	return true;
}

/*
 * The value of the position in slot 0, whose frame has its depth and window; 0 if stopped. flags: of
 * its visit.
 */
static int32_t G(stack_loop)(struct duel_worker *w, unsigned flags)
{
	int ply = 1;
	int32_t value = 0;
	bool known = G(stack_open)(w, ply, &value, flags);
	while (!w->budget.stopped && !(known && ply == 1)) {
		if (!known && G(stack_try_next)(w, ply)) {
			flags = w->frames[ply].scouted ? QV_VISIT_SCOUT : 0;
			known = G(stack_open)(w, ++ply, &value, flags);
			continue;
		}
		if (!known) {
			value = w->budget.stopped ? 0 : G(stack_close)(w, ply);
			known = true;
			continue;
		}
		if (w->listener)
			duel_watch_leave(w, ply, value, duel_line_move(w, ply));
		struct stack_frame *f = &w->frames[--ply];
		const int32_t v = f->turns ? -value : value;
		if (f->scouted && G(stack_asks_again)(w, f->low, f->beta, f->depth - 1, v)) {
			f->scouted = false;
			G(stack_hand_down)(w, ply + 1, f->depth - 1, f->low, f->beta, f->turns,
					   false);
			known = G(stack_open)(w, ++ply, &value, QV_VISIT_AGAIN);
		} else if (G(stack_take)(w, ply, v)) {
			value = G(stack_close)(w, ply);
		} else {
			known = false;
		}
	}
	if (w->listener)
		duel_watch_leave(w, 1, value, duel_line_move(w, 1));
	return value;
}

/* The value of a root move, as duel_attempt's. */
static int32_t G(stack_value)(struct duel_worker *w, const G_STATE *child, int depth, int32_t alpha,
			      int32_t beta, bool turns, bool later)
{
	G_STORED(first, w->slots, 0);
#if G_DYNAMIC
	(void)child, (void)first;          /* the child is already in slot 0 */
#else
	*first = *child;
#endif
	unsigned flags = 0;
	if (G(stack_scouts)(w, alpha, beta, later)) {
		G(stack_hand_down)(w, 1, depth, alpha, beta, turns, true);
		const int32_t value = G(stack_loop)(w, QV_VISIT_SCOUT), v = turns ? -value : value;
		if (!G(stack_asks_again)(w, alpha, beta, depth, v))
			return v;
		flags = QV_VISIT_AGAIN;
	}
	G(stack_hand_down)(w, 1, depth, alpha, beta, turns, false);
	const int32_t value = G(stack_loop)(w, flags);
	return turns ? -value : value;
}
