/*
 * root.c - what the drivers of the searches share at the root.
 * SPDX-License-Identifier: MIT
 *
 * The lists of root moves are for the searches with dice and for several seats (chance.c, multi.c);
 * the two-player search keeps a value with each root move and has its own list. Lists and hashes
 * grow as needed and keep their capacity from search to search.
 */
#include "search/root.h"

#include "search/legal.h"

bool root_list(struct root_moves *r, const struct qv_allocator *a, const struct qv_game *game,
	       const void *state, bool sort, const struct qv_limits *limits)
{
	qv_move list[QV_MAX_MOVES];
	int32_t ranks[QV_MAX_MOVES];
	const int n = game->moves(state, list);
	size_t width = 0;
	for (int i = 0; i < n; i++) {
		width += (size_t)legal_max_count(game, state, list[i]);
		ranks[i] = sort && game->rank ? game->rank(state, list[i]) : 0;
	}
	if (!mem_reserve(a, &r->list, &r->room, width, sizeof *r->list))
		return false;
	r->count = 0;
	for (int i = 0; i < n; i++) {
		const qv_move listed = list[root_pick(ranks, n)];
		struct legal_walk walk = { &listed, 1, 0 };
		for (qv_move move; (move = legal_next(game, state, &walk)) != QV_NO_MOVE;)
			r->list[r->count++] = move;
	}
	r->count = legal_keep_named(r->list, r->count, limits);
	return true;
}

void root_release(struct root_moves *r, const struct qv_allocator *a)
{
	mem_free(a, r->list, r->room * sizeof *r->list);
	*r = (struct root_moves){ 0 };
}

void root_put_first(struct root_moves *r, qv_move move)
{
	int place = 0;
	while (r->list[place] != move)
		place++;
	memmove(r->list + 1, r->list, (size_t)place * sizeof *r->list);
	r->list[0] = move;
}

bool root_load_history(const struct qv_allocator *a, const struct qv_limits *limits, int more,
		       uint64_t **hashes, size_t *room, int *count)
{
	*count = limits->history_count > 0 ? limits->history_count : 0;
	if (!mem_reserve(a, hashes, room, (size_t)*count + (size_t)more, sizeof **hashes))
		return false;
	if (*count)
		memcpy(*hashes, limits->history, (size_t)*count * sizeof **hashes);
	return true;
}

bool root_has_ended(const struct qv_game *game, const void *state, struct qv_answer *out)
{
	int32_t points[QV_MAX_SEATS];
	if (game->result(state, points) == QV_GOING)
		return false;
	*out = (struct qv_answer){ .move = QV_NO_MOVE, .proven = true };
	if (game->seats == 1) {
		out->score = points[0] > QV_MAX_EVAL	? QV_MAX_EVAL
			     : points[0] < -QV_MAX_EVAL ? -QV_MAX_EVAL
							: points[0];
		return true;
	}
	const unsigned winners = root_winners(game->seats, points), mine = 1U << game->seat(state);
	out->score = winners == mine ? QV_WIN : winners & mine ? 0 : -QV_WIN;
	return true;
}
