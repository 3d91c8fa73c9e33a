/*
 * mcts_player.c - the player kind `mcts`: Monte Carlo tree search.
 * SPDX-License-Identifier: MIT
 *
 * For any number of seats, with or without dice. It needs no evaluation.
 */
#include "search/player_kind.h"

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

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct mcts_setup mcts = { setup->rules->game, setup->engine->mcts, setup->allocator,
					 setup->settings };
	if (!mcts.ops)
		return qv_fail(error, QV_UNSUPPORTED, "player mcts: not available for %s",
			       setup->rules->game->name);
	struct mcts_player *p = player_begin(setup, &ops, sizeof *p, error);
	return p ? player_finish(mcts_new(&mcts, &p->mcts, error), &p->base, out) : QV_NO_MEMORY;
}

static const struct option own_options[] = {
	OPTION(struct settings, "playouts", OPTION_INT, playouts, .min = 1, .max = INT64_MAX / 2,
	       .value = "N", .help = "random games for a move"),
	OPTION(struct settings, "explore", OPTION_INT, explore, .max = 10000, .def = 70,
	       .value = "N", .help = "exploration constant of UCT, in hundredths"),
	{ 0 },
};
static const struct option *const options[] = { effort_options, own_options, table_option,
						opening_options, NULL };

const struct player_kind mcts_kind = {
	.name = "mcts",
	.help = "Monte Carlo tree search: grows a tree by random games; any number of seats, and dice",
	.options = options,
	.limit = "playouts=10000",
	.make = make,
};
