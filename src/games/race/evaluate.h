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
/* An evaluation v is an expected result of tanh(v / scale), fitted to games of level 2. */
#define RACE_SCALE 400.0

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

/* A weight that counts `count` times for a seat; the product may need more than 32 bits. */
QV_ALWAYS_INLINE int64_t race_weigh(struct qv_terms *terms, const int32_t *w, int place, int seat,
				    int32_t count)
{
	if (terms)
		qv_weigh(terms, w, place, seat, count);
	return (int64_t)w[place] * count;
}

/* The value of a piece by its square. */
QV_ALWAYS_INLINE int64_t race_worth(int square, int seat, const int32_t *w, struct qv_terms *terms)
{
	return square == RACE_START
		       ? 0
		       : race_weigh(terms, w, RACE_W_STEP, seat, square) +
				 race_weigh(terms, w, RACE_W_ENTERED, seat, 1) +
				 (square == RACE_HOME ? race_weigh(terms, w, RACE_W_HOME, seat, 1)
						      : 0);
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
QV_ALWAYS_INLINE int64_t race_standing_as(const struct race *s, int seat, const int32_t *w,
					  struct qv_terms *terms)
{
	const uint8_t *at = s->at[seat];
	const uint32_t blocks = race_blocks(s, seat);
	int64_t sum = race_weigh(terms, w, RACE_W_BLOCK, seat, bits_count(blocks)), risk = 0;
	int faces = 0;
	for (int i = 0; i < RACE_PIECES; i++) {
		const int64_t worth = race_worth(at[i], seat, w, terms);
		sum += worth;
		if (RACE_TRACK >> at[i] & 1 && !(blocks >> at[i] & 1)) {
			const int hits = race_hits(s, 1 - seat, at[i], blocks);
			risk += worth * hits;
			faces += hits;
		}
	}
	const int64_t loss = risk * w[RACE_W_RISK] / 100;
	if (terms)
		qv_term_add(terms, RACE_W_RISK, NULL, seat, faces, -loss);
	return sum - loss;
}

static inline int64_t race_standing(const struct race *s, int seat, const int32_t *w)
{
	return race_standing_as(s, seat, w, NULL);
}

/* The value for the seat to move, rolled or not. The term `limit` keeps it within the bounds. */
QV_ALWAYS_INLINE int32_t race_evaluate_as(const struct race *s, const void *weights,
					  struct qv_terms *terms)
{
	const int32_t *w = weights;
	const int me = s->turn;
	const int64_t mine = terms ? race_standing_as(s, me, w, terms) : race_standing(s, me, w),
		      theirs = terms ? race_standing_as(s, 1 - me, w, terms)
				     : race_standing(s, 1 - me, w);
	const int64_t value = mine - theirs + race_weigh(terms, w, RACE_W_THROW, me, s->roll);
	const int64_t bounded = value > QV_MAX_EVAL    ? QV_MAX_EVAL
				: value < -QV_MAX_EVAL ? -QV_MAX_EVAL
						       : value;
	if (terms && bounded != value)
		qv_term_add(terms, -1, "limit", me, 0, bounded - value);
	return (int32_t)bounded;
}

static inline int32_t race_evaluate(const struct race *s, const void *weights)
{
	return race_evaluate_as(s, weights, NULL);
}

#endif
