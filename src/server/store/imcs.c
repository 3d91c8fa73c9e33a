/*
 * imcs.c - the store's tables for IMCS: users and games.
 * SPDX-License-Identifier: MIT
 *
 * The same queue, writer and reader as the rest of the store; only the rows differ. Ids of games
 * are given by the IMCS server, which reads the highest one when it starts.
 */
#include "server/store/imcs.h"

#include <stdlib.h>

#include "server/store/parts.h"
#include "server/store/schema.h"

static struct value number(int64_t n)
{
	return (struct value){ .type = VALUE_NUMBER, .number = n };
}

static struct value text(const char *bytes)
{
	return (struct value){ VALUE_TEXT, 0, bytes, strlen(bytes) };
}

/* ---- Writes ---- */

enum qv_status store_put_imcs_user(struct store *s, const struct store_imcs_user *u)
{
	const struct value values[] = { text(u->name), text(u->user), text(u->password_hash),
					number(u->rating) };
	return store_write(s, WRITE_IMCS_USER, values, 4);
}

enum qv_status store_put_imcs_game(struct store *s, const struct store_imcs_game *g)
{
	/* A NUL in a text would hide what follows it from SQL. */
	const bool good = !g->log_size || !memchr(g->log, '\0', g->log_size);
	const struct value values[] = {
		number(g->id),	  text(g->white),
		text(g->black),	  text(g->play),
		number(g->began), number(g->ended),
		text(g->result),  { VALUE_TEXT, 0, good ? g->log : NULL, g->log_size }
	};
	return store_write(s, WRITE_IMCS_GAME, values, 8);
}

/* ---- Reads ---- */

static enum qv_status stopped(struct qv_error *error)
{
	return qv_fail(error, QV_STOPPED, "imcs: stopped");
}

static bool take_user(sqlite3_stmt *row, struct store_imcs_user *out)
{
	*out = (struct store_imcs_user){ .rating = sqlite3_column_int(row, 3) };
	return store_take_text(row, 0, out->name, sizeof out->name) &&
	       store_take_text(row, 1, out->user, sizeof out->user) &&
	       store_take_text(row, 2, out->password_hash, sizeof out->password_hash);
}

enum qv_status store_imcs_users(struct store *s, store_imcs_user_fn *on_user, void *ctx,
				struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_IMCS_USERS];
	enum qv_status status = QV_OK;
	int step;
	while (status == QV_OK && (step = sqlite3_step(row)) != SQLITE_DONE) {
		struct store_imcs_user user;
		if (step != SQLITE_ROW)
			status = store_fault(s->reader.db, s->path, error);
		else if (!take_user(row, &user))
			status = store_misfit(s, error);
		else if (!on_user(ctx, &user))
			status = stopped(error);
	}
	sqlite3_reset(row);
	return status;
}

static bool take_game(sqlite3_stmt *row, struct store_imcs_game *out)
{
	const char *result = (const char *)sqlite3_column_text(row, 6);
	const char *log = (const char *)sqlite3_column_text(row, 7);
	*out = (struct store_imcs_game){ .id = sqlite3_column_int64(row, 0),
					 .began = sqlite3_column_int64(row, 4),
					 .ended = sqlite3_column_int64(row, 5),
					 .result = result ? result : "",
					 .log = log ? log : "",
					 .log_size = (size_t)sqlite3_column_bytes(row, 7) };
	return store_take_text(row, 1, out->white, sizeof out->white) &&
	       store_take_text(row, 2, out->black, sizeof out->black) &&
	       store_take_text(row, 3, out->play, sizeof out->play);
}

enum qv_status store_imcs_games(struct store *s, int64_t id, store_imcs_game_fn *on_game, void *ctx,
				struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_IMCS_GAMES];
	enum qv_status status = QV_OK;
	int step;
	sqlite3_bind_int64(row, 1, id);
	while (status == QV_OK && (step = sqlite3_step(row)) != SQLITE_DONE) {
		struct store_imcs_game game;
		if (step != SQLITE_ROW)
			status = store_fault(s->reader.db, s->path, error);
		else if (!take_game(row, &game))
			status = store_misfit(s, error);
		else if (!on_game(ctx, &game))
			status = stopped(error);
	}
	sqlite3_reset(row);
	return status;
}

enum qv_status store_imcs_last(struct store *s, int64_t *out, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_IMCS_LAST];
	const bool ok = sqlite3_step(row) == SQLITE_ROW;
	if (ok)
		*out = sqlite3_column_int64(row, 0);
	const enum qv_status status = ok ? QV_OK : store_fault(s->reader.db, s->path, error);
	sqlite3_reset(row);
	return status;
}

/* ---- A store for reading only ---- */

enum qv_status store_open_reader(const char *path, struct store **out, struct qv_error *error)
{
	struct store *s = calloc(1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	snprintf(s->path, sizeof s->path, "%s", path);
	const enum qv_status status = reader_open(&s->reader, path, error);
	if (status == QV_OK)
		*out = s;
	else
		free(s);
	return status;
}

void store_close_reader(struct store *s)
{
	if (!s)
		return;
	reader_close(&s->reader);
	free(s);
}
