/*
 * canvas.h - a picture of pixels that outlines are painted on, with smooth edges.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_CANVAS_H
#define BASE_CANVAS_H

#include "base/outline.h"

enum { CANVAS_MOST = 2048 }; /* of width and height */

struct canvas {
	const struct qv_allocator *allocator;
	int width, height;
	uint8_t *pixels; /* red, green, blue, row by row from the top */
	/* The shape that is being made: how much of each pixel it covers, and the rows it is in. */
	uint8_t *cover;
	int first, last;
};

/* A black picture. QV_NO_MEMORY: nothing is left to release. 1 <= width, height <= CANVAS_MOST. */
enum qv_status canvas_init(struct canvas *c, const struct qv_allocator *allocator, int width,
			   int height);
void canvas_release(struct canvas *c);

/*
 * Adds the outline to the shape: points that its polygons turn around. It is in pixels, from the top
 * left corner. QV_NO_MEMORY: it was not added.
 */
enum qv_status canvas_add(struct canvas *c, const struct outline *outline);
/* Paints the shape in the colour 0xRRGGBB, opacity 0 to 1, and begins an empty one. */
void canvas_paint(struct canvas *c, uint32_t colour, double opacity);

#endif
