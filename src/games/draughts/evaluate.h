/*
 * evaluate.h - evaluations of draughts, and what the searches ask of a move.
 * SPDX-License-Identifier: MIT
 *
 * The terms are counted for each side: material, how far the men have advanced, the back row that
 * keeps the enemy from kings, the centre, the edges, and the turn.
 */
#ifndef DRAUGHTS_EVALUATE_H
#define DRAUGHTS_EVALUATE_H

#include "games/draughts/rules.h"

enum {
	DRAUGHTS_W_MAN,
	DRAUGHTS_W_KING,
	DRAUGHTS_W_ADVANCE, /* a row that a man has advanced */
	DRAUGHTS_W_BACK,    /* a man on the row where the enemy's men are crowned */
	DRAUGHTS_W_CENTRE,
	DRAUGHTS_W_KING_CENTRE,
	DRAUGHTS_W_EDGE, /* a man on a side of the board */
	DRAUGHTS_W_TURN, /* the side to move */
	DRAUGHTS_WEIGHTS,
};

static const int32_t draughts_weights[DRAUGHTS_WEIGHTS] = {
	[DRAUGHTS_W_MAN] = 100, [DRAUGHTS_W_KING] = 150, [DRAUGHTS_W_ADVANCE] = 2,
	[DRAUGHTS_W_BACK] = 8,	[DRAUGHTS_W_CENTRE] = 3, [DRAUGHTS_W_KING_CENTRE] = 10,
	[DRAUGHTS_W_EDGE] = -3, [DRAUGHTS_W_TURN] = 2,
};

static const struct qv_weight draughts_weight_names[] = {
	{ "man", DRAUGHTS_W_MAN, 1 },
	{ "king", DRAUGHTS_W_KING, 1 },
	{ "advance", DRAUGHTS_W_ADVANCE, 1 },
	{ "back-row", DRAUGHTS_W_BACK, 1 },
	{ "centre", DRAUGHTS_W_CENTRE, 1 },
	{ "king-centre", DRAUGHTS_W_KING_CENTRE, 1 },
	{ "edge", DRAUGHTS_W_EDGE, 1 },
	{ "turn", DRAUGHTS_W_TURN, 1 },
	{ 0 },
};

/* Squares 10, 11, 14, 15, 18, 19, 22 and 23; 5, 13, 21, 29 and 4, 12, 20, 28. */
#define DRAUGHTS_CENTRE UINT64_C(0x198cc00) /* checked by a test */
#define DRAUGHTS_EDGE UINT64_C(0xc0603018)

/* The rows that men have advanced, together. */
QV_ALWAYS_INLINE int draughts_advance(uint64_t men, int side)
{
	int rows = 0;
	for (int row = 1; row < 7; row++) {
		const int shift = 4 * row + row / 2, away = side == DRAUGHTS_BLACK ? row : 7 - row;
		rows += away * bits_count(men >> shift & 15);
	}
	return rows;
}

/* The sum of one side's terms. */
QV_ALWAYS_INLINE int32_t draughts_side_value(const struct draughts *s, int side, const int32_t *w,
					     struct qv_terms *terms)
{
	const uint64_t kings = s->pieces[side] & s->kings, men = s->pieces[side] & ~s->kings;
	const uint64_t home = draughts_last_row(1 - side);
	return qv_weigh(terms, w, DRAUGHTS_W_MAN, side, bits_count(men)) +
	       qv_weigh(terms, w, DRAUGHTS_W_KING, side, bits_count(kings)) +
	       qv_weigh(terms, w, DRAUGHTS_W_ADVANCE, side, draughts_advance(men, side)) +
	       qv_weigh(terms, w, DRAUGHTS_W_BACK, side, bits_count(men & home)) +
	       qv_weigh(terms, w, DRAUGHTS_W_CENTRE, side, bits_count(men & DRAUGHTS_CENTRE)) +
	       qv_weigh(terms, w, DRAUGHTS_W_KING_CENTRE, side,
			bits_count(kings & DRAUGHTS_CENTRE)) +
	       qv_weigh(terms, w, DRAUGHTS_W_EDGE, side, bits_count(men & DRAUGHTS_EDGE)) +
	       qv_weigh(terms, w, DRAUGHTS_W_TURN, side, side == s->turn);
}

/* The value for the side to move. */
static inline int32_t draughts_evaluate(const struct draughts *s, const void *weights)
{
	return draughts_side_value(s, s->turn, weights, NULL) -
	       draughts_side_value(s, 1 - s->turn, weights, NULL);
}

/* ---- material: a man is 1 and a king 3, as in the 1983 book ---- */

enum { DRAUGHTS_MAN = 100, DRAUGHTS_KING = 300 };

static inline int32_t draughts_material(const void *state, int seat)
{
	const struct draughts *s = state;
	const uint64_t kings = s->pieces[seat] & s->kings;
	return DRAUGHTS_MAN * bits_count(s->pieces[seat]) +
	       (DRAUGHTS_KING - DRAUGHTS_MAN) * bits_count(kings);
}

/* What a move captures, and the crown that it gains. */
static inline int32_t draughts_gain(const struct draughts *s, qv_move move)
{
	uint64_t taken;
	const uint64_t to = draughts_walk(move, &taken);
	const bool crowns =
		!(s->kings >> draughts_from(move) & 1) && to & draughts_last_row(s->turn);
	return DRAUGHTS_MAN * bits_count(taken) +
	       (DRAUGHTS_KING - DRAUGHTS_MAN) * (bits_count(taken & s->kings) + crowns);
}

/* Move ordering: what it gains, then men near their last row. */
static inline int32_t draughts_rank(const struct draughts *s, qv_move move)
{
	const int to = draughts_to(move), row = (to - to / 9) / 4;
	const bool king = s->kings >> draughts_from(move) & 1;
	return draughts_gain(s, move) + (king ? 0 : s->turn == DRAUGHTS_BLACK ? row : 7 - row);
}

/* ---- for the selective search (search/select.inc.h) ---- */

/*
 * A side that must capture is treated as one in check is in chess: no null move, no pruning, and in
 * the quiescence search all of its moves, since it cannot decline the capture.
 */
static inline bool draughts_checked(const struct draughts *s)
{
	return draughts_takers(s) != 0;
}

struct draughts_checks {
	char unused;
};

static inline void draughts_checks_init(struct draughts_checks *checks, const struct draughts *s)
{
	(void)s;
	checks->unused = 0;
}

/* Whether the enemy must capture after a move. */
static inline bool draughts_gives_check(const struct draughts *s,
					const struct draughts_checks *checks, qv_move move)
{
	struct draughts next = *s;
	(void)checks;
	draughts_play(&next, move);
	return draughts_checked(&next);
}

static inline int draughts_quiets(const struct draughts *s, qv_move *list)
{
	return draughts_takers(s) ? 0 : draughts_list_steps(s, s->turn, list);
}

/* Positions without a move are found here, too: the quiescence search lists captures only. */
static inline bool draughts_may_be_over(const struct draughts *s)
{
	return s->quiet >= DRAUGHTS_QUIET || !draughts_can_move(s);
}

static inline void draughts_pass(struct draughts *s)
{
	s->turn ^= 1;
}

/* None: the side to move would often rather pass, so a null move proves nothing. */
static inline int draughts_pieces(const struct draughts *s)
{
	(void)s;
	return 0;
}

/* Captures are forced. A quiet move that lets the enemy capture may lose a piece. */
static inline bool draughts_exchange(const struct draughts *s, qv_move move, int32_t least)
{
	const struct draughts_checks none = { 0 };
	if (least < 0 || draughts_jumps(move))
		return true;
	return least == 0 && !draughts_gives_check(s, &none, move);
}

/* How much a move captures, as an index below 8. */
static inline int draughts_victim(const struct draughts *s, qv_move move)
{
	const int jumps = draughts_jumps(move);
	(void)s;
	return jumps < 7 ? jumps : 7;
}

static inline int draughts_place(const struct draughts *s, qv_move move)
{
	const int king = (int)(s->kings >> draughts_from(move) & 1);
	return (2 * s->turn + king) * 64 + draughts_to(move);
}

static inline int draughts_route(qv_move move)
{
	return 64 * draughts_from(move) + draughts_to(move);
}

/*
 * Sixteen bits: the origin, whether the move captures, and its first four directions. Paths that
 * differ only later share a code, which costs no more than a worse move order.
 */
static inline int draughts_code(qv_move move)
{
	return (int)(move & DRAUGHTS_FROM) | (draughts_jumps(move) ? 64 : 0) |
	       (int)(move >> DRAUGHTS_WAY & 255) << 7;
}

static inline qv_move draughts_from_code(const struct draughts *s, int code)
{
	qv_move list[DRAUGHTS_MAX_MOVES];
	if (!(s->pieces[s->turn] >> (code & DRAUGHTS_FROM) & 1))
		return QV_NO_MOVE;
	for (int n = draughts_moves(s, list); n > 0; n--)
		if (draughts_code(list[n - 1]) == code)
			return list[n - 1];
	return QV_NO_MOVE;
}

static inline bool draughts_code_takes(const struct draughts *s, int code)
{
	(void)s;
	return code & 64;
}

static inline uint64_t draughts_guess_hash(const struct draughts *s, qv_move move)
{
	(void)s;
	(void)move;
	return 0;
}

static inline uint64_t draughts_attacked(const struct draughts *s)
{
	(void)s;
	return 0;
}

static inline int draughts_risk(uint64_t attacked, qv_move move)
{
	(void)attacked;
	(void)move;
	return 0;
}

/* Hashes of a side's pieces and of all men. */
static inline uint64_t draughts_army(const struct draughts *s, int seat)
{
	return qv_mix(s->pieces[seat] + (s->kings & s->pieces[seat]) * 3);
}

static inline uint64_t draughts_skeleton(const struct draughts *s)
{
	return qv_mix((s->pieces[0] & ~s->kings) * 5 + (s->pieces[1] & ~s->kings));
}

#endif
