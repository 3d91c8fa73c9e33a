/*
 * play_files.c - games kept in files: written whole under another name, then renamed, so that
 * there is never half a game.
 * SPDX-License-Identifier: MIT
 */
#include "cli/play_files.h"

#include <unistd.h>

#include "base/file.h"

static enum qv_status save(void *ctx, const char *path, const char *data, size_t size, bool over,
			   struct qv_error *error)
{
	(void)ctx;
	struct file_writer file;
	if (!over && access(path, F_OK) == 0)
		return qv_fail(error, QV_ILLEGAL, "%.60s: already exists", path);
	enum qv_status status = file_create(&file, &mem_malloc, path, error);
	if (status == QV_OK)
		status = file_write(&file, data, size, error);
	if (status != QV_OK)
		return status;
	return over ? file_keep(&file, error) : file_keep_new(&file, error);
}

static enum qv_status load(void *ctx, const char *path, struct string *out, struct qv_error *error)
{
	(void)ctx;
	struct file_bytes bytes;
	if (strcmp(path, "-") == 0)
		return qv_fail(error, QV_IO, "-: moves are read from there, not games");
	enum qv_status status = file_read(&mem_malloc, path, RECORD_MAX_BYTES, &bytes, error);
	if (status != QV_OK)
		return status;
	string_add(out, bytes.data, bytes.size);
	file_release(&mem_malloc, &bytes);
	return out->failed ? qv_fail(error, QV_NO_MEMORY, "%.60s: out of memory", path) : QV_OK;
}

struct talk_files play_files(void)
{
	return (struct talk_files){ .save = save, .load = load };
}
