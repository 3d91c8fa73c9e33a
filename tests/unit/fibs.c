/*
 * fibs.c - board lines of FIBS: GNU Backgammon's own lines, both directions, and bad ones.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"
#include "support/scale.h"

#include "formats/fibs.h"

/* As GNU Backgammon 1.07 wrote them: player 0 has won the opening roll with 5 and 2; player 1 hits. */
#define OPENING                                                                                  \
	"board:zero:one:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:5:2:5:" \
	"2:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
#define ON_BAR                                                                                   \
	"board:zero:one:0:0:0:-2:2:0:2:0:0:3:0:1:0:0:0:-4:5:0:0:0:-4:0:-5:0:0:0:0:2:0:-1:6:6:6:" \
	"6:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"

/* Matches: a redouble, a decision about the cube, a Crawford game. */
#define DOUBLED                                                                                \
	"board:one:zero:7:0:0:0:0:1:3:-1:-2:1:0:3:0:0:0:-2:3:1:0:0:-3:-2:-5:0:0:0:1:2:0:-1:0:" \
	"0:0:0:2:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"
#define OWNED                                                                                  \
	"board:zero:one:7:2:1:0:-1:0:-2:2:2:2:2:2:0:0:0:-2:3:0:0:0:-2:0:-6:-2:0:0:1:1:0:-1:0:" \
	"0:0:0:2:0:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
#define CRAWFORD                                                                               \
	"board:zero:one:7:4:6:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:1:0:0:1:0:0:-1:4:1:" \
	"4:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
#define ONE_POINT                                                                              \
	"board:zero:one:1:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:1:0:0:1:0:0:-1:4:1:" \
	"4:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"

/* Options as the game has them by default: the Crawford rule is on. */
static struct backgammon state_of(const char *line)
{
	int64_t options[BACKGAMMON_OPTIONS] = { [BACKGAMMON_OPTION_CRAWFORD] = 1 };
	struct fibs_board board;
	struct backgammon s = { 0 };
	struct qv_error error = { "" };
	const char *rest;
	enum qv_status status = fibs_read(line, &board, &rest, &error);
	if (status == QV_OK) {
		fibs_options(&board, options);
		status = fibs_to_state(&board, options, &s, &error);
	}
	if (status != QV_OK)
		fail_msg("%s: %s", line, error.text);
	return s;
}

static const char *position_of(const char *line)
{
	static char text[QV_POSITION_TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	const struct backgammon s = state_of(line);
	*text = '\0';
	backgammon_position_text(&s, &out);
	return text;
}

static void test_fibs__reads_lines_of_gnu_backgammon(void **state)
{
	(void)state;
	assert_string_equal(position_of(OPENING), "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 2 52");
	assert_string_equal(position_of(ON_BAR),
			    "24:2,13:5,8:1,6:3,3:2,1:2 bar:2,13:4,8:4,6:5 2 66");
	/* GNU Backgammon's match IDs gave the rest. */
	assert_string_equal(position_of(DOUBLED),
			    "24:2,23:1,14:1,13:3,8:3,6:1,3:3,2:1 21:1,20:2,13:2,8:3,7:2,6:5 2 "
			    "double cube 2 2 match 7 0 0");
	assert_string_equal(position_of(OWNED),
			    "24:1,23:1,13:3,8:2,7:2,6:2,5:2,4:2 24:1,22:2,13:2,8:2,6:6,5:2 2 - "
			    "cube 2 2 match 7 1 2");
	assert_string_equal(position_of(CRAWFORD),
			    "23:1,20:1,13:5,8:3,6:5 24:2,13:5,8:3,6:5 2 41 cube 1 - match 7 6 4 "
			    "crawford");
	/* Both need one point, which is no Crawford game, although the board does not say so. */
	assert_string_equal(position_of(ONE_POINT),
			    "23:1,20:1,13:5,8:3,6:5 24:2,13:5,8:3,6:5 2 41 cube 1 - match 1 0 0");
}

/* Who doubles, and who is asked. */
static void test_fibs__knows_who_decides(void **state)
{
	(void)state;
	struct backgammon s = state_of(DOUBLED);
	assert_int_equal(s.phase, BACKGAMMON_ANSWER);
	assert_int_equal(backgammon_seat(&s), 0);
	s = state_of(OWNED);
	assert_int_equal(s.phase, BACKGAMMON_CUBE);
	assert_int_equal(backgammon_seat(&s), 1);
	/* FIBS itself: nobody may double while a double waits for its answer. */
	struct fibs_board board;
	struct qv_error error;
	int64_t options[BACKGAMMON_OPTIONS] = { 0 };
	const char *rest;
	assert_int_equal(fibs_read(OPENING, &board, &rest, &error), QV_OK);
	board.field[FIBS_MAY_DOUBLE] = board.field[FIBS_MAY_DOUBLE + 1] = 0;
	fibs_options(&board, options);
	assert_int_equal(options[BACKGAMMON_OPTION_CUBE], 1);
	assert_int_equal(fibs_to_state(&board, options, &s, &error), QV_OK);
	assert_int_equal(s.phase, BACKGAMMON_ANSWER);
	/* After a beaver the cube is the opponent's, and the doubler is asked. */
	options[BACKGAMMON_OPTION_BEAVERS] = 1;
	board.field[FIBS_DOUBLED] = 1;
	board.field[FIBS_MAY_DOUBLE] = 1;
	board.field[FIBS_CUBE] = 2;
	assert_int_equal(fibs_to_state(&board, options, &s, &error), QV_OK);
	assert_true(s.flags & BACKGAMMON_BEAVERED);
	assert_int_equal(backgammon_seat(&s), 1);
}

static void test_fibs__shortens_long_matches(void **state)
{
	(void)state;
	struct fibs_board board;
	struct backgammon s;
	struct qv_error error;
	int64_t options[BACKGAMMON_OPTIONS] = { 0 };
	const char *rest;
	assert_int_equal(fibs_read(OPENING, &board, &rest, &error), QV_OK);
	board.field[FIBS_MATCH] = 99;
	board.field[FIBS_SCORE] = 90; /* of the player on roll, seat 2 */
	board.field[FIBS_SCORE + 1] = 7;
	fibs_options(&board, options);
	assert_int_equal(options[BACKGAMMON_OPTION_MATCH], 64);
	assert_int_equal(fibs_to_state(&board, options, &s, &error), QV_OK);
	assert_int_equal(s.score[1], 55);
	assert_int_equal(s.score[0], 0);
	board.field[FIBS_MATCH] = FIBS_MONEY;
	fibs_options(&board, options);
	assert_int_equal(options[BACKGAMMON_OPTION_MATCH], 0);
}

/* The same position, described for the other player: signs, direction and places are the reverse. */
static void test_fibs__reads_each_colour_and_direction(void **state)
{
	(void)state;
	const struct backgammon expected = state_of(ON_BAR);
	struct fibs_board board, other = { 0 };
	struct qv_error error;
	struct backgammon s;
	const char *rest;
	assert_int_equal(fibs_read(ON_BAR, &board, &rest, &error), QV_OK);
	/* Points in the other order: the positive men move upwards. */
	other = board;
	for (int i = 0; i < 26; i++)
		other.field[FIBS_POINT + i] = board.field[FIBS_POINT + 25 - i];
	other.field[FIBS_DIRECTION] = 1;
	assert_int_equal(fibs_to_state(&other, NULL, &s, &error), QV_OK);
	assert_memory_equal(&s, &expected, sizeof s);
	/* The line describes the player with negative men, who moves upwards. */
	other = board;
	other.field[FIBS_COLOUR] = -1;
	other.field[FIBS_DIRECTION] = 1;
	assert_int_equal(fibs_to_state(&other, NULL, &s, &error), QV_OK);
	assert_memory_equal(s.men, expected.men, sizeof s.men);
	assert_int_equal(s.turn, expected.turn);
}

static void test_fibs__writes_what_it_reads(void **state)
{
	(void)state;
	static const char *const lines[] = { OPENING, ON_BAR, DOUBLED, OWNED, CRAWFORD };
	for (int i = 0; i < 5; i++) {
		char text[512] = "";
		struct qv_text out = { text, sizeof text, 0 };
		struct fibs_board board, again;
		struct qv_error error;
		const char *rest;
		assert_int_equal(fibs_read(lines[i], &board, &rest, &error), QV_OK);
		assert_string_equal(rest, "");
		fibs_write(&board, &out);
		assert_string_equal(text, lines[i]);
		const struct backgammon s = state_of(lines[i]);
		fibs_from_state(&s, &again);
		assert_memory_equal(again.field, board.field, sizeof board.field);
	}
}

/* Every position of random games in which a player decides survives the way there and back. */
static void check_random_games(const int64_t *options, int games)
{
	uint64_t random = 1;
	int checked = 0;
	while (games-- > 0) {
		struct backgammon s, back;
		int32_t points[2];
		qv_move list[BACKGAMMON_MAX_MOVES];
		backgammon_start(&s, options);
		while (backgammon_result(&s, points) == QV_GOING) {
			if (backgammon_seat(&s) != QV_CHANCE) {
				char text[512] = "";
				struct qv_text out = { text, sizeof text, 0 };
				struct fibs_board board;
				struct qv_error error = { "" };
				const char *rest;
				fibs_from_state(&s, &board);
				fibs_write(&board, &out);
				assert_int_equal(fibs_read(text, &board, &rest, NULL), QV_OK);
				if (fibs_to_state(&board, options, &back, &error) != QV_OK)
					fail_msg("%s: %s", text, error.text);
				assert_memory_equal(&back, &s, sizeof s);
				checked++;
			}
			random = random * 6364136223846793005u + 1442695040888963407u;
			const int count = backgammon_moves(&s, list);
			backgammon_play(&s, list[(random >> 33) % (unsigned)count]);
		}
	}
	assert_true(checked > 20);
}

static void test_fibs__keeps_positions_of_random_games(void **state)
{
	(void)state;
	static const int64_t options[][BACKGAMMON_OPTIONS] = {
		{ 0 },
		{ [BACKGAMMON_OPTION_CUBE] = 1, [BACKGAMMON_OPTION_JACOBY] = 1 },
		{ [BACKGAMMON_OPTION_CUBE] = 1, [BACKGAMMON_OPTION_BEAVERS] = 1 },
		{ [BACKGAMMON_OPTION_MATCH] = 5, [BACKGAMMON_OPTION_CRAWFORD] = 1 },
		{ [BACKGAMMON_OPTION_MATCH] = 9 },
	};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		check_random_games(options[i], 10 + (int)scaled(10));
}

static void test_fibs__refuses_bad_lines(void **state)
{
	(void)state;
	static const struct {
		const char *line, *why;
	} bad[] = {
		{ "", "begin with" },
		{ "board", "begin with" },
		{ "board:", "two names" },
		{ "board:a:b", "two names" },
		{ "board:a:b:", "number 1" },
		{ "board:a:b:0", "at least" },
		{ "board:a:b:0:x", "number 2" },
		{ "board:a:b:99999999999", "number 1" },
		{ OPENING ":1", "more than 50" },
		{ OPENING ",", "colon after number 50" },
	};
	struct fibs_board board;
	struct qv_error error;
	const char *rest;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(fibs_read(bad[i].line, &board, &rest, &error), QV_BAD_INPUT);
		assert_non_null(strstr(error.text, bad[i].why));
	}
}

static void test_fibs__refuses_impossible_positions(void **state)
{
	(void)state;
	static const struct {
		int field;
		int32_t value;
		const char *why;
	} bad[] = {
		{ FIBS_POINT + 6, 16, "16 men" },
		{ FIBS_POINT + 6, -16, "-16 men" },
		{ FIBS_POINT + 6, INT32_MIN, "men" },
		{ FIBS_POINT + 2, 1, "16 men" },
		{ FIBS_POINT + 25, -1, "16 men" },
		{ FIBS_TURN, 0, "over" },
		{ FIBS_COLOUR, 0, "over" },
		{ FIBS_DIRECTION, 0, "over" },
		{ FIBS_DICE, 7, "die" },
		{ FIBS_DICE, 0, "die" },
		{ FIBS_DICE + 1, -1, "die" },
		{ FIBS_CUBE, 3, "cube" },
		{ FIBS_CUBE, 8192, "cube" },
		{ FIBS_CUBE, INT32_MAX, "cube" },
		{ FIBS_MATCH, -1, "match" },
		{ FIBS_SCORE, 7, "points" },
		{ FIBS_SCORE + 1, -1, "points" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct fibs_board board;
		struct backgammon s;
		struct qv_error error;
		int64_t options[BACKGAMMON_OPTIONS] = { 0 };
		const char *rest;
		assert_int_equal(fibs_read(OPENING, &board, &rest, &error), QV_OK);
		board.field[FIBS_MATCH] = 7;
		board.field[bad[i].field] = bad[i].value;
		fibs_options(&board, options);
		assert_int_equal(fibs_to_state(&board, options, &s, &error), QV_ILLEGAL);
		assert_non_null(strstr(error.text, bad[i].why));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fibs__reads_lines_of_gnu_backgammon),
		cmocka_unit_test(test_fibs__knows_who_decides),
		cmocka_unit_test(test_fibs__shortens_long_matches),
		cmocka_unit_test(test_fibs__reads_each_colour_and_direction),
		cmocka_unit_test(test_fibs__writes_what_it_reads),
		cmocka_unit_test(test_fibs__keeps_positions_of_random_games),
		cmocka_unit_test(test_fibs__refuses_bad_lines),
		cmocka_unit_test(test_fibs__refuses_impossible_positions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
