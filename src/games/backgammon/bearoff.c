/*
 * bearoff.c - computes the one-sided bear-off table, from the fewest men upwards.
 * SPDX-License-Identifier: MIT
 *
 * With s(k) men on the k rearmost points, the number of a position is the sum of C(s(k) + k - 1, k)
 * for k from 1 to 6: its place among all positions with up to 15 men.
 */
#include "games/backgammon/bearoff.h"

enum { ROLLS = 36 }; /* of two dice, in order */

/* C(men + k - 1, k), for k from 1: the positions with fewer than `men` men on k points. */
static const uint16_t fewer[BACKGAMMON_HOME][BACKGAMMON_MEN + 1] = {
	{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120 },
	{ 0, 1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286, 364, 455, 560, 680 },
	{ 0, 1, 5, 15, 35, 70, 126, 210, 330, 495, 715, 1001, 1365, 1820, 2380, 3060 },
	{ 0, 1, 6, 21, 56, 126, 252, 462, 792, 1287, 2002, 3003, 4368, 6188, 8568, 11628 },
	{ 0, 1, 7, 28, 84, 210, 462, 924, 1716, 3003, 5005, 8008, 12376, 18564, 27132, 38760 },
};

int bearoff_index(const uint8_t *men)
{
	int index = 0, sum = 0;
	for (int k = 0; k < BACKGAMMON_HOME; k++) {
		sum += men[BACKGAMMON_HOME - k];
		index += fewer[k][sum];
	}
	return index;
}

void bearoff_men(int index, uint8_t men[BACKGAMMON_PLACES])
{
	int last = BACKGAMMON_MEN;
	memset(men, 0, BACKGAMMON_PLACES);
	for (int k = BACKGAMMON_HOME; k >= 1; k--) {
		int sum = last;
		while (fewer[k - 1][sum] > index)
			sum--;
		index -= fewer[k - 1][sum];
		/* `last` men are on the k + 1 rearmost points, or on the board and off. */
		men[k == BACKGAMMON_HOME ? BACKGAMMON_OFF : BACKGAMMON_HOME - k] =
			(uint8_t)(last - sum);
		last = sum;
	}
	men[BACKGAMMON_HOME] = (uint8_t)last;
}

/* ---- Turns ---- */

struct turns {
	uint8_t men[BACKGAMMON_HOME + 1]; /* by point; those off are not counted */
	uint8_t dice[BACKGAMMON_STEPS];
	int steps;
	bearoff_visit *visit;
	void *ctx;
};

/*
 * Plays the dice from number `step` on, beginning with men on `from` or nearer. While men are left
 * there is a move for every die; only if equal dice are played in descending order, as here, some
 * branches have none, and those are no turns.
 */
static void play_steps(struct turns *t, int step, int from)
{
	int rear = BACKGAMMON_HOME;
	while (rear && !t->men[rear])
		rear--;
	if (!rear || step == t->steps) {
		t->visit(t->ctx, bearoff_index(t->men));
		return;
	}
	const int die = t->dice[step];
	for (int point = from < rear ? from : rear; point; point--) {
		if (!t->men[point] || (point < die && point < rear))
			continue;
		const int to = backgammon_target(point, die);
		t->men[point]--;
		t->men[to]++;
		play_steps(t, step + 1, t->steps > 2 ? point : BACKGAMMON_HOME);
		t->men[to]--;
		t->men[point]++;
	}
}

void bearoff_turns(const uint8_t *men, int larger, int smaller, bearoff_visit *visit, void *ctx)
{
	const uint8_t a = (uint8_t)larger, b = (uint8_t)smaller;
	struct turns t = { .dice = { a, b, a, b },
			   .steps = a == b ? BACKGAMMON_STEPS : 2,
			   .visit = visit,
			   .ctx = ctx };
	memcpy(t.men, men, sizeof t.men);
	t.men[BACKGAMMON_OFF] = 0;
	play_steps(&t, 0, BACKGAMMON_HOME);
	if (a == b)
		return;
	t.dice[0] = b;
	t.dice[1] = a;
	play_steps(&t, 0, BACKGAMMON_HOME);
}

/* ---- The table ---- */

/* The best positions after a roll: for the last man, and for the first. */
struct best {
	const struct bearoff *table;
	int all, first;
};

/* The rolls to the first man off on average: none if one is off already. */
static uint32_t first_mean(const struct bearoff *table, int index)
{
	return index < BEAROFF_FULL ? 0 : table->first_mean[index - BEAROFF_FULL];
}

/* Of equal averages the first one found counts, as in GNU Backgammon, which has the same order. */
static void consider(void *ctx, int index)
{
	struct best *b = ctx;
	if (b->all < 0 || b->table->all_mean[index] < b->table->all_mean[b->all])
		b->all = index;
	if (b->first < 0 || first_mean(b->table, index) < first_mean(b->table, b->first))
		b->first = index;
}

/*
 * Turns sums over the 36 rolls into probabilities and returns their mean. What rounding adds to
 * their sum is taken from the largest.
 */
static uint32_t round_chances(const uint32_t *sums, uint16_t *chances)
{
	int mode = 0;
	uint32_t total = 0, mean = 0;
	for (int i = 0; i < BEAROFF_ROLLS; i++) {
		chances[i] = (uint16_t)((sums[i] + ROLLS / 2) / ROLLS);
		total += chances[i];
		if (chances[i] > chances[mode])
			mode = i;
	}
	chances[mode] = (uint16_t)(chances[mode] + BEAROFF_ONE - total);
	for (int i = 0; i < BEAROFF_ROLLS; i++)
		mean += (uint32_t)i * chances[i];
	return mean;
}

static void compute(struct bearoff *table, int index)
{
	uint8_t men[BACKGAMMON_PLACES];
	uint32_t all[BEAROFF_ROLLS] = { 0 }, first[BEAROFF_ROLLS] = { 0 };
	bearoff_men(index, men);
	for (int one = 1; one <= BACKGAMMON_FACES; one++)
		for (int two = 1; two <= one; two++) {
			const uint32_t weight = one == two ? 1 : 2;
			struct best best = { table, -1, -1 };
			bearoff_turns(men, one, two, consider, &best);
			for (int i = 1; i < BEAROFF_ROLLS; i++)
				all[i] += weight * table->all[best.all][i - 1];
			if (best.first < BEAROFF_FULL)
				first[1] += weight * BEAROFF_ONE;
			else
				for (int i = 1; i < BEAROFF_ROLLS; i++)
					first[i] += weight *
						    table->first[best.first - BEAROFF_FULL][i - 1];
		}
	table->all_mean[index] = round_chances(all, table->all[index]);
	if (index >= BEAROFF_FULL)
		table->first_mean[index - BEAROFF_FULL] =
			round_chances(first, table->first[index - BEAROFF_FULL]);
}

struct bearoff *bearoff_new(const struct qv_allocator *allocator)
{
	struct bearoff *table = mem_new(allocator, 1, sizeof *table);
	if (!table)
		return NULL;
	table->all[0][0] = BEAROFF_ONE;
	for (int index = 1; index < BEAROFF_POSITIONS; index++)
		compute(table, index);
	return table;
}

void bearoff_free(const struct qv_allocator *allocator, struct bearoff *table)
{
	mem_free(allocator, table, sizeof *table);
}
