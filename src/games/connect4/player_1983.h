/*
 * player_1983.h - a program in the 1983 book's manner for connect-four.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_PLAYER_1983_H
#define GAMES_CONNECT4_PLAYER_1983_H

#include "search/engine.h"

player_maker c4_book_new;

#endif
