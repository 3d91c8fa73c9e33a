/*
 * hosted_game.h - a game in progress on the web: who sits where, what each user may do, clocks,
 * dice, offers.
 * SPDX-License-Identifier: MIT
 *
 * Pure logic without sockets, store or threads: the caller passes the time, and random bytes and
 * hashes through callbacks. docs/api.md has the rules. The game follows from a list of lines, each
 * a JSON object without a newline: a header, then one line for each event. Lines
 * that were stored in order and are passed to hosted_load give the same game again.
 *
 *     command -> checked, applied in memory -> lines wait (hosted_lines) -> the caller stores them
 *     -> hosted_committed -> the response leaves
 *
 * A command returns a verdict. After VERDICT_MALFORMED, VERDICT_NOT_YOURS and VERDICT_NOT_NOW
 * nothing has changed. After VERDICT_NO_MEMORY the game is of no more use: free it and load it
 * again from what was stored.
 *
 * Seats count from 0 in C and from 1 in JSON; QV_CHANCE (-1) and 0 are the dice. Times are in ms,
 * of a clock that never goes back. Only one thread at a time may use a game.
 */
#ifndef SESSION_HOSTED_GAME_H
#define SESSION_HOSTED_GAME_H

#include <jansson.h>

#include "quevedo.h"
#include "session/game_session.h"

struct hosted_game;

/* The computer that learns by losing (core/learned_moves.h); what it learns belongs to the game. */
#define LEARNER_SPEC "learn"

/* What becomes of a command. Any but VERDICT_OK comes with one printable sentence, "WHAT: WHY". */
enum verdict {
	VERDICT_OK,
	VERDICT_MALFORMED, /* the command makes no sense */
	VERDICT_NOT_YOURS, /* this user may not do that */
	VERDICT_NOT_NOW,   /* it cannot be done in this position, or after what has happened */
	VERDICT_NO_MEMORY,
};

enum {
	HOSTED_MAX_LINES = 10000,   /* of one game: near them it ends as a draw */
	HOSTED_MAX_BYTES = 512 << 10, /* of a record; beyond them it takes no notes */
	HOSTED_MAX_REDONE = 100000, /* plies that may be redone in one game */
	HOSTED_MAX_TALK = 2000,	    /* lines about anything but moves: notes, offers, seats */
	HOSTED_NOTE = 2000,	    /* bytes of a note */
	HOSTED_NAME = 24,	    /* characters of a name; at most 4 bytes each */
	HOSTED_NAME_ROOM = 4 * HOSTED_NAME + 1,
	HOSTED_USER_ROOM = 24, /* API_USER */
	HOSTED_ID_ROOM = 32,
	HOSTED_SPEC_ROOM = 256,
	HOSTED_MEMORY = 32768, /* bytes of what a learner remembers */
	HOSTED_SEED = 64,      /* printable ASCII characters of a seed */
	HOSTED_DICE_MS = 1000, /* how long a roll that no person has to make waits for a seed */
};

/* What a game needs from the server; copied, all required. */
struct hosted_callbacks {
	/* Fills in cryptographically random bytes. */
	void (*random)(void *ctx, void *bytes, size_t size);
	/*
	 * The secret of a roll: always the same for a game and what was drawn at random for the
	 * roll, and unknown to everybody who has not the server's key. So it is stored nowhere
	 * until the dice are rolled.
	 */
	void (*secret)(void *ctx, const char *game, const unsigned char drawn[DICE_SECRET],
		       unsigned char out[DICE_SECRET]);
	/* Returns a number from 0 to weights - 1 that follows from the dice and nothing else. */
	uint64_t (*roll)(void *ctx, const struct dice *dice, uint64_t weights);
	/*
	 * May a computer of this spec sit at this game? Called for the specs of action "seat"
	 * only; the caller checks those of a setup. QV_OK, or anything else with the reason.
	 */
	enum qv_status (*check_spec)(void *ctx, const struct qv_rules *rules, const char *spec,
				     struct qv_error *error);
	int64_t (*seconds)(void *ctx); /* since 1970 */
	void *ctx;
};

/* Who gives a command. */
struct hosted_user {
	const char *user; /* "": not known; may only look */
	const char *name; /* what others see when this user takes a seat; see hosted_name_ok */
};

enum hosted_seat_kind { SEAT_OPEN, SEAT_PERSON, SEAT_COMPUTER };

struct hosted_seat {
	enum hosted_seat_kind kind;
	char user[HOSTED_USER_ROOM], name[HOSTED_NAME_ROOM]; /* of a person */
	char spec[HOSTED_SPEC_ROOM];			     /* of a computer */
};

/* What a game is made of. Plain data; all pointers are borrowed. */
struct hosted_setup {
	const char *id;		      /* printable ASCII without quotes, below HOSTED_ID_ROOM */
	const char *owner;	      /* the user who creates it */
	const struct qv_rules *rules; /* NULL only with a record, which names its game */
	const char *position;	      /* NULL: the start */
	const char *const *moves;     /* played from there; NULL: none */
	size_t move_count;
	const char *record; /* a journal (docs/formats.md) instead of the two; NULL: none */
	size_t record_size;
	int seat_count; /* the game's; 0: the owner in seat 1, the middle level elsewhere */
	struct hosted_seat seats[QV_MAX_SEATS];
	const char *owner_name;	 /* for seat_count 0 */
	const char *clock;	 /* "5m", "300+3", "3d/move"; NULL or "off": none */
	const char *memory;	 /* what learners remember, in their file format; NULL: nothing */
	bool typed_dice, closed; /* closed: private, not in the lobby */
	bool own_engine;	 /* as action "engine" with "browser" */
	int64_t created;	 /* seconds since 1970 */
};

/*
 * Reads who sits in a seat: "human" is the person, "open" is nobody yet, anything else is a spec,
 * which is not checked. False: a name or spec is too long or malformed, and *out is unchanged.
 */
bool hosted_seat_read(struct hosted_seat *out, const char *text, const struct hosted_user *person);
/*
 * Whether a name may be shown to others: 1 to 24 characters of printable UTF-8, not all blank,
 * without characters that are invisible or change the direction of text.
 */
bool hosted_name_ok(const char *name);

/* ---- Making and freeing ---- */

/*
 * Makes a new game, whose lines wait to be stored; the caller frees it. The context must outlive
 * it. VERDICT_MALFORMED: the setup is wrong.
 */
enum verdict hosted_new(const struct qv_context *context, const struct hosted_callbacks *host,
			const struct hosted_setup *setup, int64_t now, struct hosted_game **out,
			struct qv_error *error);
/*
 * Makes a game from all its lines, in order, without newlines. The clock of the seat to move starts
 * with the time that was last stored: nobody pays for the time in between. A last batch that was
 * cut short is completed, so there may be lines waiting. VERDICT_MALFORMED: these are not a game's
 * lines.
 */
enum verdict hosted_load(const struct qv_context *context, const struct hosted_callbacks *host,
			 const char *const *lines, size_t count, int64_t now,
			 struct hosted_game **out, struct qv_error *error);
void hosted_free(struct hosted_game *p); /* NULL is fine */

/*
 * The same in two steps, for long records: hosted_prepare and hosted_read do the work, in any
 * thread, and need no time. Then hosted_start starts the clock, in the thread that owns the game;
 * if it fails, free the game.
 */
enum verdict hosted_prepare(const struct qv_context *context, const struct hosted_callbacks *host,
			    const struct hosted_setup *setup, struct hosted_game **out,
			    struct qv_error *error);
/* If a line is wrong the error begins with "line N:", which counts from 1. */
enum verdict hosted_read(const struct qv_context *context, const struct hosted_callbacks *host,
			 const char *const *lines, size_t count, struct hosted_game **out,
			 struct qv_error *error);
enum verdict hosted_start(struct hosted_game *p, int64_t now, struct qv_error *error);
/*
 * The work of making a game from so many lines, of which so many may be moves, in lines of a game
 * without chance: with chance, the luck or the loss of each move is computed. game: NULL if it is
 * not known, then it may be any.
 */
size_t hosted_work(const struct qv_game *game, size_t lines, size_t moves);

/* ---- Lines to be stored ---- */

/* How many wait; the i-th of them, which is valid until the next command or hosted_lines_taken. */
size_t hosted_lines(const struct hosted_game *p);
const char *hosted_line(const struct hosted_game *p, size_t i);
/* The number of the first one that waits: how many went before it, 0 for the header. */
size_t hosted_lines_before(const struct hosted_game *p);
/* The caller has queued all lines that wait: drops them. */
void hosted_lines_taken(struct hosted_game *p);
/*
 * The lines of that version are on disk. If it began the present turn, its clock runs from now on.
 */
void hosted_committed(struct hosted_game *p, uint64_t version, int64_t now);

/* ---- Commands ---- */

/* Makes a move for the seat to move (POST .../moves). With typed dice also a roll. */
enum verdict hosted_move(struct hosted_game *p, const struct hosted_user *who, const char *move,
			 int64_t now, struct qv_error *error);
/* Does anything else (POST .../actions). action: the body, any JSON; see Action in types.ts. */
enum verdict hosted_act(struct hosted_game *p, const struct hosted_user *who, const json_t *action,
			int64_t now, struct qv_error *error);
/*
 * Does the action play a game on or end it: rolls, draws, resigning and the like? All others only
 * add to it, or begin another one. True for a body that is malformed.
 */
bool hosted_act_plays(const json_t *body);

/*
 * Makes the move of a computer on behalf of its player, whose own engine has found it. turn: as in
 * the JSON of the game. Only where hosted_uses_own_engine.
 */
enum verdict hosted_engine_move(struct hosted_game *p, const struct hosted_user *who, uint64_t turn,
				const char *move, int64_t now, struct qv_error *error);

/*
 * After a command: did it change only what MoveMessage holds (one move, nothing else)? Then
 * game_move_json is enough for those who watch, else send them the whole game.
 */
bool hosted_only_moved(const struct hosted_game *p);

/* ---- What is due ---- */

/* A search that is due. */
struct hosted_think {
	uint64_t turn; /* to be passed back with the move */
	int seat;
	const char *spec; /* valid until the next command */
	int64_t time_ms;  /* the most that the clock allows; 0: no clock */
	int64_t aim_ms;	  /* what the move should take; 0: no clock */
	bool now;	  /* a player wants the best move found so far, at once */
	const char *memory; /* of a learner, valid as the spec; NULL: nothing, or no learner */
};
/* Whether a computer is to move, whoever thinks for it. */
bool hosted_is_thinking(const struct hosted_game *p);
/*
 * Whether the player's own engine thinks for the computers (action "engine"). The server does so
 * wherever something depends on it: if several people play, with clocks, with the server's dice, and
 * for a learner, which remembers its games here.
 */
bool hosted_uses_own_engine(const struct hosted_game *p);
/* Whether the server has to think for a computer. State and history: hosted_record. */
bool hosted_wants_think(const struct hosted_game *p, int64_t now, struct hosted_think *out);
/*
 * Makes the move of a computer. VERDICT_NOT_NOW: the game has changed since that turn (position,
 * seats or end; not notes or offers). seconds: what the move took, for the record; < 0: by the
 * game's clock.
 */
enum verdict hosted_computer_move(struct hosted_game *p, uint64_t turn, qv_move move,
				  double seconds, int64_t now, struct qv_error *error);
/* A computer that cannot play gives its seat up. VERDICT_NOT_NOW as above. */
enum verdict hosted_computer_fails(struct hosted_game *p, uint64_t turn, int64_t now,
				   struct qv_error *error);

/*
 * Ends a game that is played elsewhere and shown here: winner, -1 for a draw or QV_UNDECIDED, and
 * the reason. VERDICT_NOT_NOW: it is over already.
 */
enum verdict hosted_decide(struct hosted_game *p, int winner, const char *reason, int64_t now,
			   struct qv_error *error);

/* A person in this seat has left for good and gives it up. VERDICT_NOT_NOW: the game is over. */
enum verdict hosted_abandoned(struct hosted_game *p, int seat, int64_t now, struct qv_error *error);

/*
 * When hosted_tick will have something to do: a flag falls, or dice roll by themselves; -1: never.
 */
int64_t hosted_due(const struct hosted_game *p);
/*
 * Does what is due. True: something happened, and lines wait. *broken (may be NULL): out of memory,
 * the game has to be loaded again.
 */
bool hosted_tick(struct hosted_game *p, int64_t now, bool *broken);
/* While paused, no clock runs, nothing is due and no computer thinks. Not stored. */
void hosted_pause(struct hosted_game *p, bool paused, int64_t now);

/*
 * Rematch: after a command (or hosted_load) that makes hosted_rematch_due true, call
 * hosted_rematch_setup (its texts are valid until the next command of p), fill in id and created,
 * call hosted_new, then report the id to the old game with hosted_rematched. Both games then have
 * lines that wait.
 */
bool hosted_rematch_due(const struct hosted_game *p);
void hosted_rematch_setup(const struct hosted_game *p, struct hosted_setup *out);
enum verdict hosted_rematched(struct hosted_game *p, const char *id, struct qv_error *error);

/* ---- Queries ---- */

/* The user who created the game; "" if nobody did. */
const char *hosted_owner(const struct hosted_game *p);
/* Counts the changes that users can see. */
uint64_t hosted_version(const struct hosted_game *p);
/* Whether the lobby must not list it; whether it has ended; whether somebody can join. */
bool hosted_private(const struct hosted_game *p);
bool hosted_over(const struct hosted_game *p);
bool hosted_has_open_seat(const struct hosted_game *p);
/* The seats, from 0. */
int hosted_seat_count(const struct hosted_game *p);
const struct hosted_seat *hosted_seat_at(const struct hosted_game *p, int seat);
/* Whether this user, or any person, has a seat. */
bool hosted_is_seated(const struct hosted_game *p, const char *user);
bool hosted_has_person(const struct hosted_game *p);
/* At most one person plays, in one seat or more: nobody else has to agree to anything. */
bool hosted_is_free(const struct hosted_game *p);
/*
 * Whether the result says how strong the players are: played from the start position to the end by
 * the same players, with dice that nobody types, nothing was taken back, and nobody used hints (action
 * "help").
 */
bool hosted_is_rated(const struct hosted_game *p);
/* The seat that has to move or to roll; -1: none, since the game is over or waits for a player. */
int hosted_seat_to_act(const struct hosted_game *p);
/* When the present turn began, in ms. */
int64_t hosted_turn_began(const struct hosted_game *p);
/* What is left to this seat in ms; -1: there is no clock. */
int64_t hosted_time_left(const struct hosted_game *p, int seat, int64_t now);
/* The record: game, state at the cursor, history, journal. Read it only. */
const struct qv_record *hosted_record(const struct hosted_game *p);
/* In seconds since 1970. */
int64_t hosted_created(const struct hosted_game *p);

#endif
