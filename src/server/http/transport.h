/*
 * transport.h - what the files of the transport share: the server, its connections, its calls.
 * SPDX-License-Identifier: MIT
 *
 * Everything runs on the loop's thread. A call is a request that the API works on; it is known by
 * its number alone, and belongs to an HTTP exchange or to a WebSocket. Nobody else keeps pointers
 * to these, so that a connection may vanish at any moment: it then cancels its calls.
 */
#ifndef SERVER_HTTP_TRANSPORT_H
#define SERVER_HTTP_TRANSPORT_H

#include <libwebsockets.h>
#include <uv.h>

#include "base/map.h"
#include "base/text.h"
#include "server/api/api.h"
#include "server/http/assets.h"
#include "server/http/http_text.h"
#include "server/http/limits.h"
#include "server/http/web.h"

enum {
	HEADER_BYTES = 8192, /* all headers of a request */
	BODY_BYTES = 16384,
	RECORD_BYTES = 1 << 20, /* the body of a POST that may hold a record */
	QUERY_BYTES = 4096,
	JSON_DEPTH = 16,
	OUT_MESSAGES = 256, /* that wait for a slow reader; one more ends the connection */
	OUT_BYTES = 1 << 20,
	READ_SECONDS = 10, /* for headers; between two pieces of a body */
	BODY_SECONDS = 60,
	WRITE_SECONDS = 30, /* without anything taken */
	IDLE_SECONDS = 60,  /* between two requests */
};

/* ---- Calls ---- */

/* What the transport must know of a call; what the API works on is in inside.h. */
struct call_owner {
	uint64_t number;
	struct exchange *exchange; /* one of the two is set */
	struct socket *socket;
	int64_t id; /* the socket's name for it */
};

struct call_owners {
	struct map by_number;
	uint64_t last; /* numbers are never used twice */
};

void call_owners_init(struct call_owners *calls);
void call_owners_release(struct call_owners *calls);
struct call_owner *call_owners_add(struct call_owners *calls); /* NULL: no memory */
struct call_owner *call_owners_find(const struct call_owners *calls, uint64_t number); /* NULL: it has ended */
void call_owners_remove(struct call_owners *calls, uint64_t number); /* fine if it has ended */

/* ---- The server ---- */

struct listener;

struct web {
	const struct web_setup *setup;
	uv_loop_t loop;
	uv_async_t wake;
	uv_timer_t turn, sweep, last_call, imcs_end;
	uv_signal_t interrupt, terminate;
	struct listener *listener;
	struct lws_context *context;
	struct lws_context *closed; /* the same, once it is being destroyed */
	struct lws_vhost *vhost;
	struct api *api;
	struct imcs_listener *imcs; /* NULL: it does not listen, or no more */
	struct call_owners calls;
	struct limits *limits;
	struct assets assets;
	struct host_list hosts, named;	   /* all that are allowed; those of the setup alone */
	struct exchange *exchanges;	   /* all that wait for an answer */
	struct lws_protocols protocols[3]; /* HTTP, the WebSocket, the end of the list */
	bool ending;
	int last_steps; /* of writing out, at the end */
};

int64_t web_now_ms(void);
/* The API has been called: let it say when it wants to be called again. */
void web_turn_soon(struct web *web);
/* Ends a connection soon, from anywhere but its own callback. */
void web_kill(struct lws *wsi);
bool web_is_secure(const struct web *web);
const char *web_cookie_name(const struct web *web);
/* "Set-Cookie: ...\r\n" */
void web_cookie_line(const struct web *web, const char *value, struct string *out);
/* The web server that a connection belongs to. */
struct web *web_of(struct lws *wsi);
/* The address a connection comes from; NULL only before it was adopted. */
struct limits_peer *web_peer(struct lws *wsi);

/* ---- The listening socket: listen.c ---- */

/*
 * Takes connections and hands each to web_take, which owns the descriptor from then on. Fills
 * `url`. An error leaves nothing behind.
 */
enum qv_status listener_open(struct web *web, char url[WEB_ADDRESS], struct qv_error *error);
void listener_close(struct web *web); /* from then on nobody can connect; NULL is fine */
void web_take(struct web *web, int socket, const char *address);

/* ---- Headers of a request: request.c ---- */

struct header_text {
	char text[HEADER_BYTES + 64];
};
/* The header, several of a name joined by commas; "" if it is not there. */
const char *header_text(struct lws *wsi, enum lws_token_indexes header, struct header_text *out);

/* What is wrong with a request. status 0: nothing. */
struct refusal {
	int status;
	const char *why; /* "WHAT: WHY", static */
};
struct refusal request_check_host(const struct web *web, struct lws *wsi);
/* With a cookie, and no bearer token, an Origin is needed; one of another server is refused always. */
struct refusal request_check_origin(const struct web *web, struct lws *wsi);
struct refusal request_check_body(struct lws *wsi, const char *path, bool post, size_t *size);
struct refusal request_path(struct lws *wsi, char path[API_PATH]);
struct refusal request_query(struct lws *wsi, char query[QUERY_BYTES]);
/* Finds who asks. */
struct refusal request_visitor(const struct web *web, struct lws *wsi, struct visitor *out);
/* The body of a request as an object; NULL: it is none. The caller drops it. */
json_t *request_json(const char *text, size_t length);

/* ---- The two protocols ---- */

/* Headers that every answer bears, lines with their ends. */
extern const char security_headers[];

int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		  size_t length);
/* Answers of the API. */
void http_respond(struct exchange *exchange, const struct api_response *answer);
/* The exchanges whose peers have gone while they waited are ended. */
void http_sweep(struct web *web);
/* Descriptors of exchanges that wait are watched no more. */
void http_silence(struct web *web);
size_t http_exchange_size(void);

int socket_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		    size_t length);
void socket_respond(struct socket *socket, int64_t id, const struct api_response *answer);
/* Before the upgrade is granted: path, subprotocol, host and origin. */
struct refusal socket_check(const struct web *web, struct lws *wsi);
size_t socket_size(void);

#endif
