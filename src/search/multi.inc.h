/*
 * multi.inc.h - template: max^n, paranoid and best-reply search, for 2 to 4 seats, with or without
 * dice.
 * SPDX-License-Identifier: MIT
 *
 * Seats need not alternate: each state names the seat to move. Depth counts moves; a dice roll
 * costs none, except in games with chains of outcomes (chance.inc.h), and all of its outcomes are
 * averaged. A principal variation ends at a dice roll.
 *
 * max^n: each seat maximises its own value; of equal moves it plays the first. After an immediate
 * win the remaining moves are pruned. There is no shallow pruning, since it needs values with a
 * bounded sum.
 *
 * Paranoid: all opponents minimise the value of the searching seat. That makes two sides, so
 * alpha-beta is sound.
 *
 * Best-reply (BRS+): between two moves of the searching seat only one opponent has a choice; all
 * others play their usual move, the one that the game ranks highest. (In the original they pass,
 * which most rules do not allow.) An opponent that plays its usual move has not used the choice.
 */
#include "search/multi.h"
#include "search/stamp.inc.h"

static void G(maxn_value)(struct multi *m, const G_STATE *s, int depth, int ply,
			  struct multi_values *out);
static double G(against_value)(struct multi *m, const G_STATE *s, int replier, int depth, int ply,
			       struct chance_window window);

/* ---- positions ---- */

/* Enters the hash of the position at that ply. */
static inline void G(multi_note)(struct multi *m, const G_STATE *s, int ply)
{
	if (G_HAS_REPEATED && m->repeats)
		m->hashes[m->history_count + ply] = G(repeat_hash)(s);
}

/* Whether the game has ended by its rules or by repetition. */
static inline bool G(multi_has_ended)(struct multi *m, const G_STATE *s, int ply, int32_t *points)
{
	if (G(result)(s, points) != QV_GOING)
		return true;
	int oldest = 0;
	if (!G_HAS_REPEATED || !m->repeats)
		return false;
	const int times = multi_times(m, m->plies[ply].first, m->history_count + ply, &oldest);
	if (!times || G(repeated)(s, times, points) == QV_GOING)
		return false;
	m->rests |= oldest < m->history_count;
	return true;
}

/* Makes the position after a move and informs the listener. */
static inline void G(multi_step)(struct multi *m, G_STATE *child, const G_STATE *s, qv_move move,
				 int ply, double alpha, double beta)
{
	const struct qv_listener *l = m->listener;
	m->nodes++;
	if (l && l->branch)
		l->branch(l->ctx, G_BYTES(s), move, ply, multi_rounded(alpha), multi_rounded(beta));
	G(copy_play)(child, s, move);
	if (G_HAS_REPEATED && m->repeats)
		m->plies[ply + 1].first =
			G(irreversible)(s, move) ? m->history_count + ply + 1 : m->plies[ply].first;
	G(multi_note)(m, child, ply + 1);
}

/* Informs the listener of a searched node. */
static inline void G(multi_report)(const struct multi *m, qv_move move, int ply, double value,
				 bool cut)
{
	const struct qv_listener *l = m->listener;
	if (l && l->node && !m->budget.stopped)
		l->node(l->ctx, move, ply, multi_rounded(value), cut);
}

/* Reports to the listener that a node is entered. `seat` is the one whose values it has. */
static void G(multi_enter)(struct multi *m, const G_STATE *s, int seat, qv_move move, int depth,
			   int ply, struct chance_window window, unsigned flags)
{
	const struct qv_visit visit = {
		.state = G_BYTES(s),
		.move = move,
		.ply = ply,
		.depth = depth,
		.seat = seat,
		.alpha = window.alpha,
		.beta = window.beta,
		.flags = flags,
	};
	m->plies[ply].best = QV_NO_MOVE;
	m->plies[ply].seat = seat;
	visit_enter(m->listener, &visit);
}

/* Reports an end: whether the rules or a repetition caused it. */
static inline void G(multi_why_ended)(const struct multi *m, const G_STATE *s, int ply,
				      const struct multi_values *values)
{
	int32_t points[QV_MAX_SEATS];
	if (__builtin_expect(m->listener != NULL, 0))
		multi_why(m, ply, G(result)(s, points) != QV_GOING ? QV_WHY_ENDED : QV_WHY_REPEATED,
			  values);
}

static void G(multi_evaluation)(struct multi *m, const G_STATE *s, int mover, int ply,
				struct multi_values *out)
{
	int32_t values[QV_MAX_SEATS];
	m->evals++;
	if (m->seats) {
		m->seats(G_BYTES(s), m->weights, values);
	} else {
		const int32_t mine = m->custom ? m->custom->evaluate(G_BYTES(s), m->weights)
					       : G(evaluate)(s, m->weights);
		for (int seat = 0; seat < m->game->seats; seat++)
			values[seat] = seat == mover ? mine : -(mine / (m->game->seats - 1));
	}
	out->winners = 0;
	for (int seat = 0; seat < m->game->seats; seat++)
		out->of[seat] = multi_cut(m, values[seat]);
	multi_why(m, ply, QV_WHY_LEAF, out);
	if (m->listener && m->listener->leaf)
		m->listener->leaf(m->listener->ctx, G_BYTES(s), ply, multi_rounded(out->of[mover]));
}

/* ---- moves ---- */

/* The usual move: the first one with the highest rank. */
static inline qv_move G(multi_usual)(const G_STATE *s, const qv_move *moves, int n)
{
	qv_move usual = n ? moves[0] : QV_NO_MOVE;
	int32_t highest = n ? G(rank_of)(s, usual) : 0;
	for (int i = 1; i < n; i++) {
		const int32_t rank = G(rank_of)(s, moves[i]);
		usual = rank > highest ? moves[i] : usual;
		highest = rank > highest ? rank : highest;
	}
	return usual;
}

/* The weight of an outcome, at least 1. */
static inline double G(multi_weight)(const G_STATE *s, qv_move outcome)
{
	const uint32_t weight = G(weight_of)(s, outcome);
	return weight ? weight : 1; /* a plug-in may break the contract with 0 */
}

/* ---- max^n ---- */

/* A node as a visit: it has the values of the seat to move; after a roll, of who moved before. */
static void G(maxn_visit)(struct multi *m, const G_STATE *s, int before, qv_move move, int depth,
			  int ply, struct multi_values *out)
{
	const int mover = G(seat)(s), seat = mover != QV_CHANCE	   ? mover
					     : before != QV_CHANCE ? before
								   : m->me;
	G(multi_enter)(m, s, seat, move, depth, ply, CHANCE_EVERYTHING, 0);
	G(maxn_value)(m, s, depth, ply, out);
	if (m->budget.stopped)
		return;
	visit_values(m->listener, ply, out->of);
	visit_leave(m->listener, ply, out->of[seat], m->plies[ply].best);
}

static void G(maxn_child)(struct multi *m, const G_STATE *s, int mover, qv_move move, int depth,
			  int ply, struct multi_values *out)
{
	if (multi_must_stop(m))
		return;
	G_CHILD(child, m->slots, ply);
	G(multi_step)(m, child, s, move, ply, -INFINITY, INFINITY);
	if (__builtin_expect(m->listener != NULL, 0))
		G(maxn_visit)(m, child, mover, move, depth, ply + 1, out);
	else
		G(maxn_value)(m, child, depth, ply + 1, out);
	/* Outcomes are reported for the seat whose values their parent has. */
	const double value = out->of[mover == QV_CHANCE ? m->plies[ply].seat : mover];
	const bool cut = m->prune && mover != QV_CHANCE && multi_is_most(m, value, ply);
	G(multi_report)(m, move, ply, value, cut);
}

/* The values of the move that is best for the mover; proven winners only if all choices agree. */
static void G(maxn_moves)(struct multi *m, const G_STATE *s, int mover, int depth, int ply,
			  struct multi_values *best)
{
	int tried = 0;
	unsigned first = 0;
	bool agree = true, done = false;
	G_LIST(moves, m->slots, ply);
	const int n = G(list_ranked)(s, m->sort, moves, m->plies[ply].ranks);
	for (int i = 0; i < n && !done; i++) {
		const qv_move listed = moves[root_pick(m->plies[ply].ranks, n)];
		const int most = G(numbers)(s, listed);
		for (int k = most; k > 0 && !done; k--) {
			struct multi_values here = { { 0 }, 0 };
			const qv_move move = G(numbered)(s, listed, k, most);
			G(maxn_child)(m, s, mover, move, depth - 1, ply, &here);
			if (m->budget.stopped)
				return;
			if (!tried)
				first = here.winners;
			agree &= multi_agree(m, here.winners, first);
			if (!tried++ || here.of[mover] > best->of[mover]) {
				*best = here;
				multi_extend_line(m, ply, move);
				m->plies[ply].best = move;
			}
			done = m->prune && multi_is_most(m, best->of[mover], ply);
		}
	}
	if (done)
		multi_why(m, ply, QV_WHY_WON, best);
	if (!agree && best->winners != 1U << mover)
		best->winners = 0;
}

/* The average over all outcomes of a dice roll, for each seat. */
static void G(maxn_roll)(struct multi *m, const G_STATE *s, int depth, int ply,
			  struct multi_values *out)
{
	double total = 0;
	G_LIST(outcomes, m->slots, ply);
	const int n = G(moves)(s, outcomes);
	*out = (struct multi_values){ { 0 }, 0 };
	for (int i = 0; i < n && !m->budget.stopped; i++) {
		struct multi_values here = { { 0 }, 0 };
		const double weight = G(multi_weight)(s, outcomes[i]);
		G(maxn_child)(m, s, QV_CHANCE, outcomes[i], depth, ply, &here);
		for (int seat = 0; seat < m->game->seats; seat++)
			out->of[seat] += weight * here.of[seat];
		total += weight;
	}
	for (int seat = 0; seat < m->game->seats; seat++)
		out->of[seat] /= total;
}

static void G(maxn_value)(struct multi *m, const G_STATE *s, int depth, int ply,
			  struct multi_values *out)
{
	int32_t points[QV_MAX_SEATS];
	m->plies[ply].line_length = 0;
	if (G(multi_has_ended)(m, s, ply, points)) {
		multi_set_ended(m, points, ply, out);
		G(multi_why_ended)(m, s, ply, out);
		return;
	}
	const int mover = G(seat)(s);
	if (ply >= MULTI_MAX_PLY - 1) {
		m->cut++;
		*out = (struct multi_values){ { 0 }, 0 };
		multi_why(m, ply, QV_WHY_DEEPEST, out);
	} else if (mover == QV_CHANCE && G_HAS_CHAIN && !depth--) {
		G(multi_evaluation)(m, s, G(chain_seat)(s), ply, out);
	} else if (mover == QV_CHANCE) {
		G(maxn_roll)(m, s, depth, ply, out);
	} else if (!depth) {
		G(multi_evaluation)(m, s, mover, ply, out);
	} else {
		G(maxn_moves)(m, s, mover, depth, ply, out);
	}
}

/* ---- paranoid and best-reply: values for the searching seat ---- */

/* A node as a visit: all values are those of the searching seat, so others choose the least. */
static double G(against_visit)(struct multi *m, const G_STATE *s, qv_move move, int replier,
			       int depth, int ply, struct chance_window window, unsigned flags)
{
	G(multi_enter)(m, s, m->me, move, depth, ply, window, flags);
	const double value = G(against_value)(m, s, replier, depth, ply, window);
	if (!m->budget.stopped)
		visit_leave(m->listener, ply, value, m->plies[ply].best);
	return value;
}

/* flags: for the listener. */
static double G(against_child)(struct multi *m, const G_STATE *s, int mover, qv_move move,
			       int replier, int depth, int ply, struct chance_window window,
			       unsigned flags)
{
	const bool mine = mover == m->me;
	if (multi_must_stop(m))
		return 0;
	G_CHILD(child, m->slots, ply);
	const struct chance_window his = mine ? window : chance_turned(window);
	G(multi_step)(m, child, s, move, ply, his.alpha, his.beta);
	const double value =
		__builtin_expect(m->listener != NULL, 0)
			? G(against_visit)(m, child, move, replier, depth, ply + 1, window, flags)
			: G(against_value)(m, child, replier, depth, ply + 1, window);
	const bool cut = m->prune && (mine ? value >= window.beta : value <= window.alpha);
	G(multi_report)(m, move, ply, mine ? value : -value, cut);
	return value;
}

/* The maximum (own moves) or minimum (an opponent's moves) of the value for `me`. Fail-soft. */
static double G(against_moves)(struct multi *m, const G_STATE *s, int mover, int replier, int depth,
			       int ply, struct chance_window window)
{
	const bool mine = mover == m->me, best_reply = m->variant == MULTI_BRS;
	const bool bound = best_reply && !mine && replier != MULTI_NOBODY && replier != mover;
	double best = mine ? -INFINITY : INFINITY;
	G_LIST(moves, m->slots, ply);
	const int n = G(list_ranked)(s, m->sort, moves, m->plies[ply].ranks);
	const qv_move usual = best_reply && !mine ? G(multi_usual)(s, moves, n) : QV_NO_MOVE;
	for (int i = 0; i < (bound ? 1 : n); i++) {
		const qv_move listed = bound ? usual : moves[root_pick(m->plies[ply].ranks, n)];
		const int most = G(numbers)(s, listed);
		for (int k = most; k > (bound ? most - 1 : 0); k--) {
			const qv_move move = G(numbered)(s, listed, k, most);
			const int then = mine ? MULTI_NOBODY : move == usual ? replier : mover;
			const double value =
				G(against_child)(m, s, mover, move, then, depth - 1, ply, window,
						 bound ? QV_VISIT_USUAL : 0);
			if (m->budget.stopped)
				return 0;
			if (mine ? value > best : value < best) {
				best = value;
				multi_extend_line(m, ply, move);
				m->plies[ply].best = move;
			}
			if (!m->prune)
				continue;
			if (mine ? best >= window.beta : best <= window.alpha) {
				if (__builtin_expect(m->listener != NULL, 0))
					visit_why(m->listener, ply, QV_WHY_CUT, best);
				return best;
			}
			if (mine && best > window.alpha)
				window.alpha = best;
			if (!mine && best < window.beta)
				window.beta = best;
		}
	}
	return best;
}

/* The average over all outcomes, with a full window. */
static double G(against_roll)(struct multi *m, const G_STATE *s, int replier, int depth, int ply)
{
	double sum = 0, total = 0;
	G_LIST(outcomes, m->slots, ply);
	const int n = G(moves)(s, outcomes);
	for (int i = 0; i < n && !m->budget.stopped; i++) {
		const double weight = G(multi_weight)(s, outcomes[i]);
		sum += weight * G(against_child)(m, s, m->me, outcomes[i], replier, depth, ply,
						 CHANCE_EVERYTHING, 0);
		total += weight;
	}
	return sum / total;
}

static double G(against_value)(struct multi *m, const G_STATE *s, int replier, int depth, int ply,
			       struct chance_window window)
{
	int32_t points[QV_MAX_SEATS];
	struct multi_values here;
	m->plies[ply].line_length = 0;
	if (G(multi_has_ended)(m, s, ply, points)) {
		multi_set_ended(m, points, ply, &here);
		G(multi_why_ended)(m, s, ply, &here);
		return here.of[m->me];
	}
	const int mover = G(seat)(s);
	if (ply >= MULTI_MAX_PLY - 1) {
		m->cut++;
		here = (struct multi_values){ { 0 }, 0 };
		multi_why(m, ply, QV_WHY_DEEPEST, &here);
		return 0;
	}
	if (mover == QV_CHANCE && G_HAS_CHAIN && !depth--) {
		G(multi_evaluation)(m, s, G(chain_seat)(s), ply, &here);
		return here.of[m->me];
	}
	if (mover == QV_CHANCE)
		return G(against_roll)(m, s, replier, depth, ply);
	if (depth)
		return G(against_moves)(m, s, mover, replier, depth, ply, window);
	G(multi_evaluation)(m, s, mover, ply, &here);
	return here.of[m->me];
}

/* ---- the root ---- */

/* One iteration over the root's moves. Of equal moves the first, or with random=1 a random one. */
static void G(multi_search)(struct multi *m, int depth)
{
	uint64_t equals = 0;
	unsigned first = 0;
	bool agree = true;
	double alpha = -INFINITY;
	int32_t points[QV_MAX_SEATS];
	G_ROOT(root, m->game, m->root_state);
	G(multi_note)(m, root, 0);
	if (m->listener)
		G(multi_enter)(m, root, m->me, QV_NO_MOVE, depth, 0, CHANCE_EVERYTHING, 0);
	for (int i = 0; i < m->root.count; i++) {
		const qv_move move = m->root.list[i];
		struct multi_values here = { { 0 }, 0 };
		if (m->variant == MULTI_MAXN)
			G(maxn_child)(m, root, m->me, move, depth - 1, 0, &here);
		else
			here.of[m->me] =
				G(against_child)(m, root, m->me, move, MULTI_NOBODY, depth - 1, 0,
						 (struct chance_window){ alpha, INFINITY }, 0);
		if (m->budget.stopped)
			break;
		if (i == 0)
			first = here.winners;
		agree &= multi_agree(m, here.winners, first);
		const double value = here.of[m->me];
		const bool better = i == 0 || value > m->best.of[m->me];
		equals = better ? 1 : equals + (value == m->best.of[m->me]);
		const bool drawn = m->random && !better && value == m->best.of[m->me] &&
				   qv_random_below(&m->random_numbers, equals) == 0;
		if (!better && !drawn)
			continue;
		multi_new_best(m, move, &here);
		G_CHILD(child, m->slots, 0);
		G(copy_play)(child, root, move);
		m->best_ends = G(result)(child, points) != QV_GOING &&
			       root_winners(m->game->seats, points) == 1U << m->me &&
			       (!m->game->stakes || fabs(root_part(m->game, points)) == 1);
		/*
		 * To choose at random between equal moves, alpha must lie just below their value.
		 */
		if (m->prune)
			alpha = m->random ? nextafter(value, -INFINITY) : value;
	}
	if (m->listener && !m->budget.stopped) {
		if (m->variant == MULTI_MAXN)
			visit_values(m->listener, 0, m->best.of);
		visit_leave(m->listener, 0, m->best.of[m->me], m->best_move);
	}
	if (m->found && m->best.winners != 1U << m->me && (m->budget.stopped || !agree))
		m->best.winners = 0;
}

static const struct multi_ops G(multi_ops) = { G_DYNAMIC, G(multi_search) };
