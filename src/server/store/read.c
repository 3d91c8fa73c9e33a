/*
 * read.c - reads that wait for the database, on the caller's thread; also for IMCS.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/inside.h"
#include "server/store/upkeep_sql.h"

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
#define TOKEN_COLUMNS "SELECT id, user, label, created, used FROM token "
#define USER_COLUMNS                                                      \
	"SELECT u.id, u.name, a.login, a.password, u.created, a.email, u.epoch" \
	" FROM user u LEFT JOIN account a ON a.user = u.id "

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
	[READ_USER_BY_SKELETON] = USER_COLUMNS "WHERE a.skeleton = ?1 ORDER BY u.id LIMIT 1",
	[READ_ACCOUNTS] = USER_COLUMNS "WHERE a.login > ?1 ORDER BY a.login LIMIT ?2",
	[READ_IDENTITY] = "SELECT u.epoch, s.seen, t.used FROM user u"
			  " LEFT JOIN session s ON s.id = ?2 AND s.user = u.id AND s.epoch = u.epoch"
			  " LEFT JOIN token t ON t.id = ?2 AND t.user = u.id WHERE u.id = ?1",
	[READ_TOKEN] = TOKEN_COLUMNS "WHERE hash = ?1",
	[READ_TOKENS] = TOKEN_COLUMNS "WHERE user = ?1 ORDER BY created DESC, id",
	[READ_SESSIONS] = "SELECT s.id, s.user, s.label, s.created, s.seen FROM session s"
			  " JOIN user u ON u.id = s.user AND u.epoch = s.epoch WHERE s.user = ?1"
			  " ORDER BY s.seen DESC, s.created DESC, s.id",
	[READ_CODE] = "SELECT user, purpose, email, expires FROM code WHERE hash = ?1",
	[READ_REVOCATIONS] = "SELECT number, user, issuer, kept FROM revocation WHERE number > ?1"
			     " ORDER BY number LIMIT 1000",
	[READ_LAST_REVOCATION] = "SELECT coalesce(max(number), 0) FROM revocation",
	[READ_DELETION] = "SELECT user, play FROM deletion ORDER BY user LIMIT 1",
	[READ_NEXT_PLAY] = "SELECT p.id, (SELECT count(*) FROM seat WHERE play = p.id AND user <> ?1)"
			   " FROM (SELECT min(id) AS id FROM ("
			   "SELECT min(play) AS id FROM seat WHERE user = ?1 AND play > ?2"
			   " UNION ALL SELECT min(id) AS id FROM play WHERE owner = ?1 AND id > ?2"
			   ") e) p WHERE p.id IS NOT NULL",
	[READ_FINISHED_OF] = "SELECT user, opponents, entry FROM finished WHERE play = ?1",
	[READ_EXPLORED_OF] = "SELECT entry FROM explored WHERE play = ?1",
	[READ_ATTEMPTS] = "SELECT game || ' ' || puzzle FROM puzzle_attempt WHERE user = ?1",
	[READ_IMCS_USERS] = "SELECT name, user, password, rating FROM imcs_user ORDER BY number",
	[READ_IMCS_GAMES] = "SELECT id, white, black, play, began, ended, result, log"
			    " FROM imcs_game WHERE CASE WHEN ?1 > 0 THEN id = ?1 ELSE ended = 0 END"
			    " ORDER BY id",
	[READ_IMCS_LAST] = "SELECT coalesce(max(id), 0) FROM imcs_game",
	[READ_LATEST] = PLAY_COLUMNS "WHERE 1 = 1" LATEST,
	UPKEEP_READS,
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
bool row_text(sqlite3_stmt *row, int column, char *out, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	return snprintf(out, size, "%s", text ? text : "") < (int)size;
}

/* The error for a row with a text that does not fit. */
enum qv_status row_misfit(const struct store *s, struct qv_error *error)
{
	return qv_fail(error, QV_IO, "%.160s: is damaged: a text is too long", s->path);
}

/* The statement, ready to bind; NULL: it is in use, so this was called inside its callback. */
sqlite3_stmt *read_ready(struct store *s, enum read_kind kind, struct qv_error *error)
{
	sqlite3_stmt *statement = s->reader.reads[kind];
	if (!sqlite3_stmt_busy(statement))
		return statement;
	qv_fail(error, QV_IO, "%.160s: is being read already", s->path);
	return NULL;
}

/*
 * Steps to the next row. False: no row is left, or *status is a failure, the caller's or SQLite's;
 * the statement is reset. Call it until it returns false.
 */
bool read_row(struct store *s, sqlite3_stmt *row, enum qv_status *status,
		     struct qv_error *error)
{
	const int step = *status == QV_OK ? sqlite3_step(row) : SQLITE_DONE;
	if (step == SQLITE_ROW)
		return true;
	if (step != SQLITE_DONE)
		*status = store_fault(s->reader.db, s->path, error);
	sqlite3_reset(row);
	sqlite3_clear_bindings(row);
	return false;
}

/* ---- plays ---- */

/* The first row, which is the play. */
static enum qv_status take_play(const struct store_rows *rows, const char *play,
				struct store_play *out, struct qv_error *error)
{
	*out = (struct store_play){ .created = sqlite3_column_int64(row, 3),
				    .updated = sqlite3_column_int64(row, 4),
				    .is_private = sqlite3_column_int(row, 5),
				    .going = sqlite3_column_int(row, 6),
				    .open_seats = sqlite3_column_int(row, 7),
				    .lines = sqlite3_column_int64(row, 8) };
	return row_text(row, 0, out->id, sizeof out->id) &&
	       row_text(row, 1, out->game, sizeof out->game) &&
	       row_text(row, 2, out->owner, sizeof out->owner);
}

enum qv_status store_find_play(struct store *s, const char *play, struct store_play *out,
			       struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_PLAY, error);
	enum qv_status status = QV_OK;
	bool found = false;
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, play, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		found = true;
		if (!take_play(row, out))
			status = row_misfit(s, error);
	}
	return found || status != QV_OK ? status
					: qv_fail(error, QV_UNKNOWN, "%.40s: no such game", play);
}

enum qv_status store_load_play(struct store *s, const char *play, struct store_play *out,
			       store_line_fn *on_line, void *ctx, struct qv_error *error)
{
	struct store_play found = { .id = "" };
	enum qv_status status = QV_OK, ended = QV_OK;
	sqlite3_stmt *row = read_ready(s, READ_LINES, error);
	if (!row)
		return QV_IO;
	/* One transaction, so that both reads see the same commits. */
	read_row(s, s->reader.reads[READ_BEGIN], &status, error);
	if (status != QV_OK)
		return status;
	status = store_find_play(s, play, &found, error);
	sqlite3_bind_text(row, 1, play, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		const char *line = (const char *)sqlite3_column_text(row, 1);
		if (!line)
			status = store_fault(s->reader.db, s->path, error);
		else if (!on_line(ctx, sqlite3_column_int64(row, 0), line,
				  (size_t)sqlite3_column_bytes(row, 1)))
			status = qv_fail(error, QV_STOPPED, "%.40s: stopped", play);
	}
	read_row(s, s->reader.reads[READ_END], &ended, status == QV_OK ? error : NULL);
	if (status == QV_OK)
		status = ended;
	if (status == QV_OK && out)
		*out = found;
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_plays(struct store *s, enum store_list list, const char *user, int most,
				store_play_fn *on_play, void *ctx, struct qv_error *error)
{
	static const enum read_kind kinds[] = { [STORE_GOING] = READ_GOING,
						[STORE_LOBBY] = READ_LOBBY,
						[STORE_OF_USER] = READ_OF_USER,
						[STORE_LATEST] = READ_LATEST,
						[STORE_UNLISTED] = READ_UNLISTED };
	sqlite3_stmt *row = read_ready(s, kinds[list], error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_int(row, 1, most > 0 ? most : -1);
	if (list == STORE_OF_USER)
		sqlite3_bind_text(row, 2, user, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		struct store_play play;
		const char *header = (const char *)sqlite3_column_text(row, 9);
		const size_t size = (size_t)sqlite3_column_bytes(row, 9);
		if (!take_play(row, &play))
			status = row_misfit(s, error);
		else if (!on_play(ctx, &play, header ? header : "", size))
			status = qv_fail(error, QV_STOPPED, "plays: stopped");
	}
	store_rows_free(rows);
	return status;
}

/* ---- finished games ---- */

void store_ask_finished(const char *user, const struct store_search *search,
			struct store_value values[8])
{
	sqlite3_bind_text(row, 1, user, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 2, search->game, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 3, search->outcome, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 4, search->opponent, -1, SQLITE_STATIC);
	sqlite3_bind_int64(row, 5, search->since);
	sqlite3_bind_int64(row, 6, search->until);
}

enum qv_status store_list_finished(struct store *s, const char *user,
				   const struct store_search *search, store_entry_fn *on_entry,
				   void *ctx, int64_t *total, struct qv_error *error)
{
	sqlite3_stmt *count = read_ready(s, READ_FINISHED_COUNT, error);
	sqlite3_stmt *row = read_ready(s, READ_FINISHED, error);
	enum qv_status status = QV_OK;
	if (!count || !row)
		return QV_IO;
	bind_search(count, user, search);
	while (read_row(s, count, &status, error))
		*total = sqlite3_column_int64(count, 0);
	bind_search(row, user, search);
	sqlite3_bind_int64(row, 7, search->most);
	sqlite3_bind_int64(row, 8, search->first);
	while (read_row(s, row, &status, error)) {
		const char *entry = (const char *)sqlite3_column_text(row, 0);
		if (entry)
			on_entry(ctx, entry, (size_t)sqlite3_column_bytes(row, 0));
		else
			status = store_fault(s->reader.db, s->path, error);
	}
	return status;
}

/* ---- puzzles ---- */

enum qv_status store_list_puzzles(struct store *s, const char *game, store_puzzle_fn *on_puzzle,
				  void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_PUZZLES, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, game, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		struct store_puzzle puzzle = { .rating = sqlite3_column_double(row, 1),
					       .deviation = sqlite3_column_double(row, 2),
					       .volatility = sqlite3_column_double(row, 3),
					       .tries = sqlite3_column_int64(row, 4),
					       .solved = sqlite3_column_int64(row, 5) };
		if (row_text(row, 0, puzzle.id, sizeof puzzle.id))
			on_puzzle(ctx, &puzzle);
		else
			status = row_misfit(s, error);
	}
	return status;
}

enum qv_status store_find_attempt(struct store *s, const char *user, const char *game,
				  const char *puzzle, bool *found, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_ATTEMPT];
	enum qv_status status = QV_OK;
	*found = false;
	sqlite3_bind_text(row, 1, user, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 2, game, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 3, puzzle, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error))
		*found = true;
	return status;
}

/* ---- the opening explorer ---- */

enum qv_status store_explore(struct store *s, int64_t position, const char *user,
			     store_tally_fn *on_tally, void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, user ? READ_OWN_TALLY : READ_TALLY, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_int64(row, 1, position);
	if (user)
		sqlite3_bind_text(row, 2, user, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		const struct store_tally tally = {
			.move = (const char *)sqlite3_column_text(row, 0),
			.result = sqlite3_column_int(row, 1),
			.games = sqlite3_column_int64(row, 2),
			.people = sqlite3_column_int64(row, 3),
			.computers = sqlite3_column_int64(row, 4),
			.levels = sqlite3_column_int64(row, 5),
		};
		if (tally.move)
			on_tally(ctx, &tally);
		else
			status = store_fault(s->reader.db, s->path, error);
	}
	return status;
}

enum qv_status store_list_visitors(struct store *s, int64_t position, const char *user, int most,
				   store_entry_fn *on_entry, void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, user ? READ_OWN_VISITORS : READ_VISITORS, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_int64(row, 1, position);
	if (user)
		sqlite3_bind_text(row, 2, user, -1, SQLITE_STATIC);
	sqlite3_bind_int(row, 3, most);
	while (read_row(s, row, &status, error)) {
		const char *entry = (const char *)sqlite3_column_text(row, 0);
		if (entry)
			on_entry(ctx, entry, (size_t)sqlite3_column_bytes(row, 0));
		else
			status = store_fault(s->reader.db, s->path, error);
	}
	return status;
}

enum qv_status store_next_unexplored(struct store *s, char last[STORE_ID], char out[STORE_ID],
				     struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_UNEXPLORED];
	enum qv_status status = QV_OK;
	char after[STORE_ID];
	memcpy(after, last, sizeof after);
	sqlite3_bind_text(row, 1, after, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error))
		if (!row_text(row, 0, out, STORE_ID) ||
		    !row_text(row, *out ? 0 : 1, last, STORE_ID))
			status = row_misfit(s, error);
	return status;
}

enum qv_status store_list_marks(struct store *s, store_mark_fn *on_mark, void *ctx,
				struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_MARKS];
	enum qv_status status = QV_OK;
	while (read_row(s, row, &status, error)) {
		const char *game = (const char *)sqlite3_column_text(row, 0);
		if (game)
			on_mark(ctx, game, sqlite3_column_int64(row, 1));
		else
			status = store_fault(s->reader.db, s->path, error);
	}
	return status;
}

/* ---- studies ---- */

static enum qv_status pass_studies(const struct store_rows *rows, store_study_fn *on_study,
				   void *ctx, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		const char *body = (const char *)sqlite3_column_text(row, 7);
		struct store_study study = { .version = sqlite3_column_int64(row, 3),
					     .created = sqlite3_column_int64(row, 4),
					     .updated = sqlite3_column_int64(row, 5),
					     .chapters = sqlite3_column_int(row, 6) };
		++*count;
		if (row_text(row, 0, study.id, sizeof study.id) &&
		    row_text(row, 1, study.owner, sizeof study.owner) &&
		    row_text(row, 2, study.title, sizeof study.title) && body)
			on_study(ctx, &study, body);
		else
			status = row_misfit(s, error);
	}
	return QV_OK;
}

enum qv_status store_find_study(struct store *s, const char *id, store_study_fn *on_study,
				void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_STUDY, error);
	int count = 0;
	const enum qv_status status =
		row ? read_studies(s, row, id, on_study, ctx, &count, error) : QV_IO;
	return count || status != QV_OK ? status
					: qv_fail(error, QV_UNKNOWN, "%.40s: no such study", id);
}

enum qv_status store_list_studies(struct store *s, const char *user, int most,
				  store_study_fn *on_study, void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_STUDIES, error);
	int count = 0;
	if (!row)
		return QV_IO;
	sqlite3_bind_int(row, 2, most);
	return read_studies(s, row, user, on_study, ctx, &count, error);
}

/* ---- IMCS ---- */

/* Rows in the order of `number`, which counts up. */
enum qv_status store_imcs_users(struct store *s, store_imcs_user_fn *on_user, void *ctx,
				struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_IMCS_USERS];
	enum qv_status status = QV_OK;
	while (read_row(s, row, &status, error)) {
		struct store_imcs_user user = { .rating = sqlite3_column_int(row, 3) };
		if (!row_text(row, 0, user.name, sizeof user.name) ||
		    !row_text(row, 1, user.user, sizeof user.user) ||
		    !row_text(row, 2, user.password_hash, sizeof user.password_hash))
			status = row_misfit(s, error);
		else if (!on_user(ctx, &user))
			status = qv_fail(error, QV_STOPPED, "imcs: stopped");
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_imcs_games(struct store *s, int64_t id, store_imcs_game_fn *on_game, void *ctx,
				struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_IMCS_GAMES];
	enum qv_status status = QV_OK;
	sqlite3_bind_int64(row, 1, id);
	while (read_row(s, row, &status, error)) {
		const char *result = (const char *)sqlite3_column_text(row, 6);
		const char *log = (const char *)sqlite3_column_text(row, 7);
		struct store_imcs_game game = { .id = sqlite3_column_int64(row, 0),
						.began = sqlite3_column_int64(row, 4),
						.ended = sqlite3_column_int64(row, 5),
						.result = result ? result : "",
						.log = log ? log : "",
						.log_size = (size_t)sqlite3_column_bytes(row, 7) };
		if (!row_text(row, 1, game.white, sizeof game.white) ||
		    !row_text(row, 2, game.black, sizeof game.black) ||
		    !row_text(row, 3, game.play, sizeof game.play))
			status = row_misfit(s, error);
		else if (!on_game(ctx, &game))
			status = qv_fail(error, QV_STOPPED, "imcs: stopped");
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_imcs_last(struct store *s, int64_t *out, struct qv_error *error)
{
	return read_number(s, READ_IMCS_LAST, out, error);
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
