/*
 * worker_pool.h - a fixed number of threads that think, and a fair queue of what they are to think
 * about.
 * SPDX-License-Identifier: MIT
 *
 * Every job belongs to a client, named by a text. Clients take turns; one job of a client runs at a
 * time, and only so many of its jobs may wait. A client belongs to a group, such as its address:
 * first groups take turns, then the clients of one, for whoever wants many names has them, but few
 * addresses. Urgent jobs (the moves of computers, passwords) go
 * before the others, and one thread more than was asked for takes nothing else: however long
 * somebody's analysis is, nobody waits for an opponent's move because of it.
 *
 * A job is a function that runs in a worker and says texts; they are delivered in the loop's
 * thread. Jobs hold numbers, never connections. A job that runs too long, or is cancelled, has its
 * stop flag set; it then ends by itself, soon.
 */
#ifndef SERVER_JOBS_WORKER_POOL_H
#define SERVER_JOBS_WORKER_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { WORKER_CLIENT = 80, WORKER_PROGRESS_MS = 100 };

struct worker_pool;
struct worker_task;                 /* a job, as the worker sees it */

struct worker_pool_setup {
	int workers;               /* 1 or more; the one for urgent jobs comes on top */
	int most;                  /* jobs that wait, of all clients */
	void (*wake)(void *ctx);   /* from any thread: call worker_pool_deliver soon */
	void *ctx;
};

struct worker_job {
	const char *client;        /* copied, and cut to WORKER_CLIENT */
	const char *group;         /* likewise; NULL: the client is alone in its own */
	bool urgent;
	int most;                  /* of the client's jobs may wait */
	int64_t limit_ms;          /* once it runs; then its stop flag is set */
	/* In a worker: works on arg, says things, answers once (or not: then the answer is NULL).
	 */
	void (*run)(struct worker_task *task, void *arg);
	void (*release)(void *arg);        /* once, in whatever thread, also if it never ran */
	void *arg;
	/*
	 * In worker_pool_deliver: what was said (at most one text in WORKER_PROGRESS_MS, the
	 * newest), and at last the answer. text is NULL if there was no memory for it.
	 */
	void (*deliver)(void *ctx, uint64_t number, const char *text, bool last);
	void *ctx;
};

enum submit_result {
	SUBMIT_OK,
	SUBMIT_CLIENT_FULL,         /* too many of this client wait, or of its group */
	SUBMIT_POOL_FULL,                /* too many wait at all, or there is no memory */
};

struct worker_pool *worker_pool_new(
	const struct worker_pool_setup *setup); /* NULL: no memory, or no threads */
/* Stops and joins everything; nothing is delivered any more. NULL is fine. */
void worker_pool_free(struct worker_pool *pool);

/* Unless it is taken, arg stays the caller's. *number names the job, > 0. */
enum submit_result worker_pool_submit(struct worker_pool *pool, const struct worker_job *job,
				      uint64_t *number);
/* Nothing more is delivered of it. Unknown numbers are fine. */
void worker_pool_cancel(struct worker_pool *pool, uint64_t number);
/* In the loop's thread. Returns in how many ms to come again without a wake; -1: need not. */
int64_t worker_pool_deliver(struct worker_pool *pool);
/* How many jobs wait, and how many run. */
void worker_pool_count(struct worker_pool *pool, int *waiting, int *running);

/* ---- For jobs, in their worker ---- */

const atomic_bool *worker_task_stop(const struct worker_task *task);
int64_t worker_task_left_ms(const struct worker_task *task); /* of the limit; 1 at the least */
/*
 * A flag for a part of the job: cleared now, set in so many ms, and with the stop flag. There is
 * one; the next call sets it anew.
 */
const atomic_bool *worker_task_alarm(struct worker_task *task, int64_t ms);
/* text is malloc'd and becomes the pool's; NULL is fine and says nothing. */
void worker_task_progress(struct worker_task *task, char *text);
void worker_task_result(struct worker_task *task, char *text);

#endif
