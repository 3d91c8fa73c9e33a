/*
 * threat_board.h - a go-moku position for searches: which points make which threats, kept up to
 * date while stones are put and taken back.
 * SPDX-License-Identifier: MIT
 *
 * For each line and colour the board has the empty points that make a threat, as bits, and for each
 * threat the set of lines that have such points. For each point it has what a stone there makes in
 * all four directions, and the number of points of each shape. A stone changes four lines.
 */
#ifndef GOMOKU_THREAT_BOARD_H
#define GOMOKU_THREAT_BOARD_H

#include "games/gomoku/rules.h"

enum {
	THREAT_FIVE,
	THREAT_STRAIGHT, /* a straight four */
	THREAT_FOUR,	 /* any four */
	THREAT_THREE,	 /* an open three, or more */
	THREAT_KINDS,
};

/* What a stone on an empty point makes in its four directions. The first that holds counts. */
enum {
	SHAPE_FOURS,	  /* two fours */
	SHAPE_FOUR_THREE, /* a four and an open three */
	SHAPE_THREES,	  /* two open threes */
	SHAPE_FOUR_TWO,	  /* a four and an open two */
	SHAPE_FOUR,
	SHAPE_THREE_TWO,
	SHAPE_THREE,
	SHAPE_TWOS_3, /* open twos in three directions, or four */
	SHAPE_TWOS_2,
	SHAPES,
};

/* Directions of a point by what a stone makes in them: positions of counts in a word. */
enum { MAKES_TWO = 0, MAKES_THREE = 4, MAKES_FOUR = 8, MAKES_STRAIGHT = 12 };

enum { THREAT_WORDS = (GOMOKU_LINES + 63) / 64 };

/* One colour in one line. */
struct line_threats {
	uint32_t points[THREAT_KINDS];
	uint32_t twos;	     /* points that make an open two, and no threat */
	uint32_t windows[3]; /* of five points, with one to three stones */
	int16_t patterns[GOMOKU_PATTERNS];
};

struct threat_board {
	struct gomoku s;
	uint32_t mask[GOMOKU_LINES]; /* points on the board */
	struct line_threats lines[2][GOMOKU_LINES];
	uint64_t with[2][THREAT_KINDS][THREAT_WORDS]; /* lines that have such points */
	/* For each colour and point: its windows through the point, the more stones the better. */
	int16_t worth[2][GOMOKU_POINTS];
	uint16_t makes[2][GOMOKU_POINTS];
	int16_t shapes[2][SHAPES + 1]; /* points of each shape; the last: of none */
};

/* What a stone has changed. */
struct threat_undo {
	struct line_threats lines[2][GOMOKU_DIRECTIONS];
	uint64_t with[2][THREAT_KINDS][THREAT_WORDS];
	int16_t patterns[2][GOMOKU_PATTERNS];
	uint64_t hash;
};

/* Adds the windows of a line to the worth of their points, `times` times (1 or -1). */
static inline void threat_board_weigh(struct threat_board *b, int colour, int line,
				      const uint32_t *windows, const uint32_t *except, int times)
{
	static const int16_t values[3] = { 4, 20, 100 };
	for (int n = 0; n < 3; n++)
		for (uint64_t left = windows[n] & ~except[n]; left; left = bits_rest(left)) {
			const int first = bits_lowest(left);
			const int step = gomoku_point_at(line, first + 1) -
					 gomoku_point_at(line, first);
			int16_t *worth = &b->worth[colour][gomoku_point_at(line, first)];
			for (int i = 0; i < 5; i++, worth += step)
				*worth = (int16_t)(*worth + times * values[n]);
		}
}

/* The shape of a point, from the counts of its directions. */
static inline int threat_board_shape(unsigned makes)
{
	const unsigned twos = makes & 15, threes = makes >> MAKES_THREE & 15;
	const unsigned fours = makes >> MAKES_FOUR & 15;
	if (fours)
		return fours > 1 ? SHAPE_FOURS
		       : threes	 ? SHAPE_FOUR_THREE
		       : twos	 ? SHAPE_FOUR_TWO
				 : SHAPE_FOUR;
	if (threes)
		return threes > 1 ? SHAPE_THREES : twos ? SHAPE_THREE_TWO : SHAPE_THREE;
	return twos > 2 ? SHAPE_TWOS_3 : twos > 1 ? SHAPE_TWOS_2 : SHAPES;
}

static inline unsigned threat_board_makes_at(const struct line_threats *line, int bit)
{
	return (line->twos >> bit & 1) << MAKES_TWO |
	       (line->points[THREAT_THREE] >> bit & 1) << MAKES_THREE |
	       (line->points[THREAT_FOUR] >> bit & 1) << MAKES_FOUR |
	       (line->points[THREAT_STRAIGHT] >> bit & 1) << MAKES_STRAIGHT;
}

/* Brings worth and shapes of the points of a line up to date with a change of the line. */
static inline void threat_board_reweigh(struct threat_board *b, int colour, int line,
					const struct line_threats *before,
					const struct line_threats *after)
{
	uint64_t changed = before->twos ^ after->twos;
	threat_board_weigh(b, colour, line, before->windows, after->windows, -1);
	threat_board_weigh(b, colour, line, after->windows, before->windows, 1);
	for (int kind = THREAT_STRAIGHT; kind < THREAT_KINDS; kind++)
		changed |= before->points[kind] ^ after->points[kind];
	for (; changed; changed = bits_rest(changed)) {
		const int bit = bits_lowest(changed);
		uint16_t *makes = &b->makes[colour][gomoku_point_at(line, bit)];
		b->shapes[colour][threat_board_shape(*makes)]--;
		*makes = (uint16_t)(*makes + threat_board_makes_at(after, bit) -
				    threat_board_makes_at(before, bit));
		b->shapes[colour][threat_board_shape(*makes)]++;
	}
}

/*
 * Finds the threats of a colour in a line; with `patterns` also what the evaluation and the worth of
 * points need.
 */
static inline void threat_board_scan(struct threat_board *b, int colour, int line, bool patterns)
{
	const uint32_t mine = b->s.stones[colour][line];
	const uint32_t free = b->mask[line] & ~b->s.stones[1 - colour][line], empty = free & ~mine;
	struct line_threats *out = &b->lines[colour][line];
	struct gomoku_windows w;
	gomoku_windows(mine, free, gomoku_is_strict(&b->s, colour), &w);
	out->points[THREAT_FIVE] = gomoku_spread_five(w.five[4]) & empty;
	out->points[THREAT_STRAIGHT] = gomoku_spread_six(w.six[3]) & empty;
	out->points[THREAT_FOUR] = gomoku_spread_five(w.five[3]) & empty;
	out->points[THREAT_THREE] = gomoku_spread_six(w.six[2]) & empty;
	for (int kind = 0; kind < THREAT_KINDS; kind++) {
		uint64_t *word = &b->with[colour][kind][line >> 6];
		*word = (*word & ~(UINT64_C(1) << (line & 63))) |
			(uint64_t)(out->points[kind] != 0) << (line & 63);
	}
	if (!patterns)
		return;
	out->twos = gomoku_spread_six(w.six[1]) & empty &
		    ~(out->points[THREAT_THREE] | out->points[THREAT_FOUR]);
	for (int n = 0; n < 3; n++)
		out->windows[n] = w.five[n + 1];
	for (int n = 1; n <= 4; n++) {
		out->patterns[GOMOKU_FIVE_1 + n - 1] = (int16_t)bits_count(w.five[n]);
		out->patterns[GOMOKU_SIX_1 + n - 1] = (int16_t)bits_count(w.six[n]);
	}
}

static inline void threat_board_set(struct threat_board *b, const struct gomoku *s)
{
	memset(b, 0, sizeof *b);
	b->s = *s;
	for (int line = 0; line < GOMOKU_LINES; line++) {
		b->mask[line] = gomoku_board_mask(line, s->size);
		for (int colour = 0; colour < 2; colour++) {
			static const struct line_threats none = { 0 };
			if (!s->stones[colour][line])
				continue;
			threat_board_scan(b, colour, line, true);
			threat_board_reweigh(b, colour, line, &none, &b->lines[colour][line]);
		}
	}
}

/*
 * Puts a stone of the side to move on an empty point. Without `patterns` the counts in b->s become
 * wrong until the stone is taken back, and so do worth and shapes of points. The winner is not set:
 * a search finds fives beforehand.
 */
QV_ALWAYS_INLINE void threat_board_play(struct threat_board *b, int point, struct threat_undo *undo,
					bool patterns)
{
	const int turn = b->s.turn;
	memcpy(undo->with, b->with, sizeof undo->with);
	if (patterns)
		memcpy(undo->patterns, b->s.patterns, sizeof undo->patterns);
	undo->hash = b->s.hash;
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		b->s.stones[turn][at.line] |= UINT32_C(1) << at.bit;
		for (int colour = 0; colour < 2; colour++) {
			struct line_threats *line = &b->lines[colour][at.line];
			undo->lines[colour][direction] = *line;
			/* A threat begins with two stones, a pattern with one. */
			const uint32_t mine = b->s.stones[colour][at.line];
			if (!(patterns ? (uint64_t)mine : bits_rest(mine)))
				continue;
			threat_board_scan(b, colour, at.line, patterns);
			if (patterns)
				threat_board_reweigh(b, colour, at.line,
						     &undo->lines[colour][direction], line);
			for (int i = 0; patterns && i < GOMOKU_PATTERNS; i++)
				b->s.patterns[colour][i] = (int16_t)(
					b->s.patterns[colour][i] + line->patterns[i] -
					undo->lines[colour][direction].patterns[i]);
		}
	}
	b->s.count++;
	b->s.hash ^= gomoku_key(turn * GOMOKU_POINTS + point);
	gomoku_set_turn(&b->s, 1 - turn);
}

QV_ALWAYS_INLINE void threat_board_undo(struct threat_board *b, int point,
					const struct threat_undo *undo, bool patterns)
{
	const int turn = 1 - b->s.turn;
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		b->s.stones[turn][at.line] &= ~(UINT32_C(1) << at.bit);
		for (int colour = 0; colour < 2; colour++) {
			const struct line_threats *before = &undo->lines[colour][direction];
			struct line_threats *line = &b->lines[colour][at.line];
			if (patterns)
				threat_board_reweigh(b, colour, at.line, line, before);
			*line = *before;
		}
	}
	memcpy(b->with, undo->with, sizeof undo->with);
	if (patterns)
		memcpy(b->s.patterns, undo->patterns, sizeof undo->patterns);
	b->s.count--;
	b->s.turn = (uint8_t)turn;
	b->s.hash = undo->hash;
}

static inline bool threat_board_has(const struct threat_board *b, int colour, int kind)
{
	return b->with[colour][kind][0] | b->with[colour][kind][1];
}

/*
 * Lists the points that make a threat of a colour, each once, forbidden ones included; at most
 * `max`. Returns their number.
 */
static inline int threat_board_points(const struct threat_board *b, int colour, int kind,
				      uint16_t *points, int max)
{
	uint32_t seen[GOMOKU_SIDE];
	int n = 0;
	if (!threat_board_has(b, colour, kind))
		return 0;
	memset(seen, 0, sizeof seen);
	for (int word = 0; word < THREAT_WORDS; word++)
		for (uint64_t lines = b->with[colour][kind][word]; lines;
		     lines = bits_rest(lines)) {
			const int line = word * 64 + bits_lowest(lines);
			for (uint64_t left = b->lines[colour][line].points[kind]; left;
			     left = bits_rest(left)) {
				const int point = gomoku_point_at(line, bits_lowest(left));
				const uint32_t bit = UINT32_C(1) << point % GOMOKU_SIDE;
				if (seen[point / GOMOKU_SIDE] & bit)
					continue;
				seen[point / GOMOKU_SIDE] |= bit;
				points[n++] = (uint16_t)point;
				if (n == max)
					return n;
			}
		}
	return n;
}

/* In how many directions a stone on the empty point makes the threat. */
static inline int threat_board_count(const struct threat_board *b, int colour, int kind, int point)
{
	int n = 0;
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place(point, direction);
		n += (int)(b->lines[colour][at.line].points[kind] >> at.bit & 1);
	}
	return n;
}

#endif
