/*
 * race.c - Race! against its rules: each one shown, and what its texts refuse.
 * SPDX-License-Identifier: MIT
 */
#include "games/race/evaluate.h"

#include "support/check.h"
#include "support/scale.h"

enum { TEXT = 64, WALKS = 300 };

static struct race parsed(const char *text)
{
	struct race s;
	struct qv_error error = { "" };
	if (race_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

/* The moves' texts with blanks between them. */
static const char *moves_of(const struct race *s, char *buffer)
{
	qv_move list[RACE_MAX_MOVES];
	struct qv_text out = { buffer, TEXT, 0 };
	buffer[0] = '\0';
	const int n = race_moves(s, list);
	for (int i = 0; i < n; i++) {
		qv_put(&out, i ? " " : "");
		race_move_text(s, list[i], &out);
	}
	return buffer;
}

static void must_list(const char *position, const char *moves)
{
	char buffer[TEXT];
	const struct race s = parsed(position);
	assert_string_equal(moves_of(&s, buffer), moves);
}

/* Playing the move that reads so leads there. */
static void must_lead(const char *position, const char *move, const char *after)
{
	qv_move list[RACE_MAX_MOVES];
	struct race s = parsed(position);
	for (int i = race_moves(&s, list); i > 0; i--) {
		char text[TEXT] = "", reached[TEXT] = "";
		struct qv_text out = { text, TEXT, 0 }, there = { reached, TEXT, 0 };
		race_move_text(&s, list[i - 1], &out);
		if (strcmp(text, move) != 0)
			continue;
		race_play(&s, list[i - 1]);
		race_position_text(&s, &there);
		assert_string_equal(reached, after);
		return;
	}
	fail_msg("%s is no move at %s", move, position);
}

/* ---- rules ---- */

static void test_rules__the_first_seat_throws_first(void **unused)
{
	(void)unused;
	struct race s;
	race_start(&s, NULL);
	assert_int_equal(race_seat(&s), QV_CHANCE);
	for (qv_move face = 1; face <= RACE_FACES; face++)
		assert_int_equal(race_weight(&s, face), 1);
	must_list("0,0,0,0 0,0,0,0 1 -", "roll 1 roll 2 roll 3 roll 4 roll 5 roll 6");
	must_lead("0,0,0,0 0,0,0,0 1 -", "roll 4", "0,0,0,0 0,0,0,0 1 4");
}

static void test_rules__only_a_six_lets_a_piece_in(void **unused)
{
	(void)unused;
	must_list("0,0,0,0 0,0,0,0 1 5", "pass");
	must_list("0,0,0,0 0,0,0,0 1 6", "0-1");
	must_list("0,0,4,9 0,0,0,0 1 2", "4-6 9-11");
	must_list("0,0,4,9 0,0,0,0 1 6", "0-1 4-10 9-15");
}

static void test_rules__a_six_throws_again_even_after_a_pass(void **unused)
{
	(void)unused;
	must_lead("0,0,0,0 0,0,0,0 1 6", "0-1", "0,0,0,1 0,0,0,0 1 -");
	must_lead("0,0,0,1 0,0,0,0 1 2", "1-3", "0,0,0,3 0,0,0,0 2 -");
	must_lead("0,0,0,0 0,0,1,1 1 6", "pass", "0,0,0,0 0,0,1,1 1 -");
	must_lead("0,0,0,0 0,0,1,1 1 3", "pass", "0,0,0,0 0,0,1,1 2 -");
}

static void test_rules__blocks_are_neither_passed_nor_landed_on(void **unused)
{
	(void)unused;
	must_list("0,0,0,5 0,0,8,8 1 2", "5-7");
	must_list("0,0,0,5 0,0,8,8 1 3", "pass");
	must_list("0,0,0,5 0,0,8,8 1 4", "pass");
	must_list("0,0,0,5 0,0,7,8 1 4", "5-9");
	must_list("0,0,5,5 0,8,8,8 1 1", "5-6");
}

static void test_rules__home_and_start_block_nobody(void **unused)
{
	(void)unused;
	must_list("0,0,0,17 0,18,18,18 1 1", "17-18");
	must_list("0,0,0,17 0,0,0,18 1 6", "0-1");
	must_lead("0,0,0,17 0,1,1,18 1 1", "17-18", "0,0,0,18 0,1,1,18 2 -");
}

static void test_rules__a_lone_piece_is_sent_back(void **unused)
{
	(void)unused;
	must_lead("0,0,2,9 0,0,5,12 1 3", "2-5", "0,0,5,9 0,0,0,12 2 -");
	must_lead("0,0,2,9 0,0,5,12 1 3", "9-12", "0,0,2,12 0,0,0,5 2 -");
	must_lead("0,0,0,0 0,0,1,12 1 6", "0-1", "0,0,0,1 0,0,0,12 1 -");
}

static void test_rules__home_needs_the_exact_number(void **unused)
{
	(void)unused;
	must_list("15,15,16,18 0,0,0,0 1 3", "15-18");
	must_list("15,15,16,18 0,0,0,0 1 4", "pass");
	must_list("15,15,16,18 0,0,0,0 1 2", "15-17 16-18");
}

static void test_rules__four_home_win(void **unused)
{
	int32_t points[2] = { -1, -1 };
	(void)unused;
	struct race s = parsed("16,18,18,18 0,3,18,18 1 2");
	assert_int_equal(race_result(&s, points), QV_GOING);
	race_play(&s, 16);
	assert_int_equal(race_result(&s, points), QV_ENDED);
	assert_int_equal(points[0], 1);
	assert_int_equal(points[1], 0);
	assert_int_equal(race_seat(&s), 1);
	assert_int_equal(race_count(&s), 0);
	s = parsed("0,0,0,0 12,18,18,18 2 6");
	race_play(&s, 12);
	assert_int_equal(race_result(&s, points), QV_ENDED);
	assert_int_equal(points[1], 1);
	assert_int_equal(race_seat(&s), 1);
}

/* The book's vectors are of moves 0-6, 19-23 and 7-10 in its own count of squares. */
static void test_rules__the_books_squares_are_five_more(void **unused)
{
	(void)unused;
	must_list("0,0,0,14 0,0,0,0 1 4", "14-18");
	must_lead("0,0,0,2 0,0,0,5 1 3", "2-5", "0,0,0,5 0,0,0,0 2 -");
	must_lead("0,2,2,5 0,0,0,0 1 3", "2-5", "0,2,5,5 0,0,0,0 2 -");
}

/* ---- texts ---- */

static void test_text__what_is_refused(void **unused)
{
	static const struct {
		const char *text;
		enum qv_status status;
	} cases[] = {
		{ "", QV_BAD_INPUT },
		{ "0,0,0,0", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,0,00 0,0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,0,01 0,0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,0,19 0,0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,0,-1 0,0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,3,2 0,0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0 ", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0 3 -", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0 1", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0 1 ", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0 1 0", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0 1 7", QV_BAD_INPUT },
		{ "0,0,0,0 0,0,0,0 1 -1", QV_BAD_INPUT },
		{ "0,0,0,0  0,0,0,0 1 -", QV_BAD_INPUT },
		{ "0,0,0,7 0,0,7,9 1 -", QV_ILLEGAL },
		{ "18,18,18,18 18,18,18,18 1 -", QV_ILLEGAL },
		{ "18,18,18,18 0,0,0,0 2 3", QV_ILLEGAL },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct qv_error error = { "" };
		struct race s, before;
		memset(&s, 0x5a, sizeof s);
		before = s;
		if (race_position_parse(&s, NULL, cases[i].text, &error) != cases[i].status)
			fail_msg("'%s' is not refused as it should be", cases[i].text);
		assert_int_equal(strncmp(error.text, "position: ", 10), 0);
		assert_memory_equal(&s, &before, sizeof s);
	}
}

static void test_text__a_piece_may_be_named_by_its_number(void **unused)
{
	(void)unused;
	static const struct {
		const char *position, *text;
		int move; /* -1: refused */
	} cases[] = {
		{ "0,3,5,18 0,0,7,12 1 2", "1", RACE_START }, /* read; not legal with a 2 */
		{ "0,3,5,18 0,0,7,12 1 2", "2", 3 },
		{ "0,3,5,18 0,0,7,12 1 2", "3", 5 },
		{ "0,3,5,18 0,0,7,12 1 2", "4", RACE_HOME },
		{ "0,3,3,18 0,0,7,12 1 2", "2", 3 },
		{ "0,3,3,18 0,0,7,12 1 2", "3", 3 },
		{ "0,3,3,18 0,0,7,12 2 5", "4", 12 },
		{ "0,0,0,0 0,0,0,0 1 5", "0", RACE_PASS },
		{ "0,3,5,18 0,0,7,12 1 2", "5", -1 },
		{ "0,3,5,18 0,0,7,12 1 2", "", -1 },
		{ "0,3,5,18 0,0,7,12 1 2", "22", -1 },
		{ "0,3,5,18 0,0,7,12 1 2", "/", -1 },
		{ "0,3,5,18 0,0,7,12 1 -", "2", -1 }, /* before the roll */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct race s = parsed(cases[i].position);
		qv_move move = QV_NO_MOVE;
		const bool read = race_move_parse(&s, cases[i].text, &move);
		if (read != (cases[i].move >= 0) || (read && move != (qv_move)cases[i].move))
			fail_msg("%s: '%s' is read as another move", cases[i].position,
				 cases[i].text);
	}
}

static void test_text__drawing_fits_40_columns(void **unused)
{
	(void)unused;
	const struct race s = parsed("0,3,3,18 0,0,7,12 2 5");
	char drawing[512];
	struct qv_text out = { drawing, sizeof drawing, 0 };
	race_draw(&s, false, &out);
	assert_string_equal(drawing, "                 11111111\n"
				     "  start 12345678901234567 home\n"
				     "1   1   ..2..............   1\n"
				     "2   2   ......1....1.....   0\n"
				     "rolled: 5\n");
}

/* ---- evaluation ---- */

static struct race other_way_round(const struct race *s)
{
	struct race o = *s;
	memcpy(o.at[0], s->at[1], sizeof o.at[0]);
	memcpy(o.at[1], s->at[0], sizeof o.at[1]);
	o.turn = (uint8_t)(1 - s->turn);
	return o;
}

/* Seats are alike, and nothing comes near what a win is worth. */
static void test_evaluation__seats_are_alike(void **unused)
{
	struct qv_random random = { 31, 0 };
	(void)unused;
	for (int64_t walk = scaled(WALKS); walk > 0; walk--) {
		struct race s;
		race_start(&s, NULL);
		while (!race_has_ended(&s)) {
			qv_move list[RACE_MAX_MOVES];
			const struct race turned = other_way_round(&s);
			const int32_t value = race_evaluate(&s, race_weights);
			assert_int_equal(race_evaluate(&turned, race_weights), value);
			assert_true(value < RACE_WIN && value > -RACE_WIN);
			const int n = race_moves(&s, list);
			race_play(&s, list[qv_random_below(&random, (uint64_t)n)]);
		}
	}
}

static int32_t value_of(const char *text)
{
	const struct race s = parsed(text);
	return race_evaluate(&s, race_weights);
}

static void test_evaluation__each_term_pulls_its_way(void **unused)
{
	(void)unused;
	assert_int_equal(value_of("0,0,0,0 0,0,0,0 1 -"), 0);
	assert_true(value_of("0,0,0,5 0,0,0,0 1 -") > value_of("0,0,0,4 0,0,0,0 1 -"));
	assert_true(value_of("0,0,0,1 0,0,0,0 1 -") > value_of("0,0,0,0 0,0,0,0 1 -"));
	assert_true(value_of("0,0,8,8 0,0,0,2 1 -") > value_of("0,0,7,9 0,0,0,2 1 -"));
	assert_true(value_of("0,0,0,9 0,0,0,2 1 -") > value_of("0,0,0,9 0,0,0,4 1 -"));
	assert_true(value_of("0,0,0,4 0,0,0,9 1 5") > value_of("0,0,0,4 0,0,0,10 1 5"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules__the_first_seat_throws_first),
		cmocka_unit_test(test_rules__only_a_six_lets_a_piece_in),
		cmocka_unit_test(test_rules__a_six_throws_again_even_after_a_pass),
		cmocka_unit_test(test_rules__blocks_are_neither_passed_nor_landed_on),
		cmocka_unit_test(test_rules__home_and_start_block_nobody),
		cmocka_unit_test(test_rules__a_lone_piece_is_sent_back),
		cmocka_unit_test(test_rules__home_needs_the_exact_number),
		cmocka_unit_test(test_rules__four_home_win),
		cmocka_unit_test(test_rules__the_books_squares_are_five_more),
		cmocka_unit_test(test_text__what_is_refused),
		cmocka_unit_test(test_text__a_piece_may_be_named_by_its_number),
		cmocka_unit_test(test_text__drawing_fits_40_columns),
		cmocka_unit_test(test_evaluation__seats_are_alike),
		cmocka_unit_test(test_evaluation__each_term_pulls_its_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
