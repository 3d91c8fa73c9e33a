/*
 * lurgee.h - what the Lurgee framework's player has for reversi: evaluators, ladders, openings.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_REVERSI_LURGEE_H
#define ENGINES_REVERSI_LURGEE_H

#include "search/lurgee.h"

extern const struct qv_evaluation reversi_lurgee_evaluations[];
extern const char *const reversi_lurgee_documents[], *const reversi_lurgee_release[];

/* The second move of the game: the parallel, the diagonal or the perpendicular opening. */
qv_move reversi_lurgee_library(const void *state, int depth, bool documents,
			       struct qv_random *random);

#endif
