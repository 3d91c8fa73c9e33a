/*
 * solver.h - solves 3D noughts and crosses by the proof search with the game's hooks.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_NOUGHTS3D_SOLVER_H
#define GAMES_NOUGHTS3D_SOLVER_H

#include "search/solver.h"

solver_maker n3_solver_new;

#endif
