/*
 * standalone.h - an IMCS server without the web server.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_STANDALONE_H
#define SERVER_IMCS_STANDALONE_H

#include "server/api/api.h"

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
