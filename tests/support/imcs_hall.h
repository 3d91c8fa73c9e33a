/*
 * imcs_hall.h - an IMCS server with its guests, without a network: what each has heard, a clock
 * that stands still until it is moved, and what the host was told. It may be one of several
 * servers, of which the host knows one offer.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_IMCS_HALL_H
#define TEST_IMCS_HALL_H

#include <stdlib.h>

#include "imcs/server.h"

enum { HALL_GUESTS = 512, HALL_OFFER = 90 };

struct guest {
	char name[32];
	struct imcs_peer *peer; /* NULL: closed, or it never was */
	struct string heard;	/* and not yet looked at */
	size_t writes;
	char hash[IMCS_HASH]; /* what imcs_password is going to say */
	bool asked, good;
	/* What imcs_shared has asked for. */
	enum { ASKED_NOTHING, ASKED_REFRESH, ASKED_STORE, ASKED_OFFER, ASKED_VISIT } shared;
	struct imcs_account account;
	enum imcs_change change;
	bool away; /* it plays at the other server */
};

struct hall {
	struct qv_context *context;
	struct imcs *server;
	struct guest guests[HALL_GUESTS];
	int count;
	int64_t now;
	bool coin, slow; /* slow: hashes wait for hall_hashes */
	bool full;	 /* nobody may register */
	bool barred;	 /* nobody may log in */
	bool limited;	 /* so many lines may be handled: */
	int lines_left, costly_left;
	int64_t next_id; /* of an offer, with other servers */
	bool elsewhere;	 /* another server has an offer, HALL_OFFER */
	bool failing;	 /* the database does not respond */
	size_t forwarded; /* bytes of guests who are away */
	int begun, moved, ended, stopped, kept;
	int winner;	 /* of the last game that ended, as its record says */
	char result[80]; /* of the last game that ended */
	enum imcs_end end;
	struct string log;
};

static inline void hall_write(void *ctx, void *conn, const char *bytes, size_t size)
{
	struct guest *g = conn;
	(void)ctx;
	string_add(&g->heard, bytes, size);
	g->writes++;
}

static inline void hall_close(void *ctx, void *conn)
{
	struct guest *g = conn;
	(void)ctx;
	g->peer = NULL;
}

static inline void hall_hash(void *ctx, void *conn, const char *password)
{
	struct guest *g = conn;
	(void)ctx;
	snprintf(g->hash, sizeof g->hash, "#%.120s", password);
	g->asked = g->good = true;
}

static inline void hall_check(void *ctx, void *conn, const char *password, const char *hash)
{
	struct guest *g = conn;
	hall_hash(ctx, conn, password);
	g->good = strcmp(g->hash, hash) == 0;
}

static inline bool hall_may_log_in(void *ctx, void *conn, const char *name)
{
	const struct hall *h = ctx;
	(void)conn;
	return *name && !h->barred; /* an empty name has no account */
}

static inline bool hall_is_reserved(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "Quevedo") == 0;
}

static inline bool hall_may_register(void *ctx, void *conn)
{
	const struct hall *h = ctx;
	(void)conn;
	return !h->full;
}

static inline bool hall_may_go_on(void *ctx, void *conn, bool costly)
{
	struct hall *h = ctx;
	int *left = costly ? &h->costly_left : &h->lines_left;
	(void)conn;
	return !h->limited || (*left)-- > 0;
}

static inline void hall_game(void *ctx, const struct imcs_news *news)
{
	struct hall *h = ctx;
	h->begun += news->kind == IMCS_GAME_BEGINS;
	h->moved += news->kind == IMCS_GAME_MOVES;
	if (news->kind != IMCS_GAME_ENDS)
		return;
	h->ended++;
	h->end = news->end;
	h->winner = qv_record_winner(news->record);
	snprintf(h->result, sizeof h->result, "%s", news->result);
	h->log.length = 0;
	string_add(&h->log, news->log, news->log_size);
}

static inline void hall_stopped(void *ctx)
{
	struct hall *h = ctx;
	h->stopped++;
}

static inline int64_t hall_seconds(void *ctx)
{
	(void)ctx;
	return 1794700593;
}

static inline bool hall_coin(void *ctx)
{
	const struct hall *h = ctx;
	return h->coin;
}

/* ---- With other servers ---- */

static inline void hall_refresh(void *ctx, void *conn, bool entries)
{
	struct guest *g = conn;
	(void)ctx, (void)entries;
	g->shared = ASKED_REFRESH;
}

static inline void hall_store(void *ctx, void *conn, const struct imcs_account *account,
			      enum imcs_change change)
{
	struct guest *g = conn;
	struct hall *h = ctx;
	h->kept++;
	g->shared = ASKED_STORE;
	g->change = change;
	g->account = *account;
}

static inline void hall_offer(void *ctx, void *conn, const struct imcs_listed *offer)
{
	struct guest *g = conn;
	(void)ctx, (void)offer;
	g->shared = ASKED_OFFER;
}

static inline void hall_withdraw(void *ctx, int64_t id)
{
	(void)ctx, (void)id;
}

static inline void hall_clean(void *ctx, const char *name)
{
	(void)ctx, (void)name;
}

static inline void hall_visit(void *ctx, void *conn, const struct imcs_listed *offer,
			      const struct imcs_account *account, const char *address, char color)
{
	struct guest *g = conn;
	(void)ctx, (void)offer, (void)account, (void)address, (void)color;
	g->shared = ASKED_VISIT;
}

static inline size_t hall_forward(void *ctx, void *conn, const char *bytes, size_t size,
				  enum imcs_follows follows)
{
	struct hall *h = ctx;
	const size_t part = size < 5 ? size : 5;
	(void)conn, (void)bytes, (void)follows;
	h->forwarded += part;
	return part;
}

/* The host responds to what was asked for. */
static inline void hall_respond(struct hall *h, struct guest *g)
{
	static const char begun[] = "105 W 5:00 5:00 game starts\r\n", refused[] = "408 no such game\r\n";
	const struct imcs_listed offer = { .id = HALL_OFFER,
					   .place = "two",
					   .white = "zed",
					   .color = '?',
					   .offer_s = { 300, 300 },
					   .ratings = { 1000, 0 } };
	const int asked = (int)g->shared;
	g->shared = ASKED_NOTHING;
	if (asked == ASKED_REFRESH) {
		if (imcs_set_others(h->server, &offer, h->elsewhere) == QV_OK)
			imcs_refreshed(h->server, g->peer, !h->failing, h->now);
		else
			imcs_refreshed(h->server, g->peer, false, h->now);
	} else if (asked == ASKED_STORE) {
		const bool taken = g->change == IMCS_ADDED &&
				   imcs_find_account(h->server, g->account.name);
		const bool ok = !h->failing && !taken &&
				imcs_put_account(h->server, &g->account) == QV_OK;
		imcs_stored(h->server, g->peer,
			    ok	    ? IMCS_STORED
			    : taken ? IMCS_TAKEN
				    : IMCS_NOT_STORED,
			    h->now);
	} else if (asked == ASKED_OFFER) {
		imcs_offered(h->server, g->peer, h->failing ? -1 : h->full ? 0 : h->next_id++,
			     h->now);
	} else if (asked == ASKED_VISIT) {
		g->away = h->coin;
		imcs_visited(h->server, g->peer, h->coin, h->coin ? begun : refused,
			     strlen(h->coin ? begun : refused), h->now);
	}
}

static inline const struct imcs_shared *hall_shared(void)
{
	static const struct imcs_shared functions = { hall_refresh, hall_offer, hall_withdraw,
						      hall_clean,   hall_visit, hall_forward };
	return &functions;
}

/* The context is the hall's from now on. shared: as one of several servers. */
static inline struct hall *hall_new_with(struct qv_context *context, int64_t next_id, bool shared)
{
	struct hall *h = calloc(1, sizeof *h);
	h->context = context;
	h->next_id = next_id;
	h->log.allocator = &mem_malloc;
	const struct imcs_setup setup = {
		.context = context,
		.next_id = next_id,
		.host = { .write = hall_write,
			  .close = hall_close,
			  .hash = hall_hash,
			  .check = hall_check,
			  .is_reserved = hall_is_reserved,
			  .may_register = hall_may_register,
			  .may_log_in = hall_may_log_in,
			  .may_go_on = hall_may_go_on,
			  .store = hall_store,
			  .game = hall_game,
			  .stopped = hall_stopped,
			  .seconds = hall_seconds,
			  .coin = hall_coin,
			  .shared = shared ? hall_shared() : NULL,
			  .ctx = h },
	};
	if (imcs_new(&setup, &h->server, NULL) != QV_OK)
		abort();
	return h;
}

static inline struct hall *hall_new(struct qv_context *context, int64_t next_id)
{
	return hall_new_with(context, next_id, false);
}

static inline void hall_free(struct hall *h)
{
	imcs_free(h->server);
	for (int i = 0; i < h->count; i++)
		string_release(&h->guests[i].heard);
	string_release(&h->log);
	qv_context_free(h->context);
	free(h);
}

/* With the password "pw". */
static inline void hall_account(struct hall *h, const char *name, int rating)
{
	struct imcs_account account = { .hash = "#pw", .rating = rating };
	snprintf(account.name, sizeof account.name, "%.24s", name);
	if (imcs_add_account(h->server, &account) != QV_OK)
		abort();
}

/* The newest of that name. */
static inline struct guest *hall_guest(struct hall *h, const char *name)
{
	for (int i = h->count - 1; i >= 0; i--)
		if (strcmp(h->guests[i].name, name) == 0)
			return &h->guests[i];
	return NULL;
}

static inline void hall_hashes(struct hall *h)
{
	for (bool any = true; any;) {
		any = false;
		for (int i = 0; i < h->count; i++) {
			struct guest *g = &h->guests[i];
			if ((!g->asked && !g->shared) || !g->peer)
				continue;
			any = true;
			if (g->shared) {
				hall_respond(h, g);
				continue;
			}
			g->asked = false;
			imcs_password(h->server, g->peer, g->hash, g->good, h->now);
		}
	}
}

static inline struct guest *hall_connect(struct hall *h, const char *name)
{
	struct guest *g = &h->guests[h->count++];
	char address[64];
	snprintf(g->name, sizeof g->name, "%s", name);
	snprintf(address, sizeof address, "127.0.0.1:%d", 1000 + h->count);
	g->heard.allocator = &mem_malloc;
	g->peer = imcs_connect(h->server, g, address, h->now);
	return g;
}

static inline void hall_say(struct hall *h, struct guest *g, const char *bytes, size_t size)
{
	if (g->peer)
		imcs_bytes(h->server, g->peer, bytes, size, h->now);
	if (!h->slow)
		hall_hashes(h);
}

static inline void hall_line(struct hall *h, struct guest *g, const char *line)
{
	hall_say(h, g, line, strlen(line));
	hall_say(h, g, "\r\n", 2);
}

#endif
