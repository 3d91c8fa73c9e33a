/*
 * board_svg.h - a position as a picture: a complete SVG document with its own colours.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_BOARD_SVG_H
#define FORMATS_BOARD_SVG_H

#include "base/text.h"

/*
 * Appends the picture to out. QV_UNSUPPORTED: the game has no board. If memory runs out,
 * out->failed is set.
 */
enum qv_status board_svg(const struct qv_rules *rules, const void *state, struct string *out,
			 struct qv_error *error);

#endif
