/*
 * database.h - SQL past the store: tests look into the database of a folder, and change it.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_DATABASE_H
#define TEST_DATABASE_H

#include "support/check.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static inline sqlite3 *database_open(const char *folder)
{
	char path[256];
	sqlite3 *db;
	snprintf(path, sizeof path, "%s/quevedo.db", folder);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	return db;
}

static inline int database_first(void *out, int columns, char **values, char **names)
{
	char *text = out;
	(void)names;
	if (columns && !*text)
		snprintf(text, 64, "%s", values[0] ? values[0] : "");
	return 0;
}

/* Runs statements; out: the first value that they return, "" for none. */
static inline void database_sql(const char *folder, const char *sql, char out[64])
{
	sqlite3 *db = database_open(folder);
	*out = '\0';
	if (sqlite3_exec(db, sql, database_first, out, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* The number that a query returns. */
static inline int64_t database_number(const char *folder, const char *sql)
{
	char out[64];
	database_sql(folder, sql, out);
	assert_true(*out);
	return atoll(out);
}

#endif
