/*
 * vct.h - go-moku: wins by a sequence of threats (VCT, victory by continuous threats): fours and
 * open threes.
 * SPDX-License-Identifier: MIT
 *
 * An open three leaves the defender few replies: the points of the window in which it could become
 * a straight four, and fours of the defender's own. Every other reply loses to the straight four.
 * So a win that is found is certain. In renju, a three of Black's counts only if the point that
 * makes the straight four cannot become forbidden.
 */
#ifndef GOMOKU_VCT_H
#define GOMOKU_VCT_H

#include "games/gomoku/vcf.h"

enum { GOMOKU_VCT_MOVES = 16 }; /* of the attacker, at most */

struct gomoku_vct {
	struct table *table; /* for failed positions; NULL: none */
	uint64_t max_nodes;  /* positions to search at most */
	/* Called with the nodes so far; true ends the search, as if they had reached max_nodes. */
	bool (*poll)(void *ctx, uint64_t nodes);
	void *ctx;
	/* Results. */
	uint64_t nodes;
	bool stopped; /* max_nodes was reached */
	int moves;    /* of the attacker until it wins, whatever the replies; 0: no win */
	qv_move move; /* the first one */
	bool cut;     /* for vct.c: a line of this pass was cut off at its depth */
};

/*
 * Searches a win of the side to move with at most `most` threats. The game must not have ended, and
 * colours must be chosen. Returns whether there is a win.
 */
bool gomoku_vct(struct gomoku_vct *v, const struct gomoku *s, int most);
/* The same on a board that a search has; the board is as before when it returns. */
bool gomoku_vct_on(struct gomoku_vct *v, struct threat_board *b, int most);

/*
 * Lists the allowed points that help against the open threes of the other colour: those that are in
 * the windows of all of them, and own fours. There must be room for GOMOKU_POINTS. -1: there is no
 * open three, or none that must be answered. Neither side may have a four.
 */
int gomoku_defences(const struct threat_board *b, uint16_t *points);

#endif
