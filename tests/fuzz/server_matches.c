/*
 * server_matches.c - fuzz target: any bytes as the journal of a match that the server shows. What it shows is JSON, and a
 * refusal has a reason.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/host.h"
#include "server/api/match_files.h"

static char folder[64];

static void remove_all(void)
{
	fuzz_folder_remove(folder);
}

/* Either there is JSON, or a reason why not. */
static bool check(enum qv_status status, json_t *json, const struct qv_error *error)
{
	fuzz_require((status == QV_OK) == (json != NULL));
	if (status != QV_OK)
		fuzz_require(strstr(error->text, ": ") != NULL);
	char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
	fuzz_require(!json || text);
	free(text);
	json_decref(json);
	return status == QV_OK;
}

static void write_file(const uint8_t *data, size_t size)
{
	char path[128];
	snprintf(path, sizeof path, "%s/match", folder);
	FILE *file = fopen(path, "wb");
	fuzz_require(file && (!size || fwrite(data, size, 1, file) == 1));
	fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct match_folder matches = { .context = fuzz_games(), .path = folder };
	struct qv_error error = { "" };
	json_t *json = NULL;
	if (!folder[0]) {
		fuzz_folder_make(folder);
		atexit(remove_all);
	}
	write_file(data, size);
	fuzz_require(match_file_stamp(folder, "match") != 0);
	enum qv_status status = match_file_read(&matches, "match", &json, &error);
	const bool good = check(status, json, &error);
	json = match_files_list(&matches);
	/* A match whose games do not fit its plan is in the list, too. */
	fuzz_require(json && json_array_size(json) <= 1 && (!good || json_array_size(json) == 1));
	json_decref(json);
	for (int64_t number = 0; number < 4; number++) {
		json = NULL;
		status = match_file_game(&matches, "match", number, &json, &error);
		check(status, json, &error);
	}
	return 0;
}
