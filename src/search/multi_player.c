/*
 * multi_player.c - maxn, paranoid and brs, the searches for several seats as players.
 * SPDX-License-Identifier: MIT
 */
#include "search/evaluation.h"
#include "search/multi.h"
#include "search/player.h"

struct multi_player {
	struct qv_player base;
	struct multi *search;
	struct chosen_evaluation chosen;
};

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	return multi_run(((struct multi_player *)p)->search, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	struct multi *multi = ((struct multi_player *)p)->search;
	multi->settings.seed = p->settings.seed;
	multi_forget(multi);
}

static void free_player(struct qv_player *p)
{
	struct multi_player *m = (struct multi_player *)p;
	multi_free(m->search);
	evaluation_release(p->allocator, &m->chosen);
	mem_free(p->allocator, m, sizeof *m);
}

static const struct player_ops ops = { think, new_game, free_player };

enum qv_status multi_player_new(const struct player_setup *setup, struct qv_player **out,
				struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats < 2 || !setup->engine->multi)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player: this search is for two seats or more, which %s has not",
			       game->name);
	struct multi_player *m = mem_new(setup->allocator, 1, sizeof *m);
	if (!m)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	m->base = (struct qv_player){ &ops, setup->allocator, *setup->rules, *set };
	enum qv_status status =
		evaluation_choose(setup->allocator, game, game->evaluations, set,
				  &m->chosen, error);
	const struct multi_setup search = { game, setup->engine->multi, setup->allocator,
					    set,  m->chosen.evaluation, m->chosen.weights };
	if (status == QV_OK)
		status = multi_new(&search, &m->search, error);
	if (status != QV_OK) {
		free_player(&m->base);
		return status;
	}
	*out = &m->base;
	return QV_OK;
}
