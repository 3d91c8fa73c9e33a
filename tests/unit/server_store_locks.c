/*
 * server_store_locks.c - rows of PostgreSQL that several servers write: none waits for another one
 * that counts games, and a unit that waits or fails takes no others with it.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#ifdef QV_POSTGRES

#include "server/store/postgres.h"

static struct cluster cluster;

static int set_up(void **state)
{
	*state = shop_with_play(shop_new_in(&cluster));
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

/* Another server, as far as PostgreSQL can see: a connection in the schema of the shop. */
static void run(PGconn *conn, const char *sql)
{
	PGresult *result = PQexec(conn, sql);
	const ExecStatusType status = PQresultStatus(result);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(conn));
	PQclear(result);
}

/* A finished game with a visit to each of the positions, in this order. */
static bool finish_game(struct shop *shop, const char *id, const char *visits)
{
	const struct store_explored row = { .play = id,
					    .game = "connect4",
					    .mark = 1,
					    .result = 1,
					    .is_public = true,
					    .entry = "{}",
					    .visits = visits };
	shop_play(shop, id);
	store_put_explored(shop->store, &row);
	return shop_finish(shop);
}

#define COUNT "SELECT CAST(coalesce(sum(games), 0) AS BIGINT) FROM (SELECT position, games" \
	      " FROM tally UNION ALL SELECT position, games FROM tally_later) t"

#define SUMS                                                                       \
	"sum(games) AS games, sum(people) AS people, sum(computers) AS computers," \
	" sum(levels) AS levels"

/* What the explorer shows is what the visits of all games amount to. */
static void check_counts(struct shop *shop)
{
	assert_int_equal(
		shop_number(
			&cluster, shop,
			"SELECT count(*) FROM (SELECT position, move, result, count(*) AS games,"
			" count(*) FILTER (WHERE level = -1) AS people,"
			" count(*) FILTER (WHERE level > 0) AS computers,"
			" sum(greatest(level, 0)) AS levels"
			" FROM visit WHERE public = 1 GROUP BY 1, 2, 3) v FULL JOIN"
			" (SELECT position, move, result, " SUMS " FROM (SELECT * FROM tally"
			" UNION ALL SELECT position, move, result, games, people, computers,"
			" levels FROM tally_later) b GROUP BY 1, 2, 3 HAVING sum(games) <> 0) t"
			" USING (position, move, result) WHERE (v.games, v.people, v.computers,"
			" v.levels) IS DISTINCT FROM (t.games, t.people, t.computers, t.levels)"),
		0);
	/* A row that nothing needs any more is gone. */
	assert_int_equal(shop_number(&cluster, shop,
				     "SELECT count(*) FROM tally WHERE games = 0 AND NOT EXISTS"
				     " (SELECT 1 FROM tally_later)"),
			 0);
}

/* Both lock the rows of positions 1 and 2, in opposite orders, and neither ends before the other. */
static void test_locks__games_that_end_in_opposite_orders(void **state)
{
	struct shop *shop = *state;
	struct store_rows *rows = NULL;
	struct qv_error error = { "" };
	const struct store_value position = value_number(1);
	PGconn *conn = PQconnectdb(shop->place);
	assert_true(finish_game(shop, "old", "[[1,\"a\",-1],[2,\"b\",-1]]"));
	shop_play(shop, "other");
	assert_true(shop_finish(shop));
	run(conn, "BEGIN; INSERT INTO explored (play, game, mark, result, public, entry)"
		  " VALUES ('other', 'connect4', 1, 1, 1, '{}');"
		  "INSERT INTO visit SELECT 1, 1, number, 'a', -1, 1 FROM explored"
		  " WHERE play = 'other'");
	assert_true(finish_game(shop, "new", "[[2,\"b\",-1],[1,\"a\",-1]]"));
	/* Neither does the removal of a game wait. */
	store_drop_play(shop->store, "old", 100);
	assert_true(shop_finish(shop));
	assert_int_equal(shop_number(&cluster, shop, COUNT " WHERE position = 1"), 1);
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM tally_later"), 4);
	run(conn, "INSERT INTO visit SELECT 2, 1, number, 'b', -1, 1 FROM explored"
		  " WHERE play = 'other'; COMMIT");
	check_counts(shop);
	assert_int_equal(store_read_now(shop->store, ASK_TALLY, &position, &rows, &error), QV_OK);
	assert_int_equal(rows->count, 1);
	assert_int_equal(store_rows_number(rows, 0, 2), 2);
	store_rows_free(rows);
	/* Whoever may change the sums next adds what was left for later. */
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM tally_later"), 0);
	PQfinish(conn);
}

/* The last move of a game is taken back before the sums of that game were added. */
static void test_locks__a_game_goes_before_it_was_added(void **state)
{
	struct shop *shop = *state;
	PGconn *conn = PQconnectdb(shop->place);
	assert_true(finish_game(shop, "stays", "[[1,\"a\",-1]]"));
	run(conn, "BEGIN; SELECT tally_lock()");
	assert_true(finish_game(shop, "goes", "[[1,\"a\",5]]"));
	run(conn, "COMMIT");
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM tally_later"), 1);
	store_drop_explored(shop->store, "goes");
	assert_true(shop_finish(shop));
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM tally_later"), 0);
	assert_int_equal(shop_number(&cluster, shop, "SELECT people FROM tally"), 1);
	check_counts(shop);
	/* What waits may be the removal, too, or more than is added at once. */
	run(conn, "BEGIN; SELECT tally_lock()");
	store_drop_explored(shop->store, "stays");
	assert_true(shop_finish(shop));
	run(conn,
	    "INSERT INTO tally_later (position, move, result, games, people, computers, levels)"
	    " SELECT 2, 'b', 1, 0, 0, 0, 0 FROM generate_series(1, 2000)");
	run(conn, "UPDATE tally_later SET number = number + 10000 WHERE position = 1; COMMIT");
	assert_true(finish_game(shop, "new", "[[1,\"a\",7]]"));
	check_counts(shop);
	store_drop_explored(shop->store, "new");
	assert_true(shop_finish(shop));
	check_counts(shop);
	assert_true(finish_game(shop, "last", "[[1,\"a\",7]]"));
	check_counts(shop);
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM tally_later"), 0);
	PQfinish(conn);
}

/* Two stores, each with many games that end at once, and a third that removes them again. */
static void test_locks__many_games_end_and_are_removed(void **state)
{
	enum { SHOPS = 3, GAMES = 40, POSITIONS = 12 };
	struct shop *shops[SHOPS] = { *state };
	struct qv_random random = { 7, 0 };
	char id[16], visits[512];
	for (int i = 1; i < SHOPS; i++) {
		shops[i] = shop_new();
		strcpy(shops[i]->place, shops[0]->place);
		shop_open(shops[i]);
	}
	for (int i = 0; i < GAMES; i++)
		for (int k = 0; k < SHOPS - 1; k++) {
			size_t at = (size_t)snprintf(visits, sizeof visits, "[");
			const int level = i % 4 ? i % 4 : -1;
			const int step = 1 + 2 * (int)(qv_random_next(&random) % 2) * 5;
			const int start = (int)(qv_random_next(&random) % POSITIONS);
			for (int p = 0; p < POSITIONS; p++)
				at += (size_t)snprintf(visits + at, sizeof visits - at,
						       "%s[%d,\"m\",%d]", p ? "," : "",
						       (start + p * step) % POSITIONS, level);
			snprintf(visits + at, sizeof visits - at, "]");
			snprintf(id, sizeof id, "g%d-%d", k, i);
			const struct store_explored row = { .play = id,
							    .game = "connect4",
							    .mark = 1,
							    .is_public = true,
							    .entry = "{}",
							    .visits = visits };
			shop_play(shops[k], id);
			shop_after(shops[k]);
			store_put_explored(shops[k]->store, &row);
			shop_after(shops[k]);
		}
	shop_wait(shops[0]);
	for (int i = 0; i < GAMES; i++) {
		snprintf(id, sizeof id, "g0-%d", i);
		store_drop_play(shops[SHOPS - 1]->store, id, 100);
	}
	assert_true(shop_finish(shops[SHOPS - 1]));
	for (int k = 0; k < SHOPS; k++) {
		shop_wait(shops[k]);
		for (int i = 0; i < shops[k]->ended; i++)
			assert_true(shops[k]->ok[i]);
		assert_string_equal(store_last_error(shops[k]->store).text, "");
	}
	assert_int_equal(shop_number(&cluster, shops[0], COUNT), GAMES * POSITIONS);
	check_counts(shops[0]);
	for (int k = 1; k < SHOPS; k++)
		shop_free(shops[k]);
}

static void add_quota(struct store *store)
{
	store_add_quota(store, "a", 5, 1);
}

static void add_if_password(struct store *store)
{
	store_if_password(store, "bob", "hash");
}

static void add_if_issuer(struct store *store)
{
	store_if_issuer(store, "bob", "");
}

/* As at a login; nothing is trimmed. */
static void add_session(struct store *store)
{
	const struct store_session session = { .id = "s", .user = "bob", .label = "" };
	store_put_session(store, &session);
}

/* A move that was queued with a unit that waits for another server is on disk before that one. */
static void test_locks__a_move_does_not_wait_for_a_shared_row(void **state)
{
	static const struct {
		const char *lock; /* what the other server has */
		void (*add)(struct store *store);
	} cases[] = {
		{ "UPDATE quota SET used = 7", add_quota },
		{ "UPDATE account SET email = email", add_if_password },
		{ "UPDATE \"user\" SET epoch = epoch WHERE id = 'bob'", add_if_issuer },
		{ "SELECT pg_advisory_xact_lock(1364610115,"
		  " CAST(CAST(to_regclass('revocation') AS OID) AS INTEGER))",
		  add_session },
	};
	enum { CASES = sizeof cases / sizeof *cases };
	struct shop *shop = *state;
	PGconn *first = PQconnectdb(shop->place), *second = PQconnectdb(shop->place);
	const struct timespec moment = { 0, 10000000 };
	store_add_quota(shop->store, "a", 5, 1);
	store_put_user(shop->store, "bob", "Bob", 1);
	store_put_account(shop->store, "bob", "Bob", "bob", "hash");
	assert_true(shop_finish(shop));
	for (int i = 0; i < CASES; i++) {
		int64_t lines = 0;
		/* While the writer waits for one row, the next units gather. */
		run(first, "BEGIN; SELECT 1 FROM \"user\" WHERE id = 'ann' FOR UPDATE");
		run(second, "BEGIN");
		run(second, cases[i].lock);
		store_put_user(shop->store, "ann", "Anna", 1);
		shop_after(shop);
		shop_line(shop, "p1", 2 * i);
		shop_after(shop);
		cases[i].add(shop->store);
		shop_after(shop);
		shop_line(shop, "p1", 2 * i + 1);
		shop_after(shop);
		run(first, "COMMIT");
		for (int k = 0; k < 6000 && lines <= 2 * i; k++) {
			lines = shop_number(&cluster, shop, "SELECT count(*) FROM event");
			nanosleep(&moment, NULL);
		}
		if (lines != 2 * i + 1)
			fail_msg("case %d: %d lines", i, (int)lines);
		run(second, "COMMIT");
		shop_wait(shop);
		assert_int_equal(shop_lines(shop, "p1"), 2 * i + 2);
	}
	assert_int_equal(shop_number(&cluster, shop, "SELECT used FROM quota"), 8);
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM session"), 1);
	PQfinish(first);
	PQfinish(second);
}

#define DEADLOCK "40P01"
#define DISK_FULL "53100"

/* Makes the writing of a user or a quota of that name end with that SQLSTATE. */
static void spoil(struct shop *shop, const char *table, const char *state)
{
	char sql[256];
	PGconn *conn = PQconnectdb(shop->place);
	snprintf(sql, sizeof sql,
		 "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
		 " IF NEW.name = 'bad' THEN RAISE EXCEPTION 'deadlock detected'"
		 " USING ERRCODE = '%s'; END IF; RETURN NEW; END $$",
		 state);
	run(conn, sql);
	snprintf(sql, sizeof sql,
		 "CREATE TRIGGER spoil BEFORE INSERT ON \"%s\" FOR EACH ROW"
		 " EXECUTE FUNCTION spoil()",
		 table);
	run(conn, sql);
	PQfinish(conn);
}

/* In manual mode all units are one commit. A unit that always ends in a deadlock fails alone. */
static void test_locks__a_deadlock_takes_no_others_with_it(void **state)
{
	enum { USERS = 20, BAD = 7 };
	struct shop *shop = *state;
	char id[16];
	spoil(shop, "user", DEADLOCK);
	shop_close(shop);
	shop->manual = true;
	shop_open(shop);
	shop->ended = shop->queued = 0;
	shop_line(shop, "p1", 7);
	shop_after(shop);
	for (int i = 0; i < USERS; i++) {
		snprintf(id, sizeof id, "u%d", i);
		store_put_user(shop->store, id, i == BAD ? "bad" : "good", 1);
		shop_after(shop);
	}
	shop_wait(shop);
	for (int i = 0; i < USERS; i++)
		assert_int_equal(shop->ok[1 + i], i != BAD);
	/* It may be written another time, unlike a line that is out of order. */
	assert_true(shop->failed[1 + BAD]);
	assert_true(!shop->ok[0] && !shop->failed[0]);
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM \"user\""), USERS);
	assert_non_null(strstr(store_last_error(shop->store).text, "deadlock"));
}

/* What is wrong with a unit may be one before it, which cannot be written now. */
static void test_locks__a_database_that_cannot_write_blames_no_unit(void **state)
{
	struct shop *shop = *state;
	spoil(shop, "user", DISK_FULL);
	shop_close(shop);
	shop->manual = true;
	shop_open(shop);
	shop->ended = shop->queued = 0;
	for (int i = 0; i < 2; i++) { /* the second is the same line again */
		shop_line(shop, "p1", 0);
		shop_after(shop);
	}
	store_put_user(shop->store, "u", "bad", 1);
	shop_after(shop);
	shop_wait(shop);
	for (int i = 0; i < 3; i++)
		assert_true(!shop->ok[i] && shop->failed[i]);
}

static void test_locks__a_shared_unit_fails_alone(void **state)
{
	struct shop *shop = *state;
	spoil(shop, "quota", DEADLOCK);
	shop_close(shop);
	shop->manual = true;
	shop_open(shop);
	shop->ended = shop->queued = 0;
	for (int i = 0; i < 2; i++) {
		shop_line(shop, "p1", i);
		shop_after(shop);
		store_add_quota(shop->store, i ? "good" : "bad", 5, 1);
		shop_after(shop);
	}
	shop_wait(shop);
	assert_true(shop->ok[0]);
	assert_false(shop->ok[1]);
	assert_true(shop->ok[2]);
	assert_true(shop->ok[3]);
	assert_int_equal(shop_lines(shop, "p1"), 2);
}

/* Rows that a database of each version may have, and a query that finds them in the latest one. */
static const struct {
	const char *rows, *found; /* found: is 1 */
} of_version[] = {
	[1] = { "INSERT INTO \"user\" (id, name, created) VALUES ('ann', 'Ann', 1);"
		"INSERT INTO account (\"user\", login, password) VALUES ('ann', 'Ann_I1', 'hash');"
		"INSERT INTO token (hash, \"user\", created)"
		" VALUES ('\\x0102030405060708090a', 'ann', 1);"
		"INSERT INTO play VALUES ('old', 'connect4', 'ann', 1, 432000, 0, 0, 0, '', 0);"
		"INSERT INTO event (play, number, line) VALUES ('old', 0, '{}');"
		"INSERT INTO imcs_user (number, name, \"user\", password, rating)"
		" VALUES (7, 'ann', 'ann', 'hash', 1600);"
		"INSERT INTO puzzle_attempt (\"user\", game, puzzle) VALUES ('ann', 'chess', 'p');"
		"INSERT INTO explored VALUES (1, 'old', 'connect4', 1, 1, 1, '{}');"
		"INSERT INTO visit VALUES (1, 1, 1, 'a', -1, 1), (2, 1, 1, 'b', 3, 1);"
		"ALTER TABLE explored ALTER COLUMN number RESTART WITH 2",
		"SELECT count(*) FROM account a, token t, \"user\" u, event e, imcs_user i,"
		" puzzle_attempt p WHERE a.skeleton = 'annll' AND a.email = '' AND"
		" t.id = '0102030405060708' AND t.label = '' AND t.used = 0 AND u.epoch = 0"
		" AND e.checksum IS NULL AND i.rating = 1600 AND i.version = 0 AND p.day = 5" },
	[2] = { "INSERT INTO quota VALUES ('q', 5, 100)",
		"SELECT count(*) FROM quota WHERE used = 100" },
	[4] = { "INSERT INTO session VALUES ('s', 'ann', 0, 1, 2, 'Firefox');"
		"INSERT INTO revocation VALUES (9, 'ann', 's', '', 3);"
		"INSERT INTO code VALUES ('\\x02', 'ann', 'email', 'a@example.org', 4);"
		"INSERT INTO deletion VALUES ('ann', 'old')",
		"SELECT count(*) FROM session s, revocation r, code c, deletion d WHERE"
		" s.label = 'Firefox' AND r.number = 9 AND c.expires = 4 AND d.play = 'old'" },
	[5] = { "INSERT INTO secret VALUES (1, '\\x03')",
		"SELECT count(*) FROM secret WHERE key = '\\x03'" },
	[6] = { "INSERT INTO guess VALUES ('g', 5, 1, 2, 0)",
		"SELECT count(*) FROM guess WHERE wrong = 5" },
	[8] = { "INSERT INTO imcs_number VALUES ('account', 12)",
		"SELECT count(*) FROM imcs_number WHERE last = 12" },
};
enum { VERSIONS = sizeof of_version / sizeof *of_version };

/* The rows are there before the steps after the version of their tables. */
static void fill_version(struct shop *shop, int version)
{
	struct store_link link = { .place = shop->place, .role = LINK_WRITER };
	struct qv_error error = { "" };
	PGconn *conn = PQconnectdb(shop->place);
	if (link_begin(&link, &error) != QV_OK)
		fail_msg("%s", error.text);
	for (int i = 1; i <= version; i++) {
		if (postgres_migrate(&link, postgres_steps, i, &error) != QV_OK)
			fail_msg("%s", error.text);
		if (i < VERSIONS && of_version[i].rows)
			run(conn, of_version[i].rows);
	}
	link_drop(&link);
	PQfinish(conn);
}

/* A database of each earlier version has all its rows, and counts on where it was. */
static void test_locks__every_version_keeps_its_rows(void **state)
{
	(void)state;
	for (int version = 1; version <= postgres_step_count; version++) {
		struct shop *shop = shop_new_in(&cluster);
		fill_version(shop, version);
		shop_open(shop);
		for (int i = 1; i < VERSIONS && i <= version; i++)
			if (of_version[i].found &&
			    shop_number(&cluster, shop, of_version[i].found) != 1)
				fail_msg("version %d: rows of version %d", version, i);
		check_counts(shop);
		assert_true(finish_game(shop, "new", "[[2,\"b\",-1],[1,\"a\",-1]]"));
		check_counts(shop);
		assert_int_equal(shop_number(&cluster, shop, COUNT), 4);
		store_drop_play(shop->store, "old", INT64_MAX);
		assert_true(shop_finish(shop));
		check_counts(shop);
		assert_int_equal(shop_number(&cluster, shop, COUNT), 2);
		shop_free(shop);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_locks__games_that_end_in_opposite_orders),
		CASE(test_locks__a_game_goes_before_it_was_added),
		CASE(test_locks__many_games_end_and_are_removed),
		CASE(test_locks__a_move_does_not_wait_for_a_shared_row),
		CASE(test_locks__a_deadlock_takes_no_others_with_it),
		CASE(test_locks__a_database_that_cannot_write_blames_no_unit),
		CASE(test_locks__a_shared_unit_fails_alone),
		cmocka_unit_test(test_locks__every_version_keeps_its_rows),
	};
	return cluster_run_tests(&cluster, tests);
}

#else

int main(void)
{
	struct cluster cluster;
	return cluster_start(&cluster);
}

#endif
