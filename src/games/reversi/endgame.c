/*
 * endgame.c - reversi: an exact search for the final disc difference.
 * SPDX-License-Identifier: MIT
 *
 * The principal variation is searched with a full window (between), everything else with null
 * windows (above). How a position is searched depends on the number of empty squares: with many, a
 * table, and moves sorted by a shallow search with the evaluation; with fewer, a table, and moves
 * sorted by the opponent's mobility; then no table, and odd regions first; and the last four
 * squares by code of their own (last_plies.h).
 *
 * Before that come the tables it uses: rays of the board (about 20 kB), the stable discs of all 3^8
 * edges, and the transposition table. They are built once for each solver.
 */
#include "games/reversi/endgame.h"

#include "base/clock.h"
#include "games/reversi/last_plies.h"
#include "games/reversi/evaluate.h"
#include "search/solver.h"

/* ---- rays ---- */

/* The squares from `square`, without it, by steps to the edge of the board. */
static uint64_t ray_from(int square, int right, int down)
{
	uint64_t ray = 0;
	int column = (square & 7) + right, row = (square >> 3) + down;
	for (; column >= 0 && column < 8 && row >= 0 && row < 8; column += right, row += down)
		ray |= UINT64_C(1) << (8 * row + column);
	return ray;
}

void flip_rays_init(struct flip_rays *t)
{
	static const int steps[FLIP_RAYS][2] = { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
	for (int square = 0; square < 64; square++) {
		t->around[square] = 0;
		for (int i = 0; i < FLIP_RAYS; i++) {
			const int right = steps[i][0], down = steps[i][1];
			const int next = 8 * down + right;
			t->ray[square][i][0] = ray_from(square, right, down);
			t->ray[square][i][1] = ray_from(63 - square, right, down);
			if (t->ray[square][i][0])
				t->around[square] |= UINT64_C(1) << (square + next);
			if (t->ray[square][i][1])
				t->around[square] |= UINT64_C(1) << (square - next);
		}
	}
}

/*
 * Counts enemy discs between the place and my nearest disc on one side; none if I have no disc
 * there.
 */
static int turned_in_line(int place, unsigned mine, int step)
{
	for (int at = place + step, n = 0; at >= 0 && at < 8; at += step, n++)
		if (mine >> at & 1)
			return n;
	return 0;
}

void flip_counts_init(struct flip_counts *t)
{
	for (int place = 0; place < 8; place++)
		for (unsigned mine = 0; mine < 256; mine++)
			t->turned[place][mine] = (uint8_t)(turned_in_line(place, mine, 1) +
							   turned_in_line(place, mine, -1));
	for (int square = 0; square < 64; square++) {
		t->diagonal[square][0] = ray_from(square, 1, 1) | ray_from(square, -1, -1);
		t->diagonal[square][1] = ray_from(square, 1, -1) | ray_from(square, -1, 1);
	}
}

/* ---- stable discs ---- */

/* The discs on an edge. */
struct edge {
	unsigned mine, theirs;
};

/* The edge after a disc on the empty square `at`. */
static struct edge edge_after(struct edge e, int at, bool i_move)
{
	const unsigned mover = i_move ? e.mine : e.theirs, other = i_move ? e.theirs : e.mine;
	unsigned turned = 0;
	for (int step = -1; step <= 1; step += 2) {
		unsigned row = 0;
		int next = at + step;
		for (; next >= 0 && next < 8 && (other >> next & 1); next += step)
			row |= 1U << next;
		if (next >= 0 && next < 8 && (mover >> next & 1))
			turned |= row;
	}
	const unsigned moved = mover | turned | 1U << at, left = other & ~turned;
	return i_move ? (struct edge){ moved, left } : (struct edge){ left, moved };
}

/* The index of an edge in the table. */
static unsigned edge_number(const struct stable_edges *t, struct edge e)
{
	return t->ternary[e.mine] + 2U * t->ternary[e.theirs];
}

/*
 * Made from the fullest edges down. A disc is stable if it stays whatever is played. A disc may be
 * put on any empty square, because one off the edge may make the move legal.
 */
void stable_edges_init(struct stable_edges *t)
{
	for (int i = 0; i < 256; i++) {
		t->ternary[i] = 0;
		for (int at = 7; at >= 0; at--)
			t->ternary[i] = (uint16_t)(3 * t->ternary[i] + (i >> at & 1));
	}
	for (int empty = 0; empty <= 8; empty++)
		for (unsigned both = 0; both < 1 << 16; both++) {
			const struct edge e = { both & 0xff, both >> 8 };
			unsigned stable = e.mine;
			if ((e.mine & e.theirs) || bits_count(e.mine | e.theirs) != 8 - empty)
				continue;
			for (int at = 0; at < 8; at++) {
				if ((e.mine | e.theirs) >> at & 1)
					continue;
				stable &= t->stable[edge_number(t, edge_after(e, at, true))] &
					  t->stable[edge_number(t, edge_after(e, at, false))];
			}
			t->stable[edge_number(t, e)] = (uint8_t)stable;
		}
}

/* The column of a1 as a byte, row 1 lowest, and back. */
static unsigned left_column(uint64_t b)
{
	return (unsigned)((b & REVERSI_LEFT) * UINT64_C(0x0102040810204080) >> 56);
}

static uint64_t as_left_column(unsigned byte)
{
	const uint64_t spread = byte * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
	return (spread + UINT64_C(0x007f7f7f7f7f7f7f)) >> 7 & REVERSI_LEFT;
}

/* My stable discs on the four edges. */
static uint64_t on_edges(const struct stable_edges *t, uint64_t mine, uint64_t theirs)
{
	const struct edge top = { mine & 0xff, theirs & 0xff };
	const struct edge bottom = { (unsigned)(mine >> 56), (unsigned)(theirs >> 56) };
	const struct edge left = { left_column(mine), left_column(theirs) };
	const struct edge right = { left_column(mine >> 7), left_column(theirs >> 7) };
	return t->stable[edge_number(t, top)] | (uint64_t)t->stable[edge_number(t, bottom)] << 56 |
	       as_left_column(t->stable[edge_number(t, left)]) |
	       as_left_column(t->stable[edge_number(t, right)]) << 7;
}

/* From the edges, stability spreads inwards along full lines and neighbours. */
uint64_t stable_discs(const struct stable_edges *t, uint64_t mine, uint64_t theirs)
{
	const uint64_t inner = UINT64_C(0x007e7e7e7e7e7e00);
	const struct reversi_full_lines full = reversi_find_full_lines(mine | theirs);
	uint64_t stable = on_edges(t, mine, theirs);
	stable |= full.row & full.column & full.falling & full.rising & mine & inner;
	if (!stable)
		return 0;
	for (uint64_t before = 0; before != stable;) {
		before = stable;
		const uint64_t row = stable >> 1 | stable << 1 | full.row;
		const uint64_t column = stable >> 8 | stable << 8 | full.column;
		const uint64_t falling = stable >> 9 | stable << 9 | full.falling;
		const uint64_t rising = stable >> 7 | stable << 7 | full.rising;
		stable |= row & column & falling & rising & mine & inner;
	}
	return stable;
}

/* ---- the search ---- */

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
static inline struct endgame_table *table_of(struct endgame *e, const struct board *b)
{
	return &e->tables[b->empty < NEAR_END];
}

static inline struct endgame_entry *bucket_of(struct endgame *e, const struct board *b)
{
	const struct endgame_table *t = table_of(e, b);
	uint64_t h =
		b->mine * UINT64_C(0x9e3779b97f4a7c15) + b->theirs * UINT64_C(0xd1342543de82ef95);
	h = (h ^ h >> 32) * UINT64_C(0xda942042e4dd58b5);
	return t->slots + (size_t)(h >> 1 >> (63 - t->bits)) * ENDGAME_WAYS;
}

/* The entry of the position in its bucket, or NULL. */
static inline struct endgame_entry *find_entry(struct endgame_entry *bucket, const struct board *b)
{
	for (int i = 0; i < ENDGAME_WAYS; i++)
		if (bucket[i].mine == b->mine && bucket[i].theirs == b->theirs)
			return bucket + i;
	return NULL;
}

/*
 * Stores the score of a search with the window (low, high), exact within it and otherwise a bound,
 * and the logarithm of the nodes that it took. It replaces an entry of an earlier search, or else
 * the cheapest.
 */
static void store(struct endgame *e, const struct board *b, struct endgame_entry *bucket, int low,
		  int high, struct endgame_answer found, uint64_t nodes)
{
	const struct endgame_table *t = table_of(e, b);
	struct endgame_entry *entry = find_entry(bucket, b);
	if (!entry) {
		int least = INT32_MAX;
		for (int i = 0; i < ENDGAME_WAYS; i++) {
			const int worth = bucket[i].cost + (bucket[i].round == t->round ? 256 : 0);
			if (worth < least) {
				least = worth;
				entry = bucket + i;
			}
		}
		*entry = (struct endgame_entry){ b->mine, b->theirs, -ENDGAME_MOST, ENDGAME_MOST,
						 { ENDGAME_NO_MOVE, ENDGAME_NO_MOVE }, 0, 0 };
	}
	if (found.score < high && found.score < entry->upper)
		entry->upper = (int8_t)found.score;
	if (found.score > low && found.score > entry->lower)
		entry->lower = (int8_t)found.score;
	if (found.score > low && entry->move[0] != found.move) {
		entry->move[1] = entry->move[0];
		entry->move[0] = (uint8_t)found.move;
	} else if (entry->move[0] == ENDGAME_NO_MOVE) {
		entry->move[0] = (uint8_t)found.move;
	}
	entry->cost = (uint8_t)(63 - __builtin_clzll(nodes | 1));
	entry->round = t->round;
}

/* Polled now and then, because another thread writes the flag, and reading the clock is slow. */
static bool is_stopped(struct endgame *e)
{
	if (e->nodes >= e->poll_at) {
		e->poll_at = e->nodes + POLL_NODES;
		e->stopped |= e->limits && solve_must_stop(e->limits, e->nodes);
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

/* No table, and moves in odd quarters first. */
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
	for (uint64_t left = moves; left && best <= alpha;) {
		const uint64_t odd = left & b->odd;
		const int square = bits_lowest(odd ? odd : left);
		const struct board next =
			board_after(b, square, flips(&e->rays, b->mine, b->theirs, square));
		const int score =
			b->empty == 5 ? -last_4(e, next.mine, next.theirs, next.odd, -alpha - 1) :
					-shallow(e, &next, -alpha - 1);
		best = score > best ? score : best;
		left ^= LAST_BIT(square);
	}
	return best;
}

/* The score with any number of empty squares below SORTED_FROM. */
static inline int few(struct endgame *e, const struct board *b, int alpha)
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

/* A value for the side to move by a plain alpha-beta search, used only for sorting. */
static int guess(struct endgame *e, const struct board *b, int depth, int alpha, int beta)
{
	e->nodes++;
	if (depth == 0) {
		const struct reversi s = { b->mine, b->theirs, 0 };
		return reversi_evaluate(&s, reversi_weights);
	}
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

/*
 * Rates the moves from number `from` on; larger is tried first. With few empty squares a move is
 * rated by what it leaves the opponent: few moves, above all.
 */
static void rate(struct endgame *e, const struct board *b, struct choices *m, int from,
		 const uint8_t *known)
{
	const int half = (b->empty - GUESS_FROM) / 2;
	const int depth = half < GUESS_DEEPEST ? half : GUESS_DEEPEST;
	for (int i = from; i < m->count; i++) {
		struct choice *c = &m->list[i];
		const struct board *n = &c->next;
		if (known[0] == c->square)
			c->worth = INT32_MAX;
		else if (known[1] == c->square)
			c->worth = INT32_MAX - 1;
		else if (b->empty >= GUESS_FROM)
			c->worth = -guess(e, n, depth, -GUESS_MOST, GUESS_MOST);
		else {
			const struct reversi after = { n->mine, n->theirs, 0 };
			const uint64_t replies = reversi_mobility(n->mine, n->theirs);
			const uint64_t empty = ~(n->mine | n->theirs);
			c->worth = (bits_count(n->theirs & REVERSI_CORNERS) << 10) +
				   (b->odd & LAST_BIT(c->square) ? 1 << 6 : 0) +
				   (reversi_rank(&after, (qv_move)c->square) << 3) -
				   ((bits_count(replies) + bits_count(replies & REVERSI_CORNERS))
				    << 12) -
				   (bits_count(reversi_around(n->theirs) & empty) << 5);
		}
	}
}

/* Swaps move i with the one at the front. */
static inline const struct choice *swap(struct choices *m, int front, int i)
{
	const struct choice moved = m->list[front];
	m->list[front] = m->list[i];
	m->list[i] = moved;
	return &m->list[front];
}

/* Moves the best of the untried moves to the front and returns it. */
static inline const struct choice *pick(struct choices *m, int from)
{
	int best = from;
	for (int i = from + 1; i < m->count; i++)
		if (m->list[i].worth > m->list[best].worth)
			best = i;
	return best == from ? &m->list[from] : swap(m, from, best);
}

/* Lists the moves. True: one of them takes every disc of the opponent. */
static bool list_moves(struct endgame *e, const struct board *b, uint64_t moves, struct choices *m)
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
	const struct endgame_entry *found = find_entry(bucket, b);
	if (found && found->lower > alpha)
		return found->lower;
	if (found && found->upper <= alpha)
		return found->upper;
	/* Its moves are copied, because the entry may be replaced during the search. */
	uint8_t known[2] = { ENDGAME_NO_MOVE, ENDGAME_NO_MOVE };
	if (found)
		memcpy(known, found->move, sizeof known);

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
	/* A child may be known to be bad enough for the opponent. */
	for (int i = 0; b->empty >= CHILDREN_FROM && i < m.count; i++) {
		const struct board *n = &m.list[i].next;
		const struct endgame_entry *k = find_entry(bucket_of(e, n), n);
		if (k && -k->upper > alpha)
			return -k->upper;
	}

	/*
	 * Step 3. One move must score above alpha. The table's move is tried before the others are
	 * rated.
	 */
	const uint64_t before = e->nodes;
	struct endgame_answer best = { -NO_SCORE, ENDGAME_NO_MOVE };
	int rated = 0; /* the moves before this one are not rated */
	for (int i = 0; i < m.count && !rated; i++)
		if (m.list[i].square == known[0]) {
			swap(&m, 0, i);
			rated = 1;
		}
	for (int i = 0; i < m.count && best.score <= alpha; i++) {
		if (i == rated)
			rate(e, b, &m, i, known);
		const struct choice *c = i < rated ? &m.list[i] : pick(&m, i);
		const int score = -above(e, &c->next, -alpha - 1);
		if (e->stopped)
			return 0;
		if (score > best.score)
			best = (struct endgame_answer){ score, c->square };
	}
	store(e, b, bucket, alpha, alpha + 1, best, e->nodes - before);
	return best.score;
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
	static const uint8_t unknown[2] = { ENDGAME_NO_MOVE, ENDGAME_NO_MOVE };
	const struct endgame_entry *found = find_entry(bucket, b);
	rate(e, b, &m, 0, found ? found->move : unknown);

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
	if (b->empty >= SORTED_FROM)
		store(e, b, bucket, alpha, beta, answer, e->nodes - before);
	return answer;
}

/* ---- the question ---- */

struct endgame_answer endgame_solve(struct endgame *e, uint64_t mine, uint64_t theirs, int low,
				    int high, const struct qv_solve_limits *limits)
{
	const uint64_t empty = ~(mine | theirs);
	struct board b = { mine, theirs, 0, bits_count(empty) };
	for (uint64_t set = empty; set; set = bits_rest(set))
		b.odd ^= last_quarter(bits_lowest(set));
	e->nodes = e->poll_at = 0;
	e->limits = limits;
	e->stopped = false;
	e->tables[0].round++;
	e->tables[1].round++;
	return between(e, &b, low, high);
}

/* Allocates a table of at most `bytes`, with a power of two of buckets. */
static enum qv_status endgame_table_init(struct endgame_table *t,
					 const struct qv_allocator *allocator, size_t bytes)
{
	enum { MOST_BITS = 36 };
	const size_t buckets = bytes / (ENDGAME_WAYS * sizeof *t->slots);
	t->bits = 0;
	while (t->bits < MOST_BITS && (size_t)2 << t->bits <= buckets)
		t->bits++;
	t->count = (size_t)ENDGAME_WAYS << t->bits;
	t->slots = mem_new(allocator, t->count, sizeof *t->slots);
	if (!t->slots)
		return QV_NO_MEMORY;
	mem_prefer_large_pages(t->slots, t->count * sizeof *t->slots);
	return QV_OK;
}

enum qv_status endgame_init(struct endgame *e, const struct qv_allocator *allocator,
			    size_t hash_bytes)
{
	flip_rays_init(&e->rays);
	flip_counts_init(&e->counts);
	stable_edges_init(&e->edges);
	const size_t near_bytes = hash_bytes < NEAR_BYTES ? hash_bytes : NEAR_BYTES;
	const enum qv_status status = endgame_table_init(&e->tables[0], allocator, hash_bytes);
	return status == QV_OK ? endgame_table_init(&e->tables[1], allocator, near_bytes) : status;
}

void endgame_release(struct endgame *e, const struct qv_allocator *allocator)
{
	for (struct endgame_table *t = e->tables; t < e->tables + 2; t++) {
		mem_free(allocator, t->slots, t->count * sizeof *t->slots);
		t->slots = NULL;
	}
}

void endgame_forget(struct endgame *e)
{
	for (struct endgame_table *t = e->tables; t < e->tables + 2; t++) {
		memset(t->slots, 0, t->count * sizeof *t->slots);
		t->round = 0;
	}
}
