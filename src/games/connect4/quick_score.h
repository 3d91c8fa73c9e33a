/*
 * quick_score.h - connect-four: the exact score of positions that are not too hard.
 * SPDX-License-Identifier: MIT
 *
 * The table keeps a lower and an upper bound for each position. They stay true whatever search
 * found them, so it is never cleared:
 *
 *    63......14 13....7 6....0
 *    position   lower   upper       both plus 64
 */
#ifndef GAMES_CONNECT4_QUICK_SCORE_H
#define GAMES_CONNECT4_QUICK_SCORE_H

#include "base/memory.h"
#include "games/connect4/score_search.h"

enum { C4_SCORE_BITS = 16 };

struct c4_scorer {
	uint64_t *slots;           /* 2^C4_SCORE_BITS */
	uint64_t nodes, most_nodes;
	const atomic_bool *stop;   /* NULL: never */
	bool stopped;              /* by most_nodes or *stop; then scores are meaningless */
};

/* Allocates the table; QV_NO_MEMORY on failure. Release with c4_scorer_release. */
enum qv_status c4_scorer_init(struct c4_scorer *s, const struct qv_allocator *allocator);
void c4_scorer_release(struct c4_scorer *s, const struct qv_allocator *allocator);

/* The score within these limits. The game must not be over. Sets nodes and stopped. */
struct c4_score c4_score(struct c4_scorer *s, const struct c4 *at, int lowest, int highest);

#endif
