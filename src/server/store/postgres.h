/*
 * postgres.h - the parts of the PostgreSQL driver: postgres_link.c has connections and what goes
 * over them, schema_postgres.c the tables, postgres.c commits units and asks questions.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_POSTGRES_H
#define SERVER_STORE_POSTGRES_H

#include <libpq-fe.h>

#include "server/store/driver.h"

enum { POSTGRES_SQL = 4096, POSTGRES_WRITER = 40 };
#define POSTGRES_PATIENT ((int64_t)365 * 86400 * 1000000) /* as answer_us: no limit */

struct store_link {
	PGconn *conn; /* in pipeline mode; NULL: not connected */
	char *place;
	enum link_role role;
	size_t rows_bytes;     /* as in struct store_setup */
	struct qv_flag stop;   /* set by another thread: whatever waits fails */
	int64_t answer_us;     /* how long it waits for a result; 0: the usual time */
	int64_t until_us;      /* the end of that wait */
	char node[STORE_NODE]; /* of the listener: the name of this server */
	bool down;	       /* the last attempt to connect has failed, */
	int64_t failed_us;     /* ... at this time */
	/*
	 * Of the writer. Each transaction puts its name, which is writer and batch, into a table. So
	 * after a lost connection it is possible to find out whether the transaction was committed.
	 */
	char writer[POSTGRES_WRITER];
	int64_t batch;
	bool unresolved; /* whether the last transaction was committed is not known */
	struct store_marks marks;
	struct store_space space; /* when it was measured last, */
	int64_t measured_us;	  /* ... at this time */
	int64_t added;		  /* bytes that this server may have added since */
	char state[6];		  /* the SQLSTATE of the last refusal */
	int64_t short_until_us; /* the disk was full: what needs no space proves nothing until then */
	int64_t heard_us;	/* of the listener: when something came last */
};

/* ---- postgres_link.c ---- */

/*
 * The text of a statement for PostgreSQL: parameters are $1 ..., reserved words are quoted, and a
 * write that must change one row fails otherwise. False: it does not fit.
 */
bool postgres_text(const struct store_statement *statement, char out[POSTGRES_SQL]);

/* The first part of link_connect: a connection with settings, but without statements. */
enum qv_status link_begin(struct store_link *link, struct qv_error *error);
/* The second part: prepares the statements of the role. */
enum qv_status link_prepare(struct store_link *link, struct qv_error *error);
/*
 * Connects if necessary. QV_IO: it is not possible; patient: only after it was tried for some
 * seconds, since a server that is restarted comes back soon.
 */
enum qv_status link_connect(struct store_link *link, bool patient, struct qv_error *error);
void link_drop(struct store_link *link); /* the connection; link_connect makes another */
/* Runs a statement without parameters and waits. NULL: error is set. The caller clears the result. */
PGresult *link_run(struct store_link *link, const char *sql, struct qv_error *error);

/* Waits until the socket is ready. False: the link was stopped, or it takes too long (clock_us). */
bool link_wait(struct store_link *link, short events, int64_t until_us);

/* Queue a statement of the table, or any other; false: the connection is lost. */
bool link_send(struct store_link *link, int which, const struct store_value *values);
bool link_send_sql(struct store_link *link, const char *sql);
/* Ends what was queued since the last time, and sends it. */
bool link_sync(struct store_link *link);
/*
 * The next result, or NULL at the end of the results of a statement; the caller clears it. If the
 * connection is lost or the link stopped, *lost is set and the result is NULL.
 */
PGresult *link_result(struct store_link *link, bool *lost);
/* Did the server refuse it? Then state is the SQLSTATE, or "". */
bool result_failed(const PGresult *result, char state[6]);
/* Sets the error to "database: " and the server's reason. */
enum qv_status result_error(const PGresult *result, struct qv_error *error);

/* ---- postgres_space.c ---- */

/* Measures the database if that was not done for a while. Of the writer, which is connected. */
void space_measure(struct store_link *w);
/* May the unit be written? If so, it counts as written. */
bool space_admits(struct store_link *w, const struct unit *unit);
bool space_admits_guess(struct store_link *w); /* likewise; it measures first */

/* ---- schema_postgres.c ---- */

/* SQL from each version to the next, as store_steps. */
extern const char *const postgres_steps[];
extern const int postgres_step_count;
/*
 * Migrates the database to version `count`, one transaction per step. Other servers that start at
 * the same time wait. A database of another program or a newer version is refused untouched.
 */
enum qv_status postgres_migrate(struct store_link *link, const char *const *steps, int count,
				struct qv_error *error);
/* Fails unless the database has the version of this program. */
enum qv_status postgres_is_current(struct store_link *link, struct qv_error *error);

#endif
