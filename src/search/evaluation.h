/*
 * evaluation.h - the evaluation that a player asks for: found by its name, its weights from a file.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_EVALUATION_H
#define SEARCH_EVALUATION_H

#include "base/memory.h"
#include "search/settings.h"

/* What `eval=` and `weights=` chose. */
struct chosen_evaluation {
	const struct qv_evaluation *evaluation;    /* NULL: the game has none */
	void *weights;                             /* NULL: the evaluation's own */
	size_t weights_size;
	struct qv_evaluation own;                  /* none, or material where it is not listed */
};

/*
 * What `eval`, `weights` and `weight` say, among these evaluations: the game's, or those of a
 * player that has its own. "": the first of them, its own weights. Release it on failure too. *out
 * must stay where it is as long as its evaluation is used.
 */
enum qv_status evaluation_choose(const struct qv_allocator *a, const struct qv_game *game,
				 const struct qv_evaluation *among, const struct settings *set, struct chosen_evaluation *out,
				 struct qv_error *error);
void evaluation_release(const struct qv_allocator *a, struct chosen_evaluation *chosen);

#endif
