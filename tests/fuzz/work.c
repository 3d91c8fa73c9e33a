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
static struct work done, most = { UINT64_MAX, UINT64_MAX };
static uint64_t stretch; /* edges of the event loop that nothing has interrupted */
static bool is_aside;
static _Thread_local bool is_counted;

void ON_EDGE(uint32_t *guard);
void ON_OBJECT(uint32_t *start, uint32_t *stop);

PLAIN static void exceed(const char *where, uint64_t limit)
{
	is_counted = false;
	fprintf(stderr, "work: more than %llu edges%s for this input\n", (unsigned long long)limit, where);
	abort();
}

PLAIN void ON_EDGE(uint32_t *guard)
{
	(void)guard;
	if (!is_counted)
		return;
	if (++done.all > most.all)
		exceed("", most.all);
	if (!is_aside && ++stretch > most.loop)
		exceed(" of the event loop", most.loop);
}

PLAIN void ON_OBJECT(uint32_t *start, uint32_t *stop)
{
	(void)start, (void)stop;
}

PLAIN void work_begin(const struct work *limits)
{
	done = (struct work){ 0 };
	stretch = 0;
	most = *limits;
	is_counted = true;
}

PLAIN struct work work_end(void)
{
	work_set_aside(false);
	is_counted = false;
	most = (struct work){ UINT64_MAX, UINT64_MAX };
	return done;
}

PLAIN void work_set_aside(bool aside)
{
	is_aside = aside;
	done.loop = stretch > done.loop ? stretch : done.loop;
	stretch = 0;
}

PLAIN void work_join(void)
{
	is_counted = true;
}
