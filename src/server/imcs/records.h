/*
 * records.h - what an IMCS server keeps: accounts and games, in the store and on the page.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_RECORDS_H
#define SERVER_IMCS_RECORDS_H

#include "server/api/api.h"
#include "imcs/server.h"

struct imcs_keep;

/* The API must outlive it. Games that a server before has left unfinished are broken off. */
enum qv_status imcs_keep_open(struct api *api, struct imcs_keep **out, struct qv_error *error);
void imcs_keep_close(struct imcs_keep *k); /* NULL is fine */
/* The next id for a game. */
int64_t imcs_keep_next(const struct imcs_keep *k);
/* Hands all accounts to the server. */
enum qv_status imcs_keep_load(struct imcs_keep *k, struct imcs *server);
/* The host's functions of the same names. */
void imcs_keep_account(struct imcs_keep *k, const struct imcs_account *account);
void imcs_keep_game(struct imcs_keep *k, const struct imcs_news *news);
/* The account of the admin, made or with a new password: nobody can register as one. */
bool imcs_keep_admin(struct imcs_keep *k, const char *password);
/* May somebody of this address register? */
bool imcs_keep_may_register(struct imcs_keep *k, const char *address);

#endif
