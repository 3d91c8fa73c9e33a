/*
 * server_store_accounts.c - accounts, sessions, tokens, codes and deletion, in SQLite and in
 * PostgreSQL.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

enum { NOW = 2000000000 };

static struct cluster postgres; /* the tests run with it, too */

/* Users ann and bob with accounts. */
static int set_up(void **state)
{
	struct shop *shop = shop_new_in(&postgres);
	shop_open(shop);
	store_put_user(shop->store, "ann", "Ann", 1);
	store_put_user(shop->store, "bob", "Bob", 1);
	store_put_account(shop->store, "ann", "Ann_1", "annl", "hash");
	store_put_account(shop->store, "bob", "bob", "bob", "hash");
	assert_true(shop_finish(shop));
	*state = shop;
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

/* The rows as text: "value,value;value,value;". */
static void rows_are(struct shop *shop, enum store_question question,
		     const struct store_value *values, const char *expected)
{
	struct store_rows *rows;
	struct qv_error error = { "" };
	char text[512] = "";
	size_t at = 0;
	if (store_read_now(shop->store, question, values, &rows, &error) != QV_OK)
		fail_msg("%s", error.text);
	for (size_t row = 0; row < rows->count; row++)
		for (int i = 0; i < rows->columns; i++) {
			const struct store_value *v = store_rows_at(rows, row, i);
			const char *end = i + 1 < rows->columns ? "," : ";";
			at += (size_t)(v->type == STORE_TEXT ? snprintf(text + at, sizeof text - at,
									"%s%s", v->bytes, end)
				       : v->type == STORE_NUMBER
					       ? snprintf(text + at, sizeof text - at, "%lld%s",
							  (long long)v->number, end)
					       : snprintf(text + at, sizeof text - at, "-%s", end));
			assert_in_range(at, 0, sizeof text - 1);
		}
	store_rows_free(rows);
	assert_string_equal(text, expected);
}

static void identity_is(struct shop *shop, const char *user, const char *issuer,
			const char *expected)
{
	const struct store_value values[] = { value_text(user), value_text(issuer) };
	rows_are(shop, ASK_IDENTITY, values, expected);
}

static void add_session(struct shop *shop, const char *id, const char *user, int64_t seen)
{
	struct store_session session = { .label = "Firefox", .created = 5, .seen = seen };
	snprintf(session.id, sizeof session.id, "%s", id);
	snprintf(session.user, sizeof session.user, "%s", user);
	assert_int_equal(store_put_session(shop->store, &session), QV_OK);
}

static void test_accounts__names(void **state)
{
	struct shop *shop = *state;
	struct store_user user;
	const struct store_value skeleton = value_text("annl");
	const struct store_value page[] = { value_text(""), value_number(1) };
	assert_int_equal(store_user_by_login(shop->store, "ANN_1", &user, NULL), QV_OK);
	assert_string_equal(user.id, "ann");
	assert_int_equal(user.epoch, 0);
	rows_are(shop, ASK_USER_BY_SKELETON, &skeleton, "ann,Ann,Ann_1,hash,1,,0;");
	rows_are(shop, ASK_ACCOUNTS, page, "ann,Ann,Ann_1,hash,1,,0;");
	store_set_password(shop->store, "ann", "new");
	store_set_email(shop->store, "ann", "ann@example.org");
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_USER_BY_SKELETON, &skeleton, "ann,Ann,Ann_1,new,1,ann@example.org,0;");
	store_set_password(shop->store, "nobody", "new");
	assert_false(shop_finish(shop));
	store_put_account(shop->store, "bob", "ANN_1", "annl", "x");
	assert_false(shop_finish(shop));
}

static void test_accounts__sessions(void **state)
{
	struct shop *shop = *state;
	const struct store_value ann = value_text("ann"), all = value_number(0);
	add_session(shop, "s1", "ann", 10);
	add_session(shop, "s2", "ann", 30);
	add_session(shop, "s3", "bob", 20);
	assert_true(shop_finish(shop));
	identity_is(shop, "ann", "s1", "0,10,-;");
	identity_is(shop, "bob", "s1", "0,-,-;"); /* not bob's */
	identity_is(shop, "eve", "s1", "");
	store_session_seen(shop->store, "s1", 40);
	store_session_seen(shop->store, "s2", 3); /* earlier: no change */
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_SESSIONS, &ann, "s1,ann,Firefox,5,40;s2,ann,Firefox,5,30;");
	store_end_session(shop->store, "ann", "s1", NOW);
	assert_true(shop_finish(shop));
	identity_is(shop, "ann", "s1", "0,-,-;");
	add_session(shop, "s4", "ann", 50);
	store_end_cookies(shop->store, "ann", "s4", NOW);
	assert_true(shop_finish(shop));
	identity_is(shop, "ann", "s2", "1,-,-;");
	identity_is(shop, "ann", "s4", "1,50,-;");
	identity_is(shop, "bob", "s3", "0,20,-;");
	rows_are(shop, ASK_REVOCATIONS, &all, "1,ann,s1,;2,ann,,s4;");
	rows_are(shop, ASK_LAST_REVOCATION, NULL, "2;");
}

/* The one that was not used for the longest time goes. */
static void test_accounts__sessions_are_bounded(void **state)
{
	struct shop *shop = *state;
	char id[STORE_ID];
	for (int i = 0; i < STORE_SESSIONS + 3; i++) {
		snprintf(id, sizeof id, "s%d", i);
		add_session(shop, id, "ann", 100 + i);
	}
	assert_true(shop_finish(shop));
	identity_is(shop, "ann", "s2", "0,-,-;");
	identity_is(shop, "ann", "s3", "0,103,-;");
}

static void test_accounts__tokens(void **state)
{
	struct shop *shop = *state;
	struct store_token token = { .id = "t1", .user = "ann", .label = "bot", .created = 7 };
	const struct store_value hash = value_bytes(token.hash, STORE_TOKEN),
				 ann = value_text("ann");
	token.hash[1] = 255;
	store_put_token(shop->store, &token);
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_TOKEN, &hash, "t1,ann,bot,7,0;");
	store_put_token(shop->store, &token);
	assert_false(shop_finish(shop));
	store_token_used(shop->store, "t1", 9);
	assert_true(shop_finish(shop));
	identity_is(shop, "ann", "t1", "0,-,9;");
	strcpy(token.id, "t2");
	token.hash[2] = 1;
	store_put_token(shop->store, &token);
	store_drop_token(shop->store, "ann", "t1", NOW);
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_TOKENS, &ann, "t2,ann,bot,7,0;");
	store_drop_tokens(shop->store, "ann", NOW);
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_TOKENS, &ann, "");
}

static void test_accounts__codes_are_used_once(void **state)
{
	struct shop *shop = *state;
	struct store_code code = { .user = "ann", .purpose = "reset", .expires = 99 };
	const struct store_value hash = value_bytes(code.hash, STORE_TOKEN);
	code.hash[0] = 200;
	store_put_code(shop->store, &code);
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_CODE, &hash, "ann,reset,,99;");
	for (int round = 0; round < 2; round++) {
		store_take_code(shop->store, code.hash);
		store_set_password(shop->store, "ann", round ? "second" : "first");
		assert_int_equal(shop_finish(shop), !round);
	}
	struct store_user user;
	assert_int_equal(store_user_by_id(shop->store, "ann", &user, NULL), QV_OK);
	assert_string_equal(user.password_hash, "first");
	store_put_code(shop->store, &code);
	store_drop_codes(shop->store, "ann", "email");
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_CODE, &hash, "ann,reset,,99;");
	store_drop_codes(shop->store, "ann", "");
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_CODE, &hash, "");
}

static void test_accounts__deletion(void **state)
{
	struct shop *shop = *state;
	struct store_user user;
	char play[STORE_ID];
	bool shared = false;
	static const char *const ids[] = { "p2", "p1", "p3" };
	for (int i = 0; i < 3; i++) {
		struct store_play row = { .game = "chess", .owner = "bob", .going = true };
		snprintf(row.id, sizeof row.id, "%s", ids[i]);
		store_add_play(shop->store, &row);
		shop_line(shop, ids[i], 0);
	}
	store_put_seat(shop->store, "ann", "p1");
	store_put_seat(shop->store, "bob", "p1");
	store_put_attempt(shop->store, "ann", "chess", "x", 1);
	store_put_attempt(shop->store, "ann", "chess", "y", 1);
	add_session(shop, "s1", "ann", 1);
	assert_true(shop_finish(shop));
	assert_int_equal(store_next_play(shop->store, "ann", "", play, &shared, NULL), QV_OK);
	assert_string_equal(play, "p1");
	assert_true(shared);
	assert_int_equal(store_next_play(shop->store, "bob", "p1", play, &shared, NULL), QV_OK);
	assert_string_equal(play, "p2");
	assert_false(shared);
	store_delete_user(shop->store, "ann", "Nobody", NOW);
	assert_true(shop_finish(shop));
	assert_int_equal(store_user_by_id(shop->store, "ann", &user, NULL), QV_OK);
	assert_string_equal(user.name, "Nobody");
	assert_string_equal(user.login, "");
	rows_are(shop, ASK_DELETION, NULL, "ann,;");
	store_deletion_at(shop->store, "ann", "p1");
	store_set_line(shop->store, "p1", 0, "{}");
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_DELETION, NULL, "ann,p1;");
	const struct store_value ann = value_text("ann");
	store_drop_lists(shop->store, "ann", 1);
	assert_true(shop_finish(shop));
	store_drop_lists(shop->store, "ann", 1);
	store_drop_deletion(shop->store, "ann");
	assert_true(shop_finish(shop));
	rows_are(shop, ASK_ATTEMPTS, &ann, "");
	rows_are(shop, ASK_DELETION, NULL, "");
}

/* ---- guesses ---- */

struct guessed {
	bool here, refused;
	int64_t wait;
};

static void on_guess(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct guessed *out = ctx;
	if (!rows)
		fail_msg("%s", error->text);
	*out = (struct guessed){ true, store_rows_number(rows, 0, 0), store_rows_number(rows, 0, 1) };
	store_rows_free(rows);
}

/* How many ms to wait; 0: it was let through. */
static int64_t guess(struct shop *shop, const char *name, int64_t ms)
{
	const struct store_value values[] = { value_text(name), value_number(ms) };
	struct guessed out = { false, false, 0 };
	assert_int_equal(store_read(shop->store, ASK_GUESS, values, 2, on_guess, &out), QV_OK);
	while (!out.here) {
		store_deliver(shop->store);
		nanosleep(&(struct timespec){ 0, 100000 }, NULL);
	}
	assert_true(!out.refused || out.wait > 0);
	return out.refused ? out.wait : 0;
}

static void test_accounts__guesses_wait_longer_and_longer(void **state)
{
	static const int64_t allowed[] = { 1, 3, 7, 15, 31, 63, 127, 255, 511, 871, 1231 };
	const int64_t start = (int64_t)NOW * 1000, hour = 3600000;
	struct shop *shop = *state;
	for (int i = 0; i < 5; i++)
		assert_int_equal(guess(shop, "ann", start), 0);
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		const int64_t at = start + 1000 * allowed[i];
		assert_int_equal(guess(shop, "ann", at - 1), 1);
		assert_int_equal(guess(shop, "ann", at), 0);
	}
	const int64_t last = start + 1231000;
	assert_int_equal(guess(shop, "ann", last), 360000);
	assert_int_equal(guess(shop, "bob", last), 0);
	/* The clock was set back: it is no reason to wait for a day. */
	assert_int_equal(guess(shop, "ann", last - 86400000), 0);
	assert_int_equal(guess(shop, "ann", last - 86400000 + 1000), 359000);
	/* An hour without one, and it begins again; so does it after a right one. */
	assert_int_equal(guess(shop, "ann", last - 86400000 + hour), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(guess(shop, "ann", last), 0);
	assert_int_equal(guess(shop, "ann", last), 1000);
	store_drop_guess(shop->store, "ann");
	assert_true(shop_finish(shop));
	for (int i = 0; i < 5; i++)
		assert_int_equal(guess(shop, "ann", last), 0);
	/* With the clock of the database. */
	for (int i = 0; i < 5; i++)
		assert_int_equal(guess(shop, "eve", 0), 0);
	assert_in_range(guess(shop, "eve", 0), 0, 1000);
}

/* ---- What a restore must not bring back ---- */

/* "what:id:value " of each. */
static void add_removal(void *ctx, const struct store_removal *r)
{
	char *out = ctx;
	const size_t at = strlen(out);
	assert_true(r->made > 1700000000);
	snprintf(out + at, 512 - at, "%s:%s:%s ", r->what, r->id, r->value);
}

static void removals_are(struct shop *shop, const char *expected)
{
	char text[512] = "";
	assert_int_equal(store_list_removals(shop->store, add_removal, text, NULL), QV_OK);
	assert_string_equal(text, expected);
}

static void redo(struct shop *shop, const char *what, const char *id, const char *value, int64_t made)
{
	struct store_removal r = { .made = made };
	snprintf(r.what, sizeof r.what, "%s", what);
	snprintf(r.id, sizeof r.id, "%s", id);
	snprintf(r.value, sizeof r.value, "%s", value);
	assert_int_equal(store_redo(shop->store, &r, NOW, NULL), QV_OK);
	assert_true(shop_finish(shop));
}

static void test_removals__are_noted_and_done_again(void **state)
{
	struct shop *shop = *state;
	const struct store_token token = { .id = "t1", .user = "ann", .label = "bot" };
	struct store_user user;
	struct store_play play;
	shop_play(shop, "game");
	assert_true(shop_finish(shop));
	removals_are(shop, "");
	/* Nothing is noted of what only adds, or changes nothing. */
	store_put_token(shop->store, &token);
	store_set_password(shop->store, "ann", "hash");
	assert_true(shop_finish(shop));
	removals_are(shop, "");
	store_set_password(shop->store, "ann", "new");
	store_set_email(shop->store, "ann", "ann@example.org");
	store_end_cookies(shop->store, "ann", "", NOW);
	store_drop_token(shop->store, "ann", "t1", NOW);
	store_delete_play(shop->store, "game", NOW);
	assert_true(shop_finish(shop));
	removals_are(shop, "password:ann:new email:ann:ann@example.org epoch:ann:1 token:t1: game:game: ");
	/* The latest of a kind stays; an account takes what was noted of it along. */
	store_set_password(shop->store, "ann", "newer");
	assert_true(shop_finish(shop));
	removals_are(shop, "email:ann:ann@example.org epoch:ann:1 token:t1: game:game: password:ann:newer ");
	store_delete_user(shop->store, "bob", STORE_NOBODY, NOW);
	assert_true(shop_finish(shop));
	removals_are(shop, "email:ann:ann@example.org epoch:ann:1 token:t1: game:game: "
			   "password:ann:newer account:bob: ");
	/* Again, but an earlier password replaces no later one; nobody is deleted who is not there. */
	redo(shop, "password", "ann", "new", 1);
	redo(shop, "account", "bob", "", 1);
	redo(shop, "account", "eve", "", 1);
	redo(shop, "game", "game", "", 1);
	redo(shop, "epoch", "ann", "1", 1);
	assert_int_equal(store_user_by_id(shop->store, "ann", &user, NULL), QV_OK);
	assert_string_equal(user.password_hash, "newer");
	assert_string_equal(user.email, "ann@example.org");
	/* As in a database that was restored. */
	store_put_token(shop->store, &token);
	shop_play(shop, "game");
	assert_true(shop_finish(shop));
	redo(shop, "password", "ann", "newest", INT64_C(4000000000));
	redo(shop, "email", "ann", "", INT64_C(4000000000));
	redo(shop, "epoch", "ann", "7", 1);
	redo(shop, "token", "t1", "", 1);
	redo(shop, "game", "game", "", 1);
	assert_int_equal(store_user_by_id(shop->store, "ann", &user, NULL), QV_OK);
	assert_string_equal(user.password_hash, "newest");
	assert_string_equal(user.email, "");
	identity_is(shop, "ann", "", "7,-,-;");
	assert_int_equal(store_find_play(shop->store, "game", &play, NULL), QV_UNKNOWN);
	redo(shop, "account", "ann", "", 1);
	assert_int_equal(store_user_by_id(shop->store, "ann", &user, NULL), QV_OK);
	assert_string_equal(user.login, "");
}

static void test_removals__everything_ends(void **state)
{
	struct shop *shop = *state;
	const struct store_session session = { .id = "s1", .user = "ann", .label = "here" };
	char mark[STORE_MARK];
	store_put_user(shop->store, "guest", "Guest", 1);
	store_put_session(shop->store, &session);
	assert_true(shop_finish(shop));
	identity_is(shop, "ann", "s1", "0,0,-;");
	assert_int_equal(store_find_mark(shop->store, "dice", mark, NULL), QV_OK);
	assert_string_equal(mark, "");
	store_end_all(shop->store, "abc");
	assert_true(shop_finish(shop));
	identity_is(shop, "ann", "s1", "1,-,-;");
	identity_is(shop, "guest", "", "0,-,-;");
	assert_int_equal(store_find_mark(shop->store, "dice", mark, NULL), QV_OK);
	assert_string_equal(mark, "abc");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_accounts__names),
		CASE(test_accounts__sessions),
		CASE(test_accounts__sessions_are_bounded),
		CASE(test_accounts__tokens),
		CASE(test_accounts__codes_are_used_once),
		CASE(test_accounts__deletion),
		CASE(test_accounts__guesses_wait_longer_and_longer),
		CASE(test_removals__are_noted_and_done_again),
		CASE(test_removals__everything_ends),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
