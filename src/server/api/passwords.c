/*
 * passwords.c - routes about passwords: change, reset by a code, and the e-mail address for it.
 * SPDX-License-Identifier: MIT
 *
 * A new password ends all sessions of the account. Its tokens live on unless the user says
 * otherwise, and who has some must say. A code comes by mail, if the server can send mail, or from
 * the operator (quevedo server users reset). It is valid once and for a day.
 */
#include "base/scan.h"
#include "server/api/inside.h"
#include "server/api/limits.h"
#include "server/store/privacy.h"

enum { CODE_S = STORE_CODE_DAYS * 86400, MAIL_TEXT = 1024 };

/* ---- Fields ---- */

/* The account of the visitor. False: READ_LATER, or an error was sent. */
static bool own_account(struct api *api, const struct api_request *r, struct store_user *out)
{
	if (!acts_as_user(api, r))
		return false;
	const enum read_result found = read_user(api, r, r->visitor->user, out);
	if (found == READ_NONE || (found == READ_FOUND && !*out->login))
		reply_error(api, r->call, 409, "account: you have none; log in first");
	return found == READ_FOUND && *out->login;
}

/* "keep" or "revoke"; who has tokens must say. False: READ_LATER, or an error was sent. */
static bool read_tokens(struct api *api, const struct api_request *r, const char *user, bool *drop)
{
	const char *text;
	int count;
	if (!body_text(api, r, "tokens", &text) || !read_token_count(api, r, user, &count))
		return false;
	*drop = text && strcmp(text, "revoke") == 0;
	const bool good = *drop || (text ? strcmp(text, "keep") == 0 : count == 0);
	if (!good)
		reply_error(api, r->call, 400,
			    "tokens: you have tokens; say whether to \"keep\" or to \"revoke\" "
			    "them");
	return good;
}

/* ---- Change ---- */

static const struct refusal wrong_old = { 401, "old: wrong password" };
static const struct refusal wrong_password = { 401, "password: wrong password" };
static const struct refusal code_used = { 409, "code: this code was used already" };

/* Queues the new password, and the end of what the old one allowed. kept: a session, or "". */
static void set_password(struct api *api, const char *user, const char *hash, const char *kept,
			 bool drop_tokens)
{
	const int64_t now = api_seconds(api);
	store_set_password(api->store, user, hash);
	store_drop_codes(api->store, user, ""); /* also of an address that somebody else named */
	store_end_cookies(api->store, user, kept, now);
	if (drop_tokens)
		store_drop_tokens(api->store, user, now);
}

/*
 * POST /api/v1/password. All sessions end, also that of the visitor, whose cookie may be in other
 * hands: it gets a new one.
 */
void post_password(struct api *api, const struct api_request *r)
{
	const struct visitor *who = r->visitor;
	struct password p = { .text = "" };
	struct store_user row;
	char label[STORE_LABEL], cookie[COOKIES_ROOM], session[STORE_ID] = "";
	bool drop_tokens;
	if (!may_set_cookie(api, r, "password") || !body_keys(api, r, "old new tokens label") ||
	    !label_read(api, r, label) || !own_account(api, r, &row) ||
	    !password_read(api, r, "old", false, p.text) ||
	    !password_read(api, r, "new", true, p.next) ||
	    !read_tokens(api, r, who->user, &drop_tokens))
		return;
	snprintf(p.hash, sizeof p.hash, "%s", row.password_hash);
	if (!password_is_right(api, r, &p, row.login, row.id, true, wrong_old.text))
		return;
	json_t *me = me_json(api, r, who->user);
	if (!me)
		return;
	store_if_password(api->store, who->user, row.password_hash);
	if (!who->program)
		session_begin(api, r, who->user, label, session, cookie);
	set_password(api, who->user, api->run->job_text, session, drop_tokens);
	audit(api, r, who->user, "password");
	notice_owner(api, &row, "the password was changed, and all browsers were logged out");
	reply_when_changed(api, r->call, 200, me, who->program ? NULL : cookie, &wrong_old);
}

/* ---- Codes ---- */

/* The code of a body, if it is valid. False: READ_LATER, or an error was sent. */
static bool read_code(struct api *api, const struct api_request *r, const char *purpose,
		      struct store_code *out)
{
	const char *text;
	uint8_t hash[SECRETS_HASH];
	if (!body_text(api, r, "code", &text))
		return false;
	const bool shaped = text && secrets_code_hash(text, hash);
	const struct store_value key = value_bytes(hash, sizeof hash);
	const struct store_rows *rows = shaped ? read_rows(api, r, ASK_CODE, &key, 1, NULL) : NULL;
	if (shaped && !rows)
		return false;
	const bool good = rows && store_row_code(rows, out) && strcmp(out->purpose, purpose) == 0 &&
			  out->expires > api_seconds(api);
	if (good)
		memcpy(out->hash, hash, sizeof hash);
	else
		reply_error(api, r->call, 403, "code: this code is wrong, was used or has expired");
	return good;
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

/* A mail with a code; NULL: none. what: the name of the parameter of the page's address. */
static struct mail *code_mail(struct api *api, const struct store_user *user, const char *address,
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
	return mail_new(api, address, subject, text);
}

/* Limits of mails: a visitor's address, an account and a mailbox; all of them together. */
static const double MAILS_A_MINUTE = 0.05, ALL_A_MINUTE = 10;
static const double NOTICES_A_MINUTE = 0.1;
enum { MAILS_AT_ONCE = 3, ALL_AT_ONCE = 60, NOTICES_AT_ONCE = 6 };

static bool take_mail(struct api *api, const char *what, const char *whose, double per_minute,
		      int at_once)
{
	char name[LIMIT_NAME];
	snprintf(name, sizeof name, "mail %s %s", what, whose);
	return limits_take(api->limits, name, per_minute, at_once, api_now(api));
}

/*
 * Anybody may make accounts and name any mailbox. The limit has its hash with the server's key: the
 * names of limits go to other servers. Letter case makes no other mailbox.
 */
static bool may_mail(struct api *api, const char *user, const char *email)
{
	char whole[SECRETS_KEY + STORE_EMAIL], mailbox[33];
	uint8_t hash[SECRETS_HASH];
	memcpy(whole, api->secrets.key, SECRETS_KEY);
	const int length = snprintf(whole + SECRETS_KEY, STORE_EMAIL, "%s", email);
	for (int i = 0; i < length; i++)
		whole[SECRETS_KEY + i] = to_lower(whole[SECRETS_KEY + i]);
	secrets_sha256(whole, (size_t)(SECRETS_KEY + length), hash);
	for (int i = 0; i < 16; i++)
		snprintf(mailbox + 2 * i, 3, "%02x", hash[i]);
	return take_mail(api, "user", user, MAILS_A_MINUTE, MAILS_AT_ONCE) &&
	       take_mail(api, "to", mailbox, MAILS_A_MINUTE, MAILS_AT_ONCE) &&
	       take_mail(api, "all", "", ALL_A_MINUTE, ALL_AT_ONCE);
}

/* ---- Notices ---- */

/*
 * Whoever has got hold of an account changes what lets its owner in: so the owner hears of it, at the
 * address before the change. Each kind has its limit, so that a flood of one does not hide another.
 */
void notice_owner(struct api *api, const struct store_user *user, const char *what)
{
	char text[MAIL_TEXT], kind[32];
	snprintf(kind, sizeof kind, "notice %.16s", what);
	if (!*user->email || !api->setup.mail_command || api->notice ||
	    !take_mail(api, kind, user->id, NOTICES_A_MINUTE, NOTICES_AT_ONCE) ||
	    !take_mail(api, "all notices", "", ALL_A_MINUTE, ALL_AT_ONCE))
		return;
	snprintf(text, sizeof text,
		 "Your account %s on a Quevedo server%s%s has changed: %s.\n\nIf that was you, "
		 "ignore this mail. If not, set a new password on the account page, or ask the "
		 "operator of the server for help.\n",
		 user->login, api->setup.site ? ", " : "", api->setup.site ? api->setup.site : "",
		 what);
	api->notice = mail_new(api, user->email, "Your account has changed", text);
}

bool notice_read(struct api *api, const struct api_request *r, const char *user, const char *what)
{
	struct store_user row = { .email = "" };
	if (!what || !api->setup.mail_command)
		return true;
	const enum read_result found = read_user(api, r, user, &row);
	if (found == READ_FOUND)
		notice_owner(api, &row, what);
	return found != READ_LATER;
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
	/* Also if there is no such account, so that the limit tells nothing. */
	if (!api_limit(api, r, "mail", MAILS_A_MINUTE, MAILS_AT_ONCE))
		return;
	const enum read_result found = read_login(api, r, name, &row);
	if (found == READ_LATER)
		return;
	if (found == READ_FOUND && *row.email && may_mail(api, row.id, row.email)) {
		audit(api, r, row.id, "reset_asked");
		new_code(api, row.id, "reset", "", code);
		mail_when_stored(api, code_mail(api, &row, row.email, "Your password", "reset", code));
	}
	reply(api, r->call, 200, json_object());
}

/*
 * POST /api/v1/password/reset: sets a new password, and logs in. The code is dropped in the same
 * unit; if it has been used meanwhile the unit fails.
 */
void post_reset(struct api *api, const struct api_request *r)
{
	struct password p = { .text = "" };
	struct store_code code;
	struct store_user row = { .email = "" };
	char label[STORE_LABEL], cookie[COOKIES_ROOM], session[STORE_ID];
	bool drop_tokens;
	if (!acts_as_user(api, r) || !may_set_cookie(api, r, "password") ||
	    !api_limit(api, r, "login", 5, 5) || !body_keys(api, r, "code new tokens label") ||
	    !label_read(api, r, label) || !password_read(api, r, "new", true, p.next) ||
	    !read_code(api, r, "reset", &code) || !read_tokens(api, r, code.user, &drop_tokens))
		return;
	if (!api->run->job_ended) {
		password_submit(api, r, &p);
		return;
	}
	if (read_user(api, r, code.user, &row) == READ_LATER)
		return;
	json_t *me = api->run->job_text ? me_json(api, r, code.user) : NULL;
	if (!api->run->job_text)
		reply_no_memory(api, r->call);
	if (!me)
		return;
	store_take_code(api->store, code.hash);
	session_begin(api, r, code.user, label, session, cookie);
	set_password(api, code.user, api->run->job_text, session, drop_tokens);
	audit(api, r, code.user, "reset");
	notice_owner(api, &row, "the password was changed with a code, and all browsers were logged out");
	reply_when_changed(api, r->call, 200, me, cookie, &code_used);
}

/* ---- The e-mail address ---- */

/* POST /api/v1/account/email: for mails about a forgotten password; "" removes it. */
void post_email(struct api *api, const struct api_request *r)
{
	struct password p = { .text = "" };
	struct store_user row;
	const char *email;
	char code[SECRETS_CODE];
	if (!body_keys(api, r, "password email") || !body_text(api, r, "email", &email))
		return;
	const char *fault = !email ? "email: missing" : *email ? secrets_email_fault(email) : NULL;
	if (fault) {
		reply_error(api, r->call, 400, "%s", fault);
		return;
	}
	if ((*email && !can_mail(api, r)) || !own_account(api, r, &row) ||
	    !password_read(api, r, "password", false, p.text))
		return;
	snprintf(p.hash, sizeof p.hash, "%s", row.password_hash);
	if (!password_is_right(api, r, &p, row.login, row.id, true, wrong_password.text))
		return;
	if (!*email) {
		store_if_password(api->store, row.id, row.password_hash);
		store_set_email(api->store, row.id, "");
		store_drop_codes(api->store, row.id, "");
		audit(api, r, row.id, "email_removed");
		notice_owner(api, &row, "this address was removed from it");
		reply_unless_refused(api, r->call, 200, json_pack("{s:n, s:b}", "email", "sent", 0),
				     &wrong_password);
	} else if (!api_take(api, "mail", r->visitor->address, MAILS_A_MINUTE, MAILS_AT_ONCE) ||
		   !may_mail(api, row.id, email)) {
		reply_error(api, r->call, 429, "mail: too many; wait an hour");
	} else { /* it is used when its owner has confirmed it */
		store_if_password(api->store, row.id, row.password_hash);
		new_code(api, row.id, "email", email, code);
		audit(api, r, row.id, "email_asked");
		reply_with_mail(api, r->call, 200,
				json_pack("{s:s?, s:b}", "email", *row.email ? row.email : NULL,
					  "sent", 1),
				code_mail(api, &row, email, "Confirm your address", "confirm",
					  code),
				&wrong_password);
	}
}

/*
 * POST /api/v1/account/email/confirm, by the user to whom the code belongs: not by a program, since
 * whoever has the mailbox can set a new password.
 */
void post_email_confirm(struct api *api, const struct api_request *r)
{
	struct store_code code;
	struct store_user row = { .email = "" };
	if (r->visitor->program) {
		reply_error(api, r->call, 403, "email: not with a token; log in");
		return;
	}
	if (!acts_as_user(api, r) || !api_limit(api, r, "login", 5, 5) ||
	    !body_keys(api, r, "code") || !read_code(api, r, "email", &code))
		return;
	if (strcmp(code.user, r->visitor->user) != 0) {
		reply_error(api, r->call, 403, "code: this code is for another account; log in to that one");
		return;
	}
	if (read_user(api, r, code.user, &row) == READ_LATER)
		return;
	store_if_issuer(api->store, code.user, r->visitor->issuer);
	audit(api, r, code.user, "email");
	if (strcmp(row.email, code.email) != 0)
		notice_owner(api, &row, "its address is another one from now on");
	store_set_email(api->store, code.user, code.email);
	store_drop_codes(api->store, code.user, "email");
	reply_unless_refused(api, r->call, 200,
			     json_pack("{s:s, s:b}", "email", code.email, "sent", 0),
			     &visitor_ended);
}
