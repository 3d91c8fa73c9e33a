/*
 * starmap_svg.h - the map of Star Chess, as the page draws it.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_STARMAP_SVG_H
#define FORMATS_STARMAP_SVG_H

#include "base/text.h"

/* Is it the board of Star Chess? Then starmap_add takes the place of its cells and pieces. */
bool starmap_is(const struct qv_board *board);
/* Appends the elements of the map to a picture as large as the layout of the board. */
void starmap_add(const void *state, struct string *out);

#endif
