/*
 * websocket.c - the WebSocket: many requests and streams over one connection, each with an id.
 * SPDX-License-Identifier: MIT
 *
 * A request is {"id","method","path","body"}, a response {"id","status","body","end"}; types.ts of
 * the page has them as SocketRequest and SocketAnswer. A message without a usable id gets a
 * response with id 0. A client that sends too many invalid messages, or reads too slowly, is
 * disconnected.
 */
#include <stdlib.h>
#include <string.h>

#include "server/http/transport.h"

enum {
	MESSAGE_BYTES = BODY_BYTES, /* the same requests as over HTTP, the same limit */
	OPEN_CALLS = 32,
	FAULTS = 32, /* a surplus of invalid messages over valid ones that ends the connection */
	WRITES = 16, /* messages per turn of the loop */
};
#define LARGEST_ID ((INT64_C(1) << 53) - 1)

struct message {
	struct message *next;
	size_t size;
	unsigned char data[]; /* LWS_PRE bytes for the library, then the text */
};

struct open_call {
	int64_t id;
	uint64_t number; /* 0: this slot is free */
};

struct socket {
	struct web *web; /* NULL: not open */
	struct lws *wsi;
	struct visitor visitor;
	struct string in; /* an incoming message, as far as it has come */
	struct message *first, **last;
	int queued; /* messages that are not sent yet */
	size_t queued_bytes;
	int faults;
	bool broken; /* it will be closed; nothing more is queued */
	struct open_call calls[OPEN_CALLS];
};

size_t socket_size(void)
{
	return sizeof(struct socket);
}

/* ---- Sending ---- */

static struct message *message_new(struct socket *s, const char *text, size_t size)
{
	struct message *message = malloc(sizeof *message + LWS_PRE + size);
	if (!message)
		return NULL;
	message->next = NULL;
	message->size = size;
	memcpy(message->data + LWS_PRE, text, size);
	*s->last = message;
	s->last = &message->next;
	s->queued++;
	s->queued_bytes += size;
	return message;
}

/* Queues a message; a reader too slow for its queue is disconnected. */
static void push(struct socket *s, const struct string *text)
{
	if (s->broken)
		return;
	s->broken = text->failed || s->queued >= OUT_MESSAGES || s->queued_bytes > OUT_BYTES ||
		    !message_new(s, text->data, text->length);
	if (s->broken)
		web_kill(s->wsi);
	else
		lws_callback_on_writable(s->wsi);
}

static void pop(struct socket *s)
{
	struct message *message = s->first;
	s->first = message->next;
	if (!s->first)
		s->last = &s->first;
	s->queued--;
	s->queued_bytes -= message->size;
	free(message);
}

static void send_json(struct socket *s, int64_t id, int status, const char *body, size_t size,
		      bool end)
{
	struct string text = { .allocator = &mem_malloc };
	if (s->broken)
		return;
	string_addf(&text, "{\"id\":%lld,\"status\":%d,\"body\":", (long long)id, status);
	string_add(&text, size ? body : "null", size ? size : 4);
	string_addf(&text, ",\"end\":%s}", end ? "true" : "false");
	push(s, &text);
	string_release(&text);
}

static void refuse(struct socket *s, int64_t id, int status, const char *why)
{
	char body[512];
	const size_t size = api_error_text(status, why, body, sizeof body);
	if (status >= 500 && s->web->api)
		api_failed(s->web->api, status, why);
	send_json(s, id, status, body, size < sizeof body ? size : sizeof body - 1, true);
}

/* A response that is not JSON, such as a game record, is sent as a JSON string. */
static void send_text(struct socket *s, int64_t id, const struct api_response *response)
{
	char *text = json_to_text(json_stringn(response->text, response->size), JSON_ENCODE_ANY);
	if (text)
		send_json(s, id, response->status, text, strlen(text), response->end);
	else
		refuse(s, id, 500, "response: not UTF-8 text");
	free(text);
}

static struct open_call *find_call(struct socket *s, int64_t id)
{
	for (int i = 0; i < OPEN_CALLS; i++)
		if (s->calls[i].number && s->calls[i].id == id)
			return &s->calls[i];
	return NULL;
}

void socket_respond(struct socket *s, int64_t id, const struct api_response *response)
{
	const bool end = response->end || !response->stream;
	struct open_call *open = end ? find_call(s, id) : NULL;
	if (open)
		open->number = 0;
	if (!response->type || strstr(response->type, "json"))
		send_json(s, id, response->status, response->text, response->size, end);
	else
		send_text(s, id, response);
}

/* ---- Receiving ---- */

static void forget_call(struct socket *s, struct open_call *open)
{
	const uint64_t number = open->number;
	open->number = 0;
	call_owners_remove(&s->web->calls, number);
	if (s->web->api)
		api_cancel(s->web->api, number);
	web_turn_soon(s->web);
}

static void cancel(struct socket *s, int64_t id)
{
	struct open_call *open = find_call(s, id);
	if (!open) {
		refuse(s, id, 404, "id: no such request to cancel");
		return;
	}
	forget_call(s, open);
	send_json(s, id, 200, NULL, 0, true);
}

static struct open_call *free_slot(struct socket *s)
{
	for (int i = 0; i < OPEN_CALLS; i++)
		if (!s->calls[i].number)
			return &s->calls[i];
	return NULL;
}

static void hand_to_api(struct socket *s, int64_t id, struct api_request *request)
{
	struct open_call *open = free_slot(s);
	struct call_owner *owner = open ? call_owners_add(&s->web->calls) : NULL;
	if (!owner) {
		refuse(s, id, open ? 503 : 429,
		       open ? "server: out of memory"
			    : "id: too many requests and streams are open");
		return;
	}
	owner->socket = s;
	owner->id = id;
	*open = (struct open_call){ id, owner->number };
	request->call = owner->number;
	request->visitor = &s->visitor;
	api_handle(s->web->api, request);
	web_turn_soon(s->web);
}

/* Splits "/api/v1/boards?game=race" into path and query. Returns NULL, or what is wrong. */
static const char *split_path(const char *text, char path[API_PATH], const char **query)
{
	const size_t length = strcspn(text, "?");
	*query = text[length] ? text + length + 1 : "";
	if (!path_decode(text, length, path, API_PATH) || strncmp(path, "/api/", 5) != 0)
		return "path: malformed";
	return strpbrk(*query, "# \t\r\n") ? "query: malformed" : NULL;
}

/* True: the message was valid, whatever the response to it. */
static bool take_request(struct socket *s, int64_t id, const char *method, const char *at,
			 json_t *body)
{
	char path[API_PATH];
	struct api_request request = { .path = path, .query = "" };
	const char *wrong = at ? split_path(at, path, &request.query) : "path: missing";
	request.method = strcmp(method, "POST") == 0 ? API_POST : API_GET;
	request.body = request.method == API_POST ? body : NULL;
	if (wrong)
		refuse(s, id, 400, wrong);
	else if (request.method == API_POST && !json_is_object(body))
		refuse(s, id, 400, wrong = "body: not a JSON object");
	else if (find_call(s, id))
		refuse(s, 0, 400, wrong = "id: already in use");
	else
		hand_to_api(s, id, &request);
	return !wrong;
}

static bool take_object(struct socket *s, json_t *message)
{
	json_t *number = json_object_get(message, "id");
	const char *method = json_string_value(json_object_get(message, "method"));
	const int64_t id = json_is_integer(number) ? (int64_t)json_integer_value(number) : 0;
	if (id < 1 || id > LARGEST_ID) {
		refuse(s, 0, 400, "id: must be a positive integer");
		return false;
	}
	if (!limits_take(s->web->limits, web_peer(s->wsi), web_now_ms())) {
		refuse(s, id, 429, "requests: too many per second from this address");
		return false;
	}
	if (method && strcmp(method, "CANCEL") == 0) {
		cancel(s, id);
		return true;
	}
	if (!method || (strcmp(method, "GET") != 0 && strcmp(method, "POST") != 0)) {
		refuse(s, id, 405, "method: only GET, POST and CANCEL");
		return false;
	}
	return take_request(s, id, method, json_string_value(json_object_get(message, "path")),
			    json_object_get(message, "body"));
}

static int disconnect(struct socket *s, enum lws_close_status status, const char *why)
{
	lws_close_reason(s->wsi, status, (unsigned char *)(uintptr_t)why, strlen(why));
	return -1;
}

static int take_message(struct socket *s)
{
	json_t *message = s->in.failed ? NULL : request_json(s->in.data, s->in.length);
	const bool good = message && take_object(s, message);
	if (!message)
		refuse(s, 0, 400, "message: not a JSON object");
	json_decref(message);
	s->in.length = 0;
	s->faults += good ? (s->faults > 0 ? -1 : 0) : 1;
	if (s->faults > FAULTS)
		return disconnect(s, LWS_CLOSE_STATUS_POLICY_VIOLATION,
				  "too many invalid messages");
	return 0;
}

/* A message comes in pieces, from one frame or from several. */
static int take_piece(struct socket *s, const char *data, size_t length)
{
	if (lws_frame_is_binary(s->wsi))
		return disconnect(s, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
	if (s->in.length + length > MESSAGE_BYTES)
		return disconnect(s, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "message too large");
	if (length)
		string_add(&s->in, data, length);
	if (lws_remaining_packet_payload(s->wsi) || !lws_is_final_fragment(s->wsi))
		return 0;
	return s->web->ending || s->broken ? 0 : take_message(s);
}

/* ---- Opening and closing ---- */

struct refusal socket_check(const struct web *web, struct lws *wsi)
{
	struct header_text protocols;
	char path[API_PATH];
	struct refusal refusal = request_path(wsi, path);
	if (!refusal.status && !lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI))
		refusal = (struct refusal){ 405, "method: a WebSocket is opened with GET" };
	if (!refusal.status && strcmp(path, "/api/v1/ws") != 0)
		refusal = (struct refusal){ 404, "path: no WebSocket here" };
	if (!refusal.status)
		refusal = request_check_host(web, wsi);
	if (!refusal.status)
		refusal = request_check_origin(web, wsi);
	header_text(wsi, WSI_TOKEN_PROTOCOL, &protocols);
	if (!refusal.status && !header_has_token(protocols.text, "quevedo"))
		refusal = (struct refusal){ 400, "Sec-WebSocket-Protocol: must be quevedo" };
	if (!refusal.status && web->ending)
		refusal = (struct refusal){ 503, "server: shutting down" };
	return refusal;
}

static int open_socket(struct socket *s, struct lws *wsi)
{
	struct web *web = web_of(wsi);
	*s = (struct socket){ .wsi = wsi, .in = { .allocator = &mem_malloc } };
	s->last = &s->first;
	if (request_visitor(web, wsi, &s->visitor).status)
		return -1;
	s->web = web;
	return 0;
}

static void close_socket(struct socket *s)
{
	if (!s || !s->web)
		return;
	s->broken = true;
	for (int i = 0; i < OPEN_CALLS; i++)
		if (s->calls[i].number)
			forget_call(s, &s->calls[i]);
	while (s->first)
		pop(s);
	string_release(&s->in);
	s->web = NULL;
}

/* libwebsockets writes the response to the upgrade; a new visitor gets its cookie there. */
static int add_cookie(const struct socket *s, struct lws_process_html_args *args)
{
	struct string line = { .allocator = &mem_malloc };
	if (!s->web || !s->visitor.fresh)
		return 0;
	web_cookie_line(s->web, s->visitor.cookie, &line);
	const bool fits =
		!line.failed && args->max_len > 0 && line.length + 8 < (size_t)args->max_len;
	if (fits) {
		memcpy(args->p, line.data, line.length);
		args->p += line.length;
	}
	string_release(&line);
	return fits ? 0 : -1;
}

static int write_some(struct socket *s)
{
	for (int i = 0; s->first && i < WRITES; i++) {
		struct message *message = s->first;
		const size_t size = message->size;
		if (lws_write(s->wsi, message->data + LWS_PRE, size, LWS_WRITE_TEXT) < (int)size)
			return -1;
		pop(s);
		if (lws_send_pipe_choked(s->wsi))
			break;
	}
	if (s->first)
		lws_callback_on_writable(s->wsi);
	else if (s->web->ending)
		return disconnect(s, LWS_CLOSE_STATUS_GOINGAWAY, "the server is shutting down");
	return 0;
}

int socket_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		    size_t length)
{
	struct socket *s = user;
	switch (reason) {
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
		return socket_check(web_of(wsi), wsi).status ? -1 : open_socket(s, wsi);
	case LWS_CALLBACK_ADD_HEADERS:
		return add_cookie(s, in);
	case LWS_CALLBACK_RECEIVE:
		return s->web ? take_piece(s, in, length) : -1;
	case LWS_CALLBACK_SERVER_WRITEABLE:
		return s->web ? write_some(s) : -1;
	case LWS_CALLBACK_CLOSED:
	case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
		close_socket(s);
		return 0;
	case LWS_CALLBACK_HTTP:
	case LWS_CALLBACK_RAW_RX:
		return -1;
	default:
		return 0;
	}
}
