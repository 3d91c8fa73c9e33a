/*
 * web.h - the web server: passes HTTP requests and WebSocket messages to the API, serves the page.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_WEB_H
#define SERVER_HTTP_WEB_H

#include "server/api/api.h"
#include "server/http/forwarded.h"
#include "server/http/http_text.h"

enum { WEB_ADDRESS = 96 };

struct server_log;

struct web_setup {
	const char *host; /* an address or a host name; "0.0.0.0" and "::": all interfaces */
	int port;	  /* 0: any free port */
	const struct origin *allowed; /* more names and origins of the server; borrowed */
	int allowed_count;
	struct ip_networks trusted; /* proxies whose headers about visitors are believed */
	bool proxy_protocol;	    /* connections of these proxies begin with a PROXY header */
	const char *cert, *key;	   /* files of a TLS certificate and its key; NULL: plain HTTP */
	int64_t hsts_s;		   /* browsers shall use https alone for so long; 0: not said */
	int drain_s;		   /* at most, from SIGTERM until requests have ended */
	int imcs_port;		   /* for IMCS; 0: any free port; -1: no IMCS */
	const char *imcs_password; /* of the IMCS admin; NULL: leave it as it is */
	const char *metrics_host;  /* where Prometheus reads figures, apart from the rest */
	int metrics_port;	   /* 0: any free port; -1: nowhere */
	const struct server_log *log; /* NULL: none; the API has its own */
	struct api_setup api;	   /* its host is filled in here; per_address applies to both */
	/*
	 * Called once it listens. url ends with a slash; imcs is "host:port", or "" without IMCS;
	 * metrics is the port for Prometheus, or 0. Any status but QV_OK ends the server.
	 */
	enum qv_status (*ready)(void *ctx, const char *url, const char *imcs, int metrics,
				struct qv_error *error);
	void *ctx;
};

/*
 * Serves until SIGINT or SIGTERM. If a load balancer has asked for readiness lately, that is denied
 * until the end, and the rest works as before for up to 2.5 s. Then new requests are refused, without
 * a balancer new connections, too; the streams end, the WebSockets are closed with 1012 (the server
 * restarts), the requests that are under way end, drain_s after the signal at most, and QV_OK is
 * returned. A second signal ends the process at once. SIGHUP loads the certificate again. Fails if
 * the address or the data folder is in use.
 */
enum qv_status web_run(const struct web_setup *setup, struct qv_error *error);

/* QV_BAD_INPUT: the certificate or its key is not valid. */
enum qv_status web_check_certificate(const char *cert, const char *key, struct qv_error *error);

/* Was the page built into this program? Without it the server has the API only. */
bool web_has_page(void);

#endif
