/*
 * parts.h - the inside of a store, for the files that make it up.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_PARTS_H
#define SERVER_STORE_PARTS_H

#include <pthread.h>

#include "base/paths.h"
#include "server/store/store.h"
#include "server/store/writer.h"

enum read_kind {
	READ_BEGIN,
	READ_END,
	READ_PLAY,
	READ_LINES,
	READ_GOING,
	READ_LOBBY,
	READ_OF_USER,
	READ_USER_BY_ID,
	READ_USER_BY_LOGIN,
	READ_USER_BY_TOKEN,
	READ_IMCS_USERS,
	READ_IMCS_GAMES,
	READ_IMCS_LAST,
	READ_KINDS,
};

/* The caller's own connection. */
struct reader {
	sqlite3 *db;
	sqlite3_stmt *reads[READ_KINDS];
};

enum qv_status reader_open(struct reader *r, const char *path, struct qv_error *error);
void reader_close(struct reader *r);

struct store {
	char path[FOLDER_PATH];     /* of the database */
	int lock;                   /* the descriptor that keeps other servers out */
	void (*wake)(void *ctx);
	void *ctx;
	size_t most_bytes;

	/* The caller's. */
	struct reader reader;
	struct unit *unit;          /* being filled; NULL: nothing yet */
	enum qv_status refused;     /* not QV_OK: why the unit being filled is lost */

	/* The thread's, while it runs. */
	pthread_t thread;
	struct writer writer;

	pthread_mutex_t guard;      /* of all below */
	pthread_cond_t news;
	struct unit *queued, **queue_end;
	struct unit *written, **written_end;
	size_t bytes;               /* of all units: being filled, queued, written, not delivered */
	bool closing;               /* set by the caller, who may look without the guard */
	struct qv_error trouble;
	bool failing;               /* the last commit could not write */
	struct qv_error failure;    /* why */
	bool probing;               /* the caller's: a probe is on its way */
};

/* Queues a write; a text that is NULL is refused. */
enum qv_status store_write(struct store *s, enum write_kind kind, const struct value *values,
			   int count);
/* The text of a column; NULL in the database is "". False: it does not fit. */
bool store_take_text(sqlite3_stmt *row, int column, char *out, size_t size);

#endif
