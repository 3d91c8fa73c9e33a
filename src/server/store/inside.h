/*
 * inside.h - what the files of the store share.
 * SPDX-License-Identifier: MIT
 *
 * - store.c: the queues of units and questions, the threads that serve them, delivery
 * - writes.c: the writes of store.h; upkeep.c: quotas, and the removal of what is old
 * - read.c: the reads of store.h that wait; rows.c: what the rows of a result hold
 * - bus.c: texts from server to server
 * - statements.c: the texts of all statements
 * - driver.h, and sqlite.c with schema.c: the databases
 */
#ifndef SERVER_STORE_INSIDE_H
#define SERVER_STORE_INSIDE_H

#include "base/memory.h"
#include "base/text.h"
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

/* A text of which pieces have arrived. */
struct bus_text {
	char from[STORE_NODE];
	int64_t number, index; /* index: of the last piece; 0: none */
	struct string text;
};

struct heard;

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
	struct heard *heard, **heard_end; /* texts that are to be delivered */
	size_t heard_bytes;
	bool heard_missing;	  /* one of them is the note that some are missing */
	size_t bytes;		  /* of all units and questions that are not yet delivered */
	size_t answer_bytes;	  /* of the rows that are not yet delivered */
	int waiting;		  /* questions that are not yet delivered */
	int reading;		  /* readers whose threads have not ended */
	bool unchecked;		  /* the whole database must still be checked */
	bool closing;		  /* set by the caller, which may read it without the guard */
	struct qv_error trouble;  /* the last failure of a unit */
	bool failing;		  /* the last commit could not write */
	struct qv_error failure;  /* why */
	struct store_space space; /* after the last commit */
	bool damaged;		  /* a check has found damage */
	struct qv_error damage;	  /* what */
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
