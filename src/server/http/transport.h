/*
 * transport.h - what the files of the transport share: the server, its connections, its calls.
 * SPDX-License-Identifier: MIT
 *
 * Everything runs on the event loop's thread. A call is a request that the API works on. The API
 * knows it by its number alone; call_owners maps the number back to the HTTP exchange or the
 * WebSocket that waits for it. Nobody else holds pointers to connections, so one may vanish at any
 * moment: it then cancels its calls.
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
	RECORD_BYTES = 1 << 20, /* the body of a POST that may contain a game record */
	QUERY_BYTES = 4096,
	JSON_DEPTH = 16,
	OUT_MESSAGES = 256, /* queued for a slow reader; one more closes the connection */
	OUT_BYTES = 1 << 20,
	READ_SECONDS = 10, /* for the headers; between two pieces of a body */
	BODY_SECONDS = 60,
	WRITE_SECONDS = 30, /* without progress */
	IDLE_SECONDS = 60,  /* between two requests */
};

/* ---- Call numbers and the connections that wait for them: call_owners.c ---- */

struct call_owner {
	uint64_t number;
	struct exchange *exchange; /* one of these two is set */
	struct socket *socket;
	int64_t id; /* the socket's own id for the request */
};

struct call_owners {
	struct map by_number;
	uint64_t last; /* numbers are never used twice */
};

void call_owners_init(struct call_owners *owners);
void call_owners_release(struct call_owners *owners);
/* Reserves a new call number; the caller sets the owner. NULL: out of memory. */
struct call_owner *call_owners_add(struct call_owners *owners);
/* NULL: the call has ended. */
struct call_owner *call_owners_find(const struct call_owners *owners, uint64_t number);
/* Does nothing if the call has ended. */
void call_owners_remove(struct call_owners *owners, uint64_t number);

/* ---- The server ---- */

struct listener;

struct web {
	const struct web_setup *setup;
	uv_loop_t loop;
	uv_async_t wake;
	uv_timer_t turn, sweep, shutdown, imcs_end;
	uv_signal_t interrupt, terminate;
	struct listener *listener;
	struct lws_context *context;
	struct lws_context *closed; /* the same, once it is being destroyed */
	struct lws_vhost *vhost;
	struct api *api;
	struct imcs_listener *imcs; /* NULL: not listening */
	struct call_owners calls;
	struct limits *limits;
	struct assets assets;
	struct host_list hosts, named;	   /* all allowed host names; those from the setup alone */
	struct exchange *exchanges;	   /* all that wait for a response */
	struct lws_protocols protocols[3]; /* HTTP, the WebSocket, the end of the list */
	bool ending;
	int shutdown_steps; /* timer steps since the shutdown began */
};

/* A monotonic clock. */
int64_t web_now_ms(void);
/* Calls api_turn from the loop soon. Safe from any thread. */
void web_turn_soon(struct web *web);
/* Closes a connection soon; not for use inside the connection's own callback. */
void web_kill(struct lws *wsi);
/* Does the server use TLS? */
bool web_is_secure(const struct web *web);
const char *web_cookie_name(const struct web *web);
/* Adds "Set-Cookie: ...\r\n"; nothing if the value cannot be sent in a cookie. */
void web_cookie_line(const struct web *web, const char *value, struct string *out);
/* The web server that a connection belongs to. */
struct web *web_of(struct lws *wsi);
/* The address a connection comes from; NULL only before it was adopted. */
struct limits_peer *web_peer(struct lws *wsi);

/* ---- The listening socket: listen.c ---- */

/* Accepts connections and passes each to web_adopt. Fills `url`. An error leaves nothing behind. */
enum qv_status listener_open(struct web *web, char url[WEB_ADDRESS], struct qv_error *error);
/* Accepts nothing from then on. Does nothing if it is not open. */
void listener_close(struct web *web);
/*
 * Gives the connection to libwebsockets, or closes it if there are too many. Owns the descriptor.
 */
void web_adopt(struct web *web, int socket, const char *address);

/* ---- Checks of a request: request.c ---- */

struct header_text {
	char text[HEADER_BYTES + 64];
};
/* The header's value, several of one name joined by commas; "" if it is missing. */
const char *header_text(struct lws *wsi, enum lws_token_indexes header, struct header_text *out);

/* Why a request is refused. status 0: it is not. */
struct refusal {
	int status;
	const char *why; /* "WHAT: WHY", static */
};
struct refusal request_check_host(const struct web *web, struct lws *wsi);
/* An Origin of another server is refused. A cookie without a bearer token needs an Origin. */
struct refusal request_check_origin(const struct web *web, struct lws *wsi);
/* Length and type of the body; *size becomes its length, 0 without one. */
struct refusal request_check_body(struct lws *wsi, const char *path, bool post, size_t *size);
struct refusal request_path(struct lws *wsi, char path[API_PATH]);
/* The query, encoded again the way query_encode does it; "" without one. */
struct refusal request_query(struct lws *wsi, char query[QUERY_BYTES]);
/* Identifies the visitor by bearer token or cookie; without either it is a new guest. */
struct refusal request_visitor(const struct web *web, struct lws *wsi, struct visitor *out);
/* The body of a request as an object; NULL: it is not a JSON object. The caller drops it. */
json_t *request_json(const char *text, size_t length);

/* ---- The two protocols ---- */

/* Headers that every response has: lines with their ends. */
extern const char security_headers[];

/* libwebsockets' callback for HTTP. */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		  size_t length);
/* Sends a response of the API, or the next message of a stream. */
void http_respond(struct exchange *exchange, const struct api_response *response);
/* Ends the exchanges whose clients have left while they waited. */
void http_sweep(struct web *web);
/* Stops polling the descriptors of exchanges that have begun to wait. */
void http_unwatch(struct web *web);
size_t http_exchange_size(void);

/* The same for the WebSocket. */
int socket_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		    size_t length);
void socket_respond(struct socket *socket, int64_t id, const struct api_response *response);
/* Before the upgrade is granted: checks path, subprotocol, host and origin. */
struct refusal socket_check(const struct web *web, struct lws *wsi);
size_t socket_size(void);

#endif
