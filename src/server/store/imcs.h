/*
 * imcs.h - what the store keeps of IMCS: users with their ratings, and games with their logs.
 * SPDX-License-Identifier: MIT
 *
 * As store.h: writes are queued and belong to the unit being filled, reads are answered at once.
 */
#ifndef SERVER_STORE_IMCS_H
#define SERVER_STORE_IMCS_H

#include "server/store/store.h"

struct store_imcs_user {
	char name[STORE_NAME]; /* unique, letter case and all */
	char user[STORE_ID];   /* as others know it; must have been put */
	char password_hash[STORE_PASSWORD];
	int rating;
};

struct store_imcs_game {
	int64_t id;
	char white[STORE_NAME], black[STORE_NAME];
	char play[STORE_ID];	  /* where it can be seen; "": nowhere */
	int64_t began, ended;	  /* seconds since 1970; 0: it goes on */
	const char *result, *log; /* "" while it goes on */
	size_t log_size;
};

/* Makes the user, or changes password and rating. */
enum qv_status store_put_imcs_user(struct store *s, const struct store_imcs_user *user);
/* Makes the game, or changes its end, result and log. */
enum qv_status store_put_imcs_game(struct store *s, const struct store_imcs_game *game);

/* In order of registration. Return false to stop: QV_STOPPED. */
typedef bool store_imcs_user_fn(void *ctx, const struct store_imcs_user *user);
enum qv_status store_imcs_users(struct store *s, store_imcs_user_fn *on_user, void *ctx,
				struct qv_error *error);
/* The game of that id; 0: all that go on. */
typedef bool store_imcs_game_fn(void *ctx, const struct store_imcs_game *game);
enum qv_status store_imcs_games(struct store *s, int64_t id, store_imcs_game_fn *on_game, void *ctx,
				struct qv_error *error);
/* The highest id of a game; 0: there is none. */
enum qv_status store_imcs_last(struct store *s, int64_t *out, struct qv_error *error);

/*
 * A store to be read with the functions above and nothing else, also while a server has it. path:
 * of the database.
 */
enum qv_status store_open_reader(const char *path, struct store **out, struct qv_error *error);
void store_close_reader(struct store *s); /* NULL is fine */

#endif
