/*
 * schema.h - the tables of the database, their migration, and connections with durable settings.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_SCHEMA_H
#define SERVER_STORE_SCHEMA_H

#include <sqlite3.h>

#include "quevedo.h"

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

/*
 * A connection for writing: the file is created if it is missing, checked and migrated. The caller
 * closes *out, which is NULL on failure.
 */
enum qv_status store_connect(const char *path, sqlite3 **out, struct qv_error *error);
/* A read-only connection to a file that store_connect has opened before. */
enum qv_status store_connect_reader(const char *path, sqlite3 **out, struct qv_error *error);

/* Sets the error to "PATH: WHY", the reason being SQLite's, and returns its status. */
enum qv_status store_fault(sqlite3 *db, const char *path, struct qv_error *error);
/* Fails unless it is a database of this program, of any version. */
enum qv_status store_recognise(sqlite3 *db, const char *path, struct qv_error *error);
/* Fails unless the database is sound; `pragma` is quick_check or integrity_check. */
enum qv_status store_check(sqlite3 *db, const char *path, const char *pragma,
			   struct qv_error *error);

#endif
