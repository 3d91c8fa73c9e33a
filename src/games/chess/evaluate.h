/*
 * evaluate.h - chess: what a position is worth, in hundredths of a pawn.
 * SPDX-License-Identifier: MIT
 */
#ifndef CHESS_EVALUATE_H
#define CHESS_EVALUATE_H

#include "games/chess/rules.h"

static const int32_t chess_values[CHESS_KINDS] = { 100, 320, 330, 500, 900, 0 };

static inline int32_t chess_material(const struct chess *s, int side)
{
	int32_t sum = 0;
	for (int kind = CHESS_PAWN; kind < CHESS_KING; kind++)
		sum += chess_values[kind] * bits_count(chess_of(s, side, kind));
	return sum;
}

/* Men near the middle, and pawns that have come far. */
static inline int32_t chess_side_value(const struct chess *s, int side)
{
	const uint64_t middle = UINT64_C(0x0000001818000000), around = UINT64_C(0x00003c3c3c3c0000);
	const uint64_t men = s->side[side] & ~s->kind[CHESS_KING];
	uint64_t pawns = chess_of(s, side, CHESS_PAWN);
	int32_t sum = chess_material(s, side) + 10 * bits_count(men & middle) +
		      10 * bits_count(men & around);
	if (side == CHESS_BLACK)
		pawns = bits_flip_bytes(pawns);
	for (int row = 3; row < 7; row++)
		sum += 5 * (row - 2) * bits_count(pawns >> 8 * row & 0xff);
	return sum;
}

static inline int32_t chess_evaluate(const struct chess *s, const void *weights)
{
	(void)weights;
	return chess_side_value(s, s->turn) - chess_side_value(s, 1 - s->turn);
}

/* What a move takes and what it promotes to, the dearest by the cheapest first. */
static inline int32_t chess_rank(const struct chess *s, qv_move move)
{
	int32_t rank = 0;
	if (chess_promotes(move))
		rank += chess_values[chess_promotion(move)];
	if (chess_takes(move))
		rank += 16 * chess_values[chess_taken(s, move)] -
			chess_values[chess_mover(s, move)] / 10;
	return rank;
}

static inline bool chess_quiet(const struct chess *s, qv_move move)
{
	(void)s;
	return !chess_takes(move) && !chess_promotes(move);
}

#endif
