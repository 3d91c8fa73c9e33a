/*
 * chance_player.c - the player kind `expectimax`: the search for two seats and dice.
 * SPDX-License-Identifier: MIT
 *
 * Connects chance.c to struct qv_player: checks the game, chooses evaluation and weights, and lists
 * the options.
 */
#include "search/chance.h"
#include "search/evaluation.h"
#include "search/player_kind.h"

struct chance_player {
	struct qv_player base;
	struct chance_search *search;
	struct chosen_evaluation chosen;
};

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	return chance_run(((struct chance_player *)p)->search, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	chance_forget(((struct chance_player *)p)->search, p->settings.seed);
}

static void free_player(struct qv_player *p)
{
	struct chance_player *c = (struct chance_player *)p;
	chance_free(c->search);
	evaluation_release(p->allocator, &c->chosen);
	mem_free(p->allocator, c, sizeof *c);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats != 2 || !game->chance || !setup->engine->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player expectimax: needs a game of two players with dice; %s is not one",
			       game->name);
	struct chance_player *c = player_begin(setup, &ops, sizeof *c, error);
	if (!c)
		return QV_NO_MEMORY;
	enum qv_status status = evaluation_choose(setup->allocator, game, game->evaluations, set,
						  &c->chosen, error);
	const struct chance_setup search = { game, setup->engine->chance, setup->allocator, set,
					     c->chosen.evaluation, c->chosen.weights };
	if (status == QV_OK)
		status = chance_new(&search, &c->search, error);
	return player_finish(status, &c->base, out);
}

static const struct option own_options[] = {
	OPTION(struct settings, "star", OPTION_INT, star, .max = 2, .def = 2, .value = "N",
	       .help = "cut-offs at dice rolls: 0 none, 1 Star1, 2 Star2"),
	{ 0 },
};
static const struct option *const options[] = {
	depth_option, effort_options, evaluation_options, error_options, chopper_option,
	sort_option,  own_options,    opening_options,	  NULL,
};

const struct player_kind expectimax_kind = {
	.name = "expectimax",
	.help = "for two players and dice: averages over the dice rolls",
	.options = options,
	.limit = "depth=3",
	.deepens = true,
	.counts_work = true,
	.make = make,
};
