/*
 * set_up.c - fuzz target: the first line names a game with its options, the second a seat, the rest
 * is what stands on its board, as JSON.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"
#include "formats/board_json.h"

/* What was set up must stand so, and be a position like any other. */
static void use_position(const struct qv_context *context, const struct qv_rules *rules,
			 const json_t *standing, const void *state)
{
	const struct qv_game *game = rules->game;
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	void *again = qv_state_new(context, game);
	json_t *view = view_json(rules, state), *board = board_json(rules);
	fuzz_require(again && view && board);
	fuzz_require(json_array_size(json_object_get(view, "standing")) ==
		     json_array_size(standing));
	game->position_text(state, &out);
	fuzz_require(qv_position_parse(rules, text, again, NULL) == QV_OK);
	fuzz_require(!memcmp(state, again, game->state_size));
	json_decref(view);
	json_decref(board);
	qv_state_free(context, game, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size), *seat = fuzz_next_line(text);
	char *json = fuzz_next_line(seat);
	struct qv_rules rules;
	struct qv_error error = { "" };
	json_t *standing = json_loads(json, JSON_DECODE_ANY, NULL);
	if (standing && qv_rules_parse(context, text, &rules, NULL) == QV_OK) {
		void *state = qv_state_new(context, rules.game);
		fuzz_require(state != NULL);
		if (view_set_up(&rules, standing, atoi(seat), state, &error) == QV_OK)
			use_position(context, &rules, standing, state);
		else
			fuzz_require_reason(&error);
		qv_state_free(context, rules.game, state);
	}
	json_decref(standing);
	free(text);
	return 0;
}
