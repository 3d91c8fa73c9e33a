/*
 * hosted_inside.h - a hosted game from inside, for the files that implement it.
 * SPDX-License-Identifier: MIT
 *
 *   hosted_load.c     making a game from a setup, or from its lines
 *   hosted_game.c     who may do what, turns and their clocks, moves, what is due
 *   hosted_actions.c  what users request besides moves: each action checks everything, then acts
 *   hosted_learn.c    computers that learn by losing
 *   hosted_events.c   events: one function each changes the game, live and on loading; and the
 *                     lines that store them
 *
 * Rules that do not depend on users or lines are in game_session.c. Everything that is stored
 * follows from the lines alone, except running clocks and `paused`. So no command changes the game
 * directly: it emits an event, and the event makes the change.
 */
#ifndef SESSION_HOSTED_INSIDE_H
#define SESSION_HOSTED_INSIDE_H

#include "base/json.h"
#include "session/game_session.h"
#include "session/hosted_game.h"

enum {
	HOSTED_MARGIN = 64, /* lines kept free for the end of a game */
	HOSTED_LUCK = 2000, /* nodes of a game with dice whose luck and losses are computed */
	HOSTED_LUCK_WORK = 30, /* lines of another game that take as long as one such node */
};

enum offer_kind { OFFER_DRAW, OFFER_UNDO, OFFER_REMATCH, OFFER_SWAP, OFFER_KINDS };

struct offer {
	bool open;
	int seat;	 /* who offers */
	int plies;	 /* of an undo */
	unsigned agreed; /* seats that accepted, a bit each */
};

/* The move into a node of the record, as text and with its time. Node 0 has no move. */
struct node_info {
	char *move;
	char *brief;	/* in the short notation, in games that have one; else NULL */
	int seat;	/* who made it, or QV_CHANCE */
	double seconds; /* < 0: not known */
	/* With dice, to a thousandth of a point; NAN: not known, or nothing of that kind. */
	double luck; /* of a roll, for `roller` */
	int roller;  /* whose roll it was */
	double loss; /* of a person's move */
	char *best;  /* the better move, if the loss has a name; else NULL */
};

/* The dice at a node where chance moves. After an undo the same roll comes again. */
struct dice_roll {
	int32_t node;
	bool rolled;
	unsigned char drawn[DICE_SECRET];  /* what is stored before the roll */
	unsigned char secret[DICE_SECRET]; /* known once it was rolled; before, see roll_secret */
	char seed[HOSTED_SEED + 1];
	int ply;		  /* moves and rolls before it */
	uint64_t weights, number; /* sum over all outcomes; the number that was rolled */
	char move[QV_MOVE_TEXT];
};

struct hosted_game {
	struct game_session game; /* its record is NULL until the record's header was read */
	struct hosted_callbacks host;

	char id[HOSTED_ID_ROOM], owner[HOSTED_USER_ROOM];
	bool closed, typed_dice;
	bool own_engine; /* the player's engine thinks, where hosted_uses_own_engine allows it */
	int64_t created;
	char start[QV_POSITION_TEXT];
	int seat_count; /* 0 until the header was read */
	struct hosted_seat seats[QV_MAX_SEATS];
	struct offer offers[OFFER_KINDS];
	char *memory;	  /* what learners remember, in their file format; NULL: nothing */
	bool rematch_due; /* agreed, but the new game does not exist yet */
	char rematch[HOSTED_ID_ROOM];

	struct node_info *node_infos; /* one for each node of the record */
	size_t node_info_count, node_info_room;
	struct dice_roll *rolls;
	size_t roll_count, roll_room;
	int last_roll; /* index in rolls; -1: nothing was rolled yet */

	uint64_t version, turn; /* turn: the version that began it */
	size_t lines;		/* all lines, with those that wait */
	size_t given;		/* lines that came with the setup, after the header */
	int talk;		/* lines about anything but moves, limited by HOSTED_MAX_TALK */
	bool started;		/* a seat has moved since the setup: clocks run */
	bool unrated;		/* see hosted_is_rated */

	char control_text[64]; /* its time control, or "off" */
	int64_t turn_began;    /* in ms */
	/* With days for each move, which also pass while nothing runs: the turn of this node began then. */
	int64_t turn_second; /* since 1970 */
	int turn_node;	     /* -1: none has begun */
	int hurried;	       /* the computer's seat that has to move at once, from 1; 0: none */
	bool paused;

	size_t taken;	/* bytes of the record's journal whose lines have been taken over */
	char **pending; /* lines that wait to be stored */
	size_t pending_count, pending_room;
	bool only_moved, broken;
};

/*
 * A command while it is carried out. Checks and changes return true on success. Otherwise they have
 * set the verdict and written the sentence, so they can be chained with &&.
 */
struct request {
	const char *action; /* its name; NULL: a move, or a command of the server */
	const struct hosted_user *who;
	const json_t *body; /* of an action */
	int64_t now;
	struct qv_error *error; /* may be NULL */
	enum verdict verdict;
};

/* Refuse the command with a sentence "WHAT: WHY"; always false. not_now is for VERDICT_NOT_NOW. */
__attribute__((format(printf, 3, 4))) bool refuse(struct request *q, enum verdict verdict,
						  const char *format, ...);
__attribute__((format(printf, 2, 3))) bool not_now(struct request *q, const char *format, ...);
/* Memory ran out. If a game is given, a change was begun, so it must be loaded again. False. */
bool out_of_memory(struct hosted_game *p, struct request *q);

/* ---- hosted_game.c: who may do what ---- */

/* Whether the user sits there as a person. */
bool seat_is(const struct hosted_game *p, int seat, const char *user);
/* The seats of a user, a bit each. */
unsigned seats_of(const struct hosted_game *p, const char *user);
/* How many seats are of this kind. */
int count_seats(const struct hosted_game *p, enum hosted_seat_kind kind);
/* Who may undo, change seats and write notes: a seated person; if nobody sits, the owner. */
bool hosted_governs(const struct hosted_game *p, const char *user);
/* Whether the roll that is due is this user's: in their seat, or in a computer's if they govern. */
bool hosted_may_roll(const struct hosted_game *p, const char *user);
/* Chance is to move, and the server rolls. */
bool hosted_dice_due(const struct hosted_game *p);
/* Whether `more` further lines would use up the margin for the end of the game. */
bool hosted_is_full(const struct hosted_game *p, size_t more);

/* ---- hosted_game.c: turns ---- */

/* What is left on a clock according to the lines, in ms. */
int64_t clock_stored(const struct hosted_game *p, int seat);
/* Takes from a turn of some days what has passed since it began. */
void days_resume(struct hosted_game *p);
/*
 * Every change of position or seats begins with game_clock_stop, which charges the clock, and ends
 * here. If the change was done, turn_go stores the clocks, commits the dice and starts the clock;
 * if not, memory has run out.
 */
bool turn_go(struct hosted_game *p, struct request *q, bool done);
/* Before any command: is the game usable, and has no flag fallen? */
bool hosted_ready(const struct hosted_game *p, struct request *q);
/* A seat gives up or its flag fell (game_takes_over). False: out of memory. */
bool seat_gives_up(struct hosted_game *p, int seat, const char *reason);
/* The secret of a roll, rolled or not. Only its hash may be shown or stored before the roll. */
void roll_secret(const struct hosted_game *p, const struct dice_roll *at,
		 unsigned char out[DICE_SECRET]);
/* Rolls with a seed that has been checked. False: out of memory. */
bool roll_dice(struct hosted_game *p, const char *seed);

/* ---- hosted_events.c ---- */

/* The name of an offer in lines and requests; static. */
const char *offer_name(enum offer_kind kind);
/* The kind of that name, or OFFER_KINDS; NULL is fine. */
enum offer_kind offer_from_name(const char *name);
/* How many offers are open. */
int offers_open(const struct hosted_game *p);
/* A seat in JSON, {user,name}, {spec} or {}; a new reference, NULL: out of memory. */
json_t *seat_event_json(const struct hosted_seat *seat);
/* Whether a seed is printable ASCII; its length is not checked. */
bool hosted_seed_ok(const char *seed);
/* The dice at a node; NULL: not committed yet. */
struct dice_roll *roll_at(const struct hosted_game *p, int32_t node);

/* Applies and counts a line that was stored. The text may be anything. */
enum qv_status line_apply(struct hosted_game *p, const char *line, struct qv_error *error);
/* Counts a line and copies it to those that wait. False: out of memory. */
bool line_wait(struct hosted_game *p, const char *line, size_t length);
/*
 * Events as they happen, already checked: each is applied, and its line waits. False: out of
 * memory, and the game is broken. emit takes over the JSON, of which NULL is out of memory. do_walk
 * calls qv_record_undo or qv_record_redo.
 */
bool emit(struct hosted_game *p, json_t *event);
bool do_play(struct hosted_game *p, qv_move move, double seconds);
bool do_walk(struct hosted_game *p, enum qv_status (*walk)(struct qv_record *, int, int *),
	     int plies);
bool do_end(struct hosted_game *p, int winner, const char *reason);
bool do_note(struct hosted_game *p, const char *text);
bool do_clock(struct hosted_game *p, int seat, int64_t left_ms);

/* ---- hosted_learn.c ---- */

/*
 * Checks what learners are said to remember, and appends it in canonical form. QV_BAD_INPUT: it is
 * not a learner's file of this game, or too long.
 */
enum qv_status memory_check(const struct qv_context *context, const struct qv_rules *rules,
			    const char *memory, struct string *out, struct qv_error *error);
/* After a move: if the game is over, learners remember how they lost. False: out of memory. */
bool learn_from_end(struct hosted_game *p);

/* ---- hosted_load.c ---- */

/* Printable ASCII without blanks, quotes or backslashes, not empty, below HOSTED_ID_ROOM. */
bool hosted_id_ok(const char *id);
#endif
