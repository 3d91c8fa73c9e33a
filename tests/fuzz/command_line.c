/*
 * command_line.c - fuzz target: a command line as words. What it is split into lies in the text, in
 * order, and writing the words with quotes gives the same words again.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "base/text.h"
#include "programs/command_line.h"

/* The words, each between double quotes. */
static void quote_all(char *const *words, size_t count, struct string *out)
{
	for (size_t i = 0; i < count; i++) {
		string_addf(out, "%s\"", i ? " " : "");
		for (const char *c = words[i]; *c; c++)
			string_addf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
		string_addf(out, "\"");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const size_t length = strlen(text);
	char **words = calloc(COMMAND_WORDS(length), sizeof *words);
	struct qv_error error = { "" };
	size_t count;
	fuzz_require(words != NULL);
	if (command_split(text, words, &count, &error) != QV_OK) {
		fuzz_require(error.text[0] != '\0');
	} else {
		struct string quoted = { .allocator = &mem_malloc };
		fuzz_require(count >= 1 && count <= COMMAND_WORDS(length));
		for (size_t i = 0; i < count; i++)
			fuzz_require(words[i] >= text && words[i] <= text + length);
		quote_all(words, count, &quoted);
		char **again = calloc(COMMAND_WORDS(quoted.length), sizeof *again);
		size_t same;
		fuzz_require(again != NULL);
		fuzz_require(command_split(quoted.data, again, &same, &error) == QV_OK);
		fuzz_require(same == count);
		for (size_t i = 0; i < count; i++)
			fuzz_require(strcmp(words[i], again[i]) == 0);
		free(again);
		string_release(&quoted);
	}
	free(words);
	free(text);
	return 0;
}
