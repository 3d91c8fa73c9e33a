/*
 * player.c - the player kind `lurgee`: the Lurgee framework's search with its own evaluators.
 * SPDX-License-Identifier: MIT
 *
 * Games provide evaluators, opening library and difficulty ladders in a struct lurgee_kit.
 */
#include "search/evaluation.h"
#include "lurgee/search.h"
#include "search/player_kind.h"

struct lurgee_player {
	struct qv_player base;
	const struct lurgee_kit *kit;
	struct chosen_evaluation chosen;
	struct lurgee search;
};

static struct lurgee_setup setup_of(const struct lurgee_player *p)
{
	return (struct lurgee_setup){ p->base.rules.game, p->kit, &p->base.settings,
				      p->chosen.evaluation, p->chosen.weights };
}

static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct lurgee_player *p = (struct lurgee_player *)base;
	const struct lurgee_setup setup = setup_of(p);
	return lurgee_run(&p->search, &setup, state, limits, listener, out, error);
}

static void new_game(struct qv_player *base)
{
	struct lurgee_player *p = (struct lurgee_player *)base;
	const struct lurgee_setup setup = setup_of(p);
	lurgee_init(&p->search, &setup);
}

static void free_player(struct qv_player *base)
{
	struct lurgee_player *p = (struct lurgee_player *)base;
	evaluation_release(base->allocator, &p->chosen);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

/* The framework's single-pass searches have no move when a limit stops them. */
static enum qv_status check(const struct settings *set, struct qv_error *error)
{
	if (set->evals && !set->iterate)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player lurgee: evals=%lld needs iterate=1; a single pass that is "
			       "stopped has no move",
			       (long long)set->evals);
	return QV_OK;
}

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct lurgee_kit *kit = setup->own;
	const enum qv_status checked = check(setup->settings, error);
	struct lurgee_player *p =
		checked == QV_OK ? player_begin(setup, &ops, sizeof *p, error) : NULL;
	if (!p)
		return checked == QV_OK ? QV_NO_MEMORY : checked;
	p->kit = kit;
	const enum qv_status status =
		evaluation_choose(setup->allocator, setup->rules->game, kit->evaluations,
				  setup->settings, &p->chosen, error);
	if (status == QV_OK)
		new_game(&p->base);
	return player_finish(status, &p->base, out);
}

static const struct option own_options[] = {
	OWN_OPTION(struct lurgee_settings, "search", OPTION_CHOICE, search,
		   .choices = "negamax|negascout", .def = LURGEE_NEGASCOUT, .value = "NAME",
		   .help = "negamax or negascout"),
	OWN_OPTION(struct lurgee_settings, "bye", OPTION_SWITCH, bye, .def = 1,
		   .help = "a forced pass takes a ply; 0: the line ends there"),
	{ 0 },
};
static const struct option *const options[] = {
	depth_option,   evaluation_options, random_option, killers_option,
	own_options, opening_options,	  NULL,
};

const struct player_kind lurgee_kind = {
	.name = "lurgee",
	.help = "the Lurgee framework's search, with its own evaluators",
	.options = options,
	.defaults = "killers=4",
	.limit = "depth=5",
	.needs_game = true,
	.counts_work = true,
	.make = make,
};
