/*
 * canvas.c - a picture of pixels that outlines are painted on, with smooth edges.
 * SPDX-License-Identifier: MIT
 *
 * Each row of pixels is cut into LINES thin lines. On a line it is exact which part of each pixel is
 * inside, and the sum over the lines is how much of the pixel is covered.
 */
#include "base/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 8 };

struct edge {
	double top, bottom; /* top < bottom */
	double x, slope;    /* at the top; per unit of y */
	int turn;	    /* 1 downwards, -1 upwards */
};

struct crossing {
	double x;
	int turn;
};

/* The work of one outline. */
struct filling {
	struct edge *edges; /* sorted by their tops */
	struct edge **active;
	struct crossing *crossings;
	float *row; /* covered part of each pixel of the row */
	size_t count, active_count, next;
};

enum qv_status canvas_init(struct canvas *c, const struct qv_allocator *allocator, int width,
			   int height)
{
	const size_t size = (size_t)width * (size_t)height;
	*c = (struct canvas){ .allocator = allocator, .width = width, .height = height };
	c->pixels = mem_new(allocator, size, 3);
	c->cover = mem_new(allocator, size, 1);
	c->first = height;
	c->last = -1;
	if (c->pixels && c->cover)
		return QV_OK;
	canvas_release(c);
	return QV_NO_MEMORY;
}

void canvas_release(struct canvas *c)
{
	const size_t size = (size_t)c->width * (size_t)c->height;
	mem_free(c->allocator, c->pixels, 3 * size);
	mem_free(c->allocator, c->cover, size);
	*c = (struct canvas){ 0 };
}

/* ---- Edges ---- */

static int by_top(const void *a, const void *b)
{
	const double x = ((const struct edge *)a)->top, y = ((const struct edge *)b)->top;
	return (x > y) - (x < y);
}

static void add_edge(struct filling *f, const struct outline_point *a,
		     const struct outline_point *b)
{
	const bool down = a->y < b->y;
	const struct outline_point *top = down ? a : b, *bottom = down ? b : a;
	if (a->y == b->y)
		return;
	f->edges[f->count++] =
		(struct edge){ top->y, bottom->y, top->x,
			       (bottom->x - top->x) / (bottom->y - top->y), down ? 1 : -1 };
}

/* A polygon that does not end where it began is closed. */
static void take_edges(struct filling *f, const struct outline *o)
{
	const struct outline_point *start = o->points;
	for (size_t i = 0; i < o->count; i++) {
		const struct outline_point *p = &o->points[i];
		if (p->start)
			start = p;
		const bool last = i + 1 == o->count || p[1].start;
		add_edge(f, p, last ? start : p + 1);
	}
	qsort(f->edges, f->count, sizeof *f->edges, by_top);
}

/* ---- Lines ---- */

/* Adds the part of each pixel between two points of a line. */
static void add_span(const struct canvas *c, float *row, double from, double to)
{
	from = from < 0 ? 0 : from;
	to = to > c->width ? c->width : to;
	if (from >= to)
		return;
	const int first = (int)from, last = (int)to < c->width ? (int)to : c->width - 1;
	for (int x = first; x <= last; x++) {
		const double left = from > x ? from : x, right = to < x + 1 ? to : x + 1;
		row[x] += (float)((right - left) / LINES);
	}
}

/* Where the active edges cross the line, from left to right. */
static size_t find_crossings(struct filling *f, double y)
{
	size_t kept = 0;
	while (f->next < f->count && f->edges[f->next].top <= y)
		f->active[f->active_count++] = &f->edges[f->next++];
	for (size_t i = 0; i < f->active_count; i++)
		if (f->active[i]->bottom > y)
			f->active[kept++] = f->active[i];
	f->active_count = kept;
	for (size_t i = 0; i < kept; i++) {
		const struct edge *e = f->active[i];
		const struct crossing now = { e->x + (y - e->top) * e->slope, e->turn };
		size_t at = i;
		for (; at > 0 && f->crossings[at - 1].x > now.x; at--)
			f->crossings[at] = f->crossings[at - 1];
		f->crossings[at] = now;
	}
	return kept;
}

static void fill_line(const struct canvas *c, struct filling *f, double y)
{
	const size_t count = find_crossings(f, y);
	int turns = 0;
	for (size_t i = 0; i + 1 < count; i++) {
		turns += f->crossings[i].turn;
		if (turns)
			add_span(c, f->row, f->crossings[i].x, f->crossings[i + 1].x);
	}
}

/* What the shape covered already stays covered. */
static void fill_row(struct canvas *c, struct filling *f, int y)
{
	uint8_t *cover = c->cover + (size_t)y * (size_t)c->width;
	memset(f->row, 0, (size_t)c->width * sizeof *f->row);
	for (int i = 0; i < LINES; i++)
		fill_line(c, f, y + (i + 0.5) / LINES);
	for (int x = 0; x < c->width; x++) {
		const int value = (int)(f->row[x] * 255 + 0.5F);
		if (value > cover[x])
			cover[x] = (uint8_t)(value < 255 ? value : 255);
	}
}

/* Whether all of it is left of the picture, or all right of it: then none of it is painted. */
static bool is_beside(const struct canvas *c, const struct outline *o)
{
	bool left = true, right = true;
	for (size_t i = 0; i < o->count; i++) {
		left = left && o->points[i].x <= 0;
		right = right && o->points[i].x >= c->width;
	}
	return left || right;
}

enum qv_status canvas_add(struct canvas *c, const struct outline *o)
{
	if (!o->failed && is_beside(c, o))
		return QV_OK;
	const size_t most = o->count;
	struct filling f = { .edges = mem_new(c->allocator, most, sizeof *f.edges),
			     .active = mem_new(c->allocator, most, sizeof *f.active),
			     .crossings = mem_new(c->allocator, most, sizeof *f.crossings),
			     .row = mem_new(c->allocator, (size_t)c->width, sizeof *f.row) };
	const bool good = !o->failed && f.edges && f.active && f.crossings && f.row;
	double bottom = 0;
	if (good)
		take_edges(&f, o);
	for (size_t i = 0; i < f.count; i++)
		bottom = f.edges[i].bottom > bottom ? f.edges[i].bottom : bottom;
	if (f.count && bottom > 0 && f.edges[0].top < c->height) {
		const int first = f.edges[0].top > 0 ? (int)f.edges[0].top : 0;
		const int end = bottom < c->height ? (int)ceil(bottom) : c->height;
		for (int y = first; y < end; y++)
			fill_row(c, &f, y);
		c->first = first < c->first ? first : c->first;
		c->last = end - 1 > c->last ? end - 1 : c->last;
	}
	mem_free(c->allocator, f.edges, most * sizeof *f.edges);
	mem_free(c->allocator, f.active, most * sizeof *f.active);
	mem_free(c->allocator, f.crossings, most * sizeof *f.crossings);
	mem_free(c->allocator, f.row, (size_t)c->width * sizeof *f.row);
	return good ? QV_OK : QV_NO_MEMORY;
}

void canvas_paint(struct canvas *c, uint32_t colour, double opacity)
{
	const int parts[3] = { colour >> 16 & 255, colour >> 8 & 255, colour & 255 };
	const size_t from = (size_t)c->first * (size_t)c->width;
	const size_t end = (size_t)(c->last + 1) * (size_t)c->width;
	/* A picture may ask for more than all, or less than nothing. */
	const double solid = opacity > 1 ? 1 : opacity > 0 ? opacity : 0;
	for (size_t i = from; i < end; i++) {
		if (!c->cover[i])
			continue;
		const double share = c->cover[i] / 255.0 * solid;
		for (int k = 0; k < 3; k++) {
			uint8_t *pixel = &c->pixels[3 * i + (size_t)k];
			*pixel = (uint8_t)(*pixel + (parts[k] - *pixel) * share + 0.5);
		}
		c->cover[i] = 0;
	}
	c->first = c->height;
	c->last = -1;
}
