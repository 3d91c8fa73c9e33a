/*
 * threat_search.h - wins by threats alone: every move of the attacker makes three in a line whose fourth
 * square is empty, so that the defender has no choice.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_NOUGHTS3D_THREAT_SEARCH_H
#define GAMES_NOUGHTS3D_THREAT_SEARCH_H

#include "games/noughts3d/rules.h"

enum {
	N3_FOURS_MOST = N3_SQUARES / 2,    /* moves of such a win */
	N3_FOURS_MEMORY = 1 << 16,         /* positions remembered, a power of two */
};

struct n3_fours_entry {
	uint64_t mine, theirs;
};

/* The lines through each square, and positions from which there is no such win. */
struct n3_fours {
	int through[N3_SQUARES];
	uint64_t lines[N3_SQUARES][N3_THROUGH];
	struct n3_fours_entry failed[N3_FOURS_MEMORY];
};
void n3_fours_init(struct n3_fours *f);    /* zeroed memory */

/* The moves of a win: the threats, each with the square that answers it; the last one wins. */
struct n3_line {
	int count;
	uint64_t threat[N3_FOURS_MOST + 2], answer[N3_FOURS_MOST + 2];
};

/* The empty squares that complete a four of these stones. */
uint64_t n3_completing(uint64_t stones, uint64_t others);

/* False: there is none. Finds one whenever there is. */
bool n3_fours_win(struct n3_fours *f, const struct n3 *s, struct n3_line *line);

/*
 * The empty squares on which a stone of the defender's may spoil the line; it wins in spite of one
 * on any other. Then whether it still wins with that stone.
 */
uint64_t n3_line_spoilers(const struct n3_line *line, const struct n3 *s);
bool n3_line_survives(const struct n3_fours *f, const struct n3_line *line, const struct n3 *s,
		      uint64_t stone);

#endif
