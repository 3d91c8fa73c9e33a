/*
 * backgammon_cube.c - the doubling cube and matches of backgammon: rules, texts, IDs as GNU
 * Backgammon prints them, and the board.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/rules.h"

#include "support/desk.h"
#include "support/scale.h"

#include <stdlib.h>

#define START "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"

static struct qv_context *context;

static int setup(void **unused)
{
	(void)unused;
	context = qv_context_new(NULL);
	return context ? 0 : -1;
}

static int teardown(void **unused)
{
	(void)unused;
	qv_context_free(context);
	return 0;
}

static const struct backgammon *state_of(const struct desk *d)
{
	return d->state;
}

static void must_be_at(const struct desk *d, const char *position)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	d->rules.game->position_text(d->state, &out);
	assert_string_equal(text, position);
}

/* Plays moves, which are separated by commas, from a position to another. */
static void must_lead(const char *game, const char *position, const char *moves, const char *after)
{
	struct desk d;
	desk_open(&d, context, game, position);
	while (*moves) {
		char text[QV_MOVE_TEXT];
		const int length = (int)strcspn(moves, ",");
		struct qv_error error = { "" };
		qv_move move;
		snprintf(text, sizeof text, "%.*s", length, moves);
		if (qv_move_parse(d.rules.game, d.state, text, &move, &error) != QV_OK)
			fail_msg("%s, %s: %s", game, position, error.text);
		d.rules.game->play(d.state, move);
		moves += length + (moves[length] == ',');
	}
	must_be_at(&d, after);
	desk_close(&d);
}

/* The game is over at a position, and its points. */
static void must_count(const char *game, const char *position, int first, int second)
{
	struct desk d;
	int32_t points[2] = { -1, -1 };
	desk_open(&d, context, game, position);
	assert_int_equal(d.rules.game->result(d.state, points), QV_ENDED);
	assert_int_equal(points[0], first);
	assert_int_equal(points[1], second);
	desk_close(&d);
}

/* ---- The cube ---- */

static void test_cube__double_and_answers(void **unused)
{
	(void)unused;
	const char *game = "backgammon:cube=1";
	must_lead(game, NULL, "31", START " 1 31 cube 1 -");
	must_lead(game, START " 1 -", "roll", START " 1 roll cube 1 -");
	must_lead(game, START " 1 -", "roll,31", START " 1 31 cube 1 -");
	must_lead(game, START " 1 -", "double", START " 1 double cube 1 -");
	must_lead(game, START " 1 -", "double,take", START " 1 - cube 2 2");
	must_lead(game, START " 1 -", "double,take,31,8/5 6/5",
		  "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 2 - cube 2 2");
	must_lead(game, START " 2 - cube 2 2", "double,drop", START " 2 won cube 2 2");
	must_count(game, START " 2 won cube 2 2", 0, 2);
}

static void test_cube__seat_that_answers(void **unused)
{
	(void)unused;
	struct desk d;
	desk_open(&d, context, "backgammon:cube=1,beavers=1", START " 1 double");
	assert_int_equal(backgammon_seat(state_of(&d)), 1);
	desk_close(&d);
	desk_open(&d, context, "backgammon:cube=1,beavers=1", START " 1 beaver cube 2 2");
	assert_int_equal(backgammon_seat(state_of(&d)), 0);
	desk_close(&d);
	desk_open(&d, context, "backgammon:cube=1", START " 1 - cube 2 2");
	assert_int_equal(backgammon_seat(state_of(&d)), QV_CHANCE);
	desk_close(&d);
}

/* A beaver turns the cube twice in all, and the beaver's owner keeps it. */
static void test_cube__beavers(void **unused)
{
	(void)unused;
	const char *game = "backgammon:cube=1,beavers=1";
	must_lead(game, START " 1 -", "double,beaver", START " 1 beaver cube 2 2");
	must_lead(game, START " 1 -", "double,beaver,take", START " 1 - cube 4 2");
	must_lead(game, START " 1 -", "double,beaver,drop", START " 2 won cube 2 2");
	must_count(game, START " 2 won cube 2 2", 0, 2);
}

static void test_cube__multiplies_the_points(void **unused)
{
	(void)unused;
	must_count("backgammon:cube=1", "off:15 19:1,1:14 2 - cube 4 2", 12, 0);
	must_count("backgammon:cube=1", "off:15 19:1,1:14 2 - cube 1 -", 3, 0);
	must_count("backgammon:cube=1", "1:15 off:15 1 - cube 4096 2", 0, 8192);
	must_count("backgammon:cube=1,jacoby=1", "off:15 19:1,1:14 2 - cube 1 -", 1, 0);
	must_count("backgammon:cube=1,jacoby=1", "off:15 19:1,1:14 2 - cube 2 1", 6, 0);
	must_count("backgammon:jacoby=1", "off:15 19:1,1:14 2 -", 3, 0);
}

/* ---- Matches ---- */

static void test_match__next_game(void **unused)
{
	(void)unused;
	const char *game = "backgammon:match=7";
	must_lead(game, START " 1 - match 7 2 1", "double,drop", START " - - cube 1 - match 7 3 1");
	must_lead(game, "1:1,off:14 6:1,off:14 1 65 cube 2 2 match 7 2 1", "1/off",
		  START " - - cube 1 - match 7 4 1");
	/* A gammon with the cube at 2. */
	must_lead(game, "1:1,off:14 6:15 1 65 cube 2 2 match 7 2 1", "1/off",
		  START " - - cube 1 - match 7 6 1 crawford");
}

static void test_match__crawford(void **unused)
{
	(void)unused;
	const char *game = "backgammon:match=7";
	/* No doubling: straight to the roll. After this game everybody may double again. */
	must_lead(game, START " 2 61 match 7 6 1 crawford", "13/7 8/7",
		  "24:2,13:5,8:3,6:5 24:2,13:4,8:2,7:2,6:5 1 - cube 1 - match 7 6 1 crawford");
	must_lead(game, "6:15 1:1,off:14 2 65 match 7 6 1 crawford", "1/off",
		  START " - - cube 1 - match 7 6 3");
	must_lead(game, START " 2 - match 7 6 3", "double,take", START " 2 - cube 2 1 match 7 6 3");
	must_lead("backgammon:match=7,crawford=0", "1:1,off:14 6:1,off:14 1 65 match 7 5 1",
		  "1/off", START " - - cube 1 - match 7 6 1");
	/* A match to one point has no Crawford game; its cube is dead. */
	must_lead("backgammon:match=1", NULL, "31,8/5 6/5",
		  "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 2 - cube 1 - match 1 0 0");
}

/* Whoever has enough points on the cube may not double. */
static void test_match__dead_cube(void **unused)
{
	(void)unused;
	struct desk d;
	static const char *const dead[] = { START " 1 - cube 4 1 match 7 3 3",
					    START " 1 - match 7 6 3", START " 1 - match 7 6 6" };
	for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
		desk_open(&d, context, "backgammon:match=7", dead[i]);
		assert_int_equal(state_of(&d)->phase, BACKGAMMON_ROLL);
		desk_close(&d);
	}
	desk_open(&d, context, "backgammon:match=7", START " 1 - cube 4 1 match 7 2 3");
	assert_int_equal(state_of(&d)->phase, BACKGAMMON_CUBE);
	desk_close(&d);
}

static void test_match__end(void **unused)
{
	(void)unused;
	must_lead("backgammon:match=7", "1:1,off:14 6:15 1 65 cube 4 2 match 7 2 1", "1/off",
		  "off:15 6:15 1 won cube 4 2 match 7 7 1");
	must_count("backgammon:match=7", "off:15 6:15 1 won cube 4 2 match 7 7 1", 1, 0);
}

/* ---- Texts ---- */

/* A line of the file: GAME|POSITION|ID. */
static void check_line(char *line)
{
	const char *game = strtok(line, "|"), *position = strtok(NULL, "|"),
		   *id = strtok(NULL, "\n");
	char ours[BACKGAMMON_ID + 1], match[BACKGAMMON_MATCH_ID + 1], both[64];
	struct desk d;
	desk_open(&d, context, game, id);
	must_be_at(&d, position);
	backgammon_write_id(state_of(&d), ours);
	backgammon_write_match_id(state_of(&d), match);
	snprintf(both, sizeof both, "%s:%s", ours, match);
	assert_string_equal(both, id);
	desk_close(&d);
}

static void test_text__ids_as_gnubg_prints_them(void **unused)
{
	(void)unused;
	FILE *file = fopen(TEST_DATA "/backgammon-ids.txt", "r");
	char line[QV_POSITION_TEXT];
	int lines = 0;
	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (line[0] != '#') {
			check_line(line);
			lines++;
		}
	fclose(file);
	assert_true(lines > 20);
}

/* As GNU Backgammon prints it when player 0 drops the double of player 1; the score is its own. */
static void test_text__id_of_a_dropped_game(void **unused)
{
	(void)unused;
	must_lead("backgammon:cube=1", "sGfwATDgc/ABMA:cAQAAAAACAAE", "",
		  "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 2 won cube 1 -");
}

static void must_refuse(const char *game, const char *position, const char *why)
{
	struct qv_rules rules;
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(context, game, &rules, NULL), QV_OK);
	void *state = qv_state_new(context, rules.game);
	assert_int_not_equal(qv_position_parse(&rules, position, state, &error), QV_OK);
	assert_string_equal(error.text, why);
	qv_state_free(context, rules.game, state);
}

/* The options decide which game it is, and the error names those that are needed. */
static void test_text__other_options(void **unused)
{
	(void)unused;
	must_refuse("backgammon", START " 1 - cube 1 -",
		    "position: it has a doubling cube; use backgammon:cube=1");
	must_refuse("backgammon", "4HPwATDgc/ABMA:cAkAAAAAAAAA",
		    "position: it has a doubling cube; use backgammon:cube=1");
	must_refuse("backgammon:cube=1", START " 1 - match 7 0 0",
		    "position: the match is to 7 points; use backgammon:match=7");
	must_refuse("backgammon:match=5", "4HPwATDgc/ABMA:cBHgAFAAGAAE",
		    "position: the match is to 7 points; use backgammon:match=7");
	must_refuse("backgammon:match=5", "4HPwATDgc/ABMA:cAkAAAAAAAAA",
		    "position: this is a money game; use backgammon:cube=1");
	/* A position without cube and match is one at the beginning. */
	must_lead("backgammon:match=5", START " 1 -", "", START " 1 - cube 1 - match 5 0 0");
	must_lead("backgammon:match=5", "4HPwATDgc/ABMA 2 31", "",
		  START " 2 31 cube 1 - match 5 0 0");
}

static void must_draw(const char *game, const char *position, const char *part)
{
	struct desk d;
	char text[2048] = "";
	struct qv_text out = { text, sizeof text, 0 };
	desk_open(&d, context, game, position);
	backgammon_draw(d.state, false, &out);
	if (!strstr(text, part))
		fail_msg("%s\nlacks %s", text, part);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 40);
	desk_close(&d);
}

static void test_text__drawing(void **unused)
{
	(void)unused;
	const char *match = "backgammon:match=64";
	must_draw("backgammon:cube=1", START " 1 -", "O: off 0, pips 167, to roll or double\n");
	must_draw("backgammon:cube=1", START " 1 double cube 2048 1",
		  "O: off 0, pips 167, doubles to 4096\n");
	must_draw("backgammon:cube=1,beavers=1", START " 1 beaver cube 2 2",
		  "X: off 0, pips 167, beavers to 4\ncube: 2 owned by X\n");
	must_draw("backgammon:cube=1", START " 1 won cube 1 -", "O: off 0, pips 167, won\n");
	must_draw(match, START " 1 - match 64 63 62 crawford",
		  "cube: 1 in the middle\nmatch to 64: O 63, X 62, Crawford game\n");
	must_draw(match, START " 1 - match 64 63 62 crawford", "ID: 4HPwATDgc/ABMA:");
}

/* ---- The board ---- */

/* The piece on a cell, by their names; NULL: none. */
static const char *piece_on(const struct desk *d, const char *cell)
{
	const struct qv_board *board = d->rules.game->board;
	struct qv_standing list[QV_MAX_CELLS];
	struct qv_layout *l = calloc(1, sizeof *l);
	const char *name = NULL;
	assert_non_null(l);
	board->layout(d->rules.options, l);
	for (int n = board->stand(d->state, list); n-- > 0;)
		if (!strcmp(l->cells[list[n].cell].name, cell))
			name = board->pieces[list[n].piece].name;
	free(l);
	return name;
}

static void must_show(const char *game, const char *position, const char *cell, const char *piece)
{
	struct desk d;
	desk_open(&d, context, game, position);
	assert_string_equal(piece_on(&d, cell), piece);
	desk_close(&d);
}

static void test_board__cube(void **unused)
{
	(void)unused;
	must_show("backgammon:cube=1", START " 1 -", "cube", "cube 1");
	must_show("backgammon:cube=1", START " 1 - cube 512 1", "White's cube", "cube 512");
	must_show("backgammon:cube=1", START " 1 double", "White's offer", "cube 2");
	must_show("backgammon:cube=1,beavers=1", START " 1 beaver cube 2 2", "Black's offer",
		  "cube 4");
	must_show("backgammon:match=3", START " 1 31 cube 2 2", "White's die 1", "die 3");
	must_show("backgammon:match=3", START " 2 22 cube 2 2", "Black's die 4", "die 2");
}

static void test_board__score(void **unused)
{
	(void)unused;
	struct desk d;
	desk_open(&d, context, "backgammon:match=7", START " 1 - match 7 3 2");
	assert_int_equal(d.rules.game->board->score(d.state, 0), 3);
	assert_int_equal(d.rules.game->board->score(d.state, 1), 2);
	desk_close(&d);
}

static void test_board__notions(void **unused)
{
	(void)unused;
	static struct qv_notion list[QV_MAX_NOTIONS];
	struct desk d;
	desk_open(&d, context, "backgammon:match=7",
		  "24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 2 - cube 2 1 match 7 3 2");
	assert_int_equal(d.rules.game->board->notions(d.state, list, QV_MAX_NOTIONS), 5);
	assert_string_equal(list[0].text, "163 pips to go, 4 ahead");
	assert_string_equal(list[1].text, "167 pips to go, 4 behind");
	assert_string_equal(list[2].text, "The cube is at 2, owned");
	assert_int_equal(list[2].seat, 0);
	assert_string_equal(list[4].text, "2 of 7 points");
	desk_close(&d);
}

/* ---- All laws ---- */

static void test_laws__money_games_with_the_cube(void **unused)
{
	(void)unused;
	static const char *const games[] = { "backgammon:cube=1",
					     "backgammon:cube=1,jacoby=1,beavers=1" };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		const struct qv_conformance how = { .size = sizeof how,
						    .seed = 7,
						    .games = (int)scaled(20) };
		struct qv_rules rules;
		struct qv_error error = { "" };
		assert_int_equal(qv_rules_parse(context, games[i], &rules, NULL), QV_OK);
		if (qv_conform(context, &rules, &how, &error) != QV_OK)
			fail_msg("%s: %s", games[i], error.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cube__double_and_answers),
		cmocka_unit_test(test_cube__seat_that_answers),
		cmocka_unit_test(test_cube__beavers),
		cmocka_unit_test(test_cube__multiplies_the_points),
		cmocka_unit_test(test_match__next_game),
		cmocka_unit_test(test_match__crawford),
		cmocka_unit_test(test_match__dead_cube),
		cmocka_unit_test(test_match__end),
		cmocka_unit_test(test_text__ids_as_gnubg_prints_them),
		cmocka_unit_test(test_text__id_of_a_dropped_game),
		cmocka_unit_test(test_text__other_options),
		cmocka_unit_test(test_text__drawing),
		cmocka_unit_test(test_board__cube),
		cmocka_unit_test(test_board__score),
		cmocka_unit_test(test_board__notions),
		cmocka_unit_test(test_laws__money_games_with_the_cube),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
