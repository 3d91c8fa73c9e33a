/*
 * pgn.c - fuzz target: any bytes as a PGN file. Every game that is read is written, and what was
 * written reads back and is written again to the same bytes.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "formats/pgn.h"

static void hear(void *ctx, int line, const char *what)
{
	(void)ctx;
	fuzz_require(line > 0 && *what != '\0');
}

/* The writer goes on to the end of the line, if a variation repeated the last move and went on. */
static void check_round_trip(const struct qv_context *context, struct qv_record *record)
{
	struct string text = { .allocator = record->allocator }, again = text;
	struct qv_record *copy = NULL;
	struct qv_error error = { "" };
	struct pgn_reader reader = { .context = context };
	while (tree_cursor(record)->follow >= 0)
		if (qv_record_redo(record, 1, NULL) != QV_OK)
			return;
	if (pgn_write(context, record, NULL, &text, &error) != QV_OK) {
		fuzz_require_reason(&error);
		string_release(&text);
		return;
	}
	enum qv_status status = pgn_reader_init(&reader, text.data, text.length, NULL);
	if (status == QV_OK)
		status = pgn_next(&reader, &copy, &error);
	fuzz_require(status == QV_OK || status == QV_NO_MEMORY);
	if (status == QV_OK) {
		fuzz_require(copy != NULL);
		fuzz_require(qv_record_ply(copy) == qv_record_ply(record));
		status = pgn_write(context, copy, NULL, &again, &error);
		fuzz_require(status == QV_OK || status == QV_NO_MEMORY);
		fuzz_require(status != QV_OK || (again.length == text.length &&
						 memcmp(again.data, text.data, text.length) == 0));
	}
	qv_record_free(copy);
	pgn_reader_release(&reader);
	string_release(&text);
	string_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size);
	struct pgn_reader reader = { .context = context, .reporter = { hear, NULL } };
	enum qv_status status = pgn_reader_init(&reader, text, size, NULL);
	(void)pgn_looks_like(text, size);
	for (int games = 0; games < 50 && status != QV_NO_MEMORY; games++) {
		struct qv_record *record = NULL;
		struct qv_error error = { "" };
		const char *before = reader.scan.at;
		status = pgn_next(&reader, &record, &error);
		if (status != QV_OK)
			fuzz_require_reason(&error);
		else if (!record)
			break;
		else
			check_round_trip(context, record);
		fuzz_require(reader.scan.at > before);
		qv_record_free(record);
	}
	pgn_reader_release(&reader);
	free(text);
	return 0;
}
