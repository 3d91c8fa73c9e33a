/*
 * noughts3d.c - noughts and crosses in a cube, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board is a cube of 4x4x4 cells: columns a to d, rows 1 to 4, levels A to D. It starts
 *     empty.
 *  2. Crosses (x) begin. The players take turns and put a sign of theirs into an empty cell.
 *  3. Four signs of one's own in a straight line of four cells win, and the game is over.
 *  4. If the cube is full and nobody has won, it is a draw.
 *
 * Position: the 64 cells, level by level, row by row, a blank, the side whose turn it is.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <string.h>

enum { CELLS = 64, SIDE = 65 };            /* places in the text */

static void noughts3d_start(char *position, size_t size)
{
	snprintf(position, size, "................................"
				 "................................ x");
}

/* '#' outside the cube. */
static char at(const char *position, int column, int row, int level)
{
	if (column < 0 || column > 3 || row < 0 || row > 3 || level < 0 || level > 3)
		return '#';
	return position[(level * 4 + row) * 4 + column];
}

/* Four steps in a direction, beginning at a cell, are all of that side. */
static bool four_from(const char *position, int cell, const int step[3], char side)
{
	int column = cell % 4, row = cell / 4 % 4, level = cell / 16;
	for (int i = 0; i < 4; i++) {
		if (at(position, column, row, level) != side)
			return false;
		column += step[0];
		row += step[1];
		level += step[2];
	}
	return true;
}

static bool has_won(const char *position, char side)
{
	for (int direction = 0; direction < 27; direction++) {
		const int step[3] = { direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1 };
		if (!step[0] && !step[1] && !step[2])
			continue;
		for (int cell = 0; cell < CELLS; cell++)
			if (four_from(position, cell, step, side))
				return true;
	}
	return false;
}

static bool noughts3d_over(const char *position, int points[2])
{
	points[0] = has_won(position, 'x');
	points[1] = has_won(position, 'o');
	return points[0] || points[1] || !memchr(position, '.', CELLS);
}

static int noughts3d_moves(const char *position, char list[][16], int max)
{
	int count = 0, points[2];
	if (noughts3d_over(position, points))
		return 0;
	for (char level = 'A'; level <= 'D'; level++)
		for (char row = '1'; row <= '4'; row++)
			for (char column = 'a'; column <= 'd'; column++)
				if (at(position, column - 'a', row - '1', level - 'A') == '.' &&
				    count < max)
					snprintf(list[count++], 16, "%c%c%c", column, row, level);
	return count;
}

static bool noughts3d_play(char *position, size_t size, const char *move)
{
	char list[CELLS][16];
	const int count = noughts3d_moves(position, list, CELLS);
	(void)size;
	for (int i = 0; i < count; i++) {
		if (strcmp(list[i], move) != 0)
			continue;
		position[((move[2] - 'A') * 4 + (move[1] - '1')) * 4 + (move[0] - 'a')] =
			position[SIDE];
		position[SIDE] = position[SIDE] == 'x' ? 'o' : 'x';
		return true;
	}
	return false;
}

const struct twin twin_noughts3d = {
	"noughts3d", noughts3d_start, noughts3d_moves, noughts3d_play, noughts3d_over,
};
