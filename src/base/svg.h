/*
 * svg.h - helpers to write SVG pictures.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_SVG_H
#define BASE_SVG_H

#include <limits.h>

#include "base/text.h"

enum { SVG_WHOLE = INT_MAX }; /* no limit of letters */

/*
 * Appends escaped text for an element or an attribute in double quotes: at most `letters`
 * characters, then an ellipsis if it was cut. UTF-8 is kept; bytes that XML cannot represent become
 * '?'.
 */
void svg_add_text(struct string *out, const char *text, int letters);

/* Appends the start of a picture of this size in pixels, with its title. End it with "</svg>\n". */
void svg_begin(struct string *out, double width, double height, const char *title);

#endif
