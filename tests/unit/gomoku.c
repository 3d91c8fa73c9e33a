/*
 * gomoku.c - go-moku: the ends of games under each rule, swap2, and texts.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/rules.h"
#include "games/gomoku/threats.h"

#include "quevedo.h"

#include "support/check.h"

static struct qv_context *context;

static int set_up_context(void **unused)
{
	(void)unused;
	context = qv_context_new(NULL);
	return context ? 0 : -1;
}

static int free_context(void **unused)
{
	(void)unused;
	qv_context_free(context);
	return 0;
}

static struct qv_rules rules_of(const char *name)
{
	struct qv_rules rules;
	struct qv_error error = { "" };
	if (qv_rules_parse(context, name, &rules, &error) != QV_OK)
		fail_msg("%s: %s", name, error.text);
	return rules;
}

static struct gomoku position(const char *name, const char *text)
{
	const struct qv_rules rules = rules_of(name);
	struct gomoku s;
	struct qv_error error = { "" };
	if (qv_position_parse(&rules, text, &s, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static void check_text(const struct gomoku *s, const char *expected)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	gomoku_position_text(s, &out);
	assert_string_equal(text, expected);
}

static qv_move move_of(const struct gomoku *s, const char *text)
{
	qv_move move;
	struct qv_error error = { "" };
	if (qv_move_parse(rules_of("gomoku").game, s, text, &move, &error) != QV_OK)
		fail_msg("%s", error.text);
	return move;
}

/* The points of both seats after the move; -1: the game goes on. */
static int points_after(const char *name, const char *text, const char *move)
{
	struct gomoku s = position(name, text);
	int32_t points[QV_MAX_SEATS];
	gomoku_play(&s, move_of(&s, move));
	if (gomoku_result(&s, points) == QV_GOING)
		return -1;
	return points[0] * 10 + points[1];
}

/* ---- Ends ---- */

static const char black_four[] = "9/9/9/9/oooo5/xxxx5/9/9/9 x";
static const char black_gap[] = "9/9/9/9/oo1oo1o2/xxx1xx3/9/9/9 x";
static const char white_gap[] = "9/9/9/9/ooo1oo3/xx1xx1xx1/9/9/9 o";

static void test_gomoku__five_wins(void **unused)
{
	(void)unused;
	assert_int_equal(points_after("gomoku:size=9", black_four, "e4"), 10);
	assert_int_equal(points_after("gomoku:size=9,rule=exact", black_four, "e4"), 10);
	assert_int_equal(points_after("gomoku:size=9,rule=renju", black_four, "e4"), 10);
	assert_int_equal(points_after("gomoku:size=9", black_four, "e5"), -1);
}

static void test_gomoku__overline_counts_by_rule(void **unused)
{
	(void)unused;
	assert_int_equal(points_after("gomoku:size=9", black_gap, "d4"), 10);
	assert_int_equal(points_after("gomoku:size=9,rule=exact", black_gap, "d4"), -1);
	assert_int_equal(points_after("gomoku:size=9", white_gap, "d5"), 1);
	assert_int_equal(points_after("gomoku:size=9,rule=exact", white_gap, "d5"), -1);
	assert_int_equal(points_after("gomoku:size=9,rule=renju", white_gap, "d5"), 1);
}

static void check_refusal(const char *name, const char *text, const char *move, const char *why)
{
	const struct gomoku s = position(name, text);
	struct qv_error error = { "" };
	qv_move ignored;
	assert_int_not_equal(qv_move_parse(rules_of(name).game, &s, move, &ignored, &error), QV_OK);
	if (!strstr(error.text, why))
		fail_msg("%s: %s", move, error.text);
}

static void test_gomoku__refusals_name_the_reason(void **unused)
{
	(void)unused;
	check_refusal("gomoku:size=9,rule=renju", black_gap, "d4",
		      "d4 is forbidden to Black: it makes an overline");
	check_refusal("gomoku:size=9,rule=renju", "9/9/4x4/4x4/2xx5/oo1o1o3/9/9/9 x", "e5",
		      "e5 is forbidden to Black: it makes a double three");
	check_refusal("gomoku:size=9,rule=renju", "9/9/9/9/x1x1x1x2/oo1oo4/9/9/9 x", "a5",
		      "a5 is occupied");
	check_refusal("gomoku:size=9,rule=renju", "9/9/9/9/x1x1x1x2/oo1oo4/9/9/9 x", "d5",
		      "d5 is forbidden to Black: it makes a double four");
	check_refusal("gomoku:size=9", black_four, "j1", "the point is not on the board");
	check_refusal("gomoku:size=9", black_four, "a10", "the point is not on the board");
}

static void test_gomoku__full_board_is_a_draw(void **unused)
{
	(void)unused;
	assert_int_equal(points_after("gomoku:size=9",
				      "1xooxxoox/ooxxooxxo/xxooxxoox/ooxxooxxo/xxooxxoox/ooxxooxxo/"
				      "xxooxxoox/ooxxooxxo/xxooxxoox x",
				      "a9"),
			 0);
}

/* ---- Swap2 ---- */

/* The seat to move after each move of a game, as digits. */
static void check_seats(const char *moves, const char *seats, const char *last)
{
	const struct qv_rules rules = rules_of("gomoku:size=9,opening=swap2");
	struct gomoku s;
	char copy[128], *rest = copy;
	rules.game->start(rules.options, &s);
	snprintf(copy, sizeof copy, "%s", moves);
	for (char *move = strtok_r(copy, " ", &rest); move; move = strtok_r(NULL, " ", &rest)) {
		assert_int_equal(gomoku_seat(&s), *seats++ - '0');
		gomoku_play(&s, move_of(&s, move));
	}
	assert_int_equal(gomoku_seat(&s), *seats - '0');
	check_text(&s, last);
}

static void test_gomoku__swap2_gives_colours(void **unused)
{
	(void)unused;
	/* White for the second player. */
	check_seats("a1 b1 c1 white d1 e1", "0001101", "9/9/9/9/9/9/9/9/xoxox4 o kept");
	/* Black for the second player: the first one is White and moves next. */
	check_seats("a1 b1 c1 black d1 e1", "0001010", "9/9/9/9/9/9/9/9/xoxox4 o swapped");
	/* Two more stones; then the first player chooses. */
	check_seats("a1 b1 c1 d1 e1 black f1 g1", "000110101", "9/9/9/9/9/9/9/9/xoxoxox2 o kept");
	check_seats("a1 b1 c1 d1 e1 white f1 g1", "000110010",
		    "9/9/9/9/9/9/9/9/xoxoxox2 o swapped");
	check_seats("a1 b1 c1 d1", "00011", "9/9/9/9/9/9/9/9/xoxo5 x open");
}

static void test_gomoku__swap2_awards_the_win_to_the_seat(void **unused)
{
	(void)unused;
	assert_int_equal(points_after("gomoku:size=9,opening=swap2",
				      "9/9/9/9/oooo5/xxxx5/9/9/9 x swapped", "e4"),
			 1);
	assert_int_equal(points_after("gomoku:size=9,opening=swap2",
				      "9/9/9/9/oooo5/xxxx5/9/9/9 x kept", "e4"),
			 10);
}

/* ---- Texts ---- */

static void test_gomoku__moves_are_read_as_a_position(void **unused)
{
	(void)unused;
	const struct gomoku s = position("gomoku", "h8 i9 o15");
	const struct gomoku capitals = position("gomoku", "H8 I9 O15");
	assert_memory_equal(&capitals, &s, sizeof s);
	check_text(&s, "14x/15/15/15/15/15/8o6/7x7/15/15/15/15/15/15/15 o");
	const struct gomoku t = position("gomoku:size=20", "t20 a1");
	check_text(&t, "19x/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/o19 x");
	const struct gomoku u = position("gomoku:size=9,opening=swap2", "a1 b1 c1 black");
	check_text(&u, "9/9/9/9/9/9/9/9/xox6 o swapped");
}

static void test_gomoku__positions_are_checked(void **unused)
{
	static const char *const list[][3] = {
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9 x", "expected 9 rows" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/9/9 x", "expected 9 rows" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/10 x", "row 1: expected 9 points" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/08 x", "row 1: expected 9 points" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/4b4 x", "row 1: expected 9 points" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/9 b", "expected the side to move" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/9 x open", "expected nothing" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/9 o", "it is x's turn" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/9/o8 x", "x moves first" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/oooo5/xxxxx4 x", "it is o's turn" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/ooooo4/xx1xx1x2 x", "" },
		{ "gomoku:size=9", "9/9/9/9/9/9/9/oo1oo1o2/xxxxx4 x", "already has five" },
		{ "gomoku:size=9", "o8/o8/o8/o8/xxxxx4/9/o8/o8/xxxxx4 x", "x moves first" },
		{ "gomoku:size=9", "oo1oo1oo1/9/9/9/xxxxx4/9/oo7/o8/xxxxx4 o",
		  "no single last move" },
		{ "gomoku:size=9,rule=renju", "9/9/9/9/9/9/9/oo1oo1oo1/xxxxxx3 x",
		  "already has five" },
		{ "gomoku:size=9,rule=renju", "9/9/9/9/9/9/9/oo1oo4/xxxxxx3 o", "x moves first" },
		{ "gomoku:size=9,rule=renju", "9/9/9/9/9/9/9/oo1oo1oo1/xxxxxxx2 o",
		  "no single last move" },
		{ "gomoku:size=9", "a1 a1", "move 2 is not legal" },
		{ "gomoku:size=9", "a1 j1", "move 2 is not legal" },
		{ "gomoku:size=9", "a1  b1", "move 2 is not legal" },
		{ "gomoku:size=9", "xyz", "move 1 is not legal" },
		{ "gomoku:size=9,opening=swap2", "9/9/9/9/9/9/9/9/9 x", "expected open, kept or" },
		{ "gomoku:size=9,opening=swap2", "9/9/9/9/9/9/9/9/9 x kept", "colours are chosen" },
		{ "gomoku:size=9,opening=swap2", "9/9/9/9/9/9/9/9/xoxoxo3 x open", "at most five" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		const struct qv_rules rules = rules_of(list[i][0]);
		struct gomoku s;
		struct qv_error error = { "" };
		const enum qv_status status = qv_position_parse(&rules, list[i][1], &s, &error);
		if ((status == QV_OK) != !*list[i][2] || !strstr(error.text, list[i][2]))
			fail_msg("%s: %s", list[i][1], error.text);
	}
}

/* ---- Patterns ---- */

/* A five, a straight four, a four and a three: where they can be made. */
static void test_gomoku__threats_are_found(void **unused)
{
	const struct gomoku s = position(
		"gomoku:size=15", "15/15/2xxx10/15/15/15/7xx6/15/15/15/15/2oooo9/15/15/15 o");
	struct gomoku_threats t;
	(void)unused;
	gomoku_find_threats(&s, &t);
#define COUNT(colour, text, threat) \
	gomoku_threat_count(&t, colour, (int)move_of(&s, text), GOMOKU_MAKES_##threat)
	assert_int_equal(COUNT(GOMOKU_WHITE, "b4", FIVE), 1);
	assert_int_equal(COUNT(GOMOKU_WHITE, "g4", FIVE), 1);
	assert_int_equal(COUNT(GOMOKU_WHITE, "h4", FIVE), 0);
	assert_int_equal(COUNT(GOMOKU_BLACK, "f13", STRAIGHT_FOUR), 1);
	assert_int_equal(COUNT(GOMOKU_BLACK, "g13", STRAIGHT_FOUR), 0);
	assert_int_equal(COUNT(GOMOKU_BLACK, "g13", FOUR), 1);
	assert_int_equal(COUNT(GOMOKU_BLACK, "a13", FOUR), 1);
	assert_int_equal(COUNT(GOMOKU_BLACK, "g9", THREE), 1);
	assert_int_equal(COUNT(GOMOKU_BLACK, "f9", THREE), 1);
	assert_int_equal(COUNT(GOMOKU_BLACK, "e9", THREE), 0);
#undef COUNT
}

/* Patterns that were counted move by move, against a count of all windows of the position. */
static void test_gomoku__patterns_are_kept(void **unused)
{
	const struct qv_rules rules = rules_of("gomoku:size=11,rule=renju");
	struct qv_random r = { 5, 0 };
	(void)unused;
	for (int round = 0; round < 20; round++) {
		struct gomoku s;
		int32_t points[QV_MAX_SEATS];
		rules.game->start(rules.options, &s);
		while (gomoku_result(&s, points) == QV_GOING) {
			qv_move list[GOMOKU_MAX_MOVES];
			const int n = gomoku_moves(&s, list);
			gomoku_play(&s, list[qv_random_below(&r, (uint64_t)n)]);
		}
		struct gomoku again = s;
		memset(again.patterns, 0, sizeof again.patterns);
		for (int line = 0; line < GOMOKU_LINES; line++)
			for (int colour = 0; colour < 2; colour++)
				gomoku_count_line(&again, colour, line, 1);
		assert_memory_equal(again.patterns, s.patterns, sizeof s.patterns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gomoku__five_wins),
		cmocka_unit_test(test_gomoku__overline_counts_by_rule),
		cmocka_unit_test(test_gomoku__refusals_name_the_reason),
		cmocka_unit_test(test_gomoku__full_board_is_a_draw),
		cmocka_unit_test(test_gomoku__swap2_gives_colours),
		cmocka_unit_test(test_gomoku__swap2_awards_the_win_to_the_seat),
		cmocka_unit_test(test_gomoku__moves_are_read_as_a_position),
		cmocka_unit_test(test_gomoku__positions_are_checked),
		cmocka_unit_test(test_gomoku__threats_are_found),
		cmocka_unit_test(test_gomoku__patterns_are_kept),
	};
	return cmocka_run_group_tests(tests, set_up_context, free_context);
}
