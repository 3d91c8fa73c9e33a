/*
 * evaluate.h - chess: the hand-written evaluation, in hundredths of a pawn, for the side to move.
 * SPDX-License-Identifier: MIT
 *
 * A sum of weights (weights.h), each a pair for middle game and ending. The material on the board
 * determines how the two are mixed, and endings that are hard to win count less (endings.h). The
 * same code, compiled again with a trace, also records how often each weight was used: the tuner's
 * gradient (learn/chess), and the terms that users see (evaluate_terms.h). Nothing depends on
 * colour, on the counters, or on the history.
 *
 * Everything is inlined into chess_evaluate_as, so that the side `us` and the trace, NULL in games,
 * are constants for the compiler. The terms of a side need the attacks of both, so all pieces are
 * summed up first.
 */
#ifndef CHESS_EVALUATE_H
#define CHESS_EVALUATE_H

#include "games/chess/endings.h"
#include "games/chess/exchange.h"
#include "games/chess/weights.h"

/* Middle game and ending, added together. */
typedef int32_t chess_pair __attribute__((vector_size(8)));

/* How often each weight counted for each side. */
struct chess_trace {
	int16_t times[2][CHESS_WEIGHTS];
	int phase;     /* CHESS_WHOLE: all pieces are there; 0: only pawns */
	int scale;     /* of the ending's part, in CHESS_SCALE_ONE */
	int32_t extra; /* what has no weight, for White */
};

/* An evaluation in progress. Arrays of two are by side. */
struct chess_sum {
	const struct chess *s;
	const int32_t *weights;
	struct chess_trace *trace; /* NULL: not wanted */
	chess_pair total[2];
	uint64_t pieces, pawns[2];
	uint64_t attacked[2][CHESS_KINDS]; /* by the side's pieces of the kind */
	uint64_t any[2], twice[2];	   /* attacked by the side's pieces, by two or more */
	uint64_t span[2];		   /* what the side's pawns may ever attack */
	uint64_t pinned[2], zone[2];	   /* the zone is around the side's king */
	int units[2], attackers[2];	   /* of an attack on the side's king */
	int king[2];
};

/* Adds a weight `times` times for a side, and records it if there is a trace. */
CHESS_INLINE void chess_add(struct chess_sum *e, const int side, int at, int times)
{
	chess_pair pair;
	memcpy(&pair, e->weights + 2 * at, sizeof pair);
	e->total[side] += pair * times;
	if (e->trace)
		e->trace->times[side][at] = (int16_t)(e->trace->times[side][at] + times);
}

/* ---- sets ---- */

/* All squares above those of the set, on their files; below; on the neighbouring files. */
CHESS_INLINE uint64_t chess_up(uint64_t set)
{
	set |= set << 8;
	set |= set << 16;
	return (set | set << 32) << 8;
}

CHESS_INLINE uint64_t chess_down(uint64_t set)
{
	set |= set >> 8;
	set |= set >> 16;
	return (set | set >> 32) >> 8;
}

CHESS_INLINE uint64_t chess_beside(uint64_t set)
{
	return (set & ~CHESS_FILE_A) >> 1 | (set & ~CHESS_FILE_H) << 1;
}

/* The index of a square, seen by its side, on a half board of 32. */
CHESS_INLINE int chess_half(int square)
{
	const int file = chess_file(square);
	return chess_row(square) * 4 + (file < 4 ? file : 7 - file);
}

/* ---- pawns ---- */

/*
 * Pawn squares; doubled, isolated, backward and connected pawns. Passed pawns: their row, free and
 * safe ways, and the distance of the kings.
 */
CHESS_INLINE void chess_sum_pawns(struct chess_sum *e, const int us)
{
	const int them = 1 - us;
	const uint64_t mine = chess_seen(e->pawns[us], us), theirs = chess_seen(e->pawns[them], us);
	const uint64_t files = mine | chess_up(mine) | chess_down(mine);
	const uint64_t isolated = mine & ~chess_beside(files);
	const uint64_t attack = chess_pawns_attack(mine, CHESS_WHITE);
	const uint64_t half_open = ~(theirs | chess_up(theirs) | chess_down(theirs));
	const uint64_t behind = mine & chess_down(mine); /* another one is ahead of it */
	/* No pawn behind or beside it can support it, and a pawn blocks its way. */
	const uint64_t helped = attack | chess_up(attack);
	const uint64_t barred = (chess_pawns_attack(theirs, CHESS_BLACK) | theirs) >> 8;
	const uint64_t backward = mine & ~helped & ~chess_beside(mine) & ~isolated & barred;
	const uint64_t connected = mine & (attack | chess_beside(mine));
	chess_add(e, us, CHESS_ISOLATED_AT, bits_count(isolated & ~half_open));
	chess_add(e, us, CHESS_ISOLATED_AT + 1, bits_count(isolated & half_open));
	chess_add(e, us, CHESS_BACKWARD_AT, bits_count(backward & ~half_open));
	chess_add(e, us, CHESS_BACKWARD_AT + 1, bits_count(backward & half_open));
	chess_add(e, us, CHESS_DOUBLED_AT, bits_count(behind));
	for (uint64_t left = connected; left; left = bits_rest(left))
		chess_add(e, us, CHESS_CONNECTED_AT + chess_row(bits_lowest(left)), 1);
	for (uint64_t left = mine; left; left = bits_rest(left))
		chess_add(e, us, CHESS_SQUARES_AT + chess_half(bits_lowest(left)), 1);
	/* A pawn is passed if no pawn is ahead of it, or can capture it on its way. */
	const uint64_t stopped = chess_down(theirs | chess_beside(theirs)) | behind;
	const uint64_t pieces = chess_seen(e->pieces, us), danger = chess_seen(e->any[them], us);
	const uint64_t rooks = chess_seen(chess_of(e->s, us, CHESS_ROOK), us);
	for (uint64_t left = mine & ~stopped; left; left = bits_rest(left)) {
		const int square = bits_lowest(left), row = chess_row(square);
		const int next = (square + 8) ^ (us ? 56 : 0);
		const int near = chess_distance(e->king[us], next);
		const int far = chess_distance(e->king[them], next);
		const uint64_t bit = chess_bit(square), way = chess_up(bit);
		chess_add(e, us, CHESS_PASSED_AT + row, 1);
		chess_add(e, us, CHESS_PASSED_OWN_KING_AT + row, near);
		chess_add(e, us, CHESS_PASSED_THEIR_KING_AT + row, far);
		chess_add(e, us, CHESS_PASSED_FREE_AT + row, !(pieces & bit << 8));
		chess_add(e, us, CHESS_PASSED_SAFE_AT + row, !(way & (pieces | danger)));
		if (attack & bit)
			chess_add(e, us, CHESS_PASSED_GUARDED_AT, 1);
		if (rooks & chess_down(bit))
			chess_add(e, us, CHESS_PASSED_ROOK_AT, 1);
	}
}

/* ---- pieces ---- */

/* The danger units of an attack near a king, by kind. */
static const int8_t chess_attack_units[CHESS_KINDS] = { 0, 3, 3, 4, 5, 0 };

/* Where the mobility weights of a kind begin, from those of the knight. */
static const uint8_t chess_mobility_at[] = { 0, 0, 9, 23, 38 };
_Static_assert(CHESS_BISHOP_MOBILITY_AT == CHESS_KNIGHT_MOBILITY_AT + 9 &&
		       CHESS_ROOK_MOBILITY_AT == CHESS_KNIGHT_MOBILITY_AT + 23 &&
		       CHESS_QUEEN_MOBILITY_AT == CHESS_KNIGHT_MOBILITY_AT + 38,
	       "the groups follow one another");

/* The terms that every piece of the kind has: square, mobility, and attack on the king. */
CHESS_INLINE uint64_t chess_sum_piece(struct chess_sum *e, const int us, const int kind, int square,
				      uint64_t area)
{
	const int them = 1 - us;
	const uint64_t queens = e->s->kind[CHESS_QUEEN];
	/* X-rays: a bishop sees through own queens, a rook through own queens and rooks. */
	const uint64_t through = kind == CHESS_BISHOP ? queens
				 : kind == CHESS_ROOK ? queens | e->s->kind[CHESS_ROOK]
						      : 0;
	uint64_t attack = chess_attacks(kind, square, e->pieces ^ (through & e->s->side[us]));
	/* A pinned piece attacks along its line only. */
	if (e->pinned[us] >> square & 1)
		attack &= chess_line(e->king[us], square);
	e->attacked[us][kind] |= attack;
	e->twice[us] |= e->any[us] & attack;
	e->any[us] |= attack;
	chess_add(e, us, CHESS_SQUARES_AT + 32 * kind + chess_half(square ^ (us ? 56 : 0)), 1);
	const int mobility = chess_mobility_at[kind] + bits_count(attack & area);
	chess_add(e, us, CHESS_KNIGHT_MOBILITY_AT + mobility, 1);
	/* Each attacker near the king adds danger, more if it attacks the squares next to it. */
	if (attack & e->zone[them]) {
		e->attackers[them]++;
		e->units[them] += chess_attack_units[kind] +
				  bits_count(attack & chess_king_attacks(e->king[them]));
	}
	return attack;
}

/* Knights and bishops: outposts, the bishop pair, pawns on the bishop's colour. */
CHESS_INLINE void chess_sum_minors(struct chess_sum *e, const int us, uint64_t area)
{
	const struct chess *s = e->s;
	const uint64_t rows = chess_seen(UINT64_C(0xffffff) << 24, us);
	/* An outpost: on the fourth to sixth row, held by a pawn, out of reach of enemy pawns. */
	const uint64_t posts = rows & ~e->span[1 - us] & e->attacked[us][CHESS_PAWN];
	const uint64_t before = chess_shift(s->kind[CHESS_PAWN], 1 - us, CHESS_UP);
	const uint64_t knights = chess_of(s, us, CHESS_KNIGHT);
	const uint64_t bishops = chess_of(s, us, CHESS_BISHOP);
	const uint64_t middle = UINT64_C(0x0000001818000000);
	for (uint64_t left = knights; left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		const uint64_t attack = chess_sum_piece(e, us, CHESS_KNIGHT, square, area);
		if (posts & chess_bit(square))
			chess_add(e, us, CHESS_OUTPOST_AT, 1);
		else if (attack & posts & ~s->side[us])
			chess_add(e, us, CHESS_OUTPOST_AT + 2, 1);
	}
	for (uint64_t left = bishops; left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		const uint64_t bit = chess_bit(square);
		const uint64_t attack = chess_sum_piece(e, us, CHESS_BISHOP, square, area);
		const uint64_t colour = CHESS_LIGHT & bit ? CHESS_LIGHT : ~CHESS_LIGHT;
		const uint64_t sees = chess_bishop_attacks(square, s->kind[CHESS_PAWN]) | bit;
		if (posts & bit)
			chess_add(e, us, CHESS_OUTPOST_AT + 1, 1);
		else if (attack & posts & ~s->side[us])
			chess_add(e, us, CHESS_OUTPOST_AT + 3, 1);
		chess_add(e, us, CHESS_BISHOP_PAWNS_AT, bits_count(e->pawns[us] & colour));
		if (bits_rest(sees & middle))
			chess_add(e, us, CHESS_LONG_DIAGONAL_AT, 1);
	}
	if ((bishops & CHESS_LIGHT) && (bishops & ~CHESS_LIGHT))
		chess_add(e, us, CHESS_BISHOP_PAIR_AT, 1);
	chess_add(e, us, CHESS_BEHIND_PAWN_AT, bits_count((bishops | knights) & before));
}

/* Rooks and queens: open files, the seventh row, and an exposed queen. */
CHESS_INLINE void chess_sum_majors(struct chess_sum *e, const int us, uint64_t area)
{
	const struct chess *s = e->s;
	const uint64_t rooks = chess_of(s, us, CHESS_ROOK),
		       their_rooks = rooks ^ s->kind[CHESS_ROOK];
	const uint64_t their_bishops = chess_of(s, 1 - us, CHESS_BISHOP);
	for (uint64_t left = rooks; left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		const uint64_t file = CHESS_FILE_A << chess_file(square);
		chess_sum_piece(e, us, CHESS_ROOK, square, area);
		if (!(e->pawns[us] & file))
			chess_add(e, us, CHESS_ROOK_FILE_AT + !(s->kind[CHESS_PAWN] & file), 1);
		if (chess_seen(CHESS_ROW_1 << 48, us) & chess_bit(square))
			chess_add(e, us, CHESS_ROOK_SEVENTH_AT, 1);
	}
	for (uint64_t left = chess_of(s, us, CHESS_QUEEN); left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		chess_sum_piece(e, us, CHESS_QUEEN, square, area);
		/* A piece between the queen and an enemy rook or bishop may move away. */
		uint64_t snipers = (chess_tables.bishop[square].rays & their_bishops) |
				   (chess_tables.rook[square].rays & their_rooks);
		for (; snipers; snipers = bits_rest(snipers)) {
			const int sniper = bits_lowest(snipers);
			const uint64_t between = chess_between(square, sniper) & e->pieces;
			if (between && !bits_rest(between)) {
				chess_add(e, us, CHESS_QUEEN_EXPOSED_AT, 1);
				break;
			}
		}
	}
}

/* ---- the king ---- */

/*
 * The pawns in front of the king, and enemy pawns that storm it. Attacks, safe checks, and
 * unguarded squares around the king add to its danger.
 */
CHESS_INLINE void chess_sum_king(struct chess_sum *e, const int us)
{
	const struct chess *s = e->s;
	const int them = 1 - us, king = e->king[us], seen = king ^ (us ? 56 : 0);
	const uint64_t ahead = ~UINT64_C(0) << 8 * chess_row(seen);
	const uint64_t mine = chess_seen(e->pawns[us], us) & ahead;
	const uint64_t theirs = chess_seen(e->pawns[them], us) & ahead;
	const int file = chess_file(king), middle = file < 1 ? 1 : file > 6 ? 6 : file;
	for (int f = middle - 1; f <= middle + 1; f++) {
		const int edge = f < 4 ? f : 7 - f;
		/* The rows of the nearest pawns on the file, as the side sees them; 0: none. */
		const uint64_t here = mine & CHESS_FILE_A << f, there = theirs & CHESS_FILE_A << f;
		const int own = here ? chess_row(bits_lowest(here)) : 0;
		const int their = there ? chess_row(bits_lowest(there)) : 0;
		chess_add(e, us, CHESS_SHELTER_AT + edge * 8 + own, 1);
		if (own && their == own + 1)
			chess_add(e, us, CHESS_STORM_BLOCKED_AT + their, 1);
		else
			chess_add(e, us, CHESS_STORM_AT + edge * 8 + their, 1);
	}
	const uint64_t on_file = s->kind[CHESS_PAWN] & CHESS_FILE_A << file;
	if (!(e->pawns[us] & on_file))
		chess_add(e, us, CHESS_KING_OPEN_AT + !on_file, 1);
	/* Weak squares: attacked, and guarded by king or queen at most. Safe: for a check. */
	const uint64_t *mine_on = e->attacked[us], *theirs_on = e->attacked[them];
	const uint64_t weak = e->any[them] & ~e->twice[us] &
			      (~e->any[us] | mine_on[CHESS_KING] | mine_on[CHESS_QUEEN]);
	const uint64_t safe = ~s->side[them] & (~e->any[us] | (weak & e->twice[them]));
	const uint64_t slant = chess_bishop_attacks(king, e->pieces) & safe;
	const uint64_t straight = chess_rook_attacks(king, e->pieces) & safe;
	const uint64_t by_queen = theirs_on[CHESS_QUEEN] & ~mine_on[CHESS_QUEEN];
	int units = e->units[us] + (e->attackers[us] > 2 ? 3 : 0);
	units += chess_knight_attacks(king) & theirs_on[CHESS_KNIGHT] & safe ? 7 : 0;
	units += slant & theirs_on[CHESS_BISHOP] ? 5 : 0;
	units += straight & theirs_on[CHESS_ROOK] ? 8 : 0;
	units += (slant | straight) & by_queen ? 7 : 0;
	units += 2 * bits_count(weak & chess_king_attacks(king)) + 2 * bits_count(e->pinned[us]);
	units -= chess_of(s, them, CHESS_QUEEN) ? 0 : 12;
	units -= mine_on[CHESS_KNIGHT] & chess_king_attacks(king) ? 2 : 0;
	chess_add(e, us, CHESS_DANGER_AT + (units < 0 ? 0 : units > 63 ? 63 : units), 1);
}

/* ---- threats ---- */

/* Adds the weight of each piece of the set by its kind. */
CHESS_INLINE void chess_sum_victims(struct chess_sum *e, const int us, int at, uint64_t set,
				    int first)
{
	for (int kind = first; kind < CHESS_KING; kind++)
		chess_add(e, us, at + kind - first, bits_count(set & e->s->kind[kind]));
}

/*
 * Attacks on more valuable or badly guarded pieces, and pawn steps that would attack. Space: safe
 * squares of the own half in the middle files; those behind own pawns count again.
 */
CHESS_INLINE void chess_sum_threats(struct chess_sum *e, const int us)
{
	const struct chess *s = e->s;
	const int them = 1 - us;
	const uint64_t theirs = s->side[them], pieces = theirs & ~s->kind[CHESS_PAWN];
	const uint64_t *by = e->attacked[us], by_pawns = e->attacked[them][CHESS_PAWN];
	const uint64_t by_minor = by[CHESS_KNIGHT] | by[CHESS_BISHOP];
	/* Guarded by a pawn, or guarded more often than attacked. */
	const uint64_t strong = by_pawns | (e->twice[them] & ~e->twice[us]);
	const uint64_t by_rook = by[CHESS_ROOK] & theirs & ~strong;
	chess_sum_victims(e, us, CHESS_THREAT_PAWN_AT, pieces & by[CHESS_PAWN], CHESS_KNIGHT);
	chess_sum_victims(e, us, CHESS_THREAT_MINOR_AT, theirs & by_minor & (pieces | ~strong),
			  CHESS_PAWN);
	chess_sum_victims(e, us, CHESS_THREAT_ROOK_AT, by_rook, CHESS_PAWN);
	const uint64_t weak = theirs & ~strong & e->any[us];
	const uint64_t hanging = weak & (~e->any[them] | (pieces & e->twice[us]));
	chess_add(e, us, CHESS_THREAT_KING_AT, (weak & by[CHESS_KING]) != 0);
	chess_add(e, us, CHESS_HANGING_AT, bits_count(hanging));
	uint64_t twice;
	const uint64_t steps = chess_steps(e->pawns[us], e->pieces, us, &twice) | twice;
	const uint64_t pushes = steps & ~by_pawns & (e->any[us] | ~e->any[them]);
	const uint64_t pushed_on = chess_pawns_attack(pushes, us) & pieces & ~by[CHESS_PAWN];
	chess_add(e, us, CHESS_PUSH_THREAT_AT, bits_count(pushed_on));
	const uint64_t safe = chess_seen(UINT64_C(0x3c3c3c00), us) & ~e->pawns[us] & ~by_pawns;
	const uint64_t behind = chess_seen(chess_down(chess_seen(e->pawns[us], us)), us);
	const uint64_t quiet = behind & safe & ~e->any[them];
	chess_add(e, us, CHESS_SPACE_AT, bits_count(safe) + bits_count(quiet));
}

/* ---- the sum ---- */

/* Prepares what the terms of a side share (pawn attacks, pins, king zone); counts material. */
CHESS_INLINE void chess_sum_begin(struct chess_sum *e, const int us)
{
	const struct chess *s = e->s;
	const uint64_t pawns = e->pawns[us] = chess_of(s, us, CHESS_PAWN);
	const uint64_t attack = chess_pawns_attack(pawns, us), seen = chess_seen(attack, us);
	const int king = e->king[us] = chess_king(s, us);
	const uint64_t around = chess_king_attacks(king);
	e->pinned[us] = chess_blockers(s, us) & s->side[us];
	e->span[us] = chess_seen(seen | chess_up(seen), us);
	e->attacked[us][CHESS_PAWN] = attack;
	e->attacked[us][CHESS_KING] = around;
	for (int kind = CHESS_KNIGHT; kind < CHESS_KING; kind++)
		e->attacked[us][kind] = 0;
	/* Squares that two pawns attack. */
	const uint64_t left = chess_shift(pawns & ~CHESS_FILE_A, us, CHESS_UP_LEFT);
	const uint64_t right = chess_shift(pawns & ~CHESS_FILE_H, us, CHESS_UP_RIGHT);
	e->any[us] = attack | around;
	e->twice[us] = (attack & around) | (left & right);
	e->zone[us] = around | chess_bit(king) | chess_shift(around, us, CHESS_UP);
	e->units[us] = e->attackers[us] = 0;
	for (int kind = CHESS_PAWN; kind < CHESS_KING; kind++)
		chess_add(e, us, CHESS_MATERIAL_AT + kind, bits_count(chess_of(s, us, kind)));
	chess_add(e, us, CHESS_KING_SQUARES_AT + chess_half(king ^ (us ? 56 : 0)), 1);
}

/* The squares that count for mobility of a side. */
CHESS_INLINE uint64_t chess_area(const struct chess_sum *e, const int us)
{
	const uint64_t low = chess_seen(UINT64_C(0xffff00), us);
	const uint64_t blocked = e->pawns[us] & (low | chess_shift(e->pieces, 1 - us, CHESS_UP));
	return ~(blocked | chess_bit(e->king[us]) | e->attacked[1 - us][CHESS_PAWN]);
}

/* The evaluation itself; fills in the trace unless it is NULL. */
CHESS_INLINE int32_t chess_evaluate_as(const struct chess *s, const void *weights,
				       struct chess_trace *trace)
{
	struct chess_sum e;
	e.s = s;
	e.weights = weights;
	e.trace = trace;
	e.pieces = chess_occupied(s);
	e.total[0] = e.total[1] = (chess_pair){ 0, 0 };
	/* Each step needs the one before for both sides. */
	chess_sum_begin(&e, CHESS_WHITE);
	chess_sum_begin(&e, CHESS_BLACK);
	const uint64_t white = chess_area(&e, CHESS_WHITE), black = chess_area(&e, CHESS_BLACK);
	chess_sum_minors(&e, CHESS_WHITE, white);
	chess_sum_minors(&e, CHESS_BLACK, black);
	chess_sum_majors(&e, CHESS_WHITE, white);
	chess_sum_majors(&e, CHESS_BLACK, black);
	chess_sum_pawns(&e, CHESS_WHITE);
	chess_sum_pawns(&e, CHESS_BLACK);
	chess_sum_king(&e, CHESS_WHITE);
	chess_sum_king(&e, CHESS_BLACK);
	chess_sum_threats(&e, CHESS_WHITE);
	chess_sum_threats(&e, CHESS_BLACK);
	if (s->turn == CHESS_WHITE)
		chess_add(&e, CHESS_WHITE, CHESS_TEMPO_AT, 1);
	else
		chess_add(&e, CHESS_BLACK, CHESS_TEMPO_AT, 1);

	/* Mix middle game and ending by phase; scale the ending for the side that is ahead. */
	const chess_pair total = e.total[0] - e.total[1];
	const int phase = chess_phase_of(s);
	const int scale = chess_scale(s, total[1] > 0 ? CHESS_WHITE : CHESS_BLACK);
	const int32_t extra = chess_mop_up(s, CHESS_WHITE) - chess_mop_up(s, CHESS_BLACK);
	const int32_t middle = total[0] * phase * CHESS_SCALE_ONE;
	const int32_t end = total[1] * (CHESS_WHOLE - phase) * scale;
	const int32_t value = (middle + end) / (CHESS_WHOLE * CHESS_SCALE_ONE) + extra;
	if (trace) {
		trace->phase = phase;
		trace->scale = scale;
		trace->extra = extra;
	}
	return s->turn == CHESS_WHITE ? value : -value;
}

/* The slot `evaluate`; the weights are an int32_t[2 * CHESS_WEIGHTS]. */
static inline int32_t chess_evaluate(const struct chess *s, const void *weights)
{
	return chess_evaluate_as(s, weights, NULL);
}

/* ---- scores of moves ---- */

/* Material and square of a piece alone. */
static inline chess_pair chess_piece_worth(const int32_t *weights, int side, int kind, int square)
{
	const int half = chess_half(square ^ (side == CHESS_WHITE ? 0 : 56));
	chess_pair value = { 0, 0 }, more;
	if (kind < CHESS_KING)
		memcpy(&value, weights + 2 * (CHESS_MATERIAL_AT + kind), sizeof value);
	memcpy(&more, weights + 2 * (CHESS_SQUARES_AT + 32 * kind + half), sizeof more);
	return value + more;
}

/*
 * The slot `move`: what the move changes in material and squares of pieces, mixed by the phase
 * before it. All other terms are missed.
 */
static inline int32_t chess_move_gain(const void *state, qv_move move, const void *weights)
{
	const struct chess *s = state;
	const int us = s->turn, from = chess_from(move), to = chess_to(move);
	const int kind = chess_mover(s, move), taken = chess_taken(s, move);
	const int becomes = chess_promotes(move) ? chess_promotion(move) : kind;
	const int phase = chess_phase_of(s);
	chess_pair sum = chess_piece_worth(weights, us, becomes, to) -
			 chess_piece_worth(weights, us, kind, from);
	if (taken != CHESS_EMPTY)
		sum += chess_piece_worth(weights, 1 - us, taken,
					 chess_flag(move) == CHESS_PASSANT ? to ^ 8 : to);
	if (chess_castles(move)) {
		const int rook = chess_castling_rook(s, chess_castling_right(s, move));
		sum += chess_piece_worth(weights, us, CHESS_ROOK,
					 chess_flag(move) == CHESS_SHORT ? to - 1 : to + 1) -
		       chess_piece_worth(weights, us, CHESS_ROOK, rook);
	}
	return (sum[0] * phase + sum[1] * (CHESS_WHOLE - phase)) / CHESS_WHOLE;
}

#endif
