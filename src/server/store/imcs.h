/*
 * imcs.h - the store's tables for IMCS: users with their ratings, and games with their logs.
 * SPDX-License-Identifier: MIT
 *
 * As in store.h, writes are queued in the unit being filled, and reads return at once.
 */
#ifndef SERVER_STORE_IMCS_H
#define SERVER_STORE_IMCS_H

#include "server/store/store.h"

struct store_imcs_user {
	char name[STORE_NAME]; /* unique, case-sensitive */
	char user[STORE_ID];   /* its user id in store.h, which must be in the store */
	char password_hash[STORE_PASSWORD];
	int rating;
};

struct store_imcs_game {
	int64_t id;
	char white[STORE_NAME], black[STORE_NAME];
	char play[STORE_ID];	  /* the play that shows it on the page; "": none */
	int64_t began, ended;	  /* seconds since 1970; ended 0: in progress */
	const char *result, *log; /* "" while it is in progress */
	size_t log_size;
};

/* Inserts the user, or changes password and rating. */
enum qv_status store_put_imcs_user(struct store *s, const struct store_imcs_user *user);
/* Inserts the game, or changes its end, result and log. */
enum qv_status store_put_imcs_game(struct store *s, const struct store_imcs_game *game);

/* In order of registration. Return false to stop: QV_STOPPED. */
typedef bool store_imcs_user_fn(void *ctx, const struct store_imcs_user *user);
enum qv_status store_imcs_users(struct store *s, store_imcs_user_fn *on_user, void *ctx,
				struct qv_error *error);
/* The game of that id; id 0: all games in progress. */
typedef bool store_imcs_game_fn(void *ctx, const struct store_imcs_game *game);
enum qv_status store_imcs_games(struct store *s, int64_t id, store_imcs_game_fn *on_game, void *ctx,
				struct qv_error *error);
/* The highest id of a game; 0: no games. */
enum qv_status store_imcs_last(struct store *s, int64_t *out, struct qv_error *error);

/*
 * Opens a store for the reading functions above only, also while a server uses it. path: the
 * database file.
 */
enum qv_status store_open_reader(const char *path, struct store **out, struct qv_error *error);
void store_close_reader(struct store *s); /* NULL is fine */

#endif
