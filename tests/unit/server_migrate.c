/*
 * server_migrate.c - a store goes from SQLite to PostgreSQL and back, and is the same.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#ifdef QV_POSTGRES

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/text.h"
#include "server/api/secrets.h"

static struct cluster postgres;

/* ---- the two databases ---- */

/* At least a row of each table, with values that are easily lost. */
static const char rows_sql[] =
	"INSERT INTO user VALUES ('u1', 'Ünï ''\"\\\t\n€ 𝄞', -1, 0), ('u2', '', 9223372036854775807, 7),"
	" ('U1', 'other case', -9223372036854775807 - 1, 0), ('é', 'é', 0, 0), ('z', 'Z', 1, 2);"
	"INSERT INTO account VALUES ('u1', 'Anna', '$argon', 'a@b', 'anna'), ('u2', 'bob', '', '', '');"
	"INSERT INTO token VALUES (x'00ff00805c27220a0d', 'u1', 5, 't1', 'läbel', 6),"
	" (x'', 'u2', 0, 't2', '', 0), (x'ff', 'u2', 0, 't3', '', 0);"
	"INSERT INTO play (id, game, owner, created, updated, private, going, open_seats, node, epoch)"
	" VALUES ('p1', 'chess', 'u1', 1, 2, 0, 1, 1, 'old', 3), ('p2', 'race', 'é', 1, 2, 1, 0, 0, '', 0);"
	"INSERT INTO seat VALUES ('u1', 'p1', 1), ('u2', 'p2', 0);"
	"WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1499)"
	" INSERT INTO event SELECT 'p1', i, '{\"move\":\"' || i || '\"}', i * -6148914691236517 FROM n;"
	"INSERT INTO event VALUES ('p2', 0, '', NULL);"
	"INSERT INTO event SELECT 'p2', 1, replace(hex(zeroblob(300000)), '0', 'é'), 1;"
	"INSERT INTO imcs_user VALUES (3, 'i1', 'u1', 'x', -5, 6), (41, 'i2', 'u2', 'y', 1, 0);"
	"INSERT INTO imcs_number VALUES ('account', 6), ('game', 12);"
	"INSERT INTO imcs_game VALUES (9, 'w', 'b', 'p1', 1, 0, '', 'log');"
	"INSERT INTO finished VALUES ('u1', 'p2', 3, 'race', 'win', 'u2', '{}');"
	"INSERT INTO puzzle VALUES ('chess', 'm1', 1500.1234567890123, 1e-300, -0.06, 1, 2),"
	" ('chess', 'm2', 1500, 0, 9e99, 0, 0);"
	"INSERT INTO puzzle_attempt VALUES ('u1', 'chess', 'm1', 20000);"
	"INSERT INTO unlisted VALUES ('p2');"
	"INSERT INTO explored VALUES (12, 'p2', 'race', 1, 0, 1, 'e'), (15, 'p1', 'chess', 1, 1, 0, '');"
	"INSERT INTO visit VALUES (-77, 1, 12, 'm', -1, 0), (-78, 1, 12, 'm', 4, 0), (-77, 0, 15, 'k', 2, 1);"
	"INSERT INTO studies VALUES ('s1', 'u1', 2, 3, 4, 'Títle', 1, '{\"a\":null}');"
	"INSERT INTO quota VALUES ('u:u1', 20000, 99);"
	"INSERT INTO session VALUES ('x1', 'u1', 0, 1, 2, 'Firefox');"
	"INSERT INTO revocation VALUES (5, 'u1', 'x0', '', 1), (90, 'u1', 'x2', '', 1);"
	"DELETE FROM revocation WHERE number = 90;"
	"INSERT INTO report VALUES ('r1', 5, 'u1', 'game', 'p1', 'u2', 'Bób', 'name', 'a\nb', 0, '');"
	"INSERT INTO suspension VALUES ('2001:db8::/64', '', 1, 0), ('u2', 'Grund', 2, 9);"
	"INSERT INTO audit VALUES (3600, 'wrong_password', '', '192.0.2.0', '', 4);"
	"INSERT INTO guess VALUES ('abc', 7, 1700000000123, 1700000004123, 1);"
	"INSERT INTO code VALUES (x'0102', 'u1', 'password', '', 1);"
	"INSERT INTO deletion VALUES ('z', 'p0');" /* a trigger adds a removal */
	"INSERT INTO mark VALUES ('dice', 'é');";

static void change(const struct shop *shop, const char *sql)
{
	char ignored[64];
	database_sql(shop->folder, sql, ignored);
}

/* A line for each row of a query whose first column is a text. */
static void dump_rows(sqlite3 *db, const char *sql, struct string *out)
{
	sqlite3_stmt *row;
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(row, 0);
		string_add(out, text, strlen(text));
		string_add(out, "\n", 1);
	}
	sqlite3_finalize(row);
}

/* All rows of all tables, in the order of their values. The caller frees it. */
static char *dump(const struct shop *shop)
{
	struct string queries = { .allocator = &mem_malloc }, out = queries;
	sqlite3 *db = database_open(shop->folder);
	dump_rows(db,
		  "SELECT 'SELECT ''' || m.name || ' '' || ' ||"
		  " group_concat('quote(\"' || c.name || '\")', ' || '','' || ') || ' FROM \"' ||"
		  " m.name || '\" ORDER BY 1' FROM sqlite_schema m, pragma_table_info(m.name) c"
		  " WHERE m.type = 'table' GROUP BY m.name ORDER BY m.name",
		  &queries);
	string_add(&queries, "", 1);
	for (char *sql = strtok(queries.data, "\n"); sql; sql = strtok(NULL, "\n"))
		dump_rows(db, sql, &out);
	string_add(&out, "", 1);
	assert_false(out.failed || queries.failed);
	string_release(&queries);
	sqlite3_close(db);
	return out.data;
}

static enum qv_status read_key(const char *folder, unsigned char key[STORE_KEY],
			       struct qv_error *error)
{
	return secrets_open(folder, (struct secrets *)key, error);
}

static enum qv_status write_key(const char *folder, const unsigned char key[STORE_KEY],
				struct qv_error *error)
{
	return secrets_keep(folder, (const struct secrets *)key, error);
}

static enum qv_status copy(const struct shop *shop, const char *place, bool back,
			   struct store_transferred *out, struct qv_error *error)
{
	const struct store_transfer setup = { .folder = shop->folder,
					      .place = place,
					      .back = back,
					      .read_key = read_key,
					      .write_key = write_key };
	return store_transfer(&setup, out, error);
}

static void copied(const struct shop *shop, const char *place, bool back,
		   struct store_transferred *out)
{
	struct qv_error error = { "" };
	if (copy(shop, place, back, out, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static void refused(const struct shop *shop, const char *place, bool back, const char *why)
{
	struct store_transferred ignored;
	struct qv_error error = { "" };
	assert_int_not_equal(copy(shop, place, back, &ignored, &error), QV_OK);
	if (!strstr(error.text, why))
		fail_msg("'%s' does not say '%s'", error.text, why);
}

/* A store in SQLite with rows, closed. */
static struct shop *filled(void)
{
	struct shop *shop = shop_new();
	shop_open(shop);
	shop_close(shop);
	change(shop, rows_sql);
	return shop;
}

/* A place in PostgreSQL; it is empty. */
static struct shop *empty(void)
{
	return shop_new_in(&postgres);
}

/* How many rows of the store there are. */
static int64_t count_rows(const struct shop *shop)
{
	return shop_number(&postgres, shop,
			   "SELECT (SELECT count(*) FROM \"user\") + (SELECT count(*) FROM event) +"
			   " (SELECT count(*) FROM tally) + (SELECT count(*) FROM secret)");
}

/* ---- tests ---- */

static void test_migrate__there_and_back(void **state)
{
	struct shop *from = filled(), *server = empty(), *to = shop_new();
	struct store_transferred there, back;
	struct secrets old, new;
	struct qv_error error;
	(void)state;
	copied(from, server->place, false, &there);
	assert_in_range(there.count, 20, STORE_TABLES);
	for (int i = 0; i < there.count; i++)
		if (!there.tables[i].rows)
			fail_msg("%s: no row was copied", there.tables[i].name);
	copied(to, server->place, true, &back);
	assert_memory_equal(&there, &back, sizeof there);
	char *before = dump(from), *after = dump(to);
	assert_non_null(strstr(before, "sqlite_sequence 'revocation',90"));
	assert_string_equal(before, after);
	free(before);
	free(after);
	assert_int_equal(secrets_open(from->folder, &old, &error), QV_OK);
	assert_int_equal(secrets_open(to->folder, &new, &error), QV_OK);
	assert_memory_equal(old.key, new.key, sizeof old.key);
	/* Servers with other files use the key of the database. */
	memset(new.key, 1, sizeof new.key);
	assert_int_equal(store_find_key(server->place, new.key, &error), QV_OK);
	assert_memory_equal(old.key, new.key, sizeof old.key);
	/* Neither is written to again. */
	refused(from, server->place, false, "database: is not empty: the table audit has rows");
	refused(to, server->place, true, "is not empty: the table audit has rows");
	shop_free(from);
	shop_free(server);
	shop_free(to);
}

/* What PostgreSQL has still to add to the counts of the explorer is added in the copy. */
static void test_migrate__counts_that_wait_are_added(void **state)
{
	struct shop *from = filled(), *server = empty(), *to = shop_new();
	struct store_transferred done;
	(void)state;
	char ignored[64];
	copied(from, server->place, false, &done);
	shop_sql(&postgres, server,
		 "INSERT INTO tally_later (position, move, result, games, people, computers, levels)"
		 " SELECT * FROM tally UNION ALL SELECT -1, 'x', 0, 1, 0, 0, 0 UNION ALL"
		 " SELECT -1, 'x', 0, -1, 0, 0, 0; DELETE FROM tally",
		 ignored);
	copied(to, server->place, true, &done);
	char *before = dump(from), *after = dump(to);
	assert_string_equal(before, after);
	free(before);
	free(after);
	assert_int_equal(shop_number(&postgres, server, "SELECT count(*) FROM tally"), 0);
	shop_free(from);
	shop_free(server);
	shop_free(to);
}

/* Numbers go on, and triggers work. */
static void test_migrate__the_copy_is_used(void **state)
{
	struct shop *from = filled(), *server = empty(), *to = shop_new();
	struct store_transferred done;
	struct store_user user;
	(void)state;
	copied(from, server->place, false, &done);
	shop_open(server);
	assert_int_equal(store_user_by_id(server->store, "u1", &user, NULL), QV_OK);
	assert_string_equal(user.name, "Ünï '\"\\\t\n€ 𝄞");
	shop_close(server);
	assert_int_equal(shop_number(&postgres, server,
				     "INSERT INTO revocation (\"user\", issuer, kept, made)"
				     " VALUES ('u1', '', '', 1) RETURNING number"),
			 91);
	assert_int_equal(shop_number(&postgres, server,
				     "INSERT INTO imcs_user (name, \"user\", password, rating)"
				     " VALUES ('i3', 'u1', '', 1) RETURNING number"),
			 42);
	shop_number(&postgres, server, "INSERT INTO visit VALUES (-77, 1, 15, 'm', -1, 0)");
	assert_int_equal(shop_number(&postgres, server, "SELECT games FROM tally WHERE position = -77"),
			 2);
	copied(to, server->place, true, &done);
	change(to, "INSERT INTO visit VALUES (-78, 1, 15, 'm', 1, 0)");
	char *rows = dump(to);
	assert_non_null(strstr(rows, "tally -78,'m',0,2,0,2,5"));
	assert_non_null(strstr(rows, "sqlite_sequence 'revocation',91"));
	free(rows);
	shop_free(from);
	shop_free(server);
	shop_free(to);
}

static void test_migrate__servers_that_run(void **state)
{
	struct shop *from = filled(), *server = empty(), *to = shop_new();
	struct store_transferred done;
	(void)state;
	shop_open(from);
	refused(from, server->place, false, "is in use by another quevedo serve");
	shop_close(from);
	shop_open(server);
	shop_close(server);
	shop_number(&postgres, server, "INSERT INTO node VALUES ('n', now_ms() + 60000, 'h:1')");
	refused(from, server->place, false, "database: is in use by a server");
	refused(to, server->place, true, "database: is in use by a server");
	/* One that was killed a while ago. */
	shop_number(&postgres, server, "UPDATE node SET until = 1");
	copied(from, server->place, false, &done);
	/* One that was killed before the clock was set back. */
	shop_number(&postgres, server,
		    "INSERT INTO node VALUES ('n', now_ms() + 7200000, 'h:1')"
		    " ON CONFLICT (id) DO UPDATE SET until = excluded.until");
	copied(to, server->place, true, &done);
	shop_free(from);
	shop_free(server);
	shop_free(to);
}

/* Whatever goes wrong, the target stays empty and the source as it is. */
static void test_migrate__what_cannot_be_copied(void **state)
{
	static const struct {
		const char *sql, *why;
	} bad[] = {
		{ "UPDATE event SET line = CAST(x'41ff' AS TEXT) WHERE play = 'p1' AND number = 3",
		  "quevedo.db: table event, row p1, 3: line is not UTF-8 or contains NUL" },
		{ "UPDATE studies SET title = 'a' || char(0) || 'b'", "table studies, row s1: title" },
		{ "UPDATE user SET name = CAST(x'eda080' AS TEXT) WHERE id = 'z'", "row z: name" },
		{ "UPDATE deletion SET user = 'nobody'", "violates foreign key" },
	};
	struct shop *server = empty();
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct shop *from = filled();
		change(from, bad[i].sql);
		char *before = dump(from);
		refused(from, server->place, false, bad[i].why);
		assert_int_equal(count_rows(server), 0);
		char *after = dump(from);
		assert_string_equal(before, after);
		free(before);
		free(after);
		shop_free(from);
	}
	shop_free(server);
}

static void test_migrate__bad_places(void **state)
{
	struct shop *nothing = shop_new(), *from = filled(), *server = empty(), *to = shop_new();
	struct store_transferred done;
	struct secrets other;
	struct qv_flag stop = { 0 };
	struct qv_error error;
	(void)state;
	refused(nothing, server->place, false, "quevedo.db: No such file");
	refused(from, "mysql://x", false, "the address does not begin with postgres://");
	refused(from, "postgres:///x?host=/nowhere", false, "database: ");
	/* A signing key that already exists is not replaced. */
	copied(from, server->place, false, &done);
	assert_int_equal(secrets_open(to->folder, &other, &error), QV_OK);
	refused(to, server->place, true, "/secret: there is another one");
	qv_flag_set(&stop);
	const struct store_transfer setup = { .folder = nothing->folder,
					      .place = server->place,
					      .back = true,
					      .stop = &stop,
					      .write_key = write_key };
	assert_int_equal(store_transfer(&setup, &done, &error), QV_STOPPED);
	copied(nothing, server->place, true, &done);
	shop_free(nothing);
	shop_free(from);
	shop_free(server);
	shop_free(to);
}

/* ---- a copy that does not end ---- */

/* The end of the copy: everything is written, and nothing is committed. */
static enum qv_status die_reading(const char *folder, unsigned char key[STORE_KEY],
				  struct qv_error *error)
{
	(void)folder, (void)key, (void)error;
	return raise(SIGKILL) == 0 ? QV_OK : QV_IO;
}

static enum qv_status die_writing(const char *folder, const unsigned char key[STORE_KEY],
				  struct qv_error *error)
{
	write_key(folder, key, error);
	return raise(SIGKILL) == 0 ? QV_OK : QV_IO;
}

enum { NEVER = -2, AT_THE_END = -1 }; /* or so many milliseconds */

/* Copies in a process that is killed at that moment. Returns whether the copy was made before. */
static bool copy_and_kill(const struct shop *shop, const char *place, bool back, int when,
			  rlim_t most)
{
	int status;
	const pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		const struct rlimit limit = { most, most };
		struct store_transferred done;
		struct qv_error error;
		struct store_transfer setup = {
			shop->folder, place, back, NULL, read_key, write_key
		};
		if (when == AT_THE_END) {
			setup.read_key = die_reading;
			setup.write_key = die_writing;
		}
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(store_transfer(&setup, &done, &error) == QV_OK ? 0 : 1);
	}
	if (when >= 0) {
		nanosleep(&(struct timespec){ 0, when * 1000000L }, NULL);
		kill(child, SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Kills copies in one direction, at the end and at several other moments; then one is made. */
static void kill_copies(struct shop *shop, const char *place, bool back,
			bool (*is_empty)(const void *), const void *target)
{
	static const int moments[] = { AT_THE_END, 5, 20, 50, 100, AT_THE_END };
	struct store_transferred done;
	bool made = false;
	for (size_t i = 0; !made && i < sizeof moments / sizeof *moments; i++) {
		made = copy_and_kill(shop, place, back, moments[i], RLIM_INFINITY);
		assert_true(moments[i] >= 0 || !made);
		/* Killed just after the commit it was made, too. */
		if (!made && moments[i] >= 0)
			made = !is_empty(target);
		assert_int_equal(is_empty(target), !made);
	}
	if (!made)
		copied(shop, place, back, &done);
	assert_false(is_empty(target));
}

static bool server_is_empty(const void *server)
{
	const struct shop *shop = server;
	/* The server may not have noticed yet that nobody is there, but then nothing is visible. */
	return !shop_number(&postgres, shop,
			    "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
			    " AND tablename = 'secret'") ||
	       count_rows(shop) == 0;
}

static bool file_is_empty(const void *shop)
{
	char path[SHOP_PATH];
	if (access(shop_path(shop, "quevedo.db", path), F_OK) != 0)
		return true;
	char *rows = dump(shop);
	const bool empty = !strstr(rows, "user '");
	free(rows);
	return empty;
}

/* The source is as it was, the target empty or complete, and the command can be given again. */
static void test_migrate__a_copy_that_is_killed(void **state)
{
	struct shop *from = filled(), *server = empty(), *to = shop_new();
	char *before = dump(from);
	(void)state;
	kill_copies(from, server->place, false, server_is_empty, server);
	char *source = dump(from);
	assert_string_equal(before, source);
	kill_copies(to, server->place, true, file_is_empty, to);
	char *after = dump(to);
	assert_string_equal(before, after);
	free(before);
	free(source);
	free(after);
	shop_free(from);
	shop_free(server);
	shop_free(to);
}

/* No space for the file: it has no rows, and the next attempt succeeds. */
static void test_migrate__no_space(void **state)
{
	struct shop *from = filled(), *server = empty(), *to = shop_new();
	struct store_transferred there, back;
	(void)state;
	copied(from, server->place, false, &there);
	for (rlim_t most = 0; most <= 512 << 10; most += 256 << 10) {
		assert_false(copy_and_kill(to, server->place, true, NEVER, most));
		assert_true(file_is_empty(to));
	}
	copied(to, server->place, true, &back);
	assert_memory_equal(&there, &back, sizeof there);
	shop_free(from);
	shop_free(server);
	shop_free(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_migrate__there_and_back),
		cmocka_unit_test(test_migrate__counts_that_wait_are_added),
		cmocka_unit_test(test_migrate__the_copy_is_used),
		cmocka_unit_test(test_migrate__servers_that_run),
		cmocka_unit_test(test_migrate__what_cannot_be_copied),
		cmocka_unit_test(test_migrate__bad_places),
		cmocka_unit_test(test_migrate__a_copy_that_is_killed),
		cmocka_unit_test(test_migrate__no_space),
	};
	return cluster_run_tests(&postgres, tests);
}

#else

int main(void)
{
	struct cluster postgres;
	return cluster_start(&postgres);
}

#endif
