/*
 * net.c - chess: the value of a position by the net.
 * SPDX-License-Identifier: MIT
 *
 * A file of its own, since searches call it through a pointer: the engine for browsers has it twice,
 * with vectors and without, and need not compile the searches twice.
 */
#include "games/chess/net.h"

int32_t chess_net_evaluate(const void *state, const void *weights, void *memory)
{
	const struct chess *s = state;
	const int32_t extra = chess_mop_up(s, s->turn) - chess_mop_up(s, 1 - s->turn);
	const int32_t value = chess_net_value(s, weights, memory);
	const int strong = value > 0 ? s->turn : 1 - s->turn;
	const int64_t left =
		s->kind[CHESS_PAWN] & s->side[strong] ? CHESS_SCALE_ONE : chess_scale(s, strong);
	return (int32_t)(value * left / CHESS_SCALE_ONE) + extra;
}
