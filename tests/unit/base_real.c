/*
 * base_real.c - exp, log, tanh and angles of the library against those of libm, and to the bit.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"

/* The difference in units of the last place of `right`. */
static double ulps(double value, double right)
{
	const double size = fabs(right);
	return fabs(value - right) / (nextafter(size, INFINITY) - size);
}

static uint64_t bits_of(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* libm is within 1 ulp; the functions promise 2, 2 and 8. */
static void close_to_libm(void **state)
{
	(void)state;
	double log_most = 0, exp_most = 0, tanh_most = 0;
	uint64_t random = 1;
	for (int i = 0; i < 200000; i++) {
		random = random * 6364136223846793005U + 1442695040888963407U;
		const double unit = (double)(random >> 11) * 0x1p-53;
		const double wide = ldexp(1 + unit, (int)(random % 2000) - 1000);
		const double near = 0.5 + 2 * unit, x = 1400 * unit - 700, y = 40 * unit - 20;
		log_most = fmax(log_most, ulps(real_log(wide), log(wide)));
		log_most = fmax(log_most, ulps(real_log(near), log(near)));
		log_most = fmax(log_most, ulps(real_log(i + 1), log(i + 1)));
		exp_most = fmax(exp_most, ulps(real_exp(x), exp(x)));
		exp_most = fmax(exp_most, ulps(real_exp(y), exp(y)));
		tanh_most = fmax(tanh_most, ulps(real_tanh(y), tanh(y)));
		tanh_most = fmax(tanh_most, ulps(real_tanh(y / 20), tanh(y / 20)));
	}
	assert_true(log_most < 3);
	assert_true(exp_most < 3);
	assert_true(tanh_most < 9);
}

static void angles(void **state)
{
	(void)state;
	double cosine, sine;
	for (int i = -20000; i <= 20000; i++) {
		const double angle = i * 0.01, x = cos(i), y = i * sin(i);
		real_turn(angle, &cosine, &sine);
		assert_true(fabs(cosine - cos(angle)) < 1e-12 && fabs(sine - sin(angle)) < 1e-12);
		assert_true(fabs(real_angle(x, y) - atan2(y, x)) < 1e-12);
	}
	assert_true(real_angle(-1, 0) > 3.14 && real_angle(0, 0) > 3.14 && real_angle(0, -2) < -1.57);
	for (int i = 0; i < 3; i++) {
		real_turn(i == 0 ? 1e300 : i == 1 ? INFINITY : NAN, &cosine, &sine);
		assert_true(cosine == 1 && sine == 0);
	}
}

static void exact_where_it_should_be(void **state)
{
	(void)state;
	assert_true(real_log(1) == 0);
	assert_true(real_exp(0) == 1);
	assert_true(real_tanh(0) == 0);
	assert_true(real_tanh(INFINITY) == 1 && real_tanh(-INFINITY) == -1);
	assert_true(isnan(real_tanh(NAN)));
	assert_true(real_tanh(-0.7) == -real_tanh(0.7));
	assert_true(real_tanh(-0.07) == -real_tanh(0.07));
}

/* Every compiler, processor and C library must reproduce these. */
static void the_same_bits(void **state)
{
	(void)state;
	uint64_t hash = 0, random = 2;
	for (int i = 0; i < 100000; i++) {
		random = random * 6364136223846793005U + 1442695040888963407U;
		const double unit = (double)(random >> 11) * 0x1p-53;
		hash = hash * 31 + bits_of(real_log(i + 1 + unit));
		hash = hash * 31 + bits_of(real_exp(100 * unit - 50));
		hash = hash * 31 + bits_of(real_tanh(6 * unit - 3));
	}
	assert_int_equal(hash, 0x3b7441bf49d0d678);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(close_to_libm),
		cmocka_unit_test(angles),
		cmocka_unit_test(exact_where_it_should_be),
		cmocka_unit_test(the_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
