/*
 * bounds.h - what visitors may store, and the removal of what is old.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_BOUNDS_H
#define SERVER_API_BOUNDS_H

#include "server/api/api.h"

/*
 * Is there space for something new, and has the visitor stored less today than is allowed? False: an
 * error was sent. bounds_admit also charges the visitor for a small row.
 */
bool bounds_allow(struct api *api, const struct api_request *r);
bool bounds_admit(struct api *api, const struct api_request *r);
/* The same for a new account at IMCS. Call it while no unit is being filled. */
bool bounds_admit_account(struct api *api, const char *address);
/* Charges what is stored to an address with its site, and to a user; "" charges nobody. */
void bounds_charge(struct api *api, const char *address, const char *user, size_t bytes);
/*
 * Is the clock so far after the last time in the database that it may be wrong? Then nothing ends or
 * is removed because it is old.
 */
bool bounds_doubt_clock(const struct api *api);
/* Reads what was stored today. */
enum qv_status bounds_open(struct api *api, struct qv_error *error);
/* Queues what is not stored yet of the charges. */
void bounds_save(struct api *api);
void bounds_free(struct api *api); /* after the store was closed */
/* Does what is due; returns when to call it again, in ms of the clock; -1: no need. */
int64_t bounds_turn(struct api *api);

#endif
