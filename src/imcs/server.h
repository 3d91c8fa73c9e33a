/*
 * server.h - the server of IMCS 2.5, minichess over a line protocol: bytes in, bytes out.
 * SPDX-License-Identifier: MIT
 *
 * Accounts, offers, games, clocks and ratings, as the original server has them; docs/imcs.md lists
 * what was corrected. It does no input or output, reads no clock and starts no thread: the host
 * passes bytes and the time in milliseconds, and does what its functions ask for. All calls come
 * from one thread.
 *
 *   peer = imcs_connect(s, conn, address, now)    greets
 *   imcs_bytes(s, peer, bytes, size, now)         whatever has come, in pieces of any size
 *   imcs_end(s, peer, now)                        it will send no more (it may still read)
 *   imcs_gone(s, peer, now)                       it can neither be read nor written
 *   imcs_tick(s, now)                             at imcs_due(s): a flag falls
 *
 * All that one call has to say to a peer is one `write`. After `close` the peer is no more.
 *
 * Several servers may share their accounts, offers and games (imcs_shared). Each has the peers that
 * are connected to it, and the games that they offered. Whoever accepts an offer of another server
 * visits it for that game, to the end of which the bytes pass through both.
 */
#ifndef IMCS_SERVER_H
#define IMCS_SERVER_H

#include "base/text.h"

struct imcs;
struct imcs_peer;

enum {
	IMCS_PORT = 3589,
	IMCS_NAME = 24,	       /* characters of a name */
	IMCS_PASSWORD = 128,   /* characters of a password */
	IMCS_HASH = 128,       /* bytes of its hash, NUL included */
	IMCS_ADDRESS = 80,     /* bytes of a peer's address and port, NUL included */
	IMCS_LINE = 1000,      /* bytes of a line */
	IMCS_WAITING = 65536,  /* bytes that a peer may send before they can be handled */
	IMCS_RATING = 1000,    /* of a new account */
	IMCS_MOST_S = 86400,   /* seconds on a clock */
	IMCS_FIRST_MS = 60000, /* for White's first move, which costs no time */
	IMCS_ACCOUNTS = 1000000,
	IMCS_PLACE = 64, /* bytes of the name of a server, NUL included */
};

enum { IMCS_WHITE, IMCS_BLACK };

struct imcs_account {
	char name[IMCS_NAME + 1], hash[IMCS_HASH];
	int rating;
};

/* How a game ended. IMCS_BY_LEAVING: a peer disconnected. */
enum imcs_end { IMCS_BY_RULES, IMCS_BY_RESIGNING, IMCS_BY_TIME, IMCS_BY_LEAVING, IMCS_BY_STOP };

/* An event of a game. */
struct imcs_news {
	enum { IMCS_GAME_BEGINS, IMCS_GAME_MOVES, IMCS_GAME_ENDS } kind;
	int64_t id;
	const struct imcs_account *players[2]; /* White, Black */
	const struct qv_record *record;	       /* ended, with its reason, when the game is */
	const char *move;		       /* IMCS_GAME_MOVES: as on the wire */
	int64_t left_ms[2];
	int ratings[2];	      /* when it began */
	/* IMCS_GAME_ENDS */
	int changes[2]; /* of the ratings; the players have them already */
	int winner; /* a seat, -1: a draw, QV_UNDECIDED: stopped */
	enum imcs_end end;
	const char *result; /* "W wins on opponent time" */
	const char *log;    /* as the original's log file */
	size_t log_size;
};

/* An offer or a game of another server. */
struct imcs_listed {
	int64_t id;
	char place[IMCS_PLACE];			       /* the server */
	char white[IMCS_NAME + 1], black[IMCS_NAME + 1]; /* of an offer: who offers, and "" */
	char color;				       /* of who offers */
	int64_t offer_s[2];			       /* seconds of who offers, and of the other */
	int ratings[2];				       /* of both, or of who offers */
};

/* What follows bytes of a peer: perhaps others, no others, or it cannot even be written to. */
enum imcs_follows { IMCS_FOLLOWS, IMCS_ENDED, IMCS_GONE };

enum imcs_change { IMCS_ADDED, IMCS_NEW_PASSWORD, IMCS_RERATED };

/*
 * What the host does for a server that shares its accounts, offers and games with others. Peers
 * wait for the responses, which may come at once.
 */
struct imcs_shared {
	/* Updates the accounts, and if asked for the entries of others; then imcs_refreshed. */
	void (*refresh)(void *ctx, void *conn, bool entries);
	/* Lists an offer, whose id and place are not set; then imcs_offered. */
	void (*offer)(void *ctx, void *conn, const struct imcs_listed *offer);
	void (*withdraw)(void *ctx, int64_t id);     /* an offer of this server is gone */
	void (*clean)(void *ctx, const char *name); /* the others withdraw the offers of NAME */
	/* Passes an `accept` on to where the offer is; then imcs_visited. */
	void (*visit)(void *ctx, void *conn, const struct imcs_listed *offer,
		      const struct imcs_account *account, const char *address, char color);
	/*
	 * Passes bytes of a visitor on, if it can now, or calls imcs_more when it can; returns how
	 * many. Without bytes it always can.
	 */
	size_t (*forward)(void *ctx, void *conn, const char *bytes, size_t size,
			  enum imcs_follows follows);
};

/*
 * What the host does; all but `shared` are required. Only imcs_password, imcs_stored and what answers
 * to the functions of `shared` may be called from within them.
 */
struct imcs_host {
	void (*write)(void *ctx, void *conn, const char *bytes, size_t size);
	void (*close)(void *ctx, void *conn); /* once what was written is out */
	/* Both answer with imcs_password, later or at once. The texts are valid in the call only. */
	void (*hash)(void *ctx, void *conn, const char *password);
	void (*check)(void *ctx, void *conn, const char *password, const char *hash);
	bool (*is_reserved)(void *ctx, const char *name); /* nobody may register it */
	bool (*may_register)(void *ctx, void *conn);
	bool (*may_log_in)(void *ctx, void *conn, const char *name); /* even to an unknown name */
	/*
	 * May a line of the peer be handled now? costly: a command that has something stored. False:
	 * the host calls imcs_more when it may be tried again, and reads nothing until then.
	 */
	bool (*may_go_on)(void *ctx, void *conn, bool costly);
	/* Stores a change of an account, and makes it in this server; then imcs_stored. */
	void (*store)(void *ctx, void *conn, const struct imcs_account *account,
		      enum imcs_change change);
	void (*game)(void *ctx, const struct imcs_news *news);
	void (*stopped)(void *ctx);    /* by the admin; what is said is written after it */
	int64_t (*seconds)(void *ctx); /* since 1970 */
	bool (*coin)(void *ctx);
	const struct imcs_shared *shared; /* NULL: there are no other servers */
	void *ctx;
};

struct imcs_setup {
	const struct qv_context *context; /* borrowed */
	struct imcs_host host;
	int64_t next_id; /* of a game; 1 at first */
};

/* The setup is copied. Free the server with imcs_free. */
enum qv_status imcs_new(const struct imcs_setup *setup, struct imcs **out, struct qv_error *error);
/* Writes nothing and calls nothing of the host. NULL is fine. */
void imcs_free(struct imcs *s);
/* Adds a stored account, in order of registration; also the admin's. QV_NO_MEMORY. */
enum qv_status imcs_add_account(struct imcs *s, const struct imcs_account *account);
/* The same, or changes the account of that name. */
enum qv_status imcs_put_account(struct imcs *s, const struct imcs_account *account);
/* The account of that name, valid until another one is added; NULL: no such account. */
const struct imcs_account *imcs_find_account(const struct imcs *s, const char *name);

/*
 * A client has connected; it gets the greeting. NULL: not enough memory, or the server is stopping
 * and has written so. Close the connection then, after its output.
 */
struct imcs_peer *imcs_connect(struct imcs *s, void *conn, const char *address, int64_t now);
void imcs_bytes(struct imcs *s, struct imcs_peer *peer, const char *bytes, size_t size,
		int64_t now);
void imcs_end(struct imcs *s, struct imcs_peer *peer, int64_t now);
void imcs_gone(struct imcs *s, struct imcs_peer *peer, int64_t now);
/* The answer to `hash` (the hash; NULL: not enough memory) or to `check`. */
enum imcs_checked { IMCS_WRONG, IMCS_RIGHT, IMCS_TOO_MANY }; /* TOO_MANY: it was not checked */
void imcs_password(struct imcs *s, struct imcs_peer *peer, const char *hash,
		   enum imcs_checked checked, int64_t now);
/* The answer to `store`. IMCS_TAKEN: a new name that somebody has, or one like it. */
enum imcs_storing { IMCS_NOT_STORED, IMCS_STORED, IMCS_TAKEN };
void imcs_stored(struct imcs *s, struct imcs_peer *peer, enum imcs_storing stored, int64_t now);
/* After may_go_on or `forward`: the peer's input is looked at again. */
void imcs_more(struct imcs *s, struct imcs_peer *peer, int64_t now);

/* ---- Several servers: shared.c ---- */

/* What the others list, in the order of the list. Copied. */
enum qv_status imcs_set_others(struct imcs *s, const struct imcs_listed *others, int count);
/* ok: otherwise the database cannot be read. */
void imcs_refreshed(struct imcs *s, struct imcs_peer *peer, bool ok, int64_t now);
/* id 0: there are too many; -1: it could not be stored. */
void imcs_offered(struct imcs *s, struct imcs_peer *peer, int64_t id, int64_t now);
/* text: the response to its `accept`. begun: it plays there from now on. */
void imcs_visited(struct imcs *s, struct imcs_peer *peer, bool begun, const char *text, size_t size,
		  int64_t now);
/* What the server that it visits has written; close: and its game there is over. */
void imcs_relay(struct imcs *s, struct imcs_peer *peer, const char *text, size_t size, bool close,
		int64_t now);
/*
 * The connection between the servers is lost: the game of a visitor, at either end, ends without a
 * result.
 */
void imcs_break_off(struct imcs *s, struct imcs_peer *peer, int64_t now);
/*
 * A visitor of another server accepts an offer of this one. The response is written; NULL: it was
 * refused, and the peer is closed. Otherwise it is a peer like any other.
 */
struct imcs_peer *imcs_visit(struct imcs *s, void *conn, const char *address, const char *name,
			     int64_t id, char color, int64_t now);
/* Withdraws the offers of an account, or with NULL those of all. */
void imcs_withdraw(struct imcs *s, const char *name, int64_t now);
/*
 * Others may have taken this server for dead. Games that are not among these end without a result,
 * and offers are withdrawn.
 */
void imcs_keep_only(struct imcs *s, const int64_t *ids, size_t count, int64_t now);
bool imcs_has_entry(const struct imcs *s, int64_t id); /* an offer or a game of this server */

int64_t imcs_due(const struct imcs *s); /* when a flag falls; -1: never */
void imcs_tick(struct imcs *s, int64_t now);
/* The host ends: breaks running games off, and closes all connections. */
void imcs_shut(struct imcs *s, int64_t now);
int imcs_games(const struct imcs *s); /* that are being played */

/* ---- Texts: pure functions ---- */

/* Reads "300" or "5:00"; false: neither, or more than IMCS_MOST_S. */
bool imcs_read_time(const char *text, int64_t *seconds);
/* floor(32 * (S - E)); outcome: 1 won, 0 drawn, -1 lost. */
int imcs_rate(int own, int other, int outcome);
bool imcs_is_move(const char *text, size_t length); /* a2-a3 */
/* Appends refused input as the original echoes it: '\' doubled, unprintable bytes as \[xx]. */
void imcs_add_shown(struct string *out, const char *text, size_t length);
/* "05:00.000" */
void imcs_add_clock(struct string *out, int64_t ms);

#endif
