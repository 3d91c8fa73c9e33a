/*
 * margin.h - the exact margin of points, for games of two seats in which it counts (qv_game.stakes).
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_MARGIN_H
#define SEARCH_MARGIN_H

#include "search/slots.h"

/* Whether a game has margins and surely ends: no chance, no repetition, a limit of its length. */
bool margin_applies(const struct qv_game *game);

/* The search, with a table that keeps what it has found. {allocator, game, table_bytes} is empty. */
struct margin_search {
	const struct qv_allocator *allocator;
	const struct qv_game *game;
	size_t table_bytes;
	struct margin_entry *table; /* NULL until the first search */
	size_t entries;		    /* a power of two */
	struct arena arena;
	struct slot *slots;
	/* The search in progress. */
	const struct qv_solve_limits *limits;
	uint64_t nodes;
	bool stopped;
};
void margin_release(struct margin_search *m);

/*
 * Finds the margin of a position where the game goes on, for the seat to move, and a move that
 * reaches it: sets margin, has_margin and move of *out, and adds to its nodes. QV_STOPPED: a limit
 * ended it, and *out keeps its move.
 */
enum qv_status margin_find(struct margin_search *m, const void *state,
			   const struct qv_solve_limits *limits, struct qv_solution *out,
			   struct qv_error *error);

#endif
