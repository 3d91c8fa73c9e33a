/*
 * server_books.c - what the API reports of opening books, of moves as people write them, of
 * positions that people set up, and of sample games.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"
#include "support/odd_armies.h"

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

/* The lines that continue with the k-th book move after these moves, by name. */
static void check_lines(struct api_desk *d, const struct visitor *me, const char *moves, size_t k,
			const char *move, const char *names)
{
	char body[256], found[256] = "";
	snprintf(body, sizeof body, "{\"game\":\"chess\",\"book\":true,\"moves\":[%s]}", moves);
	const json_t *view = desk_ask(d, me, "POST", "/api/v1/positions", body, 200);
	const json_t *list = json_object_get(json_object_get(view, "book"), "moves");
	assert_string_equal(desk_text(json_array_get(list, k), "short"), move);
	json_t *numbers = json_deep_copy(json_object_get(json_array_get(list, k), "lines"));
	view = desk_ask(d, me, "GET", "/api/v1/openings?game=chess", NULL, 200);
	for (size_t i = 0; i < json_array_size(numbers); i++) {
		const json_int_t number = json_integer_value(json_array_get(numbers, i));
		const json_t *line =
			json_array_get(json_object_get(view, "lines"), (size_t)number - 1);
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i ? "; " : "",
			 desk_text(line, "name"));
	}
	assert_string_equal(found, names);
	json_decref(numbers);
}

static void test_games__lines_through_a_position_whatever_led_there(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	check_lines(&d, &me, "\"e4\",\"e5\",\"Nc3\",\"Nf6\",\"f4\",\"d5\",\"fxe5\"", 0, "Nxe4",
		    "Vienna Gambit - Breyer; Vienna Gambit - Paulsen");
	check_lines(&d, &me, "\"Nc3\",\"Nf6\",\"e4\",\"e5\",\"f4\",\"d5\",\"fxe5\",\"Nxe4\"", 0,
		    "Nf3", "Vienna Gambit - Breyer");
	check_lines(&d, &me, "\"Nc3\",\"Nf6\",\"e4\",\"e5\",\"f4\",\"d5\",\"fxe5\",\"Nxe4\"", 1,
		    "Qf3", "Vienna Gambit - Paulsen");
	/* The end of a line is none of its moves. */
	check_lines(&d, &me,
		    "\"d4\",\"d5\",\"c4\",\"e6\",\"Nc3\",\"Nf6\",\"Bg5\",\"Be7\",\"Nf3\",\"O-O\","
		    "\"e3\",\"Nbd7\",\"Rc1\"",
		    0, "c6", "Queen's Gambit Declined - Orthodox");
	/* The start of reversi is its own image three times: one move, and all that are like it. */
	const json_t *view = desk_ask(&d, &me, "POST", "/api/v1/positions",
				      "{\"game\":\"reversi\",\"book\":true}", 200);
	const json_t *list = json_object_get(json_object_get(view, "book"), "moves");
	char *alike = json_dumps(json_object_get(json_array_get(list, 0), "alike"), JSON_COMPACT);
	assert_int_equal(json_array_size(list), 1);
	assert_string_equal(desk_text(json_array_get(list, 0), "move"), "f5");
	assert_string_equal(alike, "[\"d3\",\"c4\",\"e6\"]");
	free(alike);
	/* Lines as people write them, and how often they are drawn. */
	view = desk_ask(&d, &me, "GET", "/api/v1/openings?game=chess", NULL, 200);
	const json_t *line = json_array_get(json_object_get(view, "lines"), 3);
	assert_string_equal(desk_text(line, "name"), "Giuoco Piano");
	assert_int_equal(json_integer_value(json_object_get(line, "weight")), 10);
	assert_string_equal(json_string_value(json_array_get(json_object_get(line, "short"), 9)),
			    "exd4");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A hint is from the book; an analysis is not. */
static void test_books__a_hint_names_the_opening(void **state)
{
	static const char *const bodies[] = { "{\"game\":\"chess\",\"time\":20}",
					      "{\"game\":\"chess\",\"time\":20,\"book\":true}" };
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	for (int book = 0; book < 2; book++) {
		const uint64_t call = desk_send(&d, &me, "POST", "/api/v1/analysis", bodies[book]);
		const struct desk_call *c = desk_wait(&d, call, 1000);
		const json_t *line = json_array_get(json_object_get(c->last->json, "lines"), 0);
		assert_int_equal(json_object_get(line, "book") != NULL, book);
		if (book)
			assert_string_equal(desk_text(line, "book"), "B00 King's Pawn");
	}
	desk_ask(&d, &me, "POST", "/api/v1/analysis", "{\"game\":\"chess\",\"book\":1}", 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_games__moves_as_people_write_them(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *view = desk_ask(
		&d, &me, "POST", "/api/v1/positions",
		"{\"game\":\"chess\",\"position\":\"1r4k1/P4ppp/8/8/8/8/8/6K1 w - - 0 1\",\"moves\":[]}",
		200);
	const json_t *moves = json_object_get(view, "moves");
	int choices = 0;
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const json_t *move = json_array_get(moves, i);
		const char *text = desk_text(move, "move");
		const json_t *piece = json_object_get(move, "piece");
		assert_int_equal(piece != NULL, strlen(text) == 5);
		choices += piece != NULL;
		if (strcmp(text, "a7b8n") == 0) {
			assert_string_equal(desk_text(move, "short"), "axb8=N");
			assert_int_equal(json_integer_value(piece),
					 1); /* as its board lists them */
		}
	}
	assert_int_equal(choices, 8);
	assert_int_equal(json_array_size(json_object_get(view, "line")), 0);
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"chess\",\"moves\":[\"f2f3\",\"e7e5\",\"g2g4\",\"d8h4\"]}",
			200);
	char *line = json_dumps(json_object_get(view, "line"), JSON_COMPACT);
	assert_string_equal(line, "[\"f3\",\"e5\",\"g4\",\"Qh4#\"]");
	assert_string_equal(desk_text(json_object_get(view, "last"), "short"), "Qh4#");
	free(line);
	/* A game that is written in one way alone says nothing of others. */
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"noughts\",\"moves\":[\"5\"]}", 200);
	assert_null(json_object_get(view, "line"));
	assert_null(json_object_get(json_object_get(view, "last"), "short"));
	assert_null(json_object_get(json_array_get(json_object_get(view, "moves"), 0), "short"));
	/* The same in a play, variations and all. */
	const json_t *play =
		desk_ask(&d, &me, "POST", "/api/v1/plays",
			 "{\"name\":\"Ana\",\"seats\":[\"level:2\",\"human\"],"
			 "\"record\":\"[Event \\\"?\\\"]\\n\\n1. e4 e5 (1... c5) 2. Nf3 *\"}",
			 201);
	char path[96];
	snprintf(path, sizeof path, "/api/v1/plays/%s", desk_text(play, "id"));
	play = desk_ask(&d, &me, "GET", path, NULL, 200);
	const json_t *tree = json_object_get(play, "tree");
	static const char *const wanted[][2] = {
		{ "e2e4", "e4" }, { "e7e5", "e5" }, { "c7c5", "c5" }, { "g1f3", "Nf3" }
	};
	unsigned found = 0;
	for (size_t i = 1; i < json_array_size(tree); i++)
		for (unsigned k = 0; k < 4; k++)
			if (strcmp(desk_text(json_array_get(tree, i), "move"), wanted[k][0]) == 0) {
				assert_string_equal(desk_text(json_array_get(tree, i), "short"),
						    wanted[k][1]);
				found |= 1u << k;
			}
	assert_int_equal(found, 15);
	assert_string_equal(
		desk_text(json_object_get(json_object_get(play, "view"), "last"), "short"), "Nf3");
	assert_string_equal(desk_text(json_array_get(json_object_get(play, "line"), 1), "short"),
			    "e5");
	/* As PGN it says who plays, as pages do. */
	snprintf(path, sizeof path, "/api/v1/plays/%s/record?format=pgn", desk_text(play, "id"));
	const struct desk_call *saved = desk_wait(&d, desk_send(&d, &me, "GET", path, NULL), 1);
	assert_non_null(strstr(saved->last->text, "[White \"Beginner 2\"]\n[Black \"Ana\"]\n"));
	assert_null(strstr(saved->last->text, "????"));
	/* A record that is only read: no play, and no computer that moves on. */
	play = desk_ask(&d, &me, "POST", "/api/v1/records",
			"{\"record\":\"[White \\\"A\\\"]\\n\\n1. e4 (1. d4 d5) e5 {well} *\"}",
			200);
	assert_int_equal(json_array_size(json_object_get(play, "tree")), 5);
	assert_non_null(strstr(desk_text(play, "pgn"), "\n1. e4 (1. d4 d5) 1... e5 {well} *"));
	assert_non_null(strstr(desk_text(play, "pgn"), "[White \"A\"]\n[Black \"?\"]\n"));
	assert_non_null(strstr(desk_text(play, "record"), "\"seats\":[\"A\",\"?\"]}\n"));
	/* Another format, with its names, tags and result. */
	play = desk_ask(&d, &me, "POST", "/api/v1/records",
			"{\"record\":\"(;GM[2]PB[Ann]PW[Rob]EV[Cup]RE[W+R];B[dc]C[why])\"}", 200);
	assert_string_equal(desk_text(play, "game"), "reversi");
	assert_string_equal(desk_text(play, "record"),
			    "{\"quevedo\":1,\"game\":\"reversi\",\"position\":\"start\","
			    "\"seats\":[\"Ann\",\"Rob\"],\"tags\":{\"Event\":\"Cup\"}}\n"
			    "{\"move\":\"d3\",\"seat\":1}\n{\"note\":\"why\"}\n"
			    "{\"result\":\"win 2\",\"reason\":\"resignation\"}\n");
	assert_non_null(strstr(desk_text(play, "pgn"), "[Event \"Cup\"]"));
	play = desk_ask(
		&d, &me, "POST", "/api/v1/records",
		"{\"record\":\"{\\\"quevedo\\\":1,\\\"game\\\":\\\"race\\\",\\\"position\\\":\\\"start\\\"}\"}",
		200);
	assert_true(json_is_null(json_object_get(play, "pgn")));
	static const char *const bad[] = { "{}",
					   "{\"record\":5}",
					   "{\"record\":\"\"}",
					   "{\"record\":\"[Event \\\"?\\\"]\\n1. e4 e4 *\"}",
					   "{\"record\":\"nothing\"}",
					   "{\"record\":\"(;GM[2];B[aa])\"}",
					   "{\"record\":\"(;GM[6];W[99])\"}",
					   "{\"record\":\"{}\",\"game\":\"chess\"}" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		desk_ask(&d, &me, "POST", "/api/v1/records", bad[i], 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_games__the_way_to_a_position_is_told_when_asked_for(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *view = desk_ask(
		&d, &me, "POST", "/api/v1/positions",
		"{\"game\":\"starchess\",\"moves\":[\"move A1 A2 5\",\"end\"],\"course\":true}",
		200);
	const json_t *course = json_object_get(view, "course");
	const json_t *last = json_array_get(course, 1);
	assert_int_equal(json_array_size(course), 2);
	assert_string_equal(desk_text(json_array_get(course, 0), "move"), "move A1 A2 5");
	assert_string_equal(desk_text(last, "position"), desk_text(view, "position"));
	assert_int_equal(json_integer_value(json_object_get(last, "seat")), 1);
	assert_true(json_equal(json_object_get(last, "scores"), json_object_get(view, "scores")));
	view = desk_ask(&d, &me, "POST", "/api/v1/positions",
			"{\"game\":\"noughts\",\"moves\":[\"5\"],\"course\":true}", 200);
	last = json_array_get(json_object_get(view, "course"), 0);
	assert_true(json_is_null(json_object_get(last, "scores")));
	desk_ask(&d, &me, "POST", "/api/v1/positions", "{\"game\":\"noughts\",\"course\":1}", 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* As text, and set up piece by piece. */
static void test_games__pieces_beyond_promotion_are_played(void **state)
{
	struct api_desk d;
	char body[256];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	for (int i = 0; i < ODD_ARMIES; i++) {
		snprintf(body, sizeof body, "{\"game\":\"chess\",\"position\":\"%s\"}",
			 odd_armies[i]);
		const json_t *view = desk_ask(&d, &me, "POST", "/api/v1/positions", body, 200);
		assert_string_equal(desk_text(view, "position"), odd_armies[i]);
		assert_true(json_array_size(json_object_get(view, "moves")) >= 20);
		char *standing = json_dumps(json_object_get(view, "standing"), JSON_COMPACT);
		char set_up[2048];
		snprintf(set_up, sizeof set_up, "{\"game\":\"chess\",\"standing\":%s,\"seat\":1}",
			 standing);
		free(standing);
		view = desk_ask(&d, &me, "POST", "/api/v1/positions", set_up, 200);
		assert_string_equal(desk_text(view, "position"), odd_armies[i]);
	}
	desk_ask(
		&d, &me, "POST", "/api/v1/positions",
		"{\"game\":\"chess\",\"position\":\"4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - - 0 1\"}",
		400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Applies the changes of a frame; a cell that becomes empty was occupied before. */
static void apply(int piece_on[512], const json_t *frame)
{
	size_t i;
	const json_t *change;
	json_array_foreach(json_object_get(frame, "changes"), i, change) {
		const json_int_t cell = json_integer_value(json_array_get(change, 0));
		const json_int_t count = json_integer_value(json_array_get(change, 2));
		assert_in_range(cell, 0, 511);
		assert_true(count > 0 || piece_on[cell] >= 0);
		piece_on[cell] = count ? (int)json_integer_value(json_array_get(change, 1)) : -1;
	}
}

static void test_gallery__has_a_sample_of_every_game(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *gallery = desk_ask(&d, &me, "GET", "/api/v1/gallery", NULL, 200);
	const json_t *games = json_object_get(gallery, "games"), *picture, *frame;
	size_t i, j;
	assert_true(json_equal(games, desk_ask(&d, &me, "GET", "/api/v1/games", NULL, 200)));
	json_array_foreach(json_object_get(gallery, "pictures"), i, picture) {
		const json_t *game = json_array_get(games, i);
		const json_t *frames = json_object_get(picture, "frames");
		int piece_on[512];
		for (int cell = 0; cell < 512; cell++)
			piece_on[cell] = -1;
		assert_string_equal(desk_text(picture, "game"), desk_text(game, "name"));
		if (json_is_false(json_object_get(game, "board"))) {
			assert_true(json_is_null(json_object_get(picture, "board")));
			assert_true(strlen(desk_text(picture, "text")) > 0);
			continue;
		}
		assert_true(json_array_size(frames) >= 5);
		json_array_foreach(frames, j, frame)
			apply(piece_on, frame);
		/* The sample of chess ends with mate by the rook on d8. */
		if (strcmp(desk_text(game, "name"), "chess") == 0) {
			assert_int_equal(json_array_size(frames), 34);
			assert_int_equal(json_array_size(json_object_get(frame, "touches")), 2);
		}
	}
	assert_int_equal(i, json_array_size(games));
	/* It is made once and stays the same. */
	assert_true(json_equal(gallery, desk_ask(&d, &me, "GET", "/api/v1/gallery", NULL, 200)));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_games__the_way_to_a_position_is_told_when_asked_for),
		cmocka_unit_test(test_games__books_are_told_when_asked_for),
		cmocka_unit_test(test_games__lines_through_a_position_whatever_led_there),
		cmocka_unit_test(test_books__a_hint_names_the_opening),
		cmocka_unit_test(test_games__moves_as_people_write_them),
		cmocka_unit_test(test_games__pieces_beyond_promotion_are_played),
		cmocka_unit_test(test_gallery__has_a_sample_of_every_game),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
