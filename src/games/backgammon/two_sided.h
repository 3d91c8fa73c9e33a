/*
 * two_sided.h - the two-sided bear-off table: exact equities of up to six men a side.
 * SPDX-License-Identifier: MIT
 *
 * The table has the 924 * 924 positions with at most six men of each seat on the board, all on the
 * points 1 to 6 of their seat. Both seats have a man off, so there are no gammons, and the Jacoby
 * rule changes nothing. Nor do beavers: they pay only if the doubler's equity after the take is
 * negative, and then it is better to roll than to double that loss and give the cube away.
 *
 * Equities are in points with the cube at 1 (money play), for the seat to roll, if both seats play
 * perfectly: with the dice as well as with the cube. They are integers in units of 2^-30, rounded
 * once per turn, so that the table is the same on every machine.
 */
#ifndef BACKGAMMON_TWO_SIDED_H
#define BACKGAMMON_TWO_SIDED_H

#include "base/memory.h"
#include "games/backgammon/rules.h"

enum {
	TWO_SIDED_MEN = 6,	 /* of a seat, on the board */
	TWO_SIDED_SIDE = 924,	 /* C(6 + 6, 6): those positions of one seat, see bearoff_index */
	TWO_SIDED_ONE = 1 << 30, /* a point */
};

/* Who may double next. */
enum two_sided_cube {
	TWO_SIDED_CUBELESS, /* nobody */
	TWO_SIDED_OWNED,    /* the seat to move */
	TWO_SIDED_CENTRED,  /* both seats */
	TWO_SIDED_THEIRS,   /* the other seat */
	TWO_SIDED_CUBES,
};

struct two_sided {
	/* By the men of the seat to roll and those of the other. It rolls without a double. */
	int32_t equity[TWO_SIDED_SIDE][TWO_SIDED_SIDE][TWO_SIDED_CUBES];
};

/* Computes the table, in less than a second. NULL: not enough memory. */
struct two_sided *two_sided_new(const struct qv_allocator *allocator);
void two_sided_free(const struct qv_allocator *allocator, struct two_sided *table);

/* Whether the table has the men of this position. If the game has ended, it has. */
bool two_sided_has(const struct backgammon *s);

/*
 * The functions below need a position of the table. The equity for s->turn, which is to roll and
 * does not double. Ended games have one, too.
 */
double two_sided_equity(const struct two_sided *table, const struct backgammon *s,
			enum two_sided_cube cube);

struct two_sided_decision {
	double roll, take; /* equities if s->turn rolls; if it doubles and the other seat takes */
	double equity;	   /* if both seats decide for the best; a dropped double is worth 1 */
	bool doubles;	   /* better than to roll */
	bool takes;	   /* as good as to drop, or better */
};

/*
 * The decisions of s->turn before its roll, and of the other seat if it doubles. After a turn, the
 * negative of .equity, as the other seat sees the cube, is the value of the turn.
 */
struct two_sided_decision two_sided_decide(const struct two_sided *table,
					   const struct backgammon *s, enum two_sided_cube cube);

#endif
