/*
 * duel_player.c - the two-player search as a player: its evaluation chosen, its weights read.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"
#include "base/text.h"
#include "search/player.h"
#include "search/weights.h"

enum { WEIGHTS_FILE_MOST = 64 << 20 };

struct duel_player {
	struct qv_player base;
	struct duel *duel;
	void *weights;             /* NULL: the evaluation's own */
	size_t weights_size;
};

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	return duel_run(((struct duel_player *)p)->duel, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	duel_forget(((struct duel_player *)p)->duel);
}

static void free_player(struct qv_player *p)
{
	struct duel_player *d = (struct duel_player *)p;
	duel_free(d->duel);
	mem_free(p->allocator, d->weights, d->weights_size);
	mem_free(p->allocator, d, sizeof *d);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status find_evaluation(const struct qv_game *game, const char *name,
				      const struct qv_evaluation **out, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	*out = game->evaluations;
	if (!*name)
		return QV_OK;
	for (const struct qv_evaluation *e = game->evaluations; e && e->name; e++) {
		if (strcmp(e->name, name) == 0) {
			*out = e;
			return QV_OK;
		}
		text_nearest_try(&near, e->name);
	}
	return qv_fail(error, QV_UNKNOWN, "eval=%s: %s has no such evaluation%s%s", name,
		       game->name, near.best ? "; the nearest is " : "",
		       near.best ? near.best : "");
}

static enum qv_status load_weights(struct duel_player *d, const struct qv_evaluation *evaluation,
				   struct qv_error *error)
{
	const struct qv_allocator *a = d->base.allocator;
	const char *path = d->base.settings.weights;
	if (!*path)
		return QV_OK;
	if (!evaluation || !evaluation->weights_size || (!evaluation->names && !evaluation->read))
		return qv_fail(error, QV_UNSUPPORTED, "weights=%s: the evaluation has none", path);
	struct file_bytes file;
	enum qv_status status = file_read(a, path, WEIGHTS_FILE_MOST, &file, error);
	if (status != QV_OK)
		return status;
	d->weights_size = evaluation->weights_size;
	d->weights = mem_new(a, 1, d->weights_size);
	if (d->weights) {
		memcpy(d->weights, evaluation->weights, d->weights_size);
		status = weights_read(evaluation, file.data, file.size, d->weights, error);
	} else {
		status = qv_fail(error, QV_NO_MEMORY, "weights: out of memory");
	}
	file_release(a, &file);
	return status;
}

enum qv_status duel_player_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	if (game->seats != 2 || game->chance)
		return qv_fail(
			error, QV_UNSUPPORTED,
			"player: this search is for two seats without chance, which %s is not",
			game->name);
	const struct qv_evaluation *evaluation;
	enum qv_status status = find_evaluation(game, setup->settings->eval, &evaluation, error);
	if (status != QV_OK)
		return status;
	struct duel_player *d = mem_new(setup->allocator, 1, sizeof *d);
	if (!d)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	d->base = (struct qv_player){ &ops, setup->allocator, *setup->rules, *setup->settings };
	status = load_weights(d, evaluation, error);
	const struct duel_setup duel = {
		game, setup->engine->duel, setup->allocator, setup->settings, evaluation, d->weights
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
