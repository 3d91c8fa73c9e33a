/*
 * job_queue.h - the server's side of the queue of jobs in the database: it gives jobs of its worker
 * pool to workers, processes on any machines, and takes their results.
 * SPDX-License-Identifier: MIT
 *
 * The pool stays the one that decides who is served next; a job goes into the database only when a
 * worker is free for it. A job that nobody takes in time, that a worker refuses, or that was taken
 * three times without a result, is run by a thread of this server. So is every job while no worker
 * is alive.
 *
 * Workers tell "job NUMBER ATTEMPT KIND\n" and a text to the server's node, and "job workers" to all
 * servers, see job_worker.c.
 */
#ifndef SERVER_JOBS_JOB_QUEUE_H
#define SERVER_JOBS_JOB_QUEUE_H

#include "server/jobs/worker_pool.h"
#include "server/store/store.h"

struct job_queue;

struct job_queue_setup {
	struct store *store;	  /* both outlive the queue; the pool may send jobs (may_leave) */
	struct worker_pool *pool;
	const char *node;	      /* copied */
	bool both;		      /* threads of this server take such jobs, too */
	int64_t (*now_ms)(void *ctx); /* monotonic */
	void (*log)(void *ctx, const char *level, const char *text);
	void *ctx;
};

/* NULL: out of memory. */
struct job_queue *job_queue_new(const struct job_queue_setup *setup);
/* Before the store is closed: removes the jobs of this server. NULL is fine. */
void job_queue_leave(struct job_queue *q);
/* After the store is closed. NULL is fine. */
void job_queue_free(struct job_queue *q);

/* Gives out jobs, and does what is due. Returns when to call it again, by now_ms. NULL: never, -1. */
int64_t job_queue_turn(struct job_queue *q);
/* A text of the store's bus. False: it is not about jobs. NULL texts: some may be missing. */
bool job_queue_hear(struct job_queue *q, const char *text);

struct job_queue_figures {
	int workers, threads; /* that are alive, as far as this server knows */
	int sent;	      /* jobs of this server that have no result yet */
	uint64_t done;	      /* results so far */
	uint64_t back;	      /* jobs that this server had to run itself */
	bool both;
};
void job_queue_figures(const struct job_queue *q, struct job_queue_figures *out);

#endif
