/*
 * secrets.c - fuzz target: cookies, seat tokens, bearer tokens, ids, names and passwords.
 * SPDX-License-Identifier: MIT
 *
 * What is accepted as signed with a known key must be, to the byte, what we would write.
 */
#include "fuzz/fuzz.h"

#include "server/api/secrets.h"

static void check_cookie(const struct secrets *s, const char *text)
{
	char user[SECRETS_ID], again[SECRETS_COOKIE];
	if (!secrets_read_cookie(s, text, user)) {
		fuzz_require(!user[0]);
		return;
	}
	fuzz_require(secrets_is_id(user));
	secrets_cookie(s, user, again);
	fuzz_require(strcmp(text, again) == 0);
}

static void check_seat(const struct secrets *s, const char *text)
{
	char user[SECRETS_ID], play[SECRETS_ID], again[SECRETS_SEAT];
	if (!secrets_read_seat(s, text, user, play)) {
		fuzz_require(!user[0] && !play[0]);
		return;
	}
	fuzz_require(secrets_is_id(user) && secrets_is_id(play));
	secrets_seat(s, user, play, again);
	fuzz_require(strcmp(text, again) == 0);
}

/* A text is at most one of the three, and a made one is what it should be. */
static void check_kinds(const struct secrets *s, const char *text)
{
	char user[SECRETS_ID], play[SECRETS_ID], token[SECRETS_TOKEN];
	uint8_t hash[SECRETS_HASH], again[SECRETS_HASH];
	fuzz_require(secrets_read_cookie(s, text, user) + secrets_read_seat(s, text, user, play) +
			     secrets_token_hash(text, hash) <=
		     1);
	secrets_token(token, hash);
	fuzz_require(secrets_token_hash(token, again) && memcmp(hash, again, sizeof hash) == 0);
	secrets_user_id(user);
	secrets_play_id(play);
	fuzz_require(secrets_is_id(user) && secrets_is_id(play));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct secrets s;
	char *text = fuzz_text(data, size);
	const size_t length = strlen(text);
	fuzz_require(secrets_ready());
	memset(s.key, 7, sizeof s.key);
	check_cookie(&s, text);
	check_seat(&s, text);
	check_kinds(&s, text);
	fuzz_require(!secrets_is_id(text) || length == SECRETS_ID_LENGTH);
	if (!secrets_login_fault(text))
		fuzz_require(length >= 3 && length <= 24 && !strpbrk(text, " ./\\\"'<>&;"));
	fuzz_require(!secrets_password_fault(text) == (length >= 8 && length <= 128));
	free(text);
	return 0;
}
