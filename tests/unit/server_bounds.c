/*
 * server_bounds.c - what visitors may store: quotas of a day, space, and how long guests are remembered.
 * SPDX-License-Identifier: MIT
 */
#include "support/accounts.h"
#include "support/database.h"

#define PLAYS "/api/v1/plays"
#define NEW "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}"

static struct visitor visitor_at(struct api_desk *d, const char *address)
{
	struct visitor who = desk_visitor(d);
	snprintf(who.address, sizeof who.address, "%s", address);
	return who;
}

static int64_t number_of(const struct api_desk *d, const char *sql)
{
	return database_number(d->folder, sql);
}

static int post(struct api_desk *d, const struct visitor *who, const char *path, const char *body)
{
	return desk_wait(d, desk_send(d, who, "POST", path, body), 1)->last->status;
}

/* Makes plays until one is refused; returns how many there were. */
static int make_many(struct api_desk *d, const struct visitor *who, int refusal, const char **last)
{
	for (int count = 0; count < 1000; count++) {
		const struct desk_call *c = desk_wait(d, desk_send(d, who, "POST", PLAYS, NEW), 1);
		if (c->last->status == refusal)
			return count;
		if (c->last->status != 201)
			fail_msg("%d: %s", count, c->last->text);
		*last = desk_text(c->last->json, "id");
	}
	fail_msg("nothing was refused");
	return 0;
}

/* ---- Quotas ---- */

#define DAYS "SELECT count(DISTINCT day) FROM quota"

static void test_bounds__an_address_stores_so_much_in_a_day(void **state)
{
	enum { DAY_BYTES = 12000 };
	struct api_desk d;
	const char *id = "";
	(void)state;
	desk_open(&d, 1, 1);
	d.day_bytes = DAY_BYTES;
	desk_reopen(&d);
	d.frozen = true;
	const struct visitor a = visitor_at(&d, "192.0.2.1"), b = visitor_at(&d, "192.0.2.1"),
			     c = visitor_at(&d, "192.0.2.2");
	const int count = make_many(&d, &a, 429, &id);
	assert_in_range(count, 10, 29);
	/* Another user of the same address has no more; another address has its own. */
	assert_int_equal(post(&d, &b, PLAYS, NEW), 429);
	assert_int_equal(post(&d, &b, "/api/v1/me", "{\"name\":\"Bob\"}"), 429);
	assert_int_equal(post(&d, &b, "/api/v1/tokens", "{}"), 429);
	desk_ask(&d, &c, "POST", PLAYS, NEW, 201);
	/* The game goes on. */
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	desk_ask(&d, &b, "GET", play_path(id, ""), NULL, 200);
	const int64_t bytes = number_of(&d, "SELECT sum(length(line)) FROM event");
	assert_true(bytes < DAY_BYTES + 2000);
	/* It is remembered, but not whose it is. */
	desk_reopen(&d);
	assert_int_equal(post(&d, &a, PLAYS, NEW), 429);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM quota"), 4);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM quota WHERE name LIKE '%192.0%'"), 0);
	assert_true(number_of(&d, "SELECT max(used) FROM quota") >= DAY_BYTES);
	/* Until the next day, which also cleans up. */
	d.days = 1;
	desk_ask(&d, &a, "POST", PLAYS, NEW, 201);
	desk_reopen(&d);
	desk_ask(&d, &a, "POST", PLAYS, NEW, 201);
	d.now += 600000; /* the first look is not at once */
	for (int i = 0; i < 500 && number_of(&d, DAYS) != 1; i++)
		desk_turn(&d, 20);
	desk_reopen(&d);
	assert_int_equal(number_of(&d, DAYS), 1);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_bounds__a_user_with_many_addresses_has_one_quota(void **state)
{
	struct api_desk d;
	char address[32];
	int count = 0;
	(void)state;
	desk_open(&d, 1, 1);
	d.day_bytes = 20000;
	desk_reopen(&d);
	struct visitor a = desk_visitor(&d);
	for (;; count++) {
		snprintf(address, sizeof address, "192.0.2.%d", count);
		snprintf(a.address, sizeof a.address, "%s", address);
		if (post(&d, &a, PLAYS, NEW) == 429)
			break;
		assert_in_range(count, 0, 100);
	}
	assert_in_range(count, 10, 100);
	desk_close(&d);
}

/* A long record is charged whole, and so are studies. */
static void test_bounds__what_is_large_is_charged(void **state)
{
	struct api_desk d;
	char about[3001] = "";
	(void)state;
	desk_open(&d, 1, 1);
	d.day_bytes = 12000;
	desk_reopen(&d);
	const struct visitor a = desk_visitor(&d);
	memset(about, 'x', sizeof about - 1);
	json_t *study = json_pack(
		"{s:s, s:s, s:[{s:s, s:s}]}", "title", "Study", "about", about, "chapters", "name",
		"One", "record",
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[]}\n");
	char *body = json_dumps(study, 0);
	int count = 0;
	while (post(&d, &a, "/api/v1/studies", body) == 201)
		count++;
	assert_int_equal(count, 4);
	free(body);
	json_decref(study);
	desk_close(&d);
}

/* Whatever is not needed to play the games that have begun. */
static void test_bounds__beyond_the_quota_games_are_only_played(void **state)
{
	static const char *const added[] = {
		"{\"action\":\"note\",\"text\":\"x\"}", "{\"action\":\"undo\"}",
		"{\"action\":\"redo\"}",		 "{\"action\":\"offer\",\"kind\":\"swap\"}",
		"{\"action\":\"swap\"}",		 "{\"action\":\"seat\",\"seat\":2,\"spec\":\"open\"}",
		"{\"action\":\"engine\",\"engine\":\"browser\"}",
	};
	static const char moved[] = "{\"move\":\"5\"}", resigns[] = "{\"action\":\"resign\",\"seat\":1}";
	struct api_desk d;
	const char *id = "", *other;
	(void)state;
	desk_open(&d, 1, 1);
	d.day_bytes = 12000;
	desk_reopen(&d);
	d.frozen = true;
	const struct visitor a = visitor_at(&d, "192.0.2.1"), b = visitor_at(&d, "192.0.2.2"),
			     c = visitor_at(&d, "192.0.2.1");
	const json_t *made = desk_ask(&d, &a, "POST", PLAYS,
				      "{\"game\":\"chess\",\"seats\":[\"human\",\"open\"]}", 201);
	const char *shared = desk_text(made, "id");
	desk_ask(&d, &b, "POST", play_path(shared, "/actions"), "{\"action\":\"join\"}", 200);
	make_many(&d, &a, 429, &id);
	d.now += 60000;
	for (size_t i = 0; i < sizeof added / sizeof *added; i++)
		assert_int_equal(post(&d, &a, play_path(id, "/actions"), added[i]), 429);
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), moved, 200);
	desk_ask(&d, &a, "POST", play_path(id, "/actions"), resigns, 200);
	/* A rematch would be another game. */
	assert_int_equal(post(&d, &a, play_path(id, "/actions"), "{\"action\":\"rematch\"}"), 429);
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	/* Draws end the game; who has stored less may write in it. */
	desk_ask(&d, &a, "POST", play_path(shared, "/moves"), "{\"move\":\"e2e4\"}", 200);
	desk_ask(&d, &b, "POST", play_path(shared, "/actions"),
		 "{\"action\":\"offer\",\"kind\":\"undo\",\"plies\":1}", 200);
	assert_int_equal(post(&d, &a, play_path(shared, "/actions"),
			      "{\"action\":\"accept\",\"kind\":\"undo\"}"),
			 429);
	desk_ask(&d, &a, "POST", play_path(shared, "/actions"),
		 "{\"action\":\"decline\",\"kind\":\"undo\"}", 200);
	desk_ask(&d, &a, "POST", play_path(shared, "/actions"),
		 "{\"action\":\"offer\",\"kind\":\"draw\"}", 200);
	desk_ask(&d, &b, "POST", play_path(shared, "/actions"),
		 "{\"action\":\"accept\",\"kind\":\"draw\"}", 200);
	/* Nor may others of the address join a game. */
	other = desk_text(desk_ask(&d, &b, "POST", PLAYS,
				   "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}", 201),
			  "id");
	assert_int_equal(post(&d, &c, play_path(other, "/actions"), "{\"action\":\"join\"}"), 429);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Each is charged to the address that asks for it. */
static void test_bounds__rematches_are_charged(void **state)
{
	static const char body[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}";
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	d.day_bytes = 100; /* times 100 */
	desk_reopen(&d);
	const struct visitor a = visitor_at(&d, "192.0.2.1"), b = visitor_at(&d, "192.0.2.1");
	const char *id = desk_text(desk_ask(&d, &a, "POST", PLAYS, body, 201), "id");
	int count = 0;
	for (; count < 100; count++) {
		desk_ask(&d, &a, "POST", play_path(id, "/actions"), "{\"action\":\"resign\"}", 200);
		const struct desk_call *c =
			desk_wait(&d, desk_send(&d, &a, "POST", play_path(id, "/actions"),
						"{\"action\":\"rematch\"}"),
				  1);
		if (c->last->status == 429)
			break;
		id = desk_text(c->last->json, "rematch");
		d.now += 1000;
	}
	assert_in_range(count, 5, 40);
	assert_int_equal(post(&d, &b, PLAYS, body), 429);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_bounds__a_rematch_is_a_game_in_progress(void **state)
{
	static const char rematch[] = "{\"action\":\"rematch\"}",
			  resigns[] = "{\"action\":\"resign\",\"seat\":1}";
	struct api_desk d;
	const char *id = "";
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *old = desk_text(desk_ask(&d, &a, "POST", PLAYS, NEW, 201), "id");
	desk_ask(&d, &a, "POST", play_path(old, "/actions"), resigns, 200);
	assert_int_equal(make_many(&d, &a, 429, &id), 200);
	assert_int_equal(post(&d, &a, play_path(old, "/actions"), rematch), 429);
	desk_ask(&d, &a, "POST", play_path(id, "/actions"), resigns, 200);
	desk_ask(&d, &a, "POST", play_path(old, "/actions"), rematch, 200);
	assert_int_equal(post(&d, &a, PLAYS, NEW), 429);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* As with rates: a /48 has as much as LIMIT_SITE of its networks. */
static void test_bounds__a_site_has_a_quota(void **state)
{
	struct api_desk d;
	char address[64];
	int count = 0;
	(void)state;
	desk_open(&d, 1, 1);
	d.day_bytes = 500;
	desk_reopen(&d);
	for (; count < 100; count++) {
		snprintf(address, sizeof address, "2001:db8:1:%x::/64", count + 1);
		const struct visitor a = visitor_at(&d, address);
		if (post(&d, &a, PLAYS, NEW) == 429)
			break;
	}
	assert_in_range(count, 5, 16);
	const struct visitor other = visitor_at(&d, "2001:db8:2:1::/64");
	desk_ask(&d, &other, "POST", PLAYS, NEW, 201);
	/* It is remembered. */
	desk_reopen(&d);
	const struct visitor again = visitor_at(&d, "2001:db8:1:ffff::/64");
	assert_int_equal(post(&d, &again, PLAYS, NEW), 429);
	desk_close(&d);
}

/* Rows of the database are locked in the order of the writes. */
static void test_bounds__charges_are_stored_by_name(void **state)
{
	enum { VISITORS = 12 };
	struct api_desk d;
	char ignored[64], address[32];
	(void)state;
	desk_open(&d, 1, 100);
	database_sql(d.folder,
		     "CREATE TABLE seen (name TEXT) STRICT; CREATE TRIGGER see AFTER INSERT ON quota"
		     " BEGIN INSERT INTO seen VALUES (NEW.name); END", ignored);
	desk_reopen(&d);
	d.now = clock_us() / 1000;
	d.frozen = true;
	for (int i = 0; i < VISITORS; i++) {
		snprintf(address, sizeof address, "192.0.2.%d", i);
		const struct visitor who = visitor_at(&d, address);
		desk_ask(&d, &who, "POST", PLAYS, NEW, 201);
	}
	assert_int_equal(number_of(&d, "SELECT count(*) FROM quota"), 0);
	d.now += 6000;
	for (int i = 0; i < 2000 && number_of(&d, "SELECT count(*) FROM quota") < 2 * VISITORS; i++)
		desk_turn(&d, 5);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM seen"), 2 * VISITORS);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM seen a JOIN seen b ON b.rowid ="
				       " a.rowid + 1 WHERE b.name < a.name"), 0);
	desk_close(&d);
}

/* Charges that cannot be stored are not lost. */
static void test_bounds__charges_are_stored_again(void **state)
{
	struct api_desk d;
	char ignored[64];
	(void)state;
	desk_open(&d, 1, 100);
	database_sql(d.folder, "CREATE TRIGGER refuse BEFORE INSERT ON quota"
			       " BEGIN SELECT RAISE(ABORT, 'no'); END", ignored);
	desk_reopen(&d);
	d.now = clock_us() / 1000;
	d.frozen = true;
	const struct visitor who = visitor_at(&d, "192.0.2.1");
	desk_ask(&d, &who, "POST", PLAYS, NEW, 201);
	for (int i = 0; i < 5; i++) {
		d.now += 6000;
		desk_turn(&d, 20);
	}
	assert_int_equal(number_of(&d, "SELECT count(*) FROM quota"), 0);
	database_sql(d.folder, "DROP TRIGGER refuse", ignored);
	for (int i = 0; i < 1000 && number_of(&d, "SELECT count(*) FROM quota") < 2; i++) {
		d.now += 6000;
		desk_turn(&d, 5);
	}
	assert_int_equal(number_of(&d, "SELECT count(*) FROM quota WHERE used > 300"), 2);
	desk_close(&d);
}

/* ---- Space ---- */

static void test_bounds__short_space_stops_what_is_new_only(void **state)
{
	struct api_desk d;
	const char *id = "";
	(void)state;
	desk_open(&d, 1, 100);
	d.max_data = 368 << 10;
	desk_reopen(&d);
	const struct visitor a = desk_visitor(&d);
	const int count = make_many(&d, &a, 503, &id);
	assert_in_range(count, 10, 1000);
	assert_non_null(strstr(d.log, "error store: space is short, nothing new is stored"));
	assert_int_equal(post(&d, &a, "/api/v1/me", "{\"name\":\"Ann\"}"), 503);
	assert_int_equal(post(&d, &a, play_path(id, "/actions"),
			      "{\"action\":\"note\",\"text\":\"x\"}"),
			 503);
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200);
	assert_true(number_of(&d, "SELECT page_count * page_size FROM pragma_page_count,"
				  " pragma_page_size") <= d.max_data);
	/* With more space it is over, without a restart of anything else. */
	d.max_data = 0;
	desk_reopen(&d);
	desk_ask(&d, &a, "POST", PLAYS, NEW, 201);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- What guests leave behind ---- */

static void test_bounds__finished_games_of_guests_are_forgotten(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	d.keep_guests = 30;
	desk_reopen(&d);
	d.frozen = true;
	const struct visitor guest = desk_visitor(&d), member = desk_account(&d, "Member");
	const char *body = "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}";
	const char *old = desk_text(desk_ask(&d, &guest, "POST", PLAYS, body, 201), "id");
	const char *going = desk_text(desk_ask(&d, &guest, "POST", PLAYS, body, 201), "id");
	const char *kept = desk_text(desk_ask(&d, &member, "POST", PLAYS, body, 201), "id");
	desk_ask(&d, &guest, "POST", play_path(old, "/actions"), "{\"action\":\"resign\"}", 200);
	desk_ask(&d, &member, "POST", play_path(kept, "/actions"), "{\"action\":\"resign\"}", 200);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM play"), 3);
	/* Too early. */
	d.days = 29;
	desk_trust_clock(&d);
	for (int i = 0; i < 10; i++) {
		d.now += 3600000;
		desk_turn(&d, 5);
	}
	desk_reopen(&d);
	assert_int_equal(number_of(&d, "SELECT count(*) FROM play"), 3);
	/* Not while it is in memory, either. */
	d.days = 32;
	desk_ask(&d, &guest, "GET", play_path(old, ""), NULL, 200);
	for (int i = 0; i < 10; i++) {
		d.now += 2000;
		desk_turn(&d, 5);
	}
	assert_int_equal(number_of(&d, "SELECT count(*) FROM play"), 3);
	desk_reopen(&d);
	d.now += 600000; /* the first look is not at once */
	for (int i = 0; i < 1000 && number_of(&d, "SELECT count(*) FROM play") > 2; i++) {
		d.now += 2000;
		desk_turn(&d, 5);
	}
	assert_int_equal(number_of(&d, "SELECT count(*) FROM play"), 2);
	desk_ask(&d, &guest, "GET", play_path(old, ""), NULL, 404);
	desk_ask(&d, &guest, "GET", play_path(going, ""), NULL, 200);
	desk_ask(&d, &member, "GET", play_path(kept, ""), NULL, 200);
	assert_int_equal(json_integer_value(json_object_get(
				 desk_ask(&d, &member, "GET", "/api/v1/me/games", NULL, 200),
				 "total")),
			 1);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Turns until that many games are left, or many portions later. */
static int64_t games_left(struct api_desk *d, const char *which, int64_t wanted)
{
	char sql[80];
	snprintf(sql, sizeof sql, "SELECT count(*) FROM play WHERE %s", which);
	int64_t left = number_of(d, sql);
	d->now += 3600000;
	for (int i = 0; i < 100 && left != wanted; i++) {
		d->now += 60000;
		desk_turn(d, 5);
		left = number_of(d, sql);
	}
	return left;
}

static void test_bounds__a_wrong_clock_removes_nothing(void **state)
{
	struct api_desk d;
	char cookie[API_COOKIE];
	(void)state;
	desk_open(&d, 1, 100);
	d.now = desk_now(&d);
	d.frozen = true;
	const struct visitor guest = desk_visitor(&d);
	desk_account(&d, "Member");
	const struct visitor member = desk_login(&d, "Member", cookie);
	const char *body = "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}";
	const char *old = desk_text(desk_ask(&d, &guest, "POST", PLAYS, body, 201), "id");
	desk_ask(&d, &guest, "POST", play_path(old, "/actions"), "{\"action\":\"resign\"}", 200);
	d.keep_guests = 30;
	for (int i = 0; i < 2; i++) { /* the next start is no reason to trust it */
		d.days = 400 + i;
		desk_reopen(&d);
		d.log[0] = '\0';
		assert_int_equal(games_left(&d, "going = 0", 0), 1);
		assert_non_null(strstr(d.log, "clock: it is 40"));
		/* What the wrong time is written to does not make it right. */
		desk_ask(&d, &guest, "POST", PLAYS, body, 201);
		/* Nor does the session end. */
		desk_ask(&d, &member, "GET", "/api/v1/me", NULL, 200);
		assert_true(desk_cookie_holds(&d, cookie));
	}
	d.days = 400;
	desk_reopen(&d);
	d.log[0] = '\0';
	assert_int_equal(games_left(&d, "going = 0", 0), 1);
	desk_trust_clock(&d);
	assert_int_equal(games_left(&d, "going = 0", 0), 0);
	games_left(&d, "going = 0", 1); /* the pass ends */
	assert_non_null(strstr(d.log, "warn removed what guests left: 1 games"));
	desk_close(&d);
}

static void test_bounds__unfinished_games_of_guests_are_forgotten(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	d.now = desk_now(&d);
	d.frozen = true;
	const struct visitor guest = desk_visitor(&d), member = desk_account(&d, "Member");
	desk_ask(&d, &guest, "POST", PLAYS, NEW, 201);
	const char *over = desk_text(desk_ask(&d, &guest, "POST", PLAYS, NEW, 201), "id");
	desk_ask(&d, &guest, "POST", play_path(over, "/actions"), "{\"action\":\"resign\"}", 200);
	desk_ask(&d, &member, "POST", PLAYS, NEW, 201);
	d.keep_unfinished = 50;
	for (int keep = 0; keep < 2; keep++) { /* finished games stay, or go */
		d.keep_guests = keep ? 20 : 0;
		d.days = 49;
		desk_trust_clock(&d);
		desk_reopen(&d);
		assert_int_equal(games_left(&d, "true", keep ? 1 : 3), keep ? 1 : 3);
		d.days = 52;
		desk_reopen(&d);
		assert_int_equal(games_left(&d, "true", keep ? 1 : 2), keep ? 1 : 2);
	}
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds__an_address_stores_so_much_in_a_day),
		cmocka_unit_test(test_bounds__a_user_with_many_addresses_has_one_quota),
		cmocka_unit_test(test_bounds__what_is_large_is_charged),
		cmocka_unit_test(test_bounds__beyond_the_quota_games_are_only_played),
		cmocka_unit_test(test_bounds__rematches_are_charged),
		cmocka_unit_test(test_bounds__a_rematch_is_a_game_in_progress),
		cmocka_unit_test(test_bounds__a_site_has_a_quota),
		cmocka_unit_test(test_bounds__charges_are_stored_by_name),
		cmocka_unit_test(test_bounds__charges_are_stored_again),
		cmocka_unit_test(test_bounds__short_space_stops_what_is_new_only),
		cmocka_unit_test(test_bounds__finished_games_of_guests_are_forgotten),
		cmocka_unit_test(test_bounds__a_wrong_clock_removes_nothing),
		cmocka_unit_test(test_bounds__unfinished_games_of_guests_are_forgotten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
