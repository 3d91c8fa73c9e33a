/*
 * endings.h - chess: the game phase, endings that are hard to win, and how to mate a bare king.
 * SPDX-License-Identifier: MIT
 */
#ifndef CHESS_ENDINGS_H
#define CHESS_ENDINGS_H

#include "games/chess/rules.h"

enum {
	CHESS_WHOLE = 24,     /* the phase with all pieces on the board */
	CHESS_SCALE_ONE = 64, /* an ending that counts in full */
};

/* From CHESS_WHOLE down to 0, as pieces leave the board. */
static inline int chess_phase_of(const struct chess *s)
{
	const int phase = bits_count(s->kind[CHESS_KNIGHT] | s->kind[CHESS_BISHOP]) +
			  2 * bits_count(s->kind[CHESS_ROOK]) +
			  4 * bits_count(s->kind[CHESS_QUEEN]);
	return phase > CHESS_WHOLE ? CHESS_WHOLE : phase;
}

/* King's steps from one square to another. */
static inline int chess_distance(int a, int b)
{
	const int files = chess_file(a) - chess_file(b), rows = chess_row(a) - chess_row(b);
	const int across = files < 0 ? -files : files, along = rows < 0 ? -rows : rows;
	return across > along ? across : along;
}

/*
 * The wrong rook pawn: bishop and pawns on a rook's file, the promotion corner of the other colour,
 * and the defending king can get there. A dead draw.
 */
static inline bool chess_wrong_corner(const struct chess *s, int strong)
{
	const uint64_t bishops = chess_of(s, strong, CHESS_BISHOP);
	const uint64_t pawns = chess_of(s, strong, CHESS_PAWN);
	const uint64_t others = s->side[strong] & ~(bishops | pawns | s->kind[CHESS_KING]);
	const bool a_file = !(pawns & ~CHESS_FILE_A), h_file = !(pawns & ~CHESS_FILE_H);
	if (others || !pawns || (!a_file && !h_file))
		return false;
	const int corner = (a_file ? CHESS_A8 : CHESS_H8) ^ (strong ? 56 : 0);
	const uint64_t light = CHESS_LIGHT >> corner & 1 ? CHESS_LIGHT : ~CHESS_LIGHT;
	return !(bishops & light) && chess_distance(chess_king(s, 1 - strong), corner) <= 1;
}

/* Pieces other than pawns and kings, in pawns. */
static inline int chess_strength(const struct chess *s, int side)
{
	return 3 * bits_count((s->kind[CHESS_KNIGHT] | s->kind[CHESS_BISHOP]) & s->side[side]) +
	       5 * bits_count(chess_of(s, side, CHESS_ROOK)) +
	       9 * bits_count(chess_of(s, side, CHESS_QUEEN));
}

/* How much of its lead in the ending the stronger side can hope to use, in CHESS_SCALE_ONE. */
static inline int chess_scale(const struct chess *s, int strong)
{
	const uint64_t bishops = s->kind[CHESS_BISHOP];
	const uint64_t others = s->kind[CHESS_KNIGHT] | s->kind[CHESS_ROOK] | s->kind[CHESS_QUEEN];
	const int pawns = bits_count(chess_of(s, strong, CHESS_PAWN));
	if (chess_wrong_corner(s, strong))
		return 0;
	if (!pawns) {
		/* Without pawns, an extra minor piece is seldom enough. */
		const int mine = chess_strength(s, strong), other = chess_strength(s, 1 - strong);
		const bool two_knights = mine == 6 && !(bishops & s->side[strong]);
		if (mine < 5 || two_knights)
			return 0;
		if (mine - other <= 3)
			return other < 5 ? 4 : 14;
	}
	/* Bishops of opposite colours; otherwise, the fewer pawns, the more drawish. */
	const bool opposite = bits_count(bishops & s->side[0]) == 1 &&
			      bits_count(bishops & s->side[1]) == 1 &&
			      bits_count(bishops & CHESS_LIGHT) == 1;
	const int scale = !opposite ? 36 + 6 * pawns : others ? 30 + 3 * pawns : 18 + 4 * pawns;
	const int most = !opposite ? CHESS_SCALE_ONE : others ? 60 : 40;
	return scale < most ? scale : most;
}

/*
 * Against a bare king: drive it to the edge, with bishop and knight to a corner of the bishop's
 * colour, and bring the own king closer.
 */
static inline int32_t chess_mop_up(const struct chess *s, int side)
{
	const uint64_t mine = s->side[side];
	if (s->side[1 - side] != chess_of(s, 1 - side, CHESS_KING) || s->kind[CHESS_PAWN] & mine)
		return 0;
	const uint64_t bishops = s->kind[CHESS_BISHOP] & mine,
		       knights = s->kind[CHESS_KNIGHT] & mine;
	const uint64_t majors = (s->kind[CHESS_ROOK] | s->kind[CHESS_QUEEN]) & mine;
	const bool both = (bishops & CHESS_LIGHT) && (bishops & ~CHESS_LIGHT);
	if (!majors && !both && !(bishops && knights))
		return 0;
	const int king = chess_king(s, 1 - side), apart = chess_distance(king, chess_king(s, side));
	const int file = chess_file(king), row = chess_row(king);
	const int edge = (file < 4 ? 3 - file : file - 4) + (row < 4 ? 3 - row : row - 4);
	int32_t value = 400 + 20 * edge + 10 * (7 - apart);
	if (!majors && !both) {
		const bool light = bishops & CHESS_LIGHT;
		const int one = chess_distance(king, light ? CHESS_H1 : CHESS_A1);
		const int other = chess_distance(king, light ? CHESS_A8 : CHESS_H8);
		value += 40 * (7 - (one < other ? one : other));
	}
	return value;
}

#endif
