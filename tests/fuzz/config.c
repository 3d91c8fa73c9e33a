/*
 * config.c - fuzz target: a file of options. Each option has one value, from the first half (the
 * command line, a word a line) if it has one, and no name is set that was not in the text.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "cli/config.h"

struct values {
	int64_t number;
	const char *text;
	struct option_list list;
	bool flag;
};

static const struct option rows[] = {
	OPTION(struct values, "number", OPTION_INT, number, .max = 100, .def = 7),
	OPTION(struct values, "text", OPTION_POINTER, text),
	OPTION(struct values, "list", OPTION_LIST, list, .max = 3),
	OPTION(struct values, "flag", OPTION_FLAG, flag),
	{ 0 },
};

static void try_file(const uint8_t *data, size_t size, bool given)
{
	struct values values = { 0 };
	struct options options = { .groups = OPTION_GROUPS(rows), .values = &values, .owner = "fuzz" };
	struct qv_error error = { "" };
	char *text = malloc(size + 1);
	fuzz_require(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	options_init(&options);
	if (given) {
		fuzz_require(options_set(&options, "number", "42", &error) == QV_OK);
		fuzz_require(options_set(&options, "list", "first", &error) == QV_OK);
	}
	const enum qv_status status = config_read(&options, "FILE", text, size, &error);
	if (status != QV_OK)
		fuzz_require_reason(&error);
	/* The command line wins; values are within their bounds and point into the text. */
	fuzz_require(values.number >= 0 && values.number <= 100);
	fuzz_require(!given || (values.number == 42 && values.list.count == 1));
	fuzz_require(values.list.count <= 3);
	fuzz_require(!values.text || (values.text >= text && values.text < text + size &&
				      values.text[0] && !strchr(values.text, '\n')));
	for (int i = given; i < values.list.count; i++)
		fuzz_require(values.list.texts[i] >= text && values.list.texts[i] < text + size);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_file(data, size, false);
	try_file(data, size, true);
	return 0;
}
