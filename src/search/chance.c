/*
 * chance.c - the search for two seats and dice: making one, running it within its limits, and its
 * answer.
 * SPDX-License-Identifier: MIT
 */
#include "search/chance.h"

#include "base/clock.h"
#include "search/legal.h"

/* ---- limits ---- */

/* How often to look at the clock: see duel.c. A node is dearer here. */
enum { POLL_FIRST = 64, POLL_MOST = 1 << 13, POLL_US = 50 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void schedule_poll(struct chance_search *c)
{
	c->check_at = smaller(c->nodes + c->poll_interval, c->node_limit);
	if (c->eval_limit != UINT64_MAX)             /* a node costs at most one evaluation */
		c->check_at = smaller(c->check_at, c->nodes + (c->eval_limit - c->evals));
}

bool chance_poll(struct chance_search *c)
{
	if (c->stopped)
		return true;
	if (c->nodes >= c->node_limit || c->evals >= c->eval_limit)
		return c->stopped = true;
	if (c->stop && atomic_load_explicit(c->stop, memory_order_relaxed)) {
		c->was_stopped = true;
		return c->stopped = true;
	}
	const int64_t now = clock_us();
	if (now >= c->deadline_us)
		return c->stopped = true;
	if (c->nodes - c->polled_nodes >= c->poll_interval) {
		if (now - c->polled_at < POLL_US && c->poll_interval < POLL_MOST)
			c->poll_interval *= 2;
		else if (now - c->polled_at > 2 * POLL_US && c->poll_interval > 1)
			c->poll_interval /= 2;
		c->polled_at = now;
		c->polled_nodes = c->nodes;
	}
	schedule_poll(c);
	return false;
}

static int64_t at_most(int64_t mine, int64_t theirs)
{
	return mine && theirs ? (mine < theirs ? mine : theirs) : mine + theirs;
}

static void take_limits(struct chance_search *c, const struct qv_limits *limits)
{
	const struct settings *set = &c->settings;
	const int64_t time_ms = at_most(set->time_ms, limits->time_ms);
	const int64_t depth = at_most(set->depth, limits->depth);
	const uint64_t most = INT64_MAX;             /* a limit beyond it is none */
	const int64_t nodes = at_most(set->nodes, (int64_t)smaller(limits->nodes, most));
	const int64_t evals = at_most(set->evals, (int64_t)smaller(limits->evals, most));
	c->started_us = clock_us();
	c->deadline_us =
		time_ms && time_ms < INT64_MAX / 2000 ? c->started_us + time_ms * 1000 : INT64_MAX;
	c->node_limit = nodes ? (uint64_t)nodes : UINT64_MAX;
	c->eval_limit = evals ? (uint64_t)evals : UINT64_MAX;
	c->max_depth = depth && depth < CHANCE_MAX_DEPTH ? (int)depth : CHANCE_MAX_DEPTH;
	c->deepen = set->iterate || !depth;
	c->stop = limits->stop;
	c->was_stopped = c->stopped = false;
	c->nodes = c->evals = c->cut = 0;
	c->polled_at = c->started_us;
	c->polled_nodes = 0;
	c->poll_interval = POLL_FIRST;
	schedule_poll(c);
}

/* ---- making ---- */

static size_t search_need(const struct qv_game *g, const struct chance_ops *ops)
{
	const size_t moves = (size_t)g->max_moves;
	return arena_need(1, g->state_size) +
	       arena_need(CHANCE_MAX_PLY, sizeof(struct chance_ply)) +
	       CHANCE_MAX_PLY * (4 * arena_need(moves, sizeof(double)) +
				 arena_need(moves, sizeof(int32_t))) +
	       (ops->dynamic ? slots_need(g, CHANCE_MAX_PLY) : 0);
}

static enum qv_status take_memory(struct chance_search *c)
{
	const struct qv_game *g = c->game;
	const size_t moves = (size_t)g->max_moves;
	struct arena *a = &c->arena;
	if (arena_init(a, c->allocator, search_need(g, c->ops)) != QV_OK)
		return QV_NO_MEMORY;
	c->root_state = arena_take(a, 1, g->state_size);
	c->plies = arena_take(a, CHANCE_MAX_PLY, sizeof *c->plies);
	for (int i = 0; i < CHANCE_MAX_PLY; i++) {
		struct chance_odds *o = &c->plies[i].odds;
		o->weight = arena_take(a, moves, sizeof(double));
		o->lower = arena_take(a, moves, sizeof(double));
		o->upper = arena_take(a, moves, sizeof(double));
		o->first = arena_take(a, moves, sizeof(double));
		c->plies[i].ranks = arena_take(a, moves, sizeof(int32_t));
	}
	c->slots = c->ops->dynamic ? slots_take(a, g, CHANCE_MAX_PLY) : NULL;
	return QV_OK;
}

enum qv_status chance_new(const struct chance_setup *setup, struct chance_search **out,
			  struct qv_error *error)
{
	struct chance_search *c = mem_new(setup->allocator, 1, sizeof *c);
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	const struct qv_evaluation *first = setup->game->evaluations;
	const struct qv_evaluation *chosen = setup->evaluation ? setup->evaluation : first;
	c->game = setup->game;
	c->ops = setup->ops;
	c->allocator = setup->allocator;
	c->settings = *setup->settings;
	c->weights = setup->weights ? setup->weights : chosen ? chosen->weights : NULL;
	c->custom = chosen != first ? chosen : NULL;
	c->star = (int)setup->settings->star;
	c->sort = setup->settings->sort;
	c->win = setup->ops->win;
	if (take_memory(c) != QV_OK) {
		chance_free(c);
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	}
	*out = c;
	return QV_OK;
}

void chance_free(struct chance_search *c)
{
	if (!c)
		return;
	mem_free(c->allocator, c->root, (size_t)c->root_capacity * sizeof *c->root);
	arena_release(&c->arena);
	mem_free(c->allocator, c, sizeof *c);
}

/* ---- the root ---- */

static enum qv_status root_room(struct chance_search *c, int need)
{
	if (need <= c->root_capacity)
		return QV_OK;
	qv_move *root = mem_resize(c->allocator, c->root,
				   (size_t)c->root_capacity * sizeof *root,
				   (size_t)need * sizeof *root);
	if (!root)
		return QV_NO_MEMORY;
	c->root = root;
	c->root_capacity = need;
	return QV_OK;
}

static bool is_allowed(const struct qv_limits *limits, qv_move move)
{
	for (int i = 0; i < limits->only_count; i++)
		if (limits->only[i] == move)
			return true;
	return false;
}

static void keep_only(struct chance_search *c, const struct qv_limits *limits)
{
	int kept = 0;
	for (int i = 0; limits->only && i < c->root_count; i++)
		if (is_allowed(limits, c->root[i]))
			c->root[kept++] = c->root[i];
	if (kept)
		c->root_count = kept;
}

/* Every move, a counted one with each of its numbers; those that the game ranks high first. */
static enum qv_status list_root(struct chance_search *c)
{
	const struct qv_game *g = c->game;
	qv_move list[QV_MAX_MOVES];
	const int n = g->moves(c->root_state, list);
	int width = 0;
	for (int i = 0; i < n; i++)
		width += legal_max_count(g, c->root_state, list[i]);
	if (root_room(c, width) != QV_OK)
		return QV_NO_MEMORY;
	int32_t *ranks = c->plies[0].ranks;
	for (int i = 0; i < n; i++)
		ranks[i] = c->sort && g->rank ? g->rank(c->root_state, list[i]) : 0;
	c->root_count = 0;
	for (int i = 0; i < n; i++) {
		const qv_move listed = list[chance_pick(ranks, n)];
		const int most = legal_max_count(g, c->root_state, listed);
		for (int k = most; k > 0; k--)
			c->root[c->root_count++] = k < most ? g->with_count(listed, k) : listed;
	}
	return QV_OK;
}

/* The best move so far is tried first in the next iteration; the others keep their order. */
static void best_first(struct chance_search *c)
{
	int place = 0;
	while (c->root[place] != c->best_move)
		place++;
	for (; place > 0; place--)
		c->root[place] = c->root[place - 1];
	c->root[0] = c->best_move;
}

/* ---- running ---- */

static void tell(const struct chance_search *c, struct qv_answer *out)
{
	out->nodes = out->considered = c->nodes;
	out->evals = c->evals;
	out->seconds = (double)(clock_us() - c->started_us) / 1e6;
	if (!c->found)
		return;
	out->move = out->line[0] = c->best_move;
	out->proven = c->best_ends;
	out->score = c->best_ends ? QV_WIN - 1 : chance_rounded(c->best_value);
}

static void iterate(struct chance_search *c, const struct qv_listener *listener,
		    struct qv_answer *out)
{
	for (int depth = c->deepen ? 1 : c->max_depth; depth <= c->max_depth; depth++) {
		const uint64_t guessed = c->evals + c->cut;
		c->ops->search(c, depth);
		if (!c->stopped)
			out->depth = depth;
		tell(c, out);
		if (c->stopped)
			return;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (c->best_ends || guessed == c->evals + c->cut)
			return;              /* won, or seen to the end on every line */
		best_first(c);
	}
}

static int32_t ended_score(const struct qv_game *g, const void *state, const int32_t *points)
{
	const int seat = g->seat(state);
	const int32_t ahead = points[seat] - points[1 - seat];
	return ahead > 0 ? QV_WIN : ahead < 0 ? -QV_WIN : 0;
}

static int32_t static_score(const struct chance_search *c)
{
	const struct qv_evaluation *e = c->custom ? c->custom : c->game->evaluations;
	const double value = e ? e->evaluate(c->root_state, c->weights) : 0;
	return chance_rounded(value > c->win ? c->win : value < -c->win ? -c->win : value);
}

enum qv_status chance_run(struct chance_search *c, const void *state,
			  const struct qv_limits *limits, const struct qv_listener *listener,
			  struct qv_answer *out, struct qv_error *error)
{
	int32_t points[QV_MAX_SEATS];
	take_limits(c, limits);
	if (c->game->result(state, points) != QV_GOING) {
		*out = (struct qv_answer){ .move = QV_NO_MOVE, .proven = true };
		out->score = ended_score(c->game, state, points);
		return QV_OK;
	}
	if (c->game->seat(state) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "search: chance is to move, not a player");
	const bool asked = listener && (listener->branch || listener->node || listener->leaf);
	c->listener = asked ? listener : NULL;
	memcpy(c->root_state, state, c->game->state_size);
	if (list_root(c) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	keep_only(c, limits);
	c->found = c->best_ends = false;
	for (int i = 0; i < CHANCE_MAX_PLY; i++)
		c->plies[i].first = NAN;             /* a stopped search may have left one */
	*out = (struct qv_answer){ .move = c->root[0],
				   .score = static_score(c),
				   .line_length = 1,
				   .line = { c->root[0] } };
	if (c->settings.chopper && c->root_count == 1)
		c->max_depth = 1;                    /* no choice, no thought */
	iterate(c, listener, out);
	out->seconds = (double)(clock_us() - c->started_us) / 1e6;
	if (c->was_stopped)
		return qv_fail(error, QV_STOPPED, "search: stopped");
	return QV_OK;
}
