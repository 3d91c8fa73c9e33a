/*
 * sim.h - a simulated world: the real server and its store, a disk that fails, clients with their
 * own logs, and one clock. Everything follows from a seed, in one thread.
 * SPDX-License-Identifier: MIT
 *
 * - world.c: the server in its world: starting, crashing, requests and responses, faults
 * - model.c: what the clients were told about each game, and what follows from it
 * - clients.c: what clients do
 * - accounts.c: accounts, sessions and tokens, and how they end
 * - simulate.c: the program
 *
 * The clients believe nothing but responses and messages. Whatever contradicts what another of them
 * was told before, the rules of the game, or the lines in the store, is a violation.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <jansson.h>

#include "quevedo.h"
#include "server/api/api.h"
#include "sim/vfs.h"
#include "support/promises.h"

enum {
	CLIENTS = 10,
	PLAYS = 40,  /* games that the clients know at a time */
	CALLS = 256, /* open requests and streams */
	SEATS = 4,
	PLIES = 512,
	OLD_PLAYS = 64,
	MOVE_TEXT = 16,
	NOBODY = -1, /* in a seat: open, or a computer */
	MAYFLY = CLIENTS - 1, /* the client that deletes its account, again and again */
	ENDED = 32,
};

/* What a client was told about one state of a game. */
struct seen {
	uint64_t version, hash;
};

/* The clocks as a message showed them, and when it was made: between two moments. */
struct shown_clock {
	bool known;
	int64_t left[SEATS], from_ms, to_ms;
	int running;	   /* seat from 1; 0: none */
	uint64_t failures, restarts; /* until then: a game that is read again is given its turn's time back */
	uint64_t version, turn; /* turn: the version that began it */
	int64_t stored[SEATS]; /* the most that each seat can have had when its turn began */
	int64_t down_ms;
};

struct play {
	char id[API_USER]; /* "": none */
	uint64_t generation;
	struct qv_rules rules;
	void *state;	      /* at the end of the line */
	int seat_count, plies;
	int seats[SEATS];     /* clients, or NOBODY */
	bool open[SEATS];     /* an open seat */
	char moves[PLIES][MOVE_TEXT];
	int8_t movers[PLIES]; /* seats, from 0 */
	uint64_t hashes[PLIES + 1]; /* of the line up to each ply */
	uint64_t version;	    /* the last one that somebody was told */
	struct seen *seen;
	size_t seen_count, seen_room;
	bool over, stale; /* stale: something may have happened that nobody was told */
	int waiting;	  /* requests on their way that may change it */
	int refused;	  /* moves in a row */
	uint64_t looked;  /* in which step somebody has last looked at it */
	int64_t base_ms, added_ms; /* of its clock; 0: none, or days */
	struct shown_clock clock;
	bool rematched;
	bool dice;
	uint64_t promised;  /* the line for whose roll a secret was promised; 0: none */
	char promise[65];   /* its hash, as it was shown */
};

/* A finished game, to be looked at again much later. */
struct old_play {
	char id[API_USER];
	uint64_t version, hash;
};

enum call_kind {
	SENT_NAME,   /* POST /me */
	SENT_ME,	    /* GET /me */
	SENT_CREATE, /* POST /plays */
	SENT_PLAY,   /* GET /plays/ID */
	SENT_MOVE,
	SENT_ACTION,
	SENT_STREAM,
	SENT_TOKEN,
	SENT_ACCOUNT,
	SENT_LOGIN,
	SENT_LOGOUT,
	SENT_REVOKE,
	SENT_DELETE,
	SENT_ENDED, /* with what has ended: it must be refused */
	SENT_OLD, /* GET /plays/ID of a game that has ended */
	SENT_OTHER, /* any response will do */
};

struct sim_call {
	uint64_t number; /* 0: free */
	enum call_kind kind;
	int client, play; /* play: its place, or -1 */
	uint64_t generation;
	char text[API_USER]; /* the move, the name or the id */
	bool forbidden;	     /* by all that was known it had to be refused */
	bool by_token;	     /* of a user, or of a seat that ends with it */
	bool by_seat;	     /* by the token of a seat */
	int ply;	     /* of a move; -1: none */
	uint64_t session, tokens; /* of its client */
	/* Of a stream: what its reader knows. */
	bool begun;
	uint64_t version, hash;
	int64_t sent_ms;
};

struct client {
	struct visitor visitor; /* who sends the next request */
	char cookie[API_COOKIE], user[API_USER], name[32];
	char token[128], token_id[API_USER]; /* acknowledged; "": none */
	bool token_unsure; /* it may have been revoked */
	bool has_account; /* whose name is the client's */
	bool in_session; /* its cookie is that of a login */
	bool named;	 /* the server has confirmed the name */
	char seat_token[160], seat_play[API_USER]; /* the last one; "": none */
	bool seat_by_token; /* it was issued to the token, and ends with it */
	/*
	 * Creating an account, logging in and out end the session before. unsure: it may have
	 * ended; out: it has, so the client has to log in again; renew: it has to say who it is
	 * again; gone: its account may have been deleted, or has been.
	 */
	bool unsure, out, renew, gone, deleted;
	uint64_t session, tokens; /* how many it has had; tokens: how many have been revoked */
};

/* A cookie or token that was acknowledged to have ended. */
struct ended {
	char text[API_COOKIE]; /* "": none */
	bool bearer;
};

struct report {
	uint64_t steps, requests, responses, refused, events, games, finished, checks, worlds;
	uint64_t stops, cuts, resent, jumps, delays, logins, logouts, revoked, deleted, ended;
	int64_t ms; /* simulated */
	struct disk_counts disk;
};

struct sim {
	uint64_t seed, log; /* log: a hash of everything that was sent and received */
	struct sim_random random, secrets;
	struct disk *disk;
	struct qv_context *context;
	char folder[64];
	int secret; /* descriptor of the file in it */
	struct api *api;
	sqlite3 *reader; /* to look at the store beside the server; NULL: closed */
	sqlite3_stmt *lines;
	int64_t now_ms, wall_offset;
	int64_t stepped_ms;  /* when the store last committed */
	int64_t booted_ms, down_ms; /* when the server last started; how long it has been down in all */
	uint64_t heal_step;  /* when faults end; 0: there are none */
	bool down;	     /* the process is dead: nobody hears it */
	bool calm;	     /* no more faults */
	uint64_t next_call, generations, starts; /* starts: of the server */
	struct sim_call calls[CALLS];
	struct client clients[CLIENTS];
	struct play plays[PLAYS];
	struct old_play old[OLD_PLAYS];
	struct ended ended[ENDED];
	struct promises promises; /* of dice */
	struct report report;
	bool verbose;
	char violation[512]; /* "": none yet */
};

/* The first violation counts. */
void sim_violation(struct sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sim_note(struct sim *s, const void *data, size_t size); /* into the hash of the log */
/* What leaves the server, in whatever way, has no secret of a roll to come. */
void sim_leaves(struct sim *s, const char *text, size_t size);
static inline uint64_t sim_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9fb21c651e98df25u;
	return hash ^ (hash >> 32);
}
static inline uint64_t sim_pick(struct sim *s, uint64_t below)
{
	return sim_below(&s->random, below);
}
static inline bool sim_chance(struct sim *s, uint64_t one_in)
{
	return sim_below(&s->random, one_in) == 0;
}

/* ---- world.c ---- */

/* False: not enough memory, or no folder. */
bool sim_open(struct sim *s, uint64_t seed);
void sim_close(struct sim *s);
/* An empty disk and new clients. */
void sim_new_world(struct sim *s, uint64_t seed);
/*
 * Sends a request; takes the body. what: kind, client, play, text and forbidden of the call. Returns
 * the call if it still waits; NULL: it was answered at once, or there are too many.
 */
struct sim_call *sim_send(struct sim *s, const struct sim_call *what, bool post, const char *path,
			  json_t *body);
void sim_cancel(struct sim *s, struct sim_call *call);
/* Time passes, faults come and go, the server works. */
void sim_step(struct sim *s);
/* Everything is written and answered, without faults. */
void sim_settle(struct sim *s);

/* ---- model.c ---- */

/* A new game that a client was told of. NULL: there is no place for it. */
struct play *play_add(struct sim *s, const char *id, const char *game, int64_t base_ms,
		      int64_t added_ms);
void play_drop(struct sim *s, struct play *p);
/* A message about a game: the whole of it, or a move. call: whose it is. */
void play_heard(struct sim *s, struct sim_call *call, const struct api_response *a);
/* Compares what was told with the lines in the store. */
void play_verify(struct sim *s, struct play *p);
/* A random legal move; "" without legal moves. */
void play_choose(struct sim *s, const struct play *p, char out[MOVE_TEXT]);
/* Compares a finished game with what was told before. */
void play_check_old(struct sim *s, const struct sim_call *call, const char *text);
/* The seat to move, from 0; QV_CHANCE; -2: over. */
int play_seat(const struct play *p);

/* ---- clients.c ---- */

void clients_begin(struct sim *s);
/* Somebody looks at every game. */
void clients_look(struct sim *s);
/* One of them does something. */
void clients_act(struct sim *s);
void clients_heard(struct sim *s, struct sim_call *call, const struct api_response *a);

/* ---- accounts.c ---- */

/* Says who a client is: by its cookie, or by the bearer token. */
void client_identify(struct sim *s, int c, const char *bearer);
/* A client does something about its account, its session or its token. */
void account_act(struct sim *s, int c);
/* A client without a session tries to get one, sometimes. */
void account_return(struct sim *s, int c);
/* Any response, as far as it is about who somebody is. */
void account_heard(struct sim *s, struct sim_call *call, const struct api_response *a);

#endif
