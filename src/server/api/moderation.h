/*
 * moderation.h - what protects people from each other: reports, suspensions, and the audit trail.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_MODERATION_H
#define SERVER_API_MODERATION_H

#include "server/api/api.h"
#include "server/store/moderation.h"

/* Who is suspended. Read when the server starts, and again when a revocation says so. */
struct suspensions {
	struct store_suspension *list;
	int count;
	bool asked, again; /* the store has been asked; it must be asked again */
};
enum qv_status suspensions_open(struct api *api, struct qv_error *error);
void suspensions_changed(struct api *api);
void suspensions_free(struct api *api);

/* The suspension of the user ("": of none) or of the address; NULL: there is none. */
const struct store_suspension *suspension_of(const struct api *api, const char *user,
					     const char *address);
/*
 * A suspended visitor reads, and may export, log out and delete the account. Anything else, streams
 * too, is refused with 403: returns true then.
 */
bool refuse_suspended(struct api *api, const struct api_request *r);

/*
 * Adds to the unit that is being filled what was done to the account of a user. what: at most 15
 * bytes. Wrong passwords are counted by network and hour, without a user.
 */
void audit(struct api *api, const struct api_request *r, const char *user, const char *what);
void audit_wrong_password(struct api *api, const struct api_request *r);

#endif
