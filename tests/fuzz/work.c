/*
 * work.c - counts the edges that run.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/work.h"

#include <stdio.h>
#include <stdlib.h>

/* The compiler calls these for each edge, and once for each object file. */
#ifdef WORK_IS_WRAPPED
#define ON_EDGE __wrap___sanitizer_cov_trace_pc_guard
#define ON_OBJECT __wrap___sanitizer_cov_trace_pc_guard_init
#else
#define ON_EDGE __sanitizer_cov_trace_pc_guard
#define ON_OBJECT __sanitizer_cov_trace_pc_guard_init
#endif

#ifdef __clang__
#define PLAIN __attribute__((no_sanitize("address", "undefined", "coverage"), visibility("default")))
#else
#define PLAIN
#endif

/* Threads that are counted work one after the other, so the counter needs no lock. */
static struct {
	uint64_t done, most;
} work = { 0, UINT64_MAX };
static _Thread_local bool is_counted;

void ON_EDGE(uint32_t *guard);
void ON_OBJECT(uint32_t *start, uint32_t *stop);

PLAIN static void exceed(void)
{
	is_counted = false;
	fprintf(stderr, "work: more than %llu edges for this input\n", (unsigned long long)work.most);
	abort();
}

PLAIN void ON_EDGE(uint32_t *guard)
{
	(void)guard;
	if (is_counted && ++work.done > work.most)
		exceed();
}

PLAIN void ON_OBJECT(uint32_t *start, uint32_t *stop)
{
	(void)start, (void)stop;
}

PLAIN void work_begin(uint64_t most)
{
	work.done = 0;
	work.most = most;
	is_counted = true;
}

PLAIN uint64_t work_end(void)
{
	is_counted = false;
	work.most = UINT64_MAX;
	return work.done;
}

PLAIN void work_join(void)
{
	is_counted = true;
}
