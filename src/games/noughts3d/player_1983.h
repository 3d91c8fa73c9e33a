/*
 * player_1983.h - a program in the 1983 book's manner for noughts in the cube.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_NOUGHTS3D_PLAYER_1983_H
#define GAMES_NOUGHTS3D_PLAYER_1983_H

#include "search/engine.h"

player_maker n3_book_new;

#endif
