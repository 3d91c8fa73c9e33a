/*
 * reversi.c - reversi, straight from the rules' text.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board has eight columns, a to h, and eight rows, 1 to 8. At the start black (X) has d5
 *     and e4, white (O) has d4 and e5. Black begins.
 *  2. A move puts a disc of one's own on an empty square so that in at least one of the eight
 *     directions one or more discs of the opponent lie in an unbroken row between it and another
 *     disc of one's own. All the discs of all such rows are turned over.
 *  3. Who has no such move passes. Nobody may pass otherwise.
 *  4. The game is over when neither side has a move. Most discs win.
 */
#include "twins/reversi.h"

#include <stdio.h>
#include <string.h>

struct board {
	char at[8][8];             /* row, column */
	char side;
};

static bool read_board(const char *position, struct board *b)
{
	if (strlen(position) != 66 || position[64] != ' ')
		return false;
	for (int row = 0; row < 8; row++)
		for (int column = 0; column < 8; column++)
			b->at[row][column] = position[row * 8 + column];
	b->side = position[65];
	return true;
}

static void write_board(const struct board *b, char *position, size_t size)
{
	snprintf(position, size, "%.64s %c", &b->at[0][0], b->side);
}

static char opponent_of(char side)
{
	return side == 'X' ? 'O' : 'X';
}

static bool on_board(int row, int column)
{
	return row >= 0 && row < 8 && column >= 0 && column < 8;
}

/* The number of enemy discs between the square and one's own next disc in a direction. */
static int outflanked(const struct board *b, char side, int row, int column, int down, int right)
{
	int n = 0;
	for (;;) {
		row += down;
		column += right;
		if (!on_board(row, column))
			return 0;
		if (b->at[row][column] == side)
			return n;
		if (b->at[row][column] != opponent_of(side))
			return 0;
		n++;
	}
}

static bool can_put(const struct board *b, char side, int row, int column)
{
	if (b->at[row][column] != '-')
		return false;
	for (int down = -1; down <= 1; down++)
		for (int right = -1; right <= 1; right++)
			if ((down || right) && outflanked(b, side, row, column, down, right) > 0)
				return true;
	return false;
}

static bool can_move(const struct board *b, char side)
{
	for (int row = 0; row < 8; row++)
		for (int column = 0; column < 8; column++)
			if (can_put(b, side, row, column))
				return true;
	return false;
}

static void put(struct board *b, int row, int column)
{
	for (int down = -1; down <= 1; down++)
		for (int right = -1; right <= 1; right++) {
			if (!down && !right)
				continue;
			const int n = outflanked(b, b->side, row, column, down, right);
			for (int i = 1; i <= n; i++)
				b->at[row + i * down][column + i * right] = b->side;
		}
	b->at[row][column] = b->side;
}

static int count_discs(const struct board *b, char side)
{
	int n = 0;
	for (int row = 0; row < 8; row++)
		for (int column = 0; column < 8; column++)
			n += b->at[row][column] == side;
	return n;
}

static void twin_start(char *position, size_t size)
{
	struct board b;
	memset(b.at, '-', sizeof b.at);
	b.at[4][3] = b.at[3][4] = 'X';     /* d5, e4 */
	b.at[3][3] = b.at[4][4] = 'O';     /* d4, e5 */
	b.side = 'X';
	write_board(&b, position, size);
}

static int twin_moves(const char *position, char list[][16], int max)
{
	struct board b;
	int n = 0;
	if (!read_board(position, &b))
		return 0;
	for (int row = 0; row < 8; row++)
		for (int column = 0; column < 8; column++)
			if (n < max && can_put(&b, b.side, row, column))
				snprintf(list[n++], 16, "%c%c", 'a' + column, '1' + row);
	if (n == 0 && max > 0 && can_move(&b, opponent_of(b.side)))
		snprintf(list[n++], 16, "pass");
	return n;
}

static bool twin_play(char *position, size_t size, const char *move)
{
	struct board b;
	if (!read_board(position, &b))
		return false;
	if (strcmp(move, "pass") == 0) {
		if (can_move(&b, b.side) || !can_move(&b, opponent_of(b.side)))
			return false;
	} else {
		if (strlen(move) != 2)
			return false;
		const int row = move[1] - '1', column = move[0] - 'a';
		if (!on_board(row, column) || !can_put(&b, b.side, row, column))
			return false;
		put(&b, row, column);
	}
	b.side = opponent_of(b.side);
	write_board(&b, position, size);
	return true;
}

static bool twin_over(const char *position, int points[2])
{
	struct board b;
	if (!read_board(position, &b) || can_move(&b, 'X') || can_move(&b, 'O'))
		return false;
	points[0] = count_discs(&b, 'X');
	points[1] = count_discs(&b, 'O');
	return true;
}

const struct twin twin_reversi = { "reversi", twin_start, twin_moves, twin_play, twin_over };
