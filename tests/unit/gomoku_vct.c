/*
 * gomoku_vct.c - go-moku: wins by threats hold against every reply, not only against those that the
 * search considers.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/vct.h"

#include "support/check.h"
#include "support/scale.h"

enum { MOVES = 3, NODES = 100000 };

static bool make_position(struct qv_random *r, int rule, struct gomoku *s)
{
	const int64_t options[] = { 9, rule, 0 };
	const int stones = 8 + (int)qv_random_below(r, 8);
	gomoku_start(s, options);
	for (int i = 0; i < stones; i++) {
		const int point = gomoku_point(1 + (int)qv_random_below(r, 7),
					       1 + (int)qv_random_below(r, 7));
		if (gomoku_is_empty(s, point) && gomoku_allows(s, point))
			gomoku_play(s, (qv_move)point);
		if (s->winner)
			return false;
	}
	return true;
}

/* Plays the winning move and all replies, down to the five. Returns the number of lines. */
static int walk(const struct gomoku *s, int moves, struct table *table)
{
	struct gomoku_vct v = { .table = table, .max_nodes = NODES };
	struct gomoku after = *s;
	qv_move list[GOMOKU_MAX_MOVES];
	int lines = 0;
	if (!gomoku_vct(&v, s, moves)) {
		char text[QV_POSITION_TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		gomoku_position_text(s, &out);
		fail_msg("%s, rule %d: no win in %d moves", text, s->rule, moves);
	}
	gomoku_play(&after, v.move);
	if (after.winner)
		return 1;
	assert_true(v.moves > 1);
	for (int n = gomoku_moves(&after, list); n > 0; n--) {
		struct gomoku reply = after;
		gomoku_play(&reply, list[n - 1]);
		assert_int_equal(reply.winner, 0);
		lines += walk(&reply, v.moves - 1, table);
	}
	return lines;
}

static void test_vct__wins_hold_against_all_replies(void **unused)
{
	struct qv_random r = { qv_random_key(4, 4), 0 };
	struct table table = { 0 };
	const int64_t positions = scaled(24);
	(void)unused;
	assert_int_equal(table_init(&table, &mem_malloc, 1 << 20), QV_OK);
	for (int64_t done = 0; done < positions;) {
		/* All rules, for both colours. */
		const int rule = (int)(done % 3), turn = (int)(done / 3 % 2);
		struct gomoku s;
		struct gomoku_vct v = { .table = &table, .max_nodes = NODES };
		struct gomoku_vcf fours = { 0 };
		if (!make_position(&r, rule, &s) || s.turn != turn ||
		    gomoku_vcf(&fours, &s, GOMOKU_VCF_MOVES) || !gomoku_vct(&v, &s, MOVES))
			continue;
		assert_true(walk(&s, MOVES, &table) > 1000);
		done++;
	}
	table_release(&table);
}

/* Black threatens a five on the only point; there White makes a straight four. */
static void test_vct__a_forced_block_can_win(void **unused)
{
	const int64_t options[] = { 9, GOMOKU_RENJU, 0 };
	struct gomoku s;
	struct gomoku_vct v = { .max_nodes = NODES };
	(void)unused;
	assert_int_equal(gomoku_position_parse(
				 &s, options,
				 "9/2o1x4/4xo3/5xxx1/3ox4/2o1x2o1/2o2o1x1/9/9 o", NULL),
			 QV_OK);
	assert_true(gomoku_vct(&v, &s, GOMOKU_VCT_MOVES));
	assert_int_equal(v.moves, 2);
}

static void test_vct__nodes_are_limited(void **unused)
{
	const int64_t options[] = { 15, GOMOKU_FREESTYLE, 0 };
	struct gomoku s;
	struct gomoku_vct v = { .max_nodes = 50 };
	(void)unused;
	assert_int_equal(gomoku_position_parse(&s, options, "h8 a1 i9 a15 h10 o1 j8 o15", NULL),
			 QV_OK);
	const bool wins = gomoku_vct(&v, &s, GOMOKU_VCT_MOVES);
	assert_true(wins || v.stopped);
	assert_true(v.nodes < 1000);
	v.max_nodes = NODES;
	assert_true(gomoku_vct(&v, &s, GOMOKU_VCT_MOVES));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vct__wins_hold_against_all_replies),
		cmocka_unit_test(test_vct__a_forced_block_can_win),
		cmocka_unit_test(test_vct__nodes_are_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
