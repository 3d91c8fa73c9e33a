/*
 * postgres_sides.c - reads and writes the rows of a table, in SQLite and in PostgreSQL.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "server/store/postgres_copy.h"

static void read_sql(const struct table *t, char out[SQL_MOST])
{
	snprintf(out, SQL_MOST, "SELECT %s FROM \"%s\" ORDER BY %s", t->list, t->name, t->order);
}

/* ---- SQLite ---- */

static enum qv_status file_fault(struct copy *c)
{
	return store_fault(c->db, c->path, c->error);
}

static enum qv_status file_run(struct copy *c, const char *sql)
{
	return sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK ? QV_OK : file_fault(c);
}

enum qv_status file_prepare(struct copy *c, const char *sql)
{
	sqlite3_finalize(c->statement);
	c->statement = NULL;
	return sqlite3_prepare_v2(c->db, sql, -1, &c->statement, NULL) == SQLITE_OK ? QV_OK
										    : file_fault(c);
}

static enum qv_status file_number(struct copy *c, const char *sql, int64_t *out)
{
	const enum qv_status status = file_prepare(c, sql);
	if (status != QV_OK)
		return status;
	if (sqlite3_step(c->statement) != SQLITE_ROW)
		return file_fault(c);
	*out = sqlite3_column_int64(c->statement, 0);
	sqlite3_reset(c->statement);
	return QV_OK;
}

static enum qv_status file_open(struct copy *c, const struct table *t)
{
	char sql[SQL_MOST];
	read_sql(t, sql);
	return file_prepare(c, sql);
}

static enum qv_status file_next(struct copy *c, const struct table *t, struct store_value *values,
				bool *any)
{
	const int code = sqlite3_step(c->statement);
	*any = code == SQLITE_ROW;
	for (int i = 0; *any && i < t->columns; i++) {
		struct store_value *v = &values[i];
		*v = (struct store_value){ .type = STORE_NULL };
		if (sqlite3_column_type(c->statement, i) == SQLITE_NULL)
			continue;
		if (t->types[i] == 'n') {
			*v = value_number(sqlite3_column_int64(c->statement, i));
		} else if (t->types[i] == 'r') {
			*v = value_real(sqlite3_column_double(c->statement, i));
		} else {
			v->type = t->types[i] == 't' ? STORE_TEXT : STORE_BYTES;
			v->bytes = v->type == STORE_TEXT
					   ? (const char *)sqlite3_column_text(c->statement, i)
					   : sqlite3_column_blob(c->statement, i);
			v->size = (size_t)sqlite3_column_bytes(c->statement, i);
			if (!v->bytes && v->size)
				return qv_fail(c->error, QV_NO_MEMORY, "store: out of memory");
		}
	}
	return *any || code == SQLITE_DONE ? QV_OK : file_fault(c);
}

static enum qv_status file_begin(struct copy *c, const struct table *t)
{
	char sql[SQL_MOST];
	int at = snprintf(sql, sizeof sql, "INSERT INTO \"%s\" (%s) VALUES (", t->name, t->list);
	for (int i = 0; i < t->columns; i++)
		at += snprintf(sql + at, sizeof sql - (size_t)at, i ? ", ?" : "?");
	snprintf(sql + at, sizeof sql - (size_t)at, ")");
	return file_prepare(c, sql);
}

static int bind(sqlite3_stmt *statement, int at, const struct store_value *v)
{
	const char *bytes = v->bytes ? v->bytes : "";
	switch (v->type) {
	case STORE_NUMBER:
		return sqlite3_bind_int64(statement, at, v->number);
	case STORE_REAL:
		return sqlite3_bind_double(statement, at, v->real);
	case STORE_TEXT:
		return sqlite3_bind_text64(statement, at, bytes, v->size, SQLITE_STATIC,
					   SQLITE_UTF8);
	case STORE_BYTES:
		return sqlite3_bind_blob64(statement, at, bytes, v->size, SQLITE_STATIC);
	default:
		return sqlite3_bind_null(statement, at);
	}
}

static enum qv_status file_put(struct copy *c, const struct table *t,
			       const struct store_value *values)
{
	for (int i = 0; i < t->columns; i++)
		if (bind(c->statement, i + 1, &values[i]) != SQLITE_OK)
			return file_fault(c);
	if (sqlite3_step(c->statement) != SQLITE_DONE)
		return file_fault(c);
	sqlite3_reset(c->statement);
	return QV_OK;
}

static enum qv_status file_end(struct copy *c, const struct table *t)
{
	(void)c, (void)t;
	return QV_OK;
}

const struct side file_side = { file_run,   file_number, file_open, file_next,
				file_begin, file_put,	 file_end };

/* ---- PostgreSQL ---- */

/* The reason why the connection is lost. */
static enum qv_status server_lost(struct copy *c)
{
	const char *why = PQerrorMessage(c->link.conn);
	return qv_fail(c->error, QV_IO, "database: %.*s", (int)strcspn(why, "\n"), why);
}

/* As link_run; the connection is left in the mode for copies. */
PGresult *server_ask(struct copy *c, const char *sql)
{
	PGresult *result = link_run(&c->link, sql, c->error);
	PQexitPipelineMode(c->link.conn);
	return result;
}

static enum qv_status server_run(struct copy *c, const char *sql)
{
	PGresult *result = server_ask(c, sql);
	PQclear(result);
	return result ? QV_OK : QV_IO;
}

static enum qv_status server_number(struct copy *c, const char *sql, int64_t *out)
{
	PGresult *result = server_ask(c, sql);
	if (!result)
		return QV_IO;
	*out = PQntuples(result) > 0 ? atoll(PQgetvalue(result, 0, 0)) : 0;
	PQclear(result);
	return QV_OK;
}

/* Takes what is left of the results of a statement; fails if it has failed. */
static enum qv_status server_finish(struct copy *c)
{
	enum qv_status status = QV_OK;
	char state[6];
	for (PGresult *result; (result = PQgetResult(c->link.conn)); PQclear(result))
		if (status == QV_OK && result_failed(result, state))
			status = result_error(result, c->error);
	return status;
}

static enum qv_status server_open(struct copy *c, const struct table *t)
{
	char sql[SQL_MOST];
	read_sql(t, sql);
	if (!PQsendQueryParams(c->link.conn, sql, 0, NULL, NULL, NULL, NULL, 1) ||
	    !PQsetSingleRowMode(c->link.conn))
		return server_lost(c);
	return QV_OK;
}

static int64_t get_number(const char *bytes)
{
	uint64_t number = 0;
	for (int i = 0; i < 8; i++)
		number = number << 8 | (unsigned char)bytes[i];
	return (int64_t)number;
}

static enum qv_status server_next(struct copy *c, const struct table *t, struct store_value *values,
				  bool *any)
{
	PQclear(c->result);
	c->result = PQgetResult(c->link.conn);
	*any = c->result && PQresultStatus(c->result) == PGRES_SINGLE_TUPLE;
	for (int i = 0; *any && i < t->columns; i++) {
		struct store_value *v = &values[i];
		const char *bytes = PQgetvalue(c->result, 0, i);
		*v = (struct store_value){ .type = STORE_NULL };
		if (PQgetisnull(c->result, 0, i))
			continue;
		v->size = (size_t)PQgetlength(c->result, 0, i);
		if (t->types[i] == 't' || t->types[i] == 'b') {
			v->type = t->types[i] == 't' ? STORE_TEXT : STORE_BYTES;
			v->bytes = bytes;
			continue;
		}
		if (v->size != 8)
			return qv_fail(c->error, QV_IO, "database: %s.%s has another type", t->name,
				       t->names[i]);
		*v = value_number(get_number(bytes));
		if (t->types[i] == 'r') {
			double real;
			memcpy(&real, &v->number, sizeof real);
			*v = value_real(real);
		}
	}
	if (*any)
		return QV_OK;
	char state[6];
	if (!c->result)
		return server_lost(c);
	if (result_failed(c->result, state))
		return result_error(c->result, c->error);
	return server_finish(c);
}

/* Adds a number with its highest byte first. */
static void add_number(struct string *s, uint64_t number, int bytes)
{
	char out[8];
	for (int i = 0; i < bytes; i++)
		out[i] = (char)(number >> 8 * (bytes - 1 - i) & 0xff);
	string_add(s, out, (size_t)bytes);
}

static enum qv_status server_send(struct copy *c)
{
	if (c->buffer.failed)
		return qv_fail(c->error, QV_NO_MEMORY, "store: out of memory");
	const bool sent = PQputCopyData(c->link.conn, c->buffer.data, (int)c->buffer.length) == 1;
	c->buffer.length = 0;
	return sent ? QV_OK : server_lost(c);
}

/* The binary format of COPY: a signature, flags and the size of an extension, then the rows. */
static enum qv_status server_begin(struct copy *c, const struct table *t)
{
	static const char signature[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
	char sql[SQL_MOST];
	snprintf(sql, sizeof sql, "COPY \"%s\" (%s) FROM STDIN (FORMAT binary)", t->name, t->list);
	PGresult *result = PQexec(c->link.conn, sql);
	const bool ready = PQresultStatus(result) == PGRES_COPY_IN;
	const enum qv_status status = ready    ? QV_OK
				      : result ? result_error(result, c->error)
					       : server_lost(c);
	PQclear(result);
	string_add(&c->buffer, signature, sizeof signature);
	return ready ? server_send(c) : status;
}

/* A row: the number of its values, then the size of each, -1 for NULL, and its bytes. */
static enum qv_status server_put(struct copy *c, const struct table *t,
				 const struct store_value *values)
{
	add_number(&c->buffer, (uint64_t)t->columns, 2);
	for (int i = 0; i < t->columns; i++) {
		const struct store_value *v = &values[i];
		uint64_t bits = (uint64_t)v->number;
		if (v->type == STORE_REAL)
			memcpy(&bits, &v->real, sizeof bits);
		if (v->type == STORE_NULL) {
			add_number(&c->buffer, UINT32_MAX, 4);
		} else if (v->type == STORE_NUMBER || v->type == STORE_REAL) {
			add_number(&c->buffer, 8, 4);
			add_number(&c->buffer, bits, 8);
		} else {
			add_number(&c->buffer, v->size, 4);
			string_add(&c->buffer, v->size ? v->bytes : "", v->size);
		}
	}
	return server_send(c);
}

static enum qv_status server_end(struct copy *c, const struct table *t)
{
	(void)t;
	add_number(&c->buffer, UINT16_MAX, 2);
	const enum qv_status status = server_send(c);
	if (status == QV_OK && PQputCopyEnd(c->link.conn, NULL) != 1)
		return server_lost(c);
	return status == QV_OK ? server_finish(c) : status;
}

const struct side server_side = { server_run,	server_number, server_open, server_next,
				  server_begin, server_put,    server_end };
