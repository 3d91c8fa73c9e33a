/*
 * backgammon_cube_value.c - the match equity table, Janowski's formula and the decisions about the cube.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/cube.h"

#include "support/check.h"

#include <math.h>

#define NEAR(a, b, within)                                            \
	do {                                                          \
		const double a_ = (a), b_ = (b);                      \
		if (!(fabs(a_ - b_) <= (within)))                     \
			fail_msg("%s is %.6f, not %.6f", #a, a_, b_); \
	} while (0)

/* The chances with these shares of gammons among wins and losses. */
static struct backgammon_chances chances(double p, double won, double lost)
{
	return (struct backgammon_chances){ .of = { [BACKGAMMON_WIN_ANY] = (float)p,
						    [BACKGAMMON_WIN_GAMMON] = (float)(p * won),
						    [BACKGAMMON_LOSE_GAMMON] =
							    (float)((1 - p) * lost) } };
}

static double worth(const struct cube_view *v, double p, double won, double lost, double life)
{
	const struct backgammon_chances c = chances(p, won, lost);
	return cube_worth(v, &c, life);
}

static struct match_equity table_of(int points)
{
	static struct match_equity table;
	memset(&table, 0, sizeof table);
	match_equity_compute(&table, points);
	return table;
}

/* The doubler's values for a position, by the formula. */
static struct cube_offer offer(const struct cube_view *v, double p, double won, double lost,
			       double life)
{
	const struct cube_view doubled = cube_doubled(v);
	return (struct cube_offer){ worth(v, p, won, lost, life),
				    worth(&doubled, p, won, lost, life), cube_points(v, 1) };
}

/* The lowest chance with which the other seat takes. */
static double take_point(const struct cube_view *v, double won, double lost, double life)
{
	double low = 0, high = 1; /* the doubler's chances */
	for (int i = 0; i < 40; i++) {
		const double p = (low + high) / 2;
		const struct cube_offer o = offer(v, p, won, lost, life);
		*(cube_should_take(&o) ? &low : &high) = p;
	}
	return 1 - low;
}

/* ---- Match equities ---- */

static void test_match_equity__agrees_with_published_tables(void **unused)
{
	(void)unused;
	/* Points needed, and the chance of the first seat by Kazaross's table of 2011. */
	static const struct {
		int mine, theirs;
		double chance;
	} known[] = {
		{ 2, 1, 0.3226 }, { 3, 1, 0.2492 }, { 4, 1, 0.1856 }, { 5, 1, 0.1582 },
		{ 3, 2, 0.4005 }, { 4, 2, 0.3313 }, { 5, 2, 0.2564 }, { 4, 3, 0.4285 },
		{ 5, 3, 0.3521 }, { 7, 3, 0.2379 }, { 5, 4, 0.4227 }, { 7, 5, 0.3736 },
		{ 9, 4, 0.2120 }, { 9, 7, 0.3915 },
	};
	const struct match_equity t = table_of(25);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		NEAR(match_equity_at(&t, known[i].mine, known[i].theirs, false), known[i].chance,
		     0.005);
	static const double after[] = { 1, 0.5, 0.488, 0.3226, 0.31, 0.1901, 0.1807 };
	for (int n = 0; n < 7; n++)
		NEAR(match_equity_at(&t, n, 1, true), after[n], 0.005);
}

static void test_match_equity__is_symmetric_and_monotonic(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(MATCH_EQUITY_POINTS);
	for (int mine = 1; mine <= MATCH_EQUITY_POINTS; mine++)
		for (int theirs = 1; theirs <= MATCH_EQUITY_POINTS; theirs++) {
			const double e = match_equity_at(&t, mine, theirs, false);
			NEAR(e + match_equity_at(&t, theirs, mine, false), 1, 1e-12);
			assert_true(match_equity_at(&t, mine - 1, theirs, false) > e);
			assert_true(match_equity_at(&t, mine, theirs - 1, false) < e);
		}
	for (int n = 1; n <= MATCH_EQUITY_POINTS; n++) {
		NEAR(match_equity_at(&t, n, n, false), 0.5, 1e-12);
		NEAR(match_equity_at(&t, 1, n, true), 1 - match_equity_at(&t, n, 1, true), 1e-12);
	}
	assert_true(match_equity_at(&t, 0, 3, false) == 1 && match_equity_at(&t, 3, -1, true) == 0);
}

static void test_match_equity__does_not_depend_on_the_length(void **unused)
{
	(void)unused;
	const struct match_equity five = table_of(5), all = table_of(MATCH_EQUITY_POINTS);
	for (int mine = 1; mine <= 5; mine++)
		for (int theirs = 1; theirs <= 5; theirs++)
			assert_true(five.before[mine][theirs] == all.before[mine][theirs]);
}

/* ---- Money ---- */

static void test_cube__money_take_points(void **unused)
{
	(void)unused;
	const struct cube_view v = { .value = 1, .live = true };
	/* Without gammons: 1/4 with a dead cube, 1/5 with a live one. */
	NEAR(take_point(&v, 0, 0, 0), 0.25, 1e-6);
	NEAR(take_point(&v, 0, 0, 1), 0.2, 1e-6);
	/* Janowski: (L - 1/2) / (W + L + x / 2), of the seat that takes. */
	NEAR(take_point(&v, 0, 0, 0.68), 0.5 / 2.34, 1e-6);
	NEAR(take_point(&v, 0.4, 0.2, 0.68), 0.9 / (1.4 + 1.2 + 0.34), 1e-6);
	/* The same from any cube. */
	const struct cube_view four = { .value = 4, .owner = 1, .live = true };
	NEAR(take_point(&four, 0.4, 0.2, 0.68), 0.9 / (1.4 + 1.2 + 0.34), 1e-6);
}

static void test_cube__money_values(void **unused)
{
	(void)unused;
	struct cube_view v = { .value = 2, .owner = 1, .live = true };
	/* Janowski's values for an owned cube: C (p (W + L + x / 2) - L); x / 2 less for theirs. */
	NEAR(worth(&v, 0.5, 0.3, 0.1, 0.68), 2 * (0.5 * (1.3 + 1.1 + 0.34) - 1.1), 1e-6);
	v.owner = -1;
	NEAR(worth(&v, 0.5, 0.3, 0.1, 0.68), 2 * (0.5 * (1.3 + 1.1 + 0.34) - 1.1 - 0.34), 1e-6);
	v.owner = 0;
	NEAR(worth(&v, 0.5, 0, 0, 0.68), 0, 1e-6);
	NEAR(worth(&v, 0.5, 0.3, 0.3, 0.68), 0, 1e-6);
	/* The other seat sees the opposite. */
	const struct cube_view mine = { .value = 2, .owner = 1, .live = true };
	const struct cube_view theirs = cube_turned(&mine);
	NEAR(worth(&mine, 0.61, 0.3, 0.1, 0.68), -worth(&theirs, 0.39, 0.1, 0.3, 0.68), 1e-6);
	/* Without a cube: the cubeless equity. */
	v.live = false;
	NEAR(worth(&v, 0.6, 0.25, 0.1, 0.68), 2 * (0.2 + 0.15 - 0.04), 1e-6);
}

static void test_cube__money_decisions(void **unused)
{
	(void)unused;
	const struct cube_view v = { .value = 1, .live = true };
	struct cube_offer o = offer(&v, 0.55, 0.2, 0.2, 0.68);
	assert_false(cube_should_double(&v, &o));
	o = offer(&v, 0.77, 0, 0, 0.68);
	assert_true(cube_should_double(&v, &o) && cube_should_take(&o));
	o = offer(&v, 0.85, 0.1, 0.1, 0.68);
	assert_true(cube_should_double(&v, &o) && !cube_should_take(&o));
	/* Too good, except under Jacoby's rule: there gammons do not count yet. */
	o = offer(&v, 0.92, 0.7, 0.1, 0.68);
	assert_true(!cube_should_double(&v, &o) && !cube_should_take(&o));
	const struct cube_view jacoby = { .value = 1, .live = true, .jacoby = true };
	o = offer(&jacoby, 0.92, 0.7, 0.1, 0.68);
	assert_true(cube_should_double(&jacoby, &o) && !cube_should_take(&o));
	/* Nor with a cube that is not this seat's. */
	const struct cube_view theirs = { .value = 2, .owner = -1, .live = true };
	o = offer(&theirs, 0.77, 0, 0, 0.68);
	assert_false(cube_should_double(&theirs, &o));
	/* A double with a negative value after the take is beavered, and then it costs twice that. */
	const struct cube_view beavers = { .value = 1, .live = true, .beavers = true };
	const struct cube_offer bad = { -0.1, -0.3, 1 };
	NEAR(cube_offer_worth(&v, &bad), -0.3, 1e-9);
	NEAR(cube_offer_worth(&beavers, &bad), -0.6, 1e-9);
	const struct cube_offer worse = { -0.9, -1.5, 1 };
	NEAR(cube_beaver_worth(&beavers, &worse), -2, 1e-9); /* the doubler drops */
}

/* ---- Matches ---- */

static struct cube_view match_view(const struct match_equity *t, int mine, int theirs, int value,
				   int owner, bool after)
{
	return (struct cube_view){ .match = t,
				   .value = value,
				   .owner = owner,
				   .away = { mine, theirs },
				   .live = true,
				   .after_crawford = after };
}

static void test_cube__match_take_points(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(25);
	/* 2-away, 2-away: the cube at 2 decides the match. A drop leaves the Crawford game. */
	struct cube_view v = match_view(&t, 2, 2, 1, 0, false);
	NEAR(take_point(&v, 0.3, 0.3, 0.68), match_equity_at(&t, 2, 1, false), 1e-6);
	/*
	 * The leader needs two points and doubles, the other seat needs four: it redoubles at once, so
	 * that it plays for the match. A drop leaves it the Crawford game.
	 */
	v = match_view(&t, 2, 4, 1, 0, false);
	NEAR(take_point(&v, 0, 0, 0.68), match_equity_at(&t, 4, 1, false), 1e-6);
	/* Far from the end, a match is like money. */
	v = match_view(&t, 25, 25, 1, 0, false);
	NEAR(take_point(&v, 0, 0, 0.68), 0.2137, 0.03);
	/* The cube is dead if its owner wins the match with it. */
	v = match_view(&t, 2, 3, 2, 1, false);
	assert_false(cube_can_double(&v));
}

static void test_cube__after_the_crawford_game(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(25);
	/* The seat behind doubles at once, however bad its position is. */
	for (int n = 2; n < 9; n++)
		for (double p = 0.05; p < 0.6; p += 0.05) {
			const struct cube_view v = match_view(&t, n, 1, 1, 0, true);
			const struct cube_offer o = offer(&v, p, 0.25, 0.25, 0.68);
			assert_true(cube_should_double(&v, &o));
		}
	/* With an even number of points the leader has a free drop: he needs half the chances. */
	const struct cube_view two = match_view(&t, 2, 1, 1, 0, true);
	NEAR(take_point(&two, 0.25, 0.25, 0.68), 0.5, 1e-6);
	const struct cube_view three = match_view(&t, 3, 1, 1, 0, true);
	assert_true(take_point(&three, 0.25, 0.25, 0.68) < 0.3);
	/* The leader never doubles. */
	const struct cube_view leader = match_view(&t, 1, 4, 1, 0, true);
	const struct cube_offer o = offer(&leader, 0.9, 0.25, 0.25, 0.68);
	assert_false(cube_should_double(&leader, &o));
}

static void test_cube__match_values_are_opposite(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(15);
	for (int mine = 1; mine <= 15; mine++)
		for (int theirs = 1; theirs <= 15; theirs++)
			for (int owner = -1; owner <= 1; owner++) {
				const bool after = mine == 1 || theirs == 1;
				const struct cube_view v =
					match_view(&t, mine, theirs, 2, owner, after);
				const struct cube_view w = cube_turned(&v);
				double last = -1;
				for (double p = 0; p <= 1.001; p += 0.1) {
					const double value = worth(&v, p, 0.3, 0.2, 0.68);
					NEAR(value, -worth(&w, 1 - p, 0.2, 0.3, 0.68), 1e-6);
					assert_true(value >= last - 1e-6 && value <= 1 + 1e-9);
					last = value;
				}
			}
}

static void test_cube__view_of_a_state(void **unused)
{
	(void)unused;
	const struct match_equity t = table_of(7);
	struct backgammon s = { .cube = 2,
				.owner = 1,
				.match = 7,
				.score = { 2, 4 },
				.flags = BACKGAMMON_HAS_CUBE | BACKGAMMON_CRAWFORD };
	struct cube_view v = cube_view_of(&s, 0, &t);
	assert_true(v.value == 4 && v.owner == -1 && v.away[0] == 5 && v.away[1] == 3 && v.live);
	assert_false(v.after_crawford);
	s.score[1] = 6;
	v = cube_view_of(&s, 1, &t);
	assert_true(v.owner == 1 && v.away[0] == 1 && v.after_crawford && v.live);
	s.flags |= BACKGAMMON_CRAWFORD_GAME;
	v = cube_view_of(&s, 1, &t);
	assert_true(v.after_crawford && !v.live);
	s = (struct backgammon){ .owner = BACKGAMMON_MIDDLE };
	v = cube_view_of(&s, 0, &t);
	assert_true(!v.match && !v.live && v.value == 1 && v.owner == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match_equity__agrees_with_published_tables),
		cmocka_unit_test(test_match_equity__is_symmetric_and_monotonic),
		cmocka_unit_test(test_match_equity__does_not_depend_on_the_length),
		cmocka_unit_test(test_cube__money_take_points),
		cmocka_unit_test(test_cube__money_values),
		cmocka_unit_test(test_cube__money_decisions),
		cmocka_unit_test(test_cube__match_take_points),
		cmocka_unit_test(test_cube__after_the_crawford_game),
		cmocka_unit_test(test_cube__match_values_are_opposite),
		cmocka_unit_test(test_cube__view_of_a_state),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
