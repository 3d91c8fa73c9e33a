/*
 * duel.c - the two-player search: creation, threads, limits and the answer.
 * SPDX-License-Identifier: MIT
 *
 * Memory is allocated when the search is created; only room for the root's moves and a long game
 * history is allocated when it starts. Threads work as in lazy SMP: they share the transposition
 * table and nothing else, each deepens on its own, and the first worker's result is the answer.
 * duel_iterate.c does the deepening, duel.inc.h and select.inc.h the recursion.
 */
#include "search/duel.h"

#include <stdatomic.h>

#include "base/threads.h"
#include "search/duel_inline.h"
#include "search/evaluation.h"
#include "search/legal.h"
#include "search/player_kind.h"
#include "search/root.h"
#include "search/select.h"

/* ---- limits ---- */

/* A helper also stops when the first worker is done. */
bool duel_poll(struct duel_worker *w)
{
	if (w->id && atomic_load_explicit(&w->duel->halt, memory_order_relaxed))
		return w->budget.stopped = true;
	return budget_poll(&w->budget, w->nodes, duel_evals(w));
}

bool duel_poll_ahead(struct duel_worker *w, int n)
{
	const uint64_t more = (uint64_t)n;
	if (duel_poll(w))
		return true;
	return w->budget.stopped = w->nodes + more > w->budget.node_limit ||
				   duel_evals(w) + more > w->budget.eval_limit;
}

/* ---- construction ---- */

/* Copies the settings to where the recursion reads them, and derives the combined switches. */
static void worker_switches(struct duel_worker *w, const struct search_setup *setup)
{
	const struct settings *set = setup->settings;
	const struct qv_evaluation *first = setup->game->evaluations;
	const struct qv_evaluation *chosen = setup->evaluation ? setup->evaluation : first;
	w->game = setup->game;
	w->weights = setup->weights ? setup->weights : chosen ? chosen->weights : NULL;
	w->custom = chosen != first ? chosen : NULL;
	if (chosen && set->kind->variant == DUEL_SELECTIVE) {
		w->recall = chosen->recall;
		w->memory_size = chosen->memory_size;
	}
	w->table = w->duel->table.block ? &w->duel->table : NULL;
	w->literal = set->kind->variant == DUEL_MINIMAX;
	w->prune = set->kind->variant != DUEL_MINIMAX && set->kind->variant != DUEL_NEGAMAX;
	w->scout = set->kind->variant == DUEL_NEGASCOUT;
	w->deep = set->deep;
	w->plain_window = w->prune && w->deep && !w->scout;
	w->exact = set->tt_exact;
	w->sort = set->sort;
	w->history = set->history;
	w->killers = (int)set->killers;
	w->top = (int)set->top;
	if (set->probcut && set->kind->variant != DUEL_SELECTIVE)
		w->probcut = setup->probcut;
	w->confidence = (int32_t)set->probcut;
	w->drops = w->top || w->probcut;
	w->quiet = set->quiet && setup->game->quiet;
	w->random = set->random;
	w->repeats = setup->game->repeated && setup->game->irreversible;
	w->ordered = (w->sort && setup->game->rank) || w->history || w->killers;
	/* Techniques that change a line's value (duel_value.c) or how the tree is searched. */
	w->ply1 = (int)set->ply1;
	w->move_eval = set->move_eval;
	w->exchange = set->exchange;
	w->stack = set->stack;
	w->carries = w->ply1 || w->move_eval;
	w->special = w->carries || w->exchange;
	if (w->special)
		w->custom = chosen ? chosen : &evaluation_none;
}

/* Allocates all that a worker needs but the root's moves and the path, in one arena. */
static enum qv_status worker_init(struct duel_worker *w, struct duel *d,
				  const struct search_setup *setup, int id, struct qv_error *error)
{
	const struct qv_game *g = setup->game;
	w->duel = d;
	w->id = id;
	worker_switches(w, setup);
	struct arena *a = &w->arena;
	const bool selects = setup->settings->kind->variant == DUEL_SELECTIVE;
	const bool slots = ((const struct duel_ops *)setup->ops)->dynamic || w->stack;
	const size_t plies = DUEL_MAX_PLY + 2, moves = (size_t)g->max_moves;
	const size_t need =
		2 * arena_need(1, g->state_size) + 2 * arena_need(DUEL_MAX_PLY, sizeof(qv_move)) +
		arena_need(plies, sizeof(struct duel_ply)) +
		plies * (arena_need(DUEL_MAX_PLY, sizeof(qv_move)) +
			 arena_need(moves, sizeof(int32_t))) +
		arena_need(2 * DUEL_HISTORY, sizeof(int32_t)) + (slots ? slots_need(g, plies) : 0) +
		(w->stack ? arena_need(plies, sizeof(struct stack_frame)) : 0) +
		(selects ? arena_need(1, sizeof(struct select)) : 0) +
		arena_need(1, w->memory_size) + arena_need(plies, sizeof(struct duel_watch));
	if (arena_init(a, setup->allocator, need) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	w->root_state = arena_take(a, 1, g->state_size);
	w->first_state = arena_take(a, 1, g->state_size);
	w->best_line = arena_take(a, DUEL_MAX_PLY, sizeof *w->best_line);
	w->kept = w->kept_room = arena_take(a, DUEL_MAX_PLY, sizeof *w->kept);
	w->history_table = arena_take(a, 2 * DUEL_HISTORY, sizeof *w->history_table);
	w->plies = arena_take(a, plies, sizeof *w->plies);
	for (size_t i = 0; i < plies; i++) {
		w->plies[i].line = arena_take(a, DUEL_MAX_PLY, sizeof(qv_move));
		w->plies[i].scores = arena_take(a, moves, sizeof(int32_t));
	}
	w->slots = slots ? slots_take(a, g, plies) : NULL;
	w->frames = w->stack ? arena_take(a, plies, sizeof *w->frames) : NULL;
	w->select = selects ? arena_take(a, 1, sizeof *w->select) : NULL;
	w->memory = w->memory_size ? arena_take(a, 1, w->memory_size) : NULL;
	w->watch = arena_take(a, plies, sizeof *w->watch);
	if (selects)
		select_init(w->select, setup->settings);
	if (!selects || !setup->tables)
		return QV_OK;
	w->probe = setup->tables->probe;
	w->close_prober = setup->tables->close;
	return setup->tables->open(setup->tables, &w->prober, error);
}

/* Everything but the transposition table. */
static void forget_learned(struct duel *d)
{
	d->kept_length = 0;
	for (int i = 0; i < d->worker_count; i++) {
		struct duel_worker *w = &d->workers[i];
		memset(w->history_table, 0, 2 * DUEL_HISTORY * sizeof *w->history_table);
		if (w->select)
			select_forget(w->select);
		if (w->memory)
			memset(w->memory, 0, w->memory_size);
		w->random_numbers =
			(struct qv_random){ .key = qv_random_key(d->settings.seed, (uint64_t)i) };
	}
}

enum qv_status duel_new(const struct search_setup *setup, struct duel **out, struct qv_error *error)
{
	const struct settings *set = setup->settings;
	struct duel *d = mem_new(setup->allocator, 1, sizeof *d);
	if (!d)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	d->game = setup->game;
	d->ops = setup->ops;
	d->allocator = setup->allocator;
	d->settings = *set;
	d->evaluation = setup->evaluation ? setup->evaluation : setup->game->evaluations;
	d->phase = -1;
	/* Threads cooperate through the table only: without it a second one is of no use. */
	d->worker_count = set->tt ? threads_count(set->threads) : 1;
	d->workers = mem_new(d->allocator, (size_t)d->worker_count, sizeof *d->workers);
	enum qv_status status = QV_OK;
	if (!d->workers ||
	    (set->tt && table_init(&d->table, d->allocator, (size_t)set->tt << 20) != QV_OK))
		status = qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	for (int i = 0; status == QV_OK && i < d->worker_count; i++)
		status = worker_init(&d->workers[i], d, setup, i, error);
	if (status != QV_OK) {
		duel_free(d);
		return status;
	}
	forget_learned(d); /* not duel_forget: clearing the new table would only touch its pages */
	*out = d;
	return QV_OK;
}

void duel_free(struct duel *d)
{
	if (!d)
		return;
	for (int i = 0; d->workers && i < d->worker_count; i++) {
		struct duel_worker *w = &d->workers[i];
		mem_free(d->allocator, w->path, w->path_room * sizeof *w->path);
		mem_free(d->allocator, w->root, w->root_room * sizeof *w->root);
		arena_release(&w->arena);
		if (w->close_prober)
			w->close_prober(w->prober);
	}
	mem_free(d->allocator, d->workers, (size_t)d->worker_count * sizeof *d->workers);
	table_release(&d->table);
	mem_free(d->allocator, d, sizeof *d);
}

void duel_forget(struct duel *d)
{
	if (d->table.block)
		table_clear(&d->table);
	forget_learned(d);
}

/* ---- running ---- */

/* Makes room for the root moves: a counted move is one for each number. False: no memory. */
static bool set_root_room(struct duel_worker *w, const void *state)
{
	const struct qv_game *g = w->game;
	size_t width = g->max_count ? 0 : (size_t)g->max_moves;
	qv_move list[QV_MAX_MOVES];
	for (int n = g->max_count ? g->moves(state, list) : 0; n > 0; n--)
		width += (size_t)legal_max_count(g, state, list[n - 1]);
	return mem_reserve(w->duel->allocator, &w->root, &w->root_room, width, sizeof *w->root);
}

/* Prepares a worker for a search: switches, counters, share of the limits, root moves. */
static enum qv_status worker_start(struct duel_worker *w, const void *state,
				   const struct qv_limits *limits,
				   const struct qv_listener *listener)
{
	struct duel *d = w->duel;
	const struct settings *set = &d->settings;
	w->listener = root_is_watched(listener) && w->id == 0 ? listener : NULL;
	const bool plain = !w->quiet && !w->repeats && !w->carries && !w->stack;
	w->plain_leaf = plain && !w->listener;
	w->polls_ahead = plain && w->listener;
	w->bare = w->plain_window && w->plain_leaf && !w->ordered && !w->table && !w->drops &&
		  !w->game->max_count && !set->keep_line && !set->razor && !set->hard;
	/* Deliberate errors (margin, blunder). Only the first worker's answer counts. */
	w->blunders = set->blunder && w->id == 0 &&
		      qv_random_below(&w->random_numbers, 100) < (uint64_t)set->blunder;
	w->spread = w->blunders && !set->margin ? DUEL_INFINITE : (int32_t)set->margin;
	w->random = set->random || w->spread;
	w->chosen = (struct root_move){ QV_NO_MOVE, 0 };
	w->exact = set->tt_exact;
	w->nodes = w->evals = w->scored = w->unproven = w->borrowed = 0;
	if (set->phases)
		w->weights = (const char *)d->evaluation->phase_weights +
			     (size_t)d->phase * d->evaluation->weights_size;
	w->found = w->razor = false;
	w->iteration = w->deepest = 0;
	w->pass_flags = 0;
	w->hard = 0;
	w->budget = d->budget;
	budget_divide(&w->budget, w->id, d->worker_count);
	w->plies[0].path_first = 0;
	if (!set_root_room(w, state) ||
	    (w->repeats && !root_load_history(d->allocator, limits, 2 * DUEL_MAX_PLY + 2, &w->path,
					      &w->path_room, &w->path_root)))
		return QV_NO_MEMORY;
	for (int i = 0; i < DUEL_MAX_PLY; i++)
		for (int k = 0; k < DUEL_MAX_KILLERS; k++)
			w->plies[i].killers[k] = QV_NO_MOVE;
	memcpy(w->root_state, state, d->game->state_size);
	/* The last search's line applies if the expected reply was played. */
	w->kept_length = 0;
	if (d->kept_length && d->kept_hash == d->game->hash(state)) {
		w->kept_length = d->kept_length;
		memcpy(w->kept_room, d->kept, (size_t)d->kept_length * sizeof *d->kept);
	}
	if (w->select)
		w->select->proving = false;
	d->ops->prepare(w);
	/* limits->only names the moves to search; if none of them is legal, all are searched. */
	int kept = 0;
	for (int i = 0; i < w->root_count; i++)
		if (legal_is_named(limits, w->root[i].move))
			w->root[kept++] = w->root[i];
	w->root_count = kept ? kept : w->root_count;
	return QV_OK;
}

/* What the threads of one search share. */
struct shared_search {
	struct duel *duel;
	const struct qv_listener *listener;
	struct qv_answer *out;
};

/* The first worker finds the answer; the others help until it is done. */
static void run_worker(void *ctx, int worker)
{
	const struct shared_search *s = ctx;
	if (worker) {
		duel_run_helper(&s->duel->workers[worker]);
		return;
	}
	duel_iterate(&s->duel->workers[0], s->listener, s->out);
	atomic_store(&s->duel->halt, true);
}

/* Keeps the rest of the principal variation after the expected reply, for the next search. */
static void keep_line(struct duel *d, const void *state, const struct qv_answer *out)
{
	d->kept_length = 0;
	if (!d->settings.keep_line || out->line_length < 3)
		return;
	void *copy = d->workers[0].first_state;
	memcpy(copy, state, d->game->state_size);
	d->game->play(copy, out->line[0]);
	d->game->play(copy, out->line[1]);
	d->kept_hash = d->game->hash(copy);
	d->kept_length = out->line_length - 2;
	memcpy(d->kept, out->line + 2, (size_t)d->kept_length * sizeof *d->kept);
}

enum qv_status duel_run(struct duel *d, const void *state, const struct qv_limits *limits,
			const struct qv_listener *listener, struct qv_answer *out,
			struct qv_error *error)
{
	/* A node costs at most two evaluations: its own, and its static value. */
	budget_start(&d->budget, &d->settings, limits, 2);
	d->max_depth = budget_depth(&d->settings, limits, DUEL_MAX_DEPTH);
	atomic_store(&d->halt, false);
	if (root_has_ended(d->game, state, out))
		return QV_OK;
	if (d->settings.phases) {
		int phase = d->game->phase(state);
		phase = phase < QV_OPENING ? QV_OPENING : phase > QV_END ? QV_END : phase;
		/* A new phase has other weights: clear the table and the evaluation's memory. */
		if (d->phase >= 0 && phase != d->phase && d->table.block)
			table_clear(&d->table);
		for (int i = 0; i < d->worker_count && phase != d->phase; i++)
			if (d->workers[i].memory)
				memset(d->workers[i].memory, 0, d->workers[i].memory_size);
		d->phase = phase;
	}
	for (int i = 0; i < d->worker_count; i++)
		if (worker_start(&d->workers[i], state, limits, listener) != QV_OK)
			return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	struct duel_worker *w = &d->workers[0];
	*out = (struct qv_answer){ .move = w->root[0].move, .score = w->root_static,
				   .line_length = 1, .line = { w->root[0].move } };
	if ((d->settings.chopper || limits->aim_ms) && w->root_count == 1)
		d->max_depth = 1;                    /* an only move needs no search */
	table_new_search(&d->table);
	struct shared_search shared = { d, listener, out };
	threads_run(d->worker_count, run_worker, &shared);
	if (out->proven && !w->budget.stopped)
		duel_complete_line(w, out);
	out->nodes = out->evals = 0;
	for (int i = 0; i < d->worker_count; i++) {
		out->nodes += d->workers[i].nodes;
		out->evals += duel_evals(&d->workers[i]);
	}
	out->considered = out->nodes;
	keep_line(d, state, out);
	out->seconds = budget_seconds(&w->budget);
	return w->budget.was_stopped ? qv_fail(error, QV_STOPPED, "search: stopped") : QV_OK;
}
