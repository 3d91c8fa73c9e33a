/*
 * morris.c - nine men's morris, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board has 24 points: the corners and the middles of the sides of three squares one inside
 *     the other. Neighbours along a side are linked, and so are the middles of sides that face each
 *     other. Three linked points in a straight line are a line; there are 16.
 *  2. White and black have nine men each. White begins, then they take turns.
 *  3. Who has men in hand places one of them on an empty point.
 *  4. Who has none moves a man to an empty point that is linked to its own; with exactly three men
 *     left, to any empty point.
 *  5. Whose placed or moved man completes a line of three own men takes one enemy man off. Men
 *     that are part of such a line of their own may not be taken, unless all are.
 *  6. Who is to move, has no man in hand and fewer than three on the board, or no move, has lost.
 *  7. Twenty moves of rule 4 in a row in which nothing was taken end the game without a winner.
 *
 * Position: 24 letters in the order of `names`, the side, men in hand, moves of rule 7.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 24, MOST = 300 };

static const char names[POINTS][3] = {
	"a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
	"e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
};

static const char lines[16][3][3] = {
	{ "a7", "d7", "g7" }, { "b6", "d6", "f6" }, { "c5", "d5", "e5" }, { "a4", "b4", "c4" },
	{ "e4", "f4", "g4" }, { "c3", "d3", "e3" }, { "b2", "d2", "f2" }, { "a1", "d1", "g1" },
	{ "a7", "a4", "a1" }, { "b6", "b4", "b2" }, { "c5", "c4", "c3" }, { "d7", "d6", "d5" },
	{ "d3", "d2", "d1" }, { "e5", "e4", "e3" }, { "f6", "f4", "f2" }, { "g7", "g4", "g1" },
};

struct board {
	char point[POINTS + 1];
	char side;
	int white, black, quiet;   /* men in hand, and rule 7 */
};

static struct board read_board(const char *position)
{
	struct board b = { .side = '?' };
	sscanf(position, "%24s %c %d %d %d", b.point, &b.side, &b.white, &b.black, &b.quiet);
	return b;
}

static void write_board(const struct board *b, char *position, size_t size)
{
	snprintf(position, size, "%s %c %d %d %d", b->point, b->side, b->white, b->black, b->quiet);
}

static int point_of(const char *name)
{
	for (int i = 0; i < POINTS; i++)
		if (names[i][0] == name[0] && names[i][1] == name[1])
			return i;
	return -1;
}

static char other_side(char side)
{
	return side == 'W' ? 'B' : 'W';
}

static int men_on_board(const struct board *b, char side)
{
	int count = 0;
	for (int i = 0; i < POINTS; i++)
		count += b->point[i] == side;
	return count;
}

static int in_hand(const struct board *b, char side)
{
	return side == 'W' ? b->white : b->black;
}

/* Neighbours on a line are linked: its first two points, and its last two. */
static bool linked(int x, int y)
{
	for (int l = 0; l < 16; l++)
		for (int i = 0; i < 2; i++) {
			const int a = point_of(lines[l][i]), b = point_of(lines[l][i + 1]);
			if ((a == x && b == y) || (a == y && b == x))
				return true;
		}
	return false;
}

static bool in_a_line(const struct board *b, int point)
{
	for (int l = 0; l < 16; l++) {
		bool here = false, all = true;
		for (int i = 0; i < 3; i++) {
			const int p = point_of(lines[l][i]);
			here = here || p == point;
			all = all && b->point[p] == b->point[point];
		}
		if (here && all)
			return true;
	}
	return false;
}

static bool may_be_taken(const struct board *b, int point, char side)
{
	if (b->point[point] != side)
		return false;
	if (!in_a_line(b, point))
		return true;
	for (int i = 0; i < POINTS; i++)
		if (b->point[i] == side && !in_a_line(b, i))
			return false;
	return true;
}

/* Adds the move of a man to `to`, one for each capture; the board is that after the move. */
static int add_moves(const struct board *after, int to, const char *text, char list[][16], int count,
		     int max)
{
	const char enemy = other_side(after->side);
	bool takes = false;
	for (int i = 0; in_a_line(after, to) && i < POINTS; i++)
		if (may_be_taken(after, i, enemy) && count < max) {
			takes = true;
			snprintf(list[count++], 16, "%.5sx%.2s", text, names[i]);
		}
	if (!takes && count < max)
		snprintf(list[count++], 16, "%s", text);
	return count;
}

static int all_moves(const struct board *b, char list[][16], int max)
{
	int count = 0;
	const bool placing = in_hand(b, b->side) > 0;
	const bool flying = men_on_board(b, b->side) == 3;
	if (!placing && men_on_board(b, b->side) < 3)
		return 0;
	for (int from = 0; from < POINTS; from++)
		for (int to = 0; to < POINTS; to++) {
			struct board after = *b;
			char text[16];
			if (b->point[to] != '.' || (placing ? from != 0 : b->point[from] != b->side))
				continue;
			if (!placing && !flying && !linked(from, to))
				continue;
			if (!placing)
				after.point[from] = '.';
			after.point[to] = b->side;
			snprintf(text, sizeof text, "%.2s%s%.2s", placing ? "" : names[from],
				 placing ? "" : "-", names[to]);
			count = add_moves(&after, to, text, list, count, max);
		}
	return count;
}

static void morris_start(char *position, size_t size)
{
	snprintf(position, size, "........................ W 9 9 0");
}

static bool morris_over(const char *position, int points[2])
{
	static char list[MOST][16];
	const struct board b = read_board(position);
	points[0] = points[1] = 0;
	if (!all_moves(&b, list, MOST)) {
		points[b.side == 'W'] = 1;
		return true;
	}
	return b.quiet >= 20;
}

static int morris_moves(const char *position, char list[][16], int max)
{
	const struct board b = read_board(position);
	return all_moves(&b, list, max);
}

static bool morris_play(char *position, size_t size, const char *move)
{
	static char list[MOST][16];
	struct board b = read_board(position);
	const int count = morris_moves(position, list, MOST);
	int i = 0;
	while (i < count && strcmp(list[i], move) != 0)
		i++;
	if (i == count)
		return false;
	const char *cross = strchr(move, 'x'), *dash = strchr(move, '-');
	b.quiet++;
	if (dash) {
		b.point[point_of(move)] = '.';
		b.point[point_of(dash + 1)] = b.side;
	} else {
		b.point[point_of(move)] = b.side;
		*(b.side == 'W' ? &b.white : &b.black) -= 1;
		b.quiet = 0;
	}
	if (cross) {
		b.point[point_of(cross + 1)] = '.';
		b.quiet = 0;
	}
	b.side = other_side(b.side);
	write_board(&b, position, size);
	return true;
}

const struct twin twin_morris = { "morris", morris_start, morris_moves, morris_play, morris_over };
