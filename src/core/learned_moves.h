/*
 * learned_moves.h - a set of moves that have lost games, each with its position.
 * SPDX-License-Identifier: MIT
 *
 * The set has a bound on its memory and keeps the order in which moves were learned. Symmetric
 * positions count as one. Its file format is text (docs/formats.md).
 */
#ifndef CORE_LEARNED_MOVES_H
#define CORE_LEARNED_MOVES_H

#include "base/map.h"
#include "base/text.h"
#include "search/engine.h"

struct learned {
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	size_t stride;             /* bytes per state: its size, rounded up for alignment */
	size_t count;
	unsigned char *states, *scratch;   /* scratch: for normal forms; NULL while empty */
	qv_move *moves;
	size_t state_room, move_room;      /* capacities of states and moves */
	struct map places;         /* indexes into the two arrays, by hash */
};

enum { LEARNED_FILE_MOST = 1 << 27 };      /* size limit of a file */

/* An empty set; allocates nothing. The allocator must outlive it. Free it with learned_release. */
struct learned learned_make(const struct qv_allocator *allocator, const struct qv_rules *rules);
void learned_release(struct learned *l);
/* The capacity limit of the set. learned_add ignores further moves. */
size_t learned_most(const struct learned *l);
/* Whether the move, or a symmetric one, is in the set. */
bool learned_has(const struct learned *l, const void *state, qv_move move);
/* The position and the move that were learned as number `place`, from 0 to count - 1. */
const void *learned_at(const struct learned *l, size_t place, qv_move *move);
/* Copies the position that stands for all symmetric ones to `box`; both have room for a state. */
void learned_box(const struct learned *l, const void *state, void *box, void *scratch);
/* Adds a move; does nothing if it is in the set. Fails only with QV_NO_MEMORY. */
enum qv_status learned_add(struct learned *l, const void *state, qv_move move);

/*
 * Adds the moves of a file, which must be for the same rules. Moves before an error stay in the
 * set.
 */
enum qv_status learned_read(struct learned *l, const char *data, size_t size,
			    struct qv_error *error);
/* Appends the set as a file; check out->failed. */
void learned_write(const struct learned *l, struct string *out);

/* The player kind `learn`, and its qv_player_game_over. */
extern const struct player_kind learn_kind;
enum qv_status learn_player_game_over(struct qv_player *player, const void *state,
				      struct qv_error *error);

/*
 * For a learner without a file, whose moves were made by other players of its kind. All need a
 * player of the kind `learn` itself, without an opening book.
 */

/* Adds the moves of a file; those before an error stay. */
enum qv_status learn_player_read(struct qv_player *player, const char *data, size_t size,
				 struct qv_error *error);
/* Appends what it has learned as a file, the oldest moves first; check out->failed. */
void learn_player_write(const struct qv_player *player, struct string *out);
/* What it has learned; valid until it learns more or is freed. */
const struct learned *learn_player_learned(const struct qv_player *player);
/* Reports a move of the game that learn_player_game_over will end. Fails with QV_NO_MEMORY. */
enum qv_status learn_player_moved(struct qv_player *player, const void *state, qv_move move,
				  struct qv_error *error);

#endif
