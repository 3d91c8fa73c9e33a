/*
 * wire_hub.c - fuzz target: any lines to an engine for draughts that speaks Hub. A line that begins
 * with '!' comes while it searches. Every search is answered once, by `done` or an error.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/wire.h"

/* All lines must be those of the protocol. */
static int check_output(const struct string *out)
{
	static const char *const words[] = { "done move=", "error message=", "info depth=", "id name=",
					     "param name=", "wait\n", "ready\n", "pong\n" };
	enum { WORDS = sizeof words / sizeof *words };
	int answers = 0;
	fuzz_require(strlen(out->data) == out->length);
	for (const char *line = out->data; *line; line = strchr(line, '\n') + 1) {
		int word = 0, quotes = 0;
		while (word < WORDS && strncmp(line, words[word], strlen(words[word])) != 0)
			word++;
		fuzz_require(word < WORDS);
		for (const char *c = line; *c != '\n'; c++)
			quotes += *c == '"';
		fuzz_require(quotes % 2 == 0);
		answers += word < 2;
	}
	return answers;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct wire w = { .check = check_output, .answers = true };
	wire_run(&w, "hub", "draughts", text);
	free(text);
	return 0;
}
