/*
 * diagrams.c - the trees of the 1983 book: the values, choices and leaf counts that its text
 * states, and the counts of uniform trees, which arithmetic states.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"
#include "twins/twin.h"

enum { MOST_LEAVES = 32, TEXT = 16, RANDOM_TREES = 300 };

/* Alpha-beta and nothing else; with a depth behind it. */
#define PLAIN "alphabeta:iterate=0,sort=0,killers=0,history=0,keep-line=0,tt=0,depth="

/* ---- watching a search ---- */

/* The names of the leaves in the order in which they were looked at. */
struct leaves {
	const struct qv_game *game;
	char names[MOST_LEAVES][TEXT];
	int count;
};

/* The name of a node is that of its last step: what stands behind the @. */
static void note_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	struct leaves *l = ctx;
	char position[QV_POSITION_TEXT] = "";
	struct qv_text text = { position, sizeof position, 0 };
	(void)ply, (void)value;
	l->game->position_text(state, &text);
	const char *at = strstr(position, " @ ");
	assert_non_null(at);
	assert_true(l->count < MOST_LEAVES);
	snprintf(l->names[l->count++], TEXT, "%.*s", (int)strcspn(at + 3, "."), at + 3);
}

struct seen {
	struct qv_answer answer;
	char move[QV_MOVE_TEXT];
	char leaves[MOST_LEAVES * TEXT]; /* their names, blanks between them */
	int leaf_count;
};

static struct seen watch(const struct spot *s, const char *spec)
{
	struct seen seen = { .leaves = "" };
	struct leaves leaves = { .game = s->rules.game };
	const struct qv_listener listener = { .size = sizeof listener,
					      .leaf = note_leaf,
					      .ctx = &leaves };
	seen.answer = think(s, spec, NULL, &listener);
	move_text(s, seen.answer.move, seen.move);
	seen.leaf_count = leaves.count;
	for (int i = 0; i < leaves.count; i++) {
		strcat(seen.leaves, i ? " " : "");
		strcat(seen.leaves, leaves.names[i]);
	}
	/* Nobody listening, the search is another loop: it must count the same. */
	const struct qv_answer alone = think(s, spec, NULL, NULL);
	assert_true(same_answer(&seen.answer, &alone));
	return seen;
}

/* What a search of a diagram must choose, find it worth, and look at; leaves NULL: not said. */
static void expect(const struct qv_context *context, const char *position, const char *spec,
		   const char *move, int32_t score, int leaf_count, const char *leaves)
{
	const struct spot s = spot_at(context, "diagram", position);
	const struct seen seen = watch(&s, spec);
	assert_string_equal(seen.move, move);
	assert_int_equal(seen.answer.score, score);
	assert_int_equal(seen.leaf_count, leaf_count);
	assert_int_equal(seen.answer.evals, leaf_count);
	if (leaves)
		assert_string_equal(seen.leaves, leaves);
}

/* What the first move, by its name, is worth when searched alone. */
static int32_t backed_up(const struct qv_context *context, const char *position, const char *name,
			 int depth)
{
	const struct spot s = spot_at(context, "diagram", position);
	qv_move move;
	assert_int_equal(qv_move_parse(s.rules.game, s.state, name, &move, NULL), QV_OK);
	return think_only(&s, "minimax", depth, move).score;
}

/* ---- the diagrams ---- */

static void test_diagrams__3_1_looks_one_ply_ahead_and_then_two(void **state)
{
	expect(*state, "3-1", "minimax:depth=1", "B", 5, 3, "A B C");
	expect(*state, "3-1", PLAIN "1", "B", 5, 3, "A B C");
	assert_int_equal(backed_up(*state, "3-1", "A", 2), -1);
	assert_int_equal(backed_up(*state, "3-1", "B", 2), -3);
	assert_int_equal(backed_up(*state, "3-1", "C", 2), 0);
	expect(*state, "3-1", "minimax:depth=2", "C", 0, 9, "A1 A2 A3 B1 B2 B3 C1 C2 C3");
	expect(*state, "3-1", PLAIN "2", "C", 0, 7, "A1 A2 A3 B1 C1 C2 C3");
}

static void test_diagrams__3_2_backs_up_four_plies(void **state)
{
	const struct spot s = spot_at(*state, "diagram", "3-2");
	struct spot at = s;
	assert_int_equal(think_to(&s, "minimax", 4).evals, 81);
	spot_play_text(&at, "A A1");
	assert_int_equal(think_to(&at, "minimax", 2).score, 1);
	spot_play_text(&at, "A12");
	assert_int_equal(think_to(&at, "minimax", 1).score, 1); /* the opponent's: -1 for us */
	assert_int_equal(backed_up(*state, "3-2", "A", 4), 1);
	assert_int_equal(backed_up(*state, "3-2", "B", 4), -1);
	assert_int_equal(backed_up(*state, "3-2", "C", 4), 0);
	assert_int_equal(backed_up(*state, "3-2 @ A", "A1", 3), -1);
	assert_int_equal(backed_up(*state, "3-2 @ A", "A2", 3), -2);
	assert_int_equal(backed_up(*state, "3-2 @ A", "A3", 3), -3);
	const struct qv_answer answer = think(&s, PLAIN "4", NULL, NULL);
	char move[QV_MOVE_TEXT];
	assert_string_equal(move_text(&s, answer.move, move), "A");
	assert_int_equal(answer.score, 1);
}

static void test_diagrams__3_5_cuts_at_odd_and_even_plies(void **state)
{
	const struct spot s = spot_at(*state, "diagram", "3-5");
	assert_int_equal(think_to(&s, "minimax", 3).evals, 18);
	/* A22, A23, A32 and A33 are beta-pruned, B2 and B3 alpha-pruned. */
	expect(*state, "3-5", PLAIN "3", "A", 1, 8, "A11 A12 A13 A21 A31 B11 B12 B13");
}

static void test_diagrams__3_6_cuts_two_plies_further_down(void **state)
{
	expect(*state, "3-6", PLAIN "4", "C", 7, 7, "A B C111 C121 C122 C123 C131");
	/* Without what the grandparents know, C112 and C113 must be looked at. */
	expect(*state, "3-6", PLAIN "4,deep=0", "C", 7, 9,
	       "A B C111 C112 C113 C121 C122 C123 C131");
	assert_int_equal(backed_up(*state, "3-6", "A", 4), 3);
	assert_int_equal(backed_up(*state, "3-6", "B", 4), 6);
	assert_int_equal(backed_up(*state, "3-6 @ C", "C1", 3), -7);
}

static void test_diagrams__4_1_cuts_nothing_and_4_2_sorted_does(void **state)
{
	expect(*state, "4-1", PLAIN "2", "C", 3, 9, "A1 A2 A3 B1 B2 B3 C1 C2 C3");
	expect(*state, "4-2", "alphabeta:iterate=0,killers=0,history=0,keep-line=0,tt=0,depth=2",
	       "C", 3, 5, "C1 C2 C3 B1 A1");
	/* The ply-1 scores are looked at first: 3 + 5 nodes. */
	expect(*state, "4-2", "alphabeta:iterate=1,killers=0,history=0,keep-line=0,tt=0,depth=2",
	       "C", 3, 8, "C B A C1 C2 C3 B1 A1");
}

static void test_diagrams__4_3_tries_the_best_reply_first(void **state)
{
	expect(*state, "4-3", PLAIN "2", "A", 0, 6, "A1 A2 A3 B1 B2 C1");
	expect(*state, "4-3",
	       "alphabeta:iterate=0,sort=0,history=0,keep-line=0,tt=0,killers=1,depth=2", "A", 0, 5,
	       "A1 A2 A3 B2 C2");
}

/* ---- uniform trees ---- */

static uint64_t power(uint64_t base, int exponent)
{
	uint64_t product = 1;
	while (exponent--)
		product *= base;
	return product;
}

static struct spot uniform(const struct qv_context *context, int width, int height,
			   const char *kind)
{
	char text[64];
	snprintf(text, sizeof text, "uniform %d %d %s", width, height, kind);
	return spot_at(context, "diagram", text);
}

static uint64_t leaves_of(const struct spot *s, const char *spec, int depth)
{
	return think_to(s, spec, depth).evals;
}

static void test_diagrams__every_leaf_of_a_uniform_tree_is_looked_at_without_pruning(void **state)
{
	for (int width = 1; width <= 6; width++)
		for (int height = 1; height <= 5; height++) {
			const struct spot s = uniform(*state, width, height, "seed=5");
			const uint64_t all = power((uint64_t)width, height);
			uint64_t count;
			const struct qv_perft_limits limits = { .size = sizeof limits,
								.depth = height };
			assert_int_equal(leaves_of(&s, "minimax:depth=9", height), all);
			assert_int_equal(leaves_of(&s, "negamax:depth=9", height), all);
			assert_int_equal(
				qv_perft(*state, s.rules.game, s.state, &limits, &count, NULL),
				QV_OK);
			assert_int_equal(count, all);
		}
	/* The book's growth: ten moves a side, one to four plies. */
	const struct spot s = uniform(*state, 10, 4, "seed=1");
	for (int depth = 1; depth <= 4; depth++)
		assert_int_equal(leaves_of(&s, "minimax", depth), power(10, depth));
}

static void test_diagrams__the_ideal_tree_shows_the_fewest_leaves_there_can_be(void **state)
{
	for (int width = 1; width <= 10; width++)
		for (int height = 1; height <= 6; height++) {
			const struct spot s = uniform(*state, width, height, "ideal");
			const uint64_t b = (uint64_t)width;
			assert_int_equal(leaves_of(&s, PLAIN "99", height),
					 power(b, (height + 1) / 2) + power(b, height / 2) - 1);
		}
	const struct spot s = uniform(*state, 10, 4, "ideal");
	const uint64_t seen = leaves_of(&s, PLAIN "4", 4);
	assert_int_equal(seen, 199);
	/* "N - 2 sqrt(N) are saved": 9800 of 10,000, but for one. */
	assert_int_equal(10000 - seen, 9800 + 1);
}

/* No order shows fewer leaves than the ideal one, and sorting the worst brings it near. */
static void test_diagrams__order_decides_what_alpha_beta_saves(void **state)
{
	const struct spot worst = uniform(*state, 6, 4, "worst"),
			  ideal = uniform(*state, 6, 4, "ideal");
	const uint64_t fewest = leaves_of(&ideal, PLAIN "4", 4),
		       unsorted = leaves_of(&worst, PLAIN "4", 4),
		       sorted = leaves_of(&worst,
					  "alphabeta:iterate=0,killers=0,history=0,keep-line=0,"
					  "tt=0,depth=4",
					  4);
	assert_int_equal(fewest, 71);
	assert_true(fewest < sorted && sorted < unsorted && unsorted < power(6, 4));
	assert_int_equal(think_to(&worst, "minimax", 4).score, 0);
	assert_int_equal(think_to(&ideal, "minimax", 4).score, 0);
}

/* ---- trees of any shape ---- */

/* A random tree's text: up to three moves at a node, up to four plies, leaves at any of them. */
static void any_tree(struct qv_random *r, int ply, struct qv_text *out)
{
	const int moves = 1 + (int)qv_random_below(r, 3);
	for (int i = 0; i < moves; i++) {
		const bool leaf = ply == 4 || qv_random_below(r, 3) == 0;
		const int score = (int)qv_random_below(r, 19) - 9;
		if (i)
			qv_put_char(out, ply == 1 ? ' ' : ',');
		if (ply == 1)
			qv_put_char(out, (char)('A' + i));
		if (leaf || score)
			qv_put_int(out, score);
		if (leaf)
			continue;
		qv_put_char(out, '(');
		any_tree(r, ply + 1, out);
		qv_put_char(out, ')');
	}
}

/* Plays a random game on the fast rules and on the text; both must agree all the way. */
static void play_both(struct spot *s, char *position, struct qv_random *r)
{
	char text[QV_POSITION_TEXT], list[26][16], name[QV_MOVE_TEXT];
	int32_t points[QV_MAX_SEATS];
	int expected[2];
	for (;;) {
		qv_move moves[26];
		const int count = s->rules.game->moves(s->state, moves);
		assert_string_equal(spot_text(s, text), position);
		assert_int_equal(count, twin_diagram.moves(position, list, 26));
		for (int i = 0; i < count; i++)
			assert_string_equal(move_text(s, moves[i], name), list[i]);
		const struct spot read = spot_at(s->context, "diagram", position);
		assert_memory_equal(read.state, s->state, s->rules.game->state_size);
		if (!count)
			break;
		const int choice = (int)qv_random_below(r, (uint64_t)count);
		spot_play(s, moves[choice]);
		assert_true(twin_diagram.play(position, QV_POSITION_TEXT, list[choice]));
	}
	assert_int_equal(s->rules.game->result(s->state, points), QV_ENDED);
	assert_true(twin_diagram.over(position, expected));
	assert_int_equal(points[0], expected[0]);
	assert_int_equal(points[1], expected[1]);
}

static void test_diagrams__trees_of_any_shape_play_as_their_text_says(void **state)
{
	struct qv_random r = { 33, 0 };
	for (int i = 0; i < scaled(RANDOM_TREES); i++) {
		char tree[QV_POSITION_TEXT] = "";
		struct qv_text out = { tree, sizeof tree, 0 };
		any_tree(&r, 1, &out);
		struct spot s = spot_at(*state, "diagram", tree);
		play_both(&s, tree, &r);
	}
}

/* Every search, and a depth beyond the last leaf too, has the value of the definition. */
static void test_diagrams__every_search_has_the_value_of_the_definition(void **state)
{
	static const char *const specs[] = { "minimax:depth=9",
					     "negamax:depth=9",
					     "alphabeta:depth=9",
					     "alphabeta:depth=9,deep=0",
					     "negascout:depth=9",
					     "mtdf:depth=9",
					     PLAIN "9" };
	struct qv_random r = { 34, 0 };
	for (int i = 0; i < scaled(RANDOM_TREES); i++) {
		char tree[QV_POSITION_TEXT] = "";
		struct qv_text out = { tree, sizeof tree, 0 };
		any_tree(&r, 1, &out);
		const struct spot s = spot_at(*state, "diagram", tree);
		const int depth = 1 + (int)qv_random_below(&r, 6);
		const int32_t value = literal_value(&s, depth, 0);
		for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
			assert_int_equal(think_to(&s, specs[k], depth).score, value);
	}
}

/* ---- texts ---- */

static void expect_text(const struct qv_context *context, const char *typed, const char *canonical)
{
	char text[QV_POSITION_TEXT];
	const struct spot s = spot_at(context, "diagram", typed);
	assert_string_equal(spot_text(&s, text), canonical);
}

static void test_diagrams__texts_may_be_typed_in_several_ways(void **state)
{
	expect_text(*state, NULL, "A4(6,-1,1) B5(-3,3,1) C2(0,1,2)");
	expect_text(*state, "diagram 3-1", "A4(6,-1,1) B5(-3,3,1) C2(0,1,2)");
	expect_text(*state, "4(6,-1,1),5(-3,3,1),2(0,1,2)", "A4(6,-1,1) B5(-3,3,1) C2(0,1,2)");
	expect_text(*state, "  A4( 6 -1 , 1 )  B5(-3 3 1),2(0,1,2) ",
		    "A4(6,-1,1) B5(-3,3,1) C2(0,1,2)");
	expect_text(*state, "A0(1,2) (3)", "A(1,2) B(3)");
	expect_text(*state, "3-1 @ B2.", "A4(6,-1,1) B5(-3,3,1) C2(0,1,2) @ B2.");
	expect_text(*state, "uniform 10  4   seed=7 @ J9a", "uniform 10 4 seed=7 @ J9a");
	expect_text(*state, "7", "A7");
}

static void test_diagrams__what_is_no_tree_is_refused(void **state)
{
	static const char *const wrong[] = {
		"A",
		"()",
		"A()",
		"A(1",
		"A1)",
		"A(1))",
		"A(1,)",
		"A(,1)",
		"1,,2",
		"1,",
		",1",
		"B1",
		"A1 C2",
		"a1",
		"A1B2",
		"A(1(2)3)",
		"10000",
		"-10000",
		"--1",
		"+1",
		"1-1",
		"A 1",
		"1 @",
		"1 @ B",
		"1 @ A1",
		"1 @ A...",
		"3-1 @ A.",
		"3-1 @ a",
		"3-1 @ A4",
		"3-1 @ A11",
		"3-1 @ B2.. ",
		"3-1 @ B2 B3",
		"diagram",
		"diagram 3-3",
		"3-7",
		"3-12",
		"uniform",
		"uniform 0 4 ideal",
		"uniform 27 4 ideal",
		"uniform 2 22 ideal",
		"uniform 2 0 ideal",
		"uniform 2 2",
		"uniform 2 2 best",
		"uniform 2 2 seed=",
		"uniform 2 2 seed=-1",
		"uniform 2 2 seed=99999999999999999999",
		"uniform 2 2 ideal 3",
		"uniform 2 2 ideal @ C",
		"((((((((((((((((((((((1",
		"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", /* 27 moves */
	};
	const struct spot s = spot_at(*state, "diagram", NULL);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		unsigned char room[SPOT_STATE];
		struct qv_error error = { "" };
		memset(room, 0x5a, sizeof room);
		if (qv_position_parse(&s.rules, wrong[i], room, &error) == QV_OK)
			fail_msg("'%s' is accepted", wrong[i]);
		assert_non_null(strstr(error.text, "position: "));
		for (size_t k = 0; k < sizeof room; k++)
			assert_int_equal(room[k], 0x5a);
	}
}

/* The largest trees there can be still fit their text. */
static void test_diagrams__the_bounds_are_reached(void **state)
{
	char text[QV_POSITION_TEXT] = "", read[QV_POSITION_TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	for (int i = 0; i < 23; i++) { /* 23 first moves, 216 replies: 239 below the root */
		qv_put(&out, i ? " " : "");
		qv_put_char(&out, (char)('A' + i));
		qv_put(&out, "-9999(");
		for (int k = 0; k < (i < 9 ? 10 : 9); k++)
			qv_put(&out, k ? ",-9999" : "-9999");
		qv_put(&out, ")");
	}
	const struct spot s = spot_at(*state, "diagram", text);
	assert_string_equal(spot_text(&s, read), text);
	qv_put(&out, " X1");
	assert_true(out.length < sizeof text);
	unsigned char room[SPOT_STATE];
	assert_int_equal(qv_position_parse(&s.rules, text, room, NULL), QV_BAD_INPUT);
	/* 21 plies: A, and a digit for each of the others. */
	expect_text(*state, "((((((((((((((((((((1)))))))))))))))))))) @ A11111111111111111111",
		    "A((((((((((((((((((((1)))))))))))))))))))) @ A11111111111111111111");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diagrams__3_1_looks_one_ply_ahead_and_then_two),
		cmocka_unit_test(test_diagrams__3_2_backs_up_four_plies),
		cmocka_unit_test(test_diagrams__3_5_cuts_at_odd_and_even_plies),
		cmocka_unit_test(test_diagrams__3_6_cuts_two_plies_further_down),
		cmocka_unit_test(test_diagrams__4_1_cuts_nothing_and_4_2_sorted_does),
		cmocka_unit_test(test_diagrams__4_3_tries_the_best_reply_first),
		cmocka_unit_test(
			test_diagrams__every_leaf_of_a_uniform_tree_is_looked_at_without_pruning),
		cmocka_unit_test(
			test_diagrams__the_ideal_tree_shows_the_fewest_leaves_there_can_be),
		cmocka_unit_test(test_diagrams__order_decides_what_alpha_beta_saves),
		cmocka_unit_test(test_diagrams__trees_of_any_shape_play_as_their_text_says),
		cmocka_unit_test(test_diagrams__every_search_has_the_value_of_the_definition),
		cmocka_unit_test(test_diagrams__texts_may_be_typed_in_several_ways),
		cmocka_unit_test(test_diagrams__what_is_no_tree_is_refused),
		cmocka_unit_test(test_diagrams__the_bounds_are_reached),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
