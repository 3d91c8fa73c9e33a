/*
 * lab_machine.c - requests of the laboratory: which of its six rules the king-and-rook machine of
 * 1912 follows.
 * SPDX-License-Identifier: MIT
 */
#include "games/chess/rules.h"
#include "server/wasm/inside.h"

void post_machine(struct api *api, const struct api_request *r)
{
	const char *game, *position;
	bool literal;
	struct chess s;
	struct chess_machine_view view;
	struct qv_error error = { "" };
	const int64_t options[QV_MAX_OPTIONS] = { 0 };
	char move[QV_MOVE_TEXT] = "";
	if (!body_keys(api, r, "game position literal") || !body_text(api, r, "game", &game) ||
	    !body_text(api, r, "position", &position) || !body_boolean(api, r, "literal", &literal))
		return;
	if (game && strcmp(game, "chess") != 0) {
		reply_error(api, r->call, 409, "game: only chess has this machine");
		return;
	}
	if (!position) {
		reply_error(api, r->call, 400, "position: missing");
		return;
	}
	if (chess_position_parse(&s, options, position, &error) != QV_OK) {
		reply_error(api, r->call, 400, "%s", error.text);
		return;
	}
	if (!chess_machine_look(&s, literal, &view)) {
		reply_error(
			api, r->call, 409,
			"position: no rule applies; the machine needs a king and a rook against "
			"a king, with the rook between the kings");
		return;
	}
	json_t *rules = json_array();
	for (int rule = 1; rule <= CHESS_MACHINE_RULES; rule++)
		rules = json_item(rules, json_pack("{s:i, s:s, s:b}", "rule", rule, "text",
						   chess_machine_text(rule, literal), "applies",
						   (int)(view.holds >> rule & 1)));
	chess_move_text(&s, view.move, &(struct qv_text){ move, sizeof move, 0 });
	reply(api, r->call, 200,
	      json_pack("{s:i, s:s, s:s, s:b, s:o}", "rule", view.rule, "text",
			chess_machine_text(view.rule, literal), "move", move, "sideways",
			view.sideways, "rules", rules));
}
