/*
 * histogram.c - counts of values by size.
 * SPDX-License-Identifier: MIT
 */
#include "base/histogram.h"

const double histogram_seconds[HISTOGRAM_BOUNDS] = { 0.0005, 0.001, 0.0025, 0.005, 0.01,
						     0.025,  0.05,  0.1,    0.25,  0.5,
						     1,	     5,	    10,	    30 };

const double histogram_sizes[HISTOGRAM_BOUNDS] = { 1,	2,   4,	  8,	16,   32,   64,
						   128, 256, 512, 1024, 2048, 4096, 8192 };

void histogram_add(struct histogram *h, const double bounds[HISTOGRAM_BOUNDS], double value)
{
	int at = 0;
	while (at < HISTOGRAM_BOUNDS && value > bounds[at])
		at++;
	h->counts[at]++;
	h->sum += value > 0 ? value : 0;
}
