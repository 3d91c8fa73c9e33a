/*
 * engine_session.h - the engine behind any protocol: its game, options, player and current task.
 * SPDX-License-Identifier: MIT
 *
 * A protocol turns lines into these calls and answers into lines. A call that fails leaves the
 * session as it was. One thread at a time may use a session; only engine_ponderhit and the flag
 * `stop` may be used by another thread while engine_run runs.
 */
#ifndef PROTOCOLS_ENGINE_SESSION_H
#define PROTOCOLS_ENGINE_SESSION_H

#include "base/memory.h"
#include "base/options.h"
#include "protocols/protocol.h"

enum { ENGINE_SPEC = 1024 }; /* bytes of a player spec or a book's path, NUL included */

/* What a search may use. Zero: no such limit. */
struct engine_limits {
	int64_t depth, nodes, evals, time_ms;
	bool infinite; /* until it is stopped */
	bool ponder;   /* until engine_ponderhit, no time runs */
	int64_t mate;  /* stop at a win within this number of plies */
	bool clocks;   /* the next three are set */
	int64_t left_ms[QV_MAX_SEATS], added_ms[QV_MAX_SEATS];
	int moves_to_go;     /* 0: the clock is for the whole game */
	const qv_move *only; /* as in struct qv_limits; copied */
	int only_count;
};

/* TASK_HOLD: there is nothing to search, but the answer must wait for the stop. */
enum engine_task { TASK_NONE, TASK_MOVE, TASK_SOLVE, TASK_PERFT, TASK_HOLD };

/* The values of the options. Numbers and switches as base/options.h has them. */
struct engine_settings {
	int64_t hash_mb, threads, seed;
	int64_t depth, nodes, time_ms; /* limits of every search; 0: none */
	int64_t lines;		       /* number of principal variations */
	int64_t lag_ms;		       /* time lost in transmission with each move */
	int64_t limited, elo;	       /* play at this rating, whatever the spec says */
	int64_t own_book, analyse;     /* use the book, except for analyses */
	int64_t ponder;		       /* accepted without effect */
	int64_t chess960;	       /* chess is Chess960 */
	int64_t show_wdl;	       /* UCI: print chances with each score */
	bool clear_hash;	       /* true only until it is done */
	char spec[ENGINE_SPEC];	       /* of the player; "": the strongest */
	char book[ENGINE_SPEC];	       /* a file; "": none */
	char syzygy[ENGINE_SPEC];      /* folders for the prober; "": as it was set up */
};

struct engine_session {
	const struct qv_context *context;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct qv_record *record;
	void *scratch; /* room for a state of the game */

	struct engine_settings set;
	const char *tables;	  /* a folder; NULL: none */
	const struct qv_prober *prober; /* other tables; NULL: none */
	struct qv_player *player; /* NULL: not made yet, or the settings have changed */

	/* The task: what was asked, and what came out of it. */
	enum engine_task task;
	struct qv_limits limits;
	qv_move only[QV_MAX_MOVES];
	int64_t mate;
	bool infinite, distance; /* distance: solve for the number of plies, too */
	struct qv_flag stop, ponder;
	enum qv_status status; /* of the task, with the error */
	struct qv_error error;
	struct qv_answer answer;
	struct qv_solution solution;
	int perft_depth, perft_count;		/* perft_count: moves whose leaves were counted */
	uint64_t perft_leaves[QV_MAX_MOVES];	/* after each of them; the moves are in `only` */
	const struct engine_listener *listener; /* during engine_run; may be NULL */
};

/* On failure there is nothing to release. */
enum qv_status engine_init(struct engine_session *e, const struct connection_setup *setup,
			   struct qv_error *error);
void engine_release(struct engine_session *e);

/* ---- Options ---- */

/*
 * The options as tables whose values are in struct engine_session, ended by a row without a name.
 * In the protocols a number is a spin or number, a switch a check, a flag a button, a text a
 * string. A custom option is a string that has no effect; `value` is what it shows.
 */
extern const struct option qgp_options[]; /* of QGP and UGI */
extern const struct option uci_options[]; /* of UCI and XBoard, under their established names */

/* The option of that name, letter case ignored; NULL: no such option. */
const struct option *engine_option_find(const struct option *options, const char *name);
/* Copies the option with the bounds of the current game; false: the game does not have it. */
bool engine_option_here(const struct engine_session *e, const struct option *row,
			struct option *out);
/* The current value of a number or switch, within the bounds; of a text. */
int64_t engine_option_number(const struct engine_session *e, const struct option *row);
const char *engine_option_text(const struct engine_session *e, const struct option *row);

/*
 * Sets an option from its text; a switch takes true and false, too. To check a player spec or a
 * book file, the player is made.
 */
enum qv_status engine_set(struct engine_session *e, const struct option *option, const char *text,
			  struct qv_error *error);
/* UCI_Variant: each game that fits UCI is one, under its name. NULL: no more; begin with *at 0. */
const char *engine_variant(const struct engine_session *e, int *at);
/* Switches analysis mode, in which the book is not used. */
void engine_analyse(struct engine_session *e, bool analyse);

/* ---- The game ---- */

/* Starts a game by these rules; NULL: by the same rules. Clears what earlier searches learned. */
enum qv_status engine_new_game(struct engine_session *e, const char *game, struct qv_error *error);
/* Sets up a position in the game's notation; NULL: the start. */
enum qv_status engine_position(struct engine_session *e, const char *position,
			       struct qv_error *error);
/* Plays a move in the game's notation. QV_ILLEGAL: not legal, or the game has ended. */
enum qv_status engine_play(struct engine_session *e, const char *move, struct qv_error *error);
enum qv_status engine_undo(struct engine_session *e, int plies, struct qv_error *error);
/*
 * Continues after a draw that nobody claims: the count of moves without progress begins again.
 * QV_OK does not mean that the game can continue.
 */
enum qv_status engine_play_on(struct engine_session *e, struct qv_error *error);
const void *engine_state(const struct engine_session *e); /* the current position */
bool engine_over(const struct engine_session *e);	  /* whether the game has ended */

/* A move in the game's notation. */
struct move_text {
	char text[QV_MOVE_TEXT];
};
struct move_text move_text(const struct qv_game *game, const void *state, qv_move move);
/* The reply that the answer's line expects to its move; "": none. */
struct move_text engine_reply(const struct engine_session *e);
/* Appends the moves of an answer's line, up to the first that is not legal. */
void engine_add_line(const struct engine_session *e, const struct qv_answer *answer,
		     const char *separator, struct string *out);

/* ---- Searching ---- */

/*
 * Each of these prepares a task and clears the flag `stop`; engine_run does it. engine_go makes the
 * player if necessary. QV_ILLEGAL: the game is over. engine_perft counts the leaves at that depth
 * after each move. engine_hold only waits, as the limits say.
 */
enum qv_status engine_go(struct engine_session *e, const struct engine_limits *limits,
			 struct qv_error *error);
enum qv_status engine_solve(struct engine_session *e, bool distance, struct qv_error *error);
void engine_hold(struct engine_session *e, const struct engine_limits *limits);
void engine_perft(struct engine_session *e, int depth);
/*
 * How long to search if a move must be made within `ms`: less the lag, but at least half. The
 * interface counts the time until it has read the move.
 */
static inline int64_t engine_move_time(const struct engine_session *e, int64_t ms)
{
	return ms > 2 * e->set.lag_ms ? ms - e->set.lag_ms : (ms + 1) / 2;
}
/* Makes the player now, so that its first search begins at once. */
enum qv_status engine_ready(struct engine_session *e, struct qv_error *error);
/* The opponent has made the expected move: time runs from now on. From any thread. */
void engine_ponderhit(struct engine_session *e);

/* Receives the progress of a search, in the thread of engine_run. */
struct engine_listener {
	/* Line 1 is the best. */
	void (*line)(void *ctx, int line, const struct qv_answer *so_far);
	bool bounds; /* report bounds, too */
	/* As root_move of struct qv_listener; may be NULL. */
	void (*root_move)(void *ctx, qv_move move, int n, int depth);
	void *ctx;
};
/* Does the task and returns at its end; answer, status and error are in the session then. */
void engine_run(struct engine_session *e, const struct engine_listener *listener);

#endif
