/*
 * sqlite.c - the driver for SQLite: commits units and asks questions.
 * SPDX-License-Identifier: MIT
 *
 * Many units are committed in one transaction. Each has its own savepoint, so that one that
 * violates a constraint is rolled back alone. If the disk is full SQLite may end the transaction by
 * itself: then all units have failed.
 *
 * A file that was removed or replaced can still be written through an open descriptor, and what was
 * written would be lost. So device and inode of the files are checked around every commit.
 *
 * In WAL mode the read-only links neither wait for the writer nor block it. All statements are
 * prepared once, when a link is opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "server/store/driver.h"
#include "server/store/sqlite.h"

/* The statements of transactions. */
enum own_statement {
	OWN_BEGIN = STATEMENT_KINDS,
	OWN_MARK,
	OWN_BACK,
	OWN_RELEASE,
	OWN_COMMIT,
	OWN_ROLLBACK,
	OWN_SNAPSHOT,
	OWN_USED,
	OWN_KINDS
};

static const char *const own_sql[OWN_KINDS - STATEMENT_KINDS] = {
	"BEGIN IMMEDIATE", "SAVEPOINT unit", "ROLLBACK TO unit", "RELEASE unit", "COMMIT",
	"ROLLBACK",	   "BEGIN",
	("SELECT (page_count - freelist_count) * page_size, page_count * page_size"
	 " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"),
};

enum {
	RESERVE_SHARE = 20,	  /* 1/20 of the disk stays free, ... */
	RESERVE_MOST = 256 << 20, /* ... but no more than this */
	RESERVE_FULL = 4,	  /* a quarter of it is for what removes something */
};

/* The file that a path named when it was first checked. */
struct file_mark {
	bool known;
	dev_t device;
	ino_t number;
};

struct store_link {
	sqlite3 *db;
	sqlite3_stmt *statements[OWN_KINDS]; /* NULL: not for this role */
	char path[FOLDER_PATH];		     /* of the database */
	size_t rows_bytes;		     /* as in struct store_setup */
	/* Of the writer. */
	int lock; /* the locked file that keeps other servers out */
	struct store_found found;
	struct file_mark database, log;
	struct store_marks marks;
	struct store_space space;
	int64_t least_free; /* of the disk; 0: not known */
	int64_t taken;	    /* bytes of the disk that the units of this commit may need */
	bool lost;     /* the path no longer names our file; permanent */
	bool at_fault; /* something failed in this commit that is not a unit's fault */
};

/* ---- the files of the database ---- */

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
static bool is_in_place(struct store_link *w, struct qv_error *trouble)
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

/* ---- statements ---- */

/* Binds the values that the statement takes; returns SQLite's code. */
static int bind(struct store_link *link, int which, const struct store_value *values)
{
	sqlite3_stmt *statement = link->statements[which];
	const int count = (int)strlen(store_statements[which].types);
	int code = SQLITE_OK;
	for (int i = 0; code == SQLITE_OK && i < count; i++) {
		const struct store_value *v = &values[i];
		if (v->type == STORE_NUMBER)
			code = sqlite3_bind_int64(statement, i + 1, v->number);
		else if (v->type == STORE_REAL)
			code = sqlite3_bind_double(statement, i + 1, v->real);
		else if (v->type == STORE_TEXT)
			code = sqlite3_bind_text64(statement, i + 1, v->bytes, v->size,
						   SQLITE_STATIC, SQLITE_UTF8);
		else if (v->type == STORE_BYTES)
			code = sqlite3_bind_blob64(statement, i + 1, v->bytes, v->size,
						   SQLITE_STATIC);
		else
			code = sqlite3_bind_null(statement, i + 1);
	}
	return code;
}

/* ---- committing ---- */

/* A unit that violates a constraint or is too large is itself at fault; otherwise the disk is. */
static void note_failure(struct store_link *w, struct qv_error *trouble)
{
	const int code = sqlite3_errcode(w->db) & 0xff;
	w->at_fault |= code != SQLITE_CONSTRAINT && code != SQLITE_TOOBIG;
	qv_fail(trouble, QV_IO, "database: %.200s", sqlite3_errmsg(w->db));
}

/* Runs a statement. The reset does not change SQLite's error state. */
static bool run(struct store_link *w, int which, struct qv_error *trouble)
{
	int code;
	while ((code = sqlite3_step(w->statements[which])) == SQLITE_ROW)
		; /* a row of a pragma: nobody needs it */
	const bool ok = code == SQLITE_DONE;
	if (!ok)
		note_failure(w, trouble);
	sqlite3_reset(w->statements[which]);
	return ok;
}

static bool run_write(struct store_link *w, const struct write *write, struct qv_error *trouble)
{
	const char *unless = store_statements[write->statement].unless;
	const int code = bind(w, write->statement, write->values);
	if (code != SQLITE_OK)
		note_failure(w, trouble);
	const bool ok = code == SQLITE_OK && run(w, write->statement, trouble);
	sqlite3_clear_bindings(w->statements[write->statement]);
	if (ok && unless && sqlite3_changes(w->db) != 1) {
		qv_fail(trouble, QV_IO, "database: %s", unless);
		return false;
	}
	return ok;
}

/* ---- space ---- */

/*
 * Bytes of the database, in the transaction that runs; free pages are reused and do not count. *all:
 * with them.
 */
static int64_t used_bytes(struct store_link *w, int64_t *all)
{
	sqlite3_stmt *row = w->statements[OWN_USED];
	const bool known = sqlite3_step(row) == SQLITE_ROW;
	const int64_t bytes = known ? sqlite3_column_int64(row, 0) : 0;
	*all = known ? sqlite3_column_int64(row, 1) : 0;
	sqlite3_reset(row);
	return bytes;
}

/*
 * A disk that cannot be measured counts as large: writes will show whether it is. What is in the log
 * alone will be copied to the end of the database, so that space is not free any more.
 */
static void measure(struct store_link *w)
{
	int64_t all;
	struct store_space space = { .bytes = used_bytes(w, &all) };
	const int64_t most = w->marks.most_bytes;
	struct statvfs disk;
	struct stat file;
	int64_t reserve = 0;
	if (statvfs(w->path, &disk) == 0 && stat(w->path, &file) == 0) {
		space.disk = (int64_t)disk.f_blocks * (int64_t)disk.f_frsize;
		space.free = (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
		if (all > (int64_t)file.st_size)
			space.free -= all - (int64_t)file.st_size;
		reserve = space.disk / RESERVE_SHARE;
		if (reserve > RESERVE_MOST)
			reserve = RESERVE_MOST;
		if (w->marks.least_free)
			reserve = RESERVE_FULL * w->marks.least_free;
	}
	w->least_free = reserve / RESERVE_FULL;
	w->taken = 0;
	space.full = space.free < w->least_free || (most && space.bytes >= most);
	space.tight = space.full || space.free < reserve ||
		      (most && space.bytes >= most - most / TIGHT_SHARE);
	w->space = space;
}

static struct store_space sqlite_space(const struct store_link *writer)
{
	return writer->space;
}

/* May the unit be written? It comes into the log, and later into the database. */
static bool has_space(struct store_link *w, const struct unit *unit, struct qv_error *trouble)
{
	const int64_t most = w->marks.most_bytes, bytes = UNIT_FACTOR * (int64_t)unit->size;
	int64_t all;
	if (unit_only_removes(unit))
		return true;
	const bool large = most && used_bytes(w, &all) + bytes > most;
	if (!large && (!w->least_free || w->space.free - w->taken - 2 * bytes >= w->least_free)) {
		w->taken += 2 * bytes;
		return true;
	}
	w->at_fault = true;
	qv_fail(trouble, QV_IO, "%s",
		large ? STORE_TOO_LARGE
		      : "database: the disk has too little free space; see quevedo server prune");
	return false;
}

/* For a guess: up to a little beyond the marks, see GUESS_SHARE. */
static bool has_space_for_guess(struct store_link *w)
{
	const int64_t most = w->marks.most_bytes;
	int64_t all;
	return (!most || used_bytes(w, &all) <= most + most / GUESS_SHARE) &&
	       (!w->least_free || w->space.free - w->taken >= w->least_free / 2);
}

/* Writes a unit in its own savepoint. False: the whole transaction is lost. */
static bool write_unit(struct store_link *w, struct unit *unit, struct qv_error *trouble)
{
	if (!has_space(w, unit, trouble))
		return true; /* the others may be smaller, or only remove */
	if (!run(w, OWN_MARK, trouble))
		return false;
	const bool was_at_fault = w->at_fault;
	w->at_fault = false;
	unit->ok = true;
	for (const struct write *write = unit->first; unit->ok && write; write = write->next)
		unit->ok = run_write(w, write, trouble);
	unit->at_fault = !unit->ok && !w->at_fault;
	w->at_fault |= was_at_fault;
	if (sqlite3_get_autocommit(w->db))
		return false;
	if (!unit->ok && !run(w, OWN_BACK, trouble))
		return false;
	return run(w, OWN_RELEASE, trouble);
}

/* A unit is ok only if the path named the same file before and after the commit. */
static enum commit_result commit_units(struct store_link *w, struct unit *units,
				       struct qv_error *trouble)
{
	const bool was_lost = w->lost;
	bool wrote = false;
	w->at_fault = false;
	bool ok = !w->lost && run(w, OWN_BEGIN, trouble);
	for (struct unit *unit = units; ok && unit; unit = unit->next) {
		ok = write_unit(w, unit, trouble);
		wrote |= unit->ok && unit->first;
	}
	ok = ok && is_in_place(w, trouble) && run(w, OWN_COMMIT, trouble) &&
	     is_in_place(w, trouble);
	if (ok && !w->at_fault)
		return wrote ? COMMIT_WRITTEN : COMMIT_NOTHING;
	if (ok)
		return COMMIT_FAILED; /* some units failed; the others are on disk */
	if (!sqlite3_get_autocommit(w->db))
		run(w, OWN_ROLLBACK, trouble);
	for (struct unit *unit = units; unit; unit = unit->next)
		unit->ok = unit->at_fault = false;
	/*
	 * Moves everything in the log into the database, wherever that is now. Otherwise the next
	 * server would apply this log to whatever database it finds beside it.
	 */
	if (w->lost && !was_lost)
		sqlite3_wal_checkpoint_v2(w->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	if (w->lost)
		is_in_place(w, trouble); /* sets the error */
	return COMMIT_FAILED;
}

/* Others may use the disk, too, so it is measured before and after. */
static enum commit_result sqlite_commit(struct store_link *w, struct unit *units,
					struct qv_error *trouble)
{
	measure(w);
	const enum commit_result result = commit_units(w, units, trouble);
	measure(w);
	return result;
}

/* ---- asking ---- */

/* The value of a column, valid until the next step. */
static struct store_value column(sqlite3_stmt *row, int i)
{
	switch (sqlite3_column_type(row, i)) {
	case SQLITE_INTEGER:
		return value_number(sqlite3_column_int64(row, i));
	case SQLITE_FLOAT:
		return value_real(sqlite3_column_double(row, i));
	case SQLITE_NULL:
		return (struct store_value){ .type = STORE_NULL };
	default:
		break;
	}
	/* The size is asked for last: it is that of the form in which the bytes were asked for. */
	struct store_value value = { .type = STORE_BYTES };
	if (sqlite3_column_type(row, i) == SQLITE_TEXT) {
		value.type = STORE_TEXT;
		value.bytes = (const char *)sqlite3_column_text(row, i);
	} else {
		value.bytes = sqlite3_column_blob(row, i);
	}
	value.size = (size_t)sqlite3_column_bytes(row, i);
	return value;
}

/* Adds the present row. A text without bytes: SQLite had no memory for it. */
static bool take_row(sqlite3_stmt *statement, struct store_rows *rows)
{
	for (int i = 0; i < rows->columns; i++) {
		const struct store_value value = column(statement, i);
		if ((value.type == STORE_TEXT && !value.bytes) || !rows_add(rows, &value))
			return false;
	}
	return true;
}

static enum qv_status read_rows(struct store_link *link, int which,
				const struct store_value *values, struct store_rows **out,
				struct qv_error *error)
{
	sqlite3_stmt *statement = link->statements[which];
	struct store_rows *rows = rows_new(sqlite3_column_count(statement), link->rows_bytes);
	enum qv_status status = QV_OK;
	int code = rows ? bind(link, which, values) : SQLITE_NOMEM;
	while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
		code = take_row(statement, rows) ? SQLITE_OK : SQLITE_TOOBIG;
	if (!rows || code == SQLITE_TOOBIG)
		status = qv_fail(error, QV_NO_MEMORY, "%.160s: the result of a query is too large",
				 link->path);
	else if (code != SQLITE_DONE)
		status = store_fault(link->db, link->path, error);
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	if (status == QV_OK) {
		rows_end(rows);
		*out = rows;
	} else {
		store_rows_free(rows);
	}
	return status;
}

/* Both statements see the same commits. */
static enum qv_status read_both(struct store_link *link, enum store_question question,
				const struct store_value *values, struct store_rows **out,
				struct qv_error *error)
{
	struct qv_error ignored;
	if (!run(link, OWN_SNAPSHOT, &ignored))
		return store_fault(link->db, link->path, error);
	enum qv_status status = read_rows(link, (int)question, values, out, error);
	if (status == QV_OK) {
		status = read_rows(link, store_statements[question].then, values, &(*out)->next,
				   error);
		if (status != QV_OK) {
			store_rows_free(*out);
			*out = NULL;
		}
	}
	run(link, OWN_COMMIT, &ignored);
	return status;
}

static enum qv_status sqlite_ask(struct store_link *link, enum store_question question,
				 const struct store_value *values, struct store_rows **out,
				 struct qv_error *error)
{
	*out = NULL;
	if (store_statements[question].then)
		return read_both(link, question, values, out, error);
	if (!store_statements[question].changes)
		return read_rows(link, (int)question, values, out, error);
	struct qv_error why;
	if (!is_in_place(link, &why))
		return qv_fail(error, QV_IO, "%s", why.text);
	if (question == ASK_GUESS && !has_space_for_guess(link))
		return qv_fail(error, QV_IO, STORE_TOO_LARGE);
	return read_rows(link, (int)question, values, out, error);
}

static void sqlite_interrupt(struct store_link *link)
{
	sqlite3_interrupt(link->db);
}

static bool sqlite_needs_check(const struct store_link *writer)
{
	return writer->found.unchecked;
}

static enum qv_status sqlite_check(struct store_link *reader, struct qv_error *error)
{
	return store_check(reader->db, reader->path, "quick_check", error);
}

/* ---- opening and closing ---- */

/* The system releases the lock when the process ends, however it ends; the file stays. */
enum qv_status store_lock(const char *folder, int *out, struct qv_error *error)
{
	char path[FOLDER_PATH];
	enum qv_status status = folder_path(folder, "lock", path, error);
	if (status != QV_OK)
		return status;
	*out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (*out < 0)
		return qv_fail(error, QV_IO, "%.160s: cannot be opened: %s", path, strerror(errno));
	if (flock(*out, LOCK_EX | LOCK_NB) == 0)
		return QV_OK;
	if (errno == EWOULDBLOCK)
		return qv_fail(error, QV_IO, "%.160s: is in use by another quevedo serve", folder);
	return qv_fail(error, QV_IO, "%.160s: cannot be locked: %s", path, strerror(errno));
}

/* For store_is_served: the largest size of the database that this server allows. */
static void note_most(const struct store_link *w)
{
	char text[32];
	const int length = snprintf(text, sizeof text, "%lld\n", (long long)w->marks.most_bytes);
	/* A command that cannot read it knows of no limit. */
	if (ftruncate(w->lock, 0) != 0 || pwrite(w->lock, text, (size_t)length, 0) != length)
		return;
}

/* Preparing also checks that the tables are those that the statements expect. */
static enum qv_status prepare(struct store_link *link, enum link_role role, struct qv_error *error)
{
	char probe[64];
	/* SQLite writes the page of the probe even if the version does not change. */
	snprintf(probe, sizeof probe, "PRAGMA user_version = %d", store_step_count);
	for (int which = 0; which < OWN_KINDS; which++) {
		const char *sql = which >= STATEMENT_KINDS ? own_sql[which - STATEMENT_KINDS]
				  : which == WRITE_PROBE   ? probe
							   : store_statements[which].sql;
		const bool writes = which >= ASK_KINDS || store_statements[which].changes;
		if (which < STATEMENT_KINDS && writes != (role == LINK_WRITER))
			continue;
		if (sqlite3_prepare_v3(link->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
				       &link->statements[which], NULL) != SQLITE_OK)
			return store_fault(link->db, link->path, error);
	}
	return QV_OK;
}

/* The folder is locked before the database is touched. */
static enum qv_status open_writer(struct store_link *w, const struct store_setup *setup,
				  struct qv_error *error)
{
	enum qv_status status = setup->shared ? QV_OK : store_lock(setup->folder, &w->lock, error);
	if (status == QV_OK)
		status = setup->shared ? store_join(w->path, &w->db, error)
				       : store_connect(w->path, setup, &w->db, &w->found, error);
	if (status == QV_OK)
		status = prepare(w, LINK_WRITER, error);
	if (status != QV_OK)
		return status;
	w->marks = setup->marks;
	if (w->lock >= 0)
		note_most(w);
	measure(w);
	mark_is_right(&w->database, w->path);
	return folder_sync(setup->folder, error);
}

/* Statements that were not prepared are NULL, which is fine. */
static void sqlite_close(struct store_link *link)
{
	if (!link)
		return;
	for (int which = 0; which < OWN_KINDS; which++)
		sqlite3_finalize(link->statements[which]);
	sqlite3_close(link->db);
	if (link->lock >= 0)
		close(link->lock);
	free(link);
}

static enum qv_status sqlite_open(const struct store_setup *setup, enum link_role role,
				  struct store_link **out, struct qv_error *error)
{
	struct store_link *link = calloc(1, sizeof *link);
	*out = NULL;
	if (!link)
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	link->lock = -1;
	link->rows_bytes = setup->rows_bytes;
	const bool makes = role == LINK_WRITER && !setup->shared;
	enum qv_status status = makes ? folder_make(setup->folder, error) : QV_OK;
	if (status == QV_OK)
		status = folder_path(setup->folder, STORE_DATABASE, link->path, error);
	if (status == QV_OK && role == LINK_WRITER) {
		status = open_writer(link, setup, error);
	} else if (status == QV_OK) {
		status = store_connect_as(link->path, setup->vfs, SQLITE_OPEN_READONLY,
					  STORE_BUSY_MS, &link->db, error);
		if (status == QV_OK)
			status = prepare(link, LINK_READER, error);
	}
	if (status == QV_OK)
		*out = link;
	else
		sqlite_close(link);
	return status;
}

/* ---- for the operator ---- */

bool store_is_served(const char *folder, int64_t *most_bytes)
{
	char path[FOLDER_PATH], text[32] = "";
	*most_bytes = 0;
	if (folder_path(folder, "lock", path, NULL) != QV_OK)
		return false;
	const int lock = open(path, O_RDWR | O_CLOEXEC);
	const bool unused = lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0;
	if (!unused && pread(lock, text, sizeof text - 1, 0) > 0)
		*most_bytes = atoll(text);
	if (lock >= 0)
		close(lock);
	return !unused;
}

/* The lock keeps servers out; SQLite replaces all pages in one transaction. */
enum qv_status store_vacuum(const char *folder, struct qv_error *error)
{
	char path[FOLDER_PATH];
	sqlite3 *db = NULL;
	int lock = -1;
	enum qv_status status = folder_path(folder, STORE_DATABASE, path, error);
	if (status == QV_OK)
		status = store_lock(folder, &lock, error);
	if (status == QV_OK)
		status = store_join(path, &db, error);
	if (status == QV_OK &&
	    sqlite3_exec(db, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM", NULL, NULL, NULL) !=
		    SQLITE_OK)
		status = store_fault(db, path, error);
	sqlite3_close(db);
	if (lock >= 0)
		close(lock);
	return status;
}

const struct store_driver store_sqlite = {
	.open = sqlite_open,
	.close = sqlite_close,
	.commit = sqlite_commit,
	.space = sqlite_space,
	.ask = sqlite_ask,
	.interrupt = sqlite_interrupt,
	.needs_check = sqlite_needs_check,
	.check = sqlite_check,
};
