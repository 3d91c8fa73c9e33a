/*
 * secrets.h - who is who: ids nobody can guess, cookies and tokens nobody can forge, passwords.
 * SPDX-License-Identifier: MIT
 *
 * A cookie or a seat token carries the id and a signature made with the key in DATA/secret, so the
 * server keeps no list of them. A bearer token is random, and the store keeps its hash only. All
 * checks of signatures take the same time whether they succeed or not. Any text is checked, of any
 * length; nothing here trusts its input. Ids are [A-Za-z0-9_-], so they can stand in addresses.
 */
#ifndef SERVER_API_SECRETS_H
#define SERVER_API_SECRETS_H

#include "quevedo.h"

enum {
	SECRETS_ID_LENGTH = 16,
	SECRETS_ID = 24,            /* an id fits, with its NUL */
	SECRETS_COOKIE = 64,        /* likewise a cookie: 60 characters */
	SECRETS_SEAT = 96,          /* likewise a seat token, "st_...": 78 */
	SECRETS_TOKEN = 48,         /* likewise a bearer token, "qv_...": 46 */
	SECRETS_PASSWORD = 128,     /* likewise the hash of a password */
	SECRETS_HASH = 32,          /* bytes of a SHA-256 */
	SECRETS_KEY = 32,           /* bytes of the key */
};

/* The signing key. Plain data: copy it, wipe it with secrets_forget. */
struct secrets {
	uint8_t key[SECRETS_KEY];
};

/*
 * Reads DATA/secret, or makes it, for its owner alone; the folder is made too. QV_IO: it is of
 * another size, others can read it, or the disk says no.
 */
enum qv_status secrets_open(const char *folder, struct secrets *out, struct qv_error *error);
void secrets_forget(struct secrets *s);

/* ---- Random ids and bytes. They never fail, once secrets_ready was true. ---- */

/* Prepares the library; secrets_open does it too. From any thread, at any time. */
bool secrets_ready(void);
void secrets_random(void *out, size_t size);
void secrets_user_id(char out[SECRETS_ID]);
void secrets_play_id(char out[SECRETS_ID]);     /* begins with a letter */
bool secrets_is_id(const char *text);   /* as long as an id, and of its characters */

/* ---- Signed: cookies and seat tokens. The ids must be ids. ---- */

void secrets_cookie(const struct secrets *s, const char *user, char out[SECRETS_COOKIE]);
/* False: not signed by us; user is "" then. */
bool secrets_read_cookie(const struct secrets *s, const char *cookie, char user[SECRETS_ID]);

/* Lets a program act for the user in one play. */
void secrets_seat(const struct secrets *s, const char *user, const char *play,
		  char out[SECRETS_SEAT]);
bool secrets_read_seat(const struct secrets *s, const char *token, char user[SECRETS_ID],
		       char play[SECRETS_ID]);

/* ---- Bearer tokens ---- */

/* A new one, and the hash that the store keeps. */
void secrets_token(char out[SECRETS_TOKEN], uint8_t hash[SECRETS_HASH]);
/* False: no bearer token at all; the store need not be asked. */
bool secrets_token_hash(const char *token, uint8_t hash[SECRETS_HASH]);

/* ---- Accounts ---- */

/* What is wrong with it, for people ("name: ..."); NULL: nothing. Static. */
const char *secrets_login_fault(const char *login);     /* 3 to 24 of [A-Za-z0-9_-] */
const char *secrets_password_fault(const char *password);       /* 8 to 128 bytes */

/*
 * argon2id, 64 MiB and some tenths of a second: for a worker thread, never for the loop. False: no
 * memory. The password must have no fault.
 */
bool secrets_hash_password(const char *password, char out[SECRETS_PASSWORD]);
/* As costly. Any texts may be given; false also without memory. */
bool secrets_check_password(const char *password, const char *hash);

/*
 * The same for IMCS, where passwords may be short and come in clear text over the wire: a tenth of
 * the cost, for any password of up to 128 bytes.
 */
bool secrets_hash_weak(const char *password, char out[SECRETS_PASSWORD]);
bool secrets_check_weak(const char *password, const char *hash);

/* ---- For the dice ---- */

void secrets_sha256(const void *bytes, size_t size, uint8_t out[SECRETS_HASH]);
/* Lower-case hexadecimal, NUL-terminated: 2 * size + 1 characters. */
void secrets_hex(const uint8_t *bytes, size_t size, char *out);

#endif
