/*
 * job_queue.c - gives jobs of the worker pool to workers, and takes their results.
 * SPDX-License-Identifier: MIT
 *
 * A job is known to the pool by its task and to the database by node and number; numbers are never
 * used twice, not even by a later server of the same name. A result is told by the transaction that
 * removes the row, which fails unless the worker still has the job. So there is one result at most.
 * What is told may get lost when a connection breaks; therefore the server also looks at its rows.
 */
#include "server/jobs/job_queue.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/jobs/job_text.h"

enum {
	POLL_MS = 500,	      /* between two looks at workers and rows */
	TIDY_MS = 2000,	      /* ... at what servers and workers that have died left */
	WAIT_URGENT_MS = 3000, /* for a worker to begin */
	WAIT_MS = 20000,
	GRACE_MS = 10000, /* after the time of a job, for its result */
	HURRY_MS = 5000,  /* ... of one that shall end soon */
	ATTEMPTS = 3,
	MISSED = 2,	   /* looks without its row, after which a job is lost */
	LOG_MS = 10000, /* between two lines about refused jobs */
	TEXT = 200,
};

/* A job that was given out. */
struct away_job {
	struct job_queue *queue;
	struct away_job *next;
	uint64_t task; /* in the pool */
	struct store_job row;
	char worker[STORE_NODE]; /* that has it, as far as it is known; "": none */
	int64_t due_ms;		 /* afterwards a thread of this server runs it */
	bool writing;		 /* its row is on its way */
	bool ended;		 /* nobody waits for it; it is freed when its row was written */
	bool asked;		 /* its row was there when the rows were asked for */
	int missed;		 /* looks that did not find it */
};

struct job_queue {
	struct job_queue_setup setup;
	char node[STORE_NODE];
	struct away_job *jobs;
	int64_t last_number;
	struct store_queue seen; /* at the last look */
	bool known;		 /* there was one */
	bool asking, asking_jobs;
	int64_t next_poll_ms, next_tidy_ms, next_log_ms;
	uint64_t done, back;
};

/* ---- Jobs ---- */

static struct away_job *find(const struct job_queue *q, int64_t number)
{
	struct away_job *job = q->jobs;
	while (job && (job->ended || job->row.number != number))
		job = job->next;
	return job;
}

/* Frees those that have ended, unless the store still knows them. */
static void forget_ended(struct job_queue *q)
{
	for (struct away_job **at = &q->jobs, *job; (job = *at);) {
		if (job->ended && !job->writing) {
			*at = job->next;
			free(job);
		} else {
			at = &job->next;
		}
	}
}

/* Tells the worker that has the job, if it is known. */
static void tell_worker(const struct away_job *job, const char *what)
{
	char text[TEXT];
	snprintf(text, sizeof text, "job %s/%lld %s", job->row.node, (long long)job->row.number,
		 what);
	if (*job->worker)
		store_tell(job->queue->setup.store, job->worker, text, strlen(text));
}

/* Nobody waits for it any more: no worker shall run it. */
static void withdraw(struct away_job *job)
{
	struct store *store = job->queue->setup.store;
	job->ended = true;
	store_drop_job(store, &job->row);
	tell_worker(job, "cancel");
	store_end_unit(store, NULL, NULL); /* if it fails, the worker notices when its lease ends */
}

/* A thread of this server runs it. */
static void take_back(struct away_job *job)
{
	withdraw(job);
	job->queue->back++;
	worker_pool_away_back(job->queue->setup.pool, job->task);
}

static void on_written(void *ctx, bool ok)
{
	struct away_job *job = ctx;
	job->writing = false;
	if (!ok && !job->ended)
		take_back(job);
}

/* ---- Giving out ---- */

/* Is a worker free for another job? Each has one thread more for short jobs. */
static bool has_room(const struct job_queue *q, bool urgent)
{
	int64_t plain = q->seen.others, all = plain + q->seen.others_urgent;
	for (const struct away_job *job = q->jobs; job; job = job->next) {
		plain += !job->ended && !job->row.urgent;
		all += !job->ended;
	}
	return all < q->seen.threads + q->seen.workers && (urgent || plain < q->seen.threads);
}

/* False: out of memory, or it cannot be written. */
static bool put_row(struct job_queue *q, struct away_job *job, const struct worker_job *work)
{
	static const char news[] = "job new";
	struct string body = { .allocator = &mem_malloc };
	const bool ok = job_text_write(work, &body);
	if (ok) {
		job->row.body = body.data;
		store_add_job(q->setup.store, &job->row);
		store_tell(q->setup.store, "", news, strlen(news));
		job->writing = store_end_unit(q->setup.store, on_written, job) == QV_OK;
		job->row.body = NULL;
	}
	string_release(&body);
	return job->writing;
}

static bool send_one(struct job_queue *q, bool urgent)
{
	uint64_t task;
	const struct worker_job *work = worker_pool_send(q->setup.pool, urgent, &task);
	if (!work)
		return false;
	struct away_job *job = calloc(1, sizeof *job);
	if (job) {
		*job = (struct away_job){ .queue = q,
					  .task = task,
					  .row = { .number = ++q->last_number,
						   .limit_ms = work->limit_ms,
						   .urgent = urgent },
					  .due_ms = q->setup.now_ms(q->setup.ctx) +
						    (urgent ? WAIT_URGENT_MS : WAIT_MS) };
		memcpy(job->row.node, q->node, sizeof q->node);
		job->next = q->jobs;
		q->jobs = job;
	}
	if (!job || !put_row(q, job, work)) {
		if (job)
			job->ended = true;
		q->back++;
		worker_pool_away_back(q->setup.pool, task);
	}
	return true;
}

/* ---- Looking at workers and rows ---- */

static void note_workers(struct job_queue *q, const struct store_queue *now)
{
	char text[TEXT];
	const bool changed = now->workers != q->seen.workers || now->threads != q->seen.threads;
	const bool first = !q->known;
	q->seen = *now;
	q->known = true;
	/* A worker that ends has no threads, but finishes what it has. */
	worker_pool_leave_to_others(q->setup.pool, now->threads && !q->setup.both);
	if (!changed && !first)
		return;
	if (now->threads)
		snprintf(text, sizeof text, "workers: %lld with %lld threads", (long long)now->workers,
			 (long long)now->threads);
	else
		snprintf(text, sizeof text, "workers: none is alive; this server thinks itself");
	q->setup.log(q->setup.ctx, now->threads ? "info" : "warn", text);
	for (struct away_job *job = q->jobs; job && !now->workers; job = job->next)
		if (!job->ended)
			take_back(job);
}

static void on_queue(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct job_queue *q = ctx;
	struct store_queue now;
	(void)error; /* it is asked again soon */
	q->asking = false;
	if (!rows)
		return;
	store_row_queue(rows, &now);
	store_rows_free(rows);
	note_workers(q, &now);
}

/* The row of a job; -1: it is missing. */
static int64_t find_row(const struct store_rows *rows, int64_t number)
{
	for (size_t i = 0; i < rows->count; i++)
		if (store_rows_number(rows, i, 0) == number)
			return (int64_t)i;
	return -1;
}

/* The row is missing: its result is on its way, or lost. */
static void look_at(struct away_job *job, const struct store_rows *rows)
{
	const int64_t at = find_row(rows, job->row.number);
	job->asked = false;
	job->missed = at < 0 ? job->missed + 1 : 0;
	const bool tired = at >= 0 && store_rows_number(rows, (size_t)at, 1) >= ATTEMPTS &&
			   !store_rows_number(rows, (size_t)at, 2);
	if (tired || job->missed >= MISSED)
		take_back(job);
}

static void on_jobs(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct job_queue *q = ctx;
	(void)error;
	q->asking_jobs = false;
	for (struct away_job *job = q->jobs; rows && job; job = job->next)
		if (job->asked && !job->ended)
			look_at(job, rows);
	store_rows_free(rows);
}

static void poll_store(struct job_queue *q, int64_t now)
{
	struct store *store = q->setup.store;
	const struct store_value node = value_text(q->node);
	bool any = false;
	q->next_poll_ms = now + POLL_MS;
	if (!q->asking)
		q->asking = store_read(store, ASK_QUEUE, &node, 1, on_queue, q) == QV_OK;
	if (!q->asking_jobs) {
		for (struct away_job *job = q->jobs; job; job = job->next)
			any |= job->asked = !job->writing && !job->ended;
		q->asking_jobs =
			any && store_read(store, ASK_JOBS, &node, 1, on_jobs, q) == QV_OK;
	}
	if (now >= q->next_tidy_ms) {
		q->next_tidy_ms = now + TIDY_MS;
		store_tidy_queue(store);
		store_end_unit(store, NULL, NULL);
	}
}

/* ---- Turns ---- */

/* What has become of a job here: cancelled, hurried, late. */
static void look_after(struct away_job *job, int64_t now)
{
	struct job_queue *q = job->queue;
	const enum away_state state = worker_pool_away(q->setup.pool, job->task);
	if (state == AWAY_GONE) {
		withdraw(job);
	} else if (state == AWAY_HURRIED && !job->row.hurry) {
		job->row.hurry = true;
		if (job->due_ms > now + HURRY_MS)
			job->due_ms = now + HURRY_MS;
		store_hurry_job(q->setup.store, &job->row);
		tell_worker(job, "hurry");
		store_end_unit(q->setup.store, NULL, NULL);
	} else if (now >= job->due_ms) {
		take_back(job);
	}
}

int64_t job_queue_turn(struct job_queue *q)
{
	if (!q)
		return -1;
	const int64_t now = q->setup.now_ms(q->setup.ctx);
	for (struct away_job *job = q->jobs; job; job = job->next)
		if (!job->ended)
			look_after(job, now);
	while (has_room(q, true) && send_one(q, true))
		;
	while (has_room(q, false) && send_one(q, false))
		;
	if (now >= q->next_poll_ms)
		poll_store(q, now);
	forget_ended(q);
	int64_t next = q->next_poll_ms;
	for (const struct away_job *job = q->jobs; job; job = job->next)
		if (!job->ended && job->due_ms < next)
			next = job->due_ms;
	return next;
}

/* ---- What workers tell ---- */

static void log_refused(struct job_queue *q, const char *why)
{
	char text[TEXT];
	const int64_t now = q->setup.now_ms(q->setup.ctx);
	if (now < q->next_log_ms)
		return;
	q->next_log_ms = now + LOG_MS;
	snprintf(text, sizeof text, "workers: a job was refused, this server runs it: %.120s", why);
	q->setup.log(q->setup.ctx, "warn", text);
}

static void take_news(struct job_queue *q, struct away_job *job, int64_t attempt, char kind,
		      const char *text)
{
	switch (kind) {
	case 'b': /* it begins */
		if (attempt < job->row.attempt || strlen(text) >= sizeof job->worker)
			return;
		job->row.attempt = attempt;
		worker_pool_away_began(q->setup.pool, job->task);
		snprintf(job->worker, sizeof job->worker, "%s", text);
		job->due_ms = q->setup.now_ms(q->setup.ctx) +
			      (job->row.hurry ? HURRY_MS : job->row.limit_ms + GRACE_MS);
		break;
	case 'p':
		if (attempt == job->row.attempt)
			worker_pool_away_progress(q->setup.pool, job->task, text);
		break;
	case 'r':
		job->ended = true;
		q->done++;
		worker_pool_away_result(q->setup.pool, job->task, text);
		break;
	case 'x': /* it cannot run it */
		log_refused(q, text);
		take_back(job);
		break;
	default: /* of a newer version */
		break;
	}
}

bool job_queue_hear(struct job_queue *q, const char *text)
{
	char *at;
	if (!text) {
		if (q)
			q->next_poll_ms = 0;
		return false; /* others want to know that, too */
	}
	if (strncmp(text, "job ", 4) != 0)
		return false;
	if (q && strcmp(text, "job workers") == 0)
		q->next_poll_ms = 0;
	const long long number = strtoll(text + 4, &at, 10);
	const long long attempt = *at == ' ' ? strtoll(at + 1, &at, 10) : 0;
	struct away_job *job = q && at[0] == ' ' && at[1] && at[2] == '\n' ? find(q, number) : NULL;
	if (job)
		take_news(q, job, attempt, at[1], at + 3);
	return true;
}

/* ---- Opening and closing ---- */

struct job_queue *job_queue_new(const struct job_queue_setup *setup)
{
	struct job_queue *q = calloc(1, sizeof *q);
	if (!q)
		return NULL;
	q->setup = *setup;
	snprintf(q->node, sizeof q->node, "%s", setup->node);
	q->last_number = (int64_t)time(NULL) << 20;
	return q;
}

void job_queue_leave(struct job_queue *q)
{
	if (!q)
		return;
	for (struct away_job *job = q->jobs; job; job = job->next)
		if (!job->ended)
			withdraw(job);
}

void job_queue_free(struct job_queue *q)
{
	if (!q)
		return;
	while (q->jobs) {
		struct away_job *job = q->jobs;
		q->jobs = job->next;
		free(job);
	}
	free(q);
}

void job_queue_figures(const struct job_queue *q, struct job_queue_figures *out)
{
	*out = (struct job_queue_figures){ .workers = (int)q->seen.workers,
					   .threads = (int)q->seen.threads,
					   .done = q->done,
					   .back = q->back,
					   .both = q->setup.both };
	for (const struct away_job *job = q->jobs; job; job = job->next)
		out->sent += !job->ended;
}
