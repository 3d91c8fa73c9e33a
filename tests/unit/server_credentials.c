/*
 * server_credentials.c - credentials that end while a request is on its way, in SQLite and in
 * PostgreSQL. The server has no threads: the test says what happens when.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/secrets.h"
#include "server/store/store.h"
#include "support/accounts.h"
#include "support/cluster.h"

#define LOGIN "{\"name\":\"ada\",\"password\":\"" PASSWORD "\"}"

static struct cluster postgres; /* not started: SQLite */
static char place[256];

static void open_desk(struct api_desk *d)
{
	desk_open(d, 1, 100);
	d->manual = true;
	d->mail_command = "/bin/false";
	*place = '\0';
	if (postgres.server) {
		cluster_new_place(&postgres, place);
		d->place = place;
		d->cluster = (struct api_cluster){ .node = "one", .lease_ms = 600000 };
	}
	desk_reopen(d);
	d->now = desk_now(d);
	d->frozen = true;
}

/* Sends it and stops when a worker has compared the password, and the server does not know it yet. */
static uint64_t send_until_compared(struct api_desk *d, const struct visitor *who, const char *path,
				    const char *body)
{
	const uint64_t call = desk_send(d, who, "POST", path, body);
	while (!api_step(d->api, API_WORKER)) {
		assert_int_equal(d->call[call].count, 0);
		api_step(d->api, API_STORE);
		api_turn(d->api);
	}
	assert_int_equal(d->call[call].count, 0);
	return call;
}

static int end_of(struct api_desk *d, uint64_t call)
{
	return desk_wait(d, call, 1)->last->status;
}

static int count_of(struct api_desk *d, enum store_question question, const char *user)
{
	struct store *store = desk_store_beside(d);
	struct store_rows *rows;
	const struct store_value key = value_text(user);
	assert_int_equal(store_read_now(store, question, &key, &rows, NULL), QV_OK);
	const int count = (int)rows->count;
	store_rows_free(rows);
	store_close(store);
	return count;
}

/* ---- A password that changes after it was compared ---- */

enum change { PASSWORD_CHANGED, ACCOUNT_DELETED };

static void change_beside(struct api_desk *d, const char *user, enum change change)
{
	struct store *store = desk_store_beside(d);
	char hash[SECRETS_PASSWORD];
	assert_true(secrets_hash_password("battery staple", hash));
	if (change == ACCOUNT_DELETED) {
		store_delete_user(store, user, "Deleted user", desk_seconds(d));
	} else {
		store_set_password(store, user, hash);
		store_end_cookies(store, user, "", desk_seconds(d));
	}
	store_close(store);
}

static void test_credentials__an_old_password_opens_nothing(void **state)
{
	static const struct {
		const char *path, *body;
		bool own; /* with a session of the account */
	} requests[] = {
		{ "/api/v1/login", LOGIN, false },
		{ "/api/v1/password", "{\"old\":\"" PASSWORD "\",\"new\":\"of a thief\"}", true },
		{ "/api/v1/account/delete", "{\"password\":\"" PASSWORD "\"}", true },
		{ "/api/v1/account/email", "{\"password\":\"" PASSWORD "\",\"email\":\"\"}", true },
		{ "/api/v1/account/email",
		  "{\"password\":\"" PASSWORD "\",\"email\":\"ada@games.example\"}", true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
		for (enum change change = PASSWORD_CHANGED; change <= ACCOUNT_DELETED; change++) {
			struct api_desk d;
			open_desk(&d);
			const struct visitor owner = desk_account(&d, "ada"),
					     guest = desk_visitor(&d);
			const uint64_t call =
				send_until_compared(&d, requests[i].own ? &owner : &guest,
						    requests[i].path, requests[i].body);
			change_beside(&d, owner.user, change);
			assert_int_equal(end_of(&d, call), 401);
			assert_int_equal(count_of(&d, ASK_SESSIONS, owner.user), 0);
			desk_ask(&d, &guest, "POST", "/api/v1/login", LOGIN, 401);
			desk_ask(&d, &guest, "POST", "/api/v1/login",
				 "{\"name\":\"ada\",\"password\":\"battery staple\"}",
				 change == ACCOUNT_DELETED ? 401 : 200);
			assert_string_equal(d.fault, "");
			desk_close(&d);
		}
}

/* Nor does a session or a guest's cookie, whose end this server has not heard of. */
static void test_credentials__an_ended_session_makes_nothing(void **state)
{
	struct api_desk d;
	char code[SECRETS_CODE], body[80];
	(void)state;
	open_desk(&d);
	const struct visitor owner = desk_account(&d, "ada"), guest = desk_visitor(&d);
	const struct visitor other = desk_visitor(&d);
	desk_ask(&d, &owner, "POST", "/api/v1/tokens", "{}", 201);
	desk_ask(&d, &guest, "POST", "/api/v1/tokens", "{}", 201);
	desk_ask(&d, &other, "POST", "/api/v1/tokens", "{}", 201);
	struct store *store = desk_store_beside(&d);
	store_drop_tokens(store, owner.user, desk_seconds(&d));
	store_end_cookies(store, owner.user, "", desk_seconds(&d));
	store_end_unnamed(store, guest.user, desk_seconds(&d));
	store_end_unnamed(store, other.user, desk_seconds(&d));
	struct store_code row = { .purpose = "email", .email = "thief@games.example" };
	row.expires = desk_seconds(&d) + 100;
	snprintf(row.user, sizeof row.user, "%s", owner.user);
	secrets_code(code, row.hash);
	store_put_code(store, &row);
	store_close(store);
	desk_ask(&d, &owner, "GET", "/api/v1/sessions", NULL, 200); /* it has not heard */
	desk_ask(&d, &other, "POST", "/api/v1/accounts",
		 "{\"name\":\"eve\",\"password\":\"" PASSWORD "\"}", 409);
	desk_ask(&d, &owner, "POST", "/api/v1/tokens", "{}", 401);
	assert_int_equal(count_of(&d, ASK_TOKENS, owner.user), 0);
	snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
	desk_ask(&d, &owner, "POST", "/api/v1/account/email/confirm", body, 401);
	desk_ask(&d, &guest, "POST", "/api/v1/tokens", "{}", 401);
	assert_int_equal(count_of(&d, ASK_TOKENS, guest.user), 1);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A stolen token must not lock its owner out. */
static void test_credentials__a_token_ends_nothing_but_itself(void **state)
{
	struct api_desk d;
	char token[2][128], path[2][96], here[API_COOKIE];
	(void)state;
	open_desk(&d);
	desk_account(&d, "ada");
	const struct visitor owner = desk_login(&d, "ada", here);
	for (int i = 0; i < 2; i++) {
		const json_t *made = desk_ask(&d, &owner, "POST", "/api/v1/tokens", "{}", 201);
		snprintf(token[i], sizeof token[i], "%s", desk_text(made, "token"));
		snprintf(path[i], sizeof path[i], "/api/v1/tokens/%s/revoke", desk_text(made, "id"));
	}
	const struct visitor bot = desk_bearer(&d, token[0]);
	char end[96];
	snprintf(end, sizeof end, "/api/v1/sessions/%s/end", owner.issuer);
	desk_ask(&d, &bot, "POST", "/api/v1/logout", "{}", 403);
	desk_ask(&d, &bot, "POST", "/api/v1/logout", "{\"everywhere\":true}", 403);
	desk_ask(&d, &bot, "POST", end, "{}", 403);
	desk_ask(&d, &bot, "POST", path[1], "{}", 403);
	assert_true(desk_cookie_holds(&d, here) && desk_token_holds(&d, token[1]));
	desk_ask(&d, &bot, "POST", path[0], "{}", 200);
	assert_false(desk_token_holds(&d, token[0]));
	desk_ask(&d, &owner, "POST", path[1], "{}", 200);
	assert_false(desk_token_holds(&d, token[1]));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Revocations ---- */

/* The server looks for what others have ended: it is asked and answers in a few turns. */
static void look(struct api_desk *d)
{
	const int before = d->ended;
	d->now += 1000;
	for (int i = 0; i < 100 && d->ended == before; i++) {
		desk_step(d);
		api_turn(d->api);
	}
}

/* Many that end at once close no connection but their own. */
static void test_credentials__many_logouts_end_nobody_else(void **state)
{
	struct api_desk d;
	struct visitor who, fresh;
	(void)state;
	open_desk(&d);
	who = desk_visitor(&d);
	desk_ask(&d, &who, "POST", "/api/v1/me", "{\"name\":\"Eve\"}", 200);
	d.socket = &who;
	struct store *store = desk_store_beside(&d);
	for (int i = 0; i < 900; i++)
		store_end_unnamed(store, "AAAAAAAAAAAAAAAA", desk_seconds(&d));
	store_close(store);
	look(&d);
	assert_false(d.socket_closed);
	desk_ask(&d, &who, "GET", "/api/v1/me", NULL, 200);
	store = desk_store_beside(&d);
	store_end_unnamed(store, who.user, desk_seconds(&d));
	store_close(store);
	look(&d);
	assert_true(d.socket_closed);
	/* Who has no cookie yet ends nothing. */
	assert_true(api_identify(d.api, NULL, NULL, "127.0.0.1", &fresh));
	const json_t *guest = desk_ask(&d, &fresh, "POST", "/api/v1/logout", "{}", 200);
	assert_string_equal(desk_text(guest, "id"), fresh.user);
	assert_int_equal(count_of(&d, ASK_USER_BY_ID, fresh.user), 0);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The oldest session beyond the bound ends as by a logout. */
static void test_credentials__a_session_beyond_the_bound_ends(void **state)
{
	struct api_desk d;
	char first[API_COOKIE], second[API_COOKIE];
	(void)state;
	open_desk(&d);
	desk_account(&d, "ada");
	d.now += 1000;
	struct visitor one = desk_login(&d, "ada", first);
	d.now += 1000;
	desk_login(&d, "ada", second);
	assert_true(desk_cookie_holds(&d, first) && desk_cookie_holds(&d, second));
	d.socket = &one;
	struct store *store = desk_store_beside(&d);
	for (int i = 0; i < STORE_SESSIONS - 1; i++) {
		const int64_t now = desk_seconds(&d) + i;
		struct store_session row = { .created = now, .seen = now };
		snprintf(row.id, sizeof row.id, "session-%08d", i);
		snprintf(row.user, sizeof row.user, "%s", one.user);
		store_put_session(store, &row);
	}
	store_close(store);
	look(&d);
	assert_true(d.socket_closed);
	assert_false(desk_cookie_holds(&d, first));
	assert_true(desk_cookie_holds(&d, second));
	assert_int_equal(count_of(&d, ASK_SESSIONS, one.user), STORE_SESSIONS);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A game that the operator deletes while a worker replays it does not come into memory. */
static void test_credentials__a_game_that_is_deleted_while_it_is_loaded(void **state)
{
	struct api_desk d;
	char *body = desk_record_body(600, "human");
	(void)state;
	open_desk(&d);
	const struct visitor who = desk_visitor(&d);
	const char *id = desk_text(desk_ask(&d, &who, "POST", "/api/v1/plays", body, 201), "id");
	desk_reopen(&d);
	const uint64_t call = desk_send(&d, &who, "GET", play_path(id, ""), NULL);
	/* Its lines are read, and wait for a worker. */
	do
		api_turn(d.api);
	while (api_step(d.api, API_STORE));
	struct store *store = desk_store_beside(&d);
	assert_int_equal(store_delete_play(store, id, desk_seconds(&d)), QV_OK);
	store_close(store);
	d.now += 1000;
	do
		api_turn(d.api);
	while (api_step(d.api, API_STORE));
	assert_int_equal(d.call[call].count, 0);
	assert_true(api_step(d.api, API_WORKER));
	desk_wait(&d, call, 1);
	assert_int_not_equal(d.call[call].last->status, 200);
	desk_ask(&d, &who, "GET", play_path(id, ""), NULL, 404);
	assert_string_equal(d.fault, "");
	desk_close(&d);
	free(body);
}

/* ---- Mail ---- */

/* A new account at that address of a visitor asks for a mail to that mailbox: the status. */
static int mail_to(struct api_desk *d, int address, const char *mailbox)
{
	struct visitor who = desk_visitor(d);
	char body[128], at[32];
	static int accounts;
	snprintf(at, sizeof at, "10.0.0.%d", address);
	snprintf(who.address, sizeof who.address, "%s", at);
	snprintf(body, sizeof body, "{\"name\":\"mailer%d\",\"password\":\"" PASSWORD "\"}",
		 ++accounts);
	desk_ask(d, &who, "POST", "/api/v1/accounts", body, 201);
	char cookie[API_COOKIE];
	desk_cookie(d, cookie);
	assert_true(api_identify(d->api, cookie, NULL, at, &who));
	snprintf(body, sizeof body, "{\"password\":\"" PASSWORD "\",\"email\":\"%s@games.example\"}",
		 mailbox);
	return end_of(d, desk_send(d, &who, "POST", "/api/v1/account/email", body));
}

/* Anybody may make accounts and name any mailbox. The clock stands. */
static void test_credentials__mails_are_bounded(void **state)
{
	struct api_desk d;
	char mailbox[16];
	int address = 1, sent = 0;
	(void)state;
	open_desk(&d);
	d.mail_command = "true";
	d.per_address = 1;
	desk_reopen(&d);
	for (int i = 0; i < 5; i++) /* one mailbox, from everywhere */
		sent += mail_to(&d, address++, i % 2 ? "victim" : "Victim") == 200;
	assert_int_equal(sent, 3);
	sent = 0;
	for (int i = 0; i < 5; i++) { /* one visitor, to everybody */
		snprintf(mailbox, sizeof mailbox, "a%d", i);
		sent += mail_to(&d, address, mailbox) == 200;
	}
	assert_int_equal(sent, 3);
	/* It counts alike if nobody has the name. */
	struct visitor who = desk_visitor(&d);
	snprintf(who.address, sizeof who.address, "10.0.0.200");
	for (int i = 0; i < 4; i++)
		desk_ask(&d, &who, "POST", "/api/v1/password/forgotten", "{\"name\":\"nobody\"}",
			 i < 3 ? 200 : 429);
	for (int i = 0; i < 70; i++) { /* everybody, to everybody */
		snprintf(mailbox, sizeof mailbox, "b%d", i);
		sent += mail_to(&d, ++address, mailbox) == 200;
	}
	assert_int_equal(sent, 60 - 3);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_credentials__an_old_password_opens_nothing),
		cmocka_unit_test(test_credentials__an_ended_session_makes_nothing),
		cmocka_unit_test(test_credentials__a_token_ends_nothing_but_itself),
		cmocka_unit_test(test_credentials__many_logouts_end_nobody_else),
		cmocka_unit_test(test_credentials__a_session_beyond_the_bound_ends),
		cmocka_unit_test(test_credentials__a_game_that_is_deleted_while_it_is_loaded),
		cmocka_unit_test(test_credentials__mails_are_bounded),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
