/*
 * server_books.c - what the web interface tells of opening books.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"

static void test_games__books_are_told_when_asked_for(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *view = desk_ask(&d, &me, "POST", "/api/v1/positions",
				      "{\"game\":\"reversi\",\"moves\":[\"d3\"]}", 200);
	assert_null(json_object_get(view, "book"));
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"reversi\",\"moves\":[\"d3\"],\"book\":true}", 200);
	const json_t *book = json_object_get(view, "book"), *moves = json_object_get(book, "moves");
	assert_true(json_is_true(json_object_get(book, "known")));
	assert_true(json_is_null(json_object_get(book, "opening")));
	assert_int_equal(json_array_size(moves), 3);
	assert_string_equal(desk_text(json_array_get(moves, 0), "move"), "c5");
	assert_string_equal(desk_text(json_array_get(moves, 0), "name"), "Perpendicular");
	assert_string_equal(desk_text(json_array_get(moves, 2), "name"), "Parallel");
	assert_string_equal(desk_text(json_array_get(moves, 2), "towards"), "Parallel");
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"reversi\",\"moves\":[\"d3\",\"c5\"],\"book\":true}", 200);
	moves = json_object_get(json_object_get(view, "book"), "moves");
	assert_true(json_is_null(json_object_get(json_array_get(moves, 0), "name")));
	assert_string_equal(desk_text(json_array_get(moves, 0), "towards"), "Tiger");
	/* Behind the book: the last name on the way, and the position itself is as it was. */
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"reversi\",\"book\":true,\"moves\":[\"f5\",\"f4\",\"e3\"]}",
			200);
	book = json_object_get(view, "book");
	assert_true(json_is_false(json_object_get(book, "known")));
	assert_string_equal(desk_text(book, "opening"), "Parallel");
	assert_int_equal(json_array_size(json_object_get(book, "moves")), 0);
	assert_string_equal(desk_text(json_object_get(view, "last"), "move"), "e3");
	assert_int_equal(json_integer_value(json_object_get(view, "seat")), 2);
	/* No book of the game, or not with these options. */
	static const char *const without[] = { "race", "hexapawn", "hexapawn:blocked=draw" };
	for (int i = 0; i < 3; i++) {
		char body[96], path[96];
		snprintf(body, sizeof body, "{\"game\":\"%s\",\"book\":true}", without[i]);
		assert_true(json_is_null(json_object_get(
			desk_ask(&d, &me, "POST", "/api/v1/positions", body, 200), "book")));
		snprintf(path, sizeof path, "/api/v1/openings?game=%s", without[i]);
		desk_ask(&d, &me, "GET", path, NULL, 404);
	}
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"reversi\",\"book\":1}", 400);
	desk_ask(&d, &me, "GET", "/api/v1/openings", NULL, 400);
	desk_ask(&d, &me, "GET", "/api/v1/openings?game=nothing", NULL, 404);
	/* Every opening that is listed can be played. */
	static const char *const games[] = { "noughts", "connect4", "reversi" };
	for (int i = 0; i < 3; i++) {
		char path[64];
		snprintf(path, sizeof path, "/api/v1/openings?game=%s", games[i]);
		json_t *openings = json_deep_copy(desk_ask(&d, &me, "GET", path, NULL, 200));
		const json_t *lines = json_object_get(openings, "lines");
		assert_true(json_array_size(lines) >= 3);
		for (size_t k = 0; k < json_array_size(lines); k++) {
			const json_t *line = json_array_get(lines, k);
			json_t *wish = json_pack("{s:s, s:b, s:O, s:O}", "game", games[i], "book",
						 1, "position", json_object_get(line, "position"),
						 "moves", json_object_get(line, "moves"));
			char *body = json_dumps(wish, 0);
			view = desk_ask(&d, &me, "POST", "/api/v1/positions", body, 200);
			assert_string_equal(desk_text(json_object_get(view, "book"), "name"),
					    desk_text(line, "name"));
			free(body);
			json_decref(wish);
		}
		json_decref(openings);
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_games__books_are_told_when_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
