/*
 * histogram.h - counts of values by size, for figures that an operator reads.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 14 };

/* {0} is an empty one. Not for several threads without a lock. */
struct histogram {
	uint64_t counts[HISTOGRAM_BOUNDS +
			1]; /* up to each bound and above the one before; then the rest */
	double sum;
};

/* Upper bounds, ascending: seconds from half a millisecond to 30 s; sizes from 1 to 8192. */
extern const double histogram_seconds[HISTOGRAM_BOUNDS], histogram_sizes[HISTOGRAM_BOUNDS];

/* A value that is negative counts as 0. */
void histogram_add(struct histogram *histogram, const double bounds[HISTOGRAM_BOUNDS],
		   double value);

#endif
