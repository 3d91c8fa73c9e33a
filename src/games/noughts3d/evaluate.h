/*
 * evaluate.h - an evaluation of 3D noughts and crosses: lines with marks of one side only.
 * SPDX-License-Identifier: MIT
 *
 * All lines of a direction are counted at once. The four words that hold the first, second, third
 * and fourth squares of the lines are added bit by bit; the digits of each line's sum stand at the
 * bit of its first square.
 */
#ifndef NOUGHTS3D_EVALUATE_H
#define NOUGHTS3D_EVALUATE_H

#include "games/noughts3d/rules.h"

enum { N3_ONE, N3_TWO, N3_THREE, N3_WEIGHTS };

static const int32_t n3_weights[N3_WEIGHTS] = { [N3_ONE] = 1, [N3_TWO] = 5, [N3_THREE] = 20 };

static const struct qv_weight n3_weight_names[] = {
	{ "one", N3_ONE, 1 }, { "two", N3_TWO, 1 }, { "three", N3_THREE, 1 }, { 0 },
};

/* The number of marks in each line, as binary digits. A line of four shows as 0. */
struct n3_sums {
	uint64_t ones, twos;
};

/* Adds the four words of a direction bit by bit. */
static inline struct n3_sums n3_sum(uint64_t stones, int step)
{
	const uint64_t odd = stones ^ (stones >> step), both = stones & (stones >> step);
	const uint64_t carry = odd & (odd >> 2 * step);
	return (struct n3_sums){ odd ^ (odd >> 2 * step), both ^ (both >> 2 * step) ^ carry };
}

/*
 * The open lines of a side, by their number of marks, packed into three words (N3_EACH_DIRECTION).
 */
enum { N3_WORDS = 3 };
struct n3_open {
	uint64_t lines[N3_WEIGHTS][N3_WORDS];
};

/* Adds the open lines of a direction for one side. */
static inline void n3_add_open(struct n3_open *open, struct n3_sums mine, struct n3_sums theirs,
			       uint64_t starts, int word, int place)
{
	const uint64_t free = ~(theirs.ones | theirs.twos) & starts;
	open->lines[N3_ONE][word] |= (mine.ones & ~mine.twos & free) << place;
	open->lines[N3_TWO][word] |= (mine.twos & ~mine.ones & free) << place;
	open->lines[N3_THREE][word] |= (mine.ones & mine.twos & free) << place;
}

static inline int n3_open_count(const struct n3_open *open, int stones)
{
	const uint64_t *words = open->lines[stones];
	return bits_count(words[0]) + bits_count(words[1]) + bits_count(words[2]);
}

/* Forced inline, because it is called at every leaf. */
QV_ALWAYS_INLINE int32_t n3_evaluate_as(const struct n3 *s, const void *weights,
					struct qv_terms *terms)
{
	const int32_t *w = weights;
	struct n3_open mine = { { { 0 } } }, theirs = { { { 0 } } };
	int32_t value = 0;
#define X(step, starts, word, place)                                                              \
	{                                                                                         \
		const struct n3_sums my = n3_sum(s->mine, step), other = n3_sum(s->theirs, step); \
		n3_add_open(&mine, my, other, starts, word, place);                               \
		n3_add_open(&theirs, other, my, starts, word, place);                             \
	}
	N3_EACH_DIRECTION(X)
#undef X
	for (int stones = 0; stones < N3_WEIGHTS; stones++)
		value += qv_weigh_ahead(terms, w, stones, n3_seat(s), n3_open_count(&mine, stones),
					n3_open_count(&theirs, stones));
	return value;
}

QV_ALWAYS_INLINE int32_t n3_evaluate(const struct n3 *s, const void *weights)
{
	return n3_evaluate_as(s, weights, NULL);
}

__attribute__((always_inline)) static inline int32_t n3_leaf(const struct n3 *s,
							     const void *weights)
{
	if (n3_has_four(s->theirs))
		return QV_LEAF_LOST;
	if (!~(s->mine | s->theirs))
		return QV_LEAF_DRAWN;
	return n3_evaluate(s, weights);
}

#endif
