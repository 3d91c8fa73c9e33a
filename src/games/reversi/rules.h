/*
 * rules.h - reversi (Othello): outflank enemy discs and turn them over. Black (X) moves first.
 * SPDX-License-Identifier: MIT
 *
 * Squares are bits 0 to 63 in the order a1, b1, ... h1, a2, ... h8, with row 1 at the top: one step
 * to the right is a shift by 1, one step down a shift by 8. A move is the number of its square, or
 * REVERSI_PASS. Legal moves and the discs to turn over take a few dozen word operations, with no
 * tables and no loops over squares.
 */
#ifndef REVERSI_RULES_H
#define REVERSI_RULES_H

#include "base/bits.h"
#include "quevedo.h"

struct reversi {
	uint64_t mover, other;     /* discs of the side to move, and of its opponent */
	uint64_t seat;             /* to move: 0 Black, 1 White */
};
_Static_assert(sizeof(struct reversi) == 24, "no padding");

enum {
	REVERSI_PASS = 64,
	REVERSI_MAX_MOVES = 60,    /* the four squares of the centre are never empty */
	REVERSI_MAX_PLIES = 119,   /* 60 discs, and no two passes in a row */
};
_Static_assert(REVERSI_MAX_MOVES % 4 == 0, "moves are listed by fours");

#define REVERSI_CENTRE UINT64_C(0x0000001818000000)
#define REVERSI_LEFT UINT64_C(0x0101010101010101)  /* the column of a1 */
#define REVERSI_INNER UINT64_C(0x7e7e7e7e7e7e7e7e) /* all columns but the two outer ones */

static inline void reversi_start(struct reversi *s, const int64_t *options)
{
	(void)options;
	*s = (struct reversi){
		.mover = UINT64_C(0x0000000810000000), /* e4, d5 */
		.other = UINT64_C(0x0000001008000000), /* d4, e5 */
	};
}

/* The seat to move. */
static inline int reversi_seat(const struct reversi *s)
{
	return (int)s->seat;
}

/*
 * The squares just beyond a run of `line` discs that starts next to one of mine, in both directions
 * of a step. `line` is the opponent's discs without those where the step would leave the board. A
 * run has at most six discs: one, then two, then two more twice.
 */
static inline uint64_t reversi_beyond(uint64_t mine, uint64_t line, int step)
{
	const uint64_t up_pairs = line & line << step, down_pairs = up_pairs >> step;
	uint64_t up = line & mine << step, down = line & mine >> step;
	up |= line & up << step;
	down |= line & down >> step;
	up |= up_pairs & up << 2 * step;
	down |= down_pairs & down >> 2 * step;
	up |= up_pairs & up << 2 * step;
	down |= down_pairs & down >> 2 * step;
	return up << step | down >> step;
}

/*
 * The same along the rows. To the right an addition does it: the carry runs through the discs and
 * stops beyond them.
 */
static inline uint64_t reversi_beyond_in_row(uint64_t mine, uint64_t line)
{
	const uint64_t right = (line + (line & mine << 1)) & ~line;
	const uint64_t pairs = line & line >> 1;
	uint64_t left = line & mine >> 1;
	left |= line & left >> 1;
	left |= pairs & left >> 2;
	left |= pairs & left >> 2;
	return right | left >> 1;
}

/* The squares where the side with the discs `mine` can play. */
static inline uint64_t reversi_mobility(uint64_t mine, uint64_t theirs)
{
	const uint64_t inner = theirs & REVERSI_INNER;
	const uint64_t beyond =
		reversi_beyond_in_row(mine, inner) | reversi_beyond(mine, theirs, 8) |
		reversi_beyond(mine, inner, 9) | reversi_beyond(mine, inner, 7);
	return beyond & ~(mine | theirs);
}

/*
 * The discs to turn over on a ray to higher squares. Adding 1 to everything but those squares of
 * the ray that are not theirs carries to the first of these; if it is mine, the discs before it are
 * turned over.
 */
static inline uint64_t reversi_turned_up(uint64_t mine, uint64_t theirs, uint64_t ray)
{
	const uint64_t end = ((theirs | ~ray) + 1) & mine & ray;
	return (end - (end != 0)) & ray;
}

/* The same on a ray to lower squares, where the first square that is not theirs is the highest. */
static inline uint64_t reversi_turned_down(uint64_t mine, uint64_t theirs, uint64_t ray)
{
	const uint64_t first = (UINT64_C(1) << 63) >> __builtin_clzll((ray & ~theirs) | 1);
	const uint64_t end = first & mine & ray;
	return (0 - end) << 1 & ray;
}

/*
 * The discs that a disc on the empty square turns over. The rays are shifted into place and cut at
 * the edges of the board.
 */
static inline uint64_t reversi_turned(uint64_t mine, uint64_t theirs, int square)
{
	const int column = square & 7, back = 63 - square;
	const uint64_t row = UINT64_C(0xff) << (square & 56);
	const uint64_t before = REVERSI_LEFT * ((1U << column) - 1);    /* columns to the left */
	const uint64_t after = REVERSI_LEFT * (0xfeU << column & 0xff); /* and to the right */
	return reversi_turned_up(mine, theirs, row & UINT64_C(0xfe) << square) |
	       reversi_turned_up(mine, theirs, UINT64_C(0x0101010101010100) << square) |
	       reversi_turned_up(mine, theirs, after & UINT64_C(0x8040201008040200) << square) |
	       reversi_turned_up(mine, theirs, before & UINT64_C(0x0102040810204080) << square) |
	       reversi_turned_down(mine, theirs, row & UINT64_C(0x7fffffffffffffff) >> back) |
	       reversi_turned_down(mine, theirs, UINT64_C(0x0080808080808080) >> back) |
	       reversi_turned_down(mine, theirs, before & UINT64_C(0x0040201008040201) >> back) |
	       reversi_turned_down(mine, theirs, after & UINT64_C(0x0102040810204080) >> back);
}

/*
 * In the order of the squares; a pass only if there is no other move; 0 moves if the game is over.
 * Squares are written in groups of four, past the last one too, because a loop whose count changes
 * from call to call is slow (branch misprediction).
 */
static inline int reversi_moves(const struct reversi *s, qv_move *list)
{
	uint64_t squares = reversi_mobility(s->mover, s->other);
	if (!squares) {
		list[0] = REVERSI_PASS;
		return reversi_mobility(s->other, s->mover) != 0;
	}
	const int n = bits_count(squares);
	for (int i = 0; i < n; i += 4) {
#pragma GCC unroll 4
		for (int j = 0; j < 4; j++, squares = bits_rest(squares))
			list[i + j] = (qv_move)bits_lowest(squares | UINT64_C(1) << 63);
	}
	return n;
}

/* The number of legal moves, a pass counting as one. */
static inline int reversi_count(const struct reversi *s)
{
	const uint64_t squares = reversi_mobility(s->mover, s->other);
	return squares ? bits_count(squares) : reversi_mobility(s->other, s->mover) != 0;
}

/* Places a disc and turns over what it outflanks, or passes. */
static inline void reversi_play(struct reversi *s, qv_move move)
{
	uint64_t turned = 0, placed = 0;
	if (move != REVERSI_PASS) {
		turned = reversi_turned(s->mover, s->other, (int)move);
		placed = UINT64_C(1) << move;
	}
	*s = (struct reversi){ s->other & ~turned, s->mover | turned | placed, s->seat ^ 1 };
}

/* The points are the discs on the board. */
static inline enum qv_outcome reversi_result(const struct reversi *s, int32_t *points)
{
	if (reversi_mobility(s->mover, s->other) || reversi_mobility(s->other, s->mover))
		return QV_GOING;
	points[s->seat] = bits_count(s->mover);
	points[s->seat ^ 1] = bits_count(s->other);
	return QV_ENDED;
}

static inline uint64_t reversi_hash(const struct reversi *s)
{
	const uint64_t mover = s->mover * UINT64_C(0x9e3779b97f4a7c15);
	const uint64_t other = s->other * UINT64_C(0xd1342543de82ef95);
	return qv_mix(mover + bits_flip_bytes(other) + s->seat * UINT64_C(0x5851f42d4c957f2d));
}

/* Move ordering: corners first, the squares next to them last. */
static inline int32_t reversi_rank(const struct reversi *s, qv_move move)
{
	static const int8_t ranks[REVERSI_PASS + 1] = {
		9, 2, 7, 6, 6, 7, 2, 9,
		2, 0, 3, 3, 3, 3, 0, 2,
		7, 3, 5, 4, 4, 5, 3, 7,
		6, 3, 4, 4, 4, 4, 3, 6,
		6, 3, 4, 4, 4, 4, 3, 6,
		7, 3, 5, 4, 4, 5, 3, 7,
		2, 0, 3, 3, 3, 3, 0, 2,
		9, 2, 7, 6, 6, 7, 2, 9,
	};
	(void)s;
	return ranks[move];
}

/* Swaps the bits of `mask` with those `shift` above them. */
static inline uint64_t reversi_swap(uint64_t b, uint64_t mask, int shift)
{
	const uint64_t differing = (b >> shift ^ b) & mask;
	return b ^ differing ^ differing << shift;
}

static inline uint64_t reversi_mirror(uint64_t b)
{
	b = reversi_swap(b, UINT64_C(0x5555555555555555), 1);
	b = reversi_swap(b, UINT64_C(0x3333333333333333), 2);
	return reversi_swap(b, UINT64_C(0x0f0f0f0f0f0f0f0f), 4);
}

/* Rows become columns. */
static inline uint64_t reversi_transpose(uint64_t b)
{
	b = reversi_swap(b, UINT64_C(0x00aa00aa00aa00aa), 7);
	b = reversi_swap(b, UINT64_C(0x0000cccc0000cccc), 14);
	return reversi_swap(b, UINT64_C(0x00000000f0f0f0f0), 28);
}

/* Symmetry k: bit 2 mirrors left to right, then come k & 3 quarter turns clockwise. */
static inline uint64_t reversi_image_squares(uint64_t b, int k)
{
	if (k & 4)
		b = reversi_mirror(b);
	for (int turns = k & 3; turns; turns--)
		b = reversi_mirror(reversi_transpose(b));
	return b;
}

static inline void reversi_image(const struct reversi *s, int k, struct reversi *out)
{
	*out = (struct reversi){
		.mover = reversi_image_squares(s->mover, k),
		.other = reversi_image_squares(s->other, k),
		.seat = s->seat,
	};
}

static inline qv_move reversi_image_move(const struct reversi *s, int k, qv_move move)
{
	(void)s;
	if (move == REVERSI_PASS)
		return move;
	return (qv_move)bits_lowest(reversi_image_squares(UINT64_C(1) << move, k));
}

/* text.c: the slots of struct qv_game with these names. */
void reversi_move_text(const struct reversi *s, qv_move move, struct qv_text *out);
void reversi_position_text(const struct reversi *s, struct qv_text *out);
enum qv_status reversi_position_parse(struct reversi *s, const int64_t *options, const char *text,
				      struct qv_error *error);
void reversi_draw(const struct reversi *s, bool unicode, struct qv_text *out);

extern const struct qv_board reversi_board; /* board.c */

#endif
