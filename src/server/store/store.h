/*
 * store.h - what the server keeps: users, plays and their event lines, in one SQLite database.
 * SPDX-License-Identifier: MIT
 *
 * Writes are queued and never wait for the disk. A unit of work is everything queued since the last
 * store_end_unit (or since store_open), and store_end_unit ends it. A unit is written whole or not
 * at all, and apart from the others: one that fails takes none with it. A thread of the store's own
 * commits all complete units that wait in one transaction, in order, with synchronous=FULL. What
 * `done` reports as true is on disk, in the file that the path names.
 *
 * All functions are for one thread, the caller's; only `wake` is called from another. Reads are
 * answered at once from a connection of their own and see what is committed. Texts are copied on
 * the way in, and valid until the callback returns on the way out.
 */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include "quevedo.h"

struct store;

enum {
	STORE_ID = 24,              /* ids of users and plays fit, with their NUL */
	STORE_GAME = 128,           /* likewise the text that names a game with its options */
	STORE_NAME = 128,           /* likewise names, in UTF-8 */
	STORE_PASSWORD = 128,       /* likewise the hash of a password */
	STORE_TOKEN = 32,           /* bytes of a token's hash */
};

struct store_setup {
	const char *folder;         /* DATA; made, for its owner alone, if it is not there */
	void (*wake)(void *ctx);    /* from the store's thread: call store_deliver soon */
	void *ctx;
	size_t queue_bytes;         /* the most that may wait; 0: 32 MiB */
};

/*
 * Opens DATA/quevedo.db, making or migrating it, and starts the thread. QV_IO: another server has
 * the folder (DATA/lock), the database is damaged, is none of ours, or is of a newer program.
 */
enum qv_status store_open(const struct store_setup *setup, struct store **out,
			  struct qv_error *error);
/*
 * Writes what is queued, also a unit that was not ended, and calls what is `done`; what those queue
 * is dropped (QV_STOPPED). NULL is fine.
 */
void store_close(struct store *s);

/*
 * Ends the unit. done, if not NULL, is called from store_deliver, in the order of the units: true
 * when the unit is on disk; false when it is not in the database. On any status but QV_OK the
 * unit was dropped, and done is never called: so this is the one status that must be looked at.
 */
enum qv_status store_end_unit(struct store *s, void (*done)(void *ctx, bool ok), void *ctx);
/* Calls the `done` of units that were written or have failed. They may queue and read. */
void store_deliver(struct store *s);
/* The last failure of a unit, for a log; "" if there was none. For people, never for visitors. */
struct qv_error store_last_error(struct store *s);
/*
 * Could the last commit not write, for a reason that is no unit's own fault? Then *why (may be
 * NULL) is set, for a log. A database that was removed or replaced fails until the store is opened
 * again, whatever is put in its place.
 */
bool store_failing(struct store *s, struct qv_error *why);
/* Tries to write, so that store_failing knows, though nobody has anything to write. */
void store_probe(struct store *s);

/* ---- Writes. QV_NO_MEMORY: the queue is full (503), and the whole unit is lost: store_end_unit
 * says so again. QV_BAD_INPUT: a text is too long; likewise. ---- */

struct store_play {
	char id[STORE_ID], game[STORE_GAME];
	char owner[STORE_ID];       /* the user that made it; must have been put */
	int64_t created, updated;   /* seconds since 1970 */
	bool is_private;            /* never in the lobby */
	bool going;                 /* not over */
	int open_seats;             /* that wait for a person */
	int64_t lines;              /* only read: how many it has */
};

/* A new play without lines; its header is its line 0, by store_add_event. */
enum qv_status store_add_play(struct store *s, const struct store_play *play);
/* Numbers begin at 0 and go up by one: a unit that would leave a gap or repeat one fails. */
enum qv_status store_add_event(struct store *s, const char *play, int64_t number, const char *line,
			       size_t size);
enum qv_status store_set_play(struct store *s, const char *play, bool going, int open_seats,
			      int64_t updated);
/* Makes the user, or changes its name; `created` counts only the first time. */
enum qv_status store_put_user(struct store *s, const char *user, const char *name, int64_t created);
/* Makes the account or changes its name and password; fails if another user has the name. */
enum qv_status store_put_account(struct store *s, const char *user, const char *login,
				 const char *password_hash);
enum qv_status store_put_token(struct store *s, const uint8_t hash[STORE_TOKEN], const char *user,
			       int64_t created);
enum qv_status store_drop_token(struct store *s, const uint8_t hash[STORE_TOKEN]);
/* The user sits, or sat, in the play: it is among the user's plays. Twice is fine. */
enum qv_status store_put_seat(struct store *s, const char *user, const char *play);

/* ---- Reads. QV_UNKNOWN: there is no such thing; QV_IO: the database cannot be read. ---- */

/* Return false to stop: the read returns QV_STOPPED. on_line may not read, on_play may load. */
typedef bool store_line_fn(void *ctx, int64_t number, const char *line, size_t size);
/* header: line 0 of the play; "" with size 0 if it has none. */
typedef bool store_play_fn(void *ctx, const struct store_play *play, const char *header,
			   size_t size);

/* The play without its lines. */
enum qv_status store_find_play(struct store *s, const char *play, struct store_play *out,
			       struct qv_error *error);
/* The play (out may be NULL) and all its lines, in order, of one moment. */
enum qv_status store_load_play(struct store *s, const char *play, struct store_play *out,
			       store_line_fn *on_line, void *ctx, struct qv_error *error);

enum store_list {
	STORE_GOING,                /* all that are going on: for a restart */
	STORE_LOBBY,                /* going on, public, with an open seat */
	STORE_OF_USER,              /* made by the user, or with the user in a seat */
};
/* Latest updated first; most: 0 for all. user: for STORE_OF_USER, else NULL. */
enum qv_status store_list_plays(struct store *s, enum store_list list, const char *user, int most,
				store_play_fn *on_play, void *ctx, struct qv_error *error);

struct store_user {
	char id[STORE_ID], name[STORE_NAME];
	char login[STORE_NAME];     /* "": no account */
	char password_hash[STORE_PASSWORD]; /* likewise */
	int64_t created;
};
enum qv_status store_user_by_id(struct store *s, const char *id, struct store_user *out,
				struct qv_error *error);
/* Upper and lower case are the same. */
enum qv_status store_user_by_login(struct store *s, const char *login, struct store_user *out,
				   struct qv_error *error);
enum qv_status store_user_by_token(struct store *s, const uint8_t hash[STORE_TOKEN],
				   struct store_user *out, struct qv_error *error);

/* ---- Backup ---- */

/*
 * Copies the database of the folder, as it is at this moment, into a new file; a server may go on
 * writing. The copy is checked, and appears under its name only when it is whole. Needs no store.
 */
enum qv_status store_backup(const char *folder, const char *file, struct qv_error *error);

#endif
