/*
 * select.h - the selective search: its switches, its history tables, and its game-independent
 * parts.
 * SPDX-License-Identifier: MIT
 *
 * The driver of the two-player search (duel.c) runs it like the others; select.inc.h is the
 * recursion. Each worker has one struct select. Reductions are in 1/SELECT_ONE of a ply; all
 * arithmetic is on integers, so that a tree is the same on every machine.
 */
#ifndef SEARCH_SELECT_H
#define SEARCH_SELECT_H

#include "search/duel.h"
#include "search/visit.h"

enum {
	SELECT_PLACES = 768,	 /* piece, colour and target square of a move */
	SELECT_ROUTES = 4096,	 /* origin and target square of a move */
	SELECT_VICTIMS = 8,	 /* kinds of captured piece; 0: none */
	SELECT_VALUES = 1 << 16, /* entries of the static evaluation cache */
	SELECT_PAWNS = 1 << 13,	 /* entries of a correction history, for each seat */
	SELECT_CORRECTIONS = 3,	 /* correction histories: pawns, each side's pieces */
	SELECT_RISKS = 4,	 /* whether a move's origin and target are attacked */
	SELECT_PROOF = 5,	 /* wins within this many plies are proven at full width */
	SELECT_KILLERS = 2,
	SELECT_MOST = 1 << 14, /* bound of a history score */
	SELECT_TRIED = 48,     /* moves whose history is lowered at a cut-off, at most */
	SELECT_ONE = 1024,     /* one ply of reduction */
	SELECT_LOG_ROOM = 64,  /* size of the table of logarithms */
	SELECT_NO_VALUE = INT32_MIN,
	SELECT_DEEPER = 4, /* a table entry this much deeper is not replaced by a bound */
	SELECT_BEFORE = 4, /* plies before the root that continuation history looks at */
};

/* The state of one ply of the path. */
struct select_ply {
	uint64_t hash;	  /* of the position: repeat_hash */
	int32_t standing; /* corrected static value; SELECT_NO_VALUE in check */
	int place;	  /* of the move played here; -1: none, or a null move */
	int16_t *count;	  /* that move's history score, if it was quiet; else NULL */
	bool checked;	  /* the side to move is in check */
	bool passed;	  /* the move that led here was a null move */
	qv_move except;	  /* the move that a singular search excludes */
	qv_move killers[SELECT_KILLERS];
};

/* An entry of the static evaluation cache. Each thread has its own cache. */
struct select_value {
	uint32_t check;
	int32_t value;
};

struct select {
	/* The techniques, each switched by a key of its name. */
	bool null_move, lmr, late, futility, exchange, delta, checks, extend, singular, iir,
		probcut, follow, correct, twofold;
	bool proving; /* full width, no technique and no quiescence search: for a proof */

	int reductions[SELECT_LOG_ROOM]; /* late move reduction: logarithms, multiplied */
	struct select_ply room[SELECT_BEFORE + DUEL_MAX_PLY + 2];
	struct select_ply *plies; /* plies[-SELECT_BEFORE] is room[0] */
	int pass_from;		  /* null-move verification: no null move before this ply */
	int pass_seat;		  /* ... by that seat */
	/*
	 * For a listener. A search of a position that is being searched, such as a verification, is
	 * reported as if it were one ply deeper; `nested` counts such searches on the path.
	 */
	int nested;
	unsigned early; /* QV_VISIT_... of the move being tried */

	/* History heuristic for quiet moves, by seat and by which of their squares are attacked. */
	int16_t history[2][SELECT_RISKS][SELECT_ROUTES];
	int16_t nothing[SELECT_RISKS][SELECT_ROUTES]; /* zeros, if history is off */
	int16_t capture_history[SELECT_PLACES][SELECT_VICTIMS];
	/* Continuation history: quiet moves after a move 1, 2 or 4 plies ago. */
	int16_t continuation_history[SELECT_PLACES][SELECT_PLACES];
	qv_move countermoves[SELECT_PLACES]; /* the reply that last refuted a move */
	/*
	 * Correction history, by seat: mean errors of static values by pawns and by each side's
	 * pieces.
	 */
	int16_t corrections[2][SELECT_CORRECTIONS][SELECT_PAWNS];
	struct select_value values[SELECT_VALUES];
};

/* Sets the switches from the settings. *t must be zeroed before. */
void select_init(struct select *t, const struct settings *set);
/* Before a new game: clears histories and caches. */
void select_forget(struct select *t);
/* Before each search: resets the plies. */
void select_start(struct select *t);

/* History update with gravity: the nearer a score is to its bound, the less it moves. */
static inline void select_update(int16_t *count, int bonus)
{
	*count = (int16_t)(*count + bonus - *count * (bonus < 0 ? -bonus : bonus) / SELECT_MOST);
}

static inline int select_bonus(int depth)
{
	const int bonus = 160 * depth - 80;
	return bonus > 1800 ? 1800 : bonus;
}

/* Late move reduction of the move number `tried`, in 1/SELECT_ONE of a ply. */
static inline int select_reduction(const struct select *t, int depth, int tried)
{
	const int d = depth < SELECT_LOG_ROOM ? depth : SELECT_LOG_ROOM - 1;
	const int m = tried < SELECT_LOG_ROOM ? tried : SELECT_LOG_ROOM - 1;
	return SELECT_ONE * 3 / 4 + t->reductions[d] * t->reductions[m] / SELECT_ONE * 4 / 9;
}

/* ---- visits ---- */

/* Reports what happens at the node that the listener entered last. */
static inline void select_why(const struct duel_worker *w, int ply, enum qv_why why, int32_t number)
{
	if (w->listener)
		visit_why(w->listener, ply + w->select->nested, why, number);
}

/* Reports that a node is left; alpha: of its window. A stopped search does not leave it. */
static inline void select_leave(const struct duel_worker *w, int ply, int32_t alpha, int32_t value)
{
	const struct duel_ply *p = &w->plies[ply];
	if (!w->budget.stopped)
		visit_leave(w->listener, ply + w->select->nested, value,
			    p->line_length && value > alpha ? p->line[0] : QV_NO_MOVE);
}

#endif
