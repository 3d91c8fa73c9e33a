/*
 * store_writer.c - the connection that writes: units of work in, one transaction for all of them.
 * SPDX-License-Identifier: MIT
 *
 * Each unit has a savepoint of its own, so that one that breaks a rule of the database goes back
 * alone. When the disk is full SQLite may end the transaction by itself: then all have failed.
 */
#include "server/store_writer.h"

#include "server/store_schema.h"

static const char *const write_sql[WRITE_KINDS] = {
	[WRITE_PLAY] = "INSERT INTO play (id, game, owner, created, updated, private, going,"
		       " open_seats) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[WRITE_EVENT] = "INSERT INTO event (play, number, line) VALUES (?, ?, ?)",
	[WRITE_SET_PLAY] = "UPDATE play SET going = ?2, open_seats = ?3, updated = ?4"
			   " WHERE id = ?1",
	[WRITE_USER] = "INSERT INTO user (id, name, created) VALUES (?, ?, ?)"
		       " ON CONFLICT (id) DO UPDATE SET name = excluded.name",
	[WRITE_ACCOUNT] = "INSERT INTO account (user, login, password) VALUES (?, ?, ?)"
			  " ON CONFLICT (user) DO UPDATE"
			  " SET login = excluded.login, password = excluded.password",
	[WRITE_TOKEN] = "INSERT INTO token (hash, user, created) VALUES (?, ?, ?)",
	[WRITE_DROP_TOKEN] = "DELETE FROM token WHERE hash = ?",
	[WRITE_SEAT] = "INSERT INTO seat (user, play) VALUES (?, ?) ON CONFLICT DO NOTHING",
	[WRITE_IMCS_USER] = "INSERT INTO imcs_user (name, user, password, rating)"
			    " VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
			    " SET password = excluded.password, rating = excluded.rating",
	[WRITE_IMCS_GAME] = "INSERT INTO imcs_game (id, white, black, play, began, ended, result,"
			    " log) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
			    " SET ended = excluded.ended, result = excluded.result,"
			    " log = excluded.log",
};

static bool prepare(struct writer *w, const char *sql, sqlite3_stmt **out)
{
	return sqlite3_prepare_v3(w->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) ==
	       SQLITE_OK;
}

static bool prepare_all(struct writer *w)
{
	bool ok = prepare(w, "BEGIN IMMEDIATE", &w->begin) &&
		  prepare(w, "SAVEPOINT unit", &w->mark) &&
		  prepare(w, "ROLLBACK TO unit", &w->back) &&
		  prepare(w, "RELEASE unit", &w->release) && prepare(w, "COMMIT", &w->commit) &&
		  prepare(w, "ROLLBACK", &w->rollback);
	for (int kind = 0; ok && kind < WRITE_KINDS; kind++)
		ok = prepare(w, write_sql[kind], &w->writes[kind]);
	return ok;
}

enum qv_status writer_open(struct writer *w, const char *path, struct qv_error *error)
{
	*w = (struct writer){ 0 };
	enum qv_status status = store_connect(path, &w->db, error);
	if (status == QV_OK && !prepare_all(w)) {
		status = store_fault(w->db, path, error);
		writer_close(w);
	}
	return status;
}

void writer_close(struct writer *w)
{
	sqlite3_stmt *const others[] = { w->begin,   w->mark,	w->back,
					 w->release, w->commit, w->rollback };
	for (int kind = 0; kind < WRITE_KINDS; kind++)
		sqlite3_finalize(w->writes[kind]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		sqlite3_finalize(others[i]);
	sqlite3_close(w->db);
	*w = (struct writer){ 0 };
}

/* What SQLite says last counts: a reset does not change it. */
static bool finish(struct writer *w, sqlite3_stmt *statement, struct qv_error *trouble)
{
	const bool ok = sqlite3_step(statement) == SQLITE_DONE;
	if (!ok)
		qv_fail(trouble, QV_IO, "database: %.200s", sqlite3_errmsg(w->db));
	sqlite3_reset(statement);
	return ok;
}

static bool bind(sqlite3_stmt *statement, int at, const struct value *v)
{
	switch (v->type) {
	case VALUE_NUMBER:
		return sqlite3_bind_int64(statement, at, v->number) == SQLITE_OK;
	case VALUE_TEXT:
		return sqlite3_bind_text64(statement, at, v->bytes, v->size, SQLITE_STATIC,
					   SQLITE_UTF8) == SQLITE_OK;
	case VALUE_BYTES:
		return sqlite3_bind_blob64(statement, at, v->bytes, v->size, SQLITE_STATIC) ==
		       SQLITE_OK;
	}
	return false;
}

static bool write_one(struct writer *w, const struct write *write, struct qv_error *trouble)
{
	sqlite3_stmt *statement = w->writes[write->kind];
	bool ok = true;
	for (int i = 0; ok && i < write->count; i++)
		ok = bind(statement, i + 1, &write->values[i]);
	if (!ok)
		qv_fail(trouble, QV_IO, "database: %.200s", sqlite3_errmsg(w->db));
	ok = ok && finish(w, statement, trouble);
	sqlite3_clear_bindings(statement);
	if (ok && write->kind == WRITE_SET_PLAY && sqlite3_changes(w->db) != 1) {
		qv_fail(trouble, QV_IO, "database: a play that is not there was to change");
		return false;
	}
	return ok;
}

/* False: the whole transaction is lost. */
static bool write_unit(struct writer *w, struct unit *unit, struct qv_error *trouble)
{
	if (!finish(w, w->mark, trouble))
		return false;
	unit->ok = true;
	for (const struct write *write = unit->first; unit->ok && write; write = write->next)
		unit->ok = write_one(w, write, trouble);
	if (sqlite3_get_autocommit(w->db))
		return false;
	if (!unit->ok && !finish(w, w->back, trouble))
		return false;
	return finish(w, w->release, trouble);
}

void writer_commit(struct writer *w, struct unit *units, struct qv_error *trouble)
{
	bool ok = finish(w, w->begin, trouble);
	for (struct unit *unit = units; ok && unit; unit = unit->next)
		ok = write_unit(w, unit, trouble);
	ok = ok && finish(w, w->commit, trouble);
	if (ok)
		return;
	if (!sqlite3_get_autocommit(w->db))
		finish(w, w->rollback, trouble);
	for (struct unit *unit = units; unit; unit = unit->next)
		unit->ok = false;
}
