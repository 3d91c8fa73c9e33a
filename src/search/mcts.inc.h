/*
 * mcts.inc.h - template: expansion and playouts of Monte Carlo tree search.
 * SPDX-License-Identifier: MIT
 *
 * A playout plays on one state, in place. At its first visit a node gets all of its children at
 * once, and each is tested for the end of the game, so an immediate win is never left to random
 * play.
 */
#include "search/mcts.h"
#include "search/stamp.inc.h"

/* Resets the path to the root. */
static inline void G(mcts_begin)(struct mcts *m, G_STATE *s)
{
	G_ROOT(root, m->game, m->root_state);
#if G_DYNAMIC
	G(copy)(s, root);
#else
	*s = *root;
#endif
	m->depth = 0;
	m->path[0] = 0;
	m->place = m->history_count;
	m->first = 0;
	if (G_HAS_REPEATED && m->repeats)
		m->hashes[m->place] = G(repeat_hash)(s);
}

/* Plays the move in place. */
static inline void G(mcts_step)(struct mcts *m, G_STATE *s, qv_move move)
{
	if (G_HAS_REPEATED && m->repeats && G(irreversible)(s, move))
		m->first = m->place + 1;
	G(play)(s, move);
	m->made++;
	if (G_HAS_REPEATED && m->repeats)
		m->hashes[++m->place] = G(repeat_hash)(s);
}

/* ---- moves ---- */

/* How many moves a listed one stands for (counted moves); an outcome of chance is one. */
static inline int G(mcts_numbers)(const G_STATE *s, qv_move move)
{
	return G(seat)(s) == QV_CHANCE ? 1 : G(numbers)(s, move);
}

/* The index of a random outcome, drawn by weight. */
static int G(mcts_roll)(struct mcts *m, const G_STATE *s, const qv_move *list, int n)
{
	uint64_t total = 0;
	for (int i = 0; i < n; i++)
		total += G(weight_of)(s, list[i]);
	uint64_t ticket = mcts_below(m, total ? total : 1);
	for (int i = 0; i < n; i++) {
		const uint64_t weight = G(weight_of)(s, list[i]);
		if (ticket < weight)
			return i;
		ticket -= weight;
	}
	return 0;
}

/* ---- the tree ---- */

/* Whether the game ends by repetition of this position. */
static inline bool G(mcts_recurs)(const struct mcts *m, const G_STATE *s, uint64_t hash, int first,
				  int last, int32_t *points, int *oldest)
{
	const int times = G_HAS_REPEATED ? mcts_times(m, hash, first, last, oldest) : 0;
	return times && G(repeated)(s, times, points) != QV_GOING;
}

/* Creates a child node of the current position; it is proven if it ends the game. */
static void G(mcts_add)(struct mcts *m, const G_STATE *s, qv_move move, struct mcts_node *node)
{
	int32_t points[QV_MAX_SEATS];
	G_CHILD(child, m->slots, 1);
	G(copy_play)(child, s, move);
	m->made++;
	*node = (struct mcts_node){ .move = move, .seat = (int8_t)G(seat)(child) };
	if (G(result)(child, points) != QV_GOING) {
		mcts_end_node(m, node, points);
		return;
	}
	int oldest = 0;
	if (!G_HAS_REPEATED || !m->repeats)
		return;
	const int first = G(irreversible)(s, move) ? m->place + 1 : m->first;
	if (G(mcts_recurs)(m, child, G(repeat_hash)(child), first, m->place, points, &oldest)) {
		mcts_end_node(m, node, points);
		if (oldest < m->history_count)
			node->marks |= MCTS_RESTS;
	}
}

/* Expands the path's last node. False: the tree is full or too deep, or the search must stop. */
static bool G(mcts_expand)(struct mcts *m, const G_STATE *s)
{
	G_LIST(moves, m->slots, 0);
	const int n = G(moves)(s, moves);
	uint64_t width = 0;
	for (int i = 0; i < n; i++)
		width += (uint64_t)G(mcts_numbers)(s, moves[i]);
	if (m->depth >= m->max_depth || width > m->capacity - m->used)
		return false;
	uint32_t used = m->used;
	for (int i = 0; i < n; i++) {
		const int most = G(mcts_numbers)(s, moves[i]);
		for (int number = most; number > 0; number--) {
			if (mcts_must_stop(m))
				return false;
			G(mcts_add)(m, s, G(numbered)(s, moves[i], number, most),
				    &m->nodes[used++]);
		}
	}
	struct mcts_node *node = &m->nodes[m->path[m->depth]];
	node->first = m->used;
	node->count = used - m->used;
	m->used = used;
	return node->count;
}

/* Goes down to a child of the path's last node. */
static inline void G(mcts_enter)(struct mcts *m, G_STATE *s, uint32_t child)
{
	G(mcts_step)(m, s, m->nodes[child].move);
	m->path[++m->depth] = child;
	if (m->depth > m->deepest)
		m->deepest = m->depth;
}

/* ---- called by the driver ---- */

/*
 * Two plies are expanded before the first playout, so that a win or a loss at once is seen even if
 * the time is short.
 */
static void G(mcts_prepare)(struct mcts *m)
{
	G_CHILD(s, m->slots, 0);
	G(mcts_begin)(m, s);
	m->nodes[0] = (struct mcts_node){ .move = QV_NO_MOVE, .seat = (int8_t)G(seat)(s) };
	m->used = 1;
	if (!G(mcts_expand)(m, s))
		return;
	mcts_keep_only(m);
	mcts_prove(m);
	const uint32_t first = m->nodes[0].first, end = first + m->nodes[0].count;
	for (uint32_t child = first; child < end && !mcts_is_proven(&m->nodes[0]); child++) {
		if (mcts_is_proven(&m->nodes[child]))
			continue;
		if (mcts_must_stop(m))
			return;
		G(mcts_begin)(m, s);
		G(mcts_enter)(m, s, child);
		if (G(mcts_expand)(m, s))
			mcts_prove(m);
		else if (m->budget.stopped)
			return;
	}
}

/* Plays random moves to the end of the game and backs up the result. */
static void G(mcts_random_game)(struct mcts *m, G_STATE *s)
{
	G_LIST(moves, m->slots, 0);
	for (int ply = 0; ply < MCTS_PLAYOUT_PLIES; ply++) {
		int32_t points[QV_MAX_SEATS];
		int oldest;
		if (G(result)(s, points) != QV_GOING ||
		    (ply && m->repeats &&
		     G(mcts_recurs)(m, s, m->hashes[m->place], m->first, m->place - 1, points,
				    &oldest))) {
			mcts_back_up(m, root_winners(m->game->seats, points),
				     mcts_points(m, points));
			return;
		}
		const int n = G(moves)(s, moves);
		if (!n)
			break;
		if (mcts_must_stop(m))
			return;
		/* A random outcome of chance, or any move; a counted one gets a random number. */
		const bool rolls = G(seat)(s) == QV_CHANCE;
		const qv_move move = moves[rolls ? (uint64_t)G(mcts_roll)(m, s, moves, n)
						 : mcts_below(m, (uint64_t)n)];
		const int most = rolls ? 1 : G(numbers)(s, move);
		const int number = most > 1 ? 1 + (int)mcts_below(m, (uint64_t)most) : 1;
		G(mcts_step)(m, s, G(numbered)(s, move, number, most));
	}
	mcts_back_up(m, (1U << m->game->seats) - 1, (int32_t)m->low);
}

/* One playout: selection down the tree, expansion of one node, and a random game from there. */
static void G(mcts_playout)(struct mcts *m)
{
	G_CHILD(s, m->slots, 0);
	G(mcts_begin)(m, s);
	for (bool fresh = false;;) {
		const uint32_t at = m->path[m->depth];
		if (mcts_is_proven(&m->nodes[at])) {
			mcts_back_up(m, m->nodes[at].winners, m->nodes[at].points);
			return;
		}
		if (fresh)
			break;
		if (!m->nodes[at].count) {
			if (!G(mcts_expand)(m, s))
				break;
			mcts_prove(m);
			fresh = true;
			continue;
		}
		if (mcts_must_stop(m))
			return;
		/* Descend to the selected child, or to a random outcome of chance. */
		if (m->nodes[at].seat != QV_CHANCE) {
			G(mcts_enter)(m, s, mcts_select(m, at));
			continue;
		}
		G_LIST(outcomes, m->slots, 0);
		const int n = G(moves)(s, outcomes);
		G(mcts_enter)(m, s, m->nodes[at].first + (uint32_t)G(mcts_roll)(m, s, outcomes, n));
	}
	if (!m->budget.stopped)
		G(mcts_random_game)(m, s);
}

static const struct mcts_ops G(mcts_ops) = { G_DYNAMIC, G(mcts_prepare), G(mcts_playout) };
