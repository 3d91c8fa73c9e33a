/*
 * work.h - how much a fuzz target does with an input, counted and limited.
 * SPDX-License-Identifier: MIT
 *
 * Work is the number of edges of our own code that run (clang's -fsanitize-coverage=trace-pc-guard, in builds with QV_FUZZ
 * or QV_COVERAGE). It is the same on every machine and in every run, unlike time. Other builds count nothing.
 */
#ifndef FUZZ_WORK_H
#define FUZZ_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of edges. loop: in the longest stretch, during which everybody waits for the event loop. */
struct work {
	uint64_t all, loop;
};

/* From now on the caller's thread is counted; more than these edges abort the program, with a line on standard error. */
void work_begin(const struct work *limits);
/* How many edges have run since. The caller's thread is no longer counted. */
struct work work_end(void);
/* What runs now is the work of another thread than the event loop; or of the loop, which begins another stretch. */
void work_set_aside(bool aside);
/* The caller's thread, which works for the counted one, is counted as well. */
void work_join(void);

#endif
