/*
 * engine.h - one game with every algorithm stamped for it.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_ENGINE_H
#define SEARCH_ENGINE_H

#include "search/chance.h"
#include "search/duel.h"
#include "search/mcts.h"
#include "search/perft.h"

/*
 * A game's own solver: fills value, nodes and, if asked, in. The game goes on; QV_STOPPED as
 * qv_solve has it.
 */
typedef enum qv_status solve_fn(const struct qv_allocator *allocator, const void *state,
				const struct qv_solve_limits *limits, struct qv_solution *out,
				struct qv_error *error);

struct engine {
	const struct qv_game *game;        /* NULL: the stamp over struct qv_game, good for any */
	perft_fn *perft;
	const struct duel_ops *duel;       /* for games of two seats without chance */
	const struct mcts_ops *mcts;
	const struct chance_ops *chance;   /* for games of two seats with chance */
	solve_fn *solve;                   /* NULL: the two-player search solves what it can */
};

#endif
