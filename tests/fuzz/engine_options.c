/*
 * engine_options.c - fuzz target: what an engine declares as options. The first line names the
 * protocol. An option that is read has a name, is found again by it, and accepts its own default
 * unless its declaration has a flaw.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include <string.h>

#include "programs/engine_options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char *lines = strchr(text, '\n');
	const struct manager_ops *ops = lines ? manager_find(text, (size_t)(lines - text)) : NULL;
	struct engine_option o;
	struct qv_error why = { "" };
	if (ops) {
		lines++;
		for (size_t at = 0; engine_option_read(ops, lines, &at, &o);) {
			fuzz_require(o.name[0] && strlen(o.name) < ENGINE_OPTION_NAME);
			const char *flaw = engine_option_flaw(&o);
			fuzz_require(!flaw || *flaw);
			if (!engine_option_accepts(ops, lines, o.name, o.value, &why))
				fuzz_require_reason(&why);
		}
		if (!engine_option_accepts(ops, lines, "Hash", "banana", &why))
			fuzz_require_reason(&why);
	}
	free(text);
	return 0;
}
