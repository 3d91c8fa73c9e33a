/*
 * listen.h - an IMCS server on a libuv loop: sockets, timers and threads for imcs/server.h; with
 * the web server, or alone.
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
	const char *host;	    /* an address or a host name */
	int port;		    /* 0: any free port */
	int per_address;	    /* multiplies the limits of an address */
	const char *admin_password; /* NULL: leave it as it is; nobody can register as admin */
	/* The admin has stopped it: call imcs_listener_shut soon, not at once. May be NULL. */
	void (*stopped)(void *ctx);
	void *ctx;
	int connections; /* at most; 0: 8192 */
};

/*
 * Listens; `at` becomes "127.0.0.1:3589". After a failure the loop must run once more, to close the
 * handles.
 */
enum qv_status imcs_listener_open(const struct imcs_listen_setup *setup, struct imcs_listener **out,
				  char at[IMCS_LISTENS_AT], struct qv_error *error);
/*
 * Accepts no more connections, ends the games without a result, stores them and notifies the
 * clients. It frees itself once the loop has closed its handles, some seconds later. NULL is fine.
 */
void imcs_listener_shut(struct imcs_listener *l);

/* ---- Without the web server ---- */

struct imcs_run_setup {
	const char *host;
	int port;		    /* 0: any free port */
	const char *admin_password; /* NULL: leave it as it is */
	struct api_setup api;	    /* its host is filled in here */
	/* Called once it listens at "host:port". Any status but QV_OK ends the server. */
	enum qv_status (*ready)(void *ctx, const char *at, struct qv_error *error);
	void *ctx;
};

/*
 * Serves until SIGINT, SIGTERM, or the admin's `stop`; then ends the games without a result, stores
 * them and returns QV_OK.
 */
enum qv_status imcs_run(const struct imcs_run_setup *setup, struct qv_error *error);

#endif
