/*
 * connect4.c - connect-four, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The frame stands upright and has seven columns, 1 to 7 from the left, of six cells each.
 *  2. The players, x first, take turns and drop a disc into a column that is not full; it falls to
 * the lowest empty cell.
 *  3. Who gets four discs of his own side by side in a straight line - across, upright or slanting
 * - wins, and the game is over.
 *  4. If the frame is full and nobody has won, it is a draw.
 *
 * Position: six rows from the top with '/' between them, a blank, the side whose turn it is.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 7, SIDE = ROWS * (COLUMNS + 1) };       /* SIDE: its index in the text */

static void connect4_start(char *position, size_t size)
{
	snprintf(position, size, "......./......./......./......./......./....... x");
}

/* The index of a cell in the text; row 0 is the top. */
static int place(int row, int column)
{
	return row * (COLUMNS + 1) + column;
}

static bool is_four(const char *position, int row, int column, int down, int right, char side)
{
	for (int i = 0; i < 4; i++, row += down, column += right) {
		if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS)
			return false;
		if (position[place(row, column)] != side)
			return false;
	}
	return true;
}

static bool has_won(const char *position, char side)
{
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			if (is_four(position, row, column, 0, 1, side) ||
			    is_four(position, row, column, 1, 0, side) ||
			    is_four(position, row, column, 1, 1, side) ||
			    is_four(position, row, column, 1, -1, side))
				return true;
	return false;
}

static bool connect4_over(const char *position, int points[2])
{
	points[0] = has_won(position, 'x');
	points[1] = has_won(position, 'o');
	return points[0] || points[1] || !memchr(position, '.', SIDE);
}

static int connect4_moves(const char *position, char list[][16], int max)
{
	int count = 0, points[2];
	if (connect4_over(position, points))
		return 0;
	for (int column = 0; column < COLUMNS; column++)
		if (position[place(0, column)] == '.' && count < max)
			snprintf(list[count++], 16, "%d", column + 1);
	return count;
}

static void drop(char *position, int column)
{
	int row = 0;
	while (row + 1 < ROWS && position[place(row + 1, column)] == '.')
		row++;
	position[place(row, column)] = position[SIDE];
	position[SIDE] = position[SIDE] == 'x' ? 'o' : 'x';
}

static bool connect4_play(char *position, size_t size, const char *move)
{
	char list[COLUMNS][16];
	const int count = connect4_moves(position, list, COLUMNS);
	(void)size;
	for (int i = 0; i < count; i++) {
		if (strcmp(list[i], move) != 0)
			continue;
		drop(position, move[0] - '1');
		return true;
	}
	return false;
}

const struct twin twin_connect4 = {
	"connect4", connect4_start, connect4_moves, connect4_play, connect4_over,
};
