/*
 * adam.c - steps of Adam (Kingma and Ba 2015) for flat arrays of weights.
 * SPDX-License-Identifier: MIT
 */
#include "learn/adam.h"

#include <math.h>

void adam_update(float *weights, float *mean, float *square, size_t first, size_t end,
		 const struct adam_gradient *gradient, float step, int64_t number)
{
	const float keep_mean = 0.9F, keep_square = 0.999F;
	const float scale = 1 / (float)gradient->batch;
	/* Both means start at 0; this corrects them. */
	const float length = step * (float)(sqrt(1 - pow(keep_square, (double)number)) /
					    (1 - pow(keep_mean, (double)number)));
	for (size_t i = first; i < end; i++) {
		float g = 0;
		for (int p = 0; p < gradient->parts; p++)
			g += gradient->first[(size_t)p * gradient->stride + i];
		g *= scale;
		mean[i] = keep_mean * mean[i] + (1 - keep_mean) * g;
		square[i] = keep_square * square[i] + (1 - keep_square) * g * g;
		weights[i] -= length * mean[i] / (sqrtf(square[i]) + 1e-7F);
	}
}
