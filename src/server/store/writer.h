/*
 * writer.h - the connection that writes: units of work in, one transaction for all of them.
 * SPDX-License-Identifier: MIT
 *
 * It knows no threads: the store's thread owns it and what it is given.
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
	WRITE_PROBE,                /* changes nothing, but is written */
	WRITE_KINDS,
};

enum { WRITE_VALUES = 8 };

/* What is bound to a parameter of the statement. */
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
	char bytes[];               /* what the values point to */
};

struct unit {
	struct unit *next;
	struct write *first, **last; /* last: where the next one is hung */
	size_t size;                /* bytes of memory, this struct's included */
	bool ok;                    /* set by writer_commit: it is on disk */
	void (*done)(void *ctx, bool ok);
	void *ctx;
};

/* Which file a path named when it was looked at. */
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
	bool lost;                  /* the path names another file, or none: for good */
	bool at_fault;              /* in this commit something failed that is not a unit's fault */
};

/* Opens the database as store_connect does. The path must stay. On failure there is nothing to close. */
enum qv_status writer_open(struct writer *w, const char *path, struct qv_error *error);
void writer_close(struct writer *w);

enum commit_result {
	COMMIT_WRITTEN,             /* something is on disk */
	COMMIT_NOTHING,             /* nothing was to be written, or it broke a rule of the database */
	COMMIT_FAILED,              /* it cannot write: disk full, input/output error, file gone */
};

/*
 * Sets `ok` of each unit. trouble: one failure, if there was any; else untouched. A unit is only ok
 * if it is in the file that the path names, before and after the commit.
 */
enum commit_result writer_commit(struct writer *w, struct unit *units, struct qv_error *trouble);

#endif
