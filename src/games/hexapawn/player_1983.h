/*
 * player_1983.h - the 1983 book's hexapawn program.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_HEXAPAWN_PLAYER_1983_H
#define GAMES_HEXAPAWN_PLAYER_1983_H

#include "search/engine.h"

player_maker hexapawn_book_new;

#endif
