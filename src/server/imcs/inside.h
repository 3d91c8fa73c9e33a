/*
 * inside.h - what the files of the IMCS server on a loop share.
 * SPDX-License-Identifier: MIT
 *
 * - listen.c: sockets, timers, passwords in threads; run.c: without the web server
 * - records.c: accounts and games in the store, and games on the page
 * - hall.c: accounts, offers and games of several servers of one database; visitors.c: players
 *   whose game is at another server
 */
#ifndef SERVER_IMCS_INSIDE_H
#define SERVER_IMCS_INSIDE_H

#include "imcs/server.h"
#include "server/api/api.h"
#include "server/imcs/records.h"
#include "server/store/store.h"

struct hall;

/*
 * What the protocol has as a connection: a socket of this server (listen.c), or a visitor, whose
 * socket is at another one (visitors.c).
 */
struct imcs_link {
	struct imcs_peer *peer; /* NULL: the protocol has none, or not yet */
	uint64_t number;	/* among those of this server; 0: the server is alone */
	bool is_visitor;
	/* A socket whose player is at another server, or asks to play there. */
	char place[STORE_NODE]; /* the server; "": none */
	int64_t asked_ms;	/* when it asked; 0: it plays there */
	bool busy;		/* bytes are on their way there */
	int portions;		/* of bytes that may follow */
	int64_t sent, heard;	/* messages, in both directions */
};

/* What outlives connections; the `ctx` of the protocol's host. */
struct imcs_base {
	struct imcs *server;
	struct imcs_records *records;
	struct hall *hall; /* NULL: there are no other servers */
	/* After each call of the protocol that the host did not make itself. */
	void (*acted)(struct imcs_base *base);
	int64_t (*now_ms)(void);
};

/* ---- hall.c ---- */

/* NULL: the server is alone. */
const struct imcs_shared *hall_functions(const struct api *api);
/* For a server with others; *out stays NULL if it is alone. After base->records and server. */
enum qv_status hall_open(struct imcs_base *base, struct api *api, struct hall **out,
			 struct qv_error *error);
/* Before the server is freed. NULL is fine. */
void hall_close(struct hall *h);
/* The `store` function of imcs_host, for a server with others. */
void hall_store(void *ctx, void *conn, const struct imcs_account *account, enum imcs_change change);
/* Now and then. NULL is fine. */
void hall_sweep(struct hall *h);
/* A connection with a peer, and one that has none any more. False: out of memory. */
bool hall_add(struct hall *h, struct imcs_link *link);
void hall_remove(struct hall *h, struct imcs_link *link);
/* A visitor gets something to read, or is closed. */
void visitor_write(struct hall *h, struct imcs_link *link, const char *bytes, size_t size);
void visitor_close(struct hall *h, struct imcs_link *link);

#endif
