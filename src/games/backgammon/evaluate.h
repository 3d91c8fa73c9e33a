/*
 * evaluate.h - a simple evaluation of backgammon for the seat to move.
 * SPDX-License-Identifier: MIT
 *
 * The race in pips, the points that a seat holds, and the pips that its blots may lose: for each
 * blot the rolls, of 36, that hit it from any man behind it, times the pips it would be sent back.
 * Blocks on the way are ignored. The weights are set by hand. The dice do not count: a search
 * evaluates after each roll, so its average is the value before the roll.
 */
#ifndef BACKGAMMON_EVALUATE_H
#define BACKGAMMON_EVALUATE_H

#include "games/backgammon/rules.h"

enum {
	BACKGAMMON_W_PIP,    /* a pip to go */
	BACKGAMMON_W_OFF,    /* a man off */
	BACKGAMMON_W_BAR,    /* a man on the bar */
	BACKGAMMON_W_HOME,   /* a point held in the home board */
	BACKGAMMON_W_BLOCK,  /* a point held on 7 to 12 */
	BACKGAMMON_W_ANCHOR, /* a point held on 18 to 24 */
	BACKGAMMON_W_PRIME,  /* a held point next to another one, on 2 to 12 */
	BACKGAMMON_W_RISK,   /* a pip that blots lose on average */
	BACKGAMMON_WEIGHTS,
};

/*
 * The value of a won backgammon where chances are averaged; larger evaluations are cut to it. A
 * game won by one point counts a third of it.
 */
enum { BACKGAMMON_STAKES = 3, BACKGAMMON_WIN = 1000 * BACKGAMMON_STAKES };

static const int32_t backgammon_weights[BACKGAMMON_WEIGHTS] = {
	[BACKGAMMON_W_PIP] = -4,  [BACKGAMMON_W_OFF] = 4,    [BACKGAMMON_W_BAR] = -20,
	[BACKGAMMON_W_HOME] = 20, [BACKGAMMON_W_BLOCK] = 10, [BACKGAMMON_W_ANCHOR] = 15,
	[BACKGAMMON_W_PRIME] = 8, [BACKGAMMON_W_RISK] = -4,
};

static const struct qv_weight backgammon_weight_names[] = {
	{ "pip", BACKGAMMON_W_PIP, 1 },
	{ "off", BACKGAMMON_W_OFF, 1 },
	{ "bar", BACKGAMMON_W_BAR, 1 },
	{ "home", BACKGAMMON_W_HOME, 1 },
	{ "block", BACKGAMMON_W_BLOCK, 1 },
	{ "anchor", BACKGAMMON_W_ANCHOR, 1 },
	{ "prime", BACKGAMMON_W_PRIME, 1 },
	{ "risk", BACKGAMMON_W_RISK, 1 },
	{ NULL, 0, 0 },
};

/* The rolls, of 36, with which a man hits at a distance, if nothing is between. */
static const uint8_t backgammon_shots[BACKGAMMON_PLACES] = {
	[1] = 11, [2] = 12, [3] = 14, [4] = 15, [5] = 15, [6] = 17, [7] = 6,  [8] = 6,	[9] = 5,
	[10] = 3, [11] = 2, [12] = 3, [15] = 1, [16] = 1, [18] = 1, [20] = 1, [24] = 1,
};

/* What blots of a seat lose on average, in pips. */
static inline int32_t backgammon_risk(const uint8_t *mine, const uint8_t *theirs)
{
	const int rear = backgammon_rear(theirs);
	int32_t lost = 0;
	for (int point = 1; point <= BACKGAMMON_POINTS; point++) {
		int rolls = 0;
		if (mine[point] != 1)
			continue;
		for (int from = BACKGAMMON_BAR - point + 1; from <= rear; from++)
			rolls += theirs[from] ? backgammon_shots[from - (BACKGAMMON_BAR - point)]
					      : 0;
		lost += (rolls < 36 ? rolls : 36) * (BACKGAMMON_BAR - point);
	}
	return lost / 36;
}

/* What counts for a seat, by weight. */
static inline void backgammon_counts(const struct backgammon *s, int seat, int32_t *counts)
{
	const uint8_t *men = s->men[seat];
	memset(counts, 0, BACKGAMMON_WEIGHTS * sizeof *counts);
	counts[BACKGAMMON_W_PIP] = backgammon_pips(men);
	counts[BACKGAMMON_W_OFF] = men[BACKGAMMON_OFF];
	counts[BACKGAMMON_W_BAR] = men[BACKGAMMON_BAR];
	/* Without contact points and blots do not matter. */
	if (backgammon_rear(s->men[0]) + backgammon_rear(s->men[1]) <= BACKGAMMON_POINTS)
		return;
	for (int point = 1; point <= BACKGAMMON_POINTS; point++) {
		if (men[point] < 2)
			continue;
		counts[BACKGAMMON_W_HOME] += point <= 6;
		counts[BACKGAMMON_W_BLOCK] += point > 6 && point <= 12;
		counts[BACKGAMMON_W_ANCHOR] += point >= 18;
		counts[BACKGAMMON_W_PRIME] += point > 1 && point <= 12 && men[point - 1] > 1;
	}
	counts[BACKGAMMON_W_RISK] = backgammon_risk(men, s->men[1 - seat]);
}

/* The value for the seat to move. The term `limit` keeps it within the bounds of evaluations. */
static inline int32_t backgammon_evaluate_as(const struct backgammon *s, const void *weights,
					     struct qv_terms *terms)
{
	const int32_t *w = weights;
	const int mover = backgammon_mover(s);
	int64_t value = 0;
	for (int k = 0; k < 2; k++) {
		const int seat = k ? 1 - mover : mover;
		int32_t counts[BACKGAMMON_WEIGHTS];
		backgammon_counts(s, seat, counts);
		for (int i = 0; i < BACKGAMMON_WEIGHTS; i++) {
			const int64_t product = (int64_t)w[i] * counts[i];
			value += k ? -product : product;
			if (terms)
				qv_term_add(terms, i, NULL, seat, counts[i], product);
		}
	}
	const int64_t bounded = value > QV_MAX_EVAL    ? QV_MAX_EVAL
				: value < -QV_MAX_EVAL ? -QV_MAX_EVAL
						       : value;
	if (terms && bounded != value)
		qv_term_add(terms, -1, "limit", mover, 0, bounded - value);
	return (int32_t)bounded;
}

static inline int32_t backgammon_evaluate(const struct backgammon *s, const void *weights)
{
	return backgammon_evaluate_as(s, weights, NULL);
}

#endif
