/*
 * programs.h - evaluations of the draughts programs that chapter 10 of the 1983 book describes.
 * SPDX-License-Identifier: MIT
 *
 * A man is 1 and a king 3 for all of them. The book names the features of three programs but no
 * weights, so those of Borchek and M-Checkers are ours. It does not name Samuel's; we use four of his
 * article of 1959. The weights of Creative Computing's Checkers are those of its listing (Basic
 * Computer Games, 1978), where a captured piece is 5 points.
 */
#ifndef DRAUGHTS_PROGRAMS_H
#define DRAUGHTS_PROGRAMS_H

#include "games/draughts/evaluate.h"

/* ---- samuel, borchek and mcheckers: scores of positions ---- */

enum {
	PROGRAM_MAN,
	PROGRAM_KING,
	PROGRAM_BACK_UP,  /* a piece with a friend diagonally behind it */
	PROGRAM_SIDE,	  /* a piece on a side of the board */
	PROGRAM_SQUARES,  /* a piece on one of the eight squares in the centre */
	PROGRAM_CONTACT,  /* a piece next to an enemy */
	PROGRAM_ADVANCE,  /* a row that a man has advanced */
	PROGRAM_BRIDGE,	  /* 1 and 3, or 30 and 32, are held, and the enemy has no king */
	PROGRAM_MOBILITY, /* a square that can be reached by a step */
	PROGRAM_NEAR,	  /* endgame, the stronger side: a step nearer to the closest enemy */
	PROGRAM_CORNER,	  /* endgame, the weaker side: a step nearer to a double corner */
	PROGRAM_ENDGAME,  /* the endgame begins with this many pieces of both sides */
	PROGRAM_WEIGHTS,
	PROGRAM_FARTHEST = 7, /* steps between two squares */
};

static const int32_t draughts_samuel_weights[PROGRAM_WEIGHTS] = {
	[PROGRAM_MAN] = DRAUGHTS_MAN, [PROGRAM_KING] = DRAUGHTS_KING, [PROGRAM_SQUARES] = 3,
	[PROGRAM_ADVANCE] = 2,	      [PROGRAM_BRIDGE] = 12,	      [PROGRAM_MOBILITY] = 2,
};

static const struct qv_weight draughts_samuel_names[] = {
	{ "man", PROGRAM_MAN, 1 },
	{ "king", PROGRAM_KING, 1 },
	{ "squares", PROGRAM_SQUARES, 1 },
	{ "advance", PROGRAM_ADVANCE, 1 },
	{ "bridge", PROGRAM_BRIDGE, 1 },
	{ "mobility", PROGRAM_MOBILITY, 1 },
	{ 0 },
};

static const int32_t draughts_borchek_weights[PROGRAM_WEIGHTS] = {
	[PROGRAM_MAN] = DRAUGHTS_MAN,
	[PROGRAM_KING] = DRAUGHTS_KING,
	[PROGRAM_BACK_UP] = 3,
	[PROGRAM_SIDE] = 4,
};

static const struct qv_weight draughts_borchek_names[] = {
	{ "man", PROGRAM_MAN, 1 },
	{ "king", PROGRAM_KING, 1 },
	{ "back-up", PROGRAM_BACK_UP, 1 },
	{ "side", PROGRAM_SIDE, 1 },
	{ 0 },
};

static const int32_t draughts_mcheckers_weights[PROGRAM_WEIGHTS] = {
	[PROGRAM_MAN] = DRAUGHTS_MAN, [PROGRAM_KING] = DRAUGHTS_KING, [PROGRAM_BACK_UP] = 3,
	[PROGRAM_SIDE] = -4,	      [PROGRAM_SQUARES] = 4,	      [PROGRAM_CONTACT] = -2,
	[PROGRAM_NEAR] = 5,	      [PROGRAM_CORNER] = 5,	      [PROGRAM_ENDGAME] = 5,
};

static const struct qv_weight draughts_mcheckers_names[] = {
	{ "man", PROGRAM_MAN, 1 },	   { "king", PROGRAM_KING, 1 },
	{ "back-up", PROGRAM_BACK_UP, 1 }, { "side", PROGRAM_SIDE, 1 },
	{ "squares", PROGRAM_SQUARES, 1 }, { "contact", PROGRAM_CONTACT, 1 },
	{ "near", PROGRAM_NEAR, 1 },	   { "corner", PROGRAM_CORNER, 1 },
	{ "endgame", PROGRAM_ENDGAME, 1 }, { 0 },
};

/* The neighbours of squares in all directions. */
static inline uint64_t draughts_around(uint64_t squares)
{
	uint64_t around = 0;
	for (int d = 0; d < 4; d++)
		around |= draughts_shift(squares, d);
	return around & DRAUGHTS_BOARD;
}

/* The steps of a king from a square to the closest of the targets, on an empty board. */
static inline int draughts_distance(uint64_t from, uint64_t targets)
{
	int steps = 0;
	for (; targets && !(from & targets); steps++)
		from |= draughts_around(from);
	return steps;
}

/* The steps that pieces are nearer to the closest target than the farthest square. */
static inline int draughts_nearness(uint64_t pieces, uint64_t targets)
{
	int near = 0;
	for (; pieces; pieces = bits_rest(pieces))
		near += PROGRAM_FARTHEST - draughts_distance(pieces & -pieces, targets);
	return near;
}

/* Squares 1 and 5, 28 and 32. */
static inline uint64_t draughts_double_corners(void)
{
	return draughts_bit(draughts_bit_of(1)) | draughts_bit(draughts_bit_of(5)) |
	       draughts_bit(draughts_bit_of(28)) | draughts_bit(draughts_bit_of(32));
}

/* How far a side is ahead, if few enough pieces are left for the endgame rules; otherwise 0. */
static inline int32_t draughts_endgame_lead(const struct draughts *s, int side, int32_t most)
{
	if (bits_count(s->pieces[0] | s->pieces[1]) > most)
		return 0;
	return draughts_material(s, side) - draughts_material(s, 1 - side);
}

static inline bool draughts_bridge(const struct draughts *s, int side)
{
	const int first = side == DRAUGHTS_BLACK ? 1 : 30;
	const uint64_t both =
		draughts_bit(draughts_bit_of(first)) | draughts_bit(draughts_bit_of(first + 2));
	return !(both & ~s->pieces[side]) && !(s->pieces[1 - side] & s->kings);
}

/* The squares that a side can step to. */
static inline uint64_t draughts_steps_to(const struct draughts *s, int side)
{
	const uint64_t mine = s->pieces[side], kings = mine & s->kings;
	const int forward = draughts_forward(side), back = draughts_forward(1 - side);
	return (draughts_shift(mine, forward) | draughts_shift(mine, forward + 1) |
		draughts_shift(kings, back) | draughts_shift(kings, back + 1)) &
	       draughts_empty(s);
}

/* How often a term counts for a side. */
static inline int draughts_program_count(const struct draughts *s, int side, const int32_t *w,
					 int place)
{
	const uint64_t mine = s->pieces[side], theirs = s->pieces[1 - side];
	const int forward = draughts_forward(side);
	switch (place) {
	case PROGRAM_MAN:
		return bits_count(mine & ~s->kings);
	case PROGRAM_KING:
		return bits_count(mine & s->kings);
	case PROGRAM_BACK_UP:
		return bits_count(
			mine & (draughts_shift(mine, forward) | draughts_shift(mine, forward + 1)));
	case PROGRAM_SIDE:
		return bits_count(mine & DRAUGHTS_EDGE);
	case PROGRAM_SQUARES:
		return bits_count(mine & DRAUGHTS_CENTRE);
	case PROGRAM_CONTACT:
		return bits_count(mine & draughts_around(theirs));
	case PROGRAM_ADVANCE:
		return draughts_advance(mine & ~s->kings, side);
	case PROGRAM_BRIDGE:
		return draughts_bridge(s, side);
	case PROGRAM_MOBILITY:
		return bits_count(draughts_steps_to(s, side));
	case PROGRAM_NEAR:
		return draughts_endgame_lead(s, side, w[PROGRAM_ENDGAME]) > 0
			       ? draughts_nearness(mine, theirs)
			       : 0;
	case PROGRAM_CORNER:
		return draughts_endgame_lead(s, side, w[PROGRAM_ENDGAME]) < 0
			       ? draughts_nearness(mine, draughts_double_corners())
			       : 0;
	default: /* PROGRAM_ENDGAME is a limit */
		return 0;
	}
}

/* The sum of the terms that are named, for the side to move. */
static inline int32_t draughts_program_value(const struct draughts *s,
					     const struct qv_weight *names, const int32_t *w,
					     struct qv_terms *terms)
{
	int32_t value = 0;
	for (; names->name; names++)
		if (names->first != PROGRAM_ENDGAME)
			value += qv_weigh_ahead(
				terms, w, names->first, s->turn,
				draughts_program_count(s, s->turn, w, names->first),
				draughts_program_count(s, 1 - s->turn, w, names->first));
	return value;
}

/* The slots `evaluate` and `terms` of a program. */
#define DRAUGHTS_PROGRAM(program)                                                                \
	static inline int32_t draughts_##program##_evaluate(const void *state,                   \
							    const void *weights)                 \
	{                                                                                        \
		return draughts_program_value(state, draughts_##program##_names, weights, NULL); \
	}                                                                                        \
	static inline void draughts_##program##_terms(const void *state, const void *weights,    \
						      struct qv_terms *out)                      \
	{                                                                                        \
		draughts_program_value(state, draughts_##program##_names, weights, out);         \
	}

/* ---- creative: scores of moves ---- */

enum {
	CREATIVE_CAPTURE, /* a captured piece */
	CREATIVE_CROWN,	  /* a man becomes a king */
	CREATIVE_SIDE,	  /* the move ends on a side of the board */
	CREATIVE_BACK_UP, /* a friend diagonally in front of where it ends */
	CREATIVE_RISK,	  /* an enemy there, and the square behind the piece is empty */
	CREATIVE_HOME,	  /* the piece leaves its own back row; the book omits this one */
	CREATIVE_WEIGHTS,
};

static const int32_t draughts_creative_weights[CREATIVE_WEIGHTS] = {
	[CREATIVE_CAPTURE] = 100, [CREATIVE_CROWN] = 40, [CREATIVE_SIDE] = 20,
	[CREATIVE_BACK_UP] = 20,  [CREATIVE_RISK] = -40, [CREATIVE_HOME] = -40,
};

static const struct qv_weight draughts_creative_names[] = {
	{ "capture", CREATIVE_CAPTURE, 1 },
	{ "crown", CREATIVE_CROWN, 1 },
	{ "side", CREATIVE_SIDE, 1 },
	{ "back-up", CREATIVE_BACK_UP, 1 },
	{ "risk", CREATIVE_RISK, 1 },
	{ "home", CREATIVE_HOME, 1 },
	{ 0 },
};

/* What the program scores a move, with its weights. */
static inline int32_t draughts_creative_move(const void *state, qv_move move, const void *weights)
{
	const struct draughts *s = state;
	const int32_t *w = weights;
	const uint64_t from = draughts_bit(draughts_from(move));
	const int forward = draughts_forward(s->turn);
	uint64_t taken;
	const uint64_t to = draughts_walk(move, &taken);
	const uint64_t mine = s->pieces[s->turn] & ~from;
	const uint64_t theirs = s->pieces[1 - s->turn] & ~taken;
	const uint64_t empty = DRAUGHTS_BOARD & ~(mine | theirs | to);
	int32_t value = w[CREATIVE_CAPTURE] * draughts_jumps(move);
	if (!(s->kings & from) && to & draughts_last_row(s->turn))
		value += w[CREATIVE_CROWN];
	if (to & DRAUGHTS_EDGE)
		value += w[CREATIVE_SIDE];
	if (from & draughts_last_row(1 - s->turn))
		value += w[CREATIVE_HOME];
	for (int d = forward; d <= forward + 1; d++) {
		const uint64_t ahead = draughts_shift(to, d);
		if (ahead & mine)
			value += w[CREATIVE_BACK_UP];
		if (ahead & theirs && draughts_shift(to, 3 - d) & empty)
			value += w[CREATIVE_RISK];
	}
	return value;
}

/* A position has the captures and crowns of the moves that led to it. */
static inline int32_t draughts_creative_value(const struct draughts *s, const int32_t *w,
					      struct qv_terms *terms)
{
	const uint64_t mine = s->pieces[s->turn], theirs = s->pieces[1 - s->turn];
	return qv_weigh_ahead(terms, w, CREATIVE_CAPTURE, s->turn, bits_count(mine),
			      bits_count(theirs)) +
	       qv_weigh_ahead(terms, w, CREATIVE_CROWN, s->turn, bits_count(mine & s->kings),
			      bits_count(theirs & s->kings));
}

static inline int32_t draughts_creative_evaluate(const void *state, const void *weights)
{
	return draughts_creative_value(state, weights, NULL);
}

static inline void draughts_creative_terms(const void *state, const void *weights,
					   struct qv_terms *out)
{
	draughts_creative_value(state, weights, out);
}

#endif
