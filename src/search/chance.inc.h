/*
 * chance.inc.h - template: expectiminimax for two seats and dice, with Star1 and Star2.
 * SPDX-License-Identifier: MIT
 *
 * Depth counts moves; a dice roll costs none. A position is evaluated only where a player is to
 * move, so the rolls after the last move are still expanded. The book says that alpha-beta is
 * impossible with chance, since one bad outcome bounds nothing. But all outcomes together do, since
 * no value exceeds `win` (Ballard 1983). Star1: once even the best values of the remaining outcomes
 * cannot bring the average into the window, they are pruned. Star2: first a probe searches one move
 * after each outcome, which bounds the outcome from one side; often that is enough for a cut-off.
 *
 * A game may have long chains of chance outcomes without a move between them (G_HAS_CHAIN), with more
 * lines than a search can follow. There an outcome costs a ply like a move, and a chance node without
 * depth left is evaluated.
 */
#include "search/chance.h"
#include "search/stamp.inc.h"

static double G(chance_value)(struct chance_search *c, const G_STATE *s, int seat, int depth,
			      int ply, struct chance_window window);

/* ---- leaves ---- */

/* The static value for the seat to move, within the value of a won game. */
static inline double G(chance_evaluation)(struct chance_search *c, const G_STATE *s, int ply)
{
	c->evals++;
	const double value = c->custom ? c->custom->evaluate(G_BYTES(s), c->weights)
				       : G(evaluate)(s, c->weights);
	const double cut = chance_cut(c, value);
	if (c->listener && c->listener->leaf)
		c->listener->leaf(c->listener->ctx, G_BYTES(s), ply, chance_rounded(cut));
	return cut;
}

/* ---- visits ---- */

/* Whose values a visit has: those of the seat to move, and where chance moves those of `seat`. */
static inline int G(chance_visitor)(const G_STATE *s, int seat)
{
	const int mover = G(seat)(s);
	return mover == QV_CHANCE ? seat : mover;
}

/* Reports to the listener that a node is entered; the window is that of `seat`. */
static void G(chance_enter)(struct chance_search *c, const G_STATE *s, int seat, qv_move move,
			    int depth, int ply, struct chance_window window)
{
	const int visitor = G(chance_visitor)(s, seat);
	const struct chance_window his = visitor == seat ? window : chance_turned(window);
	const struct qv_visit visit = {
		.state = G_BYTES(s),
		.move = move,
		.ply = ply,
		.depth = depth - c->beyond,
		.seat = visitor,
		.alpha = his.alpha,
		.beta = his.beta,
		.flags = c->flags | (c->beyond ? QV_VISIT_QUIET : 0),
	};
	c->flags = 0;
	if (ply < CHANCE_MAX_PLY)
		c->plies[ply].best = QV_NO_MOVE;
	visit_enter(c->listener, &visit);
}

/* Reports that a node is left with a value for `seat`. A stopped search does not leave it. */
static void G(chance_leave)(const struct chance_search *c, const G_STATE *s, int seat, int ply,
			    double value)
{
	if (!c->budget.stopped)
		visit_leave(c->listener, ply, G(chance_visitor)(s, seat) == seat ? value : -value,
			    ply < CHANCE_MAX_PLY ? c->plies[ply].best : QV_NO_MOVE);
}

/* ---- moves ---- */

/* The value of a move or an outcome for `seat`, whichever seat moves after it. */
static double G(chance_child)(struct chance_search *c, const G_STATE *s, int seat, qv_move move,
			      int depth, int ply, struct chance_window window)
{
	if (chance_must_stop(c))
		return 0;
	c->nodes++;
	const struct qv_listener *l = c->listener;
	if (l && l->branch)
		l->branch(l->ctx, G_BYTES(s), move, ply, chance_rounded(window.alpha),
			  chance_rounded(window.beta));
	G_CHILD(child, c->slots, ply);
	G(copy_play)(child, s, move);
	if (l)
		G(chance_enter)(c, child, seat, move, depth, ply + 1, window);
	const double value = G(chance_value)(c, child, seat, depth, ply + 1, window);
	if (l)
		G(chance_leave)(c, child, seat, ply + 1, value);
	if (l && l->node)
		l->node(l->ctx, move, ply, chance_rounded(value), value >= window.beta);
	return value;
}

/* Reports a move whose value is known from a probe, so that it is not taken for one that is left out. */
static void G(chance_report)(const struct chance_search *c, const G_STATE *s, qv_move move, int ply,
			     struct chance_window window, double value)
{
	const struct qv_listener *l = c->listener;
	if (l && l->branch && l->node) {
		l->branch(l->ctx, G_BYTES(s), move, ply, chance_rounded(window.alpha),
			  chance_rounded(window.beta));
		l->node(l->ctx, move, ply, chance_rounded(value), value >= window.beta);
	}
}

/* Puts the table's move first, then the killer moves. */
static inline void G(chance_reorder)(struct chance_search *c, const qv_move *moves, int n, int ply,
				     int place)
{
	struct chance_ply *p = &c->plies[ply];
	for (int i = 0; i < n; i++)
		for (int k = 0; k < CHANCE_KILLERS; k++)
			if (moves[i] == p->killers[k])
				p->ranks[i] = INT32_MAX - 1 - k;
	if (place < n)
		p->ranks[place] = INT32_MAX;
}

/* For a listener: why a move is tried early. */
static unsigned G(chance_early)(const struct chance_search *c, qv_move move, bool table, int ply)
{
	const qv_move *killers = c->plies[ply].killers;
	return table					  ? QV_VISIT_TABLE
	       : move == killers[0] || move == killers[1] ? QV_VISIT_KILLER
							  : 0;
}

/*
 * Whether a move is not searched: it starts a chain, and there is no depth left for an outcome, or
 * chains are sampled at the root. With sampling it is evaluated, otherwise left out.
 */
static inline bool G(chance_skips)(const struct chance_search *c, const G_STATE *s, qv_move move,
				   int depth)
{
	return (c->samples || (c->chance_cost && depth - 1 <= c->chance_cost)) &&
	       G(starts_chain)(s, move);
}

/* The best value of the moves, for the seat to move. Fail-soft. */
static double G(chance_moves)(struct chance_search *c, const G_STATE *s, int depth, int ply,
			      struct chance_window window)
{
	const int seat = G(seat)(s);
	const double alpha = window.alpha;
	const uint64_t key = c->table ? G(hash)(s) : 0;
	bool known = !isnan(c->plies[ply].first);
	double best = known ? c->plies[ply].first : -INFINITY;
	int place = TABLE_NO_MOVE;
	c->plies[ply].first = NAN;
	if (c->table) {
		double value;
		if (chance_recall(c, key, depth, ply, alpha, window.beta, &value, &place)) {
			c->recalled++;
			chance_why(c, ply, QV_WHY_TABLE, value);
			return value;
		}
	}
	G_LIST(moves, c->slots, ply);
	const int n = G(list_ranked)(s, c->sort, moves, c->plies[ply].ranks);
	const bool reorders = c->table && !known; /* the known value is that of the first by rank */
	const int remembered = place;
	if (reorders)
		G(chance_reorder)(c, moves, n, ply, place);
	for (int tried = 0; tried < n; tried++) {
		const int at = root_pick(c->plies[ply].ranks, n);
		const qv_move listed = moves[at];
		const int most = G(numbers)(s, listed);
		const bool skips = G(chance_skips)(c, s, listed, depth);
		const int left = skips ? 0 : depth - 1;
		if (skips && !c->samples)
			continue;
		const unsigned early = c->listener && reorders
					       ? G(chance_early)(c, listed, at == remembered, ply)
					       : 0;
		for (int k = most; k > 0; k--) {
			const qv_move move = G(numbered)(s, listed, k, most);
			double value = best;
			if (!known && tried && c->table && window.beta > window.alpha + CHANCE_NULL) {
				/* A null window first: most moves are no better than the first. */
				const struct chance_window null = { window.alpha,
								    window.alpha + CHANCE_NULL };
				c->flags = early | QV_VISIT_SCOUT;
				value = G(chance_child)(c, s, seat, move, left, ply, null);
				if (value >= null.beta && value < window.beta &&
				    !c->budget.stopped) {
					c->flags = early | QV_VISIT_AGAIN;
					value = G(chance_child)(c, s, seat, move, left, ply,
								window);
				}
			} else if (!known) {
				c->flags = early;
				value = G(chance_child)(c, s, seat, move, left, ply, window);
			}
			if (known) {
				c->plies[ply].best = move;
				G(chance_report)(c, s, move, ply, window, value);
			}
			known = false;
			if (c->budget.stopped)
				return 0;
			if (value > best) {
				best = value;
				place = at;
				c->plies[ply].best = move;
			}
			if (best >= window.beta) {
				chance_why(c, ply, QV_WHY_CUT, best);
				chance_remember(c, ply, listed);
				if (c->table)
					chance_store(c, key, depth, ply, best, BOUND_LOWER, at);
				return best;
			}
			if (c->star && best > window.alpha)
				window.alpha = best;
		}
	}
	if (c->table)
		chance_store(c, key, depth, ply, best, best > alpha ? BOUND_EXACT : BOUND_UPPER,
			     place);
	return best;
}

#if G_HAS_QUIET
/*
 * Quiescence search: the value of a position without depth left, with the captures and the like
 * searched. The side to move may stand pat on the static value.
 */
static double G(chance_quiesce)(struct chance_search *c, const G_STATE *s, int ply,
				struct chance_window window)
{
	const int seat = G(seat)(s);
	double best = G(chance_evaluation)(c, s, ply);
	chance_why(c, ply, QV_WHY_STAND_PAT, best);
	if (best >= window.beta || ply >= CHANCE_MAX_PLY - 2)
		return best;
	G_LIST(moves, c->slots, ply);
	const int n = G(list_ranked)(s, c->sort, moves, c->plies[ply].ranks);
	for (int tried = 0; tried < n && best < window.beta; tried++) {
		const qv_move move = moves[root_pick(c->plies[ply].ranks, n)];
		if (G(quiet)(s, move))
			continue;
		if (c->star && best > window.alpha)
			window.alpha = best;
		c->beyond++;
		const double value = G(chance_child)(c, s, seat, move, 0, ply, window);
		c->beyond--;
		if (c->budget.stopped)
			return 0;
		if (value > best)
			c->plies[ply].best = move;
		best = value > best ? value : best;
	}
	if (best >= window.beta)
		chance_why(c, ply, QV_WHY_CUT, best);
	return best;
}
#endif

/* ---- chance nodes ---- */

/* Lists the outcomes with their weights and the widest bounds; returns how many. */
static inline int G(chance_roll)(struct chance_search *c, const G_STATE *s, qv_move *outcomes,
				  int ply)
{
	struct chance_odds *o = &c->plies[ply].odds;
	o->count = G(moves)(s, outcomes);
	o->total = 0;
	for (int i = 0; i < o->count; i++) {
		const uint32_t weight = G(weight)(s, outcomes[i]);
		o->weight[i] = weight ? weight : 1;  /* a plug-in may break the contract with 0 */
		o->total += o->weight[i];
		o->lower[i] = -c->win;
		o->upper[i] = c->win;
		o->first[i] = NAN;
	}
	return o->count;
}

/* The average of all outcomes, without pruning. */
static double G(chance_all)(struct chance_search *c, const G_STATE *s, int seat, int depth, int ply)
{
	G_LIST(outcomes, c->slots, ply);
	const int n = G(chance_roll)(c, s, outcomes, ply);
	struct chance_odds *o = &c->plies[ply].odds;
	for (int i = 0; i < n && !c->budget.stopped; i++)
		o->lower[i] =
			G(chance_child)(c, s, seat, outcomes[i], depth, ply, CHANCE_EVERYTHING);
	return chance_average(o, o->lower);
}

/*
 * Star2's probe: searches the first move after outcome i. The mover may have a better move, so its
 * value is a bound. It is kept for the full search of the outcome: windows only shrink from now on,
 * so the move need not be searched again.
 */
static void G(chance_probe_child)(struct chance_search *c, const G_STATE *child, int seat, int i,
				  int depth, int ply, struct chance_window window)
{
	struct chance_odds *o = &c->plies[ply].odds;
	int32_t points[QV_MAX_SEATS];
	const int mover = G(seat)(child);
	if (mover == QV_CHANCE || G(result)(child, points) != QV_GOING)
		return;
	G_LIST(moves, c->slots, ply + 1);
	const int n = G(list_ranked)(child, c->sort, moves, c->plies[ply + 1].ranks);
	const qv_move first = moves[root_pick(c->plies[ply + 1].ranks, n)];
	const struct chance_window his = mover == seat ? window : chance_turned(window);
	if (his.beta == INFINITY)
		return;                              /* the probe could not cause a cut-off */
	const double value = G(chance_child)(c, child, mover, first, depth - 1, ply + 1, his);
	if (c->budget.stopped)
		return;
	o->first[i] = value;
	c->plies[ply + 1].best = first;
	const bool forced = n == 1 && G(numbers)(child, first) == 1;
	if (!forced && value <= his.alpha)
		return;                              /* another move may be better */
	if (!forced)
		window = mover == seat ? (struct chance_window){ -INFINITY, value }
				       : (struct chance_window){ -value, INFINITY };
	chance_learn(o, i, window, mover == seat ? value : -value);
}

/* The same as a visit to outcome i. Where no move is searched, it has no value. */
static void G(chance_probe)(struct chance_search *c, const G_STATE *s, int seat, qv_move outcome,
			    int i, int depth, int ply, struct chance_window window)
{
	if (chance_must_stop(c))
		return;
	c->nodes++;
	G_CHILD(child, c->slots, ply);
	G(copy_play)(child, s, outcome);
	if (!c->listener) {
		G(chance_probe_child)(c, child, seat, i, depth, ply, window);
		return;
	}
	c->flags = QV_VISIT_PROBE;
	G(chance_enter)(c, child, seat, outcome, depth, ply + 1, window);
	G(chance_probe_child)(c, child, seat, i, depth, ply, window);
	if (!c->budget.stopped)
		visit_leave(c->listener, ply + 1, c->plies[ply].odds.first[i],
			    c->plies[ply + 1].best);
}

/* The average with Star1 and Star2 pruning: exact inside the window, a bound outside. */
static double G(chance_star)(struct chance_search *c, const G_STATE *s, int seat, int depth,
			     int ply, struct chance_window window)
{
	G_LIST(outcomes, c->slots, ply);
	const int n = G(chance_roll)(c, s, outcomes, ply);
	struct chance_odds *o = &c->plies[ply].odds;
	double bound = 0;
	const bool probes = c->star == 2 && depth > 0 && ply + 2 < CHANCE_MAX_PLY;
	for (int i = 0; probes && i < n; i++) {
		G(chance_probe)(c, s, seat, outcomes[i], i, depth, ply,
				chance_window_of(o, i, window));
		if (c->budget.stopped)
			return bound;
		if (chance_decided(o, window, &bound)) {
			chance_why(c, ply, QV_WHY_STAR2, bound);
			return bound;
		}
	}
	for (int i = 0; i < n; i++) {
		struct chance_window his = chance_window_of(o, i, window);
		if (o->lower[i] < o->upper[i])
			c->plies[ply + 1].first = o->first[i];
		while (o->lower[i] < o->upper[i]) {
			const double value =
				G(chance_child)(c, s, seat, outcomes[i], depth, ply, his);
			if (c->budget.stopped)
				return 0;
			chance_learn(o, i, his, value);
			if (chance_decided(o, window, &bound)) {
				chance_why(c, ply, QV_WHY_STAR1, bound);
				return bound;
			}
			his = CHANCE_EVERYTHING;   /* rounding left it open: full window */
			c->flags = o->lower[i] < o->upper[i] ? QV_VISIT_AGAIN : 0;
		}
	}
	return chance_average(o, o->lower);
}

/* ---- any position ---- */

/* The value for `seat`, which need not be to move. */
static double G(chance_value)(struct chance_search *c, const G_STATE *s, int seat, int depth,
			      int ply, struct chance_window window)
{
	int32_t points[QV_MAX_SEATS];
	double value;
	const int mover = G(seat)(s);
	const bool ended = G(result)(s, points) != QV_GOING;
	if (!ended && ply >= CHANCE_MAX_PLY - 1) {
		c->cut++;
		chance_why(c, ply, QV_WHY_DEEPEST, 0);
		return 0;
	}
	if (c->twofold && !ended && chance_repeats(c, mover == QV_CHANCE ? 0 : G(hash)(s), ply)) {
		value = seat == c->root_seat ? -c->repeat_loss : c->repeat_loss;
		chance_why(c, ply, QV_WHY_REPEATED, mover == seat ? value : -value);
		return value;
	}
	if (!ended && mover == QV_CHANCE && G_HAS_CHAIN && !depth) {
		value = G(chance_evaluation)(c, s, ply);
		value = G(chain_seat)(s) == seat ? value : -value;
		chance_why(c, ply, QV_WHY_LEAF, value);
		return value;
	}
	if (!ended && mover == QV_CHANCE && G_HAS_CHAIN)
		depth = depth > 1 + c->chance_cost ? depth - 1 - c->chance_cost : 0;
	if (!ended && mover == QV_CHANCE)
		return c->star ? G(chance_star)(c, s, seat, depth, ply, window)
			       : G(chance_all)(c, s, seat, depth, ply);
	if (ended) {
		const double part =
			mover ? -root_part(c->game, points) : root_part(c->game, points);
		const double hurry = ply * CHANCE_HURRY;
		value = part * c->win - (part > 0 ? hurry : part < 0 ? -hurry : 0);
		chance_why(c, ply, QV_WHY_ENDED, value);
#if G_HAS_QUIET
	} else if (!depth && c->quiet) {
		value = G(chance_quiesce)(c, s, ply,
					  mover == seat ? window : chance_turned(window));
#endif
	} else if (!depth) {
		value = G(chance_evaluation)(c, s, ply);
		chance_why(c, ply, QV_WHY_LEAF, value);
	} else {
		value = G(chance_moves)(c, s, depth, ply,
					mover == seat ? window : chance_turned(window));
	}
	return mover == seat ? value : -value;
}

/* ---- the root ---- */

#if G_HAS_CHAIN
/*
 * The value of a move that starts a chain: the mean over random complete chains, whose first outcomes
 * are spread evenly. It stops early where the mean is clear of alpha by four standard errors.
 */
static double G(chance_sample)(struct chance_search *c, const G_STATE *root, int seat, qv_move move,
			       int depth, double alpha)
{
	struct qv_random random = { .key = qv_random_key(c->settings.seed, G(hash)(root)) };
	double sum = 0, squares = 0;
	G_LIST(outcomes, c->slots, 0);
	for (int i = 0; i < c->samples; i++) {
		G_CHILD(child, c->slots, 0);
		G(copy_play)(child, root, move);
		for (int k = 0; G(seat)(child) == QV_CHANCE; k++) {
			const uint64_t n = (uint64_t)G(moves)(child, outcomes);
			G(play)(child, outcomes[k ? qv_random_below(&random, n) : (uint64_t)i % n]);
		}
		if (chance_must_stop(c))
			return 0;
		c->nodes++;
		if (c->listener) {
			c->flags = QV_VISIT_SAMPLE;
			G(chance_enter)(c, child, seat, move, depth, 1, CHANCE_EVERYTHING);
		}
		const double value = G(chance_value)(c, child, seat, depth, 1, CHANCE_EVERYTHING);
		if (c->budget.stopped)
			return 0;
		if (c->listener)
			G(chance_leave)(c, child, seat, 1, value);
		sum += value;
		squares += value * value;
		const double n = i + 1, mean = sum / n;
		if ((i + 1) % CHANCE_SAMPLES == 0 &&
		    fabs(mean - alpha) > 4 * sqrt((squares / n - mean * mean) / n))
			return mean;
	}
	return sum / c->samples;
}
#endif

/* One iteration over the root's moves. */
static void G(chance_search)(struct chance_search *c, int depth)
{
	G_ROOT(root, c->game, c->root_state);
	const int seat = c->root_seat = G(seat)(root);
#if G_HAS_CONTEMPT
	if (c->contempt)
		G(set_contempt)(root, seat);
#endif
	struct chance_window window = CHANCE_EVERYTHING;
	int32_t points[QV_MAX_SEATS];
	if (c->twofold)
		chance_repeats(c, G(hash)(root), 0);
	if (c->listener)
		G(chance_enter)(c, root, seat, QV_NO_MOVE, depth, 0, window);
	for (int i = 0; i < c->root.count; i++) {
		/* At the root, two plies less are left after the first outcome than after a move. */
		const bool chain = c->chance_cost && G(starts_chain)(root, c->root.list[i]);
		const int after = depth > 4 ? depth - 3 : 1,
			  left = chain ? after + 1 + c->chance_cost : depth - 1;
#if G_HAS_CHAIN
		const double value =
			c->samples && G(starts_chain)(root, c->root.list[i])
				? G(chance_sample)(c, root, seat, c->root.list[i],
						   depth > 2 ? depth - 3 : depth - 1, window.alpha)
				: G(chance_child)(c, root, seat, c->root.list[i], left, 0, window);
#else
		const double value =
			G(chance_child)(c, root, seat, c->root.list[i], left, 0, window);
#endif
		if (c->budget.stopped)
			return;
		if (c->values)
			c->values[i] = value;
		if (i && value <= c->best_value)
			continue;
		c->found = true;
		c->best_move = c->root.list[i];
		c->best_value = value;
		G_CHILD(child, c->slots, 0);
		G(copy_play)(child, root, c->root.list[i]);
		c->best_ends = G(result)(child, points) != QV_GOING &&
			       root_part(c->game, points) == (seat ? -1 : 1);
		if (c->star)
			window.alpha = c->spread > 0 ? value - c->spread - 1 : value;
	}
	if (c->listener)
		visit_leave(c->listener, 0, c->best_value, c->best_move);
}

static const struct chance_ops G(chance_ops) = { G_DYNAMIC, G(chance_search) };
