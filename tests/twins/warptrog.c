/*
 * warptrog.c - Warp Trog, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board has the files a to f and the ranks 1 to 6. Side 1 starts with Valgs on a2, b2, e2
 *     and f2 and a Trog on c2, side 2 with Valgs on a5, b5, e5 and f5 and a Trog on d5. Side 1 moves
 *     first.
 *  2. A Valg moves one square forward: side 1 up, side 2 down. On the last rank it becomes a Trog.
 *  3. A Trog moves one square up, down, left or right.
 *  4. No man moves onto a man of its own side. Moving onto an enemy removes it. But a Valg cannot
 *     capture a man with a friend on the square to its left or right.
 *  5. A side may warp instead of moving, as often as it has warps left. The squares are visited file
 *     by file from f to a, each from rank 6 to 1. A Trog of the side on the visited square goes to a
 *     random square, unless a man of its own is there; an enemy there is removed. Then the visits
 *     continue.
 *  6. A side that is to move and has no man that can move has lost.
 *  7. The listing of 1983: six warps instead of five. And when side 2 moves sideways to rank 3, and
 *     side 1 last moved to the square above, that square becomes empty.
 *
 * Position: 36 squares from a1, the side to move, the warps left; ` warp c2` while the warp has come
 * to the Trog on c2; ` last c4` in the listing's rules if side 1 moved to c4 last.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY = '.', MOST = 64 };

/* Files and ranks count from 1, and there is an empty border. */
struct board {
	char at[8][8];
	int side, warps[2];
	int file, rank; /* of the Trog that warps; 0: none */
	int last_file;	/* of side 1's last move, if to rank 4; 0: none */
};

static struct board read_board(const char *position)
{
	struct board b;
	memset(&b, 0, sizeof b);
	memset(b.at, EMPTY, sizeof b.at);
	for (int i = 0; i < 36; i++)
		b.at[i % 6 + 1][i / 6 + 1] = position[i];
	sscanf(position + 36, " %d %d %d", &b.side, &b.warps[0], &b.warps[1]);
	const char *warp = strstr(position, "warp "), *last = strstr(position, "last ");
	if (warp) {
		b.file = warp[5] - 'a' + 1;
		b.rank = warp[6] - '0';
	}
	if (last)
		b.last_file = last[5] - 'a' + 1;
	return b;
}

static void write_board(const struct board *b, char *position, size_t size)
{
	char squares[37] = "";
	for (int i = 0; i < 36; i++)
		squares[i] = b->at[i % 6 + 1][i / 6 + 1];
	size_t used = (size_t)snprintf(position, size, "%s %d %d %d", squares, b->side, b->warps[0],
				       b->warps[1]);
	if (b->file)
		used += (size_t)snprintf(position + used, size - used, " warp %c%d",
					 'a' + b->file - 1, b->rank);
	if (b->last_file)
		snprintf(position + used, size - used, " last %c4", 'a' + b->last_file - 1);
}

static int owner(char man)
{
	return man == 'V' || man == 'T' ? 1 : man == 'v' || man == 't' ? 2 : 0;
}

static bool is_trog(char man)
{
	return man == 'T' || man == 't';
}

static bool can_step(const struct board *b, int file, int rank, int to_file, int to_rank)
{
	const char man = b->at[file][rank];
	const int enemy = 3 - b->side;
	if (owner(man) != b->side || to_file < 1 || to_file > 6 || to_rank < 1 || to_rank > 6)
		return false;
	if (owner(b->at[to_file][to_rank]) == b->side)
		return false;
	if (is_trog(man))
		return abs(to_file - file) + abs(to_rank - rank) == 1;
	if (to_file != file || to_rank - rank != (b->side == 1 ? 1 : -1))
		return false;
	return owner(b->at[to_file][to_rank]) != enemy ||
	       (owner(b->at[to_file - 1][to_rank]) != enemy &&
		owner(b->at[to_file + 1][to_rank]) != enemy);
}

static void trog_start(char *position, size_t size)
{
	snprintf(position, size, "......VVT.VV............vv.tvv...... 1 5 5");
}

static void trog_start_1983(char *position, size_t size)
{
	snprintf(position, size, "......VVT.VV............vv.tvv...... 1 6 6");
}

static int list_steps(const struct board *b, char list[][16], int max)
{
	int count = 0;
	for (int from = 0; from < 36; from++)
		for (int to = 0; to < 36 && count < max; to++)
			if (can_step(b, from % 6 + 1, from / 6 + 1, to % 6 + 1, to / 6 + 1))
				snprintf(list[count++], 16, "%c%c%c%c", 'a' + from % 6,
					 '1' + from / 6, 'a' + to % 6, '1' + to / 6);
	return count;
}

static int trog_moves(const char *position, char list[][16], int max)
{
	const struct board b = read_board(position);
	int count = 0;
	for (int i = 0; b.file && i < 36 && count < max; i++)
		snprintf(list[count++], 16, "land %c%c", 'a' + i % 6, '1' + i / 6);
	if (b.file)
		return count;
	count = list_steps(&b, list, max);
	if (count && count < max && b.warps[b.side - 1])
		snprintf(list[count++], 16, "warp");
	return count;
}

static bool trog_over(const char *position, int points[2])
{
	const struct board b = read_board(position);
	char list[MOST][16];
	points[0] = b.side == 2;
	points[1] = b.side == 1;
	return !b.file && list_steps(&b, list, MOST) == 0;
}

/* Visits squares from this one on, up to a Trog of the side; at the end the other side moves. */
static void visit(struct board *b, int file, int rank)
{
	for (; file >= 1; file--, rank = 6)
		for (; rank >= 1; rank--)
			if (is_trog(b->at[file][rank]) && owner(b->at[file][rank]) == b->side) {
				b->file = file;
				b->rank = rank;
				return;
			}
	b->file = b->rank = 0;
	b->side = 3 - b->side;
}

static void land(struct board *b, int file, int rank)
{
	if (owner(b->at[file][rank]) != b->side) {
		b->at[file][rank] = b->at[b->file][b->rank];
		b->at[b->file][b->rank] = EMPTY;
	}
	visit(b, b->file, b->rank - 1);
}

static void step(struct board *b, int file, int rank, int to_file, int to_rank, bool listing)
{
	char man = b->at[file][rank];
	if (man == 'V' && to_rank == 6)
		man = 'T';
	if (man == 'v' && to_rank == 1)
		man = 't';
	b->at[to_file][to_rank] = man;
	b->at[file][rank] = EMPTY;
	if (listing && b->side == 1)
		b->last_file = to_rank == 4 ? to_file : 0;
	if (listing && b->side == 2 && abs(to_file - file) == 1 && to_rank == 3 &&
	    b->last_file == to_file)
		b->at[to_file][4] = EMPTY;
	b->side = 3 - b->side;
}

static bool play(char *position, size_t size, const char *move, bool listing)
{
	char list[MOST][16];
	struct board b = read_board(position);
	bool legal = false;
	if (!b.file && (strcmp(move, "w") == 0 || strcmp(move, "W") == 0))
		move = "warp";
	for (int i = trog_moves(position, list, MOST); i > 0; i--)
		legal |= strcmp(list[i - 1], move) == 0;
	if (!legal)
		return false;
	if (b.file) {
		land(&b, move[5] - 'a' + 1, move[6] - '0');
	} else if (strcmp(move, "warp") == 0) {
		b.warps[b.side - 1]--;
		visit(&b, 6, 6);
	} else {
		step(&b, move[0] - 'a' + 1, move[1] - '0', move[2] - 'a' + 1, move[3] - '0',
		     listing);
	}
	write_board(&b, position, size);
	return true;
}

static bool trog_play(char *position, size_t size, const char *move)
{
	return play(position, size, move, false);
}

static bool trog_play_1983(char *position, size_t size, const char *move)
{
	return play(position, size, move, true);
}

const struct twin twin_warptrog = {
	"warptrog", trog_start, trog_moves, trog_play, trog_over,
};

const struct twin twin_warptrog_1983 = {
	"warptrog:rules=1983", trog_start_1983, trog_moves, trog_play_1983, trog_over,
};
