/*
 * gomoku.c - which moves of go-moku can matter within a few moves.
 * SPDX-License-Identifier: MIT
 */
#include "base/bits.h"
#include "games/gomoku/rules.h"
#include "puzzle/plain.h"

enum { FIVE = 5, ROW = 31 };

/* Marks the points of rows of five with at least `least` stones of one colour and no others. */
static void mark_rows(const struct gomoku *s, int least, bool *marks)
{
	for (int line = 0; line < GOMOKU_LINES; line++) {
		const uint32_t black = s->stones[0][line], white = s->stones[1][line];
		if (bits_count(black) < least && bits_count(white) < least)
			continue;
		const uint32_t board = gomoku_board_mask(line, s->size);
		for (int first = 0; board >> first; first++) {
			const uint32_t x = black >> first & ROW, o = white >> first & ROW;
			if ((x && o) || (board >> first & ROW) != ROW || bits_count(x | o) < least)
				continue;
			for (int bit = first; bit < first + FIVE; bit++)
				marks[gomoku_point_at(line, bit)] = true;
		}
	}
}

/*
 * The attacker has `left` moves, and the defender no more, so only a row of five points with at
 * least 5 - left stones of one colour and none of the other can be filled. A stone in no such row
 * changes nothing. That holds for the freestyle rule, where more stones never harm.
 */
int gomoku_keep_what_matters(const void *state, qv_move *list, int n, int left, bool attacks)
{
	const struct gomoku *s = state;
	bool marks[GOMOKU_MAX_MOVES] = { false }, passed = attacks;
	int kept = 0;
	if (s->rule != GOMOKU_FREESTYLE || s->swap2 || left >= FIVE)
		return n;
	mark_rows(s, FIVE - left, marks);
	for (int i = 0; i < n; i++) {
		const bool matters = marks[list[i]];
		if (matters || !passed)
			list[kept++] = list[i];
		passed |= !matters;
	}
	return kept;
}
