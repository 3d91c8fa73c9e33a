/*
 * renju.h - the points where Black may not play in renju.
 * SPDX-License-Identifier: MIT
 *
 * Forbidden are an overline (six or more in a row), a double four and a double three, unless the
 * stone also makes exactly five in a row, which wins.
 *
 * A four is four stones that one more stone makes exactly five. A straight four is an unbroken four
 * that can become five at both ends. A three is three stones that one more stone makes a straight
 * four, provided that the stone does not make a five and is not itself forbidden. So the definition
 * refers to itself, with one more stone on the board each time.
 */
#ifndef GOMOKU_RENJU_H
#define GOMOKU_RENJU_H

#include "games/gomoku/lines.h"

/* What a black stone makes in one direction. */
enum gomoku_shape {
	GOMOKU_NOTHING,
	GOMOKU_THREE, /* at least by its shape: the points that extend it may be forbidden */
	GOMOKU_FOUR,
	GOMOKU_TWO_FOURS, /* in one line, as in X.XXX.X */
	GOMOKU_FIVE,
	GOMOKU_OVERLINE,
};

/* Whether a stone on the empty bit makes exactly five in a row. */
static inline bool gomoku_makes_five(uint32_t black, int bit)
{
	return gomoku_run_length(black | UINT32_C(1) << bit, bit) == 5;
}

/*
 * The shape that the stone at `bit`, which is on the board, is part of. For a three, *ways gets the
 * bits that make it a straight four.
 */
static inline enum gomoku_shape gomoku_shape(uint32_t black, uint32_t empty, int bit,
					     uint32_t *ways)
{
	const struct gomoku_run run = gomoku_run(black, bit);
	const int length = run.high - run.low + 1;
	const int ends[2] = { run.low - 1, run.high + 1 };
	int fours = 0;
	if (length >= 5)
		return length == 5 ? GOMOKU_FIVE : GOMOKU_OVERLINE;
	for (int i = 0; i < 2; i++)
		fours += empty >> ends[i] & 1 && gomoku_makes_five(black, ends[i]);
	if (fours)
		return fours == 2 && length < 4 ? GOMOKU_TWO_FOURS : GOMOKU_FOUR;
	*ways = 0;
	for (int i = 0; i < 2; i++) {
		if (!(empty >> ends[i] & 1))
			continue;
		const uint32_t added = black | UINT32_C(1) << ends[i];
		const struct gomoku_run four = gomoku_run(added, bit);
		if (four.high - four.low == 3 && empty >> (four.low - 1) & 1 &&
		    empty >> (four.high + 1) & 1 && gomoku_makes_five(added, four.low - 1) &&
		    gomoku_makes_five(added, four.high + 1))
			*ways |= UINT32_C(1) << ends[i];
	}
	return *ways ? GOMOKU_THREE : GOMOKU_NOTHING;
}

enum gomoku_verdict { GOMOKU_ALLOWED, GOMOKU_WINS, GOMOKU_FORBIDDEN };

/* The shapes of a black stone in all directions. */
struct gomoku_shapes {
	int fours, threes;
	bool five, overline;
	uint32_t ways[GOMOKU_DIRECTIONS]; /* of the threes; 0: no three */
};

/* A stone on the empty point, which need not be in `black` yet. */
static inline void gomoku_find_shapes(const uint32_t *black, const uint32_t *white, int size,
				      int point, struct gomoku_shapes *out)
{
	*out = (struct gomoku_shapes){ 0 };
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		const uint32_t mine = black[at.line] | UINT32_C(1) << at.bit;
		uint32_t ways = 0;
		switch (gomoku_shape(mine,
				     gomoku_board_mask(at.line, size) & ~mine & ~white[at.line],
				     at.bit, &ways)) {
		case GOMOKU_FIVE:
			out->five = true;
			break;
		case GOMOKU_OVERLINE:
			out->overline = true;
			break;
		case GOMOKU_TWO_FOURS:
			out->fours += 2;
			break;
		case GOMOKU_FOUR:
			out->fours++;
			break;
		case GOMOKU_THREE:
			out->threes++;
			out->ways[direction] = ways;
			break;
		case GOMOKU_NOTHING:
			break;
		}
	}
}

/*
 * Whether Black may play on the empty point. Changes `black` on the way and restores it.
 */
static inline enum gomoku_verdict gomoku_judge(uint32_t *black, const uint32_t *white, int size,
					       int point)
{
	struct gomoku_shapes shapes;
	int threes = 0;
	gomoku_find_shapes(black, white, size, point, &shapes);
	if (shapes.five)
		return GOMOKU_WINS;
	if (shapes.overline || shapes.fours > 1)
		return GOMOKU_FORBIDDEN;
	if (shapes.threes < 2)
		return GOMOKU_ALLOWED;
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		black[at.line] |= UINT32_C(1) << at.bit;
	}
	for (int direction = 0; direction < GOMOKU_DIRECTIONS && threes < 2; direction++) {
		const int line = gomoku_place(point, direction).line;
		bool real = false;
		for (uint64_t ways = shapes.ways[direction]; ways && !real; ways = bits_rest(ways))
			real = gomoku_judge(black, white, size,
					    gomoku_point_at(line, bits_lowest(ways))) ==
			       GOMOKU_ALLOWED;
		threes += real;
	}
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		black[at.line] &= ~(UINT32_C(1) << at.bit);
	}
	return threes > 1 ? GOMOKU_FORBIDDEN : GOMOKU_ALLOWED;
}

/*
 * Whether enough black stones are near the empty point to forbid it, wherever the white ones are: a
 * forbidden point has two more within four steps in two directions, or four in one.
 */
static inline bool gomoku_may_be_forbidden(const uint32_t *black, int point)
{
	int near = 0;
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		const uint32_t stones = black[at.line] >> (at.bit - 4) & 0x1ef;
		const uint32_t rest = stones & (stones - 1);
		near += rest != 0;
		near += rest && bits_count(rest) > 2;
	}
	return near > 1;
}

/* Whether the empty point is forbidden to Black. */
static inline bool gomoku_is_forbidden(const uint32_t *black, const uint32_t *white, int size,
				       int point)
{
	uint32_t copy[GOMOKU_LINES];
	if (!gomoku_may_be_forbidden(black, point))
		return false;
	memcpy(copy, black, sizeof copy);
	return gomoku_judge(copy, white, size, point) == GOMOKU_FORBIDDEN;
}

#endif
