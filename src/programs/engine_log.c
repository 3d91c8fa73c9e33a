/*
 * engine_log.c - the dialogue with programs, in files or for a function.
 * SPDX-License-Identifier: MIT
 *
 * A line is composed in a buffer and written at once, under a lock, so that lines of several
 * threads do not mix. After a failed write nothing more is written; engine_log_status reports it.
 */
#include "programs/engine_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/threads.h"

struct engine_log {
	const struct qv_allocator *allocator;
	struct engine_tap tap; /* its function NULL: the lines go to the file */
	char *path;
	int descriptor;
	int64_t opened_us;
	int64_t most, written; /* bytes; most 0: no limit */
	struct mutex lock; /* of the file, and of `failed` */
	int failed;	   /* errno of the write that failed; 0: none */
};

static struct engine_log *make_log(const struct qv_allocator *allocator, const char *path,
				   struct qv_error *error)
{
	struct engine_log *log = mem_new(allocator, 1, sizeof *log);
	char *copy = log ? mem_strdup(allocator, path) : NULL;
	if (!copy) {
		mem_free(allocator, log, sizeof *log);
		qv_fail(error, QV_NO_MEMORY, "engine log: out of memory");
		return NULL;
	}
	*log = (struct engine_log){
		.allocator = allocator, .path = copy, .opened_us = clock_us(), .descriptor = -1
	};
	mutex_init(&log->lock);
	return log;
}

enum qv_status engine_log_open(struct engine_log **out, const struct qv_allocator *allocator,
			       const char *path, bool append, struct qv_error *error)
{
	if (!*path)
		return qv_fail(error, QV_IO, "file: the name is empty");
	struct engine_log *log = make_log(allocator, path, error);
	if (!log)
		return QV_NO_MEMORY;
	log->descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC |
				     (append ? 0 : O_TRUNC), 0666);
	if (log->descriptor < 0) {
		qv_fail(error, QV_IO, "%.100s: cannot be written: %s", path, strerror(errno));
		engine_log_close(log);
		return QV_IO;
	}
	*out = log;
	return QV_OK;
}

enum qv_status engine_log_tap(struct engine_log **out, const struct qv_allocator *allocator,
			      const struct engine_tap *tap, struct qv_error *error)
{
	struct engine_log *log = make_log(allocator, "", error);
	if (!log)
		return QV_NO_MEMORY;
	log->tap = *tap;
	*out = log;
	return QV_OK;
}

/* Only letters, digits and a few signs: the name cannot leave the folder or begin with a dot. */
static void put_file_name(const struct engine_log_file *file, struct string *out)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   ".+-_";
	string_addf(out, "%s/", file->folder);
	if (file->game)
		string_addf(out, "game-%06lld", (long long)file->game);
	else
		string_addf(out, "start");
	string_addf(out, "-%d-", file->player);
	for (int i = 0; file->name[i] && i < ENGINE_LOG_NAME; i++)
		string_addf(out, "%c", strchr(safe, file->name[i]) ? file->name[i] : '_');
	if (file->rank)
		string_addf(out, ".%d", file->rank);
	string_addf(out, ".log");
}

enum qv_status engine_log_open_in(struct engine_log **out, const struct qv_allocator *allocator,
				  const struct engine_log_file *file, struct qv_error *error)
{
	struct string path = { .allocator = allocator };
	char when[40] = "", words[120];
	const time_t now = time(NULL);
	struct tm today;
	if (!*file->folder)
		return qv_fail(error, QV_IO, "folder: the name is empty");
	if (mkdir(file->folder, 0777) != 0 && errno != EEXIST)
		return qv_fail(error, QV_IO, "%.100s: %s", file->folder, strerror(errno));
	put_file_name(file, &path);
	enum qv_status status = path.failed
					? qv_fail(error, QV_NO_MEMORY, "engine log: out of memory")
					: engine_log_open(out, allocator, path.data, false, error);
	string_release(&path);
	if (status != QV_OK)
		return status;
	if (gmtime_r(&now, &today))
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &today);
	(*out)->most = ENGINE_LOG_MOST;
	const int length =
		file->game
			? snprintf(words, sizeof words, "%s, quevedo %.20s, game %lld", when,
				   qv_version(), (long long)file->game)
			: snprintf(words, sizeof words, "%s, quevedo %.20s, before the first game",
				   when, qv_version());
	const struct engine_log_entry entry = { *out, file->name };
	engine_log_line(&entry, 0, '#', words, (size_t)length);
	return QV_OK;
}

/* As much of the text as fits, without control characters; returns its length. */
static size_t put_text(char *to, const char *text, size_t length)
{
	static const char cut[] = " ...";
	const bool too_long = length > ENGINE_LOG_TEXT;
	if (too_long) {
		length = ENGINE_LOG_TEXT - (sizeof cut - 1);
		while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;              /* not within a character */
	}
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		to[i] = (c < ' ' && c != '\t') || c == 0x7f ? '?' : text[i];
	}
	if (too_long) {
		memcpy(to + length, cut, sizeof cut - 1);
		length += sizeof cut - 1;
	}
	return length;
}

/* The lock also covers the clock, so that the times in the file never decrease. */
void engine_log_line(const struct engine_log_entry *entry, pid_t pid, char way, const char *text,
		     size_t length)
{
	static const char full[] = "the log is full; the rest is left out";
	char line[ENGINE_LOG_TEXT + ENGINE_LOG_NAME + 64];
	struct engine_log *log = entry->log;
	if (!log)
		return;
	if (log->tap.line) {
		log->tap.line(log->tap.ctx, way, text, length);
		return;
	}
	mutex_lock(&log->lock);
	const int head = snprintf(line, sizeof line, "%lld %.*s[%d] %c ",
				  (long long)((clock_us() - log->opened_us) / 1000),
				  ENGINE_LOG_NAME, entry->name, (int)pid, way);
	size_t size = (size_t)head + put_text(line + head, text, length);
	if (log->most && log->written + (int64_t)size >= log->most) {
		const bool first = log->written < log->most; /* a remark, once */
		line[head - 2] = '#';
		size = first ? (size_t)head + put_text(line + head, full, sizeof full - 1) : 0;
		log->written = log->most;
	}
	if (size)
		line[size++] = '\n';
	log->written += (int64_t)size;
	const char *data = line;
	while (size && !log->failed) {
		const ssize_t done = write(log->descriptor, data, size);
		if (done < 0 && errno != EINTR)
			log->failed = errno;
		if (done > 0) {
			data += done;
			size -= (size_t)done;
		}
	}
	mutex_unlock(&log->lock);
}

enum qv_status engine_log_status(struct engine_log *log, struct qv_error *error)
{
	if (!log)
		return QV_OK;
	mutex_lock(&log->lock);
	const int failed = log->failed;
	mutex_unlock(&log->lock);
	if (!failed)
		return QV_OK;
	return qv_fail(error, QV_IO, "%.100s: cannot be written: %s", log->path, strerror(failed));
}

/* Also used for a log that could not be opened. */
void engine_log_close(struct engine_log *log)
{
	if (!log)
		return;
	if (log->descriptor >= 0)
		close(log->descriptor);
	mutex_release(&log->lock);
	mem_strfree(log->allocator, log->path);
	mem_free(log->allocator, log, sizeof *log);
}
