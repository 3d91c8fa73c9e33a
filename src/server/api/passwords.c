/*
 * passwords.c - routes about passwords: change, reset by a code, and the e-mail address for it.
 * SPDX-License-Identifier: MIT
 *
 * A new password ends all other sessions of the account. Its tokens live on unless the user says
 * otherwise, and who has some must say. A code comes by mail, if the server can send mail, or from
 * the operator (quevedo server users reset). It is valid once and for a day.
 */
#include "server/api/inside.h"
#include "server/api/limits.h"

enum { CODE_S = 86400, MAIL_TEXT = 1024 };

/* ---- Fields ---- */

/* The account of the visitor. False: an error was sent. */
static bool own_account(struct api *api, const struct api_request *r, struct store_user *out)
{
	if (!acts_as_user(api, r))
		return false;
	if (store_user_by_id(api->store, r->visitor->user, out, NULL) == QV_OK && *out->login)
		return true;
	reply_error(api, r->call, 409, "account: you have none; log in first");
	return false;
}

/* A password of the body. False: an error was sent. */
static bool read_password(struct api *api, const struct api_request *r, const char *key,
			  bool is_new, char out[136])
{
	const char *text;
	if (!body_text(api, r, key, &text))
		return false;
	const char *fault = text && is_new ? secrets_password_fault(text) : NULL;
	if (!text || !*text || strlen(text) >= 136)
		reply_error(api, r->call, 400, "%s: a password is expected", key);
	else if (fault)
		reply_error(api, r->call, 400, "%s", fault);
	else
		snprintf(out, 136, "%s", text);
	return text && *text && strlen(text) < 136 && !fault;
}

/* "keep" or "revoke"; if it is missing: required by who has tokens. False: an error was sent. */
static bool read_tokens(struct api *api, const struct api_request *r, const char *user, bool *drop)
{
	const char *text;
	if (!body_text(api, r, "tokens", &text))
		return false;
	*drop = text && strcmp(text, "revoke") == 0;
	if (*drop || (text && strcmp(text, "keep") == 0) || (!text && !user_token_count(api, user)))
		return true;
	reply_error(api, r->call, 400,
		    "tokens: you have tokens; say whether to \"keep\" or to \"revoke\" them");
	return false;
}

/* ---- Change ---- */

/* Queues the new password, and the end of what the old one allowed. kept: a session, or "". */
static void set_password(struct api *api, const struct password *p, const char *hash,
			 const char *kept)
{
	const int64_t now = api_seconds(api);
	store_set_password(api->store, p->user, hash);
	store_drop_codes(api->store, p->user, "reset");
	store_end_cookies(api->store, p->user, kept, now);
	if (p->drop_tokens)
		store_drop_tokens(api->store, p->user, now);
}

/* The visitor's session continues; one with an older cookie gets a session. */
static void password_changed(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const struct visitor *who = &p->visitor;
	const uint64_t number = call->number;
	char cookie[SECRETS_COOKIE];
	call_free(api, call);
	if (!text) {
		reply_error(api, number, 401, "old: wrong password");
		return;
	}
	set_password(api, p, text, who->program ? "" : who->issuer);
	const bool begins = !*who->issuer;
	if (begins)
		session_begin(api, p, cookie);
	reply_when_changed(api, number, 200, me_json(api, p->user), begins ? cookie : NULL);
}

/* POST /api/v1/password */
void post_password(struct api *api, const struct api_request *r)
{
	struct store_user row;
	if (!may_set_cookie(api, r, "password") || !api_limit(api, r, "login", 5, 5) ||
	    !body_keys(api, r, "old new tokens") || !own_account(api, r, &row))
		return;
	struct password *p = password_new(api, r);
	if (!p)
		return;
	snprintf(p->hash, sizeof p->hash, "%s", row.password_hash);
	if (read_password(api, r, "old", false, p->text) &&
	    read_password(api, r, "new", true, p->next) &&
	    read_tokens(api, r, p->user, &p->drop_tokens))
		password_submit(api, r, p, password_changed);
	else
		password_free(p);
}

/* ---- Codes ---- */

/* The code of a body, if it is valid. False: an error was sent. */
static bool read_code(struct api *api, const struct api_request *r, const char *purpose,
		      struct store_code *out)
{
	const char *text;
	uint8_t hash[SECRETS_HASH];
	if (!body_text(api, r, "code", &text))
		return false;
	if (text && secrets_code_hash(text, hash) &&
	    store_find_code(api->store, hash, out, NULL) == QV_OK &&
	    strcmp(out->purpose, purpose) == 0 && out->expires > api_seconds(api))
		return true;
	reply_error(api, r->call, 403, "code: it is wrong, was used or has expired");
	return false;
}

/* Queues a new code, which replaces older ones for the same. */
static void new_code(struct api *api, const char *user, const char *purpose, const char *email,
		     char text[SECRETS_CODE])
{
	struct store_code code = { .expires = api_seconds(api) + CODE_S };
	snprintf(code.user, sizeof code.user, "%s", user);
	snprintf(code.purpose, sizeof code.purpose, "%s", purpose);
	snprintf(code.email, sizeof code.email, "%s", email);
	secrets_code(text, code.hash);
	store_drop_codes(api->store, user, purpose);
	store_put_code(api->store, &code);
}

/* Mails a code. what: the name of the parameter of the page's address. */
static void mail_code(struct api *api, const struct store_user *user, const char *address,
		      const char *subject, const char *what, const char *code)
{
	char text[MAIL_TEXT];
	const char *site = api->setup.site;
	snprintf(text, sizeof text,
		 "Somebody, most likely you, asked for this on a Quevedo server where your "
		 "account is %s.\n\n%s%s%s%s%s%s\n\nThe code is: %s\nIt is valid for one day, and "
		 "once. If you did not ask for it, ignore this mail.\n",
		 user->login, site ? "Open " : "Open the account page of the server, and enter ",
		 site ? site : "the code", site ? "/account?" : "", site ? what : "",
		 site ? "=" : "", site ? code : ".", code);
	mail_when_stored(api, address, subject, text);
}

/* One account gets a mail in twenty minutes, and three at once. */
static bool may_mail(struct api *api, const char *user)
{
	char name[LIMIT_NAME];
	snprintf(name, sizeof name, "mail %s", user);
	return limits_take(api->limits, name, 0.05, 3, api_now(api));
}

/* False: an error was sent. */
static bool can_mail(struct api *api, const struct api_request *r)
{
	if (!api->setup.mail_command)
		reply_error(api, r->call, 409,
			    "mail: this server sends no mail; ask its operator for a code");
	return api->setup.mail_command;
}

/*
 * POST /api/v1/password/forgotten: mails a code. The response does not depend on whether there is
 * such an account, with an address; and it does not wait for either.
 */
void post_forgotten(struct api *api, const struct api_request *r)
{
	const char *name;
	char code[SECRETS_CODE];
	struct store_user row;
	if (!acts_as_user(api, r) || !api_limit(api, r, "login", 5, 5) ||
	    !body_keys(api, r, "name") || !body_text(api, r, "name", &name) || !can_mail(api, r))
		return;
	if (!name || secrets_login_fault(name)) {
		reply_error(api, r->call, 400, "name: the name of an account is expected");
		return;
	}
	if (store_user_by_login(api->store, name, &row, NULL) == QV_OK && *row.email &&
	    may_mail(api, row.id)) {
		new_code(api, row.id, "reset", "", code);
		mail_code(api, &row, row.email, "Your password", "reset", code);
	}
	reply(api, r->call, 200, json_object());
}

/* The code may have been used while the worker hashed the password: then it is gone. */
static void password_reset(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	struct store_code code;
	char cookie[SECRETS_COOKIE];
	const bool valid = store_find_code(api->store, p->code, &code, NULL) == QV_OK;
	call_free(api, call);
	if (!text) {
		reply_no_memory(api, number);
	} else if (!valid) {
		reply_error(api, number, 403, "code: it is wrong, was used or has expired");
	} else {
		set_password(api, p, text, "");
		session_begin(api, p, cookie);
		reply_when_changed(api, number, 200, me_json(api, p->user), cookie);
	}
}

/* POST /api/v1/password/reset: sets a new password, and logs in. */
void post_reset(struct api *api, const struct api_request *r)
{
	struct store_code code;
	struct password *p = NULL;
	if (acts_as_user(api, r) && may_set_cookie(api, r, "password") &&
	    api_limit(api, r, "login", 5, 5) && body_keys(api, r, "code new tokens label") &&
	    read_code(api, r, "reset", &code))
		p = password_new(api, r);
	if (!p)
		return;
	snprintf(p->user, sizeof p->user, "%s", code.user);
	memcpy(p->code, code.hash, sizeof p->code);
	if (label_read(api, r, p->label) && read_password(api, r, "new", true, p->next) &&
	    read_tokens(api, r, p->user, &p->drop_tokens))
		password_submit(api, r, p, password_reset);
	else
		password_free(p);
}

/* ---- The e-mail address ---- */

/* A new address is used when its owner has confirmed it. */
static void email_checked(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	struct store_user row;
	char code[SECRETS_CODE];
	call_free(api, call);
	if (!text || store_user_by_id(api->store, p->user, &row, NULL) != QV_OK) {
		reply_error(api, number, 401, "password: wrong password");
	} else if (!*p->email) {
		store_set_email(api->store, p->user, "");
		store_drop_codes(api->store, p->user, "");
		reply_when_stored(api, number, 200, json_pack("{s:n, s:b}", "email", "sent", 0));
	} else if (!may_mail(api, p->user)) {
		reply_error(api, number, 429, "mail: too many; wait an hour");
	} else {
		new_code(api, p->user, "email", p->email, code);
		mail_code(api, &row, p->email, "Confirm your address", "confirm", code);
		reply(api, number, 200,
		      json_pack("{s:s?, s:b}", "email", *row.email ? row.email : NULL, "sent", 1));
	}
}

/* POST /api/v1/account/email: for mails about a forgotten password; "" removes it. */
void post_email(struct api *api, const struct api_request *r)
{
	struct store_user row;
	const char *email;
	if (!api_limit(api, r, "login", 5, 5) || !body_keys(api, r, "password email") ||
	    !body_text(api, r, "email", &email) || !own_account(api, r, &row))
		return;
	const char *fault = !email ? "email: missing" : *email ? secrets_email_fault(email) : NULL;
	if (fault) {
		reply_error(api, r->call, 400, "%s", fault);
		return;
	}
	struct password *p = !*email || can_mail(api, r) ? password_new(api, r) : NULL;
	if (!p)
		return;
	snprintf(p->hash, sizeof p->hash, "%s", row.password_hash);
	snprintf(p->email, sizeof p->email, "%s", email);
	if (read_password(api, r, "password", false, p->text))
		password_submit(api, r, p, email_checked);
	else
		password_free(p);
}

/* POST /api/v1/account/email/confirm, by the user to whom the code belongs. */
void post_email_confirm(struct api *api, const struct api_request *r)
{
	struct store_code code;
	if (!acts_as_user(api, r) || !api_limit(api, r, "login", 5, 5) ||
	    !body_keys(api, r, "code") || !read_code(api, r, "email", &code))
		return;
	if (strcmp(code.user, r->visitor->user) != 0) {
		reply_error(api, r->call, 403, "code: it is for another account; log in first");
		return;
	}
	store_set_email(api->store, code.user, code.email);
	store_drop_codes(api->store, code.user, "email");
	reply_when_stored(api, r->call, 200,
			  json_pack("{s:s, s:b}", "email", code.email, "sent", 0));
}
