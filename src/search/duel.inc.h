/*
 * duel.inc.h - template: the alpha-beta family for two players.
 * SPDX-License-Identifier: MIT
 *
 * One recursion serves negamax, alpha-beta, negascout (principal variation search) and MTD(f); only
 * the window given to each child differs. minimax is written out separately, as in the book, and is
 * the oracle for all others in the tests. From the leaves up: horizon (a leaf), quiesce (quiescence
 * search), last_ply (a node whose children are plain leaves), node, and search (the root).
 */
#include <limits.h>

#include "search/duel_inline.h"
#include "search/stamp.inc.h"

static int32_t G(duel_node)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
			    int32_t alpha, int32_t beta);

/*
 * Result and evaluation in one (see QV_LEAF_WON), for an evaluation other than the stamp's own and
 * for techniques that change the value of a line (duel_value.c).
 */
static int32_t G(duel_custom_leaf)(const struct duel_worker *w, const G_STATE *s, int ply)
{
	int32_t points[QV_MAX_SEATS];
	if (G(result)(s, points) != QV_GOING)
		return G(leaf_points)(s, points);
	if (w->special)
		return duel_line_value(w, G_BYTES(s), G(seat)(s), ply);
	return duel_clamp(w->custom->evaluate(G_BYTES(s), w->weights));
}

static inline int32_t G(duel_leaf)(const struct duel_worker *w, const G_STATE *s, int ply)
{
	return w->custom ? G(duel_custom_leaf)(w, s, ply) : G(leaf)(s, w->weights);
}

/* Updates the sum that the line to the child carries along, if it carries one. */
static inline void G(duel_note_value)(struct duel_worker *w, const G_STATE *s, qv_move move,
				      const G_STATE *child, int ply)
{
	if (w->carries)
		duel_carry(w, G_BYTES(s), G(seat)(s), move, G_BYTES(child), G(seat)(child), ply);
}

/* Enters the position into the path. True if it has repeated often enough to end the game. */
static inline bool G(duel_repeats)(struct duel_worker *w, const G_STATE *s, int ply, int32_t *value)
{
	int32_t points[QV_MAX_SEATS];
	if (!G_HAS_REPEATED || !w->repeats)
		return false;
	const int times = duel_enter_path(w, G(repeat_hash)(s), ply);
	if (!times || G(repeated)(s, times, points) == QV_GOING)
		return false;
	*value = duel_ended_value(G(leaf_points)(s, points), ply);
	return true;
}

/*
 * The next move to try, or QV_NO_MOVE: the moves as listed, or, if the node has scores, the highest
 * first. A counted move is tried with every number it can carry, the largest first.
 */
static inline qv_move G(duel_next)(struct duel_worker *w, const G_STATE *s, const qv_move *moves,
				   int n, int ply, bool scored, struct duel_cursor *c)
{
	if (G_HAS_COUNTED && c->count > 1)
		return G(numbered)(s, moves[c->place], --c->count, INT_MAX);
	if (c->tried == n)
		return QV_NO_MOVE;
	c->place = scored ? duel_pick(w->plies[ply].scores, n) : c->tried;
	c->tried++;
	if (G_HAS_COUNTED)
		c->count = G(numbers)(s, moves[c->place]);
	return moves[c->place];
}

/*
 * Prepares the next ply before a child is searched: how far back its position can repeat, whether
 * it is on the kept line, and the sum its line carries.
 */
static inline void G(duel_note_move)(struct duel_worker *w, const G_STATE *s, qv_move move,
				     const G_STATE *child, int ply)
{
	G(duel_note_value)(w, s, move, child, ply);
	if (G_HAS_REPEATED && w->repeats)
		w->plies[ply + 1].path_first = G(irreversible)(s, move) ? w->path_root + ply + 1
									: w->plies[ply].path_first;
	if (w->kept_length)
		w->plies[ply + 1].on_kept = duel_has_kept(w, ply) && move == w->kept[ply];
}

/* Whether the other seat moves in the child: then values change their sign. */
static inline bool G(duel_turns)(const G_STATE *s, const G_STATE *child)
{
	return G_TAKES_TURNS(s) || G(seat)(child) != G(seat)(s);
}

/* ---- leaves ---- */

static int32_t G(duel_horizon)(struct duel_worker *w, const G_STATE *s, int ply, int32_t alpha,
			       int32_t beta);

/* duel_node, or duel_horizon at depth 0, for a listener that follows the visits. */
static __attribute__((noinline)) int32_t G(duel_watched)(struct duel_worker *w, const G_STATE *s,
							 int depth, int ply, int32_t alpha,
							 int32_t beta, unsigned flags)
{
	duel_watch_enter(w, G_BYTES(s), G(seat)(s), ply, w->iteration - ply, alpha, beta, flags);
	const int32_t value = depth ? G(duel_node)(w, s, depth, ply, alpha, beta)
				    : G(duel_horizon)(w, s, ply, alpha, beta);
	duel_watch_leave(w, ply, value, duel_line_move(w, ply));
	return value;
}

#if G_HAS_QUIET
/* The value of a move of the quiescence search, for the seat that plays it. */
static inline int32_t G(duel_quiet_value)(struct duel_worker *w, const G_STATE *child, int ply,
					  int32_t alpha, int32_t beta)
{
	if (__builtin_expect(w->listener != NULL, 0))
		return G(duel_watched)(w, child, 0, ply, alpha, beta, QV_VISIT_QUIET);
	return G(duel_horizon)(w, child, ply, alpha, beta);
}

/*
 * Quiescence search: captures and the like are searched past the horizon until the position is
 * quiet ("Turing-dead" in the book). The side to move may always stand pat on the value `best`.
 */
static int32_t G(duel_quiesce)(struct duel_worker *w, const G_STATE *s, int ply, int32_t alpha,
			       int32_t beta, int32_t best)
{
	if (best >= beta)
		return best;
	if (ply >= DUEL_MAX_PLY - 2) {
		duel_tell(w, ply, QV_WHY_DEEPEST, best);
		return best;
	}
	G_LIST(moves, w->slots, ply);
	const int n = G(moves)(s, moves);
	struct duel_cursor c = { 0 };
	for (qv_move move; (move = G(duel_next)(w, s, moves, n, ply, false, &c)) != QV_NO_MOVE;) {
		if (G(quiet)(s, move))
			continue;
		if (best > alpha)
			alpha = best;
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		G_CHILD(child, w->slots, ply);
		G(copy_play)(child, s, move);
		w->nodes++;
		G(duel_note_move)(w, s, move, child, ply);
		if (w->listener)
			duel_watch_move(w, ply, move, false);
		const int32_t v = G(duel_turns)(s, child)
					  ? -G(duel_quiet_value)(w, child, ply + 1, -beta, -alpha)
					  : G(duel_quiet_value)(w, child, ply + 1, alpha, beta);
		if (v <= best)
			continue;
		best = v;
		duel_extend_line(w, ply, move);
		if (best >= beta) {
			duel_tell(w, ply, QV_WHY_CUT, best);
			break;
		}
	}
	return best;
}
#endif

static int32_t G(duel_horizon)(struct duel_worker *w, const G_STATE *s, int ply, int32_t alpha,
			       int32_t beta)
{
	(void)alpha, (void)beta;
	w->plies[ply].line_length = 0;
	int32_t value = G(duel_leaf)(w, s, ply);
	if (duel_has_ended(value)) {
		value = duel_ended_value(value, ply);
		duel_tell(w, ply, QV_WHY_ENDED, value);
	} else if (G(duel_repeats)(w, s, ply, &value)) {
		duel_tell(w, ply, QV_WHY_REPEATED, value);
	} else {
		w->evals++;
		duel_tell(w, ply, w->quiet ? QV_WHY_STAND_PAT : QV_WHY_LEAF, value);
#if G_HAS_QUIET
		if (w->quiet)
			value = G(duel_quiesce)(w, s, ply, alpha, beta, value);
#endif
	}
	if (w->listener && w->listener->leaf)
		w->listener->leaf(w->listener->ctx, G_BYTES(s), ply, value);
	return value;
}

/* ---- move ordering ---- */

/*
 * Gives every move a score: table move, kept line, killer moves, then rank and history heuristic.
 * duel_pick takes the highest first; of equal scores the move listed first.
 */
static void G(duel_order)(struct duel_worker *w, const G_STATE *s, const qv_move *moves, int n,
			  int ply, int place)
{
	struct duel_ply *p = &w->plies[ply];
	const int32_t *history = w->history_table + (w->history ? G(seat)(s) * DUEL_HISTORY : 0);
	if (w->sort)
		G(rank_all)(s, moves, n, p->scores);
	for (int i = 0; i < n; i++) {
		int32_t score = w->sort ? duel_rank(p->scores[i]) : 0;
		if (w->history)
			score += history[duel_history_place(moves[i])];
		for (int k = 0; k < w->killers; k++)
			if (p->killers[k] == moves[i])
				score = DUEL_SCORE_KILLER - k;
		p->scores[i] = score;
	}
	if (duel_has_kept(w, ply))
		for (int i = 0; i < n; i++)
			if (moves[i] == w->kept[ply])
				p->scores[i] = DUEL_SCORE_KEPT;
	if (place < n)
		p->scores[place] = DUEL_SCORE_TABLE;
}

/* Top-N: scores each reply by its static value, to select those that are searched. */
static void G(duel_order_static)(struct duel_worker *w, const G_STATE *s, const qv_move *moves,
				 int n, int ply)
{
	memset(w->plies[ply].scores, 0, (size_t)n * sizeof *w->plies[ply].scores);
	if (w->nodes + (uint64_t)n >= w->budget.check_at && duel_poll_ahead(w, n))
		return;
	for (int i = 0; i < n; i++) {
		G_CHILD(child, w->slots, ply);
		G(copy_play)(child, s, moves[i]);
		G(duel_note_value)(w, s, moves[i], child, ply);
		const int32_t value = duel_ended_value_or(G(duel_leaf)(w, child, ply + 1), ply + 1);
		w->plies[ply].scores[i] = G(duel_turns)(s, child) ? -value : value;
	}
	w->nodes += (uint64_t)n;
	w->evals += (uint64_t)n;
}

/* A beta cut-off: updates killer moves and history. */
static void G(duel_reward)(struct duel_worker *w, const G_STATE *s, qv_move move, int depth,
			   int ply)
{
	if (w->killers)
		duel_add_killer(&w->plies[ply], w->killers, move);
	if (w->history)
		duel_add_history(w->history_table + G(seat)(s) * DUEL_HISTORY, move, depth);
}

/* ---- nodes ---- */

/*
 * The moves of a node whose children are plain leaves. Inlined twice, so that the usual case has no
 * call in its loop.
 */
__attribute__((always_inline)) static inline int32_t G(duel_leaves)(
	struct duel_worker *w, const G_STATE *s, const qv_move *moves, int n, int ply,
	int32_t alpha, int32_t beta, bool scored, bool custom)
{
	const void *const weights = w->weights;
	int32_t best = -DUEL_INFINITE;
	qv_move best_move = QV_NO_MOVE;
	uint64_t nodes = 0, ended = 0;
	struct duel_cursor c = { 0 };
	for (qv_move move; (move = G(duel_next)(w, s, moves, n, ply, scored, &c)) != QV_NO_MOVE;) {
		if (G_HAS_COUNTED && w->nodes + nodes >= w->budget.check_at) {
			/* The limits were tested for the moves as listed, not for each number. */
			w->nodes += nodes;
			w->evals += nodes - ended;
			nodes = ended = 0;
			if (duel_poll(w))
				return 0;
		}
		G_CHILD(child, w->slots, ply);
		G(copy_play)(child, s, move);
		int32_t v = custom ? G(duel_custom_leaf)(w, child, ply + 1)
				   : G(leaf)(child, weights);
		nodes++;
		if (__builtin_expect(duel_has_ended(v), 0)) {
			v = duel_ended_value(v, ply + 1);
			ended++;
		}
		if (G(duel_turns)(s, child))
			v = -v;
		if (v <= best)
			continue;
		best = v;
		best_move = move;
		if (best >= beta)
			break;
	}
	w->nodes += nodes;
	w->evals += nodes - ended;
	if (best > alpha) {
		w->plies[ply + 1].line_length = 0;
		duel_extend_line(w, ply, best_move);
		if (scored && best >= beta)
			G(duel_reward)(w, s, best_move, 1, ply);
		else if (scored)
			duel_add_best(&w->plies[ply], w->killers, best_move);
	}
	return best;
}

/* The same with move ordering, or with an evaluation other than the stamp's own. */
static __attribute__((noinline)) int32_t G(duel_leaves_with)(struct duel_worker *w,
							     const G_STATE *s, const qv_move *moves,
							     int n, int ply, int32_t alpha,
							     int32_t beta)
{
	const bool scored = w->ordered || duel_has_kept(w, ply);
	if (scored)
		G(duel_order)(w, s, moves, n, ply, TABLE_NO_MOVE);
	return G(duel_leaves)(w, s, moves, n, ply, alpha, beta, scored, w->custom);
}

/* A node whose children are plain leaves. A search spends most of its time here. */
static int32_t G(duel_last_ply)(struct duel_worker *w, const G_STATE *s, int ply, int32_t alpha,
				int32_t beta)
{
	int32_t points[QV_MAX_SEATS];
	w->plies[ply].line_length = 0;
	if (G(result)(s, points) != QV_GOING)
		return duel_ended_value(G(leaf_points)(s, points), ply);
	G_LIST(moves, w->slots, ply);
	const int n = G(moves)(s, moves);
	if (w->nodes + (uint64_t)n >= w->budget.check_at && duel_poll_ahead(w, n))
		return 0;
	if (w->ordered || w->custom || duel_has_kept(w, ply))
		return G(duel_leaves_with)(w, s, moves, n, ply, alpha, beta);
	return G(duel_leaves)(w, s, moves, n, ply, alpha, beta, false, false);
}

/*
 * Alpha-beta with every switch off, for depth > 1: the plain algorithm, to read and as the base
 * line of measurements. duel_node returns the same values, but is a tenth slower, since it tests
 * all switches at each node.
 */
static int32_t G(duel_bare_node)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
				 int32_t alpha, int32_t beta)
{
	int32_t points[QV_MAX_SEATS], best = -DUEL_INFINITE;
	w->plies[ply].line_length = 0;
	if (G(result)(s, points) != QV_GOING)
		return duel_ended_value(G(leaf_points)(s, points), ply);
	G_LIST(moves, w->slots, ply);
	const int n = G(moves)(s, moves);
	for (int i = 0; i < n; i++) {
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		G_CHILD(child, w->slots, ply);
		G(copy_play)(child, s, moves[i]);
		w->nodes++;
		const bool turns = G(duel_turns)(s, child);
		const int32_t low = turns ? -beta : alpha, high = turns ? -alpha : beta;
		const int32_t value =
			depth > 2 ? G(duel_bare_node)(w, child, depth - 1, ply + 1, low, high)
				  : G(duel_last_ply)(w, child, ply + 1, low, high);
		if (w->budget.stopped)
			return best;
		const int32_t v = turns ? -value : value;
		if (v <= best)
			continue;
		best = v;
		if (best <= alpha)
			continue;
		alpha = best;
		duel_extend_line(w, ply, moves[i]);
		if (best >= beta)
			break;
	}
	return best;
}

/* The value of a position for its seat to move, `depth` plies above the horizon. */
static inline int32_t G(duel_below)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
				    int32_t alpha, int32_t beta, unsigned flags)
{
	if (depth == 1 && w->plain_leaf)
		return G(duel_last_ply)(w, s, ply, alpha, beta);
	if (depth && w->bare)
		return G(duel_bare_node)(w, s, depth, ply, alpha, beta);
	if (__builtin_expect(w->listener != NULL, 0))
		return G(duel_watched)(w, s, depth, ply, alpha, beta, flags);
	return depth ? G(duel_node)(w, s, depth, ply, alpha, beta)
		     : G(duel_horizon)(w, s, ply, alpha, beta);
}

/* The value of the move that led to `child`, for the seat that played it. */
static inline int32_t G(duel_value)(struct duel_worker *w, const G_STATE *child, int depth, int ply,
				    int32_t alpha, int32_t beta, bool turns, unsigned flags)
{
	return turns ? -G(duel_below)(w, child, depth, ply, -beta, -alpha, flags) :
		       G(duel_below)(w, child, depth, ply, alpha, beta, flags);
}

/*
 * The same with the window of this kind of search. Negascout searches later moves (all but the
 * first) with a null window, and again with the full one if they fail high.
 */
static inline int32_t G(duel_attempt)(struct duel_worker *w, const G_STATE *child, int depth,
				      int ply, int32_t alpha, int32_t beta, bool turns, bool later)
{
	unsigned flags = 0;
	if (__builtin_expect(!w->plain_window, 0)) {
		if (!w->prune)
			return G(duel_value)(w, child, depth, ply, -DUEL_INFINITE, DUEL_INFINITE,
					     turns, 0);
		if (w->scout && later && alpha + 1 < beta) {
			const int32_t v = G(duel_value)(w, child, depth, ply, alpha, alpha + 1,
							turns, QV_VISIT_SCOUT);
			if (v <= alpha || v >= beta || w->budget.stopped || (!depth && !w->quiet))
				return v;
			flags = QV_VISIT_AGAIN;
		}
		if (!w->deep)
			beta = DUEL_INFINITE;
	}
	return G(duel_value)(w, child, depth, ply, alpha, beta, turns, flags);
}

/*
 * Hard pruning: true if the child's static value is too far below the root's to search it; *value
 * is then its value.
 */
static bool G(duel_hopeless)(struct duel_worker *w, const G_STATE *s, const G_STATE *child, int ply,
			     int32_t *value)
{
	const int32_t leaf = duel_ended_value_or(G(duel_leaf)(w, child, ply + 1), ply + 1);
	const int32_t mine = G(duel_turns)(s, child) ? -leaf : leaf;
	const int32_t start = G(seat)(s) == w->root_seat ? w->root_static : -w->root_static;
	w->evals++;
	*value = mine;
	return mine < start - w->hard && !duel_is_loss(mine);
}

/* The listener is told of a move that is not searched, in the window of the node. */
static void G(duel_watch_hopeless)(struct duel_worker *w, const G_STATE *s, const G_STATE *child,
				   int ply, int32_t alpha, int32_t beta, int32_t mine)
{
	const bool turns = G(duel_turns)(s, child);
	duel_watch_drop(w, G_BYTES(child), G(seat)(child), ply + 1, w->iteration - ply - 1,
			turns ? -beta : alpha, turns ? -alpha : beta, turns ? -mine : mine);
}

/* Searches the moves of a node. Sets *place to the best move's index in the list. Fail-soft. */
static int32_t G(duel_moves)(struct duel_worker *w, const G_STATE *s, const qv_move *moves, int n,
			     int depth, int ply, int32_t alpha, int32_t beta, int32_t best,
			     bool scored, int *place)
{
	const struct qv_listener *l = w->listener;
	struct duel_cursor c = { 0 };
	bool later = false;
	for (qv_move move; (move = G(duel_next)(w, s, moves, n, ply, scored, &c)) != QV_NO_MOVE;
	     later = true) {
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		G_CHILD(child, w->slots, ply);
		G(copy_play)(child, s, move);
		w->nodes++;
		G(duel_note_move)(w, s, move, child, ply);
		if (l && l->branch)
			l->branch(l->ctx, G_BYTES(s), move, ply, alpha, beta);
		if (l)
			duel_watch_move(w, ply, move, move == moves[c.place]);
		int32_t v;
		if (!w->hard || depth < 2 || !G(duel_hopeless)(w, s, child, ply, &v))
			v = G(duel_attempt)(w, child, depth - 1, ply + 1, alpha, beta,
					    G(duel_turns)(s, child), later);
		else {
			w->plies[ply + 1].line_length = 0;
			if (l)
				G(duel_watch_hopeless)(w, s, child, ply, alpha, beta, v);
		}
		if (w->budget.stopped)
			return best;
		if (l && l->node)
			l->node(l->ctx, move, ply, v, v >= beta);
		if (v <= best)
			continue;
		best = v;
		*place = c.place;
		if (best <= alpha)
			continue;
		alpha = best;
		duel_extend_line(w, ply, move);
		if (best >= beta) {
			if (l)
				duel_watch_why(w, ply, QV_WHY_CUT, best);
			if (w->ordered)
				G(duel_reward)(w, s, move, depth, ply);
			break;
		}
	}
	return best;
}

static inline uint64_t G(duel_table_key)(const struct duel_worker *w, const G_STATE *s, int ply)
{
	uint64_t key = duel_key(w, w->exact ? G(hash)(s) : G(repeat_hash)(s), ply);
	if (G_DYNAMIC)
		key = qv_mix(key);       /* a plug-in's hash may be badly distributed */
	return w->carries ? duel_carried_key(w, key, G(seat)(s), ply) : key;
}

/* One test of Multi-ProbCut: whether a search of that depth says that the value is at least `bound`. */
static bool G(duel_reaches)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
			    int32_t bound)
{
	return G(duel_below)(w, s, depth, ply, bound - 1, bound, 0) >= bound;
}

/*
 * Multi-ProbCut in a null window: true if a shallow search shows, with enough confidence, on which
 * side of it the value lies; *value is then the bound. The static value decides which side is worth
 * a test. The visits of the shallow search are not reported.
 */
static bool G(duel_probcut)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
			    int32_t alpha, int32_t beta, int32_t *value)
{
	const struct probcut *p = w->probcut;
	const void *const bytes = G_BYTES(s);
	const int shallow = probcut_shallow(depth);
	const int32_t error = p->error(bytes, depth, false);
	const int32_t margin = error * w->confidence / 100;
	const int32_t doubt = (error + p->error(bytes, depth, true)) * w->confidence / 200;
	const int32_t still = G(duel_leaf)(w, s, ply);
	w->evals++;
	if (alpha - margin <= -QV_MAX_EVAL || beta + margin >= QV_MAX_EVAL)
		return false;
	const struct qv_listener *const listener = w->listener;
	w->listener = NULL;
	bool cut = false;
	if (still >= beta - doubt && G(duel_reaches)(w, s, shallow, ply, beta + margin)) {
		cut = true;
		*value = beta;
	} else if (!w->budget.stopped && still <= alpha + doubt &&
		   !G(duel_reaches)(w, s, shallow, ply, alpha - margin + 1)) {
		cut = true;
		*value = alpha;
	}
	w->listener = listener;
	w->plies[ply].line_length = 0;
	if (w->budget.stopped)
		return *value = 0, true;
	w->unproven += cut;
	if (cut)
		duel_tell(w, ply, QV_WHY_FUTILE, *value);
	return cut;
}

/* The best value for the seat to move, for depth > 0. Fail-soft. */
static int32_t G(duel_node)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
			    int32_t alpha, int32_t beta)
{
	/* Step 1. The game has ended. */
	int32_t points[QV_MAX_SEATS], value;
	w->plies[ply].line_length = 0;
	if (G(result)(s, points) != QV_GOING) {
		value = duel_ended_value(G(leaf_points)(s, points), ply);
		duel_tell(w, ply, QV_WHY_ENDED, value);
		return value;
	}
	const int older_repeated = w->oldest_repeated;
	if (G_HAS_REPEATED)
		w->oldest_repeated = INT_MAX;
	if (G(duel_repeats)(w, s, ply, &value)) {
		duel_tell(w, ply, QV_WHY_REPEATED, value);
		return duel_leave_path(w, ply, older_repeated), value;
	}

	/* Step 2. Transposition table. A probe costs more than the last ply it would save. */
	struct table_entry entry = { .place = TABLE_NO_MOVE };
	uint64_t key = 0;
	if (w->table && depth > 1) {
		key = G(duel_table_key)(w, s, ply);
		if (duel_look_up(w, key, depth, ply, alpha, beta, &entry)) {
			duel_tell(w, ply, QV_WHY_TABLE, entry.value);
			return duel_leave_path(w, ply, older_repeated), entry.value;
		}
	}

	/* Step 3. Multi-ProbCut. */
	if (w->probcut && depth >= PROBCUT_LEAST && alpha + 1 == beta &&
	    G(duel_probcut)(w, s, depth, ply, alpha, beta, &value)) {
		if (w->table && !w->budget.stopped)
			duel_store(w, key, depth, ply, value, alpha, beta, entry.place, false);
		return duel_leave_path(w, ply, older_repeated), value;
	}

	/* Step 4. Move generation and ordering. */
	G_LIST(moves, w->slots, ply);
	int n = G(moves)(s, moves);
	const uint64_t unproven = w->unproven + w->evals;
	bool scored = w->ordered || duel_has_kept(w, ply) || entry.place < n;
	if (__builtin_expect(w->listener != NULL, 0)) {
		duel_watch_order(w, ply, scored, entry.place < n ? moves[entry.place] : QV_NO_MOVE);
		/* It must stop where the search without a listener does, in duel_last_ply. */
		if (depth == 1 && w->polls_ahead && w->nodes + (uint64_t)n >= w->budget.check_at &&
		    duel_poll_ahead(w, n))
			return 0;
	}
	if (w->top && ply == 1 && w->iteration > DUEL_FULL_WIDTH && n > w->top) {
		G(duel_order_static)(w, s, moves, n, ply);
		if (w->budget.stopped)
			return 0;
		n = duel_keep_top(w, ply, moves, n);
		scored = true;
		if (w->listener) {
			duel_watch_order(w, ply, false, QV_NO_MOVE);
			duel_watch_why(w, ply, QV_WHY_TOP, w->top);
		}
	} else if (scored) {
		G(duel_order)(w, s, moves, n, ply, entry.place);
	}

	/* Step 5. Razoring: assume that some move improves on the static value. */
	int32_t best = -DUEL_INFINITE;
	const int32_t floor = alpha;
	if (w->razor && depth > 1) {
		best = duel_ended_value_or(G(duel_leaf)(w, s, ply), ply);
		w->evals++;
		duel_tell(w, ply, QV_WHY_RAZOR, best);
		if (best >= beta)
			return duel_leave_path(w, ply, older_repeated), best;
		if (best > alpha)
			alpha = best;
	}

	/* Step 6. Search the moves. */
	int place = TABLE_NO_MOVE;
	best = G(duel_moves)(w, s, moves, n, depth, ply, alpha, beta, best, scored, &place);
	if (best > alpha && best < beta)
		duel_add_best(&w->plies[ply], w->killers, w->plies[ply].line[0]);

	/* Step 7. Store the value, unless it depends on this path through a repetition. */
	const bool path_bound = w->oldest_repeated < w->path_root + ply;
	if (w->table && depth > 1 && !w->budget.stopped && !path_bound)
		duel_store(w, key, depth, ply, best, floor, beta, place,
			   unproven == w->unproven + w->evals);
	duel_leave_path(w, ply, older_repeated);
	return best;
}

/* ---- minimax, as in the book ---- */

static int32_t G(duel_minimax)(struct duel_worker *w, const G_STATE *s, int depth, int ply);

/* The same for a listener, which gets values for the seat to move. */
static int32_t G(duel_watched_minimax)(struct duel_worker *w, const G_STATE *s, int depth, int ply)
{
	if (!w->listener)
		return G(duel_minimax)(w, s, depth, ply);
	duel_watch_enter(w, G_BYTES(s), G(seat)(s), ply, w->iteration - ply, -DUEL_INFINITE,
			 DUEL_INFINITE, 0);
	const int32_t value = G(duel_minimax)(w, s, depth, ply);
	duel_watch_leave(w, ply, G(seat)(s) == w->root_seat ? value : -value,
			 duel_line_move(w, ply));
	return value;
}

/*
 * The value for the root's seat: the maximum over its own moves, the minimum over the opponent's.
 */
static int32_t G(duel_minimax)(struct duel_worker *w, const G_STATE *s, int depth, int ply)
{
	const bool mine = G(seat)(s) == w->root_seat;
	int32_t points[QV_MAX_SEATS], value;
	w->plies[ply].line_length = 0;
	if (!depth) {
		value = G(duel_horizon)(w, s, ply, -DUEL_INFINITE, DUEL_INFINITE);
		return mine ? value : -value;
	}
	if (G(result)(s, points) != QV_GOING) {
		value = duel_ended_value(G(leaf_points)(s, points), ply);
		duel_tell(w, ply, QV_WHY_ENDED, value);
		return mine ? value : -value;
	}
	if (G(duel_repeats)(w, s, ply, &value)) {
		duel_tell(w, ply, QV_WHY_REPEATED, value);
		return mine ? value : -value;
	}
	const struct qv_listener *l = w->listener;
	int32_t best = mine ? -DUEL_INFINITE : DUEL_INFINITE;
	G_LIST(moves, w->slots, ply);
	const int n = G(moves)(s, moves);
	struct duel_cursor c = { 0 };
	for (qv_move move; (move = G(duel_next)(w, s, moves, n, ply, false, &c)) != QV_NO_MOVE;) {
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		G_CHILD(child, w->slots, ply);
		G(copy_play)(child, s, move);
		w->nodes++;
		G(duel_note_move)(w, s, move, child, ply);
		if (l && l->branch)
			l->branch(l->ctx, G_BYTES(s), move, ply, -DUEL_INFINITE, DUEL_INFINITE);
		if (l)
			duel_watch_move(w, ply, move, false);
		value = G(duel_watched_minimax)(w, child, depth - 1, ply + 1);
		if (w->budget.stopped)
			return best;
		if (l && l->node)
			l->node(l->ctx, move, ply, mine ? value : -value, false);
		if (mine ? value <= best : value >= best)
			continue;
		best = value;
		duel_extend_line(w, ply, move);
	}
	return best;
}

#include "search/stack.inc.h"

/* ---- the root ---- */

static void G(duel_prepare)(struct duel_worker *w)
{
	G_ROOT(root, w->game, w->root_state);
	G_LIST(moves, w->slots, 0);
	w->plies[0].on_kept = true;
	w->root_seat = G(seat)(root);
	if (w->carries)
		duel_carry_root(w, G_BYTES(root));
	w->root_static = duel_ended_value_or(G(duel_leaf)(w, root, 0), 0);
	const int n = G(moves)(root, moves);
	const bool scored = w->top || w->ordered || w->kept_length;
	if (w->top)
		G(duel_order_static)(w, root, moves, n, 0);
	else if (scored)
		G(duel_order)(w, root, moves, n, 0, TABLE_NO_MOVE);
	struct duel_cursor c = { 0 };
	w->root_count = 0;
	for (qv_move move; (move = G(duel_next)(w, root, moves, n, 0, scored, &c)) != QV_NO_MOVE;)
		w->root[w->root_count++] = (struct root_move){ move, 0 };
}

static int32_t G(duel_root)(struct duel_worker *w, int depth, int32_t alpha, int32_t beta)
{
	G_ROOT(root, w->game, w->root_state);
	const bool select = w->top && depth > DUEL_FULL_WIDTH && w->top < w->root_count;
	const int width = select ? w->top : w->root_count;
	struct duel_root r = { alpha, beta, -DUEL_INFINITE, alpha, 0 };
	int32_t unused;
	w->oldest_repeated = INT_MAX;
	w->unproven += select;
	if (select)
		duel_tell(w, 0, QV_WHY_TOP, w->top);
	G(duel_repeats)(w, root, 0, &unused);
	for (int i = 0; i < width; i++) {
		struct root_move *m = &w->root[i];
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return r.best;
		duel_report_root_move(w, i, depth);
		G_CHILD(child, w->slots, 0);
		G(copy_play)(child, root, m->move);
		w->nodes++;
		G(duel_note_move)(w, root, m->move, child, 0);
		const int32_t from = duel_root_alpha(w, &r, G_BYTES(root), m->move);
		if (w->listener)
			duel_watch_root_move(w, i, m->move);
		if (w->hard && depth > 1 && G(duel_hopeless)(w, root, child, 0, &m->value)) {
			if (w->listener)
				G(duel_watch_hopeless)(w, root, child, 0, from, beta, m->value);
			continue;
		}
		const bool turns = G(duel_turns)(root, child);
		const int32_t v =
			w->stack ? G(stack_value)(w, child, depth - 1, from, beta, turns, i > 0)
			: w->literal
				? G(duel_watched_minimax)(w, child, depth - 1, 1)
				: G(duel_attempt)(w, child, depth - 1, 1, from, beta, turns, i > 0);
		if (w->budget.stopped)
			break;
		if (duel_root_take(w, &r, m, v)) {
			duel_tell(w, 0, QV_WHY_CUT, v);
			break;
		}
	}
	return r.best;
}

/* One pass over the root's moves. */
static int32_t G(duel_search)(struct duel_worker *w, int depth, int32_t alpha, int32_t beta)
{
	if (!w->listener)
		return G(duel_root)(w, depth, alpha, beta);
	const unsigned test = alpha + 1 == beta ? QV_VISIT_SCOUT : 0;
	duel_watch_enter(w, w->root_state, w->root_seat, 0, depth, alpha, beta,
			 w->pass_flags | test);
	const int32_t value = G(duel_root)(w, depth, alpha, beta);
	duel_watch_leave(w, 0, value, value > alpha ? w->best_move : QV_NO_MOVE);
	return value;
}

static const struct duel_ops G(duel_ops) = { .dynamic = G_DYNAMIC,
					     .prepare = G(duel_prepare),
					     .search = G(duel_search) };
