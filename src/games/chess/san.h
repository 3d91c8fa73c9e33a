/*
 * san.h - chess moves in standard algebraic notation: Nbd7, exd6, e8=Q+, O-O-O#.
 * SPDX-License-Identifier: MIT
 */
#ifndef CHESS_SAN_H
#define CHESS_SAN_H

#include "games/chess/rules.h"

enum chess_san {
	CHESS_SAN_OK,
	CHESS_SAN_MALFORMED, /* no move of chess is written like this */
	CHESS_SAN_ILLEGAL,   /* no legal move is meant */
	CHESS_SAN_AMBIGUOUS, /* several are */
};

/* Writes a legal move; at most 7 characters (Qa1xb2#) and the NUL. */
void chess_san_put(const struct chess *s, qv_move move, struct qv_text *out);

/*
 * Reads a move of the position from the first `length` bytes of text. As written, and also: with
 * more or fewer details than needed (Ng1f3, e2xd3), without x, + or #, a promotion without =, in
 * brackets or after a slash (e8Q, e8(Q), e8/Q), castling with noughts, long moves (e2-e4, e2e4,
 * e7e8q), e.p. after it, and signs as !? behind. Lower-case piece letters are read where no pawn's
 * file is meant; a b is a pawn's file first.
 */
enum chess_san chess_san_parse(const struct chess *s, const char *text, size_t length,
			       qv_move *move);

#endif
