/*
 * server_api_trouble.c - what the web interface says when it cannot store, or cannot load: to those who ask, to
 * those who watch over it, and in its log.
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <sys/resource.h>

#include "support/api_desk.h"
#include "support/database.h"

#define PLAYS "/api/v1/plays"
#define HEALTH "/api/v1/health"

static const char *make(struct api_desk *d, const struct visitor *who)
{
	return desk_text(desk_ask(d, who, "POST", PLAYS,
				  "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}", 201),
			 "id");
}

static int count(const char *text, const char *words)
{
	int times = 0;
	while ((text = strstr(text, words))) {
		times++;
		text += strlen(words);
	}
	return times;
}

/* Asks until it has that status; fails the test after a minute. */
static const json_t *health_with(struct api_desk *d, const struct visitor *who, int status)
{
	for (int i = 0; i < 6000; i++) {
		const struct desk_call *c =
			desk_wait(d, desk_send(d, who, "GET", HEALTH, NULL), 1);
		if (c->last->status == status)
			return c->last->json;
		desk_turn(d, 10);
	}
	fail_msg("health never had status %d", status);
	return NULL;
}

static void test_trouble__a_server_that_cannot_write_says_so(void **state)
{
	struct api_desk d;
	struct rlimit before, small = { .rlim_cur = 4096 };
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a);
	assert_string_equal(desk_text(desk_ask(&d, &a, "GET", HEALTH, NULL, 200), "store"), "ok");
	assert_string_equal(d.log, "");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int statuses[3];
	for (int i = 0; i < 3; i++)
		statuses[i] = desk_wait(&d,
					desk_send(&d, &a, "POST", play_path(id, "/moves"),
						  "{\"move\":\"5\"}"),
					1)->last->status;
	const json_t *health = health_with(&d, &a, 503);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(statuses[i], 503);
	/* In UTC, as the clock of the desk has it. */
	assert_int_equal(strncmp(desk_text(health, "store"), "failing since 202", 17), 0);
	assert_int_equal(strlen(desk_text(health, "store")), 34);
	assert_null(strstr(desk_text(health, "store"), d.folder));
	assert_int_equal(count(d.log, "error store: cannot write: database: "), 1);
	assert_int_equal(count(d.log, "error response: 503 store: "), 1);
	assert_int_equal(count(d.log, "\n"), 2);
	/* There is room again: asking for health is enough for it to be noticed. */
	assert_string_equal(desk_text(health_with(&d, &a, 200), "store"), "ok");
	assert_int_equal(count(d.log, "warn store: works again; it had failed since 202"), 1);
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	assert_int_equal(count(d.log, "\n"), 3);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_trouble__a_database_that_is_gone_takes_no_moves(void **state)
{
	static const char *const files[] = { "", "-wal", "-shm" };
	struct api_desk d;
	char path[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a);
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/quevedo.db%s", d.folder, files[i]);
		assert_int_equal(unlink(path), 0);
	}
	desk_ask(&d, &a, "POST", play_path(id, "/moves"), "{\"move\":\"1\"}", 503);
	desk_ask(&d, &a, "POST", PLAYS, "{\"game\":\"noughts\"}", 503);
	health_with(&d, &a, 503);
	assert_int_equal(count(d.log, "error store: cannot write: "), 1);
	assert_int_equal(count(d.log, "quevedo.db: was removed or replaced"), 1);
	/* What it had can still be looked at. */
	const json_t *play = desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	assert_int_equal(json_array_size(json_object_get(play, "line")), 1);
	/* Asking for health does not bring it back. */
	for (int i = 0; i < 3; i++) {
		desk_ask(&d, &a, "GET", HEALTH, NULL, 503);
		desk_turn(&d, 20);
	}
	desk_close(&d);
}

/* Runs a statement with the game's id as ?1 and a text as ?2. */
static void change(const struct api_desk *d, const char *id, const char *sql, const char *text)
{
	sqlite3_stmt *statement;
	sqlite3 *db = database_open(d->folder);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
	sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
	assert_int_equal(sqlite3_changes(db), 1);
	sqlite3_finalize(statement);
	sqlite3_close(db);
}

static void test_trouble__games_that_cannot_be_loaded_are_named(void **state)
{
	struct api_desk d;
	char line[128];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a);
	api_close(d.api);
	change(&d, id, "UPDATE event SET line = ?2 WHERE play = ?1 AND number = 1",
	       "{\"quevedo\":\"5\\u001b[31m\\n\"}");
	d.frozen = true;
	d.now = 1000000;
	desk_api_open(&d);
	/* It is of no use to try again. */
	for (int i = 0; i < 5; i++)
		desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 500);
	snprintf(line, sizeof line, "error game %s: cannot be loaded: line 2: ", id);
	assert_int_equal(count(d.log, line), 1);
	assert_int_equal(count(d.log, "error response: 500 play: "), 1);
	assert_int_equal(count(d.log, "\n"), 2);
	assert_null(strchr(d.log, '\x1b'));
	/* A while later, how often it was. */
	d.now += 11000;
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 500);
	assert_int_equal(count(d.log, line), 2);
	assert_int_equal(count(d.log, " (and 4 more like it)"), 2);
	desk_close(&d);
}

/* A game of four moves, whose third becomes something else or goes. */
static void check_damaged(const char *sql, const char *text)
{
	struct api_desk d;
	char line[128];
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a);
	for (int move = 1; move <= 4; move++) {
		char body[32];
		snprintf(body, sizeof body, "{\"move\":\"%d\"}", move);
		desk_ask(&d, &a, "POST", play_path(id, "/moves"), body, 200);
	}
	desk_reopen(&d);
	const json_t *whole = desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	assert_null(json_object_get(whole, "damaged"));
	assert_int_equal(json_array_size(json_object_get(whole, "line")), 4);
	api_close(d.api);
	change(&d, id, sql, text);
	desk_api_open(&d);
	/* It is shown up to the damage. */
	for (int i = 0; i < 3; i++) {
		const json_t *play = desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
		assert_int_equal(json_integer_value(json_object_get(play, "damaged")), 5);
		assert_int_equal(json_array_size(json_object_get(play, "line")), 2);
	}
	snprintf(line, sizeof line, "error game %s: cannot be loaded: line 5: ", id);
	assert_int_equal(count(d.log, line), 1);
	/* Nobody can change it, and nothing that is stored is lost. */
	static const char *const routes[][2] = {
		{ "/moves", "{\"move\":\"5\"}" },
		{ "/actions", "{\"action\":\"undo\"}" },
		{ "/actions", "{\"action\":\"note\",\"text\":\"x\"}" },
		{ "/phrases", "{\"phrase\":\"hello\"}" },
		{ "/claim", "{}" },
	};
	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
		desk_ask(&d, &a, "POST", play_path(id, routes[i][0]), routes[i][1], 409);
	desk_ask(&d, &a, "GET", play_path(id, "/record"), NULL, 200);
	const uint64_t stream = desk_send(&d, &a, "GET", play_path(id, "/events"), NULL);
	desk_wait(&d, stream, 1);
	/* A spectator who comes and goes does not keep the loop busy. */
	int turns = 0;
	api_cancel(d.api, stream);
	desk_turn(&d, 20);
	while (turns < 1000 && api_turn(d.api) == 0)
		turns++;
	assert_in_range(turns, 0, 999);
	/* It is marked in the list, too. */
	const json_t *me = desk_ask(&d, &a, "GET", "/api/v1/me", NULL, 200);
	const json_t *entry = json_array_get(json_object_get(me, "plays"), 0);
	assert_int_equal(json_integer_value(json_object_get(entry, "damaged")), 5);
	desk_turn(&d, 20);
	assert_int_equal(count(d.log, "\n"), 1);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_trouble__a_damaged_game_is_shown_up_to_the_damage(void **state)
{
	static const char at[] = "UPDATE event SET line = ?2 WHERE play = ?1 AND number = 4";
	(void)state;
	check_damaged(at, "{\"move\":\"3\",\"se");
	check_damaged(at, "{\"move\":\"1\",\"seat\":1}");
	check_damaged(at, "");
	check_damaged("DELETE FROM event WHERE play = ?1 AND number = 4 AND ?2 = ''", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trouble__a_server_that_cannot_write_says_so),
		cmocka_unit_test(test_trouble__a_database_that_is_gone_takes_no_moves),
		cmocka_unit_test(test_trouble__games_that_cannot_be_loaded_are_named),
		cmocka_unit_test(test_trouble__a_damaged_game_is_shown_up_to_the_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
