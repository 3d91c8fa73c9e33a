/*
 * chance.c - expectiminimax for two seats and dice: the driver.
 * SPDX-License-Identifier: MIT
 *
 * Creates the search, deepens iteratively within the limits and fills in the answer; chance.inc.h
 * is the recursion. A value is proven only if the best move ends the game at once, or if no line
 * reached an evaluation. Deliberate errors (margin, blunder) are chosen from the root's values.
 */
#include "search/chance.h"

/* ---- limits ---- */

static void take_limits(struct chance_search *c, const struct qv_limits *limits)
{
	const struct settings *set = &c->settings;
	pace_start(&c->pace, set, limits, 1);
	c->max_depth = pace_depth(set, limits, CHANCE_MAX_DEPTH);
	c->deepen = set->iterate || (set->depth <= 0 && limits->depth <= 0);
	c->nodes = c->evals = c->cut = 0;
}

/* ---- construction ---- */

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
	c->win = setup->game->win ? setup->game->win : QV_MAX_EVAL;
	chance_forget(c, c->settings.seed);
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
	root_release(&c->root, c->allocator);
	mem_free(c->allocator, c->values, (size_t)c->values_capacity * sizeof *c->values);
	arena_release(&c->arena);
	mem_free(c->allocator, c, sizeof *c);
}

void chance_forget(struct chance_search *c, uint64_t seed)
{
	c->random_numbers = (struct qv_random){ .key = qv_random_key(seed, 0) };
}

/* ---- deliberate errors ---- */

/*
 * Decides whether this move is a blunder, and makes room for the root's values if they are needed.
 */
static enum qv_status start_choice(struct chance_search *c)
{
	const struct settings *set = &c->settings;
	c->blunders = set->blunder &&
		      qv_random_below(&c->random_numbers, 100) < (uint64_t)set->blunder;
	c->spread = c->blunders ? INFINITY : (double)set->margin;
	c->chosen = QV_NO_MOVE;
	if ((!set->blunder && !set->margin) || c->root.count <= c->values_capacity)
		return QV_OK;
	double *values = mem_resize(c->allocator, c->values,
				    (size_t)c->values_capacity * sizeof *values,
				    (size_t)c->root.count * sizeof *values);
	if (!values)
		return QV_NO_MEMORY;
	c->values = values;
	c->values_capacity = c->root.count;
	return QV_OK;
}

static double worst_value(const struct chance_search *c)
{
	double worst = c->values[0];
	for (int i = 1; i < c->root.count; i++)
		if (c->values[i] < worst)
			worst = c->values[i];
	return worst;
}

/*
 * Chooses at random among the moves within the margin, or among the worst; a win is always taken.
 */
static void choose(struct chance_search *c)
{
	const double low = c->blunders ? worst_value(c) : c->best_value - c->spread;
	const double high = c->blunders ? low : c->best_value;
	uint64_t count = 0;
	c->chosen = QV_NO_MOVE;
	if (c->best_ends && !c->blunders)
		return;
	for (int i = 0; i < c->root.count; i++)
		if (c->values[i] >= low && c->values[i] <= high &&
		    qv_random_below(&c->random_numbers, ++count) == 0) {
			c->chosen = c->root.list[i];
			c->chosen_value = c->values[i];
		}
}

static void take_choice(const struct chance_search *c, struct qv_answer *out)
{
	if (c->chosen == QV_NO_MOVE || c->chosen == out->move || (c->best_ends && !c->blunders))
		return;
	out->move = out->line[0] = c->chosen;
	out->proven = false;
	out->score = chance_rounded(c->chosen_value);
}

/* ---- running ---- */

static void fill_answer(const struct chance_search *c, struct qv_answer *out)
{
	out->nodes = out->considered = c->nodes;
	out->evals = c->evals;
	out->seconds = pace_seconds(&c->pace);
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
		if (!c->pace.stopped) {
			out->depth = depth;
			if (c->spread > 0)
				choose(c);
		}
		fill_answer(c, out);
		if (c->pace.stopped)
			return;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (c->best_ends || guessed == c->evals + c->cut)
			return;              /* won, or every line reached the end of the game */
		if (pace_enough(&c->pace, out))
			return;
		root_put_first(&c->root, c->best_move);
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
	if (root_list(&c->root, c->allocator, c->game, state, c->sort, limits) != QV_OK ||
	    start_choice(c) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	c->found = c->best_ends = false;
	for (int i = 0; i < CHANCE_MAX_PLY; i++)
		c->plies[i].first = NAN;             /* a stopped search may have left a value */
	*out = (struct qv_answer){ .move = c->root.list[0],
				   .score = static_score(c),
				   .line_length = 1,
				   .line = { c->root.list[0] } };
	if (c->settings.chopper && c->root.count == 1)
		c->max_depth = 1;                    /* an only move needs no search */
	iterate(c, listener, out);
	take_choice(c, out);
	out->seconds = pace_seconds(&c->pace);
	if (c->pace.was_stopped)
		return qv_fail(error, QV_STOPPED, "search: stopped");
	return QV_OK;
}
