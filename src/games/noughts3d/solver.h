/*
 * solver.h - solves 3D noughts and crosses by the proof search with the game's hooks.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_NOUGHTS3D_SOLVER_H
#define GAMES_NOUGHTS3D_SOLVER_H

#include "search/solver.h"

/* Needs about 2 MB besides the hash table. It proves values, and distances by a search. */
solver_maker n3_solver_new;

#endif
