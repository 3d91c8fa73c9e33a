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
#define ON_BAR                                                                                  \
	"board:zero:one:0:0:0:-2:2:0:2:0:0:3:0:1:0:0:0:-4:5:0:0:0:-4:0:-5:0:0:0:0:2:0:-1:6:6:6:" \
	"6:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"

static struct backgammon state_of(const char *line)
{
	struct fibs_board board;
	struct backgammon s = { 0 };
	struct qv_error error = { "" };
	const char *rest;
	if (fibs_read(line, &board, &rest, &error) != QV_OK ||
	    fibs_to_state(&board, &s, &error) != QV_OK)
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
	assert_int_equal(fibs_to_state(&other, &s, &error), QV_OK);
	assert_memory_equal(&s, &expected, sizeof s);
	/* The line describes the player with negative men, who moves upwards. */
	other = board;
	other.field[FIBS_COLOUR] = -1;
	other.field[FIBS_DIRECTION] = 1;
	assert_int_equal(fibs_to_state(&other, &s, &error), QV_OK);
	assert_memory_equal(s.men, expected.men, sizeof s.men);
	assert_int_equal(s.turn, expected.turn);
}

static void test_fibs__writes_what_it_reads(void **state)
{
	(void)state;
	static const char *const lines[] = { OPENING, ON_BAR };
	for (int i = 0; i < 2; i++) {
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
static void test_fibs__keeps_positions_of_random_games(void **state)
{
	(void)state;
	uint64_t random = 1;
	int checked = 0;
	for (int n = 0; n < scaled(20); n++) {
		struct backgammon s, back;
		int32_t points[2];
		qv_move list[BACKGAMMON_MAX_MOVES];
		backgammon_start(&s, NULL);
		while (backgammon_result(&s, points) == QV_GOING) {
			if (s.phase == BACKGAMMON_MOVE) {
				char text[512] = "";
				struct qv_text out = { text, sizeof text, 0 };
				struct fibs_board board;
				fibs_from_state(&s, &board);
				fibs_write(&board, &out);
				back = state_of(text);
				assert_memory_equal(&back, &s, sizeof s);
				checked++;
			}
			random = random * 6364136223846793005u + 1442695040888963407u;
			const int count = backgammon_moves(&s, list);
			backgammon_play(&s, list[(random >> 33) % (unsigned)count]);
		}
	}
	assert_true(checked > 100);
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
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct fibs_board board;
		struct backgammon s;
		struct qv_error error;
		const char *rest;
		assert_int_equal(fibs_read(OPENING, &board, &rest, &error), QV_OK);
		board.field[bad[i].field] = bad[i].value;
		assert_int_equal(fibs_to_state(&board, &s, &error), QV_ILLEGAL);
		assert_non_null(strstr(error.text, bad[i].why));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fibs__reads_lines_of_gnu_backgammon),
		cmocka_unit_test(test_fibs__reads_each_colour_and_direction),
		cmocka_unit_test(test_fibs__writes_what_it_reads),
		cmocka_unit_test(test_fibs__keeps_positions_of_random_games),
		cmocka_unit_test(test_fibs__refuses_bad_lines),
		cmocka_unit_test(test_fibs__refuses_impossible_positions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
