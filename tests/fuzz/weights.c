/*
 * weights.c - fuzz target: a file of weights, read for every evaluation of every game.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "core/context.h"
#include "core/player.h"
#include "search/engine.h"
#include "search/weights.h"
#include "lurgee/search.h"

static void read_for(const struct qv_evaluation *e, const char *text, size_t size)
{
	struct qv_error error = { "" };
	if (!e->weights_size)
		return;
	void *weights = malloc(e->weights_size);
	fuzz_require(weights != NULL);
	memcpy(weights, e->weights, e->weights_size);
	if (weights_read(e, text, size, weights, &error) != QV_OK)
		fuzz_require_reason(&error);
	free(weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size);
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		const struct game_player *part =
			game_player_find(context_engine(game), &lurgee_kind);
		const struct lurgee_kit *lurgee = part ? part->own : NULL;
		for (const struct qv_evaluation *e = game->evaluations; e && e->name; e++)
			read_for(e, text, size);
		const struct qv_evaluation *more = lurgee ? lurgee->evaluations : NULL;
		for (; more && more->name; more++)
			read_for(more, text, size);
	}
	free(text);
	return 0;
}
