/*
 * evaluate.h - minichess: evaluation, static exchange evaluation, and facts that the selective
 * search needs (search/select.inc.h).
 * SPDX-License-Identifier: MIT
 *
 * The evaluation adds up material, pawn advance, mobility and king safety. Points are hundredths of
 * a pawn. Each term is a count for the side to move minus the same for the opponent. Only
 * the tempo and a king that can be captured count for the side to move alone.
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

/* The defaults; the names below set parts of them in a weights file. */
static const int32_t minichess_weights[MINICHESS_WEIGHTS] = {
	[MINICHESS_VALUE] = 100, 260, 300, 480, 900,
	[MINICHESS_ADVANCE] = 0, 8, 20, 45,
	[MINICHESS_PASSED] = 5, 25, 60, 130,
	[MINICHESS_CHAIN] = 8,
	[MINICHESS_ROOM] = 5, 5, 5, 3,
	[MINICHESS_MIDDLE] = 6, [MINICHESS_SIEGE] = 9, [MINICHESS_ATTACKER] = 8,
	[MINICHESS_SHIELD] = 10, [MINICHESS_GUARDED] = 4, [MINICHESS_ATTACKED] = 14,
	[MINICHESS_TEMPO] = 12, [MINICHESS_PRIZE] = 3000,
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

/* Squares from which a pawn of that side meets none of these enemy pawns. */
static inline uint32_t minichess_free_way(uint32_t theirs, int seat)
{
	uint32_t met = theirs | minichess_beside(theirs);
	for (int step = 0; step < 4; step++)
		met |= minichess_ahead(met, 1 - seat);
	return ~minichess_ahead(met, 1 - seat);
}

/* The terms of one side that do not depend on the other; *attacks is all that it attacks. */
QV_ALWAYS_INLINE int32_t minichess_side_value_as(const struct minichess *s, int seat,
						 const int32_t *w, uint32_t *attacks,
						 struct qv_terms *terms)
{
	const int other = 1 - seat;
	const uint32_t pieces = minichess_occupied(s), mine = s->side[seat];
	const uint32_t pawns = mine & s->kind[MINICHESS_PAWN],
		       king = mine & s->kind[MINICHESS_KING];
	const uint32_t their_pawns = minichess_of(s, other, MINICHESS_PAWN);
	const uint32_t their_king = minichess_of(s, other, MINICHESS_KING);
	const uint32_t siege = minichess_straight(their_king) | minichess_slanted(their_king);
	const uint32_t around = minichess_straight(king) | minichess_slanted(king);
	const uint32_t passed = pawns & minichess_free_way(their_pawns, seat);
	uint32_t reached = minichess_beside(minichess_ahead(pawns, seat));
	const uint32_t central = mine & ~(pawns | king) & MINICHESS_CENTRE;
	int32_t value = qv_weigh(terms, w, MINICHESS_VALUE, seat, bits_count(pawns)) +
			qv_weigh(terms, w, MINICHESS_CHAIN, seat, bits_count(reached & pawns)) +
			qv_weigh(terms, w, MINICHESS_SHIELD, seat, bits_count(around & pawns)) +
			qv_weigh(terms, w, MINICHESS_MIDDLE, seat, bits_count(central));
	/* Pawns by rank, as their side sees it. */
	for (int rank = 0; rank < 4; rank++) {
		const int up = seat == MINICHESS_WHITE ? rank + 1 : 4 - rank;
		const uint32_t there = MINICHESS_RANK_1 << MINICHESS_FILES * up;
		value += qv_weigh(terms, w, MINICHESS_ADVANCE + rank, seat,
				  bits_count(pawns & there)) +
			 qv_weigh(terms, w, MINICHESS_PASSED + rank, seat,
				  bits_count(passed & there));
	}
	/* Other pieces: value, mobility, and whether they attack the enemy king's surroundings. */
	for (int kind = MINICHESS_KNIGHT; kind < MINICHESS_KING; kind++)
		for (uint32_t left = mine & s->kind[kind]; left; left &= left - 1) {
			const uint32_t reach = minichess_reach(kind, bits_lowest(left), pieces);
			reached |= reach;
			value += qv_weigh(terms, w, MINICHESS_VALUE + kind - MINICHESS_PAWN, seat,
					  1) +
				 qv_weigh(terms, w, MINICHESS_ROOM + kind - MINICHESS_KNIGHT, seat,
					  bits_count(reach & ~mine)) +
				 (reach & siege ? qv_weigh(terms, w, MINICHESS_ATTACKER, seat, 1)
						: 0);
		}
	value += qv_weigh(terms, w, MINICHESS_SIEGE, seat, bits_count(reached & siege));
	*attacks = reached | around;
	return value + qv_weigh(terms, w, MINICHESS_GUARDED, seat, bits_count(*attacks & mine));
}

static inline int32_t minichess_side_value(const struct minichess *s, int seat, const int32_t *w,
					   uint32_t *attacks)
{
	return minichess_side_value_as(s, seat, w, attacks, NULL);
}

/* The value for the side to move, with its terms unless they are NULL. */
QV_ALWAYS_INLINE int32_t minichess_evaluate_as(const struct minichess *s, const void *weights,
					       struct qv_terms *terms)
{
	const int32_t *w = weights;
	const int me = s->turn, other = 1 - me;
	uint32_t my_reach, their_reach;
	const int32_t mine = terms ? minichess_side_value_as(s, me, w, &my_reach, terms)
				   : minichess_side_value(s, me, w, &my_reach);
	const int32_t theirs = terms ? minichess_side_value_as(s, other, w, &their_reach, terms)
				     : minichess_side_value(s, other, w, &their_reach);
	const uint32_t my_king = minichess_of(s, me, MINICHESS_KING),
		       their_king = minichess_of(s, other, MINICHESS_KING);
	const uint32_t they_hang = s->side[other] & ~their_king & my_reach & ~their_reach;
	const uint32_t i_hang = s->side[me] & ~my_king & their_reach & ~my_reach;
	return mine - theirs + qv_weigh(terms, w, MINICHESS_TEMPO, me, 1) +
	       qv_weigh_ahead(terms, w, MINICHESS_ATTACKED, me, bits_count(they_hang),
			      bits_count(i_hang)) +
	       (my_reach & their_king ? qv_weigh(terms, w, MINICHESS_PRIZE, me, 1) : 0);
}

/* The slot `evaluate` of struct qv_evaluation; the weights are an int32_t[MINICHESS_WEIGHTS]. */
static inline int32_t minichess_evaluate(const struct minichess *s, const void *weights)
{
	return minichess_evaluate_as(s, weights, NULL);
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

/* The value of a side's pieces. */
QV_ALWAYS_INLINE int32_t minichess_worth_as(const struct minichess *s, int seat,
					    const int32_t *values, struct qv_terms *terms)
{
	int32_t sum = 0;
	for (int kind = MINICHESS_PAWN; kind <= MINICHESS_KING; kind++)
		sum += qv_weigh(terms, values, kind, seat, bits_count(minichess_of(s, seat, kind)));
	return sum;
}

static inline int32_t minichess_worth(const struct minichess *s, int seat, const int32_t *values)
{
	return minichess_worth_as(s, seat, values, NULL);
}

/* The slots `evaluate` and `move` of struct qv_evaluation; the weights are the values by kind. */
static inline int32_t minichess_ahead_by(const void *state, const void *weights)
{
	const struct minichess *s = state;
	return minichess_worth(s, s->turn, weights) - minichess_worth(s, 1 - s->turn, weights);
}

/* The value of what a move captures, and of a promotion. */
static inline int32_t minichess_move_gain(const void *state, qv_move move, const void *weights)
{
	const int32_t *values = weights;
	(void)state;
	return values[minichess_taken(move)] +
	       (minichess_promotes(move) ? values[MINICHESS_QUEEN] - values[MINICHESS_PAWN] : 0);
}

/* ---- exchanges ---- */

/* In exchanges. The king can be captured and is worth more than all other pieces together. */
static const int32_t minichess_prices[MINICHESS_KINDS] = { 0, 100, 300, 320, 500, 900, 10000 };

/* The points that a move captures, and gains by promotion. */
static inline int32_t minichess_gain(const struct minichess *s, qv_move move)
{
	return minichess_move_gain(s, move, minichess_prices);
}

/* The pieces of both sides that capture on the square; `pieces` block lines. */
static inline uint32_t minichess_attackers(const struct minichess *s, int square, uint32_t pieces)
{
	const uint32_t at = UINT32_C(1) << square, queens = s->kind[MINICHESS_QUEEN];
	return (minichess_beside(minichess_down(at)) &
		minichess_of(s, MINICHESS_WHITE, MINICHESS_PAWN)) |
	       (minichess_beside(minichess_up(at)) &
		minichess_of(s, MINICHESS_BLACK, MINICHESS_PAWN)) |
	       (minichess_views[square].knight & s->kind[MINICHESS_KNIGHT]) |
	       (minichess_views[square].king & s->kind[MINICHESS_KING]) |
	       (minichess_bishop_reach(square, pieces) & (s->kind[MINICHESS_BISHOP] | queens)) |
	       (minichess_rook_reach(square, pieces) & (s->kind[MINICHESS_ROOK] | queens));
}

/*
 * Whether the move wins `least` points or more, if both sides keep capturing on its square, each
 * with its least valuable piece, and stop when that is better. Promotions on the way are not seen.
 */
static inline bool minichess_exchange(const struct minichess *s, qv_move move, int32_t least)
{
	const int to = minichess_to(move);
	int32_t balance = minichess_gain(s, move) - least;
	if (balance < 0)
		return false;
	balance -= minichess_prices[minichess_promotes(move) ? MINICHESS_QUEEN
							     : minichess_mover(move)];
	if (balance >= 0 || minichess_taken(move) == MINICHESS_KING)
		return true;
	uint32_t pieces = (minichess_occupied(s) | UINT32_C(1) << to) &
			  ~(UINT32_C(1) << minichess_from(move));
	bool wins = true;
	for (int side = 1 - s->turn;; side = 1 - side) {
		const uint32_t mine = minichess_attackers(s, to, pieces) & pieces & s->side[side];
		int kind = MINICHESS_PAWN;
		if (!mine)
			return wins;
		while (!(mine & s->kind[kind]))
			kind++;
		wins = !wins;
		balance = -balance - 1 - minichess_prices[kind];
		if (balance >= 0)
			return wins;
		/* The piece leaves its square; one behind it on the line may join in. */
		const uint32_t cheapest = mine & s->kind[kind];
		pieces ^= cheapest & (0 - cheapest);
	}
}

/* ---- for the selective search: the functions that search/select.inc.h names ---- */

/* Whether the king of the side to move could be captured. */
static inline bool minichess_checked(const struct minichess *s)
{
	const uint32_t king = minichess_of(s, s->turn, MINICHESS_KING);
	const uint32_t pieces = minichess_occupied(s);
	return king && (minichess_attackers(s, bits_lowest(king), pieces) & s->side[1 - s->turn]);
}

/* Nothing needs to be prepared. */
struct minichess_checks {
	int unused;
};

static inline void minichess_checks_init(struct minichess_checks *c, const struct minichess *s)
{
	(void)s;
	c->unused = 0;
}

/* Whether the move attacks the king: played on a copy, since the state is small. */
static inline bool minichess_gives_check(const struct minichess *s,
					 const struct minichess_checks *c, qv_move move)
{
	struct minichess child = *s;
	(void)c;
	minichess_play(&child, move);
	return minichess_checked(&child);
}

/* False: the game goes on, unless the side to move cannot move. */
static inline bool minichess_may_be_over(const struct minichess *s)
{
	return s->number > MINICHESS_LAST || !minichess_has_king(s, s->turn);
}

/* The null move of a search. */
static inline void minichess_pass(struct minichess *s)
{
	s->number = (uint16_t)(s->number + s->turn);
	s->turn ^= 1;
}

/* The pieces of the side to move other than pawns and king: without any, no null move. */
static inline int minichess_pieces(const struct minichess *s)
{
	return bits_count(s->side[s->turn] & ~(s->kind[MINICHESS_PAWN] | s->kind[MINICHESS_KING]));
}

/* The kind that a move captures, for capture history; 0: none. */
static inline int minichess_victim(const struct minichess *s, qv_move move)
{
	(void)s;
	return minichess_taken(move);
}

/* The piece and target square of a move as one number, for continuation history. */
static inline int minichess_place(const struct minichess *s, qv_move move)
{
	return (s->turn * MINICHESS_KINDS + minichess_mover(move)) * 32 + minichess_to(move);
}

/* The two squares of a move as one number, for butterfly history. */
static inline int minichess_route(qv_move move)
{
	return (int)(move & 1023);
}

/* Attacked squares are not used in the history: computing them costs more than they gain. */
static inline uint64_t minichess_attacked(const struct minichess *s)
{
	(void)s;
	return 0;
}

/* For history by attacked squares, which is not used here. */
static inline int minichess_risk(uint64_t attacked, qv_move move)
{
	(void)attacked, (void)move;
	return 0;
}

/* A move in 16 bits, for the transposition table. */
static inline int minichess_code(qv_move move)
{
	return (int)move;
}

static inline qv_move minichess_from_code(const struct minichess *s, int code)
{
	return minichess_is_legal(s, (qv_move)code) ? (qv_move)code : QV_NO_MOVE;
}

static inline bool minichess_code_takes(const struct minichess *s, int code)
{
	return !minichess_quiet(s, (qv_move)code);
}

/* Computing it costs as much as playing the move, so there is no guess. */
static inline uint64_t minichess_guess_hash(const struct minichess *s, qv_move move)
{
	(void)s, (void)move;
	return 0;
}

/* The keys of correction history: the pawns of both sides, and the other pieces of one side. */
static inline uint64_t minichess_skeleton(const struct minichess *s)
{
	const uint64_t white = minichess_of(s, MINICHESS_WHITE, MINICHESS_PAWN);
	return qv_mix(white << 32 | minichess_of(s, MINICHESS_BLACK, MINICHESS_PAWN));
}

/* Each kind of the side's pieces, times an odd number. */
static inline uint64_t minichess_army(const struct minichess *s, int side)
{
	const uint64_t mine = s->side[side];
	const uint64_t sum = (s->kind[MINICHESS_KNIGHT] & mine) * UINT64_C(0x9e3779b97f4a7c15) +
			     (s->kind[MINICHESS_BISHOP] & mine) * UINT64_C(0xc2b2ae3d27d4eb4f) +
			     (s->kind[MINICHESS_ROOK] & mine) * UINT64_C(0x165667b19e3779f9) +
			     (s->kind[MINICHESS_QUEEN] & mine) * UINT64_C(0xd6e8feb86659fd93) +
			     (s->kind[MINICHESS_KING] & mine) * UINT64_C(0xa0761d6478bd642f);
	return (sum ^ sum >> 32) * UINT64_C(0xe7037ed1a0b428db) >> 32;
}

#endif
