/*
 * solver.h - connect-four solved: value and distance of any position.
 * SPDX-License-Identifier: MIT
 */
#ifndef CONNECT4_SOLVER_H
#define CONNECT4_SOLVER_H

#include "search/engine.h"

solve_fn c4_solve;

#endif
