/*
 * worker_processes.c - starts processes, passes jobs on to them, and takes their results.
 * SPDX-License-Identifier: MIT
 *
 * A process belongs to the thread whose job it runs, or lies in a list: idle, or stopped (SIGSTOP)
 * with a job that has made room for others. The thread that continues such a job takes it up again.
 * The lock guards the lists and counters only.
 */
#include "server/jobs/worker_processes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/text.h"
#include "base/threads.h"
#include "programs/child.h"
#include "server/jobs/worker_process.h"

enum {
	ATTEMPTS = 2,
	READY_MS = 30000,  /* for a new process to say so, on a machine that is busy */
	LOOK_MS = 5,	   /* between two looks at the flags of a job */
	GRACE_MS = 20000,  /* for a job that shall return soon */
	BACK_OFF_MS = 50,  /* after the second death in a row, doubled with each */
	BACK_OFF_MOST = 6, /* times */
	START_MS = 10000,  /* in which a process must have started for a job */
	PAUSE_MS = 24 * 3600000,
	BROKEN = 32, /* jobs that are remembered because they broke processes */
	NOTE = 300,
};

struct process {
	struct process *next;
	struct child child;
	uint64_t job;  /* with which it is stopped */
	bool has_read; /* files of visitors */
};

struct worker_processes {
	struct worker_processes_setup setup;
	struct mutex lock;
	struct process *idle, *stopped;
	struct worker_processes_figures figures;
	int deaths;		 /* since the last result */
	int64_t not_before_us;	 /* no process starts */
	uint64_t broken[BROKEN]; /* hashes of their texts, in a ring */
	unsigned broken_count;
	struct qv_flag closing;
	bool searches; /* processes can read the endgame tables, if there are any */
	char sandbox[100], note[NOTE];
};

/* ---- Notes ---- */

static void note(struct worker_processes *ps, const char *text)
{
	mutex_lock(&ps->lock);
	snprintf(ps->note, sizeof ps->note, "workers: %.280s", text);
	mutex_unlock(&ps->lock);
	ps->setup.wake(ps->setup.ctx);
}

bool worker_processes_note(struct worker_processes *ps, char *out, size_t size)
{
	mutex_lock(&ps->lock);
	const bool any = *ps->note;
	snprintf(out, size, "%s", ps->note);
	*ps->note = '\0';
	mutex_unlock(&ps->lock);
	return any;
}

/* ---- Processes ---- */

static void rest(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * 1000000 }, NULL);
}

static void end_process(struct worker_processes *ps, struct process *p)
{
	kill(p->child.pid, SIGKILL); /* it may be stopped */
	child_end(&p->child, false);
	mutex_lock(&ps->lock);
	ps->figures.alive--;
	mutex_unlock(&ps->lock);
}

/* NULL: it does not start. */
static struct process *start(struct worker_processes *ps, struct qv_error *error)
{
	struct process *p = calloc(1, sizeof *p);
	char *line = NULL;
	size_t length;
	if (!p) {
		qv_fail(error, QV_NO_MEMORY, "out of memory");
		return NULL;
	}
	char *const *words =
		(char *const *)(uintptr_t)ps->setup.command; /* posix_spawn reads them */
	if (child_start_words(&p->child, &mem_malloc, words, NULL, NULL, PROCESS_LINE, error) !=
	    QV_OK) {
		free(p);
		return NULL;
	}
	mutex_lock(&ps->lock);
	ps->figures.alive++;
	ps->figures.started++;
	mutex_unlock(&ps->lock);
	const int64_t until = clock_us() + READY_MS * 1000;
	enum child_got got;
	do
		got = child_read(&p->child, clock_us() + LOOK_MS * 1000, &line, &length);
	while (got == CHILD_TIMEOUT && clock_us() < until && !flag_is_set(&ps->closing));
	if (got == CHILD_LINE && strncmp(line, "R ", 2) == 0) {
		const bool files = strncmp(line + 2, "files ", 6) == 0;
		if (!*ps->sandbox) { /* the first one: no thread reads it yet */
			ps->searches = files;
			snprintf(ps->sandbox, sizeof ps->sandbox, "%s", line + (files ? 8 : 2));
		}
		return p;
	}
	end_process(ps, p);
	qv_fail(error, QV_IO, "it did not start: %.150s",
		*p->child.complaint  ? p->child.complaint
		: got == CHILD_ENDED ? "it ended"
				     : "no line");
	free(p);
	return NULL;
}

static bool is_alive(const struct process *p)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)p->child.pid, &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
	       info.si_pid == 0;
}

/* An idle process that has read files, or has not. NULL: there is none. */
static struct process *take_idle(struct worker_processes *ps, bool for_file)
{
	mutex_lock(&ps->lock);
	struct process **at = &ps->idle;
	while (*at && (*at)->has_read != for_file)
		at = &(*at)->next;
	struct process *p = *at;
	if (p)
		*at = p->next;
	mutex_unlock(&ps->lock);
	return p;
}

/*
 * A process for a job, a new one if necessary, which may have to wait. NULL: none can be started.
 */
static struct process *take(struct worker_processes *ps, bool for_file)
{
	const int64_t until = clock_us() + START_MS * 1000;
	struct qv_error error = { "" };
	struct process *p;
	while ((p = take_idle(ps, for_file))) {
		if (is_alive(p))
			return p;
		end_process(ps, p); /* killed while it had nothing to do */
		free(p);
	}
	while (!p && !flag_is_set(&ps->closing) && clock_us() < until) {
		mutex_lock(&ps->lock);
		const bool waits = clock_us() < ps->not_before_us;
		mutex_unlock(&ps->lock);
		if (!waits && (p = start(ps, &error))) {
			p->has_read = for_file;
			return p;
		}
		if (!waits) {
			char text[NOTE];
			snprintf(text, sizeof text, "no process: %.200s", error.text);
			note(ps, text);
		}
		rest();
	}
	return p;
}

/* It is idle again. */
static void give_back(struct worker_processes *ps, struct process *p)
{
	int same = 0;
	mutex_lock(&ps->lock);
	ps->deaths = 0;
	for (const struct process *q = ps->idle; q; q = q->next)
		same += q->has_read == p->has_read;
	/* What a file has done to it must not reach the file of somebody else. */
	const bool keeps = !p->has_read && same < ps->setup.keep && !flag_is_set(&ps->closing);
	if (keeps) {
		p->next = ps->idle;
		ps->idle = p;
	}
	mutex_unlock(&ps->lock);
	if (keeps)
		return;
	end_process(ps, p);
	free(p);
}

/* How it has ended, or that this server ends it. Returns whether its job can be why. */
static bool write_end(const struct process *p, char out[60])
{
	siginfo_t info = { 0 };
	/* Its output may end a moment before it does. */
	for (int i = 0; i < 20 && !info.si_pid; i++) {
		if (i)
			rest();
		waitid(P_PID, (id_t)p->child.pid, &info, WEXITED | WNOWAIT | WNOHANG);
	}
	if (!info.si_pid)
		snprintf(out, 60, "did not end in time");
	else
		snprintf(out, 60, "%s %d",
			 info.si_code == CLD_EXITED ? "ended with status" : "was killed by signal",
			 info.si_status);
	/* The system kills when memory runs out, and an operator may. */
	return info.si_code != CLD_KILLED || info.si_status != SIGKILL;
}

/* Returns whether its job can be why. The next process starts later, the more have died in a row. */
static bool bury(struct worker_processes *ps, struct process *p, const char *kind, bool again)
{
	char text[NOTE], end[60];
	const int pid = (int)p->child.pid;
	const bool own = write_end(p, end);
	end_process(ps, p);
	mutex_lock(&ps->lock);
	ps->figures.died++;
	if (ps->deaths++) {
		const int times = ps->deaths < BACK_OFF_MOST ? ps->deaths : BACK_OFF_MOST;
		ps->not_before_us = clock_us() + ((int64_t)BACK_OFF_MS * 1000 << times);
	}
	mutex_unlock(&ps->lock);
	snprintf(text, sizeof text, "process %d %s; its job '%s' %s%s%.100s", pid, end, kind,
		 again ? "begins again" : "is refused", *p->child.complaint ? ": " : "",
		 p->child.complaint);
	note(ps, text);
	free(p);
	return own;
}

/* ---- Jobs that break processes ---- */

static uint64_t hash_of(const struct string *text)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < text->length; i++)
		hash = (hash ^ (unsigned char)text->data[i]) * UINT64_C(1099511628211);
	return hash;
}

static bool is_broken(struct worker_processes *ps, uint64_t hash)
{
	bool found = false;
	mutex_lock(&ps->lock);
	for (int i = 0; i < BROKEN; i++)
		found |= ps->broken[i] == hash;
	mutex_unlock(&ps->lock);
	return found;
}

static void refuse(struct worker_processes *ps, struct worker_task *task, uint64_t hash)
{
	mutex_lock(&ps->lock);
	if (hash)
		ps->broken[ps->broken_count++ % BROKEN] = hash;
	ps->figures.refused++;
	mutex_unlock(&ps->lock);
	worker_task_result(task, strdup("!500worker: this broke the process that worked on it"));
}

/* ---- Running ---- */

enum outcome { DONE, STOPPED, DIED, LATE };

/* Looks at the job's flags. DONE: it goes on. */
static enum outcome look(struct worker_processes *ps, struct process *p, struct worker_task *task,
			 const struct worker_job *job, int64_t *until)
{
	const bool closing = flag_is_set(&ps->closing);
	if (!*until && flag_is_set(worker_task_stop(task))) {
		*until = clock_us() + GRACE_MS * 1000;
		child_write(&p->child, "hurry\n", 6, *until);
	}
	if (closing || (*until && clock_us() >= *until))
		return LATE;
	if (*until || job->yields != YIELD_PAUSES || !worker_task_pause(task))
		return DONE;
	kill(p->child.pid, SIGSTOP);
	return STOPPED;
}

/* A line of the process. False: it was the last one, and the task has its result. */
static bool take_line(struct worker_task *task, const struct worker_job *job, struct string *result,
		      const char *line, size_t length)
{
	if (*line == 'p' && job_text_kind(job)->reports)
		worker_task_progress(task, strdup(line + 2));
	if (*line == 'x')
		string_addf(result, "!500%s", line + 2);
	else if (*line != 'p')
		string_add(result, line + 2, length - 2);
	if (*line == 'm')
		string_add(result, "\n", 1);
	if (*line == 'p' || *line == 'm')
		return true;
	const bool good = (*line == 'r' || *line == 'x') && !result->failed;
	worker_task_result(task, good ? strdup(result->data) : NULL);
	return false;
}

/* Waits for the result of the process. DONE: the task has it. */
static enum outcome attend(struct worker_processes *ps, struct process *p, struct worker_task *task,
			   const struct worker_job *job)
{
	struct string result = { .allocator = &mem_malloc };
	int64_t until = 0, look_us = 0; /* until: when it is killed; 0: not set */
	enum outcome outcome = DONE;
	for (bool waits = true; waits;) {
		char *line;
		size_t length;
		if (clock_us() >= look_us) {
			outcome = look(ps, p, task, job, &until);
			look_us = clock_us() + LOOK_MS * 1000;
		}
		const enum child_got got = outcome == DONE
						   ? child_read(&p->child, look_us, &line, &length)
						   : CHILD_TIMEOUT;
		if (got == CHILD_LINE && length >= 2)
			waits = take_line(task, job, &result, line, length);
		else if (got != CHILD_TIMEOUT)
			outcome = DIED;
		waits = waits && outcome == DONE;
	}
	string_release(&result);
	return outcome;
}

/* Writes the job and waits. */
static enum outcome try_job(struct worker_processes *ps, struct process *p,
			    struct worker_task *task, const struct worker_job *job,
			    const struct string *text)
{
	char head[40];
	/* What pauses may stand still for longer than its limit, which is the pool's to keep. */
	const int64_t limit_ms =
		worker_task_left_ms(task) + (job->yields == YIELD_PAUSES ? PAUSE_MS : 0);
	snprintf(head, sizeof head, "job %lld ", (long long)limit_ms);
	const int64_t until = clock_us() + limit_ms * 1000;
	const bool sent = child_write(&p->child, head, strlen(head), until) == CHILD_LINE &&
			  child_write(&p->child, text->data, text->length, until) == CHILD_LINE &&
			  child_write(&p->child, "\n", 1, until) == CHILD_LINE;
	return sent ? attend(ps, p, task, job) : DIED;
}

/* Returns whether the job may begin again: its process died. */
static bool settle(struct worker_processes *ps, struct process *p, uint64_t number,
		   const struct worker_job *job, enum outcome outcome, bool again,
		   bool *own)
{
	switch (outcome) {
	case DONE:
		give_back(ps, p);
		break;
	case STOPPED:
		p->job = number;
		mutex_lock(&ps->lock);
		p->next = ps->stopped;
		ps->stopped = p;
		ps->figures.paused++;
		mutex_unlock(&ps->lock);
		break;
	case DIED:
	case LATE:
		if (!flag_is_set(&ps->closing)) {
			*own &= bury(ps, p, job_text_kind(job)->name, again && outcome == DIED);
			return true;
		}
		end_process(ps, p);
		free(p);
		break;
	}
	return false;
}

static struct process *take_stopped(struct worker_processes *ps, uint64_t number)
{
	mutex_lock(&ps->lock);
	struct process **at = &ps->stopped;
	while (*at && (*at)->job != number)
		at = &(*at)->next;
	struct process *p = *at;
	if (p) {
		*at = p->next;
		ps->figures.paused--;
	}
	mutex_unlock(&ps->lock);
	return p;
}

static void run_text(struct worker_processes *ps, struct worker_task *task, uint64_t number,
		     const struct worker_job *job, const struct string *text)
{
	const uint64_t hash = hash_of(text);
	enum outcome outcome = DIED;
	bool own = true;
	struct process *p = take_stopped(ps, number);
	if (!p && is_broken(ps, hash)) {
		refuse(ps, task, 0);
		return;
	}
	for (int attempt = 1; attempt <= ATTEMPTS && outcome == DIED; attempt++) {
		const bool goes_on = p != NULL;
		if (!p && !(p = take(ps, job_text_kind(job)->is_file))) {
			worker_task_result(task, strdup("!503worker: no process could be started"));
			return;
		}
		if (goes_on)
			kill(p->child.pid, SIGCONT);
		outcome = goes_on ? attend(ps, p, task, job) : try_job(ps, p, task, job, text);
		if (!settle(ps, p, number, job, outcome, attempt < ATTEMPTS, &own))
			return;
		p = NULL;
	}
	refuse(ps, task, outcome == DIED && own ? hash : 0);
}

/* A text that is too long (a review of thousands of moves) is no file: a thread runs that job. */
bool worker_processes_run(void *ctx, struct worker_task *task, uint64_t number,
			  const struct worker_job *job)
{
	struct worker_processes *ps = ctx;
	struct string text = { .allocator = &mem_malloc };
	const struct job_kind *kind = job_text_kind(job);
	const bool is_file = kind && kind->is_file;
	if (!kind || (!is_file && !ps->searches))
		return false;
	const bool written = job_text_write(job, &text);
	if (written)
		run_text(ps, task, number, job, &text);
	else if (is_file)
		worker_task_result(task, strdup("!413record: too long"));
	string_release(&text);
	return written || is_file;
}

void worker_processes_forget(void *ctx, uint64_t number)
{
	struct worker_processes *ps = ctx;
	struct process *p = take_stopped(ps, number);
	if (!p)
		return;
	end_process(ps, p);
	free(p);
}

/* ---- Starting and stopping ---- */

enum qv_status worker_processes_new(const struct worker_processes_setup *setup,
				    struct worker_processes **out, struct qv_error *error)
{
	struct worker_processes *ps = calloc(1, sizeof *ps);
	if (!ps)
		return qv_fail(error, QV_NO_MEMORY, "server: out of memory");
	ps->setup = *setup;
	mutex_init(&ps->lock);
	ps->idle = start(ps, error);
	if (ps->idle) {
		*out = ps;
		return QV_OK;
	}
	worker_processes_free(ps);
	return QV_IO;
}

void worker_processes_stop(struct worker_processes *ps)
{
	flag_set(&ps->closing, true);
}

void worker_processes_free(struct worker_processes *ps)
{
	if (!ps)
		return;
	struct process *lists[] = { ps->idle, ps->stopped };
	for (int i = 0; i < 2; i++)
		for (struct process *p = lists[i], *next; p; p = next) {
			next = p->next;
			end_process(ps, p);
			free(p);
		}
	mutex_release(&ps->lock);
	free(ps);
}

const char *worker_processes_sandbox(const struct worker_processes *ps, bool *searches)
{
	*searches = ps->searches;
	return ps->sandbox;
}

void worker_processes_figures(struct worker_processes *ps, struct worker_processes_figures *out)
{
	mutex_lock(&ps->lock);
	*out = ps->figures;
	mutex_unlock(&ps->lock);
}
