/*
 * machine_1912.h - the king-and-rook automaton of Torres y Quevedo, 1912, by six rules.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CHESS_MACHINE_1912_H
#define GAMES_CHESS_MACHINE_1912_H

#include "games/chess/rules.h"
#include "search/one_ply.h"

/*
 * Sets *move to the machine's move and returns the rule that made it, 1 to 6. 0: no rule applies,
 * and *move is unchanged. literal: the rules as printed in the 1983 book, which lose the rook
 * (docs/players.md).
 */
int chess_machine_rule(const struct chess *s, bool literal, qv_move *move);

extern const struct player_kind machine_kind;
extern const struct one_ply_program chess_machine_program;

#endif
