/*
 * visitors.c - players whose game is at another server than their connection.
 * SPDX-License-Identifier: MIT
 *
 * The server of the connection sends "visit", with the offer that the player accepts. The server
 * that has the offer responds with "refused" or "begun", and then sends what it writes ("out", "over"
 * at the end). It gets what the player sends ("in"). The messages of each direction are numbered:
 * if one is missing, or a server dies, the game ends without a result ("break"). Bytes travel as
 * hexadecimal digits, since they need not be text.
 *
 * The database carries them, so nobody may flood it: a player sends at most PORTION bytes at a time,
 * the next ones when it has taken them, and only so many portions. A portion has one line at most,
 * so this limits lines, too. A game takes one for each move.
 */
#include <stdlib.h>

#include "base/scan.h"
#include "server/imcs/hall_inside.h"

enum {
	PORTION = 128,
	PORTIONS = 200,	      /* at once */
	PORTIONS_MORE = 10,   /* with each sweep */
	ANSWER_MS = 4000,     /* for "visit" */
};

/* A player of another server, who accepts an offer of this one. */
struct visitor_link {
	struct imcs_link link; /* place: where the connection is */
	uint64_t there;	       /* its number there */
	char name[IMCS_NAME + 1], address[IMCS_ADDRESS];
	int64_t id;
	char color;
	bool enters, closed; /* its `accept` runs; and was refused */
	struct string text;  /* what was written meanwhile */
};

static const char *text_of(const json_t *message, const char *key)
{
	const char *text = json_string_value(json_object_get(message, key));
	return text ? text : "";
}

static int64_t number_of(const json_t *message, const char *key)
{
	return json_integer_value(json_object_get(message, key));
}

/* ---- Messages ---- */

/* NULL: out of memory. */
static json_t *hex_json(const char *bytes, size_t size)
{
	struct string hex = { .allocator = &mem_malloc };
	for (size_t i = 0; i < size; i++)
		string_addf(&hex, "%02x", (unsigned char)bytes[i]);
	json_t *json = hex.failed ? NULL : json_stringn(hex.data ? hex.data : "", hex.length);
	string_release(&hex);
	return json;
}

/* False: not hexadecimal digits, or out of memory. */
static bool read_hex(const char *hex, struct string *out)
{
	const size_t length = strlen(hex);
	for (size_t i = 0; i + 1 < length; i += 2) {
		const int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
		if (high < 0 || low < 0)
			return false;
		const char byte = (char)(high << 4 | low);
		string_add(out, &byte, 1);
	}
	return length % 2 == 0 && !out->failed;
}

/* peer: the number of the player's connection at its own server. */
static bool send_bytes(struct hall *h, const struct imcs_link *link, const char *what,
		       uint64_t peer, const char *bytes, size_t size, enum imcs_follows follows)
{
	return cluster_send(h->api, link->place,
			    json_pack("{s:s, s:I, s:I, s:o, s:i}", "imcs", what, "peer",
				      (json_int_t)peer, "number", (json_int_t)link->sent, "bytes",
				      hex_json(bytes, size), "follows", (int)follows),
			    NULL, NULL);
}

/* "break": to the server of the game; "broken": to that of the connection. */
static void send_break(struct hall *h, const char *node, const char *what, uint64_t peer)
{
	cluster_send(h->api, node,
		     json_pack("{s:s, s:I}", "imcs", what, "peer", (json_int_t)peer), NULL, NULL);
}

/* ---- The server of the connection ---- */

void hall_visit(void *ctx, void *conn, const struct imcs_listed *offer,
		const struct imcs_account *account, const char *address, char color)
{
	const struct imcs_base *base = ctx;
	struct hall *h = base->hall;
	struct imcs_link *link = conn;
	snprintf(link->place, sizeof link->place, "%s", offer->place);
	link->asked_ms = hall_now(h);
	link->portions = PORTIONS;
	link->sent = link->heard = 0;
	if (!cluster_is_other(h->api, link->place) ||
	    !cluster_send(h->api, link->place,
			  json_pack("{s:s, s:I, s:I, s:s, s:s, s:s%}", "imcs", "visit", "peer",
				    (json_int_t)link->number, "id", (json_int_t)offer->id, "name",
				    account->name, "address", address, "color", &color, (size_t)1),
			  NULL, NULL)) {
		link->place[0] = '\0';
		imcs_break_off(base->server, link->peer, hall_now(h));
	}
}

/* Bytes on their way: the next ones may follow. */
struct portion {
	struct hall *hall;
	uint64_t number;
};

static void on_passed(void *ctx, bool ok)
{
	const struct portion p = *(struct portion *)ctx;
	free(ctx);
	(void)ok; /* if they are lost, the next number shows it */
	if (!hall_unuse(p.hall))
		return;
	struct imcs_link *link = hall_link(p.hall, p.number);
	if (!link)
		return;
	link->busy = false;
	imcs_more(p.hall->base->server, link->peer, hall_now(p.hall));
}

/* How many of the bytes the next portion has. Its line end may be two bytes. */
static size_t portion_size(const char *bytes, size_t size)
{
	const size_t most = size < PORTION ? size : PORTION;
	size_t at = 0;
	while (at < most && bytes[at] != '\n' && bytes[at] != '\r')
		at++;
	if (at + 1 < most && bytes[at] == '\r' && (bytes[at + 1] == '\n' || !bytes[at + 1]))
		at++;
	return at < most ? at + 1 : most;
}

/* A player who is gone has lost: the game must not be broken off then. */
size_t hall_forward(void *ctx, void *conn, const char *bytes, size_t size,
		    enum imcs_follows follows)
{
	const struct imcs_base *base = ctx;
	struct hall *h = base->hall;
	struct imcs_link *link = conn;
	if (!size) {
		send_bytes(h, link, "in", link->number, "", 0, follows);
		link->sent++;
		if (follows == IMCS_GONE)
			link->place[0] = '\0';
		return 0;
	}
	struct portion *p = link->busy || !link->portions ? NULL : malloc(sizeof *p);
	if (!p)
		return 0;
	*p = (struct portion){ hall_use(h), link->number };
	const size_t part = portion_size(bytes, size);
	json_t *message = json_pack("{s:s, s:I, s:I, s:o, s:i}", "imcs", "in", "peer",
				    (json_int_t)link->number, "number", (json_int_t)link->sent,
				    "bytes", hex_json(bytes, part), "follows",
				    part == size ? (int)follows : (int)IMCS_FOLLOWS);
	link->sent++;
	link->portions--;
	link->busy = true;
	if (cluster_send(h->api, link->place, message, on_passed, p))
		return part;
	/* The other server notices the gap. */
	link->busy = false;
	hall_unuse(h);
	free(p);
	return part;
}

/* The game of a player at another server ends here. */
static void break_link(struct hall *h, struct imcs_link *link)
{
	link->place[0] = '\0';
	link->asked_ms = 0;
	imcs_break_off(h->base->server, link->peer, hall_now(h));
}

/* A response to "visit", or what the server of the game has written. */
static void take_output(struct hall *h, const json_t *message, const char *what)
{
	struct imcs *server = h->base->server;
	const uint64_t number = (uint64_t)number_of(message, "peer");
	struct imcs_link *link = hall_link(h, number);
	struct string text = { .allocator = &mem_malloc };
	const bool refused = strcmp(what, "refused") == 0, begun = strcmp(what, "begun") == 0;
	if (!link || link->is_visitor || strcmp(link->place, text_of(message, "from")) != 0) {
		if (!refused)
			send_break(h, text_of(message, "from"), "break", number);
		return;
	}
	if (!read_hex(text_of(message, "bytes"), &text) ||
	    number_of(message, "number") != link->heard++) {
		send_break(h, link->place, "break", number);
		break_link(h, link);
	} else if (refused || begun) {
		link->asked_ms = 0;
		if (refused)
			link->place[0] = '\0';
		imcs_visited(server, link->peer, begun, text.data, text.length, hall_now(h));
	} else {
		const bool over = strcmp(what, "over") == 0;
		if (over)
			link->place[0] = '\0';
		imcs_relay(server, link->peer, text.data, text.length, over, hall_now(h));
	}
	string_release(&text);
}

void visitors_left(struct hall *h, struct imcs_link *link)
{
	if (!link->is_visitor && *link->place && h->base)
		send_break(h, link->place, "break", link->number);
	link->place[0] = '\0';
}

/* ---- The server of the game ---- */

static struct visitor_link *find_visitor(const struct hall *h, const json_t *message)
{
	struct imcs_link *link;
	for (size_t at = 0; (link = map_next(&h->links, &at));) {
		struct visitor_link *v = (struct visitor_link *)link;
		if (link->is_visitor && v->there == (uint64_t)number_of(message, "peer") &&
		    strcmp(link->place, text_of(message, "from")) == 0)
			return v;
	}
	return NULL;
}

static void visitor_free(struct hall *h, struct visitor_link *v)
{
	map_remove(&h->links, v->link.number, &v->link);
	string_release(&v->text);
	free(v);
}

/* Without memory there is no response, and the other server gives up. */
static void take_visit(struct hall *h, const json_t *message)
{
	struct visitor_link *v = calloc(1, sizeof *v);
	if (!v)
		return;
	v->link.is_visitor = true;
	v->text.allocator = &mem_malloc;
	v->there = (uint64_t)number_of(message, "peer");
	v->id = number_of(message, "id");
	v->color = *text_of(message, "color");
	snprintf(v->link.place, sizeof v->link.place, "%s", text_of(message, "from"));
	snprintf(v->name, sizeof v->name, "%s", text_of(message, "name"));
	snprintf(v->address, sizeof v->address, "%s", text_of(message, "address"));
	if (v->color && hall_add(h, &v->link))
		hall_refresh(h, v->link.number, HALL_VISITOR, false);
	else
		free(v);
}

void visitor_enter(struct hall *h, struct imcs_link *link)
{
	static const char no_memory[] = "499 internal error: out of memory\r\n";
	struct visitor_link *v = (struct visitor_link *)link;
	/* Its server may have died meanwhile. */
	if (!cluster_is_other(h->api, link->place)) {
		visitor_free(h, v);
		return;
	}
	v->enters = true;
	link->peer = imcs_visit(h->base->server, link, v->address, v->name, v->id, v->color,
				hall_now(h));
	v->enters = false;
	const bool begun = link->peer && !v->closed;
	if (!begun && !v->text.length)
		string_add(&v->text, no_memory, sizeof no_memory - 1);
	send_bytes(h, link, begun ? "begun" : "refused", v->there, v->text.data, v->text.length,
		   IMCS_FOLLOWS);
	link->sent++;
	string_release(&v->text);
	if (!begun)
		visitor_free(h, v);
}

void visitor_write(struct hall *h, struct imcs_link *link, const char *bytes, size_t size)
{
	struct visitor_link *v = (struct visitor_link *)link;
	if (v->enters) {
		string_add(&v->text, bytes, size);
		return;
	}
	send_bytes(h, link, "out", v->there, bytes, size, IMCS_FOLLOWS);
	link->sent++;
}

void visitor_close(struct hall *h, struct imcs_link *link)
{
	struct visitor_link *v = (struct visitor_link *)link;
	v->closed = true;
	if (v->enters)
		return;
	send_bytes(h, link, "over", v->there, "", 0, IMCS_ENDED);
	visitor_free(h, v);
}

/* What a player at another server has sent. */
static void take_input(struct hall *h, const json_t *message)
{
	struct imcs *server = h->base->server;
	struct visitor_link *v = find_visitor(h, message);
	struct string bytes = { .allocator = &mem_malloc };
	if (!v || !v->link.peer) { /* the game is over, which the other server may not know yet */
		send_break(h, text_of(message, "from"), "broken",
			   (uint64_t)number_of(message, "peer"));
		return;
	}
	const uint64_t number = v->link.number;
	if (!read_hex(text_of(message, "bytes"), &bytes) ||
	    number_of(message, "number") != v->link.heard++) {
		imcs_break_off(server, v->link.peer, hall_now(h));
	} else {
		if (bytes.length)
			imcs_bytes(server, v->link.peer, bytes.data, bytes.length, hall_now(h));
		const int64_t follows = number_of(message, "follows");
		/* With the game it may have ended. */
		if (follows == IMCS_ENDED && hall_link(h, number))
			imcs_end(server, v->link.peer, hall_now(h));
		else if (follows == IMCS_GONE && hall_link(h, number))
			imcs_gone(server, v->link.peer, hall_now(h));
	}
	string_release(&bytes);
}

static void take_break(struct hall *h, const json_t *message)
{
	struct visitor_link *v = find_visitor(h, message);
	if (v && v->link.peer)
		imcs_break_off(h->base->server, v->link.peer, hall_now(h));
}

static void take_broken(struct hall *h, const json_t *message)
{
	struct imcs_link *link = hall_link(h, (uint64_t)number_of(message, "peer"));
	if (link && !link->is_visitor && strcmp(link->place, text_of(message, "from")) == 0)
		break_link(h, link);
}

void visitors_hear(struct hall *h, const json_t *message)
{
	const char *what = text_of(message, "imcs");
	if (strcmp(what, "visit") == 0)
		take_visit(h, message);
	else if (strcmp(what, "in") == 0)
		take_input(h, message);
	else if (strcmp(what, "break") == 0)
		take_break(h, message);
	else if (strcmp(what, "broken") == 0)
		take_broken(h, message);
	else
		take_output(h, message, what);
}

/* ---- Failures ---- */

/* Breaking one off may free others: so the search begins again. */
void visitors_break(struct hall *h, const char *node)
{
	struct imcs_link *link;
	for (size_t at = 0; (link = map_next(&h->links, &at));) {
		if (!*link->place || !link->peer || (node && strcmp(link->place, node) != 0))
			continue;
		if (!link->is_visitor && !node)
			send_break(h, link->place, "break", link->number);
		if (link->is_visitor)
			imcs_break_off(h->base->server, link->peer, hall_now(h));
		else
			break_link(h, link);
		at = 0;
	}
}

/* The player may send more. False: as much as before. */
static bool give_portions(struct imcs_link *link)
{
	const int before = link->portions;
	link->portions = before + PORTIONS_MORE < PORTIONS ? before + PORTIONS_MORE : PORTIONS;
	return before == 0;
}

void visitors_sweep(struct hall *h)
{
	struct imcs_link *link;
	for (size_t at = 0; (link = map_next(&h->links, &at));)
		if (!link->is_visitor && *link->place && give_portions(link))
			imcs_more(h->base->server, link->peer, hall_now(h));
	for (size_t at = 0; (link = map_next(&h->links, &at));) {
		if (link->is_visitor || !link->asked_ms || hall_now(h) < link->asked_ms + ANSWER_MS)
			continue;
		break_link(h, link);
		at = 0;
	}
}

void visitors_free(struct hall *h)
{
	struct imcs_link *link;
	for (size_t at = 0; (link = map_next(&h->links, &at));)
		if (link->is_visitor) {
			visitor_free(h, (struct visitor_link *)link);
			at = 0;
		} else {
			link->number = 0;
		}
}
