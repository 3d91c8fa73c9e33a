/*
 * lab_mask.c - requests of the laboratory: the mask predictor of Star Chess with the tree of turns
 * that it searches.
 * SPDX-License-Identifier: MIT
 */
#include "games/starchess/players.h"
#include "server/wasm/inside.h"

enum { TURNS = 500, TURNS_MOST = 20000 };

/* The text of the explanation; false: it failed. */
static bool explain(struct api *api, const struct request_position *p, const char *spec, int turns,
		    struct string *out, struct qv_error *error)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	const struct qv_limits limits = { 0 };
	struct qv_player *player = NULL;
	enum qv_status status =
		qv_player_new(api->setup.context, &p->rules, spec, &defaults, &player, error);
	if (status == QV_OK)
		status = starchess_explain_tree(player, qv_record_state(p->record), &limits, turns,
						out, error);
	qv_player_free(player);
	/* If a limit of the spec has stopped it, the explanation is complete as far as it went. */
	return status == QV_OK || status == QV_STOPPED;
}

void post_mask(struct api *api, const struct api_request *r)
{
	struct request_position position;
	struct qv_error error = { "" };
	const char *spec;
	json_int_t nodes;
	if (!body_keys(api, r, "game position moves player nodes") ||
	    !body_text(api, r, "player", &spec) ||
	    !body_integer(api, r, "nodes", 1, TURNS_MOST, TURNS, &nodes) ||
	    !open_position(api, r, &position))
		return;
	struct string out = { .allocator = &mem_malloc };
	if (strcmp(position.rules.game->name, "starchess") != 0)
		reply_error(api, r->call, 409, "game: only starchess has a mask predictor");
	else if (explain(api, &position, spec ? spec : "mask:turns=1", (int)nodes, &out, &error))
		reply_ok(api, r->call, out.data);
	else
		reply_error(api, r->call, 409, "%s", error.text);
	string_release(&out);
	request_position_release(&position);
}
