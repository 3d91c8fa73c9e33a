/*
 * restore.c - a backup becomes the database of a folder.
 * SPDX-License-Identifier: MIT
 *
 * The backup is copied into a folder beside the database, checked and settled there: what must not
 * come back goes. Then the old database gets a second name, and the copy replaces it in one step: at
 * no moment is there no database, for which a server would create an empty one.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "server/store/sqlite.h"

/* Of a version that this program knows? store_copy has checked the rest. */
static enum qv_status check_version(const char *path, const char *file, struct qv_error *error)
{
	sqlite3 *db;
	sqlite3_stmt *ask = NULL;
	int version = 0;
	enum qv_status status =
		store_connect_as(path, NULL, SQLITE_OPEN_READONLY, STORE_BUSY_MS, &db, error);
	if (status != QV_OK)
		return status;
	if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &ask, NULL) == SQLITE_OK &&
	    sqlite3_step(ask) == SQLITE_ROW)
		version = sqlite3_column_int(ask, 0);
	else
		status = store_fault(db, file, error);
	sqlite3_finalize(ask);
	sqlite3_close(db);
	if (status == QV_OK && version > store_step_count)
		status = qv_fail(error, QV_BAD_INPUT,
				 "%.120s: has version %d, from a newer quevedo; this one knows "
				 "versions up to %d",
				 file, version, store_step_count);
	return status;
}

/* What the log holds goes into the database, so that it is in the file that is kept. */
static void empty_log(const char *path)
{
	sqlite3 *db;
	struct qv_error ignored;
	if (store_connect_as(path, NULL, SQLITE_OPEN_READWRITE, STORE_BUSY_MS, &db, &ignored) !=
	    QV_OK)
		return;
	/* SQLite looks for a log when it first reads. */
	sqlite3_exec(db, "PRAGMA schema_version", NULL, NULL, NULL);
	sqlite3_wal_checkpoint_v2(db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_close(db);
}

/* A log that could not be emptied, of a damaged database, goes with it. */
static bool keep_log(const char *path, const char *kept, const char *suffix)
{
	char from[FOLDER_PATH + 8], to[STORE_KEPT + 8];
	snprintf(from, sizeof from, "%s%s", path, suffix);
	snprintf(to, sizeof to, "%s%s", kept, suffix);
	return rename(from, to) == 0 || errno == ENOENT;
}

/* kept: "PATH.before-2026-11-18T060708Z". */
static bool keep_old(const char *path, char kept[STORE_KEPT])
{
	const time_t now = time(NULL);
	struct tm day;
	char at[32] = "";
	if (gmtime_r(&now, &day))
		strftime(at, sizeof at, "%Y-%m-%dT%H%M%SZ", &day);
	snprintf(kept, STORE_KEPT, "%s.before-%s", path, at);
	empty_log(path);
	return link(path, kept) == 0 && keep_log(path, kept, "-wal") &&
	       keep_log(path, kept, "-shm");
}

/* Puts the copy in the place of the database. */
static enum qv_status replace(const char *folder, const char *path, const char *copy,
			      char kept[STORE_KEPT], struct qv_error *error)
{
	kept[0] = '\0';
	const bool exists = access(path, F_OK) == 0;
	if ((exists && !keep_old(path, kept)) || rename(copy, path) != 0)
		return qv_fail(error, QV_IO, "%.120s: cannot be replaced: %s", path,
			       strerror(errno));
	return folder_sync(folder, error);
}

/* Removes the folder of the copy with what is in it. */
static void clear_work(const char *work)
{
	char path[FOLDER_PATH + 300];
	DIR *dir = opendir(work);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		snprintf(path, sizeof path, "%s/%s", work, entry->d_name);
		unlink(path);
	}
	if (dir)
		closedir(dir);
	rmdir(work);
}

enum qv_status store_restore(const char *folder, const char *file, store_settle_fn *settle,
			     void *ctx, char kept[STORE_KEPT], struct qv_error *error)
{
	char path[FOLDER_PATH], work[FOLDER_PATH], copy[FOLDER_PATH];
	int lock = -1;
	if (access(file, R_OK) != 0)
		return qv_fail(error, QV_IO, "%.160s: %s", file, strerror(errno));
	enum qv_status status = folder_make(folder, error);
	if (status == QV_OK)
		status = folder_path(folder, STORE_DATABASE, path, error);
	if (status == QV_OK)
		status = folder_path(folder, "restoring", work, error);
	if (status == QV_OK)
		status = folder_path(work, STORE_DATABASE, copy, error);
	if (status == QV_OK)
		status = store_lock(folder, &lock, error);
	if (status == QV_OK) {
		clear_work(work); /* of a restore that was interrupted */
		status = folder_make(work, error);
		if (status == QV_OK)
			status = store_copy(file, copy, error);
		if (status == QV_OK)
			status = check_version(copy, file, error);
		if (status == QV_OK && settle)
			status = settle(ctx, work, error);
		if (status == QV_OK)
			status = replace(folder, path, copy, kept, error);
		clear_work(work);
	}
	if (lock >= 0)
		close(lock);
	return status;
}
