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

#include "base/clock.h"
#include "server/http/transport.h"
#include "server/http/wire_bytes.h"

enum {
	MESSAGE_BYTES = BODY_BYTES, /* the same requests as over HTTP, the same limit */
	OPEN_CALLS = 32,
	DEBT_MOST = 40, /* requests that its address may owe before it is closed */
	FAULTS = 32, /* a surplus of invalid messages over valid ones that ends the connection */
	WRITES = 16, /* messages per turn of the loop */
	SERVICE_RESTART = 1012, /* a close status that libwebsockets has no name for */
	PING_MS = 30000, /* of silence */
	SILENCE_MS = 45000, /* after which the connection is closed */
	FRAMES_EMPTY = 100, /* frames without a byte, in one message */
	WIRE_EVERY = 2,	    /* seconds between two looks at what has come over the wire */
	WIRE_BYTES = 65536, /* in that time, besides messages: pings, pongs and frame heads */
	WIRE_FACTOR = 4,    /* what a byte of a message may cost on the wire */
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
	size_t bytes;	 /* of the parsed message */
};

struct socket {
	struct web *web; /* NULL: not open */
	struct lws *wsi;
	struct visitor visitor;
	struct string in; /* an incoming message, as far as it has come */
	struct message *first, **last;
	int queued; /* messages that are not sent yet */
	size_t queued_bytes;
	size_t writing;	   /* bytes of the message that libwebsockets writes */
	size_t passed;	   /* bytes that the system had for the client at the last look */
	size_t asked;	   /* bytes of the messages of open calls */
	struct stall stall;
	int faults;
	bool broken; /* it will be closed; nothing more is queued */
	bool counted; /* in web->socket_count */
	bool pinged; /* since it was last heard of */
	bool ping_due;
	int64_t heard_ms;
	bool too_fast;	      /* a request of this socket was refused as one too many */
	int empty;	      /* frames without a byte since the last message */
	uint64_t came, taken; /* bytes at the last look; bytes of messages since then */
	struct socket *before, *after; /* in web->sockets */
	struct open_call calls[OPEN_CALLS];
};

/* libwebsockets allocates it for each connection. */
size_t socket_size(void)
{
	return sizeof(struct socket);
}

const char *socket_address(const struct socket *s)
{
	return s->visitor.address;
}

void socket_counted(struct lws *wsi, int status, const char *why)
{
	struct web *web = web_of(wsi);
	const struct web_client *client = web_client_of(wsi);
	const struct ended_request ended = { .id = "",
					     .number = ++web->last_call,
					     .route = ROUTE_SOCKET,
					     .status = status,
					     .began_us = clock_us(),
					     .address = client ? client->address : "",
					     .why = why };
	request_ended(web, &ended);
}

/* A socket that is closing holds up no shutdown: its client need not answer. */
static void leave_count(struct socket *s)
{
	s->web->socket_count -= s->counted;
	s->counted = false;
}

static bool has_open_calls(const struct socket *s)
{
	for (int i = 0; i < OPEN_CALLS; i++)
		if (s->calls[i].number)
			return true;
	return false;
}

/* The reason goes into the closing frame. */
static int disconnect(struct socket *s, int status, const char *why)
{
	leave_count(s);
	lws_close_reason(s->wsi, (enum lws_close_status)status, (unsigned char *)(uintptr_t)why,
			 strlen(why));
	return -1;
}

/*
 * The same from the callback for writing, where -1 would close it without a closing frame. This only
 * begins to close it: libwebsockets writes the frame, and waits for that of the client.
 */
static void close_politely(struct socket *s, int status, const char *why)
{
	if (s->broken)
		return;
	s->broken = true;
	disconnect(s, status, why);
	lws_set_timeout(s->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

/* At once, with all that is on its way to the client. */
static void end(struct socket *s)
{
	s->broken = true;
	web_client_end(s->wsi);
}

/* ---- Who is silent, reads nothing, or floods ---- */

static void unlist(struct socket *s)
{
	struct socket_list *list = &s->web->sockets;
	*(s->before ? &s->before->after : &list->first) = s->after;
	*(s->after ? &s->after->before : &list->last) = s->before;
	list->count--;
}

/* The last of the list is the one heard of last. */
static void list_last(struct socket *s)
{
	struct socket_list *list = &s->web->sockets;
	s->heard_ms = web_now_ms();
	s->pinged = false;
	s->after = NULL;
	s->before = list->last;
	*(s->before ? &s->before->after : &list->first) = s;
	list->last = s;
	list->count++;
}

static void heard(struct socket *s)
{
	unlist(s);
	list_last(s);
}

/*
 * libwebsockets answers pings without a word to us. So what has come over the wire is compared with
 * what came as messages: a client that sends much more than these is closed.
 */
static bool floods(struct socket *s, uint64_t came)
{
	const uint64_t before = s->came;
	const uint64_t allowed = WIRE_BYTES + WIRE_FACTOR * s->taken;
	s->came = came;
	s->taken = 0;
	return before && came - before > allowed;
}

/* What is in memory for it has changed. */
static void note_held(struct socket *s)
{
	web_client_holds(s->wsi, s->in.capacity + s->queued_bytes + s->writing + s->passed + s->asked);
}

/* Whoever takes nothing is closed, whatever it sends. */
static void look_at_wire(struct socket *s, int64_t now)
{
	const struct wire wire = wire_bytes(lws_get_socket_fd(s->wsi));
	const bool waits = s->first || s->writing || wire.waiting;
	s->passed = (size_t)wire.waiting;
	note_held(s);
	if (wire.taken && stall_note(&s->stall, waits, wire.taken, now) >= LIMIT_STALL_MS)
		end(s);
	else if (floods(s, wire.came))
		close_politely(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many control frames");
}

/*
 * libwebsockets could ping by itself, with a timer for each connection. But its timers are a sorted
 * list: with ten thousand idle sockets every HTTP request would walk along it several times.
 */
void socket_sweep(struct web *web)
{
	const int64_t now = web_now_ms();
	const unsigned turn = (unsigned)(now / 1000) % WIRE_EVERY;
	struct socket *after;
	for (struct socket *s = web->sockets.first; s; s = after) {
		after = s->after;
		if ((uintptr_t)s / 64 % WIRE_EVERY == turn)
			look_at_wire(s, now);
	}
	for (struct socket *s = web->sockets.first; s && now - s->heard_ms >= PING_MS; s = s->after) {
		if (now - s->heard_ms >= SILENCE_MS) {
			web_kill(s->wsi);
		} else if (!s->pinged) {
			s->pinged = s->ping_due = true;
			lws_callback_on_writable(s->wsi);
		}
	}
}

void socket_recheck(struct web *web)
{
	for (struct socket *s = web->sockets.first; s; s = s->after)
		if (!s->broken && !api_recheck(web->api, &s->visitor)) {
			s->broken = true;
			web_kill(s->wsi);
		}
}

/* ---- Sending ---- */

/* Queues a message; a reader too slow for its queue is disconnected. */
static void push(struct socket *s, const struct string *text)
{
	const bool fits = !text->failed && s->queued < OUT_MESSAGES && s->queued_bytes <= OUT_BYTES;
	struct message *message = fits ? malloc(sizeof *message + LWS_PRE + text->length) : NULL;
	if (!message) {
		end(s);
		return;
	}
	message->next = NULL;
	message->size = text->length;
	memcpy(message->data + LWS_PRE, text->data, text->length);
	*s->last = message;
	s->last = &message->next;
	s->queued++;
	s->queued_bytes += text->length;
	note_held(s);
	lws_callback_on_writable(s->wsi);
}

/* Frees the first message of the queue, which is sent or will never be. */
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

void socket_drop(struct socket *s)
{
	while (s->first)
		pop(s);
	string_release(&s->in);
}

/* The body is JSON text, or empty for null. */
static void send_json(struct socket *s, int64_t id, int status, const char *body, size_t size,
		      bool end)
{
	struct string text = { .allocator = &mem_malloc };
	if (s->broken || web_client_is_ended(s->wsi))
		return;
	s->too_fast |= status == 429;
	string_addf(&text, "{\"id\":%lld,\"status\":%d,\"body\":", (long long)id, status);
	string_add(&text, size ? body : "null", size ? size : 4);
	string_addf(&text, ",\"end\":%s}", end ? "true" : "false");
	push(s, &text);
	string_release(&text);
}

/* As exchange_refuse. id 0: the message had no usable id. */
static void refuse(struct socket *s, int64_t id, int status, const char *why)
{
	char body[512];
	const size_t size = api_error_text(status, why, body, sizeof body);
	const struct ended_request ended = { .id = "",
					     .number = ++s->web->last_call,
					     .route = ROUTE_OTHER,
					     .socket = true,
					     .status = status,
					     .began_us = clock_us(),
					     .bytes = size,
					     .address = s->visitor.address,
					     .why = why };
	request_ended(s->web, &ended);
	send_json(s, id, status, body, size < sizeof body ? size : sizeof body - 1, true);
}

/* The slot of the open call with that id, or a free slot. NULL: none. */
static struct open_call *find_slot(struct socket *s, int64_t id, bool open)
{
	for (int i = 0; i < OPEN_CALLS; i++)
		if (open ? s->calls[i].number && s->calls[i].id == id : !s->calls[i].number)
			return &s->calls[i];
	return NULL;
}

static void free_slot(struct socket *s, struct open_call *open)
{
	s->asked -= open->bytes;
	*open = (struct open_call){ 0 };
	note_held(s);
}

/* The end of a request frees its slot, so that the client may use the id again. */
void socket_respond(struct socket *s, int64_t id, const struct api_response *response)
{
	const bool end = response->end || !response->stream;
	struct open_call *open = end ? find_slot(s, id, true) : NULL;
	if (open)
		free_slot(s, open);
	if (!response->type || strstr(response->type, "json")) {
		send_json(s, id, response->status, response->text, response->size, end);
		return;
	}
	/* What is not JSON, such as a game record, is sent as a JSON string. */
	char *text = json_to_text(json_stringn(response->text, response->size), JSON_ENCODE_ANY);
	if (text)
		send_json(s, id, response->status, text, strlen(text), response->end);
	else
		refuse(s, id, 500, "response: not UTF-8 text");
	free(text);
}

/* ---- Receiving ---- */

/* The API sends nothing more for it. */
static void forget_call(struct socket *s, struct open_call *open)
{
	const uint64_t number = open->number;
	free_slot(s, open);
	call_owner_cancel(s->web, number);
}

/* Passes the request to the API, which may respond at once. */
static void hand_to_api(struct socket *s, int64_t id, struct api_request *request, size_t bytes)
{
	struct open_call *open = find_slot(s, 0, false);
	struct call_owner *owner =
		open ? call_owner_add(s->web, request->method, request->path) : NULL;
	if (!owner) {
		refuse(s, id, open ? 503 : 429,
		       open ? "server: out of memory"
			    : "id: too many requests and streams are open");
		return;
	}
	owner->socket = s;
	owner->id = id;
	/* Before the API is called: it may respond at once. */
	*open = (struct open_call){ id, owner->number, bytes };
	s->asked += bytes;
	note_held(s);
	request->call = owner->number;
	request->visitor = &s->visitor;
	request->no_cookie = true;
	api_handle(s->web->api, request);
	web_turn_soon(s->web);
}

/* True: the message was valid, whatever the response to it. */
static bool take_request(struct socket *s, int64_t id, bool post, const char *at, json_t *body,
			 size_t bytes)
{
	char path[API_PATH];
	struct api_request request = { .method = post ? API_POST : API_GET,
				       .path = path,
				       .query = "",
				       .body = post ? body : NULL };
	const char *wrong = NULL;
	/* Splits "/api/v1/boards?game=race" into path and query. */
	const size_t length = at ? strcspn(at, "?") : 0;
	if (at && at[length])
		request.query = at + length + 1;
	if (!at)
		wrong = "path: missing";
	else if (!path_decode(at, length, path, API_PATH) || strncmp(path, "/api/", 5) != 0)
		wrong = "path: malformed";
	else if (strpbrk(request.query, "# \t\r\n"))
		wrong = "query: malformed";
	else if (post && !json_is_object(body))
		wrong = "body: not a JSON object";
	if (wrong)
		refuse(s, id, 400, wrong);
	else if (find_slot(s, id, true))
		refuse(s, 0, 400, wrong = "id: already in use");
	else
		hand_to_api(s, id, &request, bytes);
	return !wrong;
}

/* Rate limits count messages as HTTP counts requests. False: an invalid message. */
static bool take_object(struct socket *s, json_t *message, size_t bytes)
{
	json_t *number = json_object_get(message, "id");
	const char *method = json_string_value(json_object_get(message, "method"));
	const int64_t id = json_is_integer(number) ? (int64_t)json_integer_value(number) : 0;
	if (id < 1 || id > LARGEST_ID) {
		refuse(s, 0, 400, "id: must be a positive integer");
		return false;
	}
	if (!limits_request(s->web->limits, web_client_of(s->wsi)->address, web_now_ms())) {
		refuse(s, id, 429, "requests: too many per second from this address");
		return false;
	}
	if (method && strcmp(method, "CANCEL") == 0) {
		struct open_call *open = find_slot(s, id, true);
		if (open) {
			forget_call(s, open);
			send_json(s, id, 200, NULL, 0, true);
		} else {
			refuse(s, id, 404, "id: no such request to cancel");
		}
		return true;
	}
	const bool post = method && strcmp(method, "POST") == 0;
	if (!method || (!post && strcmp(method, "GET") != 0)) {
		refuse(s, id, 405, "method: only GET, POST and CANCEL");
		return false;
	}
	return take_request(s, id, post, json_string_value(json_object_get(message, "path")),
			    json_object_get(message, "body"), bytes);
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
	note_held(s);
	if (web_client_is_ended(s->wsi))
		return -1;
	s->taken += length;
	s->empty += !length;
	if (s->empty > FRAMES_EMPTY)
		return disconnect(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many empty frames");
	if (lws_remaining_packet_payload(s->wsi) || !lws_is_final_fragment(s->wsi) ||
	    s->web->draining || s->broken)
		return 0;
	/*
	 * It sends on although it is refused: even to read its messages costs too much. Others at its
	 * address may owe all that, so one that was not refused yet is told first.
	 */
	if (s->too_fast && s->web->api && api_requests_left(s->web->api, s->visitor.address) < -DEBT_MOST)
		return disconnect(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many requests");
	json_t *message = NULL;
	size_t bytes = 0;
	struct api_busy busy;
	api_busy_begin(s->web->api, &busy, s->visitor.address);
	if (!s->in.failed)
		request_json(s->in.data, s->in.length, &message, &bytes);
	const bool good = message && take_object(s, message, bytes);
	if (!message)
		refuse(s, 0, 400, "message: not a JSON object, or too many values");
	json_decref(message);
	api_busy_end(s->web->api, &busy);
	s->in.length = 0;
	s->empty = 0;
	/* Valid messages make up for invalid ones, so an occasional error does no harm. */
	s->faults += good ? (s->faults > 0 ? -1 : 0) : 1;
	return s->faults > FAULTS ? disconnect(s, LWS_CLOSE_STATUS_POLICY_VIOLATION,
					       "too many invalid messages")
				  : 0;
}

/* ---- Opening and closing ---- */

/* An upgrade needs the same care as a POST: it may use the visitor's cookie. */
struct refusal socket_check(const struct web *web, struct lws *wsi)
{
	struct header_text protocols, text;
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
	if (!refusal.status)
		refusal = request_check_cookies(wsi);
	if (!refusal.status && strcmp(header_text(wsi, WSI_TOKEN_VERSION, &text), "13") != 0)
		refusal = (struct refusal){ 426, "Sec-WebSocket-Version: must be 13" };
	if (!refusal.status && !socket_key_is_valid(header_text(wsi, WSI_TOKEN_KEY, &text)))
		refusal = (struct refusal){ 400, "Sec-WebSocket-Key: must be 16 bytes in base64" };
	header_text(wsi, WSI_TOKEN_PROTOCOL, &protocols);
	if (!refusal.status && !header_has_token(protocols.text, "quevedo"))
		refusal = (struct refusal){ 400, "Sec-WebSocket-Protocol: must be quevedo" };
	if (!refusal.status && web->draining)
		refusal = (struct refusal){ 503, "server: the server is shutting down" };
	if (!refusal.status && api_requests_left(web->api, web_client_of(wsi)->address) < 1)
		refusal = (struct refusal){ 429, "requests: too many per second from this address" };
	return refusal;
}

/* libwebsockets writes the response to the upgrade; a new visitor gets its cookie there. */
static int add_cookie(const struct socket *s, struct lws_process_html_args *args)
{
	struct string line = { .allocator = &mem_malloc };
	if (!s->web || !s->visitor.fresh)
		return 0;
	request_cookie_line(s->wsi, s->visitor.cookie, &line);
	/* libwebsockets adds the end of the headers after this, which needs some bytes. */
	const bool fits =
		!line.failed && args->max_len > 0 && line.length + 8 < (size_t)args->max_len;
	if (fits) {
		memcpy(args->p, line.data, line.length);
		args->p += line.length;
	}
	string_release(&line);
	return fits ? 0 : -1;
}

/* A few messages at a time, so that one client cannot hold up the loop. */
static int write_some(struct socket *s)
{
	unsigned char ping[LWS_PRE + 1];
	if (web_client_is_ended(s->wsi))
		return -1;
	s->writing = 0; /* libwebsockets calls back when it has written what it has kept */
	if (s->ping_due) {
		s->ping_due = false;
		ping[LWS_PRE] = '?'; /* libwebsockets does not report pongs that are empty */
		if (lws_write(s->wsi, ping + LWS_PRE, 1, LWS_WRITE_PING) < 0)
			return -1;
	}
	for (int i = 0; s->first && i < WRITES; i++) {
		struct message *message = s->first;
		const size_t size = message->size;
		if (lws_write(s->wsi, message->data + LWS_PRE, size, LWS_WRITE_TEXT) < (int)size)
			return -1;
		s->writing = lws_partial_buffered(s->wsi) ? size : 0;
		pop(s);
		if (lws_send_pipe_choked(s->wsi))
			break;
	}
	note_held(s);
	if (s->first || s->writing)
		lws_callback_on_writable(s->wsi);
	else if (s->web->draining && (!s->web->api || !has_open_calls(s)))
		close_politely(s, SERVICE_RESTART, "the server restarts");
	return 0;
}

/* Each case is one event of a connection; -1 closes it. */
int socket_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		    size_t length)
{
	struct socket *s = user;
	switch (reason) {
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: /* opens it */
		if (socket_check(web_of(wsi), wsi).status)
			return -1;
		*s = (struct socket){ .wsi = wsi, .in = { .allocator = &mem_malloc } };
		s->last = &s->first;
		if (request_visitor(web_of(wsi), wsi, &s->visitor).status)
			return -1;
		s->web = web_of(wsi);
		s->web->socket_count++;
		s->counted = true;
		web_client_of(wsi)->socket = s;
		note_held(s);
		list_last(s);
		socket_counted(wsi, 101, NULL);
		return 0;
	case LWS_CALLBACK_ADD_HEADERS:
		return add_cookie(s, in);
	case LWS_CALLBACK_RECEIVE_PONG:
		if (s->web)
			heard(s);
		return 0;
	case LWS_CALLBACK_RECEIVE:
		if (!s->web)
			return -1;
		heard(s);
		return take_piece(s, in, length);
	case LWS_CALLBACK_SERVER_WRITEABLE:
		return s->web ? write_some(s) : -1;
	case LWS_CALLBACK_CLOSED:
	case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
		if (!s || !s->web)
			return 0;
		s->broken = true;
		leave_count(s);
		for (int i = 0; i < OPEN_CALLS; i++)
			if (s->calls[i].number)
				forget_call(s, &s->calls[i]);
		socket_drop(s);
		web_client_of(wsi)->socket = NULL;
		unlist(s);
		s->web = NULL;
		return 0;
	case LWS_CALLBACK_HTTP:
	case LWS_CALLBACK_RAW_RX:
		return -1;
	default:
		return 0;
	}
}
