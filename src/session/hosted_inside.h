/*
 * hosted_inside.h - a hosted game from inside, for the files that implement it.
 * SPDX-License-Identifier: MIT
 *
 *   hosted_load.c     making a game from a setup, or from its lines
 *   hosted_game.c     turns and their clocks, moves, what is due
 *   hosted_actions.c  what users ask for besides moves: each action checks everything, then acts
 *   hosted_rights.c   who may do what; whose turn it is
 *   hosted_events.c   the game's own events: one function each changes the game, live and on loading
 *   hosted_lines.c    lines: the record's events, what waits to be stored, loading
 *
 * Rules that do not depend on users or lines are in game_session.c. Everything that is stored follows
 * from the lines alone, except running clocks and `paused`. So no command changes the game directly:
 * it emits an event, and the event makes the change.
 */
#ifndef SESSION_HOSTED_INSIDE_H
#define SESSION_HOSTED_INSIDE_H

#include "base/json.h"
#include "session/game_session.h"
#include "session/hosted_game.h"

enum {
	HOSTED_MARGIN = 64, /* lines kept free for the end of a game */
};

enum offer_kind { OFFER_DRAW, OFFER_UNDO, OFFER_REMATCH, OFFER_SWAP, OFFER_KINDS };

struct offer {
	bool open;
	int seat;	 /* who offers */
	int plies;	 /* of an undo */
	unsigned agreed; /* seats that said yes, a bit each */
};

/* The move into a node of the record, as text and with its time. Node 0 has none. */
struct node_info {
	char *move;
	char *brief;	/* in the short notation, in games that have one; else NULL */
	int seat;	/* who made it, or QV_CHANCE */
	double seconds; /* < 0: not known */
};

/* The dice at a node where chance moves. After an undo the same roll comes again. */
struct dice_roll {
	int32_t node;
	bool rolled;
	unsigned char secret[DICE_SECRET];
	char seed[HOSTED_SEED + 1];
	int ply;		  /* moves and rolls before it */
	uint64_t weights, number; /* of all outcomes; the one rolled */
	char move[QV_MOVE_TEXT];
};

struct hosted_game {
	struct game_session game; /* its record is NULL until the record's header has come */
	struct hosted_callbacks host;

	char id[HOSTED_ID_ROOM], owner[HOSTED_USER_ROOM];
	bool closed, typed_dice;
	int64_t created;
	char start[QV_POSITION_TEXT];
	int seat_count;
	struct hosted_seat seats[QV_MAX_SEATS];
	struct offer offers[OFFER_KINDS];
	bool rematch_due;
	char rematch[HOSTED_ID_ROOM];

	struct node_info *node_infos; /* one for each node of the record */
	size_t node_info_count, node_info_room;
	struct dice_roll *rolls;
	size_t roll_count, roll_room;
	int last_roll; /* among rolls; -1: none yet */

	uint64_t version, turn; /* turn: the version that began it */
	size_t lines, given;	/* there are; of them given with the setup, after the header */
	int talk;
	bool started; /* a seat has moved since the setup: clocks run */

	char control_text[64]; /* its time control, or "off" */
	int64_t turn_began;
	bool paused;

	char **pending; /* lines that wait to be stored */
	size_t pending_count, pending_room;
	bool only_moved, broken;
};

/* Writes the sentence and returns the verdict. */
__attribute__((format(printf, 3, 4))) enum verdict hosted_refuse(struct qv_error *error,
								 enum verdict verdict,
								 const char *format, ...);
enum verdict hosted_no_memory(struct hosted_game *p, struct qv_error *error);

/* ---- play_rights.c ---- */

bool seat_is(const struct hosted_game *p, int seat,
	     const char *user);					  /* does the user sit there? */
unsigned seats_of(const struct hosted_game *p, const char *user); /* a bit each */
int person_count(const struct hosted_game *p);			  /* seats with a person */
/* Nobody else has to agree: at most one person is seated. */
bool hosted_is_free(const struct hosted_game *p);
/* Who may undo, change seats and write notes: a seated person; if nobody sits, the owner. */
bool hosted_governs(const struct hosted_game *p, const char *user);
bool hosted_may_roll(const struct hosted_game *p, const char *user);
/* Chance is to move, and the server rolls. */
bool hosted_dice_due(const struct hosted_game *p);
bool hosted_is_full(const struct hosted_game *p, size_t more);
/* Whose clock runs in this position; -1: nobody's. */
int hosted_clock_seat(const struct hosted_game *p);

/* ---- play_events.c ---- */

const char *offer_name(enum offer_kind kind);
bool offer_from_name(const char *name, enum offer_kind *out);
void offers_clear(struct hosted_game *p);
int offers_open(const struct hosted_game *p);
/* Changes the game as the event says, or refuses it and changes nothing. */
enum qv_status event_apply(struct hosted_game *p, const json_t *event, struct qv_error *error);
json_t *seat_event_json(const struct hosted_seat *seat);	      /* {user,name}, {spec}, {} */
struct dice_roll *roll_at(const struct hosted_game *p, int32_t node); /* NULL: none yet */

/* ---- hosted_lines.c ---- */

/* Applies and counts a line that was stored. */
enum qv_status line_apply(struct hosted_game *p, const char *line, struct qv_error *error);
bool line_wait(struct hosted_game *p, const char *line, size_t length);
/*
 * Events as they happen, already checked: applied, and their lines wait. False: not enough memory, and
 * the game is broken. say takes the JSON over.
 */
bool say(struct hosted_game *p, json_t *event);
bool do_play(struct hosted_game *p, qv_move move, double seconds);
bool do_undo(struct hosted_game *p, int plies);
bool do_redo(struct hosted_game *p, int plies);
bool do_end(struct hosted_game *p, int winner, const char *reason);
bool do_note(struct hosted_game *p, const char *text);
bool do_clock(struct hosted_game *p, int seat, int64_t left_ms);

/* ---- play_birth.c ---- */

bool hosted_id_ok(const char *id);

/* ---- play.c ---- */

/* What is left on a clock according to the lines. */
int64_t clock_stored(const struct hosted_game *p, int seat);

/* Around every change of position or seats: the clock stops; then dice are committed and it runs on. */
void turn_stop(struct hosted_game *p, int64_t now);
enum verdict turn_go(struct hosted_game *p, bool done, int64_t now, struct qv_error *error);
/* Before any command: is the game usable, and has no flag fallen? */
enum verdict hosted_ready(const struct hosted_game *p, int64_t now, struct qv_error *error);
/* A seat gives up or its flag fell (game_takes_over). */
bool seat_gives_up(struct hosted_game *p, int seat, const char *reason);
/* Rolls with a seed that has been checked. */
bool roll_dice(struct hosted_game *p, const char *seed);

#endif
