/*
 * read_accounts.c - reads of users, sessions, tokens, codes, revocations and deletions.
 * SPDX-License-Identifier: MIT
 *
 * The statements are in the table of read.c.
 */
#include "server/store/inside.h"

/* ---- users ---- */

/* The columns of USER_COLUMNS. */
static bool take_user(sqlite3_stmt *row, struct store_user *out)
{
	*out = (struct store_user){ .created = sqlite3_column_int64(row, 4),
				    .epoch = sqlite3_column_int64(row, 6) };
	return row_text(row, 0, out->id, sizeof out->id) &&
	       row_text(row, 1, out->name, sizeof out->name) &&
	       row_text(row, 2, out->login, sizeof out->login) &&
	       row_text(row, 3, out->password_hash, sizeof out->password_hash) &&
	       row_text(row, 5, out->email, sizeof out->email);
}

/* The user with that key. */
static enum qv_status read_user(struct store *s, enum read_kind kind, const char *key,
				struct store_user *out, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[kind];
	enum qv_status status = QV_OK;
	bool found = false;
	sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		struct store_user user;
		found = true;
		if (take_user(row, &user))
			*out = user;
		else
			status = row_misfit(s, error);
	}
	return found || status != QV_OK ? status
					: qv_fail(error, QV_UNKNOWN, "%.40s: no such user", key);
}

enum qv_status store_user_by_id(struct store *s, const char *id, struct store_user *out,
				struct qv_error *error)
{
	return read_user(s, READ_USER_BY_ID, id, out, error);
}

enum qv_status store_user_by_login(struct store *s, const char *login, struct store_user *out,
				   struct qv_error *error)
{
	return read_user(s, READ_USER_BY_LOGIN, login, out, error);
}

enum qv_status store_user_by_skeleton(struct store *s, const char *skeleton, struct store_user *out,
				      struct qv_error *error)
{
	return read_user(s, READ_USER_BY_SKELETON, skeleton, out, error);
}

enum qv_status store_list_accounts(struct store *s, const char *after, int most,
				   store_user_fn *on_user, void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_ACCOUNTS, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, after, -1, SQLITE_STATIC);
	sqlite3_bind_int(row, 2, most);
	while (read_row(s, row, &status, error)) {
		struct store_user user;
		if (!take_user(row, &user))
			status = row_misfit(s, error);
		else if (!on_user(ctx, &user))
			status = qv_fail(error, QV_STOPPED, "users: stopped");
	}
	return status;
}

/* ---- sessions, tokens, codes, revocations ---- */

/* A user who is not in the store has an identity, too. */
enum qv_status store_find_identity(struct store *s, const char *user, const char *issuer,
				   struct store_identity *out, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_IDENTITY];
	enum qv_status status = QV_OK;
	*out = (struct store_identity){ 0 };
	sqlite3_bind_text(row, 1, user, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 2, issuer, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		out->stored = true;
		out->epoch = sqlite3_column_int64(row, 0);
		out->session = sqlite3_column_type(row, 1) != SQLITE_NULL;
		out->token = sqlite3_column_type(row, 2) != SQLITE_NULL;
		out->day = sqlite3_column_int64(row, out->session ? 1 : 2);
	}
	return status;
}

/* The columns of TOKEN_COLUMNS. */
static bool take_token(sqlite3_stmt *row, struct store_token *out)
{
	*out = (struct store_token){ .created = sqlite3_column_int64(row, 3),
				     .used = sqlite3_column_int64(row, 4) };
	return row_text(row, 0, out->id, sizeof out->id) &&
	       row_text(row, 1, out->user, sizeof out->user) &&
	       row_text(row, 2, out->label, sizeof out->label);
}

enum qv_status store_find_token(struct store *s, const uint8_t hash[STORE_TOKEN],
				struct store_token *out, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_TOKEN];
	enum qv_status status = QV_OK;
	bool found = false;
	sqlite3_bind_blob(row, 1, hash, STORE_TOKEN, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		found = true;
		if (!take_token(row, out))
			status = row_misfit(s, error);
	}
	return found || status != QV_OK ? status : qv_fail(error, QV_UNKNOWN, "token: not found");
}

enum qv_status store_list_tokens(struct store *s, const char *user, store_token_fn *on_token,
				 void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_TOKENS, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, user, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		struct store_token token;
		if (take_token(row, &token))
			on_token(ctx, &token);
		else
			status = row_misfit(s, error);
	}
	return status;
}

enum qv_status store_list_sessions(struct store *s, const char *user, store_session_fn *on_session,
				   void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_SESSIONS, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, user, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		struct store_session session = { .created = sqlite3_column_int64(row, 3),
						 .seen = sqlite3_column_int64(row, 4) };
		if (row_text(row, 0, session.id, sizeof session.id) &&
		    row_text(row, 1, session.user, sizeof session.user) &&
		    row_text(row, 2, session.label, sizeof session.label))
			on_session(ctx, &session);
		else
			status = row_misfit(s, error);
	}
	return status;
}

enum qv_status store_find_code(struct store *s, const uint8_t hash[STORE_TOKEN],
			       struct store_code *out, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_CODE];
	enum qv_status status = QV_OK;
	bool found = false;
	sqlite3_bind_blob(row, 1, hash, STORE_TOKEN, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		*out = (struct store_code){ .expires = sqlite3_column_int64(row, 3) };
		memcpy(out->hash, hash, STORE_TOKEN);
		found = true;
		if (!row_text(row, 0, out->user, sizeof out->user) ||
		    !row_text(row, 1, out->purpose, sizeof out->purpose) ||
		    !row_text(row, 2, out->email, sizeof out->email))
			status = row_misfit(s, error);
	}
	return found || status != QV_OK ? status : qv_fail(error, QV_UNKNOWN, "code: not found");
}

enum qv_status store_list_revocations(struct store *s, int64_t after, store_revocation_fn *on_row,
				      void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_REVOCATIONS, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_int64(row, 1, after);
	while (read_row(s, row, &status, error)) {
		struct store_revocation r = { .number = sqlite3_column_int64(row, 0) };
		if (row_text(row, 1, r.user, sizeof r.user) &&
		    row_text(row, 2, r.issuer, sizeof r.issuer) &&
		    row_text(row, 3, r.kept, sizeof r.kept))
			on_row(ctx, &r);
		else
			status = row_misfit(s, error);
	}
	return status;
}

enum qv_status read_number(struct store *s, enum read_kind kind, int64_t *out,
			   struct qv_error *error)
{
	enum qv_status status = QV_OK;
	while (read_row(s, s->reader.reads[kind], &status, error))
		*out = sqlite3_column_int64(s->reader.reads[kind], 0);
	return status;
}

enum qv_status store_last_revocation(struct store *s, int64_t *out, struct qv_error *error)
{
	return read_number(s, READ_LAST_REVOCATION, out, error);
}

/* ---- the deletion of a user ---- */

enum qv_status store_find_deletion(struct store *s, char user[STORE_ID], char play[STORE_ID],
				   struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_DELETION];
	enum qv_status status = QV_OK;
	bool found = false;
	while (read_row(s, row, &status, error)) {
		found = true;
		if (!row_text(row, 0, user, STORE_ID) || !row_text(row, 1, play, STORE_ID))
			status = row_misfit(s, error);
	}
	return found || status != QV_OK ? status : qv_fail(error, QV_UNKNOWN, "deletion: none");
}

enum qv_status store_next_play(struct store *s, const char *user, const char *after,
			       char out[STORE_ID], bool *shared, struct qv_error *error)
{
	sqlite3_stmt *row = s->reader.reads[READ_NEXT_PLAY];
	enum qv_status status = QV_OK;
	char last[STORE_ID];
	bool found = false;
	snprintf(last, sizeof last, "%s", after); /* it may be `out` */
	sqlite3_bind_text(row, 1, user, -1, SQLITE_STATIC);
	sqlite3_bind_text(row, 2, last, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		found = true;
		*shared = sqlite3_column_int64(row, 1) > 0;
		if (!row_text(row, 0, out, STORE_ID))
			status = row_misfit(s, error);
	}
	return found || status != QV_OK ? status : qv_fail(error, QV_UNKNOWN, "play: no more");
}

enum qv_status store_list_finished_of(struct store *s, const char *play, store_finished_fn *on_row,
				      void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, READ_FINISHED_OF, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, play, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		const char *user = (const char *)sqlite3_column_text(row, 0);
		const char *opponents = (const char *)sqlite3_column_text(row, 1);
		const char *entry = (const char *)sqlite3_column_text(row, 2);
		if (user && opponents && entry)
			on_row(ctx, user, opponents, entry);
		else
			status = store_fault(s->reader.db, s->path, error);
	}
	return status;
}

/* Texts of a statement with one parameter. */
static enum qv_status read_texts(struct store *s, enum read_kind kind, const char *key,
				 store_entry_fn *on_entry, void *ctx, struct qv_error *error)
{
	sqlite3_stmt *row = read_ready(s, kind, error);
	enum qv_status status = QV_OK;
	if (!row)
		return QV_IO;
	sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
	while (read_row(s, row, &status, error)) {
		const char *entry = (const char *)sqlite3_column_text(row, 0);
		if (entry)
			on_entry(ctx, entry, (size_t)sqlite3_column_bytes(row, 0));
		else
			status = store_fault(s->reader.db, s->path, error);
	}
	return status;
}

enum qv_status store_find_explored(struct store *s, const char *play, store_entry_fn *on_entry,
				   void *ctx, struct qv_error *error)
{
	return read_texts(s, READ_EXPLORED_OF, play, on_entry, ctx, error);
}

enum qv_status store_list_attempts(struct store *s, const char *user, store_entry_fn *on_entry,
				   void *ctx, struct qv_error *error)
{
	return read_texts(s, READ_ATTEMPTS, user, on_entry, ctx, error);
}
