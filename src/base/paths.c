/*
 * paths.c - folders: finding the user's data folder, creating folders, paths inside them.
 * SPDX-License-Identifier: MIT
 *
 * The data folder follows the XDG base directory convention, which also says that a relative
 * XDG_DATA_HOME must be ignored. All paths are limited to FOLDER_PATH bytes and live in the
 * caller's buffers.
 */
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static enum qv_status check_length(int length, struct qv_error *error)
{
	if (length <= 0 || length >= FOLDER_PATH)
		return qv_fail(error, QV_BAD_INPUT, "--data: the name is empty or too long");
	return QV_OK;
}

enum qv_status folder_find(const char *given, const char *part, char out[FOLDER_PATH],
			   struct qv_error *error)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	const bool has_data = data && *data == '/';
	if (given)
		return check_length(snprintf(out, FOLDER_PATH, "%s", given), error);
	if (!has_data && !(home && *home))
		return qv_fail(error, QV_BAD_INPUT,
			       "--data: needed, since neither XDG_DATA_HOME nor HOME is set");
	return check_length(snprintf(out, FOLDER_PATH, "%s/%squevedo%s%s", has_data ? data : home,
				     has_data ? "" : ".local/share/", part ? "/" : "",
				     part ? part : ""),
			    error);
}

/* One level; a folder that exists already is fine. */
static enum qv_status make_one(const char *folder, struct qv_error *error)
{
	struct stat about;
	if (mkdir(folder, 0700) == 0)
		return QV_OK;
	const int why = errno;
	if (stat(folder, &about) != 0)
		return qv_fail(error, QV_IO, "%.160s: cannot create the folder: %s", folder,
			       strerror(why));
	if (!S_ISDIR(about.st_mode))
		return qv_fail(error, QV_IO, "%.160s: is not a folder", folder);
	return QV_OK;
}

enum qv_status folder_make(const char *folder, struct qv_error *error)
{
	char part[FOLDER_PATH];
	enum qv_status status = folder_find(folder, NULL, part, error);
	for (char *slash = part + 1; status == QV_OK && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		status = make_one(part, error);
		*slash = '/';
	}
	return status == QV_OK ? make_one(folder, error) : status;
}

enum qv_status folder_path(const char *folder, const char *name, char out[FOLDER_PATH],
			   struct qv_error *error)
{
	const int length = snprintf(out, FOLDER_PATH, "%s/%s", folder, name);
	if (length <= 0 || length >= FOLDER_PATH)
		return qv_fail(error, QV_BAD_INPUT, "%.160s: the name is too long", folder);
	return QV_OK;
}

enum qv_status folder_sync(const char *folder, struct qv_error *error)
{
	const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool done = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
	const int why = errno;
	if (descriptor >= 0)
		close(descriptor);
	return done ? QV_OK : qv_fail(error, QV_IO, "%.160s: %s", folder, strerror(why));
}
