/*
 * learned_moves.h - what a learner knows: moves that have lost games, each with its position.
 * SPDX-License-Identifier: MIT
 *
 * A set with a bound on its memory, in the order in which it was learned; a position stands for its
 * images under symmetry too. As a file it is text (docs/formats.md).
 */
#ifndef CORE_LEARNED_MOVES_H
#define CORE_LEARNED_MOVES_H

#include "base/map.h"
#include "base/text.h"
#include "search/engine.h"

struct learned {
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	size_t stride;             /* bytes from state to state: its size, rounded up to align */
	size_t count, capacity;
	unsigned char *states;
	qv_move *moves;
	struct map places;         /* numbers of the places above, by hash */
};

enum { LEARNED_FILE_MOST = 1 << 27 };      /* bytes that a file may have */

/* Empty; takes no memory yet. */
struct learned learned_make(const struct qv_allocator *allocator, const struct qv_rules *rules);
void learned_release(struct learned *l);
/* How many it can hold; more are forgotten at once. */
size_t learned_most(const struct learned *l);
bool learned_has(const struct learned *l, const void *state, qv_move move);
/* Whether it was there before does not matter. Fails only for want of memory. */
enum qv_status learned_add(struct learned *l, const void *state, qv_move move);

/* Adds what a file says; it may be for these rules only. What it read before a fault stays. */
enum qv_status learned_read(struct learned *l, const char *data, size_t size,
			    struct qv_error *error);
void learned_write(const struct learned *l, struct string *out);

/* The player `learn`, and how it hears of the end of a game it has played. */
extern const struct player_kind learn_kind;
enum qv_status learn_player_game_over(struct qv_player *player, const void *state,
				      struct qv_error *error);

#endif
