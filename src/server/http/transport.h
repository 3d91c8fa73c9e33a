/*
 * transport.h - what the files of the transport share: the server, its connections, its calls.
 * SPDX-License-Identifier: MIT
 *
 * Everything runs on the event loop's thread. A call is a request that the API works on. The API
 * knows it by its number alone; web->calls maps the number back to the HTTP exchange or the
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
#include "server/api/held_bytes.h"
#include "server/api/limits.h"
#include "server/http/assets.h"
#include "server/http/forwarded.h"
#include "server/http/gzip.h"
#include "server/http/http_text.h"
#include "server/http/log.h"
#include "server/http/metrics.h"
#include "server/http/web.h"

enum {
	HEADER_BYTES = 8192, /* all headers of a request */
	BODY_BYTES = 16384,
	RECORD_BYTES = 1 << 20, /* the body of a POST that may contain a game record */
	QUERY_BYTES = 4096,
	JSON_DEPTH = 16,
	JSON_VALUES = 5000, /* of a body */
	JSON_VALUE = 220,   /* bytes that a parsed one takes, at most */
	OUT_MESSAGES = 256, /* queued for a slow reader; one more closes the connection */
	OUT_BYTES = 1 << 20,
	READ_SECONDS = 10, /* for the headers; between two pieces of a body */
	BODY_SECONDS = 60,
	WRITE_SECONDS = LIMIT_STALL_MS / 1000, /* without progress */
	IDLE_SECONDS = 60,  /* between two requests */
};

/* ---- Call numbers and the connections that wait for them: web.c ---- */

struct call_owner {
	uint64_t number;
	struct exchange *exchange; /* one of these two is set */
	struct socket *socket;
	int64_t id; /* the socket's own id for the request */
	int64_t began_us;
	int route;
	bool counted; /* by request_ended */
};

struct web;
struct exchange;
struct refusal;
struct packing;
/* Reserves a new call number, never used before; the caller sets the owner. NULL: no memory. */
struct call_owner *call_owner_add(struct web *web, enum api_method method, const char *path);
/* The owner no longer waits: cancels the call. */
void call_owner_cancel(struct web *web, uint64_t number);

/* ---- The server ---- */

struct listener;

/* All open WebSockets; the one heard of longest ago is the first. */
struct socket_list {
	struct socket *first, *last;
	int count;
};

struct web {
	const struct web_setup *setup;
	uv_loop_t loop;
	uv_async_t wake;
	uv_timer_t turn, sweep, shutdown, imcs_end;
	uv_signal_t interrupt, terminate, hangup;
	struct listener *listener;
	struct lws_context *context;
	struct lws_context *closed; /* the same, once it is being destroyed */
	struct lws_vhost *vhost;
	struct api *api;
	struct imcs_listener *imcs; /* NULL: not listening */
	struct map calls;	    /* call owners, by number */
	uint64_t last_call;	    /* numbers are never used twice */
	struct limits *limits;
	struct held_bytes held;	    /* by connections */
	struct metrics *metrics;
	struct metrics_listener *metrics_listener; /* NULL: not listening */
	uint32_t run; /* random: makes the ids of requests differ from those of another run */
	int64_t watchdog_ms, watched_ms; /* systemd's interval, 0: none; when it last heard of us */
	int64_t began_us, failure_us; /* of the server; when a failed request was last logged */
	struct assets assets;
	struct string page; /* index.html; empty: the program has no page */
	struct gzip_cache packed, packed_pages; /* apart: visitors make up addresses of pages */
	struct host_list hosts;		   /* all allowed host names */
	struct exchange *exchanges;	   /* all that wait for a response */
	int exchange_count, socket_count;  /* requests under way; WebSockets that are not closing */
	struct socket_list sockets;
	struct lws_protocols protocols[4]; /* HTTP, the WebSocket, perhaps the loop, the end */
	void *foreign_loop;		   /* loop_uv.c: our loop */
	lws_sorted_usec_list_t alarm;	   /* loop_poll.c: wakes libwebsockets for our loop */
	uint64_t callbacks;		   /* loop_poll.c: calls by libwebsockets */
	struct {
		void *certificate; /* an SSL_CTX that holds the present one; NULL: the first */
		uint64_t stamp;	   /* of its files; 0: not looked at yet */
		int64_t look_ms;   /* when to look at them again */
	} tls;
	bool contradicted; /* it is logged that headers of a proxy name different visitors */
	int64_t ready_ms; /* when somebody last asked whether the server is ready; 0: never */
	bool stopping;	  /* a signal has come */
	bool draining;	  /* ... and the time for load balancers is over: no new requests */
	int64_t drain_ms; /* until when requests may end */
	int shutdown_steps; /* timer steps since the API was closed */
};

/* A monotonic clock. */
int64_t web_now_ms(void);
/* Calls api_turn from the loop soon. Safe from any thread. */
void web_turn_soon(struct web *web);
/* Closes a connection soon; not for use inside the connection's own callback. */
void web_kill(struct lws *wsi);
/* The web server that a connection belongs to. */
struct web *web_of(struct lws *wsi);

/* ---- Connections: listener.c ---- */

/*
 * What a proxy has written into the head of a request, all lines of a name taken together. A
 * connection carries one request (http.c).
 */
struct proxy_says {
	bool known;	  /* the head has been looked at; with TLS it is not */
	bool forwarded; /* there is a Forwarded */
	struct forwarded by_standard;
	enum url_scheme scheme; /* by X-Forwarded-Proto, else by Forwarded */
};

struct web_client {
	struct holder holder;	     /* first; what is in memory for the connection */
	struct lws *wsi;
	struct socket *socket;	     /* NULL: it is none */
	struct exchange *exchange;   /* the present request; NULL: none, or it is a socket */
	struct ip from;		     /* of TCP, or as the PROXY protocol says */
	bool proxied;		     /* that is a trusted proxy */
	struct proxy_says says;
	char address[LIMIT_ADDRESS]; /* the visitor's, who sends the present request */
	enum url_scheme scheme;	     /* that the visitor uses */
	struct limits_peer *peer;    /* the visitor's; NULL: no request of a proxy has come yet */
};

/* NULL only before it was adopted. */
struct web_client *web_client_of(struct lws *wsi);
/* Finds out who sends the request whose headers have come, and counts the visitor. */
struct refusal web_client_visit(struct lws *wsi);
void web_client_free(struct web *web, struct web_client *c); /* NULL is fine */
/*
 * So many bytes are in memory for the connection now. It, or others, may be closed soon for that:
 * then is_ended is true.
 */
void web_client_holds(struct lws *wsi, size_t bytes);
bool web_client_is_ended(struct lws *wsi);
/* Closes the connection soon, and makes the system forget what is on its way to the client. */
void web_client_end(struct lws *wsi);
/* For web->held. */
void web_client_end_largest(void *ctx, struct holder *holder);
/* Closes those that are ended, if something has kept them open. */
void web_client_sweep(struct web *web);

/* Fills `url`. An error leaves nothing behind. */
enum qv_status listener_open(struct web *web, char url[WEB_ADDRESS], struct qv_error *error);
/* Accepts nothing from then on. Does nothing if it is not open. */
void listener_close(struct web *web);
/* Closes connections whose PROXY header, or head, does not come. */
void listener_sweep(struct web *web);

/* ---- The certificate: tls.c ---- */

/* ssl_ctx: libwebsockets' own, from its callback. */
void tls_join(struct web *web, void *ssl_ctx);
/* Loads the certificate again. If it is not valid the old one stays, and a line is logged. */
void tls_reload(struct web *web);
/* The same, if its files have changed; call it often. */
void tls_look(struct web *web);
void tls_release(struct web *web);

/* ---- What the operator sees of requests: observe.c ---- */

enum { REQUEST_ID = 65 };

/* A request that has ended. */
struct ended_request {
	const char *id; /* given by a proxy; "": made from the number */
	uint64_t number;
	int route;
	bool post, socket; /* socket: it came over a WebSocket */
	int status;	   /* 499: the client left before the response */
	int64_t began_us;
	size_t bytes;	     /* of the body */
	const char *address; /* of the visitor */
	const char *why;     /* the message of an error, or NULL */
};
/* Counts it, and logs it: as a warning if the server failed, else for those who want to know. */
void request_ended(struct web *web, const struct ended_request *request);
/* The id of a request, as it is logged and sent back. */
void request_id(const struct web *web, uint64_t number, char out[REQUEST_ID]);
/* The message of an error that the API has sent, cut to the size. "": no message. */
void error_message(const struct api_response *response, char *out, size_t size);
/* The id that a proxy has given to a request, if it is one that can be logged; else "". */
void given_request_id(struct lws *wsi, char out[REQUEST_ID]);
/* Logs a response with status 500 or more. owner: of the call; NULL: not known, it has no id. */
void log_failed(const struct web *web, const struct call_owner *owner, const char *why);
/* The server listens, or ends. */
void log_start(const struct web *web, const char *url, const char *imcs);
void log_stop(const struct web *web, int signal);

/* ---- How libwebsockets and our loop wait together: loop_uv.c, or loop_poll.c if QV_STATIC ---- */

/* Before the context is created. */
void loop_prepare(struct web *web, struct lws_context_creation_info *info);
/* When the virtual host exists. False: no memory. */
bool loop_join(struct web *web);
/* Returns when all handles are closed. */
void loop_run(struct web *web);
/* Begins to free the context, if there is one, from a callback of our loop; loop_end completes it. */
void loop_leave(struct web *web);
void loop_end(struct web *web);
/* The exchange waits: nothing wakes the loop for its descriptor. */
void loop_unwatch(struct exchange *exchange);

/* ---- Checks of a request: http.c ---- */

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
/* Does the visitor use https? Then cookies are for https alone. */
bool request_is_secure(struct lws *wsi);
/* The name depends on that. */
const char *request_cookie_name(struct lws *wsi);
/* Adds "Set-Cookie: ...\r\n"; nothing if the value cannot be sent in a cookie. */
void request_cookie_line(struct lws *wsi, const char *value, struct string *out);
/* An Origin of another server is refused. A cookie without a bearer token needs an Origin. */
struct refusal request_check_origin(const struct web *web, struct lws *wsi);
/* Several Cookie headers, or several cookies of the visitor, are refused. */
struct refusal request_check_cookies(struct lws *wsi);
/* The path, checked; version and first line, too. */
struct refusal request_path(struct lws *wsi, char path[API_PATH]);
/* Identifies the visitor by bearer token or cookie; without either it is a new guest. */
struct refusal request_visitor(const struct web *web, struct lws *wsi, struct visitor *out);
/*
 * The body of a request as an object, which the caller drops; and the bytes that it takes, at most.
 */
struct refusal request_json(const char *text, size_t length, json_t **out, size_t *bytes);

/* ---- HTTP: http.c reads requests, response.c writes responses ---- */

/* Lives in libwebsockets' memory for the connection, which is zeroed for each request. */
struct exchange {
	struct web *web; /* NULL: no request has come yet */
	struct lws *wsi;
	struct visitor visitor;
	char path[API_PATH];
	char *query;
	bool post, head; /* the method; neither: GET */
	bool http10;	 /* the client cannot read chunked bodies */
	bool hsts;	 /* the client shall come by https alone */
	bool gzip;	 /* the client accepts compressed bodies */
	char known_tag[128]; /* the client's If-None-Match; "": none, or longer than ours */

	bool reading;	 /* the body is coming in */
	bool dispatched; /* the request is complete and was passed on */
	bool drain;	 /* refused: the body is read and dropped */
	size_t body_size, dropped;
	struct string body;
	int64_t began_ms, began_us;
	uint64_t number;	     /* of the request; one of the call's numbers */
	char request_id[REQUEST_ID]; /* given by a proxy, or "" */
	int status, route;	     /* of the response, 0: none yet; if the API is not involved */
	size_t sent;		     /* of its body */
	const char *why;	     /* it was refused; static, or NULL */

	uint64_t call;	   /* the API's number for this request; 0: it has nothing to send */
	bool by_api;	   /* the API was involved */
	bool page;	   /* the response of the API is the preview of the page to send */
	char *origin;	   /* page: of this server, as the visitor wrote it */
	bool head_written; /* the response head is in `out`, or was sent */
	bool streaming, finished; /* finished: nothing will be added to `out` */
	struct string out;
	size_t asked;		   /* bytes of the parsed body, until the API has responded */
	size_t passed;		   /* bytes that the system has for the client, about */
	const unsigned char *rest; /* static bytes to send after `out` */
	struct packing *packing;   /* the response is being compressed; NULL: none is */
	struct gunzip *unpack;	   /* instead of them: a file that is unpacked while it is sent */
	size_t rest_size;

	bool unwatch;		       /* http_unwatch has to stop polling the descriptor */
	uv_poll_t *poll;	       /* libwebsockets' poll handle of it; NULL: not yet found */
	struct exchange **link, *next; /* in web->exchanges, the list of those that wait */
};

/* Queues an error as JSON. A refused body is drained before the connection closes. */
void exchange_refuse(struct exchange *exchange, struct refusal refusal);
/* Paths of files; any other path is a view of the page, unless a file has just that path. */
bool is_file_path(const char *path);
/* Asks the API for the preview of exchange->path; its response makes the page. */
void exchange_ask_preview(struct exchange *exchange);
/* Queues the page file at exchange->path; an unknown path gets the index page, or 404. */
void exchange_asset(struct exchange *exchange);
/* The exchange ends before its response is compressed; NULL is fine. */
void packing_forget(struct packing *packing);
/* Writes what can be written now. Returns nonzero if the connection must be closed. */
int exchange_write(struct exchange *exchange);
/* Frees what has come of the body and what waits to be sent: the connection is about to be closed. */
void exchange_drop(struct exchange *exchange);
/* What is in memory for it has changed. */
void exchange_holds(struct exchange *exchange);
/* There is something to write: reading, timeouts and the write callback are back on. */
void exchange_resume(struct exchange *exchange);

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

/* ---- The WebSocket: websocket.c. As above ---- */

int socket_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		    size_t length);
void socket_respond(struct socket *socket, int64_t id, const struct api_response *response);
/* Before the upgrade is granted: checks path, subprotocol, host and origin. */
struct refusal socket_check(const struct web *web, struct lws *wsi);
size_t socket_size(void);
/* As exchange_drop. */
void socket_drop(struct socket *socket);
/* The visitor's address. */
const char *socket_address(const struct socket *socket);
/* Counts an upgrade that was granted (101) or refused. */
void socket_counted(struct lws *wsi, int status, const char *why);
/* Pings those that are silent, and closes those that do not answer. Once a second. */
void socket_sweep(struct web *web);
/* Closes those whose visitors' credentials have ended. */
void socket_recheck(struct web *web);

#endif
