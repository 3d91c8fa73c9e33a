/*
 * player.h - whatever chooses moves. Matches, protocols and the program know nothing but this.
 * SPDX-License-Identifier: MIT
 *
 * A kind of player is a struct that begins with struct qv_player, and one const struct player_ops.
 */
#ifndef SEARCH_PLAYER_H
#define SEARCH_PLAYER_H

#include "base/memory.h"
#include "search/engine.h"
#include "search/spec.h"

struct player_ops {
	enum qv_status (*think)(struct qv_player *p, const void *state,
				const struct qv_limits *limits, const struct qv_listener *listener,
				struct qv_answer *out, struct qv_error *error);
	/* Forgets earlier games; random numbers start anew, from p->settings.seed as it is now. */
	void (*new_game)(struct qv_player *p);
	void (*free)(struct qv_player *p);
};

struct qv_player {
	const struct player_ops *ops;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct settings settings;
};

/* What every maker of players gets. All borrowed but for what it copies. */
struct player_setup {
	const struct qv_allocator *allocator;
	const struct engine *engine;
	const struct qv_rules *rules;
	const struct settings *settings;
	const char *tables;        /* a folder that may have some of the game; NULL: none */
};

player_maker random_player_new;
player_maker duel_player_new;          /* minimax to mtdf; and selective, for engines that have it */
player_maker mcts_player_new;
player_maker chance_player_new;        /* expectimax */
player_maker perfect_player_new;
/* perfect, with the tables of a folder */
enum qv_status table_player_new(const struct player_setup *setup, const char *folder,
				struct qv_player **out, struct qv_error *error);
player_maker multi_player_new;         /* maxn, paranoid, brs */
player_maker lurgee_player_new;        /* for engines with a kit for it */

#endif
