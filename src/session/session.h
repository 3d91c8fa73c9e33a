/*
 * session.h - games at the terminal: who sits where, whose turn it is, dice, clocks, undo and redo.
 * SPDX-License-Identifier: MIT
 *
 * It prints nothing: dialogue.h turns lines of text into these calls. A new game, a position that is set
 * up and a game that is loaded each begin a new chapter, which is a game_session with its own record
 * and clock. Undo at the beginning of a chapter goes back to the chapter before, so a mistyped command
 * loses nothing.
 *
 * Every function that can fail leaves the game as it was when it does.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "session/game_session.h"

enum { SESSION_SPEC = 1024, SESSION_CHAPTERS = 16 };

/* What has to happen next. */
enum session_turn {
	TURN_OVER,
	TURN_PERSON,
	TURN_COMPUTER,
	TURN_DICE,	 /* chance moves, and the program rolls */
	TURN_TYPED_DICE, /* chance moves, and somebody types the roll */
};

struct session_setup {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const char *position;		 /* NULL: the start */
	const char *seats[QV_MAX_SEATS]; /* specs; NULL: a person in seat 1, levels elsewhere */
	int level;			 /* of those; 0: the middle one */
	const char *hint;		 /* who gives hints; NULL: the strongest, for a second */
	struct qv_defaults defaults;
	struct time_control control;
	bool typed_dice;
	bool programs; /* a seat or a hint may be a program outside; never one that a file names */
	bool no_times; /* the record does not say what moves took */
	bool san; /* moves are shown as people write them, in games that know such a notation */
	int64_t (*now_ms)(void *ctx);
	void *now_ctx;
};

/* A game from a new position on, and who sits where. */
struct chapter {
	struct game_session game;
	uint64_t number; /* of all that were begun; the dice depend on it */
	char seats[QV_MAX_SEATS][SESSION_SPEC];
};

struct session {
	struct session_setup setup; /* the pointers of its own texts are not kept */
	const struct qv_allocator *allocator;
	char hint[SESSION_SPEC];
	struct chapter *chapters; /* SESSION_CHAPTERS of room */
	int chapter_count, chapter;
	uint64_t begun;
	struct qv_player
		*players[QV_MAX_SEATS]; /* of the chapter; NULL: a person, or not yet made */
	struct qv_player *adviser;
};

enum qv_status session_new(const struct session_setup *setup, struct session **out,
			   struct qv_error *error);
void session_free(struct session *s); /* NULL is fine */

/* ---- Looking ---- */

/* The chapter's game: its record, clock and a state to work with. */
struct game_session *session_current(const struct session *s);

struct qv_record *session_record(const struct session *s);
const struct qv_game *session_game(const struct session *s);
const void *session_state(const struct session *s);
int session_seat(const struct session *s); /* to move, or QV_CHANCE */
enum session_turn session_turn(const struct session *s);
const char *session_spec(const struct session *s, int seat);
bool session_is_person(const struct session *s, int seat);
int session_persons(const struct session *s); /* how many */
/* The level a spec like `level:3` names; 0: it is something else. */
int session_level_of(const char *spec);
/* What is left on a seat's clock just now, below 0 when its flag fell. */
int64_t session_left_ms(const struct session *s, int seat);

/* ---- Moves ---- */

/* A move of the seat to move, or a roll. */
enum qv_status session_play(struct session *s, qv_move move, struct qv_error *error);
/* If the game has ended, its players hear of it: a learner learns. */
enum qv_status session_report_end(struct session *s, struct qv_error *error);
/* Rolls the dice. The same seed, chapter and ply give the same roll, also after an undo. */
enum qv_status session_roll(struct session *s, qv_move *rolled, struct qv_error *error);
/*
 * The computer in the seat to move chooses; its clock runs. The move is not played. QV_STOPPED is
 * an answer too.
 */
enum qv_status session_think(struct session *s, const atomic_bool *stop, struct qv_answer *out,
			     struct qv_error *error);
/* What a strong player would do here; spec NULL: the setup's. No clock runs. */
enum qv_status session_advise(struct session *s, const char *spec, const atomic_bool *stop,
			      struct qv_answer *out, struct qv_error *error);
/*
 * Back to where a person acted, `turns` times (or to the beginning, if it is there); and on again.
 * *plies: how far it went; -1: to another chapter. QV_ILLEGAL: there is nothing to go to.
 */
enum qv_status session_undo(struct session *s, int turns, int *plies, struct qv_error *error);
enum qv_status session_redo(struct session *s, int turns, int *plies, struct qv_error *error);
/*
 * A seat gives up, or its flag fell. Of two seats the other wins; with one the game ends. With more,
 * a computer plays on for the seat, and *taken_over is true.
 */
enum qv_status session_give_up(struct session *s, int seat, const char *reason, bool *taken_over,
			       struct qv_error *error);

/* ---- Seats ---- */

enum qv_status session_set_seat(struct session *s, int seat, const char *spec,
				struct qv_error *error);
/* All computers play at that level. */
enum qv_status session_set_level(struct session *s, int level, struct qv_error *error);
/* Everybody moves to the next seat, the last to the first. */
void session_swap(struct session *s);

/* ---- Chapters ---- */

enum qv_status session_new_game(struct session *s, struct qv_error *error);
enum qv_status session_edit(struct session *s, const char *position, struct qv_error *error);
/* A journal; its header's seats sit down if they are players that can be made. */
enum qv_status session_load(struct session *s, const char *data, size_t size,
			    struct qv_error *error);

/* ---- Clocks ---- */

/* The time of the seat to move runs from start to stop; not over other work. */
void session_clock_start(struct session *s);
void session_clock_stop(struct session *s);
/* The seat whose flag has fallen, or -1. */
int session_flag(const struct session *s);

#endif
