/*
 * threats.h - what a stone on each empty point of a go-moku board would make.
 * SPDX-License-Identifier: MIT
 *
 * Renju's forbidden points are not considered here: a point may make a four that Black is not
 * allowed to make.
 */
#ifndef GOMOKU_THREATS_H
#define GOMOKU_THREATS_H

#include "games/gomoku/rules.h"

/* Kinds of threats, as the position of their count in a word. */
enum {
	GOMOKU_MAKES_FIVE = 0,
	GOMOKU_MAKES_STRAIGHT_FOUR = 4,
	GOMOKU_MAKES_FOUR = 8, /* a straight one, too */
	GOMOKU_MAKES_THREE = 12,
};

/* For each colour and point: in how many directions a stone there makes the threat. */
struct gomoku_threats {
	uint16_t counts[2][GOMOKU_POINTS];
};

static inline int gomoku_threat_count(const struct gomoku_threats *t, int colour, int point,
				      int threat)
{
	return t->counts[colour][point] >> threat & 15;
}

/* Adds one direction of a threat for the points of a line. */
static inline void gomoku_add_threat(uint16_t *counts, int line, uint64_t bits, int threat)
{
	for (; bits; bits = bits_rest(bits)) {
		uint16_t *count = &counts[gomoku_point_at(line, bits_lowest(bits))];
		*count = (uint16_t)(*count + (1U << threat));
	}
}

static inline void gomoku_find_threats(const struct gomoku *s, struct gomoku_threats *out)
{
	memset(out, 0, sizeof *out);
	for (int colour = 0; colour < 2; colour++) {
		uint16_t *counts = out->counts[colour];
		for (int line = 0; line < GOMOKU_LINES; line++) {
			const uint32_t mine = s->stones[colour][line];
			struct gomoku_windows w;
			if (!bits_rest(mine))
				continue; /* a threat begins with two stones */
			const uint32_t free = gomoku_free(s, colour, line), empty = free & ~mine;
			gomoku_windows(mine, free, gomoku_is_strict(s, colour), &w);
			gomoku_add_threat(counts, line, gomoku_spread_five(w.five[4]) & empty,
					  GOMOKU_MAKES_FIVE);
			gomoku_add_threat(counts, line, gomoku_spread_six(w.six[3]) & empty,
					  GOMOKU_MAKES_STRAIGHT_FOUR);
			gomoku_add_threat(counts, line, gomoku_spread_five(w.five[3]) & empty,
					  GOMOKU_MAKES_FOUR);
			gomoku_add_threat(counts, line, gomoku_spread_six(w.six[2]) & empty,
					  GOMOKU_MAKES_THREE);
		}
	}
}

#endif
