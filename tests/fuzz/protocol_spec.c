/*
 * protocol_spec.c - fuzz target: the spec of a player that is a program. It is read, with a command
 * that is the end of the text, or refused with a reason.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "programs/protocol_spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct protocol_spec spec;
	struct qv_error error;
	if (protocol_spec_parse(&spec, &mem_malloc, text, &error) != QV_OK) {
		fuzz_require_reason(&error);
	} else {
		const size_t length = strlen(spec.command);
		fuzz_require(length && length < strlen(text));
		fuzz_require(strcmp(text + strlen(text) - length, spec.command) == 0);
		fuzz_require(spec.depth >= 0 && spec.nodes >= 0 && spec.time_ms >= 0);
		fuzz_require(spec.option_count >= 0 && spec.option_count <= PROTOCOL_OPTIONS);
		protocol_spec_release(&spec);
	}
	free(text);
	return 0;
}
