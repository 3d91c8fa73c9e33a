/*
 * inside.h - what the files of the store share.
 * SPDX-License-Identifier: MIT
 *
 * - store.c: the queues of units and questions, delivery; threads.c: the threads that serve them
 * - writes.c, accounts.c, moderation.c: the writes of store.h and moderation.h; upkeep.c: quotas, and the removal of what is old
 * - read.c, read_accounts.c: the reads of store.h that wait; rows.c: what the rows of a result hold
 * - bus.c: texts from server to server; queue.c: jobs for workers
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

/* A thread that asks questions. */
struct store_reader {
	struct store *store;
	struct thread thread;
	struct store_link *link;
};

/* A text of which pieces have arrived. */
struct bus_text {
	char from[STORE_NODE];
	int64_t number, index; /* index: of the last piece; 0: none */
	struct string text;
};

struct heard;

struct question {
	struct question *next;
	enum store_question which;
	struct store_value values[STATEMENT_VALUES];
	size_t size;
	int64_t order;	  /* of all units and questions */
	uint64_t group;	  /* a hash of the address that it is for */
	int64_t turn;	  /* see queue_in_turn */
	int64_t since_us; /* when it was asked */
	struct store_rows *rows;
	struct qv_error error; /* if there are no rows */
	store_answer_fn *done;
	void *ctx;
	char bytes[]; /* the values point into it */
};

struct store {
	const struct store_driver *driver;
	void (*wake)(void *ctx);
	int64_t (*now_us)(void *ctx); /* NULL: clock_us */
	void *ctx;
	size_t most_bytes;
	bool manual;

	/* For the caller's thread. */
	struct store_link *link; /* for reads that wait, and for all questions in manual mode */
	struct unit *unit;	 /* being filled; NULL: nothing yet */
	enum qv_status refused;	 /* not QV_OK: why the unit being filled was dropped */
	bool probing;		 /* a probe is on its way */
	bool unit_failed;	 /* see store_unit_failed */
	int64_t order;		 /* of the last unit or question that was queued */

	int64_t told;	   /* texts */
	size_t text_bytes; /* of the units in the queue that have nothing but texts */
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
	int64_t serving_us; /* when the oldest unit that the writer has taken was queued; 0: none */
	struct unit *written, **written_end;
	struct question *asked; /* by turns */
	int64_t turn;		/* of the last question that was taken from there */
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
	bool unsure;		  /* what became of some units is not known, and never will be */
	bool failing;		  /* the last commit could not write */
	struct qv_error failure;  /* why */
	struct store_space space; /* after the last commit */
	bool damaged;		  /* a check has found damage */
	struct qv_error damage;	  /* what */
	struct store_figures figures;
};

/* For a write. most: size with the NUL. A longer text becomes NULL, which store_add_write refuses. */
static inline struct store_value text(const char *bytes, size_t most)
{
	struct store_value value = value_text(bytes);
	if (value.size >= most)
		value.bytes = NULL;
	return value;
}

/*
 * Adds a write to the unit being filled. A text or bytes that are NULL drop the unit: QV_BAD_INPUT.
 */
enum qv_status store_add_write(struct store *s, enum store_change statement, int count,
			       const struct store_value *values);
/* By the clock of the store. */
int64_t store_now_us(const struct store *s);
/* accounts.c: what has ended, for all servers. See struct store_revocation. */
enum qv_status store_revoke(struct store *s, const char *user, const char *issuer,
			    const char *kept, int64_t now);
/* Memory of the queue: of a unit or question that was delivered or dropped. */
void store_give_back(struct store *s, size_t bytes);

/* ---- threads.c ---- */

/* Commits units, none of which asks, and notes the result. On the writer's thread. */
void store_commit(struct store *s, struct unit *units);
bool store_start_threads(struct store *s); /* false: some may run, so stop them */
/* The readers end soon: what they do is interrupted until they have. The writer ends its queue. */
void store_stop_threads(struct store *s);
/* Serves all queued units. No threads run. */
void store_serve_queue(struct store *s);

/* ---- bus.c ---- */

bool bus_is_node(const char *node); /* is it a valid name of a server? "" is */
enum qv_status bus_open(struct store *s, const struct store_setup *setup, struct qv_error *error);
void bus_close(struct store *s);
void bus_listen(void *ctx); /* a thread, if there is a listener */
/* Without a bus: hears what the units tell this server. */
void bus_echo(struct store *s, const struct unit *units);
void bus_deliver(struct store *s);
/* In the listener's thread: a piece of a text, or NULL if pieces may be missing. ctx: the store. */
void bus_hear(void *ctx, const char *payload);
/* When the next sign of life is due (clock_us); and writes it, or removes this server. */
int64_t bus_next_sign(const struct store *s);
void bus_sign(struct store *s, bool alive);

#endif
