/*
 * material.h - chess: the evaluation `material`, with weights.
 * SPDX-License-Identifier: MIT
 *
 * The weights are the values of the pieces, and what a pawn is worth for each row that it has
 * reached. The latter is 0 by default; the 1983 book sets it to a hundredth of a pawn.
 */
#ifndef CHESS_MATERIAL_H
#define CHESS_MATERIAL_H

#include "games/chess/exchange.h"

/* The values by kind, as in chess_values, then the value of a row. */
enum { CHESS_MATERIAL_ADVANCE = CHESS_EMPTY + 1, CHESS_MATERIAL_WEIGHTS };

static const int32_t chess_material_weights[CHESS_MATERIAL_WEIGHTS] = { CHESS_PIECE_VALUES };

static const struct qv_weight chess_material_names[] = {
	{ "value", CHESS_PAWN, 5 }, { "advance", CHESS_MATERIAL_ADVANCE, 1 }, { 0 },
};

/* The rows that a side's pawns have reached, counted from its own first row as 1. */
static inline int chess_pawn_rows(const struct chess *s, int side)
{
	int rows = 0;
	uint64_t left = chess_seen(chess_of(s, side, CHESS_PAWN), side);
	for (; left; left = bits_rest(left))
		rows += chess_row(bits_lowest(left)) + 1;
	return rows;
}

/* The material of a side; the rows only if they count, since they take time. */
QV_ALWAYS_INLINE int32_t chess_material_as(const struct chess *s, int side, const int32_t *w,
					   struct qv_terms *terms)
{
	int32_t sum = 0;
	for (int kind = CHESS_PAWN; kind < CHESS_KING; kind++)
		sum += qv_weigh(terms, w, kind, side, bits_count(chess_of(s, side, kind)));
	if (terms || w[CHESS_MATERIAL_ADVANCE])
		sum += qv_weigh(terms, w, CHESS_MATERIAL_ADVANCE, side, chess_pawn_rows(s, side));
	return sum;
}

/* The slots of struct qv_evaluation. */
static inline int32_t chess_material_evaluate(const void *state, const void *weights)
{
	const struct chess *s = state;
	return chess_material_as(s, s->turn, weights, NULL) -
	       chess_material_as(s, 1 - s->turn, weights, NULL);
}

static inline void chess_material_terms(const void *state, const void *weights,
					struct qv_terms *out)
{
	for (int side = 0; side < 2; side++)
		chess_material_as(state, side, weights, out);
}

static inline int32_t chess_material_gain(const void *state, qv_move move, const void *weights)
{
	const struct chess *s = state;
	const int32_t *w = weights;
	if (!w[CHESS_MATERIAL_ADVANCE])
		return chess_gain_by(s, move, w);
	/* Pawns move, are captured, and are promoted: comparing both positions is simplest. */
	struct chess after = *s;
	chess_play(&after, move);
	return -chess_material_evaluate(&after, w) - chess_material_evaluate(s, w);
}

#endif
