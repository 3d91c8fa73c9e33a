/*
 * server_users.c - server users and server tokens: the accounts of a web server, and what lets them
 * in.
 * SPDX-License-Identifier: MIT
 *
 * A running server reads what has ended from the store, and obeys within a second.
 */
#include <time.h>

#include "cli/server.h"
#include "server/api/secrets.h"
#include "server/store/privacy.h"

enum { PORTION = 500, CODE_S = STORE_CODE_DAYS * 86400 };

/* The user of an account. */
static enum qv_status find_account(struct cli *c, struct store *store, const char *name,
				   struct store_user *out)
{
	const enum qv_status status = store_user_by_login(store, name, out, &c->error);
	return status == QV_UNKNOWN ? cli_refuse(c, "%.60s: no such account", cli_word(name))
				    : status;
}

/* ---- Lists ---- */

/* A list that is printed or becomes JSON. */
struct listing {
	struct cli *c;
	json_t *list; /* NULL: it is printed */
	char last[STORE_NAME];
	int count;
};

static json_t *user_json(const struct store_user *user)
{
	return json_fields(json_object(), "account", json_text(user->login), "id",
			   json_text(user->id), "name", json_text(user->name), "created",
			   json_text(time_text(user->created).text), "email",
			   json_unless_empty(user->email), NULL);
}

static bool add_user(void *ctx, const struct store_user *user)
{
	struct listing *l = ctx;
	snprintf(l->last, sizeof l->last, "%s", user->login);
	l->count++;
	if (l->list)
		l->list = json_item(l->list, user_json(user));
	else
		string_addf(&l->c->out, "%s %s %s%s%s\n", user->login, user->id,
			    time_text(user->created).text, *user->email ? " " : "", user->email);
	return true;
}

static void add_session(void *ctx, const struct store_session *s)
{
	struct listing *l = ctx;
	if (l->list)
		l->list = json_item(l->list,
				    json_fields(json_object(), "id", json_text(s->id), "label",
						json_text(s->label), "created",
						json_text(time_text(s->created).text), "seen",
						json_text(time_text(s->seen).text), NULL));
	else
		string_addf(&l->c->out, "session %s since %s, last seen %.10s%s%s\n", s->id,
			    time_text(s->created).text, time_text(s->seen).text,
			    *s->label ? ", " : "", s->label);
}

static void add_token(void *ctx, const struct store_token *t)
{
	struct listing *l = ctx;
	const struct time_text used = time_text(t->used);
	if (l->list)
		l->list = json_item(
			l->list, json_fields(json_object(), "id", json_text(t->id), "label",
					     json_text(t->label), "created",
					     json_text(time_text(t->created).text), "used",
					     t->used ? json_text(used.text) : json_null(), NULL));
	else
		string_addf(&l->c->out, "token %s since %s, %s%.10s%s%s\n", t->id,
			    time_text(t->created).text, t->used ? "last used " : "never used",
			    t->used ? used.text : "", *t->label ? ", " : "", t->label);
}

/* A portion at a time, so that a long list needs little memory of the database. */
static enum qv_status list_users(struct cli *c, struct store *store)
{
	struct listing l = { .c = c, .list = c->args.json ? json_array() : NULL };
	enum qv_status status;
	do {
		char after[STORE_NAME];
		memcpy(after, l.last, sizeof after);
		l.count = 0;
		status = store_list_accounts(store, after, PORTION, add_user, &l, &c->error);
	} while (status == QV_OK && l.count == PORTION);
	if (status == QV_OK && c->args.json)
		return cli_json(c, l.list);
	json_decref(l.list);
	return status;
}

static enum qv_status show_user(struct cli *c, struct store *store, const struct store_user *user)
{
	struct listing sessions = { .c = c, .list = c->args.json ? json_array() : NULL };
	struct listing tokens = { .c = c, .list = c->args.json ? json_array() : NULL };
	if (!c->args.json)
		add_user(&sessions, user);
	enum qv_status status =
		store_list_sessions(store, user->id, add_session, &sessions, &c->error);
	if (status == QV_OK)
		status = store_list_tokens(store, user->id, add_token, &tokens, &c->error);
	if (status == QV_OK && c->args.json)
		return cli_json(c, json_fields(user_json(user), "sessions", sessions.list, "tokens",
					       tokens.list, NULL));
	json_decref(sessions.list);
	json_decref(tokens.list);
	return status;
}

/* ---- Changes ---- */

/* The code replaces earlier ones. It goes to the owner of the account by another way. */
static enum qv_status reset_user(struct cli *c, struct store *store, const struct store_user *user)
{
	struct store_code code = { .purpose = "reset", .expires = (int64_t)time(NULL) + CODE_S };
	char text[SECRETS_CODE];
	if (!secrets_ready())
		return cli_refuse(c, "server users reset: the system provides no random numbers");
	snprintf(code.user, sizeof code.user, "%s", user->id);
	secrets_code(text, code.hash);
	store_drop_codes(store, user->id, "reset");
	store_put_code(store, &code);
	server_note(store, "users reset", "", user->id);
	const enum qv_status status = server_commit(c, store);
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "account", json_text(user->login),
					       "code", json_text(text), "path",
					       json_sprintf("/account?reset=%s", text), "expires",
					       json_text(time_text(code.expires).text), NULL));
	string_addf(&c->out, "/account?reset=%s\nvalid once, until %s\n", text,
		    time_text(code.expires).text);
	return QV_OK;
}

/* A running server, or the next one, removes the name from the games. */
static enum qv_status delete_user(struct cli *c, struct store *store, const struct store_user *user)
{
	store_delete_user(store, user->id, STORE_NOBODY, (int64_t)time(NULL));
	server_note(store, "users delete", "", user->id);
	return server_done(c, store, "deleted", user->login);
}

static enum qv_status logout_user(struct cli *c, struct store *store, const struct store_user *user)
{
	store_end_cookies(store, user->id, "", (int64_t)time(NULL));
	server_note(store, "users logout", "", user->id);
	return server_done(c, store, "logged_out", user->login);
}

/* ---- The verbs ---- */

/* What is done to an account. */
static const struct {
	const char *name;
	enum qv_status (*run)(struct cli *c, struct store *store, const struct store_user *user);
} actions[] = {
	{ "show", show_user },
	{ "reset", reset_user },
	{ "logout", logout_user },
	{ "delete", delete_user },
};

/* server users [list | show NAME | reset NAME | logout NAME | delete NAME] */
enum qv_status server_users(struct cli *c)
{
	const int count = c->args.word_count - 2;
	const char *what = count > 0 ? c->args.words[2] : "list";
	const bool lists = strcmp(what, "list") == 0;
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	struct store_user user;
	size_t i = 0;
	while (i < sizeof actions / sizeof *actions && strcmp(actions[i].name, what) != 0)
		i++;
	if (!lists && i == sizeof actions / sizeof *actions)
		return cli_refuse(
			c, "server users %.60s: expected list, show, reset, logout or delete",
			cli_word(what));
	if (lists ? count > 1 : count < 2)
		return cli_refuse(c, "server users %s: %s", what,
				  lists ? "too many arguments"
					: "the name of an account is missing");
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK && lists)
		status = list_users(c, store);
	else if (status == QV_OK)
		status = find_account(c, store, c->args.words[3], &user);
	if (status == QV_OK && !lists)
		status = actions[i].run(c, store, &user);
	store_close(store);
	return status;
}

static enum qv_status list_tokens(struct cli *c, struct store *store, const char *name)
{
	struct listing l = { .c = c, .list = c->args.json ? json_array() : NULL };
	struct store_user user;
	enum qv_status status = find_account(c, store, name, &user);
	if (status == QV_OK)
		status = store_list_tokens(store, user.id, add_token, &l, &c->error);
	if (status == QV_OK && c->args.json)
		return cli_json(c, l.list);
	json_decref(l.list);
	return status;
}

static enum qv_status revoke_token(struct cli *c, struct store *store, const char *id)
{
	struct store_token token;
	const enum qv_status status = store_find_token(store, id, &token, &c->error);
	if (status == QV_UNKNOWN)
		return cli_refuse(c, "%.60s: no such token", cli_word(id));
	if (status != QV_OK)
		return status;
	store_drop_token(store, token.user, token.id, (int64_t)time(NULL));
	server_note(store, "tokens revoke", "", token.user);
	return server_done(c, store, "revoked", token.id);
}

/* server tokens list NAME | revoke ID */
enum qv_status server_tokens(struct cli *c)
{
	const char *what = c->args.words[2], *which = c->args.words[3];
	const bool lists = strcmp(what, "list") == 0;
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	if (!lists && strcmp(what, "revoke") != 0)
		return cli_refuse(c, "server tokens %.60s: expected list or revoke",
				  cli_word(what));
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK)
		status = lists ? list_tokens(c, store, which) : revoke_token(c, store, which);
	store_close(store);
	return status;
}
