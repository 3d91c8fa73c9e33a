/*
 * wthor.c - fuzz target: any bytes as a database of reversi games, which also has the names. Every
 * game that is read has only legal moves, and an end.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "formats/wthor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	const struct wthor_file file = { (const char *)data, size };
	struct wthor_reader reader = {
		.context = context, .games = file, .players = file, .tournaments = file
	};
	struct string journal = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	enum qv_status status = QV_OK;
	for (int games = 0; games < 100 && status != QV_NO_MEMORY; games++) {
		struct qv_record *record = NULL;
		int32_t points[QV_MAX_SEATS];
		error.text[0] = '\0';
		status = wthor_next(&reader, &record, &error);
		if (status != QV_OK)
			fuzz_require_reason(&error);
		else if (!record)
			break;
		if (record)
			fuzz_require(qv_record_result(record, points) != QV_GOING);
		qv_record_free(record);
	}
	error.text[0] = '\0';
	if (wthor_looks_like(file.data, file.size) &&
	    wthor_to_journal(context, file.data, file.size, &journal, &error) != QV_OK)
		fuzz_require_reason(&error);
	string_release(&journal);
	return 0;
}
