/*
 * shapes.h - the evaluation `shapes` of go-moku: the patterns in lines, and what stones on the empty
 * points would make in all directions together.
 * SPDX-License-Identifier: MIT
 *
 * The weights were fitted to the results of games of the player `threats` against itself, in
 * positions without a win by fours; 100 points are one unit of the logistic function.
 */
#ifndef GOMOKU_SHAPES_H
#define GOMOKU_SHAPES_H

#include "games/gomoku/evaluate.h"
#include "games/gomoku/threat_board.h"

/* The weights of evaluate.h come first. */
enum {
	GOMOKU_TURN = GOMOKU_WEIGHTS, /* for the side to move */
	GOMOKU_SHAPE,
	GOMOKU_THEIR_SHAPE = GOMOKU_SHAPE + SHAPES,
	GOMOKU_SHAPE_WEIGHTS = GOMOKU_THEIR_SHAPE + SHAPES,
};

/* The value for the colour whose turn it is, as gomoku_evaluate_colour. */
QV_ALWAYS_INLINE int32_t gomoku_shapes_colour(const struct threat_board *b, const int32_t *w,
					      int seat, struct qv_terms *terms)
{
	const int16_t *mine = b->shapes[b->s.turn], *theirs = b->shapes[1 - b->s.turn];
	int32_t value = gomoku_evaluate_colour(&b->s, w, seat, terms) +
			qv_weigh(terms, w, GOMOKU_TURN, seat, 1);
	for (int i = 0; i < SHAPES; i++)
		value += qv_weigh(terms, w, GOMOKU_SHAPE + i, seat, mine[i]) -
			 qv_weigh(terms, w, GOMOKU_THEIR_SHAPE + i, 1 - seat, theirs[i]);
	return value;
}

/* shapes.c: the slots of struct qv_evaluation. */
int32_t gomoku_shapes_evaluate(const void *state, const void *weights);
void gomoku_shapes_terms(const void *state, const void *weights, struct qv_terms *out);
extern const int32_t gomoku_shape_weights[GOMOKU_SHAPE_WEIGHTS];
extern const struct qv_weight gomoku_shape_names[];

#endif
