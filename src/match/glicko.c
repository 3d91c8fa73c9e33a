/*
 * glicko.c - Glicko-2 ratings, in the steps of Glickman's paper.
 * SPDX-License-Identifier: MIT
 *
 * web/src/rating.ts does the same for the visitor.
 */
#include "match/glicko.h"

#include <math.h>

#define SCALE 173.7178 /* 400 / ln 10 */
#define PI2 9.86960440108935861883
#define TAU 0.5 /* how fast the volatility may change */
#define CLOSE 1e-6

enum { ROOT_STEPS = 100 }; /* some ten are enough */

/* How much less a result says if the opponent's rating is uncertain: g of the paper. */
static double weight_of(double phi)
{
	return 1 / sqrt(1 + 3 * phi * phi / PI2);
}

/* What step 5 needs. */
struct surprise {
	double delta2, phi2, v, a;
};

/* f of the paper; its root is the logarithm of the new variance. */
static double slope(const struct surprise *s, double x)
{
	const double e = exp(x), sum = s->phi2 + s->v + e;
	return e * (s->delta2 - sum) / (2 * sum * sum) - (x - s->a) / (TAU * TAU);
}

/* Step 5, by the Illinois algorithm. */
static double next_volatility(const struct surprise *s)
{
	double low = s->a, high = s->a - TAU;
	if (s->delta2 > s->phi2 + s->v)
		high = log(s->delta2 - s->phi2 - s->v);
	else
		for (int i = 0; i < ROOT_STEPS && slope(s, high) < 0; i++)
			high -= TAU;
	double at_low = slope(s, low), at_high = slope(s, high);
	for (int i = 0; i < ROOT_STEPS && fabs(high - low) > CLOSE; i++) {
		const double next = low + (low - high) * at_low / (at_high - at_low);
		const double at_next = slope(s, next);
		if (at_next * at_high <= 0) {
			low = high;
			at_low = at_high;
		} else {
			at_low /= 2;
		}
		high = next;
		at_high = at_next;
	}
	return exp(low / 2);
}

struct glicko glicko_rate(struct glicko before, const struct glicko_result *results, int count)
{
	const double phi = before.deviation / SCALE;
	double information = 0, gain = 0, sigma = before.volatility;
	for (int i = 0; i < count; i++) {
		const double weight = weight_of(results[i].deviation / SCALE);
		const double expected =
			1 / (1 + exp(-weight * (before.rating - results[i].rating) / SCALE));
		information += weight * weight * expected * (1 - expected);
		gain += weight * (results[i].score - expected);
	}
	if (count > 0) {
		const double v = 1 / information;
		const struct surprise s = { v * gain * v * gain, phi * phi, v, log(sigma * sigma) };
		sigma = next_volatility(&s);
	}
	/* Steps 6 to 8; without information only the volatility widens the deviation. */
	const double next = 1 / sqrt(1 / (phi * phi + sigma * sigma) + information);
	return (struct glicko){
		.rating = before.rating + SCALE * next * next * gain,
		.deviation = fmin(GLICKO_MOST_DEVIATION, SCALE * next),
		.volatility = sigma,
	};
}
