/*
 * crew.h - many small jobs on a few threads.
 * SPDX-License-Identifier: MIT
 */
#ifndef LEARN_CREW_H
#define LEARN_CREW_H

#include "quevedo.h"

enum { CREW_MOST = 256 };

struct crew_work {
	int threads; /* 1 to CREW_MOST; the caller's is one of them */
	int64_t jobs;
	/* Does job number `job`; `hand` is the thread's number, from 0. */
	void (*run)(void *ctx, int hand, int64_t job);
	void *ctx;
	const atomic_bool *stop; /* no new job is begun then; NULL: never */
};

/*
 * A crew that stays together for many short works. Its threads wait awake for a moment, then
 * asleep. Job number n is always done by the same hand: what it has in its cache is still there.
 */
struct standing_crew;
/* NULL: no memory. Threads that cannot start only cost speed. */
struct standing_crew *crew_hire(const struct qv_allocator *allocator, int threads);
void crew_do(struct standing_crew *crew, int64_t jobs,
	     void (*run)(void *ctx, int hand, int64_t job), void *ctx);
void crew_dismiss(struct standing_crew *crew); /* NULL is fine */

/* Does all jobs, in any order. False: stopped, some were not done. */
bool crew_run(const struct crew_work *work);

#endif
