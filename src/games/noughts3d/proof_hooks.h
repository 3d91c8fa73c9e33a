/*
 * proof_hooks.h - game knowledge for the proof search of 3D noughts and crosses.
 * SPDX-License-Identifier: MIT
 *
 * A key that all 192 symmetries of a position share, wins by threats alone, the attacker's best
 * moves, and the defender's replies that stop a threatened win. The crosses also win where the
 * shipped strategy has a move.
 */
#ifndef GAMES_NOUGHTS3D_PROOF_HOOKS_H
#define GAMES_NOUGHTS3D_PROOF_HOOKS_H

#include "games/noughts3d/strategy.h"

/* ---- Wins by threats alone ---- */

enum { N3_FOURS_MEMORY = 1 << 16 }; /* positions remembered, a power of two */

struct n3_fours_entry {
	uint64_t mine, theirs;
};

/*
 * The lines through each square, which n3_tools_init fills in, and positions known
 * to have no such win.
 */
struct n3_fours {
	int through[N3_SQUARES];
	uint64_t lines[N3_SQUARES][N3_THROUGH];
	struct n3_fours_entry failed[N3_FOURS_MEMORY];
};

/* ---- The hooks ---- */

enum { N3_RICH_SQUARES = 16, N3_RICH_PATTERNS = 1 << N3_RICH_SQUARES, N3_RICH_WAYS = 1 << 18 };

/* A run of symmetries: how many, and the index of the first. */
struct n3_ways {
	int first, count;
};

/* Tables that the hooks keep from call to call. Zero it, then call n3_tools_init. */
struct n3_tools {
	struct n3_fours fours;
	struct n3_strategy strategy; /* no records: none is used */
	struct n3_ways ways[N3_RICH_PATTERNS];
	uint8_t symmetries[N3_RICH_WAYS];
};

/* Fills the tables of lines and symmetries. Cannot fail. */
void n3_tools_init(struct n3_tools *t);

/*
 * Sets *least to a symmetric position, the same for all symmetries of *s. Returns a symmetry that
 * leads there.
 */
int n3_least_image(const struct n3 *s, const struct n3_tools *t, struct n3 *least);

/* Whether the side to move wins by threats alone; *first is then the first of them. */
bool n3_wins_by_threats(const struct n3 *s, struct n3_tools *tools, qv_move *first);

/*
 * The hooks of search/prove.inc.h: the table key, a win by threats or by the strategy (true: *first
 * starts it), the attacker's `width` best moves (0: all), and the replies worth trying. The lists need room for
 * N3_SQUARES moves; the functions return how many there are.
 */
uint64_t n3_prove_key(const struct n3 *s, const void *tools);
bool n3_forced(const struct n3 *s, void *tools, qv_move *first);
int n3_candidates(const struct n3 *s, void *tools, int width, qv_move *list);
int n3_replies(const struct n3 *s, void *tools, qv_move *list);

#endif
