/*
 * endgame.c - reversi: an exact search for the final disc difference.
 * SPDX-License-Identifier: MIT
 *
 * The principal variation is searched with a full window (between), everything else with null
 * windows (above). How a position is searched depends on the number of empty squares: with many, a
 * table, and moves sorted by a shallow search with the evaluation; with fewer, a table, and moves
 * sorted by the opponent's mobility; then no table, and odd regions first; and the last four
 * squares by code of their own (last_plies.h).
 */
#include "games/reversi/endgame.h"

#include "base/clock.h"
#include "games/reversi/last_plies.h"
#include "games/reversi/evaluate.h"

/* Where the methods change, in empty squares; found by experiment. */
enum {
	SORTED_FROM = 7,   /* with fewer: no table, and no sorting by mobility */
	CHILDREN_FROM = 9, /* from here, children are looked up in the table first */
	NEAR_END = 11,	   /* with fewer: the small table */
	GUESS_FROM = 12,   /* from here, moves are sorted by a shallow search */
};

enum {
	NEAR_BYTES = 1 << 20,
	GUESS_DEEPEST = 6,
	GUESS_MOST = 1000000,      /* more than any guess */
	STABLE_LEAST = 8,          /* stable discs are counted if alpha is above 2 * empty - this */
	POLL_NODES = 1 << 14,
	NO_SCORE = 127,
};

/* A position, and the quarters with an odd number of empty squares. */
struct board {
	uint64_t mine, theirs, odd;
	int empty;                 /* squares */
};

struct choice {
	struct board next;
	int square, worth;
};

struct choices {
	int count;
	struct choice list[REVERSI_MAX_MOVES];
};

static inline struct board board_after(const struct board *b, int square, uint64_t turned)
{
	return (struct board){ b->theirs ^ turned, b->mine | turned | LAST_BIT(square),
			       b->odd ^ last_quarter(square), b->empty - 1 };
}

static inline struct board board_passed(const struct board *b)
{
	return (struct board){ b->theirs, b->mine, b->odd, b->empty };
}

/*
 * Positions near the end are many, and repeat soon or never. Their table is small enough to stay in
 * the processor's cache.
 */
static inline const struct endgame_table *table_of(const struct endgame *e, const struct board *b)
{
	return b->empty < NEAR_END ? &e->near : &e->table;
}

static inline struct endgame_entry *bucket_of(const struct endgame *e, const struct board *b)
{
	return endgame_table_bucket(table_of(e, b), b->mine, b->theirs);
}

/* Polled now and then, because another thread writes the flag, and reading the clock is slow. */
static bool is_stopped(struct endgame *e)
{
	if (e->nodes >= e->poll_at) {
		e->poll_at = e->nodes + POLL_NODES;
		e->stopped |= e->stop && atomic_load_explicit(e->stop, memory_order_relaxed);
		e->stopped |= e->deadline_us && clock_us() >= e->deadline_us;
	}
	return e->stopped;
}

/* ---- few empty squares ---- */

/* An upper bound of the score from the opponent's stable discs; LAST_NONE: not tried. */
static inline int stable_limit(const struct endgame *e, const struct board *b, int alpha)
{
	if (alpha < 2 * b->empty - STABLE_LEAST)
		return LAST_NONE;
	return 64 - 2 * bits_count(stable_discs(&e->edges, b->theirs, b->mine));
}

static int shallow(struct endgame *e, const struct board *b, int alpha)
{
	e->nodes++;
	const int limit = stable_limit(e, b, alpha);
	if (limit <= alpha)
		return limit;
	const uint64_t moves = reversi_mobility(b->mine, b->theirs);
	if (!moves) {
		const struct board passed = board_passed(b);
		if (!reversi_mobility(b->theirs, b->mine))
			return endgame_final(b->mine, b->theirs);
		return -shallow(e, &passed, -alpha - 1);
	}
	int best = -NO_SCORE;
	uint64_t set = moves & b->odd, rest = moves & ~b->odd;
	if (!set) {
		set = rest;
		rest = 0;
	}
	while (set) {
		const int square = bits_lowest(set);
		const struct board next =
			board_after(b, square, flips(&e->rays, b->mine, b->theirs, square));
		const int score =
			b->empty == 5 ? -last_4(e, next.mine, next.theirs, next.odd, -alpha - 1) :
					-shallow(e, &next, -alpha - 1);
		if (score > best) {
			best = score;
			if (score > alpha)
				break;
		}
		set = bits_rest(set);
		if (!set) {
			set = rest;
			rest = 0;
		}
	}
	return best;
}

/* The score with any number of empty squares below SORTED_FROM. */
static int few(struct endgame *e, const struct board *b, int alpha)
{
	const uint64_t empty = ~(b->mine | b->theirs);
	if (b->empty >= 5)
		return shallow(e, b, alpha);
	if (b->empty == 4)
		return last_4(e, b->mine, b->theirs, b->odd, alpha);
	if (b->empty == 0)
		return endgame_final(b->mine, b->theirs);
	const int first = bits_lowest(empty), last = 63 - __builtin_clzll(empty);
	if (b->empty == 1)
		return last_1(e, b->mine, first, alpha);
	if (b->empty == 2)
		return last_2(e, b->mine, b->theirs, first, last, alpha);
	return last_3(e, b->mine, b->theirs,
		      last_order(first, bits_lowest(bits_rest(empty)), last), alpha);
}

/* ---- the order of moves ---- */

/* A value for the side to move, used only for sorting. A better one would need no other change. */
static int evaluate(const struct board *b)
{
	const struct reversi s = { b->mine, b->theirs, 0 };
	return reversi_evaluate(&s, reversi_weights);
}

/* The same by a plain alpha-beta search. */
static int guess(struct endgame *e, const struct board *b, int depth, int alpha, int beta)
{
	e->nodes++;
	if (depth == 0)
		return evaluate(b);
	if (is_stopped(e))
		return 0;
	uint64_t moves = reversi_mobility(b->mine, b->theirs);
	if (!moves) {
		const struct board passed = board_passed(b);
		if (reversi_mobility(b->theirs, b->mine))
			return -guess(e, &passed, depth, -beta, -alpha);
		return GUESS_MOST / 100 * endgame_final(b->mine, b->theirs);
	}
	int best = -GUESS_MOST;
	for (; moves && best < beta; moves = bits_rest(moves)) {
		const int square = bits_lowest(moves);
		const struct board next = board_after(
			b, square, flips(&e->rays, b->mine, b->theirs, square));
		const int score = -guess(e, &next, depth - 1, -beta, -alpha);
		best = score > best ? score : best;
		alpha = best > alpha ? best : alpha;
	}
	return best;
}

/* Rates a move by what it leaves the opponent: few moves, above all. */
static int quick_worth(const struct board *b, const struct choice *c)
{
	const struct board *n = &c->next;
	const struct reversi after = { n->mine, n->theirs, 0 };
	const uint64_t replies = reversi_mobility(n->mine, n->theirs);
	const uint64_t empty = ~(n->mine | n->theirs);
	return (bits_count(n->theirs & REVERSI_CORNERS) << 10) +
	       (b->odd & LAST_BIT(c->square) ? 1 << 6 : 0) +
	       (reversi_rank(&after, (qv_move)c->square) << 3) -
	       ((bits_count(replies) + bits_count(replies & REVERSI_CORNERS)) << 12) -
	       (bits_count(reversi_around(n->theirs) & empty) << 5);
}

/* Rates the moves from number `from` on; larger is tried first. */
static void rate(struct endgame *e, const struct board *b, struct choices *m, int from,
		 struct endgame_moves known)
{
	const int half = (b->empty - GUESS_FROM) / 2;
	const int depth = half < GUESS_DEEPEST ? half : GUESS_DEEPEST;
	for (int i = from; i < m->count; i++) {
		struct choice *c = &m->list[i];
		if (known.first == c->square)
			c->worth = INT32_MAX;
		else if (known.second == c->square)
			c->worth = INT32_MAX - 1;
		else if (b->empty < GUESS_FROM)
			c->worth = quick_worth(b, c);
		else
			c->worth = -guess(e, &c->next, depth, -GUESS_MOST, GUESS_MOST);
	}
}

/* Puts the table's best legal move first; returns how many such moves there are, one or none. */
static int bring_table_move(struct choices *m, struct endgame_moves known)
{
	for (int i = 0; i < m->count; i++)
		if (m->list[i].square == known.first) {
			const struct choice front = m->list[0];
			m->list[0] = m->list[i];
			m->list[i] = front;
			return 1;
		}
	return 0;
}

/* Moves the best of the untried moves to the front and returns it. */
static inline const struct choice *pick(struct choices *m, int from)
{
	int best = from;
	for (int i = from + 1; i < m->count; i++)
		if (m->list[i].worth > m->list[best].worth)
			best = i;
	if (best != from) {
		const struct choice front = m->list[from];
		m->list[from] = m->list[best];
		m->list[best] = front;
	}
	return &m->list[from];
}

/* Lists the moves. True: one of them takes every disc of the opponent. */
static bool list_moves(const struct endgame *e, const struct board *b, uint64_t moves,
		       struct choices *m)
{
	m->count = 0;
	for (; moves; moves = bits_rest(moves)) {
		struct choice *c = &m->list[m->count++];
		c->square = bits_lowest(moves);
		const uint64_t turned = flips(&e->rays, b->mine, b->theirs, c->square);
		c->next = board_after(b, c->square, turned);
		if (!c->next.mine)
			return true;
		if (b->empty > SORTED_FROM)
			__builtin_prefetch(bucket_of(e, &c->next));
	}
	return false;
}

/* ---- many empty squares ---- */

static uint8_t cost_of(uint64_t nodes)
{
	return (uint8_t)(63 - __builtin_clzll(nodes | 1));
}

/* A child may be known to be bad enough for the opponent; -NO_SCORE: none is. */
static int child_cutoff(const struct endgame *e, const struct choices *m, int alpha)
{
	for (int i = 0; i < m->count; i++) {
		const struct board *n = &m->list[i].next;
		const struct endgame_entry *k =
			endgame_table_find(bucket_of(e, n), n->mine, n->theirs);
		if (k && -k->upper > alpha)
			return -k->upper;
	}
	return -NO_SCORE;
}

/* Tests whether the score is above alpha, as in last_plies.h. */
static int above(struct endgame *e, const struct board *b, int alpha)
{
	if (b->empty < SORTED_FROM)
		return few(e, b, alpha);
	e->nodes++;
	if (is_stopped(e))
		return 0;

	/* Step 1. Stable discs or the table may decide. */
	const int limit = stable_limit(e, b, alpha);
	if (limit <= alpha)
		return limit;
	struct endgame_entry *bucket = bucket_of(e, b);
	const struct endgame_entry *found = endgame_table_find(bucket, b->mine, b->theirs);
	if (found && found->lower > alpha)
		return found->lower;
	if (found && found->upper <= alpha)
		return found->upper;
	const struct endgame_moves known = endgame_moves(found);

	/* Step 2. List the moves; maybe pass. */
	const uint64_t moves = reversi_mobility(b->mine, b->theirs);
	if (!moves) {
		const struct board passed = board_passed(b);
		if (!reversi_mobility(b->theirs, b->mine))
			return endgame_final(b->mine, b->theirs);
		return -above(e, &passed, -alpha - 1);
	}
	struct choices m;
	if (list_moves(e, b, moves, &m))
		return ENDGAME_MOST;
	int best = b->empty >= CHILDREN_FROM ? child_cutoff(e, &m, alpha) : -NO_SCORE;
	if (best > alpha)
		return best;

	/*
	 * Step 3. One move must score above alpha. The table's move is tried before the others are
	 * rated.
	 */
	const uint64_t before = e->nodes;
	const int rated = bring_table_move(&m, known);
	int move = ENDGAME_NO_MOVE;
	for (int i = 0; i < m.count && best <= alpha; i++) {
		if (i == rated)
			rate(e, b, &m, i, known);
		const struct choice *c = i < rated ? &m.list[i] : pick(&m, i);
		const int score = -above(e, &c->next, -alpha - 1);
		if (e->stopped)
			return 0;
		if (score > best) {
			best = score;
			move = c->square;
		}
	}
	const struct endgame_bounds news = { alpha, alpha + 1, best, move,
					     cost_of(e->nodes - before) };
	endgame_table_store(table_of(e, b), bucket, b->mine, b->theirs, &news);
	return best;
}

/* The score between alpha and beta, and the best move. */
static struct endgame_answer between(struct endgame *e, const struct board *b, int alpha, int beta)
{
	struct endgame_answer answer = { -NO_SCORE, ENDGAME_PASS };
	e->nodes++;
	if (is_stopped(e))
		return answer;

	/* Step 1. List the moves; maybe pass. */
	const uint64_t moves = reversi_mobility(b->mine, b->theirs);
	if (!moves) {
		const struct board passed = board_passed(b);
		answer.score = reversi_mobility(b->theirs, b->mine) ?
				       -between(e, &passed, -beta, -alpha).score :
				       endgame_final(b->mine, b->theirs);
		return answer;
	}
	struct endgame_entry *bucket = bucket_of(e, b);
	struct choices m;
	list_moves(e, b, moves, &m);
	rate(e, b, &m, 0, endgame_moves(endgame_table_find(bucket, b->mine, b->theirs)));

	/* Step 2. The first move gets the whole window; the others must prove to be better. */
	const uint64_t before = e->nodes;
	int low = alpha;
	for (int i = 0; i < m.count && answer.score < beta; i++) {
		const struct choice *c = pick(&m, i);
		int score = i ? -above(e, &c->next, -low - 1) : low + 1;
		if (score > low && (i == 0 || score < beta))
			score = -between(e, &c->next, -beta, -low).score;
		if (e->stopped)
			return answer;
		if (score > answer.score)
			answer = (struct endgame_answer){ score, c->square };
		low = score > low ? score : low;
	}
	const struct endgame_bounds news = { alpha, beta, answer.score, answer.move,
					     cost_of(e->nodes - before) };
	if (b->empty >= SORTED_FROM)
		endgame_table_store(table_of(e, b), bucket, b->mine, b->theirs, &news);
	return answer;
}

/* ---- the question ---- */

static struct board board_of(uint64_t mine, uint64_t theirs)
{
	const uint64_t empty = ~(mine | theirs);
	struct board b = { mine, theirs, 0, bits_count(empty) };
	for (uint64_t set = empty; set; set = bits_rest(set))
		b.odd ^= last_quarter(bits_lowest(set));
	return b;
}

struct endgame_answer endgame_solve(struct endgame *e, uint64_t mine, uint64_t theirs, int low,
				    int high, const atomic_bool *stop)
{
	const struct board b = board_of(mine, theirs);
	e->nodes = e->poll_at = 0;
	e->stop = stop;
	e->stopped = false;
	e->table.round++;
	e->near.round++;
	return between(e, &b, low, high);
}

enum qv_status endgame_init(struct endgame *e, const struct qv_allocator *allocator,
			    size_t hash_bytes)
{
	flip_rays_init(&e->rays);
	flip_counts_init(&e->counts);
	stable_edges_init(&e->edges);
	const size_t near_bytes = hash_bytes < NEAR_BYTES ? hash_bytes : NEAR_BYTES;
	const enum qv_status status = endgame_table_init(&e->table, allocator, hash_bytes);
	return status == QV_OK ? endgame_table_init(&e->near, allocator, near_bytes) : status;
}

void endgame_release(struct endgame *e, const struct qv_allocator *allocator)
{
	endgame_table_release(&e->table, allocator);
	endgame_table_release(&e->near, allocator);
}

void endgame_forget(struct endgame *e)
{
	endgame_table_clear(&e->table);
	endgame_table_clear(&e->near);
}
