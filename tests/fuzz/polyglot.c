/*
 * polyglot.c - fuzz target: any bytes as a Polyglot book. What is read is written to the same
 * bytes, looked up, unfolded and written anew.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "book/polyglot_book.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct book book = { 0 };
	struct qv_error error = { "" };
	struct string out = { .allocator = &mem_malloc };
	struct book_option list[CHESS_MAX_MOVES];
	struct chess s;
	uint32_t unknown;
	chess_start(&s, NULL);
	if (polyglot_read(fuzz_games(), (const char *)data, size, &book, &error) == QV_OK) {
		fuzz_require(polyglot_write(&book, &out, &error) == QV_OK);
		fuzz_require(out.length == size / POLYGLOT_ENTRY * POLYGLOT_ENTRY);
		fuzz_require(!out.length || memcmp(out.data, data, out.length) == 0);
		const int n = book_options(&book, &s, list);
		for (int i = 0; i < n; i++)
			fuzz_require(qv_move_legal(book.rules.game, &s, list[i].move));
		if (book_unfold(&book, &unknown, &error) == QV_OK) {
			fuzz_require(book_options(&book, &s, list) == n);
			out.length = 0;
			fuzz_require(polyglot_write(&book, &out, &error) == QV_OK);
			fuzz_require(out.length <= size);
		}
	} else {
		fuzz_require_reason(&error);
	}
	book_release(&book);
	string_release(&out);
	return 0;
}
