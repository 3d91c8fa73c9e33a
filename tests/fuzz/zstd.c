/*
 * zstd.c - fuzz target: the engine for browsers decodes a frame as zstd does, or refuses it.
 * SPDX-License-Identifier: MIT
 */
#include <zstd.h>

#include "fuzz/fuzz.h"

enum { ROOM = 1 << 17 }; /* more than a size of two bytes allows */

/* Those of src/server/wasm/zstd.c, renamed by own_names.h. */
size_t own_ZSTD_decompress(void *to, size_t room, const void *from, size_t size);
unsigned own_ZSTD_isError(size_t code);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned char text[ROOM], own_text[ROOM];
	const size_t own_length = own_ZSTD_decompress(own_text, sizeof own_text, data, size);
	if (own_ZSTD_isError(own_length))
		return 0;
	fuzz_require(ZSTD_decompress(text, sizeof text, data, size) == own_length);
	fuzz_require(memcmp(text, own_text, own_length) == 0);
	/* In less room it fails. */
	fuzz_require(!own_length ||
		     own_ZSTD_isError(own_ZSTD_decompress(own_text, own_length - 1, data, size)));
	return 0;
}
