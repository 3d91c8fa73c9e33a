/*
 * legal.h - whether a move is among those listed, counted moves included.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_LEGAL_H
#define SEARCH_LEGAL_H

#include "quevedo.h"

/* Whether `move` is one of the moves that the listed one stands for. */
static inline bool legal_stands_for(const struct qv_game *game, const void *state, qv_move listed, qv_move move)
{
	if (listed == move)
		return true;
	const int most = game->max_count ? game->max_count(state, listed) : 1;
	for (int count = 1; count < most; count++)
		if (game->with_count(listed, count) == move)
			return true;
	return false;
}

static inline bool legal_among(const struct qv_game *game, const void *state, const qv_move *list, int n, qv_move move)
{
	for (int i = 0; i < n; i++)
		if (legal_stands_for(game, state, list[i], move))
			return true;
	return false;
}

#endif
