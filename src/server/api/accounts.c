/*
 * accounts.c - routes about people: your user, accounts, login, tokens for programs.
 * SPDX-License-Identifier: MIT
 *
 * Every visitor is a user from the first request on, identified by a signed cookie. An account
 * gives that user a name and a password to log in with from elsewhere. Passwords are hashed and
 * checked by workers, because that takes some tenths of a second; then the request runs again.
 */
#include <stdlib.h>

#include "server/api/inside.h"

/* ---- Responses that wait for the disk ---- */

struct stored_reply {
	struct api *api;
	struct outgoing out;
	char *text;
	bool renamed;	      /* other servers have to know */
	const char *conflict; /* the error if the database refuses it; NULL: it cannot */
};

/* Called by the store. The client may have left meanwhile: then the call is gone. */
static void on_stored(void *ctx, bool ok)
{
	struct stored_reply *wait = ctx;
	struct api *api = wait->api;
	struct call *call = call_find(api, wait->out.call);
	if (!ok)
		users_forget(api);
	else if (wait->renamed)
		cluster_forget(api, true);
	if (call) {
		call_free(api, call);
		if (ok)
			reply_text(api, &wait->out, wait->text);
		else if (wait->conflict && !store_failing(api->store, NULL))
			reply_error(api, wait->out.call, 409, "%s", wait->conflict);
		else
			reply_error(api, wait->out.call, 503,
				    "store: could not be saved; try again");
	}
	free(wait->text);
	free(wait);
}

void reply_when_stored(struct api *api, uint64_t call, int status, json_t *json)
{
	reply_unless_conflict(api, call, status, json, NULL);
}

void reply_unless_conflict(struct api *api, uint64_t call, int status, json_t *json,
			   const char *conflict)
{
	struct stored_reply *wait = calloc(1, sizeof *wait);
	char *text = json_to_text(json, RESPONSE_JSON);
	if (!wait || !text) {
		store_end_unit(api->store, NULL, NULL);
		reply_no_memory(api, call);
	} else if (call_new(api, call, "", CALL_STORE)) {
		*wait = (struct stored_reply){ api,
					       { .call = call, .status = status, .end = true },
					       text,
					       api->renamed,
					       conflict };
		api->renamed = false;
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

/* User of types.ts. Takes the plays; NULL: out of memory. */
static json_t *user_json(const char *user, const char *name, const char *login, json_t *plays)
{
	return json_pack("{s:s, s:s, s:s?, s:o}", "id", user, "name", name, "account",
			 *login ? login : NULL, "plays", plays);
}

/* The user with the games in progress. NULL: READ_LATER. */
static json_t *me_json(struct api *api, const struct api_request *r, const char *user)
{
	struct store_user row = { .login = "" };
	char name[STORE_NAME];
	const bool named = read_name(api, r, user, name);
	const enum read_result known = read_user(api, r, user, &row);
	json_t *plays = user_plays(api, r, user);
	if (named && known != READ_LATER && plays)
		return user_json(user, name, row.login, plays);
	json_decref(plays);
	return NULL;
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
	json_t *me = acts_as_user(api, r) ? me_json(api, r, r->visitor->user) : NULL;
	if (me)
		reply(api, r->call, 200, me);
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
	json_t *me = me_json(api, r, r->visitor->user);
	if (!me)
		return;
	user_put(api, r->visitor->user, name);
	reply_when_stored(api, r->call, 200, json_field(me, "name", json_string(name)));
}

/* ---- Passwords ---- */

static const char name_taken[] = "name: this name is already taken; choose another one";

/* A worker's argument: a password to hash, or to check. */
struct password {
	char login[STORE_NAME], user[API_USER];
	char hash[SECRETS_PASSWORD]; /* to check against; "": make a new hash */
	char text[136];
	bool known; /* login_is_known */
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

/* Takes the password. The request runs again with the result. */
static void password_submit(struct api *api, const struct api_request *r, struct password *p)
{
	const struct worker_job job = { .urgent = true,
					.most = QUEUE_CLIENT,
					.limit_ms = 10000,
					.expected_ms = 500,
					.run = password_run,
					.arg = p,
					.release = password_free };
	call_submit(api, call_park(api, r, CALL_JOB), call_resume_with, "password",
		    r->visitor->address, &job);
}

/* Name and password from the body, for password_submit. NULL: an error was sent. */
static struct password *password_of_body(struct api *api, const struct api_request *r)
{
	const char *name, *password;
	if (!acts_as_user(api, r) || !body_keys(api, r, "name password") || !body_text(api, r, "name", &name) ||
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

/* Gives the user the login, with the password that the worker has hashed. Takes `me`. */
static void add_account(struct api *api, const struct api_request *r, const struct password *p,
			json_t *me)
{
	const char *hash = api->run->job_text;
	if (!hash) {
		json_decref(me);
		reply_no_memory(api, r->call);
		return;
	}
	user_put(api, p->user, p->login);
	store_put_account(api->store, p->user, p->login, hash);
	me = json_field(me, "name", json_string(p->login));
	reply_unless_conflict(api, r->call, 201,
			      json_field(me, "account", json_string(p->login)), name_taken);
}

/* POST /api/v1/accounts: gives the visitor's user a login. */
void post_account(struct api *api, const struct api_request *r)
{
	struct password *p = api_limit(api, r, "accounts", 5, 5) ? read_login(api, r) : NULL;
	struct store_user row;
	if (!p)
		return;
	const enum read_result other = read_login(api, r, p->login, &taken);
	const enum read_result known = read_user(api, r, p->user, &own);
	json_t *me = me_json(api, r, p->user);
	if (other == READ_LATER || known == READ_LATER || !me) {
		json_decref(me);
	} else if (other == READ_FOUND) {
		json_decref(me);
		reply_error(api, r->call, 409, "%s", name_taken);
	} else if (*own.login) {
		json_decref(me);
		reply_error(api, r->call, 409, "account: you are logged in as %s; log out first",
			    own.login);
	} else if (!api->run->job_ended) {
		json_decref(me);
		password_submit(api, r, p);
		return;
	} else {
		add_account(api, r, p, me);
	}
	password_free(p);
}

/*
 * The visitor is another user from now on: the response sets the cookie. login: the device is known
 * from now on, too.
 */
static void reply_as(struct api *api, uint64_t call, const char *user, bool login)
{
	char cookie[SECRETS_COOKIE + DEVICE_COOKIE] = "";
	const struct outgoing out = { .call = call, .status = 200, .end = true, .cookie = cookie };
	secrets_cookie(&api->secrets, user, cookie);
	if (login) {
		strcat(cookie, " ");
		device_cookie(&api->secrets, user, cookie + strlen(cookie));
	}
	reply_json(api, &out, me_json(api, user));
}

/* Without a stored hash the login is wrong, whatever the worker found. */
static void login_checked(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	call_free(api, call);
	if (*p->hash && text) {
		login_was_right(api, p->login, p->user, p->known);
		reply_as(api, number, p->user, true);
	} else {
		reply_error(api, number, 401, "login: wrong name or password");
	}
}

/* An unknown name takes as long as a wrong password, so that timing does not reveal names. */
void post_login(struct api *api, const struct api_request *r)
{
	struct password *p = password_of_body(api, r);
	struct store_user row;
	if (!p)
		return;
	if (store_user_by_login(api->store, p->login, &row, NULL) == QV_OK) {
		snprintf(p->hash, sizeof p->hash, "%s", row.password_hash);
		snprintf(p->user, sizeof p->user, "%s", row.id);
		p->known = login_is_known(r, row.id);
	}
	if (login_may_try(api, r, p->login, *p->hash ? p->user : ""))
		password_submit(api, r, p, login_checked);
	else
		password_free(p);
}

/* POST /api/v1/logout: the visitor becomes a new guest. The account stays. */
void post_logout(struct api *api, const struct api_request *r)
{
	char user[SECRETS_ID], name[STORE_NAME];
	if (!acts_as_user(api, r) || !body_keys(api, r, ""))
		return;
	secrets_user_id(user);
	reply_as(api, r->call, user, false);
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
