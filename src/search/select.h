/*
 * select.h - the selective search: its switches, what it remembers, and the parts that know no
 * game.
 * SPDX-License-Identifier: MIT
 *
 * The driver of the two-player search (duel.c) runs it like the others; select.inc.h is the
 * recursion. Each worker has one struct select. Reductions are in 1/SELECT_ONE of a ply; all
 * arithmetic is on integers, so that a tree is the same on every machine.
 */
#ifndef SEARCH_SELECT_H
#define SEARCH_SELECT_H

#include "search/duel.h"

enum {
	SELECT_PLACES = 768,	 /* a piece of a colour on a square: what a move leads to */
	SELECT_ROUTES = 4096,	 /* a square to a square */
	SELECT_VICTIMS = 8,	 /* kinds of piece that a move takes; 0: none */
	SELECT_VALUES = 1 << 16, /* positions whose static value is remembered */
	SELECT_PAWNS = 1 << 13,	 /* skeletons whose error is remembered, for each seat */
	SELECT_ERRORS = 3,	 /* kinds of skeletons */
	SELECT_RISKS = 4,	 /* ways in which a move's two squares may be attacked */
	SELECT_PROOF = 5,	 /* ends at most so many plies off are proven, at full width */
	SELECT_KILLERS = 2,
	SELECT_MOST = 1 << 14, /* the size of a count of history */
	SELECT_TRIED = 48,     /* so many moves that failed are marked down */
	SELECT_ONE = 1024,
	SELECT_LOG_ROOM = 64, /* reductions of depths and of moves below that */
	SELECT_NO_VALUE = INT32_MIN,
	SELECT_DEEPER =
		4, /* an entry of the table so much deeper stays, unless the value is exact */
	SELECT_BEFORE = 4, /* plies before the root that a move may ask for */
};

/* What the path to a node left there. */
struct select_ply {
	uint64_t hash;	  /* of the position: repeat_hash */
	int32_t standing; /* its static value; SELECT_NO_VALUE in check */
	int place;	  /* the move that was played here; -1: none, or a pass */
	int16_t *count;	  /* its count of history, if it was quiet; else NULL */
	bool checked;	  /* who moves here is in check */
	bool passed;	  /* the move that led here was a pass */
	qv_move except;	  /* the move that a singular search leaves out */
	qv_move killers[SELECT_KILLERS];
};

/* A static value; only the thread that owns it looks. */
struct select_value {
	uint32_t check;
	int32_t value;
};

struct select {
	/* The techniques, each switched by a key of its name. */
	bool null_move, lmr, late, futility, exchange, delta, checks, extend, singular, iir,
		probcut, follow, correct, twofold;
	bool proving; /* none of them, and nothing past the horizon: a proof */

	int reductions[SELECT_LOG_ROOM]; /* logarithms; the product of two is a reduction */
	struct select_ply room[SELECT_BEFORE + DUEL_MAX_PLY + 2];
	struct select_ply *plies; /* plies[-SELECT_BEFORE] is room[0] */
	int pass_from;		  /* no pass before this ply: a null move is being verified */
	int pass_seat;		  /* ... for that seat */

	/* Quiet moves that cut off, by seat, and by which of their two squares were attacked. */
	int16_t routes[2][SELECT_RISKS][SELECT_ROUTES];
	int16_t nothing[SELECT_RISKS][SELECT_ROUTES]; /* zeros, for counts that are not asked for */
	int16_t takes[SELECT_PLACES][SELECT_VICTIMS];
	int16_t follows[SELECT_PLACES][SELECT_PLACES]; /* after a move, one or two plies ago */
	qv_move replies[SELECT_PLACES];		       /* what refuted a move */
	/* Errors of static values, by seat: of the pawns' places, of one side's men, the other's.
	 */
	int16_t errors[2][SELECT_ERRORS][SELECT_PAWNS];
	struct select_value values[SELECT_VALUES];
};

/* Takes the switches from the settings. All else is zero. */
void select_init(struct select *t, const struct settings *set);
/* Forgets what earlier games taught. */
void select_forget(struct select *t);
/* Before each search. */
void select_start(struct select *t);

/* Moves a count towards its bound by that much: what is near it moves little. */
static inline void select_learn(int16_t *count, int bonus)
{
	*count = (int16_t)(*count + bonus - *count * (bonus < 0 ? -bonus : bonus) / SELECT_MOST);
}

static inline int select_bonus(int depth)
{
	const int bonus = 160 * depth - 80;
	return bonus > 1800 ? 1800 : bonus;
}

/* How many plies less a late move gets, in 1/SELECT_ONE. */
static inline int select_reduction(const struct select *t, int depth, int tried)
{
	const int d = depth < SELECT_LOG_ROOM ? depth : SELECT_LOG_ROOM - 1;
	const int m = tried < SELECT_LOG_ROOM ? tried : SELECT_LOG_ROOM - 1;
	return SELECT_ONE * 3 / 4 + t->reductions[d] * t->reductions[m] / SELECT_ONE * 4 / 9;
}

#endif
