/*
 * http.c - HTTP: from the headers of a request to the call of the API.
 * SPDX-License-Identifier: MIT
 *
 * While the API works on a request nothing is read from its connection: libwebsockets would call
 * back again and again for bytes that nobody takes. So a client that disconnects is noticed by
 * peeking at the socket, once a second (http_sweep). One request per connection: responses say
 * "Connection: close".
 */
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>

#include "server/http/exchange.h"

enum { MOST_DROPPED = 4 << 20, DRAIN_SECONDS = 5 };

static const struct refusal too_fast = { 429, "requests: too many per second from this address" };

size_t http_exchange_size(void)
{
	return sizeof(struct exchange);
}

/* ---- Beginning and end of an exchange ---- */

static void leave_list(struct exchange *e)
{
	if (!e->link)
		return;
	*e->link = e->next;
	if (e->next)
		e->next->link = e->link;
	e->link = NULL;
	e->next = NULL;
}

static void enter_list(struct exchange *e)
{
	e->link = &e->web->exchanges;
	e->next = e->web->exchanges;
	if (e->next)
		e->next->link = &e->next;
	e->web->exchanges = e;
}

static void release(struct exchange *e)
{
	if (!e || !e->web)
		return;
	leave_list(e);
	if (e->call) {
		const uint64_t call = e->call;
		e->call = 0;
		call_owners_remove(&e->web->calls, call);
		if (e->web->api)
			api_cancel(e->web->api, call);
		web_turn_soon(e->web);
	}
	free(e->query);
	string_release(&e->body);
	string_release(&e->out);
	*e = (struct exchange){ 0 };
}

void exchange_wait(struct exchange *e)
{
	lws_set_timeout(e->wsi, NO_PENDING_TIMEOUT, 0);
	lws_rx_flow_control(e->wsi, 0);
	e->unwatch = true;
	web_turn_soon(e->web);
	if (!e->link)
		enter_list(e);
}

void exchange_resume(struct exchange *e)
{
	e->unwatch = false;
	lws_rx_flow_control(e->wsi, 1);
	lws_set_timeout(e->wsi, PENDING_TIMEOUT_HTTP_CONTENT, WRITE_SECONDS);
	lws_callback_on_writable(e->wsi);
}

/* ---- Dispatching ---- */

static void hand_to_api(struct exchange *e, json_t *body)
{
	struct call_owner *owner = call_owners_add(&e->web->calls);
	if (!owner) {
		exchange_refuse(e, (struct refusal){ 503, "server: out of memory" });
		return;
	}
	owner->exchange = e;
	e->call = owner->number;
	const struct api_request request = {
		.method = e->post ? API_POST : API_GET,
		.path = e->path,
		.query = e->query ? e->query : "",
		.body = body,
		.visitor = &e->visitor,
		.call = owner->number,
	};
	api_handle(e->web->api, &request);
	web_turn_soon(e->web);
	if (e->call && !e->out.length)
		exchange_wait(e);
}

static int dispatch_post(struct exchange *e)
{
	json_t *body = e->body.failed ? NULL : request_json(e->body.data, e->body.length);
	e->dispatched = true;
	if (body)
		hand_to_api(e, body);
	else
		exchange_refuse(e, (struct refusal){ 400, "body: not a JSON object" });
	json_decref(body);
	string_release(&e->body);
	return 0;
}

static bool is_api(const char *path)
{
	return strncmp(path, "/api/", 5) == 0 || strcmp(path, "/api") == 0;
}

/* ---- Headers ---- */

static struct refusal check_method(struct exchange *e)
{
	char *at;
	int length;
	switch (lws_http_get_uri_and_method(e->wsi, &at, &length)) {
	case LWSHUMETH_GET:
		return (struct refusal){ 0, NULL };
	case LWSHUMETH_HEAD:
		e->head = true;
		return (struct refusal){ 0, NULL };
	case LWSHUMETH_POST:
		e->post = true;
		if (is_api(e->path))
			return (struct refusal){ 0, NULL };
		return (struct refusal){ 405, "method: only GET and HEAD here" };
	default:
		return (struct refusal){ 405, "method: only GET, HEAD and POST" };
	}
}

static struct refusal check_query(struct exchange *e)
{
	char query[QUERY_BYTES];
	const struct refusal refusal = request_query(e->wsi, query);
	if (!refusal.status && query[0] && !(e->query = strdup(query)))
		return (struct refusal){ 503, "server: out of memory" };
	return refusal;
}

/* All checks of a request, the cheap ones first. */
static struct refusal check_request(struct exchange *e)
{
	const bool slow_down = !limits_take(e->web->limits, web_peer(e->wsi), web_now_ms());
	struct refusal refusal = request_path(e->wsi, e->path);
	if (!refusal.status)
		refusal = check_method(e);
	if (slow_down)
		return too_fast;
	if (!refusal.status)
		refusal = request_check_host(e->web, e->wsi);
	if (!refusal.status)
		refusal = request_check_body(e->wsi, e->path, e->post, &e->body_size);
	if (!refusal.status && e->post)
		refusal = request_check_origin(e->web, e->wsi);
	if (!refusal.status)
		refusal = check_query(e);
	if (!refusal.status && e->web->ending)
		refusal = (struct refusal){ 503, "server: shutting down" };
	/*
	 * Files need no visitor. The page itself does: its cookie identifies the sockets it opens.
	 */
	if (!refusal.status && strncmp(e->path, "/assets/", 8) != 0)
		refusal = request_visitor(e->web, e->wsi, &e->visitor);
	return refusal;
}

/* Some clients wait for this before they send a body. */
static int send_continue(struct exchange *e)
{
	static const char line[] = "HTTP/1.1 100 Continue\r\n\r\n";
	unsigned char buffer[LWS_PRE + sizeof line];
	struct header_text text;
	if (!header_has_token(header_text(e->wsi, WSI_TOKEN_HTTP_EXPECT, &text), "100-continue"))
		return 0;
	memcpy(buffer + LWS_PRE, line, sizeof line - 1);
	return lws_write(e->wsi, buffer + LWS_PRE, sizeof line - 1, LWS_WRITE_HTTP) < 0 ? -1 : 0;
}

/* Will libwebsockets deliver a body? It reads lengths with atoll, and guesses a missing one. */
static bool body_may_follow(struct lws *wsi)
{
	struct header_text text;
	if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI))
		return true; /* even an empty one */
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH))
		return atoll(header_text(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, &text)) != 0;
	return lws_hdr_total_length(wsi, WSI_TOKEN_PUT_URI) ||
	       lws_hdr_total_length(wsi, WSI_TOKEN_PATCH_URI);
}

static int take_headers(struct exchange *e, struct lws *wsi)
{
	struct header_text version;
	release(e);
	e->web = web_of(wsi);
	e->wsi = wsi;
	e->body.allocator = e->out.allocator = &mem_malloc;
	e->began_ms = web_now_ms();
	e->http10 = strcmp(header_text(wsi, WSI_TOKEN_HTTP, &version), "HTTP/1.1") != 0;
	const struct refusal refusal = check_request(e);
	e->dispatched = refusal.status || !e->post;
	if (refusal.status) {
		e->drain = body_may_follow(wsi);
		exchange_refuse(e, refusal);
	} else if (e->post) {
		e->reading = true;
		return e->body_size ? send_continue(e) : 0;
	} else if (is_api(e->path)) {
		hand_to_api(e, NULL);
	} else {
		exchange_asset(e);
	}
	return 0;
}

/* ---- Bodies ---- */

static int take_body(struct exchange *e, const char *data, size_t length)
{
	if (e->drain)
		return (e->dropped += length) > MOST_DROPPED ? -1 : 0;
	if (!e->reading || e->dispatched || e->body.length + length > e->body_size ||
	    web_now_ms() - e->began_ms > BODY_SECONDS * 1000)
		return -1;
	if (length)
		string_add(&e->body, data, length);
	return 0;
}

/*
 * Called a second time if bytes of another request are buffered; the body is used once. The
 * connection of a refused request is closed when its response is sent.
 */
static int finish_body(struct exchange *e)
{
	if (e->drain) {
		e->drain = false;
		return e->finished && !e->out.length ? -1 : 0;
	}
	return e->reading && !e->dispatched ? dispatch_post(e) : -1;
}

/* The response to a refused request is sent, but its body is still coming in: wait a moment. */
static int linger(struct exchange *e)
{
	if (!e->drain)
		return -1;
	shutdown(lws_get_socket_fd(e->wsi), SHUT_WR);
	lws_set_timeout(e->wsi, PENDING_TIMEOUT_HTTP_CONTENT, DRAIN_SECONDS);
	return 0;
}

static int write_more(struct exchange *e)
{
	if (!e->web || (!e->head_written && !e->out.length))
		return 0;
	if (exchange_write(e))
		return -1;
	if (e->out.length || e->rest_size || lws_partial_buffered(e->wsi)) {
		lws_set_timeout(e->wsi, PENDING_TIMEOUT_HTTP_CONTENT, WRITE_SECONDS);
		lws_callback_on_writable(e->wsi);
		return 0;
	}
	if (!e->finished) {
		exchange_wait(e);
		return 0;
	}
	/*
	 * One request per connection. Another one may be buffered, and libwebsockets 4.1 takes the
	 * head of a buffered POST for its body, and then reads it after it was freed.
	 */
	return linger(e);
}

/* ---- Clients that have left ---- */

static bool has_left(struct lws *wsi)
{
	char byte;
	const ssize_t got = recv(lws_get_socket_fd(wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

void http_sweep(struct web *web)
{
	for (struct exchange *e = web->exchanges; e; e = e->next)
		if (has_left(e->wsi))
			web_kill(e->wsi);
}

struct poll_search {
	int fd;
	uv_poll_t *found;
};

static void look_at(uv_handle_t *handle, void *ctx)
{
	struct poll_search *search = ctx;
	uv_os_fd_t fd;
	if (uv_handle_get_type(handle) == UV_POLL && uv_fileno(handle, &fd) == 0 &&
	    fd == search->fd)
		search->found = (uv_poll_t *)handle;
}

/*
 * While libwebsockets may not read but has bytes of another request buffered, it polls for
 * writing and ignores the event, which would fire forever. So its poll handle is stopped; it starts
 * it again when it may read. This must not run inside its own callback, which sets the handle.
 */
void http_unwatch(struct web *web)
{
	for (struct exchange *e = web->exchanges; e; e = e->next) {
		struct poll_search search = { lws_get_socket_fd(e->wsi), e->poll };
		if (!e->unwatch)
			continue;
		if (!search.found)
			uv_walk(&web->loop, look_at, &search);
		if (search.found)
			uv_poll_stop(search.found);
		e->poll = search.found;
		e->unwatch = false;
	}
}

/* ---- Callbacks of libwebsockets ---- */

/* Allows an upgrade to our WebSocket only. No exchange exists yet, so a refusal is written here. */
static int confirm_upgrade(struct lws *wsi)
{
	struct web *web = web_of(wsi);
	struct refusal refusal = { 403, "Upgrade: only websocket" };
	struct header_text to;
	/* libwebsockets has already dropped the headers of an upgrade that it does not know. */
	if (!*header_text(wsi, WSI_TOKEN_UPGRADE, &to))
		return -1;
	if (strcasecmp(to.text, "websocket") == 0)
		refusal = socket_check(web, wsi);
	if (!refusal.status && !limits_take(web->limits, web_peer(wsi), web_now_ms()))
		refusal = too_fast;
	if (!refusal.status)
		return 0;
	char body[256], response[LWS_PRE + 2048];
	const size_t size = api_error_text(refusal.status, refusal.why, body, sizeof body);
	const int length = snprintf(response + LWS_PRE, sizeof response - LWS_PRE,
				    "HTTP/1.1 %d Refused\r\nContent-Type: application/json\r\n"
				    "Content-Length: %zu\r\nConnection: close\r\n%s\r\n%s",
				    refusal.status, size, security_headers, body);
	if (length > 0 && (size_t)length < sizeof response - LWS_PRE)
		lws_write(wsi, (unsigned char *)response + LWS_PRE, (size_t)length,
			  LWS_WRITE_HTTP_HEADERS);
	return -1;
}

static void forget_peer(struct lws *wsi)
{
	struct limits_peer *peer = web_peer(wsi);
	lws_set_opaque_user_data(wsi, NULL);
	if (peer)
		limits_disconnect(web_of(wsi)->limits, peer);
}

int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		  size_t length)
{
	struct exchange *e = user;
	switch (reason) {
	case LWS_CALLBACK_HTTP:
		return take_headers(e, wsi);
	case LWS_CALLBACK_HTTP_BODY:
		return take_body(e, in, length);
	case LWS_CALLBACK_HTTP_BODY_COMPLETION:
		return finish_body(e);
	case LWS_CALLBACK_HTTP_WRITEABLE:
		return write_more(e);
	case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
	case LWS_CALLBACK_CLOSED_HTTP:
		release(e);
		return 0;
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
		return confirm_upgrade(wsi);
	case LWS_CALLBACK_WSI_DESTROY:
		forget_peer(wsi);
		return 0;
	/* A WebSocket without our subprotocol, or CONNECT: not served. */
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
	case LWS_CALLBACK_ESTABLISHED:
	case LWS_CALLBACK_RECEIVE:
	case LWS_CALLBACK_RAW_ADOPT:
	case LWS_CALLBACK_RAW_RX:
		return -1;
	default:
		return 0;
	}
}
