/*
 * solver.h - solves connect-four: value and distance of any position.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_SOLVER_H
#define GAMES_CONNECT4_SOLVER_H

#include "search/solver.h"

solver_maker c4_solver_new;

/*
 * Positions whose score takes more nodes than this use the large table. 0: all that need a search.
 */
void c4_solver_set_easy_nodes(struct qv_solver *base, uint64_t nodes);

/* Makes the solver work without the tables of early positions from now on. */
void c4_solver_disable_early(struct qv_solver *base);

#endif
