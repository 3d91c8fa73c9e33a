/*
 * chance.c - expectiminimax for two seats and dice: the driver, and the player kind `expectimax`.
 * SPDX-License-Identifier: MIT
 *
 * Creates the search, deepens iteratively within the limits and fills in the answer; chance.inc.h
 * is the recursion. A value is proven only if the best move ends the game at once, or if no line
 * reached an evaluation. Deliberate errors (margin, blunder) are chosen from the root's values.
 */
#include "search/chance.h"

#include "search/evaluation.h"
#include "search/player_kind.h"

/* ---- construction ---- */

static enum qv_status take_memory(struct chance_search *c)
{
	const struct qv_game *g = c->game;
	const size_t moves = (size_t)g->max_moves;
	struct arena *a = &c->arena;
	const size_t need = arena_need(1, g->state_size) +
			    arena_need(CHANCE_MAX_PLY, sizeof(struct chance_ply)) +
			    CHANCE_MAX_PLY * (4 * arena_need(moves, sizeof(double)) +
					      arena_need(moves, sizeof(int32_t))) +
			    (c->ops->dynamic ? slots_need(g, CHANCE_MAX_PLY) : 0);
	if (arena_init(a, c->allocator, need) != QV_OK)
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
	if (c->settings.tt) {
		c->table = &c->room;
		return table_init(c->table, c->allocator, (size_t)c->settings.tt << 20);
	}
	return QV_OK;
}

static void restart_random(struct chance_search *c, uint64_t seed)
{
	c->random_numbers = (struct qv_random){ .key = qv_random_key(seed, 0) };
}

enum qv_status chance_new(const struct search_setup *setup, struct chance_search **out,
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
	c->quiet = setup->settings->quiet;
	c->twofold = setup->settings->twofold;
	c->contempt = setup->settings->contempt;
	c->exact = setup->settings->tt_exact;
	c->chance_cost = (int)setup->settings->chance_cost;
	c->samples = (int)setup->settings->samples;
	c->win = setup->game->win ? setup->game->win : QV_MAX_EVAL;
	c->scale = (1 << 30) / c->win;
	c->repeat_loss = c->win / 10;
	restart_random(c, c->settings.seed);
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
	mem_free(c->allocator, c->values, c->values_room * sizeof *c->values);
	table_release(&c->room);
	arena_release(&c->arena);
	mem_free(c->allocator, c, sizeof *c);
}

void chance_forget(struct chance_search *c, uint64_t seed)
{
	restart_random(c, seed);
	c->path_root = 0;
	c->path[0] = 0;
	if (c->table)
		table_clear(c->table);
}

/* ---- deliberate errors ---- */

/*
 * Decides whether this move is a blunder, and makes room for the root's values if they are needed.
 * False: not enough memory.
 */
static bool start_choice(struct chance_search *c)
{
	const struct settings *set = &c->settings;
	c->blunders = set->blunder &&
		      qv_random_below(&c->random_numbers, 100) < (uint64_t)set->blunder;
	c->spread = c->blunders ? INFINITY : (double)set->margin;
	c->chosen = QV_NO_MOVE;
	return (!set->blunder && !set->margin) ||
	       mem_reserve(c->allocator, &c->values, &c->values_room, (size_t)c->root.count,
			   sizeof *c->values);
}

/*
 * Chooses at random among the moves within the margin, or among the worst; a win is always taken.
 */
static void choose(struct chance_search *c)
{
	double low = c->best_value - c->spread, high = c->best_value;
	uint64_t count = 0;
	c->chosen = QV_NO_MOVE;
	if (c->best_ends && !c->blunders)
		return;
	if (c->blunders) {
		low = c->values[0];
		for (int i = 1; i < c->root.count; i++)
			low = c->values[i] < low ? c->values[i] : low;
		high = low;
	}
	for (int i = 0; i < c->root.count; i++)
		if (c->values[i] >= low && c->values[i] <= high &&
		    qv_random_below(&c->random_numbers, ++count) == 0) {
			c->chosen = c->root.list[i];
			c->chosen_value = c->values[i];
		}
}

/* ---- running ---- */

/* Keeps the root of the search before; the oldest one makes room. */
static void keep_root(struct chance_search *c, const void *state)
{
	if (c->path[c->path_root] && c->path[c->path_root] != c->game->hash(state))
		c->path_root++;
	if (c->path_root > CHANCE_HISTORY) {
		memmove(c->path, c->path + 1, CHANCE_HISTORY * sizeof *c->path);
		c->path_root = CHANCE_HISTORY;
	}
}

static void iterate(struct chance_search *c, const struct qv_listener *listener,
		    struct qv_answer *out)
{
	for (int depth = c->deepen ? 1 : c->max_depth; depth <= c->max_depth; depth++) {
		const uint64_t guessed = c->evals + c->cut + c->recalled;
		if (listener && listener->iteration_start)
			listener->iteration_start(listener->ctx, depth);
		c->ops->search(c, depth);
		if (!c->budget.stopped) {
			out->depth = depth;
			if (c->spread > 0)
				choose(c);
		}
		out->nodes = out->considered = c->nodes;
		out->evals = c->evals;
		out->seconds = budget_seconds(&c->budget);
		if (c->found) {
			out->move = out->line[0] = c->best_move;
			out->proven = c->best_ends;
			out->score = c->best_ends ? QV_WIN - 1 : chance_rounded(c->best_value);
		}
		if (c->budget.stopped)
			return;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (c->best_ends || guessed == c->evals + c->cut + c->recalled)
			return;              /* won, or every line reached the end of the game */
		if (budget_enough(&c->budget, out))
			return;
		root_put_first(&c->root, c->best_move);
	}
}

enum qv_status chance_run(struct chance_search *c, const void *state,
			  const struct qv_limits *limits, const struct qv_listener *listener,
			  struct qv_answer *out, struct qv_error *error)
{
	const struct settings *set = &c->settings;
	budget_start(&c->budget, set, limits, 1);
	c->max_depth = budget_depth(set, limits, CHANCE_MAX_DEPTH);
	c->deepen = set->iterate || c->max_depth == CHANCE_MAX_DEPTH;
	c->nodes = c->evals = c->cut = c->recalled = 0;
	if (root_has_ended(c->game, state, out))
		return QV_OK;
	if (c->game->seat(state) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "search: chance is to move, not a player");
	c->listener = root_is_watched(listener) ? listener : NULL;
	c->flags = 0;
	c->beyond = 0; /* a stopped search may have left other values */
	memcpy(c->root_state, state, c->game->state_size);
	if (!root_list(&c->root, c->allocator, c->game, state, c->sort, limits) || !start_choice(c))
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	c->found = c->best_ends = false;
	keep_root(c, state);
	if (c->table)
		table_new_search(c->table);
	for (int i = 0; i < CHANCE_MAX_PLY; i++)
		c->plies[i].first = NAN;             /* a stopped search may have left a value */
	/* Until an iteration has a better one, the answer is the first move and the static value. */
	const struct qv_evaluation *e = c->custom ? c->custom : c->game->evaluations;
	const double value = e ? e->evaluate(c->root_state, c->weights) : 0;
	*out = (struct qv_answer){ .move = c->root.list[0], .score = chance_rounded(chance_cut(c, value)),
				   .line_length = 1, .line = { c->root.list[0] } };
	if (set->chopper && c->root.count == 1)
		c->max_depth = 1;                    /* an only move needs no search */
	iterate(c, listener, out);
	/* A deliberate error replaces the best move, unless that wins at once. */
	if (c->chosen != QV_NO_MOVE && c->chosen != out->move && (!c->best_ends || c->blunders)) {
		out->move = out->line[0] = c->chosen;
		out->proven = false;
		out->score = chance_rounded(c->chosen_value);
	}
	out->seconds = budget_seconds(&c->budget);
	return c->budget.was_stopped ? qv_fail(error, QV_STOPPED, "search: stopped") : QV_OK;
}

/* ---- the player ---- */

struct chance_player {
	struct qv_player base;
	struct chance_search *search;
	struct chosen_evaluation chosen;
};

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	return chance_run(((struct chance_player *)p)->search, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	chance_forget(((struct chance_player *)p)->search, p->settings.seed);
}

static void free_player(struct qv_player *p)
{
	struct chance_player *c = (struct chance_player *)p;
	chance_free(c->search);
	evaluation_release(p->allocator, &c->chosen);
	mem_free(p->allocator, c, sizeof *c);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats != 2 || !root_averages(game) || !setup->engine->chance)
		return qv_fail(
			error, QV_UNSUPPORTED,
			"player expectimax: needs a game of two players with dice; %s is not one",
			game->name);
	struct chance_player *c = player_begin(setup, &ops, sizeof *c, error);
	if (!c)
		return QV_NO_MEMORY;
	enum qv_status status = evaluation_choose(setup->allocator, game, game->evaluations,
						  setup->added, set, &c->chosen, error);
	const struct search_setup search = { .game = game,
					     .ops = setup->engine->chance,
					     .allocator = setup->allocator,
					     .settings = set,
					     .evaluation = c->chosen.evaluation,
					     .weights = c->chosen.weights };
	if (status == QV_OK)
		status = chance_new(&search, &c->search, error);
	return player_finish(status, &c->base, out);
}

static const struct option own_options[] = {
	OPTION(struct settings, "star", OPTION_INT, star, .max = 2, .def = 2, .value = "N",
	       .help = "cut-offs at dice rolls: 0 none, 1 Star1, 2 Star2"),
	OPTION(struct settings, "quiet", OPTION_SWITCH, quiet,
	       .help = "quiescence search: captures and the like beyond the depth"),
	OPTION(struct settings, "table", OPTION_INT, tt, .max = SETTINGS_MAX_TABLE, .value = "MB",
	       .help = "transposition table, with killer moves and null windows; 0: none"),
	OPTION(struct settings, "tt-exact", OPTION_SWITCH, tt_exact,
	       .help = "table entries count at their own depth only"),
	OPTION(struct settings, "twofold", OPTION_SWITCH, twofold,
	       .help = "a position that occurs a second time is bad for the player"),
	OPTION(struct settings, "contempt", OPTION_SWITCH, contempt,
	       .help = "Warp Trog, eval=net: expect the opponent to play like the 1983 program"),
	OPTION(struct settings, "chance-cost", OPTION_INT, chance_cost, .max = 20, .value = "N",
	       .help = "Warp Trog: extra plies for a warp, which is left out near the leaves"),
	OPTION(struct settings, "prove", OPTION_INT, prove, .max = INT64_MAX / 2, .value = "N",
	       .help = "Warp Trog: first look the position up in the tables, for N nodes"),
	OPTION(struct settings, "samples", OPTION_INT, samples, .max = 100000, .value = "N",
	       .help = "Warp Trog: complete warps to sample at the root; elsewhere they are evaluated"),
	{ 0 },
};
static const struct option *const options[] = {
	depth_option, effort_options, evaluation_options, error_options, chopper_option,
	sort_option,  own_options,    opening_options,	  NULL,
};

const struct player_kind expectimax_kind = {
	.name = "expectimax", .help = "for two players and dice: averages over the dice rolls",
	.options = options, .limit = "depth=3", .deepens = true, .counts_work = true, .make = make
};
