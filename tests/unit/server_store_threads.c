/*
 * server_store_threads.c - the caller queues and reads, the store's thread writes and wakes, a
 * third makes backups: for the thread sanitizer.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/scale.h"

struct copying {
	const struct shop *shop;
	atomic_bool stop;
	int made;
	bool failed;
};

static void *make_copies(void *ctx)
{
	struct copying *c = ctx;
	char file[SHOP_PATH];
	shop_path(c->shop, "copy", file);
	do {
		c->failed = store_backup(c->shop->folder, file, NULL) != QV_OK || unlink(file) != 0;
		c->made++;
	} while (!c->failed && !atomic_load(&c->stop));
	return NULL;
}

static void test_store_threads__write_read_and_copy_at_once(void **state)
{
	struct shop *shop = shop_new();
	struct copying copying = { .shop = shop };
	pthread_t copier;
	int64_t lines = 0;
	(void)state;
	shop_open(shop);
	shop_play(shop, "p1");
	assert_true(shop_finish(shop));
	assert_int_equal(pthread_create(&copier, NULL, make_copies, &copying), 0);
	for (int round = 0; round < (int)scaled(100); round++) {
		const int64_t before = lines;
		for (int i = 0; i < 20; i++) {
			shop_line(shop, "p1", lines++);
			shop_after(shop);
		}
		assert_in_range(shop_lines(shop, "p1"), before, lines);
		store_deliver(shop->store);
		store_last_error(shop->store);
		shop_wait(shop);
		assert_int_equal(shop_lines(shop, "p1"), lines);
	}
	atomic_store(&copying.stop, true);
	pthread_join(copier, NULL);
	assert_false(copying.failed);
	assert_in_range(copying.made, 1, 1000000);
	for (int i = 0; i < shop->ended; i++)
		assert_true(shop->ok[i]);
	shop_free(shop);
}

static void test_store_threads__open_write_close(void **state)
{
	struct shop *shop = shop_new();
	(void)state;
	for (int64_t round = 0; round < scaled(20); round++) {
		shop_open(shop);
		if (!round)
			shop_play(shop, "p1");
		shop_line(shop, "p1", round);
		if (round % 2)
			shop_after(shop);
		shop_close(shop);
	}
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), scaled(20));
	shop_free(shop);
}

static struct cluster postgres; /* the tests run with it, too */

static void count_rows(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	int *answered = ctx;
	(void)error;
	store_rows_free(rows);
	++*answered;
}

static void ignore_text(void *ctx, const char *from, const char *text, size_t size)
{
	(void)ctx, (void)from, (void)text, (void)size;
}

/* All threads of the store at work: writer, readers and listener. */
static void test_store_threads__write_ask_and_tell(void **state)
{
	struct shop *shop = shop_new_in(&postgres);
	const struct store_value id = value_text("p1");
	int answered = 0, asked = 0;
	int64_t lines = 0;
	(void)state;
	shop->node = "n1";
	shop->heard = ignore_text;
	shop_open(shop);
	shop_play(shop, "p1");
	for (int round = 0; round < (int)scaled(50); round++) {
		for (int i = 0; i < 10; i++) {
			shop_line(shop, "p1", lines++);
			store_tell(shop->store, "", "text", 4);
			shop_after(shop);
			assert_int_equal(store_read(shop->store, ASK_LOAD, &id, 1, count_rows,
						    &answered),
					 QV_OK);
			asked++;
		}
		store_failing(shop->store, NULL);
		shop_turn(shop);
	}
	shop_wait(shop);
	shop_close(shop);
	assert_int_equal(answered, asked);
	for (int i = 0; i < shop->ended; i++)
		assert_true(shop->ok[i]);
	shop_free(shop);
}

int main(void)
{
	const struct CMUnitTest file_tests[] = {
		cmocka_unit_test(test_store_threads__write_read_and_copy_at_once),
		cmocka_unit_test(test_store_threads__open_write_close),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_store_threads__write_ask_and_tell),
	};
	int failed = cmocka_run_group_tests(file_tests, NULL, NULL);
	failed += cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
