/*
 * server.h - the server of IMCS 2.5, minichess over a line protocol: bytes in, bytes out.
 * SPDX-License-Identifier: MIT
 *
 * Accounts, offers, games, clocks and ratings, as the original has them on the wire; docs/imcs.md
 * says what was mended. No input or output here, no clock and no thread: the host says what has
 * come and what time it is, and does what its functions ask for.
 *
 *   peer = imcs_connect(s, conn, address, now)    greets
 *   imcs_bytes(s, peer, bytes, size, now)         whatever has come, in pieces of any size
 *   imcs_end(s, peer, now)                        it will send no more (it may still read)
 *   imcs_gone(s, peer, now)                       it can neither be read nor written
 *   imcs_tick(s, now)                             at imcs_due(s): a flag falls
 *
 * All that one call has to say to a peer is one `write`. After `close` the peer is no more.
 */
#ifndef IMCS_SERVER_H
#define IMCS_SERVER_H

#include "base/text.h"

struct imcs;
struct imcs_peer;

enum {
	IMCS_PORT = 3589,
	IMCS_NAME = 24,	       /* characters of a name */
	IMCS_PASSWORD = 128,   /* ... of a password */
	IMCS_HASH = 128,       /* the hash of one fits, with its NUL */
	IMCS_ADDRESS = 80,     /* likewise where a peer comes from, with its port */
	IMCS_LINE = 1000,      /* bytes of a line */
	IMCS_WAITING = 65536,  /* bytes that a peer may send before they can be read */
	IMCS_RATING = 1000,    /* to begin with */
	IMCS_MOST_S = 86400,   /* seconds on a clock */
	IMCS_FIRST_MS = 60000, /* for White's first move, which is free */
	IMCS_ACCOUNTS = 1000000,
};

enum { IMCS_WHITE, IMCS_BLACK };

struct imcs_account {
	char name[IMCS_NAME + 1], hash[IMCS_HASH];
	int rating;
};

enum imcs_end { IMCS_BY_RULES, IMCS_BY_RESIGNING, IMCS_BY_TIME, IMCS_BY_LEAVING, IMCS_BY_STOP };

/* What happens in a game. */
struct imcs_news {
	enum { IMCS_GAME_BEGINS, IMCS_GAME_MOVES, IMCS_GAME_ENDS } kind;
	int64_t id;
	const struct imcs_account *players[2]; /* White, Black */
	const struct qv_record *record;	       /* ended, with its reason, when the game is */
	const char *move;		       /* IMCS_GAME_MOVES: as on the wire */
	int64_t left_ms[2];
	/* IMCS_GAME_ENDS */
	int winner; /* a seat, -1: a draw, QV_UNDECIDED: stopped */
	enum imcs_end end;
	const char *result; /* "W wins on opponent time" */
	const char *log;    /* as the original's log file */
	size_t log_size;
};

/* What the host does; all required. They may not call back, except imcs_password. */
struct imcs_host {
	void (*write)(void *ctx, void *conn, const char *bytes, size_t size);
	void (*close)(void *ctx, void *conn); /* once what was written is out */
	/* Both: later, or at once, imcs_password(s, peer, ...). The texts are valid in the call
	 * only. */
	void (*hash)(void *ctx, void *conn, const char *password);
	void (*check)(void *ctx, void *conn, const char *password, const char *hash);
	bool (*may_register)(void *ctx, void *conn);
	void (*keep)(void *ctx, const struct imcs_account *account); /* new, or changed */
	void (*game)(void *ctx, const struct imcs_news *news);
	void (*stopped)(void *ctx);    /* by the admin; what is said is written after it */
	int64_t (*seconds)(void *ctx); /* since 1970 */
	bool (*coin)(void *ctx);
	void *ctx;
};

struct imcs_setup {
	const struct qv_context *context; /* borrowed */
	struct imcs_host host;
	int64_t next_id; /* of a game; 1 at first */
};

enum qv_status imcs_new(const struct imcs_setup *setup, struct imcs **out, struct qv_error *error);
/* Says nothing to anybody, and calls nothing. NULL is fine. */
void imcs_free(struct imcs *s);
/* An account from the store, in order of registration; also the admin's. */
enum qv_status imcs_add_account(struct imcs *s, const struct imcs_account *account);
const struct imcs_account *imcs_find_account(const struct imcs *s,
					     const char *name); /* NULL: none */

/* NULL: no memory, or the server stops and has said so: close it, once what was written is out. */
struct imcs_peer *imcs_connect(struct imcs *s, void *conn, const char *address, int64_t now);
void imcs_bytes(struct imcs *s, struct imcs_peer *peer, const char *bytes, size_t size,
		int64_t now);
void imcs_end(struct imcs *s, struct imcs_peer *peer, int64_t now);
void imcs_gone(struct imcs *s, struct imcs_peer *peer, int64_t now);
/* The answer to hash (the hash; NULL: no memory) or to check (good). */
void imcs_password(struct imcs *s, struct imcs_peer *peer, const char *hash, bool good,
		   int64_t now);

int64_t imcs_due(const struct imcs *s); /* when a flag falls; -1: never */
void imcs_tick(struct imcs *s, int64_t now);
/* The host ends: running games are broken off, and everybody is closed. */
void imcs_shut(struct imcs *s, int64_t now);
int imcs_games(const struct imcs *s); /* that are being played */

/* ---- Texts: pure functions ---- */

/* "300", "5:00"; false: neither, or more than IMCS_MOST_S. */
bool imcs_read_time(const char *text, int64_t *seconds);
/* floor(32 * (S - E)); outcome: 1 won, 0 drawn, -1 lost. */
int imcs_rate(int own, int other, int outcome);
bool imcs_is_move(const char *text, size_t length); /* a2-a3 */
/* As the original echoes what it does not take: '\' doubled, what does not print as \[xx]. */
void imcs_add_shown(struct string *out, const char *text, size_t length);
/* "05:00.000" */
void imcs_add_clock(struct string *out, int64_t ms);

#endif
