/*
 * server_opponents.c - whom pages offer as opponents: every level that is listed can sit down, is
 * called as the list says and moves; nothing else is let in.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"
#include "support/scale.h"

static const json_t *field(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	assert_non_null(value);
	return value;
}

static json_t *game_called(struct api_desk *d, const struct visitor *me, const char *name)
{
	json_t *games = desk_ask(d, me, "GET", "/api/v1/games", NULL, 200), *game;
	size_t i;
	json_array_foreach(games, i,
			   game) if (strcmp(desk_text(game, "name"), name) == 0) return game;
	fail_msg("there is no %s", name);
	return NULL;
}

/* The second seat; the play's id comes too. */
static const json_t *seat_down(struct api_desk *d, const struct visitor *me, const char *game,
			       const char *spec, char id[64])
{
	char body[256], path[128], others[64] = "";
	const json_int_t seats = json_integer_value(field(game_called(d, me, game), "seats"));
	for (json_int_t i = 2; i < seats; i++)
		strcat(others, ",\"level:1\"");
	snprintf(body, sizeof body, "{\"game\":\"%s\",\"seats\":[\"human\",\"%s\"%s]}", game, spec,
		 others);
	const json_t *made = desk_ask(d, me, "POST", "/api/v1/plays", body, 201);
	snprintf(id, 64, "%s", desk_text(made, "id"));
	snprintf(path, sizeof path, "/api/v1/plays/%s", id);
	const json_t *play = desk_ask(d, me, "GET", path, NULL, 200);
	return json_array_get(field(play, "seats"), 1);
}

static void test_opponents__each_listed_level_sits_down_by_its_name(void **state)
{
	struct api_desk d;
	char id[64];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *games = desk_ask(&d, &me, "GET", "/api/v1/games", NULL, 200), *game, *ladder,
		     *level;
	size_t g, l, n, listed = 0;
	json_array_foreach(games, g, game)
	{
		assert_int_equal(
			json_array_size(field(json_array_get(field(game, "ladders"), 0), "levels")),
			json_integer_value(field(game, "levels")));
		json_array_foreach(field(game, "ladders"), l, ladder)
		{
			assert_true(*desk_text(ladder, "title") && *desk_text(ladder, "help"));
			json_array_foreach(field(ladder, "levels"), n, level)
			{
				/* Slow builds seat the first, the last and every fourth one. */
				if (listed++ % 4 && n && n + 1 < json_array_size(field(ladder, "levels")) &&
				    scaled(100) < 50)
					continue;
				const json_t *seat = seat_down(&d, &me, desk_text(game, "name"),
							       desk_text(level, "spec"), id);
				assert_string_equal(desk_text(seat, "name"),
						    desk_text(level, "name"));
			}
		}
	}
	assert_true(listed > 60);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_opponents__ladders_are_those_of_the_game(void **state)
{
	static const struct {
		const char *game;
		size_t ladders, documents; /* and how many levels the second has */
		bool perfect;
	} known[] = {
		{ "reversi", 3, 6, false }, { "connect4", 3, 4, true }, { "morris", 3, 5, false },
		{ "noughts", 1, 0, true },  { "hexapawn", 1, 0, true }, { "race", 1, 0, false },
	};
	struct api_desk d;
	char id[64];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const json_t *game = game_called(&d, &me, known[i].game);
		const json_t *ladders = field(game, "ladders"),
			     *second = json_array_get(ladders, 1);
		assert_int_equal(json_array_size(ladders), known[i].ladders);
		assert_int_equal(json_array_size(json_object_get(second, "levels")),
				 known[i].documents);
		assert_int_equal(json_is_true(field(game, "perfect")), known[i].perfect);
	}
	const json_t *levels = field(
		json_array_get(field(game_called(&d, &me, "reversi"), "ladders"), 2), "levels");
	assert_string_equal(desk_text(json_array_get(levels, 1), "spec"),
			    "level:2,ladder=lurgee22");
	assert_string_equal(desk_text(json_array_get(levels, 1), "name"),
			    "Lurgee 2.2 level 2");
	assert_string_equal(
		desk_text(seat_down(&d, &me, "reversi", "level:6,ladder=lurgee", id), "name"),
		"Lurgee level 6");
	assert_string_equal(desk_text(seat_down(&d, &me, "reversi", "level:4", id), "name"),
			    "Novice 1");
	assert_string_equal(
		desk_text(seat_down(&d, &me, "reversi", "level:4,book=own", id), "name"),
		"Novice 1 with a book");
	assert_string_equal(desk_text(seat_down(&d, &me, "noughts", "perfect", id), "name"),
			    "perfect");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* How many sentences a text has: full stops at its end, or before a blank and a capital letter. */
static int sentences(const char *text)
{
	int count = 0;
	for (const char *c = text; *c; c++)
		count += *c == '.' && (!c[1] || (c[1] == ' ' && c[2] >= 'A' && c[2] <= 'Z' &&
						 c[3] != '.' && c[-1] > 'Z'));
	return count;
}

/* Each sits down by its title, has two sentences on its origin, and its author is in the history. */
static void test_opponents__classics_sit_down_and_have_authors(void **state)
{
	struct api_desk d;
	char id[64];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *games = desk_ask(&d, &me, "GET", "/api/v1/games", NULL, 200), *game, *classic,
		     *ladder, *entry;
	const json_t *history = desk_ask(&d, &me, "GET", "/api/v1/history", NULL, 200);
	size_t g, c, l, h, listed = 0;
	json_array_foreach(games, g, game)
	{
		size_t of_ladders = 0;
		json_array_foreach(field(game, "classics"), c, classic)
		{
			const char *by = desk_text(classic, "by");
			const json_t *seat = seat_down(&d, &me, desk_text(game, "name"),
						       desk_text(classic, "spec"), id);
			bool known = false;
			if (json_is_null(field(classic, "ladder")))
				assert_string_equal(desk_text(seat, "name"),
						    desk_text(classic, "title"));
			else
				of_ladders++;
			assert_int_equal(sentences(desk_text(classic, "about")), 2);
			json_array_foreach(history, h, entry)
			{
				const char *who = desk_text(entry, "who");
				known |= strncmp(by, who, strlen(who)) == 0;
			}
			assert_true(known);
			listed++;
		}
		json_array_foreach(field(game, "ladders"), l, ladder);
		assert_int_equal(of_ladders, l - 1);
	}
	assert_true(listed >= 14);
	/* The keys that a page may offer, in the form of a game's options. */
	const json_t *settings =
		field(json_array_get(field(game_called(&d, &me, "starchess"), "classics"), 0),
		      "settings");
	const json_t *turns = json_array_get(settings, 0);
	assert_int_equal(json_array_size(settings), 3);
	assert_string_equal(desk_text(turns, "name"), "turns");
	assert_string_equal(desk_text(turns, "preset"), "2");
	assert_int_equal(json_array_size(field(turns, "choices")), 4);
	assert_int_equal(json_integer_value(field(json_array_get(settings, 1), "preset")), 1);
	assert_string_equal(
		desk_text(seat_down(&d, &me, "starchess", "mask:turns=3,all-masks=1", id), "name"),
		"The mask predictor (turns=3,all-masks=1)");
	/* Draughts has several of one kind, so only their own specs have their names. */
	assert_string_equal(
		desk_text(seat_down(&d, &me, "draughts", "alphabeta:depth=2", id), "name"),
		"alphabeta:depth=2");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* In mid-game too; and what is refused changes nothing. */
static void test_opponents__bad_ones_are_refused_with_a_reason(void **state)
{
	static const struct {
		const char *game, *spec, *why;
	} bad[] = {
		{ "reversi", "level:7,ladder=lurgee", "levels 1 to 6" },
		{ "reversi", "level:0,ladder=lurgee", "level" },
		{ "reversi", "level:1,ladder=other", "own|lurgee|lurgee22" },
		{ "reversi", "level:1,ladder=", "ladder" },
		{ "reversi", "level:1,ladder=lurgee,depth=9", "depth" },
		{ "noughts", "level:1,ladder=lurgee", "not available for noughts" },
		{ "morris", "perfect", "no endgame tables for morris" },
		{ "morris", "perfect:tables=/etc", "names a file" },
	};
	struct api_desk d;
	char id[64], path[128], body[256];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(body, sizeof body, "{\"game\":\"%s\",\"seats\":[\"human\",\"%s\"]}",
			 bad[i].game, bad[i].spec);
		const json_t *answer = desk_ask(&d, &me, "POST", "/api/v1/plays", body, 400);
		const char *message = desk_text(field(answer, "error"), "message");
		if (!strstr(message, bad[i].why))
			fail_msg("%s: %s", bad[i].spec, message);
		seat_down(&d, &me, bad[i].game, "level:1", id);
		snprintf(path, sizeof path, "/api/v1/plays/%s/actions", id);
		snprintf(body, sizeof body, "{\"action\":\"seat\",\"seat\":2,\"spec\":\"%s\"}",
			 bad[i].spec);
		desk_ask(&d, &me, "POST", path, body, 400);
		*strrchr(path, '/') = '\0';
		const json_t *play = desk_ask(&d, &me, "GET", path, NULL, 200);
		assert_string_equal(desk_text(json_array_get(field(play, "seats"), 1), "spec"),
				    "level:1");
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The play when a computer has answered a move: so many moves are then on the line. */
static const json_t *answered(struct api_desk *d, const struct visitor *me, const char *id,
			      const char *move, size_t plies)
{
	char path[128], body[64];
	snprintf(path, sizeof path, "/api/v1/plays/%s/moves", id);
	snprintf(body, sizeof body, "{\"move\":\"%s\"}", move);
	desk_ask(d, me, "POST", path, body, 200);
	*strrchr(path, '/') = '\0';
	for (int i = 0; i < 20000; i++) {
		const json_t *play = desk_ask(d, me, "GET", path, NULL, 200);
		if (json_array_size(field(play, "line")) >= plies)
			return play;
		nap();
		api_turn(d->api);
	}
	fail_msg("%s: no answer", id);
	return NULL;
}

static void test_opponents__answer_and_may_change_in_mid_game(void **state)
{
	struct api_desk d;
	char id[64], path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	/* Who takes an edge after the middle has lost: only a corner holds. */
	seat_down(&d, &me, "noughts", "perfect", id);
	const json_t *play = answered(&d, &me, id, "5", 2);
	const char *reply = desk_text(json_array_get(field(play, "line"), 1), "move");
	assert_non_null(strchr("1379", *reply));
	seat_down(&d, &me, "connect4", "level:1", id);
	snprintf(path, sizeof path, "/api/v1/plays/%s/actions", id);
	play = desk_ask(&d, &me, "POST", path,
			"{\"action\":\"seat\",\"seat\":2,\"spec\":\"level:2,ladder=lurgee\"}", 200);
	assert_string_equal(desk_text(json_array_get(field(play, "seats"), 1), "name"),
			    "Lurgee level 2");
	answered(&d, &me, id, "4", 2);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The cube is not solved in a second; the three in a row must be stopped all the same. */
static void test_opponents__perfect_plays_well_what_it_cannot_solve_in_time(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *made =
		desk_ask(&d, &me, "POST", "/api/v1/plays",
			 "{\"game\":\"noughts3d\",\"seats\":[\"human\",\"perfect\"],"
			 "\"clock\":\"10s\",\"moves\":[\"b2A\",\"a4D\",\"b2B\",\"b4D\"]}",
			 201);
	const json_t *play = answered(&d, &me, desk_text(made, "id"), "b2C", 6);
	assert_string_equal(desk_text(json_array_get(field(play, "line"), 5), "move"), "b2D");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_opponents__tell_how_they_think(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor me = desk_visitor(&d);
	const json_t *told = desk_ask(&d, &me, "POST", "/api/v1/explanations",
				      "{\"game\":\"starchess\",\"moves\":[\"end\"]}", 200);
	assert_int_equal(json_integer_value(field(told, "seat")), 2);
	assert_int_equal(json_integer_value(field(told, "turns")), 2);
	assert_int_equal(json_array_size(field(told, "line")), 9);
	told = desk_ask(&d, &me, "POST", "/api/v1/explanations",
			"{\"game\":\"starchess\",\"player\":\"mask:turns=0\"}", 200);
	assert_int_equal(json_array_size(field(told, "line")), 1);
	told = desk_ask(&d, &me, "POST", "/api/v1/explanations",
			"{\"game\":\"backgammon\",\"moves\":[\"roll 31\"],\"player\":\"equity:0\"}",
			200);
	assert_int_equal(json_array_size(field(told, "candidates")), 16);
	static const char *const bad[] = { "{\"game\":\"starchess\",\"player\":\"nobody\"}",
					   "{\"game\":\"starchess\",\"player\":1}",
					   "{\"game\":\"starchess\",\"lines\":1}" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		desk_ask(&d, &me, "POST", "/api/v1/explanations", bad[i], 400);
	desk_ask(&d, &me, "POST", "/api/v1/explanations", "{\"game\":\"noughts\"}", 409);
	desk_ask(&d, &me, "POST", "/api/v1/explanations", "{\"game\":\"backgammon\"}", 409);
	desk_ask(&d, &me, "POST", "/api/v1/explanations",
		 "{\"game\":\"starchess\",\"player\":\"admiral\"}", 409);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opponents__each_listed_level_sits_down_by_its_name),
		cmocka_unit_test(test_opponents__tell_how_they_think),
		cmocka_unit_test(test_opponents__ladders_are_those_of_the_game),
		cmocka_unit_test(test_opponents__classics_sit_down_and_have_authors),
		cmocka_unit_test(test_opponents__bad_ones_are_refused_with_a_reason),
		cmocka_unit_test(test_opponents__answer_and_may_change_in_mid_game),
		cmocka_unit_test(test_opponents__perfect_plays_well_what_it_cannot_solve_in_time),
	};
	return cmocka_run_group_tests_name("server_opponents", tests, NULL, NULL);
}
