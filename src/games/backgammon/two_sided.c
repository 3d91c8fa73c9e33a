/*
 * two_sided.c - computes the two-sided bear-off table and looks positions up.
 * SPDX-License-Identifier: MIT
 *
 * A turn leads to a smaller number of the mover's position. So the equities of (a, b) with
 * max(a, b) = n depend only on those with a smaller maximum and, if b = n, on those of (n, b') with
 * b' < n.
 */
#include "games/backgammon/two_sided.h"

#include "games/backgammon/bearoff.h"

enum { ROLLS = 36, PAIRS = 21 }; /* rolls of two dice, with and without their order */

/* ---- Turns of one side ---- */

/* The positions after each roll, without repetitions. */
struct turn_lists {
	uint32_t end[TWO_SIDED_SIDE]
		    [PAIRS]; /* of each list in `next`; the first list begins at 0 */
	uint16_t *next;
	size_t count, room;
	size_t first; /* of the current list */
	const struct qv_allocator *allocator;
	bool failed;
};

static const uint8_t pairs[PAIRS][2] = {
	{ 1, 1 }, { 2, 1 }, { 2, 2 }, { 3, 1 }, { 3, 2 }, { 3, 3 }, { 4, 1 },
	{ 4, 2 }, { 4, 3 }, { 4, 4 }, { 5, 1 }, { 5, 2 }, { 5, 3 }, { 5, 4 },
	{ 5, 5 }, { 6, 1 }, { 6, 2 }, { 6, 3 }, { 6, 4 }, { 6, 5 }, { 6, 6 },
};

static void add_turn(void *ctx, int index)
{
	struct turn_lists *l = ctx;
	for (size_t i = l->first; i < l->count; i++)
		if (l->next[i] == index)
			return;
	if (!mem_reserve(l->allocator, &l->next, &l->room, l->count + 1, sizeof *l->next)) {
		l->failed = true;
		return;
	}
	l->next[l->count++] = (uint16_t)index;
}

static void list_turns(struct turn_lists *l)
{
	for (int index = 0; index < TWO_SIDED_SIDE; index++) {
		uint8_t men[BACKGAMMON_PLACES];
		bearoff_men(index, men);
		for (int pair = 0; pair < PAIRS; pair++) {
			l->first = l->count;
			if (index)
				bearoff_turns(men, pairs[pair][0], pairs[pair][1], add_turn, l);
			l->end[index][pair] = (uint32_t)l->count;
		}
	}
}

/* ---- The table ---- */

/* Equities by who may double next. */
struct equities {
	int32_t of[TWO_SIDED_CUBES];
};

struct build {
	struct two_sided *table;
	struct turn_lists turns;
	/*
	 * The same for the seat to roll, if it doubles where that is best; by who could double
	 * next as the other seat sees it.
	 */
	struct equities decided[TWO_SIDED_SIDE][TWO_SIDED_SIDE];
};

/* The better of rolling and doubling; the other seat takes or drops for the best. */
static int32_t decide(int32_t roll, int32_t theirs)
{
	const int32_t doubled = theirs < TWO_SIDED_ONE / 2 ? 2 * theirs : TWO_SIDED_ONE;
	return doubled > roll ? doubled : roll;
}

static void store(struct build *b, int mine, int theirs, const int32_t *equity)
{
	memcpy(b->table->equity[mine][theirs], equity, sizeof b->table->equity[mine][theirs]);
	b->decided[mine][theirs] = (struct equities){ {
		[TWO_SIDED_CUBELESS] = equity[TWO_SIDED_CUBELESS],
		[TWO_SIDED_OWNED] = equity[TWO_SIDED_THEIRS],
		[TWO_SIDED_CENTRED] = decide(equity[TWO_SIDED_CENTRED], equity[TWO_SIDED_THEIRS]),
		[TWO_SIDED_THEIRS] = decide(equity[TWO_SIDED_OWNED], equity[TWO_SIDED_THEIRS]),
	} };
}

static int32_t rounded(int64_t sum)
{
	return (int32_t)((sum < 0 ? sum - ROLLS / 2 : sum + ROLLS / 2) / ROLLS);
}

static void compute(struct build *b, int mine, int theirs)
{
	const struct equities *after = b->decided[theirs]; /* by my men */
	const uint16_t *next = b->turns.next + b->turns.end[mine - 1][PAIRS - 1];
	int64_t sum[TWO_SIDED_CUBES] = { 0 };
	for (int pair = 0; pair < PAIRS; pair++) {
		const uint16_t *end = b->turns.next + b->turns.end[mine][pair];
		struct equities worst = after[*next]; /* for the other seat */
		while (++next < end)
			for (int c = 0; c < TWO_SIDED_CUBES; c++)
				if (after[*next].of[c] < worst.of[c])
					worst.of[c] = after[*next].of[c];
		for (int c = 0; c < TWO_SIDED_CUBES; c++)
			sum[c] -= (int64_t)worst.of[c] * (pairs[pair][0] == pairs[pair][1] ? 1 : 2);
	}
	int32_t equity[TWO_SIDED_CUBES];
	for (int c = 0; c < TWO_SIDED_CUBES; c++)
		equity[c] = rounded(sum[c]);
	store(b, mine, theirs, equity);
}

static void compute_all(struct build *b)
{
	static const int32_t won[] = { TWO_SIDED_ONE, TWO_SIDED_ONE, TWO_SIDED_ONE, TWO_SIDED_ONE };
	static const int32_t lost[] = { -TWO_SIDED_ONE, -TWO_SIDED_ONE, -TWO_SIDED_ONE,
					-TWO_SIDED_ONE };
	for (int n = 0; n < TWO_SIDED_SIDE; n++) {
		store(b, n, 0, lost);
		store(b, 0, n, won);
		for (int theirs = 1; theirs < n; theirs++)
			compute(b, n, theirs);
		for (int mine = 1; mine <= n; mine++)
			compute(b, mine, n);
	}
}

struct two_sided *two_sided_new(const struct qv_allocator *allocator)
{
	struct build *b = mem_new(allocator, 1, sizeof *b);
	struct two_sided *table = mem_new(allocator, 1, sizeof *table);
	bool failed = !b || !table;
	if (!failed) {
		b->table = table;
		b->turns.allocator = allocator;
		list_turns(&b->turns);
		failed = b->turns.failed;
		if (!failed)
			compute_all(b);
		mem_free(allocator, b->turns.next, b->turns.room * sizeof *b->turns.next);
	}
	mem_free(allocator, b, sizeof *b);
	if (!failed)
		return table;
	mem_free(allocator, table, sizeof *table);
	return NULL;
}

void two_sided_free(const struct qv_allocator *allocator, struct two_sided *table)
{
	mem_free(allocator, table, sizeof *table);
}

/* ---- Positions ---- */

bool two_sided_has(const struct backgammon *s)
{
	for (int seat = 0; seat < 2; seat++)
		if (s->men[seat][BACKGAMMON_OFF] < BACKGAMMON_MEN - TWO_SIDED_MEN ||
		    backgammon_rear(s->men[seat]) > BACKGAMMON_HOME)
			return false;
	return true;
}

static const int32_t *equities_of(const struct two_sided *table, const struct backgammon *s)
{
	return table->equity[bearoff_index(s->men[s->turn])][bearoff_index(s->men[1 - s->turn])];
}

double two_sided_equity(const struct two_sided *table, const struct backgammon *s,
			enum two_sided_cube cube)
{
	return (double)equities_of(table, s)[cube] / TWO_SIDED_ONE;
}

struct two_sided_decision two_sided_decide(const struct two_sided *table,
					   const struct backgammon *s, enum two_sided_cube cube)
{
	const int32_t *equity = equities_of(table, s);
	const int32_t roll = equity[cube], theirs = equity[TWO_SIDED_THEIRS];
	const bool may =
		(cube == TWO_SIDED_OWNED || cube == TWO_SIDED_CENTRED) && !backgammon_has_ended(s);
	const int32_t best = may ? decide(roll, theirs) : roll;
	return (struct two_sided_decision){
		.roll = (double)roll / TWO_SIDED_ONE,
		.take = 2.0 * theirs / TWO_SIDED_ONE,
		.equity = (double)best / TWO_SIDED_ONE,
		.doubles = best > roll,
		.takes = theirs <= TWO_SIDED_ONE / 2,
	};
}
