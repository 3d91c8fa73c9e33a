/*
 * train.c - fuzz target: a plan of training, and the games that a training reads back.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "learn/reversi/train.h"

static void read_games(const uint8_t *data, size_t size)
{
	struct qv_error error = { "" };
	struct samples samples;
	const int64_t count = (int64_t)(size / sizeof(struct game_record));
	struct game_record *list = malloc(size + 1);
	fuzz_require(list != NULL);
	memcpy(list, data, size);
	const struct games games = { list, count, count ? count : 1 };
	if (samples_init(&samples, &mem_malloc, &games, false, &error) != QV_OK)
		fuzz_require_reason(&error);
	else
		fuzz_require(samples.first[SAMPLE_DISCS] == samples.count);
	samples_release(&samples, &mem_malloc);
	free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), again[256];
	struct qv_error error = { "" };
	struct train_plan plan = { 0 }, same = { 0 };
	if (train_plan_parse(text, &plan, &error) == QV_OK) {
		train_plan_text(&plan, again, sizeof again);
		fuzz_require(train_plan_parse(again, &same, &error) == QV_OK);
		fuzz_require(plan.games == same.games && plan.rounds == same.rounds);
	} else {
		fuzz_require_reason(&error);
	}
	read_games(data, size);
	free(text);
	return 0;
}
