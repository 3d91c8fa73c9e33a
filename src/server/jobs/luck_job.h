/*
 * luck_job.h - a job for worker_pool.h: the luck of the rolls and the losses of the moves of a game.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_JOBS_LUCK_JOB_H
#define SERVER_JOBS_LUCK_JOB_H

#include "quevedo.h"
#include "server/jobs/worker_pool.h"

struct luck_job;
/* The job frees the record, also if there is no memory for the job (NULL). The game has chance. */
struct luck_job *luck_job_new(const struct qv_context *context, struct qv_record *record);
void luck_job_free(void *job); /* fits worker_job.release */
/* For worker_job.run. The result is a LineLuck (types.ts); "!409WHY": an error. */
void luck_job_run(struct worker_task *task, void *job);

#endif
