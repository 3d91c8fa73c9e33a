/*
 * play.h - a game in progress on the web: who sits where, what each may do, clocks, dice, offers.
 * SPDX-License-Identifier: MIT
 *
 * Pure logic: no sockets, no store, no threads; the caller says what time it is, and hands over
 * random bytes. docs/api.md has the rules. Its truth is a list of lines, each a JSON object
 * on one line without a newline: a header, then what happened. Whoever keeps the lines in order and
 * hands them to play_load has the same play again.
 *
 *     command -> checked, applied in memory -> lines wait (play_lines) -> the caller stores them
 *     -> play_committed -> the answer leaves
 *
 * A command gives a verdict: a status as in HTTP and, if it is not 200, one printable sentence
 * "WHAT: WHY". 400: malformed; 403: not yours to do; 409: not now. Then nothing has changed, not a
 * bit. 503: no memory; then the play is of no more use: free it, and load it again from what was
 * stored.
 *
 * Seats count from 0 in C, from 1 in JSON; QV_CHANCE (-1) and 0 are the dice. Times are in ms, of a
 * clock that never goes back. One thread at a time for a play.
 */
#ifndef SERVER_API_PLAY_H
#define SERVER_API_PLAY_H

#include <jansson.h>

#include "base/text.h"
#include "quevedo.h"

struct play;

enum {
	PLAY_MAX_LINES = 10000, /* of one play: beyond them moves are refused, not the end */
	PLAY_MAX_BYTES = 4 << 20, /* of a record that a game is made of */
	PLAY_MAX_REDONE = 100000, /* plies that such a record may redo */
	PLAY_MAX_TALK = 2000,	/* of them about anything but moves: notes, offers, seats */
	PLAY_NOTE = 2000,	/* bytes of a note */
	PLAY_NOTES = 100000,	/* ... and of all of them */
	PLAY_NAME = 24,		/* characters of a name; at most 4 bytes each */
	PLAY_NAME_ROOM = 4 * PLAY_NAME + 1,
	PLAY_USER_ROOM = 24, /* API_USER */
	PLAY_ID_ROOM = 32,
	PLAY_SPEC_ROOM = 256,
	PLAY_SEED = 64,	     /* printable ASCII characters of a seed */
	PLAY_DICE_MS = 1000, /* a throw that is no person's waits so long for somebody's seed */
};

/* What a play wants of its owner; kept by it, all required. */
struct play_host {
	/* Fills bytes nobody can guess. */
	void (*random)(void *ctx, void *bytes, size_t size);
	/*
	 * May a computer of this spec sit at this game? Asked about the specs of action "seat"
	 * only; those of a setup are checked before. QV_OK, or anything else with the reason.
	 */
	enum qv_status (*check_spec)(void *ctx, const struct qv_rules *rules, const char *spec,
				     struct qv_error *error);
	void *ctx;
};

/* Somebody who asks. */
struct play_person {
	const char *user; /* "": a stranger, who may only look */
	const char *name; /* what others call them when they sit down; see play_name_ok */
};

enum play_seat_kind { SEAT_OPEN, SEAT_PERSON, SEAT_COMPUTER };

struct play_seat {
	enum play_seat_kind kind;
	char user[PLAY_USER_ROOM], name[PLAY_NAME_ROOM]; /* of a person */
	char spec[PLAY_SPEC_ROOM];			 /* of a computer */
};

struct play_setup {
	const char *id;		      /* printable ASCII without quotes, below PLAY_ID_ROOM */
	const char *owner;	      /* the user who makes it */
	const struct qv_rules *rules; /* NULL only with a record, which names its game */
	const char *position;	      /* NULL: the start */
	const char *const *moves;     /* played from there; NULL: none */
	size_t move_count;
	const char *record; /* a journal (docs/formats.md) instead of the two; NULL: none */
	size_t record_size;
	int seat_count; /* the game's; 0: the owner in seat 1, the middle level elsewhere */
	struct play_seat seats[QV_MAX_SEATS];
	const char *owner_name;	 /* for seat_count 0 */
	const char *clock;	 /* "5m", "300+3"; NULL or "off": none */
	bool typed_dice, closed; /* closed: private, not in the lobby */
	int64_t created;	 /* seconds since 1970 */
};

/* "human": the person; "open": whoever joins; else a spec. False: a name or spec is too long, or
 * bad. */
bool play_seat_read(struct play_seat *out, const char *text, const struct play_person *person);
/* 1 to 24 characters of printable UTF-8, not all blank, nothing that hides or turns text. */
bool play_name_ok(const char *name);

/* The verdict of a command: 200, 400, 403, 409 or 503; error is written unless it is 200. */
typedef int play_verdict;

/* ---- Birth and death ---- */

/* Setup and context are the caller's; the context must outlive the play. The lines are waiting. */
play_verdict play_new(const struct qv_context *context, const struct play_host *host,
		      const struct play_setup *setup, int64_t now, struct play **out,
		      struct qv_error *error);
/*
 * The play again from its lines, all there ever were, in order, without newlines. The clock of the
 * seat to move starts anew at what was last stored: nobody pays for the time in between. A last
 * batch that was cut short is made whole, so there may be lines waiting. 400: they are not a
 * play's.
 */
play_verdict play_load(const struct qv_context *context, const struct play_host *host,
		       const char *const *lines, size_t count, int64_t now, struct play **out,
		       struct qv_error *error);
void play_free(struct play *p); /* NULL is fine */

/*
 * The two in parts, for long records: play_prepare and play_read do the work, in any thread, and
 * look at no clock. Then play_start makes the game go on, in its owner's thread; if it fails, free
 * the game.
 */
play_verdict play_prepare(const struct qv_context *context, const struct play_host *host,
			  const struct play_setup *setup, struct play **out,
			  struct qv_error *error);
play_verdict play_read(const struct qv_context *context, const struct play_host *host,
		       const char *const *lines, size_t count, struct play **out,
		       struct qv_error *error);
play_verdict play_start(struct play *p, int64_t now, struct qv_error *error);

/* ---- Lines to be stored ---- */

/* How many wait; the i-th of them, until the next command or play_lines_taken. */
size_t play_lines(const struct play *p);
const char *play_line(const struct play *p, size_t i);
/* The number of the first one that waits: how many went before it, 0 for the header. */
size_t play_lines_before(const struct play *p);
void play_lines_taken(struct play *p);
/* They are on disk, at version: if that began the turn that goes on, its clock runs from now on
 * only. */
void play_committed(struct play *p, uint64_t version, int64_t now);

/* ---- Commands ---- */

/* POST .../moves. With typed dice also a throw. */
play_verdict play_move(struct play *p, const struct play_person *who, const char *move, int64_t now,
		       struct qv_error *error);
/* POST .../actions: the whole body, any JSON; Action of types.ts. */
play_verdict play_act(struct play *p, const struct play_person *who, const json_t *action,
		      int64_t now, struct qv_error *error);

/*
 * After a command: did it change only what MoveMessage tells (one move, nothing else)? Then
 * play_move_json is enough for those who follow, else send them the whole play.
 */
bool play_only_moved(const struct play *p);

/* ---- What is due ---- */

struct play_think {
	uint64_t turn; /* to be handed back with the answer */
	int seat;
	const char *spec; /* until the next command */
	int64_t time_ms;  /* at most so long, by its clock; 0: no clock */
	int64_t aim_ms;	  /* what it should take; likewise */
};
/* False: no computer is to move. State and history: play_record. */
bool play_wants_think(const struct play *p, int64_t now, struct play_think *out);
/*
 * 409: the play has moved on since (position, seats or end; not notes or offers), and nothing
 * changed. seconds: what it took, for the record; < 0: by the play's own clock.
 */
play_verdict play_computer_move(struct play *p, uint64_t turn, qv_move move, double seconds,
				int64_t now, struct qv_error *error);
/* A computer that cannot play (its think failed) gives its seat up. 409 as above. */
play_verdict play_computer_fails(struct play *p, uint64_t turn, int64_t now,
				 struct qv_error *error);

/*
 * Somebody outside has decided: winner, -1 for a draw or QV_UNDECIDED, with a word why. For games that are
 * played elsewhere and shown here. 409: it is over already.
 */
play_verdict play_decide(struct play *p, int winner, const char *reason, int64_t now,
			 struct qv_error *error);

/* When play_tick has something to do: a flag falls, or dice that are no person's; -1: never. */
int64_t play_due(const struct play *p);
/* Does it. True: something happened, lines wait. 503 is *broken (may be NULL). */
bool play_tick(struct play *p, int64_t now, bool *broken);
/* Nobody looks: while paused no clock runs, nothing is due and no computer is to think. Not stored.
 */
void play_pause(struct play *p, bool paused, int64_t now);

/*
 * Rematch: after a command (or play_load) that makes play_rematch_due true, take play_rematch_setup
 * (its texts live until the next command of p), give it id and created, play_new, then tell the old
 * one with play_rematched. Both plays then have lines waiting.
 */
bool play_rematch_due(const struct play *p);
void play_rematch_setup(const struct play *p, struct play_setup *out);
play_verdict play_rematched(struct play *p, const char *id, struct qv_error *error);

/* ---- Looking ---- */

const char *play_id(const struct play *p);
const char *play_owner(const struct play *p);
uint64_t play_version(const struct play *p);
bool play_private(const struct play *p);
bool play_over(const struct play *p);
bool play_has_open_seat(const struct play *p);
int play_seat_count(const struct play *p);
const struct play_seat *play_seat_at(const struct play *p, int seat);
bool play_is_seated(const struct play *p, const char *user); /* as a person */
bool play_has_person(const struct play *p);
/* The game, the state at the cursor, history, the journal: qv_record_...; never change it. */
const struct qv_record *play_record(const struct play *p);
int64_t play_created(const struct play *p);

/* How texts are written. */
#define PLAY_FORM (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10))

/*
 * Play of types.ts has two parts: the head, and the line and tree, which grow with the game and are
 * the same for everybody. user: who is going to read it. connected: bit s is set if the person in
 * seat s follows the play. NULL: no memory.
 */
json_t *play_head_json(const struct play *p, const char *user, unsigned connected, int64_t now);
/* Adds "line":[...] or "tree":[...]. */
void play_add_line(const struct play *p, struct string *out);
void play_add_tree(const struct play *p, struct string *out);
/* The head, which it takes, with further keys, as text: malloc'd. NULL: no memory. */
char *play_text(json_t *head, const struct string *rest);

/* MoveMessage and LobbyEntry of types.ts; NULL: no memory. The caller owns what comes back. */
json_t *play_move_json(const struct play *p, int64_t now);
json_t *play_lobby_json(const struct play *p, int watchers);

#endif
