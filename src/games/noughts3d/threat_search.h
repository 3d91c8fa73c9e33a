/*
 * threat_search.h - finds wins by threats alone in 3D noughts and crosses.
 * SPDX-License-Identifier: MIT
 *
 * Every move of the attacker makes three in a line whose fourth square is empty, so the defender
 * has no choice.
 */
#ifndef GAMES_NOUGHTS3D_THREAT_SEARCH_H
#define GAMES_NOUGHTS3D_THREAT_SEARCH_H

#include "games/noughts3d/rules.h"

enum {
	N3_FOURS_MOST = N3_SQUARES / 2,    /* moves of such a win, at most */
	N3_FOURS_MEMORY = 1 << 16,         /* positions remembered, a power of two */
};

struct n3_fours_entry {
	uint64_t mine, theirs;
};

/*
 * The lines through each square, which n3_tools_init fills in (proof_hooks.h), and positions known
 * to have no such win.
 */
struct n3_fours {
	int through[N3_SQUARES];
	uint64_t lines[N3_SQUARES][N3_THROUGH];
	struct n3_fours_entry failed[N3_FOURS_MEMORY];
};

/* A win: the threats, each with the square that answers it. The last threat wins. */
struct n3_line {
	int count;
	uint64_t threat[N3_FOURS_MOST + 2], answer[N3_FOURS_MOST + 2];
};

/* The empty squares that complete a four of `stones`. */
uint64_t n3_completing(uint64_t stones, uint64_t others);

/* Finds a win by threats for the side to move; false: there is no such win. */
bool n3_fours_win(struct n3_fours *f, const struct n3 *s, struct n3_line *line);

/*
 * The empty squares where a mark of the defender might spoil the win; a mark anywhere else does
 * not. n3_line_survives then tells whether the win still works with such a mark.
 */
uint64_t n3_line_spoilers(const struct n3_line *line, const struct n3 *s);
bool n3_line_survives(const struct n3_fours *f, const struct n3_line *line, const struct n3 *s,
		      uint64_t stone);

#endif
