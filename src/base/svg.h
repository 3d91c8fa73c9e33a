/*
 * svg.h - text for pictures in SVG.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_SVG_H
#define BASE_SVG_H

#include <limits.h>

#include "base/text.h"

enum { SVG_WHOLE = INT_MAX }; /* as many letters as there are */

/*
 * Appends text of any bytes, escaped: at most so many letters, with an ellipsis if it is cut. UTF-8
 * stays as it is; what XML cannot hold becomes '?'. Fit for elements and for attributes in double
 * quotes.
 */
void svg_add_text(struct string *out, const char *text, int letters);

/* Appends the beginning of a picture of so many pixels, with its title. "</svg>\n" ends it. */
void svg_begin(struct string *out, double width, double height, const char *title);

#endif
