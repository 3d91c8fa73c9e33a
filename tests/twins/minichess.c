/*
 * minichess.c - minichess, straight from the server's rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board has files a to e and ranks 1 to 6. White, in capitals, has Ra1 Nb1 Bc1 Qd1 Ke1 and
 *     pawns on rank 2; Black has Ka6 Qb6 Bc6 Nd6 Re6 and pawns on rank 5. White begins.
 *  2. A king goes one step in any of eight directions, a queen any way in any of them, a rook
 *     along ranks and files, a bishop along diagonals, a knight two squares one way and one
 *     aside. Nobody goes through others, but the knight leaps. Where an enemy stands he is taken.
 *  3. A bishop may also go one step along rank or file to an empty square.
 *  4. A pawn goes one step straight on to an empty square, or takes one step slantwise on. On the
 *     last rank it becomes a queen.
 *  5. Who takes the king has won at once. There is no check.
 *  6. The counter begins at 1 and goes up after each move of Black's. When it is 41 the game is
 *     drawn, unless the king has been taken.
 *  7. Who is to move and has no move has lost.
 *
 * Position: counter, a blank, W or B, then the ranks 6 to 1, each after a stroke.
 */
#include "twins/twin.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 200 };

struct board {
	int counter;
	char side;
	char squares[6][6]; /* [rank - 1][file - 'a'], NUL after each rank */
};

static void read_board(const char *position, struct board *b)
{
	char *rest;
	b->counter = (int)strtol(position, &rest, 10);
	b->side = rest[1];
	rest += 3;
	for (int rank = 5; rank >= 0; rank--, rest += 6) {
		memcpy(b->squares[rank], rest, 5);
		b->squares[rank][5] = '\0';
	}
}

static void write_board(const struct board *b, char *position, size_t size)
{
	snprintf(position, size, "%d %c/%s/%s/%s/%s/%s/%s", b->counter, b->side, b->squares[5],
		 b->squares[4], b->squares[3], b->squares[2], b->squares[1], b->squares[0]);
}

static bool has(const struct board *b, char man)
{
	for (int rank = 0; rank < 6; rank++)
		if (strchr(b->squares[rank], man))
			return true;
	return false;
}

/* Whether all squares between the two, which are on a line, are empty. */
static bool way_is_free(const struct board *b, int file, int rank, int to_file, int to_rank)
{
	const int right = (to_file > file) - (to_file < file);
	const int up = (to_rank > rank) - (to_rank < rank);
	for (file += right, rank += up; file != to_file || rank != to_rank;
	     file += right, rank += up)
		if (b->squares[rank][file] != '.')
			return false;
	return true;
}

static bool can_go(const struct board *b, int file, int rank, int to_file, int to_rank)
{
	const char man = b->squares[rank][file], there = b->squares[to_rank][to_file];
	const bool white = b->side == 'W';
	const int aside = abs(to_file - file), along = abs(to_rank - rank);
	if (man == '.' || (isupper((unsigned char)man) != 0) != white || (!aside && !along))
		return false;
	const bool taking = there != '.';
	if (taking && (isupper((unsigned char)there) != 0) == white)
		return false;
	switch (toupper((unsigned char)man)) {
	case 'K':
		return aside <= 1 && along <= 1;
	case 'Q':
		return (!aside || !along || aside == along) &&
		       way_is_free(b, file, rank, to_file, to_rank);
	case 'R':
		return (!aside || !along) && way_is_free(b, file, rank, to_file, to_rank);
	case 'B':
		if (aside + along == 1)
			return !taking;
		return aside == along && way_is_free(b, file, rank, to_file, to_rank);
	case 'N':
		return (aside == 1 && along == 2) || (aside == 2 && along == 1);
	case 'P':
		if (to_rank - rank != (white ? 1 : -1))
			return false;
		return taking ? aside == 1 : aside == 0;
	default:
		return false;
	}
}

static bool finished(const struct board *b)
{
	return !has(b, 'K') || !has(b, 'k') || b->counter > 40;
}

static int list_moves(const struct board *b, char list[][16], int max)
{
	int count = 0;
	if (finished(b))
		return 0;
	for (int file = 0; file < 5; file++)
		for (int rank = 0; rank < 6; rank++)
			for (int to_file = 0; to_file < 5; to_file++)
				for (int to_rank = 0; to_rank < 6; to_rank++)
					if (can_go(b, file, rank, to_file, to_rank) && count < max)
						snprintf(list[count++], 16, "%c%c-%c%c", 'a' + file,
							 '1' + rank, 'a' + to_file, '1' + to_rank);
	return count;
}

static void minichess_start(char *position, size_t size)
{
	snprintf(position, size, "1 W/kqbnr/ppppp/...../...../PPPPP/RNBQK");
}

static int minichess_moves(const char *position, char list[][16], int max)
{
	struct board b;
	read_board(position, &b);
	return list_moves(&b, list, max);
}

static void make_move(struct board *b, const char *move)
{
	char *from = &b->squares[move[1] - '1'][move[0] - 'a'];
	char *to = &b->squares[move[4] - '1'][move[3] - 'a'];
	*to = *from;
	*from = '.';
	if (*to == 'P' && move[4] == '6')
		*to = 'Q';
	if (*to == 'p' && move[4] == '1')
		*to = 'q';
	if (b->side == 'B')
		b->counter++;
	b->side = b->side == 'W' ? 'B' : 'W';
}

static bool minichess_play(char *position, size_t size, const char *move)
{
	char list[MOST_MOVES][16];
	struct board b;
	read_board(position, &b);
	const int count = list_moves(&b, list, MOST_MOVES);
	for (int i = 0; i < count; i++) {
		if (strcmp(list[i], move) != 0)
			continue;
		make_move(&b, move);
		write_board(&b, position, size);
		return true;
	}
	return false;
}

static bool minichess_over(const char *position, int points[2])
{
	char list[1][16];
	struct board b;
	read_board(position, &b);
	points[0] = points[1] = 0;
	if (!has(&b, 'K') || !has(&b, 'k')) {
		points[has(&b, 'K') ? 0 : 1] = 1;
		return true;
	}
	if (b.counter == 41)
		return true;
	if (list_moves(&b, list, 1))
		return false;
	points[b.side == 'W' ? 1 : 0] = 1;
	return true;
}

const struct twin twin_minichess = {
	"minichess", minichess_start, minichess_moves, minichess_play, minichess_over,
};
