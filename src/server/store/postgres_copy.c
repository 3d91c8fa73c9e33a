/*
 * postgres_copy.c - copies a whole store from SQLite to PostgreSQL or back; the key of the servers.
 * SPDX-License-Identifier: MIT
 *
 * SQLite's schema says which tables and columns there are; both databases have the same. Rows are
 * read one by one in the order of their keys, and written in one transaction. Triggers are off, for
 * what they would add is copied, too. Before the transaction is committed the new rows are read
 * again: they must be as many as the old ones, and have the same SHA-256.
 */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/flag.h"
#include "server/store/postgres_copy.h"

/* What the rows of a table amount to. */
struct sum {
	int64_t rows;
	unsigned char hash[crypto_hash_sha256_BYTES];
};

/* ---- the tables ---- */

/* A table comes after those that it refers to. What running servers have is not copied. */
#define TABLES_SQL                                                                          \
	"WITH RECURSIVE own (name) AS (SELECT name FROM sqlite_schema WHERE type = 'table'" \
	"  AND name NOT LIKE 'sqlite%' AND name NOT IN ('node', 'imcs_entry')),"             \
	" depth (name, after) AS (SELECT name, 0 FROM own UNION SELECT own.name, after + 1" \
	"  FROM depth, own, pragma_foreign_key_list(own.name) f"                            \
	"  WHERE f.\"table\" = depth.name AND own.name <> depth.name AND after < 20)"       \
	" SELECT name FROM depth GROUP BY name ORDER BY max(after), name"

static bool add_name(char out[LIST_MOST], const char *name)
{
	const size_t at = strlen(out);
	return snprintf(out + at, LIST_MOST - at, "%s\"%s\"", at ? ", " : "", name) <
	       (int)(LIST_MOST - at);
}

/* Adds the column of the present row of the statement. */
static bool add_column(struct table *t, sqlite3_stmt *row)
{
	const char *name = (const char *)sqlite3_column_text(row, 0);
	const char *type = (const char *)sqlite3_column_text(row, 1);
	const int key = sqlite3_column_int(row, 2);
	if (!name || !type || t->columns == COLUMNS_MOST || strlen(name) >= NAME_MOST ||
	    key > COLUMNS_MOST)
		return false;
	t->types[t->columns] = *type == 'I' ? 'n' : *type == 'R' ? 'r' : *type == 'B' ? 'b' : 't';
	strcpy(t->names[t->columns], name);
	if (key) {
		t->key[key - 1] = t->columns;
		t->keys++;
	}
	t->columns++;
	return add_name(t->list, name);
}

static enum qv_status find_columns(struct copy *c, struct table *t)
{
	char sql[SQL_MOST];
	bool fits = true;
	snprintf(sql, sizeof sql, "SELECT name, type, pk FROM pragma_table_info('%s')", t->name);
	const enum qv_status status = file_prepare(c, sql);
	if (status != QV_OK)
		return status;
	while (fits && sqlite3_step(c->statement) == SQLITE_ROW)
		fits = add_column(t, c->statement);
	for (int i = 0; fits && i < t->keys; i++)
		fits = add_name(t->order, t->names[t->key[i]]);
	if (!fits || !t->keys)
		return qv_fail(c->error, QV_IO, "%.160s: cannot copy the table %s", c->path,
			       t->name);
	return QV_OK;
}

static enum qv_status find_tables(struct copy *c)
{
	enum qv_status status = file_prepare(c, TABLES_SQL);
	while (status == QV_OK && sqlite3_step(c->statement) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(c->statement, 0);
		if (!name || c->count == STORE_TABLES || strlen(name) >= NAME_MOST)
			return qv_fail(c->error, QV_IO, "%.160s: has too many tables", c->path);
		strcpy(c->tables[c->count++].name, name);
	}
	for (int i = 0; status == QV_OK && i < c->count; i++)
		status = find_columns(c, &c->tables[i]);
	return status;
}

/* ---- before the copy ---- */

/* The key of a row, for errors: what cannot be printed is a question mark. */
static void name_row(const struct table *t, const struct store_value *values, char out[80])
{
	int at = 0;
	out[0] = '\0';
	for (int i = 0; i < t->keys && at < 70; i++) {
		const struct store_value *v = &values[t->key[i]];
		if (i)
			at += snprintf(out + at, 80 - (size_t)at, ", ");
		if (v->type == STORE_NUMBER)
			at += snprintf(out + at, 80 - (size_t)at, "%lld", (long long)v->number);
		for (size_t b = 0; v->type == STORE_TEXT && b < v->size && b < 24 && at < 78; b++)
			out[at++] = v->bytes[b] > ' ' && v->bytes[b] < 127 ? v->bytes[b] : '?';
		if (at < 80)
			out[at] = '\0';
	}
}

/* What PostgreSQL takes as a text. In rows of SQLite a NUL follows the text. */
static bool is_text(const struct store_value *v)
{
	if (v->type != STORE_TEXT)
		return true;
	for (size_t at = 0; at < v->size;) {
		const int size = text_character(v->bytes + at);
		if (!size || !v->bytes[at])
			return false;
		at += (size_t)size;
	}
	return true;
}

static enum qv_status check_texts(struct copy *c)
{
	struct store_value values[COLUMNS_MOST];
	enum qv_status status = QV_OK;
	for (int i = 0; status == QV_OK && i < c->count; i++) {
		const struct table *t = &c->tables[i];
		bool any = true;
		status = file_side.open(c, t);
		while (status == QV_OK && any) {
			status = file_side.next(c, t, values, &any);
			for (int k = 0; status == QV_OK && any && k < t->columns; k++) {
				char row[80];
				if (is_text(&values[k]))
					continue;
				name_row(t, values, row);
				status = qv_fail(c->error, QV_BAD_INPUT,
						 "%.90s: table %s, row %s: %s is not UTF-8 or "
						 "contains NUL",
						 c->path, t->name, row, t->names[k]);
			}
		}
	}
	return status;
}

/* What is copied to has no rows. */
static enum qv_status check_empty(struct copy *c, const struct side *to)
{
	enum qv_status status = QV_OK;
	for (int i = 0; status == QV_OK && i < c->count; i++) {
		const char *name = c->tables[i].name;
		char sql[SQL_MOST];
		int64_t rows = 0;
		snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM \"%s\" LIMIT 1) t",
			 name);
		status = to->number(c, sql, &rows);
		if (status == QV_OK && rows)
			status = qv_fail(c->error, QV_BAD_INPUT,
					 "%.160s: is not empty: the table %s has rows",
					 c->setup->back ? c->path : "database", name);
	}
	return status;
}

/* Connects, and creates or migrates the tables. */
static enum qv_status connect_server(struct copy *c)
{
	const struct store_driver *driver;
	enum qv_status status = store_find_driver(c->link.place, &driver, c->error);
	if (status == QV_OK)
		status = link_begin(&c->link, c->error);
	if (status == QV_OK)
		status = postgres_migrate(&c->link, postgres_steps, postgres_step_count, c->error);
	return status;
}

/* The lock keeps servers out: they cannot give signs of life. */
static enum qv_status open_server(struct copy *c)
{
	int64_t alive = 0;
	enum qv_status status = connect_server(c);
	if (status != QV_OK)
		return status;
	PQexitPipelineMode(c->link.conn);
	PQsetnonblocking(c->link.conn, 0);
	status = server_side.run(c, "SET statement_timeout = 0; SET lock_timeout = 10000;"
				    "SET idle_in_transaction_session_timeout = 0;"
				    "BEGIN ISOLATION LEVEL REPEATABLE READ;"
				    "LOCK TABLE node IN SHARE ROW EXCLUSIVE MODE");
	if (status == QV_OK)
		status = server_side.number(
			c, "SELECT count(*) FROM node WHERE " NODE_HOLDS("node"), &alive);
	if (status == QV_OK && alive)
		status = qv_fail(c->error, QV_IO, "database: is in use by a server");
	/* SQLite has no place for what waits; the source itself stays as it is. */
	if (status == QV_OK && c->setup->back)
		status = server_side.run(c, "SELECT tally_add_later(NULL)");
	return status;
}

static enum qv_status open_file(struct copy *c)
{
	const char *folder = c->setup->folder;
	const struct store_setup setup = { .folder = folder };
	struct store_found found;
	enum qv_status status = folder_path(folder, STORE_DATABASE, c->path, c->error);
	if (status == QV_OK && !c->setup->back && access(c->path, F_OK) != 0)
		return qv_fail(c->error, QV_IO, "%.160s: %s", c->path, strerror(errno));
	if (status == QV_OK && c->setup->back)
		status = folder_make(folder, c->error);
	if (status == QV_OK)
		status = store_lock(folder, &c->lock, c->error);
	if (status == QV_OK)
		status = store_connect(c->path, &setup, &c->db, &found, c->error);
	if (status != QV_OK)
		return status;
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	return file_side.run(c, c->setup->back ? "BEGIN IMMEDIATE" : "BEGIN");
}

static enum qv_status set_triggers(struct copy *c, const char *state)
{
	enum qv_status status = QV_OK;
	char sql[SQL_MOST];
	for (int i = 0; status == QV_OK && !c->setup->back && i < c->count; i++) {
		snprintf(sql, sizeof sql, "ALTER TABLE \"%s\" %s TRIGGER USER", c->tables[i].name,
			 state);
		status = server_side.run(c, sql);
	}
	return status;
}

/* ---- the copy ---- */

static void add_to_sum(crypto_hash_sha256_state *hash, const struct table *t,
		       const struct store_value *values)
{
	for (int i = 0; i < t->columns; i++) {
		const struct store_value *v = &values[i];
		/* SQLite has no negative zero. */
		const double real = v->real == 0 ? 0 : v->real;
		const uint64_t size = v->size;
		const unsigned char type = (unsigned char)v->type;
		crypto_hash_sha256_update(hash, &type, 1);
		if (v->type == STORE_NUMBER)
			crypto_hash_sha256_update(hash, (const void *)&v->number, sizeof v->number);
		else if (v->type == STORE_REAL)
			crypto_hash_sha256_update(hash, (const void *)&real, sizeof real);
		else if (v->type != STORE_NULL)
			crypto_hash_sha256_update(hash, (const void *)&size, sizeof size);
		if (v->size)
			crypto_hash_sha256_update(hash, (const void *)v->bytes, v->size);
	}
}

/* Reads a table, and writes the rows if `to` is not NULL. */
static enum qv_status read_table(struct copy *c, const struct table *t, const struct side *from,
				 const struct side *to, struct sum *out)
{
	struct store_value values[COLUMNS_MOST];
	crypto_hash_sha256_state hash;
	bool any = true;
	crypto_hash_sha256_init(&hash);
	enum qv_status status = from->open(c, t);
	while (status == QV_OK && any) {
		status = from->next(c, t, values, &any);
		if (status != QV_OK || !any)
			break;
		if (flag_is_set(c->setup->stop))
			return qv_fail(c->error, QV_STOPPED,
				       "migrate: stopped; nothing is changed");
		out->rows++;
		add_to_sum(&hash, t, values);
		if (to)
			status = to->put(c, t, values);
	}
	crypto_hash_sha256_final(&hash, out->hash);
	return status;
}

static enum qv_status copy_table(struct copy *c, const struct table *t, const struct side *from,
				 const struct side *to, int64_t *rows)
{
	struct sum old = { 0 }, new = { 0 };
	enum qv_status status = to->begin(c, t);
	if (status == QV_OK)
		status = read_table(c, t, from, to, &old);
	if (status == QV_OK)
		status = to->end(c, t);
	if (status == QV_OK)
		status = read_table(c, t, to, NULL, &new);
	if (status == QV_OK &&
	    (old.rows != new.rows || memcmp(old.hash, new.hash, sizeof old.hash)))
		status = qv_fail(c->error, QV_IO, "migrate: the copy of the table %s is different",
				 t->name);
	*rows = new.rows;
	return status;
}

/* The numbers that the database gives out itself go on after the last one that was given out. */
static enum qv_status go_on_counting(struct copy *c, const struct table *t)
{
	char sql[SQL_MOST];
	int64_t counts = 0, last = 0, highest = 0;
	const char *column = t->names[t->key[0]];
	if (t->keys != 1 || t->types[t->key[0]] != 'n')
		return QV_OK;
	snprintf(sql, sizeof sql,
		 "SELECT count(*) FROM sqlite_schema WHERE name = '%s' AND sql LIKE"
		 " '%%AUTOINCREMENT%%'",
		 t->name);
	enum qv_status status = file_side.number(c, sql, &counts);
	if (status == QV_OK && counts && !c->setup->back) {
		snprintf(sql, sizeof sql,
			 "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '%s'",
			 t->name);
		status = file_side.number(c, sql, &last);
	}
	snprintf(sql, sizeof sql, "SELECT coalesce(max(\"%s\"), 0) FROM \"%s\"", column, t->name);
	if (status == QV_OK && !c->setup->back)
		status = file_side.number(c, sql, &highest);
	if (status != QV_OK)
		return status;
	last = last > highest ? last : highest;
	if (!c->setup->back) {
		snprintf(sql, sizeof sql,
			 "SELECT setval(s, %lld) FROM pg_get_serial_sequence('\"%s\"', '%s') s"
			 " WHERE s IS NOT NULL AND %lld > 0",
			 (long long)last, t->name, column, (long long)last);
		return server_side.run(c, sql);
	}
	if (!counts)
		return QV_OK;
	snprintf(sql, sizeof sql,
		 "SELECT coalesce(pg_sequence_last_value("
		 "pg_get_serial_sequence('\"%s\"', '%s')::regclass), 0)",
		 t->name, column);
	status = server_side.number(c, sql, &last);
	if (status != QV_OK || !last)
		return status;
	snprintf(sql, sizeof sql,
		 "DELETE FROM sqlite_sequence WHERE name = '%s';"
		 "INSERT INTO sqlite_sequence (name, seq) VALUES ('%s', %lld)",
		 t->name, t->name, (long long)last);
	return file_side.run(c, sql);
}

static enum qv_status copy_all(struct copy *c, struct store_transferred *out)
{
	const struct side *from = c->setup->back ? &server_side : &file_side;
	const struct side *to = c->setup->back ? &file_side : &server_side;
	enum qv_status status = check_empty(c, to);
	if (status == QV_OK && !c->setup->back)
		status = check_texts(c);
	if (status == QV_OK)
		status = set_triggers(c, "DISABLE");
	for (int i = 0; status == QV_OK && i < c->count; i++) {
		const struct table *t = &c->tables[i];
		int64_t *rows = &out->tables[i].rows;
		snprintf(out->tables[i].name, sizeof out->tables[i].name, "%s", t->name);
		status = copy_table(c, t, from, to, rows);
		if (status == QV_OK)
			status = go_on_counting(c, t);
		out->rows += *rows;
	}
	out->count = c->count;
	return status == QV_OK ? set_triggers(c, "ENABLE") : status;
}

/* ---- the key ---- */

/* The key in the database; *any: there is one. */
static enum qv_status read_key(struct copy *c, unsigned char key[STORE_KEY], bool *any)
{
	PGresult *result = server_ask(c, "SELECT encode(key, 'hex') FROM secret");
	if (!result)
		return QV_IO;
	enum qv_status status = QV_OK;
	*any = PQntuples(result) == 1;
	if (*any && sodium_hex2bin(key, STORE_KEY, PQgetvalue(result, 0, 0),
				   (size_t)PQgetlength(result, 0, 0), NULL, NULL, NULL) != 0)
		status = qv_fail(c->error, QV_IO, "database: its secret is damaged");
	PQclear(result);
	return status;
}

/* replace: also if there is another. */
static enum qv_status write_key(struct copy *c, const unsigned char key[STORE_KEY], bool replace)
{
	char hex[2 * STORE_KEY + 1], sql[SQL_MOST];
	sodium_bin2hex(hex, sizeof hex, key, STORE_KEY);
	snprintf(sql, sizeof sql,
		 "INSERT INTO secret VALUES (1, decode('%s', 'hex')) ON CONFLICT (number) DO %s",
		 hex, replace ? "UPDATE SET key = excluded.key" : "NOTHING");
	const enum qv_status status = server_side.run(c, sql);
	sodium_memzero(sql, sizeof sql);
	sodium_memzero(hex, sizeof hex);
	return status;
}

static enum qv_status copy_key(struct copy *c)
{
	const struct store_transfer *setup = c->setup;
	unsigned char key[STORE_KEY];
	bool any = true;
	enum qv_status status = setup->back ? read_key(c, key, &any)
					    : setup->read_key(setup->folder, key, c->error);
	if (status == QV_OK && any)
		status = setup->back ? setup->write_key(setup->folder, key, c->error)
				     : write_key(c, key, true);
	sodium_memzero(key, sizeof key);
	return status;
}

enum qv_status store_find_key(const char *place, unsigned char key[STORE_KEY],
			      struct qv_error *error)
{
	struct copy c = { .error = error, .link = { .place = (char *)place }, .lock = -1 };
	bool any = false;
	enum qv_status status = connect_server(&c);
	if (status == QV_OK)
		status = write_key(&c, key, false);
	if (status == QV_OK)
		status = read_key(&c, key, &any);
	link_drop(&c.link);
	return status;
}

/* ---- all of it ---- */

/* The source has changed nothing. If the target cannot be committed, nothing was written there. */
static enum qv_status finish(struct copy *c, enum qv_status status)
{
	const struct side *to = c->setup->back ? &file_side : &server_side;
	PQclear(c->result);
	sqlite3_finalize(c->statement);
	c->result = NULL;
	c->statement = NULL;
	if (status == QV_OK) {
		status = to->run(c, "COMMIT");
		if (status != QV_OK && !c->setup->back && PQstatus(c->link.conn) != CONNECTION_OK)
			qv_fail(c->error, QV_IO,
				"migrate: the connection was lost during the commit; run it again: if "
				"the database is not empty then, the copy is complete");
	}
	/* What is not committed goes with the connection. */
	link_drop(&c->link);
	sqlite3_close(c->db);
	if (status == QV_OK && c->setup->back)
		status = folder_sync(c->setup->folder, c->error);
	if (c->lock >= 0)
		close(c->lock);
	string_release(&c->buffer);
	return status;
}

enum qv_status store_transfer(const struct store_transfer *setup, struct store_transferred *out,
			      struct qv_error *error)
{
	struct copy *c = calloc(1, sizeof *c);
	*out = (struct store_transferred){ 0 };
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	c->setup = setup;
	c->error = error;
	c->lock = -1;
	c->link.place = (char *)setup->place;
	c->link.answer_us = POSTGRES_PATIENT;
	c->buffer.allocator = &mem_malloc;
	/* The server first: an address that is wrong creates no folder. */
	enum qv_status status = open_server(c);
	if (status == QV_OK)
		status = open_file(c);
	if (status == QV_OK)
		status = find_tables(c);
	if (status == QV_OK)
		status = copy_all(c, out);
	if (status == QV_OK)
		status = copy_key(c);
	status = finish(c, status);
	free(c);
	return status;
}
