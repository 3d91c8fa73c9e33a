/*
 * writer.c - the connection that writes: commits many units of work in one transaction.
 * SPDX-License-Identifier: MIT
 *
 * Each unit has its own savepoint, so that one that violates a constraint is rolled back alone. If
 * the disk is full SQLite may end the transaction by itself: then all units have failed.
 *
 * A file that was removed or replaced can still be written through an open descriptor, and what was
 * written would be lost. So device and inode of the files are checked around every commit.
 */
#include "server/store/writer.h"

#include <sys/stat.h>

#include "server/store/schema.h"

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

/* SQLite writes the page even if the version does not change. */
static const char *const probe_sql = "PRAGMA user_version = %d";

static bool prepare(const struct writer *w, const char *sql, sqlite3_stmt **out)
{
	return sqlite3_prepare_v3(w->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) ==
	       SQLITE_OK;
}

static bool prepare_all(struct writer *w)
{
	char probe[64];
	snprintf(probe, sizeof probe, probe_sql, store_step_count);
	bool ok = prepare(w, "BEGIN IMMEDIATE", &w->begin) &&
		  prepare(w, "SAVEPOINT unit", &w->mark) &&
		  prepare(w, "ROLLBACK TO unit", &w->back) &&
		  prepare(w, "RELEASE unit", &w->release) && prepare(w, "COMMIT", &w->commit) &&
		  prepare(w, "ROLLBACK", &w->rollback);
	for (int kind = 0; ok && kind < WRITE_KINDS; kind++)
		ok = prepare(w, kind == WRITE_PROBE ? probe : write_sql[kind], &w->writes[kind]);
	return ok;
}

/* ---- the files ---- */

/* Remembers the file the first time; later checks that the path still names it. */
static bool mark_is_right(struct file_mark *mark, const char *path)
{
	struct stat now;
	if (stat(path, &now) != 0)
		return !mark->known;
	if (!mark->known)
		*mark = (struct file_mark){ true, now.st_dev, now.st_ino };
	return mark->device == now.st_dev && mark->number == now.st_ino;
}

/*
 * Do the paths still name the database and the log that are open? SQLite can tell for the database;
 * the log exists from the first transaction on.
 */
static bool is_in_place(struct writer *w, struct qv_error *trouble)
{
	char log[1024];
	int moved = 0;
	snprintf(log, sizeof log, "%.1000s-wal", w->path);
	sqlite3_file_control(w->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	if (w->lost || moved || !mark_is_right(&w->database, w->path) ||
	    !mark_is_right(&w->log, log)) {
		w->lost = w->at_fault = true;
		qv_fail(trouble, QV_IO,
			"%.120s: was removed or replaced; nothing is stored until the server is "
			"restarted",
			w->path);
	}
	return !w->lost;
}

enum qv_status writer_open(struct writer *w, const char *path, struct qv_error *error)
{
	*w = (struct writer){ .path = path };
	enum qv_status status = store_connect(path, &w->db, error);
	if (status == QV_OK && !prepare_all(w)) {
		status = store_fault(w->db, path, error);
		writer_close(w);
	}
	if (status == QV_OK)
		mark_is_right(&w->database, path);
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

/* ---- writing ---- */

/* A unit that violates a constraint or is too large is itself at fault; otherwise the disk is. */
static void note_failure(struct writer *w, struct qv_error *trouble)
{
	const int code = sqlite3_errcode(w->db) & 0xff;
	w->at_fault |= code != SQLITE_CONSTRAINT && code != SQLITE_TOOBIG;
	qv_fail(trouble, QV_IO, "database: %.200s", sqlite3_errmsg(w->db));
}

/* Runs a statement without results. The reset does not change SQLite's error state. */
static bool finish(struct writer *w, sqlite3_stmt *statement, struct qv_error *trouble)
{
	const bool ok = sqlite3_step(statement) == SQLITE_DONE;
	if (!ok)
		note_failure(w, trouble);
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
		note_failure(w, trouble);
	ok = ok && finish(w, statement, trouble);
	sqlite3_clear_bindings(statement);
	if (ok && write->kind == WRITE_SET_PLAY && sqlite3_changes(w->db) != 1) {
		qv_fail(trouble, QV_IO, "database: update of a play that does not exist");
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

/*
 * Moves everything in the log into the database, wherever that is now. Otherwise the next server
 * would apply this log to whatever database it finds beside it.
 */
static void empty_log(struct writer *w)
{
	sqlite3_wal_checkpoint_v2(w->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

enum commit_result writer_commit(struct writer *w, struct unit *units, struct qv_error *trouble)
{
	const bool was_lost = w->lost;
	bool wrote = false;
	w->at_fault = false;
	bool ok = !w->lost && finish(w, w->begin, trouble);
	for (struct unit *unit = units; ok && unit; unit = unit->next) {
		ok = write_unit(w, unit, trouble);
		wrote |= unit->ok && unit->first;
	}
	ok = ok && is_in_place(w, trouble);
	ok = ok && finish(w, w->commit, trouble);
	ok = ok && is_in_place(w, trouble);
	if (ok && !w->at_fault)
		return wrote ? COMMIT_WRITTEN : COMMIT_NOTHING;
	if (ok)
		return COMMIT_FAILED; /* some units failed; the others are on disk */
	if (!sqlite3_get_autocommit(w->db))
		finish(w, w->rollback, trouble);
	for (struct unit *unit = units; unit; unit = unit->next)
		unit->ok = false;
	if (w->lost && !was_lost)
		empty_log(w);
	if (w->lost)
		is_in_place(w, trouble); /* sets the error */
	return COMMIT_FAILED;
}
