/*
 * web.h - the web server: passes HTTP requests and WebSocket messages to the API, serves the page.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_WEB_H
#define SERVER_HTTP_WEB_H

#include "server/api/api.h"

enum { WEB_ADDRESS = 96 };

struct web_setup {
	const char *host; /* an address or a host name; "0.0.0.0" and "::": all interfaces */
	int port;	  /* 0: any free port */
	const char *const *allowed_hosts; /* more names allowed in Host and Origin; borrowed */
	int allowed_count;
	const char *cert, *key;	   /* files of a TLS certificate and its key; NULL: plain HTTP */
	int imcs_port;		   /* for IMCS; 0: any free port; -1: no IMCS */
	const char *imcs_password; /* of the IMCS admin; NULL: leave it as it is */
	struct api_setup api;	   /* its host is filled in here; per_address applies to both */
	/*
	 * Called once it listens. url ends with a slash; imcs is "host:port", or "" without IMCS.
	 * Any status but QV_OK ends the server.
	 */
	enum qv_status (*ready)(void *ctx, const char *url, const char *imcs,
				struct qv_error *error);
	void *ctx;
};

/*
 * Serves until SIGINT or SIGTERM, then ends the streams, spends at most two seconds on writing what
 * is queued, closes the API and returns QV_OK. A second signal ends the process at once. Fails if
 * the address or the data folder is in use.
 */
enum qv_status web_run(const struct web_setup *setup, struct qv_error *error);

/* Was the page built into this program? Without it the server has the API only. */
bool web_has_page(void);

#endif
