/*
 * solver.h - reversi: the endgame search for `solve` and for players.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_REVERSI_SOLVER_H
#define GAMES_REVERSI_SOLVER_H

#include "search/solver.h"

/* Makes a solver for `solve`: who wins a position, and by how much. The caller frees it. */
solver_maker reversi_solver_new;

/* The same for players that search (solve=N), within their time. */
extern const struct finisher_ops reversi_finisher;

#endif
