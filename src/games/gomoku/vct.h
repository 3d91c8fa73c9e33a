/*
 * vct.h - go-moku: wins by a sequence of threats (VCT, victory by continuous threats): fours and
 * open threes.
 * SPDX-License-Identifier: MIT
 *
 * An open three leaves the defender few replies: the points of one window in which it could become
 * a straight four, and fours of the defender's own. Every other reply loses to the straight four.
 * So a win that is found is certain. Not for renju, where a straight four may be forbidden.
 */
#ifndef GOMOKU_VCT_H
#define GOMOKU_VCT_H

#include "games/gomoku/vcf.h"

enum { GOMOKU_VCT_MOVES = 12 }; /* of the attacker, at most */

struct gomoku_vct {
	struct table *table; /* for failed positions; NULL: none */
	uint64_t max_nodes;  /* positions to search at most */
	/* Results. */
	uint64_t nodes;
	bool stopped; /* max_nodes was reached */
	int moves;    /* of the attacker until it wins, whatever the replies; 0: no win */
	qv_move move; /* the first one */
};

/*
 * Searches a win of the side to move with at most `most` threats. The game must not have ended,
 * colours must be chosen, and the rule must not be renju. Returns whether there is a win.
 */
bool gomoku_vct(struct gomoku_vct *v, const struct gomoku *s, int most);

/*
 * Lists the points that help against an open three of the other colour: those of one window, and
 * own fours. There must be room for GOMOKU_POINTS. 0: there is no open three.
 */
int gomoku_defences(const struct gomoku *s, int *points);

#endif
