/*
 * select.inc.h - template: the selective search for games of pieces that take one another.
 * SPDX-License-Identifier: MIT
 *
 * Principal variation search with null-move pruning, ProbCut, futility and late move pruning, late
 * move reductions, check and singular extensions, internal iterative reduction, and correction
 * history. The driver is that of duel.inc.h, which must be stamped before. With all of its keys off
 * it is plain alpha-beta and returns the same values.
 *
 * Of the game it needs, besides what stamp.inc.h asks for, QUIET and an evaluation:
 *   G_SELECT_PAWN            a pawn's worth in the evaluation's points: all margins go by it
 *   captures(s, list)        the moves that are not quiet, in the order in which `moves` lists them
 *   quiets(s, list)          all others, likewise
 *   checked(s)               the side to move is in check
 *   G_SELECT_CHECKS          the type filled by checks_init(&c, s), with which
 *                            gives_check(s, &c, move) tests whether a move gives check
 *   may_be_over(s)           false: the game goes on as long as there are legal moves
 *   pass(s)                  plays a null move; only called if the side to move is not in check
 *   pieces(s)                pieces of the side to move besides king and pawns: with several,
 *                            zugzwang is rare
 *   exchange(s, move, least) static exchange evaluation: the move wins at least `least` points
 *   gain(s, move)            points of the captured piece and of a promotion
 *   victim(s, move)          the kind of the captured piece, below SELECT_VICTIMS; 0: none
 *   place(s, move)           piece, colour and goal, below SELECT_PLACES
 *   route(move)              from and to, below SELECT_ROUTES
 *   code(move)               16 bits for the table, not TABLE_NO_MOVE: the move, or what finds it
 *   from_code(s, code)       a legal move with that code, or QV_NO_MOVE
 *   code_takes(s, code)      whether a move with that code is not quiet
 *   guess_hash(s, move)      the likely repeat_hash after the move, for prefetching; 0: unknown
 *   attacked(s)              the argument of `risk` for s
 *   risk(attacked, move)     which squares of a quiet move are attacked, below SELECT_RISKS
 *   army(s, seat)            a hash of the pieces of a seat other than pawns
 *   skeleton(s)              a hash of the pawns
 * With G_SELECT_TABLES, for games whose endgame tables are probed at inner nodes:
 *   few(s)                   a cheap test: false if no table contains the position
 *   plies_left(s)            plies until a counter may draw
 *
 * Wins and losses are always forced. A node returns a loss only if all of its moves were searched,
 * since nothing is pruned before a move that does not lose is found, and no heuristic (stand pat,
 * null move, margin) returns such a value. They need not be the shortest.
 */
#include "search/select_leaf.inc.h"

/* ---- pruning a node ---- */

/* The facts about a node that its pruning and reductions use. */
struct G(select_facts) {
	int depth, ply;
	int32_t alpha, beta;
	int32_t standing; /* the static value; SELECT_NO_VALUE in check */
	int32_t guess;	  /* ... improved by the table's bound */
	bool pv, cut, checked, improving, excepting;
	bool knows, takes; /* there is a table move; it is a capture */
	const struct table_entry *entry;
};

/*
 * Null-move pruning: if the value stays above beta even after a pass, a move would do so, too. Not
 * without pieces, where zugzwang is likely. With a single piece, or at high depth, a verification
 * search without null moves must agree.
 */
static bool G(select_null_move)(struct duel_worker *w, const G_STATE *s,
				const struct G(select_facts) * f, int32_t *value)
{
	struct select *t = w->select;
	const int depth = f->depth, ply = f->ply;
	const int32_t beta = f->beta;
	if (depth < 3 || t->plies[ply].passed || f->guess < beta ||
	    f->standing < beta - G_POINTS(20) * depth + G_POINTS(160) || !G(pieces)(s) ||
	    (ply < t->pass_from && G(seat)(s) == t->pass_seat))
		return false;
	const int32_t over = (f->guess - beta) / G_POINTS(180);
	const int less = 4 + depth / 3 + (int)(over > 3 ? 3 : over);
	if (w->nodes >= w->budget.check_at && duel_poll(w))
		return *value = 0, true;
	G_CHILD(child, w->slots, ply);
	struct select_ply *next = &t->plies[ply + 1];
	t->plies[ply].place = -1;
	*child = *s;
	G(pass)(child);
	w->nodes++;
	next->hash = G(repeat_hash)(child);
	if (w->table)
		table_prefetch(w->table, next->hash);
	w->plies[ply + 1].path_first = w->path_root + ply + 1;
	next->checked = false;
	next->passed = true;
	int32_t v = -G(select_visit)(w, child, QV_NO_MOVE, depth - less, ply + 1, -beta, 1 - beta,
				     !f->cut, QV_VISIT_PASS | QV_VISIT_REDUCED);
	if (w->budget.stopped)
		return *value = 0, true;
	if (v < beta)
		return false;
	if (duel_is_win(v))
		v = beta;
	if ((depth < 14 && G(pieces)(s) > 1) || t->pass_from) {
		*value = v;
		select_why(w, ply, QV_WHY_NULL_MOVE, v);
		return true;
	}
	t->pass_from = ply + 3 * (depth - less) / 4;
	t->pass_seat = G(seat)(s);
	t->nested++;
	const int32_t again = G(select_visit)(w, s, QV_NO_MOVE, depth - less, ply, beta - 1, beta,
					      false, QV_VISIT_VERIFY | QV_VISIT_REDUCED);
	t->nested--;
	t->pass_from = 0;
	*value = v;
	if (again >= beta && !w->budget.stopped)
		select_why(w, ply, QV_WHY_NULL_MOVE, v);
	return again >= beta || w->budget.stopped;
}

/*
 * ProbCut: a capture that exceeds beta by a margin in a shallow search will exceed it in a deep
 * one.
 */
static bool G(select_probcut)(struct duel_worker *w, const G_STATE *s,
			      const struct G(select_facts) * f, int32_t *value)
{
	struct select *t = w->select;
	const int32_t bound = f->beta + G_POINTS(180) - (f->improving ? G_POINTS(50) : 0);
	const int depth = f->depth, ply = f->ply;
	const struct table_entry *entry = f->entry;
	if (depth < 5 || duel_has_ended(f->beta) ||
	    (entry->bound != BOUND_NONE && entry->depth >= depth - 3 && entry->value < bound))
		return false;
	qv_move moves[G_MAX_MOVES];
	int64_t keys[G_MAX_MOVES];
	const int n = G(captures)(s, moves);
	G(select_order_captures)(w, s, moves, n, entry->place, keys);
	for (int i = 0; i < n; i++) {
		const qv_move move = moves[G(select_key_place)(G(select_pick)(keys, i, n))];
		if (!G(exchange)(s, move, bound - f->standing))
			continue;
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return *value = 0, true;
		G_CHILD(child, w->slots, ply);
		G(select_play)(w, s, move, child, ply);
		t->plies[ply + 1].checked = G(checked)(child);
		int32_t v = -G(select_visit)(w, child, move, 0, ply + 1, -bound, 1 - bound, !f->cut,
					     QV_VISIT_PROBE);
		if (v >= bound && !w->budget.stopped)
			v = -G(select_visit)(w, child, move, depth - 4, ply + 1, -bound, 1 - bound,
					     !f->cut, QV_VISIT_PROBE | QV_VISIT_AGAIN);
		if (w->budget.stopped)
			return *value = 0, true;
		if (v >= bound && !duel_is_win(v)) {
			*value = v;
			if (w->listener)
				duel_extend_line(w, ply, move);
			select_why(w, ply, QV_WHY_CUT, v);
			return true;
		}
	}
	return false;
}

/* Whether captures alone, with a null window, bring the value above alpha. */
static int32_t G(select_razor)(struct duel_worker *w, const G_STATE *s, int ply, int32_t alpha)
{
	if (!w->listener)
		return G(select_quiesce)(w, s, ply, alpha, alpha + 1, 1);
	w->select->nested++;
	G(select_enter)
	(w, s, QV_NO_MOVE, 0, ply, alpha, alpha + 1, QV_VISIT_VERIFY | QV_VISIT_QUIET);
	const int32_t value = G(select_quiesce)(w, s, ply, alpha, alpha + 1, 1);
	select_leave(w, ply, alpha, value);
	w->select->nested--;
	return value;
}

/* True if the node is pruned before its moves are searched: then *value is its value. */
static bool G(select_prunes_node)(struct duel_worker *w, const G_STATE *s,
				   const struct G(select_facts) * f, int32_t *value)
{
	const struct select *t = w->select;
	if (f->pv || f->checked || f->excepting || duel_has_ended(f->alpha) ||
	    duel_has_ended(f->beta))
		return false;
	/* Reverse futility pruning: far above beta near the leaves. */
	if (t->futility && f->depth < 9 &&
	    f->guess - G_POINTS(75) * (f->depth - f->improving) >= f->beta) {
		*value = f->beta + (f->guess - f->beta) / 3;
		select_why(w, f->ply, QV_WHY_FUTILE, *value);
		return true;
	}
	/* Razoring: so far below alpha that only captures can help. */
	if (t->futility && f->depth < 4 &&
	    f->guess + G_POINTS(180) * f->depth + G_POINTS(60) <= f->alpha) {
		*value = G(select_razor)(w, s, f->ply, f->alpha);
		if (*value <= f->alpha && !duel_is_loss(*value)) {
			if (!w->budget.stopped)
				select_why(w, f->ply, QV_WHY_RAZOR, *value);
			return true;
		}
		if (w->budget.stopped)
			return true;
	}
	if (t->null_move && G(select_null_move)(w, s, f, value))
		return true;
	return t->probcut && G(select_probcut)(w, s, f, value);
}

/* ---- pruning moves ---- */

/* Late move pruning: after that many moves, quiet ones that give no check are pruned. */
static inline bool G(select_is_late)(const struct select *t, const struct G(select_facts) * f,
				     int tried)
{
	return t->late && tried >= (4 + f->depth * f->depth) / (f->improving ? 1 : 2);
}

/* Futility pruning: what a quiet move with `left` plies to search can reach at most. */
static inline int32_t G(select_futile_bound)(const struct G(select_facts) * f, int left)
{
	return f->standing + G_POINTS(90) + G_POINTS(85) * (left > 0 ? left : 0);
}

/* Futility pruning: whether a quiet move with `left` plies to search is unlikely to reach alpha. */
static inline bool G(select_is_futile)(const struct select *t, const struct G(select_facts) * f,
				       int left)
{
	return t->futility && !f->checked && left < 9 &&
	       G(select_futile_bound)(f, left) <= f->alpha;
}

/* Reports to a listener that a move, or the rest of the quiet moves, is left out. */
static inline bool G(select_leaves_out)(const struct duel_worker *w, int ply, int tried)
{
	select_why(w, ply, QV_WHY_LATE, tried);
	return true;
}

/*
 * Whether a move, not the first one, is pruned. *rest: so are all later quiet moves that give no
 * check.
 */
static bool G(select_prunes_move)(struct duel_worker *w, const G_STATE *s, qv_move move, bool quiet,
				 bool check, int tried, int score, const struct G(select_facts) * f,
				 bool *rest)
{
	const struct select *t = w->select;
	int less = t->lmr ? select_reduction(t, f->depth, tried) : 0;
	if (quiet)
		less -= score / 8;
	const int left = f->depth - (less > 0 ? less / SELECT_ONE : 0);
	if (!quiet)
		return t->exchange && f->depth < 8 && score < 0 &&
		       !G(exchange)(s, move, -G_POINTS(90) * f->depth) &&
		       G(select_leaves_out)(w, f->ply, tried);
	if (!check && G(select_is_late)(t, f, tried)) {
		*rest = true;
		return G(select_leaves_out)(w, f->ply, tried);
	}
	if (!check && t->late && f->depth < 5 && score < -3600 * f->depth)
		return G(select_leaves_out)(w, f->ply, tried);
	if (!check && G(select_is_futile)(t, f, left)) {
		*rest = true;
		select_why(w, f->ply, QV_WHY_FUTILE, G(select_futile_bound)(f, left));
		return true;
	}
	const int near = left > 0 ? left : 0;
	return t->exchange && left < 9 && !G(exchange)(s, move, -G_POINTS(22) * near * near) &&
	       G(select_leaves_out)(w, f->ply, tried);
}

/*
 * Singular extension: if every other move fails low against the table's value minus a margin, the
 * table move is extended by one ply, or by two if they fail by far. If others are as good, it is
 * reduced (negative extension). Sets *value if several moves exceed beta, so that the node is cut
 * off (multi-cut).
 */
static int G(select_singular)(struct duel_worker *w, const G_STATE *s, qv_move move,
			      const struct G(select_facts) * f, int32_t *value)
{
	struct select *t = w->select;
	const struct table_entry *entry = f->entry;
	const int32_t known = entry->value, bar = known - G_POINTS(2) * f->depth;
	if (f->depth < 7 || f->excepting || !f->ply || entry->depth < f->depth - 3 ||
	    (entry->bound != BOUND_LOWER && entry->bound != BOUND_EXACT) || duel_has_ended(known))
		return 0;
	t->plies[f->ply].except = move;
	t->nested++;
	const int32_t v = G(select_visit)(w, s, QV_NO_MOVE, (f->depth - 1) / 2, f->ply, bar - 1,
					  bar, f->cut, QV_VISIT_VERIFY);
	t->nested--;
	t->plies[f->ply].except = QV_NO_MOVE;
	w->plies[f->ply].line_length = 0;
	if (w->budget.stopped)
		return 0;
	if (v < bar)
		return !f->pv && v < bar - G_POINTS(20) && f->ply < 2 * w->iteration ? 2 : 1;
	if (bar >= f->beta && !f->pv) {
		*value = bar;
		select_why(w, f->ply, QV_WHY_CUT, bar);
		return 0;
	}
	return known >= f->beta ? -2 : f->cut ? -1 : 0;
}

/* Late move reduction: plies by which the first search of a late move is reduced. */
static int G(select_reduce)(const struct duel_worker *w, const struct G(select_facts) * f,
			    bool quiet, int tried, int score)
{
	const struct select *t = w->select;
	if (!t->lmr || f->depth < 3 || tried < 2 + f->pv)
		return 0;
	int less = select_reduction(t, f->depth, tried);
	less += f->cut ? SELECT_ONE + (f->knows ? 0 : SELECT_ONE / 2) : 0;
	less -= f->pv ? SELECT_ONE : 0;
	less += f->improving ? 0 : SELECT_ONE / 2;
	less -= t->plies[f->ply + 1].checked ? SELECT_ONE / 2 : 0;
	less += quiet && f->takes ? SELECT_ONE : 0;
	if (!quiet)
		less -= score < 0 ? SELECT_ONE / 2 : 2 * SELECT_ONE;
	else if (score >= G(SELECT_KILLER))
		less -= SELECT_ONE;
	else
		less -= score / 8;
	return less > 0 ? less / SELECT_ONE : 0;
}

/* ---- nodes ---- */

/*
 * The value of a child by principal variation search: null window first, then the full window. A
 * reduced move that turns out far better than the best one is searched a ply deeper, one that is
 * hardly better a ply shallower.
 */
static int32_t G(select_attempt)(struct duel_worker *w, const G_STATE *child, qv_move move,
				 int depth, int less, int ply, int32_t best, int32_t alpha,
				 int32_t beta, bool first, bool cut)
{
	const bool pv = beta > alpha + 1;
	const unsigned early = w->select->early, scout = pv ? QV_VISIT_SCOUT : 0;
	unsigned again = 0;
	int32_t v = alpha + 1;
	if (!first || !pv) {
		const bool reduced = less > 0;
		const int shallow = depth - less > 1 || !reduced ? depth - less : 1;
		v = -G(select_visit)(w, child, move, shallow, ply, -alpha - 1, -alpha,
				     first ? !cut : reduced || !cut,
				     early | scout | (shallow < depth ? QV_VISIT_REDUCED : 0));
		again = QV_VISIT_AGAIN;
		if (v > alpha && shallow < depth && best > -QV_MAX_EVAL) {
			depth += v > best + G_POINTS(45) + G_POINTS(2) * depth;
			depth -= v < best + G_POINTS(9);
		}
		if (v > alpha && shallow < depth && !w->budget.stopped)
			v = -G(select_visit)(w, child, move, depth, ply, -alpha - 1, -alpha, !cut,
					     early | scout | again);
	}
	if (pv && v > alpha && (first || v < beta) && !w->budget.stopped)
		v = -G(select_visit)(w, child, move, depth, ply, -beta, -alpha, false,
				     early | again);
	return v;
}

/* For a listener: why a move is tried early, and whether it is extended. */
static unsigned G(select_early)(int score, int more)
{
	return (score == G(SELECT_FIRST)				  ? QV_VISIT_TABLE
		: score > G(SELECT_KILLER) && score < G(SELECT_TAKES) / 2 ? QV_VISIT_KILLER
									  : 0) |
	       (more > 0 ? QV_VISIT_EXTENDED : 0) | (more < 0 ? QV_VISIT_REDUCED : 0);
}

/* For a listener: why the quiet moves are not listed that give no check. */
static void G(select_note_why)(struct G(select_picker) * p, const struct select *t,
			       const struct G(select_facts) * f, int tried)
{
	const bool late = G(select_is_late)(t, f, tried);
	p->why = late ? QV_WHY_LATE : QV_WHY_FUTILE;
	p->number = late ? tried : G(select_futile_bound)(f, f->depth);
}

/* Searches the moves of a node. Sets *code to that of the best one if any raised alpha. */
static int32_t G(select_moves)(struct duel_worker *w, const G_STATE *s,
			       const struct G(select_facts) * f, int32_t alpha, int *code)
{
	struct select *t = w->select;
	const struct qv_listener *l = w->listener;
	const int ply = f->ply, depth = f->depth;
	const qv_move except = t->plies[ply].except;
	const int32_t beta = f->beta;
	int32_t best = -DUEL_INFINITE;
	struct G(select_tried) tried_moves;
	struct G(select_picker) picker;
	G_SELECT_CHECKS checks;
	bool no_quiets = false, may_leave_out = false;
	int tried = 0, seen = 0, score;
	qv_move move;
	tried_moves.quiet_count = tried_moves.take_count = 0;
	G(select_begin)(&picker, s, f->entry->place);
	G(checks_init)(&checks, s);
	for (; G(select_next)(w, s, &checks, &picker, ply, &move, &score); seen++) {
		const bool quiet = G(quiet)(s, move), first = !tried;
		if (move == except)
			continue;
		G(select_prefetch)(w, s, move);
		const bool check = G(gives_check)(s, &checks, move);
		if (may_leave_out &&
		    G(select_prunes_move)(w, s, move, quiet, check, tried, score, f, &no_quiets)) {
			w->unproven++;
			if (no_quiets)
				G(select_drop_quiets)(s, &checks, &picker);
			no_quiets = false;
			continue;
		}
		int more = 0;
		if (t->singular && !t->proving && score == G(SELECT_FIRST)) {
			int32_t several = SELECT_NO_VALUE;
			more = G(select_singular)(w, s, move, f, &several);
			if (several != SELECT_NO_VALUE)
				return several;
		}
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		G_CHILD(child, w->slots, ply);
		G(select_play)(w, s, move, child, ply);
		t->plies[ply + 1].checked = check;
		if (quiet)
			t->plies[ply].count =
				G(select_count)(t, s, G(select_attacked)(&picker, s), move);
		tried++;
		if (t->extend && !t->proving && !more && t->plies[ply + 1].checked &&
		    ply < 2 * w->iteration && (f->pv || G(exchange)(s, move, 0)))
			more = 1;
		if (l && l->branch)
			l->branch(l->ctx, G_BYTES(s), move, ply, alpha, beta);
		if (l)
			t->early = G(select_early)(score, more);
		const int less = t->proving ? 0 : G(select_reduce)(w, f, quiet, tried, score);
		const int32_t v = G(select_attempt)(w, child, move, depth - 1 + more, less, ply + 1,
						    best, alpha, beta, first, f->cut);
		if (w->budget.stopped)
			return best;
		if (l && l->node)
			l->node(l->ctx, move, ply, v, v >= beta);
		if (v > best)
			best = v;
		may_leave_out = !duel_is_loss(best) && !t->proving;
		picker.checks_only = may_leave_out && (G(select_is_late)(t, f, tried) ||
						       G(select_is_futile)(t, f, depth));
		if (l && picker.checks_only)
			G(select_note_why)(&picker, t, f, tried);
		if (v > alpha) {
			alpha = v;
			*code = G(code)(move);
			duel_extend_line(w, ply, move);
			if (v >= beta) {
				const uint64_t attacked = quiet ? picker.attacked : 0;
				select_why(w, ply, QV_WHY_CUT, v);
				G(select_reward)(w, s, attacked, move, depth, ply, &tried_moves);
				return best;
			}
		}
		if (quiet && tried_moves.quiet_count < SELECT_TRIED)
			tried_moves.quiets[tried_moves.quiet_count++] = move;
		if (!quiet && tried_moves.take_count < SELECT_TRIED)
			tried_moves.takes[tried_moves.take_count++] = move;
	}
	return seen ? best : G(select_end)(w, s, ply);
}

/* The best value for the seat to move. cut: an expected cut node. Fail-soft. */
static int32_t G(select_node)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
			      int32_t alpha, int32_t beta, bool cut)
{
	struct select *t = w->select;
	struct select_ply *here = &t->plies[ply];
	if (depth <= 0)
		return G(select_horizon)(w, s, ply, alpha, beta);

	/* Step 1. End of the game, endgame tables, maximum ply, mate distance pruning. */
	int32_t value;
	const int older_repeated = w->oldest_repeated;
	w->plies[ply].line_length = 0;
	w->oldest_repeated = INT_MAX;
	if (G(select_over)(w, s, ply, &value) || G(select_probe)(w, s, ply, &value))
		return duel_leave_path(w, ply, older_repeated), value;
	if (ply >= DUEL_MAX_PLY - 2)
		return duel_leave_path(w, ply, older_repeated), G(select_deepest)(w, s, ply);
	const bool excepting = here->except != QV_NO_MOVE;
	if (beta > QV_WIN - ply - 1)
		beta = QV_WIN - ply - 1;
	if (alpha < ply - QV_WIN)
		alpha = ply - QV_WIN;
	if (alpha >= beta) {
		select_why(w, ply, QV_WHY_MATE, alpha);
		return duel_leave_path(w, ply, older_repeated), alpha;
	}

	/* Step 2. Transposition table. */
	struct table_entry entry = { .place = TABLE_NO_MOVE };
	const bool remembers = w->table && !excepting;
	const uint64_t key = w->exact ? duel_key(w, G(hash)(s), ply) + t->proving : here->hash;
	const bool pv = beta > alpha + 1;
	if (remembers && G(select_look_up)(w, key, depth, ply, alpha, beta, pv, &entry))
		return duel_leave_path(w, ply, older_repeated), entry.value;

	/* Step 3. Static value, and whether it improves on that of two or four plies ago. */
	const bool selective = !t->proving;
	if (here->checked || !selective)
		here->standing = SELECT_NO_VALUE;
	else if (!excepting)
		here->standing = G(select_standing)(w, s, ply);
	const int32_t standing = here->standing;
	const int32_t before =
		here[-2].standing != SELECT_NO_VALUE ? here[-2].standing : here[-4].standing;
	struct G(select_facts) f = {
		.depth = depth, .ply = ply, .alpha = alpha, .beta = beta, .standing = standing,
		.guess = here->checked ? standing : G(select_guess)(&entry, standing),
		.pv = pv, .cut = cut, .checked = here->checked, .excepting = excepting,
		.entry = &entry, .knows = entry.place != TABLE_NO_MOVE,
		.takes = entry.place != TABLE_NO_MOVE && G(code_takes)(s, entry.place),
		.improving = !here->checked && before != SELECT_NO_VALUE && standing > before
	};

	/* Step 4. Prune the node: futility, razoring, null move, ProbCut. */
	if (selective && G(select_prunes_node)(w, s, &f, &value))
		return duel_leave_path(w, ply, older_repeated), value;

	/* Step 5. Internal iterative reduction: no table move, so search a ply less. */
	if (t->iir && w->table && selective && depth > 3 && entry.place == TABLE_NO_MOVE &&
	    !excepting && (pv || cut))
		f.depth = depth - 1;

	/* Step 6. Search the moves. */
	int code = entry.place;
	int best_code = TABLE_NO_MOVE;
	int32_t best = G(select_moves)(w, s, &f, alpha, &best_code);
	if (best == -DUEL_INFINITE)
		best = alpha; /* the excluded move is the only one */
	if (best_code != TABLE_NO_MOVE)
		code = best_code;

	/*
	 * Step 7. Store the value, unless it is a draw by repetition on this path; update
	 * histories.
	 */
	const bool path_bound = w->oldest_repeated < w->path_root + ply && (best == 0 || w->exact);
	const bool shallow = !w->exact && entry.depth >= depth + SELECT_DEEPER &&
			     (best >= beta || best_code == TABLE_NO_MOVE);
	if (remembers && !w->budget.stopped && !path_bound && !shallow)
		G(select_store)(w, key, depth, ply, best, alpha, beta, code);
	if (t->correct && selective && !excepting && !here->checked && !w->budget.stopped &&
	    !duel_has_ended(best) && !(best >= beta && best < standing) &&
	    !(best <= alpha && best > standing) &&
	    (best_code == TABLE_NO_MOVE || G(quiet)(s, w->plies[ply].line[0])))
		G(select_update_correction)(t, s, depth, best - standing);
	if (best_code == TABLE_NO_MOVE && selective && !excepting && !w->budget.stopped)
		G(select_reward_parent)(t, depth, ply);
	duel_leave_path(w, ply, older_repeated);
	return best;
}

/* ---- the root ---- */

/* Lists the root's moves in the order of the move picker. */
static void G(select_prepare)(struct duel_worker *w)
{
	struct select *t = w->select;
	G_ROOT(root, w->game, w->root_state);
	struct G(select_picker) picker;
	G_SELECT_CHECKS checks;
	qv_move move;
	int score;
	struct table_entry entry = { .place = TABLE_NO_MOVE };
	select_start(t);
	t->plies[0].hash = G(repeat_hash)(root);
	t->plies[0].checked = G(checked)(root);
	w->root_seat = G(seat)(root);
	w->root_static = G(select_static)(w, root, t->plies[0].hash);
	if (!t->plies[0].checked)
		t->plies[0].standing = G(select_standing)(w, root, 0);
	if (w->table && !w->exact)
		table_get(w->table, t->plies[0].hash, &entry);
	G(select_begin)(&picker, root, entry.place);
	G(checks_init)(&checks, root);
	for (w->root_count = 0; G(select_next)(w, root, &checks, &picker, 0, &move, &score);)
		w->root[w->root_count++] = (struct root_move){ move, 0 };
}

/* One pass over the root's moves. The first is searched in full, later ones are reduced. */
static int32_t G(select_search)(struct duel_worker *w, int depth, int32_t alpha, int32_t beta)
{
	struct select *t = w->select;
	G_ROOT(root, w->game, w->root_state);
	const struct table_entry nothing = { .place = TABLE_NO_MOVE };
	const struct G(select_facts)
		f = { .depth = depth, .pv = true, .improving = true, .entry = &nothing };
	struct duel_root r = { alpha, beta, -DUEL_INFINITE, alpha, 0 };
	int32_t unused;
	const uint64_t attacked = G(attacked)(root);
	const struct G(select_counts) counts = G(select_counts)(w, root, attacked, 0);
	w->oldest_repeated = INT_MAX;
	G(select_over)(w, root, 0, &unused);
	if (w->listener)
		G(select_enter)(w, root, QV_NO_MOVE, depth, 0, alpha, beta, w->pass_flags);
	t->early = 0;
	for (int i = 0; i < w->root_count; i++) {
		struct root_move *m = &w->root[i];
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return r.best;
		duel_report_root_move(w, i, depth);
		const bool quiet = G(quiet)(root, m->move);
		const int score = quiet ? G(select_quiet_score)(&counts, root, m->move) : 0;
		G_CHILD(child, w->slots, 0);
		G(select_play)(w, root, m->move, child, 0);
		t->plies[1].checked = G(checked)(child);
		if (quiet)
			t->plies[0].count = G(select_count)(t, root, attacked, m->move);
		const int32_t from = duel_root_alpha(w, &r, G_BYTES(root), m->move);
		const bool shown = w->random && i;
		const int less =
			t->proving || shown ? 0 : G(select_reduce)(w, &f, quiet, i + 1, score);
		const int32_t v = G(select_attempt)(w, child, m->move, depth - 1, less, 1, r.best,
						    from, beta, i == 0 || shown, false);
		if (w->budget.stopped)
			break;
		if (duel_root_take(w, &r, m, v)) {
			select_why(w, 0, QV_WHY_CUT, v);
			break;
		}
	}
	if (w->listener && !w->budget.stopped)
		visit_leave(w->listener, 0, r.best, r.best > alpha ? w->best_move : QV_NO_MOVE);
	return r.best;
}

static const struct duel_ops G(select_ops) = { .prepare = G(select_prepare),
					       .search = G(select_search) };

#undef G_POINTS
#undef G_SELECT_TABLES
