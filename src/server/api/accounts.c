/*
 * accounts.c - routes about people: your user, accounts, login, tokens for programs.
 * SPDX-License-Identifier: MIT
 *
 * Every visitor is a user from the first request on, identified by a signed cookie. An account
 * gives that user a name and a password to log in with from elsewhere. Passwords are hashed and
 * checked by workers, because that takes some tenths of a second. Names of users are cached, since
 * they appear in every game that is sent.
 */
#include <stdlib.h>

#include "server/api/inside.h"

/* ---- Names ---- */

/* A direct-mapped cache: a name replaces another one of the same slot. */
static struct known_name *slot_of(struct api *api, const char *user)
{
	return &api->names[qv_hash_bytes(user, strlen(user)) % NAMES];
}

static void cache_name(struct api *api, const char *user, const char *name)
{
	struct known_name *slot = slot_of(api, user);
	snprintf(slot->user, sizeof slot->user, "%s", user);
	snprintf(slot->name, sizeof slot->name, "%s", name);
}

/* Is the user in the store? If so the name is in the cache afterwards. */
static bool is_known(struct api *api, const char *user)
{
	struct store_user row;
	if (strcmp(slot_of(api, user)->user, user) == 0)
		return true;
	if (store_user_by_id(api->store, user, &row, NULL) != QV_OK)
		return false;
	cache_name(api, user, row.name);
	return true;
}

/* Names that were cached before a failed write may be missing in the store. */
void users_forget(struct api *api)
{
	memset(api->names, 0, sizeof api->names);
}

/* A guest's number follows from the id, so that it stays the same without being stored. */
void user_name(struct api *api, const char *user, char out[STORE_NAME])
{
	if (is_known(api, user))
		snprintf(out, STORE_NAME, "%s", slot_of(api, user)->name);
	else
		snprintf(out, STORE_NAME, "Guest %d",
			 1000 + (int)(qv_hash_bytes(user, strlen(user)) % 9000));
}

/* Queues the user's row and caches the name. */
static void put_user(struct api *api, const char *user, const char *name)
{
	store_put_user(api->store, user, name, api_seconds(api));
	cache_name(api, user, name);
}

/* Rows that refer to a user need that user's row first. */
void user_ensure(struct api *api, const char *user)
{
	char name[STORE_NAME];
	if (is_known(api, user))
		return;
	user_name(api, user, name);
	put_user(api, user, name);
}

/* ---- Responses that wait for the disk ---- */

struct stored_reply {
	struct api *api;
	struct outgoing out;
	char *text;
};

/* Called by the store. The client may have left meanwhile: then the call is gone. */
static void on_stored(void *ctx, bool ok)
{
	struct stored_reply *wait = ctx;
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
				    "store: could not be saved; try again");
	}
	free(wait->text);
	free(wait);
}

void reply_when_stored(struct api *api, uint64_t call, int status, json_t *json)
{
	struct stored_reply *wait = calloc(1, sizeof *wait);
	char *text = json_to_text(json, RESPONSE_JSON);
	if (!wait || !text) {
		store_end_unit(api->store, NULL, NULL);
		reply_no_memory(api, call);
	} else if (call_new(api, call, "", CALL_STORE)) {
		*wait = (struct stored_reply){ api,
					       { .call = call, .status = status, .end = true },
					       text };
		if (store_end_unit(api->store, on_stored, wait) == QV_OK)
			return;
		users_forget(api);
		call_free(api, call_find(api, call));
		reply_error(api, call, 503, "store: the server is busy; try again soon");
	}
	free(wait);
	free(text);
}

/* ---- Me ---- */

/* The user with the games in progress: User of types.ts. */
static json_t *me_json(struct api *api, const char *user)
{
	struct store_user row = { .login = "" };
	char name[STORE_NAME];
	user_name(api, user, name);
	store_user_by_id(api->store, user, &row, NULL);
	return json_pack("{s:s, s:s, s:s?, s:o}", "id", user, "name", name, "account",
			 *row.login ? row.login : NULL, "plays", user_plays(api, user));
}

/* Seat tokens are for programs that play one game; they must not act for the user elsewhere. */
bool acts_as_user(struct api *api, const struct api_request *r)
{
	if (*r->visitor->play)
		reply_error(api, r->call, 403, "token: valid for one game only");
	return !*r->visitor->play;
}

/* GET /api/v1/me */
void get_me(struct api *api, const struct api_request *r)
{
	if (acts_as_user(api, r))
		reply(api, r->call, 200, me_json(api, r->visitor->user));
}

/* POST /api/v1/me: changes the name that others see. */
void post_me(struct api *api, const struct api_request *r)
{
	const char *name;
	if (!acts_as_user(api, r) || !body_keys(api, r, "name") ||
	    !body_text(api, r, "name", &name))
		return;
	if (!name || !hosted_name_ok(name)) {
		reply_error(api, r->call, 400,
			    "name: a name must have 1 to %d printable characters", HOSTED_NAME);
		return;
	}
	put_user(api, r->visitor->user, name);
	reply_when_stored(api, r->call, 200, me_json(api, r->visitor->user));
}

/* ---- Passwords ---- */

/* A worker's argument: a password to hash, or to check. */
struct password {
	char login[STORE_NAME], user[API_USER];
	char hash[SECRETS_PASSWORD]; /* to check against; "": make a new hash */
	char text[136];
};

/* Wipes it: the password must not stay in freed memory. */
static void password_free(void *arg)
{
	memset(arg, 0, sizeof(struct password));
	free(arg);
}

/* The result is the new hash, "+" if the password is right, or NULL. */
static void password_run(struct worker_task *task, void *arg)
{
	const struct password *p = arg;
	char made[SECRETS_PASSWORD] = "";
	if (*p->hash)
		worker_task_result(task,
				   secrets_check_password(p->text, p->hash) ? strdup("+") : NULL);
	else if (secrets_hash_password(p->text, made))
		worker_task_result(task, strdup(made));
}

/* Takes the password. */
static void password_submit(struct api *api, const struct api_request *r, struct password *p,
			    call_done_fn *done)
{
	const struct worker_job job = { .urgent = true,
					.most = QUEUE_CLIENT,
					.limit_ms = 10000,
					.run = password_run,
					.arg = p,
					.release = password_free };
	call_submit(api, call_new(api, r->call, r->visitor->user, CALL_JOB), done, "password",
		    r->visitor->address, &job);
}

/* Name and password from the body, for password_submit. NULL: an error was sent. */
static struct password *read_login(struct api *api, const struct api_request *r)
{
	const char *name, *password;
	if (!acts_as_user(api, r) || !api_limit(api, r, "login", 5, 5) ||
	    !body_keys(api, r, "name password") || !body_text(api, r, "name", &name) ||
	    !body_text(api, r, "password", &password))
		return NULL;
	const char *fault = !name	? "name: missing"
			    : !password ? "password: missing"
					: secrets_login_fault(name);
	if (!fault)
		fault = secrets_password_fault(password);
	if (fault) {
		reply_error(api, r->call, 400, "%s", fault);
		return NULL;
	}
	struct password *p = calloc(1, sizeof *p);
	if (!p) {
		reply_no_memory(api, r->call);
		return NULL;
	}
	snprintf(p->login, sizeof p->login, "%s", name);
	snprintf(p->text, sizeof p->text, "%s", password);
	snprintf(p->user, sizeof p->user, "%s", r->visitor->user);
	return p;
}

/* The name may have been taken while the worker hashed the password, so it is checked again. */
static void account_hashed(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	struct store_user row;
	call_free(api, call);
	if (!text) {
		reply_no_memory(api, number);
		return;
	}
	if (store_user_by_login(api->store, p->login, &row, NULL) == QV_OK) {
		reply_error(api, number, 409,
			    "name: this name is already taken; choose another one");
		return;
	}
	put_user(api, p->user, p->login);
	store_put_account(api->store, p->user, p->login, text);
	json_t *me = me_json(api, p->user);
	json_object_set_new(me, "account", json_string(p->login));
	reply_when_stored(api, number, 201, me);
}

/* POST /api/v1/accounts: gives the visitor's user a login. */
void post_account(struct api *api, const struct api_request *r)
{
	struct password *p = read_login(api, r);
	struct store_user row;
	if (!p)
		return;
	if (store_user_by_login(api->store, p->login, &row, NULL) == QV_OK) {
		reply_error(api, r->call, 409,
			    "name: this name is already taken; choose another one");
	} else if (store_user_by_id(api->store, p->user, &row, NULL) == QV_OK && *row.login) {
		reply_error(api, r->call, 409, "account: you are logged in as %s; log out first",
			    row.login);
	} else {
		password_submit(api, r, p, account_hashed);
		return;
	}
	password_free(p);
}

/* The visitor is another user from now on: the response sets the cookie. */
static void reply_as(struct api *api, uint64_t call, const char *user)
{
	char cookie[SECRETS_COOKIE];
	const struct outgoing out = { .call = call, .status = 200, .end = true, .cookie = cookie };
	secrets_cookie(&api->secrets, user, cookie);
	reply_json(api, &out, me_json(api, user));
}

/* Without a stored hash the login is wrong, whatever the worker found. */
static void login_checked(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	call_free(api, call);
	if (*p->hash && text)
		reply_as(api, number, p->user);
	else
		reply_error(api, number, 401, "login: wrong name or password");
}

/* An unknown name takes as long as a wrong password, so that timing does not reveal names. */
void post_login(struct api *api, const struct api_request *r)
{
	struct password *p = read_login(api, r);
	struct store_user row;
	if (!p)
		return;
	if (store_user_by_login(api->store, p->login, &row, NULL) == QV_OK) {
		snprintf(p->hash, sizeof p->hash, "%s", row.password_hash);
		snprintf(p->user, sizeof p->user, "%s", row.id);
	}
	password_submit(api, r, p, login_checked);
}

/* POST /api/v1/logout: the visitor becomes a new guest. The account stays. */
void post_logout(struct api *api, const struct api_request *r)
{
	char user[SECRETS_ID];
	if (!acts_as_user(api, r) || !body_keys(api, r, ""))
		return;
	secrets_user_id(user);
	reply_as(api, r->call, user);
}

/* POST /api/v1/tokens: a bearer token for programs. Only its hash is stored. */
void post_token(struct api *api, const struct api_request *r)
{
	char token[SECRETS_TOKEN];
	uint8_t hash[SECRETS_HASH];
	if (!acts_as_user(api, r) || !body_keys(api, r, "") || !api_limit(api, r, "token", 10, 10))
		return;
	secrets_token(token, hash);
	user_ensure(api, r->visitor->user);
	store_put_token(api->store, hash, r->visitor->user, api_seconds(api));
	reply_when_stored(api, r->call, 201, json_pack("{s:s}", "token", token));
}
