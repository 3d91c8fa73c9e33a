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
			   const struct qv_evaluation *added, const char *name,
			   struct chosen_evaluation *c, struct qv_error *error)
{
	const struct qv_evaluation *const tables[] = { among, added };
	struct text_nearest near = text_nearest_to(name);
	c->evaluation = among;
	if (!*name)
		return QV_OK;
	for (int i = 0; i < 2; i++)
		for (const struct qv_evaluation *e = tables[i]; e && e->name; e++) {
			if (strcmp(e->name, name) == 0) {
				c->evaluation = e;
				return QV_OK;
			}
			text_nearest_try(&near, e->name);
		}
	const bool own = among == game->evaluations;
	if (own && strcmp(name, "none") == 0) {
		c->evaluation = &evaluation_none;
		return QV_OK;
	}
	if (own && game->material && game->seats == 2 && strcmp(name, "material") == 0) {
		c->own = (struct qv_evaluation){ .name = "material", .evaluate = material_ahead,
						 .weights = game };
		c->evaluation = &c->own;
		return QV_OK;
	}
	return qv_fail(error, QV_UNKNOWN, "eval=%s: %s has no such evaluation%s", name, game->name,
		       suggest(&near).text);
}

enum qv_status evaluation_choose(const struct qv_allocator *a, const struct qv_game *game,
				 const struct qv_evaluation *among,
				 const struct qv_evaluation *added, const struct settings *set,
				 struct chosen_evaluation *out, struct qv_error *error)
{
	*out = (struct chosen_evaluation){ 0 };
	enum qv_status status = find(game, among, added, set->eval, out, error);
	if (status != QV_OK || (!*set->weights && !*set->weight))
		return status;
	const struct qv_evaluation *e = out->evaluation;
	const bool from_file = *set->weights;
	if (!e || !e->weights_size || (!e->names && !(from_file && e->read)))
		return qv_fail(error, QV_UNSUPPORTED, "%s=%s: this evaluation has no weights",
			       from_file ? "weights" : "weight",
			       from_file ? set->weights : set->weight);
	out->weights_size = e->weights_size;
	out->weights = mem_new(a, 1, e->weights_size);
	if (!out->weights)
		return qv_fail(error, QV_NO_MEMORY, "weights: out of memory");
	memcpy(out->weights, e->weights, e->weights_size);
	if (from_file) {
		struct file_bytes file;
		status = file_read(a, set->weights, WEIGHTS_FILE_MOST, &file, error);
		if (status != QV_OK)
			return status;
		status = weights_read(e, file.data, file.size, out->weights, error);
		file_release(a, &file);
	}
	if (status != QV_OK || !*set->weight)
		return status;
	if (!e->names)
		return qv_fail(error, QV_UNSUPPORTED, "weight=%s: this evaluation has no weights",
			       set->weight);
	return weights_set(e, set->weight, out->weights, error);
}

int evaluation_terms(const struct qv_game *game, const struct qv_evaluation *evaluation,
		     const void *weights, const void *state, struct qv_term list[QV_MAX_TERMS])
{
	struct qv_terms out = { .list = list, .max = QV_MAX_TERMS, .seat = game->seat(state) };
	if (evaluation->terms) {
		evaluation->terms(state, weights, &out);
	} else if (game->material && game->seats == 2 &&
		   strcmp(evaluation->name, "material") == 0) {
		/* By its contract this evaluation is the difference in material. */
		for (int seat = 0; seat < 2; seat++) {
			const int32_t count = game->material(state, seat);
			qv_term_add(&out, -1, "material", seat, count, count);
		}
	}
	return out.count;
}

void evaluation_release(const struct qv_allocator *a, struct chosen_evaluation *chosen)
{
	mem_free(a, chosen->weights, chosen->weights_size);
	chosen->weights = NULL;
}
