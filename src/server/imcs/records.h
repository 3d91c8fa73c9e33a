/*
 * records.h - the accounts and games of an IMCS server, in the store and on the page.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_RECORDS_H
#define SERVER_IMCS_RECORDS_H

#include "server/api/api.h"
#include "server/api/login_limits.h"
#include "server/store/store.h"
#include "imcs/server.h"

struct imcs_records;

/*
 * The API must outlive it. Games that a previous server left unfinished end without a result.
 * *next_id becomes the next id for a game.
 */
enum qv_status imcs_records_open(struct api *api, struct imcs_records **out, int64_t *next_id,
				 struct qv_error *error);
void imcs_records_close(struct imcs_records *k); /* NULL is fine */
/* Passes all accounts to the server. QV_NO_MEMORY is the only failure. */
enum qv_status imcs_records_load(struct imcs_records *k, struct imcs *server);

/* ---- With other servers ---- */

/* Of the last account that was read. */
int64_t imcs_records_version(const struct imcs_records *k);
/* Takes an account of ASK_IMCS_USERS, here and in the server. False: out of memory. */
bool imcs_records_take(struct imcs_records *k, struct imcs *server, const struct store_rows *rows,
		       size_t row);
/* Has the game ended here with a result that is not stored yet? */
bool imcs_records_has_result(const struct imcs_records *k, int64_t id);
/*
 * Ends a game that no server has, without a result, unless its server is alive after all. Of a game
 * that has ended, ends the play.
 */
void imcs_records_end_left(struct api *api, const struct store_imcs_game *game);

/* ---- All ---- */

/*
 * For the `store` function of imcs_host. Queues the change; a new account gets a user, whose id is
 * put into `user`. done: as of store_end_unit, whose status it returns.
 */
enum qv_status imcs_records_change(struct imcs_records *k, const struct imcs_account *account,
				   enum imcs_change change, char user[STORE_ID],
				   void (*done)(void *ctx, bool ok), void *ctx);
/* Within that `done`: what imcs_stored gets. */
enum imcs_storing imcs_records_storing(const struct imcs_records *k, enum imcs_change change,
				       bool ok);
/* It is stored: takes it over, here and in the server. */
void imcs_records_stored(struct imcs_records *k, struct imcs *server,
			 const struct imcs_account *account, const char *user,
			 enum imcs_change change);
/* For the `game` function of imcs_host. */
void imcs_records_store_game(struct imcs_records *k, const struct imcs_news *news);
/* Now and then: writes again what the store has failed to write. NULL is fine. */
void imcs_records_sweep(struct imcs_records *k);
/* Creates the admin's account or changes only its password. False: not a valid password. */
bool imcs_records_set_admin(struct imcs_records *k, const char *password);
/* Does the name look like one of the server's own, or of a guest? */
bool imcs_records_is_reserved(const char *name);
/* Applies the rate limit and the quota for new accounts of an address. */
bool imcs_records_may_register(struct imcs_records *k, const char *address);
/* May a line of this address be handled? costly: it has something stored. */
bool imcs_records_may_go_on(struct imcs_records *k, const char *address, bool costly);
/* May this address try another password? */
bool imcs_records_may_log_in(struct imcs_records *k, const char *address);
/* login_guess and login_guessed, for a password. */
void imcs_records_guess(struct imcs_records *k, const char *name, guess_fn *done, void *ctx);
void imcs_records_guessed(struct imcs_records *k, const char *name);

#endif
