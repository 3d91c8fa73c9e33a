/*
 * secrets_text.c - the texts of ids, cookies and tokens.
 * SPDX-License-Identifier: MIT
 *
 * A signature is crypto_auth (HMAC-SHA-512-256) of a purpose and the ids, so that a cookie is never
 * valid as a seat token. To check a text, it is made again from its ids and compared: only the
 * exact text that this server writes is accepted.
 */
#include <sodium.h>

#include "base/scan.h"
#include "server/api/secrets.h"

enum {
	ID_BYTES = 12,
	SIGNATURE_LENGTH = 43, /* 32 bytes in base64 */
	COOKIE_LENGTH = SECRETS_ID_LENGTH + 1 + SIGNATURE_LENGTH,
	SESSION_LENGTH = COOKIE_LENGTH + SECRETS_ID_LENGTH + 1, /* a cookie that names a session */
	SEAT_LENGTH = 3 + 2 * SECRETS_ID_LENGTH + SIGNATURE_LENGTH,
	ISSUED_LENGTH = SEAT_LENGTH + SECRETS_ID_LENGTH, /* a seat token that names its issuer */
	CODE_BYTES = 16,
	CODE_LENGTH = 22,
	TOKEN_BYTES = 32,
	TOKEN_LENGTH = 3 + SIGNATURE_LENGTH,
	LOGIN_LEAST = 3,
	LOGIN_MOST = 24,
	PASSWORD_LEAST = 8,
	PASSWORD_MOST = 128,
	EMAIL_MOST = 254,
	TEXT_MOST = 32, /* bytes of the id of a game, or of a mark, that count */
};

/* Never change these values: all existing cookies and tokens would become invalid. */
enum purpose {
	PURPOSE_COOKIE = 1,
	PURPOSE_SEAT = 2,
	PURPOSE_SESSION = 3,
	PURPOSE_ISSUED = 4,
	PURPOSE_ID = 5,
	PURPOSE_DICE = 6,
};

_Static_assert((int)SESSION_LENGTH < (int)SECRETS_COOKIE, "a cookie fits");
_Static_assert((int)ISSUED_LENGTH < (int)SECRETS_SEAT, "a seat token fits");
_Static_assert((int)TOKEN_LENGTH < (int)SECRETS_TOKEN, "a bearer token fits");
_Static_assert((int)CODE_LENGTH < (int)SECRETS_CODE, "a code fits");
_Static_assert(crypto_auth_KEYBYTES == SECRETS_KEY, "the size of libsodium's key");

/* ---- texts ---- */

/* URL-safe base64 without padding. Returns the end of the text. */
static char *put_base64(char *out, const uint8_t *bytes, size_t size)
{
	sodium_bin2base64(out,
			  sodium_base64_ENCODED_LEN(size, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
			  bytes, size, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	return out + strlen(out);
}

/* Letters, digits, '-' and '_': the characters of URL-safe base64. */
static bool is_plain(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!is_letter(text[i]) && !is_digit(text[i]) && text[i] != '-' && text[i] != '_')
			return false;
	return true;
}

/* Reads no further than it must, since the text may be long. */
static bool has_length(const char *text, size_t length)
{
	return strnlen(text, length + 1) == length;
}

bool secrets_is_id(const char *text)
{
	return has_length(text, SECRETS_ID_LENGTH) && is_plain(text, SECRETS_ID_LENGTH);
}

/* ---- random ids ---- */

/* 96 random bits: two users never get the same id. */
void secrets_user_id(char out[SECRETS_ID])
{
	uint8_t bytes[ID_BYTES];
	randombytes_buf(bytes, sizeof bytes);
	put_base64(out, bytes, sizeof bytes);
}

/* Base64 may begin with a digit, '-' or '_': then another one is drawn. */
void secrets_play_id(char out[SECRETS_ID])
{
	do
		secrets_user_id(out);
	while (!is_letter(out[0]));
}

/* ---- signed ---- */

/* Writes the signature of the ids and a NUL at `out`. An id may be "": then it is not signed. */
static void put_signature(const struct secrets *s, enum purpose purpose, const char *const ids[3],
			  char *out)
{
	/* Ids have a fixed length and the purpose tells their number: no separators are needed. */
	uint8_t message[1 + 3 * SECRETS_ID_LENGTH], signature[crypto_auth_BYTES];
	size_t size = 1;
	message[0] = (uint8_t)purpose;
	for (int i = 0; i < 3; i++)
		if (ids[i][0]) {
			memcpy(message + size, ids[i], SECRETS_ID_LENGTH);
			size += SECRETS_ID_LENGTH;
		}
	crypto_auth(signature, message, size, s->key);
	put_base64(out, signature, sizeof signature);
}

/* The part of a signature that an id has room for; if it begins with no letter, of the next one. */
void secrets_id_of_key(const struct secrets *s, const char *user, const char *key,
		       char out[SECRETS_ID])
{
	uint8_t message[2 + SECRETS_ID_LENGTH + SECRETS_USER_KEY] = { PURPOSE_ID, 0 };
	uint8_t signature[crypto_auth_BYTES];
	const size_t length = strnlen(key, SECRETS_USER_KEY);
	memcpy(message + 2, user, SECRETS_ID_LENGTH);
	memcpy(message + 2 + SECRETS_ID_LENGTH, key, length);
	do {
		crypto_auth(signature, message, 2 + SECRETS_ID_LENGTH + length, s->key);
		put_base64(out, signature, ID_BYTES);
		message[1]++;
	} while (!is_letter(out[0]));
}

void secrets_dice(const struct secrets *s, const char *mark, const char *game,
		  const unsigned char drawn[DICE_SECRET], unsigned char out[DICE_SECRET])
{
	uint8_t message[1 + DICE_SECRET + 2 * TEXT_MOST] = { PURPOSE_DICE };
	uint8_t *const texts = message + 1 + DICE_SECRET; /* the mark is filled up with NULs */
	memcpy(message + 1, drawn, DICE_SECRET);
	memcpy(texts, mark, strnlen(mark, TEXT_MOST));
	memcpy(texts + TEXT_MOST, game, strnlen(game, TEXT_MOST));
	crypto_auth(out, message, sizeof message, s->key);
}

/* Copies an id from a text that is long enough. False: it has characters that no id has. */
static bool take_id(const char *text, char out[SECRETS_ID])
{
	memcpy(out, text, SECRETS_ID_LENGTH);
	out[SECRETS_ID_LENGTH] = '\0';
	return secrets_is_id(out);
}

/* "ID.SIGNATURE" or "ID.SESSION.SIGNATURE" */
void secrets_cookie(const struct secrets *s, const char *user, const char *session,
		    char out[SECRETS_COOKIE])
{
	const char *const ids[] = { user, session, "" };
	const int length = snprintf(out, SECRETS_COOKIE, "%.16s.%.16s%s", user, session,
				    *session ? "." : "");
	put_signature(s, *session ? PURPOSE_SESSION : PURPOSE_COOKIE, ids, out + length);
}

/* sodium_memcmp takes the same time wherever the texts differ. */
bool secrets_read_cookie(const struct secrets *s, const char *cookie, char user[SECRETS_ID],
			 char session[SECRETS_ID])
{
	char ours[SECRETS_COOKIE] = "";
	const bool named = has_length(cookie, SESSION_LENGTH);
	const size_t length = named ? SESSION_LENGTH : COOKIE_LENGTH;
	session[0] = '\0';
	const bool shaped = has_length(cookie, length) && take_id(cookie, user) &&
			    (!named || take_id(cookie + SECRETS_ID_LENGTH + 1, session));
	if (shaped)
		secrets_cookie(s, user, session, ours);
	if (shaped && sodium_memcmp(ours, cookie, length) == 0)
		return true;
	user[0] = session[0] = '\0';
	return false;
}

/* "st_", the ids, the signature */
void secrets_seat(const struct secrets *s, const char *user, const char *play, const char *issuer,
		  char out[SECRETS_SEAT])
{
	const char *const ids[] = { user, play, issuer };
	const int length = snprintf(out, SECRETS_SEAT, "st_%.16s%.16s%.16s", user, play, issuer);
	put_signature(s, *issuer ? PURPOSE_ISSUED : PURPOSE_SEAT, ids, out + length);
}

bool secrets_read_seat(const struct secrets *s, const char *token, char user[SECRETS_ID],
		       char play[SECRETS_ID], char issuer[SECRETS_ID])
{
	char ours[SECRETS_SEAT] = "";
	const bool issued = has_length(token, ISSUED_LENGTH);
	const size_t length = issued ? ISSUED_LENGTH : SEAT_LENGTH;
	issuer[0] = '\0';
	const bool shaped = has_length(token, length) && take_id(token + 3, user) &&
			    take_id(token + 3 + SECRETS_ID_LENGTH, play) &&
			    (!issued || take_id(token + 3 + 2 * SECRETS_ID_LENGTH, issuer));
	if (shaped)
		secrets_seat(s, user, play, issuer, ours);
	if (shaped && sodium_memcmp(ours, token, length) == 0)
		return true;
	user[0] = play[0] = issuer[0] = '\0';
	return false;
}

/* ---- bearer tokens ---- */

/* The token itself is shown once and never stored. */
void secrets_token(char out[SECRETS_TOKEN], uint8_t hash[SECRETS_HASH])
{
	uint8_t bytes[TOKEN_BYTES];
	randombytes_buf(bytes, sizeof bytes);
	memcpy(out, "qv_", 3);
	put_base64(out + 3, bytes, sizeof bytes);
	sodium_memzero(bytes, sizeof bytes);
	secrets_sha256(out, TOKEN_LENGTH, hash);
}

/* A fast hash is enough: the token has 256 random bits. */
bool secrets_token_hash(const char *token, uint8_t hash[SECRETS_HASH])
{
	if (!has_length(token, TOKEN_LENGTH) || strncmp(token, "qv_", 3) != 0 ||
	    !is_plain(token, TOKEN_LENGTH))
		return false;
	secrets_sha256(token, TOKEN_LENGTH, hash);
	return true;
}

/* ---- one-time codes ---- */

/* 128 random bits: nobody guesses one in the day that it is valid. */
void secrets_code(char out[SECRETS_CODE], uint8_t hash[SECRETS_HASH])
{
	uint8_t bytes[CODE_BYTES];
	randombytes_buf(bytes, sizeof bytes);
	put_base64(out, bytes, sizeof bytes);
	sodium_memzero(bytes, sizeof bytes);
	secrets_sha256(out, CODE_LENGTH, hash);
}

bool secrets_code_hash(const char *code, uint8_t hash[SECRETS_HASH])
{
	if (!has_length(code, CODE_LENGTH) || !is_plain(code, CODE_LENGTH))
		return false;
	secrets_sha256(code, CODE_LENGTH, hash);
	return true;
}

/* ---- the rules of accounts ---- */

const char *secrets_login_fault(const char *login)
{
	const size_t length = strnlen(login, LOGIN_MOST + 1);
	if (length < LOGIN_LEAST || length > LOGIN_MOST)
		return "name: must have 3 to 24 characters";
	if (!is_plain(login, length))
		return "name: use only letters a to z, digits, '-' and '_'";
	return NULL;
}

const char *secrets_password_fault(const char *password)
{
	const size_t length = strnlen(password, PASSWORD_MOST + 1);
	if (length < PASSWORD_LEAST)
		return "password: this password is too short; use at least 8 characters";
	return length > PASSWORD_MOST
		       ? "password: this password is too long; use at most 128 characters"
		       : NULL;
}

/* What mail programs accept without quoting: anything else is more likely a mistake. */
const char *secrets_email_fault(const char *email)
{
	static const char why[] = "email: this is not an e-mail address";
	const size_t length = strnlen(email, EMAIL_MOST + 1);
	const char *at = strchr(email, '@');
	if (length > EMAIL_MOST || !at || at == email || strchr(at + 1, '@') || email[0] == '-')
		return why;
	for (size_t i = 0; i < length; i++)
		if (email[i] <= ' ' || email[i] > '~' || strchr("\"'(),:;<>[\\]`|$", email[i]))
			return why;
	const char *dot = strrchr(at, '.');
	return !dot || dot == at + 1 || !dot[1] || strstr(email, "..") ? why : NULL;
}
