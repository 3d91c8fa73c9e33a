/*
 * schema.c - the tables of SQLite's database, their migration, how connections are opened, backups.
 * SPDX-License-Identifier: MIT
 *
 * The version of the tables is SQLite's user_version, and application_id marks the file as ours. A
 * connection for writing uses WAL with synchronous=FULL: what is committed survives a power cut,
 * and readers do not wait for the writer.
 *
 * A backup copies all pages within one read transaction, so the copy is a consistent snapshot; in
 * WAL mode the server continues to write meanwhile. The copy is a single file: it does not use WAL.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "server/store/sqlite.h"

enum {
	APPLICATION = 0x51564442, /* "QVDB", in the header of the file */
	BACKUP_BUSY_MS = 10000,	  /* a server that starts or ends may lock it longer */
	CHECKPOINT_PAGES = 1000,
	LOG_BYTES = 8 << 20, /* of the log that are kept after a long transaction */
	CHECK_BYTES = 64 << 20, /* a larger database is not checked while visitors wait */
};

/* The ratings of puzzles that somebody has tried, and who has tried which: guests have no row. */
#define PUZZLE_TABLES                                                              \
	"CREATE TABLE puzzle ("                                                    \
	" game TEXT NOT NULL, id TEXT NOT NULL, rating REAL NOT NULL,"             \
	" deviation REAL NOT NULL, volatility REAL NOT NULL,"                      \
	" tries INTEGER NOT NULL, solved INTEGER NOT NULL, PRIMARY KEY (game, id)" \
	") STRICT, WITHOUT ROWID;"                                                 \
	"CREATE TABLE puzzle_attempt ("                                            \
	" user TEXT NOT NULL, game TEXT NOT NULL, puzzle TEXT NOT NULL,"           \
	" PRIMARY KEY (user, game, puzzle)"                                        \
	") STRICT, WITHOUT ROWID;"

/*
 * The latest games that ended before there was a list of finished games (step 3). Only the API can
 * write its entries: it does so when it opens, once.
 */
#define UNLISTED_TABLE                                             \
	"CREATE TABLE unlisted ("                                  \
	" play TEXT NOT NULL PRIMARY KEY REFERENCES play"          \
	") STRICT, WITHOUT ROWID;"                                 \
	"INSERT INTO unlisted SELECT id FROM play WHERE going = 0" \
	" AND id NOT IN (SELECT play FROM finished)"               \
	" ORDER BY updated DESC LIMIT 2000;"

/* Studies: `body` is JSON, as the API takes and returns it. A save names the version it replaces. */
#define STUDIES_STEP                                                                        \
	"CREATE TABLE studies ("                                                            \
	" id TEXT NOT NULL PRIMARY KEY, owner TEXT NOT NULL REFERENCES user,"               \
	" version INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,"    \
	" title TEXT NOT NULL, chapters INTEGER NOT NULL, body TEXT NOT NULL"               \
	") STRICT, WITHOUT ROWID;"                                                          \
	"CREATE INDEX studies_owner ON studies (owner, updated);"

/*
 * Many servers. A play belongs to one node (server) at a time; whoever takes it over adds 1 to the
 * epoch, and the writes of the node before fail. A node is alive until a time in ms since 1970.
 */
#define NODES_STEP                                                    \
	"ALTER TABLE play ADD COLUMN node TEXT NOT NULL DEFAULT '';"  \
	"ALTER TABLE play ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;" \
	"CREATE TABLE node ("                                         \
	" id TEXT NOT NULL PRIMARY KEY, until INTEGER NOT NULL, address TEXT NOT NULL" \
	") STRICT, WITHOUT ROWID;"

/* The games in progress of a user are found without looking at the finished ones. */
#define GOING_STEP                                                                       \
	"ALTER TABLE seat ADD COLUMN going INTEGER NOT NULL DEFAULT 1"                   \
	" CHECK (going IN (0, 1));"                                                      \
	"UPDATE seat SET going = 0 WHERE play IN (SELECT id FROM play WHERE going = 0);" \
	"CREATE INDEX seat_going ON seat (user) WHERE going = 1;"                        \
	"CREATE INDEX play_own_going ON play (owner) WHERE going = 1;"

/*
 * Accounts. A cookie without a session, of a guest or from before there were sessions, is valid
 * while the epoch of its user is 0; a session is valid while it has the epoch of its user.
 * account.skeleton: name_skeleton of the login; the names before this step are ASCII, so that SQL
 * can make it. token.used, session.seen: the day, in seconds since 1970.
 *
 * revocation: what has ended, for all servers of the database, which look for new rows twice a
 * second; issuer: the session or token, "" for all cookies of the user but those of `kept`. Without
 * a user it is a play that was deleted.
 * code: one-time codes, as hashes. deletion: users whose games are still to be changed, and the
 * last one that was.
 */
#define ACCOUNTS_STEP                                                                        \
	"ALTER TABLE user ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;"                      \
	"ALTER TABLE account ADD COLUMN email TEXT NOT NULL DEFAULT '';"                     \
	"ALTER TABLE account ADD COLUMN skeleton TEXT NOT NULL DEFAULT '';"                  \
	"UPDATE account SET skeleton = replace(replace(replace(replace(replace(lower(login),"\
	" '_', ''), '-', ''), '0', 'o'), '1', 'l'), 'i', 'l');"                              \
	"CREATE INDEX account_skeleton ON account (skeleton);"                               \
	"ALTER TABLE token ADD COLUMN id TEXT NOT NULL DEFAULT '';"                          \
	"ALTER TABLE token ADD COLUMN label TEXT NOT NULL DEFAULT '';"                       \
	"ALTER TABLE token ADD COLUMN used INTEGER NOT NULL DEFAULT 0;"                      \
	"UPDATE token SET id = lower(hex(substr(hash, 1, 8)));"                              \
	"CREATE UNIQUE INDEX token_id ON token (id);"                                        \
	"CREATE TABLE session ("                                                             \
	" id TEXT NOT NULL PRIMARY KEY, user TEXT NOT NULL REFERENCES user,"                 \
	" epoch INTEGER NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL,"          \
	" label TEXT NOT NULL"                                                               \
	") STRICT, WITHOUT ROWID;"                                                           \
	"CREATE INDEX session_of_user ON session (user, seen);"                                 \
	"CREATE TABLE revocation ("                                                          \
	" number INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, issuer TEXT NOT NULL,"\
	" kept TEXT NOT NULL, made INTEGER NOT NULL"                                         \
	") STRICT;"                                                                          \
	"CREATE TABLE code ("                                                                \
	" hash BLOB NOT NULL PRIMARY KEY, user TEXT NOT NULL REFERENCES user,"               \
	" purpose TEXT NOT NULL, email TEXT NOT NULL, expires INTEGER NOT NULL"              \
	") STRICT, WITHOUT ROWID;"                                                           \
	"CREATE INDEX code_user ON code (user, purpose);"                                    \
	"CREATE TABLE deletion ("                                                            \
	" user TEXT NOT NULL PRIMARY KEY REFERENCES user, play TEXT NOT NULL"                \
	") STRICT, WITHOUT ROWID;"

/*
 * quota: how many bytes a visitor has stored on a day, since 1970; names are of the caller's choice.
 * The indexes are for the removal of what is old (upkeep.c). Attempts at puzzles get a day, too:
 * those that have none count as made when somebody last played.
 */
#define UPKEEP_STEP                                                                             \
	"CREATE TABLE quota ("                                                                  \
	" name TEXT NOT NULL, day INTEGER NOT NULL, used INTEGER NOT NULL,"                     \
	" PRIMARY KEY (day, name)"                                                              \
	") STRICT, WITHOUT ROWID;"                                                              \
	"CREATE INDEX play_updated ON play (updated, id);"                                      \
	"CREATE INDEX imcs_user_user ON imcs_user (user);"                                      \
	"CREATE INDEX imcs_game_play ON imcs_game (play);"                                      \
	"ALTER TABLE puzzle_attempt ADD COLUMN day INTEGER NOT NULL DEFAULT 0;"                 \
	"UPDATE puzzle_attempt SET day = (SELECT coalesce(max(updated), 0) / 86400 FROM play);" \
	"CREATE INDEX puzzle_attempt_day ON puzzle_attempt (day);"

/* Of each line: see line_checksum. Lines that were stored before have none and are not checked. */
#define CHECKSUM_STEP "ALTER TABLE event ADD COLUMN checksum INTEGER;"

/*
 * guess: wrong guesses at a secret, such as a password. name: a hash that the caller chooses. In ms
 * since 1970: last, the last guess that was let through; next, when the next one may be.
 * refused: was the newest one too early?
 */
#define GUESS_STEP                                                                         \
	"CREATE TABLE guess ("                                                             \
	" name TEXT NOT NULL PRIMARY KEY, wrong INTEGER NOT NULL, last INTEGER NOT NULL,"  \
	" next INTEGER NOT NULL, refused INTEGER NOT NULL"                                 \
	") STRICT, WITHOUT ROWID;"                                                         \
	"CREATE INDEX guess_last ON guess (last);"

/*
 * IMCS of several servers. version: grows with each change of an account, so that servers read what
 * is new. imcs_entry: the offers and games that a server has now; black is "" for an offer.
 * imcs_number: the last number of a game, and the last version.
 */
#define IMCS_STEP                                                                           \
	"ALTER TABLE imcs_user ADD COLUMN version INTEGER NOT NULL DEFAULT 0;"              \
	"CREATE INDEX imcs_user_version ON imcs_user (version);"                            \
	"CREATE TABLE imcs_entry ("                                                         \
	" id INTEGER PRIMARY KEY, node TEXT NOT NULL, since INTEGER NOT NULL,"              \
	" white TEXT NOT NULL, black TEXT NOT NULL, color TEXT NOT NULL,"                   \
	" own_s INTEGER NOT NULL, other_s INTEGER NOT NULL,"                                \
	" white_rating INTEGER NOT NULL, black_rating INTEGER NOT NULL"                     \
	") STRICT;"                                                                         \
	"CREATE TABLE imcs_number (what TEXT NOT NULL PRIMARY KEY, last INTEGER NOT NULL)"  \
	" STRICT, WITHOUT ROWID;"

/*
 * mark: what the servers remember of themselves. clock: the last time that was no surprise; dice:
 * changes with each restore, see secrets_dice. removal: see removals.c. One row for each what and id.
 */
#define NOTE_REMOVAL(what, id_, value)                                               \
	" BEGIN DELETE FROM removal WHERE id = " id_ " AND what = " what ";"           \
	" INSERT INTO removal (what, id, value, made)"                               \
	" VALUES (" what ", " id_ ", " value                                   \
	", CAST(strftime('%s', 'now') AS INTEGER)); END;"
#define REMOVAL_STEP                                                                          \
	"CREATE TABLE mark (what TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"             \
	" STRICT, WITHOUT ROWID;"                                                             \
	"CREATE TABLE removal ("                                                              \
	" number INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, id TEXT NOT NULL,"    \
	" value TEXT NOT NULL, made INTEGER NOT NULL"                                         \
	") STRICT;"                                                                           \
	"CREATE INDEX removal_id ON removal (id, what);"                                      \
	"CREATE INDEX removal_made ON removal (made);"                                        \
	/* What was noted of an account goes with it. */                                      \
	"CREATE TRIGGER account_removed AFTER INSERT ON deletion BEGIN"                       \
	" DELETE FROM removal WHERE id = NEW.user;"                                           \
	" INSERT INTO removal (what, id, value, made)"                                        \
	" VALUES ('account', NEW.user, '', CAST(strftime('%s', 'now') AS INTEGER)); END;"     \
	"CREATE TRIGGER password_changed AFTER UPDATE OF password ON account"                 \
	" WHEN NEW.password <> OLD.password" NOTE_REMOVAL("'password'", "NEW.user", "NEW.password") \
	"CREATE TRIGGER email_changed AFTER UPDATE OF email ON account"                       \
	" WHEN NEW.email <> OLD.email" NOTE_REMOVAL("'email'", "NEW.user", "NEW.email")       \
	"CREATE TRIGGER epoch_changed AFTER UPDATE OF epoch ON user"                          \
	" WHEN NEW.epoch > OLD.epoch"                                                         \
	NOTE_REMOVAL("'epoch'", "NEW.id", "CAST(NEW.epoch AS TEXT)")                          \
	"CREATE TRIGGER token_removed AFTER DELETE ON token" NOTE_REMOVAL("'token'", "OLD.id", "''") \
	"CREATE TRIGGER study_removed AFTER DELETE ON studies" NOTE_REMOVAL("'study'", "OLD.id", "''") \
	"CREATE TRIGGER game_removed AFTER INSERT ON revocation WHEN NEW.user = ''"           \
	NOTE_REMOVAL("'game'", "NEW.issuer", "''")

/*
 * What protects people from each other. report: kind and object are what was reported, about is the
 * user behind it, shown the name or title at that time; closed: when the operator did, or 0;
 * network: where it came from, as in audit.
 * suspension: target is a user or an address; until 0: without end. audit: what was done to accounts
 * and by operators; equal rows of one second are counted in one.
 */
#define MODERATION_STEP                                                                        \
	"CREATE TABLE report ("                                                                \
	" id TEXT NOT NULL PRIMARY KEY, made INTEGER NOT NULL, reporter TEXT NOT NULL,"        \
	" kind TEXT NOT NULL, object TEXT NOT NULL, about TEXT NOT NULL, shown TEXT NOT NULL," \
	" reason TEXT NOT NULL, text TEXT NOT NULL, closed INTEGER NOT NULL,"                  \
	" network TEXT NOT NULL"                                                               \
	") STRICT, WITHOUT ROWID;"                                                             \
	"CREATE INDEX report_made ON report (made);"                                           \
	"CREATE TABLE suspension ("                                                            \
	" target TEXT NOT NULL PRIMARY KEY, reason TEXT NOT NULL, made INTEGER NOT NULL,"      \
	" until INTEGER NOT NULL"                                                              \
	") STRICT, WITHOUT ROWID;"                                                             \
	"CREATE TABLE audit ("                                                                 \
	" made INTEGER NOT NULL, what TEXT NOT NULL, user TEXT NOT NULL,"                      \
	" network TEXT NOT NULL, detail TEXT NOT NULL, times INTEGER NOT NULL,"                \
	" PRIMARY KEY (made, what, user, network, detail)"                                     \
	") STRICT, WITHOUT ROWID;"

/*
 * To change the tables: add a step, never edit a released one. A step runs with foreign keys off,
 * so that it may rebuild a table; they are checked at its end.
 *
 * The lines of a play are its only source; going, open_seats and the like are indexes to find it
 * by.
 */
const char *const store_steps[] = {
	"CREATE TABLE user ("
	" id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL"
	") STRICT, WITHOUT ROWID;"
	"CREATE TABLE account ("
	" user TEXT NOT NULL PRIMARY KEY REFERENCES user,"
	" login TEXT NOT NULL COLLATE NOCASE UNIQUE, password TEXT NOT NULL"
	") STRICT, WITHOUT ROWID;"
	"CREATE TABLE token ("
	" hash BLOB NOT NULL PRIMARY KEY, user TEXT NOT NULL REFERENCES user,"
	" created INTEGER NOT NULL"
	") STRICT, WITHOUT ROWID;"
	"CREATE INDEX token_user ON token (user);"
	"CREATE TABLE play ("
	" id TEXT NOT NULL PRIMARY KEY, game TEXT NOT NULL, owner TEXT NOT NULL REFERENCES user,"
	" created INTEGER NOT NULL, updated INTEGER NOT NULL,"
	" private INTEGER NOT NULL CHECK (private IN (0, 1)),"
	" going INTEGER NOT NULL CHECK (going IN (0, 1)),"
	" open_seats INTEGER NOT NULL CHECK (open_seats >= 0)"
	") STRICT, WITHOUT ROWID;"
	"CREATE INDEX play_owner ON play (owner);"
	"CREATE INDEX play_going ON play (updated) WHERE going = 1;"
	"CREATE INDEX play_lobby ON play (updated)"
	" WHERE going = 1 AND private = 0 AND open_seats > 0;"
	"CREATE TABLE seat ("
	" user TEXT NOT NULL REFERENCES user, play TEXT NOT NULL REFERENCES play,"
	" PRIMARY KEY (user, play)"
	") STRICT, WITHOUT ROWID;"
	"CREATE INDEX seat_play ON seat (play);"
	"CREATE TABLE event ("
	" play TEXT NOT NULL REFERENCES play, number INTEGER NOT NULL, line TEXT NOT NULL,"
	" PRIMARY KEY (play, number)"
	") STRICT, WITHOUT ROWID;"
	/* If a line was not written, the lines after it must not be either. */
	"CREATE TRIGGER event_order BEFORE INSERT ON event"
	" WHEN NEW.number <>"
	"  (SELECT coalesce(max(number) + 1, 0) FROM event WHERE play = NEW.play)"
	" BEGIN SELECT RAISE(ABORT, 'a line is out of order'); END;",
	/* 2: IMCS. play: the play that shows the game on the page, or "". ended 0: in progress. */
	"CREATE TABLE imcs_user ("
	" number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" user TEXT NOT NULL REFERENCES user, password TEXT NOT NULL, rating INTEGER NOT NULL"
	") STRICT;"
	"CREATE TABLE imcs_game ("
	" id INTEGER PRIMARY KEY, white TEXT NOT NULL, black TEXT NOT NULL, play TEXT NOT NULL,"
	" began INTEGER NOT NULL, ended INTEGER NOT NULL, result TEXT NOT NULL, log TEXT NOT NULL"
	") STRICT;"
	"CREATE INDEX imcs_going ON imcs_game (id) WHERE ended = 0;",
	/* 3: the finished games in the list of each player. entry: JSON, as the API returns it. */
	"CREATE TABLE finished ("
	" user TEXT NOT NULL REFERENCES user, play TEXT NOT NULL REFERENCES play,"
	" ended INTEGER NOT NULL, game TEXT NOT NULL, outcome TEXT NOT NULL,"
	" opponents TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (user, play)"
	") STRICT, WITHOUT ROWID;"
	"CREATE INDEX finished_latest ON finished (user, ended);"
	"CREATE INDEX finished_play ON finished (play);",
	/* 4 and 5 */
	PUZZLE_TABLES,
	UNLISTED_TABLE,
	/*
	 * 6: the opening explorer. explored: the finished games that were looked at; result: 0 a
	 * draw, else the seat that won. visit: the first visit of each game to a position, and the
	 * move that was played there; level: of a computer, or a word of store.h. tally: what the
	 * visits of public games amount to, so that a popular position costs no more than others.
	 */
	"CREATE TABLE explored ("
	" number INTEGER PRIMARY KEY, play TEXT NOT NULL UNIQUE REFERENCES play,"
	" game TEXT NOT NULL, mark INTEGER NOT NULL, result INTEGER NOT NULL,"
	" public INTEGER NOT NULL CHECK (public IN (0, 1)), entry TEXT NOT NULL"
	") STRICT;"
	"CREATE INDEX explored_game ON explored (game, mark);"
	"CREATE TABLE visit ("
	" position INTEGER NOT NULL, public INTEGER NOT NULL,"
	" explored INTEGER NOT NULL REFERENCES explored ON DELETE CASCADE,"
	" move TEXT NOT NULL, level INTEGER NOT NULL, result INTEGER NOT NULL,"
	" PRIMARY KEY (position, public, explored)"
	") STRICT, WITHOUT ROWID;"
	"CREATE INDEX visit_explored ON visit (explored);"
	"CREATE TABLE tally ("
	" position INTEGER NOT NULL, move TEXT NOT NULL, result INTEGER NOT NULL,"
	" games INTEGER NOT NULL, people INTEGER NOT NULL, computers INTEGER NOT NULL,"
	" levels INTEGER NOT NULL, PRIMARY KEY (position, move, result)"
	") STRICT, WITHOUT ROWID;"
	"CREATE TRIGGER visit_added AFTER INSERT ON visit WHEN NEW.public = 1 BEGIN"
	" INSERT INTO tally VALUES (NEW.position, NEW.move, NEW.result, 1, NEW.level = -1,"
	"  NEW.level > 0, max(NEW.level, 0)) ON CONFLICT (position, move, result) DO UPDATE"
	"  SET games = games + 1, people = people + excluded.people,"
	"  computers = computers + excluded.computers, levels = levels + excluded.levels;"
	"END;"
	"CREATE TRIGGER visit_removed AFTER DELETE ON visit WHEN OLD.public = 1 BEGIN"
	" UPDATE tally SET games = games - 1, people = people - (OLD.level = -1),"
	"  computers = computers - (OLD.level > 0), levels = levels - max(OLD.level, 0)"
	"  WHERE position = OLD.position AND move = OLD.move AND result = OLD.result;"
	" DELETE FROM tally WHERE position = OLD.position AND move = OLD.move"
	"  AND result = OLD.result AND games = 0;"
	"END;",
	/* 7 to 16 */
	STUDIES_STEP,
	NODES_STEP,
	GOING_STEP,
	UPKEEP_STEP,
	CHECKSUM_STEP,
	ACCOUNTS_STEP,
	GUESS_STEP,
	IMCS_STEP,
	REMOVAL_STEP,
	MODERATION_STEP,
};
const int store_step_count = sizeof store_steps / sizeof *store_steps;

/* The three errors that a user can do something about have their own texts. */
enum qv_status store_fault(sqlite3 *db, const char *path, struct qv_error *error)
{
	const int code = sqlite3_errcode(db) & 0xff;
	if (code == SQLITE_NOTADB)
		return qv_fail(error, QV_IO, "%.160s: is not a database", path);
	if (code == SQLITE_CORRUPT)
		return qv_fail(error, QV_IO, "%.160s: is damaged", path);
	return qv_fail(error, code == SQLITE_NOMEM ? QV_NO_MEMORY : QV_IO, "%.160s: %.80s", path,
		       sqlite3_errmsg(db));
}

/* For statements without results. */
static enum qv_status run_sql(sqlite3 *db, const char *sql, const char *path,
			      struct qv_error *error)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_fault(db, path, error);
	return QV_OK;
}

/* The first column of the first row. */
static enum qv_status query_number(sqlite3 *db, const char *sql, const char *path, int64_t *out,
				   struct qv_error *error)
{
	sqlite3_stmt *statement = NULL;
	enum qv_status status = QV_OK;
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW)
		*out = sqlite3_column_int64(statement, 0);
	else
		status = store_fault(db, path, error);
	sqlite3_finalize(statement);
	return status;
}

/* ---- versions ---- */

struct identity {
	int64_t application, version, tables;
};

/* A new file has neither tables nor marks. */
static enum qv_status identify(sqlite3 *db, const char *path, struct identity *out,
			       struct qv_error *error)
{
	enum qv_status status =
		query_number(db, "SELECT count(*) FROM sqlite_schema", path, &out->tables, error);
	if (status == QV_OK)
		status = query_number(db, "PRAGMA application_id", path, &out->application, error);
	if (status == QV_OK)
		status = query_number(db, "PRAGMA user_version", path, &out->version, error);
	return status;
}

enum qv_status store_recognise(sqlite3 *db, const char *path, struct qv_error *error)
{
	struct identity is;
	const enum qv_status status = identify(db, path, &is, error);
	if (status == QV_OK && (is.application != APPLICATION || is.version < 1))
		return qv_fail(error, QV_IO, "%.160s: is a database of another program", path);
	return status;
}

/* Runs one migration step in the open transaction and commits it. */
static enum qv_status take_step(sqlite3 *db, const char *path, const char *sql, int version,
				struct qv_error *error)
{
	char mark[80];
	int64_t broken = 0;
	enum qv_status status = run_sql(db, sql, path, error);
	if (status == QV_OK)
		status = query_number(db, "SELECT count(*) FROM pragma_foreign_key_check", path,
				      &broken, error);
	if (status != QV_OK)
		return status;
	if (broken)
		return qv_fail(error, QV_IO,
			       "%.160s: cannot be migrated to version %d: %d rows have broken "
			       "references",
			       path, version, (int)broken);
	snprintf(mark, sizeof mark, "PRAGMA user_version = %d; PRAGMA application_id = %d; COMMIT",
		 version, APPLICATION);
	return run_sql(db, mark, path, error);
}

/* Each step is its own transaction, so completed steps stay. */
enum qv_status store_migrate(sqlite3 *db, const char *path, const char *const *steps, int count,
			     struct qv_error *error)
{
	struct identity is;
	enum qv_status status = identify(db, path, &is, error);
	if (status != QV_OK)
		return status;
	const bool empty = !is.tables && !is.application && !is.version;
	if (!empty && (is.application != APPLICATION || is.version < 1))
		return qv_fail(error, QV_IO, "%.160s: is a database of another program", path);
	if (is.version > count)
		return qv_fail(error, QV_IO,
			       "%.120s: has version %d, from a newer quevedo; this one supports "
			       "versions up to %d",
			       path, (int)is.version, count);
	/* Space of rows that are removed can then be given back in small portions. */
	if (empty)
		status = run_sql(db, "PRAGMA auto_vacuum = INCREMENTAL", path, error);
	if (status == QV_OK)
		status = run_sql(db, "PRAGMA foreign_keys = OFF", path, error);
	for (int version = (int)is.version; status == QV_OK && version < count; version++) {
		status = run_sql(db, "BEGIN IMMEDIATE", path, error);
		if (status == QV_OK)
			status = take_step(db, path, steps[version], version + 1, error);
		if (status != QV_OK && !sqlite3_get_autocommit(db))
			sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	}
	return status;
}

/* The answer is "ok", or the first thing that is wrong. */
enum qv_status store_check(sqlite3 *db, const char *path, const char *pragma,
			   struct qv_error *error)
{
	char sql[64];
	sqlite3_stmt *statement = NULL;
	enum qv_status status = QV_OK;
	snprintf(sql, sizeof sql, "PRAGMA %s(1)", pragma);
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK ||
	    sqlite3_step(statement) != SQLITE_ROW) {
		status = store_fault(db, path, error);
	} else {
		const char *answer = (const char *)sqlite3_column_text(statement, 0);
		if (!answer || strcmp(answer, "ok") != 0)
			status = qv_fail(error, QV_IO, "%.120s: is damaged: %.100s", path,
					 answer ? answer : "no memory to check it");
	}
	sqlite3_finalize(statement);
	return status;
}

/* ---- connections ---- */

/* The SQL function now_ms(). */
static void sql_now_ms(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct timespec now;
	(void)count, (void)values;
	clock_gettime(CLOCK_REALTIME, &now);
	sqlite3_result_int64(context, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

enum qv_status store_connect_as(const char *path, const char *vfs, int flags, int busy_ms,
				sqlite3 **out, struct qv_error *error)
{
	*out = NULL;
	if (sqlite3_open_v2(path, out, flags | SQLITE_OPEN_NOMUTEX, vfs) == SQLITE_OK &&
	    sqlite3_create_function(*out, "now_ms", 0, SQLITE_UTF8, NULL, sql_now_ms, NULL,
				    NULL) == SQLITE_OK) {
		sqlite3_busy_timeout(*out, busy_ms);
		return QV_OK;
	}
	const enum qv_status status =
		*out ? store_fault(*out, path, error)
		     : qv_fail(error, QV_NO_MEMORY, "%.160s: out of memory", path);
	sqlite3_close(*out);
	*out = NULL;
	return status;
}

/*
 * Copies the database `source`, as it is at this moment, into the empty file `path`, which will be
 * called `name`.
 */
static enum qv_status copy_into(sqlite3 *from, const char *source, const char *path,
				const char *name, struct qv_error *error)
{
	sqlite3 *to = NULL;
	enum qv_status status = store_connect_as(path, NULL, SQLITE_OPEN_READWRITE, BACKUP_BUSY_MS,
						 &to, error);
	/* If copying fails it is nearly always because of the target, so the error names it. */
	sqlite3_backup *backup =
		status == QV_OK ? sqlite3_backup_init(to, "main", from, "main") : NULL;
	if (backup)
		sqlite3_backup_step(backup, -1);
	if (status == QV_OK &&
	    (!backup || sqlite3_backup_finish(backup) != SQLITE_OK ||
	     sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK))
		status = store_fault(to, name, error);
	if (status == QV_OK)
		status = store_check(to, source, "integrity_check", error);
	sqlite3_close(to);
	return status;
}

/* A new file for a copy, under a temporary name. Mode 0600, for it contains hashes of passwords. */
static enum qv_status create_copy(struct file_writer *w, const char *file, struct qv_error *error)
{
	const enum qv_status status = file_create(w, &mem_malloc, file, error);
	if (status != QV_OK || fchmod(w->descriptor, 0600) == 0)
		return status;
	file_abandon(w);
	return qv_fail(error, QV_IO, "%.160s: %s", file, strerror(errno));
}

void store_remove_leftovers(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char folder[FOLDER_PATH], file[FOLDER_PATH + 256];
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1,
		 slash ? path : ".");
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		const size_t length = strlen(entry->d_name);
		if (strncmp(entry->d_name, name, strlen(name)) != 0 || length < 4 ||
		    strcmp(entry->d_name + length - 4, ".new") != 0)
			continue;
		snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
		unlink(file);
	}
	if (dir)
		closedir(dir);
}

/*
 * Copies a database that is about to be migrated to PATH.VERSION.bak. An earlier copy of that name
 * is replaced: it was made of the same database, before the same migration.
 */
static enum qv_status keep_copy(sqlite3 *db, const char *path, struct qv_error *error)
{
	struct identity is;
	struct file_writer w;
	char file[FOLDER_PATH + 32];
	enum qv_status status = identify(db, path, &is, error);
	if (status != QV_OK || is.application != APPLICATION || is.version < 1 ||
	    is.version >= store_step_count)
		return status; /* store_migrate refuses what is not ours */
	snprintf(file, sizeof file, "%s.%d.bak", path, (int)is.version);
	store_remove_leftovers(file);
	status = create_copy(&w, file, error);
	if (status != QV_OK)
		return status;
	status = copy_into(db, path, w.temporary, file, error);
	if (status == QV_OK)
		return file_keep(&w, error);
	file_abandon(&w);
	return status;
}

/*
 * Checks a database that is small enough to be checked at every start. The log of a server that did
 * not end properly is still there.
 */
static enum qv_status check_at_start(sqlite3 *db, const char *path, bool has_log, size_t most,
				     struct store_found *found, struct qv_error *error)
{
	struct stat about;
	if (stat(path, &about) != 0)
		return qv_fail(error, QV_IO, "%.160s: %s", path, strerror(errno));
	if ((uintmax_t)about.st_size <= (most ? most : CHECK_BYTES))
		return store_check(db, path, "quick_check", error);
	found->unchecked = has_log;
	return QV_OK;
}

/* Durable settings, for a connection that writes. */
static enum qv_status set_up(sqlite3 *db, const char *path, struct qv_error *error)
{
	char sql[256];
	snprintf(sql, sizeof sql,
		 "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;"
		 "PRAGMA wal_autocheckpoint = %d; PRAGMA journal_size_limit = %d;"
		 "PRAGMA foreign_keys = ON",
		 CHECKPOINT_PAGES, LOG_BYTES);
	return run_sql(db, sql, path, error);
}

enum qv_status store_join(const char *path, sqlite3 **out, struct qv_error *error)
{
	struct identity is = { 0 };
	enum qv_status status = store_connect_as(path, NULL, SQLITE_OPEN_READWRITE, BACKUP_BUSY_MS,
						 out, error);
	if (status != QV_OK)
		return status;
	status = store_recognise(*out, path, error);
	if (status == QV_OK)
		status = identify(*out, path, &is, error);
	if (status == QV_OK && is.version != store_step_count)
		status = qv_fail(error, QV_IO,
				 "%.120s: has version %d, not %d; start quevedo serve once to "
				 "migrate it",
				 path, (int)is.version, store_step_count);
	if (status == QV_OK)
		status = set_up(*out, path, error);
	if (status != QV_OK) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return status;
}

/* All checks come before the first change, so that a foreign file stays as it is. */
static enum qv_status check_and_migrate(sqlite3 *db, const char *path, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	if (sqlite3_db_readonly(db, "main") != 0)
		status = qv_fail(error, QV_IO, "%.160s: cannot be written", path);
	if (status == QV_OK)
		status = keep_copy(db, path, error);
	if (status == QV_OK)
		status = store_migrate(db, path, store_steps, store_step_count, error);
	return status == QV_OK ? set_up(db, path, error) : status;
}

/* For the writer of a server, which has locked the folder. */
enum qv_status store_connect(const char *path, const struct store_setup *setup, sqlite3 **out,
			     struct store_found *found, struct qv_error *error)
{
	char log[FOLDER_PATH + 8];
	struct stat about;
	*out = NULL;
	*found = (struct store_found){ false };
	/* SQLite would make it readable for others; its WAL and other files copy the mode. */
	const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (descriptor < 0)
		return qv_fail(error, QV_IO, "%.160s: cannot be opened: %s", path, strerror(errno));
	close(descriptor);
	snprintf(log, sizeof log, "%s-wal", path);
	const bool has_log = stat(log, &about) == 0 && about.st_size > 0;
	/* What another VFS has is not the file that was just created. */
	const int flags = SQLITE_OPEN_READWRITE | (setup->vfs ? SQLITE_OPEN_CREATE : 0);
	enum qv_status status =
		store_connect_as(path, setup->vfs, flags, STORE_BUSY_MS, out, error);
	if (status == QV_OK)
		status = check_at_start(*out, path, has_log, setup->check_bytes, found, error);
	if (status == QV_OK)
		status = check_and_migrate(*out, path, error);
	if (status != QV_OK) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return status;
}

/* ---- backups ---- */

/* Reads through its own connection, so a server may use the folder. */
enum qv_status store_backup(const char *folder, const char *file, struct qv_error *error)
{
	char path[FOLDER_PATH];
	const enum qv_status status = folder_path(folder, STORE_DATABASE, path, error);
	return status == QV_OK ? store_copy(path, file, error) : status;
}

enum qv_status store_copy(const char *path, const char *file, struct qv_error *error)
{
	struct file_writer w;
	sqlite3 *from = NULL;
	if (access(path, F_OK) != 0)
		return qv_fail(error, QV_IO, "%.160s: %s", path, strerror(errno));
	/* Checked early to avoid the copying; file_keep_new checks again. */
	if (access(file, F_OK) == 0)
		return qv_fail(error, QV_ILLEGAL, "%.160s: already exists", file);
	enum qv_status status = create_copy(&w, file, error);
	if (status != QV_OK)
		return status;
	status = store_connect_as(path, NULL, SQLITE_OPEN_READWRITE, BACKUP_BUSY_MS, &from, error);
	if (status == QV_OK)
		status = store_recognise(from, path, error);
	if (status == QV_OK)
		status = copy_into(from, path, w.temporary, file, error);
	sqlite3_close(from);
	if (status == QV_OK)
		return file_keep_new(&w, error);
	file_abandon(&w);
	return status;
}
