/*
 * chess.c - mates by the chess solver (games/chess/puzzles.h), for the maker.
 * SPDX-License-Identifier: MIT
 */
#include "games/chess/puzzles.h"
#include "puzzle/inside.h"

int chess_mate_in(const struct qv_allocator *a, const void *state, int most, uint64_t nodes)
{
	enum { TABLE_BYTES = 1 << 20 };
	const struct qv_solve_limits limits = { .nodes = nodes };
	struct chess_mate m;
	if (chess_mate(a, state, most, TABLE_BYTES, &limits, &m, NULL) != QV_OK)
		return 0;
	return m.moves;
}
