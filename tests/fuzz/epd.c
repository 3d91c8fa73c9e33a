/*
 * epd.c - fuzz target: any lines as EPD. What is read is written, and reads back the same.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "formats/epd.h"

static void check_round_trip(const struct epd *e)
{
	static struct epd again;
	struct string text = { .allocator = &mem_malloc }, more = text;
	epd_write(e, &text);
	if (text.length < EPD_MAX_LINE) {
		fuzz_require(epd_read(text.data, &again, NULL) == QV_OK);
		fuzz_require(again.count == e->count);
		epd_write(&again, &more);
		fuzz_require(strcmp(text.data, more.data) == 0);
	}
	string_release(&text);
	string_release(&more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct epd e;
	char *text = fuzz_text(data, size), *line = text;
	while (*line) {
		struct qv_error error = { "" };
		char *next = fuzz_next_line(line), word[32];
		if (epd_read(line, &e, &error) == QV_OK) {
			const char *operands = epd_operands(&e, "bm");
			int64_t number;
			while (operands && epd_word(&operands, word, sizeof word))
				;
			(void)epd_text(&e, "id", word, sizeof word);
			(void)epd_number(&e, "dm", 1, 50, &number);
			check_round_trip(&e);
		} else {
			fuzz_require_reason(&error);
		}
		line = next;
	}
	free(text);
	return 0;
}
