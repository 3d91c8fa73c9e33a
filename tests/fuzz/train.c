/*
 * train.c - fuzz target: plans of training, the games that a training reads back, and patterns of draughts.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "games/draughts/pattern.h"
#include "learn/backgammon/train.h"
#include "learn/chess/train.h"
#include "learn/draughts/train.h"
#include "learn/race/train.h"
#include "learn/reversi/train.h"
#include "learn/warptrog/train.h"

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

#define TRY_PLAN(game)                                                           \
	do {                                                                     \
		struct game##_plan plan = { 0 };                                 \
		struct qv_error error = { "" };                                  \
		if (game##_plan_parse(text, &plan, &error) != QV_OK)             \
			fuzz_require_reason(&error);                             \
	} while (0)

static void read_other_plans(const char *text)
{
	TRY_PLAN(backgammon);
	TRY_PLAN(chess);
	TRY_PLAN(draughts);
	TRY_PLAN(race);
	TRY_PLAN(warptrog);
}

/* The input is the head of a file that has the right size, or a whole file. */
static void read_patterns(const char *text, size_t size, bool whole)
{
	struct qv_error error = { "" };
	const size_t length = whole ? size : DRAUGHTS_PATTERN_FILE;
	char *file = calloc(1, size > length ? size : length + 1);
	struct draughts_patterns *patterns = malloc(sizeof *patterns);
	fuzz_require(file && patterns);
	memcpy(file, text, size < length ? size : length);
	if (draughts_patterns_read(file, length, patterns, &error) != QV_OK)
		fuzz_require_reason(&error);
	free(patterns);
	free(file);
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
	read_other_plans(text);
	read_patterns(text, size, true);
	read_patterns(text, size, false);
	read_games(data, size);
	free(text);
	return 0;
}
