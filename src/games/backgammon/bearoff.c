/*
 * bearoff.c - computes the one-sided bear-off table, from the fewest men upwards.
 * SPDX-License-Identifier: MIT
 *
 * With s(k) men on the k rearmost points, the number of a position is the sum of C(s(k) + k - 1, k)
 * for k from 1 to 6: its place among all positions with up to 15 men.
 */
#include "games/backgammon/bearoff.h"

enum { ROLLS = 36 }; /* of two dice, in order */

/* C(men + k - 1, k): the positions with fewer than `men` men on k points. */
static int smaller(int men, int k)
{
	int c = 1;
	for (int i = 1; i <= k; i++)
		c = c * (men - 1 + i) / i;
	return c;
}

int bearoff_index(const uint8_t *men)
{
	int index = 0, sum = 0;
	for (int k = 1; k <= BACKGAMMON_HOME; k++) {
		sum += men[BACKGAMMON_HOME + 1 - k];
		index += smaller(sum, k);
	}
	return index;
}

void bearoff_men(int index, uint8_t men[BACKGAMMON_PLACES])
{
	int last = BACKGAMMON_MEN;
	memset(men, 0, BACKGAMMON_PLACES);
	for (int k = BACKGAMMON_HOME; k >= 1; k--) {
		int sum = last;
		while (smaller(sum, k) > index)
			sum--;
		index -= smaller(sum, k);
		/* `last` men are on the k + 1 rearmost points, or on the board and off. */
		men[k == BACKGAMMON_HOME ? BACKGAMMON_OFF : BACKGAMMON_HOME - k] =
			(uint8_t)(last - sum);
		last = sum;
	}
	men[BACKGAMMON_HOME] = (uint8_t)last;
}

/* The number of the position after the best turn with a roll. */
static int best_turn(const struct bearoff *table, const struct backgammon *rolled)
{
	qv_move list[BACKGAMMON_MAX_MOVES];
	const int n = backgammon_moves(rolled, list);
	int best = -1;
	for (int i = 0; i < n; i++) {
		struct backgammon after = *rolled;
		backgammon_play(&after, list[i]);
		const int index = bearoff_index(after.men[rolled->turn]);
		if (best < 0 || table->mean[index] < table->mean[best])
			best = index;
	}
	return best;
}

static void compute(struct bearoff *table, int index)
{
	/* The other seat is on the bar, where it is in nobody's way. */
	struct backgammon s = { .phase = BACKGAMMON_MOVE };
	uint64_t *chance = table->chance[index];
	bearoff_men(index, s.men[0]);
	s.men[1][BACKGAMMON_BAR] = BACKGAMMON_MEN;
	for (uint8_t one = 1; one <= BACKGAMMON_FACES; one++)
		for (uint8_t two = 1; two <= one; two++) {
			s.dice[0] = one;
			s.dice[1] = two;
			const uint64_t *next = table->chance[best_turn(table, &s)];
			for (int i = 1; i < BEAROFF_ROLLS; i++)
				chance[i] += (one == two ? 1 : 2) * next[i - 1];
		}
	for (int i = 1; i < BEAROFF_ROLLS; i++) {
		chance[i] = (chance[i] + ROLLS / 2) / ROLLS;
		table->mean[index] += (uint64_t)i * chance[i];
	}
}

struct bearoff *bearoff_new(const struct qv_allocator *allocator)
{
	struct bearoff *table = mem_new(allocator, 1, sizeof *table);
	if (!table)
		return NULL;
	table->chance[0][0] = BEAROFF_ONE;
	for (int index = 1; index < BEAROFF_POSITIONS; index++)
		compute(table, index);
	return table;
}

void bearoff_free(const struct qv_allocator *allocator, struct bearoff *table)
{
	mem_free(allocator, table, sizeof *table);
}
