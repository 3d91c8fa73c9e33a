/*
 * adam.h - steps of Adam (Kingma and Ba 2015) for flat arrays of weights.
 * SPDX-License-Identifier: MIT
 */
#ifndef LEARN_ADAM_H
#define LEARN_ADAM_H

#include <stddef.h>
#include <stdint.h>

/* The gradient of a batch: the sum of `parts` arrays, `stride` floats apart. */
struct adam_gradient {
	const float *first;
	size_t stride;
	int parts;
	int batch; /* positions that it sums up */
};

/*
 * Makes step `number`, from 1 on, of size `step` for the weights from `first` to `end`, and updates
 * the means of the gradient and of its square. The parts are added in their order.
 */
void adam_update(float *weights, float *mean, float *square, size_t first, size_t end,
		 const struct adam_gradient *gradient, float step, int64_t number);

#endif
