/*
 * accounts.c - routes about people: who I am, accounts, tokens for programs.
 * SPDX-License-Identifier: MIT
 *
 * Everybody is a user from the first request on, by a signed cookie. An account gives that user a
 * name to log in with from elsewhere. Passwords are hashed and checked by workers: it takes a
 * while.
 */
#include <stdlib.h>

#include "server/api/inside.h"

/* ---- Names ---- */

static struct known_name *slot_of(struct api *api, const char *user)
{
	return &api->names[qv_hash_bytes(user, strlen(user)) % NAMES];
}

static void know(struct api *api, const char *user, const char *name)
{
	struct known_name *slot = slot_of(api, user);
	snprintf(slot->user, sizeof slot->user, "%s", user);
	snprintf(slot->name, sizeof slot->name, "%s", name);
}

static bool is_known(struct api *api, const char *user)
{
	struct store_user row;
	if (strcmp(slot_of(api, user)->user, user) == 0)
		return true;
	if (store_user_by_id(api->store, user, &row, NULL) != QV_OK)
		return false;
	know(api, user, row.name);
	return true;
}

void users_forget(struct api *api)
{
	memset(api->names, 0, sizeof api->names);
}

void user_name(struct api *api, const char *user, char out[STORE_NAME])
{
	if (is_known(api, user))
		snprintf(out, STORE_NAME, "%s", slot_of(api, user)->name);
	else
		snprintf(out, STORE_NAME, "Guest %d",
			 1000 + (int)(qv_hash_bytes(user, strlen(user)) % 9000));
}

static void put_user(struct api *api, const char *user, const char *name)
{
	store_put_user(api->store, user, name, api_seconds(api));
	know(api, user, name);
}

void user_ensure(struct api *api, const char *user)
{
	char name[STORE_NAME];
	if (is_known(api, user))
		return;
	user_name(api, user, name);
	put_user(api, user, name);
}

/* ---- Answers that wait for the disk ---- */

struct waiting {
	struct api *api;
	struct outgoing out;
	char *text;
};

static void on_stored(void *ctx, bool ok)
{
	struct waiting *wait = ctx;
	struct api *api = wait->api;
	struct call *call = call_find(api, wait->out.call);
	if (!ok)
		users_forget(api);
	if (call) {
		call_free(api, call);
		if (ok)
			reply_text(api, &wait->out, wait->text);
		else
			reply_error(api, wait->out.call, 503,
				    "store: it could not be kept; try again");
	}
	free(wait->text);
	free(wait);
}

void reply_when_stored(struct api *api, const struct outgoing *out, json_t *json)
{
	struct waiting *wait = calloc(1, sizeof *wait);
	char *text = json_to_text(json, RESPONSE_JSON);
	if (!wait || !text) {
		store_end_unit(api->store, NULL, NULL);
		reply_error(api, out->call, 503, "server: out of memory");
	} else if (call_new(api, out->call, "", CALL_STORE)) {
		*wait = (struct waiting){ .api = api, .out = *out, .text = text };
		if (store_end_unit(api->store, on_stored, wait) == QV_OK)
			return;
		users_forget(api);
		call_free(api, call_find(api, out->call));
		reply_error(api, out->call, 503, "store: too much waits; try again soon");
	}
	free(wait);
	free(text);
}

/* ---- Me ---- */

static json_t *me_json(struct api *api, const char *user)
{
	struct store_user row = { .login = "" };
	char name[STORE_NAME];
	user_name(api, user, name);
	store_user_by_id(api->store, user, &row, NULL);
	return json_pack("{s:s, s:s, s:s?, s:o}", "id", user, "name", name, "account",
			 *row.login ? row.login : NULL, "plays", user_plays(api, user));
}

/* Another user from here on: the answer has the cookie. */
static void reply_me(struct api *api, const struct outgoing *out, const char *user)
{
	char *text = json_to_text(me_json(api, user), RESPONSE_JSON);
	if (text)
		reply_text(api, out, text);
	else
		reply_error(api, out->call, 503, "server: out of memory");
	free(text);
}

/* A seat token is for its play alone. */
static bool is_whole(struct api *api, const struct api_request *r)
{
	if (!*r->visitor->play)
		return true;
	reply_error(api, r->call, 403, "token: it is for one play only");
	return false;
}

void get_me(struct api *api, const struct api_request *r, const struct path_words *w)
{
	(void)w;
	if (is_whole(api, r))
		reply(api, r->call, 200, me_json(api, r->visitor->user));
}

void post_me(struct api *api, const struct api_request *r, const struct path_words *w)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	const char *name;
	(void)w;
	if (!is_whole(api, r) || !body_keys(api, r, "name") || !body_text(api, r, "name", &name))
		return;
	if (!name || !play_name_ok(name)) {
		reply_error(api, r->call, 400, "name: 1 to %d printable characters are expected",
			    PLAY_NAME);
		return;
	}
	put_user(api, r->visitor->user, name);
	reply_when_stored(api, &out, me_json(api, r->visitor->user));
}

/* ---- Passwords ---- */

/* What a worker does, and what the call remembers of it. */
struct password {
	char login[STORE_NAME], user[API_USER];
	char hash[SECRETS_PASSWORD];       /* to check against; "": make one */
	char text[136];
};

static void password_free(void *arg)
{
	struct password *p = arg;
	memset(p->text, 0, sizeof p->text);
	free(p);
}

/* Answers the new hash, "+" if it is right, or nothing. */
static void password_run(struct worker_task *task, void *arg)
{
	const struct password *p = arg;
	char made[SECRETS_PASSWORD] = "";
	if (*p->hash)
		worker_task_result(task, secrets_check_password(p->text, p->hash) ? strdup("+") : NULL);
	else if (secrets_hash_password(p->text, made))
		worker_task_result(task, strdup(made));
}

static void password_submit(struct api *api, const struct api_request *r,
			    const struct password *template,
			    void (*done)(struct api *, struct call *, const char *, bool))
{
	struct password *arg = malloc(sizeof *arg), *extra = malloc(sizeof *extra);
	struct call *call = NULL;
	char client[WORKER_CLIENT];
	if (!arg || !extra)
		reply_error(api, r->call, 503, "server: out of memory");
	else
		call = call_new(api, r->call, r->visitor->user, CALL_JOB);
	if (!call) {
		free(arg);
		free(extra);
		return;
	}
	*arg = *extra = *template;
	memset(extra->text, 0, sizeof extra->text);
	call->extra = extra;
	call->job_done = done;
	snprintf(client, sizeof client, "password %s", r->visitor->address);
	const struct worker_job job = { .client = client, .urgent = true, .most = QUEUE_CLIENT,
				       .limit_ms = 10000, .run = password_run,
				       .release = password_free, .arg = arg };
	call_submit(api, call, &job);
}

/* Name and password of the body. */
static bool read_login(struct api *api, const struct api_request *r, struct password *out)
{
	const char *name, *password;
	*out = (struct password){ 0 };
	if (!is_whole(api, r) || !api_limit(api, r, "login", 5, 5) ||
	    !body_keys(api, r, "name password") || !body_text(api, r, "name", &name) ||
	    !body_text(api, r, "password", &password))
		return false;
	const char *fault = !name		? "name: it is missing"
			    : !password ? "password: it is missing"
					: secrets_login_fault(name);
	if (!fault)
		fault = secrets_password_fault(password);
	if (fault) {
		reply_error(api, r->call, 400, "%s", fault);
		return false;
	}
	snprintf(out->login, sizeof out->login, "%s", name);
	snprintf(out->text, sizeof out->text, "%s", password);
	snprintf(out->user, sizeof out->user, "%s", r->visitor->user);
	return true;
}

static void account_hashed(struct api *api, struct call *call, const char *text, bool last)
{
	const struct password p = *(struct password *)call->extra;
	const struct outgoing out = { .call = call->number, .status = 201, .end = true };
	struct store_user row;
	if (!last)
		return;
	call_free(api, call);
	if (!text) {
		reply_error(api, out.call, 503, "server: out of memory");
		return;
	}
	if (store_user_by_login(api->store, p.login, &row, NULL) == QV_OK) {
		reply_error(api, out.call, 409, "name: somebody has it already");
		return;
	}
	put_user(api, p.user, p.login);
	store_put_account(api->store, p.user, p.login, text);
	json_t *me = me_json(api, p.user);
	json_object_set_new(me, "account", json_string(p.login));
	reply_when_stored(api, &out, me);
}

void post_account(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct password p;
	struct store_user row;
	(void)w;
	if (!read_login(api, r, &p))
		return;
	if (store_user_by_login(api->store, p.login, &row, NULL) == QV_OK)
		reply_error(api, r->call, 409, "name: somebody has it already");
	else if (store_user_by_id(api->store, p.user, &row, NULL) == QV_OK && *row.login)
		reply_error(api, r->call, 409, "account: you have one, %s; log out first",
			    row.login);
	else
		password_submit(api, r, &p, account_hashed);
	memset(&p, 0, sizeof p);
}

static void login_checked(struct api *api, struct call *call, const char *text, bool last)
{
	const struct password p = *(struct password *)call->extra;
	char cookie[SECRETS_COOKIE];
	struct outgoing out = { .call = call->number, .status = 200, .end = true };
	if (!last)
		return;
	call_free(api, call);
	if (!*p.hash || !text) {
		reply_error(api, out.call, 401, "login: name or password is wrong");
		return;
	}
	secrets_cookie(&api->secrets, p.user, cookie);
	out.cookie = cookie;
	reply_me(api, &out, p.user);
}

/* Whether there is such a name takes as long to say as whether the password is right. */
void post_login(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct password p;
	struct store_user row;
	(void)w;
	if (!read_login(api, r, &p))
		return;
	if (store_user_by_login(api->store, p.login, &row, NULL) == QV_OK) {
		snprintf(p.hash, sizeof p.hash, "%s", row.password_hash);
		snprintf(p.user, sizeof p.user, "%s", row.id);
	}
	password_submit(api, r, &p, login_checked);
	memset(&p, 0, sizeof p);
}

void post_logout(struct api *api, const struct api_request *r, const struct path_words *w)
{
	char user[SECRETS_ID], cookie[SECRETS_COOKIE];
	const struct outgoing out = { .call = r->call, .status = 200, .end = true,
				      .cookie = cookie };
	(void)w;
	if (!is_whole(api, r) || !body_keys(api, r, ""))
		return;
	secrets_user_id(user);
	secrets_cookie(&api->secrets, user, cookie);
	reply_me(api, &out, user);
}

void post_token(struct api *api, const struct api_request *r, const struct path_words *w)
{
	const struct outgoing out = { .call = r->call, .status = 201, .end = true };
	char token[SECRETS_TOKEN];
	uint8_t hash[SECRETS_HASH];
	(void)w;
	if (!is_whole(api, r) || !body_keys(api, r, "") || !api_limit(api, r, "token", 10, 10))
		return;
	secrets_token(token, hash);
	user_ensure(api, r->visitor->user);
	store_put_token(api->store, hash, r->visitor->user, api_seconds(api));
	reply_when_stored(api, &out, json_pack("{s:s}", "token", token));
}
