/*
 * base_svg.c - text for pictures: escaped, cut, and never anything that XML cannot hold.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include "base/svg.h"
#include "support/meter.h"

static void test_svg__text_is_escaped(void **unused)
{
	static const struct {
		const char *text;
		int letters;
		const char *wanted;
	} cases[] = {
		{ "a<b>&\"c'", SVG_WHOLE, "a&#60;b&#62;&#38;&#34;c'" },
		{ "\xc5\x81ukasz", SVG_WHOLE, "\xc5\x81ukasz" },
		{ "\xc5\x81ukasz", 6, "\xc5\x81ukasz" },
		{ "\xc5\x81ukasz", 2, "\xc5\x81u\xe2\x80\xa6" },
		{ "\t\n\x7f", SVG_WHOLE, "???" },
		{ "\xff\xc5", SVG_WHOLE, "??" },
		{ "\xed\xa0\x80", SVG_WHOLE, "???" },         /* a surrogate */
		{ "\xef\xbf\xbe", SVG_WHOLE, "???" },         /* U+FFFE */
		{ "\xef\xbf\xbd", SVG_WHOLE, "\xef\xbf\xbd" },
		{ "\xf0\x9f\xbf\xbf", SVG_WHOLE, "????" },     /* U+1FFFF */
		{ "\xf0\x9f\x99\x82", SVG_WHOLE, "\xf0\x9f\x99\x82" },
		{ "", 0, "" },
		{ "a", 0, "\xe2\x80\xa6" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct string out = { .allocator = &mem_malloc };
		string_add(&out, "", 0);
		svg_add_text(&out, cases[i].text, cases[i].letters);
		assert_string_equal(out.data, cases[i].wanted);
		string_release(&out);
	}
}

static void test_svg__a_picture_begins_with_its_title(void **unused)
{
	(void)unused;
	struct string out = { .allocator = &mem_malloc };
	svg_begin(&out, 640, 480.4, "a & b");
	assert_string_equal(out.data,
			    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"480\" "
			    "viewBox=\"0 0 640 480\" role=\"img\">\n<title>a &#38; b</title>\n");
	string_release(&out);
}

static void test_svg__no_memory_is_remembered(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	bool failed = true;
	for (int64_t fail_at = 1; failed; fail_at++) {
		struct string out = { .allocator = &allocator };
		meter_arm(&meter, fail_at, true);
		svg_begin(&out, 10, 10, "a title that is longer than the first block <of memory>");
		failed = out.failed;
		assert_int_equal(failed, meter.failed);
		string_release(&out);
		assert_int_equal(meter.blocks, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_svg__text_is_escaped),
		cmocka_unit_test(test_svg__a_picture_begins_with_its_title),
		cmocka_unit_test(test_svg__no_memory_is_remembered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
