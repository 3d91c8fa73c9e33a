/*
 * base_embed.c - every embedded file is in the program, byte by byte.
 * SPDX-License-Identifier: MIT
 *
 * Linked with the embedded files alone, so that both ways of embedding are quick to test.
 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "embedded_list.h"

#define X(symbol, path) \
	EMBEDDED(unsigned char symbol[]); \
	EMBEDDED(uint64_t symbol##_size);
EMBEDDED_LIST
#undef X

static const struct {
	const char *path;
	const unsigned char *bytes;
	const uint64_t *size;
} files[] = {
#define X(symbol, path) { path, symbol, &symbol##_size },
	EMBEDDED_LIST
#undef X
};

static void test_embed__bytes_are_those_of_the_file(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const uint64_t size = *files[i].size;
		FILE *in = fopen(files[i].path, "rb");
		unsigned char *bytes = malloc(size + 1);
		assert_non_null(in);
		assert_non_null(bytes);
		assert_int_equal(fread(bytes, 1, size + 1, in), size);
		assert_true(size > 0 && memcmp(bytes, files[i].bytes, size) == 0);
		fclose(in);
		free(bytes);
	}
}

static void test_embed__aligned_and_ended_by_a_nul(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		assert_int_equal((uintptr_t)files[i].bytes % 64, 0);
		assert_int_equal(files[i].bytes[*files[i].size], '\0');
	}
	assert_true(sizeof files / sizeof *files >= 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_embed__bytes_are_those_of_the_file),
		cmocka_unit_test(test_embed__aligned_and_ended_by_a_nul),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
