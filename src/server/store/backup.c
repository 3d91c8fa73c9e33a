/*
 * backup.c - copies the database, also while a server is writing it.
 * SPDX-License-Identifier: MIT
 *
 * All pages are copied within one read transaction, so the copy is a consistent snapshot; in WAL
 * mode the server continues to write meanwhile. The copy is a single file: it does not use WAL.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"
#include "server/store/store.h"
#include "server/store/schema.h"

static enum qv_status open_plain(const char *path, int flags, sqlite3 **out, struct qv_error *error)
{
	enum { BUSY_MS = 10000 };
	if (sqlite3_open_v2(path, out, flags, NULL) != SQLITE_OK)
		return *out ? store_fault(*out, path, error)
			    : qv_fail(error, QV_NO_MEMORY, "%.160s: out of memory", path);
	sqlite3_busy_timeout(*out, BUSY_MS);
	return QV_OK;
}

/* If copying fails it is nearly always because of the target, so the error names that file. */
static enum qv_status copy_pages(sqlite3 *from, sqlite3 *to, const char *path, const char *file,
				 struct qv_error *error)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
	if (!backup)
		return store_fault(to, file, error);
	sqlite3_backup_step(backup, -1);
	if (sqlite3_backup_finish(backup) != SQLITE_OK)
		return store_fault(to, file, error);
	if (sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK)
		return store_fault(to, file, error);
	return store_check(to, path, "integrity_check", error);
}

/* Copies the database at `path` into the file `temporary`, which exists and is empty. */
static enum qv_status copy_database(const char *path, const char *temporary, const char *file,
				    struct qv_error *error)
{
	sqlite3 *from = NULL, *to = NULL;
	enum qv_status status = open_plain(path, SQLITE_OPEN_READWRITE, &from, error);
	if (status == QV_OK)
		status = store_recognise(from, path, error);
	if (status == QV_OK)
		status = open_plain(temporary, SQLITE_OPEN_READWRITE, &to, error);
	if (status == QV_OK)
		status = copy_pages(from, to, path, file, error);
	sqlite3_close(to);
	sqlite3_close(from);
	return status;
}

/* Writes under a temporary name first. Mode 0600, for it contains hashes of passwords. */
static enum qv_status write_copy(const char *path, const char *file, struct qv_error *error)
{
	struct file_writer w;
	enum qv_status status = file_create(&w, &mem_malloc, file, error);
	if (status != QV_OK)
		return status;
	if (fchmod(w.descriptor, 0600) != 0)
		status = qv_fail(error, QV_IO, "%.160s: %s", file, strerror(errno));
	if (status == QV_OK)
		status = copy_database(path, w.temporary, file, error);
	if (status == QV_OK)
		return file_keep_new(&w, error);
	file_abandon(&w);
	return status;
}

enum qv_status store_backup(const char *folder, const char *file, struct qv_error *error)
{
	char path[FOLDER_PATH];
	enum qv_status status = folder_path(folder, STORE_DATABASE, path, error);
	if (status != QV_OK)
		return status;
	if (access(path, F_OK) != 0)
		return qv_fail(error, QV_IO, "%.160s: %s", path, strerror(errno));
	/* Checked early to avoid the copying; file_keep_new checks again. */
	if (access(file, F_OK) == 0)
		return qv_fail(error, QV_ILLEGAL, "%.160s: already exists", file);
	return write_copy(path, file, error);
}
