/*
 * accounts.c - the writes of accounts: sessions, tokens, passwords, codes; and how a user is
 * deleted.
 * SPDX-License-Identifier: MIT
 *
 * Whatever ends a credential, or a game, also adds a row to `revocation`, in the same unit: so every
 * server that uses the database hears of it, and none before it is true.
 */
#include "server/store/inside.h"
#include "server/store/privacy.h"

enum {
	DAY_S = 86400,
	REVOCATIONS_S = STORE_REVOCATION_DAYS * DAY_S, /* how long rows of `revocation` are kept */
	SESSION_LABEL = 64,
};

/* A statement with the id of a user, a session, a token or a play, and perhaps a number. */
static enum qv_status by_id(struct store *s, enum store_change kind, const char *id)
{
	const struct store_value value = text(id, STORE_ID);
	return store_add_write(s, kind, 1, &value);
}

static enum qv_status by_id_and_number(struct store *s, enum store_change kind, const char *id,
				       int64_t n)
{
	const struct store_value values[] = { text(id, STORE_ID), value_number(n) };
	return store_add_write(s, kind, 2, values);
}

static enum qv_status by_id_and_text(struct store *s, enum store_change kind, const char *id,
				     const char *bytes, size_t most)
{
	const struct store_value values[] = { text(id, STORE_ID), text(bytes, most) };
	return store_add_write(s, kind, 2, values);
}

/* ---- accounts ---- */

/* The unique index on login refuses a name that is taken. */
enum qv_status store_put_account(struct store *s, const char *user, const char *login,
				 const char *skeleton, const char *password_hash)
{
	const struct store_value values[] = { text(user, STORE_ID), text(login, STORE_NAME),
					      text(password_hash, STORE_PASSWORD),
					      text(skeleton, STORE_NAME) };
	return store_add_write(s, WRITE_ACCOUNT, 4, values);
}

enum qv_status store_set_password(struct store *s, const char *user, const char *password_hash)
{
	return by_id_and_text(s, WRITE_PASSWORD, user, password_hash, STORE_PASSWORD);
}

enum qv_status store_if_password(struct store *s, const char *user, const char *password_hash)
{
	return by_id_and_text(s, WRITE_IF_PASSWORD, user, password_hash, STORE_PASSWORD);
}

enum qv_status store_if_issuer(struct store *s, const char *user, const char *issuer)
{
	return by_id_and_text(s, WRITE_IF_ISSUER, user, issuer, STORE_ID);
}

enum qv_status store_set_email(struct store *s, const char *user, const char *email)
{
	return by_id_and_text(s, WRITE_EMAIL, user, email, STORE_EMAIL);
}

enum qv_status store_put_code(struct store *s, const struct store_code *code)
{
	const struct store_value values[] = { value_bytes(code->hash, STORE_TOKEN),
					      text(code->user, STORE_ID),
					      text(code->purpose, STORE_PURPOSE),
					      text(code->email, STORE_EMAIL),
					      value_number(code->expires) };
	return store_add_write(s, WRITE_CODE, 5, values);
}

enum qv_status store_take_code(struct store *s, const uint8_t hash[STORE_TOKEN])
{
	const struct store_value value = value_bytes(hash, STORE_TOKEN);
	return store_add_write(s, WRITE_TAKE_CODE, 1, &value);
}

enum qv_status store_drop_codes(struct store *s, const char *user, const char *purpose)
{
	return by_id_and_text(s, WRITE_DROP_CODES, user, purpose, STORE_PURPOSE);
}

enum qv_status store_drop_guess(struct store *s, const char *name)
{
	const struct store_value value = text(name, STORE_NAME);
	return store_add_write(s, WRITE_DROP_GUESS, 1, &value);
}

/* ---- what ends ---- */

/* Old rows go at the same time, so that the table stays small without a timer. */
enum qv_status store_revoke(struct store *s, const char *user, const char *issuer,
			    const char *kept, int64_t now)
{
	const struct store_value values[] = { text(user, STORE_ID), text(issuer, STORE_ID),
					      text(kept, STORE_ID), value_number(now) };
	const struct store_value before = value_number(now - REVOCATIONS_S);
	store_add_write(s, WRITE_PRUNE_REVOCATIONS, 1, &before);
	return store_add_write(s, WRITE_REVOKE, 4, values);
}

enum qv_status store_end_cookies(struct store *s, const char *user, const char *kept, int64_t now)
{
	by_id(s, WRITE_EPOCH, user);
	by_id_and_text(s, WRITE_DROP_SESSIONS, user, kept, STORE_ID);
	by_id(s, WRITE_RENEW_SESSIONS, user);
	return store_revoke(s, user, "", kept, now);
}

enum qv_status store_end_unnamed(struct store *s, const char *user, int64_t now)
{
	by_id(s, WRITE_EPOCH, user);
	by_id(s, WRITE_RENEW_SESSIONS, user);
	return store_revoke(s, user, STORE_UNNAMED, "", now);
}

enum qv_status store_end_session(struct store *s, const char *user, const char *session,
				 int64_t now)
{
	by_id(s, WRITE_DROP_SESSION, session);
	return store_revoke(s, user, session, "", now);
}

/* It belongs to several users, so its row names none. */
enum qv_status store_delete_play(struct store *s, const char *play, int64_t now)
{
	const enum qv_status status = store_drop_play(s, play, INT64_MAX);
	return status == QV_OK ? store_revoke(s, "", play, "", now) : status;
}

/* ---- sessions and tokens ---- */

/* The row has the epoch that the user has then. The oldest beyond the bound end. */
enum qv_status store_put_session(struct store *s, const struct store_session *session)
{
	const struct store_value values[] = { text(session->id, STORE_ID),
					      text(session->user, STORE_ID),
					      value_number(session->created),
					      value_number(session->seen),
					      text(session->label, SESSION_LABEL) };
	const struct store_value trimmed[] = { text(session->user, STORE_ID),
					       value_number(STORE_SESSIONS),
					       value_number(session->created) };
	store_add_write(s, WRITE_SESSION, 5, values);
	store_add_write(s, WRITE_REVOKE_TRIMMED, 3, trimmed);
	return by_id_and_number(s, WRITE_TRIM_SESSIONS, session->user, STORE_SESSIONS);
}

enum qv_status store_session_seen(struct store *s, const char *session, int64_t day)
{
	return by_id_and_number(s, WRITE_SESSION_SEEN, session, day);
}

enum qv_status store_put_token(struct store *s, const struct store_token *token)
{
	const struct store_value values[] = { value_bytes(token->hash, STORE_TOKEN),
					      text(token->user, STORE_ID),
					      value_number(token->created),
					      text(token->id, STORE_ID),
					      text(token->label, STORE_LABEL) };
	return store_add_write(s, WRITE_TOKEN, 5, values);
}

enum qv_status store_token_used(struct store *s, const char *token, int64_t day)
{
	return by_id_and_number(s, WRITE_TOKEN_USED, token, day);
}

enum qv_status store_drop_token(struct store *s, const char *user, const char *token, int64_t now)
{
	by_id(s, WRITE_DROP_TOKEN, token);
	return store_revoke(s, user, token, "", now);
}

enum qv_status store_drop_tokens(struct store *s, const char *user, int64_t now)
{
	by_id(s, WRITE_DROP_TOKENS, user);
	return store_revoke(s, user, STORE_ALL_TOKENS, "", now);
}

/* ---- the deletion of a user ---- */

/* What is of bounded size goes at once; the rest in portions. */
enum qv_status store_delete_user(struct store *s, const char *user, const char *name, int64_t now)
{
	const struct store_value values[] = { text(user, STORE_ID), text(name, STORE_NAME),
					      value_number(now) };
	store_add_write(s, WRITE_USER, 3, values);
	by_id(s, WRITE_DROP_ACCOUNT, user);
	by_id(s, WRITE_FORGET_REPORTS, user);
	by_id(s, WRITE_UNNAME_REPORTS, user);
	by_id(s, WRITE_DROP_SUSPENSION, user);
	store_drop_codes(s, user, "");
	store_drop_tokens(s, user, now);
	store_end_cookies(s, user, "", now);
	return by_id(s, WRITE_DELETION, user);
}

enum qv_status store_deletion_at(struct store *s, const char *user, const char *play)
{
	return by_id_and_text(s, WRITE_DELETION_AT, user, play, STORE_ID);
}

enum qv_status store_drop_deletion(struct store *s, const char *user)
{
	return by_id(s, WRITE_DROP_DELETION, user);
}

enum qv_status store_drop_lists(struct store *s, const char *user, int most)
{
	by_id_and_number(s, WRITE_FORGET_STUDIES, user, most);
	return by_id_and_number(s, WRITE_FORGET_ATTEMPTS, user, most);
}

enum qv_status store_set_line(struct store *s, const char *play, int64_t n, const char *line)
{
	const int64_t checksum = line_checksum(play, n, line, strlen(line));
	const struct store_value values[] = { text(play, STORE_ID), value_number(n),
					      text(line, SIZE_MAX), value_number(checksum) };
	return store_add_write(s, WRITE_LINE, 4, values);
}

enum qv_status store_set_finished(struct store *s, const char *user, const char *play,
				  const char *opponents, const char *entry)
{
	const struct store_value values[] = { text(user, STORE_ID), text(play, STORE_ID),
					      text(opponents, SIZE_MAX), text(entry, SIZE_MAX) };
	return store_add_write(s, WRITE_FINISHED_TEXTS, 4, values);
}

enum qv_status store_set_explored(struct store *s, const char *play, const char *entry)
{
	return by_id_and_text(s, WRITE_EXPLORED_ENTRY, play, entry, SIZE_MAX);
}
