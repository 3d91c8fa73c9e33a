/*
 * backgammon.c - backgammon against its literal twin and its rules, and its texts.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/evaluate.h"

#include "support/check.h"
#include "support/scale.h"
#include "twins/twin.h"

enum { TEXT = TWIN_BACKGAMMON_TEXT, MOVES_TEXT = 4096, TWIN_GAMES = 12, SEED = 17 };

static struct backgammon parsed_by(const int64_t *options, const char *text)
{
	struct backgammon s;
	struct qv_error error = { "" };
	if (backgammon_position_parse(&s, options, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static struct backgammon parsed(const char *text)
{
	return parsed_by(NULL, text);
}

static void write_position(const struct backgammon *s, char text[TEXT])
{
	struct qv_text out = { text, TEXT, 0 };
	backgammon_position_text(s, &out);
}

static void write_move(const struct backgammon *s, qv_move move, char text[QV_MOVE_TEXT])
{
	struct qv_text out = { text, QV_MOVE_TEXT, 0 };
	text[0] = '\0';
	backgammon_move_text(s, move, &out);
	assert_true(out.length < QV_MOVE_TEXT);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* ---- The twin ---- */

/* Rules, and how the twin has them. */
struct pair {
	int64_t options[BACKGAMMON_OPTIONS];
	struct twin_backgammon twin;
};

static struct pair make_pair(int match, bool cube, bool jacoby, bool beavers, bool crawford)
{
	return (struct pair){ { match, cube, jacoby, beavers, crawford },
			      { match, cube || match, jacoby, beavers, crawford } };
}

/* Other steps for a move lead to the same position. */
static void check_ways(const struct backgammon *s, qv_move move, const struct backgammon *after)
{
	qv_move ways[BACKGAMMON_WAYS];
	for (int n = backgammon_ways(s, move, ways); n > 0; n--) {
		struct backgammon other = *s;
		assert_true(ways[n - 1] != move);
		backgammon_play(&other, ways[n - 1]);
		assert_memory_equal(&other, after, sizeof other);
	}
}

/* The same position after every roll or turn, each once; texts of moves read back. */
static void check_same_moves(const struct pair *p, const struct backgammon *s, const char *position)
{
	static char theirs[BACKGAMMON_MAX_MOVES][TEXT], ours[BACKGAMMON_MAX_MOVES][TEXT];
	qv_move list[BACKGAMMON_MAX_MOVES];
	const int n = backgammon_moves(s, list);
	if (n != twin_backgammon_next_by(&p->twin, position, theirs, BACKGAMMON_MAX_MOVES))
		fail_msg("%s: %d moves, another number by the twin", position, n);
	for (int i = 0; i < n; i++) {
		struct backgammon after = *s;
		char text[QV_MOVE_TEXT];
		qv_move read = QV_NO_MOVE;
		write_move(s, list[i], text);
		if (list[i] != BACKGAMMON_PASS &&
		    (!backgammon_move_parse(s, text, &read) || read != list[i]))
			fail_msg("%s: %s is read as another move", position, text);
		backgammon_play(&after, list[i]);
		write_position(&after, ours[i]);
		check_ways(s, list[i], &after);
	}
	qsort(ours, (size_t)n, sizeof ours[0], compare_texts);
	qsort(theirs, (size_t)n, sizeof theirs[0], compare_texts);
	for (int i = 0; i < n; i++)
		assert_string_equal(ours[i], theirs[i]);
}

/* A text and the IDs are read as the state that they were written from. */
static void check_read_back(const struct pair *p, const struct backgammon *s, const char *position)
{
	char id[BACKGAMMON_ID + 1], match_id[BACKGAMMON_MATCH_ID + 1];
	char both[sizeof id + sizeof match_id];
	struct backgammon again = parsed_by(p->options, position), expected = *s;
	assert_memory_equal(&again, s, sizeof *s);
	memset(again.men, 0, sizeof again.men);
	backgammon_write_id(s, id);
	assert_true(backgammon_read_id(id, &again));
	assert_memory_equal(&again, s, sizeof *s);
	if (!(s->flags & BACKGAMMON_HAS_CUBE))
		return;
	/* A match ID does not show that a seat has decided to roll. */
	backgammon_write_match_id(s, match_id);
	snprintf(both, sizeof both, "%s:%s", id, match_id);
	again = parsed_by(p->options, both);
	if (s->phase == BACKGAMMON_ROLL && backgammon_can_double(s))
		expected.phase = BACKGAMMON_CUBE;
	assert_memory_equal(&again, &expected, sizeof expected);
}

/* A random move. Doubles and drops are rare, so that games last and matches have several. */
static qv_move any_move(const struct backgammon *s, struct qv_random *random)
{
	enum { RARELY = 6 };
	qv_move list[BACKGAMMON_MAX_MOVES];
	const uint64_t n = (uint64_t)backgammon_moves(s, list);
	const qv_move move = list[qv_random_below(random, n)];
	if (s->phase > BACKGAMMON_MOVE && move == list[1] && qv_random_below(random, RARELY))
		return list[0];
	return move;
}

/* Plays a random game or match; returns the number of moves. */
static int64_t play_alike(const struct pair *p, struct qv_random *random)
{
	struct backgammon s;
	int32_t points[2] = { 0, 0 };
	int expected[2];
	char position[TEXT], start[TEXT];
	int64_t moves = 0;
	backgammon_start(&s, p->options);
	twin_backgammon_start_by(&p->twin, start);
	write_position(&s, position);
	assert_string_equal(position, start);
	for (; backgammon_result(&s, points) == QV_GOING; moves++) {
		check_read_back(p, &s, position);
		assert_false(twin_backgammon_over_by(&p->twin, position, expected));
		check_same_moves(p, &s, position);
		backgammon_play(&s, any_move(&s, random));
		write_position(&s, position);
	}
	check_read_back(p, &s, position);
	assert_true(twin_backgammon_over_by(&p->twin, position, expected));
	assert_int_equal(points[0], expected[0]);
	assert_int_equal(points[1], expected[1]);
	assert_true(points[0] + points[1] > 0);
	return moves;
}

static void test_twin__plays_alike(void **unused)
{
	(void)unused;
	struct qv_random random = { qv_random_key(SEED, 0), 0 };
	const struct pair p = make_pair(0, false, false, false, true);
	int64_t moves = 0;
	for (int64_t game = scaled(TWIN_GAMES); game > 0; game--)
		moves += play_alike(&p, &random);
	print_message("backgammon: %lld moves\n", (long long)moves);
}

static void test_twin__plays_alike_with_the_cube(void **unused)
{
	(void)unused;
	const struct pair pairs[] = {
		make_pair(0, true, false, false, false),  make_pair(0, true, true, false, true),
		make_pair(0, true, true, true, true),	  make_pair(1, false, false, false, true),
		make_pair(2, true, true, true, true),	  make_pair(5, false, false, false, true),
		make_pair(3, false, false, false, false),
	};
	struct qv_random random = { qv_random_key(SEED, 1), 0 };
	int64_t moves = 0;
	for (int64_t round = scaled(2); round > 0; round--)
		for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
			moves += play_alike(&pairs[i], &random);
	print_message("%lld moves\n", (long long)moves);
}

/* ---- Rules ---- */

/* The moves' texts with commas between them, in alphabetical order. */
static void must_list(const char *position, const char *moves)
{
	static char texts[BACKGAMMON_MAX_MOVES][QV_MOVE_TEXT];
	char buffer[MOVES_TEXT] = "";
	struct qv_text out = { buffer, sizeof buffer, 0 };
	const struct backgammon s = parsed(position);
	qv_move list[BACKGAMMON_MAX_MOVES];
	const int n = backgammon_moves(&s, list);
	for (int i = 0; i < n; i++)
		write_move(&s, list[i], texts[i]);
	qsort(texts, (size_t)n, sizeof texts[0], compare_texts);
	for (int i = 0; i < n; i++) {
		qv_put(&out, i ? ", " : "");
		qv_put(&out, texts[i]);
	}
	assert_string_equal(buffer, moves);
}

static qv_move read_move(const char *position, const char *text)
{
	const struct backgammon s = parsed(position);
	qv_move move;
	return backgammon_move_parse(&s, text, &move) ? move : QV_NO_MOVE;
}

/* Playing the text leads there. */
static void must_lead(const char *position, const char *text, const char *after)
{
	struct backgammon s = parsed(position);
	char reached[TEXT];
	const qv_move move = read_move(position, text);
	if (move == QV_NO_MOVE)
		fail_msg("%s is no move at %s", text, position);
	backgammon_play(&s, move);
	write_position(&s, reached);
	assert_string_equal(reached, after);
}

static void test_rules__opening_roll(void **unused)
{
	(void)unused;
	struct backgammon s;
	qv_move list[BACKGAMMON_MAX_MOVES];
	backgammon_start(&s, NULL);
	assert_int_equal(backgammon_seat(&s), QV_CHANCE);
	assert_int_equal(backgammon_moves(&s, list), 30);
	assert_int_equal(backgammon_weight(&s, list[0]), 1);
	must_lead("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 - -", "31",
		  "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31");
	must_lead("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 - -", "roll 1-3",
		  "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 2 31");
}

static void test_rules__rolls_weigh_36(void **unused)
{
	(void)unused;
	const struct backgammon s = parsed("4HPwATDgc/ABMA");
	qv_move list[BACKGAMMON_MAX_MOVES];
	uint32_t sum = 0;
	const int n = backgammon_moves(&s, list);
	for (int i = 0; i < n; i++)
		sum += backgammon_weight(&s, list[i]);
	assert_int_equal(n, 21);
	assert_int_equal(sum, 36);
}

static void test_rules__the_bar_comes_first(void **unused)
{
	(void)unused;
	must_list("bar:2,6:13 13:5,8:5,6:5 1 61", "bar/24");
	must_list("bar:1,6:14 13:5,8:5,6:5 1 66", "pass");
	must_list("bar:1,24:1,6:13 13:5,8:5,6:5 1 61", "bar/18");
}

static void test_rules__both_dice_or_the_larger(void **unused)
{
	(void)unused;
	/* 24/18 or 24/23 is possible, but not both: point 17 is held. */
	must_list("24:1,off:14 8:2,6:2,5:2,off:9 1 61", "24/18");
	/* Only the smaller one is possible. */
	must_list("24:1,off:14 8:2,7:2,6:2,off:9 1 61", "24/23");
	/* A man borne off by both dice, or by one. */
	must_list("3:1,2:1,off:13 13:15 1 31", "3/off, 3/off 2/1");
}

static void test_rules__bearing_off(void **unused)
{
	(void)unused;
	must_list("5:1,4:1,off:13 13:15 1 66", "5/off 4/off");
	must_list("7:1,1:14 13:15 1 61", "7/off");
	must_list("6:1,2:1,off:13 13:15 1 41", "6/1");
}

static void test_rules__hits_and_results(void **unused)
{
	(void)unused;
	int32_t points[2];
	must_lead("24:2,13:5,8:3,6:5 24:1,20:1,13:5,8:3,6:5 1 31", "8/5 6/5*",
		  "24:2,13:5,8:2,6:4,5:2 bar:1,24:1,13:5,8:3,6:5 2 -");
	const struct backgammon one = parsed("off:15 13:14,off:1 2 -"),
				gammon = parsed("off:15 18:15 2 -"),
				whole = parsed("off:15 19:1,1:14 2 -"),
				bar = parsed("bar:1,1:14 off:15 1 -");
	assert_int_equal(backgammon_result(&one, points), QV_ENDED);
	assert_int_equal(points[0], 1);
	assert_int_equal(points[1], 0);
	assert_int_equal(backgammon_result(&gammon, points), QV_ENDED);
	assert_int_equal(points[0], 2);
	assert_int_equal(backgammon_result(&whole, points), QV_ENDED);
	assert_int_equal(points[0], 3);
	assert_int_equal(backgammon_result(&bar, points), QV_ENDED);
	assert_int_equal(points[0], 0);
	assert_int_equal(points[1], 3);
}

/* ---- Texts ---- */

static void test_text__moves_in_other_forms(void **unused)
{
	(void)unused;
	const char *start = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31";
	assert_int_equal(read_move(start, "6/5 8/5"), read_move(start, "8/5 6/5"));
	assert_int_equal(read_move(start, "13/12/9"), read_move(start, "13/9"));
	assert_int_equal(read_move(start, "10/9 13/10"), read_move(start, "13/9"));
	assert_true(read_move(start, "8/5*") == QV_NO_MOVE);
	assert_true(read_move(start, "8/5* 6/5") == QV_NO_MOVE);
	assert_true(read_move(start, "8/4 6/5") == QV_NO_MOVE);
	assert_true(read_move(start, "8/5 6/5 ") == QV_NO_MOVE);
	assert_true(read_move(start, "8/5(0) 6/5") == QV_NO_MOVE);
	const char *doubles = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 33";
	assert_int_equal(read_move(doubles, "8/5 6/3 8/5 6/3"),
			 read_move(doubles, "8/5(2) 6/3(2)"));
	assert_int_equal(read_move(doubles, "13/10/7(2)"), read_move(doubles, "13/7(2)"));
	/* Bar and off in any case. */
	assert_true(read_move("bar:1,6:14 13:15 1 61", "BAR/24 6/Off") == QV_NO_MOVE);
	assert_true(read_move("bar:1,6:14 13:15 1 21", "Bar/24 6/4") != QV_NO_MOVE);
}

/* 13/8 over 10, where a blot is, or over 11, where none is. */
static void test_text__hits_on_the_way(void **unused)
{
	(void)unused;
	const char *two_ways = "13:1,6:14 24:14,15:1 1 32",
		   *both = "13:1,6:14 24:13,15:1,14:1 1 32",
		   *blocked = "13:1,6:14 24:12,15:1,14:2 1 32";
	assert_true(read_move(two_ways, "13/8") != read_move(two_ways, "13/10*/8"));
	assert_int_equal(read_move(two_ways, "13/10/8"), read_move(two_ways, "13/10*/8"));
	assert_true(read_move(both, "13/8") == QV_NO_MOVE);
	assert_true(read_move(both, "13/11/8") != QV_NO_MOVE);
	assert_int_equal(read_move(blocked, "13/8"), read_move(blocked, "13/10*/8"));
	assert_true(read_move(blocked, "13/8") != QV_NO_MOVE);
}

static void must_refuse(const char *position, enum qv_status status)
{
	struct backgammon s;
	struct qv_error error = { "" };
	if (backgammon_position_parse(&s, NULL, position, &error) != status)
		fail_msg("'%s': %s", position, error.text);
}

static void test_text__what_is_refused(void **unused)
{
	(void)unused;
	must_refuse("", QV_BAD_INPUT);
	must_refuse("24:2,13:5,8:3,6:5", QV_BAD_INPUT);
	must_refuse("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 3 -", QV_BAD_INPUT);
	must_refuse("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 13", QV_BAD_INPUT);
	must_refuse("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 311", QV_BAD_INPUT);
	must_refuse("13:5,24:2,8:3,6:5 24:2,13:5,8:3,6:5 1 -", QV_BAD_INPUT);
	must_refuse("24:2,13:5,8:3,6:4 24:2,13:5,8:3,6:5 1 -", QV_ILLEGAL);
	must_refuse("24:2,13:5,8:3,6:5 24:2,13:5,8:2,1:1,6:5 1 -", QV_BAD_INPUT);
	must_refuse("24:2,13:5,8:3,6:5 24:2,13:5,8:2,6:5,1:1 1 -", QV_ILLEGAL);
	must_refuse("24:2,13:5,8:3,6:4,5:1 24:2,13:5,8:3,6:5 - -", QV_ILLEGAL);
	must_refuse("off:15 13:15 1 -", QV_ILLEGAL);
	must_refuse("off:15 13:15 2 31", QV_ILLEGAL);
	must_refuse("bar:1,6:2,5:2,4:2,3:2,2:2,1:4 bar:1,6:2,5:2,4:2,3:2,2:2,1:4 1 -", QV_ILLEGAL);
	must_refuse("4HPwATDgc/ABM", QV_BAD_INPUT);
	must_refuse("4HPwATDgc/ABM-", QV_BAD_INPUT);
	must_refuse("//////////////", QV_BAD_INPUT);
	must_refuse("4HPwATDgc/ABMAA", QV_BAD_INPUT);
}

/* IDs as GNU Backgammon prints them. */
static void test_text__position_ids(void **unused)
{
	(void)unused;
	char text[TEXT], id[BACKGAMMON_ID + 1];
	struct backgammon s = parsed("AfDB+UAD4IPzAQ 1 31");
	write_position(&s, text);
	assert_string_equal(text, "19:5,17:3,12:5,1:2 bar:1,19:5,17:3,12:5,1:1 1 31");
	s = parsed("AfDB+UAD4IPzAQ 2 -");
	write_position(&s, text);
	assert_string_equal(text, "bar:1,19:5,17:3,12:5,1:1 19:5,17:3,12:5,1:2 2 -");
	backgammon_write_id(&s, id);
	assert_string_equal(id, "AfDB+UAD4IPzAQ");
	s = parsed("4HPwATDgc/ABMA - -");
	write_position(&s, text);
	assert_string_equal(text, "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 - -");
}

/* ASCII drawings, also of crowded points: no line is longer than 40 columns. */
static void test_text__drawing_fits_40_columns(void **unused)
{
	(void)unused;
	static const char *const positions[] = {
		"4HPwATDgc/ABMA 1 31",
		"bar:15 bar:15 2 66",
		"24:15 bar:12,24:3 1 -",
		"off:15 24:15 2 -",
	};
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
		const struct backgammon s = parsed(positions[i]);
		char board[2048];
		struct qv_text out = { board, sizeof board, 0 };
		backgammon_draw(&s, false, &out);
		assert_true(out.length < sizeof board);
		for (const char *line = board; *line; line += strcspn(line, "\n") + 1)
			assert_true(strcspn(line, "\n") <= 40);
	}
}

/* ---- Ways ---- */

static int count_ways(const char *position, const char *text)
{
	const struct backgammon s = parsed(position);
	qv_move ways[BACKGAMMON_WAYS];
	return backgammon_ways(&s, read_move(position, text), ways);
}

static void test_ways__one_man_by_both_dice(void **unused)
{
	(void)unused;
	const char *start = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31";
	assert_int_equal(count_ways(start, "24/20"), 1); /* over 23 or 21 */
	assert_int_equal(count_ways(start, "13/9"), 0);	 /* 12 is blocked */
	assert_int_equal(count_ways(start, "8/5 6/5"), 0);
	assert_int_equal(count_ways("13:1,6:14 24:14,15:1 1 32", "13/10*/8"), 0);
	assert_int_equal(count_ways("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 33", "13/4 8/5"), 0);
}

/* ---- The evaluation ---- */

static int32_t value_of(const char *position)
{
	const struct backgammon s = parsed(position);
	return backgammon_evaluate(&s, backgammon_weights);
}

static void test_evaluation__each_term_pulls_its_way(void **unused)
{
	(void)unused;
	assert_int_equal(value_of("4HPwATDgc/ABMA"), 0);
	assert_int_equal(value_of("24:2,13:5,8:2,6:6 24:2,13:5,8:3,6:5 1 -"),
			 -value_of("24:2,13:5,8:2,6:6 24:2,13:5,8:3,6:5 2 -"));
	/* The five-point made, against a blot on it. */
	assert_true(value_of("24:2,13:5,8:2,6:4,5:2 24:2,13:5,8:3,6:5 2 -") <
		    value_of("24:2,13:5,8:3,6:4,5:1 24:2,13:5,8:3,6:5 2 -"));
	assert_true(value_of("6:2,off:13 6:3,off:12 1 -") > 0);
	assert_true(value_of("bar:1,13:14 8:15 1 -") < value_of("24:1,13:14 8:15 1 -"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twin__plays_alike),
		cmocka_unit_test(test_twin__plays_alike_with_the_cube),
		cmocka_unit_test(test_rules__opening_roll),
		cmocka_unit_test(test_rules__rolls_weigh_36),
		cmocka_unit_test(test_rules__the_bar_comes_first),
		cmocka_unit_test(test_rules__both_dice_or_the_larger),
		cmocka_unit_test(test_rules__bearing_off),
		cmocka_unit_test(test_rules__hits_and_results),
		cmocka_unit_test(test_text__moves_in_other_forms),
		cmocka_unit_test(test_text__hits_on_the_way),
		cmocka_unit_test(test_text__what_is_refused),
		cmocka_unit_test(test_text__position_ids),
		cmocka_unit_test(test_text__drawing_fits_40_columns),
		cmocka_unit_test(test_ways__one_man_by_both_dice),
		cmocka_unit_test(test_evaluation__each_term_pulls_its_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
