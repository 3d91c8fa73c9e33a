/*
 * secrets.h - identities: unguessable ids, unforgeable cookies and tokens, passwords; and dice.
 * SPDX-License-Identifier: MIT
 *
 * A cookie or a seat token contains ids and a signature made with the key in DATA/secret, or in
 * PostgreSQL if there may be several servers: the server stores a session for each login, and
 * nothing for a guest's cookie. A bearer token is random, and the store has its hash only.
 * Checking a signature takes the same time whether it succeeds or not. Input may be any text of any
 * length. Ids consist of [A-Za-z0-9_-], so they need no escaping in URLs.
 *
 * Dice rolls can be verified by players. The server draws a secret and publishes its SHA-256. Then
 * the player sends a seed, any text. Secret and seed together determine the roll, so neither side
 * alone can choose it. The server then shows the secret, and anybody can compute the roll again
 * (docs/api.md has the commands).
 */
#ifndef SERVER_API_SECRETS_H
#define SERVER_API_SECRETS_H

#include "session/game_session.h"

enum {
	SECRETS_ID_LENGTH = 16,
	SECRETS_ID = 24,	/* buffer for an id, with its NUL */
	SECRETS_COOKIE = 96,	/* ... for a cookie: 60 or 77 characters */
	SECRETS_SEAT = 96,	/* ... for a seat token, "st_...": 78 or 94 */
	SECRETS_TOKEN = 48,	/* ... for a bearer token, "qv_...": 46 */
	SECRETS_CODE = 32,	/* ... for a one-time code: 22 */
	SECRETS_PASSWORD = 128, /* ... for the hash of a password */
	SECRETS_HASH = 32,	/* bytes of a SHA-256 */
	SECRETS_KEY = 32,	/* bytes of the key */
	SECRETS_USER_KEY = 64,	/* the most bytes of a key that a user chooses */
};

/* The signing key. Plain data: copy it, wipe it with secrets_forget. */
struct secrets {
	uint8_t key[SECRETS_KEY];
};

/*
 * Reads DATA/secret, or creates it with mode 0600; the folder is created too. QV_IO: it has another
 * size, other users can read it, or it cannot be read or written.
 */
enum qv_status secrets_open(const char *folder, struct secrets *out, struct qv_error *error);
/* Creates DATA/secret with this key. QV_IO also if it exists and has another key. */
enum qv_status secrets_keep(const char *folder, const struct secrets *s, struct qv_error *error);
void secrets_forget(struct secrets *s); /* wipes it */

/* ---- Random ids and bytes. They never fail once secrets_ready has returned true. ---- */

/* Initialises libsodium; secrets_open does so too. Safe from any thread, any number of times. */
bool secrets_ready(void);
void secrets_random(void *out, size_t size);
void secrets_user_id(char out[SECRETS_ID]);
void secrets_play_id(char out[SECRETS_ID]); /* begins with a letter */
bool secrets_is_id(const char *text);	    /* has it the length and the characters of an id? */
/*
 * An id as secrets_play_id makes them, but always the same for this user and this key, which is the
 * user's choice. Nobody without the signing key can guess it.
 */
void secrets_id_of_key(const struct secrets *s, const char *user, const char *key,
		       char out[SECRETS_ID]);

/* ---- Signed: cookies and seat tokens. All ids must be valid; some may be "" ---- */

/* session: which login it is of; "": of a guest, or from before there were sessions. */
void secrets_cookie(const struct secrets *s, const char *user, const char *session,
		    char out[SECRETS_COOKIE]);
/* False: not signed by this server; then the ids are "". */
bool secrets_read_cookie(const struct secrets *s, const char *cookie, char user[SECRETS_ID],
			 char session[SECRETS_ID]);

/*
 * A token that lets a program act for the user in one game. issuer: the session or bearer token
 * that it was issued to, and with which it ends; "": as with cookies.
 */
void secrets_seat(const struct secrets *s, const char *user, const char *play, const char *issuer,
		  char out[SECRETS_SEAT]);
bool secrets_read_seat(const struct secrets *s, const char *token, char user[SECRETS_ID],
		       char play[SECRETS_ID], char issuer[SECRETS_ID]);

/* ---- Bearer tokens ---- */

/* A new token, and its hash for the store. */
void secrets_token(char out[SECRETS_TOKEN], uint8_t hash[SECRETS_HASH]);
/* False: not in the form of a bearer token, so the store cannot have it. */
bool secrets_token_hash(const char *token, uint8_t hash[SECRETS_HASH]);

/* ---- One-time codes, with which a user sets a password or confirms an address ---- */

/* A new code, and its hash for the store. */
void secrets_code(char out[SECRETS_CODE], uint8_t hash[SECRETS_HASH]);
/* False: not in the form of a code. */
bool secrets_code_hash(const char *code, uint8_t hash[SECRETS_HASH]);

/* ---- Accounts ---- */

/* An error message ("name: ..."), static; NULL: it is fine. */
const char *secrets_login_fault(const char *login);	  /* 3 to 24 of [A-Za-z0-9_-] */
const char *secrets_password_fault(const char *password); /* 8 to 128 bytes */
const char *secrets_email_fault(const char *email);	  /* LOCAL@DOMAIN, up to 254 bytes */

/*
 * Hashes with argon2id: 64 MiB and some tenths of a second, so only in a worker thread. False: out
 * of memory, or secrets_password_fault objects.
 */
bool secrets_hash_password(const char *password, char out[SECRETS_PASSWORD]);
/* Also slow. Accepts any strings; returns false if out of memory, too. */
bool secrets_check_password(const char *password, const char *hash);

/*
 * The same for IMCS, where passwords may be short and are sent in clear text: a tenth of the cost,
 * for any password of up to 128 bytes.
 */
bool secrets_hash_weak(const char *password, char out[SECRETS_PASSWORD]);
bool secrets_check_weak(const char *password, const char *hash);

void secrets_sha256(const void *bytes, size_t size, uint8_t out[SECRETS_HASH]);

/* ---- Dice: dice.c, but for the first function ---- */

/*
 * The secret of a roll of that game, always the same for what was drawn and for a mark, which changes
 * when a backup is restored. Nobody without the signing key can compute it, so what was drawn may be
 * stored and shown.
 */
void secrets_dice(const struct secrets *s, const char *mark, const char *game,
		  const unsigned char drawn[DICE_SECRET], unsigned char out[DICE_SECRET]);

/* The commitment: hex of the SHA-256 of the secret. */
void dice_commit(const unsigned char secret[DICE_SECRET], char out[DICE_HEX]);
/*
 * The roll, from 0 to weights - 1, each equally likely: the first 8 bytes, big endian, of the
 * SHA-256 of secret, seed, id and ply (decimal) in a row, modulo weights. A number that would
 * favour some outcomes (2^64 is not a multiple of weights) is hashed again with a byte 1 after all
 * that, then 2, and so on.
 */
uint64_t dice_number(const struct dice *dice, uint64_t weights);

#endif
