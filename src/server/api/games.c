/*
 * games.c - routes about the games, their boards and opening books, and about positions.
 * SPDX-License-Identifier: MIT
 *
 * All of it is computed at once from the game's tables, except a position after many moves, which a
 * worker plays first (positions.c).
 */
#include <stdlib.h>

#include "core/context.h"
#include "record/record.h"
#include "server/api/inside.h"
#include "server/api/opponents.h"
#include "formats/board_json.h"
#include "formats/terms.h"
#include "formats/pgn.h"

enum { GAME_TEXT = 256 };

/* ---- Games ---- */

static json_t *choices_json(const char *choices)
{
	if (!choices)
		return json_null();
	json_t *list = json_array();
	while (*choices) {
		const size_t length = strcspn(choices, "|");
		json_array_append_new(list, json_stringn(choices, length));
		choices += length + (choices[length] == '|');
	}
	return list;
}

static json_t *option_json(const struct qv_option *o)
{
	json_t *choices = choices_json(o->choices);
	json_t *preset = json_is_array(choices)
				 ? json_incref(json_array_get(choices, (size_t)o->preset))
				 : json_integer(o->preset);
	return json_pack("{s:s, s:s, s:o, s:I, s:I, s:o}", "name", o->name, "help",
			 o->help ? o->help : "", "choices", choices, "min", (json_int_t)o->min,
			 "max", (json_int_t)o->max, "preset", preset);
}

static json_t *options_json(const struct qv_option *options)
{
	json_t *list = json_array();
	for (; options && options->name; options++)
		json_array_append_new(list, option_json(options));
	return list;
}

/* Is `perfect` a good player of the game with its default options? */
static bool is_perfect(const struct api *api, const struct qv_game *game)
{
	struct qv_rules rules;
	return qv_rules_parse(api->setup.context, game->name, &rules, NULL) == QV_OK &&
	       table_lookup_makes_perfect(api->table_lookup, &rules);
}

static json_t *game_json(const struct api *api, const struct qv_game *game)
{
	int levels = 0;
	while (qv_levels(game)[levels])
		levels++;
	return json_pack(
		"{s:s, s:s, s:i, s:b, s:i, s:o, s:b, s:s?, s:s, s:o, s:b, s:b, s:b, s:b, s:b, s:b}",
		"name", game->name, "title", game->title, "seats", game->seats, "chance",
		(int)game->chance, "levels", levels, "ladders", ladders_json(game), "perfect",
		(int)is_perfect(api, game), "solved", game->solved, "help",
		game->help ? game->help : "", "options", options_json(game->options), "board",
		game->board != NULL, "editor", game->board && game->board->set_up, "exact",
		game->seats == 2 && !game->chance, "notions", (int)game_has_terms(game), "book",
		(int)openings_has(game), "pgn", pgn_suits(game, NULL) == QV_OK);
}

void get_games(struct api *api, const struct api_request *r, const struct path_words *w)
{
	json_t *list = json_array();
	(void)w;
	for (int i = 0; qv_game_at(api->setup.context, i); i++)
		json_array_append_new(list, game_json(api, qv_game_at(api->setup.context, i)));
	reply(api, r->call, 200, list);
}

/* The rules that the query's `game` names; `what` is the route. False: an error was sent. */
static bool query_rules(struct api *api, const struct api_request *r, const char *what,
			struct qv_rules *rules)
{
	char text[GAME_TEXT];
	struct qv_error error;
	if (!query_value(r->query, "game", text, sizeof text)) {
		reply_error(api, r->call, 400, "game: missing; use %s?game=NAME", what);
		return false;
	}
	const enum qv_status status = qv_rules_parse(api->setup.context, text, rules, &error);
	if (status != QV_OK)
		reply_error(api, r->call, status == QV_UNKNOWN ? 404 : 400, "%s", error.text);
	return status == QV_OK;
}

void get_openings(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct qv_rules rules;
	(void)w;
	if (!query_rules(api, r, "openings", &rules))
		return;
	json_t *openings = openings_json(api->openings, &rules);
	if (!json_is_null(openings)) {
		reply(api, r->call, 200, openings);
		return;
	}
	json_decref(openings);
	reply_error(api, r->call, 404, "openings: %s has no opening book", rules.game->name);
}

void get_board(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct qv_rules rules;
	(void)w;
	if (!query_rules(api, r, "boards", &rules))
		return;
	json_t *board = board_json(&rules);
	if (json_is_null(board)) {
		json_decref(board);
		reply_error(api, r->call, 404, "board: %s has no board description",
			    rules.game->name);
		return;
	}
	reply(api, r->call, 200, board);
}

/* ---- Positions ---- */

/* The last move. Its text depends on the position before it, so it is taken back for a moment. */
static json_t *last_json(struct qv_record *record)
{
	const struct qv_rules *rules = qv_record_rules(record);
	const int ply = qv_record_ply(record);
	char text[QV_MOVE_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	if (ply == 0)
		return json_null();
	const qv_move move = qv_record_move(record, ply - 1);
	if (qv_record_undo(record, 1, NULL) != QV_OK)
		return json_null();
	const void *state = qv_record_state(record);
	rules->game->move_text(state, move, &out);
	json_t *last = json_pack("{s:s, s:i, s:o}", "move", text, "seat",
				 rules->game->seat(state) + 1, "touches",
				 touches_json(rules->game, state, move));
	last = put_short(last, rules->game, state, move);
	qv_record_redo(record, 1, NULL);
	return last;
}

/* All moves that led here, in short notation. */
static json_t *line_json(const struct qv_context *context, const struct qv_record *record)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	void *state = qv_state_new(context, game);
	if (!state)
		return NULL;
	json_t *line = json_array();
	tree_state_at(record, 0, state);
	for (int i = 0; i < qv_record_ply(record); i++) {
		char text[QV_MOVE_TEXT] = "";
		move_short(game, state, qv_record_move(record, i), text);
		json_array_append_new(line, json_string(text));
		game->play(state, qv_record_move(record, i));
	}
	qv_state_free(context, game, state);
	return line;
}

static bool put_line(const struct api *api, json_t *view, const struct qv_record *record)
{
	return !context_engine(qv_record_rules(record)->game)->short_text ||
	       json_object_set_new(view, "line", line_json(api->setup.context, record)) == 0;
}

void post_position(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct request_position at;
	int32_t points[QV_MAX_SEATS];
	char game[GAME_TEXT];
	struct qv_text text = { game, sizeof game, 0 };
	bool notions, book, course;        /* request_position_open reads `course` too */
	(void)w;
	if (!body_keys(api, r, "game position moves standing seat notions book course") ||
	    !body_boolean(api, r, "notions", &notions) || !body_boolean(api, r, "book", &book) ||
	    !body_boolean(api, r, "course", &course) || !request_position_open(api, r, &at))
		return;
	json_t *view = view_json(&at.rules, qv_record_state(at.record));
	const enum qv_outcome outcome = qv_record_result(at.record, points);
	qv_rules_text(&at.rules, &text);
	if (!view || !view_set_result(view, at.rules.game, outcome, points) ||
	    json_object_set_new(view, "game", json_string(game)) != 0 ||
	    json_object_set_new(view, "last", last_json(at.record)) != 0 ||
	    !put_line(api, view, at.record) ||
	    (course && json_object_set(view, "course", at.move_list) != 0) ||
	    (book && json_object_set_new(view, "book",
					 openings_at_json(api->openings, at.record)) != 0) ||
	    (notions && json_object_set_new(view, "notions",
					    terms_json(&at.rules, qv_record_state(at.record),
							 TERM_CELL_NUMBERS)) != 0)) {
		json_decref(view);
		view = NULL;
	}
	request_position_release(&at);
	reply(api, r->call, 200, view);
}
