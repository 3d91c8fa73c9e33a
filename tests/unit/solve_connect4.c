/*
 * solve_connect4.c - connect-four's solver, its searches and its rules of following up, against
 * plain trying of every move on a board of letters.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "games/connect4/bounds.h"
#include "games/connect4/followup.h"
#include "games/connect4/score_search.h"
#include "games/connect4/solver.h"
#include "support/scale.h"

enum { COLUMNS = 7, ROWS = 6, CELLS = COLUMNS * ROWS, WON = 1000 };

/* ---- every move tried ---- */

struct letters {
	char cell[COLUMNS][ROWS];
	int height[COLUMNS], count;
};

static int run_length(const struct letters *b, int column, int row, int right, int up)
{
	const char who = b->cell[column][row];
	int n = 0;
	for (;; n++) {
		column += right;
		row += up;
		if (column < 0 || column >= COLUMNS || row < 0 || row >= ROWS ||
		    b->cell[column][row] != who)
			return n;
	}
}

/* Drops a disc of the side to move; true: it makes four in a row. */
static bool drop(struct letters *b, int column)
{
	const int row = b->height[column]++;
	b->cell[column][row] = b->count++ % 2 ? 'o' : 'x';
	for (int up = -1; up <= 1; up++)
		if (run_length(b, column, row, 1, up) + run_length(b, column, row, -1, -up) >= 3)
			return true;
	return run_length(b, column, row, 0, -1) >= 3;
}

/* WON minus the plies to the end if the side to move wins, its negative if it loses, 0: a draw. */
static int try_all(const struct letters *b);

static int try_column(const struct letters *b, int column)
{
	struct letters next = *b;
	if (drop(&next, column))
		return WON - 1;
	const int score = -try_all(&next);
	return score > 0 ? score - 1 : score < 0 ? score + 1 : 0;
}

static int try_all(const struct letters *b)
{
	int best = b->count == CELLS ? 0 : -WON;
	for (int column = 0; column < COLUMNS; column++)
		if (b->height[column] < ROWS) {
			const int score = try_column(b, column);
			best = score > best ? score : best;
		}
	return best;
}

/* ---- positions ---- */

/* One of a random game with so many discs that nobody has won yet. */
static struct c4 random_position(struct qv_random *random, int discs, struct letters *letters)
{
	for (;;) {
		struct c4 s = { 0, 0 };
		struct letters b = { .count = 0 };
		bool won = false;
		while (b.count < discs && !won) {
			const int column = (int)qv_random_below(random, COLUMNS);
			if (b.height[column] == ROWS)
				continue;
			won = drop(&b, column);
			c4_play(&s, c4_playable(&s) & C4_COLUMN(column));
		}
		*letters = b;
		if (!won)
			return s;
	}
}

static int column_of(qv_move move)
{
	return bits_lowest(move) / C4_STRIDE;
}

struct desk {
	struct qv_context *context;
	struct qv_rules rules;
	struct qv_solver *solver;
};

static struct desk set_up(bool easy)
{
	struct desk b = { .context = qv_context_new(NULL) };
	assert_non_null(b.context);
	assert_int_equal(qv_rules_parse(b.context, "connect4", &b.rules, NULL), QV_OK);
	assert_int_equal(qv_solver_new(b.context, &b.rules, 1 << 20, &b.solver, NULL), QV_OK);
	if (!easy)
		c4_solver_set_easy_nodes(b.solver, 0);
	return b;
}

static void clear_up(struct desk *b)
{
	qv_solver_free(b->solver);
	qv_context_free(b->context);
}

static struct qv_solution solve(const struct desk *b, const struct c4 *s, bool distance)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = distance };
	struct qv_solution out = { .size = sizeof out };
	assert_int_equal(qv_solver_solve(b->solver, s, &limits, &out, NULL), QV_OK);
	return out;
}

/* ---- value, distance and move ---- */

static enum qv_value value_of(int score)
{
	return score > 0 ? QV_VALUE_WIN : score < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
}

static void check_solution(const struct desk *desk, const struct c4 *s, const struct letters *b)
{
	const int score = try_all(b);
	const struct qv_solution far = solve(desk, s, true), plain = solve(desk, s, false);
	assert_int_equal(far.value, value_of(score));
	assert_int_equal(plain.value, value_of(score));
	assert_int_equal(far.in, score ? WON - abs(score) : -1);
	assert_int_equal(plain.in, -1);
	assert_int_equal(try_column(b, column_of(far.move)), score);
	assert_int_equal(value_of(try_column(b, column_of(plain.move))), value_of(score));
}

static void check_solutions(bool easy)
{
	struct desk desk = set_up(easy);
	struct qv_random random = { .key = 41 };
	int seen[4] = { 0 };
	for (int64_t i = scaled(300); i > 0; i--) {
		struct letters b;
		const int discs = CELLS - 1 - (int)qv_random_below(&random, 11);
		const struct c4 s = random_position(&random, discs, &b);
		check_solution(&desk, &s, &b);
		seen[value_of(try_all(&b))]++;
	}
	if (scaled(300) >= 300)
		for (int v = QV_VALUE_LOSS; v <= QV_VALUE_WIN; v++)
			assert_in_range(seen[v], 20, 300);
	clear_up(&desk);
}

static void test_connect4__the_score_is_that_of_trying_all(void **state)
{
	(void)state;
	check_solutions(true);
}

static void test_connect4__the_large_table_says_what_trying_all_says(void **state)
{
	(void)state;
	check_solutions(false);
}

/* Both searches in the middle of the game, where trying all takes too long, and mirrored. */
static void test_connect4__both_tables_agree_in_the_middle(void **state)
{
	(void)state;
	struct desk easy = set_up(true), hard = set_up(false);
	struct qv_random random = { .key = 42 };
	for (int64_t i = scaled(60); i > 0; i--) {
		struct letters b;
		const int discs = 16 + (int)qv_random_below(&random, 12);
		const struct c4 s = random_position(&random, discs, &b);
		const struct c4 image = { c4_mirror(s.mover), c4_mirror(s.all) };
		const struct qv_solution one = solve(&easy, &s, true), two = solve(&hard, &s, true);
		const struct qv_solution three = solve(&easy, &image, true);
		assert_int_equal(one.value, two.value);
		assert_int_equal(one.in, two.in);
		assert_int_equal(one.value, three.value);
		assert_int_equal(one.in, three.in);
	}
	clear_up(&easy);
	clear_up(&hard);
}

/* Both sides play the solver's moves: the game ends when and as it said. */
static void follow_to_the_end(const struct desk *desk, struct c4 s)
{
	struct qv_solution said = solve(desk, &s, true);
	int32_t points[QV_MAX_SEATS];
	while (c4_result(&s, points) == QV_GOING) {
		assert_true(c4_playable(&s) & said.move);
		c4_play(&s, said.move);
		const struct qv_solution next = solve(desk, &s, true);
		assert_int_equal(next.value, QV_VALUE_LOSS + QV_VALUE_WIN - said.value);
		assert_int_equal(next.in, said.in < 0 ? -1 : said.in - 1);
		said = next;
	}
	assert_int_equal(said.in, said.value == QV_VALUE_DRAW ? -1 : 0);
}

static void test_connect4__its_moves_lead_to_the_end_it_says(void **state)
{
	(void)state;
	struct desk easy = set_up(true), hard = set_up(false);
	struct qv_random random = { .key = 43 };
	for (int64_t i = scaled(40); i > 0; i--) {
		struct letters b;
		follow_to_the_end(&easy, random_position(&random, 18, &b));
		follow_to_the_end(&hard, random_position(&random, 26, &b));
	}
	clear_up(&easy);
	clear_up(&hard);
}

/* Value, distance and move, whoever searches; the positions take long enough for all to begin. */
static void test_connect4__threads_do_not_change_the_answer(void **state)
{
	(void)state;
	struct desk alone = set_up(false);
	struct qv_random random = { .key = 45 };
	for (int64_t i = scaled(8); i > 0; i--) {
		struct letters b;
		const struct c4 s = random_position(&random, 12 + (int)(i % 2), &b);
		const struct qv_solution one = solve(&alone, &s, true);
		struct desk team = set_up(false);
		const struct qv_solve_limits limits = { .size = sizeof limits,
							.distance = true,
							.threads = 2 + (int)(i % 3) };
		struct qv_solution many = { .size = sizeof many };
		assert_int_equal(qv_solver_solve(team.solver, &s, &limits, &many, NULL), QV_OK);
		assert_int_equal(many.value, one.value);
		assert_int_equal(many.in, one.in);
		assert_int_equal(many.move, one.move);
		clear_up(&team);
	}
	clear_up(&alone);
}

static void *stop_soon(void *stop)
{
	nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
	qv_flag_set(stop);
	return NULL;
}

/* The empty board without the early positions takes many seconds. */
static void test_connect4__a_stop_ends_all_threads(void **state)
{
	(void)state;
	struct desk desk = set_up(false);
	struct qv_flag stop = { 0 };
	const struct qv_solve_limits limits = {
		.size = sizeof limits, .distance = true, .threads = 3, .stop = &stop
	};
	const struct c4 s = { 0, 0 };
	struct qv_solution out = { .size = sizeof out };
	pthread_t alarm;
	c4_solver_disable_early(desk.solver);
	assert_int_equal(pthread_create(&alarm, NULL, stop_soon, &stop), 0);
	assert_int_equal(qv_solver_solve(desk.solver, &s, &limits, &out, NULL), QV_STOPPED);
	pthread_join(alarm, NULL);
	assert_int_equal(out.value, QV_VALUE_UNKNOWN);
	clear_up(&desk);
}

/* ---- the table ---- */

/* What was known before is known after, and nothing else. */
static void test_connect4__a_table_that_grows_forgets_nothing(void **state)
{
	(void)state;
	enum { KEYS = 20000 };
	struct c4_table table;
	struct qv_random random = { .key = 47 };
	uint64_t *keys = malloc(KEYS * sizeof *keys);
	struct c4_bounds *before = malloc(KEYS * sizeof *before);
	assert_true(keys && before);
	assert_int_equal(c4_table_init(&table, &mem_malloc, (size_t)16 << 20), QV_OK);
	c4_table_begin_small(&table);
	assert_in_range(table.bits, 1, table.most_bits - 1);
	for (int i = 0; i < KEYS; i++) {
		keys[i] = c4_table_key(qv_random_next(&random) >> (64 - C4_BOUNDS_KEY_BITS));
		const int low = (int)qv_random_below(&random, 40) - 40;
		c4_table_keep(&table, keys[i], (struct c4_bounds){ low, -low },
			      qv_random_below(&random, 1000));
	}
	for (int i = 0; i < KEYS; i++) {
		before[i] = (struct c4_bounds){ -C4_SQUARES, C4_SQUARES };
		c4_table_look(&table, keys[i], &before[i]);
	}
	c4_table_grow(&table);
	assert_int_equal(table.bits, table.most_bits);
	for (int i = 0; i < KEYS; i++) {
		struct c4_bounds after = { -C4_SQUARES, C4_SQUARES };
		c4_table_look(&table, keys[i], &after);
		assert_int_equal(after.low, before[i].low);
		assert_int_equal(after.high, before[i].high);
	}
	c4_table_release(&table, &mem_malloc);
	free(before);
	free(keys);
}

/* ---- following up ---- */

enum rule { HELD, SURE, WAITS, RULES };

/* What the rules claim of a position, as a bit for each. */
static unsigned claims(const struct c4 *s)
{
	const uint64_t mover = s->mover, other = s->mover ^ s->all, open = C4_BOARD ^ s->all;
	const uint64_t playable = c4_playable(s);
	const uint64_t threats = c4_threats(other, s->all);
	if (c4_seat(s) == 1)
		return c4_first_waits(mover, open, playable, threats) ? 1U << WAITS : 0;
	return (c4_first_is_held(mover, open, playable) ? 1U << HELD : 0) |
	       (c4_second_is_sure(mover, other, open, playable) ? 1U << SURE : 0);
}

static void test_connect4__following_up_claims_only_what_is_so(void **state)
{
	(void)state;
	struct qv_random random = { .key = 44 };
	unsigned made[RULES][COLUMNS + 1] = { { 0 } };     /* by the number of odd columns */
	const int64_t positions = scaled(1500);
	for (int64_t i = positions; i > 0; i--) {
		struct letters b;
		const int discs = CELLS - 11 + (int)qv_random_below(&random, 9);
		const struct c4 s = random_position(&random, discs, &b);
		const unsigned claimed = claims(&s);
		const int score = claimed ? try_all(&b) : 0;
		if (claimed & 1U << HELD)
			assert_in_range(score + WON, 0, WON);
		if (claimed & (1U << SURE | 1U << WAITS))
			assert_in_range(score + WON, 0, WON - 1);
		const int odd_columns = bits_count(c4_playable(&s) & C4_EVEN_ROWS);
		for (int rule = 0; rule < RULES; rule++)
			made[rule][odd_columns] += claimed >> rule & 1;
	}
	if (positions < 1500)
		return;
	assert_true(made[HELD][0] && made[HELD][2] && made[HELD][4]);
	assert_true(made[SURE][0] && made[SURE][2]);
	assert_true(made[WAITS][1] && made[WAITS][3]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_connect4__the_score_is_that_of_trying_all),
		cmocka_unit_test(test_connect4__the_large_table_says_what_trying_all_says),
		cmocka_unit_test(test_connect4__both_tables_agree_in_the_middle),
		cmocka_unit_test(test_connect4__its_moves_lead_to_the_end_it_says),
		cmocka_unit_test(test_connect4__threads_do_not_change_the_answer),
		cmocka_unit_test(test_connect4__a_stop_ends_all_threads),
		cmocka_unit_test(test_connect4__a_table_that_grows_forgets_nothing),
		cmocka_unit_test(test_connect4__following_up_claims_only_what_is_so),
	};
	return cmocka_run_group_tests_name("solve_connect4", tests, NULL, NULL);
}
