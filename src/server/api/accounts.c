/*
 * accounts.c - routes about people: your user, your name, accounts, login.
 * SPDX-License-Identifier: MIT
 *
 * Every visitor is a user from the first request on, identified by a signed cookie. An account
 * gives that user a name and a password to log in with from elsewhere. Passwords are hashed and
 * checked by workers, because that takes some tenths of a second; then the request runs again.
 */
#include <sodium.h>
#include <stdlib.h>

#include "base/plain.h"
#include "server/api/inside.h"
#include "server/api/login_limits.h"
#include "server/api/names.h"

/* ---- Responses that wait for the disk ---- */

struct stored_reply {
	struct api *api;
	struct outgoing out;
	char *text;
	bool renamed;		       /* other servers have to know */
	const struct refusal *refusal; /* if the database refuses it; NULL: it cannot */
	bool credentials;	       /* some may have ended */
	struct mail *mail;	       /* sent when it is stored; NULL: none */
	char cookie[COOKIES_ROOM];
};

/* What was changed is on disk, and what it ended has ended. */
static void send_stored(void *ctx)
{
	struct stored_reply *wait = ctx;
	struct api *api = wait->api;
	struct call *call = call_find(api, wait->out.call);
	if (call) { /* the client has not left meanwhile */
		call_free(api, call);
		reply_text(api, &wait->out, wait->text);
	}
	free(wait->text);
	free(wait);
}

/* Called by the store. */
static void on_stored(void *ctx, bool ok)
{
	struct stored_reply *wait = ctx;
	struct api *api = wait->api;
	if (wait->mail)
		mail_send(wait->mail, ok);
	if (ok && wait->renamed)
		cluster_forget(api, true);
	if (ok && wait->credentials && !api->closing) {
		revocations_read(api, send_stored, wait);
		return;
	}
	if (ok) {
		send_stored(wait);
		return;
	}
	users_forget(api);
	struct call *call = call_find(api, wait->out.call);
	if (call) {
		call_free(api, call);
		if (wait->refusal && !store_unit_failed(api->store))
			reply_error(api, wait->out.call, wait->refusal->status, "%s",
				    wait->refusal->text);
		else
			reply_not_stored(api, wait->out.call);
	}
	free(wait->text);
	free(wait);
}

static void reply_later(struct api *api, const struct stored_reply *reply, json_t *json)
{
	const uint64_t call = reply->out.call;
	struct stored_reply *wait = calloc(1, sizeof *wait);
	char *text = json_to_text(json, RESPONSE_JSON);
	if (!wait || !text) {
		store_end_unit(api->store, NULL, NULL);
		reply_no_memory(api, call);
	} else if (call_new(api, call, "", CALL_STORE)) {
		*wait = *reply;
		wait->api = api;
		wait->out.end = true;
		wait->out.cookie = *wait->cookie ? wait->cookie : NULL;
		wait->text = text;
		if (!wait->mail)
			wait->mail = api->notice;
		api->notice = NULL;
		wait->renamed = api->renamed;
		api->renamed = false;
		if (store_end_unit(api->store, on_stored, wait) == QV_OK)
			return;
		users_forget(api);
		call_free(api, call_find(api, call));
		reply_error(api, call, 503, "store: the server is busy; try again soon");
	}
	if (wait && wait->mail)
		mail_send(wait->mail, false);
	else if (reply->mail)
		mail_send(reply->mail, false);
	if (api->notice)
		mail_send(api->notice, false);
	api->notice = NULL;
	free(wait);
	free(text);
}

void reply_when_stored(struct api *api, uint64_t call, int status, json_t *json)
{
	reply_unless_refused(api, call, status, json, NULL);
}

void reply_unless_refused(struct api *api, uint64_t call, int status, json_t *json,
			  const struct refusal *refusal)
{
	const struct stored_reply reply = { .out = { .call = call, .status = status },
					    .refusal = refusal };
	reply_later(api, &reply, json);
}

void reply_with_mail(struct api *api, uint64_t call, int status, json_t *json, struct mail *mail,
		     const struct refusal *refusal)
{
	const struct stored_reply reply = { .out = { .call = call, .status = status },
					    .refusal = refusal,
					    .mail = mail };
	if (mail) {
		reply_later(api, &reply, json);
		return;
	}
	json_decref(json);
	store_end_unit(api->store, NULL, NULL);
	reply_no_memory(api, call);
}

void reply_when_changed(struct api *api, uint64_t call, int status, json_t *json,
			const char *cookie, const struct refusal *refusal)
{
	struct stored_reply reply = { .out = { .call = call, .status = status },
				      .refusal = refusal,
				      .credentials = true };
	if (cookie)
		snprintf(reply.cookie, sizeof reply.cookie, "%s", cookie);
	reply_later(api, &reply, json);
}

/* ---- Names ---- */

/* Whether the user may have this name. False: READ_LATER, or an error was sent. */
static bool may_be_called(struct api *api, const struct api_request *r, const char *user,
			  const char *name)
{
	char skeleton[NAME_SKELETON], own[STORE_NAME], own_skeleton[NAME_SKELETON];
	struct store_user row;
	if (name_is_blank(name)) {
		reply_error(api, r->call, 400, "name: it has no visible character");
		return false;
	}
	name_skeleton(name, skeleton);
	guest_name(user, own);
	name_skeleton(own, own_skeleton);
	if (name_is_official(skeleton) ||
	    (name_is_guest(skeleton) && strcmp(skeleton, own_skeleton) != 0)) {
		reply_error(api, r->call, 409, "name: this name is reserved; choose another one");
		return false;
	}
	const enum read_result found = read_skeleton(api, r, skeleton, &row);
	if (found == READ_FOUND && strcmp(row.id, user) != 0)
		reply_error(api, r->call, 409,
			    "name: somebody has an account with this name, or one that looks like "
			    "it; choose another one");
	return found == READ_NONE || (found == READ_FOUND && strcmp(row.id, user) == 0);
}

/* POST /api/v1/plays: the name, if it has one, and then the game. */
void post_named_play(struct api *api, const struct api_request *r)
{
	const char *name = json_string_value(json_object_get(r->body, "name"));
	if (!name || may_be_called(api, r, r->visitor->user, name))
		post_play(api, r);
}

/* POST /api/v1/plays/ID/actions: the same for whoever joins. */
void post_named_action(struct api *api, const struct api_request *r)
{
	const char *name = json_string_value(json_object_get(r->body, "name"));
	if (!name || may_be_called(api, r, r->visitor->user, name))
		post_action(api, r);
}

/* ---- Me ---- */

/* User of types.ts. Takes the plays; NULL: out of memory. */
static json_t *user_json(const struct api *api, const struct store_user *user, json_t *plays)
{
	return json_pack("{s:s, s:s, s:s?, s:s?, s:b, s:o}", "id", user->id, "name", user->name,
			 "account", *user->login ? user->login : NULL, "email",
			 *user->email ? user->email : NULL, "mail", api->setup.mail_command != NULL,
			 "plays", plays);
}

json_t *me_json(struct api *api, const struct api_request *r, const char *user)
{
	struct store_user row = { .login = "" };
	char name[STORE_NAME];
	const bool named = read_name(api, r, user, name);
	const enum read_result known = read_user(api, r, user, &row);
	json_t *plays = user_plays(api, r, user);
	if (named && known != READ_LATER && plays) {
		snprintf(row.id, sizeof row.id, "%s", user);
		snprintf(row.name, sizeof row.name, "%s", name);
		if (r->visitor->program) /* a token is for games */
			row.email[0] = '\0';
		return user_json(api, &row, plays);
	}
	json_decref(plays);
	return NULL;
}

json_t *new_guest_json(struct api *api, char cookie[SECRETS_COOKIE])
{
	struct store_user guest = { .login = "" };
	secrets_user_id(guest.id);
	guest_name(guest.id, guest.name);
	secrets_cookie(&api->secrets, guest.id, "", cookie);
	return user_json(api, &guest, json_array());
}

/* Seat tokens are for programs that play one game; they must not act for the user elsewhere. */
bool acts_as_user(struct api *api, const struct api_request *r)
{
	if (*r->visitor->play)
		reply_error(api, r->call, 403, "token: valid for one game only");
	return !*r->visitor->play;
}

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
	if (!may_be_called(api, r, r->visitor->user, name))
		return;
	json_t *me = me_json(api, r, r->visitor->user);
	if (!me)
		return;
	user_put(api, r->visitor->user, name);
	reply_when_stored(api, r->call, 200, json_field(me, "name", json_string(name)));
}

/* ---- Passwords ---- */

/* The password must not stay in freed memory. Compilers leave out a memset before free. */
static void password_free(void *arg)
{
	sodium_memzero(arg, sizeof(struct password));
	free(arg);
}

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

void password_submit(struct api *api, const struct api_request *r, const struct password *p)
{
	struct password *copy = malloc(sizeof *copy);
	const struct worker_job job = { .urgent = true,
					.most = QUEUE_CLIENT,
					.limit_ms = 10000,
					.expected_ms = 500,
					.run = password_run,
					.arg = copy,
					.release = password_free };
	if (!copy) {
		reply_no_memory(api, r->call);
		return;
	}
	*copy = *p;
	call_submit(api, call_park(api, r, CALL_JOB), call_resume_with, "password",
		    r->visitor->address, &job);
}

bool password_is_right(struct api *api, const struct api_request *r, const struct password *p,
		       const char *login, const char *user, bool exists, const char *wrong)
{
	if (!api->run->job_ended) {
		if (login_may_try(api, r, login, user))
			password_submit(api, r, p);
		return false;
	}
	const bool right = exists && api->run->job_text;
	if (right)
		login_was_right(api, login, user, login_is_known(r, user));
	else
		reply_error(api, r->call, 401, "%s", wrong);
	if (!right)
		audit_wrong_password(api, r);
	return right;
}

bool password_read(struct api *api, const struct api_request *r, const char *key, bool is_new,
		   char out[PASSWORD_ROOM])
{
	const char *text;
	if (!body_text(api, r, key, &text))
		return false;
	const bool shaped = text && *text && strlen(text) < PASSWORD_ROOM;
	const char *fault = shaped && is_new ? secrets_password_fault(text) : NULL;
	if (!shaped)
		reply_error(api, r->call, 400, "%s: a password is expected", key);
	else if (fault)
		reply_error(api, r->call, 400, "%s", fault);
	else
		snprintf(out, PASSWORD_ROOM, "%s", text);
	return shaped && !fault;
}

/* Any text of that length without control characters. */
bool label_read(struct api *api, const struct api_request *r, char out[STORE_LABEL])
{
	const char *label;
	if (!body_text(api, r, "label", &label))
		return false;
	const bool good =
		!label || (strlen(label) < STORE_LABEL && text_count_plain(label, "") >= 0);
	if (!good)
		reply_error(api, r->call, 400, "label: at most %d printable bytes",
			    STORE_LABEL - 1);
	snprintf(out, STORE_LABEL, "%s", good && label ? label : "");
	return good;
}

/* What the body of a login has. */
struct login {
	char name[STORE_NAME], label[STORE_LABEL], text[PASSWORD_ROOM];
};

/* False: an error was sent. */
static bool login_read(struct api *api, const struct api_request *r, const char *what,
		       struct login *out)
{
	const char *name;
	if (!acts_as_user(api, r) || !may_set_cookie(api, r, what) ||
	    !body_keys(api, r, "name password label") || !body_text(api, r, "name", &name) ||
	    !label_read(api, r, out->label))
		return false;
	const char *fault = name ? secrets_login_fault(name) : "name: missing";
	if (fault) {
		reply_error(api, r->call, 400, "%s", fault);
		return false;
	}
	snprintf(out->name, sizeof out->name, "%s", name);
	return password_read(api, r, "password", true, out->text);
}

/* ---- Accounts and login ---- */

static const struct refusal name_taken = {
	409, "name: this name is already taken; choose another one"
};
/* What the store cannot tell apart. */
static const struct refusal name_or_session = {
	409, "name: this name is already taken, or you were logged out; try again"
};
static const struct refusal wrong_login = { 401, "login: wrong name or password" };

/* The device is known from now on, too. */
void session_begin(struct api *api, const struct api_request *r, const char *user,
		   const char *label, char id[STORE_ID], char cookies[COOKIES_ROOM])
{
	const int64_t now = api_seconds(api);
	const struct visitor *who = r->visitor;
	struct store_session session = { .created = now, .seen = now / 86400 * 86400 };
	secrets_user_id(session.id);
	memcpy(id, session.id, STORE_ID);
	snprintf(session.user, sizeof session.user, "%s", user);
	snprintf(session.label, sizeof session.label, "%s", label);
	if (*who->issuer && !who->program)
		store_end_session(api->store, who->user, who->issuer, now);
	store_put_session(api->store, &session);
	secrets_cookie(&api->secrets, user, session.id, cookies);
	strcat(cookies, " ");
	device_cookie(&api->secrets, user, cookies + strlen(cookies));
}

/* Gives the user the login, with the password that the worker has hashed. Takes `me`. */
static void add_account(struct api *api, const struct api_request *r, const struct login *login,
			json_t *me)
{
	const char *hash = api->run->job_text, *user = r->visitor->user;
	char cookie[COOKIES_ROOM], session[STORE_ID], skeleton[NAME_SKELETON];
	if (!hash) {
		json_decref(me);
		reply_no_memory(api, r->call);
		return;
	}
	name_skeleton(login->name, skeleton);
	user_put(api, user, login->name);
	store_if_issuer(api->store, user, r->visitor->issuer);
	store_put_account(api->store, user, login->name, skeleton, hash);
	/* The guest's cookie ends: from now on the account needs a login. */
	session_begin(api, r, user, login->label, session, cookie);
	store_end_cookies(api->store, user, session, api_seconds(api));
	audit(api, r, user, "account");
	me = json_field(me, "name", json_string(login->name));
	reply_when_changed(api, r->call, 201, json_field(me, "account", json_string(login->name)),
			   cookie, &name_or_session);
}

/* POST /api/v1/accounts: gives the visitor's user a login. */
void post_account(struct api *api, const struct api_request *r)
{
	struct login login;
	struct store_user taken, own = { .login = "" };
	if (!api_limit(api, r, "accounts", 5, 5) || !login_read(api, r, "account", &login))
		return;
	const enum read_result other = read_login(api, r, login.name, &taken);
	const enum read_result known = read_user(api, r, r->visitor->user, &own);
	if (other == READ_LATER || known == READ_LATER)
		return;
	if (*own.login) {
		reply_error(api, r->call, 409, "account: you are logged in as %s; log out first",
			    own.login);
		return;
	}
	if (other == READ_FOUND) {
		reply_error(api, r->call, name_taken.status, "%s", name_taken.text);
		return;
	}
	if (!may_be_called(api, r, r->visitor->user, login.name))
		return;
	if (!api->run->job_ended) {
		struct password p = { .text = "" };
		memcpy(p.next, login.text, sizeof p.next);
		password_submit(api, r, &p);
		return;
	}
	json_t *me = me_json(api, r, r->visitor->user);
	if (me)
		add_account(api, r, &login, me);
}

/*
 * An unknown name takes as long as a wrong password, so that timing does not reveal names. If the
 * password changes or the account is deleted after the worker has compared, nobody gets in.
 */
void post_login(struct api *api, const struct api_request *r)
{
	struct login login;
	struct store_user row = { .id = "" };
	struct password p = { .text = "" };
	char cookies[COOKIES_ROOM], session[STORE_ID];
	if (!login_read(api, r, "login", &login))
		return;
	const enum read_result found = read_login(api, r, login.name, &row);
	if (found == READ_LATER)
		return;
	memcpy(found == READ_FOUND ? p.text : p.next, login.text, PASSWORD_ROOM);
	snprintf(p.hash, sizeof p.hash, "%s", row.password_hash);
	if (!password_is_right(api, r, &p, login.name, row.id, found == READ_FOUND,
			       wrong_login.text))
		return;
	json_t *me = me_json(api, r, row.id);
	if (!me)
		return;
	store_if_password(api->store, row.id, row.password_hash);
	session_begin(api, r, row.id, login.label, session, cookies);
	audit(api, r, row.id, "login");
	reply_when_changed(api, r->call, 200, me, cookies, &wrong_login);
}
