/*
 * record.c - fuzz target: any bytes as a journal. What is accepted must save, load and save again
 * to the same bytes. No more plies are redone than the input has bytes: a short line can ask for thousands.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "record/record.h"

static char *saved(const struct qv_record *record, size_t *length)
{
	struct qv_text text = { NULL, 0, 0 };
	qv_record_save(record, &text);
	text = (struct qv_text){ malloc(text.length + 1), text.length + 1, 0 };
	fuzz_require(text.data != NULL);
	qv_record_save(record, &text);
	*length = text.length;
	return text.data;
}

static void check_round_trip(const struct qv_context *context, const struct qv_record *record)
{
	size_t length, length_again;
	struct qv_record *again = NULL;
	char *text = saved(record, &length);
	fuzz_require(qv_record_load(context, text, length, &again, NULL) == QV_OK);
	char *text_again = saved(again, &length_again);
	const size_t state_size = qv_record_rules(record)->game->state_size;
	fuzz_require(length == length_again && memcmp(text, text_again, length) == 0);
	fuzz_require(qv_record_ply(record) == qv_record_ply(again));
	fuzz_require(memcmp(qv_record_state(record), qv_record_state(again), state_size) == 0);
	free(text);
	free(text_again);
	qv_record_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_context *context = fuzz_context();
	struct qv_record *record = NULL;
	struct qv_error error = { "" };
	if (record_load_bounded(context, (const char *)data, size, (int64_t)size, &record, &error) == QV_OK)
		check_round_trip(context, record);
	else
		fuzz_require_reason(&error);
	qv_record_free(record);
	qv_context_free(context);
	return 0;
}
