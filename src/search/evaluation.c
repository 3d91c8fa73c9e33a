/*
 * evaluation.c - the evaluation chosen by a player's settings: found by name, weights from a file.
 * SPDX-License-Identifier: MIT
 *
 * Every game also has the evaluation `none`, and `material` if it can count material. Weights are
 * copied before they are changed, so that players do not affect each other.
 */
#include "search/evaluation.h"

#include "base/file.h"
#include "base/options.h"
#include "search/weights.h"

enum { WEIGHTS_FILE_MOST = 64 << 20 };

/* The evaluation `material` of a game that does not list one; the game is passed as its weights. */
static int32_t material_ahead(const void *state, const void *weights)
{
	const struct qv_game *game = weights;
	const int seat = game->seat(state), me = seat < 0 ? 0 : seat;
	return game->material(state, me) - game->material(state, 1 - me);
}

static int32_t nothing(const void *state, const void *weights)
{
	(void)state, (void)weights;
	return 0;
}

const struct qv_evaluation evaluation_none = { .name = "none", .evaluate = nothing };

static enum qv_status find(const struct qv_game *game, const struct qv_evaluation *among,
			   const char *name, struct chosen_evaluation *c, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	c->evaluation = among;
	if (!*name)
		return QV_OK;
	for (const struct qv_evaluation *e = among; e && e->name; e++) {
		if (strcmp(e->name, name) == 0) {
			c->evaluation = e;
			return QV_OK;
		}
		text_nearest_try(&near, e->name);
	}
	if (among == game->evaluations && strcmp(name, "none") == 0) {
		c->evaluation = &evaluation_none;
		return QV_OK;
	}
	if (among == game->evaluations && game->material && game->seats == 2 &&
	    strcmp(name, "material") == 0) {
		c->own = (struct qv_evaluation){ .name = "material",
						      .evaluate = material_ahead,
						      .weights = game };
		c->evaluation = &c->own;
		return QV_OK;
	}
	return qv_fail(error, QV_UNKNOWN, "eval=%s: %s has no such evaluation%s", name, game->name,
		       suggest(&near).text);
}

/* A copy of the evaluation's own weights, to be changed. */
static enum qv_status copy_weights(const struct qv_allocator *a, struct chosen_evaluation *c,
				   struct qv_error *error)
{
	const struct qv_evaluation *e = c->evaluation;
	c->weights_size = e->weights_size;
	c->weights = mem_new(a, 1, c->weights_size);
	if (!c->weights)
		return qv_fail(error, QV_NO_MEMORY, "weights: out of memory");
	memcpy(c->weights, e->weights, c->weights_size);
	return QV_OK;
}

static enum qv_status load_weights(const struct qv_allocator *a, const char *path,
				   struct chosen_evaluation *c, struct qv_error *error)
{
	const struct qv_evaluation *e = c->evaluation;
	if (!e || !e->weights_size || (!e->names && !e->read))
		return qv_fail(error, QV_UNSUPPORTED, "weights=%s: this evaluation has no weights",
			       path);
	struct file_bytes file;
	enum qv_status status = file_read(a, path, WEIGHTS_FILE_MOST, &file, error);
	if (status != QV_OK)
		return status;
	status = copy_weights(a, c, error);
	if (status == QV_OK)
		status = weights_read(e, file.data, file.size, c->weights, error);
	file_release(a, &file);
	return status;
}

static enum qv_status change_weight(const struct qv_allocator *a, const char *weight,
				    struct chosen_evaluation *c, struct qv_error *error)
{
	const struct qv_evaluation *e = c->evaluation;
	enum qv_status status = QV_OK;
	if (!e || !e->weights_size || !e->names)
		return qv_fail(error, QV_UNSUPPORTED, "weight=%s: this evaluation has no weights",
			       weight);
	if (!c->weights)
		status = copy_weights(a, c, error);
	return status == QV_OK ? weights_set(e, weight, c->weights, error) : status;
}

enum qv_status evaluation_choose(const struct qv_allocator *a, const struct qv_game *game,
				 const struct qv_evaluation *among, const struct settings *set,
				 struct chosen_evaluation *out, struct qv_error *error)
{
	*out = (struct chosen_evaluation){ 0 };
	enum qv_status status = find(game, among, set->eval, out, error);
	if (status == QV_OK && *set->weights)
		status = load_weights(a, set->weights, out, error);
	if (status == QV_OK && *set->weight)
		status = change_weight(a, set->weight, out, error);
	return status;
}

void evaluation_release(const struct qv_allocator *a, struct chosen_evaluation *chosen)
{
	mem_free(a, chosen->weights, chosen->weights_size);
	chosen->weights = NULL;
}
