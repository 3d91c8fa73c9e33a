/*
 * random_move.h - a random move: all equally likely, or an outcome of chance by its weight.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_RANDOM_MOVE_H
#define SEARCH_RANDOM_MOVE_H

#include "search/legal.h"

/* A random one of the state's n > 0 moves; a counted one gets a random number. */
static inline qv_move random_move(const struct qv_game *g, const void *state, const qv_move *list,
				  int n, struct qv_random *random)
{
	if (g->seat(state) == QV_CHANCE && g->weight) {
		/* Draw a ticket: each outcome has as many as its weight. */
		uint64_t total = 0;
		for (int i = 0; i < n; i++)
			total += g->weight(state, list[i]);
		uint64_t ticket = total ? qv_random_below(random, total) : 0;
		int at = 0;
		while (at < n && ticket >= g->weight(state, list[at]))
			ticket -= g->weight(state, list[at++]);
		return list[at < n ? at : 0]; /* all weights are 0: the game breaks its contract */
	}
	const qv_move move = list[qv_random_below(random, (uint64_t)n)];
	const int most = legal_max_count(g, state, move);
	return most > 1 ? g->with_count(move, 1 + (int)qv_random_below(random, (uint64_t)most))
			: move;
}

#endif
