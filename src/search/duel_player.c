/*
 * duel_player.c - the two-player searches as players (minimax to mtdf, and selective).
 * SPDX-License-Identifier: MIT
 *
 * Chooses evaluation and weights, and combines the search with the game's endgame solver (key
 * `solve`): with a time limit the solver gets a short try, then the search runs, then the solver
 * gets the rest of the time.
 */
#include "base/clock.h"
#include "search/duel_driver.h"
#include "search/duel_value.h"
#include "search/evaluation.h"
#include "search/player_kind.h"

struct duel_player {
	struct qv_player base;
	struct duel *duel;
	struct chosen_evaluation chosen;
	const struct engine *engine;
	void *finisher;                    /* endgame solver; NULL: solve=0 */
};

/* ---- the end of the game ---- */

/* Whether few squares are left, and no limit or listener needs a search. */
static bool may_finish(const struct duel_player *d, const void *state,
		       const struct qv_limits *limits, const struct qv_listener *listener)
{
	const struct settings *set = &d->base.settings;
	const bool watched = listener && (listener->branch || listener->node || listener->leaf);
	const bool counted = set->nodes || set->evals || limits->nodes || limits->evals;
	int32_t points[QV_MAX_SEATS];
	return d->finisher && !watched && !counted && !limits->only && !limits->depth &&
	       d->engine->places_left(state) <= set->solve &&
	       d->base.rules.game->result(state, points) == QV_GOING;
}

/* The shorter of the player's own time limit and the caller's; 0: no limit. */
static int64_t time_of(const struct duel_player *d, const struct qv_limits *limits)
{
	const int64_t own = d->base.settings.time_ms;
	const int64_t asked = limits->aim_ms > 0 ? limits->aim_ms : limits->time_ms;
	const int64_t theirs = asked > 0 ? asked : 0;
	return own && theirs ? (own < theirs ? own : theirs) : own + theirs;
}

struct question {
	const void *state;
	const struct qv_limits *limits;
	const struct qv_listener *listener;
	int64_t start_us;
};

/* Runs the endgame solver until the deadline. False: not solved, and *out is unchanged. */
static bool finish(struct duel_player *d, const struct question *q, int64_t deadline_us,
		   struct qv_answer *out)
{
	const struct qv_listener *listener = q->listener;
	struct qv_answer answer;
	if (!d->engine->finisher->finish(d->finisher, q->state, deadline_us, q->limits->stop,
					 &answer))
		return false;
	*out = answer;
	out->seconds = (double)(clock_us() - q->start_us) / 1e6;
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return true;
}

/*
 * With a time limit, the solver first gets an eighth of it, at most 100 ms. Then the search gets
 * three eighths, so that there is an answer whenever a stop comes, and the solver gets the rest.
 */
static enum qv_status search_and_finish(struct duel_player *d, const struct question *q,
					struct qv_answer *out, struct qv_error *error)
{
	enum { MOMENT_MS = 100 };
	const int64_t time_ms = time_of(d, q->limits);
	const int64_t moment_us = time_ms < 8 * MOMENT_MS ? time_ms * 125 : MOMENT_MS * 1000;
	struct qv_limits share = *q->limits;
	if (finish(d, q, time_ms ? q->start_us + moment_us : 0, out))
		return QV_OK;
	if (time_ms)
		share.time_ms = time_ms * 3 / 8 > 0 ? time_ms * 3 / 8 : 1;
	const enum qv_status status = duel_run(d->duel, q->state, &share, q->listener, out, error);
	if (status == QV_OK && time_ms && !out->proven)
		finish(d, q, q->start_us + time_ms * 900, out);
	return status;
}

/* ---- the player ---- */

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	struct duel_player *d = (struct duel_player *)p;
	const struct question question = { state, limits, listener, clock_us() };
	if (may_finish(d, state, limits, listener))
		return search_and_finish(d, &question, out, error);
	return duel_run(d->duel, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	struct duel_player *d = (struct duel_player *)p;
	d->duel->settings.seed = p->settings.seed;
	duel_forget(d->duel);
	if (d->finisher)
		d->engine->finisher->forget(d->finisher);
}

static void free_player(struct qv_player *p)
{
	struct duel_player *d = (struct duel_player *)p;
	duel_free(d->duel);
	if (d->finisher)
		d->engine->finisher->free(d->finisher);
	evaluation_release(p->allocator, &d->chosen);
	mem_free(p->allocator, d, sizeof *d);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make_finisher(struct duel_player *d, struct qv_error *error)
{
	const struct settings *set = &d->base.settings;
	const size_t bytes = set->tt > 2 ? (size_t)set->tt << 19 : 1 << 20;
	if (!set->solve)
		return QV_OK;
	if (!d->engine->finisher)
		return qv_fail(error, QV_UNSUPPORTED,
			       "solve=%lld: %.40s has no endgame solver",
			       (long long)set->solve, d->base.rules.game->name);
	if (d->engine->finisher->make(d->base.allocator, bytes, &d->finisher) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	return QV_OK;
}

enum qv_status duel_player_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats != 2 || game->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: needs a game of two players without dice; %s is not one",
			       set->kind->name, game->name);
	struct duel_player *d = player_begin(setup, &ops, sizeof *d, error);
	if (!d)
		return QV_NO_MEMORY;
	d->engine = setup->engine;
	enum qv_status status = evaluation_choose(setup->allocator, game, game->evaluations, set,
						  &d->chosen, error);
	if (status == QV_OK)
		status = duel_check(game, d->chosen.evaluation, set, error);
	const bool selects = set->kind->variant == DUEL_SELECTIVE;
	const struct duel_setup duel = { game,
					 selects ? setup->own : setup->engine->duel,
					 setup->allocator,
					 set,
					 d->chosen.evaluation,
					 d->chosen.weights };
	if (status == QV_OK)
		status = duel_new(&duel, &d->duel, error);
	if (status == QV_OK)
		status = make_finisher(d, error);
	return player_finish(status, &d->base, out);
}
