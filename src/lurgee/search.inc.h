/*
 * search.inc.h - template: the Lurgee framework's search, stamped for a game.
 * SPDX-License-Identifier: MIT
 *
 * Besides its rules the game provides (games/GAME/lurgee.h):
 *   G_LURGEE_ROOT     the type of the evaluator's data about the root, filled by lurgee_prepare
 *   G_LURGEE_BYES     1 if a side that cannot move may have to pass
 *   G_LURGEE_BEFORE(s)           what the evaluator needs to know of a leaf's parent, an int32_t
 *   G_LURGEE_SCORE(r, s, before, last, ply, w)   the value for the side to move
 *   lurgee_moves, lurgee_id, lurgee_left         moves with keys, identity for killers, moves left
 *   struct lurgee_picker, lurgee_begin, lurgee_take_out, lurgee_pick
 *                     a move picker: begin, extract a killer, next move
 */
#include "lurgee/search.h"
#include "search/stamp.inc.h"

_Static_assert(sizeof(G_LURGEE_ROOT) <= LURGEE_ROOT_SIZE && sizeof(G_STATE) <= 64,
	       "room at the root");

/* True if the pass must end now. */
static inline bool G(lurgee_must_stop)(struct lurgee *l)
{
	if (l->evals >= l->eval_limit ||
	    (l->moves >= l->budget.check_at && budget_poll(&l->budget, l->moves, l->evals)))
		l->stopped = true;
	return l->stopped;
}

_Static_assert((int)G_MAX_MOVES <= (int)ORDER_MOST, "keys have room for them");

/*
 * The moves of a node, in order. Usually the game's picker yields them one by one, killers first.
 * All moves are listed if they are shuffled, if the caller allows only some, or if there is no
 * picker.
 */
struct G(lurgee_moves_left) {
	bool listed;
	int n;                                   /* all moves, or killers */
	struct G(lurgee_picker) picker;
	qv_move killers[LURGEE_MAX_KILLERS];
	uint32_t killer_keys[LURGEE_MAX_KILLERS];
	qv_move *moves;                          /* the node's lists */
	uint32_t *keys;
};

/* Starts the moves of a node; false: no legal move. */
static inline bool G(lurgee_begin_node)(struct lurgee *l, const G_STATE *s, int ply,
					struct G(lurgee_moves_left) *m)
{
	const struct lurgee_killers *killers = &l->killers[ply];
	m->listed = l->shuffled || killers->odd || (!ply && l->only);
	m->n = 0;
	if (!m->listed && G(lurgee_begin)((const void *)l->root, s, &m->picker)) {
		/* Extract the killers of the ply that are legal here. */
		for (int i = 0; i < killers->count; i++) {
			unsigned place;
			if (!G(lurgee_take_out)(&m->picker, killers->ids[i], &m->killers[m->n],
						&place))
				continue;
			m->killer_keys[m->n] =
				order_key(killers->ranks[i] - ORDER_PLAIN, place, m->n);
			m->n++;
		}
		return true;
	}
	/* List all moves, with the keys of killers raised. */
	m->listed = true;
	m->n = G(lurgee_moves)(s, m->moves, m->keys);
	for (int i = 0; killers->filter && i < m->n; i++)
		m->keys[i] = lurgee_killer_key(killers, G(lurgee_id)(m->moves[i]), m->keys[i]);
	if (l->shuffled)
		lurgee_shuffle(l, m->moves, m->keys, m->n);
	if (!ply && l->only)
		lurgee_keep_only(l, m->moves, m->keys, m->n);
	return m->n > 0;
}

/* The next move, or QV_NO_MOVE. */
static inline qv_move G(lurgee_next)(struct G(lurgee_moves_left) *m)
{
	if (!m->n)
		return G(lurgee_pick)(&m->picker);
	uint32_t *keys = m->listed ? m->keys : m->killer_keys;
	const uint32_t highest = order_highest(keys, m->n), index = highest % ORDER_MOST;
	keys[index] = 0;
	if (highest)
		return m->listed ? m->moves[index] : m->killers[index];
	if (m->listed)
		return QV_NO_MOVE;
	m->n = 0;
	return G(lurgee_pick)(&m->picker);
}

/* Reports to the listener that a node is entered. */
static void G(lurgee_enter)(struct lurgee *l, const G_STATE *s, qv_move move, int left, int ply,
			    int32_t alpha, int32_t beta, unsigned flags)
{
	const struct lurgee_killers *k = &l->killers[ply ? ply - 1 : 0];
	for (int i = 0; ply && move != QV_NO_MOVE && i < k->count; i++)
		if (k->ids[i] == G(lurgee_id)(move))
			flags |= QV_VISIT_KILLER;
	visit_enter(l->listener, &(struct qv_visit){ .state = s,
						     .move = move,
						     .ply = ply,
						     .depth = left,
						     .seat = G(seat)(s),
						     .alpha = visit_edge(alpha, LURGEE_BOUND),
						     .beta = visit_edge(beta, LURGEE_BOUND),
						     .flags = flags });
	l->node_best = QV_NO_MOVE;
}

/* Reports that it is left. A stopped search does not leave its nodes. */
static void G(lurgee_leave)(struct lurgee *l, int ply, int32_t value)
{
	if (!l->stopped)
		visit_leave(l->listener, ply, value, l->node_best);
	l->node_best = QV_NO_MOVE;
}

/* The value of a leaf for its side to move. */
__attribute__((always_inline)) static inline int32_t
G(lurgee_leaf)(struct lurgee *l, const G_STATE *s, int32_t before, qv_move last, int ply)
{
	const G_LURGEE_ROOT *root = (const void *)l->root;
	l->evals++;
	const int32_t value = G_LURGEE_SCORE(root, s, before, last, ply, l->weights);
	if (l->listener && l->listener->leaf)
		l->listener->leaf(l->listener->ctx, s, ply, value);
	if (l->listener)
		visit_why(l->listener, ply, QV_WHY_LEAF, value);
	return value;
}

/* The same as a visit by a move. */
static int32_t G(lurgee_visit_leaf)(struct lurgee *l, const G_STATE *s, int32_t before,
				    qv_move last, int ply, int32_t alpha, int32_t beta)
{
	G(lurgee_enter)(l, s, last, 0, ply, alpha, beta, 0);
	const int32_t value = G(lurgee_leaf)(l, s, before, last, ply);
	G(lurgee_leave)(l, ply, value);
	return value;
}

/* Plays a move and informs the listener. */
static inline void G(lurgee_play)(struct lurgee *l, const G_STATE *s, qv_move move, int ply,
				  int32_t alpha, int32_t beta, G_STATE *child)
{
	G(copy_play)(child, s, move);
	l->moves++;
	if (!ply && l->first == QV_NO_MOVE)
		l->first = move;
	if (l->listener && l->listener->branch)
		l->listener->branch(l->listener->ctx, s, move, ply, alpha, beta);
}

/* Processes a child's value; true: a cut-off. Only a strictly better move replaces the best. */
static inline bool G(lurgee_take)(struct lurgee *l, qv_move move, int ply, int32_t value,
				  int32_t *alpha, int32_t beta, int32_t *best, qv_move *best_move)
{
	if (value > *best) {
		*best = value;
		*best_move = move;
	}
	if (value > *alpha) {
		*alpha = value;
		if (!ply) {
			l->best = move;
			l->best_score = value;
		}
	}
	if (l->listener && l->listener->node)
		l->listener->node(l->listener->ctx, move, ply, value, *alpha >= beta);
	if (l->listener && *alpha >= beta)
		visit_why(l->listener, ply, QV_WHY_CUT, *alpha);
	return *alpha >= beta;
}

/* A node whose children are leaves. Every value updates the killers of the ply. */
static int32_t G(lurgee_last)(struct lurgee *l, const G_STATE *s, int ply, int32_t alpha,
			      int32_t beta, struct G(lurgee_moves_left) *m)
{
	int32_t best = -LURGEE_BOUND;
	qv_move best_move = QV_NO_MOVE;
	const int32_t before = G_LURGEE_BEFORE(s);
	for (qv_move move; (move = G(lurgee_next)(m)) != QV_NO_MOVE;) {
		G_STATE child;
		G(lurgee_play)(l, s, move, ply, alpha, beta, &child);
		if (G(lurgee_must_stop)(l))
			return 0;
		const int32_t value =
			-(l->listener ? G(lurgee_visit_leaf)(l, &child, before, move, ply + 1,
							     -beta, -alpha)
				      : G(lurgee_leaf)(l, &child, before, move, ply + 1));
		if (l->killer_most)
			lurgee_killers_add(&l->killers[ply], l->killer_most, G(lurgee_id)(move),
					   value);
		if (G(lurgee_take)(l, move, ply, value, &alpha, beta, &best, &best_move))
			break;
	}
	l->node_best = best_move;
	return best;
}

static int32_t G(lurgee_node)(struct lurgee *l, const G_STATE *s, qv_move last, int ply, int left,
			      int32_t alpha, int32_t beta);

/* lurgee_node as a visit by a move. */
static inline int32_t G(lurgee_visit)(struct lurgee *l, const G_STATE *s, qv_move last, int ply,
				      int left, int32_t alpha, int32_t beta, unsigned flags)
{
	if (l->listener)
		G(lurgee_enter)(l, s, last, left, ply, alpha, beta, flags);
	const int32_t value = G(lurgee_node)(l, s, last, ply, left, alpha, beta);
	if (l->listener)
		G(lurgee_leave)(l, ply, value);
	return value;
}

/*
 * The value of a node `ply` plies below the root, with `left` plies to go. Without a legal move it
 * is a pass, which costs a ply, or a leaf if the game has no passes. Negascout searches later moves
 * with a null window first.
 */
static int32_t G(lurgee_node)(struct lurgee *l, const G_STATE *s, qv_move last, int ply, int left,
			      int32_t alpha, int32_t beta)
{
	qv_move moves[G_MAX_MOVES];
	uint32_t keys[G_MAX_MOVES];
	struct G(lurgee_moves_left) m;
	int32_t best = -LURGEE_BOUND;
	qv_move best_move = QV_NO_MOVE;
	bool first = true;
	if (G(lurgee_must_stop)(l))
		return 0;
	if (!left)                       /* after a pass; others are seen in lurgee_last */
		return G(lurgee_leaf)(l, s, 0, last, ply);
	m.moves = moves;
	m.keys = keys;
	if (!G(lurgee_begin_node)(l, s, ply, &m)) {
#if G_LURGEE_BYES
		if (l->byes) {
			G_STATE passed;
			G(copy_play)(&passed, s, G_LURGEE_PASS);
			if (l->listener)
				G(lurgee_enter)
				(l, &passed, G_LURGEE_PASS, left - 1, ply + 1, -beta, -alpha, 0);
			const int32_t value =
				-G(lurgee_node)(l, &passed, last, ply + 1, left - 1, -beta, -alpha);
			if (l->listener)
				G(lurgee_leave)(l, ply + 1, -value);
			return value;
		}
#endif
		return G(lurgee_leaf)(l, s, 0, last, ply);
	}
	if (left == 1)
		return G(lurgee_last)(l, s, ply, alpha, beta, &m);
	for (qv_move move; (move = G(lurgee_next)(&m)) != QV_NO_MOVE;) {
		G_STATE child;
		G(lurgee_play)(l, s, move, ply, alpha, beta, &child);
		const bool whole = first || !l->negascout;
		int32_t value = -G(lurgee_visit)(l, &child, move, ply + 1, left - 1,
						 whole ? -beta : -(alpha + 1), -alpha,
						 whole ? 0 : QV_VISIT_SCOUT);
		if (!whole && !l->stopped && value > alpha && value < beta)
			value = -G(lurgee_visit)(l, &child, move, ply + 1, left - 1, -beta, -value,
						 QV_VISIT_AGAIN);
		if (l->stopped)
			return 0;
		if (G(lurgee_take)(l, move, ply, value, &alpha, beta, &best, &best_move))
			break;
		first = false;
	}
	l->node_best = best_move;
	return best;
}

/* lurgee_ops.prepare */
static void G(lurgee_start)(struct lurgee *l)
{
	G(lurgee_prepare)((const G_STATE *)(const void *)l->root_state, l->weights,
			  (G_LURGEE_ROOT *)(void *)l->root);
}

/* lurgee_ops.search */
static int32_t G(lurgee_search)(struct lurgee *l)
{
	const G_STATE *root = (const void *)l->root_state;
	const int most = G(lurgee_left)(root);
	if (l->depth > most)
		l->depth = most;
	if (l->depth <= 1)               /* the framework has no limit there */
		l->eval_limit = UINT64_MAX;
	return G(lurgee_visit)(l, root, QV_NO_MOVE, 0, l->depth, -LURGEE_BOUND, LURGEE_BOUND, 0);
}

static const struct lurgee_ops G(lurgee_ops) = { G(lurgee_start), G(lurgee_search) };
