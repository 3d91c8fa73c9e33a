/*
 * read.c - reads that wait for the database, on the caller's thread; also for IMCS.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/inside.h"

#define PLAY_COLUMNS                                                                         \
	"SELECT p.id, p.game, p.owner, p.created, p.updated, p.private, p.going,"            \
	" p.open_seats, (SELECT coalesce(max(number) + 1, 0) FROM event WHERE play = p.id)," \
	" (SELECT line FROM event WHERE play = p.id AND number = 0) FROM play p "
#define LATEST " ORDER BY p.updated DESC, p.id DESC LIMIT ?1"
/* The ids of the games in progress that a user created or has a seat in: both use an index. */
#define GOING_OF(user)                                                                     \
	"SELECT play FROM (SELECT play FROM seat WHERE going = 1 AND user = " user         \
	" LIMIT 1000) AS seated UNION SELECT id FROM (SELECT id FROM play WHERE going = 1" \
	" AND owner = " user " LIMIT 1000) AS own"
#define FINISHED                                                                       \
	" FROM finished WHERE user = ?1 AND (?2 = '' OR game = ?2)"                   \
	" AND (?3 = '' OR outcome = ?3)"                                              \
	" AND (?4 = '' OR instr(lower(opponents), lower(?4)) > 0)"                    \
	" AND ended >= ?5 AND (?6 = 0 OR ended < ?6)"
#define STUDY_COLUMNS "SELECT id, owner, title, version, created, updated, chapters, "
/* The visits of the user ?2 to the position ?1. At most 2000 games bound the work. */
#define OWN_VISITS                                                                           \
	" FROM (SELECT play FROM finished WHERE user = ?2 ORDER BY ended DESC LIMIT 2000) f" \
	" JOIN explored e ON e.play = f.play"                                                \
	" JOIN visit v ON v.position = ?1 AND v.public = e.public AND v.explored = e.number"
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
	[READ_GOING_OF] = PLAY_COLUMNS "WHERE p.going = 1 AND p.id IN (" GOING_OF("?2") ")" LATEST,
	[READ_COUNT_GOING] = "SELECT count(*) FROM (" GOING_OF("?1") ") AS going",
	[READ_UNLISTED] = PLAY_COLUMNS "WHERE p.id IN (SELECT play FROM unlisted)" LATEST,
	[READ_FINISHED] =
		"SELECT entry" FINISHED " ORDER BY ended DESC, play DESC LIMIT ?7 OFFSET ?8",
	[READ_FINISHED_COUNT] = "SELECT count(*)" FINISHED,
	[READ_TALLY] = "SELECT move, result, games, people, computers, levels FROM tally"
		       " WHERE position = ?1 ORDER BY move",
	[READ_OWN_TALLY] =
		"SELECT v.move, v.result, count(*), sum(v.level = -1), sum(v.level > 0),"
		" sum(max(v.level, 0))" OWN_VISITS " GROUP BY v.move, v.result ORDER BY v.move",
	[READ_VISITORS] = "SELECT e.entry FROM visit v JOIN explored e ON e.number = v.explored"
			  " WHERE v.position = ?1 AND v.public = 1"
			  " ORDER BY v.explored DESC LIMIT ?3",
	[READ_OWN_VISITORS] = "SELECT e.entry" OWN_VISITS " ORDER BY v.explored DESC LIMIT ?3",
	[READ_UNEXPLORED] = "SELECT min(id) FILTER (WHERE id NOT IN (SELECT play FROM explored)),"
			    " max(id) FROM (SELECT id FROM play WHERE going = 0 AND id > ?1"
			    " ORDER BY id LIMIT 1000)",
	[READ_MARKS] = "SELECT DISTINCT game, mark FROM explored",
	[READ_PUZZLES] = "SELECT id, rating, deviation, volatility, tries, solved FROM puzzle"
			 " WHERE game = ?1",
	[READ_ATTEMPT] = "SELECT 1 FROM puzzle_attempt WHERE user = ?1 AND game = ?2"
			 " AND puzzle = ?3",
	[READ_STUDY] = STUDY_COLUMNS "body FROM studies WHERE id = ?1",
	[READ_STUDIES] = STUDY_COLUMNS "'' FROM studies WHERE owner = ?1"
				       " ORDER BY updated DESC, id LIMIT ?2",
	[READ_USER_BY_ID] = USER_COLUMNS "WHERE u.id = ?1",
	[READ_USER_BY_LOGIN] = USER_COLUMNS "WHERE a.login = ?1",
	[READ_USER_BY_TOKEN] = USER_COLUMNS "WHERE u.id = (SELECT user FROM token WHERE hash = ?1)",
	[READ_IMCS_USERS] = "SELECT name, user, password, rating FROM imcs_user ORDER BY number",
	[READ_IMCS_GAMES] = "SELECT id, white, black, play, began, ended, result, log"
			    " FROM imcs_game WHERE CASE WHEN ?1 > 0 THEN id = ?1 ELSE ended = 0 END"
			    " ORDER BY id",
	[READ_IMCS_LAST] = "SELECT coalesce(max(id), 0) FROM imcs_game",
};

/* Preparing also checks that the tables are those that the statements expect. */
enum qv_status reader_open(struct reader *r, const char *path, const char *vfs,
			   struct qv_error *error)
{
	*r = (struct reader){ 0 };
	enum qv_status status =
		store_connect_as(path, vfs, SQLITE_OPEN_READONLY, STORE_BUSY_MS, &r->db, error);
	for (int kind = 0; status == QV_OK && kind < READ_KINDS; kind++)
		if (sqlite3_prepare_v3(r->db, read_sql[kind], -1, SQLITE_PREPARE_PERSISTENT,
				       &r->reads[kind], NULL) != SQLITE_OK)
			status = store_fault(r->db, path, error);
	if (status != QV_OK)
		reader_close(r);
	return status;
}

/* Statements that were not prepared are NULL, which is fine. */
void reader_close(struct reader *r)
{
	for (int kind = 0; kind < READ_KINDS; kind++)
		sqlite3_finalize(r->reads[kind]);
	sqlite3_close(r->db);
	*r = (struct reader){ 0 };
}

/* ---- rows and statements ---- */

/* Copies the text of a column; NULL in the database becomes "". False: it does not fit. */
static bool take_text(sqlite3_stmt *row, int column, char *out, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	return snprintf(out, size, "%s", text ? text : "") < (int)size;
}

/* The error for a row with a text that does not fit. */
static enum qv_status misfit(struct qv_error *error)
{
	return qv_fail(error, QV_IO, "database: is damaged: a text is too long");
}

/* ---- plays ---- */

/* The first row, which is the play. */
static enum qv_status take_play(const struct store_rows *rows, const char *play,
				struct store_play *out, struct qv_error *error)
{
	if (!rows->count)
		return qv_fail(error, QV_UNKNOWN, "%.40s: no such game", play);
	return store_row_play(rows, 0, out) ? QV_OK : misfit(error);
}

enum qv_status store_find_play(struct store *s, const char *play, struct store_play *out,
			       struct qv_error *error)
{
	const struct store_value id = value_text(play);
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_PLAY, &id, &rows, error);
	if (status == QV_OK)
		status = take_play(rows, play, out, error);
	store_rows_free(rows);
	return status;
}

enum qv_status store_load_play(struct store *s, const char *play, struct store_play *out,
			       store_line_fn *on_line, void *ctx, struct qv_error *error)
{
	const struct store_value id = value_text(play);
	struct store_play found;
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_LOAD, &id, &rows, error);
	if (status == QV_OK)
		status = take_play(rows, play, &found, error);
	for (size_t i = 0; status == QV_OK && i < rows->next->count; i++) {
		int64_t number;
		size_t size;
		const char *line = store_row_line(rows->next, i, &number, &size);
		if (!on_line(ctx, number, line, size))
			status = qv_fail(error, QV_STOPPED, "%.40s: stopped", play);
	}
	if (status == QV_OK && out)
		*out = found;
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_plays(struct store *s, enum store_list list, const char *user, int most,
				store_play_fn *on_play, void *ctx, struct qv_error *error)
{
	static const enum store_question kinds[] = { [STORE_GOING] = ASK_GOING,
						     [STORE_LOBBY] = ASK_LOBBY,
						     [STORE_OF_USER] = ASK_OF_USER,
						     [STORE_UNLISTED] = ASK_UNLISTED };
	const struct store_value values[] = { value_number(most > 0 ? most : INT64_MAX),
					      value_text(user ? user : "") };
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, kinds[list], values, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_play play;
		size_t size;
		const char *header = store_row_header(rows, i, &size);
		if (!store_row_play(rows, i, &play))
			status = misfit(error);
		else if (!on_play(ctx, &play, header, size))
			status = qv_fail(error, QV_STOPPED, "plays: stopped");
	}
	store_rows_free(rows);
	return status;
}

/* ---- finished games ---- */

void store_ask_finished(const char *user, const struct store_search *search,
			struct store_value values[8])
{
	values[0] = value_text(user);
	values[1] = value_text(search->game);
	values[2] = value_text(search->outcome);
	values[3] = value_text(search->opponent);
	values[4] = value_number(search->since);
	values[5] = value_number(search->until);
	values[6] = value_number(search->most);
	values[7] = value_number(search->first);
}

/* ---- studies ---- */

static enum qv_status pass_studies(const struct store_rows *rows, store_study_fn *on_study,
				   void *ctx, struct qv_error *error)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct store_study study;
		const char *body;
		if (!store_row_study(rows, i, &study, &body))
			return misfit(error);
		on_study(ctx, &study, body);
	}
	return QV_OK;
}

enum qv_status store_find_study(struct store *s, const char *id, store_study_fn *on_study,
				void *ctx, struct qv_error *error)
{
	const struct store_value value = value_text(id);
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_STUDY, &value, &rows, error);
	if (status == QV_OK && !rows->count)
		status = qv_fail(error, QV_UNKNOWN, "%.40s: no such study", id);
	if (status == QV_OK)
		status = pass_studies(rows, on_study, ctx, error);
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_studies(struct store *s, const char *user, int most,
				  store_study_fn *on_study, void *ctx, struct qv_error *error)
{
	const struct store_value values[] = { value_text(user), value_number(most) };
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_STUDIES, values, &rows, error);
	if (status == QV_OK)
		status = pass_studies(rows, on_study, ctx, error);
	store_rows_free(rows);
	return status;
}

/* ---- users ---- */

/* `what` is for the error. */
static enum qv_status read_user(struct store *s, enum store_question question,
				const struct store_value *key, const char *what,
				struct store_user *out, struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, question, key, &rows, error);
	if (status == QV_OK && !rows->count)
		status = qv_fail(error, QV_UNKNOWN, "%.40s: no such user", what);
	if (status == QV_OK && !store_row_user(rows, 0, out))
		status = misfit(error);
	store_rows_free(rows);
	return status;
}

enum qv_status store_user_by_id(struct store *s, const char *id, struct store_user *out,
				struct qv_error *error)
{
	const struct store_value key = value_text(id);
	return read_user(s, ASK_USER_BY_ID, &key, id, out, error);
}

enum qv_status store_user_by_login(struct store *s, const char *login, struct store_user *out,
				   struct qv_error *error)
{
	const struct store_value key = value_text(login);
	return read_user(s, ASK_USER_BY_LOGIN, &key, login, out, error);
}

enum qv_status store_user_by_token(struct store *s, const uint8_t hash[STORE_TOKEN],
				   struct store_user *out, struct qv_error *error)
{
	const struct store_value key = value_bytes(hash, STORE_TOKEN);
	return read_user(s, ASK_USER_BY_TOKEN, &key, "token", out, error);
}

/* ---- IMCS ---- */

/* Rows in the order of `number`, which counts up. */
enum qv_status store_imcs_users(struct store *s, store_imcs_user_fn *on_user, void *ctx,
				struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_IMCS_USERS, NULL, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_imcs_user user;
		if (!store_row_imcs_user(rows, i, &user))
			status = misfit(error);
		else if (!on_user(ctx, &user))
			status = qv_fail(error, QV_STOPPED, "imcs: stopped");
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_imcs_games(struct store *s, int64_t id, store_imcs_game_fn *on_game, void *ctx,
				struct qv_error *error)
{
	const struct store_value value = value_number(id);
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_IMCS_GAMES, &value, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_imcs_game game;
		if (!store_row_imcs_game(rows, i, &game))
			status = misfit(error);
		else if (!on_game(ctx, &game))
			status = qv_fail(error, QV_STOPPED, "imcs: stopped");
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_imcs_last(struct store *s, int64_t *out, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	while (next_row(s, s->reader.reads[READ_IMCS_LAST], &status, error))
		*out = sqlite3_column_int64(s->reader.reads[READ_IMCS_LAST], 0);
	return status;
}

/* ---- a store for reading only ---- */

/* A store without writer, thread and lock. */
enum qv_status store_open_reader(const char *path, struct store **out, struct qv_error *error)
{
	struct store *s = calloc(1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	snprintf(s->path, sizeof s->path, "%s", path);
	const enum qv_status status = reader_open(&s->reader, path, NULL, error);
	if (status == QV_OK)
		*out = store_rows_number(rows, 0, 0);
	store_rows_free(rows);
	return status;
}
