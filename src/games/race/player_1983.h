/*
 * player_1983.h - the 1983 book's program for Race!.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_RACE_PLAYER_1983_H
#define GAMES_RACE_PLAYER_1983_H

#include "search/engine.h"

player_maker race_book_new;

#endif
