/*
 * player.c - the Lurgee framework's search as a player: its evaluator chosen, its weights
 * read.
 * SPDX-License-Identifier: MIT
 */
#include "search/evaluation.h"
#include "lurgee/search.h"
#include "search/player.h"

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

/* The framework's single-pass searches have no answer when the limit is reached. */
static enum qv_status check(const struct settings *set, struct qv_error *error)
{
	if (set->evals && !set->iterate)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player lurgee: evals=%lld needs iterate=1, since a single pass "
			       "that is broken off has no answer",
			       (long long)set->evals);
	return QV_OK;
}

enum qv_status lurgee_player_new(const struct player_setup *setup, struct qv_player **out,
				 struct qv_error *error)
{
	enum qv_status status = check(setup->settings, error);
	if (status != QV_OK)
		return status;
	struct lurgee_player *p = mem_new(setup->allocator, 1, sizeof *p);
	if (!p)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	p->base = (struct qv_player){ &ops, setup->allocator, *setup->rules, *setup->settings };
	p->kit = setup->engine->lurgee;
	status = evaluation_choose(setup->allocator, setup->rules->game, p->kit->evaluations,
				   setup->settings, &p->chosen, error);
	if (status != QV_OK) {
		free_player(&p->base);
		return status;
	}
	new_game(&p->base);
	*out = &p->base;
	return QV_OK;
}
