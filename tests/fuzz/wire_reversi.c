/*
 * wire_reversi.c - fuzz target: any lines to an engine for reversi that speaks NBoard or GTP, as the
 * first line says; `gtp gomoku` is go-moku. A line that begins with '!' comes while it searches.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/wire.h"

/* All lines must be those of NBoard. Every search ends with a status. */
static int check_nboard(const struct string *out)
{
	static const char *const words[] = { "status", "=== ", "search ", "book ", "nodestats ",
					     "set myname ", "pong ", "learned\n", "analysis " };
	enum { WORDS = sizeof words / sizeof *words };
	int answers = 0;
	fuzz_require(strlen(out->data) == out->length);
	for (const char *line = out->data; *line; line = strchr(line, '\n') + 1) {
		int word = 0;
		while (word < WORDS && strncmp(line, words[word], strlen(words[word])) != 0)
			word++;
		fuzz_require(word < WORDS);
		answers += word == 0 || word == 8;
	}
	return answers;
}

/* Answers begin with a sign and end with an empty line. */
static int check_gtp(const struct string *out)
{
	int answers = 0;
	const char *at = out->data;
	fuzz_require(strlen(out->data) == out->length);
	while (*at) {
		fuzz_require(*at == '=' || *at == '?');
		at = strstr(at, "\n\n");
		fuzz_require(at != NULL);
		at += 2;
		answers++;
	}
	return answers;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *lines = fuzz_next_line(text);
	const bool gtp = strncmp(text, "gtp", 3) == 0;
	struct wire w = { .check = gtp ? check_gtp : check_nboard, .answers = true };
	wire_run(&w, gtp ? "gtp" : "nboard", strcmp(text, "gtp gomoku") == 0 ? "gomoku" : "reversi",
		 lines);
	free(text);
	return 0;
}
