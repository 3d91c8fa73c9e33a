/*
 * draughts_programs.c - the evaluations of the programs that chapter 10 of the 1983 book describes, and
 * the three-move openings.
 * SPDX-License-Identifier: MIT
 */
#include "games/draughts/programs.h"

#include "support/search.h"

enum { PROGRAMS = 3 };

static const struct {
	const struct qv_weight *names;
	const int32_t *weights;
} programs[PROGRAMS] = { { draughts_samuel_names, draughts_samuel_weights },
			 { draughts_borchek_names, draughts_borchek_weights },
			 { draughts_mcheckers_names, draughts_mcheckers_weights } };

static struct draughts parsed(const char *text)
{
	struct draughts s;
	struct qv_error error = { "" };
	if (draughts_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static uint64_t square(int number)
{
	return draughts_bit(draughts_bit_of(number));
}

/* ---- Terms ---- */

/* The counts of a term in a position, for Black and for White. */
static void check_counts(const char *position, int place, int black, int white)
{
	const struct draughts s = parsed(position);
	const int32_t *w = draughts_mcheckers_weights;
	assert_int_equal(draughts_program_count(&s, DRAUGHTS_BLACK, w, place), black);
	assert_int_equal(draughts_program_count(&s, DRAUGHTS_WHITE, w, place), white);
}

static void test_programs__count_terms(void **unused)
{
	(void)unused;
	/* 6 is behind 9 and 10, which are behind 14; 23 is behind 18, and 30 behind 25. */
	check_counts("B:W18,23,25,K30:B6,9,10,14", PROGRAM_BACK_UP, 3, 2);
	check_counts("B:W18,23,25,K30:B6,9,10,14", PROGRAM_SQUARES, 2, 2);
	check_counts("B:WK4,K12,21,22:BK29,5,1,K32", PROGRAM_SIDE, 2, 3);
	check_counts("B:W18,32:B14,15,1", PROGRAM_CONTACT, 2, 1);
	check_counts("B:W30,32,20:B1,3,12", PROGRAM_BRIDGE, 1, 1);
	check_counts("B:W30,32,K20:B1,3,12", PROGRAM_BRIDGE, 0, 1);
	check_counts("B:W30,31,20:B1,2,12", PROGRAM_BRIDGE, 0, 0);
	/* 9 and 10 can be reached twice, but are one square each. */
	check_counts("B:W32:B5,6", PROGRAM_MOBILITY, 2, 2);
	check_counts("B:W32:BK10", PROGRAM_MOBILITY, 4, 2);
	check_counts("B:W32:B5,6", PROGRAM_ADVANCE, 2, 0);
}

/* A man is 1 and a king 3 in each of them. */
static void test_programs__material(void **unused)
{
	(void)unused;
	for (int i = 0; i < PROGRAMS; i++) {
		assert_int_equal(programs[i].weights[PROGRAM_MAN], DRAUGHTS_MAN);
		assert_int_equal(programs[i].weights[PROGRAM_KING], 3 * DRAUGHTS_MAN);
	}
}

/* The board turned by half, with the sides exchanged. */
static struct draughts turned(const struct draughts *s)
{
	struct draughts t = { .turn = (uint8_t)(1 - s->turn), .quiet = s->quiet };
	for (int n = 1; n <= DRAUGHTS_SQUARES; n++)
		for (int side = 0; side < 2; side++) {
			if (s->pieces[side] & square(n))
				t.pieces[1 - side] |= square(33 - n);
			if (s->pieces[side] & s->kings & square(n))
				t.kings |= square(33 - n);
		}
	return t;
}

/* The sides are treated alike, also in the scores of moves. */
static void test_programs__value_both_sides_alike(void **unused)
{
	struct qv_random random = { .key = qv_random_key(5, 0) };
	(void)unused;
	for (int game = 0; game < 100; game++) {
		struct draughts s;
		qv_move list[DRAUGHTS_MAX_MOVES], other[DRAUGHTS_MAX_MOVES];
		int32_t points[2];
		draughts_start(&s, NULL);
		while (draughts_result(&s, points) == QV_GOING) {
			const struct draughts t = turned(&s);
			const int n = draughts_moves(&s, list);
			int64_t sum = 0, turned_sum = 0;
			for (int i = 0; i < PROGRAMS; i++)
				assert_int_equal(draughts_program_value(&s, programs[i].names,
									programs[i].weights, NULL),
						 draughts_program_value(&t, programs[i].names,
									programs[i].weights, NULL));
			assert_int_equal(draughts_creative_evaluate(&s, draughts_creative_weights),
					 draughts_creative_evaluate(&t, draughts_creative_weights));
			assert_int_equal(draughts_moves(&t, other), n);
			for (int i = 0; i < n; i++) {
				sum += draughts_creative_move(&s, list[i],
							      draughts_creative_weights);
				turned_sum += draughts_creative_move(&t, other[i],
								     draughts_creative_weights);
			}
			assert_int_equal(sum, turned_sum);
			draughts_play(&s, list[qv_random_below(&random, (uint64_t)n)]);
		}
	}
}

/* ---- The endgame ---- */

static void test_programs__distances(void **unused)
{
	(void)unused;
	assert_int_equal(draughts_distance(square(14), square(14)), 0);
	assert_int_equal(draughts_distance(square(14), square(10) | square(32)), 1);
	assert_int_equal(draughts_distance(square(4), square(29)), PROGRAM_FARTHEST);
	assert_int_equal(draughts_distance(square(14), 0), 0);
	assert_int_equal(draughts_distance(square(18), draughts_double_corners()), 3);
	assert_int_equal(draughts_distance(square(4), draughts_double_corners()), 6);
}

/* The rules apply to five pieces or fewer, to the stronger side and the weaker one. */
static void test_programs__endgame_threshold(void **unused)
{
	int32_t more[PROGRAM_WEIGHTS];
	(void)unused;
	check_counts("B:WK9:BK14,K32", PROGRAM_NEAR, 6 + 2, 0);
	check_counts("B:WK9:BK14,K32", PROGRAM_CORNER, 0, 6);
	check_counts("B:WK9:BK14", PROGRAM_NEAR, 0, 0);
	check_counts("B:WK9:BK14", PROGRAM_CORNER, 0, 0);
	check_counts("B:WK9,K10:B1,2,K14", PROGRAM_CORNER, 7 + 5 + 5, 0);
	check_counts("B:WK9,K10:B1,2,3,K14", PROGRAM_CORNER, 0, 0);
	memcpy(more, draughts_mcheckers_weights, sizeof more);
	more[PROGRAM_ENDGAME] = 6;
	const struct draughts six = parsed("B:WK9,K10:B1,2,K14,3");
	assert_int_equal(draughts_program_count(&six, DRAUGHTS_WHITE, more, PROGRAM_CORNER), 0);
	assert_int_equal(draughts_material(&six, 0), draughts_material(&six, 1));
	const struct draughts ahead = parsed("B:WK9:B1,2,K14,3,4");
	assert_true(draughts_program_count(&ahead, DRAUGHTS_WHITE, more, PROGRAM_CORNER) > 0);
}

/* The position after the move of M-Checkers at one ply. */
static struct draughts after_best(void **state, const char *position)
{
	const struct spot spot = spot_at(*state, "draughts", position);
	const struct qv_answer answer = think_to(&spot, "alphabeta:eval=mcheckers,quiet=0,tt=0", 1);
	struct draughts s = parsed(position);
	draughts_play(&s, answer.move);
	return s;
}

/* Winning it approaches; losing it keeps away, and heads for the double corner. */
static void test_programs__endgame_moves(void **state)
{
	struct draughts s = after_best(state, "B:WK4:BK29,K30");
	const int before = draughts_nearness(square(29) | square(30), square(4));
	assert_true(draughts_nearness(s.pieces[0], s.pieces[1]) > before);
	s = after_best(state, "W:WK19:BK29,K30");
	assert_int_equal(draughts_distance(s.pieces[1], draughts_double_corners()), 1);
	s = after_best(state, "W:WK11:BK29,K30,K22");
	assert_true(draughts_distance(square(11), square(22)) <
		    draughts_distance(s.pieces[1], s.pieces[0]));
}

/* ---- Scores of moves ---- */

static void check_score(const char *position, const char *text, int32_t expected)
{
	const struct draughts s = parsed(position);
	qv_move move;
	assert_true(draughts_move_parse(&s, text, &move));
	if (draughts_creative_move(&s, move, draughts_creative_weights) != expected)
		fail_msg("%s %s: %d", position, text,
			 draughts_creative_move(&s, move, draughts_creative_weights));
}

/* In points of the listing, of which a captured piece has five. */
static void test_programs__score_moves(void **unused)
{
	enum { POINT = 20 };
	(void)unused;
	check_score("B:W32:B10", "10-14", 0);
	check_score("B:W32:B9", "9-13", 1 * POINT);	    /* the side */
	check_score("B:W30:B1", "1-6", -2 * POINT);	    /* leaves its back row */
	check_score("B:W32:B6,14", "6-9", 1 * POINT);	    /* backs up 14 */
	check_score("B:W32:B6,14,13", "6-9", 2 * POINT);    /* and 13 */
	check_score("B:W18,32:B10", "10-14", -2 * POINT);   /* 18x9 */
	check_score("B:W18,32:B9,10", "10-14", 0);	    /* 9 is held */
	check_score("B:W17,32:B9,10", "10-14", -2 * POINT); /* 17x10, the square it left */
	check_score("B:W32:B25", "25-30", 2 * POINT);	    /* crowned */
	check_score("B:W32:BK25", "25-30", 0);		    /* a king already */
	check_score("B:W6,14,32:B1", "1x10x17", (10 - 2) * POINT);
	check_score("W:W27:B5,24", "27x20", (5 + 1) * POINT);
	check_score("W:W23:B1", "23-19", 0);
}

/* The program prefers the capture that ends at the side. */
static void test_programs__choose_by_scores(void **state)
{
	const struct spot spot = spot_at(*state, "draughts", "B:W17,18,32:B14");
	const struct qv_answer answer =
		think_to(&spot, "alphabeta:move-eval=1,eval=creative,quiet=0,tt=0", 1);
	const struct draughts s = parsed("B:W17,18,32:B14");
	char text[32] = "";
	draughts_move_text(&s, answer.move, &(struct qv_text){ text, sizeof text, 0 });
	assert_string_equal(text, "14x21");
}

/* ---- The three-move openings ---- */

/*
 * All 216 positions after three moves, each once. Those that lose a man are under the headings that
 * tell so, and the search finds it; it finds no other one.
 */
static void test_programs__three_move_openings(void **state)
{
	FILE *file = fopen(TEST_DATA "/../../books/draughts.openings", "r");
	struct draughts found[216];
	char line[128];
	int count = 0, lost = 0;
	int32_t expected = 0;
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		char *rest = line, position[256] = "";
		struct draughts s;
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || !*line) {
			/* White is to move, so what Black loses is a plus. */
			if (strcmp(line, "# Black loses a man:") == 0)
				expected = DRAUGHTS_MAN;
			else if (strcmp(line, "# White loses a man:") == 0)
				expected = -DRAUGHTS_MAN;
			continue;
		}
		draughts_start(&s, NULL);
		for (int i = 0; i < 3; i++) {
			const char *text = strtok_r(i ? NULL : line, " ", &rest);
			qv_move move;
			assert_non_null(text);
			assert_true(draughts_move_parse(&s, text, &move));
			draughts_play(&s, move);
		}
		assert_null(strtok_r(NULL, " ", &rest));
		for (int i = 0; i < count; i++)
			assert_memory_not_equal(&found[i], &s, sizeof s);
		assert_true(count < 216);
		found[count++] = s;
		draughts_position_text(&s, &(struct qv_text){ position, sizeof position, 0 });
		const struct spot spot = spot_at(*state, "draughts", position);
		assert_int_equal(think_to(&spot, "alphabeta:eval=material,tt=1", 6).score,
				 expected);
		lost += expected != 0;
	}
	fclose(file);
	assert_int_equal(count, 216);
	assert_int_equal(lost, 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs__count_terms),
		cmocka_unit_test(test_programs__material),
		cmocka_unit_test(test_programs__value_both_sides_alike),
		cmocka_unit_test(test_programs__distances),
		cmocka_unit_test(test_programs__endgame_threshold),
		cmocka_unit_test(test_programs__endgame_moves),
		cmocka_unit_test(test_programs__score_moves),
		cmocka_unit_test(test_programs__choose_by_scores),
		cmocka_unit_test(test_programs__three_move_openings),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
