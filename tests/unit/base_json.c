/*
 * base_json.c - JSON of the ground floor: building, quoting, loading, reading.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "support/meter.h"

/* ---- Memory: jansson has one allocator for the whole process ---- */

static int allocations_left, blocks;

static void *scarce(size_t size)
{
	void *block = allocations_left-- > 0 ? malloc(size) : NULL;
	blocks += block != NULL;
	return block;
}

static void give_back(void *block)
{
	blocks -= block != NULL;
	free(block);
}

static void begin_scarcity(int allocations)
{
	allocations_left = allocations;
	json_set_alloc_funcs(scarce, give_back);
}

/* All that was allocated meanwhile has been released. */
static void end_scarcity(void)
{
	json_set_alloc_funcs(malloc, free);
	assert_int_equal(blocks, 0);
}

/* ---- Building ---- */

static json_t *build(void)
{
	json_t *list = json_item(json_item(json_array(), json_integer(1)), json_text("two"));
	json_t *o = json_field(json_object(), "list", list);
	return json_field(o, "none", json_text(NULL));
}

static void test_json__builders_keep_the_order(void **unused)
{
	(void)unused;
	char *text = json_to_text(build(), JSON_COMPACT);
	assert_string_equal(text, "{\"list\":[1,\"two\"],\"none\":null}");
	free(text);
}

static void test_json__builders_pass_null_on(void **unused)
{
	(void)unused;
	assert_null(json_field(NULL, "a", json_integer(1)));
	assert_null(json_field(json_object(), "a", NULL));
	assert_null(json_item(NULL, json_integer(1)));
	assert_null(json_item(json_array(), NULL));
	assert_null(json_to_text(NULL, JSON_COMPACT));
}

static void test_json__no_memory_is_null_and_no_leak(void **unused)
{
	(void)unused;
	int failures = 0;
	for (bool done = false; !done; failures++) {
		begin_scarcity(failures);
		char *text = json_to_text(build(), JSON_COMPACT);
		done = text != NULL;
		give_back(text);
		end_scarcity();
	}
	assert_true(failures > 5);
}

/* A value of any kind, with values in it. */
static json_t *random_value(uint64_t *random, int depth)
{
	static const double reals[] = { 0, -1, 0.1, 1e100, 1.5e-7, 123456789.125, 1e15, 3 };
	static const char *const texts[] = { "", "plain", "a\"b\\c/d", "\b\f\n\r\t\x01\x1f\x7f",
					     "Zug\xc3\xa4nge \xe2\x99\x9f" };
	*random = qv_mix(*random + 1);
	const uint64_t pick = *random >> 8;
	json_t *value;
	switch (depth > 0 ? *random % 8 : *random % 6) {
	case 0:
		return json_integer((json_int_t)(pick << 8) >> pick % 64);
	case 1:
		return json_real(reals[pick % 8]);
	case 2:
		return json_string(texts[pick % 5]);
	case 3:
		return json_boolean(pick & 1);
	case 4:
		return json_null();
	case 5:
		return json_stringn("a\0b", 3);
	case 6:
		value = json_array();
		for (uint64_t i = pick % 5; i > 0; i--)
			value = json_item(value, random_value(random, depth - 1));
		return value;
	default:
		value = json_object();
		for (uint64_t i = pick % 5; i > 0; i--)
			value = json_field(value, texts[i], random_value(random, depth - 1));
		return value;
	}
}

static void test_json__texts_are_those_of_jansson(void **unused)
{
	(void)unused;
	static const size_t flags[] = { JSON_COMPACT,
					JSON_COMPACT | JSON_ENCODE_ANY,
					JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10),
					JSON_ENCODE_ANY,
					JSON_COMPACT | JSON_SORT_KEYS,
					JSON_COMPACT | JSON_ENSURE_ASCII };
	uint64_t random = 1;
	for (int i = 0; i < 3000; i++) {
		json_t *value = random_value(&random, 4);
		char *const expected = json_dumps(value, flags[i % 6]);
		char *const text = json_to_text(value, flags[i % 6]);
		assert_true(expected ? text && strcmp(text, expected) == 0 : !text);
		free(expected);
		free(text);
	}
	json_t *const ends = json_pack("[I, I]", (json_int_t)INT64_MIN, (json_int_t)INT64_MAX);
	char *const text = json_to_text(ends, JSON_COMPACT);
	assert_string_equal(text, "[-9223372036854775808,9223372036854775807]");
	free(text);
}

static void test_json__text_of_any_bytes(void **unused)
{
	(void)unused;
	static const char *const cases[][2] = {
		{ "plain", "plain" },
		{ "Zug\xc3\xa4nge", "Zug\xc3\xa4nge" },
		{ "a\xffz", "a?z" },
		{ "\xc3\xa4\xff", "???" },
		{ "", "" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		json_t *value = json_text(cases[i][0]);
		assert_string_equal(json_string_value(value), cases[i][1]);
		json_decref(value);
	}
}

/* ---- Quoting ---- */

static void test_json__quoted_text_is_json(void **unused)
{
	(void)unused;
	struct string out = { .allocator = &mem_malloc };
	assert_int_equal(json_add_quoted(&out, "a\"b\\c\n\xc3\xa4"), QV_OK);
	assert_string_equal(out.data, "\"a\\\"b\\\\c\\n\xc3\xa4\"");
	string_release(&out);
	assert_int_equal(json_add_quoted(&out, "\xff"), QV_BAD_INPUT);
	string_release(&out);
}

static void test_json__quoting_without_memory(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	meter_arm(&meter, 1, true);
	struct string out = { .allocator = &allocator };
	assert_int_equal(json_add_quoted(&out, "text"), QV_NO_MEMORY);
	string_release(&out);
	out.allocator = &mem_malloc;
	begin_scarcity(0);
	assert_int_equal(json_add_quoted(&out, "text"), QV_NO_MEMORY);
	char buffer[32];
	struct qv_text put = { buffer, sizeof buffer, 0 };
	json_put_quoted(&put, "a\"b\\\n\xc3\xa4");
	end_scarcity();
	assert_string_equal(buffer, "\"a\\\"b\\\\???\"");
	string_release(&out);
}

/* ---- Loading ---- */

static enum qv_status load(const char *text, int depth, struct qv_error *error)
{
	json_t *value = (json_t *)&value;
	const enum qv_status status = json_load_object(text, strlen(text), depth, &value, error);
	assert_true((status == QV_OK) == json_is_object(value));
	assert_true(status == QV_OK || !value);
	json_decref(value);
	return status;
}

static void test_json__the_loader_is_strict(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		int depth;
		const char *words; /* in the reason; NULL: it is fine */
	} cases[] = {
		{ "{}", 1, NULL },
		{ " {\"a\":[1]} \n", 2, NULL },
		{ "{\"a\":[1]}", 1, "deeper than 1" },
		{ "{\"a\":1,\"a\":1}", JSON_ANY_DEPTH, "invalid JSON: duplicate" },
		{ "{} {}", JSON_ANY_DEPTH, "invalid JSON: end of file expected" },
		{ "{\"a\":", JSON_ANY_DEPTH, "invalid JSON" },
		{ "{\"a\":\"\\u0000\"}", JSON_ANY_DEPTH, "invalid JSON: \\u0000" },
		{ "", JSON_ANY_DEPTH, "invalid JSON" },
		{ "[]", JSON_ANY_DEPTH, "a JSON object is expected" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct qv_error error = { "" };
		const enum qv_status status = load(cases[i].text, cases[i].depth, &error);
		assert_int_equal(status, cases[i].words ? QV_BAD_INPUT : QV_OK);
		assert_int_equal(load(cases[i].text, cases[i].depth, NULL), status);
		if (cases[i].words)
			assert_non_null(strstr(error.text, cases[i].words));
	}
}

static void test_json__deep_nesting_is_refused(void **unused)
{
	(void)unused;
	enum { DEEP = JSON_ANY_DEPTH + 10 };
	struct string text = { .allocator = &mem_malloc };
	for (int i = 0; i < DEEP; i++)
		string_addf(&text, "{\"a\":");
	string_addf(&text, "1");
	for (int i = 0; i < DEEP; i++)
		string_addf(&text, "}");
	assert_false(text.failed);
	struct qv_error error;
	assert_int_equal(load(text.data, JSON_ANY_DEPTH, &error), QV_BAD_INPUT);
	assert_int_equal(load(text.data, 16, &error), QV_BAD_INPUT);
	string_release(&text);
}

static void test_json__loading_without_memory(void **unused)
{
	(void)unused;
	enum qv_status status = QV_NO_MEMORY;
	int failures = 0;
	for (; status != QV_OK; failures++) {
		struct qv_error error = { "" };
		begin_scarcity(failures);
		status = load("{\"a\":[1,\"two\",{\"b\":null}]}", 8, &error);
		end_scarcity();
		/* jansson reports a few of its failed allocations as malformed text. */
		assert_true(status == QV_OK || error.text[0]);
	}
	assert_true(failures > 5);
}

/* ---- Reading ---- */

static json_t *object(const char *text)
{
	json_t *value = json_loads(text, JSON_ALLOW_NUL, NULL);
	assert_non_null(value);
	return value;
}

static void test_json__fields_are_read(void **unused)
{
	(void)unused;
	json_t *o = object("{\"n\":-3,\"yes\":true,\"no\":false,\"text\":\"abc\",\"list\":[1,2]}");
	struct json_reader in = { o, QV_OK, NULL };
	assert_int_equal(json_read_int(&in, "n", -3, 3), -3);
	assert_true(json_read_bool(&in, "yes"));
	assert_false(json_read_bool(&in, "no"));
	assert_string_equal(json_read_text(&in, "text"), "abc");
	assert_int_equal(json_array_size(json_read_list(&in, "list", 2)), 2);
	assert_true(json_has(&in, "n"));
	assert_false(json_has(&in, "m"));
	assert_int_equal(in.status, QV_OK);
	json_decref(o);
}

/* Reads the field that the case names, as what its name says. */
static void read_field(struct json_reader *in, const char *key)
{
	if (*key == 'n')
		assert_int_equal(json_read_int(in, key, -5, 5), 0);
	else if (*key == 'b')
		assert_false(json_read_bool(in, key));
	else if (*key == 't')
		assert_string_equal(json_read_text(in, key), "");
	else
		assert_null(json_read_list(in, key, 1));
}

static void test_json__wrong_fields_are_named(void **unused)
{
	(void)unused;
	static const struct {
		const char *text, *key, *error;
	} cases[] = {
		{ "{}", "n", "n: is missing" },
		{ "[]", "n", "n: is missing" },
		{ "{\"n\":6}", "n", "n: a whole number from -5 to 5 is expected" },
		{ "{\"n\":-6}", "n", "n: a whole number from -5 to 5 is expected" },
		{ "{\"n\":1.0}", "n", "n: a whole number from -5 to 5 is expected" },
		{ "{\"n\":null}", "n", "n: a whole number from -5 to 5 is expected" },
		{ "{\"b\":1}", "b", "b: true or false is expected" },
		{ "{}", "b", "b: is missing" },
		{ "{\"t\":[]}", "t", "t: a text is expected" },
		{ "{\"t\":\"a\\u0000b\"}", "t", "t: a text is expected" },
		{ "{}", "t", "t: is missing" },
		{ "{\"l\":{}}", "l", "l: a list of at most 1 items is expected" },
		{ "{\"l\":[1,2]}", "l", "l: a list of at most 1 items is expected" },
		{ "{}", "l", "l: is missing" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		json_t *o = object(cases[i].text);
		struct qv_error error = { "" };
		struct json_reader in = { o, QV_OK, &error };
		read_field(&in, cases[i].key);
		assert_int_equal(in.status, QV_BAD_INPUT);
		assert_string_equal(error.text, cases[i].error);
		/* The first failure stays. */
		json_read_int(&in, "other", 0, 1);
		json_expected(&in, "other", "anything");
		assert_string_equal(error.text, cases[i].error);
		struct json_reader silent = { o, QV_OK, NULL };
		read_field(&silent, cases[i].key);
		assert_int_equal(silent.status, QV_BAD_INPUT);
		json_decref(o);
	}
}

static void test_json__integers_at_the_ends(void **unused)
{
	(void)unused;
	json_t *o = object("{\"low\":-9223372036854775808,\"high\":9223372036854775807}");
	int64_t number = 7;
	assert_true(json_int_between(json_object_get(o, "low"), INT64_MIN, 0, &number));
	assert_true(number == INT64_MIN);
	assert_true(json_int_between(json_object_get(o, "high"), 0, INT64_MAX, &number));
	assert_true(number == INT64_MAX);
	assert_false(json_int_between(json_object_get(o, "high"), 0, INT64_MAX - 1, &number));
	assert_false(json_int_between(NULL, INT64_MIN, INT64_MAX, &number));
	assert_true(number == INT64_MAX);
	json_decref(o);
}

static void test_json__unknown_keys(void **unused)
{
	(void)unused;
	json_t *o = object("{\"ab\":1,\"c\":2}"), *empty = object("{\"\":1}");
	assert_null(json_unknown_key(o, "c ab"));
	assert_null(json_unknown_key(o, "a ab abc c"));
	assert_string_equal(json_unknown_key(o, "ab"), "c");
	assert_string_equal(json_unknown_key(o, "abc a  c"), "ab");
	assert_string_equal(json_unknown_key(o, ""), "ab");
	assert_string_equal(json_unknown_key(empty, "a  b"), "");
	assert_null(json_unknown_key(NULL, "a"));
	json_decref(empty);
	json_decref(o);
}

/* As many as parsing makes, or more: never fewer. */
static void test_json__values_are_counted_without_parsing(void **state)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = {
		{ "", 1 },
		{ "{}", 2 },
		{ "{\"a\":1}", 2 },
		{ "{\"a\":1,\"b\":[]}", 4 },
		{ "{\"a\":[1,2,[3,4]]}", 7 },
		{ "{\"a\":\"[,{\\\",[\"}", 2 },
		{ "[,,,", 5 },
		{ "\"[,[\\", 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(json_count_values(cases[i].text, strlen(cases[i].text)),
				 cases[i].count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json__builders_keep_the_order),
		cmocka_unit_test(test_json__builders_pass_null_on),
		cmocka_unit_test(test_json__no_memory_is_null_and_no_leak),
		cmocka_unit_test(test_json__texts_are_those_of_jansson),
		cmocka_unit_test(test_json__text_of_any_bytes),
		cmocka_unit_test(test_json__quoted_text_is_json),
		cmocka_unit_test(test_json__quoting_without_memory),
		cmocka_unit_test(test_json__the_loader_is_strict),
		cmocka_unit_test(test_json__deep_nesting_is_refused),
		cmocka_unit_test(test_json__loading_without_memory),
		cmocka_unit_test(test_json__fields_are_read),
		cmocka_unit_test(test_json__wrong_fields_are_named),
		cmocka_unit_test(test_json__integers_at_the_ends),
		cmocka_unit_test(test_json__unknown_keys),
		cmocka_unit_test(test_json__values_are_counted_without_parsing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
