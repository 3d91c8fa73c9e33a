/*
 * inside.h - what the files of the store share.
 * SPDX-License-Identifier: MIT
 *
 * - schema.c: the tables, their migration, connections with durable settings, backups
 * - store.c: the queue of writes and the thread that commits them
 * - read.c: reads, on the caller's thread
 * - upkeep.c: quotas, free space, and the removal of what is old
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

/* The same for a database that exists and that a server may use: it is not migrated. */
enum qv_status store_join(const char *path, sqlite3 **out, struct qv_error *error);

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
	WRITE_QUOTA,
	WRITE_DROP_SEATS, /* from here on: see write_frees */
	WRITE_DROP_EVENTS,
	WRITE_DROP_LISTED,
	WRITE_DROP_IMCS_PLAY,
	WRITE_DROP_PLAY,
	WRITE_DROP_USER,
	WRITE_DROP_ATTEMPTS,
	WRITE_DROP_QUOTAS,
	WRITE_VACUUM,
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

/* Adds a write of upkeep.c to the unit being filled. A unit of such writes only frees space. */
enum qv_status store_queue(struct store *s, enum write_kind kind, int count,
			   const struct value *values);
/* Does it only remove? Such writes are not refused when space is short. */
static inline bool write_frees(enum write_kind kind)
{
	return kind >= WRITE_DROP_SEATS && kind <= WRITE_VACUUM;
}

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
	sqlite3_stmt *used; /* bytes of the database that are in use */
	int64_t most_bytes; /* as in struct store_marks */
	bool disk_full;	    /* the disk has less than the reserve for moves */
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
	READ_LATEST,
	READ_QUOTAS,
	READ_OLD_PLAYS,
	READ_IDLE_USERS,
	READ_OLD_ATTEMPTS,
	READ_OLD_QUOTAS,
	READ_FREE_PAGES,
	READ_FACTS,
	READ_KINDS
};

/* The read-only connection, used on the caller's thread. */
struct reader {
	sqlite3 *db;
	sqlite3_stmt *reads[READ_KINDS];
};

/*
 * For read.c and upkeep.c. store_ready: the statement, ready to bind; NULL: it is in use. store_next
 * steps to the next row; false: no row is left, or *status is a failure, the caller's or SQLite's,
 * and the statement is reset. Call it until it returns false. store_take_text: false: too long.
 */
sqlite3_stmt *store_ready(struct store *s, enum read_kind kind, struct qv_error *error);
bool store_next(struct store *s, sqlite3_stmt *row, enum qv_status *status, struct qv_error *error);
bool store_take_text(sqlite3_stmt *row, int column, char *out, size_t size);

/* ---- Space: upkeep.c, for the store's thread ---- */

/* Measures disk and database, for store_space and for the units that follow. */
void space_measure(struct store *s);
/* May a unit of so many bytes be written? */
bool space_suffices(struct writer *w, size_t bytes, struct qv_error *trouble);

/* On failure nothing is left to close. */
enum qv_status reader_open(struct reader *r, const char *path, const char *vfs,
			   struct qv_error *error);
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
	struct store_space space;
};

void store_deliver_asks(struct store *s);

#endif
