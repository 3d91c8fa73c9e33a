/*
 * slots.h - room for a state and its moves at each ply, for games known only through struct
 * qv_game.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_SLOTS_H
#define SEARCH_SLOTS_H

#include "base/memory.h"

struct slot {
	const struct qv_game *game;
	void *state;
	qv_move *moves;
};

/* The arena bytes that slots_take needs. */
static inline size_t slots_need(const struct qv_game *game, size_t count)
{
	return arena_need(count, sizeof(struct slot)) +
	       count * (arena_need(1, game->state_size) +
			arena_need((size_t)game->max_moves, sizeof(qv_move)));
}

/* Takes `count` slots from the arena; NULL: it has less than slots_need(game, count) bytes. */
static inline struct slot *slots_take(struct arena *a, const struct qv_game *game, size_t count)
{
	struct slot *slots = arena_take(a, count, sizeof *slots);
	for (size_t i = 0; slots && i < count; i++) {
		slots[i] = (struct slot){ game, arena_take(a, 1, game->state_size),
					  arena_take(a, (size_t)game->max_moves, sizeof(qv_move)) };
		if (!slots[i].state || !slots[i].moves)
			return NULL;
	}
	return slots;
}

#endif
