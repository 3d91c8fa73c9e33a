/*
 * base_scan.c - small scanners: characters, numbers and words.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdio.h>

#include "base/scan.h"

static void test_scan__kinds_of_characters(void **unused)
{
	(void)unused;
	for (int i = 0; i < 256; i++) {
		const char c = (char)(unsigned char)i, text[2] = { c, '\0' };
		const bool digit = i && strstr("0123456789", text);
		const bool lower = i && strstr("abcdefghijklmnopqrstuvwxyz", text);
		const bool upper = i && strstr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", text);
		const char *hex = i ? strstr("0123456789abcdef", text) : NULL;
		const char *large_hex = i ? strstr("0123456789ABCDEF", text) : NULL;
		assert_int_equal(is_digit(c), digit);
		assert_int_equal(is_letter(c), lower || upper);
		assert_int_equal((unsigned char)to_lower(c), upper ? i - 'A' + 'a' : i);
		assert_int_equal(hex_digit(c),
				 hex ? 16 - (int)strlen(hex)
				     : (large_hex ? 16 - (int)strlen(large_hex) : -1));
		assert_int_equal(is_one_of(c, " \xff"), i == ' ' || i == 255);
	}
}

static void test_scan__numbers_at_a_place(void **unused)
{
	static const struct {
		const char *text;
		int64_t min, max, number;
		int taken; /* 0: it is refused */
	} cases[] = {
		{ "12,", 0, 12, 12, 2 },
		{ "12", 0, 11, 0, 0 },
		{ "-5x", -5, 5, -5, 2 },
		{ "-6", -5, 5, 0, 0 },
		{ "+7", 0, 9, 7, 2 },
		{ "007 ", 0, 9, 7, 3 },
		{ "", 0, 9, 0, 0 },
		{ "-", -9, 9, 0, 0 },
		{ "--1", -9, 9, 0, 0 },
		{ " 1", 0, 9, 0, 0 },
		{ "9223372036854775807", 0, INT64_MAX, INT64_MAX, 19 },
		{ "9223372036854775808", 0, INT64_MAX, 0, 0 },
		{ "-9223372036854775808", INT64_MIN, 0, INT64_MIN, 20 },
		{ "-9223372036854775809", INT64_MIN, 0, 0, 0 },
		{ "99999999999999999999999999", INT64_MIN, INT64_MAX, 0, 0 },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *at = cases[i].text;
		int64_t number = 77;
		const bool good = scan_int(&at, cases[i].min, cases[i].max, &number);
		assert_int_equal(good, cases[i].taken > 0);
		assert_ptr_equal(at, cases[i].text + cases[i].taken);
		assert_true(number == (good ? cases[i].number : 77));
	}
}

static void test_scan__counts_are_canonical(void **unused)
{
	static const struct {
		const char *text;
		int taken;
	} cases[] = { { "0", 1 },  { "0 ", 1 }, { "42:", 2 }, { "100", 3 }, { "101", 0 },
		      { "00", 0 }, { "01", 0 }, { "+1", 0 },  { "-1", 0 },  { "", 0 } };
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *at = cases[i].text;
		int count = -1;
		assert_int_equal(scan_count(&at, 100, &count), cases[i].taken > 0);
		assert_ptr_equal(at, cases[i].text + cases[i].taken);
		assert_int_equal(count >= 0, cases[i].taken > 0);
	}
}

static void test_scan__literals(void **unused)
{
	const char *text = "draw=5", *at = text;
	(void)unused;
	assert_false(scan_literal(&at, "drawn"));
	assert_false(scan_literal(&at, "draw=55"));
	assert_ptr_equal(at, text);
	assert_true(scan_literal(&at, "draw="));
	assert_string_equal(at, "5");
	assert_true(scan_literal(&at, ""));
	assert_string_equal(at, "5");
}

static void test_scan__pieces_of_a_list(void **unused)
{
	static const struct {
		const char *text, *separators, *blanks, *pieces; /* in brackets */
	} cases[] = {
		{ " a1 b2 ,, c3\t", ", \t", " \t", "[a1][b2][c3]" },
		{ " move a b , end ", ",", " \t", "[move a b][end]" },
		{ ", ,", ",", " ", "" },
		{ "", ",", " ", "" },
		{ "longer than it may be,x", ",", " ", "[longer th][x]" },
		{ "one two", " ", "", "[one][two]" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *at = cases[i].text;
		char piece[10] = "", all[64] = "";
		while (scan_piece(&at, cases[i].separators, cases[i].blanks, piece, sizeof piece)) {
			char bracketed[16];
			snprintf(bracketed, sizeof bracketed, "[%s]", piece);
			strcat(all, bracketed);
		}
		assert_string_equal(all, cases[i].pieces);
		assert_string_equal(piece, ""); /* as the last call leaves it */
		assert_int_equal(*at, '\0');
	}
}

static void test_scan__trimmed(void **unused)
{
	static const char *const cases[][2] = {
		{ "  a b \t", "a b" }, { "a", "a" }, { " \t ", "" }, { "", "" }, { "a\r", "a\r" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[16];
		strcpy(text, cases[i][0]);
		assert_string_equal(scan_trim(text, " \t"), cases[i][1]);
	}
}

static void test_scan__words(void **unused)
{
	char text[] = " go  depth\t5 ", *rest = text;
	(void)unused;
	assert_string_equal(scan_word(&rest, " \t"), "go");
	assert_string_equal(rest, "depth\t5 ");
	assert_string_equal(scan_word(&rest, " \t"), "depth");
	assert_string_equal(scan_word(&rest, " \t"), "5");
	assert_string_equal(rest, "");
	assert_string_equal(scan_word(&rest, " \t"), "");
	assert_string_equal(scan_word(&rest, " \t"), "");
}

static void test_scan__cut_at_a_mark(void **unused)
{
	char text[] = "a=1,,b=2,", *rest = text;
	static const char *const parts[] = { "a=1", "", "b=2", "" };
	(void)unused;
	for (int i = 0; i < 4; i++) {
		assert_non_null(rest);
		assert_string_equal(scan_cut(&rest, ','), parts[i]);
	}
	assert_null(rest);
}

static void test_scan__choices(void **unused)
{
	(void)unused;
	assert_int_equal(scan_choice("free|standard|renju", "free"), 0);
	assert_int_equal(scan_choice("free|standard|renju", "renju"), 2);
	assert_int_equal(scan_choice("free|standard|renju", "ren"), -1);
	assert_int_equal(scan_choice("free|standard|renju", ""), -1);
	assert_int_equal(scan_choice("free|standard|renju", "free|standard"), -1);
	assert_int_equal(scan_choice("a||b", ""), 1);
	assert_int_equal(scan_choice("", ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scan__kinds_of_characters),
		cmocka_unit_test(test_scan__numbers_at_a_place),
		cmocka_unit_test(test_scan__counts_are_canonical),
		cmocka_unit_test(test_scan__literals),
		cmocka_unit_test(test_scan__pieces_of_a_list),
		cmocka_unit_test(test_scan__trimmed),
		cmocka_unit_test(test_scan__words),
		cmocka_unit_test(test_scan__cut_at_a_mark),
		cmocka_unit_test(test_scan__choices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
