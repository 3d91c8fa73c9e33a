/*
 * job_text.c - fuzz target: any bytes as the text of a job from the queue in the database, or of a
 * server on this machine. What is accepted must be written, read and written again to the same bytes.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "server/jobs/job_text.h"

static char *written(const struct worker_job *job)
{
	struct string out = { .allocator = &mem_malloc };
	const struct job_kind *kind = job_text_kind(job);
	fuzz_require(kind && job_text_can(job) != kind->is_file && job_text_write(job, &out) &&
		     out.length <= (kind->is_file ? JOB_FILES_TEXT : JOB_TEXT));
	return out.data;
}

static void try_text(const uint8_t *data, size_t size, bool checked)
{
	struct qv_context *context = fuzz_context();
	struct table_lookup *lookup = table_lookup_new(context, NULL);
	const struct job_tools tools = { .context = context, .table_lookup = lookup,
					 .checked = checked };
	struct worker_job job = { 0 }, again = { 0 };
	struct qv_error error = { "" };
	fuzz_require(lookup != NULL);
	if (job_text_read(&tools, (const char *)data, size, &job, &error) == QV_OK) {
		char *text = written(&job);
		fuzz_require(job_text_read(&tools, text, strlen(text), &again, &error) == QV_OK);
		char *text_again = written(&again);
		fuzz_require(job.run == again.run && strcmp(text, text_again) == 0);
		free(text);
		free(text_again);
		job.release(job.arg);
		again.release(again.arg);
	} else {
		fuzz_require_reason(&error);
	}
	table_lookup_free(lookup);
	qv_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_text(data, size, false);
	try_text(data, size, true);
	return 0;
}
