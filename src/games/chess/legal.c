/*
 * legal.c - chess: tests whether one move is legal, without listing all moves.
 * SPDX-License-Identifier: MIT
 *
 * Used for moves from the transposition table and for killer moves, where the move may come from
 * another position or be random bits.
 */
#include "games/chess/rules.h"

/* Whether a pawn moves like this and the flag fits. En passant squares are stored only if legal. */
static bool pawn_may(const struct chess *s, const struct chess_view *v, int from, int to, int flag)
{
	const int us = s->turn, up = us == CHESS_WHITE ? 8 : -8;
	const bool last = CHESS_LAST_ROWS >> to & 1, home = chess_row(from) == (us ? 6 : 1);
	if (flag == CHESS_PASSANT)
		return to == s->passant && to && chess_passers(s, us) >> from & 1;
	if (last != (flag >= CHESS_PROMOTES))
		return false;
	if (flag & CHESS_TAKES)
		return chess_pawn_attacks(us, from) >> to & 1;
	if (flag == CHESS_DOUBLE)
		return home && to == from + 2 * up && !(v->pieces >> (from + up) & 1);
	return to == from + up;
}

bool chess_is_legal(const struct chess *s, qv_move move)
{
	const int us = s->turn, from = chess_from(move), to = chess_to(move);
	const int flag = chess_flag(move), kind = chess_kind_on(s, from);
	struct chess_view v;
	if (move >> 16 || flag == CHESS_PASSANT + 1 || flag == CHESS_PASSANT + 2)
		return false;
	chess_look(&v, s, us);
	if (!(v.mine >> from & 1))
		return false;
	/* In Chess960 the king may castle to a square of its own side. */
	if (kind == CHESS_KING && chess_castles(move)) {
		uint64_t danger;
		chess_king_targets(s, &v, us, &danger);
		return to == (flag == CHESS_SHORT ? CHESS_G1 : CHESS_C1) + 56 * us &&
		       chess_may_castle(s, &v, us, flag == CHESS_LONG, danger);
	}
	if (v.mine >> to & 1)
		return false;
	if (flag != CHESS_PASSANT && chess_takes(move) != (v.theirs >> to & 1))
		return false;
	if (kind == CHESS_KING)
		return (flag == CHESS_QUIET || flag == CHESS_TAKES) &&
		       chess_king_attacks(v.king) >> to & 1 &&
		       !(chess_attackers(s, to, v.pieces ^ chess_bit(v.king)) & v.theirs);
	/* The move of a pawn or another piece, and a flag that fits. */
	if (kind == CHESS_PAWN
		    ? flag == CHESS_SHORT || flag == CHESS_LONG || !pawn_may(s, &v, from, to, flag)
		    : (flag != CHESS_QUIET && flag != CHESS_TAKES) ||
			      !(chess_attacks(kind, from, v.pieces) >> to & 1))
		return false;
	if (flag == CHESS_PASSANT)
		return true;
	return v.target >> to & 1 &&
	       (!(v.pinned >> from & 1) || chess_line(v.king, from) >> to & 1);
}
