/*
 * ask.c - questions whose rows come in a later turn.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "server/store/inside.h"

enum { VALUES = 12 };

struct ask {
	struct ask *next;
	enum store_question question;
	struct store_rows *values;
	store_rows_fn *done;
	void *ctx;
};

static const enum read_kind kinds[ASK_KINDS] = {
	[ASK_PLAY] = READ_PLAY,
	[ASK_LINES] = READ_LINES,
	[ASK_GOING] = READ_GOING,
	[ASK_LOBBY] = READ_LOBBY,
	[ASK_OF_USER] = READ_OF_USER,
	[ASK_GOING_OF] = READ_GOING_OF,
	[ASK_UNLISTED] = READ_UNLISTED,
	[ASK_COUNT_GOING] = READ_COUNT_GOING,
	[ASK_TALLY] = READ_TALLY,
	[ASK_OWN_TALLY] = READ_OWN_TALLY,
	[ASK_VISITORS] = READ_VISITORS,
	[ASK_OWN_VISITORS] = READ_OWN_VISITORS,
	[ASK_FINISHED] = READ_FINISHED,
	[ASK_FINISHED_COUNT] = READ_FINISHED_COUNT,
	[ASK_UNEXPLORED] = READ_UNEXPLORED,
	[ASK_MARKS] = READ_MARKS,
	[ASK_PUZZLES] = READ_PUZZLES,
	[ASK_ATTEMPT] = READ_ATTEMPT,
	[ASK_STUDY] = READ_STUDY,
	[ASK_STUDIES] = READ_STUDIES,
	[ASK_USER_BY_ID] = READ_USER_BY_ID,
	[ASK_USER_BY_LOGIN] = READ_USER_BY_LOGIN,
	[ASK_USER_BY_TOKEN] = READ_USER_BY_TOKEN,
	[ASK_IMCS_USERS] = READ_IMCS_USERS,
	[ASK_IMCS_GAMES] = READ_IMCS_GAMES,
	[ASK_IMCS_LAST] = READ_IMCS_LAST,
};

enum qv_status store_read(struct store *s, enum store_question question,
			  const struct store_value *values, int count, store_rows_fn *done,
			  void *ctx)
{
	struct ask *ask = calloc(1, sizeof *ask), **end = &s->asks;
	ask->question = question;
	ask->values = rows_new(count);
	for (int i = 0; i < count; i++)
		rows_add(ask->values, &values[i]);
	rows_end(ask->values);
	ask->done = done;
	ask->ctx = ctx;
	while (*end)
		end = &(*end)->next;
	*end = ask;
	s->wake(s->ctx);
	return QV_OK;
}

static struct store_rows *run(struct store *s, enum read_kind kind, const struct store_rows *values)
{
	sqlite3_stmt *row = s->reader.reads[kind];
	struct store_rows *rows = rows_new(sqlite3_column_count(row));
	const int count = sqlite3_bind_parameter_count(row);
	for (int i = 0; i < values->columns && i < count; i++) {
		const struct store_value *v = store_rows_at(values, 0, i);
		int at = i + 1;
		if ((kind == READ_VISITORS) && i == 1)
			at = 3;
		if (v->type == STORE_NUMBER)
			sqlite3_bind_int64(row, at, v->number);
		else if (v->type == STORE_TEXT)
			sqlite3_bind_text(row, at, v->bytes, -1, SQLITE_STATIC);
		else
			sqlite3_bind_blob(row, at, v->bytes, (int)v->size, SQLITE_STATIC);
	}
	while (sqlite3_step(row) == SQLITE_ROW)
		for (int i = 0; i < rows->columns; i++) {
			struct store_value v = { .type = STORE_NULL };
			switch (sqlite3_column_type(row, i)) {
			case SQLITE_INTEGER:
				v = value_number(sqlite3_column_int64(row, i));
				break;
			case SQLITE_FLOAT:
				v = value_real(sqlite3_column_double(row, i));
				break;
			case SQLITE_TEXT:
				v = value_text((const char *)sqlite3_column_text(row, i));
				break;
			default:
				break;
			}
			rows_add(rows, &v);
		}
	const int failed = sqlite3_reset(row);
	sqlite3_clear_bindings(row);
	rows_end(rows);
	if (failed) {
		store_rows_free(rows);
		return NULL;
	}
	return rows;
}

void store_deliver_asks(struct store *s)
{
	struct ask *all = s->asks;
	s->asks = NULL;
	while (all) {
		struct ask *ask = all;
		all = ask->next;
		struct store_rows *rows = NULL;
		if (!s->closing) {
			rows = run(s, ask->question == ASK_LOAD ? READ_PLAY : kinds[ask->question],
				   ask->values);
			if (rows && ask->question == ASK_LOAD)
				rows->next = run(s, READ_LINES, ask->values);
			if (rows && ask->question == ASK_FINISHED)
				rows->next = run(s, READ_FINISHED_COUNT, ask->values);
		}
		ask->done(ask->ctx, s->closing ? QV_STOPPED : rows ? QV_OK : QV_IO, rows);
		store_rows_free(ask->values);
		free(ask);
	}
}

enum qv_status store_read_now(struct store *s, enum store_question question,
			      const struct store_value *values, int count, struct store_rows **out,
			      struct qv_error *error)
{
	struct store_rows *v = rows_new(count);
	for (int i = 0; i < count; i++)
		rows_add(v, &values[i]);
	rows_end(v);
	v->columns = count;
	*out = run(s, kinds[question], v);
	store_rows_free(v);
	return *out ? QV_OK : qv_fail(error, QV_IO, "store: cannot be read");
}
