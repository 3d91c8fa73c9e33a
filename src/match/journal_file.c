/*
 * journal_file.c - the journal of a match as a file: locking, resuming, appending, syncing.
 * SPDX-License-Identifier: MIT
 *
 * flock keeps a second match from writing the same file. To resume, the file is parsed, its plan is
 * compared with the given one, and an incomplete last line is cut off.
 */
#define _DEFAULT_SOURCE      /* for flock */
#include "match/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/context.h"

static enum qv_status file_failed(const struct journal *j, struct qv_error *error)
{
	return qv_fail(error, QV_IO, "%.100s: %s", j->path, strerror(errno));
}

/* Makes the first line; the caller releases it, whatever is returned. */
static enum qv_status make_header(const struct qv_context *context, const struct match_plan *plan,
				  struct string *out, struct qv_error *error)
{
	char *line = json_to_text(header_of_plan(plan), JSON_COMPACT);
	*out = (struct string){ .allocator = context_allocator(context) };
	if (!line)
		return qv_fail(error, QV_BAD_INPUT,
			       "journal: a name, spec or opening is not UTF-8");
	string_addf(out, "%s\n", line);
	free(line);
	return out->failed ? qv_fail(error, QV_NO_MEMORY, "journal: out of memory") : QV_OK;
}

enum qv_status journal_begin(struct journal *j, const struct qv_context *context,
			     const struct match_plan *plan, const struct journal_contents *contents,
			     struct qv_error *error)
{
	struct string text;
	if (contents->whole)
		return QV_OK;
	enum qv_status status = make_header(context, plan, &text, error);
	if (status == QV_OK)
		status = journal_write(j, &text, error);
	string_release(&text);
	return status;
}

/* A file without a complete line must be a prefix of this match's first line. */
static enum qv_status check_prefix(const struct journal *j, const struct qv_context *context,
				const struct match_plan *plan, const struct file_bytes *bytes,
				struct qv_error *error)
{
	struct string text;
	enum qv_status status = make_header(context, plan, &text, error);
	if (status == QV_OK && (bytes->size > text.length ||
				memcmp(bytes->data, text.data, bytes->size) != 0))
		status = qv_fail(error, QV_BAD_INPUT, "%.100s: not the journal of this match",
				 j->path);
	string_release(&text);
	return status;
}

/* Fails unless the plan of the journal is this one. */
static enum qv_status check_plan(const struct journal *j, const struct journal_contents *contents,
				const struct match_plan *plan, struct qv_error *error)
{
	struct qv_error why = { "" };
	json_t *wanted = header_of_plan(plan);
	const enum qv_status status = header_compare(contents->header.source, wanted, &why);
	json_decref(wanted);
	if (status != QV_OK)
		qv_fail(error, status, "%.60s: the journal of another match: %.180s", j->path,
			why.text);
	return status;
}

/* Reads the file and cuts it after its last complete line. */
static enum qv_status resume_file(struct journal *j, const struct qv_context *context,
			    const struct match_plan *plan, struct file_bytes *bytes,
			    struct journal_contents *contents, struct qv_error *error)
{
	struct qv_error why = { "" };
	enum qv_status status = file_read(context_allocator(context), j->path, JOURNAL_MOST_BYTES,
					  bytes, error);
	if (status != QV_OK)
		return status;
	status = journal_parse(context, bytes->data, bytes->size, contents, &why);
	if (status != QV_OK)
		return qv_fail(error, status, "%.60s, %.190s", j->path, why.text);
	status = contents->whole ? check_plan(j, contents, plan, error)
				 : check_prefix(j, context, plan, bytes, error);
	if (status == QV_OK && ftruncate(j->descriptor, (off_t)contents->whole) != 0)
		return file_failed(j, error);
	return status;
}

static enum qv_status open_file(struct journal *j, struct qv_error *error)
{
	if (!*j->path)
		return qv_fail(error, QV_IO, "file: the name is empty");
	j->descriptor = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (j->descriptor < 0)
		return file_failed(j, error);
	if (flock(j->descriptor, LOCK_EX | LOCK_NB) != 0)
		return qv_fail(error, QV_IO, "%.100s: another match is writing it", j->path);
	return QV_OK;
}

enum qv_status journal_open(struct journal *j, const struct qv_context *context,
			    const struct match_plan *plan, const char *path, bool resume,
			    struct file_bytes *bytes, struct journal_contents *contents,
			    struct qv_error *error)
{
	struct stat facts;
	*j = (struct journal){ .descriptor = -1, .path = path };
	enum qv_status status = open_file(j, error);
	if (status == QV_OK && fstat(j->descriptor, &facts) != 0)
		status = file_failed(j, error);
	if (status == QV_OK && facts.st_size && !resume)
		status = qv_fail(error, QV_IO,
				 "%.100s: already exists; use --resume to continue it", path);
	if (status == QV_OK && facts.st_size)
		status = resume_file(j, context, plan, bytes, contents, error);
	if (status != QV_OK)
		journal_close(j);
	return status;
}

static enum qv_status write_failed(const struct journal *j, struct qv_error *error)
{
	return qv_fail(error, QV_IO, "%.100s: cannot write the journal: %s; continue with --resume",
		       j->path, strerror(j->failed));
}

enum qv_status journal_write(struct journal *j, const struct string *text, struct qv_error *error)
{
	const char *at = text->data;
	if (text->failed)
		return qv_fail(error, QV_NO_MEMORY, "journal: out of memory");
	if (j->failed)
		return write_failed(j, error);
	for (size_t size = text->length; size;) {
		const ssize_t done = write(j->descriptor, at, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			j->failed = errno;
			return write_failed(j, error);
		}
		at += done;
		size -= (size_t)done;
	}
	return QV_OK;
}

enum qv_status journal_sync(struct journal *j, struct qv_error *error)
{
	if (fsync(j->descriptor) != 0 && errno != EINVAL && errno != EROFS)
		return file_failed(j, error);
	return QV_OK;
}

void journal_close(struct journal *j)
{
	if (j->descriptor >= 0)
		close(j->descriptor);
	j->descriptor = -1;
}
