/*
 * player_1983.h - 3D noughts and crosses in the style of the 1983 book: one ply, evaluated by
 * lines.
 * SPDX-License-Identifier: MIT
 *
 * The book says that one ply with an evaluation of lines plays well, but gives no program. Here a
 * line counts if only one side has marks in it, as in the book's game on the square. An own four
 * comes first, then the opponent's three; the opponent's marks count more than one's own.
 */
#ifndef GAMES_NOUGHTS3D_PLAYER_1983_H
#define GAMES_NOUGHTS3D_PLAYER_1983_H

#include "games/noughts3d/rules.h"
#include "search/one_ply.h"

static const int32_t n3_1983_own[N3_SIDE + 1] = { 0, 1, 4, 16, 100000 };
static const int32_t n3_1983_other[N3_SIDE + 1] = { 0, 2, 12, 1000, 0 };

static int32_t n3_1983_line_value(uint64_t mine, uint64_t theirs, uint64_t line)
{
	if (!(theirs & line))
		return n3_1983_own[bits_count(mine & line)];
	return mine & line ? 0 : -n3_1983_other[bits_count(theirs & line)];
}

static int32_t n3_1983_score(const void *state, qv_move move, bool literal)
{
	const struct n3 *s = state;
	const uint64_t mine = s->mine | move;
	int32_t sum = 0;
	(void)literal;
#define X(step, starts, word, place)                                             \
	for (uint64_t left = starts; left; left = bits_rest(left)) {             \
		const uint64_t first = left & (0 - left);                        \
		sum += n3_1983_line_value(mine, s->theirs,                               \
				  first | first << (step) | first << 2 * (step) | \
					  first << 3 * (step));                  \
	}
	N3_EACH_DIRECTION(X)
#undef X
	return sum;
}

static const struct one_ply_program n3_program_1983 = { n3_1983_score, NULL, NULL, false };

#endif
