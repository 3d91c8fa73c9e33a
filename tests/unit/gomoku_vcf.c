/*
 * gomoku_vcf.c - go-moku: wins by a sequence of fours, against a literal search.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/vcf.h"

#include "support/check.h"
#include "support/scale.h"
#include "twins/twin.h"

/*
 * A random position without a five, and with stones close enough together for fours. The side to
 * move is the one whose turn it is by the number of stones.
 */
static bool make_position(struct qv_random *r, int rule, struct gomoku *s)
{
	const int64_t options[] = { 9 + (int64_t)qv_random_below(r, 3), rule, 0 };
	const int stones = 14 + (int)qv_random_below(r, 13);
	gomoku_start(s, options);
	for (int i = 0; i < stones; i++) {
		const int row = 1 + (int)qv_random_below(r, 7),
			  column = 1 + (int)qv_random_below(r, 7);
		const int point = gomoku_point(row, column);
		if (!gomoku_is_empty(s, point) || !gomoku_allows(s, point)) {
			i--;
			continue;
		}
		gomoku_play(s, (qv_move)point);
		if (s->winner)
			return false;
	}
	return true;
}

/* The line must be legal, make a four with each move of the attacker, and win. */
static void check_line(const struct gomoku_vcf *v, const struct gomoku *from)
{
	struct gomoku s = *from;
	const int attacker = s.turn;
	for (int i = 0; i < v->length; i++) {
		int32_t points[QV_MAX_SEATS];
		qv_move list[GOMOKU_MAX_MOVES];
		bool legal = false;
		assert_int_equal(gomoku_result(&s, points), QV_GOING);
		for (int n = gomoku_moves(&s, list); n > 0; n--)
			legal |= list[n - 1] == v->line[i];
		assert_true(legal);
		gomoku_play(&s, v->line[i]);
		if (s.turn != attacker && i < v->length - 1)
			assert_true(s.patterns[attacker][GOMOKU_FIVE_4] > 0);
	}
	assert_int_equal(s.winner, 1 + attacker);
}

/* Each position with a win by fours has a shortest line of the length that the twin finds. */
static void test_vcf__shortest_wins_are_found(void **unused)
{
	enum { MOST = 6 };
	struct qv_random r = { qv_random_key(77, 0), 0 };
	struct table table = { 0 };
	int64_t wins_of[MOST + 1] = { 0 }, none = 0, found = 0;
	const int64_t wanted = scaled(120);
	(void)unused;
	assert_int_equal(table_init(&table, &mem_malloc, 1 << 20), QV_OK);
	for (int round = 0; found < wanted || none < wanted / 4; round++) {
		char text[QV_POSITION_TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		struct gomoku s;
		const int rule = round % 3;
		if (!make_position(&r, rule, &s))
			continue;
		struct gomoku_vcf v = { .table = round % 2 ? &table : NULL };
		const bool wins = gomoku_vcf(&v, &s, GOMOKU_VCF_MOVES);
		const int length = wins ? v.length / 2 + 1 : 0;
		/* Not more than a quarter of each length, and none that is too long for the twin. */
		if (length > MOST || (length ? &wins_of[length] : &none)[0] >= 1 + wanted / 4)
			continue;
		gomoku_position_text(&s, &out);
		const int moves = twin_gomoku_vcf(text, rule, wins ? length : 4);
		if (length != moves)
			fail_msg("%s: %d plies, but the twin needs %d moves", text, v.length,
				 moves);
		assert_false(v.stopped);
		if (wins) {
			check_line(&v, &s);
			wins_of[length]++;
			found++;
		} else {
			none++;
		}
	}
	print_message("wins in 1 to 6 moves: %d %d %d %d %d %d\n", (int)wins_of[1], (int)wins_of[2],
		      (int)wins_of[3], (int)wins_of[4], (int)wins_of[5], (int)wins_of[6]);
	table_release(&table);
}

static struct gomoku position(const char *text, int rule)
{
	const int64_t options[] = { 9, rule, 0 };
	struct gomoku s;
	struct qv_error error = { "" };
	if (gomoku_position_parse(&s, options, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static int plies_of(const char *text, int rule)
{
	const struct gomoku s = position(text, rule);
	struct gomoku_vcf v = { 0 };
	if (gomoku_vcf(&v, &s, GOMOKU_VCF_MOVES))
		check_line(&v, &s);
	return v.length;
}

static void test_vcf__special_cases(void **unused)
{
	(void)unused;
	/* A five is a win in one ply, an open three one in three. */
	assert_int_equal(plies_of("9/9/9/9/oooo5/xxxx5/9/9/9 x", GOMOKU_FREESTYLE), 1);
	assert_int_equal(plies_of("9/9/9/9/9/2xxx4/9/9/oo1o5 x", GOMOKU_FREESTYLE), 3);
	/* The opponent's four must be blocked, and here the block makes no four. */
	assert_int_equal(plies_of("9/9/9/9/9/2xxx4/9/9/ooo1o3x x", GOMOKU_FREESTYLE), 0);
	/* Two fours at once win, but not for Black in renju. */
	const char fours[] = "9/9/5o3/5x3/5x3/5x3/1oxxx4/9/o1o1o1o2 x";
	assert_int_equal(plies_of(fours, GOMOKU_FREESTYLE), 3);
	assert_int_equal(plies_of(fours, GOMOKU_RENJU), 0);
	/* White wins where Black may not block: d4 would be an overline. */
	assert_int_equal(plies_of("3x5/9/3o5/3o5/3o5/xxx1xx3/9/9/oo7 o", GOMOKU_RENJU), 3);
}

/* With a limit of nodes the search stops, and does not claim that there is no win. */
static void test_vcf__nodes_are_limited(void **unused)
{
	const struct gomoku s = position("9/9/9/9/9/2xxx4/9/9/oo1o5 x", GOMOKU_FREESTYLE);
	struct gomoku_vcf v = { .max_nodes = 1 };
	(void)unused;
	const bool wins = gomoku_vcf(&v, &s, GOMOKU_VCF_MOVES);
	assert_true(wins || v.stopped);
	assert_true(v.nodes <= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vcf__shortest_wins_are_found),
		cmocka_unit_test(test_vcf__special_cases),
		cmocka_unit_test(test_vcf__nodes_are_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
