/*
 * accounts.c - accounts, sessions and tokens: clients create them, end them, and try what has ended.
 * SPDX-License-Identifier: MIT
 *
 * Whatever a client was told to have ended is refused from then on, whatever happens to the server.
 * Whatever has not ended holds. Between a request to end something and its response, or if the
 * response is lost, either may be the case. So it is after a 503, whose request may still be stored:
 * the cookie that the client has then holds, or is refused with 401. It never becomes another user's.
 */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"

/*
 * These stand in for libsodium's, which take the time of a thousand moves on purpose: how hard a
 * password is to guess is not simulated.
 */
int crypto_pwhash_str(char out[crypto_pwhash_STRBYTES], const char *password,
		      unsigned long long length, unsigned long long operations, size_t memory)
{
	unsigned char salt[8], hash[16];
	(void)operations;
	(void)memory;
	randombytes_buf(salt, sizeof salt);
	crypto_generichash(hash, sizeof hash, (const unsigned char *)password, length, NULL, 0);
	memset(out, 0, crypto_pwhash_STRBYTES);
	sodium_bin2hex(out, 2 * sizeof hash + 1, hash, sizeof hash);
	sodium_bin2hex(out + 2 * sizeof hash, 2 * sizeof salt + 1, salt, sizeof salt);
	return 0;
}

int crypto_pwhash_str_verify(const char hash[crypto_pwhash_STRBYTES], const char *password,
			     unsigned long long length)
{
	char own[crypto_pwhash_STRBYTES];
	return crypto_pwhash_str(own, password, length, 0, 0) == 0 && memcmp(own, hash, 32) == 0 ? 0
												  : -1;
}

/* ---- Who they are ---- */

void client_identify(struct sim *s, int c, const char *bearer)
{
	struct client *client = &s->clients[c];
	char address[32];
	snprintf(address, sizeof address, "10.0.0.%d", c);
	const bool known = api_identify(s->api, client->cookie, bearer, address, &client->visitor);
	client->renew = false;
	/* Whose a token is, is found out with the first request. */
	if (!known || (!bearer && strcmp(client->visitor.user, client->user) != 0))
		sim_violation(s, "client %d is taken for another user", c);
}

/* ---- What has ended ---- */

static void add_ended(struct sim *s, const char *text, bool bearer)
{
	struct ended *e = &s->ended[sim_pick(s, ENDED)];
	const size_t length = strlen(text);
	if (length == 0 || length >= sizeof e->text)
		return;
	memcpy(e->text, text, length + 1);
	e->bearer = bearer;
}

/*
 * The session before has ended, and with it the seat token that was issued to it. surely: the client
 * was told so; otherwise both may hold.
 */
static void end_session(struct sim *s, struct client *client, bool surely)
{
	client->session++;
	if (surely)
		add_ended(s, client->cookie, false);
	if (client->seat_by_token)
		return;
	if (surely)
		add_ended(s, client->seat_token, true);
	client->seat_token[0] = client->seat_play[0] = '\0';
}

/* Somebody comes with a cookie or token that has ended. */
static void try_ended(struct sim *s, int c)
{
	struct client *client = &s->clients[c];
	const struct ended *e = &s->ended[sim_pick(s, ENDED)];
	const struct sim_call what = { .kind = SENT_ENDED, .client = c, .play = -1 };
	const struct visitor own = client->visitor;
	if (!e->text[0] || client->renew)
		return;
	api_identify(s->api, e->bearer ? NULL : e->text, e->bearer ? e->text : NULL, "10.0.0.98",
		     &client->visitor);
	s->report.ended++;
	sim_send(s, &what, false, "/api/v1/me", NULL);
	client->visitor = own;
}

/* ---- What they do ---- */

/* Is a request on its way that changes who the client is? */
static bool is_changing(const struct sim *s, int c)
{
	for (int i = 0; i < CALLS; i++)
		if (s->calls[i].number && s->calls[i].client == c &&
		    s->calls[i].kind >= SENT_TOKEN && s->calls[i].kind <= SENT_DELETE)
			return true;
	return false;
}

static json_t *credentials(const struct client *client)
{
	return json_pack("{s:s, s:s}", "name", client->name, "password", "a password");
}

/* Creates an account, or logs in with it. begun: this ends the cookie that the client has. */
static void log_in(struct sim *s, int c)
{
	struct client *client = &s->clients[c];
	const bool has = client->has_account || (client->out && !client->deleted);
	const struct sim_call what = { .kind = has ? SENT_LOGIN : SENT_ACCOUNT,
				       .client = c,
				       .play = -1,
				       .begun = !client->out && (!has || client->in_session) };
	client->unsure = true;
	sim_send(s, &what, true, has ? "/api/v1/login" : "/api/v1/accounts", credentials(client));
}

/* Whoever was logged out comes as a new guest; whoever is deleted stays one. */
void account_return(struct sim *s, int c)
{
	struct client *client = &s->clients[c];
	if (!sim_chance(s, 4) || is_changing(s, c))
		return;
	api_identify(s->api, NULL, NULL, "10.0.0.99", &client->visitor);
	client->renew = false;
	if (client->deleted) {
		client->session++; /* what is on its way was sent by the user that it was */
		memcpy(client->cookie, client->visitor.cookie, sizeof client->cookie);
		memcpy(client->user, client->visitor.user, sizeof client->user);
		client->out = client->unsure = client->gone = client->has_account = false;
		client->deleted = client->in_session = false;
		client->token[0] = client->token_id[0] = '\0';
		client->token_unsure = client->named = false;
		client_identify(s, c, NULL);
	} else {
		log_in(s, c);
	}
}

static void log_out(struct sim *s, int c)
{
	const struct sim_call what = { .kind = SENT_LOGOUT, .client = c, .play = -1 };
	s->clients[c].unsure = true;
	const bool everywhere = sim_chance(s, 2);
	sim_send(s, &what, true, "/api/v1/logout", json_pack("{s:b}", "everywhere", everywhere));
}

static void revoke(struct sim *s, int c)
{
	struct client *client = &s->clients[c];
	const struct sim_call what = { .kind = SENT_REVOKE, .client = c, .play = -1 };
	char path[API_PATH];
	snprintf(path, sizeof path, "/api/v1/tokens/%s/revoke", client->token_id);
	client->token_unsure = true;
	sim_send(s, &what, true, path, json_object());
}

static void delete_account(struct sim *s, int c)
{
	const struct sim_call what = { .kind = SENT_DELETE, .client = c, .play = -1 };
	s->clients[c].unsure = s->clients[c].gone = true;
	sim_send(s, &what, true, "/api/v1/account/delete",
		 json_pack("{s:s}", "password", "a password"));
}

void account_act(struct sim *s, int c)
{
	struct client *client = &s->clients[c];
	const uint64_t kind = sim_pick(s, c == MAYFLY ? 60 : 200);
	if (kind < 15) {
		try_ended(s, c);
	} else if (kind >= 100) { /* another way to say who it is */
		const uint64_t way = sim_pick(s, 3);
		client_identify(s, c, way == 1 && client->token[0] ? client->token : NULL);
	} else if (is_changing(s, c)) {
		return;
	} else if (kind == 40 && client->token[0] == '\0') {
		const struct sim_call what = { .kind = SENT_TOKEN, .client = c, .play = -1 };
		client_identify(s, c, NULL);
		sim_send(s, &what, true, "/api/v1/tokens", json_object());
	} else if (kind == 41 && client->token[0]) {
		client_identify(s, c, NULL);
		revoke(s, c);
	} else if (kind == 42 || (kind < 48 && client->unsure)) { /* so that it can be sure again */
		client_identify(s, c, NULL);
		log_in(s, c);
	} else if (kind == 48 && client->has_account && !client->unsure) {
		client_identify(s, c, NULL);
		log_out(s, c);
	} else if (kind >= 49 && kind < 52 && c == MAYFLY && client->has_account) {
		client_identify(s, c, NULL);
		delete_account(s, c);
	}
}

/* ---- What they hear ---- */

/* Without faults nothing but what it may do itself changes who a client is. */
static void check_me(struct sim *s, const struct sim_call *call, const char *text)
{
	const struct client *client = &s->clients[call->client];
	json_t *json = json_loads(text, 0, NULL);
	const char *name = json_string_value(json_object_get(json, "name"));
	const char *id = json_string_value(json_object_get(json, "id"));
	if (call->session == client->session && (!id || strcmp(id, client->user) != 0))
		sim_violation(s, "client %d is taken for another user", call->client);
	if (client->named && !s->heal_step && !client->gone &&
	    (!name || strcmp(name, client->name) != 0))
		sim_violation(s, "client %d, %s, is called %s", call->client, client->name, name);
	json_decref(json);
}

static void take_token(struct sim *s, const struct sim_call *call, const char *text)
{
	struct client *client = &s->clients[call->client];
	json_t *json = json_loads(text, 0, NULL);
	const char *token = json_string_value(json_object_get(json, "token"));
	const char *id = json_string_value(json_object_get(json, "id"));
	snprintf(client->token, sizeof client->token, "%s", token ? token : "");
	snprintf(client->token_id, sizeof client->token_id, "%s", id ? id : "");
	client->token_unsure = false;
	json_decref(json);
}

/* A request was refused, since who sent it is not known any more. */
static void shut_out(struct sim *s, const struct sim_call *call, const char *cookie)
{
	struct client *client = &s->clients[call->client];
	const bool revoked = call->tokens != client->tokens || client->token_unsure;
	const bool may = client->gone || call->session != client->session ||
			 (call->by_token ? revoked || !client->token[0] : client->unsure);
	if (!may)
		sim_violation(s, "client %d was logged out, or its token ended", call->client);
	/* Without a cookie it ended while the request was on its way. */
	client->renew |= !cookie;
	if (!call->by_token && !call->by_seat && cookie && client->session == call->session) {
		client->out = true;
		client->deleted |= client->gone;
	}
}

/* The client whose account may or may not have been deleted finds out which one it has now. */
static void take_user(struct sim *s, const struct sim_call *call, const char *text)
{
	struct client *client = &s->clients[call->client];
	json_t *json = json_loads(text, 0, NULL);
	const char *id = json_string_value(json_object_get(json, "id"));
	if (call->client == MAYFLY && id && strcmp(id, client->user) != 0) {
		snprintf(client->user, sizeof client->user, "%s", id);
		client->token[0] = client->token_id[0] = '\0'; /* of the guest that it was */
	} else if (!id || strcmp(id, client->user) != 0)
		sim_violation(s, "client %d is taken for another user", call->client);
	json_decref(json);
}

/* An account that was acknowledged, or may have been made before, stays. */
static void logged_in(struct sim *s, const struct sim_call *call, const struct api_response *a)
{
	struct client *client = &s->clients[call->client];
	if (a->status == 401 && client->gone) { /* it was deleted after all */
		client->out = client->deleted = true;
		return;
	}
	if (call->kind == SENT_LOGIN && a->status != 200) {
		sim_violation(s, "client %d cannot log in any more: %.100s", call->client, a->text);
		return;
	}
	client->has_account = true;
	client->deleted = false;
	if (!a->cookie) { /* the account exists: an earlier response was lost */
		client->out = true;
		return;
	}
	end_session(s, client, call->begun);
	/* The cookie of the session, a blank, and that of the device. */
	snprintf(client->cookie, sizeof client->cookie, "%.*s", (int)strcspn(a->cookie, " "),
		 a->cookie);
	take_user(s, call, a->text);
	s->report.logins++;
	client->unsure = client->out = client->gone = false;
	client->in_session = client->renew = true;
}

static void logged_out(struct sim *s, struct client *client, bool deleted)
{
	end_session(s, client, true);
	client->out = true;
	client->deleted = deleted;
	s->report.logouts += !deleted;
	s->report.deleted += deleted;
	if (deleted)
		add_ended(s, client->token, true);
}

static void revoked(struct sim *s, struct client *client)
{
	add_ended(s, client->token, true);
	if (client->seat_by_token)
		add_ended(s, client->seat_token, true);
	if (client->seat_by_token)
		client->seat_token[0] = client->seat_play[0] = '\0';
	client->token[0] = client->token_id[0] = '\0';
	client->token_unsure = false;
	client->tokens++;
	client->renew = true;
	s->report.revoked++;
}

void account_heard(struct sim *s, struct sim_call *call, const struct api_response *a)
{
	struct client *client = &s->clients[call->client];
	const bool good = a->status == 200 || a->status == 201;
	const bool wrong = strstr(a->text, "wrong name");
	if (call->kind == SENT_ENDED) {
		if (good || a->status == 403 || a->status == 404)
			sim_violation(s, "a session or token that has ended still holds: %.100s",
				      a->text);
		return;
	}
	if (a->status == 401 && !(call->kind == SENT_LOGIN && wrong))
		shut_out(s, call, a->cookie);
	else if ((call->kind == SENT_ACCOUNT && (good || a->status == 409)) ||
		 (call->kind == SENT_LOGIN && (good || a->status == 401)))
		logged_in(s, call, a);
	else if (call->kind == SENT_REVOKE && (good || a->status == 404))
		revoked(s, client);
	else if (!good)
		return;
	else if (call->kind == SENT_ME)
		check_me(s, call, a->text);
	else if (call->kind == SENT_TOKEN)
		take_token(s, call, a->text);
	else if (call->kind == SENT_LOGOUT || call->kind == SENT_DELETE)
		logged_out(s, client, call->kind == SENT_DELETE);
}
