/*
 * xboard.h - what the files of the XBoard protocol (CECP 2), engine's side, share.
 * SPDX-License-Identifier: MIT
 *
 * The engine holds the game itself and searches without being asked: when it is its turn, when it
 * analyses, and on the opponent's time. Such a search is a job. A line that changes the game ends
 * the job first and waits for its end; xboard_idle then begins the next job, if there is one.
 */
#ifndef PROTOCOLS_XBOARD_H
#define PROTOCOLS_XBOARD_H

#include <stdatomic.h>

#include "core/game_clock.h"
#include "protocols/engine.h"

enum xboard_job { JOB_NONE, JOB_MOVE, JOB_PONDER, JOB_ANALYSE };

enum { XBOARD_SIDE = 8, XBOARD_SQUARES = XBOARD_SIDE * XBOARD_SIDE };

/* The two sides of the clock. */
enum { XBOARD_OWN, XBOARD_OPPONENT };

struct xboard {
	/* Read and written by the searching thread, too. */
	atomic_bool post;      /* print the search's progress */
	atomic_int job;	       /* enum xboard_job */
	atomic_int told_depth; /* the last reported depth and nodes, for '.' */
	_Atomic uint64_t told_nodes;
	_Atomic qv_move told_best; /* of an analysis; QV_NO_MOVE: not known */
	_Atomic qv_move told_move; /* the root move being searched; QV_NO_MOVE: not known */
	atomic_int told_number;	   /* its number, from 1 */
	int move_count;		   /* root moves in all */

	bool force;   /* the engine plays neither side */
	bool analyse; /* analysis mode */
	bool hard;    /* ponder on the opponent's time */
	bool paused;
	int seat;     /* the engine's seat, unless force is set */
	bool discard; /* ignore the answer of the running job */

	/* Time. The interface judges flags; the engine only keeps count. */
	struct game_clock clock; /* of XBOARD_OWN and XBOARD_OPPONENT, whichever seats they have */
	int64_t depth;		 /* of each search; 0: not limited */
	int64_t began_us;	 /* start of the job, or of its own time after a ponder hit */

	qv_move expected; /* the opponent's expected reply; QV_NO_MOVE: not known */
	void *before;	  /* while pondering: the state before that reply was played */
	bool knows_score;
	int32_t score; /* the engine's, at its last move */

	bool by_variant; /* the command `variant` chose the rules; `new` returns to chess */
	bool told_end;	 /* the analysis has reported that the game is over here */

	qv_move excluded[QV_MAX_MOVES]; /* root moves that an analysis leaves out */
	int excluded_count;

	bool editing;		     /* between `edit` and its dot */
	char edited[XBOARD_SQUARES]; /* from a8, as a FEN has them; ' ' is empty */
	bool edits_black;
};

static inline struct xboard *xboard_of(const struct connection *c)
{
	return c->own;
}

static inline int xboard_seat_to_move(const struct connection *c)
{
	return c->engine.rules.game->seat(engine_state(&c->engine));
}

/* ---- xboard.c ---- */

/* What the waiting lines will do to a job that begins now: end its search early, or discard it. */
enum xboard_fate { FATE_NONE, FATE_HURRIES, FATE_BREAKS };
enum xboard_fate xboard_fate(const struct connection *c);
/* The index of the move among the excluded ones; excluded_count: it is not excluded. */
int xboard_find_excluded(const struct xboard *x, qv_move move);

/* ---- xboard_features.c ---- */

/* The features, options and variants, as `protover` asks for them. */
void xboard_add_features(const struct connection *c, struct string *out);
/* The option of that name, letter case and blanks ignored; NULL: no such option. */
const struct option *xboard_option_find(const char *name);
/* False: there is no such variant, and error->text is "", or it failed. */
bool xboard_set_variant(struct connection *c, const char *name, struct qv_error *error);
/* A move of the engine's. */
struct move_text xboard_move_text(const struct connection *c, const void *state, qv_move move);

/* ---- xboard_search.c ---- */

/* Begins the next job, if there is anything to do. An error is printed to `out`. */
enum next_step xboard_idle(struct connection *c, struct string *out);
/* True: the pondered move has been played, so the job now searches the engine's own move. */
bool xboard_ponder_hit(struct connection *c, const char *move);
/* Ends the job; its answer is dropped, and the game is as it was before it. */
void xboard_break(struct connection *c);
/* Prints the result, if the game has ended. */
void xboard_add_result(const struct connection *c, struct string *out);
/* The functions of struct protocol_ops with these names; the first two run while searching. */
void xboard_info(struct connection *c, int line, const struct qv_answer *a, struct string *out);
void xboard_root_move(struct connection *c, qv_move move, int n, int depth, struct string *out);
void xboard_answer(struct connection *c, struct string *out);

#endif
