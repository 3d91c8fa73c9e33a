/*
 * svg_png.c - fuzz target: a picture in SVG as a picture of pixels.
 * SPDX-License-Identifier: MIT
 */
#include "formats/svg_png.h"

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct string out = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	const enum qv_status status = svg_png((const char *)data, size, 48, 32, 2, &out, &error);
	if (status != QV_OK)
		fuzz_require_reason(&error);
	else
		fuzz_require(out.length > 50);
	string_release(&out);
	return 0;
}
