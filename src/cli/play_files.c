/*
 * play_files.c - games kept in files: written whole under another name, then renamed, so that
 * there is never half a game.
 * SPDX-License-Identifier: MIT
 */
#include "cli/play_files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static enum qv_status fail(struct qv_error *error, const char *path)
{
	return qv_fail(error, QV_IO, "%.60s: %s", path, strerror(errno));
}

static bool write_all(int file, const char *data, size_t size)
{
	while (size > 0) {
		const ssize_t n = write(file, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

/* As open() would have made it: mkstemp is stricter. */
static void set_usual_mode(int file)
{
	const mode_t mask = umask(0);
	umask(mask);
	fchmod(file, 0666 & ~mask);
}

/* The name becomes the file's; `over`: even if there is one of that name. */
static enum qv_status give_name(const char *temporary, const char *path, bool over,
				struct qv_error *error)
{
	if (over)
		return rename(temporary, path) == 0 ? QV_OK : fail(error, path);
	if (link(temporary, path) == 0) {
		unlink(temporary);
		return QV_OK;
	}
	if (errno == EEXIST || access(path, F_OK) == 0)
		return qv_fail(error, QV_ILLEGAL, "%.60s: is there already", path);
	/* A file system without links: the look before has to do. */
	return rename(temporary, path) == 0 ? QV_OK : fail(error, path);
}

static enum qv_status save(void *ctx, const char *path, const char *data, size_t size, bool over,
			   struct qv_error *error)
{
	(void)ctx;
	char temporary[TALK_PATH + 16];
	snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
	if (!over && access(path, F_OK) == 0)
		return qv_fail(error, QV_ILLEGAL, "%.60s: is there already", path);
	const int file = mkstemp(temporary);
	if (file < 0)
		return fail(error, path);
	set_usual_mode(file);
	enum qv_status status = QV_OK;
	if (!write_all(file, data, size) || fsync(file) != 0)
		status = fail(error, path);
	if (close(file) != 0 && status == QV_OK)
		status = fail(error, path);
	if (status == QV_OK)
		status = give_name(temporary, path, over, error);
	if (status != QV_OK)
		unlink(temporary);
	return status;
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
