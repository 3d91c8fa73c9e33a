/*
 * book_score.h - the score of a move in the 1983 program, lines 1860 to 2250 of its listing.
 * SPDX-License-Identifier: MIT
 *
 * The listing scores moves, not positions. Its board has values: 1 for a Valg and 3 for a Trog,
 * positive for the side that moves down. Squares are file and rank from 1, with an empty border.
 * Scores here are ten-thousandths of its points. Names follow the listing where it has a letter:
 * the move goes from (i, j) to (u, v), and `o` is the sign of the side (AO).
 */
#ifndef WARPTROG_BOOK_SCORE_H
#define WARPTROG_BOOK_SCORE_H

#include "games/warptrog/rules.h"

enum { BOOK_POINT = 10000, BOOK_TROG = 3 };

struct book_board {
	int8_t at[9][9];           /* [file][rank] */
	bool endgame;              /* line 1970: Trogs approach the square (a, b) */
	int a, b;                  /* where the other side moved to last; 0: unknown */
	bool literal;              /* lines 2030 and 2050 as printed */
};

struct book_move {
	int i, j, u, v;
};

static inline void book_board_fill(struct book_board *b, const struct warptrog *s)
{
	*b = (struct book_board){ .a = 0 };
	for (int seat = 0; seat < 2; seat++)
		for (uint64_t left = s->men[seat]; left; left = bits_rest(left)) {
			const int square = bits_lowest(left);
			const int worth = s->trogs >> square & 1 ? BOOK_TROG : 1;
			b->at[square % WARPTROG_SIZE + 1][square / WARPTROG_SIZE + 1] =
				(int8_t)(seat ? worth : -worth);
		}
}

static inline struct book_move book_move_of(qv_move move)
{
	const int from = (int)(move & 63), to = (int)(move >> WARPTROG_TO);
	return (struct book_move){ from % WARPTROG_SIZE + 1, from / WARPTROG_SIZE + 1,
				   to % WARPTROG_SIZE + 1, to / WARPTROG_SIZE + 1 };
}

static inline int book_abs(int n)
{
	return n < 0 ? -n : n;
}

static inline bool book_same_sign(int a, int sign)
{
	return a * sign > 0;
}

/* How many of a square's coordinates are on the edge. */
static inline int book_edges(int file, int rank)
{
	return (file == 1) + (file == WARPTROG_SIZE) + (rank == 1) + (rank == WARPTROG_SIZE);
}

/* Lines 2020 to 2070: enemies two squares away on the file or the rank. */
static inline int32_t book_distant(const struct book_board *b, int u, int v, int o)
{
	int32_t q = 0;
	for (int ca = -2; ca <= 2; ca += 4) {
		const bool file = u + ca >= 1, rank = v + ca >= 1;
		if (file && book_same_sign(b->at[u + ca][v], -o))
			q += 750 * book_abs(b->at[u + ca][v]);
		/* As printed, the left edge skips the test of the rank, too. */
		if (rank && (file || !b->literal) && book_same_sign(b->at[u][v + ca], -o))
			q += 750 * book_abs(b->at[u][v + ca]);
	}
	return q;
}

/* Lines 1960 to 2150. */
static inline int32_t book_trog_score(const struct book_board *b, struct book_move m, int o)
{
	const int i = m.i, j = m.j, u = m.u, v = m.v;
	int32_t q = 100 * (u + v);
	if (b->endgame)
		q += BOOK_POINT / (book_abs(u - b->a) + 8) + BOOK_POINT / (book_abs(v - b->b) + 8);
	q -= (i == 3 || i == 4) && (j == 3 || j == 4) ? 1000 : 0;
	q -= (BOOK_POINT * book_edges(u, v) + 9) / 18;
	q += 1000 * book_edges(i, j);
	q += b->at[u][v + o] == -o ? 3000 : 0;
	q += book_distant(b, u, v, o);
	for (int ca = -1; ca <= 1; ca += 2) {
		q -= b->at[i + ca][j - ca] == -BOOK_TROG * o || b->at[i + ca][j + ca] == -BOOK_TROG * o
			     ? 2200
			     : 0;
		if (book_same_sign(b->at[u + ca][v - ca], -o))
			q += 1000 + 1000 * book_abs(b->at[u + ca][v - ca]);
		if (book_same_sign(b->at[u + ca][v + ca], -o))
			q += 1000 + 1000 * book_abs(b->at[u + ca][v + ca]);
		q += b->at[u + ca][v] == -o ? 3000 : b->at[u + ca][v] == o ? 1000 : 0;
	}
	return q;
}

/* Lines 2160 to 2240. */
static inline int32_t book_valg_score(const struct book_board *b, struct book_move m, int o)
{
	const int u = m.u, v = m.v, goal = o > 0 ? 1 : WARPTROG_SIZE;
	int32_t q = v == goal ? 5000 : v == goal + o ? 3000 : v == goal + 2 * o ? 2000 : 0;
	q += book_same_sign(b->at[u - 1][v], o) ? 2000 : 0;
	q += book_same_sign(b->at[u + 1][v], o) ? 2000 : 0;
	int sum = 0;
	for (int ca = v; ca >= 1 && ca <= WARPTROG_SIZE; ca -= o)
		sum += b->at[u][ca];
	return q + (sum * o >= 0 ? 1500 : 0);
}

/* The score without the random part of line 1860. */
static inline int32_t book_score(const struct book_board *b, struct book_move m)
{
	const int i = m.i, j = m.j, u = m.u, v = m.v, man = b->at[i][j], o = man < 0 ? -1 : 1;
	const int enemy_trog = -BOOK_TROG * o, worth = 6000 * book_abs(man);
	int32_t q = BOOK_POINT * book_abs(b->at[u][v]);
	q -= b->at[u][v - o] == enemy_trog ? 20000 : 0;
	if (b->at[u][v - o] == -o) {
		const bool friend = book_same_sign(b->at[u + 1][v], o) ||
				    book_same_sign(b->at[u - 1][v], o);
		q -= friend && j != v ? 0 : 7500;
	}
	q -= b->at[u][v + o] == enemy_trog ? worth : 0;
	q -= b->at[u - 1][v] == enemy_trog || b->at[u + 1][v] == enemy_trog ? worth : 0;
	q += b->at[i][j + o] == enemy_trog || b->at[i - 1][j] == enemy_trog ||
			     b->at[i + 1][j] == enemy_trog
		     ? 3500
		     : 0;
	return q + (man == o ? book_valg_score(b, m, o) : book_trog_score(b, m, o));
}

#endif
