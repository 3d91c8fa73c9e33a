/*
 * mcts_player.c - Monte Carlo tree search as a player, for any number of seats, with chance or
 * without.
 * SPDX-License-Identifier: MIT
 */
#include "search/player.h"

struct mcts_player {
	struct qv_player base;
	struct mcts *mcts;
};

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	return mcts_run(((struct mcts_player *)p)->mcts, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	struct mcts *mcts = ((struct mcts_player *)p)->mcts;
	mcts->settings.seed = p->settings.seed;
	mcts_forget(mcts);
}

static void free_player(struct qv_player *p)
{
	mcts_free(((struct mcts_player *)p)->mcts);
	mem_free(p->allocator, p, sizeof(struct mcts_player));
}

static const struct player_ops ops = { think, new_game, free_player };

enum qv_status mcts_player_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	if (!setup->engine->mcts)
		return qv_fail(error, QV_UNSUPPORTED, "player: mcts is not stamped for %s",
			       setup->rules->game->name);
	struct mcts_player *p = mem_new(setup->allocator, 1, sizeof *p);
	if (!p)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	p->base = (struct qv_player){ &ops, setup->allocator, *setup->rules, *setup->settings };
	const struct mcts_setup mcts = { setup->rules->game, setup->engine->mcts, setup->allocator,
					 setup->settings };
	const enum qv_status status = mcts_new(&mcts, &p->mcts, error);
	if (status != QV_OK) {
		free_player(&p->base);
		return status;
	}
	*out = &p->base;
	return QV_OK;
}
