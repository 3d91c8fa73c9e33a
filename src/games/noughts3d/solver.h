/*
 * solver.h - solves 3D noughts and crosses by the shipped strategy and the proof search with the
 * game's hooks.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_NOUGHTS3D_SOLVER_H
#define GAMES_NOUGHTS3D_SOLVER_H

#include "search/solver.h"

/* Needs about 2 MB besides the hash table. It proves values, and distances by a search. */
solver_maker n3_solver_new;

/* Lets the solver prove everything itself: to make the strategy, and for tests. */
void n3_solver_disable_strategy(struct qv_solver *base);

#endif
