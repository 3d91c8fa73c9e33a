/*
 * queue.c - the queue of jobs for workers, processes that only think.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/inside.h"

enum qv_status store_add_job(struct store *s, const struct store_job *job)
{
	const struct store_value values[] = { value_text(job->node), value_number(job->number),
					      value_number(job->urgent),
					      value_number(job->limit_ms), value_text(job->body) };
	return store_add_write(s, WRITE_JOB, 5, values);
}

/* A write about one job of a server. */
static enum qv_status about_job(struct store *s, enum store_change change,
				const struct store_job *job)
{
	const struct store_value values[] = { value_text(job->node), value_number(job->number) };
	return store_add_write(s, change, 2, values);
}

enum qv_status store_drop_job(struct store *s, const struct store_job *job)
{
	return about_job(s, WRITE_DROP_JOB, job);
}

enum qv_status store_hurry_job(struct store *s, const struct store_job *job)
{
	return about_job(s, WRITE_HURRY_JOB, job);
}

/* A write of the worker that has the job. */
static enum qv_status by_worker(struct store *s, enum store_change change,
				const struct store_job *job, const char *worker)
{
	const struct store_value values[] = { value_text(job->node), value_number(job->number),
					      value_text(worker), value_number(job->attempt) };
	return store_add_write(s, change, 4, values);
}

enum qv_status store_finish_job(struct store *s, const struct store_job *job, const char *worker)
{
	return by_worker(s, WRITE_FINISH_JOB, job, worker);
}

enum qv_status store_return_job(struct store *s, const struct store_job *job, const char *worker)
{
	return by_worker(s, WRITE_RETURN_JOB, job, worker);
}

enum qv_status store_tidy_queue(struct store *s)
{
	const enum qv_status status = store_add_write(s, WRITE_TIDY_JOBS, 0, NULL);
	return status == QV_OK ? store_add_write(s, WRITE_TIDY_WORKERS, 0, NULL) : status;
}

enum qv_status store_put_worker(struct store *s, const char *worker, int64_t alive_ms, int threads,
				const char *name)
{
	const struct store_value values[] = { value_text(worker), value_number(alive_ms),
					      value_number(threads), value_text(name) };
	return store_add_write(s, WRITE_WORKER, 4, values);
}

enum qv_status store_drop_worker(struct store *s, const char *worker)
{
	const struct store_value value = value_text(worker);
	return store_add_write(s, WRITE_DROP_WORKER, 1, &value);
}

/* ---- What rows hold ---- */

bool store_row_job(const struct store_rows *rows, struct store_job *out)
{
	*out = (struct store_job){ .number = store_rows_number(rows, 0, 1),
				   .attempt = store_rows_number(rows, 0, 2),
				   .urgent = store_rows_number(rows, 0, 3) == 1,
				   .limit_ms = store_rows_number(rows, 0, 4),
				   .hurry = store_rows_number(rows, 0, 5) != 0,
				   .body = store_rows_text(rows, 0, 6) };
	const char *node = store_rows_text(rows, 0, 0);
	snprintf(out->node, sizeof out->node, "%s", node);
	return rows->count == 1 && bus_is_node(node) && *node;
}

void store_row_queue(const struct store_rows *rows, struct store_queue *out)
{
	*out = (struct store_queue){ .workers = store_rows_number(rows, 0, 0),
				     .threads = store_rows_number(rows, 0, 1),
				     .waiting = store_rows_number(rows, 0, 2),
				     .running = store_rows_number(rows, 0, 3),
				     .others = store_rows_number(rows, 0, 4),
				     .others_urgent = store_rows_number(rows, 0, 5) };
}

enum qv_status store_find_queue(struct store *s, struct store_queue *out, struct qv_error *error)
{
	const struct store_value node = value_text("");
	struct store_rows *rows = NULL;
	const enum qv_status status = store_read_now(s, ASK_QUEUE, &node, &rows, error);
	if (status == QV_OK)
		store_row_queue(rows, out);
	store_rows_free(rows);
	return status;
}
