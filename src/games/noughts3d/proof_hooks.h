/*
 * proof_hooks.h - what the proof search is told about noughts and crosses in a cube.
 * SPDX-License-Identifier: MIT
 *
 * A key that all 192 images of a position share, wins by threats alone, the attacker's best moves,
 * and the defender's replies that stop the win that threatens.
 */
#ifndef GAMES_NOUGHTS3D_PROOF_HOOKS_H
#define GAMES_NOUGHTS3D_PROOF_HOOKS_H

#include "games/noughts3d/threat_search.h"

enum { N3_RICH_PATTERNS = 1 << 16, N3_RICH_WAYS = 1 << 18 };

/* How many symmetries, and from which place on. */
struct n3_ways {
	int first, count;
};

/* What the hooks keep from call to call. Zeroed, then n3_tools_init. */
struct n3_tools {
	struct n3_fours fours;
	uint16_t least[N3_RICH_PATTERNS];
	struct n3_ways ways[N3_RICH_PATTERNS];
	uint8_t symmetries[N3_RICH_WAYS];
};

void n3_tools_init(struct n3_tools *t);

uint64_t n3_prove_key(const struct n3 *s, const void *tools);
bool n3_forced(const struct n3 *s, void *tools, qv_move *first);
int n3_candidates(const struct n3 *s, void *tools, int width, qv_move *list);
int n3_replies(const struct n3 *s, void *tools, qv_move *list);

#endif
