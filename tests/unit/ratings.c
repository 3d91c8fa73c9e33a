/*
 * ratings.c - ratings of several players: a published example, two players, laws, and extremes.
 * SPDX-License-Identifier: MIT
 */
#include "match/ratings.h"

#include "base/memory.h"
#include "support/meter.h"
#include "support/near.h"
#include "support/scale.h"

#define ELO_PER_NAT (400 / 2.302585092994045684)

enum { MOST = 40 };

static void rate(int n, const struct tally *m, struct rating *out)
{
	assert_int_equal(ratings_of_meetings(&mem_malloc, n, m, 2, out), QV_OK);
	for (int i = 0; i < n; i++) {
		assert_true(isfinite(out[i].elo) && isfinite(out[i].error));
		assert_true(out[i].error > 0);
		assert_in_range(out[i].group, 0, n - 1);
	}
}

/*
 * Wins of seven baseball teams over each other in 1987 (Agresti, Categorical Data Analysis). The
 * estimates, in nats above the last, are those of the vignette of R's package BradleyTerry2.
 */
static void test_ratings__baseball_as_published(void **state)
{
	(void)state;
	enum { TEAMS = 7 };
	static const uint64_t won[TEAMS][TEAMS] = {
		{ 0, 7, 9, 7, 7, 9, 11 }, { 6, 0, 7, 5, 11, 9, 9 }, { 4, 6, 0, 7, 7, 8, 12 },
		{ 6, 8, 6, 0, 6, 7, 10 }, { 6, 2, 6, 7, 0, 7, 12 }, { 4, 4, 5, 6, 6, 0, 6 },
		{ 2, 4, 1, 3, 1, 7, 0 },
	};
	static const double published[TEAMS] = { 1.5814, 1.4364, 1.2945, 1.2476,
						 1.1077, 0.6839, 0 };
	struct tally m[TEAMS * TEAMS];
	struct rating r[TEAMS];
	double sum = 0;
	for (int i = 0; i < TEAMS; i++)
		for (int j = 0; j < TEAMS; j++)
			m[i * TEAMS + j] = (struct tally){ won[i][j], 0, won[j][i] };
	rate(TEAMS, m, r);
	for (int i = 0; i < TEAMS; i++) {
		assert_near((r[i].elo - r[TEAMS - 1].elo) / ELO_PER_NAT, published[i], 0.00006);
		assert_true(r[i].group == 0 && !r[i].bounded);
		sum += r[i].elo;
	}
	assert_near(sum, 0, 1e-6);
	/*
	 * His standard errors against the last team are 0.33 to 0.34 nats; against the mean of all
	 * seven they must be smaller, but not by half.
	 */
	for (int i = 0; i < TEAMS - 1; i++)
		assert_true(r[i].error > 1.96 * 0.165 * ELO_PER_NAT &&
			    r[i].error < 1.96 * 0.33 * ELO_PER_NAT);
}

/* Of two, the difference and its error are those of statistics.c. */
static void test_ratings__two_players(void **state)
{
	(void)state;
	for (unsigned w = 3; w < 300; w += 41)
		for (unsigned d = 0; d < 300; d += 53)
			for (unsigned l = 2; l < 300; l += 37) {
				const struct tally m[4] = { [1] = { w, d, l } };
				const struct statistics s = statistics_of_games(&m[1]);
				struct rating r[2];
				rate(2, m, r);
				assert_near(r[0].elo - r[1].elo, s.elo, 1e-6);
				assert_near(r[0].elo + r[1].elo, 0, 1e-6);
				if (s.elo_error < 60)
					assert_near(2 * r[0].error / s.elo_error, 1, 0.05);
			}
}

/* What the peak of the likelihood means: everybody's expected score is its score. */
static void check_balance(int n, const struct tally *m, const struct rating *r)
{
	for (int i = 0; i < n; i++) {
		double off = 0, games = 0;
		for (int j = 0; j < n; j++) {
			const struct tally *t = i < j ? &m[i * n + j] : &m[j * n + i];
			const double wins = (double)(i < j ? t->wins : t->losses);
			const double played = (double)tally_games(t);
			if (i == j)
				continue;
			off += wins + (double)t->draws / 2 -
			       played * score_of_elo(r[i].elo - r[j].elo);
			games += played;
		}
		assert_near(off, 0, 1e-6 * (games + 1));
	}
}

static void test_ratings__expected_scores_are_the_scores(void **state)
{
	(void)state;
	struct qv_random random = { 3, 0 };
	int balanced = 0;
	for (int64_t round = scaled(300); round > 0; round--) {
		const int n = 2 + (int)qv_random_below(&random, 9);
		const uint64_t most = 1 + qv_random_below(&random, 30);
		struct tally m[100] = { { 0 } };
		struct rating r[10];
		bool bounded = false;
		for (int k = 0; k < n * n; k++)
			m[k] = (struct tally){ qv_random_below(&random, most),
					       qv_random_below(&random, most),
					       qv_random_below(&random, most) };
		rate(n, m, r);
		for (int i = 0; i < n; i++)
			bounded |= r[i].bounded;
		if (!bounded)
			check_balance(n, m, r);
		balanced += !bounded;
	}
	assert_true(balanced > 0);
}

static void test_ratings__extremes(void **state)
{
	(void)state;
	struct rating r[MOST];
	struct tally m[MOST * MOST] = { { 0 } };
	rate(0, m, r);
	rate(1, m, r);
	assert_near(r[0].elo, 0, 0);
	rate(3, m, r);
	for (int i = 0; i < 3; i++)
		assert_true(r[i].group == i && r[i].bounded && fabs(r[i].elo) < 1e-12);
	m[1] = (struct tally){ 10, 0, 0 };
	rate(2, m, r);
	assert_true(r[0].bounded);
	assert_near(r[0].elo - r[1].elo, statistics_of_games(&m[1]).elo, 1e-6);
	assert_true(r[0].error > 100);
	m[1] = (struct tally){ 0, 10, 0 };
	rate(2, m, r);
	assert_near(r[0].elo, 0, 1e-9);
	m[1] = (struct tally){ UINT64_MAX / 4, 0, 1 };
	rate(2, m, r);
	assert_true(r[0].elo > r[1].elo);
}

/* Each beats the next in all games: in order, evenly apart, however far that is. */
static void test_ratings__a_long_ladder(void **state)
{
	(void)state;
	struct rating r[MOST];
	struct tally m[MOST * MOST] = { { 0 } };
	for (int i = 0; i + 1 < MOST; i++)
		m[i * MOST + i + 1] = (struct tally){ 1000000, 0, 0 };
	rate(MOST, m, r);
	for (int i = 0; i + 1 < MOST; i++)
		assert_near(r[i].elo - r[i + 1].elo, 400 * log10(1000000.5 / 0.5), 0.01);
}

/* A cycle with one player above all: only where no chain leads back something is added. */
static void test_ratings__groups_and_one_sided_parts(void **state)
{
	(void)state;
	enum { N = 6 };
	struct rating r[N];
	struct tally m[N * N] = { { 0 } };
	m[0 * N + 1] = (struct tally){ 6, 0, 2 };
	m[1 * N + 2] = (struct tally){ 5, 1, 2 };
	m[0 * N + 2] = (struct tally){ 4, 0, 4 };
	m[3 * N + 4] = (struct tally){ 3, 1, 4 };
	rate(N, m, r);
	assert_true(r[0].group == 0 && r[1].group == 0 && r[2].group == 0);
	assert_true(r[3].group == 1 && r[4].group == 1 && r[5].group == 2);
	assert_near(r[0].elo + r[1].elo + r[2].elo, 0, 1e-6);
	assert_near(r[3].elo + r[4].elo, 0, 1e-6);
	assert_true(!r[0].bounded && !r[3].bounded && r[5].bounded);
	const double apart = r[0].elo - r[1].elo;
	m[0 * N + 5] = (struct tally){ 0, 0, 9 }; /* player 6 beats player 1 always */
	rate(N, m, r);
	assert_true(r[5].group == 0 && r[5].bounded && r[0].bounded && !r[1].bounded);
	assert_true(r[5].elo > r[0].elo + 300);
	assert_near(r[0].elo - r[1].elo, apart, 10);
}

/* The order of the players, and who is called whom, changes nothing. */
static void test_ratings__order_does_not_matter(void **state)
{
	(void)state;
	enum { N = 5 };
	struct qv_random random = { 9, 0 };
	struct tally m[N * N] = { { 0 } }, back[N * N] = { { 0 } };
	struct rating r[N], turned[N];
	for (int i = 0; i < N; i++)
		for (int j = i + 1; j < N; j++) {
			const struct tally t = { qv_random_below(&random, 9),
						 qv_random_below(&random, 5),
						 1 + qv_random_below(&random, 9) };
			m[i * N + j] = t;
			back[(N - 1 - j) * N + N - 1 - i] =
				(struct tally){ t.losses, t.draws, t.wins };
		}
	rate(N, m, r);
	rate(N, back, turned);
	for (int i = 0; i < N; i++) {
		assert_near(r[i].elo, turned[N - 1 - i].elo, 1e-6);
		assert_near(r[i].error, turned[N - 1 - i].error, 1e-6);
	}
}

/* A game of four seats tells less than six games of two. */
static void test_ratings__more_seats_larger_errors(void **state)
{
	(void)state;
	const struct tally m[4] = { [1] = { 50, 20, 30 } };
	struct rating two[2], four[2];
	rate(2, m, two);
	assert_int_equal(ratings_of_meetings(&mem_malloc, 2, m, 4, four), QV_OK);
	assert_near(two[0].elo, four[0].elo, 1e-9);
	assert_near(four[0].error / two[0].error, sqrt(2), 1e-9);
}

static void test_ratings__no_memory(void **state)
{
	(void)state;
	struct meter meter = meter_make();
	const struct qv_allocator a = { meter_resize, &meter };
	const struct tally m[4] = { [1] = { 5, 2, 3 } };
	struct rating r[2];
	meter_arm(&meter, 1, true);
	assert_int_equal(ratings_of_meetings(&a, 2, m, 2, r), QV_NO_MEMORY);
	meter_arm(&meter, 0, false);
	assert_int_equal(ratings_of_meetings(&a, 2, m, 2, r), QV_OK);
	assert_int_equal(meter.blocks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratings__baseball_as_published),
		cmocka_unit_test(test_ratings__two_players),
		cmocka_unit_test(test_ratings__expected_scores_are_the_scores),
		cmocka_unit_test(test_ratings__extremes),
		cmocka_unit_test(test_ratings__a_long_ladder),
		cmocka_unit_test(test_ratings__groups_and_one_sided_parts),
		cmocka_unit_test(test_ratings__order_does_not_matter),
		cmocka_unit_test(test_ratings__more_seats_larger_errors),
		cmocka_unit_test(test_ratings__no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
