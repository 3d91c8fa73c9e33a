/*
 * server_store_postgres.c - the store in PostgreSQL when things go wrong: connections are cut, the
 * server is killed, other servers write. What `done` reports is always what the database has.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#ifdef QV_POSTGRES

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/clock.h"
#include "server/store/postgres.h"
#include "support/privacy.h"
#include "support/scale.h"

static struct cluster postgres;

static int set_up(void **state)
{
	*state = shop_with_play(shop_new_in(&postgres));
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

static bool user_exists(struct shop *shop, const char *id)
{
	struct store_user user;
	struct qv_error error = { "" };
	const enum qv_status status = store_user_by_id(shop->store, id, &user, &error);
	if (status != QV_OK && status != QV_UNKNOWN)
		fail_msg("%s", error.text);
	return status == QV_OK;
}

/* ---- the text of statements ---- */

static void test_postgres__texts(void **state)
{
	const struct store_statement plain = {
		.types = "tt",
		.sql = "SELECT a.user, 'user ?1' FROM user a WHERE \"user\" = ?10 AND users = ?1"
	};
	const struct store_statement one = { .types = "t",
					     .sql = "UPDATE t SET a = ?1",
					     .unless = "no" };
	char text[POSTGRES_SQL];
	(void)state;
	assert_true(postgres_text(&plain, text));
	assert_string_equal(text,
			    "SELECT a.\"user\", 'user ?1' FROM \"user\" a WHERE \"user\" = $10"
			    " AND users = $1");
	assert_true(postgres_text(&one, text));
	assert_string_equal(text, "WITH done AS (UPDATE t SET a = $1 RETURNING 1)"
				  " SELECT must_be_one(count(*), 'no') FROM done");
	for (int i = 0; i < STATEMENT_KINDS; i++)
		assert_true(postgres_text(&store_statements[i], text));
}

/* ---- migration ---- */

static void refused(const char *place, const char *why)
{
	const struct store_setup setup = { .place = place };
	struct store *store = NULL;
	struct qv_error error = { "" };
	assert_int_not_equal(store_open(&setup, &store, &error), QV_OK);
	assert_null(store);
	if (!strstr(error.text, why) || strstr(error.text, "secret"))
		fail_msg("'%s' does not say '%s'", error.text, why);
}

static void test_postgres__newer_and_foreign_databases_are_refused(void **state)
{
	struct shop *shop = *state;
	char out[64], foreign[256];
	shop_close(shop);
	shop_sql(&postgres, shop, "SELECT version FROM schema_version", out);
	assert_int_equal(atoi(out), postgres_step_count);
	/* A command beside a server does not migrate. */
	struct store *store;
	struct store_setup shared = { .place = shop->place, .shared = true };
	assert_int_equal(store_open(&shared, &store, NULL), QV_OK);
	store_close(store);
	shop_sql(&postgres, shop, "UPDATE schema_version SET version = 0", out);
	struct qv_error error = { "" };
	assert_int_equal(store_open(&shared, &store, &error), QV_IO);
	assert_non_null(strstr(error.text, "has version 0, not "));
	shop_sql(&postgres, shop, "UPDATE schema_version SET version = 99", out);
	refused(shop->place, "has version 99, from a newer quevedo");
	shop_sql(&postgres, shop, "UPDATE schema_version SET application = 'recipes'", out);
	refused(shop->place, "is a database of another program");
	shop_sql(&postgres, shop, "DROP TABLE schema_version; CREATE TABLE schema_version (version TEXT)", out);
	refused(shop->place, "application");
	/* A table in the way: nothing is created. */
	cluster_new_place(&postgres, foreign);
	snprintf(shop->place, sizeof shop->place, "%s", foreign);
	shop_sql(&postgres, shop, "CREATE TABLE studies (id TEXT)", out);
	refused(shop->place, "\"studies\" already exists");
	shop_sql(&postgres, shop, "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()", out);
	assert_string_equal(out, "1");
}

/* The tables do not change under a server that is running. */
static void test_postgres__no_migration_beside_a_server(void **state)
{
	struct shop *shop = *state;
	char out[64];
	shop_sql(&postgres, shop, "INSERT INTO node VALUES ('old', now_ms() + 60000, '')", out);
	shop_close(shop);
	shop_open(shop); /* nothing to migrate */
	shop_close(shop);
	shop_sql(&postgres, shop, "UPDATE schema_version SET version = 1", out);
	refused(shop->place, "is in use by a server; stop all servers");
	shop_sql(&postgres, shop, "SELECT version FROM schema_version", out);
	assert_string_equal(out, "1");
	/* Without the server it tries the second step, whose columns are there already. */
	shop_sql(&postgres, shop, "UPDATE node SET until = now_ms() - 1", out);
	refused(shop->place, "already exists");
}

/* Every column of SQLite's tables is in PostgreSQL's, and no others but those of the driver. */
static void test_postgres__has_the_columns_of_sqlite(void **state)
{
	struct shop *shop = *state, *file = shop_new();
	char sql[512];
	sqlite3_stmt *row;
	int columns = 0;
	shop_open(file);
	shop_close(file);
	sqlite3 *db = database_open(file->folder);
	assert_int_equal(sqlite3_prepare_v2(db,
					    "SELECT m.name, c.name FROM sqlite_schema m,"
					    " pragma_table_info(m.name) c WHERE m.type = 'table'"
					    " AND m.name NOT LIKE 'sqlite%'",
					    -1, &row, NULL),
			 SQLITE_OK);
	for (; sqlite3_step(row) == SQLITE_ROW; columns++) {
		snprintf(sql, sizeof sql,
			 "SELECT count(*) FROM information_schema.columns WHERE table_schema ="
			 " current_schema() AND table_name = '%s' AND column_name = '%s'",
			 sqlite3_column_text(row, 0), sqlite3_column_text(row, 1));
		if (shop_number(&postgres, shop, sql) != 1)
			fail_msg("%s", sql);
	}
	assert_in_range(columns, 80, 1000);
	assert_int_equal(shop_number(&postgres, shop,
				     "SELECT count(*) FROM information_schema.columns"
				     " WHERE table_schema = current_schema()"
				     " AND table_name NOT IN ('batch', 'job', 'schema_version', 'secret', 'tally_later',"
				     " 'worker')"),
			 columns);
	sqlite3_finalize(row);
	sqlite3_close(db);
	shop_free(file);
}

/* As in server_store_schema.c, with the tables that only PostgreSQL has. */
static void test_postgres__every_column_is_explained(void **state)
{
	struct shop *shop = *state;
	PGconn *conn = PQconnectdb(shop->place);
	PGresult *columns = PQexec(conn, "SELECT table_name, column_name"
					 " FROM information_schema.columns"
					 " WHERE table_schema = current_schema()");
	for (int i = 0; i < PQntuples(columns); i++)
		privacy_check(PQgetvalue(columns, i, 0), PQgetvalue(columns, i, 1), true);
	assert_int_equal(privacy_columns(true), PQntuples(columns));
	PQclear(columns);
	PQfinish(conn);
}

static void test_postgres__bad_places(void **state)
{
	(void)state;
	refused("mysql://x", "the address does not begin with postgres://");
	refused("postgres:///postgres?host=/nowhere", "/nowhere");
	refused("postgres://[", "database: ");
	refused("postgres:///x?nonsense=1", "nonsense");
	/* Of a password that is not escaped no part is printed. */
	refused("postgres://ann:top@secret@127.0.0.1/x", "write %40 for @");
	refused("postgres://ann:top/secret@127.0.0.1/x", "write %40 for @");
	refused("postgres://ann:top?@secret@127.0.0.1/x", "write %40 for @");
	refused("postgres://ann:secret@/x?host=/nowhere@x", "/nowhere@x");
}

static void *open_store(void *ctx)
{
	struct store *store = NULL;
	struct qv_error error = { "" };
	const struct store_setup setup = { .place = ctx };
	if (store_open(&setup, &store, &error) != QV_OK)
		fprintf(stderr, "%s\n", error.text);
	return store;
}

static void test_postgres__servers_that_start_together(void **state)
{
	enum { SERVERS = 4 };
	char place[256];
	pthread_t threads[SERVERS];
	(void)state;
	cluster_new_place(&postgres, place);
	for (int i = 0; i < SERVERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, open_store, place), 0);
	for (int i = 0; i < SERVERS; i++) {
		void *store;
		pthread_join(threads[i], &store);
		assert_non_null(store);
		store_close(store);
	}
}

/* ---- units ---- */

static void test_postgres__a_text_that_is_not_utf8_fails_alone(void **state)
{
	static const char *const bad[] = { "\xff", "a\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80",
					   "\xc0\x80" };
	struct shop *shop = *state;
	shop->ended = shop->queued = 0;
	for (int i = 0; i < 5; i++) {
		store_put_user(shop->store, "bob", bad[i], 1);
		shop_after(shop);
		shop_line(shop, "p1", i);
		shop_after(shop);
	}
	shop_wait(shop);
	for (int i = 0; i < 10; i++)
		assert_int_equal(shop->ok[i], i % 2);
	assert_false(store_failing(shop->store, NULL));
	assert_false(user_exists(shop, "bob"));
	struct store_user user;
	assert_int_equal(store_user_by_id(shop->store, "\xff", &user, NULL), QV_BAD_INPUT);
}

/* Two servers, one game: whoever has not taken it over last cannot write to it. */
static void test_postgres__two_servers(void **state)
{
	struct shop *shop = *state, *other = shop_new();
	char out[64];
	strcpy(other->place, shop->place);
	shop_open(other);
	shop_sql(&postgres, shop, "UPDATE play SET node = 'n2', epoch = 1", out);
	shop_line(shop, "p1", 0);
	store_set_play(shop->store, "p1", 0, true, 0, 1);
	assert_false(shop_finish(shop));
	shop_line(other, "p1", 0);
	store_set_play(other->store, "p1", 1, true, 0, 1);
	assert_true(shop_finish(other));
	assert_int_equal(shop_lines(shop, "p1"), 1);
	/* Both write the same rows in another order, which may block them: all is written in the end. */
	for (int i = 0; i < 50; i++) {
		char name[16];
		snprintf(name, sizeof name, "%d", i);
		store_put_user(shop->store, "a", name, 1);
		store_put_user(other->store, "b", name, 1);
		store_put_user(shop->store, "b", name, 1);
		store_put_user(other->store, "a", name, 1);
		shop_after(shop);
		shop_after(other);
	}
	shop_wait(shop);
	shop_wait(other);
	for (int i = 2; i < shop->ended; i++)
		assert_true(shop->ok[i]);
	for (int i = 0; i < other->ended; i++)
		assert_true(other->ok[i]);
	shop_free(other);
}

/*
 * Servers ask for revocations after the last number they have seen. So a number must not become
 * visible before the ones below it.
 */
static void test_postgres__revocations_are_committed_in_order(void **state)
{
	struct shop *shop = *state;
	PGconn *other = PQconnectdb(shop->place);
	const struct store_value all = value_number(0);
	struct store_rows *rows;
	PQclear(PQexec(other, "BEGIN"));
	PQclear(PQexec(other, "INSERT INTO revocation (\"user\", issuer, kept, made)"
			      " VALUES ('first', '', '', 2000000000)"));
	store_end_session(shop->store, "second", "s", 2000000000);
	shop_after(shop);
	while (!shop_number(&postgres, shop,
			    "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype ="
			    " 'advisory' AND objid = CAST('revocation' AS regclass)"))
		nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
	PQclear(PQexec(other, "COMMIT"));
	PQfinish(other);
	shop_wait(shop);
	assert_int_equal(store_read_now(shop->store, ASK_REVOCATIONS, &all, &rows, NULL), QV_OK);
	assert_int_equal(rows->count, 2);
	assert_string_equal(store_rows_text(rows, 0, 1), "first");
	assert_string_equal(store_rows_text(rows, 1, 1), "second");
	store_rows_free(rows);
}

/* ---- lost connections ---- */

/* Two servers that both remove old rows first must not wait for each other. */
static void test_postgres__revocations_wait_for_no_removal(void **state)
{
	struct shop *shop = *state;
	PGconn *other = PQconnectdb(shop->place);
	PQclear(PQexec(other, "BEGIN"));
	PQclear(PQexec(other, "DELETE FROM revocation WHERE made < 1"));
	store_end_session(shop->store, "user", "s", 2000000000);
	assert_true(shop_finish(shop));
	PQclear(PQexec(other, "COMMIT"));
	PQfinish(other);
}

static void end_connections(const struct shop *shop)
{
	char out[64];
	shop_sql(&postgres, shop,
	     "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
	     " WHERE application_name = 'quevedo'",
	     out);
	assert_int_not_equal(atoi(out), 0);
}

static void test_postgres__connections_that_end_are_replaced(void **state)
{
	struct shop *shop = *state;
	for (int i = 0; i < 3; i++) {
		end_connections(shop);
		assert_int_equal(shop_lines(shop, "p1"), i);
		shop_line(shop, "p1", i);
		assert_true(shop_finish(shop));
	}
	assert_false(store_failing(shop->store, NULL));
}

/* A unit that costs the connection each time fails; those beside it are written. */
static void test_postgres__a_unit_that_costs_the_connection(void **state)
{
	struct shop *shop = *state;
	char out[64];
	shop_sql(&postgres, shop,
	     "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
	     " PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1);"
	     " RETURN NEW; END $$;"
	     "CREATE TRIGGER die BEFORE INSERT ON \"user\" FOR EACH ROW"
	     " WHEN (NEW.name = 'poison') EXECUTE FUNCTION die()",
	     out);
	store_put_user(shop->store, "before", "x", 1);
	shop_after(shop);
	store_put_user(shop->store, "it", "poison", 1);
	shop_after(shop);
	store_put_user(shop->store, "behind", "x", 1);
	shop_after(shop);
	shop_wait(shop);
	assert_true(shop->ok[1] && !shop->ok[2] && shop->ok[3]);
	assert_true(user_exists(shop, "before") && user_exists(shop, "behind"));
	assert_false(user_exists(shop, "it"));
	assert_false(store_failing(shop->store, NULL));
}

/*
 * A proxy between store and server: it passes bytes on until it is to cut. Then it passes on some
 * more and closes the connection of the store. The server may get the rest later.
 */
enum { PROXY_PAIRS = 16, PROXY_BUFFER = 1 << 16 };

struct proxy {
	char folder[64];
	int listener;
	pthread_t thread;
	atomic_bool stop;
	atomic_int cut_way;   /* 0: what the store sends; 1: what the server answers; -1: no cut */
	atomic_int cut_after; /* bytes that are passed on before */
	atomic_bool late;     /* the rest of what the store sent arrives later */
	atomic_int cuts;
	/* The rest that is to arrive: for the socket `late_to`, in so many turns of the loop. */
	char rest[PROXY_BUFFER];
	ssize_t rest_size;
	int late_to, late_turns;
};

static int proxy_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int s = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432", postgres.folder);
	if (connect(s, (struct sockaddr *)&address, sizeof address) != 0) {
		close(s);
		return -1;
	}
	return s;
}

static void send_all(int to, const char *bytes, ssize_t size)
{
	for (ssize_t at = 0, sent; at < size; at += sent)
		if ((sent = send(to, bytes + at, (size_t)(size - at), MSG_NOSIGNAL)) <= 0)
			return;
}

/* Sends the rest of a cut connection to the server, which may act on it. */
static void proxy_send_rest(struct proxy *p)
{
	char ignored[1024];
	if (!p->late_turns || --p->late_turns)
		return;
	send_all(p->late_to, p->rest, p->rest_size);
	shutdown(p->late_to, SHUT_WR);
	while (recv(p->late_to, ignored, sizeof ignored, 0) > 0)
		continue;
	close(p->late_to);
}

/* Passes on what has arrived from pair[way]. False: the pair is closed. */
static bool proxy_pass(struct proxy *p, int pair[2], int way)
{
	static char buffer[PROXY_BUFFER];
	const ssize_t size = recv(pair[way], buffer, sizeof buffer, 0);
	if (size <= 0)
		return false;
	if (atomic_load(&p->cut_way) != way) {
		send_all(pair[!way], buffer, size);
		return true;
	}
	const int left = atomic_load(&p->cut_after);
	if (left > size) {
		atomic_store(&p->cut_after, left - (int)size);
		send_all(pair[!way], buffer, size);
		return true;
	}
	send_all(pair[!way], buffer, left);
	atomic_store(&p->cut_way, -1);
	atomic_fetch_add(&p->cuts, 1);
	if (way == 0 && atomic_load(&p->late) && !p->late_turns) {
		memcpy(p->rest, buffer + left, (size_t)(size - left));
		p->rest_size = size - left;
		p->late_to = pair[1];
		p->late_turns = 10;
		pair[1] = -1;
	}
	return false;
}

static void *proxy_run(void *ctx)
{
	struct proxy *p = ctx;
	int pairs[PROXY_PAIRS][2], count = 0;
	while (!atomic_load(&p->stop)) {
		struct pollfd polls[1 + 2 * PROXY_PAIRS] = { { p->listener, POLLIN, 0 } };
		for (int i = 0; i < 2 * count; i++)
			polls[1 + i] = (struct pollfd){ pairs[i / 2][i % 2], POLLIN, 0 };
		poll(polls, 1 + 2 * (nfds_t)count, 20);
		proxy_send_rest(p);
		for (int i = count - 1; i >= 0; i--) {
			bool open = true;
			for (int way = 0; open && way < 2; way++)
				if (polls[1 + 2 * i + way].revents)
					open = proxy_pass(p, pairs[i], way);
			if (open)
				continue;
			close(pairs[i][0]);
			if (pairs[i][1] >= 0)
				close(pairs[i][1]);
			memcpy(pairs[i], pairs[--count], sizeof pairs[i]);
		}
		if (polls[0].revents && count < PROXY_PAIRS) {
			pairs[count][0] = accept(p->listener, NULL, NULL);
			pairs[count][1] = proxy_connect();
			count++;
		}
	}
	for (int i = 0; i < count; i++) {
		close(pairs[i][0]);
		close(pairs[i][1]);
	}
	return NULL;
}

static void proxy_start(struct proxy *p)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	strcpy(p->folder, "/tmp/quevedo-proxy-XXXXXX");
	assert_non_null(mkdtemp(p->folder));
	snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432", p->folder);
	p->listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(p->listener, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(listen(p->listener, 16), 0);
	atomic_store(&p->cut_way, -1);
	assert_int_equal(pthread_create(&p->thread, NULL, proxy_run, p), 0);
}

static void proxy_stop(struct proxy *p)
{
	char path[128];
	atomic_store(&p->stop, true);
	pthread_join(p->thread, NULL);
	close(p->listener);
	snprintf(path, sizeof path, "%s/.s.PGSQL.5432", p->folder);
	unlink(path);
	rmdir(p->folder);
}

/*
 * Random cuts at any byte of transactions: what is reported is what is there. Only if the new
 * connection takes long does the store give up.
 */
static void test_postgres__cut_connections(void **state)
{
	enum { UNITS = 40, SOON_US = 1500000 };
	struct shop *shop = *state;
	struct qv_random random = { 5, 0 };
	char place[256], id[16];
	static struct proxy proxy;
	const int units = (int)scaled(UNITS);
	int missing = 0, given_up = 0;
	proxy_start(&proxy);
	shop_close(shop);
	strcpy(place, shop->place);
	cluster_place(proxy.folder, strstr(place, "%3D") + 3, shop->place);
	shop_open(shop);
	shop->ended = shop->queued = 0;
	for (int i = 0; i < units; i++) {
		const int way = (int)(qv_random_next(&random) % 2);
		const int64_t began = clock_us();
		atomic_store(&proxy.late, qv_random_next(&random) % 2);
		/* What is sent for a unit has some 700 bytes, the answer some 200. */
		atomic_store(&proxy.cut_after, (int)(qv_random_next(&random) % (way ? 250 : 900)));
		atomic_store(&proxy.cut_way, way);
		snprintf(id, sizeof id, "u%d", i);
		store_put_user(shop->store, id, "x", 1);
		shop_line(shop, "p1", i - missing);
		store_set_play(shop->store, "p1", 0, true, 0, i);
		shop_after(shop);
		shop_wait(shop);
		missing += !shop->ok[i];
		given_up += !shop->ok[i] && clock_us() - began < SOON_US;
	}
	atomic_store(&proxy.cut_way, -1);
	for (int i = 0; i < units; i++) {
		snprintf(id, sizeof id, "u%d", i);
		assert_int_equal(user_exists(shop, id), shop->ok[i]);
	}
	assert_int_equal(shop_lines(shop, "p1"), units - missing);
	assert_int_equal(given_up, 0); /* a cut is no reason to */
	assert_in_range(atomic_load(&proxy.cuts), units / 2, units);
	shop_close(shop);
	proxy_stop(&proxy);
}

/* The server is killed again and again while it writes, and started again. */
static void test_postgres__the_server_is_killed(void **state)
{
	enum { ROUNDS = 3, BURST = 40 };
	struct shop *shop = *state;
	char id[16];
	int next = 0;
	shop->ended = shop->queued = 0;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < BURST; i++) {
			snprintf(id, sizeof id, "u%d", next++);
			store_put_user(shop->store, id, "x", 1);
			shop_after(shop);
			if (next == 1)
				shop_wait(shop);
			if (i == BURST / 2)
				cluster_halt(&postgres);
		}
		cluster_resume(&postgres);
		shop_wait(shop);
	}
	for (int i = 0; i < next; i++) {
		snprintf(id, sizeof id, "u%d", i);
		assert_int_equal(user_exists(shop, id), shop->ok[i]);
	}
	assert_true(shop->ok[0]);
	shop_line(shop, "p1", 0);
	assert_true(shop_finish(shop));
	assert_false(store_failing(shop->store, NULL));
}

/* While there is no server nothing is acknowledged, and it is known. */
static void test_postgres__no_server_for_a_while(void **state)
{
	struct shop *shop = *state;
	struct qv_error why = { "" };
	struct store_user user;
	cluster_halt(&postgres);
	store_put_user(shop->store, "bob", "Bob", 1);
	const bool ok = shop_finish(shop);
	const bool failing = store_failing(shop->store, &why);
	const enum qv_status read = store_user_by_id(shop->store, "ann", &user, NULL);
	store_put_user(shop->store, "eve", "Eve", 1);
	const bool again = shop_finish(shop);
	cluster_resume(&postgres);
	assert_false(ok || again);
	assert_true(failing);
	assert_non_null(strstr(why.text, "database: "));
	assert_int_equal(read, QV_IO);
	store_probe(shop->store);
	shop_after(shop);
	shop_wait(shop);
	assert_false(store_failing(shop->store, NULL));
	/* Reads try again after a moment. */
	while (store_user_by_id(shop->store, "ann", &user, NULL) != QV_OK)
		nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
	assert_false(user_exists(shop, "bob") || user_exists(shop, "eve"));
	shop_line(shop, "p1", 0);
	assert_true(shop_finish(shop));
}

/* The names of transactions do not pile up. */
static void test_postgres__batches_are_removed(void **state)
{
	struct shop *shop = *state;
	char out[64];
	for (int i = 0; i < 20; i++) {
		shop_line(shop, "p1", i);
		assert_true(shop_finish(shop));
	}
	shop_sql(&postgres, shop, "SELECT count(*) FROM batch", out);
	assert_string_equal(out, "1");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_postgres__texts),
		CASE(test_postgres__newer_and_foreign_databases_are_refused),
		CASE(test_postgres__no_migration_beside_a_server),
		CASE(test_postgres__has_the_columns_of_sqlite),
		CASE(test_postgres__every_column_is_explained),
		cmocka_unit_test(test_postgres__bad_places),
		cmocka_unit_test(test_postgres__servers_that_start_together),
		CASE(test_postgres__a_text_that_is_not_utf8_fails_alone),
		CASE(test_postgres__two_servers),
		CASE(test_postgres__revocations_are_committed_in_order),
		CASE(test_postgres__revocations_wait_for_no_removal),
		CASE(test_postgres__connections_that_end_are_replaced),
		CASE(test_postgres__a_unit_that_costs_the_connection),
		CASE(test_postgres__cut_connections),
		CASE(test_postgres__the_server_is_killed),
		CASE(test_postgres__no_server_for_a_while),
		CASE(test_postgres__batches_are_removed),
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
