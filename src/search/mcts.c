/*
 * mcts.c - Monte Carlo tree search (UCT): selection, backing up, proofs, limits, the answer, and the
 * player kind `mcts`.
 * SPDX-License-Identifier: MIT
 *
 * Selection is UCB1. Ended games are proven nodes, and proofs propagate upwards as in MCTS-Solver,
 * for any number of seats and with chance. Memory is allocated when the search is created; only
 * room for a wide root and a long history is allocated when it starts. A full tree stops growing,
 * and playouts continue from its leaves.
 */
#include "search/mcts.h"

#include <math.h>

#include "base/real.h"
#include "search/legal.h"
#include "search/player_kind.h"
#include "search/random_move.h"
#include "search/root.h"

/* The listener is called after this many playouts and after each doubling. */
enum { FIRST_REPORT = 256 };

/* The reward of a seat: a win is 1, divided among the winners. */
static double share(unsigned winners, int seat)
{
	return winners >> seat & 1 ? 1.0 / __builtin_popcount(winners) : 0;
}

/* The reward of a seat in a game with stakes: from 0, all of them lost, to 1, all of them won. */
static double staked(const struct mcts *m, int32_t margin, int seat)
{
	return 0.5 + (seat ? -0.5 : 0.5) * margin / m->game->stakes;
}

/* The value of a child for the seat that moves to it: mean reward, or points with a single seat. */
static double worth(const struct mcts *m, const struct mcts_node *child, int mover)
{
	if (mcts_is_proven(child))
		return m->game->seats == 1 ? child->points
		       : m->game->stakes   ? staked(m, child->points, mover)
					   : share(child->winners, mover);
	return child->visits ? child->sum / child->visits : m->game->seats == 1 ? m->low : 0;
}

/* Whether the child is a proven loss for the seat that moves to it. */
static bool is_lost(const struct mcts *m, const struct mcts_node *child, int mover)
{
	return mcts_is_proven(child) && m->game->seats > 1 && !(child->winners >> mover & 1);
}

/* Whether the node is a proven win for the seat that no other move can surpass. */
static bool is_full_win(const struct mcts *m, const struct mcts_node *node, int seat)
{
	return m->game->seats > 1 && node->winners == 1U << seat &&
	       (!m->game->stakes || worth(m, node, seat) == 1);
}

/* Whether further playouts through the child are useless. */
static bool is_settled(const struct mcts *m, const struct mcts_node *child, int mover)
{
	return m->game->seats > 2 ? is_lost(m, child, mover) : mcts_is_proven(child);
}

/* ---- selection and backing up ---- */

uint32_t mcts_select(struct mcts *m, uint32_t at)
{
	const struct mcts_node *node = &m->nodes[at];
	uint64_t open = 0, fresh = 0;
	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		const bool settled = is_settled(m, &m->nodes[i], node->seat);
		open += !settled;
		fresh += !settled && !m->nodes[i].visits;
	}
	if (fresh) {
		/* A random one of the unvisited children that are not settled. */
		uint64_t number = fresh > 1 ? mcts_below(m, fresh) : 0;
		for (uint32_t i = node->first;; i++)
			if (!m->nodes[i].visits && !is_settled(m, &m->nodes[i], node->seat) &&
			    !number--)
				return i;
	}
	/* The child with the highest UCB1 bound; settled ones only if all are. */
	const double log_visits = node->visits ? real_log((double)node->visits) : 0;
	uint32_t best = node->first;
	double highest = -1;
	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		const struct mcts_node *child = &m->nodes[i];
		if (open && is_settled(m, child, node->seat))
			continue;
		const double visits = child->visits ? (double)child->visits : 0.5;
		double value = worth(m, child, node->seat);
		/* Points of a single seat are scaled to [0, 1] by the fewest and most points seen. */
		if (m->game->seats == 1)
			value = m->high > m->low ? (value - m->low) / (m->high - m->low) : 0.5;
		const double bound = value + m->explore * sqrt(log_visits / visits);
		if (bound > highest) {
			highest = bound;
			best = i;
		}
	}
	return best;
}

/* The listener's view of the playout that was just backed up; result NULL: of the root alone. */
static void report(const struct mcts *m, const double *result)
{
	qv_move path[MCTS_MAX_DEPTH + 1];
	double numbers[MCTS_MAX_DEPTH + 2][2];
	bool proven[MCTS_MAX_DEPTH + 2];
	for (int i = 0; i <= m->depth; i++) {
		const struct mcts_node *node = &m->nodes[m->path[i]];
		int seat = i ? m->nodes[m->path[i - 1]].seat : QV_CHANCE;
		if (seat == QV_CHANCE)
			seat = node->seat == QV_CHANCE ? 0 : node->seat;
		numbers[i][0] = node->visits;
		numbers[i][1] = worth(m, node, seat);
		proven[i] = mcts_is_proven(node);
		if (i)
			path[i - 1] = node->move;
	}
	const struct qv_growth step = { .path = path,
					.length = m->depth,
					.added = m->nodes[m->path[m->depth]].visits == 1,
					.count = m->depth + 1,
					.numbers = (const double(*)[2])numbers,
					.proven = proven,
					.result = result,
					.ucb = m->explore,
					.attacker = -1 };
	m->listener->growth(m->listener->ctx, &step);
}

void mcts_back_up(struct mcts *m, unsigned winners, int32_t points)
{
	double rewards[QV_MAX_SEATS] = { points };
	if (m->game->seats == 1) {
		m->low = !m->playouts || rewards[0] < m->low ? rewards[0] : m->low;
		m->high = !m->playouts || rewards[0] > m->high ? rewards[0] : m->high;
	}
	for (int seat = 0; m->game->seats > 1 && seat < m->game->seats; seat++)
		rewards[seat] = m->game->stakes ? staked(m, points, seat) : share(winners, seat);
	double result[QV_MAX_SEATS];
	memcpy(result, rewards, sizeof result);
	m->playouts++;
	for (int i = m->depth; i > 0; i--) {
		struct mcts_node *node = &m->nodes[m->path[i]], *parent = &m->nodes[m->path[i - 1]];
		node->visits++;
		if (parent->seat == QV_CHANCE) {
			/* Nothing is chosen by it: it is for listeners only. */
			node->sum += node->seat == QV_CHANCE ? 0 : rewards[node->seat];
			continue;
		}
		node->sum += rewards[parent->seat];
		/* A seat with a proven draw would not lose: the nodes above it get a draw. */
		if (parent->marks & MCTS_HOLDS && rewards[parent->seat] < 0.5)
			rewards[0] = rewards[1] = 0.5;
	}
	m->nodes[0].visits++;
	m->nodes[0].sum += rewards[m->nodes[0].seat];
	if (m->listener)
		report(m, result);
}

/* ---- proofs ---- */

void mcts_end_node(const struct mcts *m, struct mcts_node *node, const int32_t *points)
{
	node->marks |= MCTS_PROVEN;
	node->winners = (uint8_t)root_winners(m->game->seats, points);
	node->points = mcts_points(m, points);
}

/* Whether the mover prefers a to b; both are proven. */
static bool is_better(const struct mcts *m, const struct mcts_node *a, const struct mcts_node *b,
		      int mover)
{
	const double of_a = worth(m, a, mover), of_b = worth(m, b, mover);
	const bool winning = m->game->seats == 1 || of_a == 1 || (m->game->stakes && of_a > 0.5);
	return of_a != of_b ? of_a > of_b : winning ? a->plies < b->plies : a->plies > b->plies;
}

/*
 * The child that proves the node, or MCTS_NONE. A proven win by all stakes is enough. Otherwise all
 * children must be proven, and at chance nodes or with more than two seats all with the same result: otherwise
 * the winner would depend on chance, or on a choice that does not matter to the mover.
 */
static uint32_t deciding_child(const struct mcts *m, const struct mcts_node *node)
{
	const bool one_value = node->seat == QV_CHANCE || m->game->seats > 2;
	uint32_t best = MCTS_NONE;
	bool all = true, same = true, won = false;
	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		const struct mcts_node *child = &m->nodes[i], *first = &m->nodes[node->first];
		all &= mcts_is_proven(child);
		if (!mcts_is_proven(child))
			continue;
		same &= child->winners == first->winners && child->points == first->points;
		won |= node->seat != QV_CHANCE && is_full_win(m, child, node->seat);
		const struct mcts_node *held = best == MCTS_NONE ? NULL : &m->nodes[best];
		if (!held || (node->seat == QV_CHANCE ? child->plies > held->plies
						      : is_better(m, child, held, node->seat)))
			best = i;
	}
	return won || (all && (same || !one_value)) ? best : MCTS_NONE;
}

void mcts_prove(struct mcts *m)
{
	for (int i = m->depth; i >= 0; i--) {
		struct mcts_node *node = &m->nodes[m->path[i]];
		const uint32_t child = deciding_child(m, node);
		const uint32_t end = node->first + node->count;
		if (child == MCTS_NONE) {
			/* Not proven, but a proven draw is in hand. */
			for (uint32_t k = node->first; k < end; k++)
				if (m->game->seats == 2 && node->seat != QV_CHANCE &&
				    mcts_is_proven(&m->nodes[k]) &&
				    !is_lost(m, &m->nodes[k], node->seat))
					node->marks |= MCTS_HOLDS;
			return;
		}
		const struct mcts_node *by = &m->nodes[child];
		/* A win needs this child alone; otherwise the proof rests on what any child does. */
		const bool alone = node->seat != QV_CHANCE && is_full_win(m, by, node->seat);
		unsigned rests = by->marks & MCTS_RESTS;
		for (uint32_t k = node->first; !alone && k < end; k++)
			rests |= m->nodes[k].marks & MCTS_RESTS;
		node->winners = by->winners;
		node->points = by->points;
		node->plies = (uint8_t)(by->plies + 1);
		node->marks = (uint8_t)(node->marks | MCTS_PROVEN | rests);
	}
}

/* ---- the answer ---- */

void mcts_keep_only(struct mcts *m)
{
	struct mcts_node *root = &m->nodes[0];
	uint32_t kept = root->first;
	for (uint32_t i = root->first; i < root->first + root->count; i++)
		if (legal_is_named(m->limits, m->nodes[i].move))
			m->nodes[kept++] = m->nodes[i];
	if (kept > root->first)
		root->count = kept - root->first;
}

/* The most visited child that is not lost; a child proven to be at least as good is preferred. */
static uint32_t best_child(const struct mcts *m, const struct mcts_node *node)
{
	const int mover = node->seat;
	const bool chance = mover == QV_CHANCE;
	uint32_t best = node->first;
	for (uint32_t i = best + 1; i < node->first + node->count; i++) {
		const struct mcts_node *child = &m->nodes[i], *held = &m->nodes[best];
		const bool lost = !chance && is_lost(m, child, mover);
		const bool held_lost = !chance && is_lost(m, held, mover);
		if (lost != held_lost ? held_lost : child->visits > held->visits)
			best = i;
	}
	for (uint32_t i = node->first; !chance && i < node->first + node->count; i++) {
		const struct mcts_node *child = &m->nodes[i], *held = &m->nodes[best];
		if (!mcts_is_proven(child) || i == best)
			continue;
		if (mcts_is_proven(held) ? is_better(m, child, held, mover)
					 : worth(m, child, mover) > 0 &&
						   worth(m, child, mover) >= worth(m, held, mover))
			best = i;
	}
	return best;
}

/* Scores that are not proven stay within QV_MAX_EVAL. */
static int32_t rounded(double score)
{
	const double most = QV_MAX_EVAL;
	return (int32_t)floor((score > most ? most : score < -most ? -most : score) + 0.5);
}

/* The line of most visited or proven moves, and the score of its first move. */
static void set_answer(const struct mcts *m, struct qv_answer *out)
{
	const struct mcts_node *root = &m->nodes[0], *node = root;
	out->depth = m->deepest;
	out->nodes = out->considered = m->made;
	out->seconds = budget_seconds(&m->budget);
	if (!root->count)
		return;
	/* The line ends at a child that was neither visited nor proven. */
	out->line_length = 0;
	while (node->count && out->line_length < QV_MAX_LINE) {
		const struct mcts_node *next =
			&m->nodes[mcts_is_proven(node) ? deciding_child(m, node)
						       : best_child(m, node)];
		if (out->line_length && !next->visits && !mcts_is_proven(next))
			break;
		out->line[out->line_length++] = next->move;
		node = next;
	}
	out->move = out->line[0];
	out->proven = mcts_is_proven(root);
	out->rests_on_repetition = root->marks & MCTS_RESTS;
	const struct mcts_node *child = &m->nodes[root->first];
	while (child->move != out->move)
		child++;
	const double value = worth(m, child, root->seat);
	if (m->game->seats == 1)
		out->score = rounded(out->proven ? root->points : value);
	else if (out->proven)
		out->score = root->winners == 1U << root->seat ? QV_WIN - root->plies
			     : root->winners >> root->seat & 1 ? 0
							       : root->plies - QV_WIN;
	else
		out->score = rounded((2 * value - 1) * 1000);
	if (!out->proven && !child->visits && !mcts_is_proven(child))
		out->score = 0;
}

/* ---- running ---- */

/* Grows the tree if necessary, so that all root moves fit. False: not enough memory. */
static bool make_room(struct mcts *m, const void *state, const qv_move *list, int n)
{
	uint64_t width = 1;
	for (int i = 0; i < n; i++)
		width += (uint64_t)legal_max_count(m->game, state, list[i]);
	if (width <= m->capacity || width >= MCTS_NONE)
		return width < MCTS_NONE;
	struct mcts_node *nodes = mem_resize(m->base.allocator, m->nodes,
					     m->capacity * sizeof *nodes, width * sizeof *nodes);
	if (!nodes)
		return false;
	m->nodes = nodes;
	m->capacity = (uint32_t)width;
	return true;
}

/* Playouts until a limit is reached or the root is proven; reports at each doubling. */
static void search(struct mcts *m, const struct qv_listener *listener, struct qv_answer *out)
{
	uint64_t report_at = FIRST_REPORT;
	m->nodes[0] = (struct mcts_node){ .move = QV_NO_MOVE };
	m->depth = 0;
	m->path[0] = 0;
	/* Two plies may be many nodes, or prove the root: the listener gets the root before. */
	if (m->listener)
		report(m, NULL);
	m->ops->prepare(m);
	m->depth = 0;
	if (m->listener && mcts_is_proven(&m->nodes[0]))
		report(m, NULL);
	while (!m->budget.stopped && m->playouts < m->playout_limit && m->nodes[0].count &&
	       !mcts_is_proven(&m->nodes[0])) {
		m->ops->playout(m);
		if (m->playouts < report_at)
			continue;
		report_at *= 2;
		if (listener && listener->iteration) {
			set_answer(m, out);
			listener->iteration(listener->ctx, out);
		}
	}
	set_answer(m, out);
}

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	struct mcts *m = (struct mcts *)p;
	const struct qv_game *g = m->game;
	const struct settings *set = &p->settings;
	qv_move list[QV_MAX_MOVES];
	m->limits = limits;
	m->listener = listener && listener->growth ? listener : NULL;
	budget_start(&m->budget, set, limits, 0);
	budget_aim(&m->budget);
	m->budget.check_at = 0; /* a playout may be long: poll before the first */
	m->playout_limit =
		set->playouts && !budget_yields(set, limits) ? (uint64_t)set->playouts : UINT64_MAX;
	m->max_depth = budget_depth(set, limits, MCTS_MAX_DEPTH);
	m->made = m->playouts = 0;
	m->deepest = 0;
	m->low = m->high = 0;
	if (root_has_ended(g, state, out))
		return QV_OK;
	const int n = g->moves(state, list);
	if ((m->repeats &&
	     !root_load_history(p->allocator, limits, MCTS_MAX_DEPTH + MCTS_PLAYOUT_PLIES + 2,
				&m->hashes, &m->hash_room, &m->history_count)) ||
	    !make_room(m, state, list, n))
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	/* The answer of a search that is stopped before its first playout; at a chance node the dice. */
	const bool rolls = g->seat(state) == QV_CHANCE;
	*out = (struct qv_answer){ .line_length = 1, .move = list[0] };
	if (rolls)
		out->move = random_move(g, state, list, n, &m->random);
	for (int i = limits->only && !rolls ? limits->only_count : 0; i-- > 0;)
		if (legal_among(g, state, list, n, limits->only[i]))
			out->move = limits->only[i];
	out->line[0] = out->move;
	if (rolls)
		return QV_OK;
	memcpy(m->root_state, state, g->state_size);
	search(m, listener, out);
	return m->budget.was_stopped ? qv_fail(error, QV_STOPPED, "search: stopped") : QV_OK;
}

/* ---- the player ---- */

/* Restarts the random numbers; no tree is kept from game to game. */
static void new_game(struct qv_player *p)
{
	((struct mcts *)p)->random =
		(struct qv_random){ .key = qv_random_key(p->settings.seed, 0) };
}

static void free_player(struct qv_player *p)
{
	struct mcts *m = (struct mcts *)p;
	mem_free(p->allocator, m->nodes, m->capacity * sizeof *m->nodes);
	mem_free(p->allocator, m->hashes, m->hash_room * sizeof *m->hashes);
	arena_release(&m->arena);
	mem_free(p->allocator, m, sizeof *m);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct qv_game *g = setup->rules->game;
	const struct mcts_ops *stamp = setup->engine->mcts;
	if (!stamp)
		return qv_fail(error, QV_UNSUPPORTED, "player mcts: not available for %s", g->name);
	struct mcts *m = player_begin(setup, &ops, sizeof *m, error);
	if (!m)
		return QV_NO_MEMORY;
	const uint64_t nodes = ((uint64_t)setup->settings->tt << 20) / sizeof *m->nodes;
	m->game = g;
	m->ops = stamp;
	m->explore = (double)setup->settings->explore / 100;
	m->repeats = g->repeated && g->irreversible;
	m->capacity = nodes > MCTS_NONE - 1	 ? MCTS_NONE - 1
		      : nodes < MCTS_LEAST_NODES ? MCTS_LEAST_NODES
						 : (uint32_t)nodes;
	m->nodes = mem_new(setup->allocator, m->capacity, sizeof *m->nodes);
	const size_t need = arena_need(1, g->state_size) + (stamp->dynamic ? slots_need(g, 2) : 0);
	if (!m->nodes || arena_init(&m->arena, setup->allocator, need) != QV_OK)
		return player_finish(qv_fail(error, QV_NO_MEMORY, "search: out of memory"),
				     &m->base, out);
	m->root_state = arena_take(&m->arena, 1, g->state_size);
	m->slots = stamp->dynamic ? slots_take(&m->arena, g, 2) : NULL;
	new_game(&m->base);
	return player_finish(QV_OK, &m->base, out);
}

static const struct option own_options[] = {
	OPTION(struct settings, "playouts", OPTION_INT, playouts, .min = 1, .max = INT64_MAX / 2,
	       .value = "N", .help = "random games for a move"),
	OPTION(struct settings, "explore", OPTION_INT, explore, .max = 10000, .def = 70,
	       .value = "N", .help = "exploration constant of UCT, in hundredths"),
	{ 0 },
};
static const struct option *const options[] = { effort_options, own_options, table_option,
						opening_options, NULL };

const struct player_kind mcts_kind = {
	.name = "mcts",
	.help = "Monte Carlo tree search: grows a tree by random games; any number of seats, and dice",
	.options = options,
	.limit = "playouts=10000",
	.ignores_depth = true,
	.make = make
};
