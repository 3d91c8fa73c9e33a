/*
 * writer.h - the connection that writes: commits many units of work in one transaction.
 * SPDX-License-Identifier: MIT
 *
 * It does no locking: the store's thread owns it and the units it is given.
 */
#ifndef SERVER_STORE_WRITER_H
#define SERVER_STORE_WRITER_H

#include <sqlite3.h>
#include <sys/types.h>

#include "quevedo.h"

enum write_kind {
	WRITE_PLAY,
	WRITE_EVENT,
	WRITE_SET_PLAY,
	WRITE_USER,
	WRITE_ACCOUNT,
	WRITE_TOKEN,
	WRITE_DROP_TOKEN,
	WRITE_SEAT,
	WRITE_IMCS_USER,
	WRITE_IMCS_GAME,
	WRITE_PROBE,                /* changes nothing, but writes to the disk */
	WRITE_KINDS,
};

enum { WRITE_VALUES = 8 };

/* A value to bind to a parameter of the statement. */
struct value {
	enum { VALUE_NUMBER, VALUE_TEXT, VALUE_BYTES } type;
	int64_t number;
	const void *bytes;          /* of a text or of bytes */
	size_t size;
};

struct write {
	struct write *next;
	enum write_kind kind;
	int count;
	struct value values[WRITE_VALUES];
	char bytes[];               /* the values point into it */
};

struct unit {
	struct unit *next;
	struct write *first, **last; /* last: where to link the next one */
	size_t size;                /* bytes of memory, this struct's included */
	bool ok;                    /* set by writer_commit: it is on disk */
	void (*done)(void *ctx, bool ok);
	void *ctx;
};

/* The file that a path named when it was first checked. */
struct file_mark {
	bool known;
	dev_t device;
	ino_t number;
};

struct writer {
	const char *path;           /* of the database; the caller's */
	sqlite3 *db;
	sqlite3_stmt *writes[WRITE_KINDS];
	sqlite3_stmt *begin, *mark, *back, *release, *commit, *rollback;
	struct file_mark database, log;
	bool lost;                  /* the path no longer names our file; permanent */
	bool at_fault;              /* something failed in this commit that is not a unit's fault */
};

/* Opens the database like store_connect. Borrows path. On failure nothing is left to close. */
enum qv_status writer_open(struct writer *w, const char *path, struct qv_error *error);
void writer_close(struct writer *w);

enum commit_result {
	COMMIT_WRITTEN,             /* something is on disk */
	COMMIT_NOTHING,             /* nothing to write, or all of it violated a constraint */
	COMMIT_FAILED,              /* it cannot write: disk full, I/O error, file removed */
};

/*
 * Commits the units and sets `ok` of each. trouble gets one failure, if any. A unit is ok only if
 * the path named the same file before and after the commit.
 */
enum commit_result writer_commit(struct writer *w, struct unit *units, struct qv_error *trouble);

#endif
