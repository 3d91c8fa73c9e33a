/*
 * board_svg.h - a position as a picture: a whole SVG document with colours of its own.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_BOARD_SVG_H
#define FORMATS_BOARD_SVG_H

#include "base/text.h"

/*
 * Adds the picture to out, which keeps what it has. QV_UNSUPPORTED: the game describes no board.
 * Whether memory sufficed, out->failed says.
 */
enum qv_status board_svg(const struct qv_rules *rules, const void *state, struct string *out,
			 struct qv_error *error);

#endif
