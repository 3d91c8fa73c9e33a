/*
 * sqlite.h - the parts of the SQLite driver: schema.c has the tables, their migration, connections
 * with durable settings, checks and backups; sqlite.c commits units and asks questions.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_SQLITE_H
#define SERVER_STORE_SQLITE_H

#include <sqlite3.h>

#include "base/paths.h"
#include "server/store/store.h"

#define STORE_DATABASE "quevedo.db"

/* SQL from each version to the next: steps[0] makes version 1 of an empty database. */
extern const char *const store_steps[];
extern const int store_step_count;

/*
 * Migrates the database to version `count`, one transaction per step, so that a failed step leaves
 * the version before it. A database of another program or a newer version is refused untouched.
 */
enum qv_status store_migrate(sqlite3 *db, const char *path, const char *const *steps, int count,
			     struct qv_error *error);

/* How store_connect has found the database. */
struct store_found {
	bool unchecked; /* the last server did not end properly, and it is too large to check it now */
};

/*
 * A connection for writing: the file is created if it is missing, checked and migrated. Before an
 * existing database is migrated it is copied to PATH.VERSION.bak, where it stays. The caller closes
 * *out, which is NULL on failure. setup: for check_bytes and vfs.
 */
enum qv_status store_connect(const char *path, const struct store_setup *setup, sqlite3 **out,
			     struct store_found *found, struct qv_error *error);
/*
 * A plain connection with these flags of sqlite3_open_v2, which waits up to busy_ms for a lock. vfs:
 * NULL for SQLite's own. The caller closes *out, which is NULL on failure.
 */
enum qv_status store_connect_as(const char *path, const char *vfs, int flags, int busy_ms,
				sqlite3 **out, struct qv_error *error);
enum { STORE_BUSY_MS = 5000 }; /* a backup or the sqlite3 shell may lock it for a moment */

/* For a command beside a server: the database exists, and is not migrated. */
enum qv_status store_join(const char *path, sqlite3 **out, struct qv_error *error);

/* Locks the folder, as a server does; the caller closes *out. QV_IO: one runs. */
enum qv_status store_lock(const char *folder, int *out, struct qv_error *error);
/*
 * Removes incomplete copies to that file, of processes that were killed. The caller has locked the
 * folder, and nobody else makes such a copy.
 */
void store_remove_leftovers(const char *path);
/* Copies a database, which may be in use, into a new file, and checks the copy. */
enum qv_status store_copy(const char *path, const char *file, struct qv_error *error);

/* Sets the error to "PATH: WHY", the reason being SQLite's, and returns its status. */
enum qv_status store_fault(sqlite3 *db, const char *path, struct qv_error *error);
/* Fails unless it is a database of this program, of any version. */
enum qv_status store_recognise(sqlite3 *db, const char *path, struct qv_error *error);
/* Fails unless the database is sound; `pragma` is quick_check or integrity_check. */
enum qv_status store_check(sqlite3 *db, const char *path, const char *pragma,
			   struct qv_error *error);

#endif
