/*
 * player.h - the interface of players, which choose moves. Matches, protocols and the program use
 * nothing but this.
 * SPDX-License-Identifier: MIT
 *
 * A kind of player is a struct that begins with struct qv_player, and one const struct player_ops.
 */
#ifndef SEARCH_PLAYER_H
#define SEARCH_PLAYER_H

#include "base/memory.h"
#include "search/engine.h"
#include "search/settings.h"

struct player_ops {
	enum qv_status (*think)(struct qv_player *p, const void *state,
				const struct qv_limits *limits, const struct qv_listener *listener,
				struct qv_answer *out, struct qv_error *error);
	/* Forgets earlier games, and restarts the random numbers from p->settings.seed. */
	void (*new_game)(struct qv_player *p);
	void (*free)(struct qv_player *p);
};

struct qv_player {
	const struct player_ops *ops;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct settings settings;
};

/* The arguments of a player's constructor. All borrowed; it copies what it keeps. */
struct player_setup {
	const struct qv_allocator *allocator;
	const struct engine *engine;
	const struct qv_rules *rules;
	const struct settings *settings;
	const struct qv_evaluation *added; /* evaluations added to the game; may be NULL */
	const char *tables;        /* folder of endgame tables; NULL: none */
	const void *own;           /* the game's part of the kind (search/player_kind.h); may be NULL */
	const struct qv_prober *prober; /* other tables; outlives the player; NULL: none */
	void *shared; /* what players of the context share (struct shared_ops); may be NULL */
	const struct search_tables *search_tables; /* for the selective search; NULL: none */
};

/* minimax to mtdf; with struct duel_ops as `own`, selective and the kinds of DUEL_OWN. */
player_maker duel_player_new;

/*
 * Begins a player of `size` bytes whose struct begins with struct qv_player: allocated, zeroed, its
 * base filled in. NULL: not enough memory, as error says.
 */
void *player_begin(const struct player_setup *setup, const struct player_ops *ops, size_t size,
		   struct qv_error *error);
/* Ends a constructor: hands the player out, or frees it if status is not QV_OK. */
enum qv_status player_finish(enum qv_status status, struct qv_player *player,
			     struct qv_player **out);

#endif
