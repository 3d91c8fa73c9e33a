/*
 * web.h - the web server: carries HTTP requests and WebSocket messages to the API, and the page.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_WEB_H
#define SERVER_HTTP_WEB_H

#include "server/api/api.h"

enum { WEB_ADDRESS = 96 };

struct web_setup {
	const char *host; /* an address, or a name that has one; "0.0.0.0" and "::" are all */
	int port;	  /* 0: any that is free */
	const char *const
		*allowed_hosts; /* names that Host and Origin may bear besides; borrowed */
	int allowed_count;
	const char *cert, *key; /* files of a TLS certificate and its key; NULL: plain HTTP */
	int imcs_port;		/* where to speak IMCS besides; 0: any that is free; -1: nowhere */
	const char *imcs_password; /* the admin's; NULL: as it was */
	struct api_setup api;	/* its host is filled in here; per_address holds for both */
	/* It listens: `url` ends with a slash; imcs: "host:port", or "". QV_OK goes on, anything else ends the server. */
	enum qv_status (*ready)(void *ctx, const char *url, const char *imcs,
				struct qv_error *error);
	void *ctx;
};

/*
 * Serves until SIGINT or SIGTERM comes, then ends the streams, writes out what is left for at most
 * two seconds, closes the API and returns QV_OK. From the first signal on a second one ends the
 * process at once. Everything else is an error: an address in use, a data folder in use.
 */
enum qv_status web_run(const struct web_setup *setup, struct qv_error *error);

/* Is there a page in this program? Without one it serves the API alone. */
bool web_has_page(void);

#endif
