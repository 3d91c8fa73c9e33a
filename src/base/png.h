/*
 * png.h - writes pictures as PNG files.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_PNG_H
#define BASE_PNG_H

#include "base/canvas.h"
#include "base/text.h"

/* Appends the picture as a PNG file. If memory runs out, out->failed is set. */
void png_write(const struct canvas *c, struct string *out);

#endif
