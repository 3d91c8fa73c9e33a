/*
 * solver.h - solves go-moku: wins by fours and open threes first, then a search.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_GOMOKU_SOLVER_H
#define GAMES_GOMOKU_SOLVER_H

#include "search/solver.h"

solver_maker gomoku_solver_new;

#endif
