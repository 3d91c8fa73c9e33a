/*
 * san.h - chess moves in standard algebraic notation: Nbd7, exd6, e8=Q+, O-O-O#.
 * SPDX-License-Identifier: MIT
 */
#ifndef CHESS_SAN_H
#define CHESS_SAN_H

#include "games/chess/rules.h"

enum chess_san {
	CHESS_SAN_OK,
	CHESS_SAN_MALFORMED, /* not the notation of a chess move */
	CHESS_SAN_ILLEGAL,   /* no legal move matches */
	CHESS_SAN_AMBIGUOUS, /* several moves match */
};

/* Writes a legal move; at most 7 characters (Qa1xb2#) and the NUL. */
void chess_san_put(const struct chess *s, qv_move move, struct qv_text *out);

/*
 * Reads a move of the position from the first `length` bytes of text. Besides standard SAN it
 * accepts: more or less detail than needed (Ng1f3, e2xd3), a missing x, + or #, a promotion without
 * =, in brackets or after a slash (e8Q, e8(Q), e8/Q), castling with zeros, long moves (e2-e4, e2e4,
 * e7e8q), a following e.p., and signs such as !?. Lower-case piece letters are read where no pawn's
 * file is meant; a b is first taken as a pawn's file.
 */
enum chess_san chess_san_parse(const struct chess *s, const char *text, size_t length,
			       qv_move *move);

#endif
