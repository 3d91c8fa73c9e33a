/*
 * file_jobs.h - jobs for worker_pool.h that read what visitors send as files: games in formats that
 * are not ours, and the chapters of a study (docs/formats.md).
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_JOBS_FILE_JOBS_H
#define SERVER_JOBS_FILE_JOBS_H

#include "base/json.h"
#include "server/jobs/worker_pool.h"

struct file_job;
/*
 * texts: a list of strings, which becomes the job's: a file, or the chapters of a study. The owner is
 * freed with the job. NULL: out of memory; the owner is the caller's.
 */
struct file_job *file_job_new(const struct qv_context *context, json_t *texts, bool chapters,
			      void *owner, void (*free_owner)(void *owner));
void file_job_free(void *job);	      /* fits worker_job.release */
void *file_job_take_owner(void *job); /* it is the caller's */

/* For job_text.c. */
json_t *file_job_json(const void *job);
enum qv_status file_job_read(const struct qv_context *context, struct json_reader *r, void **out);

/*
 * For worker_job.run. The result is "+" and the journal of the file's first game; or, if all chapters
 * can be replayed, "+"; or "!400WHY".
 */
void file_job_run(struct worker_task *task, void *job);

#endif
