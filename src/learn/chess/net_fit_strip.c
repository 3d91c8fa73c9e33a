/*
 * net_fit_strip.c - chess: forward step, backward step and Adam update of a strip of the network.
 * SPDX-License-Identifier: MIT
 *
 * Vectors are as wide as the processor's registers, but all sums are in a fixed order, so results
 * do not depend on the width. The activation is the squared clipped ReLU.
 */
#include "learn/chess/net_fit.h"

#include <math.h>

/* As wide as this processor's registers. */
#if defined __AVX512F__
enum { LANES = 16 };
#elif defined __AVX__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
enum { VECTORS = STRIP_WIDTH / LANES };

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t mask __attribute__((vector_size(4 * LANES)));

/* ---- forward and backward ---- */

static inline lanes cut(lanes x) /* to 0..1 */
{
	const lanes one = 1 - (lanes){ 0 };
	const mask low = (mask)x & (mask)(x > 0), above = (mask)((lanes)low > one);
	return (lanes)((low & ~above) | ((mask)one & above));
}

/* The sum of all elements, in a fixed order. */
static inline float total(const float *x)
{
	float sum[STRIP_WIDTH / 2];
	for (int k = 0; k < STRIP_WIDTH / 2; k++)
		sum[k] = x[k] + x[k + STRIP_WIDTH / 2];
	for (int k = 0; k < STRIP_WIDTH / 4; k++)
		sum[k] += sum[k + STRIP_WIDTH / 4];
	return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* The vector with this number of an array. */
static inline lanes *vector(float *list, int p)
{
	return (lanes *)list + p;
}

/* Two pieces at a time, for both sides: four independent sums. */
void net_strip_forward(struct net_strip *s, const struct net_line *lines, int count, int at)
{
	for (int i = 0; i < count; i++) {
		const struct net_line *line = &lines[i];
		const unsigned mine = line->turns[0], other = line->turns[1];
		lanes a[VECTORS], b[VECTORS], c[VECTORS], d[VECTORS];
#pragma GCC unroll 4
		for (int p = 0; p < VECTORS; p++) {
			a[p] = b[p] = *vector(s->now.empty, p);
			c[p] = d[p] = (lanes){ 0 };
		}
		/* Add up the rows of all pieces. */
		for (int k = 0; k < line->count; k += 2) {
			const unsigned piece = line->pieces[k], next = line->pieces[k + 1];
#pragma GCC unroll 4
			for (int p = 0; p < VECTORS; p++) {
				a[p] += *vector(s->rows[piece ^ mine], p);
				b[p] += *vector(s->rows[piece ^ other], p);
				c[p] += *vector(s->rows[next ^ mine], p);
				d[p] += *vector(s->rows[next ^ other], p);
			}
		}
		/* Activate, weight, and add up the neurons. */
		const int stage = chess_net_stage(line->count);
		float both[STRIP_WIDTH] __attribute__((aligned(64)));
#pragma GCC unroll 4
		for (int p = 0; p < VECTORS; p++) {
			a[p] += c[p];
			b[p] += d[p];
			*vector(s->sums[at + i][0], p) = a[p];
			*vector(s->sums[at + i][1], p) = b[p];
			a[p] = cut(a[p]);
			b[p] = cut(b[p]);
			*vector(both, p) = a[p] * a[p] * *vector(s->now.outs[stage][0], p) +
					   b[p] * b[p] * *vector(s->now.outs[stage][1], p);
		}
		s->outputs[at + i] = total(both);
	}
}

/* The gradient with respect to a side's sum; zero where the activation is clipped. */
static inline lanes back_vector(struct net_strip *s, int stage, int side, int at, float slope,
				int p)
{
	const lanes x = cut(*vector(s->sums[at][side], p));
	*vector(s->gradient.outs[stage][side], p) += slope * (x * x);
	const lanes by =
		2 * slope * *vector(s->now.outs[stage][side], p) * (lanes)((mask)x & (mask)(x < 1));
	*vector(s->gradient.empty, p) += by;
	return by;
}

void net_strip_backward(struct net_strip *s, const struct net_line *lines, int count, int at,
			const float *slopes)
{
	for (int i = 0; i < count; i++) {
		const struct net_line *line = &lines[i];
		const int stage = chess_net_stage(line->count);
		const unsigned mine = line->turns[0], other = line->turns[1];
		lanes a[VECTORS], b[VECTORS];
#pragma GCC unroll 4
		for (int p = 0; p < VECTORS; p++) {
			a[p] = back_vector(s, stage, 0, at + i, slopes[at + i], p);
			b[p] = back_vector(s, stage, 1, at + i, slopes[at + i], p);
		}
		/* The same gradient for the row of every piece. */
		for (int k = 0; k < line->count; k++) {
			const unsigned piece = line->pieces[k];
#pragma GCC unroll 4
			for (int p = 0; p < VECTORS; p++) {
				*vector(s->gradient.own[piece ^ mine], p) += a[p];
				*vector(s->gradient.own[piece ^ other], p) += b[p];
			}
		}
	}
}

/* ---- Adam ---- */

static const float most = 1.98f; /* largest weight; the file format holds less than 2 */

/* Clamped to what the file can hold. */
static inline float held(float x)
{
	return x > most ? most : x < -most ? -most : x;
}

/* A weight after a step of Adam; updates the moments of its gradient. */
__attribute__((always_inline)) static inline float moved(float now, float *slow, float *size,
							 float sum, const struct net_rate *r)
{
	const float keep = 0.9f, keep_size = 0.999f, gradient = sum / r->batch;
	*slow = keep * *slow + (1 - keep) * gradient;
	*size = keep_size * *size + (1 - keep_size) * gradient * gradient;
	const float by = *slow / r->slow_part / (sqrtf(*size / r->size_part) + 1e-8f);
	return now - r->length * (by + r->decay * now);
}

void net_step_one(float *now, float *slow, float *size, float gradient, const struct net_rate *rate)
{
	*now = held(moved(*now, slow, size, gradient, rate));
}

/* Updates the weights of all neurons of a row, and clears the gradient. */
static void step_all(float *restrict now, float *restrict slow, float *restrict size,
		     float *restrict gradient, const struct net_rate *rate)
{
	const struct net_rate r = *rate;
	for (int k = 0; k < STRIP_WIDTH; k++) {
		now[k] = held(moved(now[k], &slow[k], &size[k], gradient[k], &r));
		gradient[k] = 0;
	}
}

/* Computes the rows of a place, clamped; the own weights absorb the clamping. */
static void fold_place(struct net_strip *s, int place)
{
	const float *restrict shared = s->now.shared[place];
	for (int row = place; row < STRIP_ROWS; row += STRIP_PLACES) {
		float *restrict own = s->now.own[row], *restrict both = s->rows[row];
		for (int k = 0; k < STRIP_WIDTH; k++) {
			both[k] = held(own[k] + shared[k]);
			own[k] = both[k] - shared[k];
		}
	}
}

/* The numbers of kinds that do not exist have no weights. */
static bool is_place(int place)
{
	return (place / CHESS_SQUARES & 7) < CHESS_KINDS;
}

void net_strip_fold(struct net_strip *s)
{
	for (int place = 0; place < STRIP_PLACES; place++)
		if (is_place(place))
			fold_place(s, place);
}

void net_strip_step(struct net_strip *s, const struct net_rate *rate)
{
	for (int place = 0; place < STRIP_PLACES; place++) {
		float *sum = s->gradient.shared[place];
		if (!is_place(place))
			continue;
		/* The shared row gets the gradient of all areas. */
		for (int row = place; row < STRIP_ROWS; row += STRIP_PLACES) {
			const float *restrict own = s->gradient.own[row];
			for (int k = 0; k < STRIP_WIDTH; k++)
				sum[k] += own[k];
			step_all(s->now.own[row], s->slow.own[row], s->size.own[row],
				 s->gradient.own[row], rate);
		}
		if (CHESS_NET_AREAS > 1)
			step_all(s->now.shared[place], s->slow.shared[place], s->size.shared[place],
				 sum, rate);
		fold_place(s, place);
	}
	step_all(s->now.empty, s->slow.empty, s->size.empty, s->gradient.empty, rate);
	for (int i = 0; i < CHESS_NET_STAGES; i++)
		for (int side = 0; side < 2; side++)
			step_all(s->now.outs[i][side], s->slow.outs[i][side], s->size.outs[i][side],
				 s->gradient.outs[i][side], rate);
}
