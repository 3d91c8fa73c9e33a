/*
 * postgres_copy.h - the two databases of a copy: postgres_sides.c reads and writes their rows,
 * postgres_copy.c copies them.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_POSTGRES_COPY_H
#define SERVER_STORE_POSTGRES_COPY_H

#include "base/text.h"
#include "server/store/postgres.h"
#include "server/store/sqlite.h"

enum { COLUMNS_MOST = 32, NAME_MOST = 40, LIST_MOST = 1024, SQL_MOST = 2 * LIST_MOST + 200 };

struct table {
	char name[NAME_MOST];
	int columns, keys;
	char types[COLUMNS_MOST]; /* b, n, r, t as in statements.h */
	char names[COLUMNS_MOST][NAME_MOST];
	int key[COLUMNS_MOST]; /* the columns of the primary key, in its order */
	char list[LIST_MOST];  /* all columns, for SQL */
	char order[LIST_MOST]; /* those of the key */
};

struct copy {
	const struct store_transfer *setup;
	struct qv_error *error;
	struct table tables[STORE_TABLES];
	int count;
	/* SQLite */
	char path[FOLDER_PATH];
	int lock;
	sqlite3 *db;
	sqlite3_stmt *statement; /* of the table that is read or written */
	/* PostgreSQL */
	struct store_link link;
	PGresult *result;     /* the row that was read last */
	struct string buffer; /* rows to send */
};

/* One of the two databases; all return QV_OK, or set the error of the copy. */
struct side {
	enum qv_status (*run)(struct copy *c, const char *sql);
	enum qv_status (*number)(struct copy *c, const char *sql, int64_t *out);
	/* The rows of a table, in the order of the key. A value is valid until the next row. */
	enum qv_status (*open)(struct copy *c, const struct table *t);
	enum qv_status (*next)(struct copy *c, const struct table *t, struct store_value *values,
			       bool *any);
	/* Adds rows to a table. */
	enum qv_status (*begin)(struct copy *c, const struct table *t);
	enum qv_status (*put)(struct copy *c, const struct table *t,
			      const struct store_value *values);
	enum qv_status (*end)(struct copy *c, const struct table *t);
};

extern const struct side file_side, server_side; /* SQLite, PostgreSQL */

/* Prepares c->statement. */
enum qv_status file_prepare(struct copy *c, const char *sql);
/* Runs a statement and waits. NULL: the error is set. The caller clears the result. */
PGresult *server_ask(struct copy *c, const char *sql);

#endif
