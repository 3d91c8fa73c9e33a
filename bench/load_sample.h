/*
 * load_sample.h - samples of latencies, and what a process has used.
 * SPDX-License-Identifier: MIT
 */
#ifndef BENCH_LOAD_SAMPLE_H
#define BENCH_LOAD_SAMPLE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* In microseconds. {0} is an empty sample. */
struct sample {
	uint32_t *us;
	size_t count, room;
};

/* Ends the program if there is no memory. */
void sample_add(struct sample *sample, int64_t us);
/* {"p50","p95","p99","max"} in ms; sorts the sample. NULL: out of memory. */
json_t *sample_json(struct sample *sample);

/* Processor seconds and resident kilobytes of a process; zeros if unknown. */
void process_read(long pid, double *seconds, long *kilobytes);

#endif
