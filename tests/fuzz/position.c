/*
 * position.c - fuzz target: the first line names a game with its options, the rest is a position.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

static void print(const struct qv_game *game, const void *state, char *out)
{
	struct qv_text text = { out, QV_POSITION_TEXT, 0 };
	out[0] = '\0';
	game->position_text(state, &text);
	fuzz_require(text.length && text.length < QV_POSITION_TEXT);
}

/*
 * What was read must be a position like any other: it prints, reads back equal, and can be played.
 */
static void use_position(const struct qv_context *context, const struct qv_rules *rules,
			 void *state)
{
	const struct qv_game *game = rules->game;
	char printed[QV_POSITION_TEXT];
	int32_t points[QV_MAX_SEATS];
	void *again = qv_state_new(context, game);
	qv_move *list = malloc((size_t)game->max_moves * sizeof *list);
	fuzz_require(again && list);
	print(game, state, printed);
	fuzz_require(qv_position_parse(rules, printed, again, NULL) == QV_OK);
	fuzz_require(!memcmp(state, again, game->state_size));
	const int count = game->moves(state, list);
	fuzz_require(count >= 0 && count <= game->max_moves);
	fuzz_require((count == 0) == (game->result(state, points) == QV_ENDED));
	for (int i = 0; i < count; i++) {
		memcpy(again, state, game->state_size);
		game->play(again, list[i]);
		print(game, again, printed);
	}
	free(list);
	qv_state_free(context, game, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size), *position = fuzz_next_line(text);
	struct qv_rules rules;
	struct qv_error error = { "" };
	if (qv_rules_parse(context, text, &rules, NULL) == QV_OK) {
		void *state = qv_state_new(context, rules.game);
		fuzz_require(state != NULL);
		if (qv_position_parse(&rules, position, state, &error) == QV_OK)
			use_position(context, &rules, state);
		else
			fuzz_require_reason(&error);
		qv_state_free(context, rules.game, state);
	}
	free(text);
	return 0;
}
