/*
 * records.h - what an IMCS server keeps: accounts and games, in the store and on the page.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_RECORDS_H
#define SERVER_IMCS_RECORDS_H

#include "server/api/api.h"
#include "imcs/server.h"

struct imcs_records;

/* The API must outlive it. Games that a server before has left unfinished are broken off. */
enum qv_status imcs_records_open(struct api *api, struct imcs_records **out,
				 struct qv_error *error);
void imcs_records_close(struct imcs_records *k); /* NULL is fine */
/* The next id for a game. */
int64_t imcs_records_next_id(const struct imcs_records *k);
/* Hands all accounts to the server. */
enum qv_status imcs_records_load(struct imcs_records *k, struct imcs *server);
/* The host's functions of the same names. */
void imcs_records_store_account(struct imcs_records *k, const struct imcs_account *account);
void imcs_records_store_game(struct imcs_records *k, const struct imcs_news *news);
/* The account of the admin, made or with a new password: nobody can register as one. */
bool imcs_records_set_admin(struct imcs_records *k, const char *password);
/* May somebody of this address register? */
bool imcs_records_may_register(struct imcs_records *k, const char *address);

#endif
