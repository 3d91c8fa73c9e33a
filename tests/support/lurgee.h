/*
 * lurgee.h - the Lurgee framework's search a second time, slow and literal: boards of plain squares
 * that are copied, lists that are sorted by insertion, evaluators as the text says them. It shares
 * nothing with src; positions and moves come and go as texts.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_LURGEE_H
#define TEST_LURGEE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_MOVES = 600, PLAIN_PLIES = 32, PLAIN_KILLERS = 8, PLAIN_INFINITY = 100000 };
enum { PLAIN_DOCUMENTS, PLAIN_RELEASE, PLAIN_ALTERNATIVE, PLAIN_GREED };

struct plain_move {
	int from, to, taken;             /* -1: none; squares, columns or points */
	int rank;
};

struct plain_board {
	int at[64];                      /* 0 empty, 1 the first to move, 2 the other */
	int player;
	bool over;
	int winner;                      /* 0: nobody */
	int last;                        /* column of the last move */
	int hand[3], made[3], quiet;
	int mobility[3];                 /* what a copy does not take along */
};

struct plain_game {
	void (*read)(struct plain_board *b, const char *text);
	/* In the order of generation, ranked; 0: cannot move. */
	int (*moves)(const struct plain_board *b, struct plain_move *list);
	void (*play)(struct plain_board *b, const struct plain_move *move);
	int (*score)(const struct plain_board *start, const struct plain_board *b, int depth,
		     int eval);
	int (*left)(const struct plain_board *b);
	void (*text)(const struct plain_move *move, char *out);
	bool bye;
};

/* ---- reversi ---- */

static int rv_get(const struct plain_board *b, int x, int y)
{
	return x < 1 || x > 8 || y < 1 || y > 8 ? 3 : b->at[(y - 1) * 8 + x - 1];
}

static int rv_flips(const struct plain_board *b, int x, int y, int dx, int dy, int player)
{
	int n = 0;
	while (rv_get(b, x + (n + 1) * dx, y + (n + 1) * dy) == 3 - player)
		n++;
	return n && rv_get(b, x + (n + 1) * dx, y + (n + 1) * dy) == player ? n : 0;
}

static bool rv_valid(const struct plain_board *b, int x, int y, int player)
{
	if (rv_get(b, x, y) != 0)
		return false;
	for (int dx = -1; dx <= 1; dx++)
		for (int dy = -1; dy <= 1; dy++)
			if ((dx || dy) && rv_flips(b, x, y, dx, dy, player))
				return true;
	return false;
}

static int rv_rank(int x, int y)
{
	static const int ranks[4][4] = {
		{ 50, 10, 40, 30 }, { 10, 0, 20, 20 }, { 40, 20, 20, 20 }, { 30, 20, 20, 0 }
	};
	return ranks[y <= 4 ? y - 1 : 8 - y][x <= 4 ? x - 1 : 8 - x];
}

static int rv_moves(const struct plain_board *b, struct plain_move *list)
{
	int n = 0;
	for (int y = 1; y <= 8; y++)
		for (int x = 1; x <= 8; x++)
			if (rv_valid(b, x, y, b->player))
				list[n++] = (struct plain_move){ -1, (y - 1) * 8 + x - 1, -1,
								 rv_rank(x, y) };
	return n;
}

static int rv_mobility(const struct plain_board *b, int player)
{
	int n = 0;
	for (int square = 0; square < 64; square++)
		n += rv_valid(b, square % 8 + 1, square / 8 + 1, player);
	return n;
}

static void rv_play(struct plain_board *b, const struct plain_move *move)
{
	const int x = move->to % 8 + 1, y = move->to / 8 + 1, me = b->player;
	for (int dx = -1; dx <= 1; dx++)
		for (int dy = -1; dy <= 1; dy++)
			for (int n = dx || dy ? rv_flips(b, x, y, dx, dy, me) : 0; n > 0; n--)
				b->at[(y + n * dy - 1) * 8 + x + n * dx - 1] = me;
	b->at[move->to] = me;
	b->player = 3 - me;
}

/* Whether a disc there may lend itself to be turned along that direction. */
static bool rv_counts(int x, int y, int dx, int dy, int eval)
{
	if (eval == PLAIN_DOCUMENTS || eval == PLAIN_GREED)
		return true;
	return (!dx || (x > 1 && x < 8)) && (!dy || (y > 1 && y < 8));
}

/* Open squares next to a disc of that colour. */
static int rv_adjacent(const struct plain_board *b, int colour, int eval)
{
	int n = 0;
	for (int square = 0; square < 64; square++) {
		const int x = square % 8 + 1, y = square / 8 + 1;
		bool next = false;
		for (int dx = -1; dx <= 1; dx++)
			for (int dy = -1; dy <= 1; dy++)
				next |= (dx || dy) && rv_get(b, x + dx, y + dy) == colour &&
					rv_counts(x + dx, y + dy, dx, dy, eval);
		n += next && !b->at[square];
	}
	return n;
}

static int rv_discs(const struct plain_board *b, int colour)
{
	int n = 0;
	for (int square = 0; square < 64; square++)
		n += b->at[square] == colour;
	return n;
}

/* Of the terms that go by squares: +1 mine, -1 the opponent's. */
struct rv_squares {
	int corners, edges, x_squares;
};

static void rv_count_square(const struct plain_board *start, const struct plain_board *b, int x,
			    int y, int eval, struct rv_squares *out)
{
	const int was = rv_get(start, x, y), is = rv_get(b, x, y);
	const int sign = is == b->player ? 1 : -1;
	const int u = x <= 4 ? x : 9 - x, v = y <= 4 ? y : 9 - y;  /* as in the first quarter */
	const bool c_square = (u == 1 && v == 2) || (u == 2 && v == 1);
	if (!is)
		return;
	if (u == 1 && v == 1 && !was)
		out->corners += sign;
	if ((u == 1) != (v == 1) && was != is && !(c_square && eval == PLAIN_DOCUMENTS))
		out->edges += sign;
	if (u == 2 && v == 2 && !was && !rv_get(b, x == 2 ? 1 : 8, y == 2 ? 1 : 8))
		out->x_squares += sign;
}

static int rv_score(const struct plain_board *start, const struct plain_board *b, int depth,
		    int eval)
{
	/* discs, potential mobility, mobility, corners, edges, x-squares */
	static const int weights[4][6][5] = {
		{ { 0, 0, 0, 4, 1 }, { 5, 4, 3, 2, 0 }, { 7, 6, 5, 4, 0 },
		  { 35, 35, 35, 35, 0 }, { 0, 3, 4, 5, 0 }, { -8, -8, -8, -8, 0 } },
		{ { 0, 0, 0, 4, 1 }, { 7, 4, 3, 2, 0 }, { 7, 6, 5, 4, 0 },
		  { 35, 35, 35, 35, 0 }, { 0, 2, 3, 4, 0 }, { -8, -8, -8, -8, 0 } },
		{ { 1, 1, 2, 4, 1 }, { 7, 4, 3, 2, 0 }, { 0 }, { 35, 35, 35, 35, 0 }, { 0 },
		  { 0 } },
		{ { 1, 1, 1, 1, 1 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } },
	};
	const int me = b->player, you = 3 - me, mine = rv_discs(b, me), yours = rv_discs(b, you);
	const int all = mine + yours;
	const int band = all <= 16 ? 0 : all <= 32 ? 1 : all <= 48 ? 2 : all < 64 - depth ? 3 : 4;
	struct rv_squares squares = { 0, 0, 0 };
	if (!mine || !yours)
		return mine ? 1000 : -1000;
	for (int square = 0; square < 64; square++)
		rv_count_square(start, b, square % 8 + 1, square / 8 + 1, eval, &squares);
	int potential = rv_adjacent(b, you, eval) - rv_adjacent(b, me, eval);
	int mobility = rv_mobility(b, me) - rv_mobility(b, you);
	if (eval != PLAIN_DOCUMENTS) {
		potential -= rv_adjacent(start, you, eval) - rv_adjacent(start, me, eval);
		mobility -= rv_mobility(start, me) - rv_mobility(start, you);
	}
	const int discs = mine - rv_discs(start, me) - (yours - rv_discs(start, you));
	const int terms[6] = { discs, potential, mobility, squares.corners, squares.edges,
			       squares.x_squares };
	int score = 0;
	for (int i = 0; i < 6; i++)
		score += weights[eval][i][band] * terms[i];
	return score;
}

static void rv_read(struct plain_board *b, const char *text)
{
	*b = (struct plain_board){ .player = text[65] == 'X' ? 1 : 2 };
	for (int square = 0; square < 64; square++)
		b->at[square] = text[square] == 'X' ? 1 : text[square] == 'O' ? 2 : 0;
}

static int rv_left(const struct plain_board *b)
{
	return rv_discs(b, 0);
}

static void rv_text(const struct plain_move *move, char *out)
{
	sprintf(out, "%c%d", 'a' + move->to % 8, move->to / 8 + 1);
}

/* ---- connect-four: square 7 * row + column, row 0 at the bottom ---- */

static int cf_top(const struct plain_board *b, int column)
{
	int top = 0;
	while (top < 6 && b->at[7 * top + column])
		top++;
	return top;
}

static int cf_moves(const struct plain_board *b, struct plain_move *list)
{
	static const int ranks[3][4] = { { 3, 4, 5, 7 }, { 4, 6, 8, 10 }, { 5, 8, 11, 13 } };
	int n = 0;
	for (int x = 0; x < 7 && !b->over; x++) {
		const int y = cf_top(b, x);
		if (y < 6)
			list[n++] = (struct plain_move){ -1, x, -1,
				ranks[y < 3 ? y : 5 - y][x < 4 ? x : 6 - x] };
	}
	return n;
}

/* Groups of four that only this player has pieces in: how many with 1, 2, 3, 4 of them. */
static void cf_groups(const struct plain_board *b, int player, int counts[5])
{
	static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
	memset(counts, 0, 5 * sizeof *counts);
	for (int i = 0; i < 42 * 4; i++) {
		const int x = i / 4 % 7, y = i / 28, dx = steps[i % 4][0], dy = steps[i % 4][1];
		int mine = 0, yours = 0;
		if (x + 3 * dx > 6 || y + 3 * dy > 5 || y + 3 * dy < 0)
			continue;
		for (int k = 0; k < 4; k++) {
			const int is = b->at[7 * (y + k * dy) + x + k * dx];
			mine += is == player;
			yours += is == 3 - player;
		}
		if (!yours)
			counts[mine]++;
	}
}

static void cf_play(struct plain_board *b, const struct plain_move *move)
{
	int counts[5], pieces = 0;
	b->at[7 * cf_top(b, move->to) + move->to] = b->player;
	b->last = move->to;
	for (int i = 0; i < 42; i++)
		pieces += b->at[i] != 0;
	cf_groups(b, b->player, counts);
	b->over = pieces == 42 || counts[4];
	b->player = 3 - b->player;
}

static int cf_side(const struct plain_board *b, int player, int depth, int eval)
{
	int mine[5], yours[5];
	cf_groups(b, player, mine);
	cf_groups(b, 3 - player, yours);
	if (eval == PLAIN_DOCUMENTS)
		return mine[4] ? 5000 : (4 << mine[3]) + (2 << mine[2]) + 2 * mine[1];
	if (mine[4])
		return 5000 - 10 * depth - cf_top(b, b->last);
	if (yours[4])
		return 0;
	return 2 * mine[1] + (2 << mine[2]) + (mine[3] > 0 ? 4 << mine[3] : 0);
}

static int cf_score(const struct plain_board *start, const struct plain_board *b, int depth,
		    int eval)
{
	(void)start;
	return cf_side(b, b->player, depth, eval) - cf_side(b, 3 - b->player, depth, eval);
}

static void cf_read(struct plain_board *b, const char *text)
{
	*b = (struct plain_board){ .player = strrchr(text, ' ')[1] == 'x' ? 1 : 2 };
	for (int y = 5; y >= 0; y--, text++)
		for (int x = 0; x < 7; x++, text++)
			b->at[7 * y + x] = *text == 'x' ? 1 : *text == 'o' ? 2 : 0;
}

static int cf_left(const struct plain_board *b)
{
	int n = 0;
	for (int i = 0; i < 42; i++)
		n += !b->at[i];
	return n;
}

static void cf_text(const struct plain_move *move, char *out)
{
	sprintf(out, "%d", move->to + 1);
}

/* ---- nine men's morris, by the framework's numbers ---- */

static const char mm_names[] =
	"d6f4d2b4d7g4d1a4d5e4d3c4a7g7g1a1b6f6f2b2c5e5e3c3";
static const int mm_lines[16][3] = {
	{ 4, 0, 8 }, { 5, 1, 9 }, { 6, 2, 10 }, { 7, 3, 11 }, { 16, 0, 17 }, { 17, 1, 18 },
	{ 18, 2, 19 }, { 19, 3, 16 }, { 12, 4, 13 }, { 13, 5, 14 }, { 14, 6, 15 }, { 15, 7, 12 },
	{ 20, 8, 21 }, { 21, 9, 22 }, { 22, 10, 23 }, { 23, 11, 20 },
};
static const int mm_links[24][4] = {
	{ 16, 17, 4, 8 }, { 17, 18, 5, 9 }, { 18, 19, 6, 10 }, { 16, 19, 7, 11 },
	{ 0, 12, 13, -1 }, { 1, 13, 14, -1 }, { 2, 14, 15, -1 }, { 3, 12, 15, -1 },
	{ 0, 20, 21, -1 }, { 1, 21, 22, -1 }, { 2, 22, 23, -1 }, { 3, 20, 23, -1 },
	{ 4, 7, -1, -1 }, { 4, 5, -1, -1 }, { 5, 6, -1, -1 }, { 6, 7, -1, -1 },
	{ 0, 3, -1, -1 }, { 0, 1, -1, -1 }, { 1, 2, -1, -1 }, { 2, 3, -1, -1 },
	{ 8, 11, -1, -1 }, { 8, 9, -1, -1 }, { 9, 10, -1, -1 }, { 10, 11, -1, -1 },
};

static int mm_count(const struct plain_board *b, int player)
{
	int n = 0;
	for (int p = 0; p < 24; p++)
		n += b->at[p] == player;
	return n;
}

static int mm_free(const struct plain_board *b, int point)
{
	int n = 0;
	for (int k = 0; k < 4 && mm_links[point][k] >= 0; k++)
		n += b->at[mm_links[point][k]] == 0;
	return n;
}

static int mm_steps(const struct plain_board *b, int player)
{
	int n = 0;
	for (int p = 0; p < 24; p++)
		n += b->at[p] == player ? mm_free(b, p) : 0;
	return n;
}

/* Whether a line through the point has that many men of the player on its other points. */
static bool mm_line_with(const struct plain_board *b, int point, int player)
{
	for (int line = 0; line < 16; line++) {
		int there = 0, others = 0;
		for (int k = 0; k < 3; k++) {
			there += mm_lines[line][k] == point;
			others += mm_lines[line][k] != point && b->at[mm_lines[line][k]] == player;
		}
		if (there && others == 2)
			return true;
	}
	return false;
}

static int mm_add(const struct plain_board *b, struct plain_move move, bool mill,
		  struct plain_move *list, int n)
{
	const int you = 3 - b->player;
	bool open = false;
	if (!mill) {
		list[n++] = move;
		return n;
	}
	for (int p = 0; p < 24; p++)
		open |= b->at[p] == you && !mm_line_with(b, p, you);
	for (int p = 0; p < 24; p++)
		if (b->at[p] == you && (!open || !mm_line_with(b, p, you))) {
			list[n] = move;
			list[n++].taken = p;
		}
	return n;
}

static int mm_add_shift(const struct plain_board *b, int from, int to, struct plain_move *list,
			int n)
{
	struct plain_board without = *b;
	without.at[from] = 0;
	return mm_add(b, (struct plain_move){ from, to, -1, mm_free(b, to) },
		      mm_line_with(&without, to, b->player), list, n);
}

static int mm_placements(const struct plain_board *b, struct plain_move *list)
{
	int n = 0;
	for (int p = 0; p < 24; p++) {
		const bool mill = mm_line_with(b, p, b->player);
		const bool stops = mm_line_with(b, p, 3 - b->player);
		if (!b->at[p])
			n = mm_add(b, (struct plain_move){ -1, p, -1,
					   mm_free(b, p) + (mill ? 10 : stops ? 5 : 0) },
				   mill, list, n);
	}
	return n;
}

static int mm_moves(const struct plain_board *b, struct plain_move *list)
{
	int n = 0;
	if (b->over)
		return 0;
	if (b->hand[b->player])
		return mm_placements(b, list);
	if (mm_count(b, b->player) == 3) {
		for (int to = 0; to < 24; to++)
			for (int from = 0; from < 24; from++)
				if (!b->at[to] && b->at[from] == b->player)
					n = mm_add_shift(b, from, to, list, n);
		return n;
	}
	for (int from = 0; from < 24; from++)
		for (int k = 0; k < 4 && mm_links[from][k] >= 0; k++)
			if (b->at[from] == b->player && !b->at[mm_links[from][k]])
				n = mm_add_shift(b, from, mm_links[from][k], list, n);
	return n;
}

static bool mm_can_move(const struct plain_board *b, int player)
{
	const int men = mm_count(b, player);
	return b->hand[player] || men == 3 || (men > 3 && mm_steps(b, player));
}

static void mm_play(struct plain_board *b, const struct plain_move *move)
{
	const int me = b->player;
	const struct plain_board before = *b;
	b->at[move->to] = me;
	b->made[me]++;
	if (move->from < 0) {
		b->hand[me]--;
	} else {
		b->at[move->from] = 0;
		b->quiet++;
	}
	if (move->taken >= 0) {
		b->at[move->taken] = 0;
		b->quiet = 0;
	}
	for (int player = 1; player <= 2; player++)
		b->mobility[player] = mm_steps(b, player) - mm_steps(&before, player);
	if (!mm_can_move(b, 3 - me)) {
		b->over = true;
		b->winner = me;
	} else if (b->quiet >= 20) {
		b->over = true;
	}
	b->player = 3 - me;
}

static int mm_line_value(const struct plain_board *b, int line, int player, int count)
{
	const int *on = mm_lines[line];
	int value = line <= 3 ? 24 : line <= 7 ? 16 : 12;
	bool beside[24] = { false };
	if (count < 3)
		value += 64;
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < 4 && mm_links[on[k]][i] >= 0; i++) {
			const int next = mm_links[on[k]][i];
			if (next == on[0] || next == on[1] || next == on[2])
				continue;
			beside[next] = true;
			if (count == 2 && !b->at[on[k]] && b->at[next] == player)
				value += player == b->player ? 96 : 64;
		}
	for (int p = 0; count == 3 && p < 24; p++)
		value += beside[p] && !b->at[p] ? 8 : 0;
	return value + (count == 3 ? 32 : 0);
}

static int mm_over_score(const struct plain_board *b, int depth, int eval)
{
	const int made = b->made[b->player];
	if (b->winner)
		return b->winner == b->player ? 100000 - made : made - 100000;
	if (eval == PLAIN_ALTERNATIVE)
		return 0;
	return depth % 2 == 0 ? made - 50000 : 50000 - made;
}

static int mm_score(const struct plain_board *start, const struct plain_board *b, int depth,
		    int eval)
{
	const int me = b->player, you = 3 - me;
	int score = 0;
	(void)start;
	if (b->over)
		return mm_over_score(b, depth, eval);
	score += 256 * (mm_count(b, me) + b->hand[me] - mm_count(b, you) - b->hand[you]);
	score += 64 * (eval == PLAIN_DOCUMENTS ? mm_steps(b, me) - mm_steps(b, you)
					       : b->mobility[me] - b->mobility[you]);
	for (int line = 0; line < 16; line++) {
		int mine = 0, yours = 0;
		for (int k = 0; k < 3; k++) {
			mine += b->at[mm_lines[line][k]] == me;
			yours += b->at[mm_lines[line][k]] == you;
		}
		if (mine && !yours)
			score += mm_line_value(b, line, me, mine);
		if (yours && !mine)
			score -= mm_line_value(b, line, you, yours);
	}
	return score;
}

static void mm_read(struct plain_board *b, const char *text)
{
	static const char order[] = "a7d7g7b6d6f6c5d5e5a4b4c4e4f4g4c3d3e3b2d2f2a1d1g1";
	char side;
	*b = (struct plain_board){ .player = 0 };
	for (int i = 0; i < 24; i++)
		for (int p = 0; p < 24; p++)
			if (memcmp(order + 2 * i, mm_names + 2 * p, 2) == 0)
				b->at[p] = text[i] == 'W' ? 1 : text[i] == 'B' ? 2 : 0;
	if (sscanf(text + 24, " %c %d %d %d", &side, &b->hand[1], &b->hand[2], &b->quiet) == 4)
		b->player = side == 'W' ? 1 : 2;
	b->made[1] = 9 - b->hand[1];
	b->made[2] = 9 - b->hand[2];
}

static int mm_left(const struct plain_board *b)
{
	(void)b;
	return INT32_MAX;
}

static void mm_text(const struct plain_move *move, char *out)
{
	if (move->from >= 0)
		out += sprintf(out, "%.2s-", mm_names + 2 * move->from);
	out += sprintf(out, "%.2s", mm_names + 2 * move->to);
	if (move->taken >= 0)
		sprintf(out, "x%.2s", mm_names + 2 * move->taken);
}

static const struct plain_game plain_games[] = {
	{ rv_read, rv_moves, rv_play, rv_score, rv_left, rv_text, true },
	{ cf_read, cf_moves, cf_play, cf_score, cf_left, cf_text, false },
	{ mm_read, mm_moves, mm_play, mm_score, mm_left, mm_text, false },
};

/* ---- the search ---- */

struct plain_killer {
	bool there;
	struct plain_move move;
	int score;
};

struct plain_search {
	const struct plain_game *game;
	struct plain_board start;
	int eval, killers;
	bool negascout;
	long threshold;                  /* 0: none */
	/* out */
	long evals, moves;
	struct plain_move best;
	int score;
	bool found, thrown;
	struct plain_killer list[PLAIN_PLIES][PLAIN_KILLERS];
};

static bool plain_equal(const struct plain_move *a, const struct plain_move *b)
{
	return a->from == b->from && a->to == b->to && a->taken == b->taken;
}

static int plain_rank(const struct plain_search *s, const struct plain_move *move, int ply)
{
	for (int i = 0; i < s->killers && s->list[ply][i].there; i++)
		if (plain_equal(&s->list[ply][i].move, move))
			return 1000000 + s->list[ply][i].score;
	return move->rank;
}

/* The list of the ply after it has heard of a score. */
static void plain_tell(struct plain_search *s, const struct plain_move *move, int score, int ply)
{
	struct plain_killer *list = s->list[ply], *last = &list[s->killers - 1];
	if (!s->killers || (last->there && score <= last->score))
		return;
	for (int i = 0; i < s->killers && list[i].there; i++) {
		if (!plain_equal(&list[i].move, move))
			continue;
		if (score <= list[i].score)
			return;
		memmove(&list[i], &list[i + 1], (size_t)(s->killers - 1 - i) * sizeof *list);
		last->there = false;
		break;
	}
	for (int i = 0; i < s->killers; i++)
		if (!list[i].there || score >= list[i].score) {
			memmove(&list[i + 1], &list[i],
				(size_t)(s->killers - 1 - i) * sizeof *list);
			list[i] = (struct plain_killer){ true, *move, score };
			return;
		}
}

/* Ranked by insertion: a move goes before those of equal rank that are there. */
static int plain_list(const struct plain_search *s, const struct plain_board *b, int ply,
		      struct plain_move *list)
{
	struct plain_move generated[PLAIN_MOVES];
	const int n = s->game->moves(b, generated);
	for (int i = 0; i < n; i++) {
		int at = 0;
		generated[i].rank = plain_rank(s, &generated[i], ply);
		while (at < i && list[at].rank > generated[i].rank)
			at++;
		memmove(list + at + 1, list + at, (size_t)(i - at) * sizeof *list);
		list[at] = generated[i];
	}
	return n;
}

static int plain_node(struct plain_search *s, const struct plain_board *b, int depth, int d,
		      int alpha, int beta)
{
	struct plain_move list[PLAIN_MOVES];
	int best = -PLAIN_INFINITY, null = beta;
	if (s->thrown || (depth > 1 && s->threshold && s->evals >= s->threshold)) {
		s->thrown = true;
		return 0;
	}
	if (d == 0) {
		s->evals++;
		return s->game->score(&s->start, b, depth, s->eval);
	}
	const int n = plain_list(s, b, depth - d + 1, list);
	if (!n && s->game->bye) {
		struct plain_board child = *b;
		child.player = 3 - b->player;
		return -plain_node(s, &child, depth, d - 1, -beta, -alpha);
	}
	if (!n) {
		s->evals++;
		return s->game->score(&s->start, b, depth - d, s->eval);
	}
	for (int i = 0; i < n; i++) {
		struct plain_board child = *b;
		s->game->play(&child, &list[i]);
		s->moves++;
		int score = -plain_node(s, &child, depth, d - 1, s->negascout ? -null : -beta,
					-alpha);
		if (s->negascout && d > 1 && alpha < score && score < beta && i > 0)
			score = -plain_node(s, &child, depth, d - 1, -beta, -score);
		if (s->thrown)
			return 0;
		if (d == 1)
			plain_tell(s, &list[i], score, depth - d + 1);
		if (score > best)
			best = score;
		if (score > alpha) {
			alpha = score;
			if (d == depth) {
				s->best = list[i];
				s->score = score;
				s->found = true;
			}
		}
		if (alpha >= beta)
			break;
		null = alpha + 1;
	}
	return best;
}

static void plain_pass(struct plain_search *s, int depth)
{
	const int left = s->game->left(&s->start), d = depth < left ? depth : left;
	plain_node(s, &s->start, d, d, -PLAIN_INFINITY, PLAIN_INFINITY);
}

/* What the last whole pass says stays. */
static void plain_iterate(struct plain_search *s, int most)
{
	for (int depth = 1; depth <= most && !s->thrown; depth++) {
		const struct plain_move best = s->best;
		const int score = s->score;
		const bool found = s->found;
		s->found = false;
		plain_pass(s, depth);
		if (s->thrown) {
			s->best = best;
			s->score = score;
			s->found = found;
		}
	}
}

#endif
