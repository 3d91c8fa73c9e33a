/*
 * svg_png.c - pictures in SVG as pictures of pixels.
 * SPDX-License-Identifier: MIT
 *
 * It reads one tag after the other and paints it at once. Attributes of a group apply to what is in
 * it. Letters are drawn with a pen (glyphs), since there is no font: capitals and digits suffice for
 * the labels of boards.
 */
#include "formats/svg_png.h"

#include <string.h>

#include "base/png.h"

enum {
	DEEPEST = 8, /* groups in groups; what is deeper looks like the group around it */
	ATTRIBUTE = 64,
	NONE = -1, /* a colour that is not painted */
};

/* How something is painted: its own attributes and those of the groups around it. */
struct look {
	struct affine to_pixels;
	int32_t fill, stroke; /* 0xRRGGBB, or NONE */
	double fill_opacity, stroke_opacity, stroke_width, font_size;
	bool centred; /* text */
};

struct reader {
	const char *at, *end;
	const char *tag, *tag_end; /* the attributes of the current tag */
	struct look looks[DEEPEST];
	int depth;
	struct canvas canvas;
	struct outline shape, pen;
	enum qv_status status;
};

/* ---- Attributes ---- */

/* The value of an attribute of the current tag; false: it has none of that name. */
static bool attribute(const struct reader *r, const char *name, const char **value, size_t *length)
{
	const size_t size = strlen(name);
	for (const char *at = r->tag; at < r->tag_end;) {
		while (at < r->tag_end && (*at == ' ' || *at == '\n'))
			at++;
		const char *key = at;
		while (at < r->tag_end && *at != '=')
			at++;
		if (r->tag_end - at < 2)
			return false;
		const char *from = at + 2;
		const char *quote = memchr(from, at[1], (size_t)(r->tag_end - from));
		if (!quote)
			return false;
		if ((size_t)(at - key) == size && memcmp(key, name, size) == 0) {
			*value = from;
			*length = (size_t)(quote - from);
			return true;
		}
		at = quote + 1;
	}
	return false;
}

/* The numbers in a text, whatever is between them; returns how many there are, at most `most`. */
static int numbers(const char *text, size_t length, double *out, int most)
{
	const char *end = text + length;
	int count = 0;
	while (text < end && count < most)
		if (outline_number(&text, end, &out[count]))
			count++;
		else
			text++;
	return count;
}

static double number(const struct reader *r, const char *name, double without)
{
	const char *text;
	size_t length;
	double value;
	return attribute(r, name, &text, &length) && numbers(text, length, &value, 1) ? value
										      : without;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;
}

/* "#rrggbb", "#rgb" or "none". */
static int32_t colour(const struct reader *r, const char *name, int32_t without)
{
	const char *text;
	size_t length;
	int32_t value = 0;
	if (!attribute(r, name, &text, &length))
		return without;
	if (length < 4 || text[0] != '#')
		return NONE;
	for (size_t i = 1; i < length && i <= 6; i++)
		value = value * (length == 4 ? 256 : 16) +
			digit_of(text[i]) * (length == 4 ? 17 : 1);
	return value;
}

static struct affine transform(const struct reader *r)
{
	struct affine m = { 1, 0, 0, 1, 0, 0 };
	const char *text;
	size_t length;
	double n[6];
	if (!attribute(r, "transform", &text, &length))
		return m;
	const int count = numbers(text, length, n, 6);
	if (count == 6)
		m = (struct affine){ n[0], n[1], n[2], n[3], n[4], n[5] };
	else if (count == 2)
		m = (struct affine){ 1, 0, 0, 1, n[0], n[1] };
	return m;
}

/* The look of the current tag, inside what is around it. */
static struct look look_of(const struct reader *r)
{
	struct look look = r->looks[r->depth];
	const struct affine own = transform(r);
	const char *text;
	size_t length;
	look.to_pixels = affine_join(&look.to_pixels, &own);
	look.fill = colour(r, "fill", look.fill);
	look.stroke = colour(r, "stroke", look.stroke);
	look.fill_opacity = number(r, "fill-opacity", look.fill_opacity);
	look.stroke_opacity = number(r, "stroke-opacity", look.stroke_opacity);
	look.stroke_width = number(r, "stroke-width", look.stroke_width);
	look.font_size = number(r, "font-size", look.font_size);
	if (attribute(r, "text-anchor", &text, &length))
		look.centred = length == 6;
	return look;
}

/* ---- Painting ---- */

static void add_to_canvas(struct reader *r, struct outline *outline, const struct look *look)
{
	outline_transform(outline, &look->to_pixels);
	if (canvas_add(&r->canvas, outline) != QV_OK)
		r->status = QV_NO_MEMORY;
}

/* Paints r->shape. A see-through element is painted as a whole, so that nothing in it is darker. */
static void paint(struct reader *r, const struct look *look, double opacity)
{
	const bool fills = look->fill != NONE, strokes = look->stroke != NONE;
	outline_clear(&r->pen);
	if (strokes)
		outline_pen(&r->shape, look->stroke_width, &r->pen);
	if (fills) {
		add_to_canvas(r, &r->shape, look);
		if (!strokes || look->fill != look->stroke)
			canvas_paint(&r->canvas, (uint32_t)look->fill,
				     look->fill_opacity * opacity);
	}
	if (strokes) {
		add_to_canvas(r, &r->pen, look);
		canvas_paint(&r->canvas, (uint32_t)look->stroke, look->stroke_opacity * opacity);
	}
}

/* ---- Letters ---- */

/* Lines in a box 6 wide and 10 high, for '0' to '9' and 'A' to 'Z'. */
static const char *const glyphs[] = {
	"M0 3.2a3 3.2 0 0 1 6 0v3.6a3 3.2 0 0 1-6 0z",
	"M1 2.4L3.6 0V10",
	"M0 3a3 3 0 0 1 6 0c0 2.6-6 4.4-6 7h6",
	"M.3 2.2A2.7 2.4 0 1 1 3 4.8A2.9 2.6 0 1 1 0 7.6",
	"M4.5 10V0L0 7h6",
	"M5.5 0H1L.6 4.6C3 3.2 6 4.2 6 6.9A3 3.1 0 0 1 0 8",
	"M5.3 1C3-1 0 1 0 6.7a3 3.3 0 1 0 6 0a3 3 0 0 0-6 0",
	"M0 0h6L2 10",
	"M3 4.7a2.4 2.35 0 1 1 .01 0zM3 10a3 2.65 0 1 1 .01 0z",
	"M.7 9C3 11 6 9 6 3.3a3 3.3 0 1 0-6 0a3 3 0 0 0 6 0",
	"M0 10L3 0L6 10M1.2 6.5h3.6",
	"M0 0V10H3.4A2.65 2.65 0 0 0 3.4 4.7H0M0 0H3A2.35 2.35 0 0 1 3 4.7",
	"M6 2A3.2 3.4 0 0 0 0 4V6A3.2 3.4 0 0 0 6 8",
	"M0 0V10H2A4 5 0 0 0 2 0z",
	"M6 0H0V10H6M0 4.8H5",
	"M6 0H0V10M0 4.8H5",
	"M6 2A3.2 3.4 0 0 0 0 4V6A3.2 3.4 0 0 0 6 7V5.2H3.5",
	"M0 0V10M6 0V10M0 4.8H6",
	"M3 0V10",
	"M5 0V7A2.5 3 0 0 1 0 7.5",
	"M0 0V10M6 0L0 6M2 4L6 10",
	"M0 0V10H6",
	"M0 10V0L3 6L6 0V10",
	"M0 10V0L6 10V0",
	"M0 3.5A3 3.5 0 0 1 6 3.5V6.5A3 3.5 0 0 1 0 6.5z",
	"M0 10V0H3.2A2.7 2.7 0 0 1 3.2 5.4H0",
	"M0 3.5A3 3.5 0 0 1 6 3.5V6.5A3 3.5 0 0 1 0 6.5zM3.5 7L6 10",
	"M0 10V0H3.2A2.7 2.7 0 0 1 3.2 5.4H0M3 5.4L6 10",
	"M5.8 1.8A3 2.5 0 1 0 3 4.8A3 2.6 0 1 1 .2 8",
	"M0 0H6M3 0V10",
	"M0 0V6.8A3 3.2 0 0 0 6 6.8V0",
	"M0 0L3 10L6 0",
	"M0 0L1.5 10L3 3L4.5 10L6 0",
	"M0 0L6 10M6 0L0 10",
	"M0 0L3 5V10M6 0L3 5",
	"M0 0H6L0 10H6",
};

static const char *glyph_of(char c)
{
	if (c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	return c >= '0' && c <= '9'   ? glyphs[c - '0']
	       : c >= 'A' && c <= 'Z' ? glyphs[10 + c - 'A']
				      : "";
}

/* The text after the current tag, up to the next one. */
static void paint_text(struct reader *r, struct look look)
{
	enum { STEP = 9, WIDTH = 6 }; /* from letter to letter; of a letter */
	const char *end = r->at;
	while (end < r->end && *end != '<')
		end++;
	const int count = (int)(end - r->at);
	const double scale = look.font_size * 0.072; /* capitals are 0.72 high */
	const double left = look.centred ? -((count - 1) * STEP + WIDTH) / 2.0 : 0;
	const double x = number(r, "x", 0) + left * scale, y = number(r, "y", 0) - 10 * scale;
	look.stroke = look.fill;
	look.fill = NONE;
	look.stroke_width = 1.7;
	for (int i = 0; i < count && i < ATTRIBUTE; i++) {
		const char *glyph = glyph_of(r->at[i]);
		struct look letter = look;
		const struct affine place = { scale, 0, 0, scale, x + i * STEP * scale, y };
		letter.to_pixels = affine_join(&look.to_pixels, &place);
		outline_clear(&r->shape);
		outline_path(&r->shape, glyph, strlen(glyph));
		paint(r, &letter, 1);
	}
}

/* ---- Elements ---- */

/* Writes the outline of a shape to r->shape; false: the tag is not a shape. */
static bool take_shape(struct reader *r, const char *name)
{
	const char *d;
	size_t length;
	outline_clear(&r->shape);
	if (strcmp(name, "rect") == 0)
		outline_rectangle(&r->shape, number(r, "x", 0), number(r, "y", 0),
				  number(r, "width", 0), number(r, "height", 0),
				  number(r, "rx", 0));
	else if (strcmp(name, "ellipse") == 0)
		outline_ellipse(&r->shape, number(r, "cx", 0), number(r, "cy", 0),
				number(r, "rx", 0), number(r, "ry", 0));
	else if (strcmp(name, "circle") == 0)
		outline_ellipse(&r->shape, number(r, "cx", 0), number(r, "cy", 0),
				number(r, "r", 0), number(r, "r", 0));
	else if (strcmp(name, "path") == 0 && attribute(r, "d", &d, &length))
		outline_path(&r->shape, d, length);
	else
		return false;
	return true;
}

static void open_group(struct reader *r, const struct look *look)
{
	if (r->depth + 1 < DEEPEST)
		r->looks[r->depth + 1] = *look;
	r->depth += r->depth + 1 < DEEPEST;
}

/* The next tag, without its "<" and ">"; false: no tag is left. */
static bool next_tag(struct reader *r, char name[ATTRIBUTE])
{
	const char *from = memchr(r->at, '<', (size_t)(r->end - r->at));
	const char *end = from ? memchr(from, '>', (size_t)(r->end - from)) : NULL;
	size_t length = 0;
	if (!end)
		return false;
	for (from++; from < end && *from != ' ' && length + 1 < ATTRIBUTE; from++)
		name[length++] = *from;
	name[length] = '\0';
	r->tag = from;
	r->tag_end = end;
	r->at = end + 1;
	return true;
}

/* Fits the picture into the middle of the canvas. */
static enum qv_status begin(struct reader *r, int margin, struct qv_error *error)
{
	const double width = r->canvas.width, height = r->canvas.height;
	char name[ATTRIBUTE];
	const char *text;
	size_t length;
	double box[4];
	if (!next_tag(r, name) || strcmp(name, "svg") != 0 ||
	    !attribute(r, "viewBox", &text, &length) || numbers(text, length, box, 4) != 4 ||
	    !(box[2] > 0 && box[3] > 0))
		return qv_fail(error, QV_BAD_INPUT, "picture: it has no viewBox");
	const double across = (width - 2 * margin) / box[2], down = (height - 2 * margin) / box[3];
	const double scale = across < down ? across : down;
	r->looks[0] =
		(struct look){ .to_pixels = { scale, 0, 0, scale,
					      (width - scale * box[2]) / 2 - scale * box[0],
					      (height - scale * box[3]) / 2 - scale * box[1] },
			       .stroke = NONE,
			       .fill_opacity = 1,
			       .stroke_opacity = 1,
			       .stroke_width = 1,
			       .font_size = 16 };
	outline_rectangle(&r->shape, 0, 0, width, height, 0);
	r->status = canvas_add(&r->canvas, &r->shape);
	canvas_paint(&r->canvas, PNG_BACK, 1);
	return r->status;
}

static void paint_all(struct reader *r)
{
	char name[ATTRIBUTE];
	while (r->status == QV_OK && next_tag(r, name)) {
		const struct look look = look_of(r);
		if (strcmp(name, "/g") == 0)
			r->depth -= r->depth > 0;
		else if (strcmp(name, "g") == 0)
			open_group(r, &look);
		else if (strcmp(name, "text") == 0)
			paint_text(r, look);
		else if (take_shape(r, name))
			paint(r, &look, number(r, "opacity", 1));
	}
}

enum qv_status svg_png(const char *svg, size_t size, int width, int height, int margin,
		       struct string *out, struct qv_error *error)
{
	struct reader r = { .at = svg,
			    .end = svg + size,
			    .shape = { .allocator = out->allocator },
			    .pen = { .allocator = out->allocator } };
	enum qv_status status = canvas_init(&r.canvas, out->allocator, width, height);
	if (status == QV_OK)
		status = begin(&r, margin, error);
	if (status == QV_OK) {
		paint_all(&r);
		status = r.status;
	}
	if (status == QV_OK) {
		png_write(&r.canvas, out);
		status = out->failed ? QV_NO_MEMORY : QV_OK;
	}
	if (status == QV_NO_MEMORY)
		qv_fail(error, status, "picture: out of memory");
	outline_release(&r.shape);
	outline_release(&r.pen);
	if (r.canvas.allocator)
		canvas_release(&r.canvas);
	return status;
}
