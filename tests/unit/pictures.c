/*
 * pictures.c - pictures of pixels: what an outline covers, paths of SVG, pens, and PNG files.
 * SPDX-License-Identifier: MIT
 */
#include "formats/svg_png.h"

#include <stdlib.h>

#include "base/png.h"
#include "formats/board_png.h"
#include "support/desk.h"
#include "support/meter.h"
#include "toys/toys.h"

enum { SIDE = 20, RED = 0xff0000 };

/* Paints a path in red on black, with a pen if its width is not 0. */
static struct canvas painted(const char *d, double pen)
{
	struct outline path = { .allocator = &mem_malloc }, line = path;
	struct canvas canvas;
	assert_int_equal(canvas_init(&canvas, &mem_malloc, SIDE, SIDE), QV_OK);
	outline_path(&path, d, strlen(d));
	if (pen > 0)
		outline_pen(&path, pen, &line);
	assert_int_equal(canvas_add(&canvas, pen > 0 ? &line : &path), QV_OK);
	canvas_paint(&canvas, RED, 1);
	outline_release(&path);
	outline_release(&line);
	return canvas;
}

static int red_at(const struct canvas *c, int x, int y)
{
	return c->pixels[3 * (y * c->width + x)];
}

static void must_cover(const char *d, double pen, int x, int y, int least, int most)
{
	struct canvas canvas = painted(d, pen);
	const int red = red_at(&canvas, x, y);
	if (red < least || red > most)
		fail_msg("%s: %d at %d,%d", d, red, x, y);
	canvas_release(&canvas);
}

static void test_pictures__a_pixel_is_as_red_as_it_is_covered(void **unused)
{
	(void)unused;
	static const char half[] = "M2 2H10.5V8H2Z";
	must_cover(half, 0, 5, 5, 255, 255);
	must_cover(half, 0, 10, 5, 126, 129);
	must_cover(half, 0, 11, 5, 0, 0);
	must_cover(half, 0, 5, 8, 0, 0);
	/* Below and beside the canvas, and with numbers that are too large. */
	must_cover("M-99-99h400v400h-400z", 0, 19, 19, 255, 255);
	must_cover("M-30 2H0V8H-30Z", 0, 0, 5, 0, 0);
	must_cover("M-30 2H.5V8H-30Z", 0, 0, 5, 126, 129);
	must_cover("M20 2H30V8H20Z", 0, 19, 5, 0, 0);
	must_cover("M19.5 2H30V8H19.5Z", 0, 19, 5, 126, 129);
	must_cover("M-9e-9L99999999999999999999 0V50H0z", 0, 0, 19, 0, 255);
}

static void must_be_same(const char *a, const char *b)
{
	struct canvas one = painted(a, 0), other = painted(b, 0);
	for (int i = 0; i < 3 * SIDE * SIDE; i++)
		if (abs(one.pixels[i] - other.pixels[i]) > 6)
			fail_msg("%s and %s differ at %d", a, b, i / 3);
	canvas_release(&one);
	canvas_release(&other);
}

static void test_pictures__every_command_of_a_path(void **unused)
{
	(void)unused;
	must_be_same("M2 3L12 3L12 15L2 15Z", "m2 3h10v12H2z");
	must_be_same("M2 3L12 3L12 15L2 15Z", "M2,3 12,3,12 15 2.0.15e2L2 15");
	/* A circle, as two arcs, as four, and as curves. */
	must_be_same("M2 10A8 8 0 0 1 18 10A8 8 0 0 1 2 10Z", "M2 10a8 8 0 1 1 16 0a8 8 0 11-16 0z");
	must_be_same("M2 10A8 8 0 0 1 18 10A8 8 0 0 1 2 10Z",
		     "M2 10C2 5.58 5.58 2 10 2S18 5.58 18 10S14.42 18 10 18S2 14.42 2 10");
	must_be_same("M0 10Q5 0 10 10T20 10V20H0Z",
		     "M0 10C3.333 3.333 6.667 3.333 10 10C13.333 16.667 16.667 16.667 20 10V20H0Z");
	/* An arc whose radius is too small is a half circle. */
	must_be_same("M2 10A8 8 0 0 1 18 10Z", "M2 10A1 1 0 0 1 18 10Z");
	/* What is not a path is not drawn. */
	must_be_same("", "L5 5 9 9 0 9Z");
	must_be_same("M2 2H9V9H2Z", "M2 2H9V9H2Z 5 5");
	must_be_same("M2 2H9V9H2Z", "M2 2H9V9H2Z x");
}

static void test_pictures__a_path_inside_another_that_turns_back_is_a_hole(void **unused)
{
	(void)unused;
	must_cover("M1 1H19V19H1ZM6 6V14H14V6Z", 0, 10, 10, 0, 0);
	must_cover("M1 1H19V19H1ZM6 6H14V14H6Z", 0, 10, 10, 255, 255);
}

static void test_pictures__a_pen_draws_both_ways(void **unused)
{
	(void)unused;
	must_cover("M2 10H18", 4, 10, 9, 255, 255);
	must_cover("M18 10H2", 4, 10, 10, 255, 255);
	must_cover("M2 10H18", 4, 10, 12, 0, 0);
	must_cover("M2 2L10 10L18 2", 4, 10, 10, 255, 255);
	must_cover("M10 10L10 10", 6, 9, 9, 255, 255); /* a dot */
}

/* ---- Files ---- */

static const char flag[] = "<svg viewBox='0 0 2 1'><rect width='1' height='1' fill='#0f0'/>"
			   "<g transform='translate(1 0)' fill='#00f'><path d='M0 0h1v1h-1z'/></g>"
			   "<text x='1' y='1' font-size='1'>a</text></svg>";

static void test_pictures__a_file_has_its_size_and_its_parts(void **unused)
{
	(void)unused;
	struct string out = { .allocator = &mem_malloc };
	assert_int_equal(svg_png(flag, strlen(flag), 40, 30, 5, &out, NULL), QV_OK);
	assert_memory_equal(out.data, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x28\0\0\0\x1e\x08\x02",
			    26);
	assert_memory_equal(out.data + out.length - 8, "IEND\xae\x42\x60\x82", 8);
	string_release(&out);
}

static void test_pictures__what_is_no_picture_is_refused(void **unused)
{
	(void)unused;
	static const char *const wrong[] = { "", "<svg>", "<svg viewBox='0 0 0 0'>",
					     "<svg viewBox='1 2", "svg viewBox='0 0 1 1'" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct string out = { .allocator = &mem_malloc };
		struct qv_error error = { "" };
		assert_int_equal(svg_png(wrong[i], strlen(wrong[i]), 8, 8, 0, &out, &error),
				 QV_BAD_INPUT);
		assert_string_equal(error.text, "picture: it has no viewBox");
		assert_int_equal(out.length, 0);
	}
}

static void test_pictures__without_memory_there_is_no_file(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator few = { meter_resize, &meter };
	enum qv_status status = QV_NO_MEMORY;
	for (int n = 1; status != QV_OK; n++) {
		struct string out = { .allocator = &few };
		struct qv_error error = { "" };
		assert_true(n < 1000);
		meter_arm(&meter, n, true);
		status = svg_png(flag, strlen(flag), 40, 30, 5, &out, &error);
		if (status != QV_OK)
			assert_string_equal(error.text, "picture: out of memory");
		string_release(&out);
		assert_int_equal(meter.blocks, 0);
	}
}

static void test_pictures__every_game_with_a_board(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_game *game;
	for (int i = 0; (game = qv_game_at(context, i)); i++) {
		struct string out = { .allocator = &mem_malloc };
		struct qv_error error = { "" };
		struct desk d;
		desk_open(&d, context, game->name, "start");
		assert_int_equal(board_png(&d.rules, d.state, &out, &error),
				 game->board ? QV_OK : QV_UNSUPPORTED);
		assert_int_equal(game->board ? out.length > 1000 : out.length == 0, 1);
		string_release(&out);
		desk_close(&d);
	}
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pictures__a_pixel_is_as_red_as_it_is_covered),
		cmocka_unit_test(test_pictures__every_command_of_a_path),
		cmocka_unit_test(test_pictures__a_path_inside_another_that_turns_back_is_a_hole),
		cmocka_unit_test(test_pictures__a_pen_draws_both_ways),
		cmocka_unit_test(test_pictures__a_file_has_its_size_and_its_parts),
		cmocka_unit_test(test_pictures__what_is_no_picture_is_refused),
		cmocka_unit_test(test_pictures__without_memory_there_is_no_file),
		cmocka_unit_test(test_pictures__every_game_with_a_board),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
