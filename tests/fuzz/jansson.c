/*
 * jansson.c - fuzz target: the JSON of the engine for browsers against that of jansson. Both accept
 * the same texts, and write the same text again.
 * SPDX-License-Identifier: MIT
 *
 * The first byte selects the flags. Texts that are nested deeper than the engine accepts are left
 * out, and those with a NUL, which the engine's texts end at and jansson skips after a number.
 */
#include <jansson.h>

#include "base/json.h"
#include "fuzz/fuzz.h"

enum { DEPTH_MOST = 256 }; /* as in src/server/wasm/jansson_text.c */

/* The functions of src/server/wasm/jansson*.c, renamed by own_names.h. */
json_t *own_json_loadb(const char *text, size_t length, size_t flags, json_error_t *error);
char *own_json_dumps(const json_t *value, size_t flags);
void own_json_delete(json_t *value);

/* json_decref for a value that nothing else refers to. */
static void own_release(json_t *value)
{
	if (value && value->refcount != (size_t)-1 && --value->refcount == 0)
		own_json_delete(value);
}

static void compare(const char *text, size_t length, size_t load_flags, size_t dump_flags)
{
	json_error_t why, own_why;
	json_t *value = json_loadb(text, length, load_flags, &why);
	json_t *own = own_json_loadb(text, length, load_flags, &own_why);
	fuzz_require(!value == !own);
	if (!value)
		fuzz_require(own_why.text[0] != '\0');
	char *written = json_dumps(value, dump_flags);
	char *own_written = own_json_dumps(own, dump_flags);
	fuzz_require(!written == !own_written);
	if (written)
		fuzz_require(strcmp(written, own_written) == 0);
	free(written);
	free(own_written);
	json_decref(value);
	own_release(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t load_flags[] = { 0, JSON_REJECT_DUPLICATES, JSON_DECODE_ANY,
					     JSON_DISABLE_EOF_CHECK };
	static const size_t dump_flags[] = { 0, JSON_COMPACT | JSON_REAL_PRECISION(6),
					     JSON_COMPACT | JSON_ENCODE_ANY,
					     JSON_ENCODE_ANY | JSON_REAL_PRECISION(10) };
	if (!size)
		return 0;
	const char *text = (const char *)data + 1;
	if (!memchr(text, '\0', size - 1) && json_is_shallow(text, size - 1, DEPTH_MOST))
		compare(text, size - 1, load_flags[*data & 3], dump_flags[*data >> 2 & 3]);
	return 0;
}
