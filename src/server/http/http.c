/*
 * http.c - HTTP: from the headers of a request to the call of the API.
 * SPDX-License-Identifier: MIT
 *
 * libwebsockets is lenient. It decodes paths itself, cuts them at '&' and ';', accepts any version
 * and a missing Host, assumes a length of 100 MiB if none is given, and does not understand chunked
 * bodies. So everything is checked again here, and anything unusual is refused.
 *
 * While the API works on a request nothing is read from its connection: libwebsockets would call
 * back again and again for bytes that nobody takes. So a client that disconnects is noticed by
 * peeking at the socket, once a second (http_sweep). One request per connection: responses say
 * "Connection: close".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/json.h"
#include "server/http/transport.h"
#include "server/http/wire_bytes.h"

enum { MOST_DROPPED = 4 << 20, DRAIN_SECONDS = 5 };

static const struct refusal too_fast = { 429, "requests: too many per second from this address" };

static const struct refusal fine = { 0, NULL };

/* ---- Checks of a request ---- */

/* libwebsockets joins several headers of one name with commas. */
const char *header_text(struct lws *wsi, enum lws_token_indexes header, struct header_text *out)
{
	if (lws_hdr_copy(wsi, out->text, HEADER_BYTES, header) < 0)
		out->text[0] = '\0';
	return out->text;
}

static bool has_header(struct lws *wsi, enum lws_token_indexes header)
{
	return lws_hdr_total_length(wsi, header) > 0;
}

bool request_is_secure(struct lws *wsi)
{
	return web_client_of(wsi)->scheme == SCHEME_HTTPS;
}

/* Browsers accept a cookie with the prefix __Host- over TLS only, and from this host only. */
const char *request_cookie_name(struct lws *wsi)
{
	return request_is_secure(wsi) ? "__Host-" API_VISITOR_COOKIE : API_VISITOR_COOKIE;
}

/* A device keeps its own when its user logs out. */
static const char *device_cookie_name(struct lws *wsi)
{
	return request_is_secure(wsi) ? "__Host-" API_DEVICE_COOKIE : API_DEVICE_COOKIE;
}

/* Scripts cannot read it, and other sites cannot use it. */
static void add_cookie(struct lws *wsi, const char *name, const char *value, size_t length,
		       struct string *out)
{
	string_addf(out,
		    "Set-Cookie: %s=%.*s; Path=/; Max-Age=%d; HttpOnly; SameSite=Lax%s\r\n", name,
		    (int)length, value, API_COOKIE_DAYS * 86400,
		    request_is_secure(wsi) ? "; Secure" : "");
}

/* After a blank, the value of the device's cookie. */
void request_cookie_line(struct lws *wsi, const char *value, struct string *out)
{
	const size_t length = strcspn(value, " ");
	if (strpbrk(value, ";\r\n"))
		return;
	add_cookie(wsi, request_cookie_name(wsi), value, length, out);
	if (value[length])
		add_cookie(wsi, device_cookie_name(wsi), value + length + 1,
			   strlen(value + length + 1), out);
}

/* Protects against DNS rebinding: a foreign name that resolves to this machine. */
struct refusal request_check_host(const struct web *web, struct lws *wsi)
{
	struct header_text host;
	if (!host_is_allowed(&web->hosts, header_text(wsi, WSI_TOKEN_HOST, &host)))
		return (struct refusal){ 403,
					 "Host: unknown host name; allow it with --allow-host" };
	return fine;
}

/* Browsers send the Origin; a request without Origin and cookie cannot use anybody's rights. */
struct refusal request_check_origin(const struct web *web, struct lws *wsi)
{
	struct header_text origin, host, bearer;
	if (has_header(wsi, WSI_TOKEN_ORIGIN)) {
		if (!origin_is_ours(header_text(wsi, WSI_TOKEN_ORIGIN, &origin),
				    web_client_of(wsi)->scheme,
				    header_text(wsi, WSI_TOKEN_HOST, &host), web->setup->allowed,
				    web->setup->allowed_count))
			return (struct refusal){ 403, "Origin: the page is from another server" };
	} else if (has_header(wsi, WSI_TOKEN_HTTP_COOKIE) &&
		   !bearer_find(header_text(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, &bearer))) {
		return (struct refusal){ 403, "Origin: missing; a request with a cookie needs it" };
	}
	return fine;
}

/* Length and type of the body; *size becomes its length, 0 without one. */
static struct refusal check_body(struct lws *wsi, const char *path, bool post, size_t *size)
{
	static const char studies[] = "/api/v1/studies";
	const bool has_record = strcmp(path, "/api/v1/plays") == 0 ||
				strcmp(path, "/api/v1/records") == 0 ||
				strncmp(path, studies, sizeof studies - 1) == 0;
	const size_t most = has_record ? RECORD_BYTES : BODY_BYTES;
	struct header_text text;
	*size = 0;
	if (has_header(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING))
		return (struct refusal){ 411, "Transfer-Encoding: send a Content-Length instead" };
	if (!has_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH))
		return post ? (struct refusal){ 411, "Content-Length: missing" } : fine;
	if (!content_length_parse(header_text(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, &text), size))
		return (struct refusal){ 400, "Content-Length: not a number" };
	if (*size && !post)
		return (struct refusal){ 400, "body: only POST requests may have one" };
	if (*size > most)
		return (struct refusal){ 413, "body: too large" };
	if (post && !type_is_json(header_text(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, &text)))
		return (struct refusal){ 415, "Content-Type: must be application/json" };
	return fine;
}

/* libwebsockets has decoded the path; it is checked as such. */
struct refusal request_path(struct lws *wsi, char path[API_PATH])
{
	char *at = NULL;
	int length = 0;
	struct header_text version;
	const int method = lws_http_get_uri_and_method(wsi, &at, &length);
	/*
	 * A path with a line end in it (%0a) ends the request line for libwebsockets: then the
	 * version is missing, or is part of a header.
	 */
	header_text(wsi, WSI_TOKEN_HTTP, &version);
	if (method < 0 || !at || length < 1 ||
	    (strcmp(version.text, "HTTP/1.1") != 0 && strcmp(version.text, "HTTP/1.0") != 0))
		return (struct refusal){ 400, "request: the first line is malformed" };
	if (length >= API_PATH)
		return (struct refusal){ 400, "path: too long" };
	memcpy(path, at, (size_t)length);
	path[length] = '\0';
	return path_is_clean(path, (size_t)length) ? fine
						   : (struct refusal){ 400, "path: malformed" };
}

/* Copies the query, encoded again the way query_encode does it; NULL without one. */
static struct refusal copy_query(struct lws *wsi, char **out)
{
	char query[QUERY_BYTES] = "", pair[HEADER_BYTES];
	size_t used = 0;
	for (int i = 0;
	     lws_hdr_copy_fragment(wsi, pair, sizeof pair, WSI_TOKEN_HTTP_URI_ARGS, i) >= 0; i++) {
		if (!pair[0])
			continue;
		if (used && used + 1 < QUERY_BYTES)
			query[used++] = '&';
		const size_t length = query_encode(pair, query + used, QUERY_BYTES - used);
		if (!length)
			return (struct refusal){ 400, "query: too long" };
		used += length;
	}
	if (used && !(*out = strdup(query)))
		return (struct refusal){ 503, "server: out of memory" };
	return fine;
}

/*
 * Somebody with a host beside this one may set cookies for both, or the path of a proxy may add a
 * header: then nobody can tell which visitor it is.
 */
struct refusal request_check_cookies(struct lws *wsi)
{
	struct header_text cookies;
	char cookie[API_COOKIE];
	if (lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_COOKIE, 1) > 0)
		return (struct refusal){ 400, "Cookie: more than one header" };
	if (cookie_find(header_text(wsi, WSI_TOKEN_HTTP_COOKIE, &cookies), request_cookie_name(wsi),
			cookie, sizeof cookie) > 1)
		return (struct refusal){
			400, "Cookie: two of the same name; delete the cookies of this site"
		};
	return fine;
}

/* A bearer token counts more than a cookie. */
struct refusal request_visitor(const struct web *web, struct lws *wsi, struct visitor *out)
{
	struct header_text cookies, authorization;
	char cookie[API_COOKIE];
	const char *bearer =
		bearer_find(header_text(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, &authorization));
	const struct refusal refusal = request_check_cookies(wsi);
	if (refusal.status)
		return refusal;
	cookie_find(header_text(wsi, WSI_TOKEN_HTTP_COOKIE, &cookies), request_cookie_name(wsi),
		    cookie, sizeof cookie);
	if (!api_identify(web->api, *cookie ? cookie : NULL, bearer, web_client_of(wsi)->address,
			  out))
		return (struct refusal){ 401, "Authorization: unknown token" };
	if (cookie_find(cookies.text, device_cookie_name(wsi), cookie, sizeof cookie) == 1)
		api_know_device(web->api, cookie, out);
	return fine;
}

/* Depth is limited, so that a small body cannot use much stack; and values, for the memory. */
struct refusal request_json(const char *text, size_t length, json_t **out, size_t *bytes)
{
	const size_t values = json_count_values(text, length);
	*out = NULL;
	*bytes = length + values * JSON_VALUE;
	if (values > JSON_VALUES)
		return (struct refusal){ 413, "body: too many values" };
	json_load_object(text, length, JSON_DEPTH, out, NULL);
	return *out ? fine : (struct refusal){ 400, "body: not a JSON object" };
}

/* ---- Beginning and end of an exchange ---- */

/* A file, the page, or a request that was refused before the API saw it. */
static void count_exchange(const struct exchange *e)
{
	const struct web_client *client = web_client_of(e->wsi);
	const struct ended_request ended = { .id = e->request_id,
					     .number = e->number,
					     .route = e->route,
					     .post = e->post,
					     .status = e->status ? e->status : 499,
					     .began_us = e->began_us,
					     .bytes = e->sent,
					     .address = client ? client->address : "",
					     .why = e->why };
	request_ended(e->web, &ended);
}

void exchange_drop(struct exchange *e)
{
	string_release(&e->body);
	string_release(&e->out);
}

/* The end of a request, or of the connection, whichever comes first. */
static void release(struct exchange *e)
{
	if (!e || !e->web)
		return;
	if (!e->by_api) /* else it is counted with the response of the API */
		count_exchange(e);
	if (e->link) { /* leaves the list of those that wait */
		*e->link = e->next;
		if (e->next)
			e->next->link = e->link;
	}
	if (e->call)
		call_owner_cancel(e->web, e->call);
	if (web_client_of(e->wsi))
		web_client_of(e->wsi)->exchange = NULL;
	free(e->query);
	free(e->origin);
	exchange_drop(e);
	gunzip_close(e->unpack);
	packing_forget(e->packing);
	e->web->exchange_count--;
	*e = (struct exchange){ 0 };
}

void exchange_holds(struct exchange *e)
{
	web_client_holds(e->wsi, e->body.capacity + e->asked + e->out.capacity + e->passed);
}

/* Stops reading and timeouts until the API responds. */
static void exchange_wait(struct exchange *e)
{
	exchange_holds(e);
	if (web_client_is_ended(e->wsi))
		return;
	lws_set_timeout(e->wsi, NO_PENDING_TIMEOUT, 0);
	lws_rx_flow_control(e->wsi, 0);
	e->unwatch = true;
	web_turn_soon(e->web);
	if (e->link)
		return;
	e->link = &e->web->exchanges;
	e->next = e->web->exchanges;
	if (e->next)
		e->next->link = &e->next;
	e->web->exchanges = e;
}

void exchange_resume(struct exchange *e)
{
	exchange_holds(e);
	e->unwatch = false;
	if (web_client_is_ended(e->wsi))
		return;
	lws_rx_flow_control(e->wsi, 1);
	lws_set_timeout(e->wsi, PENDING_TIMEOUT_HTTP_CONTENT, WRITE_SECONDS);
	lws_callback_on_writable(e->wsi);
}

/* ---- Headers ---- */

/* Passes the request to the API, which may respond at once. */
static void hand_to_api(struct exchange *e, json_t *body)
{
	struct call_owner *owner = call_owner_add(e->web, e->post ? API_POST : API_GET, e->path);
	if (!owner) {
		exchange_refuse(e, (struct refusal){ 503, "server: out of memory" });
		return;
	}
	/* From here on the response finds its way by the number. */
	owner->exchange = e;
	e->by_api = !e->page;
	owner->counted = e->page; /* it counts as a request for the page */
	e->call = owner->number;
	const struct api_request request = { .method = e->post ? API_POST : API_GET,
					     .path = e->path,
					     .query = e->query ? e->query : "",
					     .body = body,
					     .visitor = &e->visitor,
					     .call = owner->number };
	if (e->page)
		api_preview(e->web->api, &request);
	else
		api_handle(e->web->api, &request);
	web_turn_soon(e->web);
	/* The API has not responded yet, or its response is being compressed. */
	if ((e->call || e->packing) && !e->out.length)
		exchange_wait(e);
}

void exchange_ask_preview(struct exchange *e)
{
	e->page = true;
	hand_to_api(e, NULL);
}

/* Everything else is a file of the page. */
static bool is_api(const char *path)
{
	return strncmp(path, "/api/", 5) == 0 || strcmp(path, "/api") == 0;
}

/* Load balancers ask while the server drains, too. */
static bool is_health(const char *path)
{
	static const char health[] = "/api/v1/health";
	return strncmp(path, health, sizeof health - 1) == 0;
}

/* All checks of a request, the cheap ones first. */
static struct refusal check_request(struct exchange *e)
{
	const struct refusal crowded = web_client_visit(e->wsi);
	struct refusal refusal = request_path(e->wsi, e->path);
	/* A visit fetches many files at once, and they cost little. */
	const bool file = !refusal.status && !is_api(e->path);
	const bool slow_down =
		!(file ? limits_file : limits_request)(
			e->web->limits, web_client_of(e->wsi)->address, web_now_ms());
	char *at;
	int length;
	const int method = lws_http_get_uri_and_method(e->wsi, &at, &length);
	e->head = !refusal.status && method == LWSHUMETH_HEAD;
	e->post = !refusal.status && method == LWSHUMETH_POST;
	if (!refusal.status && is_api(e->path))
		e->route = api_route(e->post ? API_POST : API_GET, e->path);
	else if (!refusal.status)
		e->route = is_file_path(e->path) ? ROUTE_ASSET : ROUTE_PAGE;
	if (crowded.status || slow_down)
		return crowded.status ? crowded : too_fast;
	/* Before its body is read: who owes for earlier requests gets the same from the API, later. */
	if (e->route != ROUTE_ASSET && e->web->api &&
	    api_requests_left(e->web->api, web_client_of(e->wsi)->address) < (file ? 0 : 1))
		return too_fast;
	if (!refusal.status && e->post && !is_api(e->path))
		refusal = (struct refusal){ 405, "method: only GET and HEAD here" };
	if (!refusal.status && !e->post && !e->head && method != LWSHUMETH_GET)
		refusal = (struct refusal){ 405, "method: only GET, HEAD and POST" };
	if (!refusal.status)
		refusal = request_check_host(e->web, e->wsi);
	if (!refusal.status)
		refusal = check_body(e->wsi, e->path, e->post, &e->body_size);
	if (!refusal.status && e->post)
		refusal = request_check_origin(e->web, e->wsi);
	if (!refusal.status)
		refusal = copy_query(e->wsi, &e->query);
	if (!refusal.status && e->web->draining && !(e->web->api && is_health(e->path)))
		refusal = (struct refusal){ 503, "server: the server is shutting down" };
	/* Files need no visitor. The page does: its cookie identifies the sockets it opens. */
	if (refusal.status || strncmp(e->path, "/assets/", 8) == 0)
		return refusal;
	/* Whoever sets a second cookie must not keep the page from its visitor: it tells what to do. */
	if (!is_api(e->path) && request_check_cookies(e->wsi).status) {
		snprintf(e->visitor.address, sizeof e->visitor.address, "%s",
			 web_client_of(e->wsi)->address);
		return fine;
	}
	return request_visitor(e->web, e->wsi, &e->visitor);
}

/* Not for localhost: other programs of a developer use that name, without TLS. */
static bool hsts_applies(const struct exchange *e)
{
	struct header_text host;
	char name[HOST_NAME];
	return e->web->setup->hsts_s > 0 && request_is_secure(e->wsi) &&
	       host_name(header_text(e->wsi, WSI_TOKEN_HOST, &host), name) &&
	       !host_is_address(name) && strcmp(name, "localhost") != 0;
}

/* Will libwebsockets deliver a body? It reads lengths with atoll, and guesses a missing one. */
static bool body_may_follow(struct lws *wsi)
{
	struct header_text text;
	if (has_header(wsi, WSI_TOKEN_POST_URI))
		return true; /* even an empty one */
	if (has_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH))
		return atoll(header_text(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, &text)) != 0;
	return has_header(wsi, WSI_TOKEN_PUT_URI) || has_header(wsi, WSI_TOKEN_PATCH_URI);
}

/* Called once the headers are complete. A POST waits for its body. */
static int take_headers(struct exchange *e, struct lws *wsi)
{
	static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
	unsigned char buffer[LWS_PRE + sizeof go_on];
	struct header_text text;
	release(e);
	e->web = web_of(wsi);
	e->web->exchange_count++;
	e->wsi = wsi;
	web_client_of(wsi)->exchange = e;
	e->body.allocator = e->out.allocator = &mem_malloc;
	e->began_ms = web_now_ms();
	e->began_us = clock_us();
	e->number = ++e->web->last_call;
	e->route = ROUTE_OTHER;
	/* Only a trusted proxy may choose what is in the log. */
	if (web_client_of(wsi)->proxied)
		given_request_id(wsi, e->request_id);
	e->gzip = encoding_accepted(header_text(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, &text), "gzip");
	if (strlen(header_text(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, &text)) < sizeof e->known_tag)
		strcpy(e->known_tag, text.text);
	e->http10 = strcmp(header_text(wsi, WSI_TOKEN_HTTP, &text), "HTTP/1.1") != 0;
	/* Refused requests are answered before their body has come. */
	const struct refusal refusal = check_request(e);
	exchange_holds(e);
	struct api_busy busy;
	int status = 0;
	api_busy_begin(e->web->api, &busy, web_client_of(wsi)->address);
	e->hsts = hsts_applies(e);
	e->dispatched = refusal.status || !e->post;
	if (refusal.status) {
		e->drain = body_may_follow(wsi);
		exchange_refuse(e, refusal);
	} else if (e->post) {
		e->reading = true;
		/* Some clients wait for this before they send a body. */
		if (e->body_size && header_has_token(header_text(wsi, WSI_TOKEN_HTTP_EXPECT, &text),
						     "100-continue")) {
			memcpy(buffer + LWS_PRE, go_on, sizeof go_on - 1);
			if (lws_write(wsi, buffer + LWS_PRE, sizeof go_on - 1, LWS_WRITE_HTTP) < 0)
				status = -1;
		}
	} else if (is_api(e->path)) {
		if (strcmp(e->path, "/api/v1/health/ready") == 0)
			e->web->ready_ms = e->began_ms;
		hand_to_api(e, NULL);
	} else {
		exchange_asset(e);
	}
	api_busy_end(e->web->api, &busy);
	return status;
}

/* ---- Bodies ---- */

/* A piece of the body. -1 closes the connection. */
static int take_body(struct exchange *e, const char *data, size_t length)
{
	if (e->drain)
		return (e->dropped += length) > MOST_DROPPED ? -1 : 0;
	if (!e->reading || e->dispatched || e->body.length + length > e->body_size ||
	    web_now_ms() - e->began_ms > BODY_SECONDS * 1000 || web_client_is_ended(e->wsi))
		return -1;
	if (length)
		string_add(&e->body, data, length);
	exchange_holds(e);
	return web_client_is_ended(e->wsi) ? -1 : 0;
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
	if (!e->reading || e->dispatched)
		return -1;
	json_t *body = NULL;
	struct api_busy busy;
	api_busy_begin(e->web->api, &busy, web_client_of(e->wsi)->address);
	const struct refusal refusal =
		e->body.failed ? (struct refusal){ 503, "server: out of memory" }
			       : request_json(e->body.data, e->body.length, &body, &e->asked);
	e->dispatched = true;
	string_release(&e->body);
	exchange_holds(e);
	if (web_client_is_ended(e->wsi)) {
		json_decref(body);
		api_busy_end(e->web->api, &busy);
		return -1;
	}
	if (refusal.status)
		exchange_refuse(e, refusal);
	else
		hand_to_api(e, body);
	json_decref(body);
	api_busy_end(e->web->api, &busy);
	return 0;
}

/* Called when the socket can take more output. */
static int write_more(struct exchange *e)
{
	if (!e->web || (!e->head_written && !e->out.length))
		return 0;
	if (web_client_is_ended(e->wsi) || exchange_write(e))
		return -1;
	exchange_holds(e);
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
	 * head of a buffered POST for its body, and then reads it after it was freed. If the body
	 * of a refused request is still coming in, the connection closes a moment later.
	 */
	if (!e->drain)
		return -1;
	shutdown(lws_get_socket_fd(e->wsi), SHUT_WR);
	lws_set_timeout(e->wsi, PENDING_TIMEOUT_HTTP_CONTENT, DRAIN_SECONDS);
	return 0;
}

/* ---- Clients that have left ---- */

/* Peeks at the sockets: 0 bytes mean that the other side has closed. */
void http_sweep(struct web *web)
{
	for (struct exchange *e = web->exchanges; e; e = e->next) {
		char byte;
		const int fd = lws_get_socket_fd(e->wsi);
		const ssize_t got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
		if (e->passed) {
			e->passed = (size_t)wire_bytes(fd).waiting;
			exchange_holds(e);
		}
		if (got == 0 ||
		    (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
			web_kill(e->wsi);
	}
}

/* Must not run inside libwebsockets' own callback, which sets the handle. */
void http_unwatch(struct web *web)
{
	for (struct exchange *e = web->exchanges; e; e = e->next) {
		/* Its response has begun meanwhile, or the handle is stopped already. */
		if (!e->unwatch)
			continue;
		loop_unwatch(e);
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
	/* h2c and other protocols are refused. */
	if (strcasecmp(to.text, "websocket") == 0)
		refusal = web_client_visit(wsi);
	if (!refusal.status)
		refusal = socket_check(web, wsi);
	if (!refusal.status &&
	    !limits_request(web->limits, web_client_of(wsi)->address, web_now_ms()))
		refusal = too_fast;
	if (!refusal.status)
		return 0;
	socket_counted(wsi, refusal.status, refusal.why);
	char body[256], response[LWS_PRE + 2048];
	const size_t size = api_error_text(refusal.status, refusal.why, body, sizeof body);
	const int length = snprintf(response + LWS_PRE, sizeof response - LWS_PRE,
				    "HTTP/1.1 %d Refused\r\nContent-Type: application/json\r\n"
				    "Content-Length: %zu\r\nConnection: close\r\n%s%s\r\n%s",
				    refusal.status, size,
				    refusal.status == 426 ? "Upgrade: websocket\r\n"
							    "Sec-WebSocket-Version: 13\r\n"
							  : "",
				    security_headers, body);
	if (length > 0 && (size_t)length < sizeof response - LWS_PRE)
		lws_write(wsi, (unsigned char *)response + LWS_PRE, (size_t)length,
			  LWS_WRITE_HTTP_HEADERS);
	return -1;
}

/* Each case is one event of a connection; -1 closes it. */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		  size_t length)
{
	struct exchange *e = user;
	struct web_client *c;
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
		c = web_client_of(wsi);
		lws_set_opaque_user_data(wsi, NULL);
		web_client_free(web_of(wsi), c);
		return 0;
	case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
		tls_join(web_of(wsi), user);
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
