/*
 * player_1983.h - the 1983 book's noughts and crosses program.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_NOUGHTS_PLAYER_1983_H
#define GAMES_NOUGHTS_PLAYER_1983_H

#include "search/engine.h"

player_maker noughts_book_new;

#endif
