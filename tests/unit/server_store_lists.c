/*
 * server_store_lists.c - finished games, the opening explorer, puzzles, studies and IMCS: what was
 * written comes back in order, from SQLite and from PostgreSQL.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

static struct cluster postgres; /* the tests run with it, too */

/* Users ann and bob, and plays p1 to p5 of ann. */
static int set_up(void **state)
{
	struct shop *shop = shop_new_in(&postgres);
	shop_open(shop);
	store_put_user(shop->store, "bob", "Bob", 1);
	for (int i = 1; i <= 5; i++) {
		struct store_play play = { .game = "chess", .owner = "ann", .going = i == 5 };
		snprintf(play.id, sizeof play.id, "p%d", i);
		store_put_user(shop->store, "ann", "Ann", 1);
		store_add_play(shop->store, &play);
	}
	assert_true(shop_finish(shop));
	*state = shop;
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

/* Everything that a callback was called with, as one text. */
struct said {
	char text[512];
};

static void say(struct said *said, const char *text)
{
	const size_t length = strlen(said->text);
	snprintf(said->text + length, sizeof said->text - length, "%s ", text);
}

/* The rows of a question; the caller frees them. */
static struct store_rows *ask(struct shop *shop, enum store_question question,
			      const struct store_value *values)
{
	struct store_rows *rows;
	struct qv_error error = { "" };
	if (store_read_now(shop->store, question, values, &rows, &error) != QV_OK)
		fail_msg("%s", error.text);
	return rows;
}

/* The entries of all rows, in order. */
static void entries_are(const struct store_rows *rows, const char *text)
{
	struct said said = { "" };
	for (size_t i = 0; i < rows->count; i++) {
		size_t size;
		const char *entry = store_row_entry(rows, i, &size);
		assert_int_equal(strlen(entry), size);
		say(&said, entry);
	}
	assert_string_equal(said.text, text);
}

/* ---- finished games ---- */

static void put_finished(struct shop *shop, const char *user, const char *play, int64_t ended,
			 const char *outcome, const char *opponents, const char *entry)
{
	const struct store_finished finished = { user,	    play,  "chess", outcome,
						 opponents, entry, ended };
	assert_int_equal(store_put_finished(shop->store, &finished), QV_OK);
}

static void finished_are(struct shop *shop, const struct store_search *search, int64_t count,
			 const char *entries)
{
	struct store_value values[STORE_SEARCH_VALUES];
	store_ask_finished("ann", search, values);
	struct store_rows *rows = ask(shop, ASK_FINISHED, values);
	entries_are(rows, entries);
	assert_int_equal(store_rows_number(rows->next, 0, 0), count);
	store_rows_free(rows);
}

static void test_lists__finished_games(void **state)
{
	struct shop *shop = *state;
	struct store_search all = { .game = "", .outcome = "", .opponent = "", .most = 100 };
	struct store_search some = all;
	put_finished(shop, "ann", "p1", 100, "won", "Bob", "one");
	put_finished(shop, "ann", "p2", 300, "lost", "Bob, \xc3\x84rger 100%_", "two");
	put_finished(shop, "ann", "p3", 200, "won", "Eve", "old");
	put_finished(shop, "ann", "p3", 200, "won", "Eve", "three");
	put_finished(shop, "bob", "p1", 100, "lost", "Ann", "other");
	assert_true(shop_finish(shop));
	finished_are(shop, &all, 3, "two three one ");
	some.most = 1;
	some.first = 1;
	finished_are(shop, &some, 3, "three ");
	some = all;
	some.outcome = "won";
	finished_are(shop, &some, 2, "three one ");
	some.game = "noughts";
	finished_are(shop, &some, 0, "");
	some = all;
	some.opponent = "bOB";
	finished_are(shop, &some, 2, "two one ");
	some.opponent = "0%_";
	finished_are(shop, &some, 1, "two ");
	some.opponent = "\xc3\xa4rger"; /* only the case of ASCII does not matter */
	finished_are(shop, &some, 0, "");
	some = all;
	some.since = 200;
	some.until = 300;
	finished_are(shop, &some, 1, "three ");
	some.until = INT64_MAX;
	finished_are(shop, &some, 2, "two three ");
	some = all;
	some.after = (struct store_place){ 300, "p2" };
	finished_are(shop, &some, 2, "three one ");
	some.after.play = "p3"; /* there is no such game at that time */
	finished_are(shop, &some, 3, "two three one ");
	some.until = 200;
	finished_are(shop, &some, 1, "one ");
	some.after = (struct store_place){ 100, "p1" };
	finished_are(shop, &some, 0, "");
	store_drop_finished(shop->store, "ann", "p1");
	store_drop_finished(shop->store, "", "p2");
	assert_true(shop_finish(shop));
	finished_are(shop, &all, 1, "three ");
}

/* ---- the explorer ---- */

static void put_explored(struct shop *shop, const char *play, int64_t mark, int result,
			 bool is_public, const char *visits)
{
	const struct store_explored explored = { play,	    "chess", mark,  result,
						 is_public, play,    visits };
	assert_int_equal(store_put_explored(shop->store, &explored), QV_OK);
}

static void tally_is(struct shop *shop, int64_t position, const char *user, const char *text)
{
	const struct store_value values[] = { value_number(position),
					      value_text(user ? user : "") };
	struct store_rows *rows = ask(shop, user ? ASK_OWN_TALLY : ASK_TALLY, values);
	struct said said = { "" };
	for (size_t i = 0; i < rows->count; i++) {
		struct store_tally t;
		char one[128];
		assert_true(store_row_tally(rows, i, &t));
		snprintf(one, sizeof one, "%s:%d:%d:%d:%d:%d", t.move, t.result, (int)t.games,
			 (int)t.people, (int)t.computers, (int)t.levels);
		say(&said, one);
	}
	assert_string_equal(said.text, text);
	store_rows_free(rows);
}

static void visitors_are(struct shop *shop, int64_t position, const char *user, int most,
			 const char *text)
{
	const struct store_value all[] = { value_number(position), value_number(most) };
	const struct store_value own[] = { value_number(position), value_text(user ? user : ""),
					   value_number(most) };
	struct store_rows *rows =
		user ? ask(shop, ASK_OWN_VISITORS, own) : ask(shop, ASK_VISITORS, all);
	entries_are(rows, text);
	store_rows_free(rows);
}

/* The next mark of the index; 0: none. */
static void mark_after(struct shop *shop, const char *game, int64_t mark, int64_t next)
{
	const struct store_value values[] = { value_text(game), value_number(mark) };
	struct store_rows *rows = ask(shop, ASK_NEXT_MARK, values);
	int64_t found = 0;
	assert_int_equal(rows->count, next != 0);
	if (next)
		assert_string_equal(store_row_mark(rows, 0, &found), "chess");
	assert_int_equal(found, next);
	store_rows_free(rows);
}

#define FAR "-9223372036854775807"

static void test_lists__explorer(void **state)
{
	struct shop *shop = *state;
	const int64_t far = -INT64_MAX;
	put_explored(shop, "p1", 1, 1, true, "[[7, \"e4\", -1], [" FAR ", \"e5\", 3]]");
	put_explored(shop, "p2", 1, 1, true, "[[7, \"e4\", 5], [8, \"d4\", 0]]");
	put_explored(shop, "p3", 1, 0, false, "[[7, \"d4\", -1]]");
	put_finished(shop, "ann", "p1", 1, "won", "Bob", "x");
	put_finished(shop, "ann", "p3", 2, "won", "Bob", "x");
	assert_true(shop_finish(shop));
	tally_is(shop, 7, NULL, "e4:1:2:1:1:5 ");
	tally_is(shop, far, NULL, "e5:1:1:0:1:3 ");
	tally_is(shop, 8, NULL, "d4:1:1:0:0:0 ");
	tally_is(shop, 9, NULL, "");
	tally_is(shop, 7, "ann", "d4:0:1:1:0:0 e4:1:1:1:0:0 ");
	tally_is(shop, 7, "bob", "");
	visitors_are(shop, 7, NULL, 10, "p2 p1 ");
	visitors_are(shop, 7, NULL, 1, "p2 ");
	visitors_are(shop, 7, "ann", 10, "p3 p1 ");
	/* Another look at a game replaces what is known of it. */
	put_explored(shop, "p2", 2, 2, true, "[[7, \"c4\", -2]]");
	assert_true(shop_finish(shop));
	tally_is(shop, 7, NULL, "c4:2:1:0:0:0 e4:1:1:1:0:0 ");
	tally_is(shop, 8, NULL, "");
	/* Of the outdated games one at a time: first p1, then p3, which is private. */
	mark_after(shop, "", INT64_MIN, 1);
	store_drop_outdated(shop->store, "chess", 1, 1);
	assert_true(shop_finish(shop));
	tally_is(shop, 7, NULL, "c4:2:1:0:0:0 ");
	mark_after(shop, "", INT64_MIN, 1);
	store_drop_outdated(shop->store, "chess", 1, 1);
	assert_true(shop_finish(shop));
	tally_is(shop, 7, NULL, "c4:2:1:0:0:0 ");
	mark_after(shop, "", INT64_MIN, 2);
	mark_after(shop, "chess", 1, 2);
	mark_after(shop, "chess", 2, 0);
	/* A game twice in a position: the unit fails whole. */
	put_explored(shop, "p1", 2, 1, true, "[[9, \"e4\", -1], [9, \"e4\", -1]]");
	assert_false(shop_finish(shop));
	tally_is(shop, 9, NULL, "");
	store_drop_explored(shop->store, "p2");
	assert_true(shop_finish(shop));
	tally_is(shop, 7, NULL, "");
}

static void test_lists__unexplored(void **state)
{
	struct shop *shop = *state;
	char last[STORE_ID] = "", next[STORE_ID];
	put_explored(shop, "p2", 1, 1, true, "[]");
	assert_true(shop_finish(shop));
	static const char *const expected[] = { "p1", "p3", "p4", "" };
	for (int i = 0; i < 4; i++) {
		const struct store_value value = value_text(last);
		struct store_rows *rows = ask(shop, ASK_UNEXPLORED, &value);
		assert_true(store_row_unexplored(rows, last, next));
		store_rows_free(rows);
		assert_string_equal(next, expected[i]);
	}
	assert_string_equal(last, "");
}

static bool say_play(void *ctx, const struct store_play *play, const char *header, size_t size)
{
	(void)header, (void)size;
	say(ctx, play->id);
	return true;
}

/* New databases list all games, so there are none that are not listed. */
static void test_lists__unlisted(void **state)
{
	struct shop *shop = *state;
	struct said said = { "" };
	store_drop_unlisted(shop->store, "p1");
	assert_true(shop_finish(shop));
	assert_int_equal(
		store_list_plays(shop->store, STORE_UNLISTED, NULL, 0, say_play, &said, NULL),
		QV_OK);
	assert_string_equal(said.text, "");
}

/* Capital letters come before small ones, whatever the language of the database. */
static void test_lists__the_order_of_ids(void **state)
{
	struct shop *shop = *state;
	struct said said = { "" };
	static const char *const ids[] = { "b", "A", "a", "B", "_" };
	for (int i = 0; i < 5; i++) {
		struct store_play play = { .game = "chess", .owner = "bob", .going = true };
		snprintf(play.id, sizeof play.id, "%s", ids[i]);
		store_add_play(shop->store, &play);
	}
	assert_true(shop_finish(shop));
	assert_int_equal(
		store_list_plays(shop->store, STORE_OF_USER, "bob", 0, say_play, &said, NULL),
		QV_OK);
	assert_string_equal(said.text, "b a _ B A ");
}

/* ---- puzzles ---- */

static size_t count_attempts(struct shop *shop, const char *puzzle)
{
	const struct store_value values[] = { value_text("guest"), value_text("chess"),
					      value_text(puzzle) };
	struct store_rows *rows = ask(shop, ASK_ATTEMPT, values);
	const size_t count = rows->count;
	store_rows_free(rows);
	return count;
}

static void test_lists__puzzles(void **state)
{
	struct shop *shop = *state;
	struct store_puzzle puzzle = { "x", 1500.1, 350, 0.06, 1, 0 }, seen;
	const struct store_value game = value_text("chess");
	store_put_puzzle(shop->store, "another", 1, "chess", &puzzle);
	store_put_attempt(shop->store, "another", "chess", "x", 1);
	puzzle.rating = 1e-300;
	puzzle.tries = INT64_MAX - 1;
	store_put_puzzle(shop->store, "guest", 1, "chess", &puzzle);
	store_put_attempt(shop->store, "guest", "chess", "x", 1);
	/* The second attempt of a user changes nothing. */
	puzzle.rating = 3000;
	store_put_puzzle(shop->store, "guest", 2, "chess", &puzzle);
	store_put_attempt(shop->store, "guest", "chess", "x", 2);
	assert_true(shop_finish(shop));
	struct store_rows *rows = ask(shop, ASK_PUZZLES, &game);
	assert_int_equal(rows->count, 1);
	assert_true(store_row_puzzle(rows, 0, &seen));
	store_rows_free(rows);
	assert_string_equal(seen.id, "x");
	assert_true(seen.rating == 1e-300 && seen.deviation == 350 && seen.volatility == 0.06);
	assert_true(seen.tries == INT64_MAX && seen.solved == 0);
	assert_int_equal(count_attempts(shop, "y"), 0);
	assert_int_equal(count_attempts(shop, "x"), 1);
}

/* ---- studies ---- */

static void say_study(void *ctx, const struct store_study *study, const char *body)
{
	char text[700];
	snprintf(text, sizeof text, "%s/%s/%d/%s/%d", study->id, study->title, (int)study->version,
		 body, study->chapters);
	say(ctx, text);
}

static void test_lists__studies(void **state)
{
	struct shop *shop = *state;
	struct said said = { "" }, list = { "" };
	struct store_study study = { "s1", "ann", "T\xc3\xbcr", 1, 1, 1, 2 };
	store_add_study(shop->store, &study, "{}");
	strcpy(study.id, "s2");
	store_add_study(shop->store, &study, "[]");
	assert_true(shop_finish(shop));
	study.updated = 9;
	store_set_study(shop->store, &study, "[1]");
	assert_true(shop_finish(shop));
	store_set_study(shop->store, &study, "[2]");
	assert_false(shop_finish(shop)); /* it has version 2 now */
	assert_non_null(strstr(store_last_error(shop->store).text, "another version"));
	assert_int_equal(store_find_study(shop->store, "s2", say_study, &said, NULL), QV_OK);
	assert_string_equal(said.text, "s2/T\xc3\xbcr/2/[1]/2 ");
	assert_int_equal(store_find_study(shop->store, "s3", say_study, &said, NULL), QV_UNKNOWN);
	assert_int_equal(store_list_studies(shop->store, "ann", 9, say_study, &list, NULL), QV_OK);
	assert_string_equal(list.text, "s2/T\xc3\xbcr/2//2 s1/T\xc3\xbcr/1//2 ");
	store_drop_study(shop->store, "s2");
	assert_true(shop_finish(shop));
	assert_int_equal(store_find_study(shop->store, "s2", say_study, &said, NULL), QV_UNKNOWN);
}

/* ---- IMCS ---- */

static bool say_imcs_user(void *ctx, const struct store_imcs_user *user)
{
	char text[300];
	snprintf(text, sizeof text, "%s/%s/%d", user->name, user->password_hash, user->rating);
	say(ctx, text);
	return true;
}

static bool say_imcs_game(void *ctx, const struct store_imcs_game *game)
{
	char text[300];
	snprintf(text, sizeof text, "%d/%s/%s/%s/%d", (int)game->id, game->white, game->result,
		 game->log, (int)game->log_size);
	say(ctx, text);
	return true;
}

static void test_lists__imcs(void **state)
{
	struct shop *shop = *state;
	struct said users = { "" }, going = { "" }, one = { "" };
	struct store_imcs_user zoe = { "zoe", "ann", "h", 1600, 0 };
	struct store_imcs_user amy = { "Amy", "bob", "h", 1500, 0 };
	struct store_imcs_game game = { .id = 7, .white = "zoe", .result = "", .log = "" };
	int64_t last = -1, version = -1;
	assert_int_equal(store_imcs_last(shop->store, &last, NULL), QV_OK);
	assert_int_equal(last, 0);
	store_put_imcs_user(shop->store, &zoe);
	store_put_imcs_user(shop->store, &amy);
	store_set_imcs_rating(shop->store, "zoe", 1700);
	strcpy(zoe.password_hash, "i");
	store_put_imcs_user(shop->store, &zoe);
	store_put_imcs_game(shop->store, &game);
	game.id = 8;
	store_put_imcs_game(shop->store, &game);
	game.ended = 5;
	game.result = "W";
	game.log = "a\nb";
	game.log_size = 3;
	store_put_imcs_game(shop->store, &game);
	assert_true(shop_finish(shop));
	assert_int_equal(store_imcs_users(shop->store, say_imcs_user, &users, &version, NULL),
			 QV_OK);
	assert_string_equal(users.text, "zoe/i/1700 Amy/h/1500 ");
	assert_int_equal(version, 4);
	assert_int_equal(store_imcs_games(shop->store, 0, say_imcs_game, &going, NULL), QV_OK);
	assert_string_equal(going.text, "7/zoe///0 ");
	assert_int_equal(store_imcs_games(shop->store, 8, say_imcs_game, &one, NULL), QV_OK);
	assert_string_equal(one.text, "8/zoe/W/a\nb/3 ");
	assert_int_equal(store_imcs_last(shop->store, &last, NULL), QV_OK);
	assert_int_equal(last, 8);
}

static bool count_imcs_user(void *ctx, const struct store_imcs_user *user)
{
	int *count = ctx;
	char expected[24];
	snprintf(expected, sizeof expected, "n%05d", (*count)++);
	assert_string_equal(user->name, expected);
	return true;
}

/* Anybody can register, so no result has them all. */
static void test_lists__many_imcs_users_are_read_in_portions(void **state)
{
	enum { NAMES = 2 * STORE_PORTION + 300 };
	struct shop *shop = *state;
	struct store_imcs_user user = { "", "ann", "h", 1000, 0 };
	int64_t version = -1;
	int count = 0;
	shop_close(shop);
	shop->rows_bytes = 2 * STORE_PORTION * sizeof(struct store_value) * 5;
	shop_open(shop);
	for (int i = 0; i < NAMES; i++) {
		snprintf(user.name, sizeof user.name, "n%05d", i);
		store_add_imcs_user(shop->store, &user, "");
	}
	/* The one that changed last is still the one that registered first. */
	store_set_imcs_rating(shop->store, "n00000", 1001);
	assert_true(shop_finish(shop));
	assert_int_equal(store_imcs_users(shop->store, count_imcs_user, &count, &version, NULL),
			 QV_OK);
	assert_int_equal(count, NAMES);
	assert_int_equal(version, NAMES + 1);
	/* A server that has read up to a version gets the others in portions, too. */
	const struct store_value values[] = { value_number(10), value_number(20) };
	struct store_rows *rows = ask(shop, ASK_IMCS_USERS, values);
	assert_int_equal(rows->count, 20);
	assert_int_equal(store_rows_number(rows, 0, 4), 11);
	assert_int_equal(store_rows_number(rows, 19, 4), 30);
	store_rows_free(rows);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_lists__finished_games),   CASE(test_lists__explorer),
		CASE(test_lists__unexplored),	    CASE(test_lists__unlisted),
		CASE(test_lists__the_order_of_ids), CASE(test_lists__puzzles),
		CASE(test_lists__studies),	    CASE(test_lists__imcs),
		CASE(test_lists__many_imcs_users_are_read_in_portions),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
