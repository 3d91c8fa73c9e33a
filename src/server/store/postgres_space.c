/*
 * postgres_space.c - how large the database is, and whether it may grow.
 * SPDX-License-Identifier: MIT
 *
 * PostgreSQL is asked for the size now and then. In between, a server counts what it may have added
 * itself, and measures again after a small step. Up to SERVERS_MOST servers write at the same time,
 * so the last SERVERS_MOST steps below the mark are left free: together they cannot pass it. The
 * size of the disk is not known here; if it is full, PostgreSQL refuses to write.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "server/store/postgres.h"

enum {
	SERVERS_MOST = 64,
	STEPS_SHARE = 20,    /* all steps are 1/20 of the largest size, ... */
	STEP_MOST = 1 << 20, /* ... but one of them is no more than this */
	MEASURE_US = 1000000,
	REST_US = 10000000, /* without a mark nobody is in a hurry */
	GUESS_BYTES = 512,  /* a row with its place in two indexes, at most */
};

static int64_t step_of(const struct store_link *w)
{
	const int64_t step = w->marks.most_bytes / STEPS_SHARE / SERVERS_MOST;
	return step < STEP_MOST ? step : STEP_MOST;
}

/* What may be used up to the last step. */
static int64_t most_of(const struct store_link *w)
{
	return w->marks.most_bytes - SERVERS_MOST * step_of(w);
}

static void set_space(struct store_link *w, int64_t bytes)
{
	const int64_t most = most_of(w);
	w->space.bytes = bytes;
	/* There must be room for a move still. */
	w->space.full = w->marks.most_bytes && bytes + step_of(w) > most;
	w->space.tight =
		w->space.full || (w->marks.most_bytes && bytes >= most - most / TIGHT_SHARE);
	w->added = 0;
}

/* If it fails, the connection is lost, which the next statement finds out. */
static void measure(struct store_link *w)
{
	struct qv_error ignored;
	PGresult *result = link_run(w, "SELECT pg_database_size(current_database())", &ignored);
	w->measured_us = clock_us();
	if (result && PQntuples(result) == 1)
		set_space(w, atoll(PQgetvalue(result, 0, 0)));
	PQclear(result);
}

void space_measure(struct store_link *w)
{
	const int64_t pause = w->marks.most_bytes ? MEASURE_US : REST_US;
	if (!w->measured_us || w->space.full || w->added > step_of(w) ||
	    clock_us() >= w->measured_us + pause)
		measure(w);
}

bool space_admits(struct store_link *w, const struct unit *unit)
{
	const int64_t bytes = UNIT_FACTOR * (int64_t)unit->size;
	if (!w->marks.most_bytes || unit_only_removes(unit))
		return true;
	if (w->space.bytes + w->added + bytes > most_of(w))
		return false;
	w->added += bytes;
	return true;
}

bool space_admits_guess(struct store_link *w)
{
	const int64_t most = w->marks.most_bytes;
	space_measure(w);
	if (most && w->space.bytes + w->added > most_of(w) + most / GUESS_SHARE)
		return false;
	w->added += GUESS_BYTES;
	return true;
}

/* ---- for the operator ---- */

/* Each table by itself, for it cannot be done in a transaction. */
static enum qv_status vacuum_tables(struct store_link *link, const PGresult *tables,
				    struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (int i = 0; status == QV_OK && i < PQntuples(tables); i++) {
		char sql[256];
		snprintf(sql, sizeof sql, "VACUUM (FULL, ANALYZE) %.200s",
			 PQgetvalue(tables, i, 0));
		PGresult *result = link_run(link, sql, error);
		status = result ? QV_OK : QV_IO;
		PQclear(result);
	}
	return status;
}

/* A server that starts later waits for one table at a time. */
static enum qv_status check_unused(struct store_link *link, struct qv_error *error)
{
	PGresult *result =
		link_run(link, "SELECT count(*) FROM node WHERE " NODE_HOLDS("node"), error);
	const bool alive = result && strcmp(PQgetvalue(result, 0, 0), "0") != 0;
	const enum qv_status status = result ? QV_OK : QV_IO;
	PQclear(result);
	return alive ? qv_fail(error, QV_IO, "database: is in use by a server") : status;
}

enum qv_status store_vacuum_postgres(const char *place, struct qv_error *error)
{
	struct store_link link = { .place = (char *)(uintptr_t)place,
				   .answer_us = POSTGRES_PATIENT };
	enum qv_status status = link_begin(&link, error);
	if (status == QV_OK)
		status = postgres_is_current(&link, error);
	if (status == QV_OK)
		status = check_unused(&link, error);
	PGresult *tables = status != QV_OK ? NULL
					   : link_run(&link,
						      "SET statement_timeout = 0;"
						      "SELECT quote_ident(tablename) FROM pg_tables"
						      " WHERE schemaname = current_schema()",
						      error);
	if (status == QV_OK)
		status = tables ? vacuum_tables(&link, tables, error) : QV_IO;
	PQclear(tables);
	link_drop(&link);
	return status;
}
