/*
 * threat_board.h - a go-moku position for searches: which points make which threats, kept up to
 * date while stones are put and taken back.
 * SPDX-License-Identifier: MIT
 *
 * For each line and colour the board has the empty points that make a threat, as bits, and for each
 * threat the set of lines that have such points. A stone changes four lines.
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

enum { THREAT_WORDS = (GOMOKU_LINES + 63) / 64 };

/* One colour in one line. */
struct line_threats {
	uint32_t points[THREAT_KINDS];
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

static inline void threat_board_reweigh(struct threat_board *b, int colour, int line,
					const uint32_t *before, const uint32_t *after)
{
	threat_board_weigh(b, colour, line, before, after, -1);
	threat_board_weigh(b, colour, line, after, before, 1);
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
			static const uint32_t none[3] = { 0 };
			if (!s->stones[colour][line])
				continue;
			threat_board_scan(b, colour, line, true);
			threat_board_reweigh(b, colour, line, none,
					     b->lines[colour][line].windows);
		}
	}
}

/*
 * Puts a stone of the side to move on an empty point. Without `patterns` the counts in b->s become
 * wrong until the stone is taken back, and the worth of points. The winner is not set: a search finds fives beforehand.
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
						     undo->lines[colour][direction].windows,
						     line->windows);
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
				threat_board_reweigh(b, colour, at.line, line->windows,
						     before->windows);
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
