/*
 * server_api.c - the web interface without sockets: whole games, rights, limits, what survives; and
 * every answer against openapi.json.
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <sys/resource.h>

#include "support/accounts.h"
#include "support/people.h"

#define PLAYS "/api/v1/plays"

/* ---- Small things ---- */

static const char *make(struct api_desk *d, const struct visitor *who, const char *body)
{
	const json_t *created = desk_ask(d, who, "POST", PLAYS, body, 201);
	assert_int_equal(strncmp(desk_text(created, "seat_token"), "st_", 3), 0);
	return desk_text(created, "id");
}

static json_t *move(struct api_desk *d, const struct visitor *who, const char *id, const char *text,
		    int status)
{
	char body[100];
	snprintf(body, sizeof body, "{\"move\":\"%s\"}", text);
	return desk_ask(d, who, "POST", play_path(id, "/moves"), body, status);
}

static json_t *act(struct api_desk *d, const struct visitor *who, const char *id, const char *body,
		   int status)
{
	return desk_ask(d, who, "POST", play_path(id, "/actions"), body, status);
}

static json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static json_t *look(struct api_desk *d, const struct visitor *who, const char *id)
{
	return desk_ask(d, who, "GET", play_path(id, ""), NULL, 200);
}

static const json_t *seat_of(const json_t *play, size_t seat)
{
	return json_array_get(json_object_get(play, "seats"), seat);
}

/* ---- Games and positions ---- */

static void test_games__boards_and_positions_are_shown(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *games = desk_ask(&d, &me, "GET", "/api/v1/games", NULL, 200);
	assert_true(json_array_size(games) >= 6);
	for (size_t i = 0; i < json_array_size(games); i++) {
		const json_t *game = json_array_get(games, i);
		char path[128], body[128];
		snprintf(path, sizeof path, "/api/v1/boards?game=%s", desk_text(game, "name"));
		desk_ask(&d, &me, "GET", path, NULL,
			 json_is_true(json_object_get(game, "board")) ? 200 : 404);
		snprintf(body, sizeof body, "{\"game\":\"%s\"}", desk_text(game, "name"));
		const json_t *view = desk_ask(&d, &me, "POST", "/api/v1/positions", body, 200);
		assert_true(json_array_size(json_object_get(view, "moves")) > 0);
	}
	desk_ask(&d, &me, "GET", "/api/v1/boards?game=hexapawn%3Ablocked%3Ddraw", NULL, 200);
	desk_ask(&d, &me, "GET", "/api/v1/boards?game=%zz", NULL, 400);
	desk_ask(&d, &me, "GET", "/api/v1/boards", NULL, 400);
	desk_ask(&d, &me, "GET", "/api/v1/boards?game=chequers9", NULL, 404);
	const json_t *view = desk_ask(&d, &me, "POST", "/api/v1/positions",
				      "{\"game\":\"noughts\",\"moves\":[\"5\",\"1\"]}", 200);
	assert_string_equal(desk_text(view, "position"), "o...x.... x");
	assert_string_equal(desk_text(json_object_get(view, "last"), "move"), "1");
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"noughts\",\"standing\":[[0,1,1],[4,0,1]],\"seat\":1}", 200);
	assert_string_equal(desk_text(view, "position"), "o...x.... x");
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"noughts\",\"moves\":[\"0\"]}",
		 409);
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"noughts\",\"moves\":7}", 400);
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"noughts\",\"more\":7}", 400);
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"noughts\",\"position\":\"?\"}",
		 400);
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"position\":\"start\"}", 400);
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"noughts\",\"standing\":{}}",
		 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_games__notions_are_told_when_asked_for(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *view = desk_ask(&d, &me, "POST", "/api/v1/positions",
				      "{\"game\":\"connect4\",\"position\":\"112233\"}", 200);
	assert_null(json_object_get(view, "notions"));
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"connect4\",\"position\":\"112233\",\"notions\":true}", 200);
	const json_t *list = json_object_get(view, "notions"), *first = json_array_get(list, 0);
	assert_int_equal(json_array_size(list), 3);
	assert_string_equal(desk_text(first, "name"), "immediate odd threats");
	assert_int_equal(json_integer_value(json_object_get(first, "seat")), 1);
	assert_string_equal(desk_text(first, "mark"), "odd");
	/* Column 4, row 1. */
	assert_int_equal(json_integer_value(json_array_get(json_object_get(first, "cells"), 0)), 18);
	assert_true(json_is_null(json_object_get(
		desk_ask(&d, &me, "POST", "/api/v1/positions",
			 "{\"game\":\"noughts\",\"notions\":true}", 200),
		"notions")));
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"noughts\",\"notions\":1}", 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Thinking ---- */

static void test_values__are_those_of_the_game(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	/* An edge in answer to the middle loses, but for the edge opposite. */
	const json_t *values = desk_ask(&d, &me, "POST", "/api/v1/values",
					"{\"game\":\"noughts\",\"moves\":[\"5\",\"2\"]}", 200);
	assert_true(json_is_true(json_object_get(values, "exact")));
	size_t i;
	const json_t *entry;
	json_array_foreach(json_object_get(values, "values"), i, entry)
		assert_string_equal(desk_text(entry, "value"),
				    strcmp(desk_text(entry, "move"), "8") == 0 ? "draw" : "win");
	/* One to win now: in one ply. */
	values = desk_ask(&d, &me, "POST", "/api/v1/values",
			  "{\"game\":\"noughts\",\"position\":\"xx.oo.... x\"}", 200);
	entry = json_array_get(json_object_get(values, "values"), 0);
	assert_string_equal(desk_text(entry, "move"), "3");
	assert_string_equal(desk_text(entry, "value"), "win");
	assert_int_equal(number(entry, "in"), 1);
	/* Hexapawn is lost for the first to move. */
	values = desk_ask(&d, &me, "POST", "/api/v1/values", "{\"game\":\"hexapawn\"}", 200);
	json_array_foreach(json_object_get(values, "values"), i, entry)
		assert_string_equal(desk_text(entry, "value"), "loss");
	desk_ask(&d, &me, "POST", "/api/v1/values", "{\"game\":\"race\"}", 409);
	desk_ask(&d, &me, "POST", "/api/v1/values",
		 "{\"game\":\"noughts\",\"position\":\"xxxoo.... o\"}", 409);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_analysis__streams_and_ends(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	uint64_t call =
		desk_send(&d, &me, "POST", "/api/v1/analysis",
			  "{\"game\":\"noughts\",\"position\":\"xx.oo.... x\",\"lines\":3}");
	const struct desk_call *c = desk_wait(&d, call, 1000);
	assert_true(c->ended && c->last->stream);
	const json_t *line = json_array_get(json_object_get(c->last->json, "lines"), 0);
	assert_true(json_is_true(json_object_get(c->last->json, "done")));
	assert_int_equal(json_array_size(json_object_get(c->last->json, "lines")), 3);
	assert_string_equal(desk_text(line, "move"), "3");
	assert_int_equal(number(line, "in"), 1);
	assert_true(json_number_value(json_object_get(c->last->json, "share")) == 1);
	/* Random games and dice have shares too. */
	desk_wait(&d, desk_send(&d, &me, "POST", "/api/v1/analysis",
				"{\"game\":\"connect4\",\"player\":\"mcts:playouts=200\"}"), 1000);
	desk_wait(&d, desk_send(&d, &me, "POST", "/api/v1/analysis",
				"{\"game\":\"race\",\"moves\":[\"roll 1\"],\"time\":50}"), 1000);
	desk_ask(&d, &me, "POST", "/api/v1/analysis", "{\"game\":\"race\"}", 409);
	desk_ask(&d, &me, "POST", "/api/v1/analysis", "{\"game\":\"noughts\",\"lines\":9}", 400);
	desk_ask(&d, &me, "POST", "/api/v1/analysis",
		 "{\"game\":\"noughts\",\"player\":\"qgp:ls\"}", 400);
	/* A cancelled one says nothing more, and makes room for the next. */
	call = desk_send(&d, &me, "POST", "/api/v1/analysis",
			 "{\"game\":\"reversi\",\"time\":30000}");
	desk_wait(&d, call, 1);
	api_cancel(d.api, call);
	const int told = d.call[call].count;
	desk_ask(&d, &me, "POST", "/api/v1/values", "{\"game\":\"noughts\"}", 200);
	assert_int_equal(d.call[call].count, told);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_analysis__queue_is_bounded_and_fair(void **state)
{
	struct api_desk d;
	uint64_t calls[6];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d), you = desk_visitor(&d);
	for (int i = 0; i < 6; i++) {
		calls[i] = desk_send(&d, &me, "POST", "/api/v1/analysis",
				     "{\"game\":\"reversi\",\"time\":30000}");
		if (i == 0)
			desk_wait(&d, calls[0], 1);
	}
	assert_int_equal(d.call[calls[5]].last->status, 429);
	/* Another's turn comes when the first ends, before those that waited longer. */
	const uint64_t yours =
		desk_send(&d, &you, "POST", "/api/v1/values", "{\"game\":\"noughts\"}");
	/* It may wait for the store before it is queued. */
	while (number(desk_ask(&d, &me, "GET", "/api/v1/health", NULL, 200), "queue") < 6)
		desk_turn(&d, 1);
	api_cancel(d.api, calls[0]);
	assert_int_equal(desk_wait(&d, yours, 1)->last->status, 200);
	assert_int_equal(d.call[calls[2]].count, 0);
	/* Nor does a computer's move wait for an analysis. */
	const char *id = make(&d, &you, "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}");
	const uint64_t events = desk_send(&d, &you, "GET", play_path(id, "/events"), NULL);
	desk_wait(&d, events, 1);
	move(&d, &you, id, "5", 200);
	const struct desk_call *c = desk_wait(&d, events, 3);
	assert_int_equal(number(c->last->json, "version"), 2);
	desk_close(&d);
}

/* ---- Plays ---- */

/* What a follower was told: versions without gaps. */
static void check_versions(const struct desk_call *events)
{
	json_int_t version = -1;
	for (const struct desk_answer *a = events->first; a; a = a->next) {
		const json_int_t next = number(a->json, "version");
		if (a != events->first && strcmp(desk_text(a->json, "type"), "move") == 0)
			assert_int_equal(next, version + 1);
		assert_true(next >= version);
		version = next;
	}
}

/* A saved game can be played on from. */
static void check_copy(struct api_desk *d, const struct visitor *who, const char *record, size_t plies)
{
	json_t *body = json_pack("{s:s}", "record", record);
	char *text = json_dumps(body, 0);
	const char *copy = make(d, who, text);
	assert_int_equal(json_array_size(json_object_get(look(d, who, copy), "line")), plies);
	free(text);
	json_decref(body);
}

static bool is_private(struct api_desk *d, const struct visitor *who, const char *body)
{
	return json_is_true(json_object_get(look(d, who, make(d, who, body)), "private"));
}

/* Against a computer nobody expects to be watched; an open seat must be seen, though. */
static void test_plays__those_against_computers_are_private(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	assert_true(is_private(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}"));
	assert_true(is_private(&d, &a, "{\"game\":\"noughts\"}"));
	assert_false(is_private(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}"));
	assert_false(is_private(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}"));
	assert_false(is_private(&d, &a, "{\"game\":\"starchess\",\"seats\":[\"human\",\"open\","
					"\"level:1\",\"level:1\"]}"));
	assert_false(is_private(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"],"
					"\"private\":false}"));
	assert_true(is_private(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"],"
				       "\"private\":true}"));
	desk_close(&d);
}

/* Pages list a game against a computer from your first move on. */
static void test_plays__games_begin_with_your_move(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}");
	const json_t *plays = json_object_get(desk_ask(&d, &a, "GET", "/api/v1/me", NULL, 200), "plays");
	assert_true(json_is_false(json_object_get(json_array_get(plays, 0), "begun")));
	move(&d, &a, id, "5", 200);
	plays = json_object_get(desk_ask(&d, &a, "GET", "/api/v1/me", NULL, 200), "plays");
	assert_true(json_is_true(json_object_get(json_array_get(plays, 0), "begun")));
	desk_close(&d);
}

/* After a roll, which touches nothing, the board still shows the move before it. */
static void test_plays__a_roll_leaves_the_last_move_shown(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"backgammon\",\"seats\":[\"human\",\"human\"],\"dice\":\"typed\"}");
	move(&d, &a, id, "roll 31", 200);
	const json_t *play = look(&d, &a, id);
	const json_t *moves = json_object_get(json_object_get(play, "view"), "moves");
	char text[64];
	snprintf(text, sizeof text, "%s", desk_text(json_array_get(moves, 0), "move"));
	move(&d, &a, id, text, 200);
	const json_t *last = json_object_get(json_object_get(look(&d, &a, id), "view"), "last");
	const json_t *touches = json_object_get(last, "touches");
	assert_string_equal(desk_text(last, "move"), text);
	assert_true(json_array_size(touches) > 0);
	json_t *kept = json_deep_copy(touches);
	move(&d, &a, id, "roll 54", 200);
	last = json_object_get(json_object_get(look(&d, &a, id), "view"), "last");
	assert_string_equal(desk_text(last, "move"), "roll 54");
	assert_true(json_equal(json_object_get(last, "touches"), kept));
	json_decref(kept);
	desk_close(&d);
}

static void test_plays__two_visitors_play_while_one_looks_on(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d), c = desk_visitor(&d);
	desk_ask(&d, &a, "POST", "/api/v1/me", "{\"name\":\"Ada\"}", 200);
	const char *id = make(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}");
	const json_t *lobby = desk_ask(&d, &c, "GET", "/api/v1/lobby", NULL, 200);
	assert_string_equal(desk_text(json_array_get(json_object_get(lobby, "open"), 0), "id"), id);
	const uint64_t watch = desk_send(&d, &c, "GET", play_path(id, "/events"), NULL);
	const uint64_t lobby_events = desk_send(&d, &c, "GET", "/api/v1/lobby/events", NULL);
	desk_wait(&d, lobby_events, 1);
	const struct desk_call *seen = desk_wait(&d, watch, 1);
	assert_string_equal(desk_text(seen->last->json, "type"), "play");
	assert_string_equal(desk_text(seat_of(seen->last->json, 0), "name"), "Ada");
	move(&d, &b, id, "1", 403);
	act(&d, &b, id, "{\"action\":\"join\",\"name\":\"Bob\"}", 200);
	move(&d, &b, id, "1", 409);                /* not his turn */
	move(&d, &c, id, "1", 403);
	move(&d, &a, id, "x", 409);
	static const char *const moves[] = { "1", "4", "2", "5", "3" };
	for (int i = 0; i < 5; i++)
		move(&d, i % 2 ? &b : &a, id, moves[i], 200);
	const json_t *play = look(&d, &c, id);
	assert_string_equal(desk_text(play, "result"), "win 1");
	assert_false(json_is_true(json_object_get(seat_of(play, 0), "you")));
	assert_true(json_is_true(json_object_get(seat_of(look(&d, &a, id), 0), "you")));
	move(&d, &b, id, "9", 409);
	seen = desk_wait(&d, watch, 7);
	check_versions(seen);
	assert_int_equal(number(seen->last->json, "version"), number(play, "version"));
	d.skew += 2000;
	seen = desk_wait(&d, lobby_events, 2);
	assert_int_equal(json_array_size(json_object_get(seen->last->json, "open")), 0);
	/* The rematch: both want it, and there is a new play. */
	act(&d, &a, id, "{\"action\":\"offer\",\"kind\":\"rematch\"}", 200);
	play = act(&d, &b, id, "{\"action\":\"accept\",\"kind\":\"rematch\"}", 200);
	const char *next = desk_text(play, "rematch");
	assert_string_not_equal(next, "");
	assert_int_equal(number(look(&d, &a, next), "version"), 0);
	/* Nothing is told after a cancel. */
	api_cancel(d.api, watch);
	const int told = d.call[watch].count;
	desk_ask(&d, &a, "POST", play_path(id, "/phrases"), "{\"phrase\":\"well_played\"}", 200);
	assert_int_equal(d.call[watch].count, told);
	const uint64_t record = desk_send(&d, &c, "GET", play_path(id, "/record"), NULL);
	const struct desk_call *saved = desk_wait(&d, record, 1);
	assert_string_equal(saved->last->type, "application/x-ndjson");
	assert_non_null(strstr(saved->last->file, "noughts-"));
	check_copy(&d, &c, saved->last->text, 5);
	/* The same as PGN. */
	saved = desk_wait(&d, desk_send(&d, &c, "GET", play_path(id, "/record?format=pgn"), NULL), 1);
	assert_string_equal(saved->last->type, "application/x-chess-pgn");
	assert_non_null(strstr(saved->last->file, ".pgn"));
	assert_non_null(strstr(saved->last->text, "[Variant \"noughts\"]\n"));
	check_copy(&d, &c, saved->last->text, 5);
	desk_ask(&d, &c, "GET", play_path(id, "/record?format=sgf"), NULL, 400);
	desk_ask(&d, &c, "POST", "/api/v1/plays",
		 "{\"record\":\"[Variant \\\"noughts\\\"]\\n\\n1. 5 5 *\"}", 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_plays__who_is_there_is_told(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}");
	act(&d, &b, id, "{\"action\":\"join\"}", 200);
	const uint64_t of_a = desk_send(&d, &a, "GET", play_path(id, "/events"), NULL);
	const struct desk_call *c = desk_wait(&d, of_a, 1);
	assert_int_equal(c->count, 1); /* it says that A is there */
	const uint64_t of_b = desk_send(&d, &b, "GET", play_path(id, "/events"), NULL);
	d.skew += 2000;
	desk_wait(&d, of_a, 2);
	while (!json_is_true(json_object_get(seat_of(c->last->json, 1), "connected"))) {
		d.skew += 2000;
		desk_wait(&d, of_a, c->count + 1);
	}
	const int told = c->count;
	api_cancel(d.api, of_b);
	d.skew += 2000;
	desk_wait(&d, of_a, told + 1);
	assert_true(json_is_false(json_object_get(seat_of(c->last->json, 1), "connected")));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_plays__computers_rest_while_nobody_looks(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"reversi\",\"seats\":[\"level:1\",\"level:1\"]}");
	uint64_t events = desk_send(&d, &a, "GET", play_path(id, "/events"), NULL);
	for (int i = 2; i < 6; i++) {
		d.skew += 600;
		desk_wait(&d, events, i);
	}
	api_cancel(d.api, events);
	d.skew += 60000;
	desk_turn(&d, 20);
	d.skew += 60000;
	desk_turn(&d, 20);
	const json_int_t version = number(look(&d, &a, id), "version");
	assert_in_range(version, 3, 8);
	events = desk_send(&d, &a, "GET", play_path(id, "/events"), NULL);
	d.skew += 600;
	desk_wait(&d, events, 2);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_plays__dice_are_thrown(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"race\",\"seats\":[\"human\",\"level:1\"],"
				      "\"clock\":\"5m\",\"private\":true}");
	const json_t *play = act(&d, &a, id, "{\"action\":\"throw\",\"seed\":\"mine\"}", 200);
	const json_t *last = json_object_get(json_object_get(play, "dice"), "last");
	assert_string_equal(desk_text(last, "seed"), "mine");
	assert_int_equal(strlen(desk_text(last, "secret")), 64);
	assert_true(json_is_object(json_object_get(play, "clocks")));
	const json_t *lobby = desk_ask(&d, &a, "GET", "/api/v1/lobby", NULL, 200);
	assert_int_equal(json_array_size(json_object_get(lobby, "open")), 0);
	const char *typed = make(&d, &a, "{\"game\":\"race\",\"dice\":\"typed\"}");
	move(&d, &a, typed, "roll 1", 200);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_plays__a_flag_falls(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = make(
		&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"],\"clock\":\"1m\"}");
	act(&d, &b, id, "{\"action\":\"join\"}", 200);
	move(&d, &a, id, "5", 200);
	move(&d, &b, id, "1", 200);
	const uint64_t events = desk_send(&d, &b, "GET", play_path(id, "/events"), NULL);
	desk_wait(&d, events, 1);
	d.skew += 61000;
	const struct desk_call *c = desk_wait(&d, events, 2);
	while (json_is_null(json_object_get(c->last->json, "result")))
		desk_wait(&d, events, c->count + 1);
	assert_string_equal(desk_text(c->last->json, "result"), "win 2");
	assert_string_equal(desk_text(c->last->json, "reason"), "time");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_plays__bad_requests_are_refused(void **state)
{
	static const struct {
		const char *body;
		int status;
	} bad[] = {
		{ "{}", 400 },
		{ "{\"game\":\"nosuch\"}", 400 },
		{ "{\"game\":7}", 400 },
		{ "{\"game\":\"noughts\",\"seats\":\"human\"}", 400 },
		{ "{\"game\":\"noughts\",\"seats\":[\"human\"]}", 400 },
		{ "{\"game\":\"noughts\",\"seats\":[\"human\",7]}", 400 },
		{ "{\"game\":\"noughts\",\"seats\":[\"human\",\"qgp:rm -rf\"]}", 400 },
		{ "{\"game\":\"noughts\",\"seats\":[\"human\",\"learn:file=/etc/passwd\"]}", 400 },
		{ "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:99\"]}", 400 },
		{ "{\"game\":\"noughts\",\"position\":\"nonsense\"}", 400 },
		{ "{\"game\":\"noughts\",\"moves\":[7]}", 400 },
		{ "{\"game\":\"noughts\",\"clock\":\"soon\"}", 400 },
		{ "{\"game\":\"race\",\"dice\":\"loaded\"}", 400 },
		{ "{\"game\":\"noughts\",\"private\":1}", 400 },
		{ "{\"game\":\"noughts\",\"name\":\"\"}", 400 },
		{ "{\"game\":\"noughts\",\"record\":\"nonsense\"}", 400 },
		{ "{\"game\":\"noughts\",\"extra\":1}", 400 },
	};
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		desk_ask(&d, &a, "POST", PLAYS, bad[i].body, bad[i].status);
	const char *id = make(&d, &a, "{\"game\":\"noughts\"}");
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), "{}", 400);
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":[]}", 400);
	act(&d, &a, id, "{\"action\":\"fly\"}", 400);
	act(&d, &a, id, "{}", 400);
	act(&d, &a, id,
	    "{\"action\":\"seat\",\"seat\":2,\"spec\":\"alphabeta:weights=/etc/passwd\"}", 400);
	desk_ask(&d, &a, "GET", PLAYS, NULL, 405);
	desk_ask(&d, &a, "GET", PLAYS "/", NULL, 404);
	desk_ask(&d, &a, "GET", PLAYS "/AAAAAAAAAAAAAAAA", NULL, 404);
	desk_ask(&d, &a, "GET", PLAYS "/../secret", NULL, 404);
	desk_ask(&d, &a, "POST", "/api/v1/health", "{}", 405);
	desk_ask(&d, &a, "GET", "/api/v2/games", NULL, 404);
	desk_ask(&d, &a, "GET", "", NULL, 404);
	desk_ask(&d, &a, "GET", "/api/v1/matches/..", NULL, 404);
	desk_ask(&d, &a, "GET", "/api/v1/matches/none", NULL, 404);
	desk_ask(&d, &a, "GET", "/api/v1/matches/none/games/x", NULL, 404);
	desk_ask(&d, &a, "POST", PLAYS, "[]", 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Limits, with a clock that stands ---- */

static void test_limits__an_address_may_ask_only_so_fast(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1);
	const struct visitor a = desk_visitor(&d);
	d.now = clock_us() / 1000 + 60000;
	d.frozen = true;
	for (int i = 0; i < 40; i++)
		desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200);
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 429);
	d.now += 50;                               /* a twentieth of a second: one more */
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200);
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 429);
	d.now += 60000;
	for (int i = 0; i < 30; i++)
		desk_ask(&d, &a, "POST", PLAYS, "{}", 400);
	desk_ask(&d, &a, "POST", PLAYS, "{}", 429);
	d.now += 2000;
	desk_ask(&d, &a, "POST", PLAYS, "{}", 400);
	for (int i = 0; i < 5; i++)
		desk_ask(&d, &a, "POST", "/api/v1/accounts", "{}", 400);
	desk_ask(&d, &a, "POST", "/api/v1/accounts", "{}", 429);
	d.now += 60000;
	const char *id = make(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}");
	for (int i = 0; i < 20; i++)
		move(&d, &a, id, "x", 409);
	move(&d, &a, id, "x", 429);
	d.now += 60000;
	for (int i = 0; i < 32; i++)
		desk_wait(&d, desk_send(&d, &a, "GET", play_path(id, "/events"), NULL), 1);
	desk_ask(&d, &a, "GET", play_path(id, "/events"), NULL, 429);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_limits__a_user_has_only_so_many_plays(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1000);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	for (int i = 0; i < 200; i++)
		make(&d, &a, "{\"game\":\"noughts\"}");
	desk_ask(&d, &a, "POST", PLAYS, "{\"game\":\"noughts\"}", 429);
	make(&d, &b, "{\"game\":\"noughts\"}");
	desk_close(&d);
}

/* ---- What survives ---- */

static void test_plays__survive_a_close_and_a_crash(void **state)
{
	struct api_desk d, after;
	char copy[64];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"connect4\",\"seats\":[\"human\",\"open\"]}");
	act(&d, &b, id, "{\"action\":\"join\"}", 200);
	move(&d, &a, id, "4", 200);
	move(&d, &b, id, "4", 200);
	/* In mid-flight: one move is acknowledged, the next is on its way. */
	move(&d, &a, id, "3", 200);
	const uint64_t flying =
		desk_send(&d, &b, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}");
	desk_copy_folder(&d, copy);
	const struct desk_call *c = desk_wait(&d, flying, 1);
	assert_int_equal(c->last->status, 200);
	const json_int_t version = number(c->last->json, "version");
	/* The same again after an orderly close. */
	desk_reopen(&d);
	const json_t *play = look(&d, &a, id);
	assert_int_equal(number(play, "version"), version);
	assert_int_equal(json_array_size(json_object_get(play, "line")), 4);
	move(&d, &a, id, "3", 200);
	/* From the copy: all that was acknowledged before it was taken, and perhaps one more. */
	desk_open(&after, 1, 100);
	api_close(after.api);
	desk_remove(after.folder);
	assert_int_equal(rename(copy, after.folder), 0);
	desk_api_open(&after);
	play = look(&after, &a, id);
	assert_in_range(json_array_size(json_object_get(play, "line")), 3, 4);
	const bool three = json_array_size(json_object_get(play, "line")) == 3;
	move(&after, three ? &b : &a, id, "5", 200);
	desk_close(&after);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_plays__answers_come_in_order_however_fast_they_are_asked(void **state)
{
	struct api_desk d;
	uint64_t calls[7];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}");
	const uint64_t events = desk_send(&d, &a, "GET", play_path(id, "/events"), NULL);
	static const char *const moves[] = { "5", "1", "2", "8", "7", "3", "4" };
	for (int i = 0; i < 7; i++) {
		char body[32];
		snprintf(body, sizeof body, "{\"move\":\"%s\"}", moves[i]);
		calls[i] = desk_send(&d, &a, "POST", play_path(id, "/moves"), body);
		assert_int_equal(d.call[calls[i]].count, 0);       /* not before it is on disk */
	}
	for (int i = 0; i < 7; i++) {
		const struct desk_call *c = desk_wait(&d, calls[i], 1);
		assert_int_equal(number(c->last->json, "version"), i + 1);
	}
	check_versions(desk_wait(&d, events, 8));
	/* One that is cancelled is made all the same, and not answered. */
	calls[0] = desk_send(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"6\"}");
	api_cancel(d.api, calls[0]);
	assert_int_equal(number(look(&d, &a, id), "version"), 8);
	assert_int_equal(d.call[calls[0]].count, 0);
	desk_close(&d);
}

static void test_plays__idle_ones_are_forgotten_and_come_back(void **state)
{
	enum { VISITORS = 24, EACH = 190 };
	struct api_desk d;
	struct visitor first;
	const char *id = NULL;
	(void)state;
	desk_open(&d, 1, 1000);
	for (int i = 0; i < VISITORS; i++) {
		const struct visitor who = desk_visitor(&d);
		uint64_t call = 0;
		for (int k = 0; k < EACH; k++)
			call = desk_send(&d, &who, "POST", PLAYS,
					 "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}");
		const struct desk_call *c = desk_wait(&d, call, 1);
		assert_int_equal(c->last->status, 201);
		if (i == 0) {
			first = who;
			id = desk_text(c->last->json, "id");
		}
		d.skew += 3000;
	}
	desk_turn(&d, 20);
	const json_t *health = desk_ask(&d, &first, "GET", "/api/v1/health", NULL, 200);
	assert_in_range(number(health, "plays"), 1, 4000);
	assert_int_equal(number(move(&d, &first, id, "5", 200), "version"), 1);
	desk_close(&d);
}

/* A disk that is full, or nearly: no file may grow. */
static void let_files_grow(bool may)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = may ? limit.rlim_max : 0;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_plays__what_cannot_be_kept_is_not_acknowledged(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}");
	move(&d, &a, id, "5", 200);
	const uint64_t events = desk_send(&d, &b, "GET", play_path(id, "/events"), NULL);
	desk_wait(&d, events, 1);
	let_files_grow(false);
	const uint64_t first = desk_send(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"1\"}");
	const uint64_t second =
		desk_send(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"2\"}");
	desk_wait(&d, first, 1);
	desk_wait(&d, second, 1);
	let_files_grow(true);
	assert_int_equal(d.call[first].last->status, 503);
	assert_int_equal(d.call[second].last->status, 503);
	/* Who followed heard nothing of it, and is sent away to ask anew. */
	assert_true(desk_wait(&d, events, 2)->ended);
	assert_int_equal(d.call[events].count, 2);
	assert_int_equal(number(look(&d, &a, id), "version"), 1);
	assert_int_equal(number(move(&d, &a, id, "3", 200), "version"), 2);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Matches, and the whole description ---- */

static void write_journal(const struct api_desk *d)
{
	char path[128], command[600];
	snprintf(path, sizeof path, "%s/matches", d->folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(command, sizeof command,
		 "%s match noughts --player a=random --player b=level:1 --games 4 --journal "
		 "%s/small >/dev/null 2>&1",
		 QUEVEDO, path);
	assert_int_equal(system(command), 0);
}

/* A guest reports the study of another one. */
static void try_report(struct api_desk *d, const struct visitor *a)
{
	const struct visitor guest = desk_visitor(d);
	char body[160];
	const json_t *made = desk_ask(d, a, "POST", "/api/v1/studies",
				      "{\"title\":\"Odd\",\"chapters\":[{\"name\":\"One\",\"record\":"
				      "\"{\\\"quevedo\\\":1,\\\"game\\\":\\\"noughts\\\",\\\"position\\\":"
				      "\\\"start\\\",\\\"seats\\\":[]}\\n\"}]}",
				      201);
	snprintf(body, sizeof body, "{\"kind\":\"study\",\"id\":\"%s\",\"reason\":\"other\"}",
		 desk_text(made, "id"));
	desk_ask(d, &guest, "POST", "/api/v1/reports", body, 201);
}

static void test_openapi__every_route_answers_as_it_says(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	write_journal(&d);
	desk_mails(&d);
	const char *id = make(&d, &a, "{\"game\":\"race\"}");
	static const char *const gets[] = {
		"health",
		"health/live",
		"health/ready",
		"privacy",
		"openapi.json",
		"games",
		"gallery",
		"history",
		"boards?game=reversi",
		"openings?game=reversi",
		"pictures?game=reversi",
		"lobby",
		"lobby/events",
		"me",
		"puzzles/chess",
		"me/games",
		"studies",
		"matches",
		"matches/small",
		"matches/small/events",
		"matches/small/games/1",
	};
	static const char *const posts[][2] = {
		{ "positions", "{\"game\":\"reversi\"}" }, { "values", "{\"game\":\"hexapawn\"}" },
		{ "records", "{\"record\":\"[White \\\"?\\\"]\"}" },
		{ "analysis", "{\"game\":\"reversi\",\"time\":20}" }, { "evaluation", "{\"game\":\"chess\"}" },
		{ "luck", "{\"game\":\"race\",\"moves\":[\"roll 6\"]}" },
		{ "review", "{\"game\":\"noughts\",\"moves\":[\"5\",\"2\"]}" },
		{ "explanations", "{\"game\":\"starchess\"}" }, { "explorer", "{\"game\":\"chess\"}" },
		{ "me", "{\"name\":\"Zo\\u00eb\"}" }, { "tokens", "{}" },
		{ "me/games", "{\"delete\":[\"none\"]}" }, { "puzzles/chess/attempts", "{\"puzzle\":\"1x272dg\"}" },
	};
	char path[128];
	for (size_t i = 0; i < sizeof gets / sizeof *gets; i++) {
		snprintf(path, sizeof path, "/api/v1/%s", gets[i]);
		desk_ask(&d, &a, "GET", path, NULL, 200);
	}
	for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
		snprintf(path, sizeof path, "/api/v1/%s", posts[i][0]);
		desk_wait(&d, desk_send(&d, &a, "POST", path, posts[i][1]), 1);
	}
	try_study(&d, &a);
	try_people(&d, &a);
	try_report(&d, &a);
	try_accounts(&d);
	act(&d, &a, id, "{\"action\":\"throw\"}", 200);
	const json_t *moves = json_object_get(json_object_get(look(&d, &a, id), "view"), "moves");
	move(&d, &a, id, desk_text(json_array_get(moves, 0), "move"), 200);
	desk_wait(&d, desk_send(&d, &a, "GET", play_path(id, "/events"), NULL), 1);
	desk_wait(&d, desk_send(&d, &a, "GET", play_path(id, "/record"), NULL), 1);
	desk_check_routes(&d);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_games__boards_and_positions_are_shown),
		cmocka_unit_test(test_games__notions_are_told_when_asked_for),
		cmocka_unit_test(test_values__are_those_of_the_game),
		cmocka_unit_test(test_analysis__streams_and_ends),
		cmocka_unit_test(test_analysis__queue_is_bounded_and_fair),
		cmocka_unit_test(test_plays__those_against_computers_are_private),
		cmocka_unit_test(test_plays__games_begin_with_your_move),
		cmocka_unit_test(test_plays__a_roll_leaves_the_last_move_shown),
		cmocka_unit_test(test_plays__two_visitors_play_while_one_looks_on),
		cmocka_unit_test(test_plays__who_is_there_is_told),
		cmocka_unit_test(test_plays__computers_rest_while_nobody_looks),
		cmocka_unit_test(test_plays__dice_are_thrown),
		cmocka_unit_test(test_plays__a_flag_falls),
		cmocka_unit_test(test_plays__bad_requests_are_refused),
		cmocka_unit_test(test_limits__an_address_may_ask_only_so_fast),
		cmocka_unit_test(test_limits__a_user_has_only_so_many_plays),
		cmocka_unit_test(test_plays__survive_a_close_and_a_crash),
		cmocka_unit_test(test_plays__answers_come_in_order_however_fast_they_are_asked),
		cmocka_unit_test(test_plays__idle_ones_are_forgotten_and_come_back),
		cmocka_unit_test(test_plays__what_cannot_be_kept_is_not_acknowledged),
		cmocka_unit_test(test_openapi__every_route_answers_as_it_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
