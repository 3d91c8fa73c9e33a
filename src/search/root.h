/*
 * root.h - what the drivers of the searches share: the root's moves, the hashes of the game so far,
 * and the answer for a game that has ended.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_ROOT_H
#define SEARCH_ROOT_H

#include "base/memory.h"

/* The root's moves, in the order in which a search tries them. {0} is a valid empty list. */
struct root_moves {
	qv_move *list;
	int count;
	size_t room; /* capacity in moves */
};

/*
 * Lists the moves that the limits allow, a counted move once for each of its numbers; sort: by the
 * game's rank, highest first. False: not enough memory. Release the list with root_release.
 */
bool root_list(struct root_moves *r, const struct qv_allocator *a, const struct qv_game *game,
	       const void *state, bool sort, const struct qv_limits *limits);
void root_release(struct root_moves *r, const struct qv_allocator *a);

/* Moves a listed move to the front; the others keep their order. */
void root_put_first(struct root_moves *r, qv_move move);

/*
 * Copies the hashes of the game so far (limits->history) to the front of *hashes and makes room for
 * `more` behind them; sets *count to their number. *room is the capacity in hashes; free them with
 * mem_free. False: not enough memory.
 */
bool root_load_history(const struct qv_allocator *a, const struct qv_limits *limits, int more,
		       uint64_t **hashes, size_t *room, int *count);

/*
 * If the game has ended, fills *out with its proven score and returns true. The score is for the
 * seat to move: QV_WIN, 0 or -QV_WIN, or with a single seat its points, clamped to QV_MAX_EVAL.
 */
bool root_has_ended(const struct qv_game *game, const void *state, struct qv_answer *out);

/* Whether the listener has a callback for single nodes or steps, which slows the search down. */
static inline bool root_is_watched(const struct qv_listener *l)
{
	return l && (l->branch || l->node || l->leaf || l->enter || l->growth);
}

/* A bit for each seat with the most points. */
static inline unsigned root_winners(int seats, const int32_t *points)
{
	int32_t most = points[0];
	unsigned winners = 0;
	for (int seat = 1; seat < seats; seat++)
		most = points[seat] > most ? points[seat] : most;
	for (int seat = 0; seat < seats; seat++)
		winners |= (unsigned)(points[seat] == most) << seat;
	return winners;
}

/* The margin of points of seat 0 in an ended game of two seats, cut to game->stakes. */
static inline int32_t root_margin(const struct qv_game *game, const int32_t *points)
{
	const int64_t margin = (int64_t)points[0] - points[1], most = game->stakes;
	return (int32_t)(margin > most ? most : margin < -most ? -most : margin);
}

/*
 * Whether results count by degrees, so that searches value them on the scale of the evaluation
 * instead of as wins in so many plies: averages over chance, or margins of points.
 */
static inline bool root_averages(const struct qv_game *game)
{
	return game->chance || game->stakes > 0;
}

/*
 * What an ended game of two seats counts for seat 0 where results are averaged, from -1 to 1: its
 * margin as a part of the stakes, or only who has won.
 */
static inline double root_part(const struct qv_game *game, const int32_t *points)
{
	if (game->stakes > 0)
		return (double)root_margin(game, points) / game->stakes;
	return (points[0] > points[1]) - (points[0] < points[1]);
}

/* The points that an ended game of two seats brings seat 0, or 1, 0 or -1 if only winning counts. */
static inline double root_points(const struct qv_game *game, const int32_t *points)
{
	if (game->stakes > 0)
		return (double)points[0] - points[1];
	return root_part(game, points);
}

/* The index of the highest rank not yet picked, which is then marked as picked. */
static inline int root_pick(int32_t *ranks, int n)
{
	int best = 0;
	for (int i = 1; i < n; i++)
		if (ranks[i] > ranks[best])
			best = i;
	ranks[best] = INT32_MIN;
	return best;
}

#endif
