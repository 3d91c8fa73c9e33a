/*
 * solver.h - connect-four solved: value and distance of any position.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_SOLVER_H
#define GAMES_CONNECT4_SOLVER_H

#include "search/solver.h"

solver_maker c4_solver_new;

/* Positions whose score takes more nodes than this get the large table. 0: all that need a search. */
void c4_solver_call_easy(struct qv_solver *base, uint64_t nodes);

/* From now on it finds everything by itself. */
void c4_solver_forget_early(struct qv_solver *base);

#endif
