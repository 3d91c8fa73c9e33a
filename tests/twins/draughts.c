/*
 * draughts.c - English draughts, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The game is played on the 32 dark squares of a board of eight by eight. They are numbered row
 * by row from the top, from left to right. In the first row the second square is dark.
 *  2. Black has men on 1 to 12 and White on 21 to 32. Black moves first, then they take turns.
 *  3. A man moves to a diagonally neighbouring empty square in the next row: downwards for Black,
 * upwards for White. A king may move upwards and downwards.
 *  4. A piece captures an enemy piece on a neighbouring square, in a direction in which it may move,
 * by jumping over it to the square behind, which must be empty. If it can then capture another
 * piece, it must go on. It leaves its first square when it starts, and may not jump over a piece
 * twice.
 *  5. A player who can capture must do so, but may choose which capture.
 *  6. A man that reaches the row farthest from its own side becomes a king, and its move ends.
 *  7. A player who cannot move loses.
 *  8. After 40 moves by each side with nothing but kings moving and nothing captured, it is a draw.
 *
 * Position: B or W to move, then the squares of White and of Black, and the moves counted by rule 8.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8, TEXT = TWIN_DRAUGHTS_TEXT };

struct board {
	char at[SIZE][SIZE]; /* ' ' is empty; b, w are men and B, W kings */
	char turn;	     /* 'b' or 'w' */
	int quiet;
};

static int row_of(int square)
{
	return (square - 1) / 4;
}

static int column_of(int square)
{
	const int place = (square - 1) % 4;
	return row_of(square) % 2 == 0 ? 2 * place + 1 : 2 * place;
}

static int square_at(int row, int column)
{
	return 4 * row + column / 2 + 1;
}

static char side_of(char piece)
{
	return piece == 'B' || piece == 'b' ? 'b' : piece == ' ' ? ' ' : 'w';
}

static bool is_king(char piece)
{
	return piece == 'B' || piece == 'W';
}

static bool on_board(int row, int column)
{
	return row >= 0 && row < SIZE && column >= 0 && column < SIZE;
}

static bool may_go(char piece, int down)
{
	return is_king(piece) || down == (piece == 'b' ? 1 : -1);
}

/* ---- Texts ---- */

static void read_board(const char *position, struct board *b)
{
	char side = ' ';
	memset(b->at, ' ', sizeof b->at);
	b->quiet = 0;
	b->turn = position[0] == 'B' ? 'b' : 'w';
	for (const char *c = position + 1; *c;) {
		bool king = false;
		if (*c == ':') {
			c++;
			side = *c++ == 'B' ? 'b' : c[-1] == 'W' ? 'w' : 'h';
			continue;
		}
		if (*c == ',') {
			c++;
			continue;
		}
		if (*c == 'K') {
			king = true;
			c++;
		}
		char *end;
		const int number = (int)strtol(c, &end, 10);
		c = end;
		if (side == 'h')
			b->quiet = number;
		else
			b->at[row_of(number)][column_of(number)] = side == 'b' ? (king ? 'B' : 'b')
								   : king      ? 'W'
									       : 'w';
	}
}

static void write_board(const struct board *b, char *position)
{
	int used = sprintf(position, "%c", b->turn == 'b' ? 'B' : 'W');
	for (int i = 0; i < 2; i++) {
		const char side = i ? 'b' : 'w';
		bool first = true;
		used += sprintf(position + used, ":%c", i ? 'B' : 'W');
		for (int square = 1; square <= 32; square++) {
			const char piece = b->at[row_of(square)][column_of(square)];
			if (side_of(piece) != side)
				continue;
			used += sprintf(position + used, "%s%s%d", first ? "" : ",",
					is_king(piece) ? "K" : "", square);
			first = false;
		}
	}
	if (b->quiet)
		sprintf(position + used, ":H%d", b->quiet);
}

/* ---- Moves ---- */

/* Moves, and the board after each. */
struct moves {
	char texts[TWIN_DRAUGHTS_MOVES][TEXT];
	struct board after[TWIN_DRAUGHTS_MOVES];
	int count;
};

/* Puts the piece down, crowned if it has come to its last row. */
static void finish(struct moves *m, const struct board *b, int row, int column, char piece,
		   const char *text, bool progress)
{
	struct board *after = &m->after[m->count];
	*after = *b;
	if (piece == 'b' && row == SIZE - 1)
		piece = 'B';
	if (piece == 'w' && row == 0)
		piece = 'W';
	after->at[row][column] = piece;
	after->turn = b->turn == 'b' ? 'w' : 'b';
	after->quiet = progress ? 0 : b->quiet < 80 ? b->quiet + 1 : 80;
	snprintf(m->texts[m->count++], TEXT, "%s", text);
}

/* The piece is in the hand above this square. True: it could jump. */
static bool jump(struct moves *m, const struct board *b, int row, int column, char piece,
		 const char *text)
{
	bool any = false;
	for (int down = -1; down <= 1; down += 2)
		for (int right = -1; right <= 1; right += 2) {
			const int to_row = row + 2 * down, to_column = column + 2 * right;
			if (!may_go(piece, down) || !on_board(to_row, to_column))
				continue;
			const char over = side_of(b->at[row + down][column + right]);
			if (over == ' ' || over == b->turn || b->at[to_row][to_column] != ' ')
				continue;
			struct board next = *b;
			char longer[TEXT];
			next.at[row + down][column + right] = ' ';
			snprintf(longer, sizeof longer, "%.34sx%d", text,
				 square_at(to_row, to_column));
			const bool crowned =
				!is_king(piece) && to_row == (piece == 'b' ? SIZE - 1 : 0);
			if (crowned || !jump(m, &next, to_row, to_column, piece, longer))
				finish(m, &next, to_row, to_column, piece, longer, true);
			any = true;
		}
	return any;
}

static void step(struct moves *m, const struct board *b, int row, int column, char piece)
{
	for (int down = -1; down <= 1; down += 2)
		for (int right = -1; right <= 1; right += 2) {
			const int to_row = row + down, to_column = column + right;
			char text[TEXT];
			if (!may_go(piece, down) || !on_board(to_row, to_column) ||
			    b->at[to_row][to_column] != ' ')
				continue;
			snprintf(text, sizeof text, "%d-%d", square_at(row, column),
				 square_at(to_row, to_column));
			finish(m, b, to_row, to_column, piece, text, !is_king(piece));
		}
}

static void list_moves(const struct board *b, struct moves *m)
{
	m->count = 0;
	for (int steps = 0; steps < 2 && !m->count; steps++)
		for (int square = 1; square <= 32; square++) {
			const int row = row_of(square), column = column_of(square);
			const char piece = b->at[row][column];
			struct board lifted = *b;
			char text[TEXT];
			if (side_of(piece) != b->turn)
				continue;
			lifted.at[row][column] = ' ';
			snprintf(text, sizeof text, "%d", square);
			if (steps)
				step(m, &lifted, row, column, piece);
			else
				jump(m, &lifted, row, column, piece, text);
		}
}

/* ---- The game ---- */

void twin_draughts_start(char *position)
{
	strcpy(position, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
}

int twin_draughts_moves(const char *position, char list[][TWIN_DRAUGHTS_TEXT])
{
	struct board b;
	struct moves m;
	read_board(position, &b);
	list_moves(&b, &m);
	for (int i = 0; i < m.count; i++)
		strcpy(list[i], m.texts[i]);
	return m.count;
}

bool twin_draughts_play(char *position, const char *move)
{
	struct board b;
	struct moves m;
	read_board(position, &b);
	list_moves(&b, &m);
	for (int i = 0; i < m.count; i++)
		if (strcmp(m.texts[i], move) == 0) {
			write_board(&m.after[i], position);
			return true;
		}
	return false;
}

bool twin_draughts_over(const char *position, int points[2])
{
	struct board b;
	struct moves m;
	read_board(position, &b);
	list_moves(&b, &m);
	points[0] = !m.count && b.turn == 'w';
	points[1] = !m.count && b.turn == 'b';
	return !m.count || b.quiet >= 80;
}
