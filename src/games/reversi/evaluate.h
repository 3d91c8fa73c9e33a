/*
 * evaluate.h - the default evaluation of reversi, and stable discs.
 * SPDX-License-Identifier: MIT
 *
 * Each term is a count for me minus the same count for the opponent, times a weight that depends on
 * the phase, that is, on the number of discs. Discs themselves matter little before the end;
 * mobility and corners decide.
 */
#ifndef REVERSI_EVALUATE_H
#define REVERSI_EVALUATE_H

#include "games/reversi/rules.h"

enum { REVERSI_OPENING, REVERSI_MIDDLE, REVERSI_END, REVERSI_PHASES };
_Static_assert((int)REVERSI_END == (int)QV_END, "the phases are everybody's");
enum { REVERSI_MIDDLE_FROM = 25, REVERSI_END_FROM = 45 };  /* discs */

/* The weights: for each term, one per phase. */
enum {
	REVERSI_MOBILITY = 0 * REVERSI_PHASES, /* legal moves */
	REVERSI_FRONTIER = 1 * REVERSI_PHASES, /* discs next to an empty square */
	REVERSI_CORNER = 2 * REVERSI_PHASES,
	REVERSI_X_SQUARE = 3 * REVERSI_PHASES, /* b2 and the like, by an empty corner */
	REVERSI_C_SQUARE = 4 * REVERSI_PHASES, /* b1, a2 and the like, by an empty corner */
	REVERSI_EDGE = 5 * REVERSI_PHASES,     /* the other squares of the edges */
	REVERSI_WEIGHTS = 6 * REVERSI_PHASES,
};

/*
 * Set by hand, then changed one at a time as long as that won matches against the old values. The
 * counts add up to less than 160, so any weights up to a million keep the sum below QV_MAX_EVAL.
 */
static const int32_t reversi_weights[REVERSI_WEIGHTS] = {
	[REVERSI_MOBILITY] = 20, 12, 28,
	[REVERSI_FRONTIER] = -10, -11, -6,
	[REVERSI_CORNER] = 150, 150, 120,
	[REVERSI_X_SQUARE] = -80, -70, -50,
	[REVERSI_C_SQUARE] = -30, -25, -20,
	[REVERSI_EDGE] = 5, 8, 6,
};

/*
 * For searches that use one set of weights, that of the root's phase, at all leaves (`phases=1`).
 */
#define REVERSI_ALL(weight) weight, weight, weight
static const int32_t reversi_phase_weights[QV_PHASES][REVERSI_WEIGHTS] = {
	[QV_OPENING] = { REVERSI_ALL(20), REVERSI_ALL(-10), REVERSI_ALL(150), REVERSI_ALL(-80),
			 REVERSI_ALL(-30), REVERSI_ALL(5) },
	[QV_MIDDLE] = { REVERSI_ALL(12), REVERSI_ALL(-11), REVERSI_ALL(150), REVERSI_ALL(-70),
			REVERSI_ALL(-25), REVERSI_ALL(8) },
	[QV_END] = { REVERSI_ALL(28), REVERSI_ALL(-6), REVERSI_ALL(120), REVERSI_ALL(-50),
		     REVERSI_ALL(-20), REVERSI_ALL(6) },
};
#undef REVERSI_ALL

static const struct qv_weight reversi_weight_names[] = {
	{ "mobility", REVERSI_MOBILITY, REVERSI_PHASES },
	{ "frontier", REVERSI_FRONTIER, REVERSI_PHASES },
	{ "corner", REVERSI_CORNER, REVERSI_PHASES },
	{ "x-square", REVERSI_X_SQUARE, REVERSI_PHASES },
	{ "c-square", REVERSI_C_SQUARE, REVERSI_PHASES },
	{ "edge", REVERSI_EDGE, REVERSI_PHASES },
	{ NULL, 0, 0 },
};

#define REVERSI_CORNERS UINT64_C(0x8100000000000081)
#define REVERSI_X_SQUARES UINT64_C(0x0042000000004200)
#define REVERSI_EDGES UINT64_C(0x3c0081818181003c)

/* The squares next to one of `b`, and `b` itself. */
static inline uint64_t reversi_around(uint64_t b)
{
	b |= (b << 1 & ~REVERSI_LEFT) | (b & ~REVERSI_LEFT) >> 1;
	return b | b << 8 | b >> 8;
}

/* The C-squares of these corners. A single shift would wrap around the edge of the board. */
static inline uint64_t reversi_c_squares(uint64_t corners)
{
	return (corners << 1 & UINT64_C(0x0200000000000002)) |
	       (corners >> 1 & UINT64_C(0x4000000000000040)) |
	       (corners << 8 & UINT64_C(0x0000000000008100)) |
	       (corners >> 8 & UINT64_C(0x0081000000000000));
}

static inline uint64_t reversi_x_squares(uint64_t corners)
{
	return (corners << 9 | corners >> 9 | corners << 7 | corners >> 7) & REVERSI_X_SQUARES;
}

/* The number of the squares that I have, minus the opponent's. */
static inline int32_t reversi_ahead(const struct reversi *s, uint64_t squares)
{
	return bits_count(s->mover & squares) - bits_count(s->other & squares);
}

/* The phase by the number of discs. */
static inline int reversi_phase(const void *state)
{
	const struct reversi *s = state;
	const int discs = bits_count(s->mover | s->other);
	return (discs >= REVERSI_MIDDLE_FROM) + (discs >= REVERSI_END_FROM);
}

/* A term: the number of the squares that I have, minus the opponent's, times a weight. */
QV_ALWAYS_INLINE int32_t reversi_term(const struct reversi *s, uint64_t squares,
				      const int32_t *weights, int place, struct qv_terms *terms)
{
	return qv_weigh_ahead(terms, weights, place, reversi_seat(s),
			      bits_count(s->mover & squares), bits_count(s->other & squares));
}

/* The sum of the terms, given the legal moves of the two sides. */
QV_ALWAYS_INLINE int32_t reversi_weigh_as(const struct reversi *s, uint64_t mine, uint64_t theirs,
					  const int32_t *w, struct qv_terms *terms)
{
	const int phase = reversi_phase(s);
	const uint64_t empty = ~(s->mover | s->other), open_corners = empty & REVERSI_CORNERS;
	const uint64_t around = reversi_around(empty), beside = reversi_x_squares(open_corners),
		       next = reversi_c_squares(open_corners);
	return qv_weigh_ahead(terms, w, REVERSI_MOBILITY + phase, reversi_seat(s), bits_count(mine),
			      bits_count(theirs)) +
	       reversi_term(s, around, w, REVERSI_FRONTIER + phase, terms) +
	       reversi_term(s, REVERSI_CORNERS, w, REVERSI_CORNER + phase, terms) +
	       reversi_term(s, beside, w, REVERSI_X_SQUARE + phase, terms) +
	       reversi_term(s, next, w, REVERSI_C_SQUARE + phase, terms) +
	       reversi_term(s, REVERSI_EDGES, w, REVERSI_EDGE + phase, terms);
}

static inline int32_t reversi_weigh(const struct reversi *s, uint64_t mine, uint64_t theirs,
				    const int32_t *weights)
{
	return reversi_weigh_as(s, mine, theirs, weights, NULL);
}

static inline int32_t reversi_evaluate(const struct reversi *s, const void *weights)
{
	return reversi_weigh(s, reversi_mobility(s->mover, s->other),
			     reversi_mobility(s->other, s->mover), weights);
}

/* My discs minus the opponent's. */
static inline int32_t reversi_material(const void *state, const void *weights)
{
	(void)weights;
	return reversi_ahead(state, ~UINT64_C(0));
}

/* The discs of a seat. */
static inline int32_t reversi_discs(const void *state, int seat)
{
	const struct reversi *s = state;
	return bits_count(seat == reversi_seat(s) ? s->mover : s->other);
}

/* What a move changes in reversi_material: the disc placed, and those turned over. */
static inline int32_t reversi_move_discs(const void *state, qv_move move, const void *weights)
{
	const struct reversi *s = state;
	(void)weights;
	if (move == REVERSI_PASS)
		return 0;
	return 1 + 2 * bits_count(reversi_turned(s->mover, s->other, (int)move));
}

/* The value of a move by its square alone: corners, the squares beside them, edges. */
static inline int32_t reversi_move_square(const void *state, qv_move move, const void *weights)
{
	const struct reversi *s = state;
	if (move == REVERSI_PASS)
		return 0;
	const int32_t *w = (const int32_t *)weights + reversi_phase(s);
	const uint64_t square = UINT64_C(1) << move;
	const uint64_t open_corners = ~(s->mover | s->other) & REVERSI_CORNERS;
	return square & REVERSI_CORNERS				  ? w[REVERSI_CORNER]
	       : square & reversi_x_squares(open_corners) ? w[REVERSI_X_SQUARE]
	       : square & reversi_c_squares(open_corners) ? w[REVERSI_C_SQUARE]
	       : square & REVERSI_EDGES			  ? w[REVERSI_EDGE]
							  : 0;
}

/* Evaluation and result in one: both need the legal moves of both sides. */
static inline int32_t reversi_leaf(const struct reversi *s, const void *weights)
{
	const uint64_t mine = reversi_mobility(s->mover, s->other);
	const uint64_t theirs = reversi_mobility(s->other, s->mover);
	if (mine | theirs)
		return reversi_weigh(s, mine, theirs, weights);
	const int32_t margin = reversi_material(s, NULL);
	return margin > 0 ? QV_LEAF_WON : margin < 0 ? QV_LEAF_LOST : QV_LEAF_DRAWN;
}

/*
 * ---- Stable discs ----
 *
 * A disc can be turned over along one of its four lines, between two enemy discs. It is safe on a
 * line that is full, on a line that ends beside it, and beside a stable disc of its own colour. A
 * disc that is safe on all four lines is stable. There are other stable discs, which are harder to
 * find.
 */

#define REVERSI_RIGHT (REVERSI_LEFT << 7)

/* The squares of full lines, for the four directions. */
struct reversi_full_lines {
	uint64_t row, column, falling, rising;
};

/*
 * The full diagonals. Spreads the empty squares along them both ways, by one, two and four steps
 * down and to the right (falling) or left; what they do not reach is full.
 */
static inline uint64_t reversi_full_diagonals(uint64_t discs, bool falling)
{
	const uint64_t left[3] = { REVERSI_LEFT, REVERSI_LEFT * 0x03, REVERSI_LEFT * 0x0f };
	const uint64_t right[3] = { REVERSI_RIGHT, REVERSI_LEFT * 0xc0, REVERSI_LEFT * 0xf0 };
	uint64_t on = ~discs, back = ~discs;
#pragma GCC unroll 3
	for (int i = 0; i < 3; i++) {
		on |= on << ((falling ? 9 : 7) << i) & ~(falling ? left : right)[i];
		back |= back >> ((falling ? 9 : 7) << i) & ~(falling ? right : left)[i];
	}
	return ~(on | back);
}

/* Finds the full lines in all four directions. */
static inline struct reversi_full_lines reversi_find_full_lines(uint64_t discs)
{
	struct reversi_full_lines full;
	uint64_t row = discs;
	row &= row >> 4;
	row &= row >> 2;
	row &= row >> 1;
	full.row = (row & REVERSI_LEFT) * 0xff;
	uint64_t column = discs;
	column &= column >> 32 | column << 32;
	column &= column >> 16 | column << 48;
	column &= column >> 8 | column << 56;
	full.column = column;
	full.falling = reversi_full_diagonals(discs, true);
	full.rising = reversi_full_diagonals(discs, false);
	return full;
}

/* My stable discs: grows the set until nothing changes. */
static inline uint64_t reversi_stable(uint64_t mine, uint64_t theirs)
{
	const uint64_t ends = UINT64_C(0xff000000000000ff), sides = REVERSI_LEFT | REVERSI_RIGHT;
	const struct reversi_full_lines full = reversi_find_full_lines(mine | theirs);
	uint64_t stable = 0, before;
	do {
		before = stable;
		/*
		 * Bits that a shift carries around the edge land on an edge, where these lines end
		 * anyway.
		 */
		const uint64_t row = stable >> 1 | stable << 1 | full.row | sides;
		const uint64_t column = stable >> 8 | stable << 8 | full.column | ends;
		const uint64_t falling = stable >> 9 | stable << 9 | full.falling | ends | sides;
		const uint64_t rising = stable >> 7 | stable << 7 | full.rising | ends | sides;
		stable = row & column & falling & rising & mine;
	} while (stable != before);
	return stable;
}

#endif
