/*
 * outline.h - shapes as points: paths of SVG, ellipses, rectangles, and the outline of a pen.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_OUTLINE_H
#define BASE_OUTLINE_H

#include "base/memory.h"

/* Maps x, y to a*x + c*y + e, b*x + d*y + f, as matrix(a b c d e f) of SVG does. */
struct affine {
	double a, b, c, d, e, f;
};

/* What `inner` and then `outer` maps to. */
struct affine affine_join(const struct affine *outer, const struct affine *inner);

enum { OUTLINE_MOST = 1 << 14 }; /* points; the rest of a longer path is left out */

/*
 * Polygons and lines, one after the other. If an allocation fails, `failed` is set and the point is
 * left out. { allocator } is a valid empty outline.
 */
struct outline {
	const struct qv_allocator *allocator;
	struct outline_point {
		double x, y;
		bool start; /* the first one of its polygon */
	} * points;
	size_t count, room;
	bool failed;
};

/*
 * Reads the number at *text, after blanks and commas, and steps past it. False: no number
 * follows, and *text is unchanged.
 */
bool outline_number(const char **text, const char *end, double *out);

void outline_move(struct outline *o, double x, double y);
void outline_line(struct outline *o, double x, double y);
void outline_ellipse(struct outline *o, double x, double y, double rx, double ry);
/* radius: of its corners. */
void outline_rectangle(struct outline *o, double x, double y, double width, double height,
		       double radius);
/* Appends the `d` attribute of a path as far as it is valid, curves as short lines. */
void outline_path(struct outline *o, const char *d, size_t length);
/*
 * Appends the area that a round pen of this width covers along the lines. All its polygons turn the
 * same way, so that they do not cancel each other.
 */
void outline_pen(const struct outline *lines, double width, struct outline *out);
void outline_transform(struct outline *o, const struct affine *m);
void outline_clear(struct outline *o);
void outline_release(struct outline *o);

#endif
