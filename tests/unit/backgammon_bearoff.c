/*
 * backgammon_bearoff.c - the one-sided bear-off table: its order, known chances, best turns by the
 * literal twin, and the table of GNU Backgammon, as a hash and as the file itself.
 * SPDX-License-Identifier: MIT
 *
 * The last needs the file gnubg_os0.bd (Debian: gnubg-data), named by the variable GNUBG_BEAROFF.
 */
#include "games/backgammon/bearoff.h"

#include "support/bearoff_tables.h"
#include "support/scale.h"
#include "twins/twin.h"

#include <math.h>
#include <stdio.h>

enum { SAMPLE = 60, SEED = 17, MAX_NEXT = 512 };

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
	const struct bearoff *const table = backgammon_one_sided(tables);
	uint8_t place[BACKGAMMON_PLACES] = { 0 };
	place[point] = (uint8_t)men;
	return table->all[bearoff_index(place)][rolls];
}

/* Textbook values: a man on a point leaves with one roll in so many of 36 cases. */
static void test_bearoff__known_chances(void **unused)
{
	(void)unused;
	static const int one_man[] = { 0, 36, 36, 36, 34, 31, 27 };
	const double one = BEAROFF_ONE;
	for (int point = 1; point <= BACKGAMMON_HOME; point++)
		assert_true(fabs(chance_of(point, 1, 1) - one * one_man[point] / 36) <= 0.5);
	assert_true(fabs(chance_of(1, 2, 1) - one) <= 0.5);
	assert_true(fabs(chance_of(2, 2, 1) - one * 26 / 36) <= 0.5);
	assert_true(fabs(chance_of(6, 2, 1) - one * 4 / 36) <= 0.5);
	/* Four doubles; each of four rolls is rounded. */
	assert_true(fabs(chance_of(1, 15, 4) - one / 1296) <= 2);
}

/* Chances add up to one, and the stored averages are theirs. */
static void check_row(const uint16_t *chance, uint32_t mean)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < BEAROFF_ROLLS; i++) {
		sum += chance[i];
		mean -= i * chance[i];
	}
	assert_int_equal(sum, BEAROFF_ONE);
	assert_int_equal(mean, 0);
}

static void test_bearoff__chances_add_up(void **unused)
{
	(void)unused;
	const struct bearoff *const table = backgammon_one_sided(tables);
	for (int index = 0; index < BEAROFF_POSITIONS; index++)
		check_row(table->all[index], table->all_mean[index]);
	for (int k = 0; k < BEAROFF_POSITIONS - BEAROFF_FULL; k++)
		check_row(table->first[k], table->first_mean[k]);
}

/* The men of the first side of a position text, by the table's number. */
static int index_of(const char *position)
{
	struct backgammon s;
	assert_int_equal(backgammon_position_parse(&s, NULL, position, NULL), QV_OK);
	return bearoff_index(s.men[0]);
}

/* The rolls to the first man off on average. */
static double first_of(int index)
{
	const struct bearoff *const table = backgammon_one_sided(tables);
	return index < BEAROFF_FULL ? 0 : table->first_mean[index - BEAROFF_FULL];
}

/*
 * The mean of a position is one roll and the best mean after each roll, by the twin's moves, within
 * the rounding of one turn.
 */
static void test_bearoff__turns_are_the_best(void **unused)
{
	(void)unused;
	const struct bearoff *const table = backgammon_one_sided(tables);
	static char next[MAX_NEXT][TWIN_BACKGAMMON_TEXT];
	struct qv_random random = { qv_random_key(SEED, 0), 0 };
	for (int64_t n = scaled(SAMPLE); n > 0; n--) {
		const int index = 1 + (int)qv_random_below(&random, BEAROFF_POSITIONS - 1);
		struct backgammon s = { .phase = BACKGAMMON_MOVE };
		double all = BEAROFF_ONE, first = index < BEAROFF_FULL ? 0 : BEAROFF_ONE;
		bearoff_men(index, s.men[0]);
		s.men[1][BACKGAMMON_BAR] = BACKGAMMON_MEN;
		for (int roll = 0; roll < 36; roll++) {
			char text[TWIN_BACKGAMMON_TEXT];
			struct qv_text out = { text, sizeof text, 0 };
			const int one = roll / 6 + 1, two = roll % 6 + 1;
			double best = INFINITY, best_first = INFINITY;
			s.dice[0] = (uint8_t)(one > two ? one : two);
			s.dice[1] = (uint8_t)(one > two ? two : one);
			backgammon_position_text(&s, &out);
			for (int k = twin_backgammon_next(text, next, MAX_NEXT); k > 0; k--) {
				const int after = index_of(next[k - 1]);
				best = fmin(best, table->all_mean[after]);
				best_first = fmin(best_first, first_of(after));
			}
			all += best / 36;
			first += best_first / 36;
		}
		assert_true(fabs(table->all_mean[index] - all) < 0.0001 * BEAROFF_ONE);
		assert_true(fabs(first_of(index) - first) < 0.0001 * BEAROFF_ONE);
	}
}

/* ---- GNU Backgammon ---- */

static uint64_t hash_row(uint64_t hash, const uint16_t *chance)
{
	for (int i = 0; i < BEAROFF_ROLLS; i++)
		hash = (hash ^ chance[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Without the file: a hash of its values. */
static void test_bearoff__gnubg_has_the_same_hash(void **unused)
{
	(void)unused;
	const struct bearoff *const table = backgammon_one_sided(tables);
	uint64_t all = 0, first = 0;
	for (int index = 0; index < BEAROFF_POSITIONS; index++)
		all = hash_row(all, table->all[index]);
	for (int k = 0; k < BEAROFF_POSITIONS - BEAROFF_FULL; k++)
		first = hash_row(first, table->first[k]);
	assert_int_equal(all, UINT64_C(0x3e51661165e6da4e));
	assert_int_equal(first, UINT64_C(0x8dd4b2d3fe696418));
}

/* Compares chances with `count` of the file, of which the first is of `from` rolls. */
static void compare_row(const uint16_t *chance, const unsigned char *units, int count, int from)
{
	for (int i = 0; i < BEAROFF_ROLLS; i++) {
		const int k = i - from;
		const int theirs = k >= 0 && k < count ? units[2 * k] | units[2 * k + 1] << 8 : 0;
		assert_int_equal(chance[i], theirs);
	}
}

/*
 * The file: 40 bytes, then for each position the place of its chances, in units of two bytes, how
 * many there are and of how many rolls the first is, and both for the first man off; then the
 * chances, in 65535ths.
 */
static void test_bearoff__gnubg_has_the_same(void **unused)
{
	(void)unused;
	const struct bearoff *const table = backgammon_one_sided(tables);
	enum { HEAD = 40, ENTRY = 8, SIZE = 1465788 };
	static const uint16_t at_once[BEAROFF_ROLLS] = { BEAROFF_ONE };
	const char *path = getenv("GNUBG_BEAROFF");
	static unsigned char data[SIZE];
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
		compare_row(table->all[index], units, entry[4], entry[5]);
		compare_row(index < BEAROFF_FULL ? at_once : table->first[index - BEAROFF_FULL],
			    units + 2 * entry[4], entry[6], entry[7]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bearoff__numbers_are_a_bijection),
		cmocka_unit_test(test_bearoff__known_chances),
		cmocka_unit_test(test_bearoff__chances_add_up),
		cmocka_unit_test(test_bearoff__turns_are_the_best),
		cmocka_unit_test(test_bearoff__gnubg_has_the_same_hash),
		cmocka_unit_test(test_bearoff__gnubg_has_the_same),
	};
	return cmocka_run_group_tests(tests, tables_setup, tables_teardown);
}
