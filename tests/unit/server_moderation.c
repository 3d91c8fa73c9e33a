/*
 * server_moderation.c - tests of what protects people from each other: reports, suspensions, notices
 * to owners of accounts, and the audit trail.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/moderation.h"
#include "server/store/moderation.h"
#include "support/accounts.h"

/* The rows of a question; the caller frees them. */
static struct store_rows *rows_of(struct api_desk *d, enum store_question question, const char *key,
				  int64_t most)
{
	struct store *store = desk_store_beside(d);
	const struct store_value value = key ? value_text(key) : value_number(most);
	struct store_rows *rows = NULL;
	struct qv_error error = { "" };
	if (store_read_now(store, question, &value, &rows, &error) != QV_OK)
		fail_msg("%s", error.text);
	store_close(store);
	return rows;
}

static int64_t count_of(struct api_desk *d, enum store_question question, const char *key)
{
	struct store_rows *rows = rows_of(d, question, key, 1000);
	const int64_t count = (int64_t)rows->count;
	store_rows_free(rows);
	return count;
}

/* A game between the two. */
static void make_game(struct api_desk *d, const struct visitor *a, const struct visitor *b,
		      char id[STORE_ID])
{
	const json_t *made = desk_ask(d, a, "POST", "/api/v1/plays",
				      "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}", 201);
	snprintf(id, STORE_ID, "%s", desk_text(made, "id"));
	desk_ask(d, b, "POST", play_path(id, "/actions"), "{\"action\":\"join\"}", 200);
}

static const char *report_of(const char *id, int seat, const char *rest)
{
	static char body[2600];
	snprintf(body, sizeof body, "{\"kind\":\"game\",\"id\":\"%s\",\"seat\":%d%s}", id, seat, rest);
	return body;
}

/* ---- Reports ---- */

static void test_reports__are_kept_for_the_operator(void **state)
{
	static const char study[] =
		"{\"title\":\"Openings\",\"chapters\":[{\"name\":\"One\",\"record\":\"{\\\"quevedo\\\":1,"
		"\\\"game\\\":\\\"noughts\\\",\\\"position\\\":\\\"start\\\",\\\"seats\\\":[]}\\n\"}]}";
	struct api_desk d;
	char id[STORE_ID], body[256];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor ann = desk_account(&d, "ann"), bob = desk_visitor(&d);
	make_game(&d, &ann, &bob, id);
	const json_t *made = desk_ask(&d, &bob, "POST", "/api/v1/reports",
				      report_of(id, 1, ",\"reason\":\"name\",\"text\":\"two\\nlines\""),
				      201);
	char report[STORE_ID];
	snprintf(report, sizeof report, "%s", desk_text(made, "reported"));
	struct store_rows *rows = rows_of(&d, ASK_REPORT, report, 0);
	assert_int_equal(rows->count, 1);
	assert_string_equal(store_rows_text(rows, 0, REPORT_REPORTER), bob.user);
	assert_string_equal(store_rows_text(rows, 0, REPORT_ABOUT), ann.user);
	assert_string_equal(store_rows_text(rows, 0, REPORT_OBJECT), id);
	assert_string_equal(store_rows_text(rows, 0, REPORT_SHOWN), "ann");
	assert_string_equal(store_rows_text(rows, 0, REPORT_TEXT), "two\nlines");
	store_rows_free(rows);
	/* A study, by its owner. */
	made = desk_ask(&d, &ann, "POST", "/api/v1/studies", study, 201);
	snprintf(body, sizeof body, "{\"kind\":\"study\",\"id\":\"%s\",\"reason\":\"content\"}",
		 desk_text(made, "id"));
	desk_ask(&d, &ann, "POST", "/api/v1/reports", body, 409);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", body, 201);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", body, 429); /* again */
	/* What is wrong with a report. */
	static const char *const bad[] = { "", ",\"reason\":\"boring\"", ",\"reason\":5",
					   ",\"reason\":\"name\",\"text\":\"\\u0007\"",
					   ",\"reason\":\"name\",\"about\":\"x\"" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(id, 1, bad[i]), 400);
	char text[560], rest[640];
	memset(text, 'x', 501);
	text[501] = '\0';
	snprintf(rest, sizeof rest, ",\"reason\":\"name\",\"text\":\"%s\"", text);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(id, 1, rest), 400);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(id, 2, ",\"reason\":\"name\""), 409);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of("Anone12345678901", 1, ",\"reason\":\"name\""),
		 404);
	desk_ask(&d, &bob, "POST", "/api/v1/reports",
		 "{\"kind\":\"study\",\"id\":\"Anone12345678901\",\"reason\":\"name\"}", 404);
	assert_int_equal(count_of(&d, ASK_REPORTS, NULL), 2);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A terminal obeys U+009B; U+202E turns what is written beside it. */
static void test_texts__control_nothing(void **state)
{
	static const char *const marks[] = { "\\u009b2J", "\\u202e", "\\u0085", "\\u007f", "\\u0007" };
	struct api_desk d;
	char id[STORE_ID], body[300];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor ann = desk_account(&d, "ann"), bob = desk_visitor(&d);
	make_game(&d, &ann, &bob, id);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		snprintf(body, sizeof body, ",\"reason\":\"name\",\"text\":\"a%s\"", marks[i]);
		desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(id, 1, body), 400);
		snprintf(body, sizeof body, "{\"label\":\"a%s\"}", marks[i]);
		desk_ask(&d, &ann, "POST", "/api/v1/tokens", body, 400);
		snprintf(body, sizeof body, "{\"name\":\"a%s\"}", marks[i]);
		desk_ask(&d, &bob, "POST", "/api/v1/me", body, 400);
		snprintf(body, sizeof body, "{\"action\":\"note\",\"text\":\"a%s\"}", marks[i]);
		desk_ask(&d, &bob, "POST", play_path(id, "/actions"), body, 400);
		snprintf(body, sizeof body,
			 "{\"title\":\"a%s\",\"chapters\":[{\"name\":\"One\",\"record\":"
			 "\"{\\\"quevedo\\\":1,\\\"game\\\":\\\"noughts\\\","
			 "\\\"position\\\":\\\"start\\\",\\\"seats\\\":[]}\\n\"}]}",
			 marks[i]);
		desk_ask(&d, &ann, "POST", "/api/v1/studies", body, 400);
	}
	desk_ask(&d, &ann, "POST", "/api/v1/tokens", "{\"label\":\"caf\\u00e9\"}", 201);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* As many as wait. */
static void close_reports(struct api_desk *d, size_t most)
{
	struct store_rows *rows = rows_of(d, ASK_REPORTS, NULL, 1000);
	struct store *store = desk_store_beside(d);
	for (size_t i = 0; i < rows->count && i < most; i++)
		if (!store_rows_number(rows, i, REPORT_CLOSED)) {
			store_close_report(store, store_rows_text(rows, i, REPORT_ID), desk_seconds(d));
			store_end_unit(store, NULL, NULL);
		}
	store_close(store);
	store_rows_free(rows);
}

/* Of a reporter, of a thing, of a network, of an address. A closed one makes room. */
static void test_reports__are_bounded(void **state)
{
	struct api_desk d;
	char id[STORE_ID], game[STORE_ID];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor ann = desk_visitor(&d), bob = desk_visitor(&d);
	make_game(&d, &ann, &bob, id);
	/* Of ten about one thing three come from one network, however many guests and addresses it has. */
	for (int i = 0; i < 13; i++) {
		struct visitor eve = desk_visitor(&d);
		snprintf(eve.address, sizeof eve.address, "192.0.%d.%d", i / 4, i);
		desk_ask(&d, &eve, "POST", "/api/v1/reports",
			 report_of(id, 1, ",\"reason\":\"other\""), i % 4 < 3 ? 201 : 429);
	}
	desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(id, 1, ",\"reason\":\"other\""), 429);
	close_reports(&d, 1);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(id, 1, ",\"reason\":\"other\""), 201);
	for (int i = 0; i < 19; i++) {
		make_game(&d, &ann, &bob, game);
		desk_ask(&d, &ann, "POST", play_path(game, "/actions"), "{\"action\":\"resign\"}", 200);
		desk_ask(&d, &bob, "POST", "/api/v1/reports",
			 report_of(game, 1, ",\"reason\":\"cheating\""), 201);
	}
	make_game(&d, &ann, &bob, game);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(game, 1, ",\"reason\":\"cheating\""),
		 429);
	/* A network has forty in all: 20 of Bob, and 20 of guests with other addresses there. */
	for (int i = 0; i < 21; i++) {
		struct visitor eve = desk_visitor(&d);
		snprintf(eve.address, sizeof eve.address, "127.0.0.%d", 2 + i);
		if (i % 2 == 0)
			make_game(&d, &ann, &bob, game);
		desk_ask(&d, &ann, "POST", play_path(game, "/actions"), "{\"action\":\"resign\"}",
			 i % 2 == 0 ? 200 : 409);
		desk_ask(&d, &eve, "POST", "/api/v1/reports",
			 report_of(game, 1, ",\"reason\":\"other\""), i < 20 ? 201 : 429);
	}
	close_reports(&d, 1000);
	/* An address has five, then one in five minutes. */
	d.per_address = 1;
	desk_reopen(&d);
	int count = 0, status = 0;
	while (count < 20 && status != 429) {
		const struct visitor eve = desk_visitor(&d);
		/* One closed makes room for the next, as far as its network goes. */
		const uint64_t call = desk_send(&d, &eve, "POST", "/api/v1/reports",
						report_of(game, 1, ",\"reason\":\"other\""));
		status = desk_wait(&d, call, 1)->last->status;
		close_reports(&d, 1000);
		count++;
	}
	assert_int_equal(count, 6);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* With the account go what others have reported about it, and whose own reports they were. */
static void test_reports__and_the_deletion_of_an_account(void **state)
{
	struct api_desk d;
	char id[STORE_ID];
	(void)state;
	desk_open(&d, 1, 100);
	struct visitor ann = desk_account(&d, "ann"), bob = desk_account(&d, "bob");
	make_game(&d, &ann, &bob, id);
	desk_ask(&d, &bob, "POST", "/api/v1/reports", report_of(id, 1, ",\"reason\":\"name\""), 201);
	desk_ask(&d, &ann, "POST", "/api/v1/reports", report_of(id, 2, ",\"reason\":\"name\""), 201);
	const json_t *saved = desk_ask(&d, &ann, "GET", "/api/v1/account/export", NULL, 200);
	const json_t *own = json_object_get(json_object_get(saved, "user"), "reports");
	assert_int_equal(json_array_size(own), 1);
	assert_string_equal(desk_text(json_array_get(own, 0), "object"), id);
	own = json_object_get(json_object_get(saved, "user"), "audit");
	bool noted = false; /* in the same second as the export, perhaps */
	for (size_t i = 0; i < json_array_size(own); i++)
		noted |= strcmp(desk_text(json_array_get(own, i), "what"), "account") == 0;
	assert_true(noted);
	desk_enter(&d, &ann, "/api/v1/account/delete", "{\"password\":\"" PASSWORD "\"}", 200);
	struct store_rows *rows = rows_of(&d, ASK_REPORTS, NULL, 10);
	assert_int_equal(rows->count, 1);
	assert_string_equal(store_rows_text(rows, 0, REPORT_ABOUT), bob.user);
	assert_string_equal(store_rows_text(rows, 0, REPORT_REPORTER), "");
	store_rows_free(rows);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Suspensions ---- */

/* As quevedo server suspend and unsuspend do it. */
static void suspend(struct api_desk *d, const char *target, int64_t until, bool ends)
{
	struct store *store = desk_store_beside(d);
	struct store_suspension s = { .reason = "a rude name", .made = desk_seconds(d), .until = until };
	snprintf(s.target, sizeof s.target, "%s", target);
	if (ends)
		store_unsuspend(store, target, desk_seconds(d));
	else
		store_suspend(store, &s);
	store_close(store);
	/* The server looks for revocations, and then for suspensions. */
	for (int i = 0; i < 20000 && !suspension_of(d->api, target, target) != ends; i++) {
		d->skew += 1000;
		desk_turn(d, 1);
	}
}

static void test_suspension__refuses_whatever_changes_something(void **state)
{
	static const char profile[] = "{\"name\":\"Ann\"}";
	struct api_desk d;
	char id[STORE_ID];
	(void)state;
	desk_open(&d, 1, 100);
	struct visitor ann = desk_account(&d, "ann");
	const struct visitor bob = desk_visitor(&d);
	make_game(&d, &ann, &bob, id);
	const uint64_t stream = desk_send(&d, &ann, "GET", play_path(id, "/events"), NULL);
	desk_wait(&d, stream, 1);
	suspend(&d, ann.user, 0, false);
	assert_true(d.call[stream].ended);
	const json_t *why = desk_ask(&d, &ann, "POST", "/api/v1/me", profile, 403);
	assert_string_equal(desk_text(json_object_get(why, "error"), "message"),
			    "suspended: the operator has suspended your account: a rude name");
	desk_ask(&d, &ann, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}", 403);
	desk_ask(&d, &bob, "POST", "/api/v1/me", profile, 409); /* the name is an account's */
	/* Reading, a copy and the end of it all are allowed; and another device is no way around. */
	desk_ask(&d, &ann, "GET", play_path(id, ""), NULL, 200);
	desk_ask(&d, &ann, "GET", "/api/v1/account/export", NULL, 200);
	const struct visitor again = desk_login(&d, "ann", NULL);
	desk_ask(&d, &again, "POST", "/api/v1/me", profile, 403);
	/* The opponent need not wait for a player who cannot move. */
	desk_ask(&d, &ann, "GET", play_path(id, "/events"), NULL, 403);
	const json_t *play = desk_ask(&d, &bob, "GET", play_path(id, ""), NULL, 200);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(play, "claim"), "seat")), 1);
	/* It survives a restart, and ends. */
	desk_reopen(&d);
	desk_ask(&d, &ann, "POST", "/api/v1/me", profile, 403);
	suspend(&d, ann.user, 0, true);
	desk_ask(&d, &ann, "POST", "/api/v1/me", profile, 200);
	suspend(&d, ann.user, desk_seconds(&d) + 3600, false);
	desk_ask(&d, &ann, "POST", "/api/v1/me", profile, 403);
	d.skew += 3601 * 1000;
	desk_ask(&d, &ann, "POST", "/api/v1/me", profile, 200);
	/* An address, with whoever comes from there. */
	const uint64_t follows = desk_send(&d, &bob, "GET", play_path(id, "/events"), NULL);
	desk_wait(&d, follows, 1);
	suspend(&d, "127.0.0.1", 0, false);
	assert_true(d.call[follows].ended);
	desk_ask(&d, &bob, "POST", "/api/v1/me", "{\"name\":\"Bob\"}", 403);
	desk_ask(&d, &bob, "POST", "/api/v1/login", "{\"name\":\"ann\",\"password\":\"x\"}", 403);
	suspend(&d, "127.0.0.1", 0, true);
	suspend(&d, ann.user, 0, false);
	desk_enter(&d, &ann, "/api/v1/account/delete", "{\"password\":\"" PASSWORD "\"}", 200);
	assert_int_equal(count_of(&d, ASK_SUSPENSIONS, NULL), 0);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Notices ---- */

static void test_notices__go_to_the_address_before_the_change(void **state)
{
	struct api_desk d;
	char code[64], body[128];
	(void)state;
	desk_open(&d, 1, 100);
	desk_mails(&d);
	struct visitor ann = desk_account(&d, "ann");
	static const char *const addresses[] = { "old@games.example", "new@games.example" };
	for (int i = 0; i < 2; i++) {
		snprintf(body, sizeof body, "{\"password\":\"" PASSWORD "\",\"email\":\"%s\"}",
			 addresses[i]);
		desk_ask(&d, &ann, "POST", "/api/v1/account/email", body, 200);
		desk_mailed(&d, addresses[i], code);
		snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
		desk_ask(&d, &ann, "POST", "/api/v1/account/email/confirm", body, 200);
	}
	desk_noticed(&d, "old@games.example", "its address is another one");
	desk_enter(&d, &ann, "/api/v1/password",
		   "{\"old\":\"" PASSWORD "\",\"new\":\"battery staple\"}", 200);
	desk_noticed(&d, "new@games.example", "the password was changed");
	desk_ask(&d, &ann, "POST", "/api/v1/tokens", "{}", 201);
	desk_noticed(&d, "new@games.example", "a token was made");
	desk_ask(&d, &ann, "POST", "/api/v1/account/email",
		 "{\"password\":\"battery staple\",\"email\":\"\"}", 200);
	desk_noticed(&d, "new@games.example", "this address was removed");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- The audit trail ---- */

static void test_audit__has_a_line_of_each(void **state)
{
	static const char *const expected[] = {
		"account",  "login",	   "logout",	  "session_end", "token",
		"token_revoke", "password", "reset_asked", "reset",	 "email_asked",
		"email",    "export",	   "delete",	  "wrong_password",
	};
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	desk_mails(&d);
	try_accounts(&d);
	const struct visitor guest = desk_visitor(&d);
	desk_account(&d, "eve");
	for (int i = 0; i < 3; i++)
		desk_ask(&d, &guest, "POST", "/api/v1/login",
			 "{\"name\":\"eve\",\"password\":\"wrong horse\"}", 401);
	desk_turn(&d, 10);
	struct store_rows *rows = rows_of(&d, ASK_AUDIT, NULL, 1000);
	for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
		const bool wrong = strcmp(expected[e], "wrong_password") == 0;
		size_t i = 0;
		while (i < rows->count &&
		       strcmp(store_rows_text(rows, i, AUDIT_WHAT), expected[e]) != 0)
			i++;
		if (i == rows->count)
			fail_msg("no line of %s", expected[e]);
		assert_string_equal(store_rows_text(rows, i, AUDIT_NETWORK), "127.0.0.0");
		assert_true(wrong == !*store_rows_text(rows, i, AUDIT_USER));
	}
	int64_t wrong = 0; /* a row for each hour */
	for (size_t i = 0; i < rows->count; i++)
		if (strcmp(store_rows_text(rows, i, AUDIT_WHAT), "wrong_password") == 0) {
			assert_int_equal(store_rows_number(rows, i, AUDIT_MADE) % 3600, 0);
			wrong += store_rows_number(rows, i, AUDIT_TIMES);
		}
	assert_int_equal(wrong, 3);
	/* Neither names nor addresses are in it. */
	for (size_t i = 0; i < rows->count; i++)
		for (int c = AUDIT_WHAT; c <= AUDIT_DETAIL; c++) {
			assert_null(strstr(store_rows_text(rows, i, c), "ann"));
			assert_null(strstr(store_rows_text(rows, i, c), "@"));
			assert_null(strstr(store_rows_text(rows, i, c), "127.0.0.1"));
		}
	store_rows_free(rows);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* What is old goes with the rest of the upkeep. */
static void test_moderation__forgets_what_is_old(void **state)
{
	const int64_t now = 1700000000, day = 86400;
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	struct store *store = desk_store_beside(&d);
	const struct {
		const char *id;
		int64_t made, closed;
	} reports[] = { { "open", now - 300 * day, 0 },
			{ "forgotten", now - 366 * day, 0 },
			{ "closed", now - 100 * day, now - 80 * day },
			{ "gone", now - 100 * day, now - 91 * day } };
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
		const struct store_report r = { .id = reports[i].id, .made = reports[i].made,
						.reporter = "a", .kind = "game",
						.object = reports[i].id, .about = "b", .shown = "",
						.reason = "other", .text = "",
						.network = "" };
		store_add_report(store, &r);
		if (reports[i].closed)
			store_close_report(store, r.id, reports[i].closed);
	}
	for (int i = 0; i < 2; i++) {
		struct store_suspension s = { .made = now, .until = i ? now - 1 : 0 };
		snprintf(s.target, sizeof s.target, "user %d", i);
		store_suspend(store, &s);
		const struct store_audit entry = { .made = now - (i ? 181 : 179) * day,
						   .what = "login", .user = "", .network = "",
						   .detail = "" };
		store_add_audit(store, &entry);
	}
	store_end_unit(store, NULL, NULL);
	struct store_prune prune = { .before = now, .today = now / day, .now = now };
	while (prune.phase != PRUNE_DONE) {
		store_prune_step(store, &prune);
		nap();
		store_deliver(store);
	}
	assert_false(prune.failed);
	store_close(store);
	assert_int_equal(count_of(&d, ASK_REPORTS, NULL), 2);
	assert_int_equal(count_of(&d, ASK_REPORT, "open"), 1);
	assert_int_equal(count_of(&d, ASK_REPORT, "closed"), 1);
	assert_int_equal(count_of(&d, ASK_SUSPENSIONS, NULL), 1);
	assert_int_equal(count_of(&d, ASK_AUDIT, NULL), 1);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports__are_kept_for_the_operator),
		cmocka_unit_test(test_texts__control_nothing),
		cmocka_unit_test(test_reports__are_bounded),
		cmocka_unit_test(test_reports__and_the_deletion_of_an_account),
		cmocka_unit_test(test_suspension__refuses_whatever_changes_something),
		cmocka_unit_test(test_notices__go_to_the_address_before_the_change),
		cmocka_unit_test(test_audit__has_a_line_of_each),
		cmocka_unit_test(test_moderation__forgets_what_is_old),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
