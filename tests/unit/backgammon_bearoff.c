/*
 * backgammon_bearoff.c - the one-sided bear-off table: its order, known chances, best turns by the
 * literal twin, and the table of GNU Backgammon.
 * SPDX-License-Identifier: MIT
 *
 * The last needs the file gnubg_os0.bd (Debian: gnubg-data), named by the variable GNUBG_BEAROFF.
 */
#include "games/backgammon/bearoff.h"

#include "support/check.h"
#include "support/scale.h"
#include "twins/twin.h"

#include <math.h>
#include <stdio.h>

enum { SAMPLE = 60, SEED = 17, MAX_NEXT = 512 };

static struct bearoff *table; /* of all tests here, because it takes time */

static int setup(void **unused)
{
	(void)unused;
	table = bearoff_new(&mem_malloc);
	return table ? 0 : -1;
}

static int teardown(void **unused)
{
	(void)unused;
	bearoff_free(&mem_malloc, table);
	return 0;
}

static void test_bearoff__numbers_are_a_bijection(void **unused)
{
	(void)unused;
	for (int index = 0; index < BEAROFF_POSITIONS; index++) {
		uint8_t men[BACKGAMMON_PLACES];
		int sum = 0;
		bearoff_men(index, men);
		for (int place = 0; place <= BACKGAMMON_HOME; place++)
			sum += men[place];
		assert_int_equal(sum, BACKGAMMON_MEN);
		assert_int_equal(bearoff_index(men), index);
	}
}

static double chance_of(int point, int men, int rolls)
{
	uint8_t place[BACKGAMMON_PLACES] = { 0 };
	place[point] = (uint8_t)men;
	return (double)table->chance[bearoff_index(place)][rolls] / (double)BEAROFF_ONE;
}

/* Textbook values: a man on a point leaves with one roll in so many of 36 cases. */
static void test_bearoff__known_chances(void **unused)
{
	(void)unused;
	static const int one_man[] = { 0, 36, 36, 36, 34, 31, 27 };
	for (int point = 1; point <= BACKGAMMON_HOME; point++)
		assert_true(fabs(chance_of(point, 1, 1) - one_man[point] / 36.0) < 1e-15);
	assert_true(fabs(chance_of(1, 2, 1) - 1) < 1e-15);
	assert_true(fabs(chance_of(2, 2, 1) - 26 / 36.0) < 1e-15);
	assert_true(fabs(chance_of(6, 2, 1) - 4 / 36.0) < 1e-15);
	/* Four doubles. */
	assert_true(fabs(chance_of(1, 15, 4) - 1 / 1296.0) < 1e-15);
}

static void test_bearoff__chances_add_up(void **unused)
{
	(void)unused;
	for (int index = 0; index < BEAROFF_POSITIONS; index++) {
		int64_t sum = -(int64_t)BEAROFF_ONE;
		for (int i = 0; i < BEAROFF_ROLLS; i++)
			sum += (int64_t)table->chance[index][i];
		assert_true(llabs(sum) < 16 * BEAROFF_ROLLS);
	}
}

/* The men of the first side of a position text, by the table's number. */
static int index_of(const char *position)
{
	struct backgammon s;
	assert_int_equal(backgammon_position_parse(&s, NULL, position, NULL), QV_OK);
	return bearoff_index(s.men[0]);
}

/* The mean of a position is one roll and the best mean after each roll, by the twin's moves. */
static void test_bearoff__turns_are_the_best(void **unused)
{
	(void)unused;
	static char next[MAX_NEXT][TWIN_BACKGAMMON_TEXT];
	struct qv_random random = { qv_random_key(SEED, 0), 0 };
	for (int64_t n = scaled(SAMPLE); n > 0; n--) {
		const int index = 1 + (int)qv_random_below(&random, BEAROFF_POSITIONS - 1);
		struct backgammon s = { .phase = BACKGAMMON_MOVE };
		double sum = 0;
		bearoff_men(index, s.men[0]);
		s.men[1][BACKGAMMON_BAR] = BACKGAMMON_MEN;
		for (int roll = 0; roll < 36; roll++) {
			char text[TWIN_BACKGAMMON_TEXT];
			struct qv_text out = { text, sizeof text, 0 };
			const int one = roll / 6 + 1, two = roll % 6 + 1;
			double best = INFINITY;
			s.dice[0] = (uint8_t)(one > two ? one : two);
			s.dice[1] = (uint8_t)(one > two ? two : one);
			backgammon_position_text(&s, &out);
			for (int k = twin_backgammon_next(text, next, MAX_NEXT); k > 0; k--)
				best = fmin(best, (double)table->mean[index_of(next[k - 1])]);
			sum += best / 36;
		}
		const double mean = (double)table->mean[index] / (double)BEAROFF_ONE;
		assert_true(fabs(mean - 1 - sum / (double)BEAROFF_ONE) < 1e-12);
	}
}

/* ---- GNU Backgammon ---- */

/*
 * GNU Backgammon computes with 65535ths, so its means are off by up to 0.0002 rolls, and in one
 * position of 80 it chooses another turn of nearly the same mean. Means must be equal within 0.0003
 * everywhere, and chances within 3 of 65535 in 98 % of the positions.
 *
 * The file: 40 bytes, then for each position the place of its chances, in units of two bytes, how
 * many there are and of how many rolls the first is; then the chances, in 65535ths.
 */
static void test_bearoff__gnubg_has_the_same(void **unused)
{
	(void)unused;
	enum { HEAD = 40, ENTRY = 8, UNITS = 65535, SIZE = 1465788 };
	const char *path = getenv("GNUBG_BEAROFF");
	static unsigned char data[SIZE];
	int others = 0;
	if (!path)
		skip();
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fread(data, 1, SIZE, file), SIZE);
	fclose(file);
	assert_memory_equal(data, "gnubg-OS-06-15-1-1-0", 20);
	for (int index = 0; index < BEAROFF_POSITIONS; index++) {
		const unsigned char *entry = data + HEAD + ENTRY * index;
		const size_t at = entry[0] | (size_t)entry[1] << 8 | (size_t)entry[2] << 16 |
				  (size_t)entry[3] << 24;
		const unsigned char *units = data + HEAD + ENTRY * BEAROFF_POSITIONS + 2 * at;
		double off = 0, mean = 0;
		for (int i = 0; i < BEAROFF_ROLLS; i++) {
			const int k = i - entry[5];
			const double theirs =
				k >= 0 && k < entry[4] ? units[2 * k] | units[2 * k + 1] << 8 : 0;
			const double ours =
				(double)table->chance[index][i] / (double)BEAROFF_ONE * UNITS;
			off = fmax(off, fabs(ours - theirs));
			mean += i * theirs / UNITS;
		}
		others += off > 3;
		assert_true(fabs(mean - (double)table->mean[index] / (double)BEAROFF_ONE) < 0.0003);
	}
	print_message("%d positions differ by more than 3 of 65535\n", others);
	assert_true(others < BEAROFF_POSITIONS / 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bearoff__numbers_are_a_bijection),
		cmocka_unit_test(test_bearoff__known_chances),
		cmocka_unit_test(test_bearoff__chances_add_up),
		cmocka_unit_test(test_bearoff__turns_are_the_best),
		cmocka_unit_test(test_bearoff__gnubg_has_the_same),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
