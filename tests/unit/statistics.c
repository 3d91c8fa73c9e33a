/*
 * statistics.c - Elo, LOS and their errors: published values, laws, and extremes.
 * SPDX-License-Identifier: MIT
 *
 * The published values are those of the unit tests of fastchess (Stats(wins, losses, draws) and
 * Stats(LL, LD, WL, DD, WD, WW)), which prints two decimals.
 */
#include "match/statistics.h"

#include "support/near.h"

#define Z95 1.959963984540054

static struct statistics games(uint64_t wins, uint64_t losses, uint64_t draws)
{
	const struct tally t = { .wins = wins, .draws = draws, .losses = losses };
	return statistics_of_games(&t);
}

static struct statistics pairs(uint64_t ll, uint64_t ld, uint64_t wl, uint64_t dd, uint64_t wd,
			       uint64_t ww)
{
	const struct pair_tally t = { ll, ld, wl, dd, wd, ww };
	return statistics_of_pairs(&t);
}

static void test_statistics__games_as_published(void **state)
{
	(void)state;
	struct statistics s = games(76, 89, 123);
	assert_near(s.score, 0.477, 0.0005);
	assert_shown(s.nelo, -20.76);
	assert_shown(s.nelo_error, 40.13);
	assert_shown(100 * s.los, 15.53);
	s = games(136, 96, 111);
	assert_shown(s.elo, 40.70);
	assert_shown(s.elo_error, 30.43);
	assert_shown(s.nelo, 49.77);
	assert_shown(s.nelo_error, 36.77);
	assert_shown(100 * s.los, 99.60);
	assert_near(s.draw_ratio, 111.0 / 343, 1e-12);
	assert_false(s.bounded);
}

static void test_statistics__pairs_as_published(void **state)
{
	(void)state;
	struct statistics s = pairs(34, 54, 31, 32, 64, 75);
	assert_shown(s.elo, 55.58);
	assert_shown(s.elo_error, 27.65);
	assert_shown(s.nelo, 57.94);
	assert_shown(s.nelo_error, 28.28);
	assert_near(s.pairs_ratio, (64.0 + 75) / (34 + 54), 1e-12);
	assert_near(s.draw_ratio, (31.0 + 32) / 290, 1e-12);
	s = pairs(332, 433, 457, 41, 333, 334);
	assert_shown(s.elo, -8.64);
	assert_shown(s.elo_error, 10.33);
	assert_shown(s.nelo, -9.17);
	assert_shown(s.nelo_error, 10.96);
	assert_shown(100 * s.los, 5.05);
	s = pairs(0, 4, 17, 0, 4, 0);
	assert_shown(s.elo, 0);
	assert_shown(s.elo_error, 38.68);
	assert_shown(s.nelo, 0);
	assert_shown(s.nelo_error, 96.30);
}

/* The formulae once more, straight from their text. False: they have no value there. */
static bool check_formula(int w, int d, int l)
{
	const double n = w + d + l, s = (w + d / 2.0) / n;
	const double var = (w * pow(1 - s, 2) + d * pow(0.5 - s, 2) + l * s * s) / n;
	const double se = sqrt(var / n), up = s + Z95 * se, down = s - Z95 * se;
	if (!(n > 0 && var > 0 && up < 1 && down > 0))
		return false;
	const struct statistics got = games((uint64_t)w, (uint64_t)l, (uint64_t)d);
	assert_false(got.bounded);
	assert_near(got.elo, -400 * log10(1 / s - 1), 1e-9);
	assert_near(got.elo_error, 200 * (log10(1 / down - 1) - log10(1 / up - 1)), 1e-9);
	assert_near(got.los, (1 + erf((s - 0.5) / (se * sqrt(2)))) / 2, 1e-12);
	assert_near(got.nelo, (s - 0.5) / sqrt(var) * 800 / log(10), 1e-9);
	return true;
}

static void test_statistics__games_by_the_formula(void **state)
{
	(void)state;
	int seen = 0;
	for (int w = 0; w <= 60; w += 3)
		for (int d = 0; d <= 60; d += 4)
			for (int l = 0; l <= 60; l += 5)
				seen += check_formula(w, d, l);
	assert_true(seen > 2000);
}

static void check_finite(const struct statistics *s)
{
	const double figures[] = { s->score, s->elo,	s->elo_error,  s->nelo,
				   s->los,   s->nelo_error, s->draw_ratio, s->pairs_ratio };
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		assert_true(isfinite(figures[i]));
	assert_true(s->elo_error >= 0 && s->nelo_error > 0);
	assert_true(s->los >= 0 && s->los <= 1 && s->score >= 0 && s->score <= 1);
	assert_true(s->draw_ratio >= 0 && s->draw_ratio <= 1 && s->pairs_ratio >= 0);
}

static const uint64_t odd_counts[] = { 0,	1,	   2,	   3,
				       10,	1000,	   1000000, UINT64_C(1) << 40,
				       UINT64_C(1) << 61, UINT64_MAX / 8 };
enum { ODD = sizeof odd_counts / sizeof *odd_counts };

static void test_statistics__always_finite_and_the_opponent_sees_the_opposite(void **state)
{
	(void)state;
	for (int w = 0; w < ODD; w++)
		for (int d = 0; d < ODD; d++)
			for (int l = 0; l < ODD; l++) {
				const struct tally t = { odd_counts[w], odd_counts[d],
							 odd_counts[l] };
				const struct tally back = { t.losses, t.draws, t.wins };
				const struct statistics a = statistics_of_games(&t);
				const struct statistics b = statistics_of_games(&back);
				check_finite(&a);
				assert_near(a.elo + b.elo, 0, 1e-3 * (1 + fabs(a.elo)));
				assert_near(a.los + b.los, 1, 1e-6);
				assert_int_equal(a.bounded, b.bounded);
			}
	for (int k = 0; k < ODD * ODD * ODD * ODD; k++) {
		const struct pair_tally t = { odd_counts[k % ODD], odd_counts[k / ODD % ODD], 0, 0,
					      odd_counts[k / ODD / ODD % ODD],
					      odd_counts[k / ODD / ODD / ODD] };
		const struct pair_tally back = { t.ww, t.wd, t.wl, t.dd, t.ld, t.ll };
		const struct statistics a = statistics_of_pairs(&t), b = statistics_of_pairs(&back);
		check_finite(&a);
		assert_near(a.elo + b.elo, 0, 1e-3 * (1 + fabs(a.elo)));
	}
}

/* What docs/match.md says of the extremes. */
static void test_statistics__extremes_as_documented(void **state)
{
	(void)state;
	struct statistics s = games(0, 0, 0);
	assert_true(s.bounded && s.count == 0);
	assert_near(s.score, 0.5, 0);
	assert_near(s.elo, 0, 0);
	assert_near(s.los, 0.5, 0);
	assert_shown(s.elo_error, 495.30);
	s = games(1, 0, 0);
	assert_shown(s.elo, 400 * log10(1.5 / 0.5));
	assert_true(s.elo_error > s.elo); /* one game proves nothing */
	s = games(10, 0, 0);
	assert_shown(s.elo, 400 * log10(10.5 / 0.5));
	assert_shown(s.elo, 528.89);
	assert_shown(s.elo_error, 399.10);
	assert_near(s.score, 1, 0);
	s = games(0, 0, 10);
	assert_near(s.elo, 0, 0);
	assert_true(s.elo_error > 50 && s.elo_error < 70);
	s = pairs(0, 0, 0, 0, 0, 9);
	assert_near(s.pairs_ratio, 19, 1e-12);
	s = pairs(0, 0, 0, 0, 0, 0);
	assert_near(s.pairs_ratio, 1, 0);
	/* The interval of 10 wins and a draw would go beyond 100 %; score and LOS are as ever. */
	s = games(10, 0, 1);
	assert_true(s.bounded);
	assert_shown(s.elo, 400 * log10(10.5 / 0.5));
	assert_true(s.elo_error > 100 && s.elo_error < s.elo);
}

/* More of the same makes surer; up to 1-1 the interval is Wilson's, which is the narrower one. */
static void test_statistics__more_games_more_certainty(void **state)
{
	(void)state;
	double elo = 0, los = 0.5, even_error = 1e9;
	for (uint64_t n = 1; n < 200; n++) {
		const struct statistics won = games(n, 0, 0), even = games(n, n, 0);
		assert_true(won.elo > elo && won.los >= los);
		assert_true(even.elo_error < even_error || n <= 2);
		elo = won.elo, los = won.los, even_error = even.elo_error;
	}
}

static void test_statistics__counting(void **state)
{
	(void)state;
	struct tally t = { 0 };
	struct pair_tally p = { 0 };
	tally_add(&t, 3, -3);
	tally_add(&t, 0, 0);
	tally_add(&t, -1, 1);
	tally_add(&t, -1, 1);
	assert_true(t.wins == 1 && t.draws == 1 && t.losses == 2 && tally_games(&t) == 4);
	static const int half_points[] = { 0, 1, 2 };
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			pair_tally_add(&p, half_points[a], half_points[b]);
	assert_true(p.ll == 1 && p.ld == 2 && p.wl == 2 && p.dd == 1 && p.wd == 2 && p.ww == 1);
	assert_int_equal(pair_tally_pairs(&p), 9);
	assert_near(score_of_elo(elo_of_score(0.7)), 0.7, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statistics__games_as_published),
		cmocka_unit_test(test_statistics__pairs_as_published),
		cmocka_unit_test(test_statistics__games_by_the_formula),
		cmocka_unit_test(
			test_statistics__always_finite_and_the_opponent_sees_the_opposite),
		cmocka_unit_test(test_statistics__extremes_as_documented),
		cmocka_unit_test(test_statistics__more_games_more_certainty),
		cmocka_unit_test(test_statistics__counting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
