/*
 * inside.h - what the files of the store share.
 * SPDX-License-Identifier: MIT
 *
 * - store.c: the queues of units and questions, the threads that serve them, delivery
 * - writes.c, accounts.c: the writes of store.h; upkeep.c: quotas, and the removal of what is old
 * - read.c, read_accounts.c: the reads of store.h that wait; rows.c: what the rows of a result hold
 * - bus.c: texts from server to server
 * - statements.c: the texts of all statements
 * - driver.h, and sqlite.c with schema.c: the databases
 * - postgres_copy.c: a copy of everything, from one database to the other
 */
#ifndef SERVER_STORE_INSIDE_H
#define SERVER_STORE_INSIDE_H

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "server/store/driver.h"

enum { STORE_READERS = 2 };

/* What a line is stored with, so that a line that was changed or moved is noticed. rows.c */
int64_t line_checksum(const char *play, int64_t number, const char *line, size_t size);

/* SQL from each version to the next: steps[0] makes version 1 of an empty database. */
extern const char *const store_steps[];
extern const int store_step_count;

/*
 * Migrates the database to version `count`, one transaction per step, so that a failed step leaves
 * the version before it. A database of another program or a newer version is refused untouched.
 */
enum qv_status store_migrate(sqlite3 *db, const char *path, const char *const *steps, int count,
			     struct qv_error *error);

/*
 * A connection for writing: the file is created if it is missing, checked and migrated. The caller
 * closes *out, which is NULL on failure.
 */
enum qv_status store_connect(const char *path, sqlite3 **out, struct qv_error *error);
/* The same beside a server that uses the database: it must have our version. */
enum qv_status store_join(const char *path, sqlite3 **out, struct qv_error *error);
/*
 * A plain connection with these flags of sqlite3_open_v2, which waits up to busy_ms for a lock. The
 * caller closes *out, which is NULL on failure.
 */
enum qv_status store_connect_as(const char *path, int flags, int busy_ms, sqlite3 **out,
				struct qv_error *error);
enum { STORE_BUSY_MS = 5000 }; /* a backup or the sqlite3 shell may lock it for a moment */

/* Sets the error to "PATH: WHY", the reason being SQLite's, and returns its status. */
enum qv_status store_fault(sqlite3 *db, const char *path, struct qv_error *error);
/* Fails unless it is a database of this program, of any version. */
enum qv_status store_recognise(sqlite3 *db, const char *path, struct qv_error *error);
/* Fails unless the database is sound; `pragma` is quick_check or integrity_check. */
enum qv_status store_check(sqlite3 *db, const char *path, const char *pragma,
			   struct qv_error *error);

/* ---- Writes: store.c ---- */

enum write_kind {
	WRITE_PLAY,
	WRITE_EVENT,
	WRITE_SET_PLAY,
	WRITE_USER,
	WRITE_ACCOUNT,
	WRITE_TOKEN,
	WRITE_DROP_TOKEN,
	WRITE_SEAT,
	WRITE_FINISHED,
	WRITE_DROP_FINISHED,
	WRITE_EXPLORED,
	WRITE_VISITS,
	WRITE_DROP_EXPLORED,
	WRITE_DROP_OUTDATED,
	WRITE_DROP_UNLISTED,
	WRITE_PUZZLE,
	WRITE_ATTEMPT,
	WRITE_STUDY,
	WRITE_SET_STUDY,
	WRITE_DROP_STUDY,
	WRITE_IMCS_USER,
	WRITE_IMCS_GAME,
	/* Those of accounts.c. */
	WRITE_ENSURE_USER,
	WRITE_EPOCH,
	WRITE_REVOKE,
	WRITE_PRUNE_REVOCATIONS,
	WRITE_SESSION,
	WRITE_TRIM_SESSIONS,
	WRITE_SESSION_SEEN,
	WRITE_RENEW_SESSIONS,
	WRITE_DROP_SESSION,
	WRITE_DROP_SESSIONS,
	WRITE_TOKEN_USED,
	WRITE_DROP_TOKENS,
	WRITE_PASSWORD,
	WRITE_EMAIL,
	WRITE_CODE,
	WRITE_DROP_CODES,
	WRITE_DROP_ACCOUNT,
	WRITE_DROP_STUDIES,
	WRITE_DROP_ATTEMPTS,
	WRITE_DELETION,
	WRITE_DELETION_AT,
	WRITE_DROP_DELETION,
	WRITE_LINE,
	WRITE_FINISHED_TEXTS,
	WRITE_EXPLORED_ENTRY,
	WRITE_DROP_LINES,
	WRITE_DROP_SEATS,
	WRITE_DROP_UNLISTED_PLAY,
	WRITE_DROP_PLAY,
	WRITE_PROBE, /* changes nothing, but writes to the disk */
	/* Of the transaction itself. */
	WRITE_BEGIN,
	WRITE_MARK,
	WRITE_BACK,
	WRITE_RELEASE,
	WRITE_COMMIT,
	WRITE_ROLLBACK,
	WRITE_KINDS
};

/* A value to bind to a parameter of the statement. */
struct value {
	enum { VALUE_NUMBER, VALUE_REAL, VALUE_TEXT, VALUE_BYTES } type;
	int64_t number;
	const void *bytes; /* of a text or of bytes; otherwise NULL */
	size_t size;
	double real;
};

/* Adds a write to the unit being filled. A text that is NULL drops the unit: QV_BAD_INPUT. */
enum qv_status store_add_write(struct store *s, enum write_kind kind, int count,
			       const struct value *values);
/* The statements of accounts.c; NULL: it is one of store.c. */
extern const char *const account_sql[WRITE_KINDS];

/* The file that a path named when it was first checked. */
struct file_mark {
	bool known;
	dev_t device;
	ino_t number;
};

/* The connection that writes. It does no locking: the store's thread owns it. */
struct writer {
	sqlite3 *db;
	sqlite3_stmt *writes[WRITE_KINDS];
	struct file_mark database, log;
	bool lost;     /* the path no longer names our file; permanent */
	bool at_fault; /* something failed in this commit that is not a unit's fault */
};

/* ---- Reads: read.c ---- */

enum read_kind {
	READ_BEGIN,
	READ_END,
	READ_PLAY,
	READ_LINES,
	READ_GOING,
	READ_LOBBY,
	READ_OF_USER,
	READ_UNLISTED,
	READ_TALLY,
	READ_OWN_TALLY,
	READ_VISITORS,
	READ_OWN_VISITORS,
	READ_UNEXPLORED,
	READ_MARKS,
	READ_FINISHED,
	READ_FINISHED_COUNT,
	READ_PUZZLES,
	READ_ATTEMPT,
	READ_STUDY,
	READ_STUDIES,
	READ_USER_BY_ID,
	READ_USER_BY_LOGIN,
	READ_USER_BY_SKELETON,
	READ_ACCOUNTS,
	READ_IDENTITY,
	READ_TOKEN,
	READ_TOKENS,
	READ_SESSIONS,
	READ_CODE,
	READ_REVOCATIONS,
	READ_LAST_REVOCATION,
	READ_DELETION,
	READ_NEXT_PLAY,
	READ_FINISHED_OF,
	READ_EXPLORED_OF,
	READ_ATTEMPTS,
	READ_IMCS_USERS,
	READ_IMCS_GAMES,
	READ_IMCS_LAST,
	READ_KINDS
};

/* The read-only connection, used on the caller's thread. */
struct reader {
	sqlite3 *db;
	sqlite3_stmt *reads[READ_KINDS];
};

/* The statement, ready to bind; NULL: it is in use, so this was called inside its callback. */
sqlite3_stmt *read_ready(struct store *s, enum read_kind kind, struct qv_error *error);
/*
 * Steps to the next row. False: no row is left, or *status is a failure, the caller's or SQLite's;
 * the statement is reset. Call it until it returns false.
 */
bool read_row(struct store *s, sqlite3_stmt *row, enum qv_status *status, struct qv_error *error);
/* Copies the text of a column; NULL in the database becomes "". False: it does not fit. */
bool row_text(sqlite3_stmt *row, int column, char *out, size_t size);
/* The error for a row with a text that does not fit. */
enum qv_status row_misfit(const struct store *s, struct qv_error *error);
/* The one number of a statement without parameters. */
enum qv_status read_number(struct store *s, enum read_kind kind, int64_t *out,
			   struct qv_error *error);

/* On failure nothing is left to close. */
enum qv_status reader_open(struct reader *r, const char *path, struct qv_error *error);
void reader_close(struct reader *r);

/* ---- The store ---- */

struct unit; /* of work: see store.c */

struct store {
	char path[FOLDER_PATH]; /* of the database */
	bool shared;		/* a server may have the database, too */
	struct store_marks marks;
	int lock;		/* the locked file that keeps other servers out */
	void (*wake)(void *ctx);
	void *ctx;
	size_t most_bytes;
	bool manual;	 /* no thread */
	const char *vfs; /* NULL: the system's files */

	/* For the caller's thread. */
	struct reader reader;
	struct unit *unit;	/* being filled; NULL: nothing yet */
	enum qv_status refused; /* not QV_OK: why the unit being filled was dropped */
	bool probing;		/* a probe is on its way */
	struct ask *asks;

	int64_t told; /* texts */
	char node[STORE_NODE], address[STORE_NAME];
	void (*heard_fn)(void *ctx, const char *from, const char *text, size_t size);

	/* For the store's threads, while they run. */
	struct thread writer_thread, listener_thread;
	struct store_link *writer;
	struct store_link *listener; /* NULL: no bus */
	struct store_reader readers[STORE_READERS];
	struct bus_text text; /* for the listener, or for the writer without one */
	int64_t last_sign_us;
	struct write *sign; /* of life; NULL: none are written */

	struct mutex guard; /* protects everything below */
	struct condition news, questions;
	struct unit *queued, **queue_end;
	struct unit *written, **written_end;
	struct question *asked, **asked_end;
	struct question *answered, **answered_end;
	size_t bytes;		 /* of all units and questions that are not yet delivered */
	size_t answer_bytes;	 /* of the rows that are not yet delivered */
	int waiting;		 /* questions that are not yet delivered */
	int reading;		 /* readers whose threads have not ended */
	bool unchecked;		 /* the whole database must still be checked */
	bool closing;		 /* set by the caller, which may read it without the guard */
	struct qv_error trouble; /* the last failure of a unit */
	bool failing;		 /* the last commit could not write */
	struct qv_error failure; /* why */
	bool damaged;		 /* a check has found damage */
	struct qv_error damage;	 /* what */
	struct store_figures figures;
};

/*
 * Adds a write to the unit being filled. A text or bytes that are NULL drop the unit: QV_BAD_INPUT.
 */
enum qv_status store_add_write(struct store *s, enum store_change statement, int count,
			       const struct store_value *values);
/* Commits units, none of which asks, and notes the result. On the writer's thread. */
void store_commit(struct store *s, struct unit *units);

/* ---- bus.c ---- */

bool bus_is_node(const char *node); /* is it a valid name of a server? "" is */
enum qv_status bus_open(struct store *s, const struct store_setup *setup, struct qv_error *error);
void bus_close(struct store *s);
void bus_listen(void *ctx); /* a thread, if there is a listener */
/* Without a bus: hears what the units tell this server. */
void bus_echo(struct store *s, const struct unit *units);
void bus_deliver(struct store *s);
/* When the next sign of life is due (clock_us); and writes it, or removes this server. */
int64_t bus_next_sign(const struct store *s);
void bus_sign(struct store *s, bool alive);

#endif
