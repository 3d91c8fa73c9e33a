/*
 * race.c - Race!, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The track has the squares 0 to 23: 0 is the start, 23 is home, and 1 to 5 are dummies, which
 *     may be passed but never landed on. Each of the two sides has four pieces, all at the start;
 *     both run the same way. People see the squares from 6 on, as 1 to 18.
 *  2. The side whose turn it is throws one die and moves one of its pieces so many squares. It must
 *     if it can, and passes if it cannot. The first side throws first.
 *  3. A piece may not go beyond home. No square that it passes or lands on may hold two or more
 *     pieces of the other side. Pieces at the start or at home are off the track.
 *  4. Landing on a square with one piece of the other side sends that piece back to the start.
 *  5. A six gives another throw, even if no piece could move. After any other throw it is the other
 *     side's turn.
 *  6. The first side with all four pieces home wins.
 *
 * Position: the squares as people see them (0 for the start) of the one side and of the other, in
 * ascending order, then whose turn it is and the throw, or - before it.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <string.h>

enum { START = 0, FIRST_DUMMY = 1, LAST_DUMMY = 5, HOME = 23, PIECES = 4, MOST = 8 };

struct board {
	int piece[2][PIECES];      /* squares 0 to 23 */
	int side, throw;           /* throw 0: not yet rolled */
};

static int seen_of(int square)
{
	return square == START ? 0 : square - LAST_DUMMY;
}

static int square_of(int seen)
{
	return seen == 0 ? START : seen + LAST_DUMMY;
}

static struct board read_board(const char *position)
{
	struct board b;
	int seen[2][PIECES], side = 1;
	char throw = '-';
	sscanf(position, "%d,%d,%d,%d %d,%d,%d,%d %d %c", &seen[0][0], &seen[0][1], &seen[0][2],
	       &seen[0][3], &seen[1][0], &seen[1][1], &seen[1][2], &seen[1][3], &side, &throw);
	for (int who = 0; who < 2; who++)
		for (int i = 0; i < PIECES; i++)
			b.piece[who][i] = square_of(seen[who][i]);
	b.side = side - 1;
	b.throw = throw == '-' ? 0 : throw - '0';
	return b;
}

static int count_on(const struct board *b, int who, int square)
{
	int count = 0;
	for (int i = 0; i < PIECES; i++)
		count += b->piece[who][i] == square;
	return count;
}

static void write_board(const struct board *b, char *position, size_t size)
{
	size_t used = 0;
	for (int who = 0; who < 2; who++) {
		const char *before = who ? " " : "";
		for (int square = START; square <= HOME; square++)
			for (int n = count_on(b, who, square); n > 0; n--) {
				used += (size_t)snprintf(position + used, size - used, "%s%d",
							 before, seen_of(square));
				before = ",";
			}
	}
	snprintf(position + used, size - used, " %d %c", b->side + 1,
		 b->throw ? (char)('0' + b->throw) : '-');
}

static void race_start(char *position, size_t size)
{
	snprintf(position, size, "0,0,0,0 0,0,0,0 1 -");
}

static bool race_over(const char *position, int points[2])
{
	const struct board b = read_board(position);
	points[0] = count_on(&b, 0, HOME) == PIECES;
	points[1] = count_on(&b, 1, HOME) == PIECES;
	return points[0] || points[1];
}

static bool can_go(const struct board *b, int from)
{
	const int to = from + b->throw;
	if (to > HOME || (to >= FIRST_DUMMY && to <= LAST_DUMMY))
		return false;
	for (int square = from + 1; square <= to; square++)
		if (square != HOME && count_on(b, 1 - b->side, square) >= 2)
			return false;
	return true;
}

static int race_moves(const char *position, char list[][16], int max)
{
	const struct board b = read_board(position);
	int count = 0, points[2];
	if (race_over(position, points))
		return 0;
	for (char face = '1'; !b.throw && face <= '6' && count < max; face++)
		snprintf(list[count++], 16, "roll %c", face);
	if (!b.throw)
		return count;
	for (int from = START; from < HOME && count < max; from++)
		if (count_on(&b, b.side, from) && can_go(&b, from))
			snprintf(list[count++], 16, "%d-%d", seen_of(from),
				 seen_of(from + b.throw));
	if (!count)
		snprintf(list[count++], 16, "pass");
	return count;
}

static void move_piece(struct board *b, int from)
{
	const int to = from + b->throw, other = 1 - b->side;
	for (int i = 0; to != HOME && i < PIECES; i++)
		if (b->piece[other][i] == to)
			b->piece[other][i] = START;
	for (int i = 0; i < PIECES; i++)
		if (b->piece[b->side][i] == from) {
			b->piece[b->side][i] = to;
			return;
		}
}

static bool race_play(char *position, size_t size, const char *move)
{
	char list[MOST][16], named[16];
	struct board b = read_board(position);
	bool legal = false;
	int seen;
	/* The number of a piece, in the order of the position; 0 is no move. */
	if (b.throw && move[0] >= '0' && move[0] <= '0' + PIECES && !move[1]) {
		const int from = move[0] == '0' ? 0 : b.piece[b.side][move[0] - '1'];
		if (move[0] == '0')
			strcpy(named, "pass");
		else
			snprintf(named, sizeof named, "%d-%d", seen_of(from),
				 seen_of(from + b.throw));
		move = named;
	}
	for (int i = race_moves(position, list, MOST); i > 0; i--)
		legal |= strcmp(list[i - 1], move) == 0;
	if (!legal)
		return false;
	if (!b.throw) {
		b.throw = move[5] - '0';
	} else {
		if (sscanf(move, "%d-", &seen) == 1)
			move_piece(&b, square_of(seen));
		if (b.throw != 6)
			b.side = 1 - b.side;
		b.throw = 0;
	}
	write_board(&b, position, size);
	return true;
}

const struct twin twin_race = {
	"race", race_start, race_moves, race_play, race_over,
};
