/*
 * server_reads.c - requests that wait for the store: what is served meanwhile, who leaves, what is
 * asked for twice, what is paid for, and how much the database has to look at.
 * SPDX-License-Identifier: MIT
 *
 * The server has no threads here: nothing comes from the store before desk_step.
 */
#include <sqlite3.h>

#include "server/store/statements.h"
#include "support/api_desk.h"
#include "support/database.h"

#define PLAYS "/api/v1/plays"
#define ME "/api/v1/me"

static const char two_people[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}";
static const char four_seats[] =
	"{\"game\":\"starchess\",\"seats\":[\"human\",\"open\",\"open\",\"open\"]}";

static bool is_answered(const struct api_desk *d, uint64_t call)
{
	return d->call[call].count > 0;
}

static uint64_t get(struct api_desk *d, const struct visitor *who, const char *path)
{
	return desk_send(d, who, "GET", path, NULL);
}

static const char *make(struct api_desk *d, const struct visitor *who)
{
	return desk_text(desk_ask(d, who, "POST", PLAYS, two_people, 201), "id");
}

/* A server without threads and with an empty memory; what is due at its start is done. */
static void reopen(struct api_desk *d)
{
	d->manual = true;
	desk_reopen(d);
	while (desk_step(d))
		api_turn(d->api);
	api_turn(d->api);
	assert_false(api_step(d->api, API_STORE));
}

/* One question of the store, or one commit, and its delivery. */
static void step_once(struct api_desk *d)
{
	assert_true(api_step(d->api, API_STORE));
	api_turn(d->api);
}

/* ---- While the store is slow ---- */

static void test_reads__others_are_served_while_the_store_is_slow(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *here = make(&d, &a), *there = make(&d, &a);
	reopen(&d);
	desk_ask(&d, &b, "GET", "/api/v1/health", NULL, 200); /* who is known from now on */
	desk_ask(&d, &a, "GET", play_path(here, ""), NULL, 200);
	const uint64_t slow[] = { get(&d, &a, play_path(there, "")), get(&d, &a, ME),
				  get(&d, &a, "/api/v1/studies"), get(&d, &a, "/api/v1/me/games"),
				  get(&d, &a, "/api/v1/puzzles/chess"),
				  desk_send(&d, &a, "POST", PLAYS, two_people) };
	for (int i = 0; i < 3; i++)
		api_turn(d.api);
	for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
		assert_false(is_answered(&d, slow[i]));
	assert_true(is_answered(&d, get(&d, &b, play_path(here, ""))));
	assert_true(is_answered(&d, get(&d, &b, play_path(here, "/events"))));
	assert_true(is_answered(&d, get(&d, &b, "/api/v1/health")));
	assert_true(is_answered(&d, get(&d, &b, "/api/v1/games")));
	assert_true(is_answered(&d, get(&d, &b, "/api/v1/lobby")));
	/* A new guest is not in the store. */
	struct visitor guest;
	assert_true(api_identify(d.api, NULL, NULL, "127.0.0.1", &guest));
	const int before = d.call[desk_send(&d, &guest, "POST", PLAYS, "{\"game\":\"none\"}")].count;
	assert_int_equal(before, 1);
	for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
		assert_in_range(desk_wait(&d, slow[i], 1)->last->status, 200, 201);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Twenty requests of one address are not served before one of another. */
static void test_reads__an_address_waits_for_itself(void **state)
{
	enum { MANY = 20 };
	struct api_desk d;
	uint64_t many[MANY];
	int answered = 0;
	(void)state;
	desk_open(&d, 1, 100);
	struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	snprintf(b.address, sizeof b.address, "192.0.2.2");
	make(&d, &a);
	make(&d, &b);
	reopen(&d);
	desk_ask(&d, &a, "GET", ME, NULL, 200); /* known from now on */
	desk_ask(&d, &b, "GET", ME, NULL, 200);
	for (int i = 0; i < MANY; i++)
		many[i] = get(&d, &a, "/api/v1/me/games");
	const uint64_t one = get(&d, &b, "/api/v1/me/games");
	while (!is_answered(&d, one))
		step_once(&d);
	for (int i = 0; i < MANY; i++)
		answered += is_answered(&d, many[i]);
	assert_in_range(answered, 1, 2);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(desk_wait(&d, many[i], 1)->last->status, 200);
	desk_close(&d);
}

static void test_reads__whoever_leaves_is_not_answered(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a);
	reopen(&d);
	const uint64_t gone[] = { get(&d, &a, play_path(id, "")), get(&d, &a, ME),
				  get(&d, &a, play_path(id, "/events")) };
	const uint64_t stays = get(&d, &a, play_path(id, "/record"));
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
		api_cancel(d.api, gone[i]);
	assert_int_equal(desk_wait(&d, stays, 1)->last->status, 200);
	/* A game that nobody waits for any more is not replayed. */
	reopen(&d);
	api_cancel(d.api, get(&d, &a, play_path(id, "")));
	step_once(&d);
	assert_int_equal(json_integer_value(json_object_get(
				 desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200), "plays")),
			 0);
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
		assert_false(is_answered(&d, gone[i]));
	desk_close(&d);
}

static void test_reads__a_server_that_closes_answers_those_who_wait(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a);
	reopen(&d);
	const uint64_t waiting[] = { get(&d, &a, play_path(id, "")), get(&d, &a, ME),
				     get(&d, &a, "/api/v1/lobby/events") };
	/* One of them is answered by the store, but not delivered. */
	assert_true(api_step(d.api, API_STORE));
	desk_reopen(&d);
	for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
		assert_int_equal(d.call[waiting[i]].last->status, 503);
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	desk_close(&d);
}

/* Renames a table, so that nothing can be read from it, and back. */
static void hide(const struct api_desk *d, const char *table, bool hidden)
{
	char text[128];
	sqlite3 *db;
	snprintf(text, sizeof text, "%s/quevedo.db", d->folder);
	assert_int_equal(sqlite3_open(text, &db), SQLITE_OK);
	snprintf(text, sizeof text, "ALTER TABLE %s RENAME TO %s", hidden ? table : "gone",
		 hidden ? "gone" : table);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void test_reads__what_cannot_be_read_is_an_error(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	reopen(&d);
	hide(&d, "studies", true);
	desk_ask(&d, &a, "GET", "/api/v1/studies", NULL, 503);
	assert_non_null(strstr(d.log, "error response: 503 "));
	hide(&d, "studies", false);
	desk_ask(&d, &a, "GET", "/api/v1/studies", NULL, 200);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void step_all(struct api_desk *d)
{
	while (desk_step(d))
		api_turn(d->api);
	api_turn(d->api);
}

static void test_reads__a_list_whose_names_cannot_be_read_is_one_error(void **state)
{
	static const char *const paths[] = { "/api/v1/lobby", ME };
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	/* An invitation still: the lobby has those of an owner who is there. */
	const char *id = desk_text(desk_ask(&d, &a, "POST", PLAYS, four_seats, 201), "id");
	desk_ask(&d, &b, "POST", play_path(id, "/actions"), "{\"action\":\"join\"}", 200);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		reopen(&d);
		desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200); /* known from now on */
		hide(&d, "account", true);
		/* The game stays in memory, the other one who plays it does not. */
		desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 503);
		const uint64_t call = get(&d, &a, paths[i]);
		step_all(&d);
		assert_int_equal(d.call[call].count, 1);
		assert_int_equal(d.call[call].last->status, 503);
		hide(&d, "account", false);
		desk_ask(&d, &a, "GET", paths[i], NULL, 200);
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Once for all ---- */

static void test_reads__a_game_is_read_once_for_all_who_wait(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = make(&d, &a);
	reopen(&d);
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200); /* who is known from now on */
	desk_ask(&d, &b, "GET", "/api/v1/health", NULL, 200);
	const uint64_t looks[] = { get(&d, &a, play_path(id, "")), get(&d, &b, play_path(id, "")),
				   get(&d, &b, play_path(id, "/events")) };
	/* The second move is legal after the first only. */
	const uint64_t first =
		desk_send(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}");
	const uint64_t second =
		desk_send(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"1\"}");
	const uint64_t third =
		desk_send(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}");
	step_once(&d);
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		assert_int_equal(d.call[looks[i]].last->status, 200);
	/* What is left is the commit of the moves. */
	step_once(&d);
	assert_false(api_step(d.api, API_STORE));
	assert_int_equal(d.call[first].last->status, 200);
	assert_int_equal(d.call[second].last->status, 200);
	assert_int_equal(d.call[third].last->status, 409);
	/* Neither is a game that does not exist asked for again and again. */
	const uint64_t none = get(&d, &a, play_path("Anone12345678901", ""));
	step_once(&d);
	assert_int_equal(d.call[none].last->status, 404);
	assert_false(api_step(d.api, API_STORE));
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_reads__names_and_tokens_are_cached(void **state)
{
	struct api_desk d;
	struct visitor bot, foreign;
	char wrong[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *token =
		desk_text(desk_ask(&d, &a, "POST", "/api/v1/tokens", "{}", 201), "token");
	const char *id = desk_text(desk_ask(&d, &a, "POST", PLAYS,
					    "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}",
					    201),
				   "id");
	reopen(&d);
	assert_true(api_identify(d.api, NULL, token, "127.0.0.1", &bot));
	snprintf(wrong, sizeof wrong, "%s", token);
	wrong[6] = wrong[6] == 'A' ? 'B' : 'A';
	assert_true(api_identify(d.api, NULL, wrong, "127.0.0.1", &foreign));
	desk_ask(&d, &a, "GET", "/api/v1/health", NULL, 200); /* who is known from now on */
	const uint64_t call = get(&d, &bot, play_path(id, ""));
	step_once(&d); /* the token */
	step_once(&d); /* the day of its use */
	step_once(&d); /* the game */
	assert_true(json_is_true(json_object_get(d.call[call].last->json, "owner")));
	assert_true(is_answered(&d, get(&d, &bot, play_path(id, ""))));
	desk_ask(&d, &foreign, "GET", play_path(id, ""), NULL, 401);
	desk_ask(&d, &foreign, "GET", play_path(id, ""), NULL, 401);
	/* A name is asked for once; who changes it is called so at once. */
	desk_ask(&d, &b, "POST", ME, "{\"name\":\"Bea\"}", 200);
	const uint64_t joins =
		desk_send(&d, &b, "POST", play_path(id, "/actions"), "{\"action\":\"join\"}");
	step_once(&d); /* the commit */
	const json_t *seats = json_object_get(d.call[joins].last->json, "seats");
	assert_string_equal(desk_text(json_array_get(seats, 1), "name"), "Bea");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Two people who want the same name at the same time: the database decides. */
static void test_reads__a_name_that_is_taken_meanwhile(void **state)
{
	static const char body[] = "{\"name\":\"ada\",\"password\":\"correct horse\"}";
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	reopen(&d);
	const uint64_t first = desk_send(&d, &a, "POST", "/api/v1/accounts", body);
	const uint64_t second = desk_send(&d, &b, "POST", "/api/v1/accounts", body);
	const int one = desk_wait(&d, first, 1)->last->status;
	const int other = desk_wait(&d, second, 1)->last->status;
	assert_true((one == 201 && other == 409) || (one == 409 && other == 201));
	const struct visitor *has = one == 201 ? &a : &b, *has_not = one == 201 ? &b : &a;
	struct visitor member;
	char cookie[API_COOKIE];
	snprintf(cookie, sizeof cookie, "%.77s", d.call[one == 201 ? first : second].last->cookie);
	assert_true(api_identify(d.api, cookie, NULL, "127.0.0.1", &member));
	assert_string_equal(member.user, has->user);
	assert_string_equal(desk_text(desk_ask(&d, &member, "GET", ME, NULL, 200), "name"), "ada");
	assert_memory_equal(desk_text(desk_ask(&d, has_not, "GET", ME, NULL, 200), "name"),
			    "Guest ", 6);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Limits ---- */

/* How often a request succeeds at one moment before it is refused with 429. */
static int count_until_refused(struct api_desk *d, const struct visitor *who, const char *path,
			       const char *body)
{
	int count = 0;
	while (count < 100 &&
	       desk_wait(d, desk_send(d, who, body ? "POST" : "GET", path, body), 1)->last->status !=
		       429)
		count++;
	return count;
}

static void test_reads__limits_are_paid_once_however_often_a_request_runs(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1);
	d.frozen = true;
	d.now = 1000000;
	reopen(&d);
	struct visitor who[3];
	for (int i = 0; i < 3; i++) {
		who[i] = desk_visitor(&d);
		snprintf(who[i].address, sizeof who[i].address, "10.0.0.%d", i);
	}
	assert_int_equal(count_until_refused(&d, &who[0], PLAYS, "{\"game\":\"noughts\"}"), 30);
	assert_int_equal(count_until_refused(&d, &who[1], "/api/v1/login",
					     "{\"name\":\"ada\",\"password\":\"wrong horse\"}"),
			 5);
	assert_int_equal(count_until_refused(&d, &who[2], ME, NULL), 40);
	desk_close(&d);
}

/* ---- Previews ---- */

static void test_reads__previews_wait_too(void **state)
{
	struct api_desk d;
	char path[64];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *open = make(&d, &a);
	desk_ask(&d, &a, "POST", play_path(open, "/moves"), "{\"move\":\"5\"}", 200);
	const char *hidden = desk_text(
		desk_ask(&d, &a, "POST", PLAYS, "{\"game\":\"noughts\",\"private\":true}", 201), "id");
	reopen(&d);
	snprintf(path, sizeof path, "/play/%s", open);
	const json_t *preview = desk_preview(&d, &a, path);
	assert_non_null(strstr(desk_text(preview, "title"), " against Guest "));
	assert_non_null(strstr(desk_text(preview, "picture"), "position="));
	snprintf(path, sizeof path, "/play/%s", hidden);
	preview = desk_preview(&d, &a, path);
	assert_string_equal(desk_text(preview, "picture"), "/api/v1/pictures?game=noughts");
	preview = desk_preview(&d, &a, "/play/Anone12345678901");
	assert_string_equal(desk_text(preview, "title"), "No such game · Quevedo");
	assert_string_equal(d.log, "");
	desk_close(&d);
}

/* ---- How much the database looks at ---- */

/* Steps of SQLite's machine for a question. scanned: most rows that it finds without an index. */
static int steps_with(sqlite3 *db, enum store_question question, const struct store_value *values,
		      int scanned)
{
	const struct store_statement *s = &store_statements[question];
	sqlite3_stmt *statement;
	assert_int_equal(sqlite3_prepare_v2(db, s->sql, -1, &statement, NULL), SQLITE_OK);
	for (int i = 0; s->types[i]; i++)
		if (s->types[i] == 'n')
			sqlite3_bind_int64(statement, i + 1, values[i].number);
		else
			sqlite3_bind_text(statement, i + 1, values[i].bytes, -1, SQLITE_STATIC);
	while (sqlite3_step(statement) == SQLITE_ROW)
		;
	assert_in_range(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0), 0,
			scanned);
	const int steps = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
	assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
	return steps;
}

/* ... for a question about a user, which may take a `most` before that. */
static int steps_of(sqlite3 *db, enum store_question question, const char *user)
{
	const struct store_value values[] = { value_number(50), value_text(user) };
	return steps_with(db, question, &values[store_statements[question].types[0] != 'n'], 0);
}

/* A game with a seat for each, and then so many that are finished. The database, without a server. */
static sqlite3 *with_finished(struct api_desk *d, const struct visitor *a, const struct visitor *b,
			      int count)
{
	char sql[1200];
	make(d, a);
	make(d, b);
	api_close(d->api);
	snprintf(sql, sizeof sql,
		 "BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		 " INSERT INTO play (id, game, owner, created, updated, private, going, open_seats)"
		 " SELECT 'old' || i, 'noughts', '%s', 1, 1, 0, 0, 0 FROM n;"
		 "INSERT INTO seat (user, play, going) SELECT owner, id, 0 FROM play WHERE going = 0;"
		 "INSERT INTO finished SELECT owner, id, 1, game, 'won', 'Bob', '{}' FROM play"
		 " WHERE going = 0;"
		 /* The other one has more than are looked at, too. */
		 "INSERT INTO finished SELECT '%s', id, 1, game, 'won', 'Bob', '{}' FROM play"
		 " WHERE going = 0 LIMIT 4100;"
		 "COMMIT",
		 count, a->user, b->user);
	sqlite3 *db = database_open(d->folder);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	return db;
}

/* Games in progress are counted and listed without looking at the finished ones. */
static void test_reads__finished_games_cost_nothing(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	sqlite3 *db = with_finished(&d, &a, &b, 20000);
	static const enum store_question questions[] = { ASK_GOING_OF, ASK_COUNT_GOING };
	for (size_t i = 0; i < 2; i++) {
		const int few = steps_of(db, questions[i], b.user);
		assert_in_range(few, 1, 1000);
		assert_in_range(steps_of(db, questions[i], a.user), 1, few + 20);
	}
	sqlite3_close(db);
	desk_api_open(&d);
	const json_t *me = desk_ask(&d, &a, "GET", ME, NULL, 200);
	assert_int_equal(json_array_size(json_object_get(me, "plays")), 1);
	desk_close(&d);
}

/* Whatever is searched for in them, and wherever the page begins: the work has a bound. */
static void test_reads__finished_games_are_listed_a_part_at_a_time(void **state)
{
	static const struct store_search searches[] = {
		{ "", "", "", .most = 100 },
		{ "", "", "zzz", .most = 100 },
		{ "none", "", "", .most = 100 },
		{ "", "", "", .first = 1000000, .most = 100 },
		{ "", "", "zzz", .most = 100, .after = { 1, "old20000" } },
		{ "", "", "zzz", .since = 1, .until = 2, .most = 100 },
	};
	enum { LOOKED = 2000 };
	struct store_value values[STORE_SEARCH_VALUES];
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	sqlite3 *db = with_finished(&d, &a, &b, 20000);
	for (size_t i = 0; i < sizeof searches / sizeof *searches; i++)
		for (int both = 0; both < 2; both++) {
			const enum store_question question =
				both ? ASK_FINISHED_COUNT : ASK_FINISHED;
			store_ask_finished(b.user, &searches[i], values);
			const int few = steps_with(db, question, values, 2 * LOOKED);
			store_ask_finished(a.user, &searches[i], values);
			const int many = steps_with(db, question, values, 2 * LOOKED);
			assert_in_range(few, 1, 100 * LOOKED);
			assert_in_range(many, 1, few + few / 50);
		}
	sqlite3_close(db);
	desk_api_open(&d);
	desk_close(&d);
}

/* How many seats of users count as in progress. */
static int seats_going(const struct api_desk *d)
{
	char path[128];
	sqlite3 *db;
	sqlite3_stmt *count;
	snprintf(path, sizeof path, "%s/quevedo.db", d->folder);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*) FROM seat WHERE going = 1", -1,
					    &count, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(count), SQLITE_ROW);
	const int found = sqlite3_column_int(count, 0);
	sqlite3_finalize(count);
	sqlite3_close(db);
	return found;
}

/* A game that ends leaves the games in progress of all its players; one that continues comes back. */
static void test_reads__games_in_progress_are_up_to_date(void **state)
{
	static const char *const moves[] = { "1", "4", "2", "5", "3" };
	struct api_desk d;
	char body[32];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = desk_text(desk_ask(&d, &a, "POST", PLAYS,
					    "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}",
					    201),
				   "id");
	desk_ask(&d, &b, "POST", play_path(id, "/actions"), "{\"action\":\"join\"}", 200);
	for (int i = 0; i < 5; i++) {
		const json_t *me = desk_ask(&d, &b, "GET", ME, NULL, 200);
		assert_int_equal(json_array_size(json_object_get(me, "plays")), 1);
		snprintf(body, sizeof body, "{\"move\":\"%s\"}", moves[i]);
		desk_ask(&d, i % 2 ? &b : &a, "POST", play_path(id, "/moves"), body, 200);
	}
	assert_int_equal(seats_going(&d), 0);
	desk_reopen(&d);
	const struct visitor *const both[] = { &a, &b };
	for (int i = 0; i < 2; i++) {
		const json_t *me = desk_ask(&d, both[i], "GET", ME, NULL, 200);
		assert_int_equal(json_array_size(json_object_get(me, "plays")), 0);
	}
	const char *again = make(&d, &a);
	for (int i = 0; i < 5; i++) {
		snprintf(body, sizeof body, "{\"move\":\"%s\"}", moves[i]);
		desk_ask(&d, &a, "POST", play_path(again, "/moves"), body, 200);
	}
	assert_int_equal(seats_going(&d), 0);
	desk_ask(&d, &a, "POST", play_path(again, "/actions"), "{\"action\":\"undo\"}", 200);
	assert_int_equal(seats_going(&d), 1);
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads__others_are_served_while_the_store_is_slow),
		cmocka_unit_test(test_reads__an_address_waits_for_itself),
		cmocka_unit_test(test_reads__whoever_leaves_is_not_answered),
		cmocka_unit_test(test_reads__a_server_that_closes_answers_those_who_wait),
		cmocka_unit_test(test_reads__what_cannot_be_read_is_an_error),
		cmocka_unit_test(test_reads__a_list_whose_names_cannot_be_read_is_one_error),
		cmocka_unit_test(test_reads__a_game_is_read_once_for_all_who_wait),
		cmocka_unit_test(test_reads__names_and_tokens_are_cached),
		cmocka_unit_test(test_reads__a_name_that_is_taken_meanwhile),
		cmocka_unit_test(test_reads__limits_are_paid_once_however_often_a_request_runs),
		cmocka_unit_test(test_reads__previews_wait_too),
		cmocka_unit_test(test_reads__finished_games_cost_nothing),
		cmocka_unit_test(test_reads__finished_games_are_listed_a_part_at_a_time),
		cmocka_unit_test(test_reads__games_in_progress_are_up_to_date),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
