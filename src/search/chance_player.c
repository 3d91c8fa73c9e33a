/*
 * chance_player.c - expectimax, the search for two seats and dice as a player.
 * SPDX-License-Identifier: MIT
 */
#include "search/chance.h"
#include "search/evaluation.h"
#include "search/player.h"

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

enum qv_status chance_player_new(const struct player_setup *setup, struct qv_player **out,
				 struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats != 2 || !game->chance || !setup->engine->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player: this search is for two seats and dice, which %s has not",
			       game->name);
	struct chance_player *c = mem_new(setup->allocator, 1, sizeof *c);
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	c->base = (struct qv_player){ &ops, setup->allocator, *setup->rules, *set };
	enum qv_status status =
		evaluation_choose(setup->allocator, game, game->evaluations, set,
				  &c->chosen, error);
	const struct chance_setup search = { game, setup->engine->chance, setup->allocator, set,
					     c->chosen.evaluation, c->chosen.weights };
	if (status == QV_OK)
		status = chance_new(&search, &c->search, error);
	if (status != QV_OK) {
		free_player(&c->base);
		return status;
	}
	*out = &c->base;
	return QV_OK;
}
