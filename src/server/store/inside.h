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

/* A thread that asks questions. */
struct store_reader {
	struct store *store;
	struct thread thread;
	struct store_link *link;
};

struct store {
	const struct store_driver *driver;
	void (*wake)(void *ctx);
	void *ctx;
	size_t most_bytes;
	bool manual;

	/* For the caller's thread. */
	struct store_link *link; /* for reads that wait, and for all questions in manual mode */
	struct unit *unit;	 /* being filled; NULL: nothing yet */
	enum qv_status refused;	 /* not QV_OK: why the unit being filled was dropped */
	bool probing;		 /* a probe is on its way */
	int64_t order;		 /* of the last unit or question that was queued */

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

/*
 * Adds a write to the unit being filled. A text or bytes that are NULL drop the unit: QV_BAD_INPUT.
 */
enum qv_status store_add_write(struct store *s, enum store_change statement, int count,
			       const struct store_value *values);

#endif
