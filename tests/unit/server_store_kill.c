/*
 * server_store_kill.c - a process that writes is killed at any moment: what it had acknowledged is
 * there, in order, and the database is sound.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "server/store/sqlite.h"
#include "support/scale.h"

enum { PLAYS = 3, IN_FLIGHT = 20 };

static const char *const plays[PLAYS] = { "p0", "p1", "p2" };

/* Said over the pipe, in one write: so many lines of the play are acknowledged. */
struct receipt {
	int32_t play, lines;
};

/* In the child. */
struct writing {
	struct shop *shop;
	int pipe;
	int64_t queued[PLAYS];
	struct order {
		struct writing *of;
		struct receipt receipt;
	} orders[IN_FLIGHT];
	int next, in_flight;
};

static void acknowledge(void *ctx, bool ok)
{
	const struct order *order = ctx;
	order->of->in_flight--;
	if (!ok ||
	    write(order->of->pipe, &order->receipt, sizeof order->receipt) != sizeof order->receipt)
		_exit(1);
}

/* One to three lines of a play, as one unit. */
static void queue_some(struct writing *w, struct qv_random *random)
{
	const int play = (int)(qv_random_next(random) % PLAYS);
	struct order *order = &w->orders[w->next++ % IN_FLIGHT];
	for (int left = 1 + (int)(qv_random_next(random) % 3); left; left--)
		shop_line(w->shop, plays[play], w->queued[play]++);
	*order = (struct order){ w, { play, (int32_t)w->queued[play] } };
	if (store_end_unit(w->shop->store, acknowledge, order) != QV_OK)
		_exit(2);
	w->in_flight++;
}

/* Writes until it is killed. */
static void write_for_ever(struct shop *shop, int pipe, uint64_t seed)
{
	struct writing w = { .shop = shop, .pipe = pipe };
	struct qv_random random = { seed, 0 };
	if (shop_try(shop, 0, NULL) != QV_OK)
		_exit(3);
	for (int i = 0; i < PLAYS; i++)
		w.queued[i] = shop_lines(shop, plays[i]);
	for (;;) {
		while (w.in_flight < IN_FLIGHT)
			queue_some(&w, &random);
		while (sem_wait(&shop->news) != 0)
			continue;
		store_deliver(shop->store);
	}
}

static int64_t check_after(struct shop *shop, const int64_t *acknowledged)
{
	char path[SHOP_PATH];
	sqlite3 *db;
	int64_t sum = 0;
	shop_open(shop);
	for (int i = 0; i < PLAYS; i++) {
		const int64_t lines = shop_lines(shop, plays[i]);
		assert_true(lines >= acknowledged[i]);
		sum += lines;
	}
	shop_close(shop);
	assert_int_equal(sqlite3_open(shop_path(shop, "quevedo.db", path), &db), SQLITE_OK);
	struct qv_error error = { "" };
	if (store_check(db, path, "integrity_check", &error) != QV_OK)
		fail_msg("%s", error.text);
	sqlite3_close(db);
	return sum;
}

/* Starts one, lets it acknowledge a few, kills it some time later, hears what it still said. */
static void one_round(struct shop *shop, uint64_t seed, int64_t *acknowledged)
{
	int ends[2], status;
	struct receipt receipt;
	const struct timespec some_time = { 0, (long)(qv_random_at(seed, 9) % 20000000) };
	assert_int_equal(pipe(ends), 0);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(ends[0]);
		write_for_ever(shop, ends[1], seed);
	}
	close(ends[1]);
	for (int n = 0; read(ends[0], &receipt, sizeof receipt) == sizeof receipt; n++) {
		acknowledged[receipt.play] = receipt.lines;
		if (n == (int)(seed % 5)) {
			nanosleep(&some_time, NULL);
			kill(child, SIGKILL);
		}
	}
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_store__nothing_acknowledged_is_lost_by_a_kill(void **state)
{
	struct shop *shop = shop_new();
	int64_t acknowledged[PLAYS] = { 0 }, sum = 0;
	(void)state;
	shop_open(shop);
	for (int i = 0; i < PLAYS; i++)
		shop_play(shop, plays[i]);
	assert_true(shop_finish(shop));
	shop_close(shop);
	for (uint64_t round = 0; round < (uint64_t)scaled(20); round++) {
		one_round(shop, round, acknowledged);
		const int64_t now = check_after(shop, acknowledged);
		assert_true(now > sum);
		sum = now;
	}
	shop_free(shop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_store__nothing_acknowledged_is_lost_by_a_kill),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
