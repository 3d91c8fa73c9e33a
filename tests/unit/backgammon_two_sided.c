/*
 * backgammon_two_sided.c - the two-sided bear-off table: known equities, a literal recursion over
 * the twin's turns, its decisions, and the table of GNU Backgammon.
 * SPDX-License-Identifier: MIT
 *
 * The last needs the file that `makebearoff -t 6x6 -f FILE` writes (Debian: gnubg), named by the
 * variable GNUBG_TWO_SIDED.
 */
#include "games/backgammon/two_sided.h"

#include "games/backgammon/bearoff.h"
#include "support/bearoff_tables.h"
#include "support/scale.h"
#include "twins/twin.h"

#include <math.h>
#include <stdio.h>

enum {
	MEN = 4,	  /* a side, in the recursion; six from TEST_SCALE=1000 on */
	DECISIONS = 2000, /* random positions */
	SEED = 17,
	MAX_NEXT = 512,
	MOST_TURNS = 40, /* different positions after a roll of six men */
};

static struct backgammon by_index(int mine, int theirs)
{
	struct backgammon s = { .phase = BACKGAMMON_ROLL };
	bearoff_men(mine, s.men[0]);
	bearoff_men(theirs, s.men[1]);
	return s;
}

static void test_two_sided__knows_its_positions(void **unused)
{
	(void)unused;
	const struct two_sided *const table = backgammon_two_sided(tables);
	struct backgammon s = bearoff_position("6:6,off:9 6:6,off:9 1 -");
	assert_true(two_sided_has(&s));
	s = bearoff_position("6:7,off:8 6:6,off:9 1 -");
	assert_false(two_sided_has(&s));
	s = bearoff_position("6:6,off:9 7:1,off:14 1 -");
	assert_false(two_sided_has(&s));
	s = bearoff_position("6:6,off:9 off:15 1 -");
	assert_true(two_sided_has(&s));
	assert_true(two_sided_equity(table, &s, TWO_SIDED_CENTRED) == -1);
}

/* Seat 1 rolls. Its man on point 6 leaves with 27 of 36 rolls, men on 5 and 2 with 19. */
static void test_two_sided__known_equities(void **unused)
{
	(void)unused;
	const struct two_sided *const table = backgammon_two_sided(tables);
	struct backgammon s = bearoff_position("6:1,off:14 1:1,off:14 1 -");
	struct two_sided_decision d = two_sided_decide(table, &s, TWO_SIDED_CENTRED);
	assert_true(fabs(d.roll - 0.5) < 1e-8 && fabs(d.take - 1) < 1e-8);
	assert_true(d.doubles && d.takes && fabs(d.equity - 1) < 1e-8);
	s = bearoff_position("5:1,2:1,off:13 1:1,off:14 1 -");
	d = two_sided_decide(table, &s, TWO_SIDED_OWNED);
	assert_true(fabs(d.roll - 2 / 36.0) < 1e-8 && fabs(d.equity - 4 / 36.0) < 1e-8);
	assert_true(d.doubles && d.takes);
	d = two_sided_decide(table, &s, TWO_SIDED_THEIRS);
	assert_true(!d.doubles && fabs(d.equity - 2 / 36.0) < 1e-8);
	/* Men on 4 and 3 leave with 17 rolls: no double. Men on 1 always leave: it gains nothing. */
	s = bearoff_position("4:1,3:1,off:13 1:1,off:14 1 -");
	d = two_sided_decide(table, &s, TWO_SIDED_CENTRED);
	assert_true(!d.doubles && d.takes && fabs(d.equity + 2 / 36.0) < 1e-8);
	s = bearoff_position("1:2,off:13 1:1,off:14 1 -");
	d = two_sided_decide(table, &s, TWO_SIDED_CENTRED);
	assert_true(d.roll == 1 && !d.doubles && !d.takes);
}

/* ---- A literal recursion ---- */

struct literal {
	int turns[TWO_SIDED_SIDE][36][MOST_TURNS + 1]; /* -1 ends a list */
	double equity[TWO_SIDED_SIDE][TWO_SIDED_SIDE][TWO_SIDED_CUBES];
	bool done[TWO_SIDED_SIDE][TWO_SIDED_SIDE];
};

/* The positions after each roll, by the twin. Equal rolls in another order have the same. */
static void twin_turns(struct literal *l, int index)
{
	static char next[MAX_NEXT][TWIN_BACKGAMMON_TEXT];
	struct backgammon s = { .phase = BACKGAMMON_MOVE };
	bearoff_men(index, s.men[0]);
	s.men[1][BACKGAMMON_BAR] = BACKGAMMON_MEN;
	for (int roll = 0; roll < 36; roll++) {
		char text[TWIN_BACKGAMMON_TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		const int one = roll / 6 + 1, two = roll % 6 + 1;
		int *turns = l->turns[index][roll];
		if (one < two) /* filled in later, with the larger die first */
			continue;
		s.dice[0] = (uint8_t)one;
		s.dice[1] = (uint8_t)two;
		backgammon_position_text(&s, &out);
		const int n = twin_backgammon_next(text, next, MAX_NEXT);
		assert_in_range(n, 1, MOST_TURNS);
		for (int k = 0; k < n; k++) {
			const struct backgammon after = bearoff_position(next[k]);
			turns[k] = bearoff_index(after.men[0]);
		}
		turns[n] = -1;
		memcpy(l->turns[index][(two - 1) * 6 + one - 1], turns, sizeof l->turns[0][0]);
	}
}

/* The equity for the seat to roll, which rolls. */
static const double *literal_equity(struct literal *l, int mine, int theirs)
{
	double *equity = l->equity[mine][theirs];
	if (l->done[mine][theirs])
		return equity;
	l->done[mine][theirs] = true;
	for (int c = 0; c < TWO_SIDED_CUBES; c++)
		equity[c] = !mine ? 1 : !theirs ? -1 : 0;
	for (int roll = 0; roll < 36 && mine && theirs; roll++) {
		double best[TWO_SIDED_CUBES] = { -2, -2, -2, -2 };
		for (const int *turn = l->turns[mine][roll]; *turn >= 0; turn++) {
			const double *e = literal_equity(l, theirs, *turn);
			/* The other seat rolls, doubles or, with a double, is dropped. */
			const double doubled = fmin(1, 2 * e[TWO_SIDED_THEIRS]);
			const double values[TWO_SIDED_CUBES] = {
				-e[TWO_SIDED_CUBELESS],
				-e[TWO_SIDED_THEIRS],
				-fmax(e[TWO_SIDED_CENTRED], doubled),
				-fmax(e[TWO_SIDED_OWNED], doubled),
			};
			for (int c = 0; c < TWO_SIDED_CUBES; c++)
				best[c] = fmax(best[c], values[c]);
		}
		for (int c = 0; c < TWO_SIDED_CUBES; c++)
			equity[c] += best[c] / 36;
	}
	return equity;
}

static void test_two_sided__equals_a_literal_recursion(void **unused)
{
	(void)unused;
	const struct two_sided *const table = backgammon_two_sided(tables);
	uint8_t most[BACKGAMMON_PLACES] = { 0 };
	struct literal *l = calloc(1, sizeof *l);
	double off = 0;
	assert_non_null(l);
	most[BACKGAMMON_HOME] = scaled(100) >= 1000 ? TWO_SIDED_MEN : MEN;
	const int count = bearoff_index(most) + 1;
	for (int index = 1; index < count; index++)
		twin_turns(l, index);
	for (int mine = 0; mine < count; mine++)
		for (int theirs = 0; theirs < count; theirs++) {
			const double *equity = literal_equity(l, mine, theirs);
			for (int c = 0; c < TWO_SIDED_CUBES; c++)
				off = fmax(off,
					   fabs(equity[c] - (double)table->equity[mine][theirs][c] /
								    TWO_SIDED_ONE));
		}
	free(l);
	print_message("%d positions differ by at most %.1g points\n", count * count, off);
	assert_true(off < 2e-8);
}

/* ---- Decisions ---- */

/* The equity of the best turn with the dice; the other seat may then double. */
static double best_turn(const struct backgammon *s, enum two_sided_cube cube)
{
	const struct two_sided *const table = backgammon_two_sided(tables);
	/* As the other seat sees it. */
	static const enum two_sided_cube seen[TWO_SIDED_CUBES] = {
		[TWO_SIDED_CUBELESS] = TWO_SIDED_CUBELESS,
		[TWO_SIDED_OWNED] = TWO_SIDED_THEIRS,
		[TWO_SIDED_CENTRED] = TWO_SIDED_CENTRED,
		[TWO_SIDED_THEIRS] = TWO_SIDED_OWNED,
	};
	qv_move list[BACKGAMMON_MAX_MOVES];
	double best = -2;
	for (int n = backgammon_moves(s, list); n > 0; n--) {
		struct backgammon after = *s;
		backgammon_play(&after, list[n - 1]);
		best = fmax(best, -two_sided_decide(table, &after, seen[cube]).equity);
	}
	return best;
}

/* The mean over the rolls of the best turns is the equity of the position. */
static void test_two_sided__best_turns_give_the_equity(void **unused)
{
	(void)unused;
	const struct two_sided *const table = backgammon_two_sided(tables);
	struct qv_random random = { qv_random_key(SEED, 1), 0 };
	for (int64_t n = scaled(DECISIONS) / 10; n >= 0; n--) {
		const int mine = 1 + (int)qv_random_below(&random, TWO_SIDED_SIDE - 1);
		const int theirs = 1 + (int)qv_random_below(&random, TWO_SIDED_SIDE - 1);
		const enum two_sided_cube cube =
			(enum two_sided_cube)qv_random_below(&random, TWO_SIDED_CUBES);
		struct backgammon s = by_index(mine, theirs);
		const double expected = two_sided_equity(table, &s, cube);
		double sum = 0;
		s.phase = BACKGAMMON_MOVE;
		for (uint8_t one = 1; one <= 6; one++)
			for (uint8_t two = 1; two <= one; two++) {
				s.dice[0] = one;
				s.dice[1] = two;
				sum += best_turn(&s, cube) * (one == two ? 1 : 2) / 36;
			}
		assert_true(fabs(sum - expected) < 2e-9);
	}
}

/*
 * To have the cube is never worse than to share it, nor that than to leave it to the other seat.
 * Nobody doubles if the other seat could beaver.
 */
static void test_two_sided__cube_has_a_value(void **unused)
{
	(void)unused;
	const struct two_sided *const table = backgammon_two_sided(tables);
	for (int mine = 1; mine < TWO_SIDED_SIDE; mine++)
		for (int theirs = 1; theirs < TWO_SIDED_SIDE; theirs++) {
			const int32_t *equity = table->equity[mine][theirs];
			assert_true(equity[TWO_SIDED_OWNED] >= equity[TWO_SIDED_CENTRED] - 1);
			assert_true(equity[TWO_SIDED_CENTRED] >= equity[TWO_SIDED_THEIRS] - 1);
			if (equity[TWO_SIDED_THEIRS] >= 0)
				continue;
			const struct backgammon s = by_index(mine, theirs);
			assert_false(two_sided_decide(table, &s, TWO_SIDED_CENTRED).doubles);
		}
}

/* ---- GNU Backgammon ---- */

/*
 * The file: 40 bytes, then for each position four equities of two bytes: cubeless, the cube owned,
 * centred, theirs; 0 is -1 and 65535 is 1. GNU Backgammon cuts off the rest of each division, so
 * that its equities are off by up to 4 units.
 */
static void test_two_sided__gnubg_has_the_same(void **unused)
{
	(void)unused;
	const struct two_sided *const table = backgammon_two_sided(tables);
	enum { HEAD = 40, SIZE = HEAD + TWO_SIDED_SIDE * TWO_SIDED_SIDE * 8 };
	const char *path = getenv("GNUBG_TWO_SIDED");
	static unsigned char data[SIZE];
	double off = 0;
	if (!path)
		skip();
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fread(data, 1, SIZE, file), SIZE);
	fclose(file);
	assert_memory_equal(data, "gnubg-TS-06-06-1", 16);
	const unsigned char *at = data + HEAD;
	for (int mine = 0; mine < TWO_SIDED_SIDE; mine++)
		for (int theirs = 0; theirs < TWO_SIDED_SIDE; theirs++)
			for (int c = 0; c < TWO_SIDED_CUBES; c++, at += 2) {
				const double ours =
					((double)table->equity[mine][theirs][c] / TWO_SIDED_ONE +
					 1) *
					32767.5;
				off = fmax(off, fabs(ours - (at[0] | at[1] << 8)));
			}
	print_message("equities differ by at most %.2f of 32767.5\n", off);
	assert_true(off < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_sided__knows_its_positions),
		cmocka_unit_test(test_two_sided__known_equities),
		cmocka_unit_test(test_two_sided__equals_a_literal_recursion),
		cmocka_unit_test(test_two_sided__best_turns_give_the_equity),
		cmocka_unit_test(test_two_sided__cube_has_a_value),
		cmocka_unit_test(test_two_sided__gnubg_has_the_same),
	};
	return cmocka_run_group_tests(tests, tables_setup, tables_teardown);
}
