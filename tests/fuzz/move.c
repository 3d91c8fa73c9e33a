/*
 * move.c - fuzz target: a game, a position, then moves, one a line; legal ones are played.
 * SPDX-License-Identifier: MIT
 */
#include "core/context.h"
#include "fuzz/fuzz.h"

/* What a game writes in short, as for PGN, is read back too. */
static void try_short(const struct qv_game *game, const void *state, qv_move move)
{
	char printed[QV_MOVE_TEXT] = "";
	struct qv_text out = { printed, sizeof printed, 0 };
	qv_move again;
	if (!context_engine(game)->short_text)
		return;
	context_engine(game)->short_text(state, move, &out);
	fuzz_require(out.length && out.length < sizeof printed);
	fuzz_require(qv_move_parse(game, state, printed, &again, NULL) == QV_OK && again == move);
}

enum { MOST_LINES = 64 }; /* reading a move tries all legal ones */

static void try_move(const struct qv_game *game, void *state, const char *text)
{
	char printed[QV_MOVE_TEXT] = "";
	struct qv_text out = { printed, sizeof printed, 0 };
	struct qv_error error = { "" };
	qv_move move, again;
	if (qv_move_parse(game, state, text, &move, &error) != QV_OK) {
		fuzz_require_reason(&error);
		return;
	}
	fuzz_require(qv_move_legal(game, state, move));
	game->move_text(state, move, &out);
	fuzz_require(out.length && out.length < sizeof printed);
	fuzz_require(qv_move_parse(game, state, printed, &again, NULL) == QV_OK && again == move);
	try_short(game, state, move);
	game->play(state, move);
}

static void try_moves(const struct qv_context *context, const struct qv_rules *rules,
		      const char *position, char *line)
{
	void *state = qv_state_new(context, rules->game);
	fuzz_require(state != NULL);
	if (qv_position_parse(rules, position, state, NULL) == QV_OK)
		for (int i = 0; *line && i < MOST_LINES; i++) {
			char *next = fuzz_next_line(line);
			try_move(rules->game, state, line);
			line = next;
		}
	qv_state_free(context, rules->game, state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_context *context = fuzz_games();
	char *text = fuzz_text(data, size), *position = fuzz_next_line(text),
	     *moves = fuzz_next_line(position);
	struct qv_rules rules;
	if (qv_rules_parse(context, text, &rules, NULL) == QV_OK)
		try_moves(context, &rules, position, moves);
	free(text);
	return 0;
}
