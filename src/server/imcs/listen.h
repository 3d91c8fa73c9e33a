/*
 * listen.h - an IMCS server on a libuv loop: connections, time and threads for imcs/server.h.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_LISTEN_H
#define SERVER_IMCS_LISTEN_H

#include <uv.h>

#include "server/api/api.h"

struct imcs_listener;

enum { IMCS_LISTENS_AT = 96 };

struct imcs_listen_setup {
	uv_loop_t *loop;
	struct api *api;	    /* outlives imcs_listener_shut */
	const char *host;	    /* an address, or a name that has one */
	int port;		    /* 0: any that is free */
	const char *admin_password; /* NULL: as it was; nobody can register as admin */
	/* The admin has stopped it: imcs_listener_shut, not at once but soon. May be NULL. */
	void (*stopped)(void *ctx);
	void *ctx;
};

/*
 * Listens; `at` becomes "127.0.0.1:3589". On failure nothing is left but handles that close, so the
 * loop has to run once more.
 */
enum qv_status imcs_listener_open(const struct imcs_listen_setup *setup, struct imcs_listener **out,
				  char at[IMCS_LISTENS_AT], struct qv_error *error);
/*
 * Nobody new, games are broken off and kept, everybody is told. It frees itself once the loop has
 * closed its handles, at most some seconds later. NULL is fine.
 */
void imcs_listener_shut(struct imcs_listener *l);

#endif
