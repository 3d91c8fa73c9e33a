/*
 * parts.h - struct store and what its files share.
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

/* The read-only connection, used on the caller's thread. */
struct reader {
	sqlite3 *db;
	sqlite3_stmt *reads[READ_KINDS];
};

/* On failure nothing is left to close. */
enum qv_status reader_open(struct reader *r, const char *path, struct qv_error *error);
void reader_close(struct reader *r);

struct store {
	char path[FOLDER_PATH];     /* of the database */
	int lock;                   /* the locked file that keeps other servers out */
	void (*wake)(void *ctx);
	void *ctx;
	size_t most_bytes;

	/* For the caller's thread. */
	struct reader reader;
	struct unit *unit;          /* being filled; NULL: nothing yet */
	enum qv_status refused;     /* not QV_OK: why the unit being filled was dropped */

	/* For the store's thread, while it runs. */
	pthread_t thread;
	struct writer writer;

	pthread_mutex_t guard;      /* protects everything below */
	pthread_cond_t news;
	struct unit *queued, **queue_end;
	struct unit *written, **written_end;
	size_t bytes;               /* of all units that are not yet delivered */
	bool closing;               /* set by the caller, which may read it without the guard */
	struct qv_error trouble;
	bool failing;               /* the last commit could not write */
	struct qv_error failure;    /* why */
	bool probing;               /* for the caller's thread: a probe is on its way */
};

/* Adds a write to the unit being filled. A text that is NULL drops the unit: QV_BAD_INPUT. */
enum qv_status store_write(struct store *s, enum write_kind kind, const struct value *values,
			   int count);
/* Copies the text of a column; NULL in the database becomes "". False: it does not fit. */
bool store_take_text(sqlite3_stmt *row, int column, char *out, size_t size);

/* Sets the error for a row with a text that does not fit. Returns QV_IO. */
enum qv_status store_misfit(const struct store *s, struct qv_error *error);

#endif
