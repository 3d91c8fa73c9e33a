/*
 * openings.c - fuzz target: any bytes as a list of openings; the first line names the game. Every
 * opening that is accepted can be played, and the game goes on after it.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "match/opening.h"

static void check_opening(const struct qv_context *context, const struct qv_rules *rules,
			  const struct match_opening *opening)
{
	struct qv_record *record = NULL;
	fuzz_require(qv_record_new(context, rules, opening->position, &record, NULL) == QV_OK);
	fuzz_require(opening_play(record, opening->moves, NULL) == QV_OK);
	fuzz_require(qv_record_result(record, NULL) == QV_GOING);
	qv_record_free(record);
}

static void try_list(const struct qv_context *context, const struct qv_rules *rules,
		     const char *text, size_t size)
{
	struct opening_list list;
	struct qv_error error = { "" };
	if (openings_read(context, rules, text, size, (int)(size % 7), &list, &error) != QV_OK) {
		fuzz_require(strstr(error.text, ": ") != NULL);
		return;
	}
	for (int i = 0; i < list.count; i++)
		check_opening(context, rules, &list.openings[i]);
	openings_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	char game[64];
	struct qv_rules rules;
	if (!end)
		return 0;
	struct qv_context *context = fuzz_context();
	snprintf(game, sizeof game, "%.*s", (int)(end - data < 63 ? end - data : 63),
		 (const char *)data);
	if (qv_rules_parse(context, game, &rules, NULL) == QV_OK)
		try_list(context, &rules, (const char *)end + 1,
			 size - (size_t)(end - data) - 1);
	qv_context_free(context);
	return 0;
}
