/*
 * lurgee_kit.h - what the Lurgee framework's player has for connect-four: evaluators, ladders, first
 * moves.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_LURGEE_KIT_H
#define GAMES_CONNECT4_LURGEE_KIT_H

#include "lurgee/search.h"

extern const struct qv_evaluation c4_lurgee_evaluations[];
extern const char *const c4_lurgee_documents[], *const c4_lurgee_release[];

/* The middle column first; as an answer, one of the four outer columns that is empty. */
qv_move c4_lurgee_library(const void *state, int depth, bool documents, struct qv_random *random);

#endif
