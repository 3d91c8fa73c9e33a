/*
 * select.inc.h - template: the selective search for games of pieces that take one another.
 * SPDX-License-Identifier: MIT
 *
 * It looks deep where it matters and leaves the rest early; the driver is that of duel.inc.h, which
 * must be stamped before. With all its keys off it is plain alpha-beta, and gives the same values.
 *
 * Of the game it needs, besides what stamp.inc.h asks for, QUIET and an evaluation:
 *   G_SELECT_PAWN            a pawn's worth in the evaluation's points: all margins go by it
 *   captures(s, list)        the moves that are not quiet, in the order in which `moves` lists them
 *   quiets(s, list)          all others, likewise
 *   is_legal(s, move)        whether any 16 bits are a move of that list
 *   checked(s)               who moves is under attack, and must do something about it
 *   G_SELECT_CHECKS          the type of what gives_check(s, &c, move) wants to know of s,
 *                            checks_init(&c, s): whether the move attacks so
 *   may_be_over(s)           false: as long as there are moves the game goes on
 *   pass(s)                  the turn goes to the opponent; only where nobody is in check
 *   pieces(s)                how many men who moves has besides king and pawns: with several, to
 *                            pass is hardly ever better than any move
 *   exchange(s, move, least) static exchange: the move wins `least` points or more on its square
 *   gain(s, move)            points of what the move takes and of what a pawn becomes
 *   victim(s, move)          the kind of what it takes, below SELECT_VICTIMS; 0: nothing
 *   place(s, move)           piece, colour and goal, below SELECT_PLACES
 *   route(move)              from and to, below SELECT_ROUTES
 *   code(move)               the move itself, which has 16 bits, and not TABLE_NO_MOVE
 *   guess_hash(s, move)      what repeat_hash will most likely be after the move; 0: too slow
 *   attacked(s)              whatever `risk` wants to know of s
 *   risk(attacked, move)     which squares of a quiet move are attacked, below SELECT_RISKS
 *   army(s, seat)            a hash of the men of a seat other than pawns
 *   skeleton(s)              a hash of what changes slowly: the pawns
 *
 * Wins and losses are always forced: a loss is said only of a node all of whose moves were
 * searched, since nothing is left out before a move that does not lose is found, and no guess
 * (standing still, a pass, a margin) returns such a value. They need not be the nearest.
 */
#include "search/select_leaf.inc.h"

/* ---- leaving a node early ---- */

/* What a node knows of itself before its moves. */
struct G(select_facts) {
	int depth, ply;
	int32_t alpha, beta;
	int32_t standing; /* the static value; SELECT_NO_VALUE in check */
	int32_t guess;	  /* ... made better by the table */
	bool pv, cut, checked, improving, excepting;
	bool knows, takes; /* the table has a move; which is no quiet one */
	const struct table_entry *entry;
};

/*
 * Null move: if even a pass leaves the opponent nothing, a move would leave less. Not where a pass
 * may be the best move: without pieces; and with one piece only, or far from the leaves, a search
 * of the node itself, without passes, must agree.
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
	if (w->nodes >= w->pace.check_at && duel_poll(w))
		return *value = 0, true;
	G_CHILD(child, w->slots, ply);
	G(select_play_pass)(w, s, child, ply);
	int32_t v = -G(select_node)(w, child, depth - less, ply + 1, -beta, 1 - beta, !f->cut);
	if (w->pace.stopped)
		return *value = 0, true;
	if (v < beta)
		return false;
	if (duel_is_win(v))
		v = beta;
	if ((depth < 14 && G(pieces)(s) > 1) || t->pass_from) {
		*value = v;
		return true;
	}
	t->pass_from = ply + 3 * (depth - less) / 4;
	t->pass_seat = G(seat)(s);
	const int32_t again = G(select_node)(w, s, depth - less, ply, beta - 1, beta, false);
	t->pass_from = 0;
	*value = v;
	return again >= beta || w->pace.stopped;
}

/* A capture that wins far more than needed in a shallow search will do so in a deep one. */
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
	G(select_order_takes)(w, s, moves, n, entry->place, keys);
	for (int i = 0; i < n; i++) {
		const qv_move move = moves[G(select_key_place)(G(select_pick)(keys, i, n))];
		if (!G(exchange)(s, move, bound - f->standing))
			continue;
		if (w->nodes >= w->pace.check_at && duel_poll(w))
			return *value = 0, true;
		G_CHILD(child, w->slots, ply);
		G(select_play)(w, s, move, child, ply);
		t->plies[ply + 1].checked = G(checked)(child);
		int32_t v = -G(select_horizon)(w, child, ply + 1, -bound, 1 - bound);
		if (v >= bound && !w->pace.stopped)
			v = -G(select_node)(w, child, depth - 4, ply + 1, -bound, 1 - bound,
					    !f->cut);
		if (w->pace.stopped)
			return *value = 0, true;
		if (v >= bound && !duel_is_win(v)) {
			*value = v;
			return true;
		}
	}
	return false;
}

/* True if the node need not look at its moves: then *value is its value. */
static bool G(select_leaves_early)(struct duel_worker *w, const G_STATE *s,
				   const struct G(select_facts) * f, int32_t *value)
{
	const struct select *t = w->select;
	if (f->pv || f->checked || f->excepting || duel_has_ended(f->alpha) ||
	    duel_has_ended(f->beta))
		return false;
	/* Futility from above: so far ahead, and so near the leaves. */
	if (t->futility && f->depth < 9 &&
	    f->guess - G_POINTS(75) * (f->depth - f->improving) >= f->beta) {
		*value = f->beta + (f->guess - f->beta) / 3;
		return true;
	}
	/* So far behind that only captures can help, if any. */
	if (t->futility && f->depth < 4 &&
	    f->guess + G_POINTS(180) * f->depth + G_POINTS(60) <= f->alpha) {
		*value = G(select_quiesce)(w, s, f->ply, f->alpha, f->alpha + 1, 1);
		if (*value <= f->alpha && !duel_is_loss(*value))
			return true;
		if (w->pace.stopped)
			return true;
	}
	if (t->null_move && G(select_null_move)(w, s, f, value))
		return true;
	return t->probcut && G(select_probcut)(w, s, f, value);
}

/* ---- leaving out moves ---- */

/* Whether so many moves were tried that no quiet one is worth a look, checks apart. */
static inline bool G(select_is_late)(const struct select *t, const struct G(select_facts) * f,
				     int tried)
{
	return t->late && tried >= (4 + f->depth * f->depth) / (f->improving ? 1 : 2);
}

/* Whether no quiet move, with so many plies left to search, is thought to reach alpha. */
static inline bool G(select_is_futile)(const struct select *t, const struct G(select_facts) * f,
				       int left)
{
	return t->futility && !f->checked && left < 9 &&
	       f->standing + G_POINTS(90) + G_POINTS(85) * (left > 0 ? left : 0) <= f->alpha;
}

/*
 * Whether the move, not the first one, is hardly worth a look. *rest: nor is any quiet one after,
 * checks apart.
 */
static bool G(select_leaves_out)(struct duel_worker *w, const G_STATE *s, qv_move move, bool quiet,
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
		       !G(exchange)(s, move, -G_POINTS(90) * f->depth);
	if (!check && G(select_is_late)(t, f, tried)) {
		*rest = true;
		return true;
	}
	if (!check && t->late && f->depth < 5 && score < -3600 * f->depth)
		return true;
	if (!check && G(select_is_futile)(t, f, left)) {
		*rest = true;
		return true;
	}
	const int near = left > 0 ? left : 0;
	return t->exchange && left < 9 && !G(exchange)(s, move, -G_POINTS(22) * near * near);
}

/*
 * Singular extension: if every other move falls short of what the table says of this one, it gets a
 * ply more, and if it falls far short, two; less than none where others do as well. *value, if the
 * whole node
 * can be left: several moves are too good.
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
	const int32_t v = G(select_node)(w, s, (f->depth - 1) / 2, f->ply, bar - 1, bar, f->cut);
	t->plies[f->ply].except = QV_NO_MOVE;
	w->plies[f->ply].line_length = 0;
	if (w->pace.stopped)
		return 0;
	if (v < bar)
		return !f->pv && v < bar - G_POINTS(20) && f->ply < 2 * w->iteration ? 2 : 1;
	if (bar >= f->beta && !f->pv) {
		*value = bar;
		return 0;
	}
	return known >= f->beta ? -2 : f->cut ? -1 : 0;
}

/* How many plies less than the others a late move gets at first. */
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
 * The value of a child of the node, by the windows of a principal variation search. A move that was
 * looked at with `less` plies and is far better than the best one gets a ply more, one that is
 * hardly better a ply less.
 */
static int32_t G(select_attempt)(struct duel_worker *w, const G_STATE *child, int depth, int less,
				 int ply, int32_t best, int32_t alpha, int32_t beta, bool first,
				 bool cut)
{
	const bool pv = beta > alpha + 1;
	int32_t v = alpha + 1;
	if (!first || !pv) {
		const bool reduced = less > 0;
		const int shallow = depth - less > 1 || !reduced ? depth - less : 1;
		v = -G(select_node)(w, child, shallow, ply, -alpha - 1, -alpha,
				    first ? !cut : reduced || !cut);
		if (v > alpha && shallow < depth && best > -QV_MAX_EVAL) {
			depth += v > best + G_POINTS(45) + G_POINTS(2) * depth;
			depth -= v < best + G_POINTS(9);
		}
		if (v > alpha && shallow < depth && !w->pace.stopped)
			v = -G(select_node)(w, child, depth, ply, -alpha - 1, -alpha, !cut);
	}
	if (pv && v > alpha && (first || v < beta) && !w->pace.stopped)
		v = -G(select_node)(w, child, depth, ply, -beta, -alpha, false);
	return v;
}

/* The moves of a node. Sets *code to that of the best one, if any raised alpha. */
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
		G(select_foresee)(w, s, move);
		const bool check = G(gives_check)(s, &checks, move);
		if (may_leave_out &&
		    G(select_leaves_out)(w, s, move, quiet, check, tried, score, f, &no_quiets)) {
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
		if (w->nodes >= w->pace.check_at && duel_poll(w))
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
		const int less = t->proving ? 0 : G(select_reduce)(w, f, quiet, tried, score);
		const int32_t v = G(select_attempt)(w, child, depth - 1 + more, less, ply + 1, best,
						    alpha, beta, first, f->cut);
		if (w->pace.stopped)
			return best;
		if (l && l->node)
			l->node(l->ctx, move, ply, v, v >= beta);
		if (v > best)
			best = v;
		may_leave_out = !duel_is_loss(best) && !t->proving;
		picker.checks_only = may_leave_out && (G(select_is_late)(t, f, tried) ||
						       G(select_is_futile)(t, f, depth));
		if (v > alpha) {
			alpha = v;
			*code = G(code)(move);
			duel_extend_line(w, ply, move);
			if (v >= beta) {
				const uint64_t attacked = quiet ? picker.attacked : 0;
				G(select_reward)(w, s, attacked, move, depth, ply, &tried_moves);
				return best;
			}
		}
		G(select_note_tried)(&tried_moves, move, quiet);
	}
	return seen ? best : G(select_end)(s, ply);
}

/* The table's word on the static value, where it has a better one. */
static inline int32_t G(select_guess)(const struct table_entry *entry, int32_t standing)
{
	if (entry->bound == BOUND_NONE || duel_has_ended(entry->value))
		return standing;
	if (entry->value > standing ? entry->bound != BOUND_UPPER : entry->bound != BOUND_LOWER)
		return entry->value;
	return standing;
}

/* The best value for the seat to move. cut: a cut-off is expected. Fail-soft. */
static int32_t G(select_node)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
			      int32_t alpha, int32_t beta, bool cut)
{
	struct select *t = w->select;
	struct select_ply *here = &t->plies[ply];
	if (depth <= 0)
		return G(select_horizon)(w, s, ply, alpha, beta);

	/* Step 1. The game has ended, or the line is too long; nothing nearer than here can win. */
	int32_t value;
	const int older_repeated = w->oldest_repeated;
	w->plies[ply].line_length = 0;
	w->oldest_repeated = INT_MAX;
	if (G(select_over)(w, s, ply, &value))
		return duel_leave_path(w, ply, older_repeated), value;
	if (ply >= DUEL_MAX_PLY - 2)
		return duel_leave_path(w, ply, older_repeated), G(select_standing)(w, s, ply);
	const bool excepting = here->except != QV_NO_MOVE;
	if (beta > QV_WIN - ply - 1)
		beta = QV_WIN - ply - 1;
	if (alpha < ply - QV_WIN)
		alpha = ply - QV_WIN;
	if (alpha >= beta)
		return duel_leave_path(w, ply, older_repeated), alpha;

	/* Step 2. The table may know. */
	struct table_entry entry = { .place = TABLE_NO_MOVE };
	const bool remembers = w->table && !excepting;
	const uint64_t key = w->exact ? duel_key(w, G(hash)(s), ply) + t->proving : here->hash;
	const bool pv = beta > alpha + 1;
	if (remembers && G(select_look_up)(w, key, depth, ply, alpha, beta, pv, &entry))
		return duel_leave_path(w, ply, older_repeated), entry.value;

	/* Step 3. The static value, and whether things get better. */
	const bool selective = !t->proving;
	if (here->checked || !selective)
		here->standing = SELECT_NO_VALUE;
	else if (!excepting)
		here->standing = G(select_standing)(w, s, ply);
	const int32_t standing = here->standing;
	const int32_t before =
		here[-2].standing != SELECT_NO_VALUE ? here[-2].standing : here[-4].standing;
	struct G(select_facts) f = {
		.depth = depth,
		.ply = ply,
		.alpha = alpha,
		.beta = beta,
		.standing = standing,
		.guess = here->checked ? standing : G(select_guess)(&entry, standing),
		.pv = pv,
		.cut = cut,
		.checked = here->checked,
		.excepting = excepting,
		.entry = &entry,
		.knows = entry.place != TABLE_NO_MOVE,
		.takes = entry.place != TABLE_NO_MOVE && !G(quiet)(s, (qv_move)entry.place),
		.improving = !here->checked && before != SELECT_NO_VALUE && standing > before,
	};

	/* Step 4. The moves may not matter. */
	if (selective && G(select_leaves_early)(w, s, &f, &value))
		return duel_leave_path(w, ply, older_repeated), value;

	/* Step 5. Nothing says where to begin: the next iteration will know better. */
	if (t->iir && w->table && selective && depth > 3 && entry.place == TABLE_NO_MOVE &&
	    !excepting && (pv || cut))
		f.depth = depth - 1;

	/* Step 6. Search them. */
	int code = entry.place;
	int best_code = TABLE_NO_MOVE;
	int32_t best = G(select_moves)(w, s, &f, alpha, &best_code);
	if (best == -DUEL_INFINITE)
		best = alpha; /* only the excepted move is there */
	if (best_code != TABLE_NO_MOVE)
		code = best_code;

	/* Step 7. Remember it, unless it is a draw that holds for this history only. */
	const bool path_bound = w->oldest_repeated < w->path_root + ply && (best == 0 || w->exact);
	const bool shallow = !w->exact && entry.depth >= depth + SELECT_DEEPER &&
			     (best >= beta || best_code == TABLE_NO_MOVE);
	if (remembers && !w->pace.stopped && !path_bound && !shallow)
		G(select_store)(w, key, depth, ply, best, alpha, beta, code);
	if (t->correct && selective && !excepting && !here->checked && !w->pace.stopped &&
	    !duel_has_ended(best) && !(best >= beta && best < standing) &&
	    !(best <= alpha && best > standing) &&
	    (best_code == TABLE_NO_MOVE || G(quiet)(s, w->plies[ply].line[0])))
		G(select_learn_error)(t, s, depth, best - standing);
	if (best_code == TABLE_NO_MOVE && selective && !excepting && !w->pace.stopped)
		G(select_praise)(t, depth, ply);
	duel_leave_path(w, ply, older_repeated);
	return best;
}

/* ---- the root ---- */

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

static int32_t G(select_search)(struct duel_worker *w, int depth, int32_t alpha, int32_t beta)
{
	struct select *t = w->select;
	G_ROOT(root, w->game, w->root_state);
	const struct qv_listener *l = w->listener;
	const struct table_entry nothing = { .place = TABLE_NO_MOVE };
	const struct G(select_facts)
		f = { .depth = depth, .pv = true, .improving = true, .entry = &nothing };
	int32_t best = -DUEL_INFINITE, low = alpha, unused;
	uint64_t equals = 0;
	const uint64_t attacked = G(attacked)(root);
	const struct G(select_counts) counts = G(select_counts)(w, root, attacked, 0);
	w->oldest_repeated = INT_MAX;
	G(select_over)(w, root, 0, &unused);
	for (int i = 0; i < w->root_count; i++) {
		struct root_move *m = &w->root[i];
		if (w->nodes >= w->pace.check_at && duel_poll(w))
			return best;
		duel_tell_move(w, i, depth);
		const bool quiet = G(quiet)(root, m->move);
		const int score = quiet ? G(select_quiet_score)(&counts, root, m->move) : 0;
		G_CHILD(child, w->slots, 0);
		G(select_play)(w, root, m->move, child, 0);
		t->plies[1].checked = G(checked)(child);
		if (quiet)
			t->plies[0].count = G(select_count)(t, root, attacked, m->move);
		/* To choose between equals, or near ones, they must show themselves. */
		const int32_t from =
			w->random && best > alpha ? duel_open_below(low, w->spread) : low;
		if (l && l->branch)
			l->branch(l->ctx, G_BYTES(root), m->move, 0, from, beta);
		const bool shown = w->random && i;
		const int less =
			t->proving || shown ? 0 : G(select_reduce)(w, &f, quiet, i + 1, score);
		const int32_t v = G(select_attempt)(w, child, depth - 1, less, 1, best, from, beta,
						    i == 0 || shown, false);
		if (w->pace.stopped)
			return best;
		m->value = v;
		if (l && l->node)
			l->node(l->ctx, m->move, 0, v, v >= beta);
		equals = v > best ? 1 : equals + (v == best);
		const bool equal =
			w->random && v == best && qv_random_below(&w->random_numbers, equals) == 0;
		if (v > alpha && (v > best || equal))
			duel_new_best(w, m->move, v);
		if (v > best)
			best = v;
		if (best > low)
			low = best;
		if (best >= beta)
			break;
	}
	return best;
}

static const struct duel_ops G(select_ops) = { false, G(select_prepare), G(select_search) };

#undef G_POINTS
