/*
 * pictures.c - pieces that several games have.
 * SPDX-License-Identifier: MIT
 */
#include "base/pictures.h"

/* Four arms with round ends; the corners between them are at 13 from the middle. */
const char picture_cross[] =
	"M0-12.7 20.8-33.5A9 9 0 0 1 33.5-20.8L12.7 0 33.5 20.8A9 9 0 0 1 20.8 33.5"
	"L0 12.7-20.8 33.5A9 9 0 0 1-33.5 20.8L-12.7 0-33.5-20.8A9 9 0 0 1-20.8-33.5Z";
const char picture_cross_shine[] = "M-27.2-27.2-7-7M7-7 27.2-27.2";

/* The hole runs the other way round, so that any rule of filling leaves it open. */
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
