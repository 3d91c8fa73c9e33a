/*
 * noughts.c - noughts and crosses, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board has nine squares, numbered 1 to 9 from the top left, row by row. It starts empty.
 *  2. Crosses (x) begin. The players take turns and put a sign of theirs on an empty square.
 *  3. Three signs of one's own in a row, in a column or on a diagonal win, and the game is over.
 *  4. If the board is full and nobody has won, it is a draw.
 *
 * Position: the nine squares, a blank, the side whose turn it is.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <string.h>

enum { SQUARES = 9, SIDE = 10 };           /* places in the text */

static void noughts_start(char *position, size_t size)
{
	snprintf(position, size, "......... x");
}

static char at(const char *position, int row, int column)
{
	return position[3 * row + column];
}

static bool has_won(const char *position, char side)
{
	for (int i = 0; i < 3; i++) {
		if (at(position, i, 0) == side && at(position, i, 1) == side &&
		    at(position, i, 2) == side)
			return true;
		if (at(position, 0, i) == side && at(position, 1, i) == side &&
		    at(position, 2, i) == side)
			return true;
	}
	if (at(position, 1, 1) != side)
		return false;
	return (at(position, 0, 0) == side && at(position, 2, 2) == side) ||
	       (at(position, 0, 2) == side && at(position, 2, 0) == side);
}

static bool noughts_over(const char *position, int points[2])
{
	points[0] = has_won(position, 'x');
	points[1] = has_won(position, 'o');
	return points[0] || points[1] || !memchr(position, '.', SQUARES);
}

static int noughts_moves(const char *position, char list[][16], int max)
{
	int count = 0, points[2];
	if (noughts_over(position, points))
		return 0;
	for (int square = 1; square <= SQUARES; square++)
		if (position[square - 1] == '.' && count < max)
			snprintf(list[count++], 16, "%d", square);
	return count;
}

static bool noughts_play(char *position, size_t size, const char *move)
{
	char list[SQUARES][16];
	const int count = noughts_moves(position, list, SQUARES);
	(void)size;
	for (int i = 0; i < count; i++) {
		if (strcmp(list[i], move) != 0)
			continue;
		position[move[0] - '1'] = position[SIDE];
		position[SIDE] = position[SIDE] == 'x' ? 'o' : 'x';
		return true;
	}
	return false;
}

const struct twin twin_noughts = {
	"noughts", noughts_start, noughts_moves, noughts_play, noughts_over,
};
