/*
 * record_jobs.h - jobs for worker_pool.h about a whole game: its review, and the luck of its rolls.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_JOBS_RECORD_JOBS_H
#define SERVER_JOBS_RECORD_JOBS_H

#include "quevedo.h"
#include "server/jobs/worker_pool.h"

struct record_job;
/*
 * The job frees the record, also if there is no memory for the job (NULL). For a review, last: plies
 * before the cursor; 0: all. tables: the folder of endgame tables, which outlives the job; NULL:
 * built-in ones.
 */
struct record_job *record_job_new(const struct qv_context *context, struct qv_record *record,
				  int last, const char *tables);
void record_job_free(void *job); /* fits worker_job.release */
const struct qv_record *record_job_record(const void *job, int *last);

/*
 * For worker_job.run; a result "!409WHY" is an error. record_job_review reports a ReviewMessage for
 * each position; the result is one with the review. record_job_luck is for games with chance; the
 * result is a LineLuck (types.ts).
 */
void record_job_review(struct worker_task *task, void *job);
void record_job_luck(struct worker_task *task, void *job);

#endif
