/*
 * accounts.h - visitors with accounts, and every route for them called once.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_ACCOUNTS_H
#define TEST_ACCOUNTS_H

#include "support/api_desk.h"

#define PASSWORD "correct horse"

/* That of the last answer, without that of the device. */
static inline void desk_cookie(const struct api_desk *d, char out[API_COOKIE])
{
	const char *both = d->call[d->calls].last->cookie;
	assert_non_null(both);
	snprintf(out, API_COOKIE, "%.*s", (int)strcspn(both, " "), both);
}

/* The call must answer with that status and a cookie; the visitor becomes who it names. */
static inline json_t *desk_enter(struct api_desk *d, struct visitor *who, const char *path,
				 const char *body, int status)
{
	json_t *json = desk_ask(d, who, "POST", path, body, status);
	char cookie[API_COOKIE];
	desk_cookie(d, cookie);
	assert_true(api_identify(d->api, cookie, NULL, "127.0.0.1", who));
	assert_false(who->fresh);
	return json;
}

/* A new account of that name. */
static inline struct visitor desk_account(struct api_desk *d, const char *name)
{
	struct visitor who = desk_visitor(d);
	char body[128];
	snprintf(body, sizeof body, "{\"name\":\"%s\",\"password\":\"" PASSWORD "\"}", name);
	desk_enter(d, &who, "/api/v1/accounts", body, 201);
	return who;
}

/* Logs in from elsewhere. cookie: the buffer for the cookie; NULL: not needed. */
static inline struct visitor desk_login(struct api_desk *d, const char *name, char *cookie)
{
	struct visitor who = desk_visitor(d);
	char body[160];
	snprintf(body, sizeof body,
		 "{\"name\":\"%s\",\"password\":\"" PASSWORD "\",\"label\":\"Test\"}", name);
	desk_enter(d, &who, "/api/v1/login", body, 200);
	if (cookie)
		desk_cookie(d, cookie);
	return who;
}

static inline json_t *desk_me(struct api_desk *d, const struct visitor *who)
{
	return desk_ask(d, who, "GET", "/api/v1/me", NULL, 200);
}

/* A store beside the server, as an operator's command or another server has it. */
static inline struct store *desk_store_beside(const struct api_desk *d)
{
	const struct store_setup setup = { .folder = d->folder, .place = d->place, .shared = true };
	struct store *store;
	struct qv_error error = { "" };
	if (store_open(&setup, &store, &error) != QV_OK)
		fail_msg("%s", error.text);
	return store;
}

/* What an operator does where the clock is far after the last time in the database, and right. */
static inline void desk_trust_clock(struct api_desk *d)
{
	struct store *store = desk_store_beside(d);
	store_set_clock(store, desk_seconds(d));
	store_end_unit(store, NULL, NULL);
	store_close(store);
}

/* Is the cookie still that of its user? If not, the answer has the cookie of a new guest. */
static inline bool desk_cookie_holds(struct api_desk *d, const char *cookie)
{
	struct visitor who;
	assert_true(api_identify(d->api, cookie, NULL, "127.0.0.1", &who));
	assert_false(who.fresh);
	const struct desk_call *c =
		desk_wait(d, desk_send(d, &who, "GET", "/api/v1/me", NULL), 1);
	if (c->last->status == 200) {
		assert_int_equal(strncmp(desk_text(c->last->json, "id"), cookie, 16), 0);
		return true;
	}
	assert_int_equal(c->last->status, 401);
	assert_non_null(c->last->cookie);
	assert_int_not_equal(strncmp(c->last->cookie, cookie, 16), 0);
	return false;
}

/* The same for a bearer token or a seat token, which is not for this route. */
static inline bool desk_token_holds(struct api_desk *d, const char *token)
{
	struct visitor who;
	if (!api_identify(d->api, NULL, token, "127.0.0.1", &who))
		return false;
	const struct desk_call *c =
		desk_wait(d, desk_send(d, &who, "GET", "/api/v1/me", NULL), 1);
	assert_null(c->last->cookie);
	assert_true(c->last->status == 401 || c->last->status == (*who.play ? 403 : 200));
	return c->last->status != 401;
}

/* A visitor who is identified: as one that has sent a request. */
static inline struct visitor desk_bearer(struct api_desk *d, const char *token)
{
	struct visitor who;
	assert_true(api_identify(d->api, NULL, token, "127.0.0.1", &who));
	return who;
}

/* From now on mail is written into a file of the folder. */
static inline void desk_mails(struct api_desk *d)
{
	static char command[256];
	snprintf(command, sizeof command, "sh -c 'echo \"$@\" > %s/to; cat > %s/mail' sendmail",
		 d->folder, d->folder);
	d->mail_command = command;
	desk_reopen(d);
}

/* Waits for the mail and removes it; the code in it. */
static inline void desk_mailed(struct api_desk *d, const char *to, char code[64])
{
	char path[128], text[4096] = "";
	snprintf(path, sizeof path, "%s/mail", d->folder);
	for (int i = 0; i < 20000 && !strstr(text, "The code is: "); i++) {
		FILE *f = fopen(path, "r");
		if (f) {
			text[fread(text, 1, sizeof text - 1, f)] = '\0';
			fclose(f);
		}
		api_turn(d->api);
		nap();
	}
	const char *at = strstr(text, "The code is: ");
	assert_non_null(at);
	assert_int_equal(strncmp(text, "From: games@games.example\nTo: ", 30), 0);
	assert_int_equal(sscanf(at, "The code is: %60s", code), 1);
	assert_int_equal(unlink(path), 0);
	snprintf(path, sizeof path, "%s/to", d->folder);
	FILE *f = fopen(path, "r");
	assert_true(f && fgets(text, sizeof text, f));
	fclose(f);
	text[strcspn(text, "\n")] = '\0';
	assert_string_equal(text + strlen("-- "), to);
}

/* Waits for the mail with that text, and removes it; its recipient must be `to`. */
static inline void desk_noticed(struct api_desk *d, const char *to, const char *words)
{
	char path[128], text[4096] = "", line[300];
	snprintf(path, sizeof path, "%s/mail", d->folder);
	snprintf(line, sizeof line, "\nTo: %s\n", to);
	for (int i = 0; i < 20000 && !strstr(text, words); i++) {
		FILE *f = fopen(path, "r");
		if (f) {
			text[fread(text, 1, sizeof text - 1, f)] = '\0';
			fclose(f);
		}
		api_turn(d->api);
		nap();
	}
	assert_non_null(strstr(text, words));
	assert_non_null(strstr(text, line));
	assert_int_equal(unlink(path), 0);
}

/* The routes that no other test of all routes calls; the desk must have been told desk_mails. */
static inline void try_accounts(struct api_desk *d)
{
	char code[64], body[256], path[128];
	struct visitor ann = desk_account(d, "try-ann");
	const struct visitor other = desk_login(d, "try-ann", NULL);
	const json_t *made = desk_ask(d, &ann, "POST", "/api/v1/tokens", "{\"label\":\"bot\"}", 201);
	snprintf(path, sizeof path, "/api/v1/tokens/%s/revoke", desk_text(made, "id"));
	desk_ask(d, &ann, "GET", "/api/v1/tokens", NULL, 200);
	desk_ask(d, &ann, "POST", path, "{}", 200);
	desk_ask(d, &ann, "GET", "/api/v1/sessions", NULL, 200);
	snprintf(path, sizeof path, "/api/v1/sessions/%s/end", other.issuer);
	desk_ask(d, &ann, "POST", path, "{}", 200);
	desk_ask(d, &ann, "POST", "/api/v1/account/email",
		 "{\"password\":\"" PASSWORD "\",\"email\":\"ann@games.example\"}", 200);
	desk_mailed(d, "ann@games.example", code);
	snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
	desk_ask(d, &ann, "POST", "/api/v1/account/email/confirm", body, 200);
	desk_enter(d, &ann, "/api/v1/password",
		   "{\"old\":\"" PASSWORD "\",\"new\":\"battery staple\"}", 200);
	desk_ask(d, &other, "POST", "/api/v1/password/forgotten", "{\"name\":\"try-ann\"}", 401);
	const struct visitor guest = desk_visitor(d);
	desk_ask(d, &guest, "POST", "/api/v1/password/forgotten", "{\"name\":\"try-ann\"}", 200);
	desk_mailed(d, "ann@games.example", code);
	snprintf(body, sizeof body, "{\"code\":\"%s\",\"new\":\"" PASSWORD "\"}", code);
	ann = guest;
	desk_enter(d, &ann, "/api/v1/password/reset", body, 200);
	desk_ask(d, &ann, "GET", "/api/v1/account/export", NULL, 200);
	desk_enter(d, &ann, "/api/v1/logout", "{}", 200);
	ann = desk_login(d, "try-ann", NULL);
	desk_enter(d, &ann, "/api/v1/account/delete", "{\"password\":\"" PASSWORD "\"}", 200);
}

#endif
