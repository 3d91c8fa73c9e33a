/*
 * spec.c - fuzz target: a player spec; a player that can be made must answer with a legal move.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

/* Files are another target's matter: an input must not read whatever is on the disk. */
static bool names_a_file(const char *text)
{
	return strstr(text, "weights") || strstr(text, "file") || strstr(text, "book") ||
	       strchr(text, '/');
}

static void use_player(const struct qv_context *context, const struct qv_rules *rules,
		       struct qv_player *player)
{
	const struct qv_limits limits = { .size = sizeof limits, .nodes = 100, .time_ms = 20 };
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	void *state = qv_state_new(context, rules->game);
	fuzz_require(state != NULL);
	rules->game->start(rules->options, state);
	const enum qv_status status =
		qv_player_think(player, state, &limits, NULL, &answer, &error);
	if (status == QV_OK || status == QV_STOPPED)
		fuzz_require(qv_move_legal(rules->game, state, answer.move));
	else
		fuzz_require_reason(&error);
	qv_state_free(context, rules->game, state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_context *context = fuzz_context();
	char *text = fuzz_text(data, size);
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_rules rules;
	struct qv_error error = { "" };
	struct qv_player *player = NULL;
	fuzz_require(qv_rules_parse(context, "noughts", &rules, NULL) == QV_OK);
	if (names_a_file(text) || strstr(text, "train"))
		;                  /* training takes as long as the input says */
	else if (qv_player_new(context, &rules, text, &defaults, &player, &error) == QV_OK)
		use_player(context, &rules, player);
	else
		fuzz_require_reason(&error);
	qv_player_free(player);
	free(text);
	qv_context_free(context);
	return 0;
}
