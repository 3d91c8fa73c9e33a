/*
 * xboard.h - inside the engine's side of the XBoard protocol (CECP 2): what its files share.
 * SPDX-License-Identifier: MIT
 *
 * The engine holds the game itself and thinks without being asked: when it is on move, when it
 * analyses, and on the opponent's time. That is a job. A line that changes the game ends the job
 * first and waits for its end; xboard_idle then looks what there is to do.
 */
#ifndef PROTOCOLS_XBOARD_H
#define PROTOCOLS_XBOARD_H

#include "core/game_clock.h"
#include "protocols/engine.h"

enum xboard_job { JOB_NONE, JOB_MOVE, JOB_PONDER, JOB_ANALYSE };

enum { XBOARD_SIDE = 8, XBOARD_SQUARES = XBOARD_SIDE * XBOARD_SIDE };

/* The two sides of the clock. */
enum { XBOARD_OWN, XBOARD_OPPONENT };

struct xboard {
	/* Heard by whoever thinks, so that it knows what to say. */
	atomic_bool post;
	atomic_int job;	       /* enum xboard_job */
	atomic_int told_depth; /* for '.' */
	_Atomic uint64_t told_nodes;
	_Atomic qv_move told_best; /* of an analysis; QV_NO_MOVE: not known */
	_Atomic qv_move told_move; /* that the search is at; QV_NO_MOVE: not known */
	atomic_int told_number;	   /* ... counted from 1 */
	int move_count;		   /* of which it is one */

	bool force, analyse, hard, paused;
	int seat;     /* that it plays */
	bool discard; /* the job's answer is not wanted any more */

	/* Time. The interface judges flags; the engine only keeps count. */
	struct game_clock clock; /* of XBOARD_OWN and XBOARD_OPPONENT, whichever seats they have */
	int64_t depth;		 /* of each search; 0: not limited */
	int64_t began_us;	 /* the job, or, after a ponder hit, its own time */

	/* What it expects, and the position before that was played. */
	qv_move expected;
	void *before;
	bool knows_score;
	int32_t score; /* its own, of the last move */

	qv_move excluded[QV_MAX_MOVES];
	int excluded_count;

	bool editing;
	char edited[XBOARD_SQUARES]; /* from a8, as a FEN has them; ' ' is empty */
	bool edits_black;
};

static inline struct xboard *xboard_of(const struct connection *c)
{
	return c->own;
}

/* ---- Jobs ---- */

/* Begins what there is to do, if anything is. */
enum next_step xboard_idle(struct connection *c, struct string *out);
bool xboard_on_move(const struct connection *c);
/* What lines that wait will do to a move that is begun now. */
enum xboard_fate { FATE_NONE, FATE_HURRIES, FATE_BREAKS };
enum xboard_fate xboard_fate(const struct connection *c);
/* The move that is pondered on has been played: true, and the job is to answer it. */
bool xboard_ponder_hit(struct connection *c, const char *move);
/* Ends the job; its answer is dropped, and the game is as it was before it. */
void xboard_break(struct connection *c);
void xboard_info(struct connection *c, int line, const struct qv_answer *a, struct string *out);
void xboard_root_move(struct connection *c, qv_move move, int n, int depth, struct string *out);
void xboard_answer(struct connection *c, struct string *out);
/* Says how the game has ended, if it has. */
void xboard_add_result(const struct connection *c, struct string *out);

/* ---- What it is asked about, also while it thinks ---- */

void xboard_tell_status(const struct connection *c, struct string *out); /* of an analysis */
void xboard_tell_hint(const struct connection *c, struct string *out);
void xboard_tell_book(const struct connection *c, struct string *out);

/* ---- The old way to set up a position ---- */

void xboard_edit_begin(struct connection *c);
enum next_step xboard_edit_line(struct connection *c, const char *line, struct string *out);

#endif
