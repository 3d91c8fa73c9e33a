/*
 * file.c - a whole file into memory, and what may go wrong with that.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"

#include <errno.h>

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
