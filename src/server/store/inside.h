/*
 * inside.h - what the files of the store share.
 * SPDX-License-Identifier: MIT
 *
 * - store.c: the queues of units and questions, the threads that serve them, delivery
 * - writes.c: the writes of store.h
 * - read.c: the reads of store.h that wait; rows.c: what the rows of a result hold
 * - statements.c: the texts of all statements
 * - driver.h, and sqlite.c with schema.c: the databases
 */
#ifndef SERVER_STORE_INSIDE_H
#define SERVER_STORE_INSIDE_H

#include "base/threads.h"
#include "server/store/driver.h"

enum { STORE_READERS = 2 };

#define STORE_DATABASE "quevedo.db"

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
 * closes *out, which is NULL on failure. vfs: as in struct store_setup, here and below.
 */
enum qv_status store_connect(const char *path, const char *vfs, sqlite3 **out,
			     struct qv_error *error);
/*
 * A plain connection with these flags of sqlite3_open_v2, which waits up to busy_ms for a lock. The
 * caller closes *out, which is NULL on failure.
 */
enum qv_status store_connect_as(const char *path, const char *vfs, int flags, int busy_ms,
				sqlite3 **out, struct qv_error *error);
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
	WRITE_NEW_USER,
	WRITE_ACCOUNT,
	WRITE_TOKEN,
	WRITE_DROP_TOKEN,
	WRITE_SEAT,
	WRITE_SET_SEATS,
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
	READ_GOING_OF,
	READ_UNLISTED,
	READ_COUNT_GOING,
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
	READ_USER_BY_TOKEN,
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

/* On failure nothing is left to close. */
enum qv_status reader_open(struct reader *r, const char *path, const char *vfs,
			   struct qv_error *error);
void reader_close(struct reader *r);

/* ---- The store ---- */

struct unit; /* of work: see store.c */

struct store {
	const struct store_driver *driver;
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

	/* For the store's threads, while they run. */
	struct thread writer_thread;
	struct store_link *writer;
	struct store_reader readers[STORE_READERS];

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
};

void store_deliver_asks(struct store *s);

#endif
