/*
 * evaluate.h - an evaluation of Race! for the seat to move.
 * SPDX-License-Identifier: MIT
 *
 * A seat's progress plus the value of its blocks, minus what it may lose: for each single piece
 * that the other seat can hit with one roll, the progress it would lose times the faces that hit
 * it. The weights come from about a hundred thousand games at depth 1. Waiting for a six costs
 * most.
 */
#ifndef RACE_EVALUATE_H
#define RACE_EVALUATE_H

#include "games/race/rules.h"

enum {
	RACE_W_STEP,               /* a square of progress */
	RACE_W_ENTERED,            /* a piece that has left the start */
	RACE_W_HOME,               /* a piece that is home */
	RACE_W_BLOCK,              /* a square held by two or more pieces */
	RACE_W_RISK,               /* hundredths of a piece's value, for each face that hits it */
	RACE_W_THROW,              /* a square of progress that the mover's roll will bring */
	RACE_WEIGHTS,
};

/*
 * The value of a win where chances are averaged. It is on the scale of the evaluation, so that a
 * small chance to win does not outweigh everything else. No evaluation with these weights reaches
 * it.
 */
enum { RACE_WIN = 1200 };

static const int32_t race_weights[RACE_WEIGHTS] = {
	[RACE_W_STEP] = 6, [RACE_W_ENTERED] = 120, [RACE_W_HOME] = 45,
	[RACE_W_BLOCK] = 10, [RACE_W_RISK] = 15, [RACE_W_THROW] = 8,
};

static const struct qv_weight race_weight_names[] = {
	{ "step", RACE_W_STEP, 1 },   { "entered", RACE_W_ENTERED, 1 },
	{ "home", RACE_W_HOME, 1 },   { "block", RACE_W_BLOCK, 1 },
	{ "risk", RACE_W_RISK, 1 },   { "throw", RACE_W_THROW, 1 },
	{ NULL, 0, 0 },
};

/* The value of a piece by its square. */
static inline int64_t race_worth(int square, const int32_t *w)
{
	return square == RACE_START ? 0
				    : (int64_t)w[RACE_W_STEP] * square + w[RACE_W_ENTERED] +
					      (square == RACE_HOME ? w[RACE_W_HOME] : 0);
}

/*
 * The number of faces that bring a piece of the seat to the square; after a roll, that face alone.
 */
static inline int race_hits(const struct race *s, int seat, int square, uint32_t blocks)
{
	const bool rolled = s->roll && s->turn == seat;
	int hits = 0;
	for (int face = rolled ? s->roll : 1; face <= (rolled ? s->roll : RACE_FACES); face++)
		for (int i = 0; i < RACE_PIECES; i++)
			if (race_target(s->at[seat][i], face) == square &&
			    race_can_move(s->at[seat][i], face, blocks)) {
				hits++;
				break;
			}
	return rolled ? hits * RACE_FACES : hits;
}

/* The value of a seat's pieces, blocks and risks. */
static inline int64_t race_standing(const struct race *s, int seat, const int32_t *w)
{
	const uint8_t *at = s->at[seat];
	const uint32_t blocks = race_blocks(s, seat);
	int64_t sum = (int64_t)w[RACE_W_BLOCK] * bits_count(blocks), risk = 0;
	for (int i = 0; i < RACE_PIECES; i++) {
		const int64_t worth = race_worth(at[i], w);
		sum += worth;
		if (RACE_TRACK >> at[i] & 1 && !(blocks >> at[i] & 1))
			risk += worth * race_hits(s, 1 - seat, at[i], blocks);
	}
	return sum - risk * w[RACE_W_RISK] / 100;
}

/* The value for the seat to move, rolled or not. */
static inline int32_t race_evaluate(const struct race *s, const void *weights)
{
	const int32_t *w = weights;
	const int64_t value = race_standing(s, s->turn, w) - race_standing(s, 1 - s->turn, w) +
			      (int64_t)w[RACE_W_THROW] * s->roll;
	return (int32_t)(value > QV_MAX_EVAL    ? QV_MAX_EVAL
			 : value < -QV_MAX_EVAL ? -QV_MAX_EVAL
						: value);
}

#endif
