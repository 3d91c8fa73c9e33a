/*
 * read_accounts.c - reads of users, sessions, tokens, codes, revocations and deletions, which wait
 * for the database.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/inside.h"

/* Asks with one text, and waits. */
static enum qv_status ask_text(struct store *s, enum store_question question, const char *key,
			       struct store_rows **out, struct qv_error *error)
{
	const struct store_value value = value_text(key);
	return store_read_now(s, question, &value, out, error);
}

/* The error for a row with a text that does not fit. */
static enum qv_status misfit(struct qv_error *error)
{
	return qv_fail(error, QV_IO, "database: is damaged: a text is too long");
}

/* ---- users ---- */

static enum qv_status read_user(struct store *s, enum store_question question, const char *key,
				struct store_user *out, struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = ask_text(s, question, key, &rows, error);
	if (status == QV_OK && !rows->count)
		status = qv_fail(error, QV_UNKNOWN, "%.40s: no such user", key);
	if (status == QV_OK && !store_row_user(rows, 0, out))
		status = misfit(error);
	store_rows_free(rows);
	return status;
}

enum qv_status store_user_by_id(struct store *s, const char *id, struct store_user *out,
				struct qv_error *error)
{
	return read_user(s, ASK_USER_BY_ID, id, out, error);
}

enum qv_status store_user_by_login(struct store *s, const char *login, struct store_user *out,
				   struct qv_error *error)
{
	return read_user(s, ASK_USER_BY_LOGIN, login, out, error);
}

enum qv_status store_list_accounts(struct store *s, const char *after, int most,
				   store_user_fn *on_user, void *ctx, struct qv_error *error)
{
	const struct store_value values[] = { value_text(after), value_number(most) };
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_ACCOUNTS, values, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_user user;
		if (!store_row_user(rows, i, &user))
			status = misfit(error);
		else if (!on_user(ctx, &user))
			status = qv_fail(error, QV_STOPPED, "users: stopped");
	}
	store_rows_free(rows);
	return status;
}

/* ---- sessions, tokens, codes, revocations ---- */

enum qv_status store_find_token(struct store *s, const char *id, struct store_token *out,
				struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = ask_text(s, ASK_TOKEN_BY_ID, id, &rows, error);
	if (status == QV_OK && !rows->count)
		status = qv_fail(error, QV_UNKNOWN, "%.40s: no such token", id);
	if (status == QV_OK && !store_row_token(rows, 0, out))
		status = misfit(error);
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_tokens(struct store *s, const char *user, store_token_fn *on_token,
				 void *ctx, struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = ask_text(s, ASK_TOKENS, user, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_token token;
		if (store_row_token(rows, i, &token))
			on_token(ctx, &token);
		else
			status = misfit(error);
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_sessions(struct store *s, const char *user, store_session_fn *on_session,
				   void *ctx, struct qv_error *error)
{
	struct store_rows *rows;
	enum qv_status status = ask_text(s, ASK_SESSIONS, user, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		struct store_session session;
		if (store_row_session(rows, i, &session))
			on_session(ctx, &session);
		else
			status = misfit(error);
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_last_revocation(struct store *s, int64_t *out, struct qv_error *error)
{
	struct store_rows *rows;
	const enum qv_status status = store_read_now(s, ASK_LAST_REVOCATION, NULL, &rows, error);
	if (status == QV_OK)
		*out = store_rows_number(rows, 0, 0);
	store_rows_free(rows);
	return status;
}

/* ---- the deletion of a user ---- */

enum qv_status store_next_play(struct store *s, const char *user, const char *after,
			       char out[STORE_ID], bool *shared, struct qv_error *error)
{
	const struct store_value values[] = { value_text(user), value_text(after) };
	struct store_rows *rows;
	enum qv_status status = store_read_now(s, ASK_NEXT_PLAY, values, &rows, error);
	if (status == QV_OK && !rows->count)
		status = qv_fail(error, QV_UNKNOWN, "play: no more");
	if (status == QV_OK) {
		snprintf(out, STORE_ID, "%s", store_rows_text(rows, 0, 0));
		*shared = store_rows_number(rows, 0, 1) > 0;
	}
	store_rows_free(rows);
	return status;
}

enum qv_status store_list_attempts(struct store *s, const char *user, store_entry_fn *on_entry,
				   void *ctx, struct qv_error *error)
{
	struct store_rows *rows;
	const enum qv_status status = ask_text(s, ASK_ATTEMPTS, user, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++) {
		size_t size;
		const char *entry = store_row_entry(rows, i, &size);
		on_entry(ctx, entry, size);
	}
	store_rows_free(rows);
	return status;
}
