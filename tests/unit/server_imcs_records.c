/*
 * server_imcs_records.c - the accounts of IMCS servers that share a database, SQLite or PostgreSQL;
 * results that cannot be stored at once.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/secrets.h"
#include "server/imcs/records.h"
#include "support/api_desk.h"
#include "support/cluster.h"
#include "support/database.h"
#include "support/desk_writes.h"

static struct cluster postgres; /* the tests run with it, too */

struct servers {
	struct api_desk desk;
	char place[256];
	struct imcs_records *records[2]; /* as two servers have read them */
};

static void open_records(struct servers *s)
{
	struct qv_error error = { "" };
	int64_t next;
	for (int i = 0; i < 2; i++)
		if (imcs_records_open(s->desk.api, &s->records[i], &next, &error) != QV_OK)
			fail_msg("%s", error.text);
}

static int set_up(void **state)
{
	struct servers *s = calloc(1, sizeof *s);
	assert_non_null(s);
	desk_open(&s->desk, 1, 100);
	if (*postgres.folder) {
		cluster_new_place(&postgres, s->place);
		s->desk.place = s->place;
		desk_reopen(&s->desk);
	}
	open_records(s);
	*state = s;
	return 0;
}

/* Also writes what is queued. */
static void close_records(struct servers *s)
{
	for (int i = 0; i < 2; i++)
		imcs_records_close(s->records[i]);
	api_close(s->desk.api);
	s->desk.api = NULL;
}

static int tear_down(void **state)
{
	struct servers *s = *state;
	desk_close(&s->desk);
	free(s);
	return 0;
}

/* The first value of a result. The API is closed. */
static void sql(const struct servers *s, const char *query, char out[64])
{
	char text[256];
	snprintf(text, sizeof text, "SET search_path = s%d; %s", postgres.schemas, query);
	if (*s->place)
		cluster_sql(&postgres, text, out);
	else
		database_sql(s->desk.folder, query, out);
}

static void check_admin(const struct servers *s, const char *password, const char *rating)
{
	char out[64], head[64], tail[64], hash[128];
	sql(s, "SELECT count(*) FROM imcs_user WHERE name = 'admin'", out);
	assert_string_equal(out, "1");
	sql(s, "SELECT rating FROM imcs_user WHERE name = 'admin'", out);
	assert_string_equal(out, rating);
	sql(s, "SELECT substr(password, 1, 63) FROM imcs_user WHERE name = 'admin'", head);
	sql(s, "SELECT substr(password, 64) FROM imcs_user WHERE name = 'admin'", tail);
	snprintf(hash, sizeof hash, "%s%s", head, tail);
	assert_true(secrets_check_weak(password, hash));
}

static void change(struct servers *s, const struct imcs_account *account, enum imcs_change what)
{
	char user[STORE_ID];
	assert_int_equal(imcs_records_change(s->records[0], account, what, user, NULL, NULL), QV_OK);
}

/* The hash does not matter: only the rating is written. */
static void rate_admin(struct servers *s, int rating)
{
	const struct imcs_account admin = { .name = "admin", .hash = "-", .rating = rating };
	change(s, &admin, IMCS_RERATED);
}

static void test_records__a_password_of_the_admin_changes_no_rating(void **state)
{
	struct servers *s = *state;
	assert_true(imcs_records_set_admin(s->records[0], "first"));
	close_records(s);
	check_admin(s, "first", "1000");
	desk_api_open(&s->desk);
	open_records(s);
	rate_admin(s, 1234);
	assert_true(imcs_records_set_admin(s->records[1], "second"));
	close_records(s);
	check_admin(s, "second", "1234");
}

static void test_records__an_admin_is_created_once(void **state)
{
	struct servers *s = *state;
	assert_true(imcs_records_set_admin(s->records[0], "first"));
	rate_admin(s, 1234);
	assert_true(imcs_records_set_admin(s->records[1], "second"));
	close_records(s);
	check_admin(s, "second", "1234");
}

static void test_records__a_rating_changes_no_password(void **state)
{
	struct servers *s = *state;
	assert_false(imcs_records_set_admin(s->records[0], ""));
	assert_true(imcs_records_set_admin(s->records[0], "first"));
	assert_true(imcs_records_set_admin(s->records[1], "second"));
	rate_admin(s, 900);
	close_records(s);
	check_admin(s, "second", "900");
}

/* ---- Results ---- */

static const struct imcs_account ann = { "ann", "-", 1000 }, bob = { "bob", "-", 1000 };

static void register_players(struct servers *s)
{
	change(s, &ann, IMCS_ADDED);
	change(s, &bob, IMCS_ADDED);
	desk_await_writes(&s->desk);
	for (int i = 0; i < 2; i++)
		imcs_records_close(s->records[i]);
	open_records(s);
}

static void begin_game(struct servers *s)
{
	const struct imcs_news news = { .kind = IMCS_GAME_BEGINS,
					.id = 1,
					.players = { &ann, &bob },
					.ratings = { 1000, 1000 } };
	imcs_records_store_game(s->records[0], &news);
	desk_await_writes(&s->desk);
}

static void end_game(struct servers *s)
{
	const struct imcs_news news = { .kind = IMCS_GAME_ENDS,
					.id = 1,
					.players = { &ann, &bob },
					.ratings = { 1000, 1000 },
					.winner = IMCS_BLACK,
					.end = IMCS_BY_RESIGNING,
					.changes = { -16, 16 },
					.result = "B wins on opponent resignation",
					.log = "log",
					.log_size = 3 };
	imcs_records_store_game(s->records[0], &news);
}

/* The game ends while its table is away. */
static void end_without_table(struct servers *s)
{
	register_players(s);
	begin_game(s);
	sql(s, "ALTER TABLE imcs_game RENAME TO away", (char[64]){ "" });
	end_game(s);
	desk_await_writes(&s->desk);
	sql(s, "ALTER TABLE away RENAME TO imcs_game", (char[64]){ "" });
}

static void check_result(const struct servers *s)
{
	char out[64];
	sql(s, "SELECT result || log FROM imcs_game WHERE ended > 0", out);
	assert_string_equal(out, "B wins on opponent resignationlog");
	sql(s, "SELECT rating FROM imcs_user WHERE name = 'ann'", out);
	assert_string_equal(out, "984");
	sql(s, "SELECT rating FROM imcs_user WHERE name = 'bob'", out);
	assert_string_equal(out, "1016");
}

static void test_records__a_result_is_written_again(void **state)
{
	struct servers *s = *state;
	char out[64] = "";
	end_without_table(s);
	assert_true(imcs_records_has_result(s->records[0], 1));
	for (int i = 0; i < 1000 && strcmp(out, "1") != 0; i++) {
		s->desk.skew += 100;
		imcs_records_sweep(s->records[0]);
		desk_turn(&s->desk, 10);
		sql(s, "SELECT count(*) FROM imcs_game WHERE ended > 0", out);
	}
	/* Once only. */
	desk_turn(&s->desk, 20);
	assert_false(imcs_records_has_result(s->records[0], 1));
	s->desk.skew += 5000;
	imcs_records_sweep(s->records[0]);
	close_records(s);
	check_result(s);
}

/* A server that ends tries it once more. */
static void test_records__a_result_is_written_at_the_end(void **state)
{
	struct servers *s = *state;
	end_without_table(s);
	close_records(s);
	check_result(s);
}

/* Otherwise a server that is killed then would leave a play that never ends. */
static void test_records__a_game_is_stored_with_its_play(void **state)
{
	static const char both[] =
		"SELECT (SELECT count(*) FROM imcs_game) * 10 + count(*) FROM play";
	struct servers *s = *state;
	char out[64];
	register_players(s);
	sql(s, "ALTER TABLE event RENAME TO away", out);
	begin_game(s);
	sql(s, "ALTER TABLE away RENAME TO event", out);
	sql(s, both, out);
	assert_string_equal(out, "0");
	sql(s, "ALTER TABLE imcs_game RENAME TO away", out);
	begin_game(s);
	sql(s, "ALTER TABLE away RENAME TO imcs_game", out);
	sql(s, both, out);
	assert_string_equal(out, "0");
	begin_game(s);
	close_records(s);
	sql(s, both, out);
	assert_string_equal(out, "11");
}

/* Its last line is refused until the result is there. */
static void test_records__a_play_whose_end_was_not_stored_ends_with_the_result(void **state)
{
	static const char sqlite[] = "CREATE TRIGGER t BEFORE INSERT ON event WHEN EXISTS"
				     " (SELECT 1 FROM imcs_game WHERE ended = 0)"
				     " BEGIN SELECT RAISE(ABORT, 'x'); END";
	static const char function[] = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$"
				       " BEGIN IF EXISTS (SELECT 1 FROM imcs_game WHERE ended = 0)"
				       " THEN RAISE 'x'; END IF; RETURN NEW; END $$";
	static const char trigger[] = "CREATE TRIGGER t BEFORE INSERT ON event"
				      " FOR EACH ROW EXECUTE FUNCTION f()";
	struct servers *s = *state;
	char out[64] = "";
	register_players(s);
	begin_game(s);
	if (*s->place)
		sql(s, function, out);
	sql(s, *s->place ? trigger : sqlite, out);
	end_game(s);
	strcpy(out, "1");
	for (int i = 0; i < 1000 && strcmp(out, "0") != 0; i++) {
		desk_turn(&s->desk, 10);
		sql(s, "SELECT count(*) FROM play WHERE going = 1", out);
	}
	assert_string_equal(out, "0");
	close_records(s);
	check_result(s);
}

/* ---- Ratings ---- */

struct rerating {
	struct servers *servers;
	struct imcs *server;
	struct imcs_account account;
};

static void on_rerated(void *ctx, bool ok)
{
	struct rerating *r = ctx;
	assert_true(ok);
	imcs_records_stored(r->servers->records[0], r->server, &r->account, "", IMCS_RERATED);
}

/* Bob's rating is reset; before that is stored his game ends, on another connection. */
static void test_records__a_rating_in_memory_is_that_of_the_store(void **state)
{
	struct servers *s = *state;
	const struct imcs_setup setup = { .context = s->desk.context };
	const struct imcs_account won = { "bob", "-", 1216 };
	struct rerating r = { .servers = s, .account = bob };
	struct qv_error error = { "" };
	char user[STORE_ID], out[64];
	register_players(s);
	begin_game(s);
	assert_int_equal(imcs_new(&setup, &r.server, &error), QV_OK);
	assert_int_equal(imcs_records_load(s->records[0], r.server), QV_OK);
	assert_int_equal(
		imcs_records_change(s->records[0], &bob, IMCS_RERATED, user, on_rerated, &r),
		QV_OK);
	imcs_put_account(r.server, &won);
	end_game(s);
	desk_await_writes(&s->desk);
	assert_int_equal(imcs_find_account(r.server, "bob")->rating, 1016);
	close_records(s);
	imcs_free(r.server);
	sql(s, "SELECT rating FROM imcs_user WHERE name = 'bob'", out);
	assert_string_equal(out, "1016");
}

/* ---- Games of a server that is dead ---- */

static void check_left(const struct servers *s, const char *ended, const char *entries)
{
	char out[64];
	sql(s, "SELECT CASE WHEN ended > 0 THEN result ELSE 'in progress' END FROM imcs_game", out);
	assert_string_equal(out, ended);
	sql(s, "SELECT count(*) FROM imcs_entry", out);
	assert_string_equal(out, entries);
}

/* It may have come back since somebody found that it was dead: the store decides. */
static void test_records__a_game_of_a_server_that_is_alive_goes_on(void **state)
{
	struct servers *s = *state;
	const struct store_imcs_game game = { .id = 7, .result = "", .log = "" };
	char node[128];
	sql(s,
	    "INSERT INTO imcs_game (id, white, black, play, began, ended, result, log)"
	    " VALUES (7, 'ann', 'bob', '', 1, 0, '', '')",
	    (char[64]){ "" });
	sql(s,
	    "INSERT INTO imcs_entry (id, node, since, white, black, color, own_s, other_s,"
	    " white_rating, black_rating) VALUES (7, 'two', 1, 'ann', 'bob', '', 0, 0, 1, 1)",
	    (char[64]){ "" });
	snprintf(node, sizeof node,
		 "INSERT INTO node (id, until, address) VALUES ('two', %lld, '')",
		 ((long long)time(NULL) + 600) * 1000);
	sql(s, node, (char[64]){ "" });
	imcs_records_end_left(s->desk.api, &game);
	desk_await_writes(&s->desk);
	check_left(s, "in progress", "1");
	sql(s, "UPDATE node SET until = 1", (char[64]){ "" });
	imcs_records_end_left(s->desk.api, &game);
	desk_await_writes(&s->desk);
	check_left(s, "no result", "0");
	close_records(s);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_records__a_password_of_the_admin_changes_no_rating),
		CASE(test_records__an_admin_is_created_once),
		CASE(test_records__a_rating_changes_no_password),
		CASE(test_records__a_result_is_written_again),
		CASE(test_records__a_result_is_written_at_the_end),
		CASE(test_records__a_game_is_stored_with_its_play),
		CASE(test_records__a_play_whose_end_was_not_stored_ends_with_the_result),
		CASE(test_records__a_rating_in_memory_is_that_of_the_store),
		CASE(test_records__a_game_of_a_server_that_is_alive_goes_on),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
