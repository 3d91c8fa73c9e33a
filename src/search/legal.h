/*
 * legal.h - tests whether a move is legal (counted moves included) or named in limits->only.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_LEGAL_H
#define SEARCH_LEGAL_H

#include "quevedo.h"

/* How many moves a listed one stands for: 1, unless it carries a number. */
static inline int legal_max_count(const struct qv_game *game, const void *state, qv_move listed)
{
	const int most = game->max_count ? game->max_count(state, listed) : 1;
	return most > 1 ? most : 1;
}

/* Whether `move` is one of the moves that the listed one stands for. */
static inline bool legal_stands_for(const struct qv_game *game, const void *state, qv_move listed,
				    qv_move move)
{
	if (listed == move)
		return true;
	for (int count = legal_max_count(game, state, listed) - 1; count > 0; count--)
		if (game->with_count(listed, count) == move)
			return true;
	return false;
}

static inline bool legal_among(const struct qv_game *game, const void *state, const qv_move *list,
			       int n, qv_move move)
{
	for (int i = 0; i < n; i++)
		if (legal_stands_for(game, state, list[i], move))
			return true;
	return false;
}

/* Whether limits->only names the move. */
static inline bool legal_is_named(const struct qv_limits *limits, qv_move move)
{
	for (int i = 0; limits->only && i < limits->only_count; i++)
		if (limits->only[i] == move)
			return true;
	return false;
}

/* Keeps the moves named in limits->only, or all if none is named. Returns how many. */
static inline int legal_keep_named(qv_move *moves, int n, const struct qv_limits *limits)
{
	int kept = 0;
	for (int i = 0; i < n; i++)
		if (legal_is_named(limits, moves[i]))
			moves[kept++] = moves[i];
	return kept ? kept : n;
}

#endif
