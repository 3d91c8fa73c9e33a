/*
 * records.h - the accounts and games of an IMCS server, in the store and on the page.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_RECORDS_H
#define SERVER_IMCS_RECORDS_H

#include "server/api/api.h"
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
/* For the `keep` and `game` functions of imcs_host. */
void imcs_records_store_account(struct imcs_records *k, const struct imcs_account *account);
void imcs_records_store_game(struct imcs_records *k, const struct imcs_news *news);
/* Creates the admin's account or changes its password. False: not a valid password. */
bool imcs_records_set_admin(struct imcs_records *k, const char *password);
/* Applies the rate limit for new accounts of an address. */
bool imcs_records_may_register(struct imcs_records *k, const char *address);
/* May this address try another password? */
bool imcs_records_may_log_in(struct imcs_records *k, const char *address);

#endif
