/*
 * root.c - lists and reorders the root's moves.
 * SPDX-License-Identifier: MIT
 *
 * Used by the drivers of the searches for dice and for several seats (chance.c, multi.c); the
 * two-player search keeps a value with each root move and has its own list.
 */
#include "search/root.h"

#include "search/legal.h"

static enum qv_status make_room(struct root_moves *r, const struct qv_allocator *a, int need)
{
	if (need <= r->capacity)
		return QV_OK;
	qv_move *list = mem_resize(a, r->list, (size_t)r->capacity * sizeof *list,
				   (size_t)need * sizeof *list);
	if (!list)
		return QV_NO_MEMORY;
	r->list = list;
	r->capacity = need;
	return QV_OK;
}

enum qv_status root_list(struct root_moves *r, const struct qv_allocator *a,
			 const struct qv_game *game, const void *state, bool sort,
			 const struct qv_limits *limits)
{
	qv_move list[QV_MAX_MOVES];
	int32_t ranks[QV_MAX_MOVES];
	const int n = game->moves(state, list);
	int width = 0;
	for (int i = 0; i < n; i++) {
		width += legal_max_count(game, state, list[i]);
		ranks[i] = sort && game->rank ? game->rank(state, list[i]) : 0;
	}
	if (make_room(r, a, width) != QV_OK)
		return QV_NO_MEMORY;
	r->count = 0;
	for (int i = 0; i < n; i++) {
		const qv_move listed = list[root_pick(ranks, n)];
		const int most = legal_max_count(game, state, listed);
		for (int k = most; k > 0; k--)
			r->list[r->count++] = k < most ? game->with_count(listed, k) : listed;
	}
	r->count = legal_keep_named(r->list, r->count, limits);
	return QV_OK;
}

void root_release(struct root_moves *r, const struct qv_allocator *a)
{
	mem_free(a, r->list, (size_t)r->capacity * sizeof *r->list);
	*r = (struct root_moves){ 0 };
}

void root_put_first(struct root_moves *r, qv_move move)
{
	int place = 0;
	while (r->list[place] != move)
		place++;
	for (; place > 0; place--)
		r->list[place] = r->list[place - 1];
	r->list[0] = move;
}
