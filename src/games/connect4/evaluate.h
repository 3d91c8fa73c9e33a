/*
 * evaluate.h - the default evaluation of connect-four: squares that would complete a four, and the
 * middle.
 * SPDX-License-Identifier: MIT
 *
 * Everything is a difference of two counts over bit sets, so a leaf costs about forty operations.
 */
#ifndef CONNECT4_EVALUATE_H
#define CONNECT4_EVALUATE_H

#include "games/connect4/rules.h"

enum { C4_THREAT, C4_MIDDLE, C4_INNER, C4_WEIGHTS };

static const int32_t c4_weights[C4_WEIGHTS] = { [C4_THREAT] = 16, [C4_MIDDLE] = 4, [C4_INNER] = 3 };

static const struct qv_weight c4_weight_names[] = {
	{ "threat", C4_THREAT, 1 }, { "middle", C4_MIDDLE, 1 }, { "inner", C4_INNER, 1 }, { 0 },
};

#define C4_COLUMN(c) (UINT64_C(0x3f) << (c) * C4_STRIDE)
#define C4_MIDDLE_SQUARES C4_COLUMN(3)
/* Rows 2 to 5 of the five inner columns. */
#define C4_INNER_SQUARES                                                              \
	((C4_COLUMN(1) | C4_COLUMN(2) | C4_COLUMN(3) | C4_COLUMN(4) | C4_COLUMN(5)) & \
	 (C4_BOTTOM * 0x1e))

/* Squares, empty or not, that complete a four with three of the discs along one direction. */
static inline uint64_t c4_completes(uint64_t discs, int step)
{
	const uint64_t two = (discs << step) & (discs << 2 * step);      /* a pair just below */
	const uint64_t pair = (discs >> step) & (discs >> 2 * step);     /* a pair just above */
	return (two & ((discs << 3 * step) | (discs >> step))) |
	       (pair & ((discs << step) | (discs >> 3 * step)));
}

/* Empty squares where a disc of that side makes four. */
static inline uint64_t c4_threats(uint64_t discs, uint64_t all)
{
	const uint64_t upright = (discs << 1) & (discs << 2) & (discs << 3);
	return (upright | c4_completes(discs, C4_STRIDE) | c4_completes(discs, C4_STRIDE - 1) |
		c4_completes(discs, C4_STRIDE + 1)) &
	       (C4_BOARD ^ all);
}

/*
 * The mover's discs on the middle and the inner squares minus the other side's, times the weights at
 * `middle` and `inner`.
 */
QV_ALWAYS_INLINE int32_t c4_placement(const struct c4 *s, const int32_t *w, int middle, int inner,
				      struct qv_terms *terms)
{
	const uint64_t mine = s->mover, theirs = s->mover ^ s->all;
	const int me = c4_seat(s);
	return qv_weigh_ahead(terms, w, middle, me, bits_count(mine & C4_MIDDLE_SQUARES),
			      bits_count(theirs & C4_MIDDLE_SQUARES)) +
	       qv_weigh_ahead(terms, w, inner, me, bits_count(mine & C4_INNER_SQUARES),
			      bits_count(theirs & C4_INNER_SQUARES));
}

/*
 * The value for the side to move. Forced inline: gcc considers it too long, and a call at every
 * leaf costs a third of the search speed.
 */
QV_ALWAYS_INLINE int32_t c4_evaluate_as(const struct c4 *s, const void *weights,
					struct qv_terms *terms)
{
	return qv_weigh_ahead(terms, weights, C4_THREAT, c4_seat(s),
			      bits_count(c4_threats(s->mover, s->all)),
			      bits_count(c4_threats(s->mover ^ s->all, s->all))) +
	       c4_placement(s, weights, C4_MIDDLE, C4_INNER, terms);
}

QV_ALWAYS_INLINE int32_t c4_evaluate(const struct c4 *s, const void *weights)
{
	return c4_evaluate_as(s, weights, NULL);
}

__attribute__((always_inline)) static inline int32_t c4_leaf(const struct c4 *s,
							     const void *weights)
{
	if (c4_has_four(s->mover ^ s->all))
		return QV_LEAF_LOST;
	if (s->all == C4_BOARD)
		return QV_LEAF_DRAWN;
	return c4_evaluate(s, weights);
}

#endif
