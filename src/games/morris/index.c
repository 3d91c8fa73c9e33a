/*
 * index.c - the spaces of nine men's morris, and the tables that the index looks numbers up in.
 * SPDX-License-Identifier: MIT
 *
 * morris_prepare fills about 12 MB. Sets of points are grouped into classes under the 16
 * symmetries; for each set the tables know its class and the symmetry that leads there.
 */
#include "games/morris/index.h"

#include "base/rank.h"

/*
 * Fewer men in all come first; among equals, sides that differ less; the mover's side is the
 * larger.
 */
static bool men_of_space(int space, int *a, int *b)
{
	for (int all = 2 * MORRIS_FEWEST; all <= 2 * MORRIS_MEN; all++)
		for (int more = all % 2; more <= MORRIS_MEN - MORRIS_FEWEST; more += 2) {
			const int large = (all + more) / 2, small = (all - more) / 2;
			if (large > MORRIS_MEN || small < MORRIS_FEWEST)
				continue;
			const int spaces = more ? 2 : 1;
			*a = space ? small : large;
			*b = space ? large : small;
			if (space < spaces)
				return true;
			space -= spaces;
		}
	return false;
}

/*
 * The number of sets of `size` points that are not symmetric to each other, by Burnside's lemma:
 * the mean, over the symmetries, of the number of sets that each leaves unchanged. These are the
 * unions of whole cycles.
 */
static uint64_t count_classes(int size)
{
	uint64_t kept = 0;
	for (int k = 0; k < MORRIS_SYMMETRIES; k++) {
		uint64_t sets[MORRIS_POINTS + 1] = { 1 };      /* by size, of the cycles so far */
		uint32_t seen = 0;
		for (int point = 0; point < MORRIS_POINTS; point++) {
			int length = 0;
			for (int at = point; !(seen >> at & 1); at = morris_image_point(at, k)) {
				seen |= morris_bit(at);
				length++;
			}
			for (int i = MORRIS_POINTS; length && i >= length; i--)
				sets[i] += sets[i - length];
		}
		kept += sets[size];
	}
	return kept / MORRIS_SYMMETRIES;
}

/*
 * The group of a space is the number of pairs a-b, b-a before it. Its size is a product: classes of
 * the larger side, times sets of the smaller side beside them.
 */
bool morris_space(const int64_t *options, int space, struct qv_space *out)
{
	int a, b, earlier_a = 0, earlier_b = 0, group = -1;
	(void)options;
	if (!men_of_space(space, &a, &b))
		return false;
	for (int i = 0; i <= space; i++) {
		int this_a, this_b;
		men_of_space(i, &this_a, &this_b);
		group += this_a != earlier_b || this_b != earlier_a;
		earlier_a = this_a;
		earlier_b = this_b;
	}
	const int most = a > b ? a : b, fewest = a + b - most;
	snprintf(out->name, sizeof out->name, "%d-%d", a, b);
	out->group = group;
	out->size = count_classes(most) * rank_choose(MORRIS_POINTS - most, fewest);
	return true;
}

/* ---- the tables ---- */

/* The next larger set of the same size. */
static uint32_t next_set(uint32_t set)
{
	const uint32_t lowest = set & (0 - set), carried = set + lowest;
	return carried | ((set ^ carried) / lowest) >> 2;
}

/*
 * Numbers the classes. A set that was not seen before represents a new one, and all its symmetric
 * sets lead to it by the inverse of the symmetry.
 */
static void prepare_classes(struct morris_aid *aid)
{
	unsigned back[MORRIS_SYMMETRIES];
	uint32_t class = 0, n = 0;
	for (int k = 0; k < MORRIS_SYMMETRIES; k++) {
		for (back[k] = 0;; back[k]++) {
			int point = 0;
			while (point < MORRIS_POINTS &&
			       morris_image_point(morris_image_point(point, k), (int)back[k]) ==
				       point)
				point++;
			if (point == MORRIS_POINTS)
				break;
		}
	}
	memset(aid->orbit, 0xff, sizeof aid->orbit);
	for (int size = MORRIS_FEWEST; size <= MORRIS_MEN; size++) {
		aid->first_set[size] = n;
		aid->first_class[size] = class;
		for (uint32_t set = morris_bit(size) - 1; set <= MORRIS_BOARD;
		     set = next_set(set)) {
			if (aid->orbit[n++] != UINT32_MAX)
				continue;
			aid->smallest[class] = set;
			for (unsigned k = 0; k < MORRIS_SYMMETRIES; k++) {
				const uint32_t image = morris_operate(aid, set, k);
				const uint32_t rank = morris_set_rank(aid, image, size);
				if (image == set)
					aid->stabiliser[class] |= (uint16_t)(1U << k);
				aid->orbit[aid->first_set[size] + rank] =
					class | back[k] << MORRIS_OPERATION;
			}
			class++;
		}
	}
}

/* The order of the steps matters only for the classes, which use the tables before them. */
void morris_prepare(struct morris_aid *aid, const int64_t *options)
{
	uint32_t below[MORRIS_MEN + 1] = { 0 }, n = 0;
	uint16_t seen[MORRIS_POINTS / 2 + 1] = { 0 };
	(void)options;
	/* The ranks of half sets. */
	for (uint32_t half = 0; half < MORRIS_HALF; half++) {
		const int size = bits_count(half);
		aid->rank_low[half] = seen[size]++;
		for (int all = 0; all <= MORRIS_MEN; all++) {
			aid->rank_high[all][half] = below[all];
			if (all >= size)
				below[all] += (uint32_t)rank_choose(MORRIS_POINTS / 2, all - size);
		}
	}
	/* Images of rings, and parts of six points. */
	for (int k = 0; k < 8; k++)
		for (uint32_t ring = 0; ring < 256; ring++)
			aid->image[k][ring] = (uint8_t)morris_image_points(ring, k);
	for (uint32_t kept = 0; kept < MORRIS_SIXTH; kept++) {
		aid->sixth[kept] = (uint8_t)bits_count(kept);
		for (uint32_t set = 0; set < MORRIS_SIXTH; set++) {
			const uint64_t rest = ~(uint64_t)kept,
				       low = set & ((1U << aid->sixth[kept]) - 1);
			aid->squeeze[kept][set] = (uint8_t)rank_squeeze(set & kept, rest);
			aid->spread[kept][set] = (uint8_t)rank_spread(low, rest);
		}
	}
	/* The spaces. */
	for (int space = 0; space < MORRIS_SPACES; space++) {
		int a = 0, b = 0;
		men_of_space(space, &a, &b);
		aid->men[space][0] = (uint8_t)a;
		aid->men[space][1] = (uint8_t)b;
		aid->space[a][b] = (uint8_t)space;
	}
	/* The sets of the smaller side, and the number of them beside a larger side. */
	for (int size = MORRIS_FEWEST; size <= MORRIS_MEN; size++) {
		for (int most = size; most <= MORRIS_MEN; most++)
			aid->ways[most][size] = (uint32_t)rank_choose(MORRIS_POINTS - most, size);
		const uint32_t end = morris_bit(MORRIS_POINTS - size);
		aid->first_small[size] = n;
		for (uint32_t set = morris_bit(size) - 1; set < end; set = next_set(set))
			aid->small_sets[n++] = set;
	}
	prepare_classes(aid);
}
