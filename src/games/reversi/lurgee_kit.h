/*
 * lurgee_kit.h - what the Lurgee framework's player has for reversi: evaluators, ladders, openings.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_REVERSI_LURGEE_KIT_H
#define GAMES_REVERSI_LURGEE_KIT_H

#include "lurgee/search.h"

extern const struct qv_evaluation reversi_lurgee_evaluations[];
extern const char *const reversi_lurgee_documents[], *const reversi_lurgee_release[];

/* The second move of the game: the parallel, the diagonal or the perpendicular opening. */
qv_move reversi_lurgee_library(const void *state, int depth, bool documents,
			       struct qv_random *random);

#endif
