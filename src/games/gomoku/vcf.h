/*
 * vcf.h - go-moku: wins by a sequence of fours (VCF, victory by continuous fours).
 * SPDX-License-Identifier: MIT
 *
 * Each move of the attacker makes a four or, at the end, five; so the defender's replies are
 * forced, and the search is complete: if there is such a win, it is found. It deepens iteratively,
 * so the first win that is found is a shortest one of its kind.
 */
#ifndef GOMOKU_VCF_H
#define GOMOKU_VCF_H

#include "games/gomoku/threat_board.h"
#include "search/table.h"

/* Parts of hashes for the failures of the searches here and in vct.h. */
enum {
	GOMOKU_KEY_VCF = GOMOKU_KEY_RULES + 8 * (GOMOKU_SIDE + 1),
	GOMOKU_KEY_QUICK_VCF,
	GOMOKU_KEY_VCT,
	GOMOKU_KEY_TRIED, /* a search for threats that ran out of nodes */
};

enum {
	GOMOKU_VCF_MOVES = 60, /* of the attacker, at most */
	GOMOKU_VCF_LINE = 2 * GOMOKU_VCF_MOVES - 1,
};

struct gomoku_vcf {
	struct table *table; /* for failed positions; NULL: none */
	uint64_t max_nodes;  /* positions to search at most; 0: no limit */
	/*
	 * For searches inside another one: a win need not be a shortest one if it takes more than
	 * three moves, and after two fours each further one must be in line with the last.
	 */
	bool quick;
	/* Results. */
	uint64_t nodes;
	bool stopped; /* max_nodes was reached: there may be a win that was not found */
	int length;   /* of the line in plies; 0: no win */
	qv_move line[GOMOKU_VCF_LINE];
	bool cut; /* for vcf.c: a line of this pass was cut off at its depth */
};

/*
 * Searches a win of the side to move with at most `most` moves of its own (1 to GOMOKU_VCF_MOVES).
 * The game must not have ended, and colours must be chosen. Sets the results in *v and returns
 * whether there is a win.
 */
bool gomoku_vcf(struct gomoku_vcf *v, const struct gomoku *s, int most);

/* The same on a board that a search has; the board is as before when it returns. */
bool gomoku_vcf_on(struct gomoku_vcf *v, struct threat_board *b, int most);

/* The first legal point other than `except`, or QV_NO_MOVE. */
qv_move gomoku_any_move(const struct gomoku *s, int except);

#endif
