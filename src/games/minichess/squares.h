/*
 * squares.h - the 5x6 board of minichess as words of 30 bits.
 * SPDX-License-Identifier: MIT
 *
 *     25 26 27 28 29   rank 6        file a is bits 0, 5, ..., 25
 *     ...
 *      0  1  2  3  4   rank 1
 *
 * The compiler builds the tables: a square beyond the edge adds nothing.
 */
#ifndef MINICHESS_SQUARES_H
#define MINICHESS_SQUARES_H

#include "base/bits.h"

enum { MINICHESS_FILES = 5, MINICHESS_RANKS = 6, MINICHESS_SQUARES = 30 };

#define MINICHESS_BOARD UINT32_C(0x3fffffff)
#define MINICHESS_FILE_A UINT32_C(0x02108421)
#define MINICHESS_FILE_E UINT32_C(0x21084210)
#define MINICHESS_RANK_1 UINT32_C(0x1f)
#define MINICHESS_RANK_6 (MINICHESS_RANK_1 << 25)

/* The square this many files and ranks from another, as a bit; 0 beyond the edge. */
#define MINICHESS_FROM(q, files, ranks)                                             \
	((q) % 5 + (files) < 0 || (q) % 5 + (files) > 4 || (q) / 5 + (ranks) < 0 || \
			 (q) / 5 + (ranks) > 5                                      \
		 ? UINT32_C(0)                                                      \
		 : UINT32_C(1) << (((q) + (files) + 5 * (ranks)) & 31))

/* Up to five steps one way and back. */
#define MINICHESS_LINE(q, f, r)                                                          \
	(MINICHESS_FROM(q, f, r) | MINICHESS_FROM(q, 2 * (f), 2 * (r)) |                 \
	 MINICHESS_FROM(q, 3 * (f), 3 * (r)) | MINICHESS_FROM(q, 4 * (f), 4 * (r)) |     \
	 MINICHESS_FROM(q, 5 * (f), 5 * (r)) | MINICHESS_FROM(q, -(f), -(r)) |           \
	 MINICHESS_FROM(q, -2 * (f), -2 * (r)) | MINICHESS_FROM(q, -3 * (f), -3 * (r)) | \
	 MINICHESS_FROM(q, -4 * (f), -4 * (r)) | MINICHESS_FROM(q, -5 * (f), -5 * (r)))

/* What a square sees on an empty board. */
struct minichess_view {
	uint32_t rank, file, rising, falling; /* the lines through it, without it */
	uint32_t knight, king;
};

#define MINICHESS_VIEW(q)                                                               \
	{                                                                               \
		.rank = MINICHESS_LINE(q, 1, 0), .file = MINICHESS_LINE(q, 0, 1),       \
		.rising = MINICHESS_LINE(q, 1, 1), .falling = MINICHESS_LINE(q, 1, -1), \
		.knight = MINICHESS_FROM(q, 1, 2) | MINICHESS_FROM(q, 2, 1) |           \
			  MINICHESS_FROM(q, 2, -1) | MINICHESS_FROM(q, 1, -2) |         \
			  MINICHESS_FROM(q, -1, -2) | MINICHESS_FROM(q, -2, -1) |       \
			  MINICHESS_FROM(q, -2, 1) | MINICHESS_FROM(q, -1, 2),          \
		.king = MINICHESS_FROM(q, 1, 0) | MINICHESS_FROM(q, 1, 1) |             \
			MINICHESS_FROM(q, 0, 1) | MINICHESS_FROM(q, -1, 1) |            \
			MINICHESS_FROM(q, -1, 0) | MINICHESS_FROM(q, -1, -1) |          \
			MINICHESS_FROM(q, 0, -1) | MINICHESS_FROM(q, 1, -1)             \
	}
#define MINICHESS_VIEWS(q)                                                   \
	MINICHESS_VIEW(q), MINICHESS_VIEW((q) + 1), MINICHESS_VIEW((q) + 2), \
		MINICHESS_VIEW((q) + 3), MINICHESS_VIEW((q) + 4)

static const struct minichess_view minichess_views[MINICHESS_SQUARES] = {
	MINICHESS_VIEWS(0),  MINICHESS_VIEWS(5),  MINICHESS_VIEWS(10),
	MINICHESS_VIEWS(15), MINICHESS_VIEWS(20), MINICHESS_VIEWS(25),
};

/* ---- sets of squares, moved as a whole ---- */

static inline uint32_t minichess_up(uint32_t set)
{
	return set << 5 & MINICHESS_BOARD;
}

static inline uint32_t minichess_down(uint32_t set)
{
	return set >> 5;
}

static inline uint32_t minichess_right(uint32_t set)
{
	return (set & ~MINICHESS_FILE_E) << 1;
}

static inline uint32_t minichess_left(uint32_t set)
{
	return (set & ~MINICHESS_FILE_A) >> 1;
}

/* One step along a rank or file, from any of the squares. */
static inline uint32_t minichess_straight(uint32_t set)
{
	return minichess_up(set) | minichess_down(set) | minichess_right(set) | minichess_left(set);
}

/* One step along a diagonal. */
static inline uint32_t minichess_slanted(uint32_t set)
{
	const uint32_t beside = minichess_right(set) | minichess_left(set);
	return minichess_up(beside) | minichess_down(beside);
}

/* Knight moves. */
static inline uint32_t minichess_leaps(uint32_t set)
{
	const uint32_t right = minichess_right(set), left = minichess_left(set);
	const uint32_t near = right | left, far = minichess_right(right) | minichess_left(left);
	return ((near << 10 | far << 5) & MINICHESS_BOARD) | near >> 10 | far >> 5;
}

/* ---- sliding ---- */

/*
 * The squares along a line through a square, both ways, up to and including the first piece. Above
 * the square that is the lowest piece, and x ^ (x - 1) is its bit and all below; below it is the
 * highest.
 */
static inline uint32_t minichess_slide(int square, uint32_t line, uint32_t pieces)
{
	const uint32_t below = line & ((UINT32_C(1) << square) - 1), above = line ^ below;
	const uint32_t first = above & pieces, last = below & pieces;
	return (above & (first ^ (first - 1))) |
	       (below & (UINT32_MAX << bits_highest(last | UINT64_C(1))));
}

static inline uint32_t minichess_rook_reach(int square, uint32_t pieces)
{
	const struct minichess_view *v = &minichess_views[square];
	return minichess_slide(square, v->rank, pieces) | minichess_slide(square, v->file, pieces);
}

static inline uint32_t minichess_bishop_reach(int square, uint32_t pieces)
{
	const struct minichess_view *v = &minichess_views[square];
	return minichess_slide(square, v->rising, pieces) |
	       minichess_slide(square, v->falling, pieces);
}

#endif
