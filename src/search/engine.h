/*
 * engine.h - one game with every algorithm stamped for it.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_ENGINE_H
#define SEARCH_ENGINE_H

#include "search/duel.h"
#include "search/perft.h"

struct engine {
	const struct qv_game *game;        /* NULL: the stamp over struct qv_game, good for any */
	perft_fn *perft;
	const struct duel_ops *duel;       /* for games of two seats without chance */
};

#endif
