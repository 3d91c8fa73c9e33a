/*
 * index.h - numbers the positions of chess with at most three pieces, for endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * Spaces: bare kings (kk), and a king with a rook, queen, knight, bishop or pawn against a king
 * (krk to kpk). The board is turned so that the third piece is White's, and mirrored so that
 * White's king is in the quarter of a1 or, if there is a pawn, the pawn is in the left half. No
 * position is then symmetric, so every weight is 1. The number consists of the squares
 * of the piece and the kings, and the side to move.
 */
#ifndef CHESS_INDEX_H
#define CHESS_INDEX_H

#include "games/chess/rules.h"

enum {
	CHESS_SPACES = 6,
	CHESS_MAX_PARENTS = 64,
	CHESS_QUARTER = 16,	/* squares of it */
	CHESS_PAWN_PLACES = 24, /* a2 to d7 */
};

/* The third piece of a space. */
static const uint8_t chess_space_kind[CHESS_SPACES] = { CHESS_EMPTY,  CHESS_ROOK,   CHESS_QUEEN,
							CHESS_KNIGHT, CHESS_BISHOP, CHESS_PAWN };

/* The slots of struct qv_index: spaces, numbers of positions, and positions of numbers. */
static inline bool chess_space(const int64_t *options, int space, struct qv_space *out)
{
	static const char names[CHESS_SPACES][4] = { "kk", "krk", "kqk", "knk", "kbk", "kpk" };
	(void)options;
	if (space >= CHESS_SPACES)
		return false;
	*out = (struct qv_space){ .group = space };
	memcpy(out->name, names[space], sizeof names[space]);
	const bool pawn = chess_space_kind[space] == CHESS_PAWN;
	out->size = UINT64_C(2) * 64 * (pawn ? CHESS_PAWN_PLACES : CHESS_QUARTER);
	if (space)
		out->size *= 64;
	return true;
}

/* Where the pieces stand; White is the side with more. */
struct chess_few {
	int space;
	int king[2], piece; /* squares */
	int turn;
};

/* 7: left and right are exchanged, 56: top and bottom. */
static inline void chess_few_mirror(struct chess_few *f, int mask)
{
	f->king[0] ^= mask;
	f->king[1] ^= mask;
	f->piece ^= mask;
}

/* False: too many pieces, or rights that only an earlier position can give. */
static inline bool chess_few_of(const struct chess *s, struct chess_few *f)
{
	const uint64_t others = chess_occupied(s) & ~s->kind[CHESS_KING];
	if (bits_rest(others) || s->castling || s->passant)
		return false;
	const bool black = others & s->side[CHESS_BLACK];
	*f = (struct chess_few){ .king = { chess_king(s, black), chess_king(s, 1 - black) },
				 .piece = others ? bits_lowest(others) : 0,
				 .turn = s->turn ^ black };
	while (others && chess_space_kind[f->space] != chess_kind_on(s, f->piece))
		f->space++;
	if (black)
		chess_few_mirror(f, 56);
	return true;
}

/* A pawn allows only one of the mirrorings. */
static inline bool chess_few_pawn(const struct chess_few *f)
{
	return chess_space_kind[f->space] == CHESS_PAWN;
}

/* Makes the position; false: two pieces on one square, or the side not to move is in check. */
static inline bool chess_few_make(const struct chess_few *f, struct chess *s)
{
	const int kind = chess_space_kind[f->space];
	chess_clear(s);
	s->turn = (uint8_t)f->turn;
	if (f->king[0] == f->king[1] ||
	    (kind != CHESS_EMPTY && (f->piece == f->king[0] || f->piece == f->king[1])))
		return false;
	for (int side = 0; side < 2; side++)
		chess_put(s, side, CHESS_KING, f->king[side]);
	if (kind != CHESS_EMPTY)
		chess_put(s, CHESS_WHITE, kind, f->piece);
	s->key ^= chess_tables.castling_key[0] ^ (f->turn ? chess_tables.turn_key : 0);
	/* The side that has just moved must not be in check. */
	return !(chess_attackers(s, f->king[1 - f->turn], chess_occupied(s)) & s->side[f->turn]);
}

/* The number of a position within its space. */
static inline uint64_t chess_few_number(const struct chess_few *f)
{
	const int king = f->king[0], piece = f->piece;
	int number = chess_row(king) * 4 + chess_file(king);
	if (chess_few_pawn(f))
		number = ((chess_row(piece) - 1) * 4 + chess_file(piece)) * 64 + king;
	else if (f->space)
		number = number * 64 + piece;
	return (uint64_t)((number * 64 + f->king[1]) * 2 + f->turn);
}

static inline bool chess_decode(struct chess *s, const void *aid, const int64_t *options, int space,
				uint64_t number)
{
	struct chess_few f = { .space = space, .turn = (int)(number & 1) };
	(void)aid, (void)options;
	number /= 2;
	f.king[1] = (int)(number % 64);
	number /= 64;
	if (chess_few_pawn(&f)) {
		f.king[0] = (int)(number % 64);
		number /= 64;
		f.piece = (int)((number / 4 + 1) * 8 + number % 4);
	} else {
		if (space) {
			f.piece = (int)(number % 64);
			number /= 64;
		}
		f.king[0] = (int)(number / 4 * 8 + number % 4);
	}
	return chess_few_make(&f, s);
}

/* The place of a position, whichever side has the third piece; false: it has none. */
static inline bool chess_find(const struct chess *s, const void *aid, struct qv_place *out)
{
	struct chess_few f;
	(void)aid;
	if (!chess_few_of(s, &f))
		return false;
	/* Unmoving can produce illegal positions in which the side that just moved is in check. */
	if (chess_attackers(s, chess_king(s, 1 - s->turn), chess_occupied(s)) & s->side[s->turn])
		return false;
	/* The piece that leads, the king or a pawn, must be in its part of the board. */
	const bool pawn = chess_few_pawn(&f);
	if (chess_file(pawn ? f.piece : f.king[0]) > 3)
		chess_few_mirror(&f, 7);
	if (!pawn && chess_row(f.king[0]) > 3)
		chess_few_mirror(&f, 56);
	*out = (struct qv_place){ f.space, 1, chess_few_number(&f) };
	return true;
}

/* The squares from which a piece may have come without capturing. */
static inline uint64_t chess_came_from(const struct chess *s, int side, int kind, int to)
{
	const uint64_t pieces = chess_occupied(s);
	if (kind != CHESS_PAWN)
		return chess_attacks(kind, to, pieces) & ~pieces;
	const int back = side == CHESS_WHITE ? -8 : 8;
	const int row = side == CHESS_WHITE ? chess_row(to) : 7 - chess_row(to);
	if (row < 2 || pieces & chess_bit(to + back))
		return 0;
	return chess_bit(to + back) | (row == 3 ? chess_bit(to + 2 * back) & ~pieces : 0);
}

/* Lists the positions from which a move without a capture or promotion leads here. */
static inline int chess_parents(const struct chess *s, struct chess *list)
{
	const int side = 1 - s->turn;
	int n = 0;
	for (uint64_t pieces = s->side[side]; pieces; pieces = bits_rest(pieces)) {
		const int to = bits_lowest(pieces), kind = chess_kind_on(s, to);
		for (uint64_t from = chess_came_from(s, side, kind, to); from;
		     from = bits_rest(from)) {
			struct chess *p = &list[n++];
			*p = *s;
			p->passant = 0;
			p->quiet = 0;
			p->number = 1;
			chess_remove(p, side, kind, to);
			chess_put(p, side, kind, bits_lowest(from));
			p->turn = (uint8_t)side;
			p->key ^= chess_tables.turn_key;
		}
	}
	return n;
}

#endif
