/*
 * store.c - the queue of writes and the thread that commits them.
 * SPDX-License-Identifier: MIT
 *
 * The life of a unit: filled by the caller, queued, taken by the thread together with all others in
 * the queue, committed, delivered to the caller, freed. While one commit waits for the disk the
 * next units gather, so the busier the server is, the fewer commits it needs per move.
 *
 * Many units are committed in one transaction. Each has its own savepoint, so that one that
 * violates a constraint is rolled back alone. If the disk is full SQLite may end the transaction by
 * itself: then all units have failed.
 *
 * A file that was removed or replaced can still be written through an open descriptor, and what was
 * written would be lost. So device and inode of the files are checked around every commit.
 */
#include "server/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/inside.h"

enum { QUEUE_BYTES = 32 << 20, WRITE_VALUES = 8 };

/* A value to bind to a parameter of the statement. */
struct value {
	enum { VALUE_NUMBER, VALUE_REAL, VALUE_TEXT, VALUE_BYTES } type;
	int64_t number;
	const void *bytes; /* of a text or of bytes; otherwise NULL */
	size_t size;
	double real;
};

struct write {
	struct write *next;
	enum write_kind kind;
	int count;
	struct value values[WRITE_VALUES];
	char bytes[]; /* the values point into it */
};

struct unit {
	struct unit *next;
	struct write *first, **last; /* last: where to link the next one */
	size_t size;		     /* bytes of memory, this struct's included */
	bool ok;		     /* set by commit_units: it is on disk */
	void (*done)(void *ctx, bool ok);
	void *ctx;
};

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
	[WRITE_FINISHED] = "INSERT INTO finished (user, play, ended, game, outcome, opponents,"
			   " entry) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user, play) DO UPDATE"
			   " SET ended = excluded.ended, game = excluded.game,"
			   " outcome = excluded.outcome, opponents = excluded.opponents,"
			   " entry = excluded.entry",
	[WRITE_DROP_FINISHED] = "DELETE FROM finished WHERE play = ?1"
				" AND (?2 = '' OR user = ?2)",
	[WRITE_EXPLORED] = "INSERT INTO explored (play, game, mark, result, public, entry)"
			   " VALUES (?, ?, ?, ?, ?, ?)",
	[WRITE_VISITS] = "INSERT INTO visit (position, public, explored, move, level, result)"
			 " SELECT json_extract(value, '$[0]'), e.public, e.number,"
			 " json_extract(value, '$[1]'), json_extract(value, '$[2]'), e.result"
			 " FROM explored e, json_each(?2) WHERE e.play = ?1",
	[WRITE_DROP_EXPLORED] = "DELETE FROM explored WHERE play = ?",
	[WRITE_DROP_OUTDATED] = "DELETE FROM explored WHERE game = ?1 AND mark <> ?2",
	[WRITE_DROP_UNLISTED] = "DELETE FROM unlisted",
	[WRITE_PUZZLE] = "INSERT OR REPLACE INTO puzzle (game, id, rating, deviation, volatility,"
			 " tries, solved) VALUES (?, ?, ?, ?, ?, ?, ?)",
	[WRITE_ATTEMPT] = "INSERT INTO puzzle_attempt (user, game, puzzle) VALUES (?, ?, ?)"
			  " ON CONFLICT DO NOTHING",
	[WRITE_STUDY] = "INSERT INTO studies (id, owner, version, created, updated, title,"
			" chapters, body) VALUES (?, ?, 1, ?, ?, ?, ?, ?)",
	[WRITE_SET_STUDY] = "UPDATE studies SET version = version + 1, updated = ?3, title = ?4,"
			    " chapters = ?5, body = ?6 WHERE id = ?1 AND version = ?2",
	[WRITE_DROP_STUDY] = "DELETE FROM studies WHERE id = ?1",
	[WRITE_IMCS_USER] = "INSERT INTO imcs_user (name, user, password, rating)"
			    " VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
			    " SET password = excluded.password, rating = excluded.rating",
	[WRITE_IMCS_GAME] = "INSERT INTO imcs_game (id, white, black, play, began, ended, result,"
			    " log) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
			    " SET ended = excluded.ended, result = excluded.result,"
			    " log = excluded.log",
	[WRITE_PROBE] = NULL, /* made from the version, see open_parts */
	[WRITE_BEGIN] = "BEGIN IMMEDIATE",
	[WRITE_MARK] = "SAVEPOINT unit",
	[WRITE_BACK] = "ROLLBACK TO unit",
	[WRITE_RELEASE] = "RELEASE unit",
	[WRITE_COMMIT] = "COMMIT",
	[WRITE_ROLLBACK] = "ROLLBACK",
};

/* ---- filling a unit ---- */

/* With all its writes. */
static void unit_free(struct unit *unit)
{
	for (struct write *write = unit->first, *next; write; write = next) {
		next = write->next;
		free(write);
	}
	free(unit);
}

/* Of a unit that was delivered or dropped. */
static void give_back(struct store *s, size_t bytes)
{
	mutex_lock(&s->guard);
	s->bytes -= bytes;
	mutex_unlock(&s->guard);
}

/* Allocates memory that counts as the queue's; NULL: the queue is full, or out of memory. */
static void *queue_alloc(struct store *s, size_t bytes)
{
	mutex_lock(&s->guard);
	const bool fits = bytes <= s->most_bytes - s->bytes;
	if (fits)
		s->bytes += bytes;
	mutex_unlock(&s->guard);
	return fits ? malloc(bytes) : NULL;
}

/* The unit being filled, begun if necessary; NULL: the queue is full, or out of memory. */
static struct unit *unit_now(struct store *s)
{
	struct unit *unit = s->unit;
	if (unit || !(unit = queue_alloc(s, sizeof *unit)))
		return unit;
	*unit = (struct unit){ .size = sizeof *unit };
	unit->last = &unit->first;
	return s->unit = unit;
}

/* Drops the unit being filled; further writes to it are refused until it is ended. */
static enum qv_status refuse(struct store *s, enum qv_status why)
{
	if (s->unit) {
		give_back(s, s->unit->size);
		unit_free(s->unit);
		s->unit = NULL;
	}
	return s->refused = why;
}

/* Adds a write to the unit being filled. A text that is NULL drops the unit: QV_BAD_INPUT. */
static enum qv_status add_write(struct store *s, enum write_kind kind, int count,
				const struct value *values)
{
	if (s->refused != QV_OK)
		return s->refused;
	size_t size = sizeof(struct write);
	for (int i = 0; i < count; i++) {
		if (values[i].type >= VALUE_TEXT && !values[i].bytes)
			return refuse(s, QV_BAD_INPUT);
		if (values[i].size > s->most_bytes)
			return refuse(s, QV_NO_MEMORY);
		size += values[i].size;
	}
	struct unit *unit = unit_now(s);
	struct write *write = unit ? queue_alloc(s, size) : NULL;
	if (!write)
		return refuse(s, QV_NO_MEMORY);
	unit->size += size;
	*write = (struct write){ .kind = kind, .count = count };
	char *at = write->bytes;
	for (int i = 0; i < count; i++) {
		write->values[i] = values[i];
		if (values[i].type < VALUE_TEXT)
			continue;
		memcpy(at, values[i].bytes, values[i].size);
		write->values[i].bytes = at;
		at += values[i].size;
	}
	*unit->last = write;
	unit->last = &write->next;
	return QV_OK;
}

/* ---- the writes ---- */

static struct value number(int64_t n)
{
	return (struct value){ .type = VALUE_NUMBER, .number = n };
}

static struct value real(double number)
{
	return (struct value){ .type = VALUE_REAL, .real = number };
}

/* most: size with the NUL. A longer text becomes NULL, which add_write refuses. */
static struct value text(const char *bytes, size_t most)
{
	const size_t size = strlen(bytes);
	return (struct value){ .type = VALUE_TEXT,
			       .bytes = size < most ? bytes : NULL,
			       .size = size };
}

/* Any size, but no NUL: it would hide what follows it from SQL. */
static struct value long_text(const char *bytes, size_t size)
{
	const bool good = !size || !memchr(bytes, '\0', size);
	return (struct value){ .type = VALUE_TEXT, .bytes = good ? bytes : NULL, .size = size };
}

static struct value token(const uint8_t hash[STORE_TOKEN])
{
	return (struct value){ .type = VALUE_BYTES, .bytes = hash, .size = STORE_TOKEN };
}

enum qv_status store_add_play(struct store *s, const struct store_play *play)
{
	const struct value values[] = { text(play->id, STORE_ID),    text(play->game, STORE_GAME),
					text(play->owner, STORE_ID), number(play->created),
					number(play->updated),	     number(play->is_private),
					number(play->going),	     number(play->open_seats) };
	return add_write(s, WRITE_PLAY, 8, values);
}

/* The trigger event_order refuses a line that does not follow the last one. */
enum qv_status store_add_event(struct store *s, const char *play, int64_t n, const char *line,
			       size_t size)
{
	const struct value values[] = { text(play, STORE_ID), number(n), long_text(line, size) };
	return add_write(s, WRITE_EVENT, 3, values);
}

/* run_write checks that the play exists. */
enum qv_status store_set_play(struct store *s, const char *play, bool going, int open_seats,
			      int64_t updated)
{
	const struct value values[] = { text(play, STORE_ID), number(going), number(open_seats),
					number(updated) };
	return add_write(s, WRITE_SET_PLAY, 4, values);
}

enum qv_status store_put_user(struct store *s, const char *user, const char *name, int64_t created)
{
	const struct value values[] = { text(user, STORE_ID), text(name, STORE_NAME),
					number(created) };
	return add_write(s, WRITE_USER, 3, values);
}

/* The unique index on login refuses a name that is taken. */
enum qv_status store_put_account(struct store *s, const char *user, const char *login,
				 const char *password_hash)
{
	const struct value values[] = { text(user, STORE_ID), text(login, STORE_NAME),
					text(password_hash, STORE_PASSWORD) };
	return add_write(s, WRITE_ACCOUNT, 3, values);
}

enum qv_status store_put_token(struct store *s, const uint8_t hash[STORE_TOKEN], const char *user,
			       int64_t created)
{
	const struct value values[] = { token(hash), text(user, STORE_ID), number(created) };
	return add_write(s, WRITE_TOKEN, 3, values);
}

enum qv_status store_drop_token(struct store *s, const uint8_t hash[STORE_TOKEN])
{
	const struct value value = token(hash);
	return add_write(s, WRITE_DROP_TOKEN, 1, &value);
}

/* A user may come back to a seat: the second row is ignored. */
enum qv_status store_put_seat(struct store *s, const char *user, const char *play)
{
	const struct value values[] = { text(user, STORE_ID), text(play, STORE_ID) };
	return add_write(s, WRITE_SEAT, 2, values);
}

/* The entry is limited by the queue alone. */
enum qv_status store_put_finished(struct store *s, const struct store_finished *f)
{
	const struct value values[] = { text(f->user, STORE_ID),
					text(f->play, STORE_ID),
					number(f->ended),
					text(f->game, STORE_GAME),
					text(f->outcome, STORE_NAME),
					long_text(f->opponents, strlen(f->opponents)),
					long_text(f->entry, strlen(f->entry)) };
	return add_write(s, WRITE_FINISHED, 7, values);
}

enum qv_status store_drop_finished(struct store *s, const char *user, const char *play)
{
	const struct value values[] = { text(play, STORE_ID), text(user, STORE_ID) };
	return add_write(s, WRITE_DROP_FINISHED, 2, values);
}

enum qv_status store_drop_unlisted(struct store *s)
{
	return add_write(s, WRITE_DROP_UNLISTED, 0, NULL);
}

enum qv_status store_put_puzzle(struct store *s, const char *game, const struct store_puzzle *p)
{
	const struct value values[] = { text(game, STORE_GAME), text(p->id, STORE_ID),
					real(p->rating),	real(p->deviation),
					real(p->volatility),	number(p->tries),
					number(p->solved) };
	return add_write(s, WRITE_PUZZLE, 7, values);
}

enum qv_status store_put_attempt(struct store *s, const char *user, const char *game,
				 const char *puzzle)
{
	const struct value values[] = { text(user, STORE_ID), text(game, STORE_GAME),
					text(puzzle, STORE_ID) };
	return add_write(s, WRITE_ATTEMPT, 3, values);
}

/* The visits follow the row that they refer to; both are written, or neither. */
enum qv_status store_put_explored(struct store *s, const struct store_explored *e)
{
	const struct value drop = text(e->play, STORE_ID);
	const struct value row[] = {
		text(e->play, STORE_ID), text(e->game, STORE_GAME),
		number(e->mark),	 number(e->result),
		number(e->is_public),	 long_text(e->entry, strlen(e->entry))
	};
	const struct value visits[] = { text(e->play, STORE_ID),
					long_text(e->visits, strlen(e->visits)) };
	enum qv_status status = add_write(s, WRITE_DROP_EXPLORED, 1, &drop);
	if (status == QV_OK)
		status = add_write(s, WRITE_EXPLORED, 6, row);
	return status == QV_OK ? add_write(s, WRITE_VISITS, 2, visits) : status;
}

enum qv_status store_drop_explored(struct store *s, const char *play)
{
	const struct value value = text(play, STORE_ID);
	return add_write(s, WRITE_DROP_EXPLORED, 1, &value);
}

enum qv_status store_drop_outdated(struct store *s, const char *game, int64_t mark)
{
	const struct value values[] = { text(game, STORE_GAME), number(mark) };
	return add_write(s, WRITE_DROP_OUTDATED, 2, values);
}

/* The body is limited by the queue alone. */
enum qv_status store_add_study(struct store *s, const struct store_study *study, const char *body)
{
	const struct value values[] = { text(study->id, STORE_ID),
					text(study->owner, STORE_ID),
					number(study->created),
					number(study->updated),
					text(study->title, STORE_TITLE),
					number(study->chapters),
					long_text(body, strlen(body)) };
	return add_write(s, WRITE_STUDY, 7, values);
}

/* run_write checks that a row has this version. */
enum qv_status store_set_study(struct store *s, const struct store_study *study, const char *body)
{
	const struct value values[] = { text(study->id, STORE_ID),
					number(study->version),
					number(study->updated),
					text(study->title, STORE_TITLE),
					number(study->chapters),
					long_text(body, strlen(body)) };
	return add_write(s, WRITE_SET_STUDY, 6, values);
}

enum qv_status store_drop_study(struct store *s, const char *study)
{
	const struct value value = text(study, STORE_ID);
	return add_write(s, WRITE_DROP_STUDY, 1, &value);
}

enum qv_status store_put_imcs_user(struct store *s, const struct store_imcs_user *u)
{
	const struct value values[] = { text(u->name, STORE_NAME), text(u->user, STORE_ID),
					text(u->password_hash, STORE_PASSWORD), number(u->rating) };
	return add_write(s, WRITE_IMCS_USER, 4, values);
}

/* The log may be long and is limited by the queue alone. */
enum qv_status store_put_imcs_game(struct store *s, const struct store_imcs_game *g)
{
	const struct value values[] = { number(g->id),
					text(g->white, STORE_NAME),
					text(g->black, STORE_NAME),
					text(g->play, STORE_ID),
					number(g->began),
					number(g->ended),
					long_text(g->result, strlen(g->result)),
					long_text(g->log, g->log_size) };
	return add_write(s, WRITE_IMCS_GAME, 8, values);
}

/* ---- queueing and delivering ---- */

/* An empty unit is queued, too, since somebody may wait for its `done`. */
enum qv_status store_end_unit(struct store *s, void (*done)(void *ctx, bool ok), void *ctx)
{
	if (s->closing)
		refuse(s, QV_STOPPED); /* a `done` that store_close calls */
	else if (s->refused == QV_OK && !unit_now(s))
		refuse(s, QV_NO_MEMORY);
	const enum qv_status status = s->refused;
	s->refused = QV_OK;
	if (status != QV_OK)
		return status;
	struct unit *unit = s->unit;
	s->unit = NULL;
	unit->done = done;
	unit->ctx = ctx;
	mutex_lock(&s->guard);
	*s->queue_end = unit;
	s->queue_end = &unit->next;
	condition_signal(&s->news);
	mutex_unlock(&s->guard);
	return QV_OK;
}

/* The list is taken first: a `done` may queue units, and those may be written at once. */
void store_deliver(struct store *s)
{
	mutex_lock(&s->guard);
	struct unit *units = s->written;
	s->written = NULL;
	s->written_end = &s->written;
	mutex_unlock(&s->guard);
	for (struct unit *unit = units, *next; unit; unit = next) {
		next = unit->next;
		give_back(s, unit->size);
		if (unit->done)
			unit->done(unit->ctx, unit->ok);
		unit_free(unit);
	}
}

struct qv_error store_last_error(struct store *s)
{
	mutex_lock(&s->guard);
	const struct qv_error trouble = s->trouble;
	mutex_unlock(&s->guard);
	return trouble;
}

bool store_failing(struct store *s, struct qv_error *why)
{
	mutex_lock(&s->guard);
	const bool failing = s->failing;
	if (failing && why)
		*why = s->failure;
	mutex_unlock(&s->guard);
	return failing;
}

/* Whether it succeeded is known from store_failing. */
static void probe_done(void *ctx, bool ok)
{
	struct store *s = ctx;
	(void)ok;
	s->probing = false;
}

/* Not while a unit is being filled: the probe would become a part of it. */
void store_probe(struct store *s)
{
	if (s->probing || s->unit || s->refused != QV_OK)
		return;
	s->probing = add_write(s, WRITE_PROBE, 0, NULL) == QV_OK &&
		     store_end_unit(s, probe_done, s) == QV_OK;
}

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
static bool is_in_place(struct store *s, struct qv_error *trouble)
{
	struct writer *w = &s->writer;
	char log[1024];
	int moved = 0;
	snprintf(log, sizeof log, "%.1000s-wal", s->path);
	sqlite3_file_control(w->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	if (w->lost || moved || !mark_is_right(&w->database, s->path) ||
	    !mark_is_right(&w->log, log)) {
		w->lost = w->at_fault = true;
		qv_fail(trouble, QV_IO,
			"%.120s: was removed or replaced; nothing is stored until the server is "
			"restarted",
			s->path);
	}
	return !w->lost;
}

/* ---- committing, in the store's thread ---- */

/* A unit that violates a constraint or is too large is itself at fault; otherwise the disk is. */
static void note_failure(struct writer *w, struct qv_error *trouble)
{
	const int code = sqlite3_errcode(w->db) & 0xff;
	w->at_fault |= code != SQLITE_CONSTRAINT && code != SQLITE_TOOBIG;
	qv_fail(trouble, QV_IO, "database: %.200s", sqlite3_errmsg(w->db));
}

/* Runs a statement without results. The reset does not change SQLite's error state. */
static bool run(struct writer *w, enum write_kind kind, struct qv_error *trouble)
{
	const bool ok = sqlite3_step(w->writes[kind]) == SQLITE_DONE;
	if (!ok)
		note_failure(w, trouble);
	sqlite3_reset(w->writes[kind]);
	return ok;
}

/* Binds the values and runs the statement. */
static bool run_write(struct writer *w, const struct write *write, struct qv_error *trouble)
{
	sqlite3_stmt *statement = w->writes[write->kind];
	int code = SQLITE_OK;
	for (int i = 0; code == SQLITE_OK && i < write->count; i++) {
		const struct value *v = &write->values[i];
		if (v->type == VALUE_NUMBER)
			code = sqlite3_bind_int64(statement, i + 1, v->number);
		else if (v->type == VALUE_REAL)
			code = sqlite3_bind_double(statement, i + 1, v->real);
		else if (v->type == VALUE_TEXT)
			code = sqlite3_bind_text64(statement, i + 1, v->bytes, v->size,
						   SQLITE_STATIC, SQLITE_UTF8);
		else
			code = sqlite3_bind_blob64(statement, i + 1, v->bytes, v->size,
						   SQLITE_STATIC);
	}
	if (code != SQLITE_OK)
		note_failure(w, trouble);
	const bool ok = code == SQLITE_OK && run(w, write->kind, trouble);
	sqlite3_clear_bindings(statement);
	const bool updates = write->kind == WRITE_SET_PLAY || write->kind == WRITE_SET_STUDY;
	if (ok && updates && sqlite3_changes(w->db) != 1) {
		qv_fail(trouble, QV_IO,
			write->kind == WRITE_SET_PLAY
				? "database: update of a play that does not exist"
				: "database: update of a study that has another version");
		return false;
	}
	return ok;
}

/* Writes a unit in its own savepoint. False: the whole transaction is lost. */
static bool write_unit(struct writer *w, struct unit *unit, struct qv_error *trouble)
{
	if (!run(w, WRITE_MARK, trouble))
		return false;
	unit->ok = true;
	for (const struct write *write = unit->first; unit->ok && write; write = write->next)
		unit->ok = run_write(w, write, trouble);
	if (sqlite3_get_autocommit(w->db))
		return false;
	if (!unit->ok && !run(w, WRITE_BACK, trouble))
		return false;
	return run(w, WRITE_RELEASE, trouble);
}

enum commit_result {
	COMMIT_WRITTEN, /* something is on disk */
	COMMIT_NOTHING, /* nothing to write, or all of it violated a constraint */
	COMMIT_FAILED,	/* it cannot write: disk full, I/O error, file removed */
};

/*
 * Commits the units and sets `ok` of each. trouble gets one failure, if any. A unit is ok only if
 * the path named the same file before and after the commit.
 */
static enum commit_result commit_units(struct store *s, struct unit *units,
				       struct qv_error *trouble)
{
	struct writer *w = &s->writer;
	const bool was_lost = w->lost;
	bool wrote = false;
	w->at_fault = false;
	bool ok = !w->lost && run(w, WRITE_BEGIN, trouble);
	for (struct unit *unit = units; ok && unit; unit = unit->next) {
		ok = write_unit(w, unit, trouble);
		wrote |= unit->ok && unit->first;
	}
	ok = ok && is_in_place(s, trouble) && run(w, WRITE_COMMIT, trouble) &&
	     is_in_place(s, trouble);
	if (ok && !w->at_fault)
		return wrote ? COMMIT_WRITTEN : COMMIT_NOTHING;
	if (ok)
		return COMMIT_FAILED; /* some units failed; the others are on disk */
	if (!sqlite3_get_autocommit(w->db))
		run(w, WRITE_ROLLBACK, trouble);
	for (struct unit *unit = units; unit; unit = unit->next)
		unit->ok = false;
	/*
	 * Moves everything in the log into the database, wherever that is now. Otherwise the next
	 * server would apply this log to whatever database it finds beside it.
	 */
	if (w->lost && !was_lost)
		sqlite3_wal_checkpoint_v2(w->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	if (w->lost)
		is_in_place(s, trouble); /* sets the error */
	return COMMIT_FAILED;
}

/* The thread: takes all queued units at once and commits them, until the store closes. */
static void write_units(void *ctx)
{
	struct store *s = ctx;
	for (;;) {
		struct qv_error trouble = { "" };
		mutex_lock(&s->guard);
		while (!s->queued && !s->closing)
			condition_wait(&s->news, &s->guard);
		struct unit *units = s->queued, *last = units;
		s->queued = NULL;
		s->queue_end = &s->queued;
		mutex_unlock(&s->guard);
		if (!units)
			return;
		const enum commit_result result = commit_units(s, units, &trouble);
		while (last->next)
			last = last->next;
		mutex_lock(&s->guard);
		*s->written_end = units;
		s->written_end = &last->next;
		if (trouble.text[0])
			s->trouble = trouble;
		if (result != COMMIT_NOTHING)
			s->failing = result == COMMIT_FAILED;
		if (result == COMMIT_FAILED)
			s->failure = trouble;
		mutex_unlock(&s->guard);
		if (s->wake)
			s->wake(s->ctx);
	}
}

/* ---- opening and closing ---- */

/* The system releases the lock when the process ends, however it ends; the file stays. */
static enum qv_status lock_folder(const char *folder, int *out, struct qv_error *error)
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

/* Also of a store that was only opened in part. The thread has ended. */
static void release(struct store *s)
{
	/* The reader first: the last connection cleans up the log and must be able to write. */
	reader_close(&s->reader);
	for (int kind = 0; kind < WRITE_KINDS; kind++)
		sqlite3_finalize(s->writer.writes[kind]);
	sqlite3_close(s->writer.db);
	if (s->lock >= 0)
		close(s->lock);
	condition_release(&s->news);
	mutex_release(&s->guard);
	free(s);
}

/* The folder is locked before the database is touched. */
static enum qv_status open_parts(struct store *s, const char *folder, struct qv_error *error)
{
	struct writer *w = &s->writer;
	sigset_t all, before;
	char probe[64];
	enum qv_status status = folder_make(folder, error);
	if (status == QV_OK)
		status = folder_path(folder, STORE_DATABASE, s->path, error);
	if (status == QV_OK)
		status = lock_folder(folder, &s->lock, error);
	if (status == QV_OK)
		status = store_connect(s->path, &w->db, error);
	/* SQLite writes the page of the probe even if the version does not change. */
	snprintf(probe, sizeof probe, "PRAGMA user_version = %d", store_step_count);
	for (int kind = 0; status == QV_OK && kind < WRITE_KINDS; kind++)
		if (sqlite3_prepare_v3(w->db, kind == WRITE_PROBE ? probe : write_sql[kind], -1,
				       SQLITE_PREPARE_PERSISTENT, &w->writes[kind],
				       NULL) != SQLITE_OK)
			status = store_fault(w->db, s->path, error);
	if (status == QV_OK) {
		mark_is_right(&w->database, s->path);
		status = folder_sync(folder, error);
	}
	if (status == QV_OK)
		status = reader_open(&s->reader, s->path, error);
	if (status != QV_OK)
		return status;
	/* The thread runs with all signals blocked: the main thread handles them. */
	sigfillset(&all);
	thread_signal_mask(SIG_SETMASK, &all, &before);
	const bool started = thread_start(&s->thread, write_units, s);
	thread_signal_mask(SIG_SETMASK, &before, NULL);
	return started ? QV_OK
		       : qv_fail(error, QV_NO_MEMORY, "%.160s: cannot start the writer thread",
				 s->path);
}

/* The thread is started last, when nothing can fail any more. */
enum qv_status store_open(const struct store_setup *setup, struct store **out,
			  struct qv_error *error)
{
	struct store *s = calloc(1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	s->lock = -1;
	s->wake = setup->wake;
	s->ctx = setup->ctx;
	s->most_bytes = setup->queue_bytes ? setup->queue_bytes : QUEUE_BYTES;
	s->queue_end = &s->queued;
	s->written_end = &s->written;
	mutex_init(&s->guard);
	condition_init(&s->news);
	const enum qv_status status = open_parts(s, setup->folder, error);
	if (status == QV_OK)
		*out = s;
	else
		release(s);
	return status;
}

/* The thread writes what is queued and ends; then the last results are delivered. */
void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->unit)
		store_end_unit(s, NULL, NULL);
	mutex_lock(&s->guard);
	s->closing = true;
	condition_signal(&s->news);
	mutex_unlock(&s->guard);
	thread_join(&s->thread);
	store_deliver(s);
	refuse(s, QV_STOPPED);
	release(s);
}
