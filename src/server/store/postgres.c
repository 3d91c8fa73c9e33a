/*
 * postgres.c - the driver for PostgreSQL: commits units and asks questions.
 * SPDX-License-Identifier: MIT
 *
 * Units that wait are sent as one transaction, in one go. If one of them violates a constraint the
 * transaction is rolled back, and the others are sent again without it. Units that fail one after
 * the other are sent alone, so that the work stays bounded.
 *
 * Rows that several servers write are locked until the commit, so two transactions with many units
 * could lock the same rows in different orders. Therefore a unit that writes such rows is a
 * transaction of its own, and locks them in an order. If there is a deadlock all the same, half of
 * the units are sent, and so on: one that cannot be written takes no others with it.
 *
 * If the connection is lost while a transaction is on its way, it may have been committed, or may
 * be committed yet. To find out, the first statement of each transaction inserts its name, a row
 * that is unique. Afterwards another connection inserts the same name, as that of a dead
 * transaction. PostgreSQL lets it wait for the first one to end; then one of the two is in the
 * table, and the other never can be.
 */
#include <limits.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/text.h"
#include "server/store/postgres.h"
#include "server/store/privacy.h"

enum {
	TOGETHER_MOST = 3,  /* faults of units until they are sent alone */
	RETRIES_MOST = 5,   /* after deadlocks and the like */
	LOSSES_ALONE = 2,   /* a unit that cost the connection so often is sent alone */
	LOSSES_MOST = 5,    /* ... and so often has failed */
	DEAD_MS = STORE_BATCH_DAYS * 86400000, /* for so long the names of dead transactions are kept */
	SHORT_US = 10000000,
};
#define DISK_FULL "53100"
#define READ_ONLY "25006"

/* ---- texts that PostgreSQL would refuse ---- */

static bool is_utf8(const struct store_value *value)
{
	for (size_t i = 0, bytes; i < value->size; i += bytes) {
		char piece[5] = "";
		const size_t left = value->size - i < 4 ? value->size - i : 4;
		memcpy(piece, value->bytes + i, left);
		bytes = piece[0] ? (size_t)text_character(piece) : 0;
		if (!bytes || bytes > left)
			return false;
	}
	return true;
}

static bool texts_are_good(int which, const struct store_value *values)
{
	const char *types = store_statements[which].types;
	for (int i = 0; types[i]; i++)
		if (types[i] == 't' && !is_utf8(&values[i]))
			return false;
	return true;
}

/* ---- one transaction ---- */

enum outcome {
	DONE,
	AT_FAULT, /* a unit, which is named; nothing is written */
	RETRY,	  /* a deadlock or the like; nothing is written */
	REFUSED,  /* by the database; nothing is written */
	UNKNOWN,  /* the connection was lost */
};

/* What the class of the SQLSTATE means. */
static enum outcome outcome_of(const char *state)
{
	static const char *const faults[] = { "21", "22", "23", "44", "54", "P0" };
	if (strncmp(state, "40", 2) == 0)
		return RETRY;
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (strncmp(state, faults[i], 2) == 0)
			return AT_FAULT;
	return REFUSED;
}

/* Queues the transaction of all units that are UNIT_SENT. */
static bool send_units(struct store_link *w, const struct unit *units)
{
	char name[256];
	/* The names of earlier transactions, whose fate is known, are removed. */
	snprintf(
		name, sizeof name,
		"WITH known AS (DELETE FROM batch WHERE writer = '%s' AND number < %lld AND dead = 0)"
		" INSERT INTO batch VALUES ('%s', %lld, 0, now_ms())",
		w->writer, (long long)w->batch, w->writer, (long long)w->batch);
	bool sent = link_send_sql(w, "BEGIN") && link_send_sql(w, name);
	for (const struct unit *unit = units; sent && unit; unit = unit->next)
		for (const struct write *write = unit->first;
		     sent && unit->state == UNIT_SENT && write; write = write->next)
			sent = link_send(w, write->statement, write->values);
	return sent && link_send_sql(w, "COMMIT") && link_sync(w);
}

/* Reads the one result of a statement, and the NULL after it. */
static enum outcome take_result(struct store_link *w, const char *tag, struct qv_error *trouble)
{
	char state[6];
	bool lost;
	PGresult *result = link_result(w, &lost);
	if (!result)
		return UNKNOWN; /* lost, or the protocol is broken */
	enum outcome outcome = DONE;
	if (result_failed(result, state)) {
		memcpy(w->state, state, sizeof state);
		outcome = outcome_of(state);
		result_error(result, trouble);
	} else if (PQresultStatus(result) == PGRES_PIPELINE_ABORTED) {
		outcome = REFUSED; /* because of a statement before it */
	} else if (tag && strcmp(PQcmdStatus((PGresult *)(uintptr_t)result), tag) != 0) {
		outcome = REFUSED;
		qv_fail(trouble, QV_IO, "database: the transaction was rolled back");
	}
	PQclear(result);
	result = link_result(w, &lost);
	PQclear(result);
	return lost || result ? UNKNOWN : outcome;
}

/* The end of what was sent. False: the connection is lost. */
static bool take_sync(struct store_link *link)
{
	bool lost;
	PGresult *result = link_result(link, &lost);
	const bool ok = result && PQresultStatus(result) == PGRES_PIPELINE_SYNC;
	PQclear(result);
	return ok;
}

/* Reads the results of the statements up to COMMIT. The first failure counts; *bad: whose it is. */
static enum outcome take_results(struct store_link *w, struct unit *units, struct unit **bad,
				 struct qv_error *trouble)
{
	struct qv_error later;
	enum outcome outcome = take_result(w, NULL, trouble); /* BEGIN */
	if (outcome == DONE)
		outcome = take_result(w, NULL, trouble); /* the name */
	else if (take_result(w, NULL, &later) == UNKNOWN)
		outcome = UNKNOWN;
	for (struct unit *unit = units; unit; unit = unit->next)
		for (const struct write *write = unit->first;
		     unit->state == UNIT_SENT && write && outcome != UNKNOWN; write = write->next) {
			const enum outcome one =
				take_result(w, NULL, outcome == DONE ? trouble : &later);
			if (one == UNKNOWN || outcome == DONE)
				outcome = one;
			if (one == AT_FAULT && outcome == AT_FAULT && !*bad)
				*bad = unit;
		}
	if (outcome == UNKNOWN)
		return UNKNOWN;
	const enum outcome last = take_result(w, "COMMIT", outcome == DONE ? trouble : &later);
	return last == UNKNOWN || outcome == DONE ? last : outcome;
}

/* After a failure: the transaction is open still, and all but its end is refused. */
static void roll_back(struct store_link *w)
{
	struct qv_error ignored;
	if (!link_send_sql(w, "ROLLBACK") || !link_sync(w) ||
	    take_result(w, NULL, &ignored) != DONE || !take_sync(w))
		link_drop(w);
}

/* Sends all units that are UNIT_SENT as one transaction. */
static enum outcome try_units(struct store_link *w, struct unit *units, struct unit **bad,
			      struct qv_error *trouble)
{
	enum outcome outcome = UNKNOWN;
	*bad = NULL;
	w->batch++;
	w->unresolved = true;
	w->state[0] = '\0';
	if (send_units(w, units))
		outcome = take_results(w, units, bad, trouble);
	if (outcome == UNKNOWN) {
		qv_fail(trouble, QV_IO, "database: connection lost");
		link_drop(w);
		return UNKNOWN;
	}
	w->unresolved = false;
	if (outcome == REFUSED && strcmp(w->state, DISK_FULL) == 0)
		w->short_until_us = clock_us() + SHORT_US;
	/* If the database can only be read, another one of the address may be the right one. */
	if (!take_sync(w) || (outcome == REFUSED && strcmp(w->state, READ_ONLY) == 0))
		link_drop(w); /* though the outcome is known */
	else if (outcome != DONE)
		roll_back(w);
	if (outcome == AT_FAULT && !*bad)
		return REFUSED;
	return outcome;
}

/*
 * Finds out whether the last transaction was committed, and sees to it that it never is if not.
 * False: still not known.
 */
static bool resolve(struct store_link *w, bool *committed, struct qv_error *trouble)
{
	char sql[256];
	if (link_connect(w, true, trouble) != QV_OK)
		return false;
	snprintf(sql, sizeof sql,
		 "INSERT INTO batch AS b VALUES ('%s', %lld, 1, now_ms())"
		 " ON CONFLICT (writer, number) DO UPDATE SET dead = b.dead RETURNING dead",
		 w->writer, (long long)w->batch);
	PGresult *result = link_run(w, sql, trouble);
	const bool known = result && PQntuples(result) == 1;
	if (known)
		*committed = strcmp(PQgetvalue(result, 0, 0), "0") == 0;
	else
		link_drop(w);
	PQclear(result);
	w->unresolved = !known;
	return known;
}

/* ---- committing ---- */

/* Sets the state of all units that have the state `from`; ok: of those that are decided. */
static void set_states(struct unit *units, enum unit_state from, enum unit_state to, bool ok)
{
	for (struct unit *unit = units; unit; unit = unit->next) {
		if (unit->state != from)
			continue;
		unit->state = to;
		unit->ok = to == UNIT_DECIDED && ok;
	}
}

static void decide(struct unit *unit, bool ok)
{
	unit->state = UNIT_DECIDED;
	unit->ok = ok;
}

static void refuse(struct unit *unit)
{
	decide(unit, false);
	unit->at_fault = true;
}

/* Empty units are written already, and those with a bad text never are. */
static void decide_at_once(struct unit *units, struct qv_error *trouble)
{
	for (struct unit *unit = units; unit; unit = unit->next) {
		if (unit->state != UNIT_WAITING)
			continue;
		if (!unit->first)
			decide(unit, true);
		for (const struct write *write = unit->first; write; write = write->next)
			if (!texts_are_good(write->statement, write->values)) {
				qv_fail(trouble, QV_IO, "database: a text is not UTF-8");
				refuse(unit);
			}
	}
}

/* What does not fit is refused; what removes something always fits. False: some was refused. */
static bool decide_by_space(struct store_link *w, struct unit *units, struct qv_error *trouble)
{
	bool fits = true;
	space_measure(w);
	for (struct unit *unit = units; unit; unit = unit->next) {
		if (unit->state != UNIT_WAITING || space_admits(w, unit))
			continue;
		fits = false;
		decide(unit, false);
		qv_fail(trouble, QV_IO, STORE_TOO_LARGE);
	}
	return fits;
}

static bool is_shared(const struct unit *unit)
{
	const struct write *write = unit->first;
	while (write && !store_statements[write->statement].shared)
		write = write->next;
	return write;
}

/*
 * Marks the units to send next, in their order: those that wait, but at most so many, and a shared one
 * alone. Returns how many.
 */
static int choose(struct unit *units, int most)
{
	int count = 0;
	for (const struct unit *unit = units; unit; unit = unit->next)
		if (unit->state == UNIT_WAITING && unit->losses >= LOSSES_ALONE)
			most = 1;
	for (struct unit *unit = units; unit && count < most; unit = unit->next) {
		if (unit->state != UNIT_WAITING)
			continue;
		const bool shared = is_shared(unit);
		if (shared && count)
			break;
		unit->state = UNIT_SENT;
		count++;
		if (shared)
			break;
	}
	return count;
}

/* The units of a transaction whose end was unknown: written, sent again, or sent too often. */
static bool resolve_units(struct store_link *w, struct unit *units, struct qv_error *trouble)
{
	bool committed = false;
	if (!resolve(w, &committed, trouble))
		return false;
	for (struct unit *unit = units; unit; unit = unit->next)
		if (unit->state == UNIT_SENT && !committed && ++unit->losses >= LOSSES_MOST)
			refuse(unit);
	set_states(units, UNIT_SENT, committed ? UNIT_DECIDED : UNIT_WAITING, true);
	return true;
}

/*
 * Sends the units that wait until all are decided. REFUSED: the database cannot write now. *gave_up
 * is set if a good unit may be among those that were not written.
 */
static enum outcome send_all(struct store_link *w, struct unit *units, bool *gave_up,
			     struct qv_error *trouble)
{
	int faults = 0, retries = 0, most = INT_MAX;
	for (int sent; (sent = choose(units, faults >= TOGETHER_MOST ? 1 : most));) {
		struct unit *bad;
		enum outcome outcome = try_units(w, units, &bad, trouble);
		if (outcome == UNKNOWN)
			return UNKNOWN;
		if (outcome == DONE)
			set_states(units, UNIT_SENT, UNIT_DECIDED, true);
		if (outcome == AT_FAULT) {
			refuse(bad);
			faults++;
		}
		retries = outcome == RETRY && sent == 1 ? retries + 1 : 0;
		if (retries > RETRIES_MOST) {
			set_states(units, UNIT_SENT, UNIT_DECIDED, false);
			*gave_up = true;
			retries = 0;
		}
		if (outcome == RETRY)
			most = sent > 1 ? sent / 2 : 1;
		else if (most <= INT_MAX / 2)
			most *= 2;
		set_states(units, UNIT_SENT, UNIT_WAITING, false);
		if (outcome == REFUSED || link_connect(w, false, trouble) != QV_OK)
			return REFUSED;
	}
	return DONE;
}

/*
 * Does the unit, which was written, show that units can be written? A sign of life or a probe needs
 * no space, so not while that is short.
 */
static bool shows_that_it_works(const struct store_link *w, const struct unit *unit)
{
	const bool is_short = w->space.full || clock_us() < w->short_until_us;
	return unit->first &&
	       !(is_short && (unit_only_removes(unit) || unit->first->statement == WRITE_PROBE));
}

static enum commit_result postgres_commit(struct store_link *w, struct unit *units,
					  struct qv_error *trouble)
{
	bool wrote = false;
	if (w->unresolved && !resolve_units(w, units, trouble))
		return COMMIT_UNKNOWN;
	decide_at_once(units, trouble);
	bool waits = false, gave_up = false;
	for (struct unit *unit = units; unit; unit = unit->next)
		waits |= unit->state == UNIT_WAITING;
	enum outcome outcome = DONE;
	if (waits && link_connect(w, true, trouble) != QV_OK) {
		outcome = REFUSED;
	} else if (waits) {
		gave_up = !decide_by_space(w, units, trouble);
		outcome = send_all(w, units, &gave_up, trouble);
	}
	if (outcome == UNKNOWN)
		return COMMIT_UNKNOWN;
	set_states(units, UNIT_WAITING, UNIT_DECIDED, false);
	for (struct unit *unit = units; unit; unit = unit->next) {
		wrote |= unit->ok && shows_that_it_works(w, unit);
		unit->at_fault &= outcome != REFUSED;
	}
	if (outcome != DONE || gave_up)
		return COMMIT_FAILED;
	return wrote ? COMMIT_WRITTEN : COMMIT_NOTHING;
}

/* ---- asking ---- */

static uint64_t get_number(const char *bytes, int size)
{
	uint64_t number = size && (bytes[0] & 0x80) ? UINT64_MAX : 0; /* the sign */
	for (int i = 0; i < size; i++)
		number = number << 8 | (unsigned char)bytes[i];
	return number;
}

/* By the type of the column: one that no statement should have is BYTES. */
static struct store_value take_value(const PGresult *result, int row, int column)
{
	const char *bytes = PQgetvalue(result, row, column);
	const int size = PQgetlength(result, row, column);
	double real;
	uint64_t bits;
	if (PQgetisnull(result, row, column))
		return (struct store_value){ .type = STORE_NULL };
	switch (PQftype(result, column)) {
	case 20: /* int8, int4 and int2 */
	case 23:
	case 21:
		return value_number((int64_t)get_number(bytes, size));
	case 701: /* float8 */
		bits = get_number(bytes, size);
		memcpy(&real, &bits, sizeof real);
		return value_real(real);
	case 25: /* text */
		return (struct store_value){ .type = STORE_TEXT,
					     .bytes = bytes,
					     .size = (size_t)size };
	default:
		return value_bytes(bytes, (size_t)size);
	}
}

enum taken { TAKEN, TAKEN_TOO_MUCH, TAKEN_ERROR, TAKEN_LOST };

static bool add_rows(const PGresult *result, struct store_rows *rows)
{
	for (int row = 0; row < PQntuples(result); row++)
		for (int i = 0; i < rows->columns; i++) {
			const struct store_value value = take_value(result, row, i);
			if (!rows_add(rows, &value))
				return false;
		}
	return true;
}

/* The rows of the next statement, one by one: so no result needs more memory than it may have. */
static enum taken take_rows(struct store_link *link, struct store_rows **out,
			    struct qv_error *error)
{
	bool lost;
	char state[6];
	enum taken taken = TAKEN;
	PQsetSingleRowMode(link->conn);
	for (PGresult *result; (result = link_result(link, &lost));) {
		if (result_failed(result, state)) {
			result_error(result, error);
			taken = TAKEN_ERROR;
		} else if (PQresultStatus(result) == PGRES_PIPELINE_ABORTED) {
			taken = TAKEN_ERROR;
		} else if (taken == TAKEN) {
			if (!*out && !(*out = rows_new(PQnfields(result), link->rows_bytes)))
				taken = TAKEN_TOO_MUCH;
			else if (!add_rows(result, *out))
				taken = TAKEN_TOO_MUCH;
		}
		PQclear(result);
		if (taken == TAKEN_TOO_MUCH)
			return taken;
	}
	if (!lost && taken == TAKEN)
		rows_end(*out);
	return lost ? TAKEN_LOST : taken;
}

/* Skips the result of BEGIN or COMMIT. */
static enum taken skip(struct store_link *link)
{
	struct qv_error ignored;
	return take_result(link, NULL, &ignored) == UNKNOWN ? TAKEN_LOST : TAKEN;
}

/* Sends the question and reads its rows. TAKEN_LOST: it can be asked again. */
static enum taken ask_once(struct store_link *link, enum store_question question,
			   const struct store_value *values, struct store_rows **out,
			   struct qv_error *error)
{
	const int then = store_statements[question].then;
	bool sent = !then || link_send_sql(link, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
	sent = sent && link_send(link, (int)question, values);
	if (then)
		sent = sent && link_send(link, then, values) && link_send_sql(link, "COMMIT");
	if (!sent || !link_sync(link))
		return TAKEN_LOST;
	enum taken taken = then ? skip(link) : TAKEN;
	if (taken == TAKEN)
		taken = take_rows(link, out, error);
	if (then && taken == TAKEN)
		taken = take_rows(link, &(*out)->next, error);
	if (then && taken == TAKEN)
		taken = skip(link);
	if (taken == TAKEN && !take_sync(link))
		taken = TAKEN_LOST;
	return taken;
}

static enum qv_status postgres_ask(struct store_link *link, enum store_question question,
				   const struct store_value *values, struct store_rows **out,
				   struct qv_error *error)
{
	enum taken taken = TAKEN_LOST;
	bool late = false;
	*out = NULL;
	if (!texts_are_good((int)question, values))
		return qv_fail(error, QV_BAD_INPUT, "database: a text is not UTF-8");
	/* A question that changes rows is asked once, for it may have done so. */
	for (int left = store_statements[question].changes ? 1 : 2;
	     left && taken == TAKEN_LOST && !late; left--) {
		if (link_connect(link, false, error) != QV_OK)
			return QV_IO;
		if (question == ASK_GUESS && !space_admits_guess(link))
			return qv_fail(error, QV_IO, STORE_TOO_LARGE);
		taken = ask_once(link, question, values, out, error);
		/* Whoever waits for it has waited long enough. */
		late = taken == TAKEN_LOST && clock_us() >= link->until_us;
		if (taken != TAKEN)
			link_drop(link); /* whatever it has still to say */
		if (taken != TAKEN) {
			store_rows_free(*out);
			*out = NULL;
		}
	}
	if (taken == TAKEN_LOST)
		qv_fail(error, QV_IO, "database: %s",
			late ? "no answer in time" : "connection lost");
	if (taken == TAKEN_TOO_MUCH)
		return qv_fail(error, QV_NO_MEMORY, "database: the result of a query is too large");
	return taken == TAKEN ? QV_OK : QV_IO;
}

static void postgres_interrupt(struct store_link *link)
{
	flag_set(&link->stop, true);
}

/* ---- hearing ---- */

enum {
	HEAR_US = 500000,
	QUIET_US = 5000000, /* after such a silence the listener asks whether somebody is there, */
	ECHO_US = 5000000,  /* ... and waits so long for the answer */
};

/* Listens to what is told to all, and to this server. */
static enum qv_status listen_to(struct store_link *link, struct qv_error *error)
{
	const char *const names[] = { "", link->node };
	for (int i = 0; i < 2; i++) {
		char sql[192];
		snprintf(sql, sizeof sql, "SELECT channel('%s')", names[i]);
		PGresult *result = link_run(link, sql, error);
		if (!result)
			return QV_IO;
		snprintf(sql, sizeof sql, "LISTEN %s", PQgetvalue(result, 0, 0));
		PQclear(result);
		result = link_run(link, sql, error);
		PQclear(result);
		if (!result)
			return QV_IO;
	}
	link->heard_us = clock_us();
	return QV_OK;
}

/* Passes on what has arrived. False: the connection is lost. */
static bool pass_texts(struct store_link *link, void (*on_text)(void *ctx, const char *text),
		       void *ctx)
{
	if (!PQconsumeInput(link->conn))
		return false;
	for (PGnotify *notify; (notify = PQnotifies(link->conn));) {
		on_text(ctx, notify->extra);
		PQfreemem(notify);
		link->heard_us = clock_us();
	}
	return PQstatus(link->conn) == CONNECTION_OK;
}

static enum qv_status postgres_hear(struct store_link *link,
				    void (*on_text)(void *ctx, const char *text), void *ctx,
				    struct qv_error *error)
{
	enum qv_status status = QV_OK;
	const bool fresh = !link->conn;
	if (fresh) {
		status = link_connect(link, false, error);
		if (status == QV_OK)
			status = listen_to(link, error);
		if (status == QV_OK)
			on_text(ctx, NULL);
	}
	const bool silent = status == QV_OK && clock_us() >= link->heard_us + QUIET_US;
	if (silent) /* perhaps that of a dead connection; to listen again does no harm */
		status = listen_to(link, error);
	/* What came while it began to listen was read already: no input may follow for long. */
	if (status == QV_OK &&
	    (fresh || silent || link_wait(link, POLLIN, clock_us() + HEAR_US)) &&
	    !pass_texts(link, on_text, ctx))
		status = qv_fail(error, QV_IO, "database: connection lost");
	if (status != QV_OK)
		link_drop(link);
	return status;
}

/* ---- opening and closing ---- */

static struct store_space postgres_space(const struct store_link *writer)
{
	return writer->space;
}

static void postgres_close(struct store_link *link)
{
	if (!link)
		return;
	link_drop(link);
	free(link->place);
	free(link);
}

/* Removes the names of transactions that nobody asks for any more, and makes a name. */
static enum qv_status name_writer(struct store_link *w, struct qv_error *error)
{
	char sql[128];
	snprintf(sql, sizeof sql,
		 "DELETE FROM batch WHERE made < now_ms() - %d; SELECT gen_random_uuid()", DEAD_MS);
	PGresult *result = link_run(w, sql, error);
	if (!result)
		return QV_IO;
	snprintf(w->writer, sizeof w->writer, "%s", PQgetvalue(result, 0, 0));
	PQclear(result);
	return QV_OK;
}

static enum qv_status postgres_open(const struct store_setup *setup, enum link_role role,
				    struct store_link **out, struct qv_error *error)
{
	struct store_link *link = calloc(1, sizeof *link);
	*out = NULL;
	if (!link || !(link->place = strdup(setup->place))) {
		free(link);
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	}
	link->role = role;
	link->rows_bytes = setup->rows_bytes;
	link->answer_us = role == LINK_LISTENER ? ECHO_US : 1000 * (int64_t)setup->answer_ms;
	snprintf(link->node, sizeof link->node, "%s", setup->node ? setup->node : "");
	enum qv_status status = link_begin(link, error);
	if (status == QV_OK && role == LINK_WRITER)
		status = setup->shared ? postgres_is_current(link, error)
				       : postgres_migrate(link, postgres_steps, postgres_step_count,
							  error);
	link->marks = setup->marks;
	if (status == QV_OK && role == LINK_WRITER)
		status = name_writer(link, error);
	if (status == QV_OK && role == LINK_WRITER)
		space_measure(link);
	if (status == QV_OK)
		status = role == LINK_LISTENER ? listen_to(link, error) : link_prepare(link, error);
	if (status == QV_OK)
		*out = link;
	else
		postgres_close(link);
	return status;
}

static const struct store_driver driver = {
	.open = postgres_open,
	.close = postgres_close,
	.commit = postgres_commit,
	.space = postgres_space,
	.ask = postgres_ask,
	.interrupt = postgres_interrupt,
	.hear = postgres_hear,
};

const struct store_driver *const store_postgres = &driver;
