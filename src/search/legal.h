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

/*
 * All moves that a list stands for, one by one: a counted move with each of its numbers, the largest
 * first. Begin with { list, count, 0 }; QV_NO_MOVE ends.
 */
struct legal_walk {
	const qv_move *list;
	int left;   /* listed moves to come */
	int number; /* of a counted move: the smaller numbers are still to come */
};

static inline qv_move legal_next(const struct qv_game *game, const void *state,
				 struct legal_walk *w)
{
	if (w->number > 1)
		return game->with_count(w->list[-1], --w->number);
	if (w->left == 0)
		return QV_NO_MOVE;
	w->left--;
	w->number = legal_max_count(game, state, *w->list);
	return *w->list++;
}

/* Whether `move` is one of those that the list stands for. */
static inline bool legal_among(const struct qv_game *game, const void *state, const qv_move *list,
			       int n, qv_move move)
{
	struct legal_walk walk = { list, n, 0 };
	for (qv_move one; (one = legal_next(game, state, &walk)) != QV_NO_MOVE;)
		if (one == move)
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
