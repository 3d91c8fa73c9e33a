/*
 * job_text.h - a job of search_jobs.h, record_jobs.h or file_jobs.h as a text, for another process.
 * SPDX-License-Identifier: MIT
 *
 * The text is a JSON object. It names neither visitors nor games of theirs: only a position or a
 * line of moves, and what is to be done with it. States go as position texts, which every game reads
 * back as the same bytes; so a job has the same result wherever it runs.
 */
#ifndef SERVER_JOBS_JOB_TEXT_H
#define SERVER_JOBS_JOB_TEXT_H

#include "base/text.h"
#include "quevedo.h"
#include "server/jobs/search_jobs.h"

enum {
	JOB_TEXT = 256 << 10,  /* bytes of a text, at most, */
	JOB_FILES_TEXT = 8 << 20, /* or of one with files of visitors */
	JOB_LIMIT_MS = 60500,  /* the longest time that a job may run */
};

/* Can the job be written, for another machine? For worker_pool_setup.may_leave. */
bool job_text_can(const struct worker_job *job);
struct job_kind {
	const char *name;
	bool reports; /* it has progress */
	bool is_file; /* it reads what a visitor has sent as a file; for this machine only */
};
/* NULL: it cannot be written. */
const struct job_kind *job_text_kind(const struct worker_job *job);
/* Appends the text of a job. False: it is too long, such as a review of thousands of moves. */
bool job_text_write(const struct worker_job *job, struct string *out);

/* What a process has to run jobs with. Everything outlives the jobs. */
struct job_tools {
	const struct qv_context *context;
	const char *tables;		/* as in struct search_job_setup */
	const struct qv_prober *prober; /* likewise */
	struct table_lookup *table_lookup;
	bool checked; /* the texts are those of a server on this machine, which has checked players */
};
/*
 * Makes a job from a text, which may be any bytes: sets run, release and arg of *out. The limits are
 * those of a server for its visitors. On failure nothing is to be released.
 */
enum qv_status job_text_read(const struct job_tools *tools, const char *text, size_t size,
			     struct worker_job *out, struct qv_error *error);
/* Reads a job and runs it, in a worker. False: it cannot be read; the result is why. */
bool job_text_run(const struct job_tools *tools, const char *text, struct worker_task *task);

#endif
