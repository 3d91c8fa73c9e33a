/*
 * real.c - exp, log, tanh and angles with the same bits on every machine.
 * SPDX-License-Identifier: MIT
 */
#include "base/real.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The logarithm of 2, the first part so short that its product with an exponent is exact. */
static const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;

double real_log(double x)
{
	/* x = 2^exponent * m, with m from sqrt(1/2) to sqrt(2). */
	static const uint64_t half_root = 0x3fe6a09e667f3bcd;
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	const int64_t exponent = ((int64_t)(bits - half_root)) >> 52;
	bits -= (uint64_t)exponent << 52;
	double m;
	memcpy(&m, &bits, sizeof m);
	/*
	 * With f = m - 1 and s = f / (2 + f): log(m) = 2 * (s + s^3/3 + s^5/5 + ...). As
	 * 2 * s = f - s * f, the large part f is exact.
	 */
	const double f = m - 1, s = f / (2 + f), z = s * s;
	double sum = 0;
	for (int i = 21; i > 1; i -= 2)
		sum = (sum + 2.0 / i) * z;
	const double k = (double)exponent;
	return k * ln2_high + (f - (s * (f - sum) - k * ln2_low));
}

/* exp(r) - 1 for a small r, by its Taylor series. */
static double exp_less_1(double r)
{
	double sum = 0;
	for (int i = 14; i > 1; i--)
		sum = (1 + sum) * r / i;
	return r + r * sum;
}

double real_exp(double x)
{
	/* exp(x) = 2^n * exp(r), with r from -log(2) / 2 to log(2) / 2. */
	const int n = (int)(x / ln2_high + (x < 0 ? -0.5 : 0.5));
	const double r = (x - n * ln2_high) - n * ln2_low;
	return ldexp(1 + exp_less_1(r), n);
}

double real_tanh(double x)
{
	const double size = fabs(x);
	if (!(size < 20)) /* also not a number */
		return isnan(x) ? x : copysign(1, x);
	if (size < 0.15) {
		const double e = exp_less_1(2 * size);
		return copysign(e / (e + 2), x);
	}
	return copysign(1 - 2 / (real_exp(2 * size) + 1), x);
}

/* ---- Angles ---- */

static const double PI = 3.14159265358979323846;

void real_turn(double angle, double *cosine, double *sine)
{
	const double turns = angle / (2 * PI);
	const bool good = turns > -1000 && turns < 1000;
	const int whole = good ? (int)(turns < 0 ? turns - 0.5 : turns + 0.5) : 0;
	const double x = good ? (angle - 2 * PI * whole) / 8 : 0;
	double s = x, c = 1, term_s = x, term_c = 1;
	for (int n = 1; n <= 9; n++) {
		term_c *= -x * x / ((2 * n - 1) * (2 * n));
		term_s *= -x * x / ((2 * n) * (2 * n + 1));
		c += term_c;
		s += term_s;
	}
	for (int i = 0; i < 3; i++) { /* twice the angle */
		const double both = 2 * c * s;
		c = c * c - s * s;
		s = both;
	}
	*cosine = c;
	*sine = s;
}

double real_angle(double x, double y)
{
	const double length = sqrt(x * x + y * y);
	if (!(length + x > 0))
		return y < 0 ? -PI : PI;
	/* The tangent of half the angle, then of ever smaller parts of it. */
	double t = y / (length + x), sum = 0;
	for (int i = 0; i < 4; i++)
		t /= 1 + sqrt(1 + t * t);
	double power = t;
	for (int n = 0; n < 10; n++, power *= -t * t)
		sum += power / (2 * n + 1);
	return 32 * sum;
}
