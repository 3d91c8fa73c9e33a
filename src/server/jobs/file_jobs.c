/*
 * file_jobs.c - jobs for worker_pool.h that read what visitors send as files.
 * SPDX-License-Identifier: MIT
 */
#include "server/jobs/file_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "formats/game_file.h"
#include "record/record.h"
#include "session/hosted_game.h"

enum { TEXTS_MOST = 64 };

struct file_job {
	const struct qv_context *context;
	json_t *texts;
	bool chapters;
	void *owner;
	void (*free_owner)(void *owner);
};

struct file_job *file_job_new(const struct qv_context *context, json_t *texts, bool chapters,
			      void *owner, void (*free_owner)(void *owner))
{
	struct file_job *t = texts ? calloc(1, sizeof *t) : NULL;
	if (t)
		*t = (struct file_job){ context, texts, chapters, owner, free_owner };
	else
		json_decref(texts);
	return t;
}

void file_job_free(void *job)
{
	struct file_job *t = job;
	if (t->owner)
		t->free_owner(t->owner);
	json_decref(t->texts);
	free(t);
}

void *file_job_take_owner(void *job)
{
	struct file_job *t = job;
	void *owner = t->owner;
	t->owner = NULL;
	return owner;
}

json_t *file_job_json(const void *job)
{
	const struct file_job *t = job;
	return json_pack("{s:O, s:b}", "texts", t->texts, "chapters", (int)t->chapters);
}

enum qv_status file_job_read(const struct qv_context *context, struct json_reader *r, void **out)
{
	const json_t *texts = json_read_list(r, "texts", TEXTS_MOST);
	const bool chapters = json_read_bool(r, "chapters");
	for (size_t i = 0; r->status == QV_OK && i < json_array_size(texts); i++)
		if (!json_is_string(json_array_get(texts, i)))
			json_expected(r, "texts", "a list of texts");
	if (r->status != QV_OK)
		return r->status;
	*out = file_job_new(context, json_incref((json_t *)(uintptr_t)texts), chapters, NULL, NULL);
	return *out ? QV_OK : qv_fail(r->error, QV_NO_MEMORY, "job: out of memory");
}

/* ---- Running ---- */

/* Appends the journal of a file in another format. */
static enum qv_status convert(const struct file_job *t, const char *text, size_t size,
			      struct string *out, struct qv_error *error)
{
	const struct pgn_bounds most = { HOSTED_MAX_LINES, HOSTED_MAX_BYTES };
	struct qv_error why = { "" };
	const enum qv_status status = game_file_to_journal(t->context, text, size, most, out, &why);
	return status == QV_OK ? QV_OK : qv_fail(error, status, "record: %s", why.text);
}

static enum qv_status replay(const struct file_job *t, const char *text, size_t size, int64_t *left,
			     struct qv_error *error)
{
	struct qv_record *record = NULL;
	struct qv_error why = { "" };
	const enum qv_status status =
		record_load_bounded(t->context, text, size, *left, &record, &why);
	if (status != QV_OK)
		return qv_fail(error, status, "%.200s", why.text);
	*left -= record->redone;
	qv_record_free(record);
	return QV_OK;
}

static enum qv_status run_texts(const struct file_job *t, struct string *out,
				struct qv_error *error)
{
	int64_t left = HOSTED_MAX_REDONE; /* by all chapters */
	enum qv_status status = QV_OK;
	for (size_t i = 0; status == QV_OK && i < json_array_size(t->texts); i++) {
		const json_t *item = json_array_get(t->texts, i);
		const char *text = json_string_value(item);
		const size_t size = json_string_length(item);
		struct qv_error why = { "" };
		if (!t->chapters)
			status = convert(t, text, size, out, error);
		else if ((status = replay(t, text, size, &left, &why)) != QV_OK)
			qv_fail(error, status, "chapter %d: %s", (int)i + 1, why.text);
	}
	return status;
}

void file_job_run(struct worker_task *task, void *job)
{
	struct string out = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	string_add(&out, "+", 1);
	const enum qv_status status = run_texts(job, &out, &error);
	char text[sizeof error.text + 8];
	snprintf(text, sizeof text, "!400%s", error.text);
	if (status == QV_OK)
		worker_task_result(task, out.failed ? NULL : strdup(out.data));
	else
		worker_task_result(task, status == QV_NO_MEMORY ? NULL : strdup(text));
	string_release(&out);
}
