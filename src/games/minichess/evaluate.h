/*
 * evaluate.h - an evaluation of minichess: material, pawn advance, mobility, king safety.
 * SPDX-License-Identifier: MIT
 *
 * Points are hundredths of a pawn. Each term is a count for the side to move minus the same for the
 * opponent. Only the tempo and a king that can be captured count for the side to move alone.
 */
#ifndef MINICHESS_EVALUATE_H
#define MINICHESS_EVALUATE_H

#include "games/minichess/rules.h"

enum {
	MINICHESS_VALUE,			  /* of pawn, knight, bishop, rook, queen */
	MINICHESS_ADVANCE = MINICHESS_VALUE + 5,  /* a pawn on its 2nd to 5th rank */
	MINICHESS_PASSED = MINICHESS_ADVANCE + 4, /* the same, if no pawn can stop it */
	MINICHESS_CHAIN = MINICHESS_PASSED + 4,	  /* a pawn that another pawn guards */
	MINICHESS_ROOM, /* a square that knight, bishop, rook, queen can move to */
	/* a piece other than a pawn on files b to d, ranks 2 to 5 */
	MINICHESS_MIDDLE = MINICHESS_ROOM + 4,
	MINICHESS_SIEGE,		       /* an attacked square next to the enemy king */
	MINICHESS_ATTACKER = MINICHESS_SIEGE + 1, /* a piece that attacks one of these */
	MINICHESS_SHIELD,			  /* a pawn next to its king */
	MINICHESS_GUARDED,			  /* a piece that another one guards */
	MINICHESS_ATTACKED, /* an enemy piece that is attacked and not guarded */
	MINICHESS_TEMPO,
	MINICHESS_PRIZE, /* the side to move can capture the king */
	MINICHESS_WEIGHTS,
};

static const int32_t minichess_weights[MINICHESS_WEIGHTS] = {
	[MINICHESS_VALUE] = 100,
	260,
	300,
	480,
	900,
	[MINICHESS_ADVANCE] = 0,
	8,
	20,
	45,
	[MINICHESS_PASSED] = 5,
	25,
	60,
	130,
	[MINICHESS_CHAIN] = 8,
	[MINICHESS_ROOM] = 5,
	5,
	5,
	3,
	[MINICHESS_MIDDLE] = 6,
	[MINICHESS_SIEGE] = 9,
	[MINICHESS_ATTACKER] = 8,
	[MINICHESS_SHIELD] = 10,
	[MINICHESS_GUARDED] = 4,
	[MINICHESS_ATTACKED] = 14,
	[MINICHESS_TEMPO] = 12,
	[MINICHESS_PRIZE] = 3000,
};

static const struct qv_weight minichess_weight_names[] = {
	{ "value", MINICHESS_VALUE, 5 },       { "advance", MINICHESS_ADVANCE, 4 },
	{ "passed", MINICHESS_PASSED, 4 },     { "chain", MINICHESS_CHAIN, 1 },
	{ "room", MINICHESS_ROOM, 4 },	       { "middle", MINICHESS_MIDDLE, 1 },
	{ "siege", MINICHESS_SIEGE, 1 },       { "attacker", MINICHESS_ATTACKER, 1 },
	{ "shield", MINICHESS_SHIELD, 1 },     { "guarded", MINICHESS_GUARDED, 1 },
	{ "attacked", MINICHESS_ATTACKED, 1 }, { "tempo", MINICHESS_TEMPO, 1 },
	{ "prize", MINICHESS_PRIZE, 1 },       { 0 },
};

/* Files b to d, ranks 2 to 5. */
#define MINICHESS_CENTRE (UINT32_C(0x739ce) << 5)

static inline uint32_t minichess_beside(uint32_t set)
{
	return minichess_right(set) | minichess_left(set);
}

/* Squares from which a pawn of that side meets none of these enemy pawns. */
static inline uint32_t minichess_free_way(uint32_t theirs, int seat)
{
	uint32_t met = theirs | minichess_beside(theirs);
	for (int step = 0; step < 4; step++)
		met |= minichess_ahead(met, 1 - seat);
	return ~minichess_ahead(met, 1 - seat);
}

/* Advance, passed pawns and chains. */
static inline int32_t minichess_pawn_value(const struct minichess *s, int seat, const int32_t *w)
{
	const uint32_t pawns = minichess_of(s, seat, MINICHESS_PAWN),
		       passed = pawns &
				minichess_free_way(minichess_of(s, 1 - seat, MINICHESS_PAWN), seat),
		       guards = minichess_beside(minichess_ahead(pawns, seat));
	int32_t value = w[MINICHESS_CHAIN] * bits_count(guards & pawns);
	for (int rank = 0; rank < 4; rank++) {
		const int up = seat == MINICHESS_WHITE ? rank + 1 : 4 - rank;
		const uint32_t there = MINICHESS_RANK_1 << MINICHESS_FILES * up;
		value += w[MINICHESS_ADVANCE + rank] * bits_count(pawns & there) +
			 w[MINICHESS_PASSED + rank] * bits_count(passed & there);
	}
	return value;
}

/* The terms of one side that do not depend on the other; *attacks is all that it attacks. */
static inline int32_t minichess_side_value(const struct minichess *s, int seat, const int32_t *w,
					   uint32_t *attacks)
{
	const uint32_t pieces = MINICHESS_BOARD ^ s->kind[MINICHESS_EMPTY], mine = s->side[seat],
		       pawns = mine & s->kind[MINICHESS_PAWN],
		       king = mine & s->kind[MINICHESS_KING],
		       siege = minichess_straight(minichess_of(s, 1 - seat, MINICHESS_KING)) |
			       minichess_slanted(minichess_of(s, 1 - seat, MINICHESS_KING)),
		       around = minichess_straight(king) | minichess_slanted(king);
	uint32_t reached = minichess_beside(minichess_ahead(pawns, seat));
	int32_t value = minichess_pawn_value(s, seat, w) + w[MINICHESS_VALUE] * bits_count(pawns) +
			w[MINICHESS_SHIELD] * bits_count(around & pawns) +
			w[MINICHESS_MIDDLE] * bits_count(mine & ~(pawns | king) & MINICHESS_CENTRE);
	for (int kind = MINICHESS_KNIGHT; kind < MINICHESS_KING; kind++)
		for (uint32_t left = mine & s->kind[kind]; left; left &= left - 1) {
			const int square = bits_lowest(left);
			const uint32_t reach = minichess_reach(kind, square, pieces);
			reached |= reach;
			value += w[MINICHESS_VALUE + kind - MINICHESS_PAWN] +
				 w[MINICHESS_ROOM + kind - MINICHESS_KNIGHT] *
					 bits_count(reach & ~mine) +
				 (reach & siege ? w[MINICHESS_ATTACKER] : 0);
		}
	value += w[MINICHESS_SIEGE] * bits_count(reached & siege);
	reached |= around;
	*attacks = reached;
	return value + w[MINICHESS_GUARDED] * bits_count(reached & mine);
}

static inline int32_t minichess_evaluate(const struct minichess *s, const void *weights)
{
	const int32_t *w = weights;
	const int me = s->turn, other = 1 - me;
	uint32_t my_reach, their_reach;
	const int32_t mine = minichess_side_value(s, me, w, &my_reach),
		      theirs = minichess_side_value(s, other, w, &their_reach);
	const uint32_t my_king = minichess_of(s, me, MINICHESS_KING),
		       their_king = minichess_of(s, other, MINICHESS_KING);
	return mine - theirs + w[MINICHESS_TEMPO] +
	       w[MINICHESS_ATTACKED] *
		       (bits_count(s->side[other] & ~their_king & my_reach & ~their_reach) -
			bits_count(s->side[me] & ~my_king & their_reach & ~my_reach)) +
	       (my_reach & their_king ? w[MINICHESS_PRIZE] : 0);
}

/* The evaluation at a leaf, with wins and losses scored beyond it. */
static inline int32_t minichess_leaf(const struct minichess *s, const void *weights)
{
	int32_t points[QV_MAX_SEATS];
	if (minichess_result(s, points) == QV_GOING)
		return minichess_evaluate(s, weights);
	return points[1 - s->turn] ? QV_LEAF_LOST : QV_LEAF_DRAWN;
}

/* ---- material only ---- */

static const int32_t minichess_material_values[MINICHESS_KINDS] = { 0, 100, 300, 300, 500, 900, 0 };

/* As in the 2017 document: the king is worth 1000. */
static const int32_t minichess_seed_values[MINICHESS_KINDS] = { 0, 100, 300, 300, 500, 900, 1000 };

static inline int32_t minichess_worth(const struct minichess *s, int seat, const int32_t *values)
{
	int32_t sum = 0;
	for (int kind = MINICHESS_PAWN; kind <= MINICHESS_KING; kind++)
		sum += values[kind] * bits_count(minichess_of(s, seat, kind));
	return sum;
}

static inline int32_t minichess_ahead_by(const struct minichess *s, const int32_t *values)
{
	return minichess_worth(s, s->turn, values) - minichess_worth(s, 1 - s->turn, values);
}

/* The value of what a move captures, and of a promotion. */
static inline int32_t minichess_move_gain(qv_move move, const int32_t *values)
{
	return values[minichess_taken(move)] +
	       (minichess_promotes(move) ? values[MINICHESS_QUEEN] - values[MINICHESS_PAWN] : 0);
}

#endif
