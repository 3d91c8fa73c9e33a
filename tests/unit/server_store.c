/*
 * server_store.c - the store: what was written comes back, units stand or fall alone, and a file
 * that is not fit to be opened is refused.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "support/scale.h"

static struct cluster postgres; /* the tests run with it, too */

static int set_up(void **state)
{
	struct shop *shop = shop_new_in(&postgres);
	shop_open(shop);
	*state = shop;
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

/* ---- what is kept ---- */

struct seen {
	int count;
	char ids[16][STORE_ID];
	char header[64];
};

static bool see_play(void *ctx, const struct store_play *play, const char *header, size_t size)
{
	struct seen *seen = ctx;
	assert_in_range(seen->count, 0, 15);
	assert_int_equal(strlen(header), size);
	snprintf(seen->header, sizeof seen->header, "%s", header);
	strcpy(seen->ids[seen->count++], play->id);
	return true;
}

static struct seen list(struct shop *shop, enum store_list which, const char *user, int most)
{
	struct seen seen = { 0 };
	assert_int_equal(store_list_plays(shop->store, which, user, most, see_play, &seen, NULL),
			 QV_OK);
	return seen;
}

static const uint8_t hash[STORE_TOKEN] = { 1, 0, 3, 255 };

static void write_some(struct shop *shop)
{
	const struct store_play plays[] = {
		{ "p1", "connect4 size=8x8", "ann", 10, 20, false, true, 1, 0, "", 0 },
		{ "p2", "noughts", "ann", 11, 30, true, true, 1, 0, "", 0 },
		{ "p3", "noughts", "bob", 12, 40, false, true, 0, 0, "", 0 },
		{ "p4", "noughts", "bob", 13, 50, false, false, 1, 0, "n1", 7 },
		{ "p5", "noughts", "bob", 14, 15, false, true, 2, 0, "", 0 },
	};
	struct store_token token = { "t1", "bob", "", { 0 }, 9, 0 };
	memcpy(token.hash, hash, sizeof hash);
	assert_int_equal(store_put_user(shop->store, "ann", "Ann", 1), QV_OK);
	assert_int_equal(store_put_user(shop->store, "bob",
					"B\xc3\xb6"
					"b",
					2),
			 QV_OK);
	assert_int_equal(store_put_user(shop->store, "ann", "Anna", 3), QV_OK);
	assert_int_equal(store_put_account(shop->store, "bob", "Bob", "bob", "$argon2id$x"), QV_OK);
	assert_int_equal(store_put_token(shop->store, &token), QV_OK);
	for (size_t i = 0; i < sizeof plays / sizeof *plays; i++)
		assert_int_equal(store_add_play(shop->store, &plays[i]), QV_OK);
	for (int i = 0; i < 3; i++)
		shop_line(shop, "p1", i);
	assert_int_equal(store_put_seat(shop->store, "bob", "p1"), QV_OK);
	assert_int_equal(store_put_seat(shop->store, "bob", "p1"), QV_OK);
	assert_int_equal(store_put_seat(shop->store, "bob", "p3"), QV_OK);
	assert_true(shop_finish(shop));
}

static void count_token(void *ctx, const struct store_token *token)
{
	assert_string_equal(token->id, "t1");
	++*(int *)ctx;
}

static int tokens_of(struct shop *shop, const char *user)
{
	int count = 0;
	assert_int_equal(store_list_tokens(shop->store, user, count_token, &count, NULL), QV_OK);
	return count;
}

static void check_users(struct shop *shop)
{
	struct store_user user;
	assert_int_equal(store_user_by_id(shop->store, "ann", &user, NULL), QV_OK);
	assert_string_equal(user.name, "Anna");
	assert_string_equal(user.login, "");
	assert_int_equal(user.created, 1);
	assert_int_equal(store_user_by_login(shop->store, "bOB", &user, NULL), QV_OK);
	assert_string_equal(user.id, "bob");
	assert_string_equal(user.name, "B\xc3\xb6"
				       "b");
	assert_string_equal(user.login, "Bob");
	assert_string_equal(user.password_hash, "$argon2id$x");
	assert_int_equal(tokens_of(shop, "bob"), 1);
	assert_int_equal(tokens_of(shop, "ann"), 0);
	assert_int_equal(store_user_by_login(shop->store, "ann", &user, NULL), QV_UNKNOWN);
	assert_int_equal(store_user_by_id(shop->store, "Bob", &user, NULL), QV_UNKNOWN);
}

static void check_plays(struct shop *shop)
{
	struct seen seen = list(shop, STORE_GOING, NULL, 0);
	assert_int_equal(seen.count, 4);
	assert_string_equal(seen.ids[0], "p3");
	assert_string_equal(seen.ids[3], "p5");
	seen = list(shop, STORE_OF_USER, "bob", 0);
	assert_int_equal(seen.count, 4);
	assert_string_equal(seen.ids[0], "p4");
	assert_string_equal(seen.ids[2], "p1");
	assert_int_equal(list(shop, STORE_OF_USER, "eve", 0).count, 0);
}

static void check_one_play(struct shop *shop)
{
	struct shop_count count = { 0 };
	struct store_play play;
	assert_int_equal(store_load_play(shop->store, "p1", &play, shop_count_line, &count, NULL),
			 QV_OK);
	assert_string_equal(play.game, "connect4 size=8x8");
	assert_string_equal(play.owner, "ann");
	assert_true(play.created == 10 && play.updated == 20 && play.open_seats == 1);
	assert_true(play.going && !play.is_private && play.lines == 3);
	assert_int_equal(shop_lines(shop, "p2"), 0);
	assert_int_equal(shop_lines(shop, "p9"), -1);
}

static void test_store__what_was_written_comes_back(void **state)
{
	struct shop *shop = *state;
	write_some(shop);
	for (int round = 0; round < 2; round++) {
		check_users(shop);
		check_plays(shop);
		check_one_play(shop);
		shop_close(shop);
		shop_open(shop);
	}
}

static void test_store__changes_replace(void **state)
{
	struct shop *shop = *state;
	struct store_user user;
	write_some(shop);
	store_set_play(shop->store, "p1", 0, false, 0, 99);
	store_drop_token(shop->store, "bob", "t1", 1);
	store_drop_token(shop->store, "bob", "t2", 1);
	store_put_account(shop->store, "bob", "robert", "robert", "new");
	assert_true(shop_finish(shop));
	assert_int_equal(list(shop, STORE_GOING, NULL, 0).count, 3);
	assert_string_equal(list(shop, STORE_OF_USER, "bob", 0).ids[0], "p1");
	assert_int_equal(tokens_of(shop, "bob"), 0);
	assert_int_equal(store_user_by_login(shop->store, "bob", &user, NULL), QV_UNKNOWN);
	assert_int_equal(store_user_by_login(shop->store, "ROBERT", &user, NULL), QV_OK);
	assert_string_equal(user.password_hash, "new");
}

/* ---- reads inside reads ---- */

static bool load_it(void *ctx, const struct store_play *play, const char *header, size_t size)
{
	struct shop *shop = ctx;
	(void)header, (void)size;
	assert_int_equal(shop_lines(shop, play->id), play->lines);
	shop->ended++;
	return true;
}

static bool load_again(void *ctx, int64_t number, const char *line, size_t size)
{
	struct shop *shop = ctx;
	(void)number, (void)line, (void)size;
	assert_int_equal(shop_lines(shop, "p1"), 3);
	return false;
}

static void test_store__a_list_can_load_its_plays(void **state)
{
	struct shop *shop = *state;
	write_some(shop);
	shop->ended = 0;
	assert_int_equal(store_list_plays(shop->store, STORE_GOING, NULL, 0, load_it, shop, NULL),
			 QV_OK);
	assert_int_equal(shop->ended, 4);
	assert_int_equal(store_load_play(shop->store, "p1", NULL, load_again, shop, NULL),
			 QV_STOPPED);
	assert_int_equal(shop_lines(shop, "p1"), 3);
}

/* ---- units ---- */

static void test_store__a_unit_that_breaks_a_rule_goes_back_alone(void **state)
{
	struct shop *shop = *state;
	struct store_user user;
	shop_play(shop, "p1");
	shop_line(shop, "p1", 0);
	shop_after(shop);
	store_put_user(shop->store, "eve", "Eve", 1);
	shop_line(shop, "p1", 0); /* there already */
	shop_line(shop, "p1", 1);
	shop_after(shop);
	shop_line(shop, "p1", 1);
	shop_after(shop);
	shop_after(shop); /* empty */
	shop_wait(shop);
	assert_true(shop->ok[0] && !shop->ok[1] && shop->ok[2] && shop->ok[3]);
	assert_int_equal(store_user_by_id(shop->store, "eve", &user, NULL), QV_UNKNOWN);
	assert_int_equal(shop_lines(shop, "p1"), 2);
	assert_non_null(strstr(store_last_error(shop->store).text, "out of order"));
}

static bool rule_holds_after(struct shop *shop, enum qv_status queued)
{
	assert_int_equal(queued, QV_OK);
	return shop_finish(shop);
}

static void test_store__rules_of_the_database(void **state)
{
	struct store_token again = { "t2", "ann", "", { 0 }, 1, 0 };
	struct shop *shop = *state;
	struct store *s = shop->store;
	const struct store_play no_owner = { .id = "p7", .game = "noughts", .owner = "eve" },
				twice = { .id = "p1", .game = "noughts", .owner = "ann" };
	write_some(shop);
	assert_false(rule_holds_after(shop, store_add_play(s, &no_owner)));
	assert_false(rule_holds_after(shop, store_add_play(s, &twice)));
	assert_false(rule_holds_after(shop, store_add_event(s, "p1", 4, "gap", 3)));
	assert_false(rule_holds_after(shop, store_add_event(s, "p1", 2, "again", 5)));
	assert_false(rule_holds_after(shop, store_add_event(s, "p1", -1, "before", 6)));
	assert_false(rule_holds_after(shop, store_add_event(s, "p2", 1, "not first", 9)));
	assert_false(rule_holds_after(shop, store_add_event(s, "p9", 0, "no play", 7)));
	assert_false(rule_holds_after(shop, store_set_play(s, "p9", 0, true, 0, 1)));
	assert_false(rule_holds_after(shop, store_set_play(s, "p1", 0, true, -1, 1)));
	assert_false(rule_holds_after(shop, store_set_play(s, "p1", 1, true, 1, 1)));
	assert_false(rule_holds_after(shop, store_set_play(s, "p4", 6, true, 1, 1)));
	assert_false(rule_holds_after(shop, store_put_account(s, "ann", "BOB", "bob", "x")));
	assert_false(rule_holds_after(shop, store_put_account(s, "eve", "eve", "eve", "x")));
	memcpy(again.hash, hash, sizeof hash);
	assert_false(rule_holds_after(shop, store_put_token(s, &again)));
	assert_false(rule_holds_after(shop, store_put_seat(s, "ann", "p9")));
	check_users(shop);
	check_plays(shop);
	check_one_play(shop);
	assert_true(rule_holds_after(shop, store_add_event(s, "p1", 3, "", 0)));
}

/* Random units on a few plays, some with a wrong number; a count a play says which must fail. */
static void test_store__units_as_a_model_says(void **state)
{
	enum { PLAYS = 5, UNITS = 1500 };
	struct shop *shop = *state;
	struct qv_random random = { 77, 0 };
	int64_t lines[PLAYS] = { 0 };
	bool expected[SHOP_ENDS];
	char id[PLAYS][STORE_ID];
	const int units = (int)scaled(UNITS);
	for (int i = 0; i < PLAYS; i++) {
		snprintf(id[i], sizeof id[i], "play%d", i);
		shop_play(shop, id[i]);
	}
	assert_true(shop_finish(shop));
	for (int n = 1; n <= units; n++) {
		int64_t now[PLAYS];
		memcpy(now, lines, sizeof now);
		expected[n] = true;
		for (int left = 1 + (int)(qv_random_next(&random) % 4); left; left--) {
			const int play = (int)(qv_random_next(&random) % PLAYS);
			const bool wrong = qv_random_next(&random) % 8 == 0;
			const int64_t slip = (int64_t)(qv_random_next(&random) % 3) - 1;
			shop_line(shop, id[play], now[play] + (wrong ? slip : 0));
			expected[n] = expected[n] && !(wrong && slip);
			now[play]++;
		}
		if (expected[n])
			memcpy(lines, now, sizeof now);
		shop_after(shop);
		if (n % 100 == 0)
			shop_wait(shop);
	}
	shop_close(shop); /* writes and delivers the rest */
	assert_int_equal(shop->ended, units + 1);
	for (int n = 1; n <= units; n++)
		assert_int_equal(shop->ok[n], expected[n]);
	shop_open(shop);
	for (int i = 0; i < PLAYS; i++)
		assert_int_equal(shop_lines(shop, id[i]), lines[i]);
}

static void test_store__closing_writes_what_is_queued(void **state)
{
	struct shop *shop = *state;
	shop_play(shop, "p1");
	for (int i = 0; i < 100; i++) {
		shop_line(shop, "p1", i);
		shop_after(shop);
	}
	shop_line(shop, "p1", 100); /* a unit that nobody ended */
	shop_close(shop);
	assert_int_equal(shop->ended, 100);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 101);
}

static void queue_in_done(void *ctx, bool ok)
{
	struct shop *shop = ctx;
	assert_true(ok);
	shop_line(shop, "p1", 0);
	assert_int_equal(store_end_unit(shop->store, shop_done, shop), QV_STOPPED);
	shop->ended++;
}

static void test_store__a_done_at_the_close_can_queue_no_more(void **state)
{
	struct shop *shop = *state;
	shop_play(shop, "p1");
	assert_int_equal(store_end_unit(shop->store, queue_in_done, shop), QV_OK);
	shop_close(shop);
	assert_int_equal(shop->ended, 1);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 0);
}

/* ---- limits ---- */

static void test_store__a_full_queue_refuses_whole_units(void **state)
{
	struct shop *shop = *state;
	char line[1000];
	int fitting = 0;
	memset(line, 'x', sizeof line);
	shop_close(shop);
	assert_int_equal(shop_try(shop, 10000, NULL), QV_OK);
	shop_play(shop, "p1");
	shop_after(shop);
	/* What is written counts until it is delivered, so this must end. */
	while (store_add_event(shop->store, "p1", fitting, line, sizeof line) == QV_OK &&
	       store_end_unit(shop->store, shop_done, shop) == QV_OK)
		fitting++;
	assert_in_range(fitting, 1, 9);
	assert_int_equal(store_add_event(shop->store, "p1", 0, "", 0), QV_NO_MEMORY);
	assert_int_equal(store_end_unit(shop->store, shop_done, shop), QV_NO_MEMORY);
	shop->queued += fitting;
	shop_wait(shop);
	for (int i = 0; i < shop->ended; i++)
		assert_true(shop->ok[i]);
	assert_int_equal(store_add_event(shop->store, "p1", fitting, line, sizeof line), QV_OK);
	assert_true(shop_finish(shop));
}

static void test_store__texts_that_do_not_fit(void **state)
{
	struct shop *shop = *state;
	char longest[STORE_NAME];
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	assert_int_equal(store_put_user(shop->store, "ann", longest, 1), QV_OK);
	assert_true(shop_finish(shop));
	longest[STORE_ID] = '\0';
	assert_int_equal(store_put_user(shop->store, "bob", "Bob", 1), QV_OK);
	assert_int_equal(store_put_user(shop->store, longest, "name", 1), QV_BAD_INPUT);
	assert_int_equal(store_put_user(shop->store, "eve", "Eve", 1), QV_BAD_INPUT);
	assert_int_equal(store_end_unit(shop->store, shop_done, shop), QV_BAD_INPUT);
	struct store_user user;
	assert_int_equal(store_user_by_id(shop->store, "bob", &user, NULL), QV_UNKNOWN);
	assert_int_equal(store_add_event(shop->store, "p1", 0, "a\0b", 3), QV_BAD_INPUT);
	assert_int_equal(store_end_unit(shop->store, shop_done, shop), QV_BAD_INPUT);
	assert_true(shop_finish(shop));
}

/* A file that may not grow is what a full disk is. */
static void test_store__goes_on_after_a_full_disk(void **state)
{
	struct shop *shop = *state;
	struct rlimit before, small = { .rlim_cur = 1 << 19 };
	static char line[20000];
	int64_t number = 0;
	memset(line, 'x', sizeof line);
	shop_play(shop, "p1");
	assert_true(shop_finish(shop));
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	bool ok = true;
	while (ok && number < 200) {
		assert_int_equal(store_add_event(shop->store, "p1", number, line, sizeof line),
				 QV_OK);
		ok = shop_finish(shop);
		number += ok;
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_false(ok);
	assert_string_not_equal(store_last_error(shop->store).text, "");
	assert_int_equal(store_add_event(shop->store, "p1", number, line, sizeof line), QV_OK);
	assert_true(shop_finish(shop));
	struct seen seen = list(shop, STORE_GOING, NULL, 0);
	assert_int_equal(seen.count, 1);
}

/* ---- what is refused at the door ---- */

static void refused(struct shop *shop, const char *why)
{
	struct qv_error error = { "" };
	assert_int_equal(shop_try(shop, 0, &error), QV_IO);
	if (!strstr(error.text, why))
		fail_msg("'%s' does not say '%s'", error.text, why);
	shop->store = NULL;
}

static void test_store__one_server_for_a_folder(void **state)
{
	struct shop *shop = *state;
	struct store *first = shop->store;
	refused(shop, ": is in use by another quevedo serve");
	shop->store = first;
	shop_play(shop, "p1");
	assert_true(shop_finish(shop));
	shop_close(shop);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 0);
}

static void write_file(const char *path, off_t at, const void *bytes, size_t size)
{
	const int file = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(file >= 0);
	assert_int_equal(pwrite(file, bytes, size, at), (ssize_t)size);
	close(file);
}

static void test_store__what_is_no_database(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH];
	static char nonsense[5000];
	memset(nonsense, 'n', sizeof nonsense);
	shop_path(shop, "quevedo.db", path);
	shop_close(shop);
	write_file(path, 0, nonsense, sizeof nonsense);
	refused(shop, "quevedo.db: is not a database");
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	refused(shop, "quevedo.db: cannot be opened: Is a directory");
	rmdir(path);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), -1);
}

/* Every page but the first is overwritten in turn; none of it may pass as sound. */
static void test_store__a_damaged_database(void **state)
{
	enum { PAGE = 4096 };
	struct shop *shop = *state;
	char path[SHOP_PATH];
	static char nonsense[PAGE];
	struct stat about;
	memset(nonsense, 0xa5, sizeof nonsense);
	write_some(shop);
	shop_path(shop, "quevedo.db", path);
	shop_close(shop);
	assert_int_equal(stat(path, &about), 0);
	assert_in_range(about.st_size / PAGE, 5, 100);
	const int file = open(path, O_RDWR);
	char *good = malloc(PAGE);
	for (off_t at = PAGE; at < about.st_size; at += PAGE) {
		assert_int_equal(pread(file, good, PAGE, at), PAGE);
		assert_int_equal(pwrite(file, nonsense, PAGE, at), PAGE);
		refused(shop, "quevedo.db: is damaged");
		assert_int_equal(pwrite(file, good, PAGE, at), PAGE);
	}
	free(good);
	close(file);
	shop_open(shop);
	check_plays(shop);
	shop_close(shop);
	assert_int_equal(truncate(path, about.st_size - 2 * PAGE), 0);
	refused(shop, "quevedo.db: is damaged");
}

static void test_store__a_folder_that_cannot_be(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH], inside[SHOP_PATH + 8];
	struct store *none = NULL;
	struct qv_error error = { "" };
	shop_path(shop, "lock", path);
	snprintf(inside, sizeof inside, "%s/data", path);
	struct store_setup setup = { .folder = inside };
	assert_int_equal(store_open(&setup, &none, &error), QV_IO);
	assert_non_null(strstr(error.text, "lock: is not a folder"));
	setup.folder = "";
	assert_int_equal(store_open(&setup, &none, &error), QV_BAD_INPUT);
	assert_null(none);
}

static void test_store__a_new_folder_is_its_owners_alone(void **state)
{
	struct shop *shop = *state;
	char path[SHOP_PATH], inside[SHOP_PATH + 32];
	struct store *store;
	struct stat about;
	snprintf(path, sizeof path, "%s/deep", shop->folder);
	snprintf(inside, sizeof inside, "%s/deep/er", shop->folder);
	const struct store_setup setup = { .folder = inside };
	assert_int_equal(store_open(&setup, &store, NULL), QV_OK);
	assert_int_equal(stat(inside, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0700);
	snprintf(inside, sizeof inside, "%s/deep/er/quevedo.db-wal", shop->folder);
	assert_int_equal(stat(inside, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	store_close(store);
	/* All is in one file now. */
	assert_int_not_equal(stat(inside, &about), 0);
	static const char *const files[] = { "quevedo.db", "lock", "" };
	for (int i = 0; i < 3; i++) {
		snprintf(inside, sizeof inside, "%s/deep/er/%s", shop->folder, files[i]);
		assert_int_equal(*files[i] ? unlink(inside) : rmdir(inside), 0);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_store__what_was_written_comes_back),
		CASE(test_store__changes_replace),
		CASE(test_store__a_list_can_load_its_plays),
		CASE(test_store__a_unit_that_breaks_a_rule_goes_back_alone),
		CASE(test_store__rules_of_the_database),
		CASE(test_store__units_as_a_model_says),
		CASE(test_store__closing_writes_what_is_queued),
		CASE(test_store__a_done_at_the_close_can_queue_no_more),
		CASE(test_store__a_full_queue_refuses_whole_units),
		CASE(test_store__texts_that_do_not_fit),
	};
	const struct CMUnitTest file_tests[] = {
		CASE(test_store__goes_on_after_a_full_disk),
		CASE(test_store__one_server_for_a_folder),
		CASE(test_store__what_is_no_database),
		CASE(test_store__a_damaged_database),
		CASE(test_store__a_folder_that_cannot_be),
		CASE(test_store__a_new_folder_is_its_owners_alone),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	failed += cmocka_run_group_tests(file_tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
