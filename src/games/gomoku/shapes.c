/*
 * shapes.c - the evaluation `shapes` of go-moku: weights, and the evaluation of a single position.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/shapes.h"

const int32_t gomoku_shape_weights[GOMOKU_SHAPE_WEIGHTS] = {
	/* Windows of five points with one to four stones, then of six. */
	6,
	16,
	-13,
	80,
	-6,
	-3,
	90,
	500,
	3,
	18,
	-12,
	60,
	-4,
	-13,
	54,
	500,
	[GOMOKU_FIVE_NEXT] = 20000,
	[GOMOKU_CANNOT_STOP] = 10000,
	[GOMOKU_STRAIGHT_NEXT] = 5000,
	[GOMOKU_TURN] = 16,
	/* In the order of the shapes. */
	[GOMOKU_SHAPE] = 60,
	43,
	18,
	62,
	22,
	13,
	-2,
	6,
	4,
	[GOMOKU_THEIR_SHAPE] = 61,
	56,
	31,
	58,
	21,
	14,
	1,
	4,
	2,
};

const struct qv_weight gomoku_shape_names[] = {
	{ "five", GOMOKU_FIVE_1, 4 },
	{ "six", GOMOKU_SIX_1, 4 },
	{ "their-five", GOMOKU_THEIRS + GOMOKU_FIVE_1, 4 },
	{ "their-six", GOMOKU_THEIRS + GOMOKU_SIX_1, 4 },
	{ "five-next", GOMOKU_FIVE_NEXT, 1 },
	{ "cannot-stop", GOMOKU_CANNOT_STOP, 1 },
	{ "straight-next", GOMOKU_STRAIGHT_NEXT, 1 },
	{ "turn", GOMOKU_TURN, 1 },
	{ "shape", GOMOKU_SHAPE, SHAPES },
	{ "their-shape", GOMOKU_THEIR_SHAPE, SHAPES },
	{ 0 },
};

QV_ALWAYS_INLINE int32_t evaluate(const struct gomoku *s, const void *weights,
				  struct qv_terms *terms)
{
	const int seat = gomoku_seat(s);
	struct threat_board board;
	threat_board_set(&board, s);
	const int32_t value = gomoku_shapes_colour(&board, weights, seat, NULL);
	const bool flips = gomoku_flips(s, value);
	if (terms)
		gomoku_shapes_colour(&board, weights, flips ? 1 - seat : seat, terms);
	return flips ? -value : value;
}

int32_t gomoku_shapes_evaluate(const void *state, const void *weights)
{
	return evaluate(state, weights, NULL);
}

void gomoku_shapes_terms(const void *state, const void *weights, struct qv_terms *out)
{
	evaluate(state, weights, out);
}
