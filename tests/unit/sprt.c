/*
 * sprt.c - the sequential test: published values, a literal twin, laws, extremes, its parser, and
 * whether it is as often right as it says.
 * SPDX-License-Identifier: MIT
 *
 * The published values are those of the unit tests of fastchess; counts are wins, losses, draws,
 * and LL, LD, WL, DD, WD, WW.
 */
#include "match/sprt.h"

#include "support/near.h"
#include "support/scale.h"

static struct sprt test(double elo0, double elo1, enum sprt_model model)
{
	return (struct sprt){ elo0, elo1, 0.05, 0.05, model };
}

static double games(struct sprt s, uint64_t wins, uint64_t losses, uint64_t draws)
{
	const struct tally t = { .wins = wins, .draws = draws, .losses = losses };
	return sprt_of_games(&s, &t).llr;
}

static double pairs(struct sprt s, uint64_t ll, uint64_t ld, uint64_t wl, uint64_t dd, uint64_t wd,
		    uint64_t ww)
{
	const struct pair_tally t = { ll, ld, wl, dd, wd, ww };
	return sprt_of_pairs(&s, &t).llr;
}

static void test_sprt__games_as_published(void **state)
{
	(void)state;
	assert_shown(games(test(0, 2, SPRT_NORMALISED), 36433, 36027, 68692), 0.92);
	assert_shown(games(test(-1.75, 0.25, SPRT_NORMALISED), 10871, 10650, 20431), 2.30);
	assert_shown(games(test(0.5, 2.5, SPRT_LOGISTIC), 21404, 21184, 40708), -1.57);
	assert_shown(games(test(0, 2, SPRT_LOGISTIC), 57433, 57030, 106593), -2.59);
	assert_shown(games(test(0, 2, SPRT_BAYESIAN), 68965, 68526, 128429), -1.26);
	assert_shown(games(test(0.5, 2.5, SPRT_BAYESIAN), 21629, 21484, 41111), -1.13);
	assert_near(games(test(0, 10, SPRT_NORMALISED), 4250, 0, 0), 120.56, 0.12);
}

static void test_sprt__pairs_as_published(void **state)
{
	(void)state;
	const struct sprt n02 = test(0, 2, SPRT_NORMALISED), l02 = test(0, 2, SPRT_LOGISTIC);
	const struct sprt n2 = test(-1.75, 0.25, SPRT_NORMALISED);
	const struct sprt l2 = test(0.5, 2.5, SPRT_LOGISTIC);
	assert_shown(pairs(n02, 365, 16618, 36029, 200, 16974, 390), 2.25);
	assert_shown(pairs(n2, 127, 4883, 10311, 401, 5150, 104), 3.01);
	assert_shown(pairs(l2, 223, 9863, 20279, 1000, 10037, 246), -3.07);
	assert_shown(pairs(l02, 871, 26175, 55003, 980, 26678, 821), -4.98);
	assert_near(pairs(test(0, 5, SPRT_NORMALISED), 0, 0, 0, 0, 0, 5550), 111.82, 0.12);
}

static void test_sprt__bounds_and_verdicts(void **state)
{
	(void)state;
	const struct sprt s = test(0, 5, SPRT_LOGISTIC);
	const struct tally even = { 100, 100, 100 }, better = { 20000, 60000, 10000 };
	const struct tally worse = { better.losses, better.draws, better.wins };
	const struct sprt_state on = sprt_of_games(&s, &even);
	assert_shown(on.lower, -2.94);
	assert_shown(on.upper, 2.94);
	assert_int_equal(on.verdict, SPRT_GOING_ON);
	assert_int_equal(sprt_of_games(&s, &better).verdict, SPRT_H1);
	assert_int_equal(sprt_of_games(&s, &worse).verdict, SPRT_H0);
	const struct sprt strict = { 0, 5, 0.01, 0.1, SPRT_LOGISTIC };
	assert_near(sprt_of_games(&strict, &even).lower, log(0.1 / 0.99), 1e-12);
	assert_near(sprt_of_games(&strict, &even).upper, log(0.9 / 0.01), 1e-12);
}

/*
 * The likeliest trinomial law with a given mean, found by trying: one parameter is left, the share
 * of draws, and the likelihood has one peak in it.
 */
static double best_likelihood(double w, double d, double l, double mean)
{
	double low = 1e-12, high = 2 * fmin(mean, 1 - mean) - 1e-12, best = -INFINITY;
	for (int step = 0; step < 200; step++) {
		double value[2];
		const double at[2] = { low + (high - low) / 3, high - (high - low) / 3 };
		for (int i = 0; i < 2; i++) {
			const double win = mean - at[i] / 2, loss = 1 - mean - at[i] / 2;
			value[i] = w * log(win) + d * log(at[i]) + l * log(loss);
			best = fmax(best, value[i]);
		}
		if (value[0] < value[1])
			low = at[0];
		else
			high = at[1];
	}
	return best;
}

static void test_sprt__logistic_is_the_ratio_of_the_best_likelihoods(void **state)
{
	(void)state;
	const struct sprt s = test(-3, 12, SPRT_LOGISTIC);
	for (unsigned w = 5; w < 400; w += 97)
		for (unsigned d = 3; d < 900; d += 101)
			for (unsigned l = 4; l < 500; l += 89) {
				const double h1 = best_likelihood(w, d, l, score_of_elo(12));
				const double h0 = best_likelihood(w, d, l, score_of_elo(-3));
				assert_near(games(s, w, l, d), h1 - h0, 1e-6);
			}
}

/* The usual approximation by a normal law. */
static void test_sprt__the_approximation_is_near(void **state)
{
	(void)state;
	const struct sprt s = test(0, 2, SPRT_LOGISTIC);
	for (unsigned w = 9000; w <= 11000; w += 250) {
		const double n = w + 30000, mean = (w + 10000) / n;
		const double variance = (w * pow(1 - mean, 2) + 20000 * pow(0.5 - mean, 2) +
					 10000 * mean * mean) / n;
		const double s0 = 0.5, s1 = score_of_elo(2);
		assert_near(games(s, w, 10000, 20000),
			    n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), 0.02);
	}
}

static const uint64_t odd_counts[] = { 0, 1, 2, 7, 1000, 1000000, UINT64_C(1) << 40,
				       UINT64_C(1) << 60 };
enum { ODD = sizeof odd_counts / sizeof *odd_counts };

/* Finite, and on the right side unless wins and losses drown in draws. */
static void test_sprt__always_finite(void **state)
{
	(void)state;
	for (int m = 0; m < SPRT_MODELS; m++)
		for (int k = 0; k < ODD * ODD * ODD; k++) {
			const uint64_t w = odd_counts[k % ODD], l = odd_counts[k / ODD % ODD];
			const uint64_t d = odd_counts[k / ODD / ODD];
			const struct sprt s = test(-10, 10, (enum sprt_model)m);
			const double llr = games(s, w, l, d);
			assert_true(isfinite(llr));
			assert_true(isfinite(pairs(s, l, d, 0, w, 0, w)));
			assert_true(isfinite(pairs(s, 0, l, d, d, 0, w)));
			if (w > 2 * l && d <= 1000000)
				assert_true(llr > 0);
			if (l > 2 * w && d <= 1000000)
				assert_true(llr < 0);
			if (!w && !l && !d)
				assert_near(llr, 0, 0);
		}
}

/* Whoever wins or loses all games is found out soon, and not by one game. */
static void test_sprt__one_sided_matches_end(void **state)
{
	(void)state;
	for (int m = 0; m < SPRT_MODELS; m++)
		for (int won = 0; won < 2; won++) {
			const struct sprt s = test(0, 50, (enum sprt_model)m);
			struct tally t = { 0 };
			while (sprt_of_games(&s, &t).verdict == SPRT_GOING_ON)
				tally_add(&t, won, !won);
			assert_in_range(tally_games(&t), 5, 50);
			assert_int_equal(sprt_of_games(&s, &t).verdict, won ? SPRT_H1 : SPRT_H0);
		}
}

/* ---- the parser ---- */

static void check_refused(const char *text, const char *why)
{
	struct sprt s = { 1, 2, 3, 4, SPRT_BAYESIAN };
	struct qv_error error = { "" };
	assert_int_not_equal(sprt_parse(text, &s, &error), QV_OK);
	if (!strstr(error.text, why) || strncmp(error.text, "sprt: ", 6) != 0)
		fail_msg("'%s': %s", text, error.text);
	assert_true(s.elo0 > 0 && s.elo1 > 1 && s.model == SPRT_BAYESIAN);
}

static void test_sprt__parser(void **state)
{
	(void)state;
	struct sprt s;
	struct qv_error error;
	char text[200];
	struct qv_text out = { text, sizeof text, 0 };
	static const char whole[] = "elo0=-1.75,elo1=0.25,alpha=0.01,beta=0.1,model=normalised";
	assert_int_equal(sprt_parse(whole, &s, &error), QV_OK);
	assert_near(s.elo0, -1.75, 0);
	assert_near(s.elo1, 0.25, 0);
	assert_near(s.alpha, 0.01, 0);
	assert_near(s.beta, 0.1, 0);
	assert_int_equal(s.model, SPRT_NORMALISED);
	sprt_text(&s, &out);
	assert_string_equal(text, whole);
	assert_int_equal(sprt_parse("model=normalized,elo1=+7.", &s, &error), QV_OK);
	assert_true(s.model == SPRT_NORMALISED && fabs(s.elo1 - 7) < 1e-12);
	assert_near(s.alpha, 0.05, 0);
	out.length = 0;
	assert_int_equal(sprt_parse("elo0=-0,elo1=000.000001,alpha=0.1000", &s, &error), QV_OK);
	sprt_text(&s, &out);
	assert_string_equal(text, "elo0=0,elo1=0.000001,alpha=0.1,beta=0.05,model=logistic");
	assert_int_equal(sprt_parse("model=bayesian", &s, &error), QV_OK);
	assert_true(s.model == SPRT_BAYESIAN && fabs(s.elo1 - 5) < 1e-12);
}

static void test_sprt__parser_refuses(void **state)
{
	(void)state;
	char longer[400];
	memset(longer, 'x', sizeof longer);
	longer[sizeof longer - 1] = '\0';
	check_refused("", "not key=value");
	check_refused("elo1=5,", "nothing follows the last comma");
	check_refused(",elo1=5", "not key=value");
	check_refused("elo1", "not key=value");
	check_refused("elo2=5", "no option 'elo2'; did you mean 'elo0'?");
	check_refused(" elo1=5", "no option ' elo1'");
	check_refused("elo1=", "a number from");
	check_refused("elo1=.", "a number from");
	check_refused("elo1=-", "a number from");
	check_refused("elo1=1e3", "a number from");
	check_refused("elo1=nan", "a number from");
	check_refused("elo1=1001", "a number from");
	check_refused("elo1=1.0000000001", "a number from");
	check_refused("elo1=1.2.3", "a number from");
	check_refused("alpha=0", "a number from");
	check_refused("beta=0.5", "a number from");
	check_refused("elo0=5", "not below");
	check_refused("elo0=1,elo1=-1", "not below");
	check_refused("elo0=1,elo0=1", "given twice");
	check_refused("model=logistic,model=logistic", "given twice");
	check_refused("model=", "model=: expected one of logistic|");
	check_refused("model=Logistic", "model=Logistic: expected one of");
	check_refused(longer, "not key=value");
}

/* ---- simulated matches ---- */

struct outcome {
	double h0, games;          /* the part of the runs that accept it; the mean length */
};

/* Runs of players of whom this part of the games is drawn, and this part of the rest won. */
static struct outcome simulate(const struct sprt *s, int64_t runs, double drawn, double won)
{
	struct outcome sum = { 0 };
	for (int64_t run = 0; run < runs; run++) {
		struct qv_random r = { qv_random_key(1, (uint64_t)run), 0 };
		struct tally t = { 0 };
		struct sprt_state now = { 0 };
		do {
			const double x = (double)(qv_random_next(&r) >> 11) * 0x1p-53;
			const bool win = x - drawn < (1 - drawn) * won;
			tally_add(&t, x >= drawn && win, x >= drawn && !win);
			now = sprt_of_games(s, &t);
		} while (now.verdict == SPRT_GOING_ON);
		sum.h0 += now.verdict == SPRT_H0;
		sum.games += (double)tally_games(&t);
	}
	sum.h0 /= (double)runs;
	sum.games /= (double)runs;
	return sum;
}

static void test_sprt__equal_players_accept_h0_in_time(void **state)
{
	(void)state;
	const struct sprt s = test(0, 50, SPRT_LOGISTIC);
	static const double draws[] = { 0.1, 0.3, 0.5 };
	for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
		const struct outcome o = simulate(&s, 200, draws[i], 0.5);
		const double wald = sprt_expected_length(&s, (1 - draws[i]) / 4);
		print_message("draws %.0f %%: H0 in %.1f %%, %.1f games, Wald expects %.1f\n",
			      100 * draws[i], 100 * o.h0, o.games, wald);
		assert_true(o.h0 >= 0.90 && o.h0 <= 0.99);
		assert_near(o.games / wald, 1, 0.3);
	}
}

static void test_sprt__a_better_player_is_found(void **state)
{
	(void)state;
	for (int m = 0; m < SPRT_MODELS; m++) {
		const struct sprt s = test(0, 50, (enum sprt_model)m);
		/* 50 Elo with 30 % draws. */
		const double won = 0.5 + (score_of_elo(50) - 0.5) / 0.7;
		const struct outcome o = simulate(&s, scaled(200), 0.3, won);
		print_message("model %d: H0 in %.1f %%\n", (int)s.model, 100 * o.h0);
		assert_true(o.h0 <= 0.12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sprt__games_as_published),
		cmocka_unit_test(test_sprt__pairs_as_published),
		cmocka_unit_test(test_sprt__bounds_and_verdicts),
		cmocka_unit_test(test_sprt__logistic_is_the_ratio_of_the_best_likelihoods),
		cmocka_unit_test(test_sprt__the_approximation_is_near),
		cmocka_unit_test(test_sprt__always_finite),
		cmocka_unit_test(test_sprt__one_sided_matches_end),
		cmocka_unit_test(test_sprt__parser),
		cmocka_unit_test(test_sprt__parser_refuses),
		cmocka_unit_test(test_sprt__equal_players_accept_h0_in_time),
		cmocka_unit_test(test_sprt__a_better_player_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
