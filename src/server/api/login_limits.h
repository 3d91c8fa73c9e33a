/*
 * login_limits.h - how often a secret may be guessed at, and devices that have logged in before.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_LOGIN_LIMITS_H
#define SERVER_API_LOGIN_LIMITS_H

#include "server/api/api.h"
#include "server/api/secrets.h"

enum { DEVICE_COOKIE = 64 };
/* The value that tells a device that has logged in as this user. */
void device_cookie(const struct secrets *s, const char *user, char out[DEVICE_COOKIE]);
/* Has the visitor's device logged in as this user before? */
bool login_is_known(const struct api_request *r, const char *user);
/*
 * Counts a guess at a secret of that name, of at most LIMIT_NAME bytes, for all servers of the
 * database. done, now or later: it may be made now (0), after so many ms, or the store cannot tell
 * (-1). It counts as wrong until login_guessed: the first LIMIT_GUESSES cost nothing, then each has
 * to wait twice as long as the one before, up to six minutes; an hour without one forgets them.
 */
enum { LIMIT_GUESSES = 5 };
typedef void guess_fn(void *ctx, int64_t wait);
void login_guess(struct api *api, const char *name, guess_fn *done, void *ctx);
/* It was right. Ends a unit of the store. */
void login_guessed(struct api *api, const char *name);
/*
 * May the visitor try a password for this login? user: whose it is; "": nobody's. The try counts as
 * wrong until login_was_right. False: READ_LATER, or a 429 was sent.
 */
bool login_may_try(struct api *api, const struct api_request *r, const char *login,
		   const char *user);
void login_was_right(struct api *api, const char *login, const char *user, bool known);

#endif
