/*
 * evaluation.c - the evaluation that a player asks for: found by its name, its weights from a file.
 * SPDX-License-Identifier: MIT
 */
#include "search/evaluation.h"

#include "base/file.h"
#include "base/text.h"
#include "search/weights.h"

enum { WEIGHTS_FILE_MOST = 64 << 20 };

/* The evaluation `material` of a game that lists none: its weights are the game. */
static int32_t material_ahead(const void *state, const void *weights)
{
	const struct qv_game *game = weights;
	const int seat = game->seat(state), me = seat < 0 ? 0 : seat;
	return game->material(state, me) - game->material(state, 1 - me);
}

static enum qv_status find(const struct qv_game *game, const char *name,
			   struct chosen_evaluation *c, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	c->evaluation = game->evaluations;
	if (!*name)
		return QV_OK;
	for (const struct qv_evaluation *e = game->evaluations; e && e->name; e++) {
		if (strcmp(e->name, name) == 0) {
			c->evaluation = e;
			return QV_OK;
		}
		text_nearest_try(&near, e->name);
	}
	if (game->material && game->seats == 2 && strcmp(name, "material") == 0) {
		c->material = (struct qv_evaluation){ .name = "material",
						      .evaluate = material_ahead,
						      .weights = game };
		c->evaluation = &c->material;
		return QV_OK;
	}
	return qv_fail(error, QV_UNKNOWN, "eval=%s: %s has no such evaluation%s%s", name,
		       game->name, near.best ? "; the nearest is " : "",
		       near.best ? near.best : "");
}

static enum qv_status load_weights(const struct qv_allocator *a, const char *path,
				   struct chosen_evaluation *c, struct qv_error *error)
{
	const struct qv_evaluation *e = c->evaluation;
	if (!e || !e->weights_size || (!e->names && !e->read))
		return qv_fail(error, QV_UNSUPPORTED, "weights=%s: the evaluation has none", path);
	struct file_bytes file;
	enum qv_status status = file_read(a, path, WEIGHTS_FILE_MOST, &file, error);
	if (status != QV_OK)
		return status;
	c->weights_size = e->weights_size;
	c->weights = mem_new(a, 1, c->weights_size);
	if (c->weights) {
		memcpy(c->weights, e->weights, c->weights_size);
		status = weights_read(e, file.data, file.size, c->weights, error);
	} else {
		status = qv_fail(error, QV_NO_MEMORY, "weights: out of memory");
	}
	file_release(a, &file);
	return status;
}

enum qv_status evaluation_choose(const struct qv_allocator *a, const struct qv_game *game,
				 const char *name, const char *path, struct chosen_evaluation *out,
				 struct qv_error *error)
{
	*out = (struct chosen_evaluation){ 0 };
	enum qv_status status = find(game, name, out, error);
	if (status == QV_OK && *path)
		status = load_weights(a, path, out, error);
	return status;
}

void evaluation_release(const struct qv_allocator *a, struct chosen_evaluation *chosen)
{
	mem_free(a, chosen->weights, chosen->weights_size);
	chosen->weights = NULL;
}
