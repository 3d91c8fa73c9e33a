/*
 * exchange.h - one HTTP request and its answer: what http.c reads and http_respond.c writes.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_EXCHANGE_H
#define SERVER_HTTP_EXCHANGE_H

#include "server/http/transport.h"

/* Lives in the library's memory for a connection, which is zeroed for each request. */
struct exchange {
	struct web *web; /* NULL: no request has come yet */
	struct lws *wsi;
	struct visitor visitor;
	char path[API_PATH];
	char *query;
	bool post, head; /* the method; else GET */
	bool old;	 /* HTTP/1.0: knows no chunks */

	bool reading; /* the body is coming */
	bool taken;   /* the request is complete and was handed on */
	bool drain;   /* refused: the body is read and dropped */
	size_t body_size, dropped;
	struct string body;
	int64_t began_ms;

	uint64_t call;		  /* that the API works on; 0: none */
	bool answered;		  /* the head of the answer is written */
	bool streaming, finished; /* finished: nothing will be added to `out` */
	struct string out;
	const unsigned char *rest; /* static bytes after `out` */
	size_t rest_size;

	bool silence;			/* it waits: let its descriptor be watched no more */
	uv_poll_t *poll;		/* the library's watcher of it, once it was found */
	struct exchange **place, *next; /* in the list of those that wait for the API */
};

/* Writes the head and, unless it is a HEAD, the body; then the exchange is finished. */
void exchange_reply(struct exchange *exchange, int status, const char *type, const char *extra,
		    const char *text, size_t size);
/* The same with an error in JSON. The connection ends after it where a body may still come. */
void exchange_refuse(struct exchange *exchange, struct refusal refusal);
void exchange_asset(struct exchange *exchange); /* a file of the page, by path */
/* Writes what can be written now; not 0: the connection is to be closed. */
int exchange_write(struct exchange *exchange);
void exchange_wait(struct exchange *exchange);	/* for the API: read nothing meanwhile */
void exchange_resume(struct exchange *exchange); /* there is something to write */

#endif
