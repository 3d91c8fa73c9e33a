/*
 * credentials.c - routes about what lets you in: logout, the list of sessions, tokens of programs.
 * SPDX-License-Identifier: MIT
 *
 * A response that says that something has ended is sent when that is on disk and known to this
 * server; other servers of the database know it within half a second (identity.c).
 */
#include "server/api/inside.h"

/* ---- Logout ---- */

/*
 * POST /api/v1/logout: this session ends, or with "everywhere" all of them. The visitor becomes a
 * new guest; the account and its tokens stay.
 */
void post_logout(struct api *api, const struct api_request *r)
{
	const struct visitor *who = r->visitor;
	const int64_t now = api_seconds(api);
	char user[SECRETS_ID], cookie[SECRETS_COOKIE];
	bool everywhere;
	if (!acts_as_user(api, r) || !may_set_cookie(api, r, "logout") ||
	    !body_keys(api, r, "everywhere") || !body_boolean(api, r, "everywhere", &everywhere) ||
	    !api_limit(api, r, "logout", 30, 30))
		return;
	if (who->program && !everywhere) {
		reply_error(api, r->call, 409,
			    "logout: a token is no session; revoke it to end its use");
		return;
	}
	if (everywhere || !*who->issuer)
		user_ensure(api, who->user); /* it has the epoch */
	if (everywhere)
		store_end_cookies(api->store, who->user, "", now);
	else if (*who->issuer)
		store_end_session(api->store, who->user, who->issuer, now);
	else
		store_end_unnamed(api->store, who->user, now);
	secrets_user_id(user);
	secrets_cookie(&api->secrets, user, "", cookie);
	reply_when_changed(api, r->call, 200, me_json(api, user), cookie);
}

/* ---- Sessions ---- */

/* What a list collects. `id`: of the one that is looked for; "": none. */
struct listing {
	json_t *list;
	const char *id, *current;
	bool found;
	int count;
};

static void take_session(void *ctx, const struct store_session *session)
{
	struct listing *l = ctx;
	l->found |= strcmp(session->id, l->id) == 0;
	l->list = json_item(l->list,
			    json_pack("{s:s, s:s, s:I, s:I, s:b}", "id", session->id, "label",
				      session->label, "created", (json_int_t)session->created,
				      "seen", (json_int_t)session->seen, "current",
				      strcmp(session->id, l->current) == 0));
}

/* GET /api/v1/sessions: where you are logged in. */
void get_sessions(struct api *api, const struct api_request *r)
{
	struct listing l = { .id = "", .current = r->visitor->issuer };
	if (!acts_as_user(api, r))
		return;
	l.list = json_array();
	store_list_sessions(api->store, r->visitor->user, take_session, &l, NULL);
	reply(api, r->call, 200, json_pack("{s:o}", "sessions", l.list));
}

/* POST /api/v1/sessions/ID/end: logs out another browser. */
void post_session_end(struct api *api, const struct api_request *r)
{
	struct listing l = { .id = r->words[0], .current = "" };
	const char *user = r->visitor->user;
	if (!acts_as_user(api, r) || !body_keys(api, r, ""))
		return;
	if (strcmp(l.id, r->visitor->issuer) == 0) {
		reply_error(api, r->call, 409, "session: it is this one; log out instead");
		return;
	}
	l.list = json_array();
	store_list_sessions(api->store, user, take_session, &l, NULL);
	json_decref(l.list);
	if (!l.found) {
		reply_error(api, r->call, 404, "session: you have no such session");
		return;
	}
	store_end_session(api->store, user, l.id, api_seconds(api));
	reply_when_changed(api, r->call, 200, json_pack("{s:s}", "ended", l.id), NULL);
}

/* ---- Tokens ---- */

static void take_token(void *ctx, const struct store_token *token)
{
	struct listing *l = ctx;
	l->count++;
	l->found |= strcmp(token->id, l->id) == 0;
	l->list = json_item(l->list,
			    json_pack("{s:s, s:s, s:I, s:o}", "id", token->id, "label",
				      token->label, "created", (json_int_t)token->created, "used",
				      token->used ? json_integer(token->used) : json_null()));
}

int user_token_count(struct api *api, const char *user)
{
	struct listing l = { .list = json_array(), .id = "" };
	store_list_tokens(api->store, user, take_token, &l, NULL);
	json_decref(l.list);
	return l.count;
}

/* GET /api/v1/tokens: your tokens, without what makes them valid. */
void get_tokens(struct api *api, const struct api_request *r)
{
	struct listing l = { .id = "" };
	if (!acts_as_user(api, r))
		return;
	l.list = json_array();
	store_list_tokens(api->store, r->visitor->user, take_token, &l, NULL);
	reply(api, r->call, 200, json_pack("{s:o}", "tokens", l.list));
}

/*
 * POST /api/v1/tokens: a bearer token for programs. Only its hash is stored. A token cannot make
 * others: then one that was stolen would outlive its revocation.
 */
void post_token(struct api *api, const struct api_request *r)
{
	struct store_token row = { .created = api_seconds(api) };
	char token[SECRETS_TOKEN];
	if (!acts_as_user(api, r) || !body_keys(api, r, "label") ||
	    !label_read(api, r, row.label) || !api_limit(api, r, "token", 10, 10))
		return;
	if (r->visitor->program) {
		reply_error(api, r->call, 403, "token: a token cannot create tokens");
		return;
	}
	if (user_token_count(api, r->visitor->user) >= TOKENS_MOST) {
		reply_error(api, r->call, 409, "token: you have %d already; revoke one first",
			    TOKENS_MOST);
		return;
	}
	secrets_token(token, row.hash);
	secrets_user_id(row.id);
	snprintf(row.user, sizeof row.user, "%s", r->visitor->user);
	user_ensure(api, row.user);
	store_put_token(api->store, &row);
	reply_when_stored(api, r->call, 201, json_pack("{s:s, s:s}", "token", token, "id", row.id));
}

/* POST /api/v1/tokens/ID/revoke */
void post_token_revoke(struct api *api, const struct api_request *r)
{
	struct listing l = { .id = r->words[0] };
	const char *user = r->visitor->user;
	if (!acts_as_user(api, r) || !body_keys(api, r, ""))
		return;
	l.list = json_array();
	store_list_tokens(api->store, user, take_token, &l, NULL);
	json_decref(l.list);
	if (!l.found) {
		reply_error(api, r->call, 404, "token: you have no such token");
		return;
	}
	store_drop_token(api->store, user, l.id, api_seconds(api));
	reply_when_changed(api, r->call, 200, json_pack("{s:s}", "revoked", l.id), NULL);
}
