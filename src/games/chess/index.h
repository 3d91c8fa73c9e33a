/*
 * index.h - numbers the positions of chess with at most four pieces, for endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * Spaces: bare kings (kk), a king with one piece against a king (krk to kpk), and four pieces: two
 * on one side (kqrk) or one on each (kqkr), the stronger first. The board is turned so that White
 * has more or the stronger pieces. If both sides have the same, White is the side to move. The
 * board is mirrored so that White's king is in the quarter of a1 or, if there is a pawn, this is
 * in the left half. No position is then symmetric, so every weight is 1. The number consists of the
 * squares of the pieces and the kings, and the side to move.
 *
 * kpkp-ep holds the positions in which en passant is legal. The side to move is White there, and
 * its pawn is in the left half.
 */
#ifndef CHESS_INDEX_H
#define CHESS_INDEX_H

#include "games/chess/rules.h"

enum {
	CHESS_PAIRS = 15,    /* of the five kinds besides the king */
	CHESS_THREE_MEN = 6, /* spaces of at most three pieces; the others follow */
	CHESS_KPKP = CHESS_THREE_MEN + 2 * CHESS_PAIRS - 1,
	CHESS_KPKP_EP,
	CHESS_SPACES,
	CHESS_MAX_PARENTS = 64,
	CHESS_QUARTER = 16,	/* squares of it */
	CHESS_PAWN_PLACES = 24, /* a2 to d7 */
	CHESS_PAWN_SQUARES = 48,
	CHESS_EP_PLACES = 8, /* of a capturing pawn on a5 to d5 and the pawn on its left or right */
};

/* The third piece of the first spaces. */
static const uint8_t chess_third_kind[CHESS_THREE_MEN] = { CHESS_EMPTY,	 CHESS_ROOK,   CHESS_QUEEN,
							   CHESS_KNIGHT, CHESS_BISHOP, CHESS_PAWN };

/*
 * The pairs of kinds of the other spaces, the stronger first. Each pair has two spaces: both pieces
 * are White's, then one of each side. Promotions lead to earlier pairs.
 */
static const uint8_t chess_pair_kinds[CHESS_PAIRS][2] = {
	{ CHESS_QUEEN, CHESS_QUEEN },	{ CHESS_QUEEN, CHESS_ROOK },
	{ CHESS_ROOK, CHESS_ROOK },	{ CHESS_QUEEN, CHESS_BISHOP },
	{ CHESS_ROOK, CHESS_BISHOP },	{ CHESS_BISHOP, CHESS_BISHOP },
	{ CHESS_QUEEN, CHESS_KNIGHT },	{ CHESS_ROOK, CHESS_KNIGHT },
	{ CHESS_BISHOP, CHESS_KNIGHT }, { CHESS_KNIGHT, CHESS_KNIGHT },
	{ CHESS_QUEEN, CHESS_PAWN },	{ CHESS_ROOK, CHESS_PAWN },
	{ CHESS_BISHOP, CHESS_PAWN },	{ CHESS_KNIGHT, CHESS_PAWN },
	{ CHESS_PAWN, CHESS_PAWN },
};

/* The pieces of a space besides the kings. */
struct chess_set {
	int kind[2]; /* CHESS_EMPTY: none */
	int second;  /* the side of the second piece; the first is White's */
	int lead;    /* the piece that is a pawn in the left half; -1: White's king leads */
	bool four;   /* there are four pieces */
	bool twins;  /* two equal pieces of one side */
	bool even;   /* both sides have the same: White is the side to move */
};

static inline struct chess_set chess_set_of(int space)
{
	struct chess_set set = { .kind = { CHESS_EMPTY, CHESS_EMPTY }, .lead = -1 };
	if (space < CHESS_THREE_MEN) {
		set.kind[0] = chess_third_kind[space];
	} else {
		const int pair =
			space >= CHESS_KPKP ? CHESS_PAIRS - 1 : (space - CHESS_THREE_MEN) / 2;
		set.four = true;
		set.kind[0] = chess_pair_kinds[pair][0];
		set.kind[1] = chess_pair_kinds[pair][1];
		set.second = space >= CHESS_KPKP ? CHESS_BLACK : (space - CHESS_THREE_MEN) % 2;
		set.twins = set.kind[0] == set.kind[1] && set.second == CHESS_WHITE;
		set.even = set.kind[0] == set.kind[1] && set.second == CHESS_BLACK;
	}
	if (set.kind[0] == CHESS_PAWN)
		set.lead = 0;
	else if (set.kind[1] == CHESS_PAWN)
		set.lead = 1;
	return set;
}

/* The space of kinds, the stronger first; CHESS_EMPTY: none. */
static inline int chess_space_of(int first, int second, bool both_sides)
{
	int space = 0;
	if (second == CHESS_EMPTY) {
		while (chess_third_kind[space] != first)
			space++;
		return space;
	}
	const int a = CHESS_QUEEN - first, b = CHESS_QUEEN - second;
	return CHESS_THREE_MEN + 2 * (b * (b + 1) / 2 + a) + both_sides;
}

/* The leading piece, the other pieces and kings, the side to move. */
static inline uint64_t chess_set_size(const struct chess_set *set)
{
	uint64_t size = UINT64_C(64) * (set->lead < 0 ? CHESS_QUARTER : CHESS_PAWN_PLACES * 64);
	if (set->lead < 0 && set->kind[0] != CHESS_EMPTY)
		size *= 64;
	if (set->four)
		size *= set->kind[0] == CHESS_PAWN ? CHESS_PAWN_SQUARES : 64;
	return set->even ? size : size * 2;
}

/* The slots of struct qv_index: spaces, numbers of positions, and positions of numbers. */
static inline bool chess_space(const int64_t *options, int space, struct qv_space *out)
{
	static const char letters[] = "pnbrq";
	(void)options;
	if (space >= CHESS_SPACES)
		return false;
	const struct chess_set set = chess_set_of(space);
	*out = (struct qv_space){ .group = space == CHESS_KPKP_EP ? CHESS_KPKP : space };
	if (space == CHESS_KPKP_EP) {
		memcpy(out->name, "kpkp-ep", sizeof "kpkp-ep");
		out->size = UINT64_C(64) * 64 * CHESS_EP_PLACES;
		return true;
	}
	char *name = out->name;
	*name++ = 'k';
	if (set.kind[0] != CHESS_EMPTY)
		*name++ = letters[set.kind[0]];
	if (set.second == CHESS_BLACK)
		*name++ = 'k';
	if (set.kind[1] != CHESS_EMPTY)
		*name++ = letters[set.kind[1]];
	if (set.second == CHESS_WHITE)
		*name++ = 'k';
	out->size = chess_set_size(&set);
	return true;
}

/* Where the pieces stand; White is the side with more, or the stronger. */
struct chess_few {
	int space;
	int king[2], piece[2]; /* squares */
	int turn;
};

/* 7: left and right are exchanged, 56: top and bottom. */
static inline void chess_few_mirror(struct chess_few *f, int mask)
{
	f->king[0] ^= mask;
	f->king[1] ^= mask;
	f->piece[0] ^= mask;
	f->piece[1] ^= mask;
}

/* False: too many pieces, or rights that only an earlier position can give. */
static inline bool chess_few_of(const struct chess *s, struct chess_few *f)
{
	const uint64_t others = chess_occupied(s) & ~s->kind[CHESS_KING], rest = bits_rest(others);
	int square[2] = { 0 }, kind[2] = { CHESS_EMPTY, CHESS_EMPTY }, side[2] = { 0 };
	if (bits_rest(rest) || s->castling)
		return false;
	for (int i = 0; i < (rest ? 2 : others != 0); i++) {
		square[i] = bits_lowest(i ? rest : others);
		kind[i] = chess_kind_on(s, square[i]);
		side[i] = s->board[square[i]] >> 3;
	}
	/* The stronger piece comes first; of equal ones that of the side to move. */
	const bool both = rest && side[0] != side[1];
	const int first = rest &&
			  (kind[1] > kind[0] || (both && kind[1] == kind[0] && side[1] == s->turn)),
		  black = side[first], second = 1 - first;
	*f = (struct chess_few){ .king = { chess_king(s, black), chess_king(s, 1 - black) },
				 .piece = { square[first], square[second] },
				 .turn = s->turn ^ black };
	f->space = s->passant ? CHESS_KPKP_EP : chess_space_of(kind[first], kind[second], both);
	if (black)
		chess_few_mirror(f, 56);
	return true;
}

/*
 * Whether the side to move may capture en passant at the square, going by the pieces alone. Sets
 * s->passant and its part of the key if so; it must be unset before.
 */
static inline bool chess_few_set_passant(struct chess *s, int over)
{
	const int pawn = over ^ 8, from = over ^ 8 ^ 16;
	if (s->board[pawn] != chess_piece(1 - s->turn, CHESS_PAWN) ||
	    s->board[over] != CHESS_EMPTY || s->board[from] != CHESS_EMPTY)
		return false;
	s->passant = (uint8_t)over;
	if (chess_passers(s, s->turn)) {
		s->key ^= chess_tables.passant_key[chess_file(over)];
		return true;
	}
	s->passant = 0;
	return false;
}

/* Makes the position; false: two pieces on one square, or the side not to move is in check. */
static inline bool chess_few_make(const struct chess_few *f, struct chess *s)
{
	const struct chess_set set = chess_set_of(f->space);
	chess_clear(s);
	s->turn = (uint8_t)f->turn;
	if (f->king[0] == f->king[1])
		return false;
	for (int side = 0; side < 2; side++)
		chess_put(s, side, CHESS_KING, f->king[side]);
	for (int i = 0; i < 2 && set.kind[i] != CHESS_EMPTY; i++) {
		if (s->board[f->piece[i]] != CHESS_EMPTY)
			return false;
		chess_put(s, i ? set.second : CHESS_WHITE, set.kind[i], f->piece[i]);
	}
	s->key ^= chess_tables.castling_key[0] ^ (f->turn ? chess_tables.turn_key : 0);
	/* The side that has just moved must not be in check. */
	if (chess_attackers(s, f->king[1 - f->turn], chess_occupied(s)) & s->side[f->turn])
		return false;
	return f->space != CHESS_KPKP_EP || chess_few_set_passant(s, f->piece[1] + 8);
}

/* The number of a position within its space; the leading piece must be in its part of the board. */
static inline uint64_t chess_few_number(const struct chess_few *f, const struct chess_set *set)
{
	const int king = f->king[0];
	int number = chess_row(king) * 4 + chess_file(king);
	if (f->space == CHESS_KPKP_EP) {
		number = chess_file(f->piece[0]) * 2 + (f->piece[1] > f->piece[0]);
		return (uint64_t)((number * 64 + king) * 64 + f->king[1]);
	}
	if (set->lead >= 0) {
		const int pawn = f->piece[set->lead], other = f->piece[1 - set->lead];
		number = (chess_row(pawn) - 1) * 4 + chess_file(pawn);
		if (set->kind[0] == CHESS_PAWN && set->four)
			number = number * CHESS_PAWN_SQUARES + other - 8;
		else if (set->four)
			number = number * 64 + other;
		number = number * 64 + king;
	} else if (f->space) {
		number = number * 64 + f->piece[0];
		if (set->four)
			number = number * 64 + f->piece[1];
	}
	number = number * 64 + f->king[1];
	if (set->even)
		return (uint64_t)number;
	/* With four pieces the side to move is the highest digit, for better compression. */
	if (!set->four)
		return (uint64_t)(number * 2 + f->turn);
	return (uint64_t)number + (f->turn ? chess_set_size(set) / 2 : 0);
}

/* Takes the last digit off a number. */
static inline int chess_few_digit(uint64_t *number, unsigned base)
{
	const int digit = (int)(*number % base);
	*number /= base;
	return digit;
}

static inline bool chess_find(const struct chess *s, const void *aid, struct qv_place *out);

static inline bool chess_decode(struct chess *s, const void *aid, const int64_t *options, int space,
				uint64_t number)
{
	const struct chess_set set = chess_set_of(space);
	const uint64_t whole = number;
	struct chess_few f = { .space = space };
	struct qv_place place;
	(void)options;
	if (!set.four) {
		f.turn = chess_few_digit(&number, 2);
	} else if (!set.even) {
		f.turn = number >= chess_set_size(&set) / 2;
		number %= chess_set_size(&set) / 2;
	}
	f.king[1] = chess_few_digit(&number, 64);
	if (space == CHESS_KPKP_EP) {
		f.king[0] = chess_few_digit(&number, 64);
		const int right = chess_few_digit(&number, 2);
		f.piece[0] = 32 + (int)number;
		f.piece[1] = f.piece[0] + (right ? 1 : -1);
		return chess_row(f.piece[1]) == 4 && chess_few_make(&f, s);
	}
	if (set.lead >= 0) {
		f.king[0] = chess_few_digit(&number, 64);
		if (set.four)
			f.piece[1 - set.lead] =
				set.kind[0] == CHESS_PAWN
					? 8 + chess_few_digit(&number, CHESS_PAWN_SQUARES)
					: chess_few_digit(&number, 64);
		f.piece[set.lead] = (int)((number / 4 + 1) * 8 + number % 4);
	} else {
		if (set.four)
			f.piece[1] = chess_few_digit(&number, 64);
		if (space)
			f.piece[0] = chess_few_digit(&number, 64);
		f.king[0] = (int)(number / 4 * 8 + number % 4);
	}
	if (!chess_few_make(&f, s))
		return false;
	/* Two equal pieces can be exchanged; the smaller number stands for the position. */
	return !set.twins || (chess_find(s, aid, &place) && place.number == whole);
}

/* The place of a position, whichever side has the pieces; false: it has none. */
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
	const struct chess_set set = chess_set_of(f.space);
	if (chess_file(set.lead >= 0 ? f.piece[set.lead] : f.king[0]) > 3)
		chess_few_mirror(&f, 7);
	if (set.lead < 0 && chess_row(f.king[0]) > 3)
		chess_few_mirror(&f, 56);
	*out = (struct qv_place){ f.space, 1, chess_few_number(&f, &set) };
	if (!set.twins)
		return true;
	/* Exchange two equal pieces; if they are pawns, the other one leads. */
	const int square = f.piece[0];
	f.piece[0] = f.piece[1];
	f.piece[1] = square;
	if (set.lead >= 0 && chess_file(f.piece[0]) > 3)
		chess_few_mirror(&f, 7);
	const uint64_t number = chess_few_number(&f, &set);
	out->number = number < out->number ? number : out->number;
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

/*
 * Lists the positions from which a move without a capture or promotion leads here. En passant
 * capture may have been possible before the move, or may be possible after it.
 */
static inline int chess_parents(const struct chess *s, struct chess *list)
{
	const int side = 1 - s->turn;
	const uint64_t passant = s->passant ? chess_bit(s->passant ^ 8) : 0;
	int n = 0;
	for (uint64_t pieces = passant ? passant : s->side[side]; pieces;
	     pieces = bits_rest(pieces)) {
		const int to = bits_lowest(pieces), kind = chess_kind_on(s, to);
		for (uint64_t from = chess_came_from(s, side, kind, to); from;
		     from = bits_rest(from)) {
			const int square = bits_lowest(from);
			struct chess *p = &list[n];
			const bool two_steps = kind == CHESS_PAWN && (square ^ to) == 16;
			*p = *s;
			/* Only two steps allow en passant, and they always do if it is legal. */
			if (passant ? !two_steps : two_steps && chess_few_set_passant(p, to ^ 8))
				continue;
			if (passant)
				p->key ^= chess_tables.passant_key[chess_file(s->passant)];
			p->passant = 0;
			p->quiet = 0;
			p->number = 1;
			chess_remove(p, side, kind, to);
			chess_put(p, side, kind, square);
			p->turn = (uint8_t)side;
			p->key ^= chess_tables.turn_key;
			n++;
			/* The side may have declined to capture en passant. */
			for (uint64_t pawns = chess_of(p, s->turn, CHESS_PAWN); pawns;
			     pawns = bits_rest(pawns)) {
				const int pawn = bits_lowest(pawns);
				if (chess_row(pawn) != (s->turn == CHESS_WHITE ? 3 : 4))
					continue;
				list[n] = *p;
				n += chess_few_set_passant(&list[n], pawn ^ 8);
			}
		}
	}
	return n;
}

#endif
