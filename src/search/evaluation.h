/*
 * evaluation.h - the evaluation chosen by a player's settings: found by name, weights from a file.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_EVALUATION_H
#define SEARCH_EVALUATION_H

#include "base/memory.h"
#include "search/settings.h"

/* The evaluation `none`, of any game: only the result counts. */
extern const struct qv_evaluation evaluation_none;

/* The evaluation and weights chosen by `eval=`, `weights=` and `weight=`. */
struct chosen_evaluation {
	const struct qv_evaluation *evaluation;    /* NULL: the game has none */
	void *weights;                             /* NULL: the evaluation's own */
	size_t weights_size;
	struct qv_evaluation own;                  /* material, where the game does not list it */
};

/*
 * Chooses among these evaluations: the game's, or a player's own. `added` are further ones, from
 * outside; it may be NULL. An empty name is the first one, with its default weights. Release *out on failure, too, and do not move it while its evaluation
 * is in use.
 */
enum qv_status evaluation_choose(const struct qv_allocator *a, const struct qv_game *game,
				 const struct qv_evaluation *among,
				 const struct qv_evaluation *added, const struct settings *set,
				 struct chosen_evaluation *out, struct qv_error *error);
/*
 * Lists the terms that add up to the evaluation's value, for the seat to move. Returns their number;
 * 0: the evaluation does not list any. Not for positions where chance moves.
 */
int evaluation_terms(const struct qv_game *game, const struct qv_evaluation *evaluation,
		     const void *weights, const void *state, struct qv_term list[QV_MAX_TERMS]);
/* Frees the weights; {0} is fine. */
void evaluation_release(const struct qv_allocator *a, struct chosen_evaluation *chosen);

#endif
