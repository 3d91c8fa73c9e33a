/*
 * glicko.c - Glicko-2 against the figures of Glickman's paper.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "match/glicko.h"
#include "support/check.h"
#include "support/near.h"

static void test_glicko__the_example_of_the_paper(void **state)
{
	static const struct glicko_result results[] = { { 1400, 30, 1 },
							{ 1550, 100, 0 },
							{ 1700, 300, 0 } };
	(void)state;
	const struct glicko after = glicko_rate((struct glicko){ 1500, 200, 0.06 }, results, 3);
	assert_near(after.rating, 1464.06, 0.01);
	assert_near(after.deviation, 151.52, 0.01);
	assert_near(after.volatility, 0.05999, 0.00001);
}

/* Step 6 alone: the deviation becomes the root of phi^2 + sigma^2. */
static void test_glicko__without_results_the_deviation_grows(void **state)
{
	(void)state;
	const struct glicko after = glicko_rate((struct glicko){ 1600, 50, 0.06 }, NULL, 0);
	assert_near(after.rating, 1600, 1e-9);
	assert_near(after.deviation, 51.0750, 0.001);
	assert_near(glicko_rate((struct glicko){ 1500, 350, 0.06 }, NULL, 0).deviation, 350, 1e-9);
}

/* One-sided results for long: every figure stays finite. */
static void test_glicko__extremes_stay_finite(void **state)
{
	static const struct glicko_result lost = { 600, 30, 0 }, won = { 3000, 30, 1 };
	struct glicko low = { 1500, 350, 0.06 }, high = low;
	(void)state;
	for (int i = 0; i < 1000; i++) {
		low = glicko_rate(low, &lost, 1);
		high = glicko_rate(high, &won, 1);
	}
	assert_true(isfinite(low.rating) && low.rating < 600 && low.deviation > 0);
	assert_true(isfinite(high.rating) && high.rating > 3000 && high.deviation <= 350);
	assert_true(isfinite(low.volatility) && isfinite(high.volatility));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glicko__the_example_of_the_paper),
		cmocka_unit_test(test_glicko__without_results_the_deviation_grows),
		cmocka_unit_test(test_glicko__extremes_stay_finite),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
