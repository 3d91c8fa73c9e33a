/*
 * server_puzzles.c - the ratings of puzzles by the attempts of visitors.
 * SPDX-License-Identifier: MIT
 */
#include "puzzle/puzzle.h"
#include "support/api_desk.h"

#define CHESS "/api/v1/puzzles/chess"

/* The first puzzle of chess.txt: 29 nodes, one move. */
static const char first[] = "1x272dg";
enum { GUESS = 931 };

static const json_t *attempt(struct api_desk *d, const struct visitor *who, const char *more,
			     int status)
{
	char body[128];
	snprintf(body, sizeof body, "{\"puzzle\":\"%s\",%s}", first, more);
	return desk_ask(d, who, "POST", CHESS "/attempts", body, status);
}

static int number(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

static const json_t *ratings(struct api_desk *d)
{
	const struct visitor who = desk_visitor(d);
	return json_object_get(desk_ask(d, &who, "GET", CHESS, NULL, 200), "puzzles");
}

/* What web/test/puzzles.test.ts expects of the page. */
static void test_puzzles__ids_and_guesses_are_those_of_the_page(void **state)
{
	static const struct {
		struct puzzle puzzle;
		const char *id;
		int guess;
	} known[] = {
		{ { .nodes = 29,
		    .line = "g1e3",
		    .position = "3k3b/r2p4/3N4/pp5p/1P1p4/P2KR3/"
				"2PRB3/6q1 b - - 0 40" },
		  "1x272dg",
		  GUESS },
		{ { .nodes = 99, .line = "a, b, c|d", .position = "" }, "ztntfp", 1110 },
		{ { .nodes = 0, .line = "a", .position = "\x7f" }, "1xdnrgu", 650 },
	};
	char id[PUZZLE_ID];
	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		puzzle_id(&known[i].puzzle, id);
		assert_string_equal(id, known[i].id);
		assert_int_equal(puzzle_guess(&known[i].puzzle), known[i].guess);
	}
}

static void test_puzzles__each_visitor_counts_once(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	assert_int_equal(json_array_size(ratings(&d)), 0);
	const json_t *after =
		attempt(&d, &a, "\"solved\":true,\"rating\":1200,\"deviation\":80", 200);
	/* By another program: 910.19 and 143.05. */
	assert_int_equal(number(after, "rating"), 910);
	assert_int_equal(number(after, "deviation"), 143);
	assert_int_equal(number(after, "tries"), 1);
	assert_int_equal(number(after, "solved"), 1);
	after = attempt(&d, &a, "\"solved\":false", 200);
	assert_int_equal(number(after, "tries"), 1);
	after = attempt(&d, &b, "\"solved\":false", 200);
	assert_int_equal(number(after, "tries"), 2);
	assert_int_equal(number(after, "solved"), 1);
	/* The store has all of it. */
	desk_reopen(&d);
	after = attempt(&d, &b, "\"solved\":false", 200);
	assert_int_equal(number(after, "tries"), 2);
	const json_t *list = ratings(&d);
	assert_int_equal(json_array_size(list), 1);
	assert_true(json_equal(json_array_get(list, 0), after));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Somebody who lies about the rating, and comes as ever new guests. */
static void test_puzzles__a_liar_moves_little(void **state)
{
	struct api_desk d;
	const json_t *after = NULL;
	(void)state;
	desk_open(&d, 1, 1);
	for (int i = 0; i < 12; i++) {
		const struct visitor who = desk_visitor(&d);
		after = attempt(&d, &who, "\"solved\":true,\"rating\":400,\"deviation\":50", 200);
		if (i == 0)
			assert_int_equal(number(after, "rating"), GUESS - 40);
	}
	assert_int_equal(number(after, "tries"), 5);
	assert_in_range(number(after, "rating"), GUESS - 200, GUESS - 100);
	desk_close(&d);
}

static void test_puzzles__bad_requests_are_refused(void **state)
{
	static const char *const games[] = { "backgammon", "chess",	"connect4",  "draughts",
					     "gomoku",	   "hexapawn",	"minichess", "morris",
					     "noughts",	   "noughts3d", "race",	     "reversi",
					     "warptrog" };
	struct api_desk d;
	char path[64];
	(void)state;
	desk_open(&d, 1, 1);
	const struct visitor a = desk_visitor(&d);
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		snprintf(path, sizeof path, "/api/v1/puzzles/%s", games[i]);
		desk_ask(&d, &a, "GET", path, NULL, 200);
	}
	desk_ask(&d, &a, "GET", "/api/v1/puzzles/starchess", NULL, 404);
	attempt(&d, &a, "\"solved\":1", 400);
	attempt(&d, &a, "\"rating\":3001", 400);
	attempt(&d, &a, "\"deviation\":1", 400);
	attempt(&d, &a, "\"time\":1", 400);
	desk_ask(&d, &a, "POST", CHESS "/attempts", "{}", 404);
	desk_ask(&d, &a, "POST", CHESS "/attempts", "{\"puzzle\":\"1x272dh\"}", 404);
	desk_ask(&d, &a, "POST", "/api/v1/puzzles/morris/attempts", "{\"puzzle\":\"1x272dg\"}",
		 404);
	assert_int_equal(json_array_size(ratings(&d)), 0);
	/* A minute later: 15 at once. */
	d.now = desk_now(&d) + 60000;
	d.frozen = true;
	for (int i = 0; i < 15; i++)
		attempt(&d, &a, "\"solved\":true", 200);
	attempt(&d, &a, "\"solved\":true", 429);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_puzzles__ids_and_guesses_are_those_of_the_page),
		cmocka_unit_test(test_puzzles__each_visitor_counts_once),
		cmocka_unit_test(test_puzzles__a_liar_moves_little),
		cmocka_unit_test(test_puzzles__bad_requests_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
