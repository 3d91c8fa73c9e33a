/*
 * standalone.h - an IMCS server by itself: the store and what it takes, without the web.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_IMCS_STANDALONE_H
#define SERVER_IMCS_STANDALONE_H

#include "server/api/api.h"

struct imcs_run_setup {
	const char *host;
	int port;		    /* 0: any that is free */
	const char *admin_password; /* NULL: as it was */
	struct api_setup api;	    /* its host is filled in here */
	/* It listens at "host:port". QV_OK goes on, anything else ends the server. */
	enum qv_status (*ready)(void *ctx, const char *at, struct qv_error *error);
	void *ctx;
};

/* Serves until SIGINT, SIGTERM, or the admin's `stop`; then it breaks games off and keeps all. */
enum qv_status imcs_run(const struct imcs_run_setup *setup, struct qv_error *error);

#endif
