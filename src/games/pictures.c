/*
 * pictures.c - the pieces that several games share, as SVG paths.
 * SPDX-License-Identifier: MIT
 *
 * Each piece has a body, which is filled, and details ("shine", "rim", "folds"), which are drawn as
 * lines. Coordinates are in a box from -50 to 50 around the middle of the cell.
 */
#include "games/pictures.h"

/* Four arms with round ends; the corners between them are at 13 from the middle. */
const char picture_cross[] =
	"M0-12.7 20.8-33.5A9 9 0 0 1 33.5-20.8L12.7 0 33.5 20.8A9 9 0 0 1 20.8 33.5"
	"L0 12.7-20.8 33.5A9 9 0 0 1-33.5 20.8L-12.7 0-33.5-20.8A9 9 0 0 1-20.8-33.5Z";
const char picture_cross_shine[] = "M-27.2-27.2-7-7M7-7 27.2-27.2";

/* The hole is drawn the other way round, so that it stays open under any fill rule. */
const char picture_ring[] =
	"M-36 0A36 36 0 0 1 36 0 36 36 0 0 1-36 0ZM-18 0A18 18 0 0 0 18 0 18 18 0 0 0-18 0Z";
const char picture_ring_shine[] = "M-23.4-13.5A27 27 0 0 1 13.5-23.4";

const char picture_disc[] = "M-42 0A42 42 0 0 1 42 0 42 42 0 0 1-42 0Z";
const char picture_disc_rim[] = "M-31 0A31 31 0 0 1 31 0 31 31 0 0 1-31 0Z";

/* Head, collar, skirt and foot. */
const char picture_pawn[] =
	"M0-38A13.5 13.5 0 0 1 9.6-15H14A3.5 3.5 0 0 1 14-8H8.2C9 5 13 13 19.5 19"
	"A8.5 8.5 0 0 1 22 25H24A3.5 3.5 0 0 1 27.5 28.5V34A3 3 0 0 1 24.5 37H-24.5"
	"A3 3 0 0 1-27.5 34V28.5A3.5 3.5 0 0 1-24 25H-22A8.5 8.5 0 0 1-19.5 19"
	"C-13 13-9 5-8.2-8H-14A3.5 3.5 0 0 1-14-15H-9.6A13.5 13.5 0 0 1 0-38Z";
const char picture_pawn_folds[] = "M-9.6-15H9.6M-8.2-8H8.2M-22 25H22";

/* The foot of a chess piece, from its right end at 24 round to the left. */
#define FOOT                                                                           \
	"H24A3.5 3.5 0 0 1 27.5 28.5V34A3 3 0 0 1 24.5 37H-24.5A3 3 0 0 1-27.5 34"     \
	"V28.5A3.5 3.5 0 0 1-24 25"

/* A horse's head facing left: back, ear, nose, mouth, throat. */
const char picture_knight[] = "M21 25C26-4 20-27 5-33L3-42-5-34C-16-30-20-18-28-5C-31 1-26 9-20 7"
			      "L-13 2C-8 3-2 2 2-3C1 9-17 9-19 25H-24M21 25" FOOT "H-19";
const char picture_knight_folds[] = "M-12-18A1.5 1.5 0 1 1-9-18 1.5 1.5 0 1 1-12-18M-24-1L-22-2"
				    "M6-26C14-19 16-2 14 18M-22 25H22";

/* A mitre with its slit and a ball on top. */
const char picture_bishop[] =
	"M0-43A5 5 0 0 1 3.6-34.5C13-28 18-19 16-10C15-5 12-2 8-1H12A3.5 3.5 0 0 1 12 6H8"
	"C9 13 14 17 19.5 20A8.5 8.5 0 0 1 22 25" FOOT "H-22A8.5 8.5 0 0 1-19.5 20"
	"C-14 17-9 13-8 6H-12A3.5 3.5 0 0 1-12-1H-8C-12-2-15-5-16-10C-18-19-13-28-3.6-34.5"
	"A5 5 0 0 1 0-43Z";
const char picture_bishop_folds[] = "M-8-1H8M-8 6H8M-22 25H22M5-27L-4-15M-3.6-34.5H3.6";

const char picture_rook[] = "M-23-36H-13V-29H-5V-36H5V-29H13V-36H23V-21L16-14 18 16 22 21V25" FOOT
			    "H-22V21L-18 16-16-14-23-21Z";
const char picture_rook_folds[] = "M-16-14H16M-23-21H23M-18 16H18M-22 25H22";

/* A crown with five balls. */
const char picture_queen[] =
	"M-31-19-22-3-17-27-9-5 0-31 9-5 17-27 22-3 31-19 23 11C21 15 21 18 22 21V25" FOOT
	"H-22V21C-21 18-21 15-23 11Z"
	"M-35.5-23A4.5 4.5 0 0 1-26.5-23 4.5 4.5 0 0 1-35.5-23Z"
	"M-22-31A4.5 4.5 0 0 1-13-31 4.5 4.5 0 0 1-22-31Z"
	"M-4.5-35.5A4.5 4.5 0 0 1 4.5-35.5 4.5 4.5 0 0 1-4.5-35.5Z"
	"M13-31A4.5 4.5 0 0 1 22-31 4.5 4.5 0 0 1 13-31Z"
	"M26.5-23A4.5 4.5 0 0 1 35.5-23 4.5 4.5 0 0 1 26.5-23Z";
const char picture_queen_folds[] = "M-23 11H23M-21.5 18H21.5M-22 25H22";

/* A crown with a cross. */
const char picture_king[] =
	"M-3-46H3V-41H8V-35H3V-27C8-32 28-33 31-18C33-6 26 2 23 11C21 15 21 18 22 21V25" FOOT
	"H-22V21C-21 18-21 15-23 11C-26 2-33-6-31-18C-28-33-8-32-3-27V-35H-8V-41H-3Z";
const char picture_king_folds[] = "M0-25V6M-23 11H23M-21.5 18H21.5M-22 25H22";
