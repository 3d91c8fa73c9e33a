/*
 * reversi_notions.c - the strategic terms of reversi, straight from their descriptions.
 * SPDX-License-Identifier: MIT
 *
 *  1. Mobility: the number of moves that a player has. Potential mobility: open squares next to
 *     discs of the opponent. Frontier: discs next to open squares. Quiet moves turn over no
 *     frontier disc; the square of the move is not open any more.
 *  2. The corners are a1, h1, a8, h8. C-squares are the squares of the sides beside a corner,
 *     X-squares those diagonally beside one; they count while their corner is open. Edges are the
 *     other squares of the sides.
 *  3. Stability: a disc that cannot be flanked. On each of the four lines through it one of this
 *     holds: all squares of the line are taken; the square is at an end of the line; one of its
 *     neighbours on the line is a stable disc of the same colour.
 *  4. Parity: regions of open squares that touch. The player to move counts those of an odd number
 *     of squares, the other those of an even number, in which the player to move can play.
 */
#include "twins/notions.h"

#include <stdio.h>
#include <string.h>

struct board {
	char at[8][8]; /* row, column */
	char side;
};

typedef bool square_set[8][8];

static bool on_board(int row, int column)
{
	return row >= 0 && row < 8 && column >= 0 && column < 8;
}

static bool holds(const struct board *b, int row, int column, char what)
{
	return on_board(row, column) && b->at[row][column] == what;
}

static char other(char side)
{
	return side == 'X' ? 'O' : 'X';
}

/* ---- rule 1 ---- */

static bool is_move(const struct board *b, char side, int row, int column)
{
	if (b->at[row][column] != '-')
		return false;
	for (int down = -1; down <= 1; down++)
		for (int right = -1; right <= 1; right++) {
			int r = row + down, c = column + right, between = 0;
			while ((down || right) && holds(b, r, c, other(side))) {
				r += down;
				c += right;
				between++;
			}
			if (between && holds(b, r, c, side))
				return true;
		}
	return false;
}

static bool is_next_to(const struct board *b, int row, int column, char what)
{
	for (int down = -1; down <= 1; down++)
		for (int right = -1; right <= 1; right++)
			if ((down || right) && holds(b, row + down, column + right, what))
				return true;
	return false;
}

static bool has_potential(const struct board *b, char side, int row, int column)
{
	return b->at[row][column] == '-' && is_next_to(b, row, column, other(side));
}

static bool is_frontier(const struct board *b, char side, int row, int column)
{
	return b->at[row][column] == side && is_next_to(b, row, column, '-');
}

static bool is_quiet_move(const struct board *b, char side, int row, int column)
{
	struct board after = *b;
	after.at[row][column] = side;
	if (!is_move(b, side, row, column))
		return false;
	for (int down = -1; down <= 1; down++)
		for (int right = -1; right <= 1; right++) {
			bool open = false;
			int r = row + down, c = column + right;
			for (; (down || right) && holds(b, r, c, other(side)); r += down, c += right)
				open |= is_next_to(&after, r, c, '-');
			if (open && holds(b, r, c, side))
				return false;
		}
	return true;
}

/* ---- rule 2 ---- */

static bool is_end(int place)
{
	return place == 0 || place == 7;
}

static bool is_corner(const struct board *b, char side, int row, int column)
{
	return b->at[row][column] == side && is_end(row) && is_end(column);
}

/* The corner nearest to a square. */
static bool near_open_corner(const struct board *b, int row, int column)
{
	return b->at[row < 4 ? 0 : 7][column < 4 ? 0 : 7] == '-';
}

static bool is_beside_end(int place)
{
	return place == 1 || place == 6;
}

static bool on_c_square(int row, int column)
{
	return (is_end(row) && is_beside_end(column)) || (is_beside_end(row) && is_end(column));
}

static bool is_c_square(const struct board *b, char side, int row, int column)
{
	return b->at[row][column] == side && on_c_square(row, column) &&
	       near_open_corner(b, row, column);
}

static bool is_x_square(const struct board *b, char side, int row, int column)
{
	return b->at[row][column] == side && is_beside_end(row) && is_beside_end(column) &&
	       near_open_corner(b, row, column);
}

static bool is_edge(const struct board *b, char side, int row, int column)
{
	return b->at[row][column] == side && (is_end(row) || is_end(column)) &&
	       !(is_end(row) && is_end(column)) && !on_c_square(row, column);
}

/* ---- rule 3 ---- */

static bool line_is_full(const struct board *b, int row, int column, int down, int right)
{
	while (on_board(row - down, column - right)) {
		row -= down;
		column -= right;
	}
	for (; on_board(row, column); row += down, column += right)
		if (b->at[row][column] == '-')
			return false;
	return true;
}

static bool is_safe(const struct board *b, square_set stable, int row, int column, int down,
		    int right)
{
	const int r1 = row + down, c1 = column + right, r2 = row - down, c2 = column - right;
	if (!on_board(r1, c1) || !on_board(r2, c2))
		return true;
	return stable[r1][c1] || stable[r2][c2] || line_is_full(b, row, column, down, right);
}

static void find_stable(const struct board *b, char side, square_set stable)
{
	bool found = true;
	memset(stable, 0, sizeof(square_set));
	while (found) {
		found = false;
		for (int row = 0; row < 8; row++)
			for (int column = 0; column < 8; column++)
				if (b->at[row][column] == side && !stable[row][column] &&
				    is_safe(b, stable, row, column, 0, 1) &&
				    is_safe(b, stable, row, column, 1, 0) &&
				    is_safe(b, stable, row, column, 1, 1) &&
				    is_safe(b, stable, row, column, 1, -1))
					found = stable[row][column] = true;
	}
}

/* ---- rule 4 ---- */

/* Counts the connected open squares; *playable: one of them is a move. */
static int walk(const struct board *b, int row, int column, square_set seen, square_set region,
		bool *playable)
{
	if (!holds(b, row, column, '-') || seen[row][column])
		return 0;
	seen[row][column] = region[row][column] = true;
	*playable = *playable || is_move(b, b->side, row, column);
	int count = 1;
	for (int down = -1; down <= 1; down++)
		for (int right = -1; right <= 1; right++)
			count += walk(b, row + down, column + right, seen, region, playable);
	return count;
}

static int find_parity(const struct board *b, char side, square_set out)
{
	square_set seen = { 0 };
	int regions = 0;
	memset(out, 0, sizeof(square_set));
	for (int row = 0; row < 8; row++)
		for (int column = 0; column < 8; column++) {
			square_set region = { 0 };
			bool playable = false;
			const int size = walk(b, row, column, seen, region, &playable);
			const bool odd = size % 2 == 1;
			if (!playable || odd != (side == b->side))
				continue;
			regions++;
			for (int i = 0; i < 64; i++)
				out[i / 8][i % 8] = out[i / 8][i % 8] || region[i / 8][i % 8];
		}
	return regions;
}

/* ---- all of them ---- */

static void put(struct twin_notion *n, const char *name, int seat, square_set cells)
{
	*n = (struct twin_notion){ .seat = seat };
	snprintf(n->name, sizeof n->name, "%s", name);
	for (int row = 0; row < 8; row++)
		for (int column = 0; column < 8; column++)
			if (cells[row][column])
				snprintf(n->cells[n->cell_count++], sizeof n->cells[0], "%c%d",
					 'a' + column, row + 1);
	n->value = n->cell_count;
}

int twin_reversi_notions(const char *position, struct twin_notion list[TWIN_NOTIONS])
{
	static const struct {
		const char *name;
		bool (*has)(const struct board *b, char side, int row, int column);
	} simple[] = {
		{ "mobility", is_move },      { "quiet moves", is_quiet_move },
		{ "frontier", is_frontier },  { "potential mobility", has_potential },
		{ "corners", is_corner },     { "edges", is_edge },
		{ "C-squares", is_c_square }, { "X-squares", is_x_square },
	};
	struct board b;
	square_set cells;
	int count = 0;
	memcpy(b.at, position, sizeof b.at);
	b.side = position[65];
	for (int seat = 0; seat < 2; seat++) {
		const char side = seat == 0 ? 'X' : 'O';
		for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
			for (int row = 0; row < 8; row++)
				for (int column = 0; column < 8; column++)
					cells[row][column] = simple[i].has(&b, side, row, column);
			put(&list[count++], simple[i].name, seat, cells);
		}
		find_stable(&b, side, cells);
		put(&list[count++], "stability", seat, cells);
		const int regions = find_parity(&b, side, cells);
		put(&list[count], "parity", seat, cells);
		list[count++].value = regions;
	}
	return count;
}
