/*
 * tables.h - chess: which squares a piece attacks, by table.
 * SPDX-License-Identifier: MIT
 *
 * Squares are numbered rank by rank from a1 = 0 to h8 = 63, and a set of them is a word. The tables
 * are made when the library is built (tools/chess-tables.c) and embedded.
 *
 * The attacks of a bishop or rook depend on the pieces on its lines. Those on the inner squares of
 * the lines (the mask) are gathered into a number, an index into a table of attack sets: by the
 * pext instruction where the processor has it, otherwise by multiplication with a "magic" number
 * found by trial. The choice is made when the library is built.
 */
#ifndef CHESS_TABLES_H
#define CHESS_TABLES_H

#include "base/bits.h"
#include "base/embed.h"

#if defined(__BMI2__) && !defined(CHESS_NO_PEXT)
#include <immintrin.h>
#define CHESS_PEXT 1
#else
#define CHESS_PEXT 0
#endif

enum {
	CHESS_SQUARES = 64,
	/* all bishops' attack sets: the sum of 2^bits of the masks */
	CHESS_BISHOP_SLIDES = 5248,
	CHESS_ROOK_SLIDES = 102400,
	CHESS_SLIDES = CHESS_BISHOP_SLIDES + CHESS_ROOK_SLIDES,
};

/* The lines of a bishop or a rook from one square. */
struct chess_slider {
	/* squares where a piece cuts a line short: all but the last ones */
	uint64_t mask;
	uint64_t magic;
	uint64_t rays;             /* the attacks on an empty board */
	uint32_t first;            /* the index of its first attack set among the slides */
	uint32_t shift;
};

struct chess_tables {
	uint64_t knight[CHESS_SQUARES], king[CHESS_SQUARES];
	uint64_t pawn[2][CHESS_SQUARES];           /* the squares that a pawn of the side attacks */
	uint64_t diagonal[CHESS_SQUARES];          /* the one that rises to the right, whole */
	uint64_t antidiagonal[CHESS_SQUARES];
	struct chess_slider bishop[CHESS_SQUARES], rook[CHESS_SQUARES];
	uint64_t between[CHESS_SQUARES][CHESS_SQUARES]; /* without the two; 0: no line joins them */
	uint64_t line[CHESS_SQUARES][CHESS_SQUARES];    /* the whole line through both, or 0 */
	uint64_t piece_key[16][CHESS_SQUARES]; /* random numbers, by piece as in struct chess */
	uint64_t castling_key[16], passant_key[8], turn_key;
	uint64_t slides[CHESS_SLIDES];
};

EMBEDDED(struct chess_tables chess_tables);

/* A square as a set, and its file and row, each from 0. */
static inline uint64_t chess_bit(int square)
{
	return UINT64_C(1) << square;
}

static inline int chess_file(int square)
{
	return square & 7;
}

static inline int chess_row(int square)
{
	return square >> 3;
}

/* The bits of `from` where the mask has ones, pushed together: what the instruction pext does. */
static inline uint64_t chess_gather(uint64_t from, uint64_t mask)
{
	uint64_t out = 0;
	for (uint64_t place = 1; mask; mask = bits_rest(mask), place <<= 1)
		if (from & mask & (0 - mask))
			out |= place;
	return out;
}

/* The index of an attack set among those of one slider. */
static inline uint64_t chess_slide_place(const struct chess_slider *l, uint64_t pieces)
{
#if CHESS_PEXT
	return _pext_u64(pieces, l->mask);
#else
	return (pieces & l->mask) * l->magic >> l->shift;
#endif
}

/* The squares that a slider attacks: up to and including the first piece of each line. */
static inline uint64_t chess_slide(const struct chess_slider *l, uint64_t pieces)
{
	return chess_tables.slides[l->first + chess_slide_place(l, pieces)];
}

static inline uint64_t chess_bishop_attacks(int square, uint64_t pieces)
{
	return chess_slide(&chess_tables.bishop[square], pieces);
}

static inline uint64_t chess_rook_attacks(int square, uint64_t pieces)
{
	return chess_slide(&chess_tables.rook[square], pieces);
}

static inline uint64_t chess_queen_attacks(int square, uint64_t pieces)
{
	return chess_bishop_attacks(square, pieces) | chess_rook_attacks(square, pieces);
}

/* These depend on the square alone. */
static inline uint64_t chess_knight_attacks(int square)
{
	return chess_tables.knight[square];
}

static inline uint64_t chess_king_attacks(int square)
{
	return chess_tables.king[square];
}

static inline uint64_t chess_pawn_attacks(int side, int square)
{
	return chess_tables.pawn[side][square];
}

/* The squares strictly between two, and the whole line through them; 0: they share no line. */
static inline uint64_t chess_between(int a, int b)
{
	return chess_tables.between[a][b];
}

static inline uint64_t chess_line(int a, int b)
{
	return chess_tables.line[a][b];
}

#define CHESS_FILE_A UINT64_C(0x0101010101010101)
#define CHESS_FILE_H UINT64_C(0x8080808080808080)
#define CHESS_ROW_1 UINT64_C(0xff)
#define CHESS_LIGHT UINT64_C(0x55aa55aa55aa55aa)       /* b1, d1, ...: the light squares */

#endif
