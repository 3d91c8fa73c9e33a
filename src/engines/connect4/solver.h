/*
 * solver.h - connect-four solved: value and distance of any position.
 * SPDX-License-Identifier: MIT
 */
#ifndef CONNECT4_SOLVER_H
#define CONNECT4_SOLVER_H

#include "search/solver.h"

solver_maker c4_solver_new;

#endif
