/*
 * engine_session.h - what an engine holds behind any protocol: the game, its options, its player, and what
 * it was asked. The protocols turn lines into these calls, and answers into lines.
 * SPDX-License-Identifier: MIT
 *
 * A call that fails leaves everything as it was.
 */
#ifndef PROTOCOLS_ENGINE_SESSION_H
#define PROTOCOLS_ENGINE_SESSION_H

#include "base/memory.h"
#include "base/options.h"
#include "protocols/protocol.h"

enum { ENGINE_SPEC = 1024 };

/* Zero: no such limit. */
struct engine_limits {
	int64_t depth, nodes, evals, time_ms;
	bool infinite;                             /* until it is stopped */
	bool ponder;				   /* until engine_ponderhit, no time runs */
	int64_t mate;                              /* a win in so many plies is enough */
	bool clocks;                               /* the next three hold */
	int64_t left_ms[QV_MAX_SEATS], added_ms[QV_MAX_SEATS];
	int moves_to_go;                           /* 0: the clock is for the whole game */
	const qv_move *only;                       /* as in struct qv_limits; copied */
	int only_count;
};

enum engine_task { TASK_NONE, TASK_MOVE, TASK_SOLVE, TASK_PERFT, TASK_HOLD };

/* What the options set. Numbers and switches as base/options.h has them. */
struct engine_settings {
	int64_t hash_mb, threads, seed;
	int64_t depth, nodes, time_ms; /* limits of every search; 0: none */
	int64_t lines;		       /* of an analysis */
	int64_t lag_ms;		       /* lost on the way with each move */
	int64_t limited, elo;	       /* it plays as strong as this rating, whatever the spec is */
	int64_t own_book, analyse;     /* the book is used; but not for analyses */
	int64_t ponder;		       /* without effect, and forgotten */
	bool clear_hash;	       /* true only until it is done */
	char spec[ENGINE_SPEC];	       /* "": the strongest player */
	char book[ENGINE_SPEC];	       /* a file; "": none */
};

struct engine_session {
	const struct qv_context *context;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct qv_record *record;
	void *scratch;                             /* a state of the game */

	/* Options, and the player they make, when it is needed. */
	struct engine_settings set;
	const char *tables; /* a folder; NULL: none */
	struct qv_player *player;

	/* What it thinks about. */
	enum engine_task task;
	struct qv_limits limits;
	qv_move only[QV_MAX_MOVES];
	int64_t mate;
	bool infinite, distance;
	atomic_bool stop, ponder;
	enum qv_status status;
	struct qv_error error;
	struct qv_answer answer;
	struct qv_solution solution;
	int perft_depth, perft_count;              /* moves that were counted */
	uint64_t perft_leaves[QV_MAX_MOVES];       /* behind each of them, which are in `only` */
};

enum qv_status engine_init(struct engine_session *e, const struct connection_setup *setup,
			   struct qv_error *error);
void engine_release(struct engine_session *e);

/* ---- Options (engine_options.h has the tables) ---- */

/*
 * Sets an option from its text; a switch takes true and false, too. A player spec and a book file
 * are tried out.
 */
enum qv_status engine_set(struct engine_session *e, const struct option *option, const char *text,
			  struct qv_error *error);
/* Whether somebody analyses: then the book is not used. */
void engine_analyse(struct engine_session *e, bool analyse);

/* ---- The game ---- */

/* Another game, or another one of the same; what earlier searches learned is forgotten. */
enum qv_status engine_new_game(struct engine_session *e, const char *game, struct qv_error *error);
enum qv_status engine_position(struct engine_session *e, const char *position,
			       struct qv_error *error);
enum qv_status engine_play(struct engine_session *e, const char *move, struct qv_error *error);
enum qv_status engine_undo(struct engine_session *e, int plies, struct qv_error *error);
/*
 * A drawn game goes on from where it is, for those who do not claim the draw: the count of moves
 * without progress begins again. QV_OK does not mean that it can be played on.
 */
enum qv_status engine_play_on(struct engine_session *e, struct qv_error *error);
const void *engine_state(const struct engine_session *e);
bool engine_over(const struct engine_session *e);

struct move_text {
	char text[QV_MOVE_TEXT];
};
struct move_text move_text(const struct qv_game *game, const void *state, qv_move move);
/* What the answer's line expects after its move; "": nothing. */
struct move_text engine_reply(const struct engine_session *e);
/* The moves of an answer's line, so separated; those that are not legal are left out. */
void engine_add_line(const struct engine_session *e, const struct qv_answer *answer,
		     const char *separator, struct string *out);

/* ---- Thinking ---- */

/* Makes the player and clears the stop flag; engine_run is next. QV_ILLEGAL: the game is over. */
enum qv_status engine_go(struct engine_session *e, const struct engine_limits *limits,
			 struct qv_error *error);
enum qv_status engine_solve(struct engine_session *e, bool distance, struct qv_error *error);
/* There is nothing to think about, but the answer is not to come before the stop. */
void engine_hold(struct engine_session *e, const struct engine_limits *limits);
/* Counts the leaves at that depth behind each move. */
void engine_perft(struct engine_session *e, int depth);
/* Makes the player now, so that its first search begins at once. */
enum qv_status engine_ready(struct engine_session *e, struct qv_error *error);
/* The opponent has moved as expected: time runs from now on. From any thread. */
void engine_ponderhit(struct engine_session *e);

/* Who is told what is known so far; line counts from 1, the best first. */
struct engine_listener {
	void (*hear)(void *ctx, int line, const struct qv_answer *so_far);
	bool bounds;                               /* hear is told of bounds too */
	/* As the listener's root_move; may be NULL. */
	void (*root_move)(void *ctx, qv_move move, int n, int depth);
	void *ctx;
};
/* Does what was asked. The answer, status and error are in e then. hear may be NULL. */
void engine_run(struct engine_session *e, const struct engine_listener *ear);

#endif
