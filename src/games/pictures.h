/*
 * pictures.h - the pieces that several games share, as SVG paths in a box from -50 to 50.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_PICTURES_H
#define GAMES_PICTURES_H

extern const char picture_cross[], picture_cross_shine[];
extern const char picture_ring[], picture_ring_shine[];
extern const char picture_disc[], picture_disc_rim[];  /* the rim is the detail of the disc */
extern const char picture_pawn[], picture_pawn_folds[];
extern const char picture_knight[], picture_knight_folds[];
extern const char picture_bishop[], picture_bishop_folds[];
extern const char picture_rook[], picture_rook_folds[];
extern const char picture_queen[], picture_queen_folds[];
extern const char picture_king[], picture_king_folds[];

/* The six pieces of a chess set, from pawn to king: rows of a struct qv_piece[]. */
#define PICTURE_PIECE(title, picture, side, tone)                                              \
	{ .name = title, .body = picture, .detail = picture##_folds, .paint = tone, .seat = side }
#define PICTURE_CHESS_SET(colour, side, tone)                      \
	PICTURE_PIECE(colour " pawn", picture_pawn, side, tone),     \
	PICTURE_PIECE(colour " knight", picture_knight, side, tone), \
	PICTURE_PIECE(colour " bishop", picture_bishop, side, tone), \
	PICTURE_PIECE(colour " rook", picture_rook, side, tone),     \
	PICTURE_PIECE(colour " queen", picture_queen, side, tone),   \
	PICTURE_PIECE(colour " king", picture_king, side, tone)

#endif
