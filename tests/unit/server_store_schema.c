/*
 * server_store_schema.c - older databases become the present one, newer and foreign ones are
 * refused and left as they are.
 * SPDX-License-Identifier: MIT
 */
#include "support/privacy.h"
#include "support/shop.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "server/store/sqlite.h"

static int set_up(void **state)
{
	*state = shop_new();
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

static sqlite3 *open_file(const struct shop *shop, const char *name)
{
	char path[SHOP_PATH];
	sqlite3 *db;
	assert_int_equal(sqlite3_open(shop_path(shop, name, path), &db), SQLITE_OK);
	return db;
}

static int64_t ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement;
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	const int64_t answer = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return answer;
}

static void tell(sqlite3 *db, const char *sql)
{
	char *error = NULL;
	if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", sql, error);
}

/* The third builds a table anew, with rows that refer to it. */
static const char *const steps[] = {
	("CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT);"
	 "CREATE TABLE b (a INTEGER REFERENCES a)"),
	"ALTER TABLE a ADD COLUMN size INTEGER; UPDATE a SET size = length(name)",
	("CREATE TABLE new (id INTEGER PRIMARY KEY, size INTEGER);"
	 "INSERT INTO new SELECT id, size FROM a; DROP TABLE a; ALTER TABLE new RENAME TO a"),
};

static void test_schema__older_becomes_newer_step_by_step(void **state)
{
	sqlite3 *db = open_file(*state, "t.db");
	assert_int_equal(store_migrate(db, "t.db", steps, 1, NULL), QV_OK);
	assert_int_equal(ask(db, "PRAGMA user_version"), 1);
	tell(db, "INSERT INTO a VALUES (7, 'seven'); INSERT INTO b VALUES (7)");
	assert_int_equal(store_recognise(db, "t.db", NULL), QV_OK);
	assert_int_equal(store_migrate(db, "t.db", steps, 3, NULL), QV_OK);
	assert_int_equal(ask(db, "PRAGMA user_version"), 3);
	assert_int_equal(ask(db, "SELECT size FROM a, b WHERE b.a = a.id"), 5);
	assert_int_equal(store_migrate(db, "t.db", steps, 3, NULL), QV_OK);
	assert_int_equal(ask(db, "SELECT count(*) FROM a"), 1);
	sqlite3_close(db);
}

static void test_schema__a_step_that_fails_changes_nothing(void **state)
{
	static const char *const wrong[] = {
		("CREATE TABLE a (id INTEGER PRIMARY KEY);"
		 "CREATE TABLE b (a INTEGER REFERENCES a);"
		 "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)"),
		"CREATE TABLE c (id INTEGER)",
		"INSERT INTO c VALUES (1); INSERT INTO nowhere VALUES (1)",
	};
	static const char *const breaking[] = { NULL, NULL, "DELETE FROM a" };
	sqlite3 *db = open_file(*state, "t.db");
	struct qv_error error = { "" };
	assert_int_equal(store_migrate(db, "t.db", wrong, 3, &error), QV_IO);
	assert_string_equal(error.text, "t.db: no such table: nowhere");
	assert_int_equal(ask(db, "PRAGMA user_version"), 2);
	assert_int_equal(ask(db, "SELECT count(*) FROM c"), 0);
	assert_int_equal(store_migrate(db, "t.db", breaking, 3, &error), QV_IO);
	assert_string_equal(error.text,
			    "t.db: cannot be migrated to version 3: 1 rows have broken "
			    "references");
	assert_int_equal(ask(db, "PRAGMA user_version"), 2);
	assert_int_equal(ask(db, "SELECT count(*) FROM a"), 1);
	sqlite3_close(db);
}

static void refused(struct shop *shop, const char *why)
{
	struct qv_error error = { "" };
	assert_int_equal(shop_try(shop, 0, &error), QV_IO);
	if (!strstr(error.text, why))
		fail_msg("'%s' does not say '%s'", error.text, why);
}

static void test_schema__a_newer_database_is_refused(void **state)
{
	struct shop *shop = *state;
	char text[128];
	shop_open(shop);
	shop_play(shop, "p1");
	shop_close(shop);
	sqlite3 *db = open_file(shop, "quevedo.db");
	tell(db, "PRAGMA user_version = 99");
	sqlite3_close(db);
	snprintf(text, sizeof text,
		 "quevedo.db: has version 99, from a newer quevedo; this one supports versions up "
		 "to %d",
		 store_step_count);
	refused(shop, text);
	db = open_file(shop, "quevedo.db");
	snprintf(text, sizeof text, "PRAGMA user_version = %d", store_step_count);
	tell(db, text);
	sqlite3_close(db);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 0);
}

static void test_schema__a_database_of_others_is_refused(void **state)
{
	struct shop *shop = *state;
	sqlite3 *db = open_file(shop, "quevedo.db");
	tell(db, "CREATE TABLE recipe (id INTEGER)");
	refused(shop, "quevedo.db: is a database of another program");
	tell(db, "PRAGMA user_version = 1");
	refused(shop, "quevedo.db: is a database of another program");
	tell(db, "PRAGMA user_version = 0; PRAGMA application_id = 1363559490");
	refused(shop, "quevedo.db: is a database of another program");
	assert_int_equal(ask(db, "SELECT count(*) FROM sqlite_schema"), 1);
	sqlite3_close(db);
}

/* Before anything was committed, a kill leaves an empty file. */
static void test_schema__an_empty_file_is_a_new_database(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH];
	fclose(fopen(shop_path(shop, "quevedo.db", path), "w"));
	shop_open(shop);
	shop_play(shop, "p1");
	assert_true(shop_finish(shop));
}

/* Rows that a database of each version may have, by the version that brought their tables. */
static const char *const rows_of_version[] = {
	[1] = "INSERT INTO user (id, name, created) VALUES ('u', 'Ann', 1);"
	      "INSERT INTO account (user, login, password) VALUES ('u', 'Ann', 'hash');"
	      "INSERT INTO token (hash, user, created) VALUES (x'01', 'u', 1);"
	      "INSERT INTO play (id, game, owner, created, updated, private, going, open_seats)"
	      " VALUES ('old', 'noughts', 'u', 1, 1, 0, 1, 0),"
	      " ('ended', 'noughts', 'u', 1, 432000, 0, 0, 0);"
	      "INSERT INTO seat (user, play) VALUES ('u', 'old');"
	      "INSERT INTO event (play, number, line) VALUES ('old', 0, '{\"line\":0}')",
	[2] = "INSERT INTO imcs_user VALUES (1, 'ann', 'u', 'hash', 1600);"
	      "INSERT INTO imcs_game VALUES (1, 'ann', 'bob', 'old', 1, 0, '', '')",
	[3] = "INSERT INTO finished VALUES ('u', 'ended', 1, 'noughts', 'won', 'Bob', '{}')",
	[4] = "INSERT INTO puzzle VALUES ('chess', 'p', 1500, 350, 0.06, 1, 0);"
	      "INSERT INTO puzzle_attempt (user, game, puzzle) VALUES ('u', 'chess', 'p')",
	[6] = "INSERT INTO explored VALUES (1, 'ended', 'noughts', 1, 0, 1, '{}');"
	      "INSERT INTO visit VALUES (77, 1, 1, 'b2', -1, 0)",
	[7] = "INSERT INTO studies VALUES ('s', 'u', 1, 1, 1, 'Title', 1, '{}')",
	[10] = "INSERT INTO quota VALUES ('q', 5, 100)",
	[12] = "INSERT INTO session VALUES ('e', 'u', 0, 1, 2, 'Firefox');"
	       "INSERT INTO revocation VALUES (9, 'u', 'e', '', 3);"
	       "INSERT INTO code VALUES (x'02', 'u', 'email', 'a@example.org', 4);"
	       "INSERT INTO deletion VALUES ('u', 'old')",
	[13] = "INSERT INTO guess VALUES ('g', 5, 1, 2, 0)",
};
enum { FILLED = sizeof rows_of_version / sizeof *rows_of_version };

/* A number that is different if any of those rows is missing. */
static int64_t count_rows(sqlite3 *db, int version)
{
	static const char *const counts[FILLED] = {
		[1] = "SELECT (SELECT count(*) FROM user) + (SELECT count(*) FROM account)"
		      " + (SELECT count(*) FROM token) + (SELECT count(*) FROM play WHERE epoch = 0)"
		      " + (SELECT count(*) FROM seat) + (SELECT count(*) FROM event)",
		[2] = "SELECT (SELECT count(*) FROM imcs_user WHERE version = 0)"
		      " + (SELECT count(*) FROM imcs_game)",
		[3] = "SELECT count(*) FROM finished",
		[4] = "SELECT (SELECT count(*) FROM puzzle)"
		      " + (SELECT count(*) FROM puzzle_attempt WHERE day = 5)",
		[6] = "SELECT (SELECT count(*) FROM explored) + (SELECT count(*) FROM visit)"
		      " + (SELECT count(*) FROM tally)",
		[7] = "SELECT count(*) FROM studies",
		[10] = "SELECT count(*) FROM quota WHERE used = 100",
		[12] = "SELECT (SELECT count(*) FROM session WHERE label = 'Firefox')"
		       " + (SELECT count(*) FROM revocation WHERE number = 9)"
		       " + (SELECT count(*) FROM code WHERE email = 'a@example.org')"
		       " + (SELECT count(*) FROM deletion WHERE play = 'old')",
		[13] = "SELECT count(*) FROM guess WHERE wrong = 5",
	};
	int64_t sum = 0;
	for (int i = 1; i < FILLED && i <= version; i++)
		if (counts[i])
			sum = sum * 10 + ask(db, counts[i]);
	return sum;
}

/* The rows are there before the steps after the version of their tables. */
static void fill_version(const struct shop *shop, int version)
{
	sqlite3 *db = open_file(shop, "quevedo.db");
	for (int i = 1; i <= version; i++) {
		assert_int_equal(store_migrate(db, "quevedo.db", store_steps, i, NULL), QV_OK);
		if (i < FILLED && rows_of_version[i])
			tell(db, rows_of_version[i]);
	}
	sqlite3_close(db);
}

/* The copy that was made before the migration is a database of the old version, for its owner. */
static void check_copy(const struct shop *shop, int version)
{
	char name[64], path[SHOP_PATH];
	struct stat about;
	snprintf(name, sizeof name, "quevedo.db.%d.bak", version);
	assert_int_equal(stat(shop_path(shop, name, path), &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	sqlite3 *db = open_file(shop, name);
	assert_int_equal(ask(db, "PRAGMA user_version"), version);
	assert_int_equal(ask(db, "SELECT count(*) FROM play"), 2);
	sqlite3_close(db);
}

static void test_schema__every_version_becomes_the_latest(void **state)
{
	(void)state;
	for (int version = 1; version < store_step_count; version++) {
		struct shop *shop = shop_new();
		static const int64_t expected[FILLED] = { 0,	    7,	      72,      721,
							  7212,	    7212,     72123,   721231,
							  721231,   721231,   7212311, 7212311,
							  72123114, 721231141 };
		fill_version(shop, version);
		shop_open(shop);
		assert_int_equal(shop_lines(shop, "old"), 1);
		shop_line(shop, "old", 1);
		store_set_play(shop->store, "old", 0, true, 0, 5);
		assert_true(shop_finish(shop));
		shop_close(shop);
		check_copy(shop, version);
		sqlite3 *db = open_file(shop, "quevedo.db");
		assert_int_equal(ask(db, "PRAGMA user_version"), store_step_count);
		tell(db, "DELETE FROM event WHERE number = 1");
		const int last = version < FILLED ? version : FILLED - 1;
		assert_int_equal(count_rows(db, last), expected[last]);
		assert_int_equal(ask(db, "SELECT count(*) FROM unlisted"), version < 3);
		/* Accounts and tokens of then are as those of today. */
		assert_int_equal(ask(db, "SELECT count(*) FROM token t JOIN account a ON"
					 " a.user = t.user WHERE t.id = '01' AND"
					 " a.skeleton = 'ann' AND a.email = ''"),
				 1);
		sqlite3_close(db);
		shop_free(shop);
	}
}

/* A database of the present version is not copied, nor a new one. */
static void test_schema__no_copy_without_a_migration(void **state)
{
	struct shop *shop = *state;
	for (int round = 0; round < 2; round++) {
		shop_open(shop);
		shop_close(shop);
	}
	DIR *dir = opendir(shop->folder);
	for (struct dirent *entry; (entry = readdir(dir));)
		assert_null(strstr(entry->d_name, ".bak"));
	closedir(dir);
}

/* If the copy cannot be made, nothing is migrated. */
static void test_schema__no_migration_without_a_copy(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH];
	fill_version(shop, 1);
	assert_int_equal(mkdir(shop_path(shop, "quevedo.db.1.bak", path), 0700), 0);
	refused(shop, "quevedo.db.1.bak");
	sqlite3 *db = open_file(shop, "quevedo.db");
	assert_int_equal(ask(db, "PRAGMA user_version"), 1);
	sqlite3_close(db);
}

/* In a process whose files cannot grow beyond `most` bytes. */
static void open_on_a_full_disk(struct shop *shop, rlim_t most, const char *why)
{
	int status;
	const pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		const struct rlimit limit = { most, most };
		struct qv_error error = { "" };
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		if (shop_try(shop, 0, &error) == QV_OK)
			_exit(1);
		_exit(strstr(error.text, why) ? 0 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int count_files(const struct shop *shop, const char *with)
{
	int count = 0;
	DIR *dir = opendir(shop->folder);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += strstr(entry->d_name, with) != NULL;
	closedir(dir);
	return count;
}

/* The disk is full while the copy is written: the database is as it was, and nothing is left over. */
static void test_schema__no_space_for_the_copy(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH];
	fill_version(shop, 1);
	for (rlim_t most = 0; most <= 16384; most += 8192) {
		open_on_a_full_disk(shop, most, "quevedo.db.1.bak");
		assert_int_equal(count_files(shop, ".bak"), 0);
		sqlite3 *db = open_file(shop, "quevedo.db");
		assert_int_equal(ask(db, "PRAGMA user_version"), 1);
		assert_int_equal(ask(db, "SELECT count(*) FROM play"), 2);
		sqlite3_close(db);
	}
	/* What a process left behind that was killed meanwhile goes. */
	close(open(shop_path(shop, "quevedo.db.1.bak.99-0.new", path), O_WRONLY | O_CREAT, 0600));
	shop_open(shop);
	shop_close(shop);
	check_copy(shop, 1);
	assert_int_equal(count_files(shop, ".new"), 0);
}

/* What durability rests on, as the file and a second look at the settings tell it. */
static void test_schema__settings(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH];
	sqlite3 *db;
	struct store_found found;
	const struct store_setup setup = { .folder = shop->folder };
	struct qv_error error = { "" };
	shop_path(shop, "quevedo.db", path);
	assert_int_equal(store_connect(path, &setup, &db, &found, &error), QV_OK);
	assert_int_equal(ask(db, "PRAGMA synchronous"), 2);
	assert_int_equal(ask(db, "PRAGMA foreign_keys"), 1);
	assert_int_equal(ask(db, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
	assert_int_equal(ask(db, "PRAGMA application_id"), 0x51564442);
	assert_int_equal(ask(db, "PRAGMA user_version"), store_step_count);
	assert_int_not_equal(ask(db, "PRAGMA wal_autocheckpoint"), 0);
	assert_int_not_equal(ask(db, "PRAGMA busy_timeout"), 0);
	sqlite3_close(db);
}

/* A new column without a word about it fails here: see privacy.c. */
static void test_privacy__every_column_is_explained(void **state)
{
	struct shop *shop = *state;
	sqlite3_stmt *columns;
	int in_tables = 0;
	shop_open(shop);
	shop_close(shop);
	sqlite3 *db = open_file(shop, "quevedo.db");
	assert_int_equal(sqlite3_prepare_v2(db,
					    "SELECT t.name, c.name FROM sqlite_master t,"
					    " pragma_table_xinfo(t.name) c WHERE t.type = 'table'"
					    " AND t.name NOT LIKE 'sqlite%'",
					    -1, &columns, NULL),
			 SQLITE_OK);
	for (; sqlite3_step(columns) == SQLITE_ROW; in_tables++) {
		const char *table = (const char *)sqlite3_column_text(columns, 0);
		const char *column = (const char *)sqlite3_column_text(columns, 1);
		privacy_check(table, column, false);
	}
	sqlite3_finalize(columns);
	sqlite3_close(db);
	assert_int_equal(privacy_columns(false), in_tables); /* nothing that is not stored */
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_schema__older_becomes_newer_step_by_step),
		CASE(test_schema__a_step_that_fails_changes_nothing),
		CASE(test_schema__a_newer_database_is_refused),
		CASE(test_schema__a_database_of_others_is_refused),
		CASE(test_schema__an_empty_file_is_a_new_database),
		CASE(test_schema__every_version_becomes_the_latest),
		CASE(test_schema__no_copy_without_a_migration),
		CASE(test_schema__no_migration_without_a_copy),
		CASE(test_schema__no_space_for_the_copy),
		CASE(test_schema__settings),
		CASE(test_privacy__every_column_is_explained),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
