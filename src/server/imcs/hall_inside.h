/*
 * hall_inside.h - what hall.c and visitors.c share.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_HALL_INSIDE_H
#define SERVER_IMCS_HALL_INSIDE_H

#include "base/json.h"
#include "base/map.h"
#include "server/api/cluster_watch.h"
#include "server/api/inside.h"
#include "server/imcs/inside.h"

/* Why somebody waits until the accounts are up to date. */
enum hall_wait { HALL_COMMAND, HALL_TAKEN, HALL_VISITOR };

struct hall_waiter {
	uint64_t number; /* of the link */
	enum hall_wait wait;
	bool entries; /* and the entries of others */
};

struct hall_waiters {
	struct hall_waiter *list;
	size_t count, room;
};

/* Callbacks of the store count as users: the last one frees a hall that was closed. */
struct hall {
	struct imcs_base *base; /* NULL: closed */
	struct api *api;
	struct cluster_watch watch;
	int users;
	uint64_t last_number;
	struct map links; /* by number */
	/* Those for whom the store is being asked, and those who have come since. */
	struct hall_waiters asked, next;
	bool asking;
	int64_t left_ms; /* when to look for games that no server has; 0: not; INT64_MAX: not while
			    this server is lost */
	int64_t stale_ms; /* when to look for games that have ended without their plays */
	bool own_due;	 /* which entries this server still has must be asked */
};

/* The link, if it has a peer or will have one; NULL: it is gone. */
struct imcs_link *hall_link(const struct hall *h, uint64_t number);
void hall_refresh(struct hall *h, uint64_t number, enum hall_wait wait, bool entries);
int64_t hall_now(const struct hall *h);
/* A reference for a callback, and its end. False: the hall was closed. */
struct hall *hall_use(struct hall *h);
bool hall_unuse(struct hall *h);

/* ---- visitors.c ---- */

/* As in imcs_shared. */
void hall_visit(void *ctx, void *conn, const struct imcs_listed *offer,
		const struct imcs_account *account, const char *address, char color);
size_t hall_forward(void *ctx, void *conn, const char *bytes, size_t size,
		    enum imcs_follows follows);
/* A message of another server. */
void visitors_hear(struct hall *h, const json_t *message);
/* The accounts are up to date: the visitor may accept the offer. */
void visitor_enter(struct hall *h, struct imcs_link *link);
/* The games with this server at the other end are broken off; NULL: with any server. */
void visitors_break(struct hall *h, const char *node);
/* Gives up what waits for too long. */
void visitors_sweep(struct hall *h);
/* The link has no peer any more: the server that it visits hears of it. */
void visitors_left(struct hall *h, struct imcs_link *link);
void visitors_free(struct hall *h);

#endif
