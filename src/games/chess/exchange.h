/*
 * exchange.h - chess: static exchange evaluation, and other facts that the selective search needs
 * (search/select.inc.h).
 * SPDX-License-Identifier: MIT
 */
#ifndef CHESS_EXCHANGE_H
#define CHESS_EXCHANGE_H

#include "games/chess/rules.h"

/* Piece values in exchanges, in hundredths of a pawn. */
#define CHESS_PIECE_VALUES 100, 320, 330, 500, 950
static const int32_t chess_values[CHESS_EMPTY + 1] = { CHESS_PIECE_VALUES };

/* The slot `material` of struct qv_game: of a side, in hundredths of a pawn. */
static inline int32_t chess_material(const void *state, int side)
{
	const struct chess *s = state;
	int32_t sum = 0;
	for (int kind = CHESS_PAWN; kind < CHESS_KING; kind++)
		sum += chess_values[kind] * bits_count(chess_of(s, side, kind));
	return sum;
}

/*
 * Move ordering: most valuable victim by the least valuable attacker; promotions by what they gain.
 */
static inline int32_t chess_rank(const struct chess *s, qv_move move)
{
	int32_t rank = 0;
	if (chess_promotes(move))
		rank += chess_values[chess_promotion(move)];
	if (chess_takes(move))
		rank += 16 * chess_values[chess_taken(s, move)] -
			chess_values[chess_mover(s, move)] / 10;
	return rank;
}

/* Neither a capture nor a promotion. */
static inline bool chess_quiet(const struct chess *s, qv_move move)
{
	(void)s;
	return !chess_takes(move) && !chess_promotes(move);
}

/* What a legal move captures, and gains by promotion, with these values of the kinds. */
static inline int32_t chess_gain_by(const struct chess *s, qv_move move, const int32_t *values)
{
	const int32_t won = values[chess_taken(s, move)];
	if (!chess_promotes(move))
		return won;
	return won + values[chess_promotion(move)] - values[CHESS_PAWN];
}

static inline int32_t chess_gain(const struct chess *s, qv_move move)
{
	return chess_gain_by(s, move, chess_values);
}

/*
 * Static exchange evaluation: whether a legal move wins `least` points or more, if both sides keep
 * capturing on its square, each with its least valuable piece, and stop when that is better. A
 * piece behind another on the same line joins in. The king captures only unprotected pieces. Pins
 * and promotions on the way are not seen.
 */
static inline bool chess_exchange(const struct chess *s, qv_move move, int32_t least)
{
	const int from = chess_from(move), to = chess_to(move);
	if (chess_castles(move))
		return least <= 0;
	int32_t balance = chess_gain(s, move) - least;
	if (balance < 0)
		return false;
	const int mover = chess_promotes(move) ? chess_promotion(move) : chess_mover(s, move);
	balance -= chess_values[mover];
	if (balance >= 0)
		return true;
	uint64_t pieces = (chess_occupied(s) ^ chess_bit(from)) | chess_bit(to);
	if (chess_flag(move) == CHESS_PASSANT)
		pieces ^= chess_bit(to ^ 8);
	const uint64_t slant = s->kind[CHESS_BISHOP] | s->kind[CHESS_QUEEN];
	const uint64_t straight = s->kind[CHESS_ROOK] | s->kind[CHESS_QUEEN];
	uint64_t attackers = chess_attackers(s, to, pieces);
	bool wins = true; /* the side that moved first, if it stopped now */
	for (int side = 1 - s->turn;; side = 1 - side) {
		attackers &= pieces;
		const uint64_t mine = attackers & s->side[side];
		if (!mine)
			return wins;
		int kind = CHESS_PAWN;
		while (!(mine & s->kind[kind]))
			kind++;
		if (kind == CHESS_KING)
			return attackers & s->side[1 - side] ? wins : !wins;
		wins = !wins;
		balance = -balance - 1 - chess_values[kind];
		if (balance >= 0)
			return wins;
		const uint64_t cheapest = mine & s->kind[kind];
		pieces ^= cheapest & (0 - cheapest);
		if (kind == CHESS_PAWN || kind == CHESS_BISHOP || kind == CHESS_QUEEN)
			attackers |= chess_bishop_attacks(to, pieces) & slant;
		if (kind == CHESS_ROOK || kind == CHESS_QUEEN)
			attackers |= chess_rook_attacks(to, pieces) & straight;
	}
}

/* ---- for the selective search ---- */

/* Whether the side to move is in check. */
static inline bool chess_checked(const struct chess *s)
{
	return chess_checkers(s);
}

/* Besides mate and stalemate: the fifty-move rule, or insufficient material. */
static inline bool chess_may_be_over(const struct chess *s)
{
	return s->quiet >= CHESS_FIFTY ||
	       !(s->kind[CHESS_PAWN] | s->kind[CHESS_ROOK] | s->kind[CHESS_QUEEN]);
}

/* The pieces of the side to move other than pawns and king: without any, no null move. */
static inline int chess_pieces(const struct chess *s)
{
	return bits_count(s->side[s->turn] & ~(s->kind[CHESS_PAWN] | s->kind[CHESS_KING]));
}

/* What a move captures, for capture history. */
static inline int chess_victim(const struct chess *s, qv_move move)
{
	return (chess_taken(s, move) + 1) & 7; /* nothing is 0, a pawn 1, ... */
}

/* The piece and target square of a move as one number, for continuation history. */
static inline int chess_place(const struct chess *s, qv_move move)
{
	return (s->turn * CHESS_KINDS + chess_mover(s, move)) * CHESS_SQUARES + chess_to(move);
}

/* The two squares of a move as one number, for butterfly history. */
static inline int chess_route(qv_move move)
{
	return (int)(move & 4095);
}

/* What the side that is not to move attacks. */
static inline uint64_t chess_attacked(const struct chess *s)
{
	return s->turn == CHESS_WHITE ? chess_all_attacks(s, CHESS_BLACK, chess_occupied(s))
				      : chess_all_attacks(s, CHESS_WHITE, chess_occupied(s));
}

/* Whether the move leaves or enters an attacked square, as two bits. */
static inline int chess_risk(uint64_t attacked, qv_move move)
{
	return (int)((attacked >> chess_from(move) & 1) | (attacked >> chess_to(move) & 1) << 1);
}

/* A move in 16 bits, for the transposition table. */
static inline int chess_code(qv_move move)
{
	return (int)move;
}

static inline qv_move chess_from_code(const struct chess *s, int code)
{
	return chess_is_legal(s, (qv_move)code) ? (qv_move)code : QV_NO_MOVE;
}

static inline bool chess_code_takes(const struct chess *s, int code)
{
	return !chess_quiet(s, (qv_move)code);
}

/*
 * The key after the move, apart from castling rights, en passant and promotions. For prefetching.
 */
static inline uint64_t chess_guess_hash(const struct chess *s, qv_move move)
{
	const int from = chess_from(move), to = chess_to(move);
	const int piece = s->board[from], taken = s->board[to];
	const uint64_t gone = taken == CHESS_EMPTY ? 0 : chess_tables.piece_key[taken][to];
	return s->key ^ chess_tables.turn_key ^ chess_tables.piece_key[piece][from] ^
	       chess_tables.piece_key[piece][to] ^ gone;
}

/* The key of the pawns, for correction history. */
static inline uint64_t chess_skeleton(const struct chess *s)
{
	return s->pawn_key;
}

/* Each kind of the side's pieces, times an odd number. */
static inline uint64_t chess_army(const struct chess *s, int side)
{
	const uint64_t mine = s->side[side];
	const uint64_t sum = (s->kind[CHESS_KNIGHT] & mine) * UINT64_C(0x9e3779b97f4a7c15) +
			     (s->kind[CHESS_BISHOP] & mine) * UINT64_C(0xc2b2ae3d27d4eb4f) +
			     (s->kind[CHESS_ROOK] & mine) * UINT64_C(0x165667b19e3779f9) +
			     (s->kind[CHESS_QUEEN] & mine) * UINT64_C(0xd6e8feb86659fd93) +
			     (s->kind[CHESS_KING] & mine) * UINT64_C(0xa0761d6478bd642f);
	return (sum ^ sum >> 32) * UINT64_C(0xe7037ed1a0b428db) >> 32;
}

#endif
