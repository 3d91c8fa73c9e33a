/*
 * server_store_read.c - questions: threads answer them, or store_step does; plays are taken over;
 * damage is found in the background.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#include <fcntl.h>

static struct cluster postgres; /* the tests run with it, too */

static int set_up(void **state)
{
	struct shop *shop = shop_new_in(&postgres);
	shop_open(shop);
	*state = shop;
	return 0;
}

static int set_up_manual(void **state)
{
	struct shop *shop = shop_new_in(&postgres);
	shop->manual = true;
	shop_open(shop);
	*state = shop;
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

/* What a `done` was called with. */
struct heard {
	int calls;
	struct store_rows *rows;
	char error[256];
};

static void hear(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct heard *heard = ctx;
	assert_true(!rows == (error != NULL));
	heard->calls++;
	store_rows_free(heard->rows);
	heard->rows = rows;
	if (error)
		snprintf(heard->error, sizeof heard->error, "%s", error->text);
}

static void ask_later(struct shop *shop, enum store_question question, int count,
		      const struct store_value *values, struct heard *heard)
{
	assert_int_equal(store_read(shop->store, question, values, count, hear, heard), QV_OK);
}

/* Asks and waits. The caller frees the rows. */
static struct store_rows *ask(struct shop *shop, enum store_question question, int count,
			      const struct store_value *values)
{
	struct heard heard = { 0 };
	ask_later(shop, question, count, values, &heard);
	while (!heard.calls)
		shop_turn(shop);
	if (!heard.rows)
		fail_msg("%s", heard.error);
	return heard.rows;
}

static void make_play(struct shop *shop, const char *id, int lines)
{
	shop_play(shop, id);
	for (int i = 0; i < lines; i++)
		shop_line(shop, id, i);
	assert_true(shop_finish(shop));
}

/* A play and its lines, which must be as many as its row has. */
static void check_loaded(const struct store_rows *rows, int64_t lines)
{
	struct shop_count count = { 0 };
	struct store_play play;
	assert_int_equal(rows->count, 1);
	assert_true(store_row_play(rows, 0, &play));
	assert_non_null(rows->next);
	assert_int_equal(rows->next->count, play.lines);
	assert_int_equal(play.lines, lines);
	for (size_t i = 0; i < rows->next->count; i++) {
		int64_t number;
		size_t size;
		const char *line = store_row_line(rows->next, i, play.id, &number, &size);
		shop_count_line(&count, number, line, size);
	}
}

static void test_read__a_play_with_its_lines(void **state)
{
	struct shop *shop = *state;
	struct store_value id = value_text("p1");
	struct store_play play;
	size_t size;
	make_play(shop, "p1", 3);
	struct store_rows *rows = ask(shop, ASK_LOAD, 1, &id);
	check_loaded(rows, 3);
	assert_string_equal(store_row_header(rows, 0, &size), "{\"line\":0}");
	assert_int_equal(size, 10);
	assert_false(store_row_play(rows, 1, &play));
	store_rows_free(rows);
	id = value_text("nobody's");
	rows = ask(shop, ASK_LOAD, 1, &id);
	assert_int_equal(rows->count, 0);
	assert_int_equal(rows->next->count, 0);
	assert_string_equal(store_row_header(rows, 0, &size), "");
	store_rows_free(rows);
}

/* Questions are asked while units are written: each sees what was acknowledged before. */
static void test_read__sees_what_was_acknowledged(void **state)
{
	enum { ROUNDS = 50, AT_ONCE = 8 };
	struct shop *shop = *state;
	const struct store_value id = value_text("p1");
	make_play(shop, "p1", 0);
	for (int64_t lines = 0; lines < ROUNDS; lines++) {
		struct heard heard[AT_ONCE] = { { 0 } };
		shop_line(shop, "p1", lines);
		assert_true(shop_finish(shop));
		for (int i = 0; i < AT_ONCE; i++)
			ask_later(shop, ASK_LOAD, 1, &id, &heard[i]);
		for (int i = 0; i < AT_ONCE; i++) {
			while (!heard[i].calls)
				shop_turn(shop);
			check_loaded(heard[i].rows, lines + 1);
			store_rows_free(heard[i].rows);
		}
	}
}

static void test_read__values_must_fit(void **state)
{
	struct shop *shop = *state;
	struct heard heard = { 0 };
	const struct store_value text = value_text("p1"), number = value_number(1),
				 two[] = { text, text };
	const struct store_value cut = { .type = STORE_TEXT, .bytes = "a\0b", .size = 3 };
	struct store *s = shop->store;
	assert_int_equal(store_read(s, ASK_PLAY, &number, 1, hear, &heard), QV_BAD_INPUT);
	assert_int_equal(store_read(s, ASK_PLAY, two, 2, hear, &heard), QV_BAD_INPUT);
	assert_int_equal(store_read(s, ASK_PLAY, NULL, 0, hear, &heard), QV_BAD_INPUT);
	assert_int_equal(store_read(s, ASK_PLAY, &cut, 1, hear, &heard), QV_BAD_INPUT);
	assert_int_equal(store_read(s, ASK_KINDS, &text, 1, hear, &heard), QV_BAD_INPUT);
	store_deliver(s);
	assert_int_equal(heard.calls, 0);
}

static void ask_in_done(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct shop *shop = ctx;
	const struct store_value id = value_text("p1");
	(void)error;
	store_rows_free(rows);
	shop->ended++;
	assert_int_equal(store_read(shop->store, ASK_PLAY, &id, 1, ask_in_done, shop), QV_STOPPED);
}

static void test_read__closing_answers_all_questions(void **state)
{
	enum { QUESTIONS = 500 };
	struct shop *shop = *state;
	struct heard heard = { 0 };
	const struct store_value id = value_text("p1");
	make_play(shop, "p1", 3);
	shop->ended = 0;
	for (int i = 0; i < QUESTIONS; i++)
		ask_later(shop, ASK_LOAD, 1, &id, &heard);
	assert_int_equal(store_read(shop->store, ASK_PLAY, &id, 1, ask_in_done, shop), QV_OK);
	shop_close(shop);
	assert_int_equal(heard.calls, QUESTIONS);
	assert_int_equal(shop->ended, 1);
	store_rows_free(heard.rows);
}

/* ---- manual mode ---- */

static void test_manual__nothing_happens_without_a_step(void **state)
{
	struct shop *shop = *state;
	struct heard first = { 0 }, second = { 0 };
	const struct store_value id = value_text("p1");
	assert_false(store_step(shop->store));
	ask_later(shop, ASK_PLAY, 1, &id, &first);
	shop_play(shop, "p1");
	shop_after(shop);
	shop_line(shop, "p1", 0);
	shop_after(shop);
	ask_later(shop, ASK_PLAY, 1, &id, &second);
	store_deliver(shop->store);
	assert_int_equal(first.calls + second.calls + shop->ended, 0);
	/* In the order of queueing, both units in one commit. */
	assert_true(store_step(shop->store));
	store_deliver(shop->store);
	assert_int_equal(first.calls, 1);
	assert_int_equal(first.rows->count, 0);
	assert_int_equal(shop->ended, 0);
	assert_true(store_step(shop->store));
	assert_int_equal(shop->ended, 0);
	store_deliver(shop->store);
	assert_int_equal(shop->ended, 2);
	assert_int_equal(second.calls, 0);
	assert_true(store_step(shop->store));
	store_deliver(shop->store);
	assert_int_equal(second.rows->count, 1);
	assert_false(store_step(shop->store));
	store_rows_free(first.rows);
	store_rows_free(second.rows);
}

/* Who was answered, in this order. */
struct turns {
	char names[32];
};

struct asker {
	struct turns *turns;
	const char *name;
};

static void note_turn(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	const struct asker *asker = ctx;
	assert_null(error);
	store_rows_free(rows);
	strcat(asker->turns->names, asker->name);
}

/* An address that asks much waits for itself, the others do not wait for it. */
static void test_manual__addresses_take_turns(void **state)
{
	struct shop *shop = *state;
	struct turns turns = { "" };
	struct asker askers[] = { { &turns, "a" }, { &turns, "b" }, { &turns, "s" } };
	const struct store_value id = value_text("p1");
	for (int i = 0; i < 5; i++)
		assert_int_equal(store_read_for(shop->store, "192.0.2.1", ASK_PLAY, &id, 1,
						note_turn, &askers[0]),
				 QV_OK);
	shop_turn(shop);
	for (int i = 0; i < 2; i++)
		assert_int_equal(store_read_for(shop->store, "192.0.2.2", ASK_PLAY, &id, 1,
						note_turn, &askers[1]),
				 QV_OK);
	assert_int_equal(store_read(shop->store, ASK_PLAY, &id, 1, note_turn, &askers[2]), QV_OK);
	while (store_step(shop->store))
		store_deliver(shop->store);
	assert_string_equal(turns.names, "absabaaa");
	/* Who asks again after a pause has nothing left of it. */
	for (int i = 0; i < 3; i++)
		assert_int_equal(store_read_for(shop->store, i ? "192.0.2.1" : "192.0.2.2", ASK_PLAY,
						&id, 1, note_turn, &askers[!i]),
				 QV_OK);
	while (store_step(shop->store))
		store_deliver(shop->store);
	assert_string_equal(turns.names, "absabaaabaa");
}

static void test_manual__closing_writes_and_answers(void **state)
{
	struct shop *shop = *state;
	struct heard heard = { 0 };
	const struct store_value id = value_text("p1");
	shop_play(shop, "p1");
	shop_after(shop);
	ask_later(shop, ASK_PLAY, 1, &id, &heard);
	shop_close(shop);
	assert_int_equal(shop->ended, 1);
	assert_true(shop->ok[0]);
	assert_int_equal(heard.calls, 1);
	assert_null(heard.rows);
	assert_string_equal(heard.error, "store: is closing");
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 0);
}

/* ---- plays that are taken over ---- */

/* The new epoch; 0: it belongs to a node that is alive, or does not exist. */
static int64_t claim(struct shop *shop, const char *play, const char *node)
{
	const struct store_value values[] = { value_text(play), value_text(node) };
	struct store_rows *rows = ask(shop, ASK_CLAIM, 2, values);
	const int64_t epoch = rows->count ? store_rows_number(rows, 0, 0) : 0;
	store_rows_free(rows);
	return epoch;
}

static bool move(struct shop *shop, int64_t number, int64_t epoch)
{
	shop_line(shop, "p1", number);
	store_set_play(shop->store, "p1", epoch, true, 0, 9);
	return shop_finish(shop);
}

static void put_node(struct shop *shop, const char *node, int64_t alive_ms)
{
	assert_int_equal(store_put_node(shop->store, node, alive_ms, "host:1"), QV_OK);
	assert_true(shop_finish(shop));
}

static void test_claim__the_server_before_can_write_no_more(void **state)
{
	struct shop *shop = *state;
	make_play(shop, "p1", 0);
	assert_int_equal(claim(shop, "p2", "n1"), 0);
	assert_true(move(shop, 0, 0));
	put_node(shop, "n1", 60000);
	assert_int_equal(claim(shop, "p1", "n1"), 1);
	assert_false(move(shop, 1, 0));
	assert_non_null(strstr(store_last_error(shop->store).text, "taken over"));
	assert_false(store_failing(shop->store, NULL));
	assert_true(move(shop, 1, 1));
	/* n1 is alive; then it is not. */
	assert_int_equal(claim(shop, "p1", "n2"), 0);
	assert_true(move(shop, 2, 1));
	put_node(shop, "n1", -1);
	assert_int_equal(claim(shop, "p1", "n2"), 2);
	assert_false(move(shop, 3, 1));
	assert_true(move(shop, 3, 2));
	/* A node that takes its own play over: its earlier units fail, too. */
	assert_int_equal(claim(shop, "p1", "n2"), 3);
	assert_false(move(shop, 4, 2));
	assert_int_equal(shop_lines(shop, "p1"), 4);
}

static void test_claim__waits_for_the_units_before_it(void **state)
{
	struct shop *shop = *state;
	struct heard heard = { 0 };
	const struct store_value values[] = { value_text("p1"), value_text("n1") };
	shop_play(shop, "p1");
	shop_after(shop);
	ask_later(shop, ASK_CLAIM, 2, values, &heard);
	store_set_play(shop->store, "p1", 1, true, 0, 9);
	shop_after(shop);
	shop_wait(shop);
	while (!heard.calls)
		shop_turn(shop);
	assert_int_equal(store_rows_number(heard.rows, 0, 0), 1);
	assert_true(shop->ok[0] && shop->ok[1]);
	store_rows_free(heard.rows);
}

static void test_claim__nodes_that_are_alive(void **state)
{
	struct shop *shop = *state;
	put_node(shop, "n2", 60000);
	put_node(shop, "n1", 1);
	put_node(shop, "n1", 60000);
	put_node(shop, "n3", -1);
	struct store_rows *rows = ask(shop, ASK_NODES, 0, NULL);
	assert_int_equal(rows->count, 2);
	assert_string_equal(store_rows_text(rows, 0, 0), "n1");
	assert_string_equal(store_rows_text(rows, 1, 2), "host:1");
	store_rows_free(rows);
	store_drop_node(shop->store, "n2");
	assert_true(shop_finish(shop));
	rows = ask(shop, ASK_NODES, 0, NULL);
	assert_int_equal(rows->count, 1);
	store_rows_free(rows);
}

/* A node that counted as dead cannot renew its lease, even if nobody has noticed. */
static void test_claim__only_a_lease_that_holds_is_renewed(void **state)
{
	struct shop *shop = *state;
	make_play(shop, "p1", 0);
	const int64_t alive_ms[] = { -1, 1000000, 60000 };
	for (int i = 0; i < 3; i++) {
		put_node(shop, "n1", alive_ms[i]);
		store_keep_node(shop->store, "n1", 60000, "host:1");
		assert_int_equal(shop_finish(shop), i == 2);
	}
	store_keep_node(shop->store, "n2", 60000, "host:1");
	assert_false(shop_finish(shop));
	assert_non_null(strstr(store_last_error(shop->store).text, "counts as dead"));
	/* A lease from before the clock was set back does not keep a play. */
	assert_int_equal(claim(shop, "p1", "n1"), 1);
	assert_int_equal(claim(shop, "p1", "n2"), 0);
	put_node(shop, "n1", 1000000);
	assert_int_equal(claim(shop, "p1", "n2"), 2);
}

static void test_claim__says_who_had_it(void **state)
{
	struct shop *shop = *state;
	const char *const nodes[] = { "n1", "n1", "n2" };
	const char *const before[] = { "", "n1", "n1" };
	make_play(shop, "p1", 0);
	for (int i = 0; i < 3 && *shop->place; i++) {
		const struct store_value values[] = { value_text("p1"), value_text(nodes[i]) };
		struct store_rows *rows = ask(shop, ASK_CLAIM, 2, values);
		assert_string_equal(store_rows_text(rows, 0, 1), before[i]);
		store_rows_free(rows);
	}
}

static void test_claim__nodes_that_ended_long_ago_are_removed(void **state)
{
	struct shop *shop = *state;
	put_node(shop, "old", -86400000 - 60000);
	put_node(shop, "late", -80000000);
	put_node(shop, "now", 1000);
	store_tidy_nodes(shop->store);
	assert_true(shop_finish(shop));
	assert_int_equal(shop_number(&postgres, shop, "SELECT count(*) FROM node WHERE id = 'old'"), 0);
	assert_int_equal(shop_number(&postgres, shop, "SELECT count(*) FROM node WHERE id <> 'old'"), 2);
}

/* ---- rows ---- */

static void test_rows__are_bounded(void **state)
{
	enum { SIZE = 1 << 20 };
	struct store_rows *rows = rows_new(1, 0);
	char *text = calloc(1, SIZE);
	const struct store_value large = { .type = STORE_TEXT, .bytes = text, .size = SIZE },
				 huge = { .type = STORE_BYTES, .bytes = text, .size = SIZE_MAX };
	int count = 0;
	(void)state;
	assert_false(rows_add(rows, &huge));
	while (rows_add(rows, &large))
		count++;
	assert_in_range(count, 62, 64);
	rows_end(rows);
	assert_int_equal(rows->count, count);
	assert_int_equal(store_rows_at(rows, 5, 0)->size, SIZE);
	assert_int_equal(store_rows_at(rows, 5, 1)->type, STORE_NULL);
	assert_int_equal(store_rows_at(rows, (size_t)count, 0)->type, STORE_NULL);
	store_rows_free(rows);
	free(text);
}

/* ---- damage ---- */

enum { PAGE = 4096 };

static void copy_file(const struct shop *from, const struct shop *to, const char *name)
{
	char path[SHOP_PATH];
	static char bytes[1 << 20];
	FILE *in = fopen(shop_path(from, name, path), "rb");
	FILE *out = fopen(shop_path(to, name, path), "wb");
	assert_true(in && out);
	const size_t size = fread(bytes, 1, sizeof bytes, in);
	assert_in_range(size, 1, sizeof bytes - 1);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	fclose(in);
	assert_int_equal(fclose(out), 0);
}

static void overwrite_page(const struct shop *shop, off_t page)
{
	char path[SHOP_PATH];
	static char nonsense[PAGE];
	memset(nonsense, 0xa5, sizeof nonsense);
	const int file = open(shop_path(shop, "quevedo.db", path), O_WRONLY);
	assert_int_equal(pwrite(file, nonsense, PAGE, page * PAGE), PAGE);
	close(file);
}

/* Opens a copy of the shop's files in which a page is damaged. Did it open, and was it noticed? */
static void try_damaged(const struct shop *shop, off_t page, bool with_log, int *opened,
			int *noticed)
{
	struct shop *other = shop_new();
	struct qv_error why = { "" };
	other->manual = true;
	other->check_bytes = 1;
	copy_file(shop, other, "quevedo.db");
	if (with_log)
		copy_file(shop, other, "quevedo.db-wal");
	overwrite_page(other, page);
	if (shop_try(other, 0, NULL) == QV_OK) {
		++*opened;
		assert_false(store_failing(other->store, NULL));
		assert_int_equal(store_step(other->store), with_log);
		*noticed += store_failing(other->store, &why);
		assert_true(!why.text[0] || strstr(why.text, "quevedo.db: is damaged"));
		store_probe(other->store);
		while (store_step(other->store))
			store_deliver(other->store);
	}
	shop_free(other);
}

/* A large database is checked after an unclean end, when its log is left, and not otherwise. */
static void test_check__after_an_unclean_end(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH];
	struct stat about;
	int opened = 0, noticed = 0;
	make_play(shop, "p1", 300);
	shop_close(shop);
	assert_int_equal(stat(shop_path(shop, "quevedo.db", path), &about), 0);
	const off_t pages = about.st_size / PAGE;
	for (off_t page = 2; page < pages; page++)
		try_damaged(shop, page, false, &opened, &noticed);
	assert_in_range(opened, 5, pages);
	assert_int_equal(noticed, 0);
	shop_open(shop);
	store_put_user(shop->store, "bob", "Bob", 1);
	assert_true(shop_finish(shop));
	opened = 0;
	for (off_t page = 2; page < pages; page++)
		try_damaged(shop, page, true, &opened, &noticed);
	/* Two or three pages are in the log as well. */
	assert_in_range(opened - noticed, 0, 4);
	assert_in_range(noticed, 5, pages);
}

/* With threads a reader does it, and closing does not wait for it. */
static void test_check__in_the_background(void **state)
{
	struct shop *shop = *state;
	struct shop *other = shop_new();
	make_play(shop, "p1", 300);
	other->check_bytes = 1;
	copy_file(shop, other, "quevedo.db");
	copy_file(shop, other, "quevedo.db-wal");
	shop_open(other);
	while (sem_wait(&other->news) != 0)
		continue;
	assert_false(store_failing(other->store, NULL));
	assert_int_equal(shop_lines(other, "p1"), 300);
	shop_free(other);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define MANUAL(name) cmocka_unit_test_setup_teardown(name, set_up_manual, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_read__a_play_with_its_lines),
		MANUAL(test_read__a_play_with_its_lines),
		CASE(test_read__sees_what_was_acknowledged),
		CASE(test_read__values_must_fit),
		CASE(test_read__closing_answers_all_questions),
		MANUAL(test_manual__nothing_happens_without_a_step),
		MANUAL(test_manual__addresses_take_turns),
		MANUAL(test_manual__closing_writes_and_answers),
		CASE(test_claim__the_server_before_can_write_no_more),
		MANUAL(test_claim__the_server_before_can_write_no_more),
		CASE(test_claim__waits_for_the_units_before_it),
		CASE(test_claim__nodes_that_are_alive),
		CASE(test_claim__only_a_lease_that_holds_is_renewed),
		CASE(test_claim__says_who_had_it),
		CASE(test_claim__nodes_that_ended_long_ago_are_removed),
	};
	const struct CMUnitTest file_tests[] = {
		cmocka_unit_test(test_rows__are_bounded),
		CASE(test_check__after_an_unclean_end),
		CASE(test_check__in_the_background),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	failed += cmocka_run_group_tests(file_tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
