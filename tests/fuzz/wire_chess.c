/*
 * wire_chess.c - fuzz target: `uci` or `xboard` on the first line, and then any lines to an engine
 * for chess. A line that begins with '!' comes while it searches. Every `go` of UCI is answered, that
 * of `perft` by a sum.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/wire.h"

/* No line may hold control characters that end lines elsewhere. */
static int check_output(const struct string *out)
{
	int answers = 0;
	for (size_t i = 0; i < out->length; i++) {
		fuzz_require(out->data[i] != '\0' && out->data[i] != '\r');
		if ((!i || out->data[i - 1] == '\n') &&
		    (strncmp(out->data + i, "bestmove ", 9) == 0 ||
		     strncmp(out->data + i, "Nodes searched: ", 16) == 0 ||
		     strncmp(out->data + i, "info string error: perft: ", 26) == 0))
			answers++;
	}
	return answers;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *lines = fuzz_next_line(text);
	const bool uci = strcmp(text, "xboard") != 0;
	struct wire w = { .check = check_output, .answers = uci };
	wire_run(&w, uci ? "uci" : "xboard", "chess", lines);
	free(text);
	return 0;
}
