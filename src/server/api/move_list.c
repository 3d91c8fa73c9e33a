/*
 * move_list.c - the moves of a record with the position after each, as JSON.
 * SPDX-License-Identifier: MIT
 *
 * A page that replays a game gets all its positions in one response. The record is replayed once
 * from its start, so the cost grows with the number of moves.
 */
#include "server/api/move_list.h"

#include "record/record.h"
#include "formats/board_json.h"

/* Plays a move; returns it with its seat, the scores and the position after it. */
static json_t *step_json(const struct qv_game *game, void *state, qv_move move)
{
	char text[QV_MOVE_TEXT] = "", position[QV_POSITION_TEXT] = "";
	struct qv_text move_out = { text, sizeof text, 0 }, out = { position, sizeof position, 0 };
	const int seat = game->seat(state);
	game->move_text(state, move, &move_out);
	game->play(state, move);
	game->position_text(state, &out);
	return json_pack("{s:s, s:i, s:o, s:s}", "move", text, "seat", seat + 1, "scores",
			 scores_json(game, state), "position", position);
}

json_t *move_list_json(const struct qv_context *context, const struct qv_record *record)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	void *state = qv_state_new(context, game);
	if (!state)
		return NULL;
	json_t *list = json_array();
	tree_state_at(record, 0, state);
	for (int i = 0; i < qv_record_ply(record); i++)
		json_array_append_new(list, step_json(game, state, qv_record_move(record, i)));
	qv_state_free(context, game, state);
	return list;
}
