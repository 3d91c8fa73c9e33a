/*
 * secrets.c - fuzz target: cookies, seat tokens, bearer tokens, ids, names, passwords and
 * addresses.
 * SPDX-License-Identifier: MIT
 *
 * What is accepted as signed with a known key must be, to the byte, what we would write.
 */
#include "fuzz/fuzz.h"

#include "server/api/names.h"
#include "server/api/secrets.h"

static void check_cookie(const struct secrets *s, const char *text)
{
	char user[SECRETS_ID], session[SECRETS_ID], again[SECRETS_COOKIE];
	if (!secrets_read_cookie(s, text, user, session)) {
		fuzz_require(!user[0] && !session[0]);
		return;
	}
	fuzz_require(secrets_is_id(user) && (!session[0] || secrets_is_id(session)));
	secrets_cookie(s, user, session, again);
	fuzz_require(strcmp(text, again) == 0);
}

static void check_seat(const struct secrets *s, const char *text)
{
	char user[SECRETS_ID], play[SECRETS_ID], issuer[SECRETS_ID], again[SECRETS_SEAT];
	if (!secrets_read_seat(s, text, user, play, issuer)) {
		fuzz_require(!user[0] && !play[0] && !issuer[0]);
		return;
	}
	fuzz_require(secrets_is_id(user) && secrets_is_id(play) &&
		     (!issuer[0] || secrets_is_id(issuer)));
	secrets_seat(s, user, play, issuer, again);
	fuzz_require(strcmp(text, again) == 0);
}

/* A text is at most one of the four, and a made one is what it should be. */
static void check_kinds(const struct secrets *s, const char *text)
{
	char user[SECRETS_ID], play[SECRETS_ID], issuer[SECRETS_ID], token[SECRETS_TOKEN];
	char code[SECRETS_CODE];
	uint8_t hash[SECRETS_HASH], again[SECRETS_HASH];
	fuzz_require(secrets_read_cookie(s, text, user, issuer) +
			     secrets_read_seat(s, text, user, play, issuer) +
			     secrets_token_hash(text, hash) + secrets_code_hash(text, hash) <=
		     1);
	secrets_code(code, hash);
	fuzz_require(secrets_code_hash(code, again) && memcmp(hash, again, sizeof hash) == 0);
	secrets_token(token, hash);
	fuzz_require(secrets_token_hash(token, again) && memcmp(hash, again, sizeof hash) == 0);
	secrets_user_id(user);
	secrets_play_id(play);
	fuzz_require(secrets_is_id(user) && secrets_is_id(play));
}

/*
 * The ids of a text signed again, with the signature that belongs to them: what the reader accepts
 * must be all of it, also if the ids come from the input.
 */
static void check_signed(const struct secrets *s, const char *text)
{
	char ids[3][SECRETS_ID] = { "" }, made[SECRETS_SEAT];
	for (int i = 0; i < 3 && strlen(text) >= (size_t)(i + 1) * SECRETS_ID_LENGTH; i++) {
		memcpy(ids[i], text + i * SECRETS_ID_LENGTH, SECRETS_ID_LENGTH);
		if (!secrets_is_id(ids[i]))
			ids[i][0] = '\0';
	}
	if (!ids[0][0])
		return;
	secrets_cookie(s, ids[0], ids[1], made);
	check_cookie(s, made);
	fuzz_require(secrets_read_cookie(s, made, ids[0], ids[1]));
	if (!ids[1][0])
		return;
	secrets_seat(s, ids[0], ids[1], ids[2], made);
	check_seat(s, made);
	fuzz_require(secrets_read_seat(s, made, ids[0], ids[1], ids[2]));
	fuzz_require(!secrets_read_cookie(s, made, ids[0], ids[1]));
}

/* A name looks like itself, also after it was folded once. */
static void check_name(const char *text)
{
	char skeleton[NAME_SKELETON], again[NAME_SKELETON];
	name_skeleton(text, skeleton);
	fuzz_require(strlen(skeleton) < sizeof skeleton && strlen(skeleton) <= strlen(text));
	name_skeleton(skeleton, again);
	fuzz_require(strcmp(skeleton, again) == 0);
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
	check_signed(&s, text);
	check_name(text);
	fuzz_require(!secrets_is_id(text) || length == SECRETS_ID_LENGTH);
	if (!secrets_login_fault(text))
		fuzz_require(length >= 3 && length <= 24 && !strpbrk(text, " ./\\\"'<>&;"));
	fuzz_require(!secrets_password_fault(text) == (length >= 8 && length <= 128));
	if (!secrets_email_fault(text))
		fuzz_require(length <= 254 && text[0] != '-' && !strpbrk(text, " \r\n\t<>"));
	free(text);
	return 0;
}
