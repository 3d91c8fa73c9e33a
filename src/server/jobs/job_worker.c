/*
 * job_worker.c - takes jobs from the queue in the database and runs them.
 * SPDX-License-Identifier: MIT
 *
 * The worker has a job as long as its lease lasts. It renews the leases of the jobs that it runs, and
 * so learns of those that are not wanted any more, or that others have taken. To the server it tells
 * "job NUMBER ATTEMPT KIND\n" and a text: that it begins (b, its id), progress (p), the result (r),
 * or that it cannot run the job (x, why). The result is told by the transaction that removes the row,
 * which fails if the job is no longer this worker's. "job workers" tells all servers to look for the
 * workers that are alive.
 *
 * Servers tell "job new" to all, and "job NODE/NUMBER cancel" or "hurry" to the worker that has it.
 */
#include "server/jobs/job_worker.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/api/secrets.h"
#include "server/jobs/job_text.h"
#include "server/store/store.h"

enum {
	LEASE_MS = 3000,
	BEAT_MS = 1000,
	POLL_MS = 2000,	      /* between two looks for jobs that nobody told of */
	PROGRESS_MS = 250,    /* between two reports about a job */
	PROGRESS_BYTES = 65536, /* of a report; a longer one is left out */
	LINE = 200,
};

/* The argument of a job in the pool. */
struct run_arg {
	const struct job_tools *tools;
	char *body;
	bool refused; /* set by the thread: the result is why */
};

/* A job that this worker has. */
struct taken {
	struct taken *next;
	struct store_job row; /* its body is in the argument */
	struct run_arg *arg;  /* the pool's, until the result was delivered */
	uint64_t task;
	int64_t began_ms, told_ms; /* told: when progress was last reported */
	char *progress;		   /* to be reported; NULL: nothing new */
	bool asked;		   /* its lease is being renewed */
};

struct job_worker {
	struct job_worker_setup setup;
	char id[STORE_NODE], name[STORE_NAME];
	struct job_tools tools;
	struct store *store;
	struct worker_pool *pool;
	struct taken *jobs;
	int64_t next_take_ms, next_beat_ms;
	bool taking, keeping, draining, failing;
	bool known; /* servers were told of it */
};

/* ---- Helpers ---- */

static int64_t now_ms(void)
{
	return clock_us() / 1000;
}

static void log_job(const struct job_worker *w, const char *level, const struct store_job *row,
		    const char *what, const char *why)
{
	char text[LINE + 160];
	snprintf(text, sizeof text, "job: %.80s/%lld %s%s%.120s", row->node, (long long)row->number,
		 what, *why ? ": " : "", why);
	w->setup.log(w->setup.ctx, level, text);
}

/* Adds a text for the server of the job to the unit being filled. */
static void tell(struct job_worker *w, const struct store_job *row, char kind, const char *text)
{
	char head[LINE];
	struct string out = { .allocator = &mem_malloc };
	snprintf(head, sizeof head, "job %lld %lld %c\n", (long long)row->number,
		 (long long)row->attempt, kind);
	string_add(&out, head, strlen(head));
	string_add(&out, text, strlen(text));
	store_tell(w->store, row->node, out.failed ? head : out.data,
		   out.failed ? strlen(head) : out.length);
	string_release(&out);
}

/* The same for all servers and workers. */
static void tell_all(struct job_worker *w, const char *text)
{
	store_tell(w->store, "", text, strlen(text));
}

/* Removes the job from the list. */
static void forget(struct job_worker *w, struct taken *job)
{
	struct taken **at = &w->jobs;
	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	free(job->progress);
	free(job);
	w->next_take_ms = 0; /* there is room for another */
}

static void cancel(struct job_worker *w, struct taken *job, const char *why)
{
	log_job(w, "info", &job->row, "cancelled", why);
	worker_pool_cancel(w->pool, job->task);
	forget(w, job);
}

/* ---- Running: in a thread of the pool ---- */

static void run(struct worker_task *task, void *arg)
{
	struct run_arg *a = arg;
	a->refused = !job_text_run(a->tools, a->body, task);
}

static void release(void *arg)
{
	struct run_arg *a = arg;
	free(a->body);
	free(a);
}

/* ---- Results ---- */

static void on_finished(void *ctx, bool ok)
{
	const struct job_worker *w = ctx;
	if (!ok)
		w->setup.log(w->setup.ctx, "warn",
			     "job: its result came too late, or could not be stored");
}

/* Removes the row and tells the result in one transaction. False: the text is too long. */
static bool finish(struct job_worker *w, const struct store_job *row, char kind, const char *text)
{
	store_finish_job(w->store, row, w->id);
	tell(w, row, kind, text);
	return store_end_unit(w->store, on_finished, w) != QV_BAD_INPUT;
}

static void take_result(struct job_worker *w, struct taken *job, const char *text)
{
	char took[LINE];
	const bool refused = !text || job->arg->refused;
	snprintf(took, sizeof took, "done in %lld ms", (long long)(now_ms() - job->began_ms));
	if (refused)
		log_job(w, "warn", &job->row, "refused", text ? text : "out of memory");
	else
		log_job(w, "info", &job->row, took, "");
	if (refused)
		finish(w, &job->row, 'x', text ? text : "out of memory");
	else if (!finish(w, &job->row, 'r', text))
		finish(w, &job->row, 'x', "the result is too long");
	forget(w, job);
}

/* Reports the newest progress, if it is time. Returns when it will be; INT64_MAX: nothing new. */
static int64_t report(struct job_worker *w, struct taken *job, int64_t now)
{
	const int64_t due = job->told_ms + PROGRESS_MS;
	if (!job->progress || now < due)
		return job->progress ? due : INT64_MAX;
	job->told_ms = now;
	tell(w, &job->row, 'p', job->progress);
	store_end_unit(w->store, NULL, NULL);
	free(job->progress);
	job->progress = NULL;
	return INT64_MAX;
}

static void on_text(void *ctx, uint64_t number, const char *text, bool last)
{
	struct job_worker *w = ctx;
	struct taken *job = w->jobs;
	while (job && job->task != number)
		job = job->next;
	if (!job)
		return;
	if (last) {
		take_result(w, job, text);
	} else if (text && strlen(text) <= PROGRESS_BYTES) {
		free(job->progress);
		job->progress = strdup(text);
	}
}

/* ---- Taking ---- */

/* Submits the job. False: out of memory; its lease ends, and another worker takes it. */
static bool begin(struct job_worker *w, const struct store_job *row)
{
	char client[WORKER_CLIENT];
	struct taken *job = calloc(1, sizeof *job);
	struct run_arg *arg = calloc(1, sizeof *arg);
	char *body = strdup(row->body);
	if (!job || !arg || !body) {
		free(job);
		free(arg);
		free(body);
		return false;
	}
	const int64_t limit = row->limit_ms < 1		    ? 1
			      : row->limit_ms > JOB_LIMIT_MS ? JOB_LIMIT_MS
							     : row->limit_ms;
	*arg = (struct run_arg){ .tools = &w->tools, .body = body };
	*job = (struct taken){ .row = *row, .arg = arg, .began_ms = now_ms() };
	job->row.body = NULL;
	snprintf(client, sizeof client, "%s %lld", row->urgent ? "move" : "search",
		 (long long)row->number);
	const struct worker_job work = { .client = client,
					 .group = row->node,
					 .urgent = row->urgent,
					 .most = 1,
					 .limit_ms = limit,
					 .expected_ms = row->urgent ? WORKER_SHORT_MS : 0,
					 .run = run,
					 .release = release,
					 .arg = arg,
					 .deliver = on_text,
					 .ctx = w };
	if (worker_pool_submit(w->pool, &work, &job->task) != SUBMIT_OK) {
		release(arg);
		free(job);
		return false;
	}
	if (row->hurry)
		worker_pool_hurry(w->pool, job->task);
	job->next = w->jobs;
	w->jobs = job;
	tell(w, row, 'b', w->id);
	store_end_unit(w->store, NULL, NULL);
	return true;
}

static void on_taken(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct job_worker *w = ctx;
	struct store_job row;
	(void)error; /* the beat notices that the store fails */
	w->taking = false;
	const bool found = rows && store_row_job(rows, &row);
	if (found && w->draining) {
		store_return_job(w->store, &row, w->id);
		store_end_unit(w->store, NULL, NULL);
	} else if (found && begin(w, &row)) {
		w->next_take_ms = 0; /* perhaps there is another */
	}
	store_rows_free(rows);
}

/* Takes a job if a thread is free; the extra one is for urgent jobs. */
static void take(struct job_worker *w, int64_t now)
{
	int plain = 0, all = 0;
	for (const struct taken *job = w->jobs; job; job = job->next) {
		plain += !job->row.urgent;
		all++;
	}
	if (w->draining || w->taking || now < w->next_take_ms || all > w->setup.threads)
		return;
	const struct store_value values[] = { value_text(w->id), value_number(w->setup.lease_ms),
					      value_number(plain >= w->setup.threads) };
	w->taking = store_read(w->store, ASK_TAKE_JOB, values, 3, on_taken, w) == QV_OK;
	w->next_take_ms = now + POLL_MS;
}

/* ---- Signs of life ---- */

static bool is_kept(const struct store_rows *rows, const struct store_job *row, bool *hurry)
{
	for (size_t i = 0; i < rows->count; i++)
		if (store_rows_number(rows, i, 1) == row->number &&
		    strcmp(store_rows_text(rows, i, 0), row->node) == 0) {
			*hurry = store_rows_number(rows, i, 2) != 0;
			return true;
		}
	return false;
}

static void on_kept(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct job_worker *w = ctx;
	(void)error;
	w->keeping = false;
	for (struct taken *job = w->jobs, *next; rows && job; job = next) {
		bool hurry = false;
		next = job->next;
		if (!job->asked)
			continue;
		if (!is_kept(rows, &job->row, &hurry))
			cancel(w, job, "its server has withdrawn it, or its lease has ended");
		else if (hurry)
			worker_pool_hurry(w->pool, job->task);
	}
	store_rows_free(rows);
}

/* Renews the leases of all jobs that run here, and of no others. */
static void keep_jobs(struct job_worker *w)
{
	struct string list = { .allocator = &mem_malloc };
	for (struct taken *job = w->jobs; job; job = job->next) {
		job->asked = true;
		string_addf(&list, "%s%s/%lld/%lld", list.length ? " " : "", job->row.node,
			    (long long)job->row.number, (long long)job->row.attempt);
	}
	if (list.length && !list.failed) {
		const struct store_value values[] = { value_text(w->id),
						      value_number(w->setup.lease_ms),
						      value_text(list.data) };
		w->keeping = store_read(w->store, ASK_KEEP_JOBS, values, 3, on_kept, w) == QV_OK;
	}
	string_release(&list);
}

/* A line when the database cannot be reached, and when it can again. */
static void log_store_state(struct job_worker *w)
{
	struct qv_error why = { "" };
	char text[LINE];
	const bool failing = store_failing(w->store, &why);
	if (failing == w->failing)
		return;
	w->failing = failing;
	snprintf(text, sizeof text, failing ? "store: %.160s" : "store: works again", why.text);
	w->setup.log(w->setup.ctx, failing ? "error" : "warn", text);
}

static void beat(struct job_worker *w, int64_t now)
{
	w->next_beat_ms = now + BEAT_MS;
	store_put_worker(w->store, w->id, w->setup.lease_ms, w->draining ? 0 : w->setup.threads,
			 w->name);
	if (!w->known)
		tell_all(w, "job workers");
	w->known = store_end_unit(w->store, NULL, NULL) == QV_OK;
	if (!w->keeping)
		keep_jobs(w);
	log_store_state(w);
}

/* ---- What servers tell ---- */

static void hear(void *ctx, const char *from, const char *text, size_t size)
{
	struct job_worker *w = ctx;
	(void)from, (void)size;
	if (!text || strcmp(text, "job new") == 0) {
		w->next_take_ms = 0;
		return;
	}
	for (struct taken *job = w->jobs, *next; job; job = next) {
		char name[LINE];
		next = job->next;
		const int length = snprintf(name, sizeof name, "job %s/%lld ", job->row.node,
					    (long long)job->row.number);
		if (strncmp(text, name, (size_t)length) != 0)
			continue;
		if (strcmp(text + length, "cancel") == 0)
			cancel(w, job, "");
		else if (strcmp(text + length, "hurry") == 0)
			worker_pool_hurry(w->pool, job->task);
	}
}

/* ---- Turns ---- */

int64_t job_worker_turn(struct job_worker *w)
{
	store_deliver(w->store);
	const int64_t delivery = worker_pool_deliver(w->pool), now = now_ms();
	int64_t next = w->next_beat_ms;
	for (struct taken *job = w->jobs; job; job = job->next) {
		const int64_t due = report(w, job, now);
		next = due < next ? due : next;
	}
	if (now >= w->next_beat_ms)
		beat(w, now);
	take(w, now);
	const int64_t wait = next > now ? next - now : 0;
	return delivery >= 0 && delivery < wait ? delivery : wait;
}

const char *job_worker_id(const struct job_worker *w)
{
	return w->id;
}

void job_worker_drain(struct job_worker *w)
{
	w->draining = true;
	w->next_beat_ms = 0;
	w->known = false;
}

int job_worker_busy(const struct job_worker *w)
{
	int count = w->taking;
	for (const struct taken *job = w->jobs; job; job = job->next)
		count++;
	return count;
}

/* ---- Opening and closing ---- */

/* For the threads of the store and of the pool. */
static void wake(void *ctx)
{
	const struct job_worker *w = ctx;
	w->setup.wake(w->setup.ctx);
}

enum qv_status job_worker_open(const struct job_worker_setup *setup, struct job_worker **out,
			       struct qv_error *error)
{
	if (!setup->place || !*setup->place)
		return qv_fail(error, QV_BAD_INPUT, "store: a worker needs PostgreSQL, postgres://...");
	struct job_worker *w = calloc(1, sizeof *w);
	if (!w)
		return qv_fail(error, QV_NO_MEMORY, "worker: out of memory");
	w->setup = *setup;
	if (!w->setup.lease_ms)
		w->setup.lease_ms = LEASE_MS;
	snprintf(w->name, sizeof w->name, "%.100s", setup->name);
	memcpy(w->id, "w-", 2);
	secrets_play_id(w->id + 2);
	const struct store_setup store = { .place = setup->place,
					   .shared = true,
					   .node = w->id,
					   .heard = hear,
					   .wake = wake,
					   .ctx = w };
	const struct worker_pool_setup pool = { .workers = setup->threads,
						.most = 2 * setup->threads + 8,
						.group_most = 2 * setup->threads + 8,
						.wake = wake,
						.ctx = w };
	enum qv_status status = store_open(&store, &w->store, error);
	if (status == QV_OK) {
		w->tools = (struct job_tools){ setup->context, setup->tables, setup->prober,
					       table_lookup_new(setup->context, setup->tables),
					       false };
		w->pool = worker_pool_new(&pool);
		if (!w->tools.table_lookup || !w->pool)
			status = qv_fail(error, QV_NO_MEMORY, "worker: not enough memory or threads");
	}
	if (status == QV_OK)
		*out = w;
	else
		job_worker_close(w);
	return status;
}

/* What others shall run is given back before this worker disappears. */
static void leave(struct job_worker *w)
{
	w->draining = true;
	while (w->jobs) {
		struct taken *job = w->jobs;
		worker_pool_cancel(w->pool, job->task);
		store_return_job(w->store, &job->row, w->id);
		forget(w, job);
	}
	store_drop_worker(w->store, w->id);
	tell_all(w, "job workers");
	tell_all(w, "job new");
	store_end_unit(w->store, NULL, NULL);
	store_close(w->store);
}

void job_worker_close(struct job_worker *w)
{
	if (!w)
		return;
	if (w->store)
		leave(w);
	worker_pool_free(w->pool);
	table_lookup_free(w->tools.table_lookup);
	free(w);
}
