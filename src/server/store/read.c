/*
 * read.c - reads from the store, on the caller's thread.
 * SPDX-License-Identifier: MIT
 *
 * They use a read-only connection of their own: in WAL mode it neither waits for the writer thread
 * nor blocks it. All statements are prepared once, when the store is opened.
 */
#include "server/store/parts.h"
#include "server/store/schema.h"

#define PLAY_COLUMNS                                                                         \
	"SELECT p.id, p.game, p.owner, p.created, p.updated, p.private, p.going,"            \
	" p.open_seats, (SELECT coalesce(max(number) + 1, 0) FROM event WHERE play = p.id)," \
	" (SELECT line FROM event WHERE play = p.id AND number = 0) FROM play p "
#define LATEST " ORDER BY p.updated DESC, p.id DESC LIMIT ?1"
#define USER_COLUMNS                                                      \
	"SELECT u.id, u.name, a.login, a.password, u.created FROM user u" \
	" LEFT JOIN account a ON a.user = u.id "

static const char *const read_sql[READ_KINDS] = {
	[READ_BEGIN] = "BEGIN",
	[READ_END] = "COMMIT",
	[READ_PLAY] = PLAY_COLUMNS "WHERE p.id = ?1",
	[READ_LINES] = "SELECT number, line FROM event WHERE play = ?1 ORDER BY number",
	[READ_GOING] = PLAY_COLUMNS "WHERE p.going = 1" LATEST,
	[READ_LOBBY] =
		PLAY_COLUMNS "WHERE p.going = 1 AND p.private = 0 AND p.open_seats > 0" LATEST,
	[READ_OF_USER] = PLAY_COLUMNS "WHERE p.id IN (SELECT play FROM seat WHERE user = ?2"
				      " UNION SELECT id FROM play WHERE owner = ?2)" LATEST,
	[READ_USER_BY_ID] = USER_COLUMNS "WHERE u.id = ?1",
	[READ_USER_BY_LOGIN] = USER_COLUMNS "WHERE a.login = ?1",
	[READ_USER_BY_TOKEN] = USER_COLUMNS "WHERE u.id = (SELECT user FROM token WHERE hash = ?1)",
	[READ_IMCS_USERS] = "SELECT name, user, password, rating FROM imcs_user ORDER BY number",
	[READ_IMCS_GAMES] = "SELECT id, white, black, play, began, ended, result, log"
			    " FROM imcs_game WHERE CASE WHEN ?1 > 0 THEN id = ?1 ELSE ended = 0 END"
			    " ORDER BY id",
	[READ_IMCS_LAST] = "SELECT coalesce(max(id), 0) FROM imcs_game",
};

enum qv_status reader_open(struct reader *r, const char *path, struct qv_error *error)
{
	*r = (struct reader){ 0 };
	enum qv_status status = store_connect_reader(path, &r->db, error);
	for (int kind = 0; status == QV_OK && kind < READ_KINDS; kind++)
		if (sqlite3_prepare_v3(r->db, read_sql[kind], -1, SQLITE_PREPARE_PERSISTENT,
				       &r->reads[kind], NULL) != SQLITE_OK)
			status = store_fault(r->db, path, error);
	if (status != QV_OK)
		reader_close(r);
	return status;
}

void reader_close(struct reader *r)
{
	for (int kind = 0; kind < READ_KINDS; kind++)
		sqlite3_finalize(r->reads[kind]);
	sqlite3_close(r->db);
	*r = (struct reader){ 0 };
}

/* ---- rows ---- */

bool store_take_text(sqlite3_stmt *row, int column, char *out, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	return snprintf(out, size, "%s", text ? text : "") < (int)size;
}

static bool take_play(sqlite3_stmt *row, struct store_play *out)
{
	*out = (struct store_play){
		.created = sqlite3_column_int64(row, 3),
		.updated = sqlite3_column_int64(row, 4),
		.is_private = sqlite3_column_int(row, 5),
		.going = sqlite3_column_int(row, 6),
		.open_seats = sqlite3_column_int(row, 7),
		.lines = sqlite3_column_int64(row, 8),
	};
	return store_take_text(row, 0, out->id, sizeof out->id) &&
	       store_take_text(row, 1, out->game, sizeof out->game) &&
	       store_take_text(row, 2, out->owner, sizeof out->owner);
}

static bool take_user(sqlite3_stmt *row, struct store_user *out)
{
	*out = (struct store_user){ .created = sqlite3_column_int64(row, 4) };
	return store_take_text(row, 0, out->id, sizeof out->id) &&
	       store_take_text(row, 1, out->name, sizeof out->name) &&
	       store_take_text(row, 2, out->login, sizeof out->login) &&
	       store_take_text(row, 3, out->password_hash, sizeof out->password_hash);
}

enum qv_status store_misfit(const struct store *s, struct qv_error *error)
{
	return qv_fail(error, QV_IO, "%.160s: is damaged: a text is too long", s->path);
}

/* ---- statements ---- */

/* The statement, ready to bind; NULL: it is in use, so this was called inside its callback. */
static sqlite3_stmt *ready(struct store *s, enum read_kind kind, struct qv_error *error)
{
	sqlite3_stmt *statement = s->reader.reads[kind];
	if (!sqlite3_stmt_busy(statement))
		return statement;
	qv_fail(error, QV_IO, "%.160s: is being read already", s->path);
	return NULL;
}

static void finish(sqlite3_stmt *statement)
{
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
}

static enum qv_status run_plain(struct store *s, enum read_kind kind, struct qv_error *error)
{
	sqlite3_stmt *statement = s->reader.reads[kind];
	const bool ok = sqlite3_step(statement) == SQLITE_DONE;
	const enum qv_status status = ok ? QV_OK : store_fault(s->reader.db, s->path, error);
	sqlite3_reset(statement);
	return status;
}

/* ---- plays ---- */

enum qv_status store_find_play(struct store *s, const char *play, struct store_play *out,
			       struct qv_error *error)
{
	sqlite3_stmt *row = ready(s, READ_PLAY, error);
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, play, -1, SQLITE_STATIC);
	enum qv_status status = QV_OK;
	const int step = sqlite3_step(row);
	if (step == SQLITE_DONE)
		status = qv_fail(error, QV_UNKNOWN, "%.40s: no such game", play);
	else if (step != SQLITE_ROW)
		status = store_fault(s->reader.db, s->path, error);
	else if (!take_play(row, out))
		status = store_misfit(s, error);
	finish(row);
	return status;
}

static enum qv_status read_lines(struct store *s, const char *play, store_line_fn *on_line,
				 void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = ready(s, READ_LINES, error);
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, play, -1, SQLITE_STATIC);
	enum qv_status status = QV_OK;
	int step;
	while (status == QV_OK && (step = sqlite3_step(row)) != SQLITE_DONE) {
		const char *line =
			step == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 1) : NULL;
		if (!line)
			status = store_fault(s->reader.db, s->path, error);
		else if (!on_line(ctx, sqlite3_column_int64(row, 0), line,
				  (size_t)sqlite3_column_bytes(row, 1)))
			status = qv_fail(error, QV_STOPPED, "%.40s: stopped", play);
	}
	finish(row);
	return status;
}

enum qv_status store_load_play(struct store *s, const char *play, struct store_play *out,
			       store_line_fn *on_line, void *ctx, struct qv_error *error)
{
	struct store_play found = { .id = "" };
	enum qv_status status = ready(s, READ_LINES, error) ? QV_OK : QV_IO;
	/* One transaction, so that both reads see the same commits. */
	if (status == QV_OK)
		status = run_plain(s, READ_BEGIN, error);
	if (status != QV_OK)
		return status;
	status = store_find_play(s, play, &found, error);
	if (status == QV_OK)
		status = read_lines(s, play, on_line, ctx, error);
	const enum qv_status ended = run_plain(s, READ_END, status == QV_OK ? error : NULL);
	if (status == QV_OK)
		status = ended;
	if (status == QV_OK && out)
		*out = found;
	return status;
}

static enum qv_status pass_play(struct store *s, sqlite3_stmt *row, store_play_fn *on_play,
				void *ctx, struct qv_error *error)
{
	struct store_play play;
	if (!take_play(row, &play))
		return store_misfit(s, error);
	const char *header = (const char *)sqlite3_column_text(row, 9);
	const size_t size = (size_t)sqlite3_column_bytes(row, 9);
	if (!on_play(ctx, &play, header ? header : "", size))
		return qv_fail(error, QV_STOPPED, "plays: stopped");
	return QV_OK;
}

enum qv_status store_list_plays(struct store *s, enum store_list list, const char *user, int most,
				store_play_fn *on_play, void *ctx, struct qv_error *error)
{
	static const enum read_kind kinds[] = { [STORE_GOING] = READ_GOING,
						[STORE_LOBBY] = READ_LOBBY,
						[STORE_OF_USER] = READ_OF_USER };
	sqlite3_stmt *row = ready(s, kinds[list], error);
	if (!row)
		return QV_IO;
	sqlite3_bind_int(row, 1, most > 0 ? most : -1);
	if (list == STORE_OF_USER)
		sqlite3_bind_text(row, 2, user, -1, SQLITE_STATIC);
	enum qv_status status = QV_OK;
	int step;
	while (status == QV_OK && (step = sqlite3_step(row)) != SQLITE_DONE)
		status = step == SQLITE_ROW ? pass_play(s, row, on_play, ctx, error)
					    : store_fault(s->reader.db, s->path, error);
	finish(row);
	return status;
}

/* ---- users ---- */

/* Runs a statement whose parameter is bound. `what` is for the error. */
static enum qv_status read_user(struct store *s, sqlite3_stmt *row, const char *what,
				struct store_user *out, struct qv_error *error)
{
	struct store_user found;
	enum qv_status status = QV_OK;
	const int step = sqlite3_step(row);
	if (step == SQLITE_DONE)
		status = qv_fail(error, QV_UNKNOWN, "%.40s: no such user", what);
	else if (step != SQLITE_ROW)
		status = store_fault(s->reader.db, s->path, error);
	else if (!take_user(row, &found))
		status = store_misfit(s, error);
	else
		*out = found;
	finish(row);
	return status;
}

static enum qv_status user_by_text(struct store *s, enum read_kind kind, const char *text,
				   struct store_user *out, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[kind];
	sqlite3_bind_text(row, 1, text, -1, SQLITE_STATIC);
	return read_user(s, row, text, out, error);
}

enum qv_status store_user_by_id(struct store *s, const char *id, struct store_user *out,
				struct qv_error *error)
{
	return user_by_text(s, READ_USER_BY_ID, id, out, error);
}

enum qv_status store_user_by_login(struct store *s, const char *login, struct store_user *out,
				   struct qv_error *error)
{
	return user_by_text(s, READ_USER_BY_LOGIN, login, out, error);
}

enum qv_status store_user_by_token(struct store *s, const uint8_t hash[STORE_TOKEN],
				   struct store_user *out, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_USER_BY_TOKEN];
	sqlite3_bind_blob(row, 1, hash, STORE_TOKEN, SQLITE_STATIC);
	return read_user(s, row, "token", out, error);
}
