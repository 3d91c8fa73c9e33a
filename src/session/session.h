/*
 * session.h - games at the terminal: who sits where, whose turn it is, dice, clocks, undo and redo.
 * SPDX-License-Identifier: MIT
 *
 * It prints nothing: dialogue.h turns lines of text into these calls. A new game, a position that
 * is set up and a game that is loaded each begin a new chapter, which is a game_session with its
 * own record and clock. Undo at the beginning of a chapter goes back to the chapter before, so a
 * mistyped command loses nothing.
 *
 * A function that fails leaves the game as it was and writes the reason to *error, which may be
 * NULL. Seats count from 0; QV_CHANCE is the dice. Only one thread at a time may use a session;
 * *stop may be set from any thread.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "session/game_session.h"

enum {
	SESSION_SPEC = 1024,   /* bytes of a spec, with its NUL */
	SESSION_CHAPTERS = 16, /* kept for undo; then the oldest is dropped */
};

/* What has to happen next. */
enum session_turn {
	TURN_OVER,
	TURN_PERSON,
	TURN_COMPUTER,
	TURN_DICE,	 /* chance moves, and the program rolls */
	TURN_TYPED_DICE, /* chance moves, and somebody types the roll */
};

/* What a session starts with. Its texts and rules are needed only during session_new. */
struct session_setup {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const char *position;		 /* NULL: the start */
	const char *seats[QV_MAX_SEATS]; /* specs; NULL: a person in seat 1, levels elsewhere */
	int level;			 /* of those levels; 0: the middle one */
	const char *hint;		 /* spec for hints; NULL: the strongest, 1 s a move */
	struct qv_defaults defaults;
	struct time_control control;
	bool typed_dice;
	/* A seat or a hint may be an external program, but never one that a loaded file names. */
	bool programs;
	struct engine_log *log; /* the dialogue with programs goes there; NULL: nowhere */
	bool no_times; /* the record does not store the time of moves */
	bool san;      /* moves are shown in the short notation, in games that have one */
	/* The time in ms, of a clock that never goes back. */
	int64_t (*now_ms)(void *ctx);
	void *now_ctx;
};

/* A game from a new position on, and who sits where. */
struct chapter {
	struct game_session game;
	uint64_t number; /* counts all chapters that were begun; the dice depend on it */
	char seats[QV_MAX_SEATS][SESSION_SPEC];
};

struct session {
	struct session_setup setup; /* its rules and texts are NULL */
	const struct qv_allocator *allocator;
	char hint[SESSION_SPEC];
	struct chapter *chapters;   /* room for SESSION_CHAPTERS */
	int chapter_count, chapter; /* chapter: the present one */
	uint64_t begun;		    /* chapters ever begun */
	/* The players of the chapter; NULL: a person, or not made yet. */
	struct qv_player *players[QV_MAX_SEATS];
	struct qv_player *adviser; /* for hints; NULL: not made yet */
};

/*
 * Begins the first chapter. The context must outlive the session, which the caller frees.
 * QV_BAD_INPUT: a seat, the hint or the position is malformed.
 */
enum qv_status session_new(const struct session_setup *setup, struct session **out,
			   struct qv_error *error);
void session_free(struct session *s); /* NULL is fine */

/* ---- Queries ---- */

/* The chapter's game: its record, clock and a scratch state. */
struct game_session *session_current(const struct session *s);

/* Shortcuts to the record of the chapter, its game, and the state at its cursor. */
struct qv_record *session_record(const struct session *s);
const struct qv_game *session_game(const struct session *s);
const void *session_state(const struct session *s);
/* The seat to move, or QV_CHANCE. */
int session_seat(const struct session *s);
enum session_turn session_turn(const struct session *s);
/* The spec of a seat's player, or `human`; valid until the seats or the chapter change. */
const char *session_spec(const struct session *s, int seat);
bool session_is_person(const struct session *s, int seat);
/* How many seats have a person. */
int session_people(const struct session *s);
/* The level that a spec like `level:3` names; 0: it is something else. */
int session_level_of(const char *spec);
/* What is left on a seat's clock now, in ms; below 0 when its flag has fallen. */
int64_t session_left_ms(const struct session *s, int seat);

/* ---- Moves ---- */

/*
 * Plays a move of the seat to move, or a roll. The record stores the time that the clock measured.
 * QV_ILLEGAL: the rules forbid the move, or the game is over.
 */
enum qv_status session_play(struct session *s, qv_move move, struct qv_error *error);
/* If the game has ended, reports that to its players: a learning player learns from it. */
enum qv_status session_report_end(struct session *s, struct qv_error *error);
/*
 * Rolls the dice and plays the roll. The same seed, chapter and ply give the same roll, also after
 * an undo. QV_ILLEGAL: chance is not to move.
 */
enum qv_status session_roll(struct session *s, qv_move *rolled, struct qv_error *error);
/*
 * Lets the computer in the seat to move choose a move, while its clock runs. The move is not
 * played. QV_STOPPED: *stop was set, and *out holds the best move so far. The listener may be NULL.
 */
enum qv_status session_think(struct session *s, const struct qv_flag *stop,
			     const struct qv_listener *listener, struct qv_answer *out,
			     struct qv_error *error);
/*
 * Lets a player of this spec choose a move for the seat to move; spec NULL: the setup's hint. No
 * clock runs. QV_STOPPED as above.
 */
enum qv_status session_advise(struct session *s, const char *spec, const struct qv_flag *stop,
			      struct qv_answer *out, struct qv_error *error);
/*
 * Lets the same player explain the position: one JSON object (struct engine). QV_UNSUPPORTED: it has
 * no explanation. QV_STOPPED: the object is complete, but *stop or a limit ended the search.
 */
enum qv_status session_explain(struct session *s, const char *spec, const struct qv_flag *stop,
			       struct string *out, struct qv_error *error);
/*
 * Goes back to where a person acted, `turns` times, at most to the first such place; redo goes
 * forward again. *plies: how far it went; -1: to another chapter. QV_ILLEGAL: there is nothing to
 * undo or redo.
 */
enum qv_status session_undo(struct session *s, int turns, int *plies, struct qv_error *error);
enum qv_status session_redo(struct session *s, int turns, int *plies, struct qv_error *error);
/*
 * A seat gives up, or its flag fell. Of two seats the other wins; with one the game ends. With
 * more, a computer plays on for the seat, and *taken_over is true.
 */
enum qv_status session_give_up(struct session *s, int seat, const char *reason, bool *taken_over,
			       struct qv_error *error);

/* ---- Seats ---- */

/*
 * Changes the player of a seat to a spec or `human`. QV_BAD_INPUT: no such seat, or no player can
 * be made of the spec.
 */
enum qv_status session_set_seat(struct session *s, int seat, const char *spec,
				struct qv_error *error);
/* All computers play at this level from now on. QV_ILLEGAL: no computer plays. */
enum qv_status session_set_level(struct session *s, int level, struct qv_error *error);
/* Everybody moves to the next seat, the last to the first. */
void session_swap(struct session *s);

/* ---- Chapters: the seats and the time control stay unless stated otherwise ---- */

/* Begins again from the start position of the chapter, with full clocks. */
enum qv_status session_new_game(struct session *s, struct qv_error *error);
/* Begins from a position in the game's notation. */
enum qv_status session_edit(struct session *s, const char *position, struct qv_error *error);
/*
 * Loads a journal (docs/formats.md), of any game. Seats that its header names are taken if their
 * players can be made here, and clocks if it stores all of them.
 */
enum qv_status session_load(struct session *s, const char *data, size_t size,
			    struct qv_error *error);

/* ---- Clocks ---- */

/* The clock of the seat to move runs from start to stop, and at no other time. */
void session_clock_start(struct session *s);
void session_clock_stop(struct session *s);
/* The seat whose flag has fallen, or -1. */
int session_flag(const struct session *s);

#endif
