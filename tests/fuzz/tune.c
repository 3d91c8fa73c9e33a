/*
 * tune.c - fuzz target: the range of `quevedo tune`, and `weight=` of a player.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "match/tune.h"
#include "search/weights.h"

static void set_for(const struct qv_evaluation *e, const char *text)
{
	struct qv_error error = { "" };
	int place = -1;
	if (weights_find(e, text, &place, &error) != QV_OK)
		fuzz_require_reason(&error);
	else
		fuzz_require(place >= 0 && (size_t)place < e->weights_size / sizeof(int32_t));
	if (!e->weights_size)
		return;
	void *weights = malloc(e->weights_size);
	fuzz_require(weights != NULL);
	memcpy(weights, e->weights, e->weights_size);
	error.text[0] = '\0';
	if (weights_set(e, text, weights, &error) != QV_OK) {
		fuzz_require_reason(&error);
		fuzz_require(memcmp(weights, e->weights, e->weights_size) == 0);
	}
	free(weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size);
	struct qv_error error = { "" };
	struct tune_range range;
	if (tune_range_parse(text, &range, &error) == QV_OK) {
		const int64_t last = range.from + (int64_t)(range.count - 1) * range.step;
		fuzz_require(range.count >= 1 && range.count <= TUNE_VALUES && range.name[0]);
		fuzz_require(last <= range.to && last + range.step > range.to);
	} else {
		fuzz_require_reason(&error);
	}
	for (int i = 0; qv_game_at(context, i); i++)
		for (const struct qv_evaluation *e = qv_game_at(context, i)->evaluations;
		     e && e->name; e++)
			set_for(e, text);
	free(text);
	return 0;
}
