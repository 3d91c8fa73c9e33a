/*
 * accounts.c - routes about people: your user, your name, accounts, login.
 * SPDX-License-Identifier: MIT
 *
 * Every visitor is a user from the first request on, identified by a signed cookie. An account
 * gives that user a name and a password to log in with from elsewhere. Passwords are hashed and
 * checked by workers, because that takes some tenths of a second.
 */
#include <stdlib.h>

#include "server/api/inside.h"
#include "server/api/names.h"

/* ---- Responses that wait for the disk ---- */

struct stored_reply {
	struct api *api;
	struct outgoing out;
	char *text;
	bool credentials; /* some may have ended */
	char cookie[SECRETS_COOKIE];
};

/* Called by the store. The client may have left meanwhile: then the call is gone. */
static void on_stored(void *ctx, bool ok)
{
	struct stored_reply *wait = ctx;
	struct api *api = wait->api;
	struct call *call = call_find(api, wait->out.call);
	if (!ok)
		users_forget(api);
	else if (wait->credentials)
		revocations_read(api); /* which may free calls, but not this one */
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

static void reply_later(struct api *api, uint64_t call, int status, json_t *json, bool credentials,
			const char *cookie)
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
		*wait = (struct stored_reply){
			api, { .call = call, .status = status, .end = true }, text, credentials, ""
		};
		snprintf(wait->cookie, sizeof wait->cookie, "%s", cookie ? cookie : "");
		wait->out.cookie = cookie ? wait->cookie : NULL;
		if (store_end_unit(api->store, on_stored, wait) == QV_OK)
			return;
		users_forget(api);
		call_free(api, call_find(api, call));
		reply_error(api, call, 503, "store: the server is busy; try again soon");
	}
	free(wait);
	free(text);
}

void reply_when_stored(struct api *api, uint64_t call, int status, json_t *json)
{
	reply_later(api, call, status, json, false, NULL);
}

void reply_when_changed(struct api *api, uint64_t call, int status, json_t *json,
			const char *cookie)
{
	reply_later(api, call, status, json, true, cookie);
}

/* ---- Names ---- */

/* Why the user may not have this name; NULL: it is fine. */
static const char *name_fault(struct api *api, const char *user, const char *name)
{
	char skeleton[NAME_SKELETON], own[STORE_NAME], own_skeleton[NAME_SKELETON];
	struct store_user row;
	name_skeleton(name, skeleton);
	guest_name(user, own);
	name_skeleton(own, own_skeleton);
	if (name_is_official(skeleton) ||
	    (name_is_guest(skeleton) && strcmp(skeleton, own_skeleton) != 0))
		return "name: this name is reserved; choose another one";
	if (store_user_by_skeleton(api->store, skeleton, &row, NULL) == QV_OK &&
	    strcmp(row.id, user) != 0)
		return "name: somebody has an account with this name, or one that looks like it; "
		       "choose another one";
	return NULL;
}

/* Checks the name that others will see. False: an error was sent. */
static bool may_be_called(struct api *api, const struct api_request *r, const char *name)
{
	const char *fault = name_fault(api, r->visitor->user, name);
	if (fault)
		reply_error(api, r->call, 409, "%s", fault);
	return !fault;
}

/* POST /api/v1/plays: the name, if it has one, and then the game. */
void post_named_play(struct api *api, const struct api_request *r)
{
	const char *name = json_string_value(json_object_get(r->body, "name"));
	if (!name || may_be_called(api, r, name))
		post_play(api, r);
}

/* POST /api/v1/plays/ID/actions: the same for whoever joins. */
void post_named_action(struct api *api, const struct api_request *r)
{
	const char *name = json_string_value(json_object_get(r->body, "name"));
	if (!name || may_be_called(api, r, name))
		post_action(api, r);
}

/* Adds which of the seats are of people with an account. Takes the JSON. */
json_t *seats_add_accounts(struct api *api, const struct hosted_game *play, json_t *json)
{
	json_t *seats = json_object_get(json, "seats");
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		if (seat->kind == SEAT_PERSON && user_has_account(api, seat->user))
			json_object_set_new(json_array_get(seats, (size_t)s), "account",
					    json_true());
	}
	return json;
}

/* ---- Me ---- */

/* The user with the games in progress: User of types.ts. */
json_t *me_json(struct api *api, const char *user)
{
	struct store_user row = { .login = "" };
	char name[STORE_NAME];
	user_name(api, user, name);
	store_user_by_id(api->store, user, &row, NULL);
	return json_pack("{s:s, s:s, s:s?, s:s?, s:b, s:o}", "id", user, "name", name, "account",
			 *row.login ? row.login : NULL, "email", *row.email ? row.email : NULL,
			 "mail", api->setup.mail_command != NULL, "plays", user_plays(api, user));
}

/* Seat tokens are for programs that play one game; they must not act for the user elsewhere. */
bool acts_as_user(struct api *api, const struct api_request *r)
{
	if (*r->visitor->play)
		reply_error(api, r->call, 403, "token: valid for one game only");
	return !*r->visitor->play;
}

/* A socket cannot set a cookie. False: an error was sent. */
bool may_set_cookie(struct api *api, const struct api_request *r, const char *what)
{
	if (r->no_cookie)
		reply_error(api, r->call, 409,
			    "%s: not over a WebSocket, which cannot change the cookie; use HTTP",
			    what);
	return !r->no_cookie;
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
	if (!may_be_called(api, r, name))
		return;
	user_put(api, r->visitor->user, name);
	reply_when_stored(api, r->call, 200, me_json(api, r->visitor->user));
}

/* ---- Passwords ---- */

/* Wipes it: the password must not stay in freed memory. */
void password_free(void *arg)
{
	memset(arg, 0, sizeof(struct password));
	free(arg);
}

/* The result is the new hash, or "+" if none is wanted; NULL: the password is wrong. */
static void password_run(struct worker_task *task, void *arg)
{
	const struct password *p = arg;
	char made[SECRETS_PASSWORD] = "";
	if (*p->text && !secrets_check_password(p->text, p->hash))
		return;
	if (!*p->next)
		worker_task_result(task, strdup("+"));
	else if (secrets_hash_password(p->next, made))
		worker_task_result(task, strdup(made));
}

void password_submit(struct api *api, const struct api_request *r, struct password *p,
		     call_done_fn *done)
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

struct password *password_new(struct api *api, const struct api_request *r)
{
	struct password *p = calloc(1, sizeof *p);
	if (!p) {
		reply_no_memory(api, r->call);
		return NULL;
	}
	p->visitor = *r->visitor;
	snprintf(p->user, sizeof p->user, "%s", r->visitor->user);
	return p;
}

/* Any text of that length without control characters. */
bool label_read(struct api *api, const struct api_request *r, char out[STORE_LABEL])
{
	const char *label;
	if (!body_text(api, r, "label", &label))
		return false;
	bool good = !label || strlen(label) < STORE_LABEL;
	for (const char *c = label; good && c && *c; c++)
		good = (unsigned char)*c >= ' ' && *c != 0x7f;
	if (!good)
		reply_error(api, r->call, 400, "label: at most %d printable bytes",
			    STORE_LABEL - 1);
	snprintf(out, STORE_LABEL, "%s", good && label ? label : "");
	return good;
}

/* Name and password from the body, for password_submit. NULL: an error was sent. */
static struct password *read_login(struct api *api, const struct api_request *r, const char *what)
{
	const char *name, *password;
	char label[STORE_LABEL];
	if (!acts_as_user(api, r) || !may_set_cookie(api, r, what) ||
	    !api_limit(api, r, "login", 5, 5) || !body_keys(api, r, "name password label") ||
	    !body_text(api, r, "name", &name) || !body_text(api, r, "password", &password) ||
	    !label_read(api, r, label))
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
	struct password *p = password_new(api, r);
	if (!p)
		return NULL;
	snprintf(p->login, sizeof p->login, "%s", name);
	snprintf(p->text, sizeof p->text, "%s", password);
	snprintf(p->label, sizeof p->label, "%s", label);
	return p;
}

/* ---- Login ---- */

/* Queues a new session; the visitor's old one ends. */
void session_begin(struct api *api, const struct password *p, char cookie[SECRETS_COOKIE])
{
	const int64_t now = api_seconds(api);
	struct store_session session = { .created = now, .seen = now / 86400 * 86400 };
	const struct visitor *before = &p->visitor;
	secrets_user_id(session.id);
	snprintf(session.user, sizeof session.user, "%s", p->user);
	snprintf(session.label, sizeof session.label, "%s", p->label);
	if (*before->issuer && !before->program)
		store_end_session(api->store, before->user, before->issuer, now);
	store_put_session(api->store, &session);
	secrets_cookie(&api->secrets, p->user, session.id, cookie);
}

/* Why nobody can register with this name; NULL: it is free. */
static const char *login_fault(struct api *api, const char *user, const char *login)
{
	const char *fault = name_fault(api, user, login);
	struct store_user row;
	if (!fault && store_user_by_login(api->store, login, &row, NULL) == QV_OK)
		fault = "name: this name is already taken; choose another one";
	return fault;
}

/* The name may have been taken while the worker hashed the password, so it is checked again. */
static void account_hashed(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	char cookie[SECRETS_COOKIE], skeleton[NAME_SKELETON];
	call_free(api, call);
	if (!text) {
		reply_no_memory(api, number);
		return;
	}
	const char *fault = login_fault(api, p->user, p->login);
	if (fault) {
		reply_error(api, number, 409, "%s", fault);
		return;
	}
	name_skeleton(p->login, skeleton);
	user_put(api, p->user, p->login);
	store_put_account(api->store, p->user, p->login, skeleton, text);
	/* The guest's cookie ends: from now on the account needs a login. */
	store_end_cookies(api->store, p->user, "", api_seconds(api));
	session_begin(api, p, cookie);
	json_t *me = me_json(api, p->user);
	json_object_set_new(me, "account", json_string(p->login));
	reply_when_changed(api, number, 201, me, cookie);
}

/* POST /api/v1/accounts: gives the visitor's user a login. */
void post_account(struct api *api, const struct api_request *r)
{
	struct password *p = read_login(api, r, "account");
	struct store_user row;
	if (!p)
		return;
	const char *fault = login_fault(api, p->user, p->login);
	if (store_user_by_id(api->store, p->user, &row, NULL) == QV_OK && *row.login) {
		reply_error(api, r->call, 409, "account: you are logged in as %s; log out first",
			    row.login);
	} else if (fault) {
		reply_error(api, r->call, 409, "%s", fault);
	} else {
		memcpy(p->next, p->text, sizeof p->next); /* to be hashed */
		p->text[0] = '\0';
		password_submit(api, r, p, account_hashed);
		return;
	} else {
		add_account(api, r, p, me);
	}
	password_free(p);
}

/* Without a stored hash the login is wrong, whatever the worker found. */
static void login_checked(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	char cookie[SECRETS_COOKIE];
	call_free(api, call);
	if (!*p->hash || !text) {
		reply_error(api, number, 401, "login: wrong name or password");
		return;
	}
	session_begin(api, p, cookie);
	reply_when_changed(api, number, 200, me_json(api, p->user), cookie);
}

/* An unknown name takes as long as a wrong password, so that timing does not reveal names. */
void post_login(struct api *api, const struct api_request *r)
{
	struct password *p = read_login(api, r, "login");
	struct store_user row;
	if (!p)
		return;
	if (store_user_by_login(api->store, p->login, &row, NULL) == QV_OK) {
		snprintf(p->hash, sizeof p->hash, "%s", row.password_hash);
		snprintf(p->user, sizeof p->user, "%s", row.id);
	} else { /* hashes instead of checking */
		memcpy(p->next, p->text, sizeof p->next);
		p->text[0] = '\0';
	}
	if (login_may_try(api, r, p->login, *p->hash ? p->user : ""))
		password_submit(api, r, p, login_checked);
	else
		password_free(p);
}
