/*
 * duel_help.h - the parts of the two-player recursion that know no game: inline, for duel.inc.h
 * alone.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_DUEL_HELP_H
#define SEARCH_DUEL_HELP_H

#include <limits.h>

#include "search/duel.h"

/* Scores of moves that come before all others. */
enum { DUEL_SCORE_KILLER = 1 << 28, DUEL_SCORE_KEPT = 1 << 29, DUEL_SCORE_TABLE = 1 << 30 };

/* An evaluation past its bound must not pass for an end. */
static inline int32_t duel_clamp(int32_t value)
{
	return value > QV_MAX_EVAL ? QV_MAX_EVAL : value < -QV_MAX_EVAL ? -QV_MAX_EVAL : value;
}

static inline bool duel_has_ended(int32_t leaf)
{
	return leaf > QV_MAX_EVAL || leaf < -QV_MAX_EVAL;
}

/* What a leaf of an ended game is worth at that ply: sooner is better, later is less bad. */
static inline int32_t duel_ended_value(int32_t leaf, int ply)
{
	return leaf == QV_LEAF_DRAWN ? 0 : leaf > 0 ? QV_WIN - ply : ply - QV_WIN;
}

static inline int32_t duel_ended_value_or(int32_t leaf, int ply)
{
	return duel_has_ended(leaf) ? duel_ended_value(leaf, ply) : leaf;
}

/* Before a batch of n nodes: true if the search must stop, because they would go past a limit. */
bool duel_poll_ahead(struct duel_worker *w, int n);

/* ---- lines ---- */

static inline void duel_extend_line(struct duel_worker *w, int ply, qv_move move)
{
	struct duel_ply *here = &w->plies[ply];
	const struct duel_ply *next = here + 1;
	const int length = next->line_length;
	here->line[0] = move;
#pragma GCC unroll 1
	for (int i = 0; i < length; i++) /* mostly a move or two: less than a call of memcpy */
		here->line[i + 1] = next->line[i];
	here->line_length = length + 1;
}

static inline void duel_new_best(struct duel_worker *w, qv_move move, int32_t value)
{
	duel_extend_line(w, 0, move);
	w->found = true;
	w->best_move = move;
	w->best_value = value;
	w->best_length = w->plies[0].line_length;
	memcpy(w->best_line, w->plies[0].line, (size_t)w->best_length * sizeof *w->best_line);
}

/* A value just below those at most `spread` less than the best. */
static inline int32_t duel_open_below(int32_t best, int32_t spread)
{
	const int64_t from = (int64_t)best - 1 - spread;
	return from < -DUEL_INFINITE ? -DUEL_INFINITE : (int32_t)from;
}

/* ---- the order of moves ---- */

/* Whether the kept line has a move for this ply, and led here. */
static inline bool duel_has_kept(const struct duel_worker *w, int ply)
{
	return ply < w->kept_length && w->plies[ply].on_kept;
}

/*
 * A rank that leaves room for history beside it, and is never mistaken for a move already picked.
 */
static inline int32_t duel_rank(int32_t rank)
{
	const int32_t most = 1 << 27;
	return rank > most ? most : rank < -most ? -most : rank;
}

/* The first of the highest scores; it will not be picked again. */
static inline int duel_pick(int32_t *scores, int n)
{
	int best = 0;
	for (int i = 1; i < n; i++)
		if (scores[i] > scores[best])
			best = i;
	scores[best] = INT32_MIN;
	return best;
}

static inline unsigned duel_history_place(qv_move move)
{
	return (unsigned)(move * UINT64_C(0x9e3779b97f4a7c15) >> 52);
}
_Static_assert(1 << (64 - 52) == DUEL_HISTORY, "the shift fits the table");

static inline void duel_add_killer(struct duel_ply *p, int killers, qv_move move)
{
	if (p->killers[0] == move)
		return;
	memmove(p->killers + 1, p->killers, (size_t)(killers - 1) * sizeof *p->killers);
	p->killers[0] = move;
}

/* Until something has been refuted at this ply, the best reply there stands in. */
static inline void duel_add_best(struct duel_ply *p, int killers, qv_move move)
{
	if (killers && p->killers[0] == QV_NO_MOVE)
		p->killers[0] = move;
}

static inline void duel_add_history(int32_t *history, qv_move move, int depth)
{
	int32_t *count = &history[duel_history_place(move)];
	*count += depth * depth;
	if (*count > DUEL_SCORE_KILLER / 4)          /* never past the killers: all fade alike */
		for (int i = 0; i < DUEL_HISTORY; i++)
			history[i] /= 2;
}

/* Keeps the w->top moves of highest score, in their old order; returns how many. */
static inline int duel_keep_top(struct duel_worker *w, int ply, qv_move *moves, int n)
{
	int32_t *scores = w->plies[ply].scores;
	while (n > w->top) {
		int worst = n - 1;
		for (int i = n - 2; i >= 0; i--)
			if (scores[i] < scores[worst])
				worst = i;
		const size_t after = (size_t)(n - 1 - worst);
		memmove(moves + worst, moves + worst + 1, after * sizeof *moves);
		memmove(scores + worst, scores + worst + 1, after * sizeof *scores);
		n--;
		w->unproven++;
	}
	return n;
}

/* ---- repetition ---- */

/* Enters a position into the path at its ply; returns how often it stands there already. */
static inline int duel_enter_path(struct duel_worker *w, uint64_t hash, int ply)
{
	const int here = w->path_root + ply;
	int times = 0;
	w->path[here] = hash;
	for (int i = here - 1; i >= w->plies[ply].path_first; i--) {
		if (w->path[i] != hash)
			continue;
		times++;
		if (i < w->oldest_repeated)
			w->oldest_repeated = i;
	}
	return times;
}

/*
 * On the way up: what the subtree rested on counts for the parent too, if it lies above this ply.
 */
static inline void duel_leave_path(struct duel_worker *w, int ply, int older_repeated)
{
	if (w->oldest_repeated >= w->path_root + ply || older_repeated < w->oldest_repeated)
		w->oldest_repeated = older_repeated;
}

/* ---- the table ---- */

/*
 * The table's key of a position. Where positions may repeat, its value depends on the way there; if
 * entries are to be exact, so must the key: it takes in the positions that could come again, in any
 * order.
 */
static inline uint64_t duel_key(const struct duel_worker *w, uint64_t hash, int ply)
{
	if (!w->repeats || !w->exact)
		return hash;
	uint64_t sum = 0;
	for (int i = w->plies[ply].path_first; i < w->path_root + ply; i++)
		sum += qv_mix(w->path[i]);
	return qv_mix(hash + sum * 2);
}

static inline int32_t duel_to_table(int32_t value, int ply)
{
	return duel_is_win(value) ? value + ply : duel_is_loss(value) ? value - ply : value;
}

static inline int32_t duel_from_table(int32_t value, int ply)
{
	return duel_is_win(value) ? value - ply : duel_is_loss(value) ? value + ply : value;
}

/*
 * True if the entry decides the node: then entry->value is its value at this ply. entry->place is a
 * move to try first.
 */
static inline bool duel_look_up(struct duel_worker *w, uint64_t key, int depth, int ply,
				int32_t alpha, int32_t beta, struct table_entry *entry)
{
	if (!table_get(w->table, key, entry))
		return false;
	/*
	 * Where positions may repeat, what was proven on one path is not on another, unless the key
	 * says that it is the same.
	 */
	const bool borrowed = w->repeats && !w->exact, proven = entry->proven && !borrowed;
	if (w->exact ? entry->depth != depth : entry->depth < depth && !proven)
		return false;
	/* An end further off than this search looks may not be the nearest one. */
	const int32_t size = entry->value < 0 ? -entry->value : entry->value;
	if (duel_is_win(size) && QV_WIN - size > depth)
		return false;
	const int32_t value = duel_from_table(entry->value, ply);
	if (entry->bound == BOUND_LOWER ? value < beta
					: entry->bound == BOUND_UPPER && value > alpha)
		return false;
	w->unproven += !proven;
	w->borrowed += borrowed;
	entry->value = value;
	return true;
}

static inline void duel_store(struct duel_worker *w, uint64_t key, int depth, int ply,
			      int32_t value, int32_t alpha, int32_t beta, int place, bool proven)
{
	const enum bound bound = value >= beta	 ? BOUND_LOWER
				 : value > alpha ? BOUND_EXACT
						 : BOUND_UPPER;
	/* An end counts only if no move was left out. */
	const struct table_entry entry = {
		.value = duel_to_table(value, ply),
		.depth = depth,
		.place = place,
		.bound = bound,
		.proven = proven || (bound != BOUND_UPPER && duel_is_win(value) && !w->top) ||
			  (bound != BOUND_LOWER && duel_is_loss(value) && !w->top && !w->hard),
	};
	table_put(w->table, key, &entry);
}

#endif
