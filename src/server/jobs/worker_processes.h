/*
 * worker_processes.h - the processes of this machine that run jobs for a worker pool: searches, and
 * what reads the files of visitors. They have no database, no key, no files and no network.
 * SPDX-License-Identifier: MIT
 *
 * A thread of the pool passes its job on and waits for the result, so the pool stays the one that
 * decides who is served, for how long, and who yields. A process runs one job at a time. One that has
 * read a file is never used for a search.
 *
 * If a process dies, its job begins again in another one, and is then refused, as is every later job
 * with the same text: a file that breaks a reader breaks two processes, not all of them.
 */
#ifndef SERVER_JOBS_WORKER_PROCESSES_H
#define SERVER_JOBS_WORKER_PROCESSES_H

#include "quevedo.h"
#include "server/jobs/worker_pool.h"

struct worker_processes;

struct worker_processes_setup {
	const char *const *
		command; /* words of `quevedo worker --pipe`, ends with a NULL; borrowed until free */
	int keep;	 /* idle processes of each sort that are kept */
	void (*wake)(void *ctx); /* from any thread: call worker_processes_note soon */
	void *ctx;
};

/* Starts the first one. QV_IO: that is not possible; error: why. */
enum qv_status worker_processes_new(const struct worker_processes_setup *setup,
				    struct worker_processes **out, struct qv_error *error);
/* Kills all processes; their threads return soon. Afterwards free the pool, and then this. */
void worker_processes_stop(struct worker_processes *ps);
void worker_processes_free(struct worker_processes *ps); /* NULL is fine */

/* For struct worker_pool_setup, with the processes as its ctx. */
bool worker_processes_run(void *ps, struct worker_task *task, uint64_t number,
			  const struct worker_job *job);
void worker_processes_forget(void *ps, uint64_t number);

/*
 * The text of sandbox_enter. searches: processes run them; if not, then since there are endgame tables
 * that they cannot read, and the threads of the pool do.
 */
const char *worker_processes_sandbox(const struct worker_processes *ps, bool *searches);
/* Copies the newest line for the operator's log. False: nothing has happened since the last. */
bool worker_processes_note(struct worker_processes *ps, char *out, size_t size);

struct worker_processes_figures {
	int alive, paused;	/* paused: with a job that waits for others */
	uint64_t started, died; /* died: that were not ended by this server */
	uint64_t refused;	/* jobs */
};
void worker_processes_figures(struct worker_processes *ps, struct worker_processes_figures *out);

#endif
