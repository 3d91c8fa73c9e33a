/*
 * job_worker.h - a process that only thinks: it takes jobs from the queue in the database, runs them
 * in a worker pool of its own, and tells the servers that asked what it has found.
 * SPDX-License-Identifier: MIT
 *
 * Everything runs in the caller's thread but the jobs.
 */
#ifndef SERVER_JOBS_JOB_WORKER_H
#define SERVER_JOBS_JOB_WORKER_H

#include "quevedo.h"

struct job_worker;

struct job_worker_setup {
	const char *place;		  /* of the database: postgres://... */
	const struct qv_context *context; /* borrowed, with its plug-ins loaded */
	const char *tables;		  /* a folder of endgame tables; borrowed; NULL: none */
	const struct qv_prober *prober;	  /* other tables; NULL: none */
	int threads;			  /* 1 or more; one for short jobs is added */
	const char *name;		  /* of the machine, for the operator; copied */
	int lease_ms;			  /* without a sign of life it is dead then; 0: 3 s */
	void (*wake)(void *ctx);	  /* from any thread: call job_worker_turn soon */
	/* level: "error", "warn", "info" or "debug". */
	void (*log)(void *ctx, const char *level, const char *text);
	void *ctx;
};

/* QV_BAD_INPUT: the database is not PostgreSQL. QV_IO: it cannot be used. */
enum qv_status job_worker_open(const struct job_worker_setup *setup, struct job_worker **out,
			       struct qv_error *error);
/* Gives back the jobs that are not done, so that others take them at once. NULL is fine. */
void job_worker_close(struct job_worker *w);

const char *job_worker_id(const struct job_worker *w);
/* Takes jobs, passes on what was found. Returns in how many ms to call it again. */
int64_t job_worker_turn(struct job_worker *w);
/* Takes no more jobs. */
void job_worker_drain(struct job_worker *w);
/* How many jobs are not done. */
int job_worker_busy(const struct job_worker *w);

#endif
