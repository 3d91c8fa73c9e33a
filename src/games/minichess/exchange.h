/*
 * exchange.h - minichess: static exchange evaluation, and other facts that the selective search
 * needs (search/select.inc.h).
 * SPDX-License-Identifier: MIT
 */
#ifndef MINICHESS_EXCHANGE_H
#define MINICHESS_EXCHANGE_H

#include "games/minichess/evaluate.h"

/* In exchanges. The king can be captured and is worth more than all other pieces together. */
static const int32_t minichess_prices[MINICHESS_KINDS] = { 0, 100, 300, 320, 500, 900, 10000 };

/* The points that a move captures, and gains by promotion. */
static inline int32_t minichess_gain(const struct minichess *s, qv_move move)
{
	(void)s;
	return minichess_move_gain(move, minichess_prices);
}

/* The pieces of both sides that capture on the square; `pieces` are the squares that block lines. */
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
	uint32_t pieces = ((MINICHESS_BOARD ^ s->kind[MINICHESS_EMPTY]) | UINT32_C(1) << to) &
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
		const uint32_t cheapest = mine & s->kind[kind];
		pieces ^= cheapest & (0 - cheapest);
	}
}

/* ---- for the selective search ---- */

/* Whether the king of the side to move could be captured. */
static inline bool minichess_checked(const struct minichess *s)
{
	const uint32_t king = minichess_of(s, s->turn, MINICHESS_KING);
	const uint32_t pieces = MINICHESS_BOARD ^ s->kind[MINICHESS_EMPTY];
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

static inline bool minichess_gives_check(const struct minichess *s,
					 const struct minichess_checks *c, qv_move move)
{
	struct minichess child = *s;
	(void)c;
	minichess_play(&child, move);
	return minichess_checked(&child);
}

static inline bool minichess_may_be_over(const struct minichess *s)
{
	return s->number > MINICHESS_LAST || !minichess_has_king(s, s->turn);
}

static inline void minichess_pass(struct minichess *s)
{
	s->number = (uint16_t)(s->number + s->turn);
	s->turn ^= 1;
}

static inline int minichess_pieces(const struct minichess *s)
{
	return bits_count(s->side[s->turn] & ~(s->kind[MINICHESS_PAWN] | s->kind[MINICHESS_KING]));
}

static inline int minichess_victim(const struct minichess *s, qv_move move)
{
	(void)s;
	return minichess_taken(move);
}

static inline int minichess_place(const struct minichess *s, qv_move move)
{
	return (s->turn * MINICHESS_KINDS + minichess_mover(move)) * 32 + minichess_to(move);
}

static inline int minichess_route(qv_move move)
{
	return (int)(move & 1023);
}

/* Not used. */
static inline uint64_t minichess_attacked(const struct minichess *s)
{
	(void)s;
	return 0;
}

static inline int minichess_risk(uint64_t attacked, qv_move move)
{
	(void)attacked, (void)move;
	return 0;
}

static inline int minichess_code(qv_move move)
{
	return (int)move;
}

/* Computing it costs as much as playing the move, so there is no guess. */
static inline uint64_t minichess_guess_hash(const struct minichess *s, qv_move move)
{
	(void)s, (void)move;
	return 0;
}

static inline uint64_t minichess_skeleton(const struct minichess *s)
{
	const uint64_t white = minichess_of(s, MINICHESS_WHITE, MINICHESS_PAWN);
	const uint64_t black = minichess_of(s, MINICHESS_BLACK, MINICHESS_PAWN);
	return qv_mix(white << 32 | black);
}

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
