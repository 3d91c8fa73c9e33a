/*
 * credentials.c - routes about what lets you in: logout, the list of sessions, tokens of programs.
 * SPDX-License-Identifier: MIT
 *
 * A response that says that something has ended is sent when that is on disk and known to this
 * server; other servers of the database know it within half a second (identity.c).
 */
#include "server/api/inside.h"

/*
 * A token is for games. If it could end sessions and other tokens, whoever has stolen it could lock
 * its owner out of what would end it. What it may not end it does not see either.
 */
static bool manages_credentials(struct api *api, const struct api_request *r, const char *what)
{
	if (r->visitor->program)
		reply_error(api, r->call, 403, "%s: not with a token; log in", what);
	return !r->visitor->program;
}

/* ---- Logout ---- */

/*
 * POST /api/v1/logout: this session ends, or with "everywhere" all of them. The visitor becomes a
 * new guest; the account and its tokens stay.
 */
void post_logout(struct api *api, const struct api_request *r)
{
	const struct visitor *who = r->visitor;
	const int64_t now = api_seconds(api);
	char cookie[SECRETS_COOKIE];
	bool everywhere;
	if (!acts_as_user(api, r) || !may_set_cookie(api, r, "logout") ||
	    !body_keys(api, r, "everywhere") || !body_boolean(api, r, "everywhere", &everywhere) ||
	    !api_limit(api, r, "logout", 30, 30))
		return;
	if (who->fresh) { /* without a cookie nothing can end */
		json_t *me = me_json(api, r, who->user);
		if (me)
			reply(api, r->call, 200, me);
		return;
	}
	if (!manages_credentials(api, r, "logout"))
		return;
	if (!notice_read(api, r, who->user, everywhere ? "all browsers were logged out" : NULL))
		return;
	if (everywhere || !*who->issuer)
		user_ensure(api, who->user); /* it has the epoch */
	audit(api, r, who->user, everywhere ? "logout_all" : "logout");
	if (everywhere)
		store_end_cookies(api->store, who->user, "", now);
	else if (*who->issuer)
		store_end_session(api->store, who->user, who->issuer, now);
	else
		store_end_unnamed(api->store, who->user, now);
	json_t *guest = new_guest_json(api, cookie);
	reply_when_changed(api, r->call, 200, guest, cookie, NULL);
}

/* ---- Sessions ---- */

static const struct store_rows *rows_of(struct api *api, const struct api_request *r,
					enum store_question question, const char *user)
{
	const struct store_value key = value_text(user);
	return read_rows(api, r, question, &key, 1, NULL);
}

/* GET /api/v1/sessions: where you are logged in. */
void get_sessions(struct api *api, const struct api_request *r)
{
	const struct store_rows *rows =
		acts_as_user(api, r) && manages_credentials(api, r, "sessions")
			? rows_of(api, r, ASK_SESSIONS, r->visitor->user)
			: NULL;
	json_t *list = json_array();
	struct store_session s;
	for (size_t i = 0; rows && store_row_session(rows, i, &s); i++)
		list = json_item(list, json_pack("{s:s, s:s, s:I, s:I, s:b}", "id", s.id, "label",
						 s.label, "created", (json_int_t)s.created, "seen",
						 (json_int_t)s.seen, "current",
						 strcmp(s.id, r->visitor->issuer) == 0));
	if (rows)
		reply(api, r->call, 200, json_pack("{s:o}", "sessions", list));
	else
		json_decref(list);
}

/* POST /api/v1/sessions/ID/end: logs out another browser. */
void post_session_end(struct api *api, const struct api_request *r)
{
	const char *user = r->visitor->user, *id = r->words[0];
	struct store_session s;
	bool found = false;
	if (!acts_as_user(api, r) || !body_keys(api, r, "") ||
	    !manages_credentials(api, r, "session"))
		return;
	if (strcmp(id, r->visitor->issuer) == 0) {
		reply_error(api, r->call, 409, "session: it is this one; log out instead");
		return;
	}
	const struct store_rows *rows = rows_of(api, r, ASK_SESSIONS, user);
	if (!rows)
		return;
	for (size_t i = 0; !found && store_row_session(rows, i, &s); i++)
		found = strcmp(s.id, id) == 0;
	if (!found) {
		reply_error(api, r->call, 404, "session: you have no such session");
		return;
	}
	if (!notice_read(api, r, user, "another browser was logged out"))
		return;
	store_end_session(api->store, user, id, api_seconds(api));
	audit(api, r, user, "session_end");
	reply_when_changed(api, r->call, 200, json_pack("{s:s}", "ended", id), NULL, NULL);
}

/* ---- Tokens ---- */

bool read_token_count(struct api *api, const struct api_request *r, const char *user, int *count)
{
	const struct store_rows *rows = rows_of(api, r, ASK_TOKENS, user);
	*count = rows ? (int)rows->count : 0;
	return rows;
}

/* GET /api/v1/tokens: your tokens, without what makes them valid. */
void get_tokens(struct api *api, const struct api_request *r)
{
	const struct store_rows *rows =
		acts_as_user(api, r) && manages_credentials(api, r, "tokens")
			? rows_of(api, r, ASK_TOKENS, r->visitor->user)
			: NULL;
	json_t *list = json_array();
	struct store_token t;
	for (size_t i = 0; rows && store_row_token(rows, i, &t); i++)
		list = json_item(list, json_pack("{s:s, s:s, s:I, s:o}", "id", t.id, "label",
						 t.label, "created", (json_int_t)t.created, "used",
						 t.used ? json_integer(t.used) : json_null()));
	if (rows)
		reply(api, r->call, 200, json_pack("{s:o}", "tokens", list));
	else
		json_decref(list);
}

/*
 * POST /api/v1/tokens: a bearer token for programs. Only its hash is stored. A token cannot make
 * others: then one that was stolen would outlive its revocation.
 */
void post_token(struct api *api, const struct api_request *r)
{
	struct store_token row = { .created = api_seconds(api) };
	const char *user = r->visitor->user;
	char token[SECRETS_TOKEN];
	int count;
	if (!acts_as_user(api, r) || !body_keys(api, r, "label") ||
	    !label_read(api, r, row.label) || !api_limit(api, r, "token", 10, 10))
		return;
	if (r->visitor->program) {
		reply_error(api, r->call, 403, "token: a token cannot create tokens");
		return;
	}
	if (!read_token_count(api, r, user, &count))
		return;
	if (count >= TOKENS_MOST) {
		reply_error(api, r->call, 409, "token: you have %d already; revoke one first",
			    TOKENS_MOST);
		return;
	}
	if (!notice_read(api, r, user, "a token was made, with which a program can act for you"))
		return;
	secrets_token(token, row.hash);
	secrets_user_id(row.id);
	snprintf(row.user, sizeof row.user, "%s", user);
	user_ensure(api, user);
	store_if_issuer(api->store, user, r->visitor->issuer);
	store_put_token(api->store, &row);
	audit(api, r, user, "token");
	reply_unless_refused(api, r->call, 201,
			     json_pack("{s:s, s:s}", "token", token, "id", row.id), &visitor_ended);
}

/* POST /api/v1/tokens/ID/revoke. A token may end itself. */
void post_token_revoke(struct api *api, const struct api_request *r)
{
	const char *user = r->visitor->user, *id = r->words[0];
	struct store_token t;
	bool found = false;
	const bool itself = strcmp(id, r->visitor->issuer) == 0;
	const struct store_rows *rows =
		acts_as_user(api, r) && body_keys(api, r, "") &&
				(itself || manages_credentials(api, r, "token"))
			? rows_of(api, r, ASK_TOKENS, user)
			: NULL;
	if (!rows)
		return;
	for (size_t i = 0; !found && store_row_token(rows, i, &t); i++)
		found = strcmp(t.id, id) == 0;
	if (!found) {
		reply_error(api, r->call, 404, "token: you have no such token");
		return;
	}
	store_drop_token(api->store, user, id, api_seconds(api));
	audit(api, r, user, "token_revoke");
	reply_when_changed(api, r->call, 200, json_pack("{s:s}", "revoked", id), NULL, NULL);
}
