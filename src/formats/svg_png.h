/*
 * svg_png.h - pictures in SVG as pictures of pixels.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_SVG_PNG_H
#define FORMATS_SVG_PNG_H

#include "base/text.h"

enum { PNG_BACK = 0x26221f }; /* the colour around a picture that does not fill its frame */

/*
 * Appends a PNG file of width x height pixels with the picture in its middle, as large as it fits
 * with `margin` pixels around it. It understands what our own pictures consist of: rect, ellipse,
 * circle, path and text, in groups with transform, fill and stroke; anything else is left out.
 * QV_BAD_INPUT: it has no viewBox. QV_NO_MEMORY: not enough memory.
 */
enum qv_status svg_png(const char *svg, size_t size, int width, int height, int margin,
		       struct string *out, struct qv_error *error);

#endif
