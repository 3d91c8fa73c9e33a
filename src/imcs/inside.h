/*
 * inside.h - the IMCS server from inside, for the files that make it up.
 * SPDX-License-Identifier: MIT
 *
 * A peer gives commands, waits (for a hash, or with an offer), or plays. A peer that has output, or
 * may have a line that can be handled now, is *touched*. At the end of every call the lines of the
 * touched peers are handled first, and then each of them gets its output in one write (settle).
 */
#ifndef IMCS_INSIDE_H
#define IMCS_INSIDE_H

#include "base/map.h"
#include "imcs/server.h"
#include "session/game_session.h"

enum peer_mode {
	PEER_COMMANDS,
	PEER_HASHING,  /* waits for imcs_password */
	PEER_OFFERING, /* waits until the offer is accepted */
	PEER_PLAYING,
	PEER_WAITING,  /* for the host, see enum wait */
	PEER_AWAY,     /* visits another server, until it is closed */
	PEER_STOPPING, /* the admin who waits for the last game */
	PEER_CLOSED,   /* gets its remaining output, and is freed then */
};

enum { IMCS_TOP = 10 }; /* accounts that `ratings` lists */

/* Which command waits for the host while PEER_HASHING. */
enum hash_purpose { HASH_LOGIN, HASH_REGISTER, HASH_PASSWORD };

/* What a PEER_WAITING waits for. */
enum wait { WAIT_REFRESH, WAIT_STORE, WAIT_OFFER, WAIT_VISIT };

struct imcs_peer {
	void *conn; /* the host's */
	enum peer_mode mode;
	int account; /* -1: not logged in */
	char address[IMCS_ADDRESS];
	struct string in, out;
	size_t read;   /* bytes of `in` that have been handled */
	bool skipping; /* inside a line that is too long */
	bool ended;    /* it sends no more */
	bool gone;     /* and it cannot be written to, either */
	bool owes;     /* its last line in the game was no move: the next one is limited */
	enum hash_purpose purpose;
	char hash_name[IMCS_NAME + 1];
	enum wait wait;
	enum imcs_change change; /* WAIT_STORE */
	struct imcs_listed offer; /* WAIT_OFFER */
	struct string line;	  /* WAIT_REFRESH: the command, which runs again */
	bool fresh;		  /* it runs again */
	bool visitor;		  /* its connection is at another server */
	bool end_passed;	  /* PEER_AWAY: the other server knows that no more comes */
	struct entry *entry; /* its offer or its game */
	bool touched, told;  /* it is in the list of that name */
	struct imcs_peer *next_touched, *next_told, *next, *before;
};

/*
 * A line of `list`: an offer, or a game. An offer becomes a game in place, keeps its number, and
 * moves to the end of the list. It is freed when the game or the offer ends.
 */
struct entry {
	int64_t id;
	struct imcs_peer *offerer; /* NULL: it is a game */
	char color;		   /* the offerer's: W, B, or ? */
	int64_t offer_s[2];	   /* seconds of the offerer, and of its opponent */

	struct imcs_peer *peers[2];  /* White, Black; NULL: gone */
	int accounts[2], ratings[2]; /* ratings: at the beginning */
	struct game_session game;    /* empty while it is an offer */
	struct string log;	     /* as the original writes it, for the host */
	struct entry *next, *before;
};

struct imcs {
	struct imcs_setup setup;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct imcs_account *accounts;
	int account_count;
	size_t account_room;
	struct map names; /* hashes of names to indexes of accounts */
	int top[IMCS_TOP], top_count; /* the best, in order */
	bool top_known;		      /* false: to be found again */
	struct imcs_listed *others; /* entries of other servers */
	int other_count;
	size_t other_room;
	struct imcs_peer *peers;
	struct entry *first, *last;
	int64_t next_id; /* of the next offer */
	int64_t now;	 /* milliseconds, as the host passed it last */
	bool stopping;	 /* no new games: it stops after the last one */
	bool stopped, settling;
	struct imcs_peer *admin;		  /* who stops it; NULL: nobody, or gone */
	struct imcs_peer *greeted;		  /* the newest one; NULL: gone already */
	struct imcs_peer *touched, **touched_end; /* a queue: their lines are to be handled */
	struct imcs_peer *told;			  /* a list: their output is to be written */
};

/* ---- server.c ---- */

/* Handles the lines of touched peers, then writes; see above. */
void imcs_settle(struct imcs *s);
/* A peer that is not logged in, among the others and `greeted`; NULL: out of memory. */
struct imcs_peer *imcs_peer_new(struct imcs *s, void *conn, const char *address);
void imcs_touch(struct imcs *s, struct imcs_peer *p);
/* Appends a line to the peer's output; the end of the line is added. At most 255 bytes. */
void imcs_say(struct imcs *s, struct imcs_peer *p, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Closes the peer after its output. It leaves neither offer nor game: do that first. */
void imcs_close_peer(struct imcs *s, struct imcs_peer *p);
/* Adds an entry at the end of the list; NULL: no memory. */
struct entry *imcs_add_entry(struct imcs *s, int64_t id);
void imcs_drop_entry(struct imcs *s, struct entry *e); /* and frees it */
void imcs_drop_offer(struct imcs *s, struct entry *e); /* the same; the others hear of it */
void imcs_last_entry(struct imcs *s, struct entry *e); /* moves it to the end of the list */
/* The rating of the account is new. */
void imcs_rated(struct imcs *s, int account);
/* The index of the account; -1: no such account. */
int imcs_account_number(const struct imcs *s, const char *name);
/* Ends an offer, and tells who made it. */
void imcs_withdraw_entry(struct imcs *s, struct entry *e);
/* Ends all offers of the account, or with -1 of all accounts; returns their number. */
int imcs_clean(struct imcs *s, int account);

/* ---- commands.c ---- */

/* Handles a line in command mode; the line may be changed. */
void imcs_command(struct imcs *s, struct imcs_peer *p, char *line, size_t length);
/* Is it a command that has something stored? */
bool imcs_is_costly(const char *line, size_t length);
/* Continues the command that waited for the host. hash NULL: no memory. */
void imcs_hash_done(struct imcs *s, struct imcs_peer *p, const char *hash,
		    enum imcs_checked checked);

/* An offer with its number. */
void imcs_add_offer(struct imcs *s, struct imcs_peer *p, const struct imcs_listed *offer);
/* The account has been stored, or not. */
void imcs_store_done(struct imcs *s, struct imcs_peer *p, enum imcs_storing stored);

/* ---- games.c ---- */

/* An offer becomes a game. False: no memory; nothing has changed. */
bool imcs_begin_game(struct imcs *s, struct entry *e, struct imcs_peer *other, bool other_is_white);
/* Handles a line of the peer that is on move. */
void imcs_play_line(struct imcs *s, struct imcs_peer *p, const char *line, size_t length);
/* Ends the game, rates it, closes both peers and frees the entry. winner as in imcs_news. */
void imcs_end_game(struct imcs *s, struct entry *e, int winner, enum imcs_end end);

/* ---- shared.c ---- */

/* The offer of another server; NULL: it has none of that number. */
const struct imcs_listed *imcs_other_offer(const struct imcs *s, int64_t id);
/* Forgets the offers of an account at other servers, and returns how many there were. */
int imcs_forget_offers(struct imcs *s, const char *name);
/* Passes on what the peer, which is away, has sent. */
void imcs_pass_on(struct imcs *s, struct imcs_peer *p);

#endif
