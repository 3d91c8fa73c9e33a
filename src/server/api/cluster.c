/*
 * cluster.c - several servers that share a database: which of them has a game, and requests that
 * one passes on to another.
 * SPDX-License-Identifier: MIT
 *
 * Each server is a node. It counts as alive as long as it renews its row in the store. A game has
 * one owner, which alone has it in memory: whoever loads it takes it over, unless its owner is
 * alive. With that the epoch of the game grows, and what the owner before still wants to write
 * fails. So two nodes may both believe that they own a game, but only one can change it.
 *
 * A request for the game of another node is sent there as JSON and waits here; the responses come
 * back the same way, in letters (letters.h), and a stream is many of them. If the owner dies, its
 * streams end, so that the clients connect again and the game moves to where they arrive. What had
 * asked for a change gets a 503, since nobody knows whether it was stored.
 */
#include <stdlib.h>

#include "server/api/cluster_watch.h"
#include "server/api/inside.h"
#include "server/api/letters.h"

enum {
	LEASE_MS = 1500, /* a node without a sign of life for so long is dead */
	BEATS = 6,	 /* signs of life in that time */
	HOPS_MOST = 2,	 /* nodes that a request passes through */
	RUNS_MOST = 8,	 /* of a request that is passed on again and again */
	OWNERS = 1024,	 /* games of other nodes whose owner is known */
	NODES_MOST = 64,
	/* Of the store's queue, 1/N at most: what is to be kept has the rest. */
	SHARE_STREAMS = 4,
	SHARE_OTHERS = 2,
	SHORT_BYTES = 1000, /* of a last message that is tried again until it is sent */
};

#define FROM_NODE ((uint64_t)1 << 62) /* of the numbers of calls: they belong to another node */

/* A request of another node, while it runs here. */
struct guest_call {
	uint64_t number;  /* here */
	uint64_t call;	  /* there */
	int64_t messages; /* sent so far */
	uint64_t letter;  /* that has the last of them */
	char node[STORE_NODE];
};

struct cluster {
	struct api_cluster setup;
	char node[STORE_NODE];
	int64_t lease_ms;
	int64_t next_ms;	  /* of the next sign of life */
	int64_t written_ms;	  /* when the one that is on its way was written; 0: none is */
	int64_t until_ms;	  /* this node is alive until then */
	bool joined;		  /* its row was written, and has held since then */
	bool keeps;		  /* the sign of life that is on its way only renews it */
	bool lost;		  /* it was not alive, and has dropped its games */
	bool asking;		  /* for the nodes */
	char nodes[NODES_MOST][STORE_NODE]; /* that are alive, this one included */
	int count;
	struct map guests; /* by number */
	uint64_t guest_count; /* so far */
	struct letters letters;	/* that leave with the next turn */
	struct {
		char play[API_USER], node[STORE_NODE];
	} owners[OWNERS];
};

/* ---- Nodes ---- */

const char *cluster_node(const struct api *api)
{
	return api->cluster ? api->cluster->node : "";
}

static bool is_alive(const struct cluster *c, const char *node)
{
	for (int i = 0; i < c->count; i++)
		if (strcmp(c->nodes[i], node) == 0)
			return true;
	return false;
}

/* share: of the queue. QV_BAD_INPUT: too large; QV_NO_MEMORY: too much waits already. */
static enum qv_status send_within(struct api *api, int share, const char *node, json_t *message,
				  void (*done)(void *ctx, bool ok), void *ctx)
{
	const struct api_cluster *setup = &api->cluster->setup;
	if (message)
		json_object_set_new(message, "from", json_string(api->cluster->node));
	char *text = json_to_text(message, JSON_COMPACT);
	const size_t size = text ? strlen(text) : 0;
	enum qv_status status = !text			 ? QV_NO_MEMORY
				: size > STORE_TELL_MOST ? QV_BAD_INPUT
							 : QV_OK;
	if (status == QV_OK && setup->send) {
		status = setup->send(setup->ctx, node, text) ? QV_OK : QV_IO;
		if (status == QV_OK && done)
			done(ctx, true);
	} else if (status == QV_OK && !store_tell_fits(api->store, size, share)) {
		status = QV_NO_MEMORY;
	} else if (status == QV_OK) {
		store_tell(api->store, node, text, size);
		status = store_end_unit(api->store, done, ctx);
	}
	free(text);
	return status;
}

bool cluster_send(struct api *api, const char *node, json_t *message,
		  void (*done)(void *ctx, bool ok), void *ctx)
{
	return send_within(api, SHARE_OTHERS, node, message, done, ctx) == QV_OK;
}

static bool send_json(struct api *api, const char *node, json_t *message)
{
	return cluster_send(api, node, message, NULL, NULL);
}

bool cluster_is_guest(uint64_t call)
{
	return call & FROM_NODE;
}

/* Nobody waits for it any more. */
static void drop_guest(struct api *api, struct guest_call *guest)
{
	const uint64_t number = guest->number;
	map_remove(&api->cluster->guests, number, guest);
	free(guest);
	api_cancel(api, number);
}

/* A call that waits for a node that has died. */
static void end_remote(struct api *api, struct call *call)
{
	const uint64_t number = call->number, waiter = call->stamp;
	char node[STORE_NODE];
	if (waiter) {
		memcpy(node, call->node, sizeof node);
		call->node[0] = '\0';
		call_free(api, call);
		request_heard(api, waiter, node, NULL);
		return;
	}
	const bool again = !call->begun && request_is_get(call->parked);
	const bool stream = call->begun;
	call->node[0] = '\0'; /* nobody has to be told */
	if (again) {
		request_forget_games(call->parked);
		call_resume(api, call);
		return;
	}
	call_free(api, call);
	if (stream)
		reply_end(api, number);
	else
		reply_error(api, number, 503, "play: its server has ended; try again");
}

/* Calls are looked for from the start each time: a request that runs again may add some. */
static void node_died(struct api *api, const char *node)
{
	struct cluster *c = api->cluster;
	struct guest_call *guest;
	for (size_t at = 0; (guest = map_next(&c->guests, &at));)
		if (strcmp(guest->node, node) == 0)
			drop_guest(api, guest);
	for (int i = 0; i < OWNERS; i++)
		if (strcmp(c->owners[i].node, node) == 0)
			c->owners[i].node[0] = '\0';
	struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));)
		if (call->kind == CALL_REMOTE && strcmp(call->node, node) == 0) {
			end_remote(api, call);
			at = 0;
		}
	if (api->watch)
		api->watch->died(api->watch->ctx, node);
}

static void node_left(struct api *api, const char *node)
{
	struct cluster *c = api->cluster;
	for (int i = 0; i < c->count; i++)
		if (strcmp(c->nodes[i], node) == 0) {
			memmove(c->nodes[i], c->nodes[--c->count], STORE_NODE);
			node_died(api, node);
			return;
		}
}

static void on_nodes(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct api *api = ctx;
	struct cluster *c = api->cluster;
	char before[NODES_MOST][STORE_NODE];
	const int count = c->count;
	(void)error; /* it is asked again soon */
	c->asking = false;
	if (!rows || api->closing) {
		store_rows_free(rows);
		return;
	}
	memcpy(before, c->nodes, sizeof before);
	c->count = 0;
	for (size_t i = 0; i < rows->count && c->count < NODES_MOST; i++)
		snprintf(c->nodes[c->count++], STORE_NODE, "%s", store_rows_text(rows, i, 0));
	store_rows_free(rows);
	for (int i = 0; i < count; i++)
		if (!is_alive(c, before[i]) && strcmp(before[i], c->node) != 0)
			node_died(api, before[i]);
}

/* A request that runs again may be passed on again: that one is not among those. */
static void end_all_remote(struct api *api)
{
	struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));)
		if (call->kind == CALL_REMOTE)
			call->heard = -1;
	for (size_t at = 0; (call = map_next(&api->calls, &at));)
		if (call->kind == CALL_REMOTE && call->heard < 0) {
			end_remote(api, call);
			at = 0;
		}
}

/*
 * Others may have taken its games over, so it must not show them any more. Nor does it hear of
 * theirs: who follows one connects again, elsewhere if there is a load balancer.
 */
static void lose_games(struct api *api)
{
	api->cluster->lost = true;
	api->cluster->joined = false;
	rooms_lose(api);
	end_all_remote(api);
	if (api->watch)
		api->watch->lost(api->watch->ctx);
}

/*
 * The clock of this server does not know how long it was alive for the database: that clock may have
 * been set, or this machine have slept. So a renewal fails if the row had not held all the time.
 */
static void on_beat(void *ctx, bool ok)
{
	struct api *api = ctx;
	struct cluster *c = api->cluster;
	const bool found = ok && c->lost;
	if (ok) {
		c->until_ms = c->written_ms + c->lease_ms;
		c->joined = true;
		c->lost = false;
	} else if (c->keeps && !store_unit_failed(api->store)) {
		c->next_ms = 0;
		if (!c->lost && !api->closing)
			lose_games(api);
	}
	c->written_ms = 0;
	if (found)
		rooms_lose(api); /* games that began meanwhile were nobody's */
	if (found && api->watch)
		api->watch->found(api->watch->ctx);
}

/* Requests whose response does not come: the message was lost, or the node is stuck. */
static void give_up_late(struct api *api, int64_t now)
{
	const int64_t late_ms = api->cluster->lease_ms * 5 / 2;
	struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));)
		if (call->kind == CALL_REMOTE && !call->begun && now > call->asked_ms + late_ms) {
			end_remote(api, call);
			at = 0;
		}
}

/*
 * A letter that cannot be sent: its streams end, so that those who follow ask for the game again. Who
 * has got nothing yet gets an error, and does not ask again at once.
 */
static bool shorten(struct api *api, struct letter *letter, bool too_large)
{
	char text[300] = "";
	const bool begun = letter->response.stream && letter->calls->message > 0;
	struct api_response end = { .status = too_large ? 500 : 503,
				    .type = "application/json",
				    .text = text,
				    .end = true };
	if (begun)
		end = (struct api_response){ .status = 200,
					     .type = "application/x-ndjson",
					     .text = text,
					     .stream = true,
					     .end = true };
	else
		api_error_text(end.status,
			       too_large ? "play: its server cannot pass it on: it is too large"
					 : "play: its server has too much to pass on; try again",
			       text, sizeof text);
	for (size_t i = 0; i < letter->count; i++) {
		struct guest_call *guest =
			map_find(&api->cluster->guests, letter->calls[i].guest);
		if (guest)
			drop_guest(api, guest);
	}
	return letter_set(letter, &end);
}

/* Those that remain are tried again in the next turn. */
static void send_letters(struct api *api)
{
	struct letters *letters = &api->cluster->letters;
	struct letter *letter;
	while ((letter = letters->first)) {
		const struct api_response *r = &letter->response;
		const int share = r->stream && !r->end ? SHARE_STREAMS : SHARE_OTHERS;
		const enum qv_status status = send_within(api, share, letter->node,
							  letter_json(letter), NULL, NULL);
		const bool is_short = r->end && r->size <= SHORT_BYTES;
		if (status == QV_OK)
			letters_drop_first(letters);
		else if (is_short || !shorten(api, letter, status == QV_BAD_INPUT))
			return;
	}
}

int64_t cluster_turn(struct api *api)
{
	struct cluster *c = api->cluster;
	if (!c || api->closing)
		return -1;
	const int64_t now = api_now(api);
	if (now >= c->until_ms && !c->lost)
		lose_games(api);
	send_letters(api);
	if (now < c->next_ms)
		return c->next_ms;
	give_up_late(api, now);
	c->next_ms = now + c->lease_ms / BEATS;
	if (!c->written_ms) {
		c->written_ms = now;
		c->keeps = c->joined;
		if (c->keeps) {
			store_keep_node(api->store, c->node, c->lease_ms, api->secret_mark);
		} else {
			store_put_node(api->store, c->node, c->lease_ms, api->secret_mark);
			store_tidy_nodes(api->store);
		}
		if (store_end_unit(api->store, on_beat, api) != QV_OK)
			c->written_ms = 0;
		else
			charges_tell(api); /* the one before was written: they cannot pile up */
	}
	if (!c->asking)
		c->asking = store_read(api->store, ASK_NODES, NULL, 0, on_nodes, api) == QV_OK;
	return c->next_ms;
}

bool cluster_is_lost(const struct api *api)
{
	return api->cluster && api->cluster->lost;
}

/* Nodes reach each other through the store, so in place of an address they say which secret they have. */
void cluster_mark(struct api *api)
{
	uint8_t hash[SECRETS_HASH];
	secrets_sha256(api->secrets.key, sizeof api->secrets.key, hash);
	snprintf(api->secret_mark, sizeof api->secret_mark, "secret-%02x%02x%02x%02x%02x%02x",
		 hash[0], hash[1], hash[2], hash[3], hash[4], hash[5]);
}

enum qv_status cluster_check(struct api *api, struct qv_error *error)
{
	struct store_rows *rows = NULL;
	if (!api->setup.cluster.node)
		return QV_OK;
	enum qv_status status = store_read_now(api->store, ASK_NODES, NULL, &rows, error);
	for (size_t i = 0; status == QV_OK && i < rows->count; i++)
		if (strcmp(store_rows_text(rows, i, 2), api->secret_mark) != 0)
			status = qv_fail(error, QV_IO,
					 "secret: another server of this database has another one; "
					 "restart all of them");
	store_rows_free(rows);
	return status;
}

bool cluster_open(struct api *api)
{
	const struct api_cluster *setup = &api->setup.cluster;
	if (!setup->node || !*setup->node)
		return true;
	struct cluster *c = calloc(1, sizeof *c);
	if (!c)
		return false;
	c->setup = *setup;
	c->lease_ms = setup->lease_ms > 0 ? setup->lease_ms : LEASE_MS;
	c->guests = (struct map){ .allocator = &mem_malloc };
	snprintf(c->node, sizeof c->node, "%s", setup->node);
	c->until_ms = api_now(api) + c->lease_ms;
	api->cluster = c;
	return true;
}

void cluster_close(struct api *api)
{
	struct guest_call *guest;
	if (!api->cluster)
		return;
	for (size_t at = 0; (guest = map_next(&api->cluster->guests, &at));)
		free(guest);
	map_release(&api->cluster->guests);
	letters_release(&api->cluster->letters);
	free(api->cluster);
	api->cluster = NULL;
}

/* ---- Owners of games ---- */

void cluster_found_owner(struct api *api, const char *play, const char *node)
{
	struct cluster *c = api->cluster;
	const size_t slot = qv_hash_bytes(play, strlen(play)) % OWNERS;
	snprintf(c->owners[slot].play, sizeof c->owners[slot].play, "%s", play);
	snprintf(c->owners[slot].node, sizeof c->owners[slot].node, "%s", node);
}

/* The node that has the game, if it is known and alive; or "". */
static const char *owner_of(const struct api *api, const char *play)
{
	const struct cluster *c = api->cluster;
	const size_t slot = qv_hash_bytes(play, strlen(play)) % OWNERS;
	if (!c || strcmp(c->owners[slot].play, play) != 0)
		return "";
	const char *node = c->owners[slot].node;
	return is_alive(c, node) ? node : "";
}

/* ---- Passing requests on ---- */

static bool is_stream(const char *path)
{
	static const char end[] = "/events";
	const size_t length = strlen(path), size = sizeof end - 1;
	return length >= size && strcmp(path + length - size, end) == 0;
}

bool cluster_forward(struct api *api, const struct api_request *r, const char *play)
{
	struct cluster *c = api->cluster;
	const char *node = owner_of(api, play);
	if (!*node || c->lost)
		return false;
	if (api->run->hops >= HOPS_MOST || api->run->runs > RUNS_MOST) {
		cluster_found_owner(api, play, "");
		reply_error(api, r->call, 503, "play: it moves between servers; try again");
		return true;
	}
	const bool follows = is_stream(r->path);
	if (follows && !call_may_stream(api, r))
		return true;
	json_t *ask = json_pack("{s:I, s:i, s:b, s:s, s:s, s:O?, s:s, s:s, s:s, s:s, s:b}", "ask",
				(json_int_t)r->call, "hops", api->run->hops + 1, "post",
				(int)(r->method == API_POST), "path", r->path, "query", r->query,
				"body", r->body, "user", r->visitor->user, "play",
				r->visitor->play, "address", r->visitor->address, "issuer",
				r->visitor->issuer, "program", (int)r->visitor->program);
	struct call *call = call_park(api, r, CALL_REMOTE);
	if (!call) {
		json_decref(ask);
		return true;
	}
	snprintf(call->node, sizeof call->node, "%s", node);
	snprintf(call->match, sizeof call->match, "%s", play);
	if (follows)
		snprintf(call->visitor_user, sizeof call->visitor_user, "%s", r->visitor->user);
	call->asked_ms = api_now(api);
	if (!send_json(api, node, ask)) {
		call->node[0] = '\0';
		call_free(api, call);
		reply_error(api, r->call, 503, "play: its server cannot be reached; try again");
	}
	return true;
}

void cluster_claimed(struct api *api, const char *play, const char *node, int64_t epoch)
{
	if (*node && strcmp(node, api->cluster->node) != 0)
		send_json(api, node,
			  json_pack("{s:s, s:I}", "claimed", play, "epoch", (json_int_t)epoch));
}

const char *cluster_other(const struct api *api, int *at)
{
	const struct cluster *c = api->cluster;
	while (c && *at < c->count) {
		const char *node = c->nodes[(*at)++];
		if (strcmp(node, c->node) != 0)
			return node;
	}
	return NULL;
}

bool cluster_is_other(const struct api *api, const char *node)
{
	return api->cluster && strcmp(node, api->cluster->node) != 0 &&
	       is_alive(api->cluster, node);
}

bool cluster_ask(struct api *api, const char *node, const char *list, const char *user,
		 uint64_t waiter)
{
	const struct cluster *c = api->cluster;
	struct call *call = c->lost ? NULL : call_new(api, request_number(api), "", CALL_REMOTE);
	if (!call)
		return false;
	snprintf(call->node, sizeof call->node, "%s", node);
	call->stamp = waiter;
	call->asked_ms = api_now(api);
	if (send_json(api, node,
		      json_pack("{s:I, s:i, s:s, s:s, s:s}", "ask", (json_int_t)call->number,
				"hops", HOPS_MOST, "path", list, "query", "",
				"user", user)))
		return true;
	call->node[0] = '\0';
	call_free(api, call);
	return false;
}

void cluster_lobby_changed(struct api *api)
{
	if (api->cluster)
		send_json(api, "", json_pack("{s:b}", "lobby", 1));
}

void cluster_cancelled(struct api *api, const struct call *call)
{
	if (*call->node && !api->closing)
		send_json(api, call->node, json_pack("{s:I}", "cancel", (json_int_t)call->number));
}

/* ---- What other nodes send ---- */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static int64_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* A request of another node. The limit of requests was charged there. */
static void run_guest(struct api *api, const json_t *ask)
{
	struct cluster *c = api->cluster;
	struct guest_call *guest = calloc(1, sizeof *guest);
	/* The node that it comes from has checked that the visitor's session or token holds. */
	struct visitor who = { .checked = api->revocations.count,
			       .program = json_is_true(json_object_get(ask, "program")) };
	struct request_run run = { 0 };
	if (!guest)
		return; /* the other node gives up after a while */
	guest->number = FROM_NODE | ++c->guest_count;
	guest->call = (uint64_t)number_of(ask, "ask");
	snprintf(guest->node, sizeof guest->node, "%s", text_of(ask, "from"));
	snprintf(who.user, sizeof who.user, "%s", text_of(ask, "user"));
	snprintf(who.issuer, sizeof who.issuer, "%s", text_of(ask, "issuer"));
	snprintf(who.play, sizeof who.play, "%s", text_of(ask, "play"));
	snprintf(who.address, sizeof who.address, "%s", text_of(ask, "address"));
	json_t *body = json_object_get(ask, "body");
	const struct api_request request = {
		.method = json_is_true(json_object_get(ask, "post")) ? API_POST : API_GET,
		.path = text_of(ask, "path"),
		.query = text_of(ask, "query"),
		.body = json_is_object(body) ? body : NULL,
		.visitor = &who,
		.call = guest->number,
	};
	if (!map_add(&c->guests, guest->number, guest)) {
		free(guest);
		return;
	}
	run.hops = (int)number_of(ask, "hops");
	run.route = strcmp(request.path, "/inside/lobby") == 0   ? get_own_lobby
		    : strcmp(request.path, "/inside/plays") == 0 ? get_own_plays
								   : NULL;
	request_run(api, &request, &run);
}

/* The static text of a type, as hosts expect it. */
static const char *type_of(const char *text)
{
	static const char *const types[] = { "application/json", "application/x-ndjson",
					     "application/x-chess-pgn" };
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i], text) == 0)
			return types[i];
	return types[0];
}

/* A response to a request that was passed on: the message of that number of the call. */
static void take_message(struct api *api, const json_t *reply, json_int_t to, json_int_t message)
{
	struct call *call = call_find(api, (uint64_t)to);
	if (!call || call->kind != CALL_REMOTE || strcmp(call->node, text_of(reply, "from")) != 0) {
		/* A stream that nobody here follows ends there, too. */
		if (json_is_true(json_object_get(reply, "stream")) &&
		    !json_is_true(json_object_get(reply, "end")))
			send_json(api, text_of(reply, "from"), json_pack("{s:I}", "cancel", to));
		return;
	}
	const uint64_t number = call->number, waiter = call->stamp;
	if (waiter) {
		call->node[0] = '\0';
		call_free(api, call);
		request_heard(api, waiter, text_of(reply, "from"),
			      number_of(reply, "status") == 200 ? text_of(reply, "text") : NULL);
		return;
	}
	const bool stream = json_is_true(json_object_get(reply, "stream"));
	const bool end = !stream || json_is_true(json_object_get(reply, "end"));
	const int64_t status = number_of(reply, "status");
	if (message != call->heard++ || status < 200 || status > 599 || (call->begun && !stream)) {
		end_remote(api, call); /* something was lost on the way, or is no response */
		return;
	}
	struct visitor who = *parked_visitor(call->parked);
	if (stream && !call->begun && !api_recheck(api, &who)) {
		call_free(api, call); /* what it came with has ended since */
		reply_error(api, number, 401, "session: it has ended; send the request again");
		return;
	}
	call->begun |= stream;
	const char *text = text_of(reply, "text"), *file = text_of(reply, "file");
	const struct api_response response = { .call = number,
					       .status = (int)status,
					       .type = type_of(text_of(reply, "type")),
					       .text = text,
					       .size = strlen(text),
					       .stream = stream,
					       .end = end,
					       .file = *file ? file : NULL };
	if (response.status == 503)
		cluster_found_owner(api, call->match, "");
	if (end) {
		call->node[0] = '\0';
		call_free(api, call);
	}
	api_respond(api, &response);
}

/* One text, for many calls perhaps. */
static void take_reply(struct api *api, const json_t *reply)
{
	const json_t *calls = json_object_get(reply, "reply");
	for (size_t i = 0; i + 1 < json_array_size(calls); i += 2)
		take_message(api, reply, json_integer_value(json_array_get(calls, i)),
			     json_integer_value(json_array_get(calls, i + 1)));
}

static void cancel_guest(struct api *api, const json_t *message)
{
	struct cluster *c = api->cluster;
	struct guest_call *guest;
	for (size_t at = 0; (guest = map_next(&c->guests, &at));)
		if (guest->call == (uint64_t)number_of(message, "cancel") &&
		    strcmp(guest->node, text_of(message, "from")) == 0) {
			drop_guest(api, guest);
			return;
		}
}

/*
 * Some messages were lost: whoever waits for one connects again. Streams for other nodes end, too,
 * since their ends may be among what was lost.
 */
static void cluster_missed(struct api *api)
{
	struct cluster *c = api->cluster;
	struct guest_call *guest;
	struct call *call;
	users_forget(api);
	tokens_forget(api, NULL);
	for (size_t at = 0; (guest = map_next(&c->guests, &at));) {
		const struct api_response end = { .call = guest->number,
						  .status = 200,
						  .type = "application/x-ndjson",
						  .text = "",
						  .stream = true,
						  .end = true };
		call = call_find(api, guest->number);
		if (!call || call->kind < CALL_PLAY)
			continue;
		call_free(api, call);
		cluster_respond(api, &end);
	}
	end_all_remote(api);
	if (api->watch)
		api->watch->heard(api->watch->ctx, NULL);
}

void api_hear(struct api *api, const char *text)
{
	json_t *message = text ? json_loads(text, 0, NULL) : NULL;
	if (api->cluster && !api->closing && !text)
		cluster_missed(api);
	const bool own = api->cluster && strcmp(text_of(message, "from"), api->cluster->node) == 0;
	if (api->cluster && !api->closing && !own && json_is_object(message)) {
		if (json_object_get(message, "ask"))
			run_guest(api, message);
		else if (json_object_get(message, "reply"))
			take_reply(api, message);
		else if (json_object_get(message, "cancel"))
			cancel_guest(api, message);
		else if (json_object_get(message, "left"))
			node_left(api, text_of(message, "from"));
		else if (json_object_get(message, "charges"))
			charges_hear(api, json_object_get(message, "charges"));
		else if (json_object_get(message, "lobby"))
			api->lobby_heard = true;
		else if (json_object_get(message, "unload"))
			room_unload(api, text_of(message, "unload"));
		else if (json_object_get(message, "claimed"))
			room_taken(api, text_of(message, "claimed"), number_of(message, "epoch"));
		else if (api->watch && json_object_get(message, "imcs"))
			api->watch->heard(api->watch->ctx, message);
		else if (json_object_get(message, "forget")) {
			users_forget(api);
			tokens_forget(api, NULL);
		}
	}
	json_decref(message);
}

bool cluster_respond(struct api *api, const struct api_response *response)
{
	struct cluster *c = api->cluster;
	if (!(response->call & FROM_NODE))
		return false;
	struct guest_call *guest = map_find(&c->guests, response->call);
	if (!guest) /* it was cancelled there */
		return true;
	const struct letter_call call = { guest->number, guest->call, guest->messages++ };
	const bool waits = c->letters.first;
	const uint64_t letter =
		letters_add(&c->letters, guest->node, &call, guest->letter, response);
	guest->letter = letter ? letter : guest->letter;
	if (!waits) /* they leave in the next turn */
		api->setup.host.wake(api->setup.host.ctx);
	if (response->end) {
		map_remove(&c->guests, guest->number, guest);
		free(guest);
	}
	return true;
}

/* Takes the JSON. */
static void tell_all(struct api *api, json_t *json, bool stored)
{
	struct cluster *c = api->cluster;
	const bool now = c && !api->closing && stored == (c->setup.send != NULL);
	if (now)
		json_object_set_new(json, "from", json_string(c->node));
	char *text = now ? json_to_text(json, JSON_COMPACT) : NULL;
	if (!now)
		json_decref(json);
	if (text && stored)
		c->setup.send(c->setup.ctx, "", text);
	else if (text)
		store_tell(api->store, "", text, strlen(text));
	free(text);
}

/* The others learn of it at once, and not when they look at the nodes. */
void cluster_leave(struct api *api)
{
	if (!api->cluster || !api->store)
		return;
	send_letters(api);
	store_drop_node(api->store, api->cluster->node);
	tell_all(api, json_pack("{s:b}", "left", 1), false);
	store_end_unit(api->store, NULL, NULL);
	tell_all(api, json_pack("{s:b}", "left", 1), true);
}

void cluster_forget(struct api *api, bool stored)
{
	tell_all(api, json_pack("{s:b}", "forget", 1), stored);
}

void cluster_unload(struct api *api, const char *play, bool stored)
{
	tell_all(api, json_pack("{s:s}", "unload", play), stored);
}
