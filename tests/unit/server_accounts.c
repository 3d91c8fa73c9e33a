/*
 * server_accounts.c - accounts: what lets you in and how it ends, names, deletion.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/names.h"
#include "server/api/secrets.h"
#include "server/store/store.h"
#include "support/accounts.h"
#include "support/database.h"

#define PLAYS "/api/v1/plays"

static const char two_people[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}";

/* A change by hand, as another program would make it. */
static void run_sql(const struct api_desk *d, const char *sql)
{
	char ignored[64];
	database_sql(d->folder, sql, ignored);
}

static int64_t number_of(const struct api_desk *d, const char *sql)
{
	return database_number(d->folder, sql);
}

/* ---- Accounts and tokens ---- */

static void test_accounts__login_and_tokens(void **state)
{
	struct api_desk d;
	struct visitor bot, seat;
	char cookie[API_COOKIE];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_account(&d, "ada"), b = desk_visitor(&d);
	const char *login = "{\"name\":\"ada\",\"password\":\"" PASSWORD "\"}";
	assert_string_equal(desk_text(desk_me(&d, &a), "account"), "ada");
	desk_ask(&d, &b, "POST", "/api/v1/accounts", login, 409);
	desk_ask(&d, &a, "POST", "/api/v1/accounts",
		 "{\"name\":\"eve\",\"password\":\"correct horse\"}", 409);
	desk_ask(&d, &b, "POST", "/api/v1/accounts",
		 "{\"name\":\"b\",\"password\":\"correct horse\"}", 400);
	desk_ask(&d, &b, "POST", "/api/v1/login", "{\"name\":\"ada\",\"password\":\"wrong horse\"}",
		 401);
	desk_ask(&d, &b, "POST", "/api/v1/login",
		 "{\"name\":\"nobody\",\"password\":\"wrong horse\"}", 401);
	const struct visitor back = desk_login(&d, "ada", cookie);
	assert_string_equal(back.user, a.user);
	assert_string_not_equal(back.issuer, a.issuer);
	/* A token acts for its user; a seat's token for one play alone. */
	const char *token =
		desk_text(desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201), "token");
	assert_true(api_identify(d.api, NULL, token, "127.0.0.1", &bot));
	assert_string_equal(desk_text(desk_me(&d, &bot), "id"), a.user);
	desk_ask(&d, &bot, "GET", "/api/v1/sessions", NULL, 403);
	desk_ask(&d, &bot, "GET", "/api/v1/tokens", NULL, 403);
	assert_false(desk_token_holds(&d, "qv_nonsense"));
	assert_false(desk_token_holds(&d, ""));
	const json_t *created =
		desk_ask(&d, &a, "POST", PLAYS,
			 "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}", 201);
	assert_true(
		api_identify(d.api, NULL, desk_text(created, "seat_token"), "127.0.0.1", &seat));
	char path[128];
	snprintf(path, sizeof path, PLAYS "/%s/moves", desk_text(created, "id"));
	desk_ask(&d, &seat, "POST", path, "{\"move\":\"5\"}", 200);
	created = desk_ask(&d, &a, "POST", PLAYS,
			   "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}", 201);
	snprintf(path, sizeof path, PLAYS "/%s/moves", desk_text(created, "id"));
	desk_ask(&d, &seat, "POST", path, "{\"move\":\"5\"}", 403);
	desk_ask(&d, &seat, "GET", "/api/v1/me", NULL, 403);
	desk_ask(&d, &seat, "POST", PLAYS, "{\"game\":\"noughts\"}", 403);
	desk_ask(&d, &seat, "POST", "/api/v1/tokens", "{}", 403);
	desk_ask(&d, &seat, "GET", "/api/v1/account/export", NULL, 403);
	/* A stolen token must not outlive its revocation by making others. */
	desk_ask(&d, &bot, "POST", "/api/v1/tokens", "{}", 403);
	assert_int_equal(json_array_size(json_object_get(desk_me(&d, &a), "plays")), 2);
	desk_ask(&d, &a, "POST", "/api/v1/me", "{\"name\":\"\\u202e\"}", 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_accounts__tokens_are_listed_bounded_and_revoked(void **state)
{
	struct api_desk d;
	char first[128] = "", id[64] = "", path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_account(&d, "ada"), b = desk_account(&d, "bob");
	for (int i = 0; i < 20; i++) {
		const json_t *made = desk_ask(&d, &a, "POST", "/api/v1/tokens",
					      "{\"label\":\"bot of Ada\"}", 201);
		if (i)
			continue;
		snprintf(first, sizeof first, "%s", desk_text(made, "token"));
		snprintf(id, sizeof id, "%s", desk_text(made, "id"));
	}
	desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 409);
	desk_ask(&d, &a, "POST", "/api/v1/tokens", "{\"label\":\"a\\nb\"}", 400);
	assert_true(desk_token_holds(&d, first));
	/* The day of its use is written. */
	const json_t *list = NULL;
	const char *text = "";
	for (int tries = 0; tries < 1000 && !strstr(text, "\"used\":1"); tries++) {
		desk_turn(&d, 20);
		const json_t *all = desk_ask(&d, &a, "GET", "/api/v1/tokens", NULL, 200);
		list = json_object_get(all, "tokens");
		text = d.call[d.calls].last->text;
	}
	assert_int_equal(json_array_size(list), 20);
	assert_null(strstr(d.call[d.calls].last->text, first + 3));
	int used = 0;
	const json_t *token;
	size_t i;
	json_array_foreach(list, i, token) {
		assert_string_equal(desk_text(token, "label"), "bot of Ada");
		used += json_is_integer(json_object_get(token, "used"));
	}
	assert_int_equal(used, 1);
	/* Whose it is not cannot revoke it. */
	snprintf(path, sizeof path, "/api/v1/tokens/%s/revoke", id);
	desk_ask(&d, &b, "POST", path, "{}", 404);
	assert_true(desk_token_holds(&d, first));
	desk_ask(&d, &a, "POST", path, "{}", 200);
	assert_false(desk_token_holds(&d, first));
	desk_ask(&d, &a, "POST", path, "{}", 404);
	desk_reopen(&d);
	assert_false(desk_token_holds(&d, first));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A seat token that a program got ends with the program's token, and not with a logout. */
static void test_accounts__seat_tokens_end_with_their_token(void **state)
{
	struct api_desk d;
	struct visitor bot;
	char seat[128], path[128];
	(void)state;
	desk_open(&d, 1, 100);
	struct visitor a = desk_account(&d, "ada");
	const json_t *made = desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201);
	snprintf(path, sizeof path, "/api/v1/tokens/%s/revoke", desk_text(made, "id"));
	assert_true(api_identify(d.api, NULL, desk_text(made, "token"), "127.0.0.1", &bot));
	snprintf(seat, sizeof seat, "%s",
		 desk_text(desk_ask(&d, &bot, "POST", PLAYS, two_people, 201), "seat_token"));
	assert_int_equal(strlen(seat), 94);
	desk_enter(&d, &a, "/api/v1/logout", "{\"everywhere\":true}", 200);
	assert_true(desk_token_holds(&d, seat));
	desk_ask(&d, &bot, "GET", "/api/v1/me", NULL, 200);
	desk_ask(&d, &bot, "POST", path, "{}", 200); /* it may end itself */
	assert_false(desk_token_holds(&d, seat));
	desk_ask(&d, &bot, "GET", "/api/v1/me", NULL, 401);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Sessions ---- */

static void test_sessions__logout_ends_one(void **state)
{
	struct api_desk d;
	char here[API_COOKIE], there[API_COOKIE], seat_here[128], seat_there[128];
	(void)state;
	desk_open(&d, 1, 100);
	desk_account(&d, "ada");
	struct visitor a = desk_login(&d, "ada", here);
	const struct visitor old = a, b = desk_login(&d, "ada", there);
	const json_t *made = desk_ask(&d, &a, "POST", PLAYS, two_people, 201);
	snprintf(seat_here, sizeof seat_here, "%s", desk_text(made, "seat_token"));
	const uint64_t lobby = desk_send(&d, &a, "GET", "/api/v1/lobby/events", NULL);
	const uint64_t other = desk_send(&d, &b, "GET", "/api/v1/lobby/events", NULL);
	desk_wait(&d, lobby, 1);
	made = desk_ask(&d, &b, "POST", PLAYS, two_people, 201);
	snprintf(seat_there, sizeof seat_there, "%s", desk_text(made, "seat_token"));
	assert_true(desk_cookie_holds(&d, here) && desk_token_holds(&d, seat_here));
	assert_int_equal(json_array_size(json_object_get(
				 desk_ask(&d, &a, "GET", "/api/v1/sessions", NULL, 200),
				 "sessions")),
			 3);
	desk_enter(&d, &a, "/api/v1/logout", "{}", 200);
	assert_string_not_equal(a.user, old.user);
	assert_false(desk_cookie_holds(&d, here));
	assert_false(desk_token_holds(&d, seat_here));
	/* Its streams have ended, and connections that are open do nothing more. */
	assert_true(d.call[lobby].ended);
	assert_true(d.ended > 0);
	desk_ask(&d, &old, "GET", "/api/v1/me", NULL, 401);
	struct visitor again = old;
	assert_false(api_recheck(d.api, &again));
	/* The others stay. */
	assert_true(desk_cookie_holds(&d, there) && desk_token_holds(&d, seat_there));
	assert_false(d.call[other].ended);
	desk_ask(&d, &b, "GET", "/api/v1/me", NULL, 200);
	/* So it is after a restart. */
	desk_reopen(&d);
	assert_false(desk_cookie_holds(&d, here));
	assert_false(desk_token_holds(&d, seat_here));
	assert_true(desk_cookie_holds(&d, there) && desk_token_holds(&d, seat_there));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_sessions__one_ends_another_and_all(void **state)
{
	struct api_desk d;
	char here[API_COOKIE], there[API_COOKIE], third[API_COOKIE], path[128];
	(void)state;
	desk_open(&d, 1, 100);
	desk_account(&d, "ada");
	struct visitor a = desk_login(&d, "ada", here);
	const struct visitor b = desk_login(&d, "ada", there), other = desk_account(&d, "bob");
	snprintf(path, sizeof path, "/api/v1/sessions/%s/end", b.issuer);
	desk_ask(&d, &other, "POST", path, "{}", 404);
	desk_ask(&d, &a, "POST", path, "{}", 200);
	assert_false(desk_cookie_holds(&d, there));
	assert_true(desk_cookie_holds(&d, here));
	snprintf(path, sizeof path, "/api/v1/sessions/%s/end", a.issuer);
	desk_ask(&d, &a, "POST", path, "{}", 409);
	desk_login(&d, "ada", third);
	desk_enter(&d, &a, "/api/v1/logout", "{\"everywhere\":true}", 200);
	assert_false(desk_cookie_holds(&d, here));
	assert_false(desk_cookie_holds(&d, third));
	desk_ask(&d, &other, "GET", "/api/v1/me", NULL, 200);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A user has at most fifty; crawlers and guests have none. */
static void test_sessions__rows_are_bounded(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	for (int i = 0; i < 100; i++) {
		const struct visitor guest = desk_visitor(&d);
		desk_ask(&d, &guest, "GET", "/api/v1/me", NULL, 200);
	}
	assert_int_equal(number_of(&d, "SELECT count(*) FROM user"), 0);
	const struct visitor a = desk_account(&d, "ada");
	struct store *store = desk_store_beside(&d);
	for (int i = 0; i < 200; i++) {
		struct store_session row = { .created = i, .seen = i };
		snprintf(row.id, sizeof row.id, "session-%08d", i);
		snprintf(row.user, sizeof row.user, "%s", a.user);
		assert_int_equal(store_put_session(store, &row), QV_OK);
	}
	store_close(store);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM session"), STORE_SESSIONS);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM user"), 1);
	desk_close(&d);
}

/* Cookies from before there were sessions hold until one of them ends. */
static void test_sessions__old_cookies_hold_until_they_end(void **state)
{
	struct api_desk d;
	struct secrets key;
	struct visitor old;
	char cookie[SECRETS_COOKIE], seat[SECRETS_SEAT], now[API_COOKIE];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_account(&d, "ada");
	assert_int_equal(secrets_open(d.folder, &key, NULL), QV_OK);
	secrets_cookie(&key, a.user, "", cookie);
	secrets_seat(&key, a.user, "AAAAAAAAAAAAAAAA", "", seat);
	/* An account of today needs a session. */
	assert_false(desk_cookie_holds(&d, cookie));
	assert_false(desk_token_holds(&d, seat));
	run_sql(&d, "UPDATE user SET epoch = 0; UPDATE session SET epoch = 0");
	desk_reopen(&d);
	assert_true(desk_cookie_holds(&d, cookie));
	assert_true(desk_token_holds(&d, seat));
	desk_login(&d, "ada", now);
	assert_true(desk_cookie_holds(&d, cookie));
	assert_true(api_identify(d.api, cookie, NULL, "127.0.0.1", &old));
	desk_enter(&d, &old, "/api/v1/logout", "{}", 200);
	assert_false(desk_cookie_holds(&d, cookie));
	assert_false(desk_token_holds(&d, seat));
	assert_true(desk_cookie_holds(&d, now)); /* it is of another login */
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A guest has nothing but a cookie; that ends, too. */
static void test_sessions__a_guest_logs_out(void **state)
{
	struct api_desk d;
	struct visitor fresh, guest;
	char cookie[API_COOKIE], seat[128];
	(void)state;
	desk_open(&d, 1, 100);
	assert_true(api_identify(d.api, NULL, NULL, "127.0.0.1", &fresh));
	snprintf(cookie, sizeof cookie, "%s", fresh.cookie);
	assert_true(api_identify(d.api, cookie, NULL, "127.0.0.1", &guest));
	snprintf(seat, sizeof seat, "%s",
		 desk_text(desk_ask(&d, &guest, "POST", PLAYS, two_people, 201), "seat_token"));
	assert_true(desk_token_holds(&d, seat));
	desk_enter(&d, &guest, "/api/v1/logout", "{}", 200);
	assert_false(desk_cookie_holds(&d, cookie));
	assert_false(desk_token_holds(&d, seat));
	/* One who was never stored. */
	assert_true(api_identify(d.api, NULL, NULL, "127.0.0.1", &fresh));
	snprintf(cookie, sizeof cookie, "%s", fresh.cookie);
	assert_true(api_identify(d.api, cookie, NULL, "127.0.0.1", &guest));
	desk_enter(&d, &guest, "/api/v1/logout", "{}", 200);
	assert_false(desk_cookie_holds(&d, cookie));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Over a WebSocket the cookie cannot change. */
static void test_sessions__not_over_a_socket(void **state)
{
	static const char *const paths[] = { "login", "logout", "accounts", "password",
					     "password/reset", "account/delete" };
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	json_t *body = json_object();
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		char path[64];
		snprintf(path, sizeof path, "/api/v1/%s", paths[i]);
		const struct api_request request = { .method = API_POST,
						     .path = path,
						     .query = "",
						     .body = body,
						     .visitor = &a,
						     .call = ++d.calls,
						     .no_cookie = true };
		snprintf(d.call[d.calls].method, sizeof d.call[0].method, "POST");
		snprintf(d.call[d.calls].path, sizeof d.call[0].path, "%s", path);
		api_handle(d.api, &request);
		assert_int_equal(desk_wait(&d, d.calls, 1)->last->status, 409);
		assert_non_null(strstr(d.call[d.calls].last->text, "WebSocket"));
	}
	json_decref(body);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Another process of the same database ends them: it is known within a second of the clock. */
static void test_sessions__another_process_ends_them(void **state)
{
	struct api_desk d;
	struct visitor bot;
	char here[API_COOKIE], there[API_COOKIE], seat[128], token[128], token_id[64];
	(void)state;
	desk_open(&d, 1, 100);
	desk_account(&d, "ada");
	const struct visitor a = desk_login(&d, "ada", here), b = desk_login(&d, "ada", there);
	snprintf(seat, sizeof seat, "%s",
		 desk_text(desk_ask(&d, &a, "POST", PLAYS, two_people, 201), "seat_token"));
	const json_t *made = desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201);
	snprintf(token, sizeof token, "%s", desk_text(made, "token"));
	snprintf(token_id, sizeof token_id, "%s", desk_text(made, "id"));
	assert_true(api_identify(d.api, NULL, token, "127.0.0.1", &bot));
	const uint64_t lobby = desk_send(&d, &a, "GET", "/api/v1/lobby/events", NULL);
	desk_wait(&d, lobby, 1);
	assert_true(desk_cookie_holds(&d, here) && desk_token_holds(&d, seat));
	struct store *store = desk_store_beside(&d);
	store_end_session(store, a.user, a.issuer, 1700000000);
	store_drop_token(store, a.user, token_id, 1700000000);
	store_close(store);
	const int ended = d.ended;
	d.now = desk_now(&d) + 1000;
	d.frozen = true;
	for (int i = 0; i < 6000 && d.ended == ended; i++)
		desk_turn(&d, 10); /* the store is asked once, and answers */
	assert_false(desk_cookie_holds(&d, here));
	assert_false(desk_token_holds(&d, seat));
	assert_false(desk_token_holds(&d, token));
	desk_ask(&d, &a, "GET", "/api/v1/me", NULL, 401);
	desk_ask(&d, &bot, "GET", "/api/v1/me", NULL, 401);
	assert_true(d.call[lobby].ended);
	assert_true(desk_cookie_holds(&d, there));
	desk_ask(&d, &b, "GET", "/api/v1/me", NULL, 200);
	/* More than are kept in memory: who was identified before them has to come again. */
	store = desk_store_beside(&d);
	for (int i = 0; i < 4200; i++)
		store_end_session(store, "somebody", "else", 1700000000);
	store_close(store);
	for (int read = d.ended; d.ended - read < 5; d.now += 1000)
		desk_turn(&d, 10);
	desk_ask(&d, &b, "GET", "/api/v1/me", NULL, 401);
	assert_true(desk_cookie_holds(&d, there));
	desk_close(&d);
}

/* ---- Names ---- */

static void test_names__that_look_alike(void **state)
{
	static const char *const alike[][2] = {
		{ "Alice", "alice" },	     { "Alice", "\u0410lice" }, /* Cyrillic */
		{ "Alice", "\u0391l\u0456ce" }, { "Alice", "\u00c1l\u00efce\u0301" },
		{ "Alice", "A-l_i c.e" },    { "Ilya", "llya" },
		{ "Bob0", "B\u043eb\u043e" }, { "ann", "\uff41\uff4e\uff4e" },
		{ "ann", "a\u3164nn\u2800" }, { "ann", "a\u20ddnn" },
		/* In frames, raised, lowered, small, mathematical, of flags; Roman numerals. */
		{ "alice", "\U0001f170lice" }, { "alice", "\U0001f130\U0001f15bi\U0001f172e" },
		{ "alice", "\U0001f1e6lice" }, { "alice", "\u1d43\u02e1\u2071\u1d9c\u1d49" },
		{ "alice", "\u1d00\u029f\u026a\u1d04\u1d07" }, { "alice", "\u249clice" },
		{ "alice", "\U0001d6c2lice" }, { "alice", "\U0001d770lice" },
		{ "alice", "al\u2160\u217de" }, { "bob10", "bob\u2081\u2070" },
		{ "bob123", "bob\u2460\u00b2\U0001f104" }, { "ann", "a\U000e0061nn" },
		{ "ann", "a\xc3-\xa9nn" }, /* no letter is made of what is not UTF-8 */
	};
	static const char *const unlike[][2] = {
		{ "Alice", "Alina" }, { "bob", "rob" }, { "ann", "anna" }, { "\u674e", "\u738b" },
	};
	char first[NAME_SKELETON], second[NAME_SKELETON];
	(void)state;
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
		name_skeleton(alike[i][0], first);
		name_skeleton(alike[i][1], second);
		assert_string_equal(first, second);
	}
	for (size_t i = 0; i < sizeof unlike / sizeof *unlike; i++) {
		name_skeleton(unlike[i][0], first);
		name_skeleton(unlike[i][1], second);
		assert_string_not_equal(first, second);
	}
}

static void test_names__can_be_seen(void **state)
{
	static const char *const blank[] = { "\u115f", "\u3164 \u3164", "\u2800", "\u0300\u0301",
					     "\u00a0" };
	static const char *const seen[] = { "-_-", "\u674e", "a\u0301", "\U0001f600" };
	struct api_desk d;
	char body[64];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor guest = desk_visitor(&d);
	for (size_t i = 0; i < sizeof blank / sizeof *blank; i++) {
		snprintf(body, sizeof body, "{\"name\":\"%s\"}", blank[i]);
		desk_ask(&d, &guest, "POST", "/api/v1/me", body, 400);
	}
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
		snprintf(body, sizeof body, "{\"name\":\"%s\"}", seen[i]);
		desk_ask(&d, &guest, "POST", "/api/v1/me", body, 200);
	}
	desk_close(&d);
}

static void test_names__those_of_accounts_are_reserved(void **state)
{
	static const char *const taken[] = { "Alice", "\u0410lice", "ALICE", "Admin", "Qu\u0435vedo",
					     "server", "Guest 1234", "Deleted user" };
	struct api_desk d;
	char body[128], path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor alice = desk_account(&d, "alice"), guest = desk_visitor(&d);
	const json_t *made = desk_ask(&d, &alice, "POST", PLAYS, two_people, 201);
	snprintf(path, sizeof path, PLAYS "/%s/actions", desk_text(made, "id"));
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		snprintf(body, sizeof body, "{\"name\":\"%s\"}", taken[i]);
		desk_ask(&d, &guest, "POST", "/api/v1/me", body, 409);
		snprintf(body, sizeof body, "{\"game\":\"noughts\",\"name\":\"%s\"}", taken[i]);
		desk_ask(&d, &guest, "POST", PLAYS, body, 409);
		snprintf(body, sizeof body, "{\"action\":\"join\",\"name\":\"%s\"}", taken[i]);
		desk_ask(&d, &guest, "POST", path, body, 409);
	}
	desk_ask(&d, &guest, "POST", "/api/v1/accounts",
		 "{\"name\":\"al1ce\",\"password\":\"" PASSWORD "\"}", 409);
	desk_ask(&d, &guest, "POST", "/api/v1/accounts",
		 "{\"name\":\"admin\",\"password\":\"" PASSWORD "\"}", 409);
	/* One's own are fine: of an account, and the number of a guest. */
	desk_ask(&d, &alice, "POST", "/api/v1/me", "{\"name\":\"Alice\"}", 200);
	snprintf(body, sizeof body, "{\"name\":\"%s\"}", desk_text(desk_me(&d, &guest), "name"));
	desk_ask(&d, &guest, "POST", "/api/v1/me", body, 200);
	/* Everybody can tell who has an account. */
	desk_ask(&d, &guest, "POST", path, "{\"action\":\"join\",\"name\":\"Bea\"}", 200);
	snprintf(path, sizeof path, PLAYS "/%s", desk_text(made, "id"));
	const json_t *seats =
		json_object_get(desk_ask(&d, &guest, "GET", path, NULL, 200), "seats");
	assert_true(json_is_true(json_object_get(json_array_get(seats, 0), "account")));
	assert_null(json_object_get(json_array_get(seats, 1), "account"));
	const json_t *mine = json_array_get(json_object_get(desk_me(&d, &guest), "plays"), 0);
	seats = json_object_get(mine, "seats");
	assert_true(json_is_true(json_object_get(json_array_get(seats, 0), "account")));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Deletion and export ---- */

/* Turns until the deletions are complete. */
static void finish_deletions(struct api_desk *d)
{
	for (int i = 0; i < 20000 && number_of(d, "SELECT count(*) FROM deletion"); i++) {
		api_turn(d->api);
		nap();
	}
	assert_int_equal(number_of(d, "SELECT count(*) FROM deletion"), 0);
}

static void test_deletion__leaves_the_games_of_others(void **state)
{
	static const char resign[] = "{\"action\":\"resign\"}";
	struct api_desk d;
	char shared[64], path[128], cookie[API_COOKIE], own[128];
	(void)state;
	desk_open(&d, 1, 100);
	desk_account(&d, "Annabel");
	struct visitor ann = desk_login(&d, "Annabel", cookie);
	const struct visitor bea = desk_account(&d, "bea");
	char token[64];
	snprintf(token, sizeof token, "%s",
		 desk_text(desk_ask(&d, &ann, "POST", "/api/v1/tokens", "{}", 201), "token"));
	const json_t *made = desk_ask(&d, &ann, "POST", PLAYS, two_people, 201);
	snprintf(shared, sizeof shared, "%s", desk_text(made, "id"));
	snprintf(path, sizeof path, PLAYS "/%s/actions", shared);
	desk_ask(&d, &bea, "POST", path, "{\"action\":\"join\"}", 200);
	desk_ask(&d, &ann, "POST", path, resign, 200);
	made = desk_ask(&d, &ann, "POST", PLAYS, "{\"game\":\"noughts\"}", 201);
	snprintf(own, sizeof own, PLAYS "/%s", desk_text(made, "id"));
	desk_ask(&d, &ann, "POST", "/api/v1/puzzles/chess/attempts", "{\"puzzle\":\"1x272dg\"}", 200);
	/* All of it is in the export. */
	const json_t *export =
		desk_ask(&d, &ann, "GET", "/api/v1/account/export", NULL, 200);
	assert_int_equal(json_array_size(json_object_get(export, "games")), 2);
	const json_t *user = json_object_get(export, "user");
	assert_string_equal(desk_text(user, "account"), "Annabel");
	assert_int_equal(json_array_size(json_object_get(user, "sessions")), 2);
	assert_int_equal(json_array_size(json_object_get(user, "tokens")), 1);
	assert_int_equal(json_array_size(json_object_get(user, "puzzles")), 1);
	assert_null(strstr(d.call[d.calls].last->text, "argon2"));
	/* The opponent has a name, and an id for this game only. */
	assert_non_null(strstr(d.call[d.calls].last->text, "\"user\":\"other-1\",\"name\":\"bea\""));
	assert_null(strstr(d.call[d.calls].last->text, bea.user));
	assert_string_equal(desk_text(user, "id"), ann.user);
	desk_ask(&d, &bea, "GET", "/api/v1/account/export", NULL, 200);
	assert_null(strstr(d.call[d.calls].last->text, ann.user));
	/* A token is for games. */
	struct visitor bot;
	run_sql(&d, "UPDATE account SET email = 'ann@example.org' WHERE login = 'Annabel'");
	desk_reopen(&d);
	assert_true(api_identify(d.api, NULL, token, "127.0.0.1", &bot));
	user = json_object_get(desk_ask(&d, &bot, "GET", "/api/v1/account/export", NULL, 200), "user");
	assert_string_equal(desk_text(user, "name"), "Annabel");
	assert_null(json_object_get(user, "sessions"));
	assert_null(json_object_get(user, "tokens"));
	assert_null(strstr(d.call[d.calls].last->text, "example.org"));
	desk_ask(&d, &bot, "GET", "/api/v1/me", NULL, 200);
	assert_null(strstr(d.call[d.calls].last->text, "example.org"));
	desk_ask(&d, &ann, "GET", "/api/v1/account/export", NULL, 200);
	assert_non_null(strstr(d.call[d.calls].last->text, "example.org"));
	desk_ask(&d, &ann, "GET", "/api/v1/account/export?after=x", NULL, 400);
	desk_ask(&d, &ann, "POST", "/api/v1/account/delete", "{\"password\":\"wrong horse\"}", 401);
	desk_ask(&d, &ann, "POST", "/api/v1/account/delete", "{}", 400);
	const struct visitor before = ann;
	desk_enter(&d, &ann, "/api/v1/account/delete", "{\"password\":\"" PASSWORD "\"}", 200);
	assert_false(desk_cookie_holds(&d, cookie));
	desk_ask(&d, &before, "GET", "/api/v1/me", NULL, 401);
	finish_deletions(&d);
	/* The opponent keeps the game without the name. */
	snprintf(path, sizeof path, PLAYS "/%s", shared);
	const json_t *play = desk_ask(&d, &bea, "GET", path, NULL, 200);
	const json_t *seats = json_object_get(play, "seats");
	assert_string_equal(desk_text(json_array_get(seats, 0), "name"), "Deleted user");
	assert_string_equal(desk_text(json_array_get(seats, 1), "name"), "bea");
	desk_ask(&d, &bea, "GET", own, NULL, 404);
	const json_t *games = desk_ask(&d, &bea, "GET", "/api/v1/me/games", NULL, 200);
	assert_int_equal(json_integer_value(json_object_get(games, "total")), 1);
	assert_null(strstr(d.call[d.calls].last->text, "Annabel"));
	/* Nothing of the name is in the database. */
	assert_int_equal(number_of(&d, "SELECT (SELECT count(*) FROM event WHERE line LIKE "
				       "'%Annabel%') + (SELECT count(*) FROM finished WHERE entry "
				       "LIKE '%Annabel%' OR opponents LIKE '%Annabel%') + (SELECT "
				       "count(*) FROM explored WHERE entry LIKE '%Annabel%') + (SELECT "
				       "count(*) FROM user WHERE name LIKE '%Annabel%') + (SELECT "
				       "count(*) FROM token) + (SELECT count(*) FROM puzzle_attempt)"),
			 0);
	/* The name is free again. */
	desk_account(&d, "Annabel");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* It goes on where it was when the server ended. */
static void test_deletion__goes_on_after_a_restart(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor ann = desk_account(&d, "ann"), guest = desk_visitor(&d);
	for (int i = 0; i < 20; i++)
		desk_ask(&d, &ann, "POST", PLAYS, two_people, 201);
	desk_ask(&d, &guest, "POST", PLAYS, two_people, 201);
	api_close(d.api);
	/* By the operator, while no server runs. */
	struct store *store = desk_store_beside(&d);
	store_delete_user(store, ann.user, "Deleted user", 1700000000);
	store_close(store);
	desk_api_open(&d);
	api_turn(d.api);
	desk_reopen(&d);
	finish_deletions(&d);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM play"), 1);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM account"), 0);
	desk_close(&d);
}

/* A long export comes in parts. */
static void test_export__comes_in_parts(void **state)
{
	struct api_desk d;
	int games = 0, parts = 0;
	char path[128] = "/api/v1/account/export";
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (int i = 0; i < 10; i++)
		desk_ask(&d, &a, "POST", PLAYS, two_people, 201);
	/* Each game has a line of 1 MB. */
	run_sql(&d, "INSERT INTO event (play, number, line) SELECT id, 2, '{\"note\":\"' || hex(zeroblob(500000)) || "
		    "'\"}' FROM play");
	for (const char *next = ""; next; parts++) {
		const json_t *part = desk_ask(&d, &a, "GET", path, NULL, 200);
		assert_int_equal(json_object_get(part, "user") != NULL, parts == 0);
		assert_true(strlen(d.call[d.calls].last->text) < 6 << 20);
		games += (int)json_array_size(json_object_get(part, "games"));
		next = json_string_value(json_object_get(part, "next"));
		snprintf(path, sizeof path, "/api/v1/account/export?after=%s", next ? next : "");
	}
	assert_int_equal(games, 10);
	assert_true(parts > 1);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* desk_answer looks for secrets in whatever the server sends. */
static void test_export__has_no_secret_before_its_roll(void **state)
{
	struct api_desk d;
	char play[64], path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const json_t *made = desk_ask(&d, &a, "POST", PLAYS,
				      "{\"game\":\"backgammon\",\"seats\":[\"human\",\"human\"]}", 201);
	snprintf(play, sizeof play, PLAYS "/%s", desk_text(made, "id"));
	const json_t *dice = json_object_get(desk_ask(&d, &a, "GET", play, NULL, 200), "dice");
	assert_non_null(desk_text(dice, "commit"));
	desk_ask(&d, &a, "GET", "/api/v1/account/export", NULL, 200);
	snprintf(path, sizeof path, "%s/actions", play);
	desk_ask(&d, &a, "POST", path, "{\"action\":\"throw\",\"seed\":\"x\"}", 200);
	dice = json_object_get(desk_ask(&d, &a, "GET", play, NULL, 200), "dice");
	const char *secret = desk_text(json_object_get(dice, "last"), "secret");
	desk_ask(&d, &a, "GET", "/api/v1/account/export", NULL, 200);
	assert_non_null(strstr(d.call[d.calls].last->text, secret)); /* for whoever verifies it */
	desk_close(&d);
}

/* A part that lacks something must not look like the last one. */
static void test_export__what_cannot_be_read_is_an_error(void **state)
{
	static const char path[] = "/api/v1/account/export";
	static const char *const tables[] = { "user",		"account", "session", "token",
					      "puzzle_attempt", "studies", "seat",    "event" };
	struct api_desk d;
	char sql[256];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_account(&d, "ada");
	desk_ask(&d, &a, "POST", PLAYS, two_people, 201);
	desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201);
	desk_ask(&d, &a, "POST", "/api/v1/puzzles/chess/attempts", "{\"puzzle\":\"1x272dg\"}", 200);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		/* Statements can be prepared, and fail when they run. */
		snprintf(sql, sizeof sql,
			 "ALTER TABLE %s RENAME TO gone; CREATE VIEW %s AS SELECT * FROM gone "
			 "WHERE abs(-9223372036854775807 - 1)",
			 tables[i], tables[i]);
		run_sql(&d, sql);
		desk_ask(&d, &a, "GET", path, NULL, 503);
		snprintf(sql, sizeof sql, "DROP VIEW %s; ALTER TABLE gone RENAME TO %s", tables[i],
			 tables[i]);
		run_sql(&d, sql);
		const json_t *part = desk_ask(&d, &a, "GET", path, NULL, 200);
		assert_int_equal(json_array_size(json_object_get(part, "games")), 1);
	}
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accounts__login_and_tokens),
		cmocka_unit_test(test_accounts__tokens_are_listed_bounded_and_revoked),
		cmocka_unit_test(test_accounts__seat_tokens_end_with_their_token),
		cmocka_unit_test(test_sessions__logout_ends_one),
		cmocka_unit_test(test_sessions__one_ends_another_and_all),
		cmocka_unit_test(test_sessions__rows_are_bounded),
		cmocka_unit_test(test_sessions__old_cookies_hold_until_they_end),
		cmocka_unit_test(test_sessions__a_guest_logs_out),
		cmocka_unit_test(test_sessions__not_over_a_socket),
		cmocka_unit_test(test_sessions__another_process_ends_them),
		cmocka_unit_test(test_names__that_look_alike),
		cmocka_unit_test(test_names__can_be_seen),
		cmocka_unit_test(test_names__those_of_accounts_are_reserved),
		cmocka_unit_test(test_deletion__leaves_the_games_of_others),
		cmocka_unit_test(test_deletion__goes_on_after_a_restart),
		cmocka_unit_test(test_export__comes_in_parts),
		cmocka_unit_test(test_export__has_no_secret_before_its_roll),
		cmocka_unit_test(test_export__what_cannot_be_read_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
