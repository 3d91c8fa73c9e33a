/*
 * server_passwords.c - passwords of accounts: a change, a reset by a code, and mail for it.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/secrets.h"
#include "server/store/store.h"
#include "support/accounts.h"

static void test_passwords__a_change_ends_all_sessions(void **state)
{
	struct api_desk d;
	char here[API_COOKIE], there[API_COOKIE], changed[API_COOKIE], token[128];
	(void)state;
	desk_open(&d, 1, 100);
	desk_account(&d, "ada");
	struct visitor a = desk_login(&d, "ada", here);
	const struct visitor b = desk_login(&d, "ada", there), guest = desk_visitor(&d);
	snprintf(token, sizeof token, "%s",
		 desk_text(desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201), "token"));
#define CHANGE(old, new, rest) "{\"old\":\"" old "\",\"new\":\"" new "\"" rest "}"
	desk_ask(&d, &guest, "POST", "/api/v1/password", CHANGE(PASSWORD, "battery staple", ""),
		 409);
	desk_ask(&d, &a, "POST", "/api/v1/password", CHANGE(PASSWORD, "short", ""), 400);
	desk_ask(&d, &a, "POST", "/api/v1/password", "{\"old\":\"" PASSWORD "\"}", 400);
	/* Who has tokens must say what becomes of them. */
	desk_ask(&d, &a, "POST", "/api/v1/password", CHANGE(PASSWORD, "battery staple", ""), 400);
	desk_ask(&d, &a, "POST", "/api/v1/password",
		 CHANGE("wrong horse", "battery staple", ",\"tokens\":\"keep\""), 401);
	assert_true(desk_cookie_holds(&d, there));
	desk_enter(&d, &a, "/api/v1/password",
		   CHANGE(PASSWORD, "battery staple", ",\"tokens\":\"keep\",\"label\":\"Desk\""),
		   200);
	desk_cookie(&d, changed);
	assert_false(desk_cookie_holds(&d, there));
	desk_ask(&d, &b, "GET", "/api/v1/me", NULL, 401);
	/* Whoever has copied the cookie that made the change is out, too. */
	assert_false(desk_cookie_holds(&d, here));
	assert_true(desk_cookie_holds(&d, changed));
	const json_t *list =
		json_object_get(desk_ask(&d, &a, "GET", "/api/v1/sessions", NULL, 200), "sessions");
	assert_int_equal(json_array_size(list), 1);
	assert_string_equal(desk_text(json_array_get(list, 0), "label"), "Desk");
	assert_true(desk_token_holds(&d, token));
	desk_enter(&d, &a, "/api/v1/password",
		   CHANGE("battery staple", PASSWORD, ",\"tokens\":\"revoke\""), 200);
	assert_false(desk_token_holds(&d, token));
	assert_false(desk_cookie_holds(&d, changed));
	desk_ask(&d, &a, "GET", "/api/v1/me", NULL, 200);
	desk_login(&d, "ada", NULL);
#undef CHANGE
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The operator's code, as `quevedo server users reset` makes it. */
static void put_code(struct api_desk *d, const char *user, int64_t expires, char text[SECRETS_CODE])
{
	struct store *store = desk_store_beside(d);
	struct store_code code = { .purpose = "reset", .expires = expires };
	snprintf(code.user, sizeof code.user, "%s", user);
	assert_true(secrets_ready());
	secrets_code(text, code.hash);
	assert_int_equal(store_put_code(store, &code), QV_OK);
	store_close(store);
}

static void test_passwords__a_code_works_once(void **state)
{
	struct api_desk d;
	char code[SECRETS_CODE], late[SECRETS_CODE], there[API_COOKIE], body[256];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_account(&d, "ada");
	struct visitor guest = desk_visitor(&d);
	desk_login(&d, "ada", there);
	put_code(&d, a.user, desk_seconds(&d) - 1, late);
	put_code(&d, a.user, desk_seconds(&d) + 86400, code);
	snprintf(body, sizeof body, "{\"code\":\"%s\",\"new\":\"battery staple\"}", late);
	desk_ask(&d, &guest, "POST", "/api/v1/password/reset", body, 403);
	desk_ask(&d, &guest, "POST", "/api/v1/password/reset",
		 "{\"code\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"new\":\"battery staple\"}", 403);
	snprintf(body, sizeof body, "{\"code\":\"%s\",\"new\":\"battery staple\"}", code);
	desk_enter(&d, &guest, "/api/v1/password/reset", body, 200);
	assert_string_equal(guest.user, a.user);
	assert_false(desk_cookie_holds(&d, there));
	desk_ask(&d, &guest, "POST", "/api/v1/password/reset", body, 403);
	const struct visitor other = desk_visitor(&d);
	desk_ask(&d, &other, "POST", "/api/v1/login",
		 "{\"name\":\"ada\",\"password\":\"" PASSWORD "\"}", 401);
	desk_ask(&d, &other, "POST", "/api/v1/login",
		 "{\"name\":\"ada\",\"password\":\"battery staple\"}", 200);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Who has tokens must say what becomes of them, and the code is still good if they do not. */
static void test_passwords__a_reset_keeps_or_revokes_tokens(void **state)
{
	static const struct {
		const char *tokens;
		int status;
		bool holds;
	} cases[] = { { "", 400, true },
		      { ",\"tokens\":\"drop\"", 400, true },
		      { ",\"tokens\":\"keep\"", 200, true },
		      { ",\"tokens\":\"revoke\"", 200, false } };
	struct api_desk d;
	char code[SECRETS_CODE], token[128], body[256];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_account(&d, "ada");
	snprintf(token, sizeof token, "%s",
		 desk_text(desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201), "token"));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct visitor guest = desk_visitor(&d);
		if (i == 0 || cases[i - 1].status == 200)
			put_code(&d, a.user, desk_seconds(&d) + 86400, code);
		snprintf(body, sizeof body, "{\"code\":\"%s\",\"new\":\"battery staple\"%s}", code,
			 cases[i].tokens);
		if (cases[i].status == 200)
			desk_enter(&d, &guest, "/api/v1/password/reset", body, 200);
		else
			desk_ask(&d, &guest, "POST", "/api/v1/password/reset", body,
				 cases[i].status);
		assert_true(desk_token_holds(&d, token) == cases[i].holds);
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Whoever knew the old password may have asked for a code to another mailbox. */
static void test_passwords__a_new_one_ends_pending_addresses(void **state)
{
	struct api_desk d;
	char pending[64], code[SECRETS_CODE], confirm[128], body[256];
	(void)state;
	desk_open(&d, 1, 100);
	desk_mails(&d);
	struct visitor a = desk_account(&d, "ada");
	for (int by_code = 0; by_code < 2; by_code++) {
		desk_ask(&d, &a, "POST", "/api/v1/account/email",
			 "{\"password\":\"" PASSWORD "\",\"email\":\"eve@games.example\"}", 200);
		desk_mailed(&d, "eve@games.example", pending);
		put_code(&d, a.user, desk_seconds(&d) + 86400, code);
		snprintf(body, sizeof body, "{\"code\":\"%s\",\"new\":\"" PASSWORD "\"}", code);
		if (by_code)
			desk_enter(&d, &a, "/api/v1/password/reset", body, 200);
		else
			desk_enter(&d, &a, "/api/v1/password",
				   "{\"old\":\"" PASSWORD "\",\"new\":\"" PASSWORD "\"}", 200);
		snprintf(confirm, sizeof confirm, "{\"code\":\"%s\"}", pending);
		desk_ask(&d, &a, "POST", "/api/v1/account/email/confirm", confirm, 403);
		assert_true(json_is_null(json_object_get(desk_me(&d, &a), "email")));
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A token is for games: who has stolen one must not get the account by a mailbox. */
static void test_passwords__a_token_confirms_no_address(void **state)
{
	struct api_desk d;
	struct visitor program;
	char code[64], token[128], confirm[128];
	(void)state;
	desk_open(&d, 1, 100);
	desk_mails(&d);
	const struct visitor a = desk_account(&d, "ada");
	snprintf(token, sizeof token, "%s",
		 desk_text(desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201), "token"));
	assert_true(api_identify(d.api, NULL, token, "127.0.0.1", &program));
	desk_ask(&d, &a, "POST", "/api/v1/account/email",
		 "{\"password\":\"" PASSWORD "\",\"email\":\"ada@games.example\"}", 200);
	desk_mailed(&d, "ada@games.example", code);
	snprintf(confirm, sizeof confirm, "{\"code\":\"%s\"}", code);
	desk_ask(&d, &program, "POST", "/api/v1/account/email/confirm", confirm, 403);
	assert_true(json_is_null(json_object_get(desk_me(&d, &a), "email")));
	desk_ask(&d, &a, "POST", "/api/v1/account/email/confirm", confirm, 200);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_passwords__mail_tells_nothing_about_names(void **state)
{
	struct api_desk d;
	char code[64], body[256], path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor guest = desk_visitor(&d);
	desk_ask(&d, &guest, "POST", "/api/v1/password/forgotten", "{\"name\":\"ada\"}", 409);
	desk_mails(&d);
	struct visitor a = desk_account(&d, "ada");
	desk_ask(&d, &a, "POST", "/api/v1/account/email",
		 "{\"password\":\"wrong horse\",\"email\":\"ada@games.example\"}", 401);
	desk_ask(&d, &a, "POST", "/api/v1/account/email",
		 "{\"password\":\"" PASSWORD "\",\"email\":\"-oQ/tmp@x y\"}", 400);
	desk_ask(&d, &a, "POST", "/api/v1/account/email",
		 "{\"password\":\"" PASSWORD "\",\"email\":\"ada@games.example\"}", 200);
	desk_mailed(&d, "ada@games.example", code);
	/* It is not used before its owner has confirmed it, as the same user. */
	assert_true(json_is_null(json_object_get(desk_me(&d, &a), "email")));
	snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
	desk_ask(&d, &guest, "POST", "/api/v1/account/email/confirm", body, 403);
	desk_ask(&d, &a, "POST", "/api/v1/account/email/confirm", body, 200);
	desk_ask(&d, &a, "POST", "/api/v1/account/email/confirm", body, 403);
	assert_string_equal(desk_text(desk_me(&d, &a), "email"), "ada@games.example");
	/* The same answer for a name with an address and for one that nobody has. */
	desk_ask(&d, &guest, "POST", "/api/v1/password/forgotten", "{\"name\":\"nobody\"}", 200);
	const char *no = d.call[d.calls].last->text;
	desk_ask(&d, &guest, "POST", "/api/v1/password/forgotten", "{\"name\":\"ada\"}", 200);
	assert_string_equal(no, d.call[d.calls].last->text);
	desk_mailed(&d, "ada@games.example", code);
	/* Three at once for an account, one of which was for the address. */
	for (int i = 0; i < 5; i++)
		desk_ask(&d, &guest, "POST", "/api/v1/password/forgotten", "{\"name\":\"ada\"}",
			 200);
	desk_mailed(&d, "ada@games.example", code);
	desk_turn(&d, 100);
	snprintf(path, sizeof path, "%s/mail", d.folder);
	assert_int_not_equal(access(path, F_OK), 0);
	desk_ask(&d, &a, "POST", "/api/v1/account/email",
		 "{\"password\":\"" PASSWORD "\",\"email\":\"\"}", 200);
	assert_true(json_is_null(json_object_get(desk_me(&d, &a), "email")));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A command that fails is noted for the operator, without the address. */
static void test_passwords__mail_that_fails_is_logged(void **state)
{
	static const struct {
		const char *command, *line;
	} cases[] = {
		{ "/bin/false", "error mail: the command failed: exit status 1\n" },
		{ "sh -c 'cat >&2; echo \"no such user: <$2>\" >&2; exit 67' sendmail",
		  "error mail: the command failed: exit status 67: no such user: <****" },
		{ "sh -c 'echo busy; kill -9 $$' sendmail",
		  "error mail: the command failed: signal 9: busy\n" },
		{ "/nowhere/sendmail", "error mail: the command failed: " },
	};
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char name[16];
		d.mail_command = cases[i].command;
		desk_reopen(&d);
		d.log[0] = '\0';
		snprintf(name, sizeof name, "ada%zu", i);
		const struct visitor a = desk_account(&d, name);
		desk_ask(&d, &a, "POST", "/api/v1/account/email",
			 "{\"password\":\"" PASSWORD "\",\"email\":\"ada@games.example\"}", 200);
		for (int n = 0; n < 20000 && !strstr(d.log, "mail: "); n++) {
			api_turn(d.api);
			nap();
		}
		if (!strstr(d.log, cases[i].line) || strstr(d.log, "games.example"))
			fail_msg("%s: %s", cases[i].command, d.log);
	}
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passwords__a_change_ends_all_sessions),
		cmocka_unit_test(test_passwords__a_code_works_once),
		cmocka_unit_test(test_passwords__a_reset_keeps_or_revokes_tokens),
		cmocka_unit_test(test_passwords__a_new_one_ends_pending_addresses),
		cmocka_unit_test(test_passwords__a_token_confirms_no_address),
		cmocka_unit_test(test_passwords__mail_tells_nothing_about_names),
		cmocka_unit_test(test_passwords__mail_that_fails_is_logged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
