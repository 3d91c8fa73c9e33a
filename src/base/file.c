/*
 * file.c - a whole file into memory, or out of it, and what may go wrong with that.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static enum qv_status read_all(const struct qv_allocator *a, FILE *in, const char *path,
			       size_t most, struct file_bytes *out, struct qv_error *error)
{
	for (;;) {
		if (out->size + 1 >= out->capacity) {
			size_t capacity = out->capacity ? out->capacity * 2 : 4096;
			char *data = mem_resize(a, out->data, out->capacity, capacity);
			if (!data)
				return qv_fail(error, QV_NO_MEMORY, "%s: out of memory", path);
			out->data = data;
			out->capacity = capacity;
		}
		size_t n = fread(out->data + out->size, 1, out->capacity - out->size - 1, in);
		out->size += n;
		out->data[out->size] = '\0';
		if (out->size > most)
			return qv_fail(error, QV_IO, "%s: larger than %zu bytes", path, most);
		if (ferror(in))
			return qv_fail(error, QV_IO, "%s: %s", path, strerror(errno));
		if (!n)
			return QV_OK;
	}
}

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
	enum qv_status status = read_all(a, in, path, most, out, error);
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

/* ---- holding ---- */

enum { HOLD_TRIES = 1000, HOLD_NS = 5000000 };

int file_hold(const char *path)
{
	char folder[4096];
	const char *slash = strrchr(path, '/');
	const int length = slash ? (int)(slash - path) + 1 : 1;
	if (snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".") >=
	    (int)sizeof folder)
		return -1;
	const int held = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int tries = 0; held >= 0 && flock(held, LOCK_EX | LOCK_NB) != 0; tries++) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || tries == HOLD_TRIES) {
			close(held);
			return -1;
		}
		nanosleep(&(struct timespec){ .tv_nsec = HOLD_NS }, NULL);
	}
	return held;
}

void file_let_go(int held)
{
	if (held >= 0)
		close(held);
}

/* ---- writing ---- */

enum { FILE_TEMPORARY = 32 };              /* room that the temporary name needs beyond the path */

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
	const size_t size = strlen(path) + FILE_TEMPORARY;
	w->path = mem_strdup(a, path);
	w->temporary = mem_new(a, 1, size);
	if (!w->path || !w->temporary) {
		mem_free(a, w->temporary, size);
		mem_strfree(a, w->path);
		*w = (struct file_writer){ 0 };
		return qv_fail(error, QV_NO_MEMORY, "%.100s: out of memory", path);
	}
	/* Two writers of one file must not share it: the process and a counter tell them apart. */
	for (int n = 0; w->descriptor < 0; n++) {
		snprintf(w->temporary, size, "%s.%ld-%d.new", path, (long)getpid(), n);
		w->descriptor = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (w->descriptor < 0 && (errno != EEXIST || n > 1000)) {
			w->temporary[0] = '\0';    /* not ours to remove */
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

/* To the disk, and closed; the name is still the temporary one. */
static enum qv_status finish_writing(struct file_writer *w, struct qv_error *error)
{
	if (fsync(w->descriptor) != 0 && errno != EINVAL)
		return writer_failed(w, errno, error);
	const int descriptor = w->descriptor;
	w->descriptor = -1;
	return close(descriptor) != 0 ? writer_failed(w, errno, error) : QV_OK;
}

static enum qv_status give_name(struct file_writer *w, struct qv_error *error)
{
	if (rename(w->temporary, w->path) != 0)
		return writer_failed(w, errno, error);
	writer_release(w);
	return QV_OK;
}

enum qv_status file_keep(struct file_writer *w, struct qv_error *error)
{
	const enum qv_status status = finish_writing(w, error);
	return status == QV_OK ? give_name(w, error) : status;
}

enum qv_status file_keep_new(struct file_writer *w, struct qv_error *error)
{
	enum qv_status status = finish_writing(w, error);
	if (status != QV_OK)
		return status;
	if (link(w->temporary, w->path) == 0) {
		file_abandon(w);           /* the other name, that is */
		return QV_OK;
	}
	/* A file system without links: a look has to do. */
	if (errno != EEXIST && access(w->path, F_OK) != 0)
		return give_name(w, error);
	status = qv_fail(error, QV_ILLEGAL, "%.60s: is there already", w->path);
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
