/*
 * duel_player.c - the two-player search as a player: its evaluation chosen, its weights read.
 * SPDX-License-Identifier: MIT
 */
#include "search/duel_drive.h"
#include "search/duel_value.h"
#include "search/evaluation.h"
#include "search/player.h"

struct duel_player {
	struct qv_player base;
	struct duel *duel;
	struct chosen_evaluation chosen;
};

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	return duel_run(((struct duel_player *)p)->duel, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	struct duel *duel = ((struct duel_player *)p)->duel;
	duel->settings.seed = p->settings.seed;
	duel_forget(duel);
}

static void free_player(struct qv_player *p)
{
	struct duel_player *d = (struct duel_player *)p;
	duel_free(d->duel);
	evaluation_release(p->allocator, &d->chosen);
	mem_free(p->allocator, d, sizeof *d);
}

static const struct player_ops ops = { think, new_game, free_player };

enum qv_status duel_player_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	if (game->seats != 2 || game->chance)
		return qv_fail(
			error, QV_UNSUPPORTED,
			"player: this search is for two seats without chance, which %s is not",
			game->name);
	struct duel_player *d = mem_new(setup->allocator, 1, sizeof *d);
	if (!d)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	d->base = (struct qv_player){ &ops, setup->allocator, *setup->rules, *setup->settings };
	enum qv_status status =
		evaluation_choose(setup->allocator, game, game->evaluations, setup->settings,
				  &d->chosen, error);
	if (status == QV_OK)
		status = duel_check(game, d->chosen.evaluation, setup->settings, error);
	const struct duel_setup duel = {
		game, setup->engine->duel, setup->allocator, setup->settings,
		d->chosen.evaluation, d->chosen.weights
	};
	if (status == QV_OK)
		status = duel_new(&duel, &d->duel, error);
	if (status != QV_OK) {
		free_player(&d->base);
		return status;
	}
	*out = &d->base;
	return QV_OK;
}
