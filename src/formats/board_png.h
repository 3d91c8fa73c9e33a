/*
 * board_png.h - a position as a PNG file: the picture of board_svg.h in pixels.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_BOARD_PNG_H
#define FORMATS_BOARD_PNG_H

#include "base/text.h"

enum {
	BOARD_PNG_SIDE = 960, /* the longer side of a board alone */
	BOARD_CARD_WIDTH = 1200,
	BOARD_CARD_HEIGHT = 630, /* for previews of links */
};

/* Appends the board alone, as large as BOARD_PNG_SIDE. Otherwise as board_svg. */
enum qv_status board_png(const struct qv_rules *rules, const void *state, struct string *out,
			 struct qv_error *error);
/* The same in the middle of a card. */
enum qv_status board_card_png(const struct qv_rules *rules, const void *state, struct string *out,
			      struct qv_error *error);

#endif
