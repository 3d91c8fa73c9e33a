/*
 * server_store_bus.c - what servers tell each other, and their signs of life.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

static struct cluster postgres; /* the tests run with it, too */

/* What the shops have heard, each as "FROM>TEXT ". */
static struct ear {
	const struct shop *shop;
	char said[512];
	int texts, missing;
	size_t longest;
	char *last; /* the last text */
} ears[2];

static void hear(void *ctx, const char *from, const char *text, size_t size)
{
	struct ear *ear = ears[0].shop == ctx ? &ears[0] : &ears[1];
	const size_t length = strlen(ear->said);
	assert_ptr_equal(ear->shop, ctx);
	if (!text) {
		ear->missing++;
		return;
	}
	assert_int_equal(strlen(text), size);
	ear->texts++;
	ear->longest = size > ear->longest ? size : ear->longest;
	free(ear->last);
	ear->last = strdup(text);
	if (size < 64)
		snprintf(ear->said + length, sizeof ear->said - length, "%s>%s ", from, text);
}

static struct shop *open_node(int ear, const char *node, const char *place)
{
	struct shop *shop = place ? shop_new() : shop_new_in(&postgres);
	if (place)
		strcpy(shop->place, place);
	shop->node = node;
	shop->heard = hear;
	free(ears[ear].last);
	ears[ear] = (struct ear){ .shop = shop };
	shop_open(shop);
	return shop;
}

static int set_up(void **state)
{
	*state = open_node(0, "n1", NULL);
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	for (int i = 0; i < 2; i++) {
		free(ears[i].last);
		ears[i] = (struct ear){ NULL, "", 0, 0, 0, NULL };
	}
	return 0;
}

static void tell(struct shop *shop, const char *to, const char *text)
{
	assert_int_equal(store_tell(shop->store, to, text, strlen(text)), QV_OK);
}

static void wait_for_texts(struct shop *shop, const struct ear *ear, int texts)
{
	while (ear->texts < texts)
		shop_turn(shop);
}

static void test_bus__what_a_server_tells_itself(void **state)
{
	struct shop *shop = *state;
	shop_play(shop, "p1");
	tell(shop, "", "all");
	tell(shop, "n1", "me");
	tell(shop, "n1", "me"); /* the same again */
	tell(shop, "n2", "other");
	tell(shop, "", "");
	shop_after(shop);
	shop_line(shop, "p1", 5); /* fails */
	tell(shop, "", "never");
	shop_after(shop);
	tell(shop, "", "last");
	shop_after(shop);
	shop_wait(shop);
	wait_for_texts(shop, &ears[0], 5);
	assert_string_equal(ears[0].said, "n1>all n1>me n1>me n1> n1>last ");
	assert_int_equal(ears[0].missing, 0);
}

/* Cut within no character, and put together again. */
static void test_bus__long_texts(void **state)
{
	enum { SIZE = STORE_TELL_MOST };
	struct shop *shop = *state;
	char *text = malloc(SIZE + 1);
	for (int shift = 0; shift < 4; shift++) {
		int at = 0;
		for (; at < shift; at++)
			text[at] = 'x';
		for (; at + 4 <= SIZE / 4; at += 4)
			memcpy(text + at, "\xf0\x9f\x98\x80", 4);
		text[at] = '\0';
		tell(shop, "", text);
		assert_true(shop_finish(shop));
		wait_for_texts(shop, &ears[0], shift + 1);
		assert_string_equal(ears[0].last, text);
	}
	memset(text, 'y', SIZE + 1);
	assert_int_equal(store_tell(shop->store, "", text, SIZE), QV_OK);
	assert_true(shop_finish(shop));
	wait_for_texts(shop, &ears[0], 5);
	assert_int_equal(ears[0].longest, SIZE);
	assert_int_equal(store_tell(shop->store, "", text, SIZE + 1), QV_BAD_INPUT);
	assert_int_equal(store_end_unit(shop->store, NULL, NULL), QV_BAD_INPUT);
	assert_int_equal(store_tell(shop->store, "", "a\0b", 3), QV_BAD_INPUT);
	assert_int_equal(store_end_unit(shop->store, NULL, NULL), QV_BAD_INPUT);
	assert_int_equal(store_tell(shop->store, "n'1", "a", 1), QV_BAD_INPUT);
	assert_int_equal(store_end_unit(shop->store, NULL, NULL), QV_BAD_INPUT);
	free(text);
}

static void test_bus__bad_names(void **state)
{
	struct shop *shop = *state;
	struct qv_error error = { "" };
	shop_close(shop);
	shop->node = "a b";
	assert_int_equal(shop_try(shop, 0, &error), QV_BAD_INPUT);
	shop->store = NULL;
	assert_string_equal(error.text, "store: bad name or address of this server");
}

/* Nobody wants to hear: nothing piles up. */
static void test_bus__without_ears(void **state)
{
	struct shop *shop = *state;
	shop_close(shop);
	shop->heard = NULL;
	shop_open(shop);
	tell(shop, "", "text");
	assert_true(shop_finish(shop));
}

#ifdef QV_POSTGRES

/*
 * The clock of the database goes on at a twentieth of its speed, so that no server is dead because
 * the machine was slow to write its sign of life.
 */
static void slow_down(struct shop *shop)
{
	char sql[400], out[64];
	shop_sql(&postgres, shop, "SELECT now_ms()", out);
	const long long now = atoll(out);
	snprintf(sql, sizeof sql,
		 "CREATE OR REPLACE FUNCTION now_ms() RETURNS BIGINT LANGUAGE sql AS $$"
		 " SELECT %lld + CAST(extract(epoch FROM clock_timestamp()) * 1000 - %lld AS BIGINT) / 20 $$;"
		 "UPDATE node SET until = now_ms() + 1500",
		 now, now);
	shop_sql(&postgres, shop, sql, out);
}

static int count_nodes(struct shop *shop, int64_t *until)
{
	struct store_rows *rows;
	assert_int_equal(store_read_now(shop->store, ASK_NODES, NULL, &rows, NULL), QV_OK);
	const int count = (int)rows->count;
	*until = store_rows_number(rows, 0, 1);
	if (count)
		assert_string_equal(store_rows_text(rows, 0, 2), "host:1");
	store_rows_free(rows);
	return count;
}

static void test_bus__two_servers(void **state)
{
	struct shop *one = *state;
	int64_t until;
	slow_down(one);
	struct shop *two = open_node(1, "n2", one->place);
	assert_int_equal(count_nodes(one, &until), 2);
	tell(one, "n2", "hello");
	tell(one, "n1", "myself");
	tell(one, "", "everybody");
	assert_true(shop_finish(one));
	wait_for_texts(two, &ears[1], 2);
	wait_for_texts(one, &ears[0], 2);
	assert_string_equal(ears[1].said, "n1>hello n1>everybody ");
	assert_string_equal(ears[0].said, "n1>myself n1>everybody ");
	/* Many from both, in the order of each. */
	for (int i = 0; i < 50; i++) {
		char text[16];
		snprintf(text, sizeof text, "%d", i);
		tell(one, "", text);
		shop_after(one);
		tell(two, "", text);
		shop_after(two);
	}
	shop_wait(one);
	shop_wait(two);
	wait_for_texts(one, &ears[0], 102);
	wait_for_texts(two, &ears[1], 102);
	assert_string_equal(ears[0].last, ears[1].last);
	shop_free(two);
	assert_int_equal(count_nodes(one, &until), 1); /* a server that ends says so */
}

/* Signs of life continue without anything else to write. */
static void test_bus__signs_of_life(void **state)
{
	struct shop *shop = *state;
	const struct timespec moment = { 0, 20000000 };
	int64_t first, now;
	slow_down(shop);
	assert_int_equal(count_nodes(shop, &first), 1);
	do {
		nanosleep(&moment, NULL);
		assert_int_equal(count_nodes(shop, &now), 1);
	} while (now == first);
	assert_true(now > first);
	assert_true(now <= shop_number(&postgres, shop, "SELECT now_ms()") + 1500);
}

/* The sign itself must not hide that the server has counted as dead. */
static void test_bus__a_sign_does_not_revive_a_server(void **state)
{
	struct shop *shop = *state;
	const struct timespec moment = { 1, 200000000 }; /* more than two signs */
	int64_t until;
	slow_down(shop);
	shop_number(&postgres, shop, "UPDATE node SET until = 1");
	nanosleep(&moment, NULL);
	assert_int_equal(shop_number(&postgres, shop, "SELECT until FROM node"), 1);
	/* A server that is alive is kept so: the next sign shortens the lease. */
	store_put_node(shop->store, "n1", 600000, "host:1");
	assert_true(shop_finish(shop));
	const int64_t begun = shop_number(&postgres, shop, "SELECT now_ms()");
	const struct timespec tick = { 0, 20000000 };
	for (int i = 0; i < 3000; i++) {
		nanosleep(&tick, NULL);
		assert_int_equal(count_nodes(shop, &until), 1);
		if (until < begun + 300000)
			break;
	}
	assert_in_range(until, begun, shop_number(&postgres, shop, "SELECT now_ms()") + 1500);
}

/*
 * A text that comes between the first and the last word of a listener, which hears itself here: each
 * time it asks for its channel it tells all servers the next number.
 */
static void test_bus__a_text_while_it_begins_to_listen(void **state)
{
	struct shop *shop = *state;
	char out[64];
	shop_sql(&postgres, shop,
		 "CREATE SEQUENCE times; CREATE OR REPLACE FUNCTION channel(node TEXT) RETURNS TEXT"
		 " LANGUAGE plpgsql AS $$ DECLARE name TEXT := 'quevedo_' || md5(current_schema() ||"
		 " '/' || node); BEGIN IF node <> '' THEN PERFORM pg_notify('quevedo_' ||"
		 " md5(current_schema() || '/'), 'n9 ' || nextval('times') || E' 1 1\\nhello ' ||"
		 " currval('times')); END IF;"
		 " RETURN name; END $$",
		 out);
	shop_number(&postgres, shop,
		    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
		    " WHERE application_name = 'quevedo' AND query LIKE 'LISTEN%'");
	wait_for_texts(shop, &ears[0], 1);
	/* Not only when the silence made it listen again. */
	assert_int_equal(strncmp(ears[0].said, "n9>hello 1 ", 11), 0);
}

/* After a lost connection somebody else may have told something. */
static void test_bus__a_lost_connection_is_known(void **state)
{
	struct shop *shop = *state;
	char out[64];
	/* After a long silence it asks something else for a moment. */
	do
		shop_sql(&postgres, shop,
			 "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
			 " WHERE query = 'LISTEN ' || channel('n1')",
			 out);
	while (strcmp(out, "0") == 0);
	assert_string_equal(out, "1");
	while (!ears[0].missing)
		shop_turn(shop);
	tell(shop, "", "again");
	assert_true(shop_finish(shop));
	wait_for_texts(shop, &ears[0], 1);
	assert_string_equal(ears[0].said, "n1>again ");
}

#endif

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_bus__what_a_server_tells_itself),
		CASE(test_bus__long_texts),
		CASE(test_bus__bad_names),
		CASE(test_bus__without_ears),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!cluster_start(&postgres))
		return failed;
	failed += cmocka_run_group_tests_name("postgres", tests, NULL, NULL);
#ifdef QV_POSTGRES
	const struct CMUnitTest server_tests[] = {
		CASE(test_bus__two_servers),
		CASE(test_bus__signs_of_life),
		CASE(test_bus__a_sign_does_not_revive_a_server),
		CASE(test_bus__a_text_while_it_begins_to_listen),
		CASE(test_bus__a_lost_connection_is_known),
	};
	failed += cmocka_run_group_tests_name("servers", server_tests, NULL, NULL);
#endif
	cluster_stop(&postgres);
	return failed;
}
