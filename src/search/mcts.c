/*
 * mcts.c - Monte Carlo tree search (UCT): selection, backing up, proofs, limits and the answer.
 * SPDX-License-Identifier: MIT
 *
 * Selection is UCB1. Ended games are proven nodes, and proofs propagate upwards as in MCTS-Solver,
 * for any number of seats and with chance. Memory is allocated when the search is created; only
 * room for a wide root and a long history is allocated when it starts. A full tree stops growing,
 * and playouts continue from its leaves.
 */
#include "search/mcts.h"

#include <math.h>

#include "search/legal.h"
#include "search/random_move.h"

/* ---- limits ---- */

/* The listener is called after this many playouts and after each doubling. */
enum { FIRST_REPORT = 256 };

static void take_limits(struct mcts *m, const struct qv_limits *limits)
{
	const struct settings *set = &m->settings;
	m->limits = limits;
	pace_start(&m->pace, set, limits, 0);
	pace_aim(&m->pace);
	m->pace.check_at = 0;                /* a playout may be long: poll before the first */
	m->playout_limit = set->playouts ? (uint64_t)set->playouts : UINT64_MAX;
	m->max_depth = pace_depth(set, limits, MCTS_MAX_DEPTH);
	m->made = m->playouts = 0;
	m->deepest = 0;
	m->low = m->high = 0;
}

/* ---- values ---- */

static uint8_t winners_of(const struct mcts *m, const int32_t *points)
{
	int32_t most = points[0];
	unsigned winners = 0;
	for (int seat = 1; seat < m->game->seats; seat++)
		if (points[seat] > most)
			most = points[seat];
	for (int seat = 0; seat < m->game->seats; seat++)
		winners |= (unsigned)(points[seat] == most) << seat;
	return (uint8_t)winners;
}

/* The reward of a seat: a win is 1, divided among the winners. */
static double share(unsigned winners, int seat)
{
	return winners >> seat & 1 ? 1.0 / __builtin_popcount(winners) : 0;
}

/* The value of a child for the seat that moves to it: mean reward, or points with a single seat. */
static double worth(const struct mcts *m, const struct mcts_node *child, int mover)
{
	if (mcts_is_proven(child))
		return m->game->seats == 1 ? child->points : share(child->winners, mover);
	return child->visits ? child->sum / child->visits : m->game->seats == 1 ? m->low : 0;
}

/* Points of a single seat, scaled to a reward in [0, 1] by the fewest and most points seen. */
static double scaled(const struct mcts *m, double points)
{
	return m->high > m->low ? (points - m->low) / (m->high - m->low) : 0.5;
}

static bool is_lost(const struct mcts *m, const struct mcts_node *child, int mover)
{
	return mcts_is_proven(child) && m->game->seats > 1 && !(child->winners >> mover & 1);
}

/* Whether further playouts through the child are useless. */
static bool is_settled(const struct mcts *m, const struct mcts_node *child, int mover)
{
	return m->game->seats > 2 ? is_lost(m, child, mover) : mcts_is_proven(child);
}

/* ---- selection and backing up ---- */

/* The number-th unvisited child that is not settled. */
static uint32_t untried(const struct mcts *m, const struct mcts_node *node, uint64_t number)
{
	for (uint32_t i = node->first;; i++)
		if (!m->nodes[i].visits && !is_settled(m, &m->nodes[i], node->seat) && !number--)
			return i;
}

/* The child with the highest UCB1 bound. */
static uint32_t highest_bound(const struct mcts *m, const struct mcts_node *node, bool settled_too)
{
	const double log_visits = node->visits ? log((double)node->visits) : 0;
	uint32_t best = node->first;
	double highest = -1;
	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		const struct mcts_node *child = &m->nodes[i];
		if (!settled_too && is_settled(m, child, node->seat))
			continue;
		const double visits = child->visits ? (double)child->visits : 0.5;
		const double value = worth(m, child, node->seat);
		const double bound = (m->game->seats == 1 ? scaled(m, value) : value) +
				     m->explore * sqrt(log_visits / visits);
		if (bound > highest) {
			highest = bound;
			best = i;
		}
	}
	return best;
}

uint32_t mcts_select(struct mcts *m, uint32_t at)
{
	const struct mcts_node *node = &m->nodes[at];
	uint64_t open = 0, fresh = 0;
	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		const bool settled = is_settled(m, &m->nodes[i], node->seat);
		open += !settled;
		fresh += !settled && !m->nodes[i].visits;
	}
	if (fresh)
		return untried(m, node, fresh > 1 ? mcts_below(m, fresh) : 0);
	return highest_bound(m, node, !open);
}

/* A seat with a proven draw would not lose: nodes above it get the reward of a draw instead. */
static void back_up(struct mcts *m, double *rewards)
{
	m->playouts++;
	for (int i = m->depth; i > 0; i--) {
		struct mcts_node *node = &m->nodes[m->path[i]], *parent = &m->nodes[m->path[i - 1]];
		node->visits++;
		if (parent->seat == QV_CHANCE)
			continue;
		node->sum += rewards[parent->seat];
		if (parent->marks & MCTS_HOLDS && rewards[parent->seat] < 0.5)
			rewards[0] = rewards[1] = 0.5;
	}
	m->nodes[0].visits++;
}

static void back_up_winners(struct mcts *m, unsigned winners)
{
	double rewards[QV_MAX_SEATS];
	for (int seat = 0; seat < m->game->seats; seat++)
		rewards[seat] = share(winners, seat);
	back_up(m, rewards);
}

/* Backs up the points of a single seat. */
static void back_up_number(struct mcts *m, double points)
{
	if (!m->playouts || points < m->low)
		m->low = points;
	if (!m->playouts || points > m->high)
		m->high = points;
	back_up(m, &points);
}

void mcts_back_up_points(struct mcts *m, const int32_t *points)
{
	if (m->game->seats == 1)
		back_up_number(m, points[0]);
	else
		back_up_winners(m, winners_of(m, points));
}

void mcts_back_up_shared(struct mcts *m)
{
	if (m->game->seats == 1)
		back_up_number(m, m->low);
	else
		back_up_winners(m, (1U << m->game->seats) - 1);
}

void mcts_back_up_proven(struct mcts *m)
{
	const struct mcts_node *node = &m->nodes[m->path[m->depth]];
	if (m->game->seats == 1)
		back_up_number(m, node->points);
	else
		back_up_winners(m, node->winners);
}

/* ---- proofs ---- */

void mcts_end_node(const struct mcts *m, struct mcts_node *node, const int32_t *points)
{
	node->marks |= MCTS_PROVEN;
	node->winners = winners_of(m, points);
	node->points = m->game->seats == 1 ? points[0] : 0;
}

/* Whether the mover prefers a to b; both are proven. */
static bool is_better(const struct mcts *m, const struct mcts_node *a, const struct mcts_node *b,
		      int mover)
{
	const double of_a = worth(m, a, mover), of_b = worth(m, b, mover);
	const bool winning = m->game->seats == 1 || of_a == 1;
	return of_a != of_b ? of_a > of_b : winning ? a->plies < b->plies : a->plies > b->plies;
}

/*
 * The child that proves the node, or MCTS_NONE. A proven win is enough. Otherwise all children must
 * be proven, and at chance nodes or with more than two seats all with the same result: otherwise
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
		won |= node->seat != QV_CHANCE && m->game->seats > 1 &&
		       child->winners == 1U << node->seat;
		const struct mcts_node *held = best == MCTS_NONE ? NULL : &m->nodes[best];
		if (!held || (node->seat == QV_CHANCE ? child->plies > held->plies
						      : is_better(m, child, held, node->seat)))
			best = i;
	}
	return won || (all && (same || !one_value)) ? best : MCTS_NONE;
}

static void prove_by(const struct mcts *m, struct mcts_node *node, const struct mcts_node *child)
{
	unsigned rests = child->marks & MCTS_RESTS;
	const bool alone = m->game->seats > 1 && node->seat != QV_CHANCE &&
			   child->winners == 1U << node->seat;
	for (uint32_t i = node->first; !alone && i < node->first + node->count; i++)
		rests |= m->nodes[i].marks & MCTS_RESTS;
	node->winners = child->winners;
	node->points = child->points;
	node->plies = (uint8_t)(child->plies + 1);
	node->marks = (uint8_t)(node->marks | MCTS_PROVEN | rests);
}

static void note_draw(const struct mcts *m, struct mcts_node *node)
{
	if (m->game->seats != 2 || node->seat == QV_CHANCE)
		return;
	for (uint32_t i = node->first; i < node->first + node->count; i++)
		if (mcts_is_proven(&m->nodes[i]) && !is_lost(m, &m->nodes[i], node->seat))
			node->marks |= MCTS_HOLDS;
}

void mcts_prove(struct mcts *m)
{
	for (int i = m->depth; i >= 0; i--) {
		struct mcts_node *node = &m->nodes[m->path[i]];
		const uint32_t child = deciding_child(m, node);
		if (child == MCTS_NONE) {
			note_draw(m, node);
			return;
		}
		prove_by(m, node, &m->nodes[child]);
	}
}

/* ---- the answer ---- */

void mcts_keep_only(struct mcts *m)
{
	struct mcts_node *root = &m->nodes[0];
	uint32_t kept = root->first;
	for (uint32_t i = root->first; i < root->first + root->count; i++)
		if (legal_is_named(m->limits, m->nodes[i].move)) {
			const struct mcts_node child = m->nodes[i];
			m->nodes[kept++] = child;
		}
	if (kept > root->first)
		root->count = kept - root->first;
}

/* The most visited child that is not lost; a child proven to be at least as good is preferred. */
static uint32_t best_child(const struct mcts *m, const struct mcts_node *node)
{
	const int mover = node->seat;
	const bool chance = mover == QV_CHANCE;
	uint32_t best = MCTS_NONE;
	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		const struct mcts_node *child = &m->nodes[i];
		if (best == MCTS_NONE) {
			best = i;
			continue;
		}
		const struct mcts_node *held = &m->nodes[best];
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

static int32_t rounded(double score)
{
	const double most = QV_MAX_EVAL;
	return (int32_t)floor((score > most ? most : score < -most ? -most : score) + 0.5);
}

static int32_t ended_score(const struct mcts *m, unsigned winners, int32_t points, int plies,
			   int seat)
{
	if (m->game->seats == 1)
		return rounded(points);
	return winners == 1U << seat ? QV_WIN - plies : winners >> seat & 1 ? 0 : plies - QV_WIN;
}

static int32_t score_of(const struct mcts *m, const struct mcts_node *child)
{
	const struct mcts_node *root = &m->nodes[0];
	if (mcts_is_proven(root))
		return ended_score(m, root->winners, root->points, root->plies, root->seat);
	if (!child->visits && !mcts_is_proven(child))
		return 0;
	const double value = worth(m, child, root->seat);
	return rounded(m->game->seats == 1 ? value : (2 * value - 1) * 1000);
}

static void set_line(const struct mcts *m, struct qv_answer *out)
{
	const struct mcts_node *node = &m->nodes[0];
	out->line_length = 0;
	while (node->count && out->line_length < QV_MAX_LINE) {
		const uint32_t best = mcts_is_proven(node) ? deciding_child(m, node)
							   : best_child(m, node);
		const struct mcts_node *next = &m->nodes[best];
		if (out->line_length && !next->visits && !mcts_is_proven(next))
			break;
		out->line[out->line_length++] = next->move;
		node = next;
	}
}

static void set_answer(const struct mcts *m, struct qv_answer *out)
{
	const struct mcts_node *root = &m->nodes[0];
	out->depth = m->deepest;
	out->nodes = out->considered = m->made;
	out->seconds = pace_seconds(&m->pace);
	if (!root->count)
		return;
	set_line(m, out);
	out->move = out->line[0];
	out->proven = mcts_is_proven(root);
	out->rests_on_repetition = root->marks & MCTS_RESTS;
	for (uint32_t i = root->first; i < root->first + root->count; i++)
		if (m->nodes[i].move == out->move)
			out->score = score_of(m, &m->nodes[i]);
}

/* ---- construction ---- */

static uint32_t capacity_for(const struct settings *set)
{
	const uint64_t nodes = ((uint64_t)set->tt << 20) / sizeof(struct mcts_node);
	return nodes > MCTS_NONE - 1	  ? MCTS_NONE - 1
	       : nodes < MCTS_LEAST_NODES ? MCTS_LEAST_NODES
					  : (uint32_t)nodes;
}

void mcts_forget(struct mcts *m)
{
	m->random = (struct qv_random){ .key = qv_random_key(m->settings.seed, 0) };
}

enum qv_status mcts_new(const struct mcts_setup *setup, struct mcts **out, struct qv_error *error)
{
	const struct qv_game *g = setup->game;
	struct mcts *m = mem_new(setup->allocator, 1, sizeof *m);
	if (!m)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	m->game = g;
	m->ops = setup->ops;
	m->allocator = setup->allocator;
	m->settings = *setup->settings;
	m->explore = (double)m->settings.explore / 100;
	m->repeats = g->repeated && g->irreversible;
	m->capacity = capacity_for(&m->settings);
	m->nodes = mem_new(m->allocator, m->capacity, sizeof *m->nodes);
	const size_t need = arena_need(1, g->state_size) + (m->ops->dynamic ? slots_need(g, 2) : 0);
	if (!m->nodes || arena_init(&m->arena, m->allocator, need) != QV_OK) {
		mcts_free(m);
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	}
	m->root_state = arena_take(&m->arena, 1, g->state_size);
	m->slots = m->ops->dynamic ? slots_take(&m->arena, g, 2) : NULL;
	mcts_forget(m);
	*out = m;
	return QV_OK;
}

void mcts_free(struct mcts *m)
{
	if (!m)
		return;
	mem_free(m->allocator, m->nodes, m->capacity * sizeof *m->nodes);
	mem_free(m->allocator, m->hashes, (size_t)m->hash_capacity * sizeof *m->hashes);
	arena_release(&m->arena);
	mem_free(m->allocator, m, sizeof *m);
}

/* ---- running ---- */

static enum qv_status set_history(struct mcts *m, const struct qv_limits *limits)
{
	if (!m->repeats)
		return QV_OK;
	const int count = limits->history_count > 0 ? limits->history_count : 0;
	const int need = count + MCTS_MAX_DEPTH + MCTS_PLAYOUT_PLIES + 2;
	if (need > m->hash_capacity) {
		uint64_t *hashes = mem_resize(m->allocator, m->hashes,
					      (size_t)m->hash_capacity * sizeof *hashes,
					      (size_t)need * sizeof *hashes);
		if (!hashes)
			return QV_NO_MEMORY;
		m->hashes = hashes;
		m->hash_capacity = need;
	}
	if (count)
		memcpy(m->hashes, limits->history, (size_t)count * sizeof *m->hashes);
	m->history_count = count;
	return QV_OK;
}

/* Grows the tree if necessary, so that all root moves fit. */
static enum qv_status set_room(struct mcts *m, const void *state, const qv_move *list, int n)
{
	uint64_t width = 1;
	for (int i = 0; i < n; i++)
		width += (uint64_t)legal_max_count(m->game, state, list[i]);
	if (width <= m->capacity)
		return QV_OK;
	if (width >= MCTS_NONE)
		return QV_NO_MEMORY;
	struct mcts_node *nodes = mem_resize(m->allocator, m->nodes,
					     m->capacity * sizeof *nodes, width * sizeof *nodes);
	if (!nodes)
		return QV_NO_MEMORY;
	m->nodes = nodes;
	m->capacity = (uint32_t)width;
	return QV_OK;
}

/* The answer of a search that is stopped before its first playout. */
static qv_move first_move(const struct mcts *m, const void *state, const qv_move *list, int n)
{
	const struct qv_limits *limits = m->limits;
	for (int i = 0; limits->only && i < limits->only_count; i++)
		if (legal_among(m->game, state, list, n, limits->only[i]))
			return limits->only[i];
	return list[0];
}

static void search(struct mcts *m, const struct qv_listener *listener, struct qv_answer *out)
{
	uint64_t report_at = FIRST_REPORT;
	m->nodes[0] = (struct mcts_node){ .move = QV_NO_MOVE };
	m->ops->prepare(m);
	while (!m->pace.stopped && m->playouts < m->playout_limit && m->nodes[0].count &&
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

enum qv_status mcts_run(struct mcts *m, const void *state, const struct qv_limits *limits,
			const struct qv_listener *listener, struct qv_answer *out,
			struct qv_error *error)
{
	const struct qv_game *g = m->game;
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	take_limits(m, limits);
	if (g->result(state, points) != QV_GOING) {
		*out = (struct qv_answer){ .move = QV_NO_MOVE, .proven = true };
		out->score = ended_score(m, winners_of(m, points), points[0], 0, g->seat(state));
		return QV_OK;
	}
	const int n = g->moves(state, list);
	if (set_history(m, limits) != QV_OK || set_room(m, state, list, n) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	const bool rolls = g->seat(state) == QV_CHANCE;
	*out = (struct qv_answer){ .line_length = 1 };
	out->move = rolls ? random_move(g, state, list, n, &m->random)
			   : first_move(m, state, list, n);
	out->line[0] = out->move;
	if (rolls)                                  /* a chance node: the dice decide */
		return QV_OK;
	memcpy(m->root_state, state, g->state_size);
	search(m, listener, out);
	if (m->pace.was_stopped)
		return qv_fail(error, QV_STOPPED, "search: stopped");
	return QV_OK;
}
