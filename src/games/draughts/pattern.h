/*
 * pattern.h - draughts: an evaluation by patterns of men, with weights trained on games.
 * SPDX-License-Identifier: MIT
 *
 * A region is a block of four rows and two columns of dark squares. Its men, read as a number in
 * base three (0 none, 1 a man of ours, 2 one of theirs), select one of its weights. There are eight
 * regions; each is looked up for the side to move and, on the board turned by half, for the
 * opponent, whose weight is subtracted. Together they cover all 15 blocks of this shape. Kings count
 * as empty squares there. Terms for kings, mobility and the opposition are added.
 *
 * Every weight is a pair, for a full board and for an empty one. The number of pieces interpolates
 * between the two.
 */
#ifndef DRAUGHTS_PATTERN_H
#define DRAUGHTS_PATTERN_H

#include "base/embed.h"
#include "games/draughts/index.h"

enum {
	DRAUGHTS_REGIONS = 8,
	DRAUGHTS_REGION_NUMBERS = 6561, /* 3 to the power of 8 */
	/* The weights after those of the regions. */
	DRAUGHTS_T_MAN = DRAUGHTS_REGIONS * DRAUGHTS_REGION_NUMBERS,
	DRAUGHTS_T_KING,
	DRAUGHTS_T_FIRST_KING,	     /* the side has a king */
	DRAUGHTS_T_AHEAD,	     /* pieces, if both sides have kings */
	DRAUGHTS_T_MOBILE,	     /* men that can step */
	DRAUGHTS_T_KING_STEPS,	     /* steps of kings */
	DRAUGHTS_T_TURN,	     /* the side to move */
	DRAUGHTS_T_OPPOSITION,	     /* with as many pieces: the side to move has "the move" */
	DRAUGHTS_T_KING_OPPOSITION,  /* ... if there are kings */
	DRAUGHTS_T_KING_SQUARE,	     /* a king on a square, from the side's own first row on */
	DRAUGHTS_PATTERN_WEIGHTS = DRAUGHTS_T_KING_SQUARE + DRAUGHTS_SQUARES,

	DRAUGHTS_PATTERN_UNIT = 16, /* of a hundredth of a man */
	/* At most: all regions twice, 24 kings, 9 terms. */
	DRAUGHTS_FEATURES = 2 * DRAUGHTS_REGIONS + 2 * DRAUGHTS_PIECES + 9,
	DRAUGHTS_PATTERN_HEAD = 64, /* bytes of a file before the weights */
};

struct draughts_patterns {
	int16_t weights[DRAUGHTS_PATTERN_WEIGHTS][2];
};

enum { DRAUGHTS_PATTERN_FILE = DRAUGHTS_PATTERN_HEAD + sizeof(struct draughts_patterns) };

/* A weight, and how often the side to move has its feature, less how often the opponent has it. */
struct draughts_feature {
	int at, times;
};

/* Eight bits as digits in base three. */
static const uint16_t draughts_base_three[256] = {
#define DIGIT_1(n) n, n + 1
#define DIGIT_2(n) DIGIT_1(n), DIGIT_1(n + 3)
#define DIGIT_3(n) DIGIT_2(n), DIGIT_2(n + 9)
#define DIGIT_4(n) DIGIT_3(n), DIGIT_3(n + 27)
#define DIGIT_5(n) DIGIT_4(n), DIGIT_4(n + 81)
#define DIGIT_6(n) DIGIT_5(n), DIGIT_5(n + 243)
#define DIGIT_7(n) DIGIT_6(n), DIGIT_6(n + 729)
	DIGIT_7(0), DIGIT_7(2187)
#undef DIGIT_1
#undef DIGIT_2
#undef DIGIT_3
#undef DIGIT_4
#undef DIGIT_5
#undef DIGIT_6
#undef DIGIT_7
};

/* The squares of two columns from `column` on: two bits for each of the eight rows. */
static inline uint32_t draughts_columns(uint32_t squares, int column)
{
	uint32_t x = squares >> column & 0x33333333;
	x = (x | x >> 2) & 0x0f0f0f0f;
	x = (x | x >> 4) & 0x00ff00ff;
	return (x | x >> 8) & 0xffff;
}

/* Adds the features of the regions, for a side that moves up from square 1. */
QV_ALWAYS_INLINE struct draughts_feature *draughts_regions(uint32_t mine, uint32_t theirs,
							   int times, struct draughts_feature *out)
{
	/* Rows 0 to 3 and 1 to 4 in all three places, rows 2 to 5 on the left and in the middle. */
	int region = 0;
	for (int column = 0; column < 3; column++) {
		const uint32_t a = draughts_columns(mine, column);
		const uint32_t b = draughts_columns(theirs, column);
		for (int row = 0; row < (column < 2 ? 3 : 2); row++, region++) {
			const int number = draughts_base_three[a >> 2 * row & 255] +
					   2 * draughts_base_three[b >> 2 * row & 255];
			*out++ = (struct draughts_feature){
				region * DRAUGHTS_REGION_NUMBERS + number, times
			};
		}
	}
	return out;
}

/* Of one side: men that can step, and steps of kings. */
static inline void draughts_mobility(const struct draughts *s, int side, int *men, int *steps)
{
	const uint64_t empty = draughts_empty(s), own = s->pieces[side];
	const uint64_t kings = own & s->kings;
	const int forward = draughts_forward(side);
	*men = bits_count(draughts_steppers(own ^ kings, empty, forward) |
			  draughts_steppers(own ^ kings, empty, forward + 1));
	*steps = 0;
	for (int d = 0; kings && d < 4; d++)
		*steps += bits_count(draughts_steppers(kings, empty, d));
}

/* Lists the features of a position whose times are not 0, for the side to move. */
QV_ALWAYS_INLINE int draughts_features(const struct draughts *s, struct draughts_feature *list)
{
	struct draughts_feature *out = list;
	const int side = s->turn;
	uint32_t mine = draughts_pack(s->pieces[side]), theirs = draughts_pack(s->pieces[1 - side]);
	uint32_t kings = draughts_pack(s->kings);
	if (side == DRAUGHTS_WHITE) {
		mine = draughts_turn(mine);
		theirs = draughts_turn(theirs);
		kings = draughts_turn(kings);
	}
	const uint32_t my_men = mine & ~kings, their_men = theirs & ~kings;
	const uint32_t my_kings = mine & kings, their_kings = theirs & kings;
	out = draughts_regions(my_men, their_men, 1, out);
	out = draughts_regions(draughts_turn(their_men), draughts_turn(my_men), -1, out);

	const int ahead = bits_count(mine) - bits_count(theirs);
	int men[2], steps[2];
	draughts_mobility(s, side, &men[0], &steps[0]);
	draughts_mobility(s, 1 - side, &men[1], &steps[1]);
#define ADD(term, number) *out++ = (struct draughts_feature){ DRAUGHTS_T_##term, number }
	ADD(MAN, bits_count(my_men) - bits_count(their_men));
	ADD(MOBILE, men[0] - men[1]);
	ADD(TURN, 1);
	if (!ahead) {
		/* An odd number of pieces in the rows 1, 3, 5 and 7 from the mover's side. */
		const int times = bits_count((mine | theirs) & 0x0f0f0f0f) & 1 ? 1 : -1;
		*out++ = (struct draughts_feature){
			kings ? DRAUGHTS_T_KING_OPPOSITION : DRAUGHTS_T_OPPOSITION, times
		};
	}
	if (kings) {
		ADD(KING, bits_count(my_kings) - bits_count(their_kings));
		ADD(FIRST_KING, !!my_kings - !!their_kings);
		ADD(KING_STEPS, steps[0] - steps[1]);
		if (my_kings && their_kings)
			ADD(AHEAD, ahead);
		for (uint32_t left = my_kings; left; left &= left - 1)
			ADD(KING_SQUARE + bits_lowest(left), 1);
		for (uint32_t left = their_kings; left; left &= left - 1)
			ADD(KING_SQUARE + DRAUGHTS_SQUARES - 1 - bits_lowest(left), -1);
	}
#undef ADD
	return (int)(out - list);
}

/* The value for the side to move, in hundredths of a man. */
static inline int32_t draughts_pattern_value(const struct draughts *s,
					     const struct draughts_patterns *p)
{
	enum { FULL = 2 * DRAUGHTS_PIECES };
	struct draughts_feature list[DRAUGHTS_FEATURES];
	const int n = draughts_features(s, list);
	const int pieces = bits_count(s->pieces[0] | s->pieces[1]);
	int32_t full = 0, end = 0;
	for (int i = 0; i < n; i++) {
		full += list[i].times * p->weights[list[i].at][0];
		end += list[i].times * p->weights[list[i].at][1];
	}
	return (full * pieces + end * (FULL - pieces)) / (FULL * DRAUGHTS_PATTERN_UNIT);
}

/*
 * pattern.c: writes the DRAUGHTS_PATTERN_FILE bytes of a file, and reads them into a struct
 * draughts_patterns.
 */
void draughts_patterns_write(const struct draughts_patterns *p, char *out);
enum qv_status draughts_patterns_read(const char *data, size_t size, void *weights,
				      struct qv_error *error);

/* The shipped weights. */
struct draughts_pattern_file {
	char head[DRAUGHTS_PATTERN_HEAD];
	struct draughts_patterns patterns;
};
EMBEDDED(struct draughts_pattern_file draughts_pattern_file);

#endif
