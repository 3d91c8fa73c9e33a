/*
 * driver.h - what a database must be able to do for the store.
 * SPDX-License-Identifier: MIT
 *
 * A driver opens links (connections) to its database. One link commits units of writes, in the
 * writer's thread; the others ask questions, each in a thread of its own. A link is used by one
 * thread at a time, except in `interrupt`.
 */
#ifndef SERVER_STORE_DRIVER_H
#define SERVER_STORE_DRIVER_H

#include "server/store/store.h"

/* A write of a unit: a statement (enum store_change) and its values. */
struct write {
	struct write *next;
	int statement;
	int count;
	struct store_value values[STATEMENT_VALUES];
	char bytes[]; /* the values point into it */
};

struct question; /* that the writer asks: see inside.h */

enum unit_state { UNIT_WAITING, UNIT_SENT, UNIT_DECIDED };

/* A unit of work. */
struct unit {
	struct unit *next;
	struct write *first, **last; /* last: where to link the next one */
	size_t size;		     /* bytes of memory, this struct's included */
	int64_t order;		     /* of all units and questions */
	int64_t since_us;	     /* when it was queued */
	struct question *question;   /* asked instead of writing; NULL: an ordinary unit */
	bool ok;		     /* set by the driver: it is on disk */
	bool at_fault;		     /* likewise: one of its own statements was refused */
	bool failed;		     /* the store could not write, so a unit that is not ok may be good */
	enum unit_state state;	     /* for the driver */
	int losses;		     /* ... how often the connection was lost with it on its way */
	void (*done)(void *ctx, bool ok);
	void *ctx;
};

enum {
	TIGHT_SHARE = 10, /* the last tenth of the database is for games in progress */
	UNIT_FACTOR = 3,  /* rows, indexes and overflow pages of a unit, at most */
	/*
	 * A guess at a password is no part of a unit. Guesses may go a little beyond the largest size,
	 * by 1/100 of it: who wants to delete an account has to give the password.
	 */
	GUESS_SHARE = 100,
};
#define STORE_TOO_LARGE "database: has reached its largest size; see quevedo server prune"
/* Is it written even if space is short? upkeep.c */
bool unit_only_removes(const struct unit *unit);

enum commit_result {
	COMMIT_WRITTEN, /* something is on disk */
	COMMIT_NOTHING, /* nothing to write, or all of it violated a constraint */
	COMMIT_FAILED,	/* it cannot write: disk full, I/O error, file removed, no connection */
	COMMIT_UNKNOWN, /* the connection was lost: commit the same units again to find out */
};

enum link_role {
	LINK_WRITER, /* creates and migrates the database; there is one for the store */
	LINK_READER,
	LINK_LISTENER, /* for `hear` */
};

struct store_link;

struct store_driver {
	/* The caller closes *out, which is NULL on failure. */
	enum qv_status (*open)(const struct store_setup *setup, enum link_role role,
			       struct store_link **out, struct qv_error *error);
	void (*close)(struct store_link *link); /* NULL is fine */
	/*
	 * Commits the units, which write and ask nothing, and sets `ok` of each. A unit is written
	 * whole or not at all; one that fails takes none with it. trouble gets one failure, if any.
	 * A unit that is refused is at fault, unless one before it, which was lost, may be the reason.
	 */
	enum commit_result (*commit)(struct store_link *link, struct unit *units,
				     struct qv_error *trouble);
	/* The space after the last commit, or when the link was opened. NULL: not known. */
	struct store_space (*space)(const struct store_link *writer);
	/* The caller frees *out. The values fit the statement. */
	enum qv_status (*ask)(struct store_link *link, enum store_question question,
			      const struct store_value *values, struct store_rows **out,
			      struct qv_error *error);
	/* Makes what the link is doing in another thread end soon, with an error. */
	void (*interrupt)(struct store_link *link);
	/*
	 * Looks for damage in the whole database, which may take minutes. Needed: the last server
	 * did not end properly and the database was too large to check it when it was opened. Both
	 * NULL: the database takes care of itself.
	 */
	bool (*needs_check)(const struct store_link *writer);
	enum qv_status (*check)(struct store_link *reader, struct qv_error *error);
	/*
	 * Waits up to half a second for what servers tell, and calls `on_text` with each; with NULL
	 * after a connection was lost and replaced. NULL: no other servers can use the database.
	 */
	enum qv_status (*hear)(struct store_link *listener,
			       void (*on_text)(void *ctx, const char *text), void *ctx,
			       struct qv_error *error);
};

extern const struct store_driver store_sqlite;
/* NULL: this program was built without it. */
extern const struct store_driver *const store_postgres;
/* The driver for a place, which is as in struct store_setup. */
enum qv_status store_find_driver(const char *place, const struct store_driver **out,
				 struct qv_error *error);

#endif
