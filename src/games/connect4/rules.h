/*
 * rules.h - connect-four: seven columns of six; four in a row wins. Player x moves first.
 * SPDX-License-Identifier: MIT
 *
 * Bit 7 * column + row, row 0 at the bottom. The bit above each column stays 0, so that shifts
 * never wrap:
 *
 *     6 13 20 27 34 41 48        (always 0)
 *     5 12 19 26 33 40 47
 *     .  .  .  .  .  .  .
 *     0  7 14 21 28 35 42
 *
 * A move is the bit of the square where the disc lands. The state has the mover's discs and all
 * discs, so that playing a move takes two operations.
 */
#ifndef CONNECT4_RULES_H
#define CONNECT4_RULES_H

#include "base/bits.h"
#include "quevedo.h"

enum { C4_WIDTH = 7, C4_HEIGHT = 6, C4_STRIDE = C4_HEIGHT + 1 };

struct c4 {
	uint64_t mover;            /* discs of the side to move */
	uint64_t all;
};
_Static_assert(sizeof(struct c4) == 16, "no padding");

#define C4_BOTTOM UINT64_C(0x0040810204081)          /* row 0 of every column */
#define C4_BOARD (C4_BOTTOM * ((1 << C4_HEIGHT) - 1))
#define C4_TOP (C4_BOTTOM << (C4_HEIGHT - 1))

static inline void c4_start(struct c4 *s, const int64_t *options)
{
	(void)options;
	*s = (struct c4){ 0, 0 };
}

static inline int c4_seat(const struct c4 *s)
{
	return bits_count(s->all) & 1;
}

/* The squares where a disc can land now. */
static inline uint64_t c4_playable(const struct c4 *s)
{
	return (s->all + C4_BOTTOM) & C4_BOARD;
}

/* Left to right. */
static inline int c4_moves(const struct c4 *s, qv_move *list)
{
	int n = 0;
	for (uint64_t free = c4_playable(s); free; free = bits_rest(free))
		list[n++] = free & (0 - free);
	return n;
}

static inline void c4_play(struct c4 *s, qv_move move)
{
	s->mover ^= s->all;
	s->all |= move;
}

/* A four in a direction is a pair of adjacent pairs, found with two shifts. */
static inline bool c4_has_four(uint64_t discs)
{
	uint64_t pairs = discs & (discs >> 1);
	uint64_t fours = pairs & (pairs >> 2);
	pairs = discs & (discs >> C4_STRIDE);
	fours |= pairs & (pairs >> 2 * C4_STRIDE);
	pairs = discs & (discs >> (C4_STRIDE - 1));
	fours |= pairs & (pairs >> 2 * (C4_STRIDE - 1));
	pairs = discs & (discs >> (C4_STRIDE + 1));
	fours |= pairs & (pairs >> 2 * (C4_STRIDE + 1));
	return fours != 0;
}

static inline enum qv_outcome c4_result(const struct c4 *s, int32_t *points)
{
	/* only the last to move can have a four */
	const bool won = c4_has_four(s->mover ^ s->all);
	if (!won && s->all != C4_BOARD)
		return QV_GOING;
	const int mover = c4_seat(s);
	points[mover] = 0;
	points[1 - mover] = won;
	return QV_ENDED;
}

static inline int c4_count(const struct c4 *s)
{
	if (c4_has_four(s->mover ^ s->all))
		return 0;
	return bits_count(C4_TOP & ~s->all);
}

static inline uint64_t c4_hash(const struct c4 *s)
{
	/*
	 * A number that no other position has: in each column, the mover's discs below a 1 at the
	 * first empty square.
	 */
	return qv_mix(s->mover + s->all + C4_BOTTOM);
}

/* The number of fours through each square. */
static const int8_t c4_fours_through[C4_WIDTH * C4_STRIDE] = {
	3, 4, 5,  5,  4, 3, 0,    4, 6, 8,  8,  6, 4, 0,    5, 8, 11, 11, 8, 5, 0,
	7, 10, 13, 13, 10, 7, 0,
	5, 8, 11, 11, 8, 5, 0,    4, 6, 8,  8,  6, 4, 0,    3, 4, 5,  5,  4, 3, 0,
};

/* Move ordering: squares that are part of many fours first. */
static inline int32_t c4_rank(const struct c4 *s, qv_move move)
{
	(void)s;
	return c4_fours_through[bits_lowest(move)];
}

static inline uint64_t c4_mirror(uint64_t discs)
{
	const uint64_t column = (1 << C4_STRIDE) - 1;
	uint64_t out = 0;
	for (int c = 0; c < C4_WIDTH; c++)
		out |= (discs >> c * C4_STRIDE & column) << (C4_WIDTH - 1 - c) * C4_STRIDE;
	return out;
}

/* Symmetry 1 is the mirror image. */
static inline void c4_image(const struct c4 *s, int k, struct c4 *out)
{
	*out = k ? (struct c4){ c4_mirror(s->mover), c4_mirror(s->all) } : *s;
}

static inline qv_move c4_image_move(const struct c4 *s, int k, qv_move move)
{
	(void)s;
	return k ? c4_mirror(move) : move;
}

/* text.c: the slots of struct qv_game with these names. */
void c4_move_text(const struct c4 *s, qv_move move, struct qv_text *out);
void c4_position_text(const struct c4 *s, struct qv_text *out);
enum qv_status c4_position_parse(struct c4 *s, const int64_t *options, const char *text,
				 struct qv_error *error);
void c4_draw(const struct c4 *s, bool unicode, struct qv_text *out);

extern const struct qv_board c4_board;     /* board.c */
int c4_terms(const void *state, struct qv_notion *list, int max);        /* terms.c */

#endif
