/*
 * lab_wave.c - requests of the laboratory: retrograde analysis of a small game as waves.
 * SPDX-License-Identifier: MIT
 *
 * The last game that was solved is kept, because a page asks for many of its positions.
 */
#include "core/wave.h"

#include <stdlib.h>

#include "server/wasm/inside.h"

static struct {
	struct wave *wave;
	char rules[QV_POSITION_TEXT], space[32];
} kept;

void lab_wave_release(void)
{
	wave_free(kept.wave);
	kept.wave = NULL;
}

/* The wave of the request's game, space by space. NULL: an error was sent. */
static const struct wave *open_wave(struct api *api, const struct api_request *r)
{
	const char *game, *space;
	struct qv_rules rules;
	struct qv_error error = { "" };
	if (!body_text(api, r, "game", &game) || !body_text(api, r, "space", &space))
		return NULL;
	if (!game || (space && strlen(space) >= sizeof kept.space)) {
		reply_error(api, r->call, 400, game ? "space: too long" : "game: missing");
		return NULL;
	}
	enum qv_status status = qv_rules_parse(api->setup.context, game, &rules, &error);
	if (status != QV_OK) {
		reply_error(api, r->call, 400, "%s", error.text);
		return NULL;
	}
	char name[QV_POSITION_TEXT] = "";
	qv_rules_text(&rules, &(struct qv_text){ name, sizeof name, 0 });
	if (kept.wave && strcmp(kept.rules, name) == 0 &&
	    strcmp(kept.space, space ? space : "") == 0)
		return kept.wave;
	lab_wave_release();
	strcpy(kept.rules, name);
	strcpy(kept.space, space ? space : "");
	status = wave_new(&mem_malloc, &rules, space, &kept.wave, &error);
	if (status != QV_OK)
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 409, "%s", error.text);
	return kept.wave;
}

void post_wave(struct api *api, const struct api_request *r)
{
	const struct wave *w;
	if (!body_keys(api, r, "game space") || !(w = open_wave(api, r)))
		return;
	json_t *spaces = json_array(), *waves = json_array();
	for (int i = 0; i < w->end; i++)
		spaces = json_item(spaces, json_text(w->spaces.list[i].name));
	for (int i = 0; i < w->plies; i++)
		waves = json_item(waves, json_pack("{s:i, s:I, s:I}", "plies", i, "wins",
						   (json_int_t)w->counts[i].wins, "losses",
						   (json_int_t)w->counts[i].losses));
	reply(api, r->call, 200,
	      json_pack("{s:s, s:I, s:I, s:o, s:o}", "game", kept.rules, "positions",
			(json_int_t)w->positions, "draws", (json_int_t)w->draws, "spaces", spaces,
			"waves", waves));
}

static const char *value_of(uint32_t code)
{
	return code == CODE_DRAW ? "draw" : code_wins(code) ? "win" : "loss";
}

/* A move: the value of the position after it, for the side to move there. */
static json_t *move_json(const struct wave *w, const void *state, qv_move move, int plies,
			 void *next)
{
	const struct qv_game *game = w->spaces.rules.game;
	uint32_t code = CODE_DRAW;
	memcpy(next, state, game->state_size);
	game->play(next, move);
	if (!wave_code(w, next, &code)) {
		/* Ended games may be left out of the index: whoever is to move there has lost. */
		int32_t points[QV_MAX_SEATS];
		if (game->result(next, points) != QV_GOING && points[0] != points[1])
			code = CODE_LOST;
	}
	return json_pack("{s:o, s:s, s:o, s:b}", "move", move_text_json(game, state, move), "value",
			 value_of(code), "in",
			 code == CODE_DRAW ? json_null() : json_integer(code_plies(code)), "before",
			 code != CODE_DRAW && code_plies(code) == plies - 1);
}

/* plies: to the end; -1: a draw. */
static json_t *position_json(const struct wave *w, const void *state, int plies, void *next)
{
	const struct qv_game *game = w->spaces.rules.game;
	int32_t points[QV_MAX_SEATS];
	qv_move list[QV_MAX_MOVES];
	char text[QV_POSITION_TEXT] = "";
	json_t *moves = json_array();
	game->position_text(state, &(struct qv_text){ text, sizeof text, 0 });
	const int n = game->result(state, points) == QV_GOING ? game->moves(state, list) : 0;
	for (int i = 0; i < n; i++)
		moves = json_item(moves, move_json(w, state, list[i], plies, next));
	return json_pack("{s:s, s:s, s:o, s:o}", "position", text, "value",
			 value_of((uint32_t)(plies + 1)), "in",
			 plies < 0 ? json_null() : json_integer(plies), "moves", moves);
}

/* The position of the request: one that it names, or number `index` of a wave. */
static bool find_position(struct api *api, const struct api_request *r, const struct wave *w,
			  void *state, int *plies)
{
	const char *position;
	json_int_t wave, index;
	struct qv_error error = { "" };
	uint32_t code = CODE_DRAW;
	if (!body_text(api, r, "position", &position) ||
	    !body_integer(api, r, "wave", 0, WAVE_PLIES, 0, &wave) ||
	    !body_integer(api, r, "index", 0, WAVE_NUMBERS, 0, &index))
		return false;
	*plies = (int)wave;
	if (!position) {
		if (wave_position(w, *plies, (uint64_t)index, state))
			return true;
		reply_error(api, r->call, 409, "index: the wave has no such position");
		return false;
	}
	if (qv_position_parse(&w->spaces.rules, position, state, &error) != QV_OK) {
		reply_error(api, r->call, 400, "%s", error.text);
		return false;
	}
	if (!wave_code(w, state, &code) || code == CODE_HOLE) {
		reply_error(api, r->call, 409, "position: not one of the positions of this game");
		return false;
	}
	*plies = code == CODE_DRAW ? -1 : code_plies(code);
	return true;
}

void post_wave_position(struct api *api, const struct api_request *r)
{
	const struct wave *w;
	int plies;
	if (!body_keys(api, r, "game space wave index position") || !(w = open_wave(api, r)))
		return;
	const struct qv_game *game = w->spaces.rules.game;
	void *state = qv_state_new(api->setup.context, game);
	void *next = qv_state_new(api->setup.context, game);
	if (!state || !next)
		reply_no_memory(api, r->call);
	else if (find_position(api, r, w, state, &plies))
		reply(api, r->call, 200, position_json(w, state, plies, next));
	qv_state_free(api->setup.context, game, next);
	qv_state_free(api->setup.context, game, state);
}

/* The wave of every position, in the order of the index; -1: a draw. */
void post_wave_map(struct api *api, const struct api_request *r)
{
	const struct wave *w;
	if (!body_keys(api, r, "game space") || !(w = open_wave(api, r)))
		return;
	struct string out = { .allocator = &mem_malloc };
	const char *before = "{\"waves\":[";
	for (int space = 0; space < w->end; space++) {
		const struct values *values = &w->cache.list[space].values;
		for (uint64_t i = 0; i < values->size; i++) {
			const uint32_t code = values_get(values, i);
			if (code == CODE_HOLE)
				continue;
			string_addf(&out, "%s%d", before,
				    code == CODE_DRAW ? -1 : code_plies(code));
			before = ",";
		}
	}
	string_addf(&out, "]}");
	reply_ok(api, r->call, out.failed ? NULL : out.data);
	string_release(&out);
}
