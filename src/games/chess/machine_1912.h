/*
 * machine_1912.h - the king-and-rook machine: Torres y Quevedo's automaton of 1912, by six rules.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CHESS_MACHINE_1912_H
#define GAMES_CHESS_MACHINE_1912_H

#include "games/chess/rules.h"
#include "search/one_ply.h"

/*
 * The move of the machine, and which rule made it, 1 to 6; 0: no rule applies, and *move is not
 * touched. literal: as the book of 1983 prints the rules, which loses the rook (docs/players.md).
 */
int chess_machine_rule(const struct chess *s, bool literal, qv_move *move);

extern const struct player_kind machine_kind;
extern const struct one_ply_program chess_machine_program;

#endif
