/*
 * hexapawn.c - hexapawn, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board is 3x3, columns a to c, ranks 1 to 3. White's three pawns (P) stand on rank 1,
 *     black's (p) on rank 3. White begins; the players take turns.
 *  2. A white pawn goes up, a black one down: one square straight on if that is empty, or one
 *     square slantwise on if an enemy pawn is there, which is taken off.
 *  3. Who has a pawn on the far rank has won.
 *  4. Who is to move and has no move has lost. In the other variant the game is drawn.
 *
 * Position: ranks 3, 2, 1 with / between them, a blank, the side whose turn it is.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, MOST_MOVES = 9 };        /* the side's place in the text */

static void hexapawn_start(char *position, size_t size)
{
	snprintf(position, size, "ppp/.../PPP w");
}

/* a pointer to a square in the text; NULL if it is not on the board. */
static char *at(char *position, char column, char rank)
{
	if (column < 'a' || column > 'c' || rank < '1' || rank > '3')
		return NULL;
	return position + 4 * ('3' - rank) + (column - 'a');
}

static char letter_at(const char *position, char column, char rank)
{
	char copy[SIDE + 2];
	memcpy(copy, position, sizeof copy);
	const char *square = at(copy, column, rank);
	return square ? *square : '#';
}

static bool can_go(const char *position, char column, char rank, char to_column, char to_rank)
{
	const bool white = position[SIDE] == 'w';
	if (letter_at(position, column, rank) != (white ? 'P' : 'p'))
		return false;
	if (to_rank != rank + (white ? 1 : -1))
		return false;
	const char there = letter_at(position, to_column, to_rank);
	if (to_column == column)
		return there == '.';
	return abs(to_column - column) == 1 && there == (white ? 'p' : 'P');
}

static bool has_arrived(const char *position, char pawn)
{
	const char rank = pawn == 'P' ? '3' : '1';
	return letter_at(position, 'a', rank) == pawn || letter_at(position, 'b', rank) == pawn ||
	       letter_at(position, 'c', rank) == pawn;
}

static int hexapawn_moves(const char *position, char list[][16], int max)
{
	int count = 0;
	if (has_arrived(position, 'P') || has_arrived(position, 'p'))
		return 0;
	for (char column = 'a'; column <= 'c'; column++)
		for (char rank = '1'; rank <= '3'; rank++)
			for (char to = 'a'; to <= 'c'; to++)
				for (char up = '1'; up <= '3'; up++)
					if (can_go(position, column, rank, to, up) && count < max)
						snprintf(list[count++], 16, "%c%c-%c%c", column,
							 rank, to, up);
	return count;
}

static bool hexapawn_play(char *position, size_t size, const char *move)
{
	char list[MOST_MOVES][16];
	const int count = hexapawn_moves(position, list, MOST_MOVES);
	(void)size;
	for (int i = 0; i < count; i++) {
		if (strcmp(list[i], move) != 0)
			continue;
		*at(position, move[3], move[4]) = *at(position, move[0], move[1]);
		*at(position, move[0], move[1]) = '.';
		position[SIDE] = position[SIDE] == 'w' ? 'b' : 'w';
		return true;
	}
	return false;
}

static bool over(const char *position, int points[2], bool blocked_loses)
{
	char list[MOST_MOVES][16];
	points[0] = has_arrived(position, 'P');
	points[1] = has_arrived(position, 'p');
	if (points[0] || points[1])
		return true;
	if (hexapawn_moves(position, list, MOST_MOVES))
		return false;
	if (blocked_loses)
		points[position[SIDE] == 'w'] = 1;
	return true;
}

static bool hexapawn_over(const char *position, int points[2])
{
	return over(position, points, true);
}

static bool hexapawn_draw_over(const char *position, int points[2])
{
	return over(position, points, false);
}

const struct twin twin_hexapawn = {
	"hexapawn", hexapawn_start, hexapawn_moves, hexapawn_play, hexapawn_over,
};

const struct twin twin_hexapawn_draw = {
	"hexapawn:blocked=draw", hexapawn_start, hexapawn_moves, hexapawn_play, hexapawn_draw_over,
};
