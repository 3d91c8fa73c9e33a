/*
 * review_job.c - a job for worker_pool.h: the review of a game.
 * SPDX-License-Identifier: MIT
 */
#include "server/jobs/review_job.h"

#include <stdlib.h>

#include "base/json.h"
#include "formats/review_json.h"

struct review_job {
	const struct qv_context *context;
	struct qv_record *record;
	int last;
	const char *tables;
	struct worker_task *task;
};

struct review_job *review_job_new(const struct qv_context *context, struct qv_record *record,
				  int last, const char *tables)
{
	struct review_job *t = calloc(1, sizeof *t);
	if (t)
		*t = (struct review_job){ context, record, last, tables, NULL };
	else
		qv_record_free(record);
	return t;
}

void review_job_free(void *job)
{
	struct review_job *t = job;
	qv_record_free(t->record);
	free(t);
}

/* ReviewMessage of types.ts; takes the review, which is NULL until the end. */
static char *message_text(int done, int of, json_t *review)
{
	return json_to_text(json_pack("{s:s, s:i, s:i, s:o}", "type", "review", "done", done, "of",
				      of, "review", review ? review : json_null()),
			    JSON_COMPACT | JSON_REAL_PRECISION(6));
}

static bool on_progress(void *ctx, int done, int of)
{
	struct review_job *t = ctx;
	worker_task_progress(t->task, message_text(done, of, NULL));
	return worker_task_watch(t->task, 0);
}

void review_job_run(struct worker_task *task, void *job)
{
	struct review_job *t = job;
	const struct review_setup setup = { .context = t->context,
					    .last = t->last,
					    .tables = t->tables,
					    .progress = on_progress,
					    .ctx = t,
					    .stop = worker_task_stop(task) };
	struct review review;
	struct qv_error error = { "" };
	t->task = task;
	if (record_review(&setup, t->record, &review, &error) == QV_OK) {
		json_t *o = review_json(t->context, t->record, &review);
		worker_task_result(task, o ? message_text(review.count, review.count, o) : NULL);
		review_release(&review);
	} else {
		worker_task_result(task, strdup("!409review: the game has too many moves"));
	}
}
