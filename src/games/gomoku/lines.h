/*
 * lines.h - the lines of a go-moku board as bit rows, and the patterns of stones in a line.
 * SPDX-License-Identifier: MIT
 *
 * A point lies on four lines: its row, its column and two diagonals. Each line is a word with a bit
 * for each point, for each colour. GOMOKU_MARGIN zero bits below the first point spare the functions
 * here tests for the edge. Lines are numbered for the largest board, whatever the size: rows,
 * columns, diagonals that rise to the right, diagonals that fall to the right.
 *
 * A pattern is a window of the line without enemy stones, of a certain number of own stones. All
 * windows of a line are counted at once: the shifted words are added bit by bit, and the digits of
 * each window's sum are at the bit of its first point.
 */
#ifndef GOMOKU_LINES_H
#define GOMOKU_LINES_H

#include "base/bits.h"
#include "quevedo.h"

enum {
	GOMOKU_SIDE = 20, /* the largest board */
	GOMOKU_POINTS = GOMOKU_SIDE * GOMOKU_SIDE,
	GOMOKU_DIRECTIONS = 4,
	GOMOKU_MARGIN = 4,
	GOMOKU_COLUMNS = GOMOKU_SIDE, /* the first column, rising and falling diagonal */
	GOMOKU_RISING = 2 * GOMOKU_SIDE,
	GOMOKU_FALLING = GOMOKU_RISING + 2 * GOMOKU_SIDE - 1,
	GOMOKU_LINES = GOMOKU_FALLING + 2 * GOMOKU_SIDE - 1,
};

/* A point on one of its lines. */
struct gomoku_place {
	int line, bit;
};

/* Where a point is on its line of a direction. A point is row * GOMOKU_SIDE + column. */
static inline struct gomoku_place gomoku_place(int point, int direction)
{
	const int row = point / GOMOKU_SIDE, column = point % GOMOKU_SIDE;
	switch (direction) {
	case 0:
		return (struct gomoku_place){ row, GOMOKU_MARGIN + column };
	case 1:
		return (struct gomoku_place){ GOMOKU_COLUMNS + column, GOMOKU_MARGIN + row };
	case 2:
		return (struct gomoku_place){ GOMOKU_RISING + row - column + GOMOKU_SIDE - 1,
					      GOMOKU_MARGIN + column };
	default:
		return (struct gomoku_place){ GOMOKU_FALLING + row + column,
					      GOMOKU_MARGIN + column };
	}
}

/* The point at a bit of a line, which must be on the board. */
static inline int gomoku_point_at(int line, int bit)
{
	const int place = bit - GOMOKU_MARGIN;
	if (line < GOMOKU_COLUMNS)
		return line * GOMOKU_SIDE + place;
	if (line < GOMOKU_RISING)
		return place * GOMOKU_SIDE + line - GOMOKU_COLUMNS;
	const int row = line < GOMOKU_FALLING ? line - GOMOKU_RISING - GOMOKU_SIDE + 1 + place
					      : line - GOMOKU_FALLING - place;
	return row * GOMOKU_SIDE + place;
}

/* The points of a line that are on a board of this size; 0: the line is not. */
static inline uint32_t gomoku_board_mask(int line, int size)
{
	int low = 0, high = size - 1;
	if (line < GOMOKU_RISING) {
		if (line % GOMOKU_SIDE >= size)
			return 0;
	} else if (line < GOMOKU_FALLING) {
		const int rise = line - GOMOKU_RISING - GOMOKU_SIDE + 1; /* row - column */
		low = rise < 0 ? -rise : 0;
		high = rise > 0 ? size - 1 - rise : size - 1;
	} else {
		const int sum = line - GOMOKU_FALLING; /* row + column */
		low = sum > size - 1 ? sum - size + 1 : 0;
		high = sum < size - 1 ? sum : size - 1;
	}
	return low > high ? 0 : ((UINT32_C(2) << (high - low)) - 1) << (GOMOKU_MARGIN + low);
}

/* ---- Runs of stones ---- */

struct gomoku_run {
	int low, high; /* its first and last bit */
};

/* The unbroken run of stones around a bit that is set. */
static inline struct gomoku_run gomoku_run(uint32_t stones, int bit)
{
	return (struct gomoku_run){ bit + 1 - __builtin_clz(~(stones << (31 - bit))),
				    bit - 1 + __builtin_ctz(~(stones >> bit)) };
}

static inline int gomoku_run_length(uint32_t stones, int bit)
{
	const struct gomoku_run run = gomoku_run(stones, bit);
	return run.high - run.low + 1;
}

/* ---- Windows ---- */

/*
 * The windows of a line for one colour, by their number of own stones: bits of their first points.
 * `five`: five points without enemy stones. `six`: an empty point, four points without enemy
 * stones, an empty point; the stones are those of the four. If more than five in a row do not win
 * (`strict`), no own stone is next to the five points that can become a five.
 */
struct gomoku_windows {
	uint32_t five[6], six[5];
};

/* The windows of 5 with 3 or 4 stones: for a side that needs nothing but its fours. */
struct gomoku_fours {
	uint32_t three, four;
};

static inline uint32_t gomoku_open_five(uint32_t mine, uint32_t free, bool strict)
{
	uint32_t open = free & free >> 1 & free >> 2 & free >> 3 & free >> 4;
	return strict ? open & ~(mine << 1) & ~(mine >> 5) : open;
}

/* free: the points of the line that are on the board and have no enemy stone. */
static inline struct gomoku_fours gomoku_fours(uint32_t mine, uint32_t free, bool strict)
{
	const uint32_t open = gomoku_open_five(mine, free, strict);
	const uint32_t a = mine, b = mine >> 1, c = mine >> 2, d = mine >> 3, e = mine >> 4;
	const uint32_t x = a ^ b ^ c, carry = (a & b) | (c & (a ^ b));
	const uint32_t ones = x ^ d ^ e, carry2 = (x & d) | (e & (x ^ d));
	return (struct gomoku_fours){ (carry ^ carry2) & ones & open,
				      carry & carry2 & ~ones & open };
}

static inline void gomoku_windows(uint32_t mine, uint32_t free, bool strict,
				  struct gomoku_windows *out)
{
	const uint32_t open = gomoku_open_five(mine, free, strict), empty = free & ~mine;
	const uint32_t a = mine, b = mine >> 1, c = mine >> 2, d = mine >> 3, e = mine >> 4;
	/* a + b + c + d + e = ones + 2 * twos + 4 * fours */
	const uint32_t x = a ^ b ^ c, carry = (a & b) | (c & (a ^ b));
	const uint32_t ones = x ^ d ^ e, carry2 = (x & d) | (e & (x ^ d));
	const uint32_t twos = carry ^ carry2, fours = carry & carry2;
	out->five[0] = open & ~ones & ~twos & ~fours;
	out->five[1] = open & ones & ~twos & ~fours;
	out->five[2] = open & ~ones & twos;
	out->five[3] = open & ones & twos;
	out->five[4] = open & fours & ~ones;
	out->five[5] = open & fours & ones;
	/* b + c + d + e likewise; a and the sixth are empty. */
	uint32_t open6 = empty & empty >> 5 & free >> 1 & free >> 2 & free >> 3 & free >> 4;
	if (strict)
		open6 &= ~(mine << 1) & ~(mine >> 6);
	const uint32_t y = b ^ c, z = d ^ e, bc = b & c, de = d & e, yz = y & z;
	const uint32_t odd = y ^ z, two6 = bc ^ de ^ yz, all = bc & de;
	out->six[0] = open6 & ~odd & ~two6 & ~all;
	out->six[1] = open6 & odd & ~two6;
	out->six[2] = open6 & ~odd & two6;
	out->six[3] = open6 & odd & two6;
	out->six[4] = open6 & all;
}

/* The points of five-point windows. */
static inline uint32_t gomoku_spread_five(uint32_t windows)
{
	const uint32_t two = windows | windows << 1;
	return two | two << 2 | windows << 4;
}

/* The inner four points of six-point windows. */
static inline uint32_t gomoku_spread_six(uint32_t windows)
{
	const uint32_t two = windows << 1 | windows << 2;
	return two | two << 2;
}

#endif
