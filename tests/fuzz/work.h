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

/* From now on the caller's thread is counted; more than `most` edges abort the program, with a line on standard error. */
void work_begin(uint64_t most);
/* How many edges have run since. The caller's thread is no longer counted. */
uint64_t work_end(void);
/* The caller's thread, which works for the counted one, is counted as well. */
void work_join(void);

#endif
