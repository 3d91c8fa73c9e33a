/*
 * file.c - reading a whole file into memory, and replacing a file safely.
 * SPDX-License-Identifier: MIT
 *
 * A file is written to a temporary file in the same folder, flushed with fsync and then renamed
 * over the old one. If the program is killed in between, the old file is still complete. Devices and
 * pipes, such as /dev/stdout, are written in place instead, and of a symbolic link the target is
 * replaced. Locks are flock locks on the folder, because the file itself is replaced and cannot
 * carry a lock.
 */
#define _XOPEN_SOURCE 700  /* for realpath */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum qv_status file_read(const struct qv_allocator *a, const char *path, size_t most,
			 struct file_bytes *out, struct qv_error *error)
{
	if (!*path)
		return qv_fail(error, QV_IO, "file: the name is empty");
	const bool standard = strcmp(path, "-") == 0;
	FILE *in = standard ? stdin : fopen(path, "rb");
	if (!in)
		return qv_fail(error, QV_IO, "%s: %s", path, strerror(errno));
	*out = (struct file_bytes){ 0 };
	enum qv_status status = QV_OK;
	for (size_t n = 1; n && status == QV_OK;) {
		if (out->size + 1 >= out->capacity) {
			const size_t capacity = out->capacity ? out->capacity * 2 : 4096;
			char *data = mem_resize(a, out->data, out->capacity, capacity);
			if (!data) {
				status = qv_fail(error, QV_NO_MEMORY, "%s: out of memory", path);
				break;
			}
			out->data = data;
			out->capacity = capacity;
		}
		n = fread(out->data + out->size, 1, out->capacity - out->size - 1, in);
		out->size += n;
		out->data[out->size] = '\0';
		if (out->size > most)
			status = qv_fail(error, QV_IO, "%s: larger than %zu bytes", path, most);
		else if (ferror(in))
			status = qv_fail(error, QV_IO, "%s: %s", path, strerror(errno));
	}
	if (status != QV_OK)
		file_release(a, out);
	if (!standard)
		fclose(in);
	return status;
}

void file_release(const struct qv_allocator *a, struct file_bytes *f)
{
	mem_free(a, f->data, f->capacity);
	*f = (struct file_bytes){ 0 };
}

/* ---- Locking ---- */

enum { LOCK_TRIES = 1000, LOCK_WAIT_NS = 5000000 };        /* 5 s in all */

int file_lock_folder(const char *path)
{
	char folder[4096];
	const char *slash = strrchr(path, '/');
	const int length = slash ? (int)(slash - path) + 1 : 1;
	if (snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".") >=
	    (int)sizeof folder)
		return -1;
	const int held = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int tries = 0; held >= 0 && flock(held, LOCK_EX | LOCK_NB) != 0; tries++) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || tries == LOCK_TRIES) {
			close(held);
			return -1;
		}
		nanosleep(&(struct timespec){ .tv_nsec = LOCK_WAIT_NS }, NULL);
	}
	return held;
}

void file_unlock(int held)
{
	if (held >= 0)
		close(held);
}

/* ---- Writing ---- */

enum { FILE_TEMPORARY = 32 };              /* bytes that the temporary name has beyond the path */

static enum qv_status writer_failed(struct file_writer *w, int why, struct qv_error *error)
{
	const enum qv_status status =
		qv_fail(error, QV_IO, "%.100s: cannot be written: %s", w->path, strerror(why));
	file_abandon(w);
	return status;
}

static void writer_release(struct file_writer *w)
{
	mem_free(w->allocator, w->temporary, strlen(w->path) + FILE_TEMPORARY);
	mem_strfree(w->allocator, w->path);
	*w = (struct file_writer){ 0 };
}

enum qv_status file_create(struct file_writer *w, const struct qv_allocator *a, const char *path,
			   struct qv_error *error)
{
	*w = (struct file_writer){ 0 };
	if (!*path)
		return qv_fail(error, QV_IO, "file: the name is empty");
	*w = (struct file_writer){ .descriptor = -1, .allocator = a };
	char target[PATH_MAX];
	struct stat about;
	const bool in_place = stat(path, &about) == 0 && !S_ISREG(about.st_mode) &&
			      !S_ISDIR(about.st_mode);
	if (!in_place && lstat(path, &about) == 0 && S_ISLNK(about.st_mode) &&
	    realpath(path, target))
		path = target;
	const size_t size = strlen(path) + FILE_TEMPORARY;
	w->path = mem_strdup(a, path);
	w->temporary = mem_new(a, 1, size);
	if (!w->path || !w->temporary) {
		mem_free(a, w->temporary, size);
		mem_strfree(a, w->path);
		*w = (struct file_writer){ 0 };
		return qv_fail(error, QV_NO_MEMORY, "%.100s: out of memory", path);
	}
	if (in_place) {
		w->temporary[0] = '\0';
		w->descriptor = open(path, O_WRONLY | O_CLOEXEC);
		return w->descriptor < 0 ? writer_failed(w, errno, error) : QV_OK;
	}
	/* The process number and a counter keep the temporary files of two writers apart. */
	for (int n = 0; w->descriptor < 0; n++) {
		snprintf(w->temporary, size, "%s.%ld-%d.new", path, (long)getpid(), n);
		w->descriptor = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (w->descriptor < 0 && (errno != EEXIST || n > 1000)) {
			w->temporary[0] = '\0';    /* it belongs to another writer */
			return writer_failed(w, errno, error);
		}
	}
	return QV_OK;
}

enum qv_status file_write(struct file_writer *w, const void *data, size_t size,
			  struct qv_error *error)
{
	for (const char *at = data; size;) {
		const ssize_t done = write(w->descriptor, at, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return writer_failed(w, errno, error);
		at += done;
		size -= (size_t)done;
	}
	return QV_OK;
}

/*
 * Flushes and closes the file, which still has its temporary name. Some file systems cannot fsync
 * (EINVAL); that is accepted.
 */
static enum qv_status finish_writing(struct file_writer *w, struct qv_error *error)
{
	if (fsync(w->descriptor) != 0 && errno != EINVAL)
		return writer_failed(w, errno, error);
	const int descriptor = w->descriptor;
	w->descriptor = -1;
	return close(descriptor) != 0 ? writer_failed(w, errno, error) : QV_OK;
}

static enum qv_status rename_file(struct file_writer *w, struct qv_error *error)
{
	if (*w->temporary && rename(w->temporary, w->path) != 0)
		return writer_failed(w, errno, error);
	writer_release(w);
	return QV_OK;
}

enum qv_status file_keep(struct file_writer *w, struct qv_error *error)
{
	const enum qv_status status = finish_writing(w, error);
	return status == QV_OK ? rename_file(w, error) : status;
}

enum qv_status file_keep_new(struct file_writer *w, struct qv_error *error)
{
	enum qv_status status = finish_writing(w, error);
	if (status != QV_OK)
		return status;
	if (link(w->temporary, w->path) == 0) {
		file_abandon(w);           /* removes the temporary name; the link keeps the file */
		return QV_OK;
	}
	/* The file system has no hard links, so check and rename, which is not atomic. */
	if (errno != EEXIST && access(w->path, F_OK) != 0)
		return rename_file(w, error);
	status = qv_fail(error, QV_ILLEGAL, "%.60s: already exists", w->path);
	file_abandon(w);
	return status;
}

void file_abandon(struct file_writer *w)
{
	if (!w->path)
		return;
	if (w->descriptor >= 0)
		close(w->descriptor);
	unlink(w->temporary);
	writer_release(w);
}
