/*
 * select_leaf.inc.h - template: the lower half of the selective search (select.inc.h): static
 * values with correction history, the transposition table, and quiescence search.
 * SPDX-License-Identifier: MIT
 */
#include "search/select.h"
#include "search/duel_inline.h"

#define G_POINTS(hundredths) ((hundredths)*G_SELECT_PAWN / 100)

static int32_t G(select_node)(struct duel_worker *w, const G_STATE *s, int depth, int ply,
			      int32_t alpha, int32_t beta, bool cut);

/* ---- visits ---- */

/* Reports to the listener that a node is entered by a move, or QV_NO_MOVE. */
static void G(select_enter)(const struct duel_worker *w, const G_STATE *s, qv_move move, int depth,
			    int ply, int32_t alpha, int32_t beta, unsigned flags)
{
	const struct qv_visit visit = {
		.state = G_BYTES(s),
		.move = move,
		.ply = ply + w->select->nested,
		.depth = depth,
		.seat = G(seat)(s),
		.alpha = visit_edge(alpha, DUEL_INFINITE),
		.beta = visit_edge(beta, DUEL_INFINITE),
		.flags = flags,
	};
	w->plies[ply].line_length = 0;
	visit_enter(w->listener, &visit);
}

/* select_node as a visit. */
static inline int32_t G(select_visit)(struct duel_worker *w, const G_STATE *s, qv_move move,
				      int depth, int ply, int32_t alpha, int32_t beta, bool cut,
				      unsigned flags)
{
	if (w->listener)
		G(select_enter)(w, s, move, depth > 0 ? depth : 0, ply, alpha, beta, flags);
	const int32_t value = G(select_node)(w, s, depth, ply, alpha, beta, cut);
	if (w->listener)
		select_leave(w, ply, alpha, value);
	return value;
}

/* ---- values ---- */

/* The static value, from the evaluation cache if it is there. */
static int32_t G(select_static)(struct duel_worker *w, const G_STATE *s, uint64_t hash)
{
	struct select_value *v = &w->select->values[hash % SELECT_VALUES];
	const uint32_t check = (uint32_t)(hash >> 32);
	if (v->check == check) {
		w->unproven++;
		return v->value;
	}
	w->evals++;
	v->check = check;
	v->value = duel_clamp(w->recall   ? w->recall(G_BYTES(s), w->weights, w->memory)
			      : w->custom ? w->custom->evaluate(G_BYTES(s), w->weights)
					  : G(evaluate)(s, w->weights));
	return v->value;
}

/* The correction history entries of a position: by its pawns, by each side's pieces. */
static inline void G(select_corrections)(struct select *t, const G_STATE *s, int16_t **out)
{
	int16_t(*errors)[SELECT_PAWNS] = t->corrections[G(seat)(s)];
	out[0] = &errors[0][G(skeleton)(s) % SELECT_PAWNS];
	out[1] = &errors[1][G(army)(s, 0) % SELECT_PAWNS];
	out[2] = &errors[2][G(army)(s, 1) % SELECT_PAWNS];
}

/* The static value of a node, adjusted by correction history. */
static int32_t G(select_standing)(struct duel_worker *w, const G_STATE *s, int ply)
{
	struct select *t = w->select;
	const int32_t value = G(select_static)(w, s, t->plies[ply].hash);
	int16_t *errors[SELECT_CORRECTIONS];
	if (!t->correct)
		return value;
	G(select_corrections)(t, s, errors);
	const int sum = *errors[0] * G_POINTS(48) + (*errors[1] + *errors[2]) * G_POINTS(36);
	return duel_clamp(value + sum / SELECT_MOST);
}

/* The static value, improved by the table's bound where that applies. */
static inline int32_t G(select_guess)(const struct table_entry *entry, int32_t standing)
{
	if (entry->bound == BOUND_NONE || duel_has_ended(entry->value))
		return standing;
	if (entry->value > standing ? entry->bound != BOUND_UPPER : entry->bound != BOUND_LOWER)
		return entry->value;
	return standing;
}

/* Updates correction history by the difference of a quiet position's search and static value. */
static void G(select_update_correction)(struct select *t, const G_STATE *s, int depth, int32_t off)
{
	const int32_t most = G_POINTS(200), size = off > most ? most : off < -most ? -most : off;
	const int bonus = size * depth * 8 * 100 / G_SELECT_PAWN / 8;
	const int bound = SELECT_MOST / 8;
	int16_t *errors[SELECT_CORRECTIONS];
	G(select_corrections)(t, s, errors);
	for (int i = 0; i < SELECT_CORRECTIONS; i++)
		select_update(errors[i], bonus > bound ? bound : bonus < -bound ? -bound : bonus);
}

/*
 * Whether the game has ended by a counter, insufficient material or repetition. With twofold=1 a
 * position that repeats within the search counts twice: the repetition could be forced again.
 */
static bool G(select_over)(struct duel_worker *w, const G_STATE *s, int ply, int32_t *value)
{
	int32_t points[QV_MAX_SEATS];
	bool over = G(may_be_over)(s) && G(result)(s, points) != QV_GOING;
	if (G_HAS_REPEATED && !over && w->repeats) {
		const uint64_t hash = w->select->plies[ply].hash;
		const int here = w->path_root + ply, first = w->plies[ply].path_first;
		const bool twice = w->select->twofold && !w->select->proving;
		int times = 0;
		w->path[here] = hash;
		for (int i = here - 2; i >= first; i -= 2) {
			if (w->path[i] != hash)
				continue;
			times += twice && i >= w->path_root ? 2 : 1;
			if (i < w->oldest_repeated)
				w->oldest_repeated = i;
		}
		over = times && G(repeated)(s, times, points) != QV_GOING;
	}
	if (over)
		*value = duel_ended_value(G(leaf_points)(s, points), ply);
	if (over && w->listener && ply)
		select_why(w, ply,
			   G(result)(s, points) != QV_GOING ? QV_WHY_ENDED : QV_WHY_REPEATED,
			   *value);
	return over;
}

#ifndef G_SELECT_TABLES
#define G_SELECT_TABLES 0
#endif

/*
 * Looks a position below the root up in the endgame tables. A win that a counter may draw before it
 * is reached is no proven one: it scores less the longer it takes. True: *value is set.
 */
static inline bool G(select_probe)(struct duel_worker *w, const G_STATE *s, int ply, int32_t *value)
{
#if G_SELECT_TABLES
	enum { UNSURE_WIN = 20000 };
	struct qv_solution found;
	if (!w->prober || !ply || !G(few)(s) || !w->probe(w->prober, G_BYTES(s), &found))
		return false;
	const bool won = found.value == QV_VALUE_WIN;
	if (found.value == QV_VALUE_DRAW)
		*value = 0;
	else if (found.in <= G(plies_left)(s))
		*value = won ? QV_WIN - ply - found.in : ply + found.in - QV_WIN;
	else
		*value = won ? UNSURE_WIN - found.in : found.in - UNSURE_WIN, w->unproven++;
	select_why(w, ply, QV_WHY_SOLVED, *value);
	return true;
#else
	(void)w, (void)s, (void)ply, (void)value;
	return false;
#endif
}

/* The value of a position without legal moves. */
static int32_t G(select_end)(const struct duel_worker *w, const G_STATE *s, int ply)
{
	int32_t points[QV_MAX_SEATS] = { 0 };
	const int32_t value = G(result)(s, points) == QV_GOING
				      ? 0
				      : duel_ended_value(G(leaf_points)(s, points), ply);
	select_why(w, ply, QV_WHY_ENDED, value);
	return value;
}

/* The value where there is no room for more plies. */
static int32_t G(select_deepest)(struct duel_worker *w, const G_STATE *s, int ply)
{
	const int32_t value = G(select_standing)(w, s, ply);
	select_why(w, ply, QV_WHY_DEEPEST, value);
	return value;
}

/* ---- transposition table ---- */

/* Probes the table. True: it causes a cut-off, and entry->value is the value. */
static bool G(select_look_up)(struct duel_worker *w, uint64_t key, int depth, int ply,
			      int32_t alpha, int32_t beta, bool pv, struct table_entry *entry)
{
	if (w->exact) {
		const bool found = duel_look_up(w, key, depth, ply, alpha, beta, entry);
		if (found)
			select_why(w, ply, QV_WHY_TABLE, entry->value);
		return found;
	}
	if (!table_get(w->table, key, entry))
		return false;
	entry->value = duel_from_table(entry->value, ply);
	if (pv || entry->depth < depth || (entry->bound == BOUND_LOWER && entry->value < beta) ||
	    (entry->bound == BOUND_UPPER && entry->value > alpha))
		return false;
	w->unproven++;
	w->borrowed += w->repeats;
	select_why(w, ply, QV_WHY_TABLE, entry->value);
	return true;
}

static void G(select_store)(struct duel_worker *w, uint64_t key, int depth, int ply, int32_t value,
			    int32_t alpha, int32_t beta, int code)
{
	const struct table_entry entry = {
		.value = duel_to_table(value, ply), .depth = depth, .place = code,
		.bound = value >= beta ? BOUND_LOWER : value > alpha ? BOUND_EXACT : BOUND_UPPER
	};
	table_put(w->table, key, &entry);
}

#include "search/select_pick.inc.h"

/* ---- moves ---- */

/*
 * Prefetches the table and cache entries of the position after the move. Always inlined, since gcc
 * drops calls of a function that only prefetches.
 */
__attribute__((always_inline)) static inline void G(select_prefetch)(const struct duel_worker *w,
								    const G_STATE *s, qv_move move)
{
	const uint64_t hash = G(guess_hash)(s, move);
	if (!hash || w->exact)
		return;
	if (w->table)
		table_prefetch(w->table, hash);
	__builtin_prefetch(&w->select->values[hash % SELECT_VALUES]);
}

/* Plays the move into the child and sets up its ply, all but `checked`. */
static inline void G(select_play)(struct duel_worker *w, const G_STATE *s, qv_move move,
				  G_STATE *child, int ply)
{
	struct select *t = w->select;
	struct select_ply *next = &t->plies[ply + 1];
	t->plies[ply].place = G(place)(s, move);
	t->plies[ply].count = NULL;
	G(copy_play)(child, s, move);
	w->nodes++;
	w->deepest = ply >= w->deepest ? ply + 1 : w->deepest;
	next->hash = G(repeat_hash)(child);
	if (w->table && !w->exact)
		table_prefetch(w->table, next->hash);
	G(duel_note_move)(w, s, move, child, ply);
	next->passed = false;
}

/* ---- quiescence search ---- */

/*
 * Searches captures and promotions until the position is quiet, with delta pruning and static
 * exchange evaluation. The side to move may stand pat, unless in check; then all evasions are
 * searched. `beyond` counts plies past the horizon.
 */
static int32_t G(select_quiesce)(struct duel_worker *w, const G_STATE *s, int ply, int32_t alpha,
				 int32_t beta, int beyond)
{
	struct select *t = w->select;
	struct select_ply *here = &t->plies[ply];
	const bool pv = beta > alpha + 1, checked = here->checked;
	const int32_t floor = alpha;
	int32_t value, best = -DUEL_INFINITE, futile = 0;
	w->plies[ply].line_length = 0;
	if (G(select_over)(w, s, ply, &value) || G(select_probe)(w, s, ply, &value))
		return value;
	if (ply >= DUEL_MAX_PLY - 2)
		return G(select_deepest)(w, s, ply);

	struct table_entry entry = { .place = TABLE_NO_MOVE };
	const bool remembers = w->table && !w->exact;
	if (remembers && G(select_look_up)(w, here->hash, 0, ply, alpha, beta, pv, &entry))
		return entry.value;

	if (!checked) {
		here->standing = G(select_standing)(w, s, ply);
		best = G(select_guess)(&entry, here->standing);
		select_why(w, ply, QV_WHY_STAND_PAT, best);
		if (best >= beta)
			return best;
		if (best > alpha)
			alpha = best;
		futile = here->standing + G_POINTS(180);
	} else {
		here->standing = SELECT_NO_VALUE;
	}

	qv_move moves[G_MAX_MOVES];
	int64_t keys[G_MAX_MOVES];
	const bool all = checked || (t->checks && !beyond);
	const int takes = G(captures)(s, moves);
	const int n = all ? takes + G(quiets)(s, moves + takes) : takes;
	if (all && !n)
		return G(select_end)(w, s, ply);
	int code = entry.place, tried = 0;
	G_SELECT_CHECKS checks = { 0 };
	if (all && !checked)
		G(checks_init)(&checks, s);
	G(select_order_captures)(w, s, moves, takes, entry.place, keys);
	if (all)
		G(select_order_quiets)
	(w, s, G(attacked)(s), moves, takes, n, ply, entry.place, keys);
	for (int i = 0; i < n; i++) {
		const qv_move move = moves[G(select_key_place)(G(select_pick)(keys, i, n))];
		const bool quiet = all && G(quiet)(s, move);
		if (!checked && quiet && !G(gives_check)(s, &checks, move))
			continue;
		G(select_prefetch)(w, s, move);
		if (!duel_is_loss(best) && best > -DUEL_INFINITE) {
			if (checked && quiet && tried > 1) {
				select_why(w, ply, QV_WHY_LATE, tried);
				continue;
			}
			if (!checked && t->delta && !quiet && futile + G(gain)(s, move) <= alpha) {
				select_why(w, ply, QV_WHY_FUTILE, futile + G(gain)(s, move));
				if (futile + G(gain)(s, move) > best)
					best = futile + G(gain)(s, move);
				continue;
			}
			if (t->exchange && !G(exchange)(s, move, 0)) {
				select_why(w, ply, QV_WHY_LATE, tried);
				continue;
			}
		}
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		G_CHILD(child, w->slots, ply);
		G(select_play)(w, s, move, child, ply);
		t->plies[ply + 1].checked = G(checked)(child);
		tried++;
		if (w->listener)
			G(select_enter)
			(w, child, move, -beyond - 1, ply + 1, -beta, -alpha, QV_VISIT_QUIET);
		const int32_t v = -G(select_quiesce)(w, child, ply + 1, -beta, -alpha, beyond + 1);
		if (w->listener)
			select_leave(w, ply + 1, -beta, -v);
		if (w->budget.stopped)
			return best;
		if (v <= best)
			continue;
		best = v;
		if (best <= alpha)
			continue;
		code = G(code)(move);
		duel_extend_line(w, ply, move);
		alpha = best;
		if (best >= beta) {
			select_why(w, ply, QV_WHY_CUT, best);
			break;
		}
	}
	if (remembers && !(best == 0 && w->oldest_repeated < w->path_root + ply) &&
	    entry.depth < SELECT_DEEPER)
		G(select_store)(w, here->hash, 0, ply, best, floor, beta, code);
	return best;
}

/* The value at depth 0, for the side to move. */
static int32_t G(select_horizon)(struct duel_worker *w, const G_STATE *s, int ply, int32_t alpha,
				 int32_t beta)
{
	const struct select *t = w->select;
	const int older_repeated = w->oldest_repeated;
	int32_t value;
	if (w->quiet && !t->proving) {
		w->oldest_repeated = INT_MAX;
		value = G(select_quiesce)(w, s, ply, alpha, beta, 0);
		duel_leave_path(w, ply, older_repeated);
	} else {
		w->plies[ply].line_length = 0;
		if (!G(select_over)(w, s, ply, &value) && !G(select_probe)(w, s, ply, &value)) {
			value = G(duel_leaf)(w, s, ply);
			const bool ended = duel_has_ended(value);
			if (ended)
				value = duel_ended_value(value, ply);
			else
				w->evals++;
			select_why(w, ply, ended ? QV_WHY_ENDED : QV_WHY_LEAF, value);
		}
	}
	if (w->listener && w->listener->leaf)
		w->listener->leaf(w->listener->ctx, G_BYTES(s), ply, value);
	return value;
}
