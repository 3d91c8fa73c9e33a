/*
 * book_eval.h - the 1983 book's advice on what a chess program should consider, as an evaluation.
 * SPDX-License-Identifier: MIT
 *
 * The book names the terms and ranks some of them, but gives few numbers. Weights are in hundredths
 * of a pawn, and each can be set by name.
 */
#ifndef CHESS_BOOK_EVAL_H
#define CHESS_BOOK_EVAL_H

#include "games/chess/endings.h"

/* Indices of the weights. */
enum {
	CHESS_BOOK_VALUE,	  /* pawn to queen */
	CHESS_BOOK_ADVANCE = 5,	  /* of a pawn, for each row from its first */
	CHESS_BOOK_INFLUENCE,	  /* of a piece on a square that it reaches, pawn to king */
	CHESS_BOOK_END_KING = 12, /* the king's influence in the ending */
	CHESS_BOOK_CONTROL,	  /* of a square at the edge, further in, in the centre */
	/* a pawn with another on its file; with none on the neighbouring files */
	CHESS_BOOK_DOUBLED = 17,
	CHESS_BOOK_FIANCHETTO = 19,
	CHESS_BOOK_ROOKS_TOGETHER, /* two on a file or row with nothing between them */
	CHESS_BOOK_ROOK_SEVENTH,   /* on the seventh or eighth row */
	CHESS_BOOK_ATTACK,	   /* on an enemy piece, in fractions of its value: 1 / this */
	CHESS_BOOK_OPEN_LINE,	   /* to the enemy king, ignoring its own pieces */
	CHESS_BOOK_AT_HOME,	   /* a knight or bishop that has not moved */
	CHESS_BOOK_CASTLED = 26,
	CHESS_BOOK_NO_RIGHT,	   /* to castle any more, and not castled */
	CHESS_BOOK_CENTRE_PAWN,	   /* on d4, e4, d5 or e5 */
	CHESS_BOOK_EARLY_QUEEN,	   /* moved before castling */
	CHESS_BOOK_KING_CENTRE,	   /* in the ending, for each step nearer to the centre */
	CHESS_BOOK_CHAIN,	   /* a pawn that another guards */
	CHESS_BOOK_NEAR,	   /* in the ending, a pawn on the fifth, sixth, seventh row */
	CHESS_BOOK_SUPPORTED = 35, /* ... and more if another guards it */
	CHESS_BOOK_RUNNER = 38,	   /* more for a pawn that cannot be caught */
	CHESS_BOOK_PHASE,	   /* a switch, see chess_book_phase */
	CHESS_BOOK_WEIGHTS,
};

/* The default weights, with the switch for the phase. `runner` makes a queen of a pawn. */
#define CHESS_BOOK_SET(phase)                                                                      \
	{                                                                                          \
		[CHESS_BOOK_VALUE] = 100, 300, 320, 500, 900, [CHESS_BOOK_ADVANCE] = 1,            \
		[CHESS_BOOK_INFLUENCE] = 12, 8, 8, 5, 3, 1, [CHESS_BOOK_END_KING] = 5,             \
		[CHESS_BOOK_CONTROL] = 1, 2, 3, 6, [CHESS_BOOK_DOUBLED] = 20, 50,                  \
		[CHESS_BOOK_FIANCHETTO] = 10, [CHESS_BOOK_ROOKS_TOGETHER] = 15,                    \
		[CHESS_BOOK_ROOK_SEVENTH] = 20, [CHESS_BOOK_ATTACK] = 40,                          \
		[CHESS_BOOK_OPEN_LINE] = 10, [CHESS_BOOK_AT_HOME] = 15, 12,                        \
		[CHESS_BOOK_CASTLED] = 40, [CHESS_BOOK_NO_RIGHT] = 25,                             \
		[CHESS_BOOK_CENTRE_PAWN] = 15, [CHESS_BOOK_EARLY_QUEEN] = 50,                      \
		[CHESS_BOOK_KING_CENTRE] = 8, [CHESS_BOOK_CHAIN] = 6,                              \
		[CHESS_BOOK_NEAR] = 10, 20, 40, [CHESS_BOOK_SUPPORTED] = 10, 25, 50,               \
		[CHESS_BOOK_RUNNER] = 800, [CHESS_BOOK_PHASE] = (phase),                           \
	}

static const int32_t chess_book_weights[CHESS_BOOK_WEIGHTS] = CHESS_BOOK_SET(0);

/* For searches in which the phase of the root decides what counts at all leaves (`phases=1`). */
static const int32_t chess_book_phase_weights[QV_PHASES][CHESS_BOOK_WEIGHTS] = {
	[QV_OPENING] = CHESS_BOOK_SET(1 + QV_OPENING),
	[QV_MIDDLE] = CHESS_BOOK_SET(1 + QV_MIDDLE),
	[QV_END] = CHESS_BOOK_SET(1 + QV_END),
};
#undef CHESS_BOOK_SET

static const struct qv_weight chess_book_weight_names[] = {
	{ "men", CHESS_BOOK_VALUE, 5 },
	{ "advance", CHESS_BOOK_ADVANCE, 1 },
	{ "influence", CHESS_BOOK_INFLUENCE, 6 },
	{ "end-king", CHESS_BOOK_END_KING, 1 },
	{ "control", CHESS_BOOK_CONTROL, 4 },
	{ "doubled", CHESS_BOOK_DOUBLED, 2 },
	{ "fianchetto", CHESS_BOOK_FIANCHETTO, 1 },
	{ "rooks-together", CHESS_BOOK_ROOKS_TOGETHER, 1 },
	{ "rook-seventh", CHESS_BOOK_ROOK_SEVENTH, 1 },
	{ "attack", CHESS_BOOK_ATTACK, 1 },
	{ "open-line", CHESS_BOOK_OPEN_LINE, 1 },
	{ "at-home", CHESS_BOOK_AT_HOME, 2 },
	{ "castled", CHESS_BOOK_CASTLED, 1 },
	{ "no-right", CHESS_BOOK_NO_RIGHT, 1 },
	{ "centre-pawn", CHESS_BOOK_CENTRE_PAWN, 1 },
	{ "early-queen", CHESS_BOOK_EARLY_QUEEN, 1 },
	{ "king-centre", CHESS_BOOK_KING_CENTRE, 1 },
	{ "chain", CHESS_BOOK_CHAIN, 1 },
	{ "near", CHESS_BOOK_NEAR, 3 },
	{ "supported", CHESS_BOOK_SUPPORTED, 3 },
	{ "runner", CHESS_BOOK_RUNNER, 1 },
	{ 0 },
};

/*
 * The opening lasts about ten moves; in the ending fewer than 25 pawns' worth of pieces are left.
 */
enum { CHESS_BOOK_OPENING = 10, CHESS_BOOK_END = 25 };

/* Whether the ending has begun, by the material of both sides. */
static inline bool chess_book_is_end(const struct chess *s)
{
	return bits_count(s->kind[CHESS_PAWN]) +
		       3 * bits_count(s->kind[CHESS_KNIGHT] | s->kind[CHESS_BISHOP]) +
		       5 * bits_count(s->kind[CHESS_ROOK]) + 9 * bits_count(s->kind[CHESS_QUEEN]) <
	       CHESS_BOOK_END;
}

/* The phase of a position. Little material is the ending, whatever the number of the move. */
static inline int chess_book_phase_of(const struct chess *s)
{
	return chess_book_is_end(s)		? QV_END
	       : s->number > CHESS_BOOK_OPENING ? QV_MIDDLE
						: QV_OPENING;
}

/* The phase that counts: 1, 2 or 3 in the weights fix it; otherwise it is the position's. */
static inline int chess_book_phase(const struct chess *s, const int32_t *w)
{
	const int fixed = w[CHESS_BOOK_PHASE] - 1;
	return fixed >= QV_OPENING && fixed <= QV_END ? fixed : chess_book_phase_of(s);
}

/* The squares that a piece on a square attacks if the others stand on `pieces`. */
static inline uint64_t chess_book_reach(uint64_t pieces, int side, int kind, int square)
{
	return kind == CHESS_PAWN ? chess_pawn_attacks(side, square)
				  : chess_attacks(kind, square, pieces);
}

/* A weight that counts against a side: its term is negative. Returns the product. */
QV_ALWAYS_INLINE int32_t chess_book_fault(struct qv_terms *terms, const int32_t *w, int place,
					  int side, int32_t count)
{
	if (terms)
		qv_term_add(terms, place, NULL, side, count, -(int64_t)w[place] * count);
	return w[place] * count;
}

/*
 * Whether the enemy king cannot catch a pawn before it promotes: the rule of the square. The pawn
 * stands on `square`, and the king on `king`, both as the pawn's side sees them. `first`: the pawn
 * moves before the king.
 */
static inline bool chess_book_outruns(int square, int king, bool first)
{
	const int row = chess_row(square), goal = chess_file(square) + CHESS_A8;
	const int steps = 7 - row - (row == 1); /* the first step of a pawn may be double */
	if (!first && chess_distance(king, square) == 1)
		return false; /* captured before it moves */
	return chess_distance(king, goal) > steps + !first;
}

/*
 * The pawns of a side that cannot be caught, as the side sees them. The enemy must have nothing but
 * king and pawns. Their way must be empty, also of own pieces, and no enemy pawn may guard it.
 */
static inline uint64_t chess_book_runners(const struct chess *s, int side)
{
	const uint64_t pieces = chess_seen(chess_occupied(s), side);
	const uint64_t theirs = chess_seen(chess_of(s, 1 - side, CHESS_PAWN), side);
	const int king = chess_king(s, 1 - side) ^ (side == CHESS_WHITE ? 0 : 56);
	uint64_t out = 0;
	if (chess_strength(s, 1 - side))
		return 0;
	for (uint64_t left = chess_seen(chess_of(s, side, CHESS_PAWN), side); left;
	     left = bits_rest(left)) {
		const int square = bits_lowest(left), file = chess_file(square);
		const uint64_t way = CHESS_FILE_A << square & ~chess_bit(square);
		const uint64_t beside = (file ? way >> 1 : 0) | (file < 7 ? way << 1 : 0);
		if (!(way & pieces) && !(beside & theirs) &&
		    chess_book_outruns(square, king, s->turn == side))
			out |= chess_bit(square);
	}
	return out;
}

/* What pawns add together: chains, supported ones, those that cannot be caught, doubled ones. */
QV_ALWAYS_INLINE int32_t chess_book_pawns(const struct chess *s, int phase, int side,
					  const int32_t *w, struct qv_terms *terms)
{
	const uint64_t pawns = chess_seen(chess_of(s, side, CHESS_PAWN), side);
	const uint64_t guarded =
		pawns & ((pawns & ~CHESS_FILE_A) << 7 | (pawns & ~CHESS_FILE_H) << 9);
	int32_t sum = qv_weigh(terms, w, CHESS_BOOK_CHAIN, side, bits_count(guarded));
	sum += qv_weigh(terms, w, CHESS_BOOK_RUNNER, side, bits_count(chess_book_runners(s, side)));
	for (int i = 0; i < 3 && phase == QV_END; i++)
		sum += qv_weigh(terms, w, CHESS_BOOK_SUPPORTED + i, side,
				bits_count(guarded & UINT64_C(0xff00000000) << 8 * i));
	for (int file = 0; file < 8; file++) {
		const uint64_t here = pawns & (CHESS_FILE_A << file);
		const uint64_t beside = pawns & ((file ? CHESS_FILE_A << (file - 1) : 0) |
						 (file < 7 ? CHESS_FILE_A << (file + 1) : 0));
		if (bits_rest(here))
			sum -= chess_book_fault(terms, w, CHESS_BOOK_DOUBLED + !beside, side,
						bits_count(here));
	}
	return sum;
}

/* Steps from a square to the nearest of the four middle ones. */
static inline int chess_book_from_middle(int square)
{
	const int file = chess_file(square), row = chess_row(square);
	const int files = file < 4 ? 3 - file : file - 4, rows = row < 4 ? 3 - row : row - 4;
	return files > rows ? files : rows;
}

/* What a piece on a square counts by itself, without regard to the others. */
QV_ALWAYS_INLINE int32_t chess_book_piece(int phase, int side, int kind, int square,
					  const int32_t *w, struct qv_terms *terms)
{
	const uint64_t b1_g1 = chess_bit(1) | chess_bit(6), c1_f1 = chess_bit(2) | chess_bit(5);
	const uint64_t b2_g2 = chess_bit(9) | chess_bit(14);
	const uint64_t castled_on = chess_bit(CHESS_G1) | chess_bit(CHESS_C1);
	const uint64_t middle = UINT64_C(0x0000001818000000);
	const int seen = square ^ (side == CHESS_WHITE ? 0 : 56), row = chess_row(seen);
	const uint64_t at = chess_bit(seen);
	const bool opening = phase == QV_OPENING, end = phase == QV_END;
	int32_t sum = 0;
	if (kind < CHESS_KING)
		sum += qv_weigh(terms, w, CHESS_BOOK_VALUE + kind, side, 1);
	if (kind == CHESS_PAWN) {
		sum += qv_weigh(terms, w, CHESS_BOOK_ADVANCE, side, row + 1);
		if (end && row >= 4)
			sum += qv_weigh(terms, w, CHESS_BOOK_NEAR + row - 4, side, 1);
		if (opening && at & middle)
			sum += qv_weigh(terms, w, CHESS_BOOK_CENTRE_PAWN, side, 1);
	}
	if (kind == CHESS_BISHOP && at & b2_g2)
		sum += qv_weigh(terms, w, CHESS_BOOK_FIANCHETTO, side, 1);
	if (kind == CHESS_ROOK && row >= 6)
		sum += qv_weigh(terms, w, CHESS_BOOK_ROOK_SEVENTH, side, 1);
	if (opening && kind == CHESS_KNIGHT && at & b1_g1)
		sum -= chess_book_fault(terms, w, CHESS_BOOK_AT_HOME, side, 1);
	if (opening && kind == CHESS_BISHOP && at & c1_f1)
		sum -= chess_book_fault(terms, w, CHESS_BOOK_AT_HOME + 1, side, 1);
	if (opening && kind == CHESS_KING && at & castled_on)
		sum += qv_weigh(terms, w, CHESS_BOOK_CASTLED, side, 1);
	if (end && kind == CHESS_KING)
		sum += qv_weigh(terms, w, CHESS_BOOK_KING_CENTRE, side,
				3 - chess_book_from_middle(square));
	return sum;
}

/*
 * The attacks of a piece on a square, with `mine` as the other pieces of its side, and its line to
 * the enemy king if enemy pieces stepped aside. The term of an attack counts attacks, each worth a
 * fraction of the attacked piece.
 */
QV_ALWAYS_INLINE int32_t chess_book_attacks(const struct chess *s, uint64_t mine, int side,
					    int kind, int square, const int32_t *w,
					    struct qv_terms *terms)
{
	const uint64_t theirs = s->side[1 - side] & ~chess_bit(square);
	uint64_t hit = chess_book_reach(mine | theirs, side, kind, square) & theirs;
	int32_t sum = 0;
	for (; hit && w[CHESS_BOOK_ATTACK] > 0; hit = bits_rest(hit)) {
		const int other = chess_kind_on(s, bits_lowest(hit));
		const int32_t part =
			w[CHESS_BOOK_VALUE + (other < CHESS_KING ? other : CHESS_QUEEN)] /
			w[CHESS_BOOK_ATTACK];
		if (terms)
			qv_term_add(terms, CHESS_BOOK_ATTACK, NULL, side, 1, part);
		sum += part;
	}
	if (kind >= CHESS_BISHOP && kind < CHESS_KING &&
	    chess_attacks(kind, square, mine) & chess_of(s, 1 - side, CHESS_KING))
		sum += qv_weigh(terms, w, CHESS_BOOK_OPEN_LINE, side, 1);
	return sum;
}

/* No right to castle, and an early queen: unless the king has castled. */
QV_ALWAYS_INLINE int32_t chess_book_uncastled(const struct chess *s, int side, const int32_t *w,
					      struct qv_terms *terms)
{
	const int back = side == CHESS_WHITE ? 0 : 56, king = chess_king(s, side) ^ back;
	const uint64_t queens = chess_of(s, side, CHESS_QUEEN);
	int32_t faults = 0;
	if (king == CHESS_G1 || king == CHESS_C1)
		return 0;
	if (!(s->castling & (side == CHESS_WHITE ? 3 : 12)))
		faults += chess_book_fault(terms, w, CHESS_BOOK_NO_RIGHT, side, 1);
	if (queens && !(queens & chess_bit(CHESS_D1 ^ back)))
		faults += chess_book_fault(terms, w, CHESS_BOOK_EARLY_QUEEN, side, 1);
	return -faults;
}

/* All terms of a side but the control of squares. */
QV_ALWAYS_INLINE int32_t chess_book_side(const struct chess *s, int phase, int side,
					 const int32_t *w, struct qv_terms *terms)
{
	const uint64_t rooks = chess_of(s, side, CHESS_ROOK), mine = s->side[side];
	int32_t sum = chess_book_pawns(s, phase, side, w, terms);
	for (uint64_t left = mine; left; left = bits_rest(left)) {
		const int square = bits_lowest(left), kind = chess_kind_on(s, square);
		sum += chess_book_piece(phase, side, kind, square, w, terms) +
		       chess_book_attacks(s, mine, side, kind, square, w, terms);
	}
	if (bits_rest(rooks) &&
	    chess_rook_attacks(bits_lowest(rooks), chess_occupied(s)) & bits_rest(rooks))
		sum += qv_weigh(terms, w, CHESS_BOOK_ROOKS_TOGETHER, side, 1);
	if (phase == QV_OPENING)
		sum += chess_book_uncastled(s, side, w, terms);
	return sum;
}

/* A square belongs to the side with more influence on it; cheap pieces have more influence. */
QV_ALWAYS_INLINE int32_t chess_book_control(const struct chess *s, bool end, const int32_t *w,
					    struct qv_terms *terms)
{
	int32_t influence[CHESS_SQUARES] = { 0 }, sum = 0;
	for (uint64_t pieces = chess_occupied(s); pieces; pieces = bits_rest(pieces)) {
		const int square = bits_lowest(pieces), piece = s->board[square];
		const int kind = piece & 7, side = piece >> 3;
		const int32_t force = kind == CHESS_KING && end ? w[CHESS_BOOK_END_KING]
								: w[CHESS_BOOK_INFLUENCE + kind];
		uint64_t reach = chess_book_reach(chess_occupied(s), side, kind, square);
		for (; reach; reach = bits_rest(reach))
			influence[bits_lowest(reach)] += side == CHESS_WHITE ? force : -force;
	}
	for (int square = 0; square < CHESS_SQUARES; square++) {
		const int place = CHESS_BOOK_CONTROL + 3 - chess_book_from_middle(square);
		sum += qv_weigh_ahead(terms, w, place, CHESS_WHITE, influence[square] > 0,
				      influence[square] < 0);
	}
	return s->turn == CHESS_WHITE ? sum : -sum;
}

/* The value for the side to move, with its terms unless they are NULL. */
QV_ALWAYS_INLINE int32_t chess_book_evaluate_as(const struct chess *s, const int32_t *weights,
						struct qv_terms *terms)
{
	const int phase = chess_book_phase(s, weights);
	return chess_book_side(s, phase, s->turn, weights, terms) -
	       chess_book_side(s, phase, 1 - s->turn, weights, terms) +
	       chess_book_control(s, phase == QV_END, weights, terms);
}

/* Slots of struct qv_evaluation; the weights are an int32_t[CHESS_BOOK_WEIGHTS]. */
static inline int32_t chess_book_evaluate(const void *state, const void *weights)
{
	return chess_book_evaluate_as(state, weights, NULL);
}

static inline void chess_book_terms(const void *state, const void *weights, struct qv_terms *out)
{
	chess_book_evaluate_as(state, weights, out);
}

/*
 * The slot `move`: what the captured piece counted, and the moving piece counts more on its new
 * square than on its old one, with the attacks of both squares. Effects on other pieces are missed.
 */
static inline int32_t chess_book_move(const void *state, qv_move move, const void *weights)
{
	const struct chess *s = state;
	const int us = s->turn, from = chess_from(move), to = chess_to(move);
	const int kind = chess_mover(s, move), taken = chess_taken(s, move);
	const int becomes = chess_promotes(move) ? chess_promotion(move) : kind;
	const int phase = chess_book_phase(s, weights);
	const uint64_t others = s->side[us] & ~chess_bit(from);
	int32_t sum = chess_book_piece(phase, us, becomes, to, weights, NULL) -
		      chess_book_piece(phase, us, kind, from, weights, NULL);
	sum += chess_book_attacks(s, others, us, becomes, to, weights, NULL) -
	       chess_book_attacks(s, others, us, kind, from, weights, NULL);
	if (taken != CHESS_EMPTY)
		sum += chess_book_piece(phase, 1 - us, taken,
					chess_flag(move) == CHESS_PASSANT ? to ^ 8 : to, weights,
					NULL);
	return sum;
}

#endif
