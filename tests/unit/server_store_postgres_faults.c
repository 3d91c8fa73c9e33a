/*
 * server_store_postgres_faults.c - the store in PostgreSQL when the database is too large, its disk
 * is full, it can only be read, or it stands still.
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

/* Runs SQL in the schema of the shop, without a transaction around it. */
static void tell(const struct shop *shop, const char *sql)
{
	PGconn *conn = PQconnectdb(shop->place);
	PGresult *result = PQexec(conn, sql);
	const ExecStatusType status = PQresultStatus(result);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(conn));
	PQclear(result);
	PQfinish(conn);
}

static int64_t database_size(const struct shop *shop)
{
	return shop_number(&cluster, shop, "SELECT pg_database_size(current_database())");
}

static void moment(void)
{
	nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
}

/* ---- the largest size ---- */

/* A play of 32 kB that cannot be compressed. */
static bool write_much(struct shop *shop, int number)
{
	struct qv_random random = { (uint64_t)number, 0 };
	char id[16], line[32768];
	snprintf(id, sizeof id, "q%d", number);
	for (size_t i = 0; i < sizeof line; i++)
		line[i] = (char)('!' + qv_random_next(&random) % 90);
	shop_play(shop, id);
	store_add_event(shop->store, id, 0, line, sizeof line);
	return shop_finish(shop);
}

static void test_faults__the_largest_size_is_not_passed(void **state)
{
	enum { ROOM = 4 << 20, MOST = 2000 };
	struct shop *shop = *state;
	struct qv_error why = { "" };
	int count = 0, tight_at = -1;
	shop_close(shop);
	shop->marks.most_bytes = database_size(shop) * 10 / 9 + ROOM;
	shop_open(shop);
	assert_string_equal(store_space_text(store_space(shop->store)), "ok");
	for (; count < MOST && write_much(shop, count); count++)
		if (tight_at < 0 && store_space(shop->store).tight)
			tight_at = count;
	/* First nothing new should begin, then nothing is written. */
	assert_in_range(count, 20, MOST - 1);
	assert_in_range(tight_at, 1, count - 1);
	/* A short line may still fit where a long one does not. */
	bool fits = true;
	for (int line = 0; fits && line < MOST; line++) {
		shop_line(shop, "p1", line);
		fits = shop_finish(shop);
	}
	assert_false(fits);
	assert_true(database_size(shop) <= shop->marks.most_bytes);
	assert_true(store_failing(shop->store, &why));
	assert_non_null(strstr(why.text, "has reached its largest size"));
	/* What was acknowledged is there, and the rest is not. */
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM play"), count + 1);
	/* A probe does not hide it, signs of life are written still, and games can be removed. */
	store_probe(shop->store);
	store_put_node(shop->store, "n1", 900000, "host:1");
	assert_true(shop_finish(shop));
	assert_true(store_failing(shop->store, NULL));
	for (int i = 0; i < count; i++) {
		char id[16];
		snprintf(id, sizeof id, "q%d", i);
		store_drop_play(shop->store, id, 100);
		shop_after(shop);
	}
	assert_true(shop_finish(shop));
	/* Tables are locked while they are packed, so not under a server. */
	assert_int_equal(store_vacuum_postgres(shop->place, &why), QV_IO);
	assert_string_equal(why.text, "database: is in use by a server");
	/* A row from before the clock was set back holds nothing. */
	shop_number(&cluster, shop, "UPDATE node SET until = now_ms() + 7200000");
	/* The space comes back when the tables are packed; the store notices by itself. */
	assert_int_equal(store_vacuum_postgres(shop->place, &why), QV_OK);
	while (store_space(shop->store).tight || store_failing(shop->store, NULL)) {
		store_probe(shop->store);
		shop_finish(shop);
		moment();
	}
	assert_true(write_much(shop, 0));
}

/* Two servers together: neither knows what the other has added since it measured. */
static void test_faults__two_servers_do_not_pass_it_together(void **state)
{
	enum { ROOM = 4 << 20, MOST = 2000 };
	struct shop *shop = *state, *other = shop_new();
	bool both = true;
	int count = 0;
	shop_close(shop);
	shop->marks.most_bytes = database_size(shop) * 10 / 9 + ROOM;
	strcpy(other->place, shop->place);
	other->marks = shop->marks;
	shop_open(shop);
	shop_open(other);
	for (; both && count < MOST; count += 2)
		both = write_much(shop, count) && write_much(other, count + 1);
	assert_in_range(count, 20, MOST - 1);
	assert_true(database_size(shop) <= shop->marks.most_bytes);
	shop_free(other);
}

/* ---- a database that refuses ---- */

/* Nothing is acknowledged, the reason is known, and the store works again without help. */
static void refused_until(struct shop *shop, const char *begin, const char *why, const char *end,
			  const char *last)
{
	struct qv_error error = { "" };
	tell(shop, begin);
	shop_line(shop, "p1", 0);
	assert_false(shop_finish(shop));
	assert_true(store_failing(shop->store, &error));
	if (!strstr(error.text, why))
		fail_msg("'%s' does not say '%s'", error.text, why);
	shop_line(shop, "p1", 0);
	assert_false(shop_finish(shop));
	assert_int_equal(shop_number(&cluster, shop, "SELECT count(*) FROM event"), 0);
	tell(shop, end);
	tell(shop, last);
	for (bool ok = false; !ok; moment()) {
		shop_line(shop, "p1", 0);
		ok = shop_finish(shop);
	}
	assert_false(store_failing(shop->store, NULL));
	assert_int_equal(shop_lines(shop, "p1"), 1);
}

static void test_faults__the_disk_is_full(void **state)
{
	struct shop *shop = *state;
	refused_until(shop,
		      "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
		      " RAISE EXCEPTION 'could not extend file: No space left on device'"
		      " USING ERRCODE = 'disk_full'; END $$;"
		      "CREATE TRIGGER full_disk BEFORE INSERT ON event FOR EACH ROW"
		      " EXECUTE FUNCTION full_disk()",
		      "No space left on device", "DROP TRIGGER full_disk ON event", "SELECT 1");
}

/* A probe needs no space, so it does not show that there is some. */
static void test_faults__a_full_disk_is_not_forgotten(void **state)
{
	struct shop *shop = *state;
	tell(shop, "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
		   " RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$;"
		   "CREATE TRIGGER full_disk BEFORE INSERT ON event FOR EACH ROW"
		   " EXECUTE FUNCTION full_disk()");
	shop_line(shop, "p1", 0);
	assert_false(shop_finish(shop));
	store_probe(shop->store);
	store_put_node(shop->store, "n1", 1000, "host:1");
	assert_true(shop_finish(shop));
	assert_true(store_failing(shop->store, NULL));
}

static void test_faults__the_database_can_only_be_read(void **state)
{
	struct shop *shop = *state;
	tell(shop, "ALTER SYSTEM SET default_transaction_read_only = on");
	tell(shop, "SELECT pg_reload_conf()");
	while (shop_number(&cluster, shop,
			   "SELECT count(*) FROM pg_settings WHERE setting = 'off'"
			   " AND name = 'default_transaction_read_only'"))
		moment();
	refused_until(shop, "SELECT 1", "read-only",
		      "ALTER SYSTEM RESET default_transaction_read_only",
		      "SELECT pg_reload_conf()");
}

/* ---- a database that stands still ---- */

/* The ids of the processes that serve the store, in order. */
static int64_t first_backend(const struct shop *shop)
{
	return shop_number(&cluster, shop,
			   "SELECT min(pid) FROM pg_stat_activity"
			   " WHERE application_name = 'quevedo'");
}

/*
 * The processes of the server stop, as they do if the network is cut without a word: the read ends,
 * it is not asked twice, and the connection is replaced.
 */
static void test_faults__a_read_that_gets_no_answer_ends(void **state)
{
	struct shop *shop = *state;
	struct store_setup setup = { .place = shop->place, .answer_ms = 500 };
	struct store *reader;
	struct store_user user;
	struct qv_error error = { "" };
	shop_close(shop);
	/* Whatever is late on a slow machine ends too, and is tried again. */
	while (store_open_reader(&setup, &reader, &error) != QV_OK)
		moment();
	while (store_user_by_id(reader, "ann", &user, &error) != QV_OK)
		moment();
	const int64_t before = first_backend(shop);
	cluster_freeze(&cluster, true);
	const enum qv_status status = store_user_by_id(reader, "ann", &user, &error);
	cluster_freeze(&cluster, false);
	assert_int_equal(status, QV_IO);
	assert_string_equal(error.text, "database: no answer in time");
	while (store_user_by_id(reader, "ann", &user, &error) != QV_OK)
		moment();
	while (first_backend(shop) == before)
		moment();
	store_close_reader(reader);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_faults__the_largest_size_is_not_passed),
		CASE(test_faults__two_servers_do_not_pass_it_together),
		CASE(test_faults__the_disk_is_full),
		CASE(test_faults__a_full_disk_is_not_forgotten),
		CASE(test_faults__the_database_can_only_be_read),
		CASE(test_faults__a_read_that_gets_no_answer_ends),
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
