/*
 * duel_iterate.c - iterative deepening, aspiration windows, MTD(f), and the line of a proven value.
 * SPDX-License-Identifier: MIT
 *
 * Each iteration is one or more passes of the stamped search with a window. After it, the value is
 * checked for a proof: it counts as proven if no heuristic value was used, or if it is a win or
 * loss within the depth. With repetitions or selective search such a win is confirmed by a second,
 * full-width pass. Finally the line of a proven value is extended to the end of the game.
 */
#include "search/duel_inline.h"
#include "search/player_kind.h"
#include "search/select.h"

static const struct settings *settings_of(const struct duel_worker *w)
{
	return &w->duel->settings;
}

/* One pass. If hard pruning leaves no move, its margin is doubled until one is left. */
static int32_t pass(struct duel_worker *w, int depth, int32_t alpha, int32_t beta)
{
	w->iteration = depth;
	w->hard = (int32_t)settings_of(w)->hard;
	for (;; w->pass_flags = QV_VISIT_AGAIN) {
		int32_t value = w->duel->ops->search(w, depth, alpha, beta);
		w->pass_flags = 0;
		w->rests |= w->oldest_repeated < w->path_root;
		if (value > -DUEL_INFINITE || w->budget.stopped || !w->hard)
			return value;
		w->hard = w->hard > QV_MAX_EVAL / 2 ? 0 : w->hard * 2;
	}
}

/* The best move of the pass, or of the moves searched so far. */
static void take_best(const struct duel_worker *w, struct qv_answer *out)
{
	out->move = w->best_move;
	out->score = w->best_value;
	out->line_length = w->best_length;
	memcpy(out->line, w->best_line, (size_t)w->best_length * sizeof *out->line);
}

/* Fills in counts and time. */
static void fill_counts(struct duel_worker *w, const struct qv_listener *listener,
			struct qv_answer *out)
{
	out->nodes = out->considered = w->nodes;
	out->evals = duel_evals(w);
	out->seconds = budget_seconds(&w->budget);
	out->deepest = w->deepest;
	out->table_permille = listener && w->table ? table_permille(w->table) : 0;
}

/* Reports that a pass failed high (bound 1) or low (-1), with the value. */
static void report_bound(struct duel_worker *w, int depth, int bound, int32_t value)
{
	if (!w->progress || !w->progress->bound || !w->found)
		return;
	struct qv_answer so_far = { .depth = depth, .bound = bound };
	take_best(w, &so_far);
	so_far.score = value;
	fill_counts(w, w->progress, &so_far);
	w->progress->bound(w->progress->ctx, &so_far);
}

/* Aspiration window of the selective search: the side that failed is widened step by step. */
static int32_t widening_window(struct duel_worker *w, int depth, int32_t guess)
{
	int64_t step = settings_of(w)->window, low = guess - step, high = guess + step;
	for (;;) {
		const int32_t alpha = (int32_t)(low < -DUEL_INFINITE ? -DUEL_INFINITE : low);
		const int32_t beta = (int32_t)(high > DUEL_INFINITE ? DUEL_INFINITE : high);
		const int32_t value = pass(w, depth, alpha, beta);
		if (w->budget.stopped || (value > alpha && value < beta))
			return value;
		w->pass_flags = QV_VISIT_AGAIN;
		report_bound(w, depth, value <= alpha ? -1 : 1, value);
		step *= 2;
		if (duel_is_win(value) || duel_is_loss(value) || step > QV_MAX_EVAL / 4)
			step = 4 * (int64_t)DUEL_INFINITE;
		if (value <= alpha)
			low = value - step;
		else
			high = value + step;
	}
}

/*
 * MTD(f): null-window passes converge on the value from both sides. They show that a move is good
 * enough, not which moves are equal: to choose at random between equal moves, one more pass has a
 * window around the value.
 */
static int32_t mtdf(struct duel_worker *w, int depth, int32_t guess)
{
	int32_t low = -DUEL_INFINITE, high = DUEL_INFINITE, value = guess;
	w->random = false;
	while (low < high && !w->budget.stopped) {
		const int32_t beta = value == low ? value + 1 : value;
		value = pass(w, depth, beta - 1, beta);
		if (value < beta)
			high = value;
		else
			low = value;
	}
	w->random = settings_of(w)->random;
	w->pass_flags = QV_VISIT_AGAIN;
	if (w->random && !w->budget.stopped)
		pass(w, depth, value - 1, value + 1);
	w->pass_flags = 0;
	return value;
}

/* One iteration, with the windows of this kind of search; guess: the last value. */
static int32_t search_depth(struct duel_worker *w, int depth, int32_t guess)
{
	const struct settings *set = settings_of(w);
	const bool decided = duel_is_win(guess) || duel_is_loss(guess);
	int32_t value;
	if (set->kind->variant == DUEL_MTDF)
		return mtdf(w, depth, guess);
	if (set->razor) {
		/* The static value is alpha; if no move is better, a full-window pass follows. */
		w->razor = true;
		value = pass(w, depth, w->root_static, DUEL_INFINITE);
		w->razor = false;
		if (value > w->root_static || w->budget.stopped)
			return value;
		w->pass_flags = QV_VISIT_AGAIN;
	} else if (w->select && set->window && depth > 3 && !decided) {
		return widening_window(w, depth, guess);
	} else if (set->window && depth > 1 && !decided) {
		/* Aspiration window around the last value; after a failure, the full window. */
		const int32_t half = (int32_t)set->window;
		value = pass(w, depth, guess - half, guess + half);
		if ((value > guess - half && value < guess + half) || w->budget.stopped)
			return value;
		report_bound(w, depth, value < guess ? -1 : 1, value);
		w->pass_flags = QV_VISIT_AGAIN;
	}
	return pass(w, depth, -DUEL_INFINITE, DUEL_INFINITE);
}

/* Orders the root's moves for the next iteration: the best first, then, if sort=1, by value. */
static void reorder_root(struct duel_worker *w)
{
	int best = 0;
	while (best < w->root_count - 1 && w->root[best].move != w->best_move)
		best++;
	const struct root_move first = w->root[best];
	memmove(w->root + 1, w->root, (size_t)best * sizeof *w->root);
	w->root[0] = first;
	if (!w->sort)
		return;
	for (int i = 2; i < w->root_count; i++) {
		const struct root_move move = w->root[i];
		int j = i;
		for (; j > 1 && w->root[j - 1].value < move.value; j--)
			w->root[j] = w->root[j - 1];
		w->root[j] = move;
	}
}

/*
 * Whether a second pass confirms a win or a loss. Where positions may repeat, table entries may
 * stem from another path: a null-window pass has keys that distinguish paths. A selective search is
 * confirmed at full width, the distance included.
 */
static bool holds_on_this_path(struct duel_worker *w, struct qv_answer *out)
{
	const int32_t value = out->score, size = value < 0 ? -value : value;
	const int32_t alpha = value > 0 || w->select ? value - 1 : value;
	w->exact = true;
	w->pass_flags = QV_VISIT_VERIFY;
	if (w->select)
		w->select->proving = true;
	const int32_t again = pass(w, QV_WIN - size, alpha, w->select ? value + 1 : alpha + 1);
	if (w->select)
		w->select->proving = false;
	w->exact = settings_of(w)->tt_exact;
	w->best_move = out->move;
	w->best_value = out->score;
	w->best_length = out->line_length;
	memcpy(w->best_line, out->line, (size_t)out->line_length * sizeof *out->line);
	if (w->budget.stopped || w->select)
		return !w->budget.stopped && again == value;
	return value > 0 ? again >= value : again <= value;
}

/* ---- deliberate errors ---- */

/*
 * Chooses at random among the moves within the margin, or among the worst of them. A proven win or
 * loss is played best, whatever the margin, but without a margin a blunder is the worst of all
 * moves. Values at or below `from` of the root's loop are only bounds, but those lie below the
 * margin.
 */
static void choose(struct duel_worker *w)
{
	const bool decided = duel_is_win(w->best_value) || duel_is_loss(w->best_value);
	const bool any = w->blunders && w->spread == DUEL_INFINITE;
	int32_t low = any	? -DUEL_INFINITE
		      : decided ? w->best_value
				: w->best_value - w->spread,
		high = w->best_value;
	uint64_t count = 0;
	if (w->blunders) {
		for (int i = 0; i < w->root_count; i++)
			high = w->root[i].value >= low && w->root[i].value < high ? w->root[i].value
										   : high;
		low = high;
	}
	for (int i = 0; i < w->root_count; i++)
		if (w->root[i].value >= low && w->root[i].value <= high &&
		    qv_random_below(&w->random_numbers, ++count) == 0)
			w->chosen = w->root[i];
}

/* ---- iterations ---- */

/* Depth by depth, until a limit, a proof or the soft time limit ends it. */
static void deepen(struct duel_worker *w, const struct qv_listener *listener, struct qv_answer *out)
{
	const struct duel *d = w->duel;
	const int first = d->settings.iterate || d->max_depth == DUEL_MAX_DEPTH ? 1 : d->max_depth;
	for (int depth = first; depth <= d->max_depth; depth++) {
		const uint64_t guessed = w->evals + w->unproven, borrowed = w->borrowed;
		w->rests = false;
		if (listener && listener->iteration_start)
			listener->iteration_start(listener->ctx, depth);
		w->progress = listener;
		search_depth(w, depth, w->found ? w->best_value : w->root_static);
		w->progress = NULL;
		/*
		 * After a stop this is the best of the moves searched so far, no worse than before.
		 */
		if (w->found)
			take_best(w, out);
		if (w->budget.stopped)
			return;
		if (w->spread)
			choose(w);
		out->depth = depth;
		/*
		 * The value is the game-theoretic one if it is a win or a loss, unless moves were
		 * pruned, or if no heuristic value was used. A win beyond the depth, found by
		 * quiescence or selective search, need not be the shortest: a deeper iteration will
		 * show.
		 */
		const bool decided = duel_is_win(w->best_value) ||
				     (duel_is_loss(w->best_value) && !d->settings.hard);
		const int32_t plies = QV_WIN - (w->best_value < 0 ? -w->best_value : w->best_value);
		const int exact = d->ops->exact_plies;
		const bool far = decided && exact && plies > exact;
		out->proven = (guessed == w->evals + w->unproven ||
			       (decided && !w->drops && plies <= depth &&
				(!w->select || plies <= SELECT_PROOF))) &&
			      !far;
		if (out->proven && (borrowed != w->borrowed || (w->select && out->score)))
			out->proven = holds_on_this_path(w, out);
		if (w->budget.stopped)
			return;
		out->rests_on_repetition = w->rests;
		fill_counts(w, listener, out);
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (out->proven || budget_enough(&w->budget, out))
			return;
		reorder_root(w);
		if (d->settings.keep_line) {
			memcpy(w->kept_room, w->best_line,
			       (size_t)w->best_length * sizeof *w->kept_room);
			w->kept_length = w->best_length;
		}
	}
}

void duel_iterate(struct duel_worker *w, const struct qv_listener *listener, struct qv_answer *out)
{
	deepen(w, listener, out);
	/* A deliberate error replaces the best move, unless an unfinished iteration found a win. */
	if (w->chosen.move == QV_NO_MOVE || w->chosen.move == out->move ||
	    (duel_is_win(out->score) && w->spread != DUEL_INFINITE))
		return;
	out->proven &= w->chosen.value == out->score;
	out->score = w->chosen.value;
	out->move = out->line[0] = w->chosen.move;
	out->line_length = 1;
}

void duel_run_helper(struct duel_worker *w)
{
	int32_t guess = w->root_static;
	const int most = w->duel->max_depth;
	for (int depth = 1 + (w->id & 1); depth <= most && !w->budget.stopped; depth++) {
		guess = search_depth(w, depth, guess);
		if (w->found && !w->budget.stopped)
			reorder_root(w);
	}
}

/* ---- the line of a proven value ---- */

static uint64_t repeat_hash(const struct qv_game *g, const void *state)
{
	return g->repeat_hash ? g->repeat_hash(state) : g->hash(state);
}

/* Plays a move of the line on w->root_state, which becomes the root. False: the game has ended. */
static bool step(struct duel_worker *w, qv_move move)
{
	const struct qv_game *g = w->game;
	int32_t points[QV_MAX_SEATS];
	int times = 0;
	if (w->repeats) {
		w->path[w->path_root++] = repeat_hash(g, w->root_state);
		if (g->irreversible(w->root_state, move))
			w->plies[0].path_first = w->path_root;
	}
	g->play(w->root_state, move);
	if (g->result(w->root_state, points) != QV_GOING)
		return false;
	for (int i = w->plies[0].path_first; w->repeats && i < w->path_root; i++)
		times += w->path[i] == repeat_hash(g, w->root_state);
	return !times || g->repeated(w->root_state, times, points) == QV_GOING;
}

/*
 * Finds a move that keeps the value, by a null window just below it. For a draw the pass is
 * repeated deeper until no heuristic value was used, since table entries may reach beyond the
 * depth.
 */
static bool find_keeper(struct duel_worker *w, int depth, int32_t want)
{
	const bool again = want == 0 && !w->drops && !settings_of(w)->hard;
	for (;; depth++) {
		const uint64_t guessed = w->evals + w->unproven;
		w->found = false;
		pass(w, depth, want - 1, want);
		if (w->budget.stopped || !again || depth >= DUEL_MAX_DEPTH)
			return w->found && !w->budget.stopped;
		if (w->found && guessed == w->evals + w->unproven)
			return true;
	}
}

/*
 * Rebuilds the line of a proven value move by move. The first move is given (it may have been chosen
 * at random); then the search's root moves along the line.
 */
static void rebuild_line(struct duel_worker *w, struct qv_answer *out)
{
	const int32_t size = out->score > 0 ? out->score : -out->score;
	const bool decided = size > QV_MAX_EVAL;
	const int plies = decided ? QV_WIN - size : QV_MAX_LINE;
	const int root_seat = w->root_seat;
	if (decided && plies > DUEL_MAX_DEPTH)
		return;                              /* beyond the deepest iteration */
	out->line_length = 0;
	w->best_move = out->move;
	for (int ply = 0; ply < plies && ply < QV_MAX_LINE; ply++) {
		if (ply) {
			w->duel->ops->prepare(w);
			const bool wins = (out->score > 0) == (w->root_seat == root_seat);
			const int32_t here = decided ? size + ply : 0;
			const int left = decided ? plies - ply : out->depth - ply;
			if (!find_keeper(w, left > 1 ? left : 1, wins ? here : -here))
				return;
		}
		out->line[out->line_length++] = w->best_move;
		if (!step(w, w->best_move))
			return;
	}
}

void duel_complete_line(struct duel_worker *w, struct qv_answer *out)
{
	const struct qv_game *g = w->game;
	const int path_root = w->path_root, path_first = w->plies[0].path_first;
	memcpy(w->first_state, w->root_state, g->state_size);
	/* Nothing to do if the game ends where the line does, after as many plies as the value says. */
	const int32_t size = out->score > 0 ? out->score : -out->score;
	const bool fits = size <= QV_MAX_EVAL || out->line_length == QV_WIN - size;
	int length = 0;
	while (fits && length < out->line_length && step(w, out->line[length]))
		length++;
	if (fits && length == out->line_length - 1)
		return;
	memcpy(w->root_state, w->first_state, g->state_size);
	w->path_root = path_root;
	w->plies[0].path_first = path_first;
	w->kept_length = 0;
	w->random = false;
	w->listener = NULL;
	w->exact |= w->repeats;                      /* the line must hold on this path */
	if (w->select)
		w->exact = w->select->proving = true;
	rebuild_line(w, out);
	if (!out->line_length)
		out->line[out->line_length++] = out->move;
	out->move = out->line[0];
}
