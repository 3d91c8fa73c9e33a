/*
 * server_removals.c - fuzz target: any bytes as a line of the list that a restore applies. What is accepted is the same when it is
 * written and read again.
 * SPDX-License-Identifier: MIT
 */
#include <jansson.h>

#include "fuzz/fuzz.h"
#include "server/store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct store_removal one, again;
	struct qv_error error;
	char *text = fuzz_text(data, size);
	if (store_read_removal(text, strlen(text), &one, &error) == QV_OK) {
		json_t *json = json_pack("{s:I, s:s, s:s, s:s}", "made", (json_int_t)one.made, "what", one.what, "id", one.id, "value",
					 one.value);
		char *line = json_dumps(json, JSON_COMPACT);
		fuzz_require(line && store_read_removal(line, strlen(line), &again, &error) == QV_OK);
		fuzz_require(again.made == one.made && strcmp(again.what, one.what) == 0 && strcmp(again.id, one.id) == 0 &&
			     strcmp(again.value, one.value) == 0);
		free(line);
		json_decref(json);
	} else {
		fuzz_require(error.text[0] != '\0');
	}
	free(text);
	return 0;
}
