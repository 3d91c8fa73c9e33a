/*
 * review_job.h - a job for worker_pool.h: the review of a game.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_JOBS_REVIEW_JOB_H
#define SERVER_JOBS_REVIEW_JOB_H

#include "quevedo.h"
#include "server/jobs/worker_pool.h"

struct review_job;
/*
 * The job frees the record, also if there is no memory for the job (NULL). last: plies before the
 * cursor; 0: all. tables: the folder of endgame tables, which outlives the job; NULL: built-in ones.
 */
struct review_job *review_job_new(const struct qv_context *context, struct qv_record *record,
				  int last, const char *tables);
void review_job_free(void *job); /* fits worker_job.release */
/* For worker_job.run. Reports a ReviewMessage for each position; the result is one with the review. */
void review_job_run(struct worker_task *task, void *job);

#endif
