/*
 * visit.h - part of quevedo.h: every visit of a search to a node, as it happens.
 * SPDX-License-Identifier: MIT
 *
 * A search enters a node, may give reasons for what it does there, and leaves it with a value:
 * enter, why, leave of struct qv_listener, nested as the search is. A node that is searched twice
 * is entered twice. Each pass over the root is a visit of its own at ply 0, so that iterations,
 * wider windows and the tests of MTD(f) can be told apart.
 *
 * A growing tree (Monte Carlo, proof numbers) has no such visits. It reports each step of its
 * growth instead: struct qv_growth.
 */
#ifndef QUEVEDO_VISIT_H
#define QUEVEDO_VISIT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a node is searched, and why its move was tried early. Flags of struct qv_visit. */
enum {
	QV_VISIT_SCOUT = 1 << 0,    /* with a null window, to test whether it beats alpha */
	QV_VISIT_AGAIN = 1 << 1,    /* once more, since that test failed */
	QV_VISIT_QUIET = 1 << 2,    /* beyond the horizon, by a quiescence search */
	QV_VISIT_PROBE = 1 << 3,    /* Star2: one move only, for a bound; ProbCut: a capture */
	QV_VISIT_PASS = 1 << 4,     /* null move: the seat passes */
	QV_VISIT_REDUCED = 1 << 5,  /* less deep than usual */
	QV_VISIT_EXTENDED = 1 << 6, /* deeper than usual */
	QV_VISIT_TABLE = 1 << 7,    /* its move comes from the transposition table */
	QV_VISIT_KEPT = 1 << 8,	    /* its move is that of the last principal variation */
	QV_VISIT_KILLER = 1 << 9,   /* its move is a killer move of the ply */
	QV_VISIT_SAMPLE = 1 << 10,  /* one random chain of outcomes out of many */
	QV_VISIT_USUAL = 1 << 11,   /* best-reply search: the only move that is tried here */
	QV_VISIT_VERIFY = 1 << 12,  /* checks a result that was found with less depth */
};

/* A node as it is entered. */
struct qv_visit {
	const void *state;  /* the position at the node; valid during the call */
	/*
	 * That led to it. QV_NO_MOVE at ply 0, for a null move, and where a search examines the
	 * position of its parent once more (verification, razoring): that counts as a ply, too.
	 */
	qv_move move;
	int ply, depth;	    /* plies from the root; plies left to the horizon, below 0 beyond it */
	int seat;	    /* whose values alpha, beta and the value of `leave` are */
	double alpha, beta; /* the window; infinite where it is open */
	unsigned flags;	    /* QV_VISIT_... */
};

/*
 * What happens at the node that was entered last and not left yet, with a number that belongs to
 * it. All values are for the seat of the visit.
 */
enum qv_why {
	QV_WHY_LEAF,	  /* evaluated: its static value */
	QV_WHY_ENDED,	  /* the game has ended: its value */
	QV_WHY_REPEATED,  /* the position has repeated: its value */
	QV_WHY_TABLE,	  /* the transposition table knows enough: its value */
	QV_WHY_SOLVED,	  /* endgame tables know it: its value */
	QV_WHY_STAND_PAT, /* quiescence: the static value is enough or a floor: that value */
	QV_WHY_RAZOR,	  /* razoring: the static value becomes a floor, or ends the node */
	QV_WHY_HARD,	  /* hard pruning: too far below the root's value: its static value */
	QV_WHY_TOP,	  /* only the best N moves by static value are searched: N */
	QV_WHY_NULL_MOVE, /* a pass would be good enough already: its value */
	/*
	 * The static value, or that of a shallow search (Multi-ProbCut), cannot reach alpha with a
	 * margin added, or beats beta with one taken off: the bound.
	 */
	QV_WHY_FUTILE,
	QV_WHY_LATE,	  /* the moves that come late are left out: how many were tried */
	QV_WHY_MATE,	  /* a faster win or loss is known already: the bound */
	QV_WHY_STAR1,	  /* the remaining outcomes cannot bring the average into the window: bound */
	QV_WHY_STAR2,	  /* the probes alone show that: the bound */
	/* A win was found (max^n, threats), or one of the opponent that cannot be stopped: its value. */
	QV_WHY_WON,
	QV_WHY_CUT,	  /* a move has reached beta, so the others are not searched: its value */
	QV_WHY_DEEPEST,	  /* no room for more plies: the value used */
	QV_WHY_COUNT
};

/*
 * A step of a tree that grows: one playout of mcts, and before the first the root alone; or, in a
 * proof search, one expansion of a node, and after its first expansion one step for each child.
 */
struct qv_growth {
	const qv_move *path; /* from the root to the node that was added or expanded */
	int length;
	bool added; /* the last move of the path leads to a new node */
	int count;  /* numbers of each node of the path, the root first: `numbers` */
	/*
	 * mcts: visits, and the mean reward of the seat that moved there, or its proven value; at the
	 * root and after a roll of dice, of the seat to move. Proofs: proof and disproof number;
	 * infinite where the position is decided.
	 */
	const double (*numbers)[2];
	const bool *proven;   /* mcts: whether the value of each node is proven; else NULL */
	const double *result; /* what a playout brought each seat; else NULL */
	double ucb;	      /* mcts: the constant C of UCB1 (docs/formats.md); else 0 */
	int attacker;	      /* proofs: the seat whose win is to be proven; else -1 */
};

#ifdef __cplusplus
}
#endif

#endif
