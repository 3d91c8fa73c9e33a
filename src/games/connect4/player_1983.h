/*
 * player_1983.h - connect-four in the style of the 1983 book: one ply, evaluated by open lines.
 * SPDX-License-Identifier: MIT
 *
 * The book mentions the game as one for a single ply and gives no program. A line of four squares
 * counts if only one side has discs in it. A three of the opponent's whose gap can be filled at
 * once outweighs everything but an own four.
 */
#ifndef GAMES_CONNECT4_PLAYER_1983_H
#define GAMES_CONNECT4_PLAYER_1983_H

#include "games/connect4/rules.h"
#include "search/one_ply.h"

enum { LINE = 4, AT_ONCE = 1000 };

static const int32_t c4_1983_own[LINE + 1] = { 0, 1, 4, 16, 100000 };
static const int32_t c4_1983_other[LINE + 1] = { 0, 2, 12, 24, 0 };

/* The value of one line after the move. */
static int32_t c4_1983_line_value(uint64_t mine, uint64_t theirs, uint64_t playable, uint64_t line)
{
	if (!(theirs & line))
		return c4_1983_own[bits_count(mine & line)];
	if (mine & line)
		return 0;
	const int men = bits_count(theirs & line);
	return -c4_1983_other[men] - (men == LINE - 1 && playable & line ? AT_ONCE : 0);
}

static int32_t c4_1983_score(const void *state, qv_move move, bool literal)
{
	static const int steps[] = { 1, C4_STRIDE - 1, C4_STRIDE, C4_STRIDE + 1 };
	struct c4 next = *(const struct c4 *)state;
	int32_t sum = 0;
	(void)literal;
	c4_play(&next, move);
	const uint64_t theirs = next.mover, mine = next.mover ^ next.all,
		       playable = c4_playable(&next);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		for (uint64_t left = C4_BOARD; left; left = bits_rest(left)) {
			const uint64_t first = left & (0 - left);
			const uint64_t line = first | first << steps[i] | first << 2 * steps[i] |
					      first << 3 * steps[i];
			if (bits_count(line & C4_BOARD) == LINE)
				sum += c4_1983_line_value(mine, theirs, playable, line);
		}
	return sum;
}

static const struct one_ply_program c4_program_1983 = { c4_1983_score, NULL, NULL, false };

#endif
