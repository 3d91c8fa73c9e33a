/*
 * upkeep.c - what keeps the store within its bounds: quotas, free space, the removal of what is old.
 * SPDX-License-Identifier: MIT
 *
 * There are two marks. Near the first one (store_space: tight) the API begins nothing new, so that
 * games in progress can be finished. At the second one the store refuses every unit that would add
 * something. Both are measured by the store's thread, before each commit.
 *
 * What is old is removed in portions, by the server's timer or by a command beside it. A portion is
 * read on the caller's thread, and written as one unit.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "server/store/inside.h"

enum {
	RESERVE_SHARE = 20,	     /* 1/20 of the disk stays free, ... */
	RESERVE_MOST = 256 << 20,    /* ... but no more than this */
	RESERVE_MOVES = 4,	     /* a quarter of it is for what removes something */
	TIGHT_SHARE = 10,	     /* the last tenth of the database is for games in progress */
	UNIT_FACTOR = 3,	     /* rows, indexes and overflow pages of a unit, at most */
};

static struct value number(int64_t n)
{
	return (struct value){ .type = VALUE_NUMBER, .number = n };
}

/* A text that is too long becomes NULL, which the store refuses. */
static struct value text(const char *bytes, size_t most)
{
	const size_t size = strlen(bytes);
	return (struct value){ .type = VALUE_TEXT,
			       .bytes = size < most ? bytes : NULL,
			       .size = size };
}

/* ---- space ---- */

/* Of the database, in the transaction that runs; free pages are reused and do not count. */
static int64_t used_bytes(struct writer *w)
{
	static const char sql[] = "SELECT (page_count - freelist_count) * page_size"
				  " FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
	int64_t bytes = 0;
	if (!w->used && sqlite3_prepare_v3(w->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &w->used,
					   NULL) != SQLITE_OK)
		return 0;
	if (sqlite3_step(w->used) == SQLITE_ROW)
		bytes = sqlite3_column_int64(w->used, 0);
	sqlite3_reset(w->used);
	return bytes;
}

/* A disk that cannot be measured counts as large: writes will show whether it is. */
void space_measure(struct store *s)
{
	struct writer *w = &s->writer;
	const struct store_marks *marks = &s->marks;
	struct store_space space = { .bytes = used_bytes(w) };
	struct statvfs disk;
	int64_t reserve = 0;
	w->most_bytes = marks->most_bytes;
	if (statvfs(s->path, &disk) == 0) {
		space.disk = (int64_t)disk.f_blocks * (int64_t)disk.f_frsize;
		space.free = (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
		reserve = space.disk / RESERVE_SHARE;
		if (reserve > RESERVE_MOST)
			reserve = RESERVE_MOST;
		if (marks->least_free)
			reserve = RESERVE_MOVES * marks->least_free;
	}
	w->disk_full = space.free < reserve / RESERVE_MOVES;
	space.full = w->disk_full || (w->most_bytes && space.bytes >= w->most_bytes);
	space.tight = space.full || space.free < reserve ||
		      (w->most_bytes && space.bytes >= w->most_bytes - w->most_bytes / TIGHT_SHARE);
	mutex_lock(&s->guard);
	s->space = space;
	mutex_unlock(&s->guard);
}

bool space_suffices(struct writer *w, size_t bytes, struct qv_error *trouble)
{
	const bool large = w->most_bytes && used_bytes(w) + UNIT_FACTOR * (int64_t)bytes >
						    w->most_bytes;
	if (!large && !w->disk_full)
		return true;
	w->at_fault = true;
	qv_fail(trouble, QV_IO,
		large ? "database: has reached its largest size; see quevedo server prune"
		      : "database: the disk has too little free space; see quevedo server prune");
	return false;
}

struct store_space store_space(struct store *s)
{
	mutex_lock(&s->guard);
	const struct store_space space = s->space;
	mutex_unlock(&s->guard);
	return space;
}

/* ---- quotas ---- */

enum qv_status store_add_quota(struct store *s, const char *name, int64_t day, int64_t bytes)
{
	const struct value values[] = { text(name, STORE_NAME), number(day), number(bytes) };
	return store_queue(s, WRITE_QUOTA, 3, values);
}

enum qv_status store_list_quotas(struct store *s, int64_t day, store_quota_fn *on_quota, void *ctx,
				 struct qv_error *error)
{
	sqlite3_stmt *row = store_ready(s, READ_QUOTAS, error);
	enum qv_status status = QV_OK;
	char name[STORE_NAME];
	if (!row)
		return QV_IO;
	sqlite3_bind_int64(row, 1, day);
	while (store_next(s, row, &status, error))
		if (store_take_text(row, 0, name, sizeof name))
			on_quota(ctx, name, sqlite3_column_int64(row, 1));
	return status;
}

/* ---- removal ---- */

/* The rows that refer to the play come first; the play itself is checked last. */
enum qv_status store_drop_play(struct store *s, const char *play, int64_t before)
{
	static const enum write_kind kinds[] = { WRITE_DROP_SEATS, WRITE_DROP_LISTED,
						 WRITE_DROP_IMCS_PLAY, WRITE_DROP_EVENTS };
	const struct value values[] = { text(play, STORE_ID), number(before) };
	enum qv_status status = store_drop_finished(s, "", play);
	if (status == QV_OK)
		status = store_drop_explored(s, play);
	for (size_t i = 0; status == QV_OK && i < sizeof kinds / sizeof *kinds; i++)
		status = store_queue(s, kinds[i], 1, values);
	return status == QV_OK ? store_queue(s, WRITE_DROP_PLAY, 2, values) : status;
}

/* A row that prune_games has read. */
struct old_play {
	char id[STORE_ID];
	int64_t lines;
};

/* Looks at the next games, and removes those of guests. Returns whether there may be more. */
static bool prune_games(struct store *s, struct store_prune *p, enum qv_status *status,
			struct qv_error *error)
{
	sqlite3_stmt *row = store_ready(s, READ_OLD_PLAYS, error);
	struct old_play found[PRUNE_ROWS];
	int seen = 0, count = 0;
	int64_t lines = 0;
	bool enough = false;
	if (!row) {
		*status = QV_IO;
		return false;
	}
	char after[STORE_ID];
	memcpy(after, p->last, sizeof after);
	sqlite3_bind_int64(row, 1, p->before);
	sqlite3_bind_int64(row, 2, p->last_updated);
	sqlite3_bind_text(row, 3, after, -1, SQLITE_STATIC);
	sqlite3_bind_int(row, 4, PRUNE_ROWS);
	sqlite3_bind_int(row, 5, p->unfinished);
	while (store_next(s, row, status, error)) {
		struct old_play *at = &found[count];
		at->lines = sqlite3_column_int64(row, 2);
		enough |= lines && lines + at->lines > PRUNE_LINES;
		if (enough)
			continue; /* the next portion begins with this one */
		if (!store_take_text(row, 0, at->id, sizeof at->id)) {
			*status = qv_fail(error, QV_IO, "%.160s: is damaged", s->path);
			continue;
		}
		seen++;
		memcpy(p->last, at->id, sizeof at->id);
		p->last_updated = sqlite3_column_int64(row, 1);
		if (sqlite3_column_int(row, 3) && !(p->keep && p->keep(p->ctx, at->id))) {
			lines += at->lines;
			count++;
		}
	}
	for (int i = 0; i < count && *status == QV_OK && !p->dry_run; i++)
		store_drop_play(s, found[i].id, p->before);
	p->portion.games = count;
	p->portion.lines = lines;
	return *status == QV_OK && seen > 0;
}

/* The same for guests who have nothing left. */
static bool prune_users(struct store *s, struct store_prune *p, enum qv_status *status,
			struct qv_error *error)
{
	sqlite3_stmt *row = store_ready(s, READ_IDLE_USERS, error);
	char found[PRUNE_ROWS][STORE_ID], after[STORE_ID];
	int seen = 0, count = 0;
	if (!row) {
		*status = QV_IO;
		return false;
	}
	memcpy(after, p->last, sizeof after);
	sqlite3_bind_int64(row, 1, p->before);
	sqlite3_bind_text(row, 2, after, -1, SQLITE_STATIC);
	sqlite3_bind_int(row, 3, PRUNE_ROWS);
	while (store_next(s, row, status, error)) {
		if (!store_take_text(row, 0, found[count], STORE_ID)) {
			*status = qv_fail(error, QV_IO, "%.160s: is damaged", s->path);
			continue;
		}
		seen++;
		memcpy(p->last, found[count], STORE_ID);
		count += sqlite3_column_int(row, 1);
	}
	for (int i = 0; i < count && *status == QV_OK && !p->dry_run; i++) {
		const struct value value = text(found[i], STORE_ID);
		store_queue(s, WRITE_DROP_USER, 1, &value);
	}
	p->portion.users = count;
	return *status == QV_OK && seen > 0;
}

/* The number that a statement returns; its parameters are a day, if any, and PRUNE_LINES. */
static int64_t read_number(struct store *s, enum read_kind kind, int64_t day,
			   enum qv_status *status, struct qv_error *error)
{
	sqlite3_stmt *row = store_ready(s, kind, error);
	int64_t found = 0;
	if (!row) {
		*status = QV_IO;
		return 0;
	}
	if (day) {
		sqlite3_bind_int64(row, 1, day);
		sqlite3_bind_int(row, 2, PRUNE_LINES);
	}
	while (store_next(s, row, status, error))
		found = sqlite3_column_int64(row, 0);
	return found;
}

/* Attempts and quotas, which need not be looked at one by one. */
static bool prune_days(struct store *s, struct store_prune *p, enum qv_status *status,
		       struct qv_error *error)
{
	const bool attempts = p->phase == PRUNE_ATTEMPTS;
	const struct value values[] = { number(attempts ? p->before / 86400 : p->today),
					number(PRUNE_LINES) };
	const int64_t found = read_number(s, attempts ? READ_OLD_ATTEMPTS : READ_OLD_QUOTAS,
					  values[0].number, status, error);
	if (attempts)
		p->portion.attempts = found;
	else
		p->portion.quotas = found;
	if (found && !p->dry_run)
		store_queue(s, attempts ? WRITE_DROP_ATTEMPTS : WRITE_DROP_QUOTAS, 2, values);
	return found && !p->dry_run;
}

/* Gives free pages back to the disk. */
static bool prune_pages(struct store *s, struct store_prune *p, enum qv_status *status,
			struct qv_error *error)
{
	enum { PORTION = 500 }; /* STORE_PORTION */
	const int64_t found = read_number(s, READ_FREE_PAGES, 0, status, error);
	p->portion.pages = found < PORTION ? found : PORTION;
	if (found && !p->dry_run)
		store_queue(s, WRITE_VACUUM, 0, NULL);
	return found > PORTION && !p->dry_run;
}

/* What could not be written is not counted; the next prune finds it again. */
static void portion_done(void *ctx, bool ok)
{
	struct store_prune *p = ctx;
	const struct store_pruned *more = &p->portion;
	p->busy = false;
	if (!ok)
		return;
	p->removed.games += more->games;
	p->removed.lines += more->lines;
	p->removed.users += more->users;
	p->removed.attempts += more->attempts;
	p->removed.quotas += more->quotas;
	p->removed.pages += more->pages;
}

enum qv_status store_prune_step(struct store *s, struct store_prune *p, struct qv_error *error)
{
	bool (*const phases[])(struct store *, struct store_prune *, enum qv_status *,
			       struct qv_error *) = {
		[PRUNE_GAMES] = prune_games, [PRUNE_USERS] = prune_users,
		[PRUNE_ATTEMPTS] = prune_days, [PRUNE_QUOTAS] = prune_days,
		[PRUNE_PAGES] = prune_pages,
	};
	enum qv_status status = QV_OK;
	if (p->busy || p->phase == PRUNE_DONE)
		return QV_OK;
	p->portion = (struct store_pruned){ 0 };
	if (!phases[p->phase](s, p, &status, error)) {
		p->phase++;
		p->last[0] = '\0';
	}
	if (p->dry_run) {
		portion_done(p, status == QV_OK);
		return status;
	}
	p->busy = true;
	const enum qv_status queued = store_end_unit(s, portion_done, p);
	p->busy = queued == QV_OK;
	if (queued != QV_OK && status == QV_OK)
		status = qv_fail(error, queued, "store: too many writes are waiting");
	return status;
}

/* The lock keeps servers out; SQLite copies the database and replaces it in one transaction. */
enum qv_status store_vacuum(const char *folder, struct qv_error *error)
{
	char path[FOLDER_PATH];
	sqlite3 *db = NULL;
	if (store_is_served(folder))
		return qv_fail(error, QV_IO, "%.160s: is in use by quevedo serve; stop it first",
			       folder);
	enum qv_status status = folder_path(folder, STORE_DATABASE, path, error);
	if (status == QV_OK)
		status = store_join(path, &db, error);
	if (status == QV_OK &&
	    sqlite3_exec(db, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM", NULL, NULL, NULL) !=
		    SQLITE_OK)
		status = store_fault(db, path, error);
	sqlite3_close(db);
	return status;
}

/* ---- for the operator ---- */

enum qv_status store_find_facts(struct store *s, struct store_facts *out, struct qv_error *error)
{
	sqlite3_stmt *row = store_ready(s, READ_FACTS, error);
	enum qv_status status = QV_OK;
	int64_t *const fields[] = { &out->version, &out->users,	  &out->accounts, &out->games,
				    &out->going,   &out->studies, &out->oldest };
	if (!row)
		return QV_IO;
	while (store_next(s, row, &status, error))
		for (int i = 0; i < (int)(sizeof fields / sizeof *fields); i++)
			*fields[i] = sqlite3_column_int64(row, i);
	return status;
}

enum qv_status store_next_plays(struct store *s, const char *last, char out[PRUNE_ROWS][STORE_ID],
				int *count, struct qv_error *error)
{
	const struct store_value values[] = { value_text(last), value_number(PRUNE_ROWS) };
	struct store_rows *rows = NULL;
	const enum qv_status status = s->driver->ask(s->link, ASK_NEXT_PLAYS, values, &rows, error);
	*count = status == QV_OK ? (int)rows->count : 0;
	for (int i = 0; i < *count; i++)
		snprintf(out[i], STORE_ID, "%s", store_rows_text(rows, (size_t)i, 0));
	store_rows_free(rows);
	return status;
}
