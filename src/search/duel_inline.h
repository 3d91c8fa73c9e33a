/*
 * duel_inline.h - the game-independent parts of the two-player recursion: values, principal
 * variation, move ordering, repetition and transposition table. Inline, for the templates.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_DUEL_INLINE_H
#define SEARCH_DUEL_INLINE_H

#include <limits.h>

#include "search/duel.h"

/* Move ordering scores above every rank and history score. */
enum { DUEL_SCORE_KILLER = 1 << 28, DUEL_SCORE_KEPT = 1 << 29, DUEL_SCORE_TABLE = 1 << 30 };

/* Clamps an evaluation, so that it cannot be mistaken for a won or lost game. */
static inline int32_t duel_clamp(int64_t value)
{
	return value > QV_MAX_EVAL    ? QV_MAX_EVAL
	       : value < -QV_MAX_EVAL ? -QV_MAX_EVAL
				      : (int32_t)value;
}

static inline bool duel_has_ended(int32_t leaf)
{
	return leaf > QV_MAX_EVAL || leaf < -QV_MAX_EVAL;
}

/* The value of an ended game at that ply: a sooner win is better, a later loss less bad. */
static inline int32_t duel_ended_value(int32_t leaf, int ply)
{
	return leaf == QV_LEAF_DRAWN ? 0 : leaf > 0 ? QV_WIN - ply : ply - QV_WIN;
}

/* The same for a leaf that may not be the end: its evaluation. */
static inline int32_t duel_ended_value_or(int32_t leaf, int ply)
{
	return duel_has_ended(leaf) ? duel_ended_value(leaf, ply) : leaf;
}

/* Called before a batch of n nodes: true if the search must stop or they would exceed a limit. */
bool duel_poll_ahead(struct duel_worker *w, int n);

/* ---- reporting visits (duel_watch.c); all but duel_tell need a listener ---- */

/* How the moves of a node are ordered; by_rule: by duel_order, with this table move. */
void duel_watch_order(struct duel_worker *w, int ply, bool by_rule, qv_move table_move);
/* The next move that is searched at a ply; listed: it is in the list, with its largest count. */
void duel_watch_move(struct duel_worker *w, int ply, qv_move move, bool listed);
void duel_watch_root_move(struct duel_worker *w, int i, qv_move move);
/* The node that this move leads to: at `ply`, one deeper. Values are for its seat. */
void duel_watch_enter(const struct duel_worker *w, const void *state, int seat, int ply, int depth,
		      int32_t alpha, int32_t beta, unsigned flags);
void duel_watch_why(const struct duel_worker *w, int ply, enum qv_why why, int32_t number);
void duel_watch_leave(const struct duel_worker *w, int ply, int32_t value, qv_move best);
/* A node that hard pruning gives up: entered and left at once. */
void duel_watch_drop(struct duel_worker *w, const void *state, int seat, int ply, int depth,
		     int32_t alpha, int32_t beta, int32_t value);

/* A reason, if somebody listens. */
static inline void duel_tell(const struct duel_worker *w, int ply, enum qv_why why, int32_t number)
{
	if (__builtin_expect(w->listener != NULL, 0))
		duel_watch_why(w, ply, why, number);
}

/* The best move of a node, while its line is still there. */
static inline qv_move duel_line_move(const struct duel_worker *w, int ply)
{
	return w->plies[ply].line_length ? w->plies[ply].line[0] : QV_NO_MOVE;
}

/* ---- principal variation ---- */

/* The line of this ply becomes the move and the line of the next ply. */
static inline void duel_extend_line(struct duel_worker *w, int ply, qv_move move)
{
	struct duel_ply *here = &w->plies[ply];
	const struct duel_ply *next = here + 1;
	const int length = next->line_length;
	here->line[0] = move;
#pragma GCC unroll 1
	for (int i = 0; i < length; i++) /* mostly one or two moves: faster than memcpy */
		here->line[i + 1] = next->line[i];
	here->line_length = length + 1;
}

/* A root move is the best so far: keeps its value and line. */
static inline void duel_new_best(struct duel_worker *w, qv_move move, int32_t value)
{
	duel_extend_line(w, 0, move);
	w->found = true;
	w->best_move = move;
	w->best_value = value;
	w->best_length = w->plies[0].line_length;
	memcpy(w->best_line, w->plies[0].line, (size_t)w->best_length * sizeof *w->best_line);
}

/* The alpha that gives exact values to all moves at most `spread` below the best. */
static inline int32_t duel_open_below(int32_t best, int32_t spread)
{
	const int64_t from = (int64_t)best - 1 - spread;
	return from < -DUEL_INFINITE ? -DUEL_INFINITE : (int32_t)from;
}

/* ---- the loop over the root's moves ---- */

struct duel_root {
	int32_t alpha, beta;       /* the window of the pass */
	int32_t best, low;         /* the best value so far, and the larger of it and alpha */
	uint64_t equals;           /* moves with the best value so far */
};

/* Returns the alpha for a move, and reports the branch to the listener. */
static inline int32_t duel_root_alpha(const struct duel_worker *w, const struct duel_root *r,
				      const void *root, qv_move move)
{
	const struct qv_listener *l = w->listener;
	/*
	 * To choose at random between equal or near-equal moves, their exact values are needed: the
	 * window opens below the best so far.
	 */
	const int32_t from =
		w->random && r->best > r->alpha ? duel_open_below(r->low, w->spread) : r->low;
	if (l && l->branch)
		l->branch(l->ctx, root, move, 0, from, r->beta);
	return from;
}

/* Takes the value of a root move, which may become the best one. True: a beta cut-off. */
static inline bool duel_root_take(struct duel_worker *w, struct duel_root *r, struct root_move *m,
				  int32_t v)
{
	const struct qv_listener *l = w->listener;
	m->value = v;
	if (l && l->node)
		l->node(l->ctx, m->move, 0, v, v >= r->beta);
	r->equals = v > r->best ? 1 : r->equals + (v == r->best);
	const bool equal =
		w->random && v == r->best && qv_random_below(&w->random_numbers, r->equals) == 0;
	if (v > r->alpha && (v > r->best || equal))
		duel_new_best(w, m->move, v);
	r->best = v > r->best ? v : r->best;
	r->low = r->best > r->low ? r->best : r->low;
	return r->best >= r->beta;
}

/* ---- move ordering ---- */

/* Whether the kept line leads here and has a move for this ply. */
static inline bool duel_has_kept(const struct duel_worker *w, int ply)
{
	return ply < w->kept_length && w->plies[ply].on_kept;
}

/* Clamps a rank, so that history fits beside it and INT32_MIN stays free for picked moves. */
static inline int32_t duel_rank(int32_t rank)
{
	const int32_t most = 1 << 27;
	return rank > most ? most : rank < -most ? -most : rank;
}

/* Selection sort step: the first index of the highest score, which is then marked as picked. */
static inline int duel_pick(int32_t *scores, int n)
{
	int best = 0;
	int32_t most = scores[0];
	for (int i = 1; i < n; i++) {
		best = scores[i] > most ? i : best;
		most = scores[i] > most ? scores[i] : most;
	}
	scores[best] = INT32_MIN;
	return best;
}

/* The history table is indexed by a multiplicative hash of the move. */
static inline unsigned duel_history_place(qv_move move)
{
	return (unsigned)(move * UINT64_C(0x9e3779b97f4a7c15) >> 52);
}
_Static_assert(1 << (64 - 52) == DUEL_HISTORY, "the shift fits the table");

/* Puts the move first among the killer moves, unless it is there. */
static inline void duel_add_killer(struct duel_ply *p, int killers, qv_move move)
{
	if (p->killers[0] == move)
		return;
	memmove(p->killers + 1, p->killers, (size_t)(killers - 1) * sizeof *p->killers);
	p->killers[0] = move;
}

/* Without a killer move at this ply yet, the best move of a PV node serves as one. */
static inline void duel_add_best(struct duel_ply *p, int killers, qv_move move)
{
	if (killers && p->killers[0] == QV_NO_MOVE)
		p->killers[0] = move;
}

/* Deep cut-offs count more: by the square of the depth. */
static inline void duel_add_history(int32_t *history, qv_move move, int depth)
{
	int32_t *count = &history[duel_history_place(move)];
	*count += depth * depth;
	if (*count > DUEL_SCORE_KILLER / 4)          /* age all counts before they reach killers */
		for (int i = 0; i < DUEL_HISTORY; i++)
			history[i] /= 2;
}

/* Keeps the w->top moves with the highest scores, in list order; returns how many. */
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

/* Enters a position into the path at its ply; returns how often it occurred before. */
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

/* Leaving a node: a repetition of a position above this ply matters to the parent, too. */
static inline void duel_leave_path(struct duel_worker *w, int ply, int older_repeated)
{
	if (w->oldest_repeated >= w->path_root + ply || older_repeated < w->oldest_repeated)
		w->oldest_repeated = older_repeated;
}

/* ---- transposition table ---- */

/*
 * The table key of a position. Where positions may repeat, the value depends on the path (the graph
 * history interaction problem). With exact entries the key therefore includes the set of positions
 * that could repeat.
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

/* Wins are stored relative to the position, not to the root. */
static inline int32_t duel_to_table(int32_t value, int ply)
{
	return duel_is_win(value) ? value + ply : duel_is_loss(value) ? value - ply : value;
}

static inline int32_t duel_from_table(int32_t value, int ply)
{
	return duel_is_win(value) ? value - ply : duel_is_loss(value) ? value + ply : value;
}

/*
 * Probes the table. True: the entry causes a cut-off, and entry->value is the value at this ply.
 * Otherwise entry->place is the move to try first, or TABLE_NO_MOVE.
 */
static inline bool duel_look_up(struct duel_worker *w, uint64_t key, int depth, int ply,
				int32_t alpha, int32_t beta, struct table_entry *entry)
{
	if (!table_get(w->table, key, entry))
		return false;
	/*
	 * Where positions may repeat, a proof holds on its own path only, which exact keys
	 * distinguish.
	 */
	const bool borrowed = w->repeats && !w->exact, proven = entry->proven && !borrowed;
	if (w->exact ? entry->depth != depth : entry->depth < depth && !proven)
		return false;
	/* A win beyond this depth need not be the shortest. */
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

/* Stores a node's value as a bound or exact, by where it lies in the window. */
static inline void duel_store(struct duel_worker *w, uint64_t key, int depth, int ply,
			      int32_t value, int32_t alpha, int32_t beta, int place, bool proven)
{
	const enum bound bound = value >= beta	 ? BOUND_LOWER
				 : value > alpha ? BOUND_EXACT
						 : BOUND_UPPER;
	/* A win or loss is proven only if no move was pruned. */
	const struct table_entry entry = {
		.value = duel_to_table(value, ply),
		.depth = depth,
		.place = place,
		.bound = bound,
		.proven = proven || (bound != BOUND_UPPER && duel_is_win(value) && !w->drops) ||
			  (bound != BOUND_LOWER && duel_is_loss(value) && !w->drops && !w->hard),
	};
	table_put(w->table, key, &entry);
}

/* ---- techniques that change the value of a line (duel_value.c) ---- */

/*
 * A line may carry something along, which plies[].carried keeps for the root's seat: the sum of its
 * moves' scores (move-eval), or what the position after its first move had besides material (ply1).
 * These functions use struct qv_game, stamped or not; without the techniques none is called.
 */
enum {
	DUEL_HUNDREDTHS = 100,     /* with exchange, scores are in hundredths of a point */
	DUEL_RATIO_MOST = 100,     /* of the sides' material, in the exchange term */
};

/*
 * Samuel's term in hundredths: (stronger / weaker) * (own - other). The side that is ahead gains by
 * even trades. The ratio is limited to DUEL_RATIO_MOST.
 */
int64_t duel_exchange_term(int64_t own, int64_t other);

/* The value of a leaf in which the game has not ended, for the seat to move. */
int32_t duel_line_value(const struct duel_worker *w, const void *state, int seat, int ply);

/* Set the carried sum: at the root, and for the position after a move at `ply`. */
void duel_carry_root(struct duel_worker *w, const void *root);
void duel_carry(struct duel_worker *w, const void *state, int seat, qv_move move, const void *after,
		int after_seat, int ply);

/* The table key where lines carry a sum: a position's value then depends on that sum, too. */
static inline uint64_t duel_carried_key(const struct duel_worker *w, uint64_t key, int seat,
					int ply)
{
	const uint64_t carried = (uint64_t)w->plies[ply].carried;
	return qv_mix(key + qv_mix(seat == w->root_seat ? carried : 0 - carried));
}

/* Evaluations done, of positions or of moves. */
static inline uint64_t duel_evals(const struct duel_worker *w)
{
	return w->move_eval ? w->scored : w->evals + w->scored;
}

#endif
