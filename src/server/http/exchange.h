/*
 * exchange.h - one HTTP request and its response: http.c reads the one, response.c writes the
 * other.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_EXCHANGE_H
#define SERVER_HTTP_EXCHANGE_H

#include "server/http/transport.h"

/* Lives in libwebsockets' memory for the connection, which is zeroed for each request. */
struct exchange {
	struct web *web; /* NULL: no request has come yet */
	struct lws *wsi;
	struct visitor visitor;
	char path[API_PATH];
	char *query;
	bool post, head; /* the method; neither: GET */
	bool http10;	 /* the client cannot read chunked bodies */

	bool reading;    /* the body is coming in */
	bool dispatched; /* the request is complete and was passed on */
	bool drain;      /* refused: the body is read and dropped */
	size_t body_size, dropped;
	struct string body;
	int64_t began_ms;

	uint64_t call; /* the API's number for this request; 0: the API is not involved */
	bool head_written;	  /* the response head is in `out`, or was sent */
	bool streaming, finished; /* finished: nothing will be added to `out` */
	struct string out;
	const unsigned char *rest; /* static bytes to send after `out` */
	size_t rest_size;

	bool unwatch;			/* http_unwatch shall stop polling the descriptor */
	uv_poll_t *poll;		/* libwebsockets' poll handle of it; NULL: not yet found */
	struct exchange **link, *next;  /* in web->exchanges, the list of those that wait */
};

/* Queues a whole response (no body for HEAD) and finishes the exchange. extra: header lines. */
void exchange_reply(struct exchange *exchange, int status, const char *type, const char *extra,
		    const char *text, size_t size);
/* The same with the error as JSON. A refused body is drained before the connection closes. */
void exchange_refuse(struct exchange *exchange, struct refusal refusal);
/* Queues the page file at exchange->path; an unknown path gets the index page, or 404. */
void exchange_asset(struct exchange *exchange);
/* Writes what can be written now. Returns nonzero if the connection must be closed. */
int exchange_write(struct exchange *exchange);
/* Stops reading and timeouts until the API responds. */
void exchange_wait(struct exchange *exchange);
/* There is something to write: reading, timeouts and the write callback are back on. */
void exchange_resume(struct exchange *exchange);

#endif
