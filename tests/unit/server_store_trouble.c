/*
 * server_store_trouble.c - a store that cannot write says so, and acknowledges nothing that is not in the
 * file that its path names.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#include <signal.h>
#include <sys/resource.h>

static int set_up(void **state)
{
	struct shop *shop = shop_new();
	shop_open(shop);
	shop_play(shop, "p1");
	shop_line(shop, "p1", 0);
	assert_true(shop_finish(shop));
	*state = shop;
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

/* A file that may not grow is what a full disk is. */
static struct rlimit fill_disk(void)
{
	struct rlimit before, small = { .rlim_cur = 4096 };
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	return before;
}

static void probe(struct shop *shop)
{
	store_probe(shop->store);
	store_put_user(shop->store, "", "", 0); /* a unit behind it, which is waited for */
	shop_finish(shop);
}

static void test_trouble__a_full_disk_is_known_until_there_is_room(void **state)
{
	struct shop *shop = *state;
	struct qv_error why = { "" };
	assert_false(store_failing(shop->store, NULL));
	const struct rlimit before = fill_disk();
	shop_line(shop, "p1", 1);
	const bool ok = shop_finish(shop);
	const bool failing = store_failing(shop->store, &why);
	probe(shop);
	const bool still = store_failing(shop->store, NULL);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_false(ok);
	assert_true(failing && still);
	assert_non_null(strstr(why.text, "database: "));
	store_probe(shop->store);
	shop_after(shop);          /* writes nothing */
	shop_wait(shop);
	assert_false(store_failing(shop->store, NULL));
	shop_line(shop, "p1", 1);
	assert_true(shop_finish(shop));
}

static void test_trouble__a_unit_that_breaks_a_rule_is_none_of_the_stores(void **state)
{
	struct shop *shop = *state;
	shop_line(shop, "p1", 7);
	assert_false(shop_finish(shop));
	assert_false(store_failing(shop->store, NULL));
	assert_non_null(strstr(store_last_error(shop->store).text, "out of order"));
	/* And an empty one proves nothing. */
	const struct rlimit before = fill_disk();
	shop_line(shop, "p1", 1);
	const bool ok = shop_finish(shop);
	shop_finish(shop);
	const bool failing = store_failing(shop->store, NULL);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_false(ok);
	assert_true(failing);
}

/* Nothing more is acknowledged, whatever is put in the place of the file. */
static void assert_lost(struct shop *shop)
{
	struct qv_error why = { "" };
	shop_line(shop, "p1", 1);
	assert_false(shop_finish(shop));
	assert_true(store_failing(shop->store, &why));
	assert_non_null(strstr(why.text, "quevedo.db: was removed or replaced"));
}

struct fault {
	struct store *store;
	int ended;
	bool ok, stores;
};

static void find_fault(void *ctx, bool ok)
{
	struct fault *fault = ctx;
	fault->ended++;
	fault->ok = ok;
	fault->stores = store_unit_failed(fault->store);
}

/* All three are told only after the last was written. */
static void test_trouble__each_unit_knows_whose_fault_it_was(void **state)
{
	struct shop *shop = *state;
	shop_close(shop);
	shop->manual = true;
	shop_open(shop);
	struct fault full = { .store = shop->store }, wrong = full, good = full;
	shop_line(shop, "p1", 1);
	assert_int_equal(store_end_unit(shop->store, find_fault, &full), QV_OK);
	const struct rlimit before = fill_disk();
	const bool stepped = store_step(shop->store), failing = store_failing(shop->store, NULL);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_true(stepped && failing);
	shop_line(shop, "p1", 7);
	assert_int_equal(store_end_unit(shop->store, find_fault, &wrong), QV_OK);
	shop_line(shop, "p1", 1);
	assert_int_equal(store_end_unit(shop->store, find_fault, &good), QV_OK);
	while (store_step(shop->store))
		;
	assert_false(store_failing(shop->store, NULL));
	assert_int_equal(full.ended + wrong.ended + good.ended, 0);
	store_deliver(shop->store);
	assert_int_equal(full.ended + wrong.ended + good.ended, 3);
	assert_true(!full.ok && full.stores);
	assert_true(!wrong.ok && !wrong.stores);
	assert_true(good.ok && !good.stores);
}

/* What is wrong with a unit may be one before it, which is lost with its commit. */
static void test_trouble__a_commit_that_is_lost_is_no_units_fault(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH], aside[SHOP_PATH];
	shop_close(shop);
	shop->manual = true;
	shop_open(shop);
	shop->queued = shop->ended = 0;
	assert_int_equal(
		rename(shop_path(shop, "quevedo.db", path), shop_path(shop, "aside", aside)), 0);
	for (int i = 0; i < 2; i++) { /* the second is the same line again */
		shop_line(shop, "p1", 1);
		shop_after(shop);
	}
	shop_wait(shop);
	for (int i = 0; i < 2; i++)
		assert_true(!shop->ok[i] && shop->failed[i]);
}

static void test_trouble__a_database_that_is_removed_is_noticed(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH], aside[SHOP_PATH];
	shop_path(shop, "quevedo.db", path);
	shop_path(shop, "aside", aside);
	assert_int_equal(rename(path, aside), 0);
	assert_lost(shop);
	assert_int_equal(rename(aside, path), 0);
	assert_lost(shop);
	store_probe(shop->store);
	assert_lost(shop);
	/* A store that is opened again has what was acknowledged, and goes on. */
	shop_close(shop);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 1);
	shop_line(shop, "p1", 1);
	assert_true(shop_finish(shop));
}

static void test_trouble__a_database_that_is_replaced_is_noticed(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH], copy[SHOP_PATH];
	struct qv_error error = { "" };
	shop_path(shop, "quevedo.db", path);
	shop_path(shop, "copy", copy);
	assert_int_equal(store_backup(shop->folder, copy, &error), QV_OK);
	shop_line(shop, "p1", 1);
	assert_true(shop_finish(shop)); /* a copy does no harm */
	assert_int_equal(rename(copy, path), 0);
	shop_line(shop, "p1", 2);
	assert_false(shop_finish(shop));
	assert_true(store_failing(shop->store, &error));
	assert_non_null(strstr(error.text, "was removed or replaced"));
	/* The log of the old database must not be taken for that of the new one. */
	shop_close(shop);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 1);
}

/* What was acknowledged of late is there and nowhere else. */
static void test_trouble__a_log_that_is_removed_is_noticed(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH];
	assert_int_equal(unlink(shop_path(shop, "quevedo.db-wal", path)), 0);
	assert_lost(shop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(test_trouble__a_full_disk_is_known_until_there_is_room),
		TEST(test_trouble__a_unit_that_breaks_a_rule_is_none_of_the_stores),
		TEST(test_trouble__each_unit_knows_whose_fault_it_was),
		TEST(test_trouble__a_commit_that_is_lost_is_no_units_fault),
		TEST(test_trouble__a_database_that_is_removed_is_noticed),
		TEST(test_trouble__a_database_that_is_replaced_is_noticed),
		TEST(test_trouble__a_log_that_is_removed_is_noticed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
