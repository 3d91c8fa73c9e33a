/*
 * server_store_lines.c - the checksums of lines: what was changed behind the store's back is noticed.
 * SPDX-License-Identifier: MIT
 */
#include <sqlite3.h>

#include "support/shop.h"

enum { LINES = 6 };

/* A bit for each line that comes back as it was stored; other lines must not look like any. */
static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	unsigned *good = ctx;
	char expected[64];
	const size_t length =
		(size_t)snprintf(expected, sizeof expected, "{\"line\":%lld}", (long long)number);
	assert_int_equal(strlen(line), size);
	if (size == length && strcmp(line, expected) == 0)
		*good |= 1u << number;
	else
		assert_true(line[0] != '{');
	return true;
}

static unsigned good_lines(struct shop *shop, const char *play)
{
	unsigned good = 0;
	struct qv_error error = { "" };
	assert_int_equal(store_load_play(shop->store, play, NULL, take_line, &good, &error), QV_OK);
	return good;
}

/* Two plays with the same lines, which SQL then changes. Returns the good lines of the first. */
static unsigned after(const char *sql)
{
	struct shop *shop = shop_new();
	char path[SHOP_PATH];
	sqlite3 *db;
	shop->manual = true;
	shop_open(shop);
	shop_play(shop, "p1");
	shop_play(shop, "p2");
	for (int i = 0; i < LINES; i++) {
		shop_line(shop, "p1", i);
		shop_line(shop, "p2", i);
	}
	assert_true(shop_finish(shop));
	shop_close(shop);
	assert_int_equal(sqlite3_open(shop_path(shop, "quevedo.db", path), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "DROP TRIGGER event_order", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	shop_open(shop);
	const unsigned good = good_lines(shop, "p1");
	shop_free(shop);
	return good;
}

static void lines__as_they_were_stored(void **state)
{
	(void)state;
	assert_int_equal(after("SELECT 1"), 0x3f);
}

/* A line of a game that is still one, as a bit that flips may make. */
static void lines__changed(void **state)
{
	(void)state;
	assert_int_equal(after("UPDATE event SET line = '{\"line\":7}' WHERE play = 'p1' AND number = 3"),
			 0x37);
	assert_int_equal(after("UPDATE event SET checksum = checksum + 1 WHERE number = 0"), 0x3e);
}

/* Each line is sound, but in another place: number 1 and 2, or in another play. */
static void lines__moved(void **state)
{
	(void)state;
	assert_int_equal(after("UPDATE event SET number = 9 WHERE play = 'p1' AND number = 1;"
			       "UPDATE event SET number = 1 WHERE play = 'p1' AND number = 2;"
			       "UPDATE event SET number = 2 WHERE play = 'p1' AND number = 9"),
			 0x39);
	assert_int_equal(after("DELETE FROM event WHERE play = 'p1' AND number = 4;"
			       "UPDATE event SET play = 'p1' WHERE play = 'p2' AND number = 4"),
			 0x2f);
}

/* A database of an earlier version has no checksums. */
static void lines__without_a_checksum(void **state)
{
	(void)state;
	assert_int_equal(after("UPDATE event SET checksum = NULL"), 0x3f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines__as_they_were_stored),
		cmocka_unit_test(lines__changed),
		cmocka_unit_test(lines__moved),
		cmocka_unit_test(lines__without_a_checksum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
