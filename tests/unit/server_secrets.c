/*
 * server_secrets.c - ids, signed cookies and tokens, passwords, and the file with the key.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#include "server/api/secrets.h"
#include "support/scale.h"

static const char user[] = "AAAABBBBccccdd-_", play[] = "qAAABBBBccccdd-_";

static int set_up(void **state)
{
	*state = shop_new();
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

/* ---- the file ---- */

static void test_secrets__the_key_stays(void **state)
{
	struct shop *shop = *state;
	struct secrets first, again;
	struct stat about;
	char path[SHOP_PATH];
	assert_int_equal(secrets_open(shop->folder, &first, NULL), QV_OK);
	assert_int_equal(secrets_open(shop->folder, &again, NULL), QV_OK);
	assert_memory_equal(first.key, again.key, sizeof first.key);
	assert_int_equal(stat(shop_path(shop, "secret", path), &about), 0);
	assert_int_equal(about.st_mode & 07777, 0600);
	assert_int_equal(about.st_size, SECRETS_KEY);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(secrets_open(shop->folder, &again, NULL), QV_OK);
	assert_memory_not_equal(first.key, again.key, sizeof first.key);
	secrets_forget(&again);
	const struct secrets none = { { 0 } };
	assert_memory_equal(again.key, none.key, sizeof none.key);
}

static void refused(struct shop *shop, const char *why)
{
	struct secrets s;
	struct qv_error error = { "" };
	assert_int_equal(secrets_open(shop->folder, &s, &error), QV_IO);
	if (!strstr(error.text, why))
		fail_msg("'%s' does not say '%s'", error.text, why);
}

static void test_secrets__a_file_that_is_not_secret(void **state)
{
	struct shop *shop = *state;
	struct secrets s;
	char path[SHOP_PATH];
	shop_path(shop, "secret", path);
	assert_int_equal(secrets_open(shop->folder, &s, NULL), QV_OK);
	static const mode_t modes[] = { 0640, 0604, 0620, 0602, 0666 };
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		assert_int_equal(chmod(path, modes[i]), 0);
		refused(shop, "secret: other users can read or write it");
	}
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(truncate(path, SECRETS_KEY - 1), 0);
	refused(shop, "secret: is not a file of 32 bytes");
	assert_int_equal(truncate(path, SECRETS_KEY + 1), 0);
	refused(shop, "secret: is not a file of 32 bytes");
	assert_int_equal(truncate(path, 0), 0);
	refused(shop, "secret: is not a file of 32 bytes");
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	refused(shop, "secret: is not a file of 32 bytes");
	rmdir(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	refused(shop, "secret: is not a file of 32 bytes");
}

/* ---- ids ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void test_secrets__ids_are_plain_and_never_the_same(void **state)
{
	enum { MANY = 20000 };
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const size_t count = (size_t)scaled(MANY);
	char(*ids)[SECRETS_ID] = calloc(count, SECRETS_ID);
	(void)state;
	assert_true(secrets_ready());
	for (size_t i = 0; i < count; i++) {
		if (i % 2)
			secrets_user_id(ids[i]);
		else
			secrets_play_id(ids[i]);
		assert_true(secrets_is_id(ids[i]));
		assert_int_equal(strspn(ids[i], alphabet), 16);
		assert_true(i % 2 || strcspn(ids[i], "0123456789-_") > 0);
	}
	qsort(ids, count, SECRETS_ID, by_text);
	for (size_t i = 1; i < count; i++)
		assert_string_not_equal(ids[i - 1], ids[i]);
	free(ids);
}

static void test_secrets__what_is_an_id(void **state)
{
	(void)state;
	assert_true(secrets_is_id("AAAABBBBccccdd-_"));
	assert_false(secrets_is_id("AAAABBBBccccdd-"));
	assert_false(secrets_is_id("AAAABBBBccccdd-_a"));
	assert_false(secrets_is_id("AAAABBBBccccdd-/"));
	assert_false(secrets_is_id("AAAABBBBccccd\xc3\xb6-"));
	assert_false(secrets_is_id(""));
}

static void test_secrets__an_id_of_a_key(void **state)
{
	const struct secrets one = { { 1 } }, two = { { 2 } };
	static const char ann[] = "Ann4567890123456", bob[] = "Bob4567890123456";
	char id[SECRETS_ID], other[SECRETS_ID], key[16];
	(void)state;
	assert_true(secrets_ready());
	for (int i = 0; i < 100; i++) {
		snprintf(key, sizeof key, "my-%d", i);
		secrets_id_of_key(&one, ann, key, id);
		assert_true(secrets_is_id(id));
		assert_true(strcspn(id, "0123456789-_") > 0);
		secrets_id_of_key(&one, ann, key, other);
		assert_string_equal(id, other);
		secrets_id_of_key(&one, bob, key, other);
		assert_string_not_equal(id, other);
		secrets_id_of_key(&two, ann, key, other);
		assert_string_not_equal(id, other);
		strcat(key, "x");
		secrets_id_of_key(&one, ann, key, other);
		assert_string_not_equal(id, other);
	}
}

/* ---- signed ---- */

static struct secrets key_of(int byte)
{
	struct secrets s;
	assert_true(secrets_ready());
	memset(s.key, byte, sizeof s.key);
	return s;
}

/* HMAC-SHA-512, cut to 32 bytes, of purpose and ids; computed with Python's hmac. */
static void test_secrets__signatures_as_computed_elsewhere(void **state)
{
	static const char issuer[] = "sAAABBBBccccdd-_";
	const struct secrets s = key_of(7);
	char cookie[SECRETS_COOKIE], seat[SECRETS_SEAT], who[SECRETS_ID], where[SECRETS_ID],
		which[SECRETS_ID];
	(void)state;
	secrets_cookie(&s, user, "", cookie);
	assert_string_equal(cookie, "AAAABBBBccccdd-_.k00wME9ufIPVmeWmtYuIZlRb5n4t4r0pjAmN1mPFDOg");
	secrets_seat(&s, user, play, "", seat);
	assert_string_equal(seat, "st_AAAABBBBccccdd-_qAAABBBBccccdd-_"
				  "9OLlw7V8eCGDOgOBqQWg-ggpISvj0HoX4WWh6r7O3Lk");
	/* With a session, and with the session or token that a seat token was issued to. */
	secrets_cookie(&s, user, issuer, cookie);
	assert_string_equal(cookie, "AAAABBBBccccdd-_."
				    "sAAABBBBccccdd-_."
				    "Ww_arigX3hMAEUHrlchN-Em9ev3XPOiIt_hy5Qu_J1Y");
	assert_true(secrets_read_cookie(&s, cookie, who, which));
	assert_string_equal(which, issuer);
	cookie[20] ^= 1;
	assert_false(secrets_read_cookie(&s, cookie, who, which));
	assert_true(!who[0] && !which[0]);
	secrets_seat(&s, user, play, issuer, seat);
	assert_string_equal(seat, "st_AAAABBBBccccdd-_qAAABBBBccccdd-_sAAABBBBccccdd-_"
				  "S0Ooyyfixexedmy0n7ChxtYVsIZm00abb-HK2n7OlSg");
	assert_true(secrets_read_seat(&s, seat, who, where, which));
	assert_string_equal(which, issuer);
	seat[40] ^= 1;
	assert_false(secrets_read_seat(&s, seat, who, where, which));
	assert_true(!who[0] && !where[0] && !which[0]);
}

/*
 * HMAC-SHA-512 of 6, what was drawn, mark and id, each filled up to 32 bytes, cut to 32 bytes: computed
 * with Python's hmac.
 */
static void test_secrets__secret_of_a_roll(void **state)
{
	const struct secrets s = key_of(1), other = key_of(2);
	unsigned char drawn[DICE_SECRET], secret[DICE_SECRET], another[DICE_SECRET];
	char hex[DICE_HEX];
	(void)state;
	memset(drawn, 7, sizeof drawn);
	secrets_dice(&s, "mark", "k3bt9qa", drawn, secret);
	dice_hex(secret, hex);
	assert_string_equal(hex,
			    "c3d02c3535aa927366e73b40283d5d453e08b5f8e8d68d3a2364c33154603e89");
	secrets_dice(&other, "mark", "k3bt9qa", drawn, another);
	assert_memory_not_equal(secret, another, DICE_SECRET);
	secrets_dice(&s, "mark", "k3bt9qb", drawn, another);
	assert_memory_not_equal(secret, another, DICE_SECRET);
	secrets_dice(&s, "", "k3bt9qa", drawn, another);
	assert_memory_not_equal(secret, another, DICE_SECRET);
	drawn[31]++;
	secrets_dice(&s, "mark", "k3bt9qa", drawn, another);
	assert_memory_not_equal(secret, another, DICE_SECRET);
}

static void test_secrets__cookies(void **state)
{
	const struct secrets s = key_of(7), other = key_of(8);
	char cookie[SECRETS_COOKIE + 1], who[SECRETS_ID], which[SECRETS_ID], seat[SECRETS_SEAT];
	(void)state;
	secrets_cookie(&s, user, "", cookie);
	assert_int_equal(strlen(cookie), 60);
	assert_true(secrets_read_cookie(&s, cookie, who, which));
	assert_string_equal(who, user);
	assert_false(secrets_read_cookie(&other, cookie, who, which));
	assert_string_equal(who, "");
	/* Any one character changed to any other. */
	for (size_t i = 0; i < strlen(cookie); i++)
		for (int c = 1; c < 256; c++) {
			const char was = cookie[i];
			cookie[i] = (char)c;
			assert_int_equal(secrets_read_cookie(&s, cookie, who, which), (char)c == was);
			cookie[i] = was;
		}
	for (size_t i = 0; i < strlen(cookie); i++) {
		const char was = cookie[i];
		cookie[i] = '\0';
		assert_false(secrets_read_cookie(&s, cookie, who, which));
		cookie[i] = was;
	}
	strcat(cookie, "A");
	assert_false(secrets_read_cookie(&s, cookie, who, which));
	secrets_seat(&s, user, play, "", seat);
	assert_false(secrets_read_cookie(&s, seat, who, which));
}

static void test_secrets__seat_tokens(void **state)
{
	const struct secrets s = key_of(7), other = key_of(8);
	char seat[SECRETS_SEAT], swapped[SECRETS_SEAT], who[SECRETS_ID], where[SECRETS_ID],
		which[SECRETS_ID];
	(void)state;
	secrets_seat(&s, user, play, "", seat);
	assert_int_equal(strlen(seat), 78);
	assert_true(secrets_read_seat(&s, seat, who, where, which));
	assert_string_equal(who, user);
	assert_string_equal(where, play);
	assert_false(secrets_read_seat(&other, seat, who, where, which));
	assert_true(!who[0] && !where[0]);
	for (size_t i = 0; i < strlen(seat); i++)
		for (int c = 0; c < 256; c++) {
			const char was = seat[i];
			seat[i] = (char)c;
			assert_int_equal(secrets_read_seat(&s, seat, who, where, which), (char)c == was);
			seat[i] = was;
		}
	snprintf(swapped, sizeof swapped, "st_%s%s%s", play, user, seat + 35);
	assert_false(secrets_read_seat(&s, swapped, who, where, which));
}

/* ---- bearer tokens ---- */

static void test_secrets__bearer_tokens(void **state)
{
	char token[SECRETS_TOKEN], next[SECRETS_TOKEN];
	uint8_t hash[SECRETS_HASH], again[SECRETS_HASH];
	(void)state;
	assert_true(secrets_ready());
	secrets_token(token, hash);
	secrets_token(next, again);
	assert_string_not_equal(token, next);
	assert_int_equal(strlen(token), 46);
	assert_memory_equal(token, "qv_", 3);
	assert_true(secrets_token_hash(token, again));
	assert_memory_equal(hash, again, sizeof hash);
	assert_true(secrets_token_hash(next, again));
	assert_memory_not_equal(hash, again, sizeof hash);
	token[45] = '\0';
	assert_false(secrets_token_hash(token, again));
	token[45] = '.';
	assert_false(secrets_token_hash(token, again));
	token[45] = 'a';
	token[0] = 'Q';
	assert_false(secrets_token_hash(token, again));
	assert_false(secrets_token_hash("", again));
}

/* ---- accounts ---- */

static void test_secrets__names_and_passwords_have_rules(void **state)
{
	char text[140];
	(void)state;
	assert_null(secrets_login_fault("abc"));
	assert_null(secrets_login_fault("abcdefghijklmnopqrstuv-_"));
	assert_non_null(secrets_login_fault("ab"));
	assert_non_null(secrets_login_fault(""));
	assert_non_null(secrets_login_fault("abcdefghijklmnopqrstuvwxy"));
	assert_non_null(secrets_login_fault("a bc"));
	assert_non_null(secrets_login_fault("J\xc3\xb6rg"));
	memset(text, 'x', sizeof text);
	text[129] = '\0';
	assert_non_null(secrets_password_fault(text));
	text[128] = '\0';
	assert_null(secrets_password_fault(text));
	text[8] = '\0';
	assert_null(secrets_password_fault(text));
	text[7] = '\0';
	assert_non_null(secrets_password_fault(text));
}

static void test_secrets__passwords(void **state)
{
	char hash[SECRETS_PASSWORD], again[SECRETS_PASSWORD], text[300];
	(void)state;
	assert_true(secrets_ready());
	assert_false(secrets_hash_password("short", hash));
	assert_true(secrets_hash_password("correct horse", hash));
	assert_true(secrets_hash_password("correct horse", again));
	assert_string_not_equal(hash, again);
	assert_memory_equal(hash, "$argon2id$v=19$m=65536,t=2,p=1$", 31);
	assert_true(secrets_check_password("correct horse", hash));
	assert_false(secrets_check_password("correct horsf", hash));
	assert_false(secrets_check_password("", hash));
	assert_false(secrets_check_password("correct horse", ""));
	assert_false(secrets_check_password("correct horse", "$argon2id$"));
	memset(text, '$', sizeof text);
	text[sizeof text - 1] = '\0';
	assert_false(secrets_check_password("correct horse", text));
}

/* ---- for the dice ---- */

/* The test vector of FIPS 180-2. */
static void test_secrets__sha256_as_published(void **state)
{
	uint8_t hash[SECRETS_HASH];
	char hex[2 * SECRETS_HASH + 1];
	(void)state;
	secrets_sha256("abc", 3, hash);
	dice_hex(hash, hex);
	assert_string_equal(hex,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_secrets__the_key_stays),
		CASE(test_secrets__a_file_that_is_not_secret),
		cmocka_unit_test(test_secrets__ids_are_plain_and_never_the_same),
		cmocka_unit_test(test_secrets__what_is_an_id),
		cmocka_unit_test(test_secrets__an_id_of_a_key),
		cmocka_unit_test(test_secrets__signatures_as_computed_elsewhere),
		cmocka_unit_test(test_secrets__secret_of_a_roll),
		cmocka_unit_test(test_secrets__cookies),
		cmocka_unit_test(test_secrets__seat_tokens),
		cmocka_unit_test(test_secrets__bearer_tokens),
		cmocka_unit_test(test_secrets__names_and_passwords_have_rules),
		cmocka_unit_test(test_secrets__passwords),
		cmocka_unit_test(test_secrets__sha256_as_published),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
