/*
 * outline.c - shapes as points: paths of SVG, ellipses, rectangles, and the outline of a pen.
 * SPDX-License-Identifier: MIT
 *
 * Curves become a fixed number of short lines: at the size of a board that is exact to a fraction
 * of a pixel.
 */
#include "base/outline.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/scan.h"

enum {
	STEPS = 12,	 /* lines of a curve, or of a quarter of an ellipse */
	PEN_CORNERS = 16 /* of the pen's point */
};

static const double PI = 3.14159265358979323846;
static const double FAR = 1e6; /* coordinates beyond are cut, so that sums stay finite */

struct affine affine_join(const struct affine *o, const struct affine *i)
{
	return (struct affine){
		o->a * i->a + o->c * i->b,	  o->b * i->a + o->d * i->b,
		o->a * i->c + o->c * i->d,	  o->b * i->c + o->d * i->d,
		o->a * i->e + o->c * i->f + o->e, o->b * i->e + o->d * i->f + o->f,
	};
}

static double cut(double value)
{
	return value > FAR    ? FAR
	       : value > -FAR ? value
			      : -FAR; /* -FAR for what is no number, too */
}

static void add(struct outline *o, double x, double y, bool start)
{
	if (o->count >= OUTLINE_MOST)
		return;
	if (mem_reserve(o->allocator, &o->points, &o->room, o->count + 1, sizeof *o->points))
		o->points[o->count++] = (struct outline_point){ cut(x), cut(y), start };
	else
		o->failed = true;
}

void outline_move(struct outline *o, double x, double y)
{
	add(o, x, y, true);
}

void outline_line(struct outline *o, double x, double y)
{
	add(o, x, y, o->count == 0);
}

/* From angle to angle, without the first point. */
static void add_arc(struct outline *o, double x, double y, double rx, double ry, double from,
		    double to)
{
	const int steps = 1 + (int)(fabs(to - from) / (PI / 2) * STEPS);
	for (int i = 1; i <= steps; i++) {
		double cosine, sine;
		real_turn(from + (to - from) * i / steps, &cosine, &sine);
		outline_line(o, x + rx * cosine, y + ry * sine);
	}
}

void outline_ellipse(struct outline *o, double x, double y, double rx, double ry)
{
	outline_move(o, x + rx, y);
	add_arc(o, x, y, rx, ry, 0, 2 * PI);
}

void outline_rectangle(struct outline *o, double x, double y, double width, double height, double r)
{
	const double right = x + width - r, bottom = y + height - r;
	outline_move(o, x + r, y);
	add_arc(o, right, y + r, r, r, -PI / 2, 0);
	add_arc(o, right, bottom, r, r, 0, PI / 2);
	add_arc(o, x + r, bottom, r, r, PI / 2, PI);
	add_arc(o, x + r, y + r, r, r, PI, 1.5 * PI);
}

/* ---- Paths ---- */

struct path {
	const char *at, *end;
	struct outline *out;
	double x, y;		 /* the pen */
	double from_x, from_y;	 /* where its polygon began */
	double steer_x, steer_y; /* the last control point; without one, the pen's place */
};

static const char *past_blanks(const char *at, const char *end)
{
	while (at < end && is_one_of(*at, " ,\t\r\n"))
		at++;
	return at;
}

/* Not strtod: its decimal point depends on the locale, and SVG lets "1.5.5" be two numbers. */
bool outline_number(const char **text, const char *end, double *out)
{
	const char *at = past_blanks(*text, end);
	double value = 0, scale = 1;
	int power = 0;
	bool any = false;
	const bool minus = at < end && *at == '-';
	at += at < end && is_one_of(*at, "+-");
	for (; at < end && is_digit(*at); at++, any = true)
		value = cut(value * 10 + (*at - '0'));
	if (at < end && *at == '.')
		for (at++; at < end && is_digit(*at); at++, any = true)
			value += (*at - '0') * (scale /= 10);
	/* An exponent counts only if digits follow. */
	const char *digits = at + 1;
	const bool down = any && digits < end && *digits == '-';
	digits += digits < end && is_one_of(*digits, "+-");
	if (any && digits < end && is_one_of(*at, "eE") && is_digit(*digits))
		for (at = digits; at < end && is_digit(*at); at++)
			power = power < 99 ? power * 10 + (*at - '0') : power;
	for (; power > 0; power--)
		value = down ? value / 10 : cut(value * 10);
	*out = minus ? -value : value;
	*text = any ? at : *text;
	return any;
}

static void skip_blanks(struct path *p)
{
	p->at = past_blanks(p->at, p->end);
}

static bool read_number(struct path *p, double *out)
{
	return outline_number(&p->at, p->end, out);
}

/* The flags of an arc may stand without a blank after them. */
static bool read_flag(struct path *p, double *out)
{
	skip_blanks(p);
	if (p->at >= p->end || !is_one_of(*p->at, "01"))
		return false;
	*out = *p->at++ - '0';
	return true;
}

static void add_cubic(struct path *p, const double c[6])
{
	for (int i = 1; i <= STEPS; i++) {
		const double t = (double)i / STEPS, u = 1 - t;
		const double k0 = u * u * u, k1 = 3 * u * u * t, k2 = 3 * u * t * t, k3 = t * t * t;
		outline_line(p->out, k0 * p->x + k1 * c[0] + k2 * c[2] + k3 * c[4],
			     k0 * p->y + k1 * c[1] + k2 * c[3] + k3 * c[5]);
	}
}

/* From the two ends of an arc to its centre, as the specification of SVG does (its section F.6). */
static void add_elliptic(struct path *p, double rx, double ry, double tilt, bool large, bool sweep,
			 double to_x, double to_y)
{
	const double dx = (p->x - to_x) / 2, dy = (p->y - to_y) / 2;
	double cosine, sine;
	real_turn(tilt * PI / 180, &cosine, &sine);
	const double x = cosine * dx + sine * dy, y = cosine * dy - sine * dx;
	const size_t before = p->out->count;
	if (!(rx > 0 && ry > 0) || (x == 0 && y == 0)) {
		outline_line(p->out, to_x, to_y);
		return;
	}
	const double reach = x * x / (rx * rx) + y * y / (ry * ry);
	if (reach > 1) { /* too small to reach: as large as necessary */
		rx *= sqrt(reach);
		ry *= sqrt(reach);
	}
	const double left = reach < 1 ? sqrt(1 / reach - 1) : 0;
	const double side = large == sweep ? -left : left;
	const double cx = side * rx * y / ry, cy = -side * ry * x / rx;
	const double from = real_angle((x - cx) / rx, (y - cy) / ry);
	double to = real_angle((-x - cx) / rx, (-y - cy) / ry);
	if (sweep && to < from)
		to += 2 * PI;
	if (!sweep && to > from)
		to -= 2 * PI;
	add_arc(p->out, 0, 0, rx, ry, from, to);
	/* Turned and moved to its place. */
	const double middle_x = cosine * cx - sine * cy + (p->x + to_x) / 2;
	const double middle_y = sine * cx + cosine * cy + (p->y + to_y) / 2;
	for (struct outline_point *i = p->out->points + before; i < p->out->points + p->out->count;
	     i++) {
		const double px = i->x, py = i->y;
		i->x = cosine * px - sine * py + middle_x;
		i->y = sine * px + cosine * py + middle_y;
	}
}

/* How many numbers a command takes; -1: no such command. */
static int numbers_of(char command)
{
	static const struct {
		char command;
		int numbers;
	} list[] = { { 'M', 2 }, { 'L', 2 }, { 'H', 1 }, { 'V', 1 }, { 'C', 6 },
		     { 'S', 4 }, { 'Q', 4 }, { 'T', 2 }, { 'A', 7 }, { 'Z', 0 } };
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].command == command)
			return list[i].numbers;
	return -1;
}

/* Draws to n's last point; all coordinates are absolute. `steered`: the last command was of its kind. */
static void draw(struct path *p, char command, const double *n, bool steered)
{
	const double mirror_x = steered ? 2 * p->x - p->steer_x : p->x;
	const double mirror_y = steered ? 2 * p->y - p->steer_y : p->y;
	const bool square = command == 'Q' || command == 'T';
	double c[6] = { n[0], n[1], n[2], n[3], n[4], n[5] };
	if (command == 'M') {
		outline_move(p->out, n[0], n[1]);
	} else if (command == 'A') {
		add_elliptic(p, n[0], n[1], n[2], n[3] != 0, n[4] != 0, n[5], n[6]);
		c[4] = n[5];
		c[5] = n[6];
	} else if (command == 'L') {
		outline_line(p->out, n[0], n[1]);
	} else if (square) { /* the cubic curve of the same course */
		const double at_x = command == 'Q' ? n[0] : mirror_x;
		const double at_y = command == 'Q' ? n[1] : mirror_y;
		const double *end = command == 'Q' ? n + 2 : n;
		p->steer_x = at_x;
		p->steer_y = at_y;
		add_cubic(p, (double[6]){ (p->x + 2 * at_x) / 3, (p->y + 2 * at_y) / 3,
					  (end[0] + 2 * at_x) / 3, (end[1] + 2 * at_y) / 3, end[0],
					  end[1] });
		c[4] = end[0];
		c[5] = end[1];
	} else { /* C and S */
		if (command == 'S')
			memcpy(c, (double[6]){ mirror_x, mirror_y, n[0], n[1], n[2], n[3] },
			       sizeof c);
		add_cubic(p, c);
		p->steer_x = c[2];
		p->steer_y = c[3];
	}
	const bool line = command == 'M' || command == 'L';
	p->x = cut(line ? n[0] : c[4]);
	p->y = cut(line ? n[1] : c[5]);
}

/* Makes relative coordinates absolute; H and V become L. Arcs have five numbers before their end. */
static char make_absolute(const struct path *p, char command, bool relative, double *n, int count)
{
	const double x = relative ? p->x : 0, y = relative ? p->y : 0;
	if (command == 'H' || command == 'V') {
		const double value = n[0];
		n[0] = command == 'H' ? value + x : p->x;
		n[1] = command == 'V' ? value + y : p->y;
		return 'L';
	}
	for (int i = command == 'A' ? 5 : 0; i + 1 < count; i += 2) {
		n[i] += x;
		n[i + 1] += y;
	}
	return command;
}

static bool read_numbers(struct path *p, char command, double *n, int count)
{
	for (int i = 0; i < count; i++) {
		const bool flag = command == 'A' && (i == 3 || i == 4);
		if (!(flag ? read_flag : read_number)(p, &n[i]))
			return false;
	}
	return true;
}

void outline_path(struct outline *o, const char *d, size_t length)
{
	struct path p = { .at = d, .end = d + length, .out = o };
	char letter = '\0', last = '\0';
	for (skip_blanks(&p); p.at < p.end && o->count < OUTLINE_MOST; skip_blanks(&p)) {
		double n[8] = { 0 };
		/* Numbers without a command repeat the last one; after a move they are lines. */
		if ((*p.at >= 'a' && *p.at <= 'z') || (*p.at >= 'A' && *p.at <= 'Z'))
			letter = *p.at++;
		else if (letter == 'M' || letter == 'm')
			letter = letter == 'M' ? 'L' : 'l';
		else if (letter == 'Z' || letter == 'z')
			return;
		const bool relative = letter >= 'a';
		char command = relative ? (char)(letter - 'a' + 'A') : letter;
		const int count = numbers_of(command);
		if (count < 0 || (!last && command != 'M') || !read_numbers(&p, command, n, count))
			return;
		command = make_absolute(&p, command, relative, n, count);
		if (command == 'Z') {
			outline_line(o, p.from_x, p.from_y);
			p.x = p.from_x;
			p.y = p.from_y;
		} else {
			/* After Z the next polygon begins where this one did. */
			if (last == 'Z' && command != 'M')
				outline_move(o, p.x, p.y);
			draw(&p, command, n,
			     command == 'S' ? last == 'C' || last == 'S'
					    : last == 'Q' || last == 'T');
		}
		if (command == 'M') {
			p.from_x = p.x;
			p.from_y = p.y;
		}
		last = command;
	}
}

/* ---- Pens ---- */

/* One end of a line, or a corner. */
static void add_pen_point(struct outline *out, double x, double y, double half)
{
	for (int i = 0; i < PEN_CORNERS; i++) {
		double cosine, sine;
		real_turn(2 * PI * i / PEN_CORNERS, &cosine, &sine);
		add(out, x + half * cosine, y + half * sine, i == 0);
	}
}

/* The rectangle around a line. */
static void add_pen_line(struct outline *out, const struct outline_point *a,
			 const struct outline_point *b, double half)
{
	const double dx = b->x - a->x, dy = b->y - a->y, length = sqrt(dx * dx + dy * dy);
	if (!(length > 0))
		return;
	const double x = half * dx / length, y = half * dy / length;
	add(out, a->x - y, a->y + x, true);
	add(out, a->x + y, a->y - x, false);
	add(out, b->x + y, b->y - x, false);
	add(out, b->x - y, b->y + x, false);
}

/* Between two lines that nearly continue each other no corner shows. */
static bool is_corner(const struct outline_point *a, const struct outline_point *b,
		      const struct outline_point *c)
{
	const double x1 = b->x - a->x, y1 = b->y - a->y, x2 = c->x - b->x, y2 = c->y - b->y;
	return x1 * x2 + y1 * y2 < 0.97 * sqrt((x1 * x1 + y1 * y1) * (x2 * x2 + y2 * y2));
}

void outline_pen(const struct outline *lines, double width, struct outline *out)
{
	const struct outline_point *p = lines->points;
	for (size_t i = 0; i < lines->count; i++) {
		const bool last = i + 1 == lines->count || p[i + 1].start;
		if (!p[i].start)
			add_pen_line(out, &p[i - 1], &p[i], width / 2);
		if (p[i].start || last || is_corner(&p[i - 1], &p[i], &p[i + 1]))
			add_pen_point(out, p[i].x, p[i].y, width / 2);
	}
}

/* ---- The whole ---- */

void outline_transform(struct outline *o, const struct affine *m)
{
	for (struct outline_point *p = o->points; p < o->points + o->count; p++) {
		const double x = p->x, y = p->y;
		p->x = cut(m->a * x + m->c * y + m->e);
		p->y = cut(m->b * x + m->d * y + m->f);
	}
}

void outline_clear(struct outline *o)
{
	o->count = 0;
}

void outline_release(struct outline *o)
{
	mem_free(o->allocator, o->points, o->room * sizeof *o->points);
	*o = (struct outline){ .allocator = o->allocator };
}
