/*
 * exact_score.c - connect-four: the exact score of hard positions.
 * SPDX-License-Identifier: MIT
 *
 * A null-window search tests whether the score is above alpha; score_search.c chooses the alphas. A
 * position and its mirror image share one table entry. Before any child is searched, all children
 * are looked up in the table, because a hit there often decides. Move order: threats made, and a
 * history of squares that were good.
 *
 * With several threads, all search for the alpha that the main thread is testing, and share the
 * table. In early positions each puts off what another is searching, so that they take different
 * branches. Only the main thread's result counts. It does not depend on the helpers, because table
 * entries hold only true bounds.
 */
#include "games/connect4/exact_score.h"

#include <sched.h>
#include <stdatomic.h>

#include "base/flag.h"
#include "base/threads.h"
#include "games/connect4/followup.h"
#include "search/solver.h"

enum {
	STORE_BELOW = 32,          /* discs: later subtrees are cheaper than a table probe */
	SHARE_BELOW = 22,          /* discs: up to here threads coordinate with each other */
	HISTORY_MOST = 512,
	HISTORY_DECAY_SHIFT = 5,           /* how slowly history changes */
	HISTORY_WEIGHT_SHIFT = 6,          /* how little it counts */
	HISTORY_NODES = 64,          /* smaller subtrees do not update history */
};

/* A position and its mirror image: the discs of the side to move, and all discs. */
struct mirrored {
	uint64_t mine, all, mirror_mine, mirror_all;
};

struct child {
	struct mirrored at;
	uint64_t key;
	int square, priority;       /* negative: not to be searched (any more) */
};

enum { KNOWN = -1, SEARCHED = -2, DEFERRED = 0 };     /* any other priority is larger */

struct node {
	struct child children[C4_WIDTH];
	int count, discs, alpha;
	int best;                  /* no child that is known or searched scores more */
	uint64_t key, nodes_before;
	struct c4_bounds bounds;
};

static bool exact_must_stop(const struct c4_exact *h)
{
	return flag_is_set(h->stop) ||
	       (h->limits && solve_must_stop(h->limits, h->before + h->nodes)) ||
	       (h->helps && atomic_load_explicit(&h->busy->alpha, memory_order_relaxed) != h->alpha);
}

static inline bool exact_stops(struct c4_exact *h)
{
	enum { OFTEN = 1 << 12 };
	if (h->nodes++ % OFTEN == 0) {
		h->stopped |= exact_must_stop(h);
		if (h->nodes > C4_LONG_NODES && h->when_long) {
			void (*const call)(void *) = h->when_long;
			h->when_long = NULL;
			call(h->ctx);
		}
	}
	return h->stopped;
}

static inline uint64_t exact_key(const struct mirrored *c)
{
	const uint64_t own = c->mine + c->all, other = c->mirror_mine + c->mirror_all;
	return c4_table_key((own < other ? own : other) + C4_BOTTOM);
}

static inline int exact_keep(const struct c4_exact *h, const struct node *n, int score)
{
	if (n->discs < STORE_BELOW && !h->stopped)
		c4_table_keep(h->table, n->key, n->bounds, h->nodes - n->nodes_before);
	return score;
}

/*
 * An upper bound for the side to move if the opponent follows up (followup.h): at most `limit` if
 * that can be shown, otherwise something above. A win of the first player by waiting for a threat
 * is complete when everything but the squares above it is full: with 41 discs, or 39 for a threat
 * in row 3.
 */
static inline int exact_follow_up(uint64_t mine, uint64_t all, int discs, uint64_t threats,
				 int limit)
{
	const uint64_t open = C4_BOARD ^ all, playable = (all + C4_BOTTOM) & C4_BOARD;
	const int none = limit + 1;
	if (discs % 2 == 0) {
		if (limit >= 0)
			return c4_first_is_held(mine, open, playable) ? 0 : none;
		return limit == -1 && c4_second_is_sure(mine, mine ^ all, open, playable) ? -1 : none;
	}
	if (limit >= 0 && !c4_has_four(mine | open))
		return 0;
	if (limit >= -2)
		return c4_first_waits(mine, open, playable, threats) ? -2 : none;
	if (limit >= -4)
		return c4_first_waits(mine, open, playable, threats & C4_BOTTOM << 2) ? -4 : none;
	return none;
}

/* Lists the moves. False: one of them decides at once, and n->best is its score. */
static inline bool exact_list(const struct c4_exact *h, struct node *n, const struct mirrored *c,
			     uint64_t moves)
{
	const int seat = n->discs % 2, limit = -n->alpha - 1;
	n->count = 0;
	for (int i = 0; i < C4_WIDTH; i++) {
		const int column = c4_from_middle[i];
		const int shift = (C4_WIDTH - 1 - 2 * column) * C4_STRIDE;
		const uint64_t move = moves & C4_COLUMN(column);
		if (!move)
			continue;
		struct child *child = &n->children[n->count++];
		child->at = (struct mirrored){ c->mine ^ c->all, c->all | move,
					      c->mirror_mine ^ c->mirror_all,
					      c->mirror_all | (shift >= 0 ? move << shift : move >> -shift) };
		child->square = bits_lowest(move);
		const uint64_t made = c4_threats(c->mine | move, child->at.all);
		const uint64_t now = made & ((child->at.all + C4_BOTTOM) & C4_BOARD);
		if (now & (now - 1)) {
			n->best = c4_score_win(n->discs + 3);
			return false;
		}
		const int held = exact_follow_up(child->at.mine, child->at.all, n->discs + 1, made, limit);
		if (held <= limit) {
			n->best = -held;
			return false;
		}
		child->priority = HISTORY_MOST + 4 * bits_count(made) +
				 2 * bits_count(made & (seat ? C4_EVEN_ROWS : C4_ODD_ROWS)) +
				 c4_fours_through[child->square] +
				 (h->history[seat][child->square] >> HISTORY_WEIGHT_SHIFT);
	}
	return true;
}

/* The table of positions with this number of discs, or NULL. */
static inline const struct c4_early *exact_early(const struct c4_exact *h, int discs)
{
	return discs >= 0 && discs <= C4_EARLY_MOST ? h->early[discs] : NULL;
}

/*
 * Looks the children up, first in a table of early positions. True: one decides, and n->best is its
 * score.
 */
static inline bool exact_child_decides(const struct c4_exact *h, struct node *n)
{
	const struct c4_early *early = exact_early(h, n->discs + 1);
	for (int i = 0; early && i < n->count; i++) {
		const struct mirrored *at = &n->children[i].at;
		const int known = c4_early_score(early, &(struct c4){ at->mine, at->all });
		if (known == C4_EARLY_UNKNOWN)
			continue;
		n->children[i].priority = KNOWN;
		n->best = -known > n->best ? -known : n->best;
	}
	if (n->best > n->alpha)
		return true;
	if (n->discs + 1 >= STORE_BELOW || n->count == 1)
		return false;
	for (int i = 0; i < n->count; i++) {
		n->children[i].key = exact_key(&n->children[i].at);
		__builtin_prefetch((const void *)c4_table_place(h->table, n->children[i].key));
	}
	for (int i = 0; i < n->count; i++) {
		struct c4_bounds b = { -C4_SQUARES, C4_SQUARES };
		c4_table_look(h->table, n->children[i].key, &b);
		if (-b.high > n->alpha) {
			n->best = -b.high;
			return true;
		}
		if (-b.low <= n->alpha && n->children[i].priority != KNOWN) {
			n->children[i].priority = KNOWN;
			n->best = -b.low > n->best ? -b.low : n->best;
		}
	}
	return false;
}

/* The best child not yet searched, among equals the one nearest the middle; NULL: all are done. */
static inline struct child *exact_next(struct node *n)
{
	struct child *next = NULL;
	for (int i = 0; i < n->count; i++)
		if (n->children[i].priority >= 0 && (!next || n->children[i].priority > next->priority))
			next = &n->children[i];
	return next;
}

/* Updates the history: this move was good, and those searched before it were not. */
static inline void exact_learn(struct c4_exact *h, const struct node *n, const struct child *good)
{
	int *habit = h->history[n->discs % 2];
	if (h->nodes - n->nodes_before <= HISTORY_NODES)
		return;
	for (int i = 0; i < n->count; i++) {
		int *one = &habit[n->children[i].square];
		if (&n->children[i] == good)
			*one += (HISTORY_MOST - *one) >> HISTORY_DECAY_SHIFT;
		else if (n->children[i].priority == SEARCHED)
			*one -= (HISTORY_MOST + *one) >> HISTORY_DECAY_SHIFT;
	}
}

/* Looks the position up in the tables of early positions. True: the answer is known. */
static inline bool exact_probe_early(const struct c4_exact *h, const struct mirrored *c, int discs,
				  struct c4_bounds *b)
{
	const struct c4 at = { c->mine, c->all };
	if (exact_early(h, discs)) {
		b->low = b->high = c4_early_score(exact_early(h, discs), &at);
		return b->low != C4_EARLY_UNKNOWN;
	}
	const struct c4_early *before = exact_early(h, discs - 1);
	b->low = before ? c4_early_at_least(before, &at) : C4_EARLY_UNKNOWN;
	return false;
}

/* The test of struct c4_score_test. */
static int exact_above(struct c4_exact *h, const struct mirrored *c, int discs, int alpha)
{
	struct c4_bounds early = { C4_EARLY_UNKNOWN, C4_SQUARES };
	if (discs <= C4_EARLY_MOST + 1 && exact_probe_early(h, c, discs, &early))
		return early.low;
	if (exact_stops(h))
		return 0;

	/* Step 1. Threats of the opponent must be blocked, and must not be uncovered. */
	const uint64_t playable = (c->all + C4_BOTTOM) & C4_BOARD;
	const uint64_t threats = c4_threats(c->mine ^ c->all, c->all), forced = threats & playable;
	const uint64_t moves = (forced ? forced : playable) & ~(threats >> 1);
	if (forced & (forced - 1) || !moves)
		return -c4_score_win(discs + 2);
	if (discs + 2 >= C4_SQUARES)
		return 0;

	/* Step 2. Theory, a table, or an immediate win may decide. */
	struct node n;
	n.discs = discs;
	n.alpha = alpha;
	n.best = -C4_SQUARES;
	n.nodes_before = h->nodes;
	n.bounds = (struct c4_bounds){ -c4_score_win(discs + 4), c4_score_win(discs + 3) };
	n.bounds.low = early.low > n.bounds.low ? early.low : n.bounds.low;
	if (discs < STORE_BELOW) {
		n.key = exact_key(c);
		c4_table_look(h->table, n.key, &n.bounds);
	}
	if (n.bounds.high <= alpha)
		return n.bounds.high;
	if (n.bounds.low > alpha)
		return n.bounds.low;
	if (!exact_list(h, &n, c, moves))
		return n.best;
	if (exact_child_decides(h, &n)) {
		n.bounds.low = n.best > n.bounds.low ? n.best : n.bounds.low;
		return exact_keep(h, &n, n.best);
	}

	/*
	 * Step 3. One move must score above alpha. In early positions, children that another thread
	 * is searching come last, and another thread may find the answer meanwhile.
	 */
	const bool shares = h->busy && discs < SHARE_BELOW && n.count > 1;
	bool first = true;
	for (struct child *next; (next = exact_next(&n));) {
		_Atomic uint64_t *busy = shares ? &h->busy->keys[next->key % C4_BUSY] : NULL;
		if (shares && !first && next->priority != DEFERRED &&
		    atomic_load_explicit(busy, memory_order_relaxed) == next->key) {
			next->priority = DEFERRED;
			continue;
		}
		first = false;
		next->priority = SEARCHED;
		if (shares)
			atomic_store_explicit(busy, next->key, memory_order_relaxed);
		const int score = -exact_above(h, &next->at, discs + 1, -alpha - 1);
		if (shares)
			atomic_store_explicit(busy, 0, memory_order_relaxed);
		if (score > alpha) {
			exact_learn(h, &n, next);
			n.bounds.low = score > n.bounds.low ? score : n.bounds.low;
			return exact_keep(h, &n, score);
		}
		n.best = score > n.best ? score : n.best;
		if (!shares)
			continue;
		c4_table_look(h->table, n.key, &n.bounds);
		if (n.bounds.low > alpha || n.bounds.high <= alpha)
			return n.bounds.low > alpha ? n.bounds.low : n.bounds.high;
	}
	n.bounds.high = n.best < n.bounds.high ? n.best : n.bounds.high;
	return exact_keep(h, &n, n.bounds.high);
}

/* ---- The position itself ---- */

static int above(void *ctx, const struct c4 *at, int discs, int alpha)
{
	struct c4_exact *h = ctx;
	const struct mirrored c = { at->mover, at->all, c4_mirror(at->mover), c4_mirror(at->all) };
	h->alpha = alpha;
	if (h->busy && !h->helps)
		atomic_store_explicit(&h->busy->alpha, alpha, memory_order_relaxed);
	return exact_above(h, &c, discs, alpha);
}

/* By the table of positions with this many discs, or with one more. */
static bool known(const void *ctx, const struct c4 *at, int discs, int *score)
{
	const struct c4_exact *h = ctx;
	const struct c4_early *here = exact_early(h, discs), *next = exact_early(h, discs + 1);
	if (!here && !next)
		return false;
	if (c4_seen_at_once(at, discs, score))
		return true;
	*score = here ? c4_early_score(here, at) : C4_EARLY_UNKNOWN;
	if (here)
		return *score != C4_EARLY_UNKNOWN;
	for (uint64_t moves = c4_playable(at); moves; moves = bits_rest(moves)) {
		struct c4 child = *at;
		c4_play(&child, moves & (0 - moves));
		const int one = c4_early_score(next, &child);
		if (one == C4_EARLY_UNKNOWN)
			return false;
		*score = -one > *score ? -one : *score;
	}
	return true;
}

/* First whether it is a win, draw or loss, then how soon: alphas far from 0 are cheap to test. */
static int next_alpha(int low, int high)
{
	if (low < 0 && high > 0)
		return 0;
	if (low < 0 && high == 0)
		return -1;
	const int half = low >= 0 ? high / 2 : low / 2;
	return half < low ? low : half < high ? half : high - 1;
}

struct c4_score c4_exact_score(struct c4_exact *h, const struct c4 *at, int lowest, int highest)
{
	const struct c4_score_test test = { h, above, next_alpha, known, &h->stopped };
	const struct mirrored c = { .mine = at->mover, .all = at->all };
	struct c4_bounds early;
	exact_probe_early(h, &c, bits_count(at->all), &early);
	h->nodes = 0;
	h->stopped = false;
	return c4_find_score(&test, at, lowest, highest, early.low);
}

/* ---- Several threads ---- */

struct team {
	struct c4_exact *first;
	struct c4_table *table;
	const struct qv_allocator *allocator;
	const struct c4 *at;
	int threads;
	struct helper *helpers; /* the other threads, once it pays to start them; NULL: none */
	struct c4_busy busy;
	struct qv_flag halt;
};

struct helper {
	const struct team *team;
	struct c4_exact exact;
	struct thread thread;
};

/*
 * The thread of a helper. For each alpha it searches the moves in the same order as the main
 * thread; those that it has done are in the table. Then it waits for the next alpha.
 */
static void help(void *ctx)
{
	struct helper *helper = ctx;
	struct c4_exact *h = &helper->exact;
	const struct c4 *at = helper->team->at;
	const int discs = bits_count(at->all);
	struct c4_order list;
	h->helps = true;
	h->nodes = 0;
	c4_order_moves(&list, c4_playable(at), at->mover, at->all);
	while (!flag_is_set(h->stop)) {
		h->alpha = atomic_load_explicit(&h->busy->alpha, memory_order_relaxed);
		h->stopped = false;
		for (int i = 0; i < list.count && !h->stopped; i++) {
			struct c4 next = *at;
			int score;
			c4_play(&next, list.move[i]);
			if (c4_has_four(next.mover ^ next.all) || next.all == C4_BOARD ||
			    c4_seen_at_once(&next, discs + 1, &score))
				continue;
			if (above(h, &next, discs + 1, h->alpha) <= h->alpha)
				break;
		}
		while (!exact_must_stop(h))
			sched_yield();
	}
}

/* The search takes long: lets the table grow, and starts the helpers. */
static void begin(void *ctx)
{
	struct team *t = ctx;
	c4_table_grow(t->table);
	if (t->threads > 1)
		t->helpers = mem_new(t->allocator, (size_t)t->threads - 1, sizeof *t->helpers);
	if (!t->helpers)
		return;
	atomic_store(&t->busy.alpha, t->first->alpha);
	t->first->busy = &t->busy;
	for (int i = 0; i < t->threads - 1; i++) {
		struct helper *h = &t->helpers[i];
		*h = (struct helper){ .team = t, .exact = *t->first };
		h->exact.stop = &t->halt;
		h->exact.limits = NULL;
		thread_start(&h->thread, help, h);
	}
}

struct c4_score c4_parallel_score(struct c4_exact *h, struct c4_table *table, int threads,
				  const struct qv_allocator *allocator, const struct c4 *at,
				  int lowest, int highest)
{
	struct team t = { .first = h, .table = table, .allocator = allocator, .at = at,
			  .threads = threads_count(threads) };
	h->when_long = begin;
	h->ctx = &t;
	const struct c4_score found = c4_exact_score(h, at, lowest, highest);
	flag_set(&t.halt, true);
	for (int i = 0; t.helpers && i < t.threads - 1; i++)
		if (t.helpers[i].thread.started) {
			thread_join(&t.helpers[i].thread);
			h->nodes += t.helpers[i].exact.nodes;
		}
	mem_free(allocator, t.helpers, ((size_t)t.threads - 1) * sizeof *t.helpers);
	h->busy = NULL;
	h->when_long = NULL;
	h->ctx = NULL;
	return found;
}
