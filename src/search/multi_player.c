/*
 * multi_player.c - the player kinds `maxn`, `paranoid` and `brs`: the searches for several seats.
 * SPDX-License-Identifier: MIT
 *
 * Connects multi.c to struct qv_player: checks the game, chooses evaluation and weights, and lists
 * the options.
 */
#include "search/evaluation.h"
#include "search/multi.h"
#include "search/player_kind.h"

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

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats < 2 || !setup->engine->multi)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: needs a game of two or more players; %s is not one",
			       set->kind->name, game->name);
	struct multi_player *m = player_begin(setup, &ops, sizeof *m, error);
	if (!m)
		return QV_NO_MEMORY;
	enum qv_status status = evaluation_choose(setup->allocator, game, game->evaluations, set,
						  &m->chosen, error);
	const struct multi_setup search = { game, setup->engine->multi, setup->allocator,
					    set,  m->chosen.evaluation, m->chosen.weights };
	if (status == QV_OK)
		status = multi_new(&search, &m->search, error);
	return player_finish(status, &m->base, out);
}

static const struct option own_options[] = {
	OPTION(struct settings, "prune", OPTION_SWITCH, prune, .def = 1,
	       .help = "skip branches that cannot change the value"),
	{ 0 },
};
static const struct option *const options[] = {
	depth_option, effort_options, evaluation_options, random_option, chopper_option,
	sort_option,  own_options,    opening_options,	  NULL,
};

#define KIND(name_, help_, variant_)                                                         \
	{                                                                                    \
		.name = name_, .help = help_, .options = options, .limit = "depth=4",        \
		.variant = variant_, .deepens = true, .counts_work = true, .make = make,     \
	}
const struct player_kind maxn_kind =
	KIND("maxn", "for two or more players, also with dice: each plays for itself", MULTI_MAXN);
const struct player_kind paranoid_kind =
	KIND("paranoid", "as maxn, but all others play against the one to move", MULTI_PARANOID);
const struct player_kind brs_kind =
	KIND("brs", "best-reply search: as paranoid, but only one opponent replies", MULTI_BRS);
