/*
 * metrics.h - figures for the operator: counted here, written for Prometheus, at an address of
 * their own.
 * SPDX-License-Identifier: MIT
 *
 * The labels are bounded: routes, known statuses, names of limits and kinds of jobs, nothing that a
 * visitor can choose. For the event loop's thread.
 */
#ifndef SERVER_HTTP_METRICS_H
#define SERVER_HTTP_METRICS_H

#include <uv.h>

#include "base/text.h"
#include "server/api/api.h"

/* Numbers of routes below zero; the others are those of the API. */
enum { ROUTE_OTHER = -1, ROUTE_PAGE = -2, ROUTE_ASSET = -3, ROUTE_SOCKET = -4 };

struct metrics;
/* NULL: out of memory; NULL is fine to free. */
struct metrics *metrics_new(void);
void metrics_free(struct metrics *metrics);

/* "/api/v1/plays/" and a star; "page", "asset", "socket" or "other". Static. */
const char *route_label(int route);

/* A request has ended. why: the message of an error, "WHAT: WHY"; NULL: none. */
void metrics_request(struct metrics *metrics, int route, int status, double seconds,
		     const char *why);
/* A connection was refused. */
void metrics_refused(struct metrics *metrics, const char *limit);

/* What only the transport knows. */
struct metrics_now {
	int sockets, connections, waiting; /* waiting: HTTP requests without a response */
	size_t held; /* bytes in memory for connections */
};
/* Adds everything in Prometheus' text format 0.0.4. api may be NULL while the server ends. */
void metrics_write(const struct metrics *metrics, struct api *api, const struct metrics_now *now,
		   struct string *out);

/* ---- The listener: metrics_listen.c ---- */

struct metrics_listener;
struct metrics_listen_setup {
	uv_loop_t *loop;
	const char *host;
	int port;
	/* Fills in the body of GET /metrics. */
	void (*write)(void *ctx, struct string *out);
	void *ctx;
};
/* *port becomes the port that it listens on. It frees itself after metrics_listener_shut. */
enum qv_status metrics_listener_open(const struct metrics_listen_setup *setup,
				     struct metrics_listener **out, int *port,
				     struct qv_error *error);
/* NULL is fine. */
void metrics_listener_shut(struct metrics_listener *listener);

#endif
