/*
 * schema.h - the tables of the database, how older ones become the present ones, and
 * connections that are set as durability wants them.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_SCHEMA_H
#define SERVER_STORE_SCHEMA_H

#include <sqlite3.h>

#include "quevedo.h"

#define STORE_DATABASE "quevedo.db"

/* SQL that leads from one version to the next: steps[0] from nothing to version 1. */
extern const char *const store_steps[];
extern const int store_step_count;

/*
 * Brings the database to version `count`, one transaction a step, so that a step that fails leaves
 * the version before it. Refuses, untouched, a database of another program or of a newer version.
 */
enum qv_status store_migrate(sqlite3 *db, const char *path, const char *const *steps, int count,
			     struct qv_error *error);

/*
 * A connection for writing: the file is made if it is not there, checked, migrated. *out is NULL on
 * failure; else close it.
 */
enum qv_status store_connect(const char *path, sqlite3 **out, struct qv_error *error);
/* A connection that can only read, of a file that store_connect has opened. */
enum qv_status store_connect_reader(const char *path, sqlite3 **out, struct qv_error *error);

/* "PATH: WHY", the why from SQLite. */
enum qv_status store_fault(sqlite3 *db, const char *path, struct qv_error *error);
/* Is it one of ours, of any version? */
enum qv_status store_recognise(sqlite3 *db, const char *path, struct qv_error *error);
/* Every page, index and reference of it is sound; `pragma` is quick_check or integrity_check. */
enum qv_status store_check(sqlite3 *db, const char *path, const char *pragma,
			   struct qv_error *error);

#endif
