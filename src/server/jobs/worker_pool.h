/*
 * worker_pool.h - a fixed number of worker threads and a fair queue of jobs.
 * SPDX-License-Identifier: MIT
 *
 * Every job belongs to a client, named by a text. One job of a client runs at a time, and the number
 * of its waiting jobs is limited. A client belongs to a group, such as its address: anybody can have
 * many names, but few addresses. The group that has used the least running time is served first, and
 * in it the client that has used the least; what the next job is expected to take is added, so that
 * among equals short jobs go first. Who comes after a pause begins with what those who are being
 * served have used, so that nobody saves up time, and owes at most WORKER_DEBT_MS more.
 *
 * Short jobs (moves of levels, passwords) go before all others, and one extra thread takes nothing
 * else: nobody waits for them because of somebody's long search. Long urgent jobs (moves of other
 * computers) and the rest take turns.
 *
 * A job is a function that runs in a worker and produces texts, which are delivered in the caller's
 * thread. Jobs hold numbers, never connections. A job that runs too long, or is cancelled, has its
 * stop flag set and is expected to return soon.
 */
#ifndef SERVER_JOBS_WORKER_POOL_H
#define SERVER_JOBS_WORKER_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"

enum {
	WORKER_CLIENT = 80,
	WORKER_PROGRESS_MS = 100,
	WORKER_DEBT_MS = 60000,
	WORKER_YIELD_MS = 3000,
	WORKER_SHORT_MS = 500 /* an urgent job that is expected to take at most this is short */
};

struct worker_pool;
struct worker_job;
struct worker_task; /* a job as the worker sees it */

struct worker_pool_setup {
	int workers;		 /* the one for short jobs is added */
	int most;		 /* waiting jobs of all clients */
	void (*wake)(void *ctx); /* from any thread: call worker_pool_deliver soon */
	void *ctx;
	bool manual; /* no threads: the caller calls worker_pool_step, and no limit_ms applies */
	int group_most; /* waiting jobs of one group; 0: a quarter of `most` */
	/* A monotonic clock, for the time that clients use; NULL: the usual one. Under the lock. */
	int64_t (*now_us)(void *ctx);
	/* May another process run the job (worker_pool_send)? Under the lock. NULL: none may. */
	bool (*may_leave)(const struct worker_job *job);
	/*
	 * Processes of this machine that run jobs for the pool's threads (worker_processes.h): a
	 * thread passes the job on and waits. False: the thread runs it itself. NULL: there are none.
	 */
	bool (*pass_on)(void *ctx, struct worker_task *task, uint64_t number,
			const struct worker_job *job);
	void (*forget)(void *ctx, uint64_t number); /* of a job that is freed */
	void *processes;			    /* their ctx */
};

/* What a job does after WORKER_YIELD_MS if a group waits that has no job running. */
enum worker_yield {
	YIELD_NEVER,
	YIELD_ENDS,   /* it is hurried */
	YIELD_PAUSES, /* it is asked to pause (worker_task_pause); ignored on other machines */
};

struct worker_job {
	const char *client; /* copied, and cut to WORKER_CLIENT */
	const char *group;  /* likewise; NULL: its own group */
	bool urgent;
	enum worker_yield yields;
	int most;	  /* waiting jobs of the client */
	int64_t limit_ms; /* running time after which its stop flag is set */
	int64_t expected_ms; /* what it will probably take; 0: limit_ms */
	/* In a worker: reports progress, then sets the result; without one the result is NULL. */
	void (*run)(struct worker_task *task, void *arg);
	void (*release)(void *arg); /* called once, in any thread, even if it never ran */
	void *arg;
	/*
	 * Called in worker_pool_deliver with the newest progress (at most one text per
	 * WORKER_PROGRESS_MS) and finally with the result. text is NULL if memory ran out.
	 */
	void (*deliver)(void *ctx, uint64_t number, const char *text, bool last);
	void *ctx;
};

enum submit_result {
	SUBMIT_OK,
	SUBMIT_CLIENT_FULL, /* too many jobs of this client or its group are waiting */
	SUBMIT_POOL_FULL,   /* too many jobs are waiting, or out of memory */
};

/* NULL: out of memory, or no threads. */
struct worker_pool *worker_pool_new(const struct worker_pool_setup *setup);
/* Stops and joins all threads; nothing is delivered any more. NULL is fine. */
void worker_pool_free(struct worker_pool *pool);

/* SUBMIT_OK: the pool owns job->arg, and *number (> 0) names the job. Else arg is the caller's. */
enum submit_result worker_pool_submit(struct worker_pool *pool, const struct worker_job *job,
				      uint64_t *number);
/* Nothing more is delivered from this job. Unknown numbers are fine. */
void worker_pool_cancel(struct worker_pool *pool, uint64_t number);
/*
 * The job shall return soon with what it has: its stop flag is set, now or when it begins. Unknown
 * numbers are fine.
 */
void worker_pool_hurry(struct worker_pool *pool, uint64_t number);
/* Calls `deliver` of jobs. Returns in how many ms to call again without a wake; -1: no need. */
int64_t worker_pool_deliver(struct worker_pool *pool);
/* For a pool that is `manual`: runs the next job. False: none waits. */
bool worker_pool_step(struct worker_pool *pool);
/* How many jobs are waiting, and how many are running. */
void worker_pool_count(struct worker_pool *pool, int *waiting, int *running);

/* Jobs of one kind: the first word of their client's name. */
enum { WORKER_KINDS = 16, WORKER_KIND = 16 };
struct worker_kind {
	char name[WORKER_KIND];
	int waiting, running;
	struct histogram wait_seconds, run_seconds; /* of those that have ended */
};

struct worker_pool_figures {
	int kind_count;
	struct worker_kind kinds[WORKER_KINDS]; /* the last one counts all that do not fit */
};
void worker_pool_figures(struct worker_pool *pool, struct worker_pool_figures *out);

/* ---- Jobs that another process runs: worker_pool_away.c ---- */

/*
 * Takes the next job that may leave, a short or a long one, as a thread would: its client is charged
 * for it. NULL: none waits. The job is valid until one of the functions below ends it, or it is cancelled.
 */
const struct worker_job *worker_pool_send(struct worker_pool *pool, bool is_short, uint64_t *number);
enum away_state {
	AWAY_WANTED,
	AWAY_HURRIED, /* it shall return soon */
	AWAY_GONE,    /* it was cancelled, or has ended */
};
enum away_state worker_pool_away(struct worker_pool *pool, uint64_t number);
/* The other process begins it, perhaps again. */
void worker_pool_away_began(struct worker_pool *pool, uint64_t number);
/* The other process reports progress, or the result; both texts are copied. */
void worker_pool_away_progress(struct worker_pool *pool, uint64_t number, const char *text);
void worker_pool_away_result(struct worker_pool *pool, uint64_t number, const char *text);
/* No other process can run it: it is the next job of its client, for a thread of this process. */
void worker_pool_away_back(struct worker_pool *pool, uint64_t number);
/* Shall the threads of this process leave jobs that may leave to others? At first they do not. */
void worker_pool_leave_to_others(struct worker_pool *pool, bool leave);

/* ---- For jobs, in their worker ---- */

/* The flag that tells the job to return soon. */
const struct qv_flag *worker_task_stop(const struct worker_task *task);
/* What is left of limit_ms, at least 1. */
int64_t worker_task_left_ms(const struct worker_task *task);
/*
 * A flag for a part of the job: cleared now, set after that many ms and together with the stop
 * flag. There is one per task; the next call sets it again.
 */
const struct qv_flag *worker_task_alarm(struct worker_task *task, int64_t ms);
/*
 * The `watch` of a search or solver, with the task as its ctx. The flags above are set by a thread of
 * the pool; where there are no threads (server/wasm), they are set here. Returns true.
 */
bool worker_task_watch(void *task, uint64_t nodes);
/* Reports progress. text is malloc'd and becomes the pool's; NULL does nothing. */
void worker_task_progress(struct worker_task *task, char *text);
/*
 * Others wait for its thread. The job may return without a result; it will be the next one of its
 * client, and `run` is called again. What it keeps for that time is freed by `release`.
 */
bool worker_task_pause(struct worker_task *task);
/* Sets the result. text is malloc'd and becomes the pool's; NULL: out of memory. */
void worker_task_result(struct worker_task *task, char *text);

#endif
