/*
 * worker_process.h - a process that only works: a server on this machine starts it, sends it jobs on
 * its standard input, and reads what it has found. It has no rights (sandbox.h).
 * SPDX-License-Identifier: MIT
 *
 * Lines to it:
 *     job MS TEXT    a job (job_text.h), which may run so long; the one before it has ended
 *     hurry          the job shall return soon
 * and from it:
 *     R TEXT         once: it is ready. "files" if it can read files, and the text of sandbox_enter
 *     p TEXT         progress of the job
 *     m TEXT         a line of the result, which goes on
 *     r TEXT         the last line of the result
 *     x WHY          the job cannot be read; n: out of memory
 */
#ifndef SERVER_JOBS_WORKER_PROCESS_H
#define SERVER_JOBS_WORKER_PROCESS_H

#include "server/jobs/job_text.h"

enum {
	PROCESS_LINE = JOB_FILES_TEXT + 64, /* bytes of a line, either way */
};

struct worker_process_setup {
	const struct job_tools *tools;
	const char *const *folders; /* that it may read, ends with a NULL */
	int64_t memory_bytes;
	int in, out; /* descriptors */
};
/* Until its input ends. */
enum qv_status worker_process_run(const struct worker_process_setup *setup, struct qv_error *error);

#endif
