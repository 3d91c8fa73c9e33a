/*
 * solver.h - reversi solved, when not too many squares are empty: who wins, and by how much.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_REVERSI_SOLVER_H
#define GAMES_REVERSI_SOLVER_H

#include "search/solver.h"

solver_maker reversi_solver_new;

#endif
