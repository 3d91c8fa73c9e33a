/*
 * characters.c - characters of UTF-8 against a literal encoder.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include "base/plain.h"
#include "base/text.h"
#include "support/scale.h"

/* By the book: the bits of a character in one to four bytes. */
static int encode(uint32_t code, unsigned char *out)
{
	if (code < 0x80)
		return out[0] = (unsigned char)code, 1;
	const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	for (int i = more; i; i--, code >>= 6)
		out[i] = (unsigned char)(0x80 | (code & 0x3f));
	out[0] = (unsigned char)(0xff00 >> (more + 1) | code);
	return more + 1;
}

static void test_character__is_what_unicode_encodes(void **unused)
{
	(void)unused;
	for (uint32_t code = 0; code < 0x120000; code++) {
		unsigned char text[8] = { 0 };
		const bool real = code < 0x110000 && (code < 0xd800 || code > 0xdfff);
		const int length = encode(code, text);
		assert_int_equal(text_character((const char *)text), real ? length : 0);
		text[length - 1] = ' ';
		if (length > 1)
			assert_int_equal(text_character((const char *)text), 0);
	}
}

/* Any four bytes: a character if its bits, encoded again, are the same bytes. */
static void test_character__nothing_else_is_one(void **unused)
{
	struct qv_random random = { 4, 0 };
	(void)unused;
	for (int64_t left = scaled(200000); left > 0; left--) {
		unsigned char text[5] = { 0 }, again[8];
		int expected = 0;
		text[0] = (unsigned char)(0x80 | qv_random_below(&random, 128));
		for (int i = 1; i < 4; i++)
			text[i] = (unsigned char)(qv_random_below(&random, 8)
							  ? 0x80 | qv_random_below(&random, 64)
							  : qv_random_below(&random, 256));
		for (int length = 2; length <= 4; length++) {
			uint32_t code = text[0] & (0xffu >> (length + 1));
			for (int i = 1; i < length; i++)
				code = code << 6 | (text[i] & 0x3fu);
			const bool real = code < 0x110000 && (code < 0xd800 || code > 0xdfff);
			if (real && encode(code, again) == length &&
			    memcmp(text, again, (size_t)length) == 0)
				expected = length;
		}
		assert_int_equal(text_character((const char *)text), expected);
	}
}

static void test_plain__is_what_controls_nothing(void **unused)
{
	(void)unused;
	for (uint32_t code = 1; code < 0x110000; code++) {
		unsigned char text[8] = { 0 };
		const bool real = code < 0xd800 || code > 0xdfff;
		const bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
		const bool turns = (code >= 0x202a && code <= 0x202e) ||
				   (code >= 0x2066 && code <= 0x2069);
		encode(code, text);
		assert_int_equal(text_count_plain((const char *)text, "\n"),
				 code == '\n' || (real && !control && !turns) ? 1 : -1);
	}
	assert_int_equal(text_count_plain("", ""), 0);
	assert_int_equal(text_count_plain("a\xc3\xa9\xe2\x82\xac", ""), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_character__is_what_unicode_encodes),
		cmocka_unit_test(test_character__nothing_else_is_one),
		cmocka_unit_test(test_plain__is_what_controls_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
