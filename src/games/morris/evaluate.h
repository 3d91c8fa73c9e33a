/*
 * evaluate.h - an evaluation of nine men's morris, and its move ordering.
 * SPDX-License-Identifier: MIT
 *
 * The terms are men, mobility, mills and points that would close one, each for one side minus the
 * other.
 */
#ifndef MORRIS_EVALUATE_H
#define MORRIS_EVALUATE_H

#include "games/morris/rules.h"

enum {
	MORRIS_W_MAN,
	MORRIS_W_MOBILITY,
	MORRIS_W_MILL,
	MORRIS_W_CLOSING,          /* an empty point that would make a mill */
	MORRIS_W_REACHED,          /* ... that a man can step to now */
	MORRIS_W_BLOCKED,          /* a man that cannot step */
	MORRIS_WEIGHTS,
};

static const int32_t morris_weights[MORRIS_WEIGHTS] = {
	[MORRIS_W_MAN] = 100, [MORRIS_W_MOBILITY] = 4,	[MORRIS_W_MILL] = 4,
	[MORRIS_W_CLOSING] = 8, [MORRIS_W_REACHED] = 16, [MORRIS_W_BLOCKED] = -6,
};

static const struct qv_weight morris_weight_names[] = {
	{ "man", MORRIS_W_MAN, 1 },	    { "mobility", MORRIS_W_MOBILITY, 1 },
	{ "mill", MORRIS_W_MILL, 1 },	    { "closing", MORRIS_W_CLOSING, 1 },
	{ "reached", MORRIS_W_REACHED, 1 }, { "blocked", MORRIS_W_BLOCKED, 1 },
	{ 0 },
};

/* The men of a seat, including those in hand. */
static inline int32_t morris_men(const void *state, int seat)
{
	const struct morris *s = state;
	return bits_count(s->men[seat]) + s->hand[seat];
}

/* The sum of one side's terms. */
QV_ALWAYS_INLINE int32_t morris_side_value(const struct morris *s, int side, const int32_t *w,
					   struct qv_terms *terms)
{
	const uint32_t men = s->men[side], empty = MORRIS_BOARD & ~(s->men[0] | s->men[1]);
	const uint32_t closing = morris_closing(men) & empty;
	const uint32_t stuck = men & ~morris_near(empty);
	const uint32_t reached = closing & morris_near(men & ~morris_in_mills(men));
	return qv_weigh(terms, w, MORRIS_W_MAN, side, morris_men(s, side)) +
	       qv_weigh(terms, w, MORRIS_W_MOBILITY, side, morris_steps(men, empty)) +
	       qv_weigh(terms, w, MORRIS_W_MILL, side, bits_count(morris_in_mills(men))) +
	       qv_weigh(terms, w, MORRIS_W_CLOSING, side, bits_count(closing)) +
	       qv_weigh(terms, w, MORRIS_W_REACHED, side, bits_count(reached)) +
	       qv_weigh(terms, w, MORRIS_W_BLOCKED, side, bits_count(stuck));
}

/* The value for the side to move. */
static inline int32_t morris_evaluate(const struct morris *s, const void *weights)
{
	return morris_side_value(s, s->turn, weights, NULL) -
	       morris_side_value(s, 1 - s->turn, weights, NULL);
}

/* Move ordering: captures first, then moves that prevent a mill of the opponent. */
static inline int32_t morris_rank(const struct morris *s, qv_move move)
{
	const uint32_t to = morris_bit(morris_to(move));
	if (morris_taken(move) != MORRIS_NONE)
		return 100;
	return ((to & morris_closing(s->men[1 - s->turn])) ? 50 : 0) +
	       bits_count(morris_near(to) & ~(s->men[0] | s->men[1]));
}

/* Whether a move captures nothing. */
static inline bool morris_quiet(const struct morris *s, qv_move move)
{
	(void)s;
	return morris_taken(move) == MORRIS_NONE;
}

#endif
