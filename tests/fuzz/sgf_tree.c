/*
 * sgf_tree.c - fuzz target: any bytes as a file of SGF or GGF. Every game that is read is written in
 * both formats as far as they have it, and what was written reads back and is written again to the
 * same bytes.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "formats/game_file.h"
#include "formats/sgf_tree.h"

typedef enum qv_status writer(const struct qv_context *, const struct qv_record *, struct string *,
			      struct qv_error *);

static void check_round_trip(const struct qv_context *context, const struct qv_record *record,
			     writer *write)
{
	struct string text = { .allocator = record->allocator }, again = text;
	struct qv_record *copy = NULL;
	struct qv_error error = { "" };
	enum qv_status status = write(context, record, &text, &error);
	if (status != QV_OK) {
		fuzz_require_reason(&error);
		string_release(&text);
		return;
	}
	struct sgf_reader reader = { .context = context,
				     .at = text.data,
				     .end = text.data + text.length };
	status = sgf_next(&reader, &copy, &error);
	fuzz_require(status == QV_OK || status == QV_NO_MEMORY);
	if (status == QV_OK) {
		fuzz_require(copy != NULL && qv_record_ply(copy) == qv_record_ply(record));
		status = write(context, copy, &again, &error);
		fuzz_require(status == QV_OK || status == QV_NO_MEMORY);
		fuzz_require(status != QV_OK || (again.length == text.length &&
						 memcmp(again.data, text.data, text.length) == 0));
	}
	qv_record_free(copy);
	string_release(&text);
	string_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size);
	struct sgf_reader reader = { .context = context, .at = text, .end = text + size };
	struct string journal = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	const struct pgn_bounds most = { .lines = 1000, .bytes = 1 << 16 };
	enum qv_status status = QV_OK;
	(void)sgf_tree_looks_like(text, size);
	for (int games = 0; games < 50 && status != QV_NO_MEMORY; games++) {
		struct qv_record *record = NULL;
		const char *before = reader.at;
		error.text[0] = '\0';
		status = sgf_next(&reader, &record, &error);
		if (status != QV_OK)
			fuzz_require_reason(&error);
		else if (!record)
			break;
		if (record) {
			check_round_trip(context, record, sgf_tree_write);
			check_round_trip(context, record, ggf_write);
		}
		fuzz_require(reader.at > before);
		qv_record_free(record);
	}
	/* The way of the server: any format, within bounds. */
	error.text[0] = '\0';
	if (game_file_looks_like(text, size) &&
	    game_file_to_journal(context, text, size, most, &journal, &error) != QV_OK)
		fuzz_require_reason(&error);
	string_release(&journal);
	free(text);
	return 0;
}
